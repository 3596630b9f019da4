// Builds slices: copies nodes into a Slice (the user's nodes are never rewritten), replaces
// composites that the engine rejects by their bodies, and assigns primitives that it rejects to
// native.
#include "src/graph/compile.h"

#include <cstdlib>
#include <iostream>
#include <mutex>
#include <set>
#include <unordered_map>

#include "ember/program.h"
#include "src/core/counters.h"

namespace ember {
namespace {

enum class Fallback { warn, error, silent };
Fallback fallback_mode() {
  static const Fallback mode = [] {
    const char* v = std::getenv("EMBER_FALLBACK");
    const std::string_view s = v ? v : "";
    return s == "error" ? Fallback::error : s == "silent" ? Fallback::silent : Fallback::warn;
  }();
  return mode;
}

void note_fallback(const Engine& e, OpId op, const std::string& reason) {
  tally().fallbacks.fetch_add(1, std::memory_order_relaxed);
  if (fallback_mode() == Fallback::error) {
    throw UnsupportedError("[" + std::string(name(op)) + "] engine '" + std::string(e.name()) +
                           "' does not support it: " + reason);
  }
  if (fallback_mode() == Fallback::silent) return;
  static std::mutex mutex;
  static std::set<std::string> warned;
  std::lock_guard lock(mutex);
  if (warned.insert(std::string(e.name()) + ' ' + std::string(name(op))).second) {
    std::cerr << "ember: " << name(op) << " runs on native: engine '" << e.name()
              << "' does not have it (" << reason << ")\n";
  }
}

class Builder {
 public:
  Builder(Engine& e, bool falls_back, size_t params, Compiled& c)
      : engine_(e), falls_back_(falls_back), params_(params), compiled_(c) {}

  Slice slice;
  std::vector<bool> on_native;  // per node: the engine does not have it

  uint32_t add(SliceNode n) {
    slice.nodes.push_back(std::move(n));
    on_native.push_back(false);
    return uint32_t(slice.nodes.size() - 1);
  }

  // Adds a recorded node whose inputs are in the slice at `in`. Returns the index of its value; an
  // expanded node with several outputs has none, only its outputs do.
  uint32_t place(const Node& n, const Small<uint32_t, 3>& in, std::optional<uint32_t> param) {
    if (n.op == OpId::output) return place_output(*n.inputs[0], in[0], uint32_t(n.scalar.u));
    bodies_.erase(&n);  // a node of an earlier, freed body may have had this address
    SliceNode s{.op = n.op, .dtype = n.dtype, .shape = n.shape, .in = in, .attrs = n.attrs};
    if (n.extra) s.outputs = n.extra->types;
    if (n.op == OpId::scalar) {
      s.param = param ? *param : constant({n.scalar});
      return add(std::move(s));
    }
    if (n.op == OpId::slice || n.op == OpId::slice_update) {
      std::vector<Param> starts;
      for (int64_t v : n.attrs.as<SliceAttr>().starts) starts.push_back({.i = v});
      s.param = param ? *param : constant(starts);
    }
    const Support ok = engine_.supports(s, slice);
    const Row& r = row(n.op);
    compiled_.taken.push_back({n.op, ok.yes ? How::own : r.compose ? How::body : How::fallback});
    if (ok.yes) return add(std::move(s));
    if (r.compose) return expand(n, in);
    if (!falls_back_) {
      throw UnsupportedError("[" + std::string(r.name) + "] " + std::string(engine_.name()) +
                             " does not support it for " + to_string(Type{n.dtype, n.shape}) +
                             ": " + ok.reason);
    }
    note_fallback(engine_, n.op, ok.reason);
    const uint32_t at = add(std::move(s));
    on_native[at] = true;
    return at;
  }

  // Makes a value an output of the slice and returns its index. A body that returns one of its
  // inputs and a value that is an output already are copied.
  uint32_t store(uint32_t at, const Type& t) {
    const SliceNode& n = slice.nodes[at];
    if (n.op == OpId::leaf || n.op == OpId::scalar || n.wanted) {
      at = add({.op = OpId::copy, .dtype = t.dtype, .shape = t.shape, .in = {at}});
    }
    slice.nodes[at].wanted = true;
    return at;
  }

