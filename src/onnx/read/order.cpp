// Topological order of a graph's nodes, which files do not guarantee.
#include <algorithm>
#include <queue>
#include <unordered_set>

#include "src/io/atomic_file.h"
#include "src/onnx/read/read.h"

namespace ember::onnx {
namespace {

using Names = std::unordered_set<std::string_view>;

void collect_reads(const proto::Node& node, Names& reads);

// Collects the names that a subgraph reads from the enclosing graphs.
void collect_captures(const proto::Graph& graph, Names& captures) {
  Names own;
  for (const proto::ValueInfo& v : graph.inputs) own.insert(v.name);
  for (const proto::TensorData& t : graph.initializers) own.insert(t.name);
  Names reads;
  for (const proto::Node& n : graph.nodes) {
    collect_reads(n, reads);
    own.insert(n.outputs.begin(), n.outputs.end());
  }
  for (const proto::ValueInfo& v : graph.outputs) reads.insert(v.name);
  for (const std::string_view name : reads) {
    if (!own.contains(name)) captures.insert(name);
  }
}

void collect_reads(const proto::Node& node, Names& reads) {
  for (const std::string& name : node.inputs) {
    if (!name.empty()) reads.insert(name);
  }
  for (const proto::Attribute& a : node.attributes) {
    for (const proto::Graph& g : a.g) collect_captures(g, reads);
  }
}

// Every remaining node waits for another remaining node, so following these edges finds a cycle.
[[noreturn]] void report_cycle(const std::vector<proto::Node>& nodes,
                               const std::vector<std::vector<size_t>>& waits_for,
                               const std::vector<size_t>& pending, const std::string& what) {
  std::vector<size_t> path;
  std::vector<bool> seen(nodes.size());
  size_t at = size_t(std::find_if(pending.begin(), pending.end(), [](size_t n) { return n > 0; }) -
                     pending.begin());
  while (!seen[at]) {
    seen[at] = true;
    path.push_back(at);
    at = *std::find_if(waits_for[at].begin(), waits_for[at].end(),
                       [&](size_t k) { return pending[k] > 0; });
  }
  path.erase(path.begin(), std::find(path.begin(), path.end(), at));
  std::string names = node_name(nodes[at]);
  const size_t shown = std::min<size_t>(path.size(), 8);
  for (size_t i = 1; i < shown; ++i) names += ", which reads from " + node_name(nodes[path[i]]);
  if (shown < path.size()) {
    names += ", which reads from " + std::to_string(path.size() - shown) + " more nodes";
  }
  throw ValueError("[onnx] " + what + " has a cycle: " + names + ", which reads from " +
                   node_name(nodes[at]));
}

}  // namespace

std::string node_name(const proto::Node& node) {
  return io::plain(node.op_type) + (node.name.empty() ? "" : " " + io::printable(node.name));
}

void sort_nodes(std::vector<proto::Node>& nodes, const std::string& what) {
  std::unordered_map<std::string_view, size_t> producer;
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (const std::string& name : nodes[i].outputs) {
      if (!name.empty()) producer.emplace(name, i);
    }
  }
  std::vector<std::vector<size_t>> waits_for(nodes.size());
  std::vector<std::vector<size_t>> readers(nodes.size());
  std::vector<size_t> pending(nodes.size());
  bool sorted = true;
  for (size_t i = 0; i < nodes.size(); ++i) {
    Names reads;
    collect_reads(nodes[i], reads);
    for (const std::string_view name : reads) {
      const auto from = producer.find(name);
      if (from == producer.end()) continue;
      sorted = sorted && from->second < i;
      waits_for[i].push_back(from->second);
      readers[from->second].push_back(i);
      ++pending[i];
    }
  }
  if (sorted) return;

  // Of the nodes that are ready, the first in the file goes next.
  std::priority_queue<size_t, std::vector<size_t>, std::greater<>> ready;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (pending[i] == 0) ready.push(i);
  }
  std::vector<size_t> order;
  while (!ready.empty()) {
    const size_t i = ready.top();
    ready.pop();
    order.push_back(i);
    for (const size_t reader : readers[i]) {
      if (--pending[reader] == 0) ready.push(reader);
    }
  }
  if (order.size() < nodes.size()) report_cycle(nodes, waits_for, pending, what);
  std::vector<proto::Node> result;
  result.reserve(nodes.size());
  for (const size_t i : order) result.push_back(std::move(nodes[i]));
  nodes = std::move(result);
}

}  // namespace ember::onnx