  // The index of an output of the node at index `tuple`.
  uint32_t place_output(const Node& n, uint32_t tuple, uint32_t which) {
    if (const auto it = bodies_.find(&n); it != bodies_.end())
      return place_result(it->second, which);
    const Type& t = n.extra->types[which];
    const uint32_t at = add(
        {.op = OpId::output, .dtype = t.dtype, .param = which, .shape = t.shape, .in = {tuple}});
    on_native[at] = on_native[tuple];
    return at;
  }

 private:
  // A recorded body and the indices of the nodes of it that are in the slice so far.
  struct Body {
    std::vector<Tensor> leaves;  // they stand for the inputs
    std::vector<Tensor> results;
    std::unordered_map<const Node*, uint32_t> at;
  };

  uint32_t constant(const std::vector<Param>& v) {
    const size_t at = params_ + compiled_.constants.size();
    compiled_.constants.insert(compiled_.constants.end(), v.begin(), v.end());
    return uint32_t(at);
  }

  uint32_t expand(const Node& n, const Small<uint32_t, 3>& in) {
    Body body = record_body(n, in);
    if (body.results.size() == 1) return place_result(body, 0);
    bodies_[&n] = std::move(body);
    return no_value;
  }

  Body record_body(const Node& n, const Small<uint32_t, 3>& in) {
    const Recording recording;
    Body body;
    for (uint32_t i : in) {
      const SliceNode& s = slice.nodes[i];
      Node* leaf = new_node();
      leaf->dtype = s.dtype;
      leaf->shape = s.shape;
      leaf->size = size_of(std::span<const int64_t>(s.shape));
      leaf->engine = n.engine;
      body.leaves.push_back(Tensor(leaf));
      body.at[leaf] = i;
    }
    body.results = row(n.op).compose(body.leaves, n.attrs);
    return body;
  }

  // Adds the nodes of a body that one result needs.
  uint32_t place_result(Body& body, size_t which) {
    auto& at = body.at;
    std::vector<Node*> stack = {body.results[which].node()};
    while (!stack.empty()) {
      Node* b = stack.back();
      if (at.contains(b)) {
        stack.pop_back();
        continue;
      }
      if (b->op == OpId::leaf && b->value.load()) throw StateError("a body has a constant array");
      bool ready = true;
      for (Node* i : b->inputs) {
        if (!at.contains(i)) {
          stack.push_back(i);
          ready = false;
        }
      }
      if (!ready) continue;
      stack.pop_back();
      Small<uint32_t, 3> places;
      for (Node* i : b->inputs) places.push_back(at.at(i));
      at[b] = place(*b, places, {});
    }
    return at.at(body.results[which].node());
  }

  static constexpr uint32_t no_value = ~0u;
  std::unordered_map<const Node*, Body> bodies_;  // of nodes with several outputs
  Engine& engine_;
  bool falls_back_;
  size_t params_;
  Compiled& compiled_;
};

// Splits the slice into runs of nodes for one engine of at most its longest slice. Values that
// cross a boundary become outputs and leaves.
void split(const Slice& whole, const std::vector<bool>& native, Engine& own, Device device,
           Compiled& c) {
  const size_t n = whole.nodes.size();
  std::vector<uint32_t> part(n, 0);
  uint32_t parts = 0;
  size_t length = 0;  // of the part, so far
  int last = -1;
  for (size_t i = 0; i < n; ++i) {
    const OpId op = whole.nodes[i].op;
    if (op == OpId::leaf || op == OpId::scalar) continue;
    if (op == OpId::output) {  // always beside the op it belongs to
      part[i] = part[whole.nodes[i].in[0]];
      continue;
    }
    const size_t longest = native[i] ? SIZE_MAX : own.longest_slice();
    if (int(native[i]) != last || length >= longest) {
      ++parts;
      last = int(native[i]);
      length = 0;
    }
    part[i] = parts;
    ++length;
  }
  std::vector<bool> crosses(n, false);
  for (size_t i = 0; i < n; ++i) {
    for (uint32_t k : whole.nodes[i].in) {
      if (part[k] && part[k] != part[i]) crosses[k] = true;
    }
  }
  c.values = uint32_t(n);
  c.inputs = whole.inputs;
  c.outputs = whole.outputs;
  for (uint32_t p = 1; p <= parts; ++p) {
    Slice s;
    Part result;
    std::unordered_map<uint32_t, uint32_t> at;
    bool on_native = false;
    const auto import = [&](uint32_t k) {
      if (at.contains(k)) return;
      SliceNode leaf = whole.nodes[k];
      // it is fetched, and contiguous then
      if (on_native && device != Device()) {
        leaf.strided = false;
      }
      if (leaf.op != OpId::scalar && leaf.op != OpId::leaf) {
        leaf.op = OpId::leaf;
        leaf.in.clear();
        leaf.attrs = {};
        leaf.strided = false;
      }
      leaf.wanted = false;
      at[k] = uint32_t(s.nodes.size());
      if (leaf.op == OpId::leaf) {
        s.inputs.push_back(at[k]);
        result.in.push_back(k);
        result.types.push_back({leaf.dtype, leaf.shape});
      }
      s.nodes.push_back(std::move(leaf));
    };
    for (uint32_t i = 0; i < n; ++i) {
      if (part[i] != p) continue;
      on_native = native[i];
      for (uint32_t k : whole.nodes[i].in) import(k);
      SliceNode copy = whole.nodes[i];
      for (uint32_t& k : copy.in) k = at.at(k);
      copy.wanted |= bool(crosses[i]);
      at[i] = uint32_t(s.nodes.size());
      if (copy.wanted) {
        s.outputs.push_back(at[i]);
        result.out.push_back(i);
      }
      s.nodes.push_back(std::move(copy));
    }
    result.engine = on_native ? &engine(native_engine) : &own;
    result.exec = result.engine->compile(s, on_native ? Device() : device);
    c.parts.push_back(std::move(result));
  }
}

// The order in which items are computed. In a graph with many results, such as a training step, a
// node from which every path ends in a result within a few nodes (a weight's gradient and its
// update) is scheduled as soon as its inputs exist, which ends the liveness of what it reads. Such
// nodes that read only leaves come right before their reader, so that they fuse with it.
std::vector<uint32_t> schedule(std::span<const Item> items) {
  constexpr uint8_t elsewhere = 255;
  constexpr uint8_t longest = 32;  // the longest such path, in nodes
  struct When {
    uint32_t turn, place;
    auto operator<=>(const When&) const = default;
  };
  constexpr When never{~0u, ~0u};
  const uint32_t n = uint32_t(items.size());
  std::vector<uint8_t> depth(n, 0);
  std::vector<When> when(n);
  std::vector<When> read(n, never);
  std::vector<uint32_t> sorted(n);
  size_t ends = 0;
  for (uint32_t i = n; i--;) {
    if (items[i].leaf) continue;
    uint8_t& d = depth[i];  // the most nodes on a path from here to a result
    ends += items[i].uses == 0;
    d = items[i].uses == 0 ? 1 : d >= longest ? elsewhere : uint8_t(d + 1);
    for (Node* in : items[i].node->inputs) {
      if (in->op != OpId::scalar) depth[in->index] = std::max(depth[in->index], d);
    }
  }
  for (uint32_t i = 0; i < n; ++i) {
    sorted[i] = i;
    when[i] = {items[i].leaf ? 0 : i, i};
    if (items[i].leaf || depth[i] == elsewhere) continue;
    uint32_t last = 0;
    for (Node* in : items[i].node->inputs) {
      if (in->op != OpId::scalar) last = std::max(last, when[in->index].turn);
    }
    when[i].turn = last;
  }
  for (uint32_t i = n; i--;) {
    if (items[i].leaf) continue;
    if (when[i].turn == 0 && depth[i] != elsewhere && read[i] != never) when[i] = read[i];
    for (Node* in : items[i].node->inputs) {
      if (in->op != OpId::scalar) read[in->index] = std::min(read[in->index], when[i]);
    }
  }
  if (ends > 1 && n > 64) {
    std::stable_sort(sorted.begin(), sorted.end(),
                     [&](uint32_t a, uint32_t b) { return when[a] < when[b]; });
  }
  return sorted;
}

// Inputs, outputs and parameters are numbered in the order of the items, independent of the
// schedule.
void place_all(Builder& b, std::span<const Item> items, uint8_t engine,
               std::span<const Value* const> constants) {
  std::vector<uint32_t> at(items.size());
  std::vector<Small<uint32_t, 3>> stored(items.size());
  std::vector<uint32_t> first_param(items.size());
  uint32_t params = 0;
  for (size_t i = 0; i < items.size(); ++i) {
    if (items[i].leaf) continue;
    const Node& n = *items[i].node;
    first_param[i] = params;
    for (Node* in : n.inputs) params += in->op == OpId::scalar;
    if (n.op == OpId::slice || n.op == OpId::slice_update) {
      params += uint32_t(n.attrs.as<SliceAttr>().starts.size());
    }
  }
  for (const uint32_t i : schedule(items)) {
    const Node& n = *items[i].node;
    if (items[i].leaf) {
      SliceNode leaf{.constant = constants.empty() ? nullptr : constants[i],
                     .op = OpId::leaf,
                     .dtype = n.dtype,
                     .shape = n.shape};
      if (is_strided(n, engine)) {
        leaf.strides = n.extra->strides;
        leaf.strided = true;
      }
      at[i] = b.add(std::move(leaf));
      continue;
    }
    Small<uint32_t, 3> in;
    uint32_t param = first_param[i];
    for (Node* k : n.inputs) {
      in.push_back(k->op == OpId::scalar ? b.place(*k, {}, param++) : at[k->index]);
    }
    at[i] = b.place(n, in, param);
    if (!items[i].output) continue;
    if (n.extra && !n.extra->types.empty()) {  // somebody may still ask for any of its outputs
      for (uint32_t k = 0; k < n.extra->types.size(); ++k) {
        stored[i].push_back(b.store(b.place_output(n, at[i], k), n.extra->types[k]));
      }
    } else {
      at[i] = b.store(at[i], {n.dtype, n.shape});
      stored[i].push_back(at[i]);
    }
  }
  for (size_t i = 0; i < items.size(); ++i) {
    const Node& n = *items[i].node;
    if (items[i].leaf) b.slice.inputs.push_back(at[i]);
    for (uint32_t place : stored[i]) b.slice.outputs.push_back(place);
  }
}

std::atomic<bool> watch_on{false};
struct Seen {
  std::mutex mutex;
  std::vector<Taken> list;
};
Seen& seen() {
  static Seen& s = *new Seen;
  return s;
}

}  // namespace

bool watching() { return watch_on.load(std::memory_order_relaxed); }
void watch(const Compiled& c) {
  std::lock_guard lock(seen().mutex);
  seen().list.insert(seen().list.end(), c.taken.begin(), c.taken.end());
}
void watch_ops(bool on) { watch_on.store(on); }
std::vector<Taken> watched_ops() {
  std::lock_guard lock(seen().mutex);
  return std::exchange(seen().list, {});
}

std::unique_ptr<Compiled> compile(std::span<const Item> items, size_t params,
                                  std::span<const Value* const> constants) {
  auto c = std::make_unique<Compiled>();
  const Node* root = nullptr;
  for (const Item& i : items) {
    if (!i.leaf) root = i.node;
  }
  Engine& e = engine(root->engine);
  Builder b(e, root->engine != native_engine, params, *c);
  place_all(b, items, root->engine, constants);
  const bool whole = std::find(b.on_native.begin(), b.on_native.end(), true) == b.on_native.end() &&
                     b.slice.nodes.size() <= e.longest_slice();
  if (whole) {
    Part p{&e, e.compile(b.slice, root->device), {}, {}, {}};
    c->parts.push_back(std::move(p));
  } else {
    split(b.slice, b.on_native, e, root->device, *c);
  }
  return c;
}

Lowered lower(Engine& e, std::span<const Tensor> inputs, std::span<const Tensor> outputs) {
  std::lock_guard lock(eval_mutex());
  Recorded r = record(inputs, outputs);
  Compiled bodies;
  Builder b(e, false, r.params.size(), bodies);
  place_all(b, r.items, r.outputs[0].node()->engine, r.constants);
  Lowered l{std::move(b.slice), std::move(r.params), std::move(r.values)};
  l.params.insert(l.params.end(), bodies.constants.begin(), bodies.constants.end());
  std::vector<uint32_t> leaves;
  for (const Tensor& t : inputs) {
    uint32_t at = ~0u;
    for (size_t i = 0, k = 0; i < r.items.size(); ++i) {
      if (r.items[i].node == t.node()) at = l.slice.inputs[k];
      k += r.items[i].leaf;
    }
    if (at == ~0u) {
      at = uint32_t(l.slice.nodes.size());
      l.slice.nodes.push_back({.op = OpId::leaf, .dtype = t.dtype(), .shape = t.shape()});
    }
    leaves.push_back(at);
  }
  for (uint32_t i : l.slice.inputs) {
    if (std::find(leaves.begin(), leaves.end(), i) == leaves.end()) leaves.push_back(i);
  }
  l.slice.inputs = std::move(leaves);
  std::vector<uint32_t> sorted(l.slice.outputs.size());
  for (size_t k = 0; k < sorted.size(); ++k) sorted[r.order[k]] = l.slice.outputs[k];
  l.slice.outputs = std::move(sorted);
  return l;
}

void run(Compiled& c, std::span<const Value> in, std::span<Value> out,
         std::span<const Param> params) {
  if (c.values == 0) return c.parts[0].exec->run(in, out, params);
  std::vector<Value> env(c.values);
  std::vector<uint32_t> owned;
  struct Release {
    std::vector<Value>& env;
    std::vector<uint32_t>& owned;
    ~Release() {
      for (uint32_t k : owned) drop(env[k].storage);
    }
  } release{env, owned};
  for (size_t i = 0; i < in.size(); ++i) {
    env[c.inputs[i]] = in[i];
    env[c.inputs[i]].donated = false;
  }
  std::vector<Value> args;
  std::vector<Value> results;
  Engine* const native = &engine(native_engine);
  Engine* own = native;
  for (const Part& p : c.parts) {
    if (p.engine != native) own = p.engine;
  }
  for (Part& p : c.parts) {
    args.clear();
    for (uint32_t k : p.in) {
      const Type& type = p.types[args.size()];
      const bool made = std::find(owned.begin(), owned.end(), k) != owned.end();
      const bool far = on_device(env[k].storage);
      // The part was compiled for contiguous inputs, so values of other parts are packed once.
      // Native reads host memory only.
      if ((env[k].strided && made) || (far && p.engine == native)) {
        Storage* packed = far ? own->download(env[k], type) : pack(env[k], type);
        if (made) {
          drop(env[k].storage);
        } else {
          owned.push_back(k);
        }
        env[k] = {.storage = packed};
      }
      args.push_back(env[k]);
    }
    results.assign(p.out.size(), Value());
    p.exec->run(args, results, params);
    for (size_t i = 0; i < p.out.size(); ++i) {
      env[p.out[i]] = std::move(results[i]);
      owned.push_back(p.out[i]);
    }
  }
  for (size_t i = 0; i < out.size(); ++i) {
    out[i] = env[c.outputs[i]];
    retain(out[i].storage);
  }
}

}  // namespace ember
