#include "ember/program.h"

#include <unordered_map>

#include "ember/runtime.h"
#include "src/core/counters.h"
#include "src/graph/compile.h"

namespace ember {

Tensor placeholder(const Type& type) {
  check_size(type.shape, type.dtype);
  Node* n = new_node();
  n->dtype = type.dtype;
  n->shape = type.shape;
  n->size = size_of(std::span<const int64_t>(type.shape));
  n->engine = uint8_t(current_engine());
  n->device = current_device();
  return Tensor(n);
}

Recording::Recording() : before_(set_tracing(true)) {}
Recording::~Recording() { set_tracing(before_); }

namespace {

bool is_placeholder(const Node& n) { return n.op == OpId::leaf && n.pending(); }

// The nodes that the roots depend on, in topological order, without scalars.
template <class Visit> void walk(std::span<Node* const> roots, Visit visit) {
  std::unordered_map<const Node*, bool> done;
  std::vector<Node*> stack(roots.rbegin(), roots.rend());
  while (!stack.empty()) {
    Node* n = stack.back();
    const auto [it, fresh] = done.emplace(n, false);
    if (it->second) {
      stack.pop_back();
      continue;
    }
    if (fresh && n->pending()) {
      for (size_t i = n->inputs.size(); i--;) {
        if (n->inputs[i]->op != OpId::scalar && !done.contains(n->inputs[i])) {
          stack.push_back(n->inputs[i]);
        }
      }
    }
    if (stack.back() != n) continue;
    stack.pop_back();
    done[n] = true;
    visit(n);
  }
}

// Evaluates the nodes that depend on no placeholder.
void fold(std::span<Node* const> roots) {
  std::unordered_map<const Node*, bool> varies;
  std::vector<Node*> fixed;
  walk(roots, [&](Node* n) {
    bool v = is_placeholder(*n);
    if (n->pending()) {
      for (Node* in : n->inputs) v |= in->op != OpId::scalar && varies[in];
    }
    varies[n] = v;
    if (!v || !n->pending()) return;
    for (Node* in : n->inputs) {
      if (in->op != OpId::scalar && in->pending() && !varies[in]) fixed.push_back(in);
    }
  });
  for (Node* r : roots) {
    if (r->pending() && !varies[r]) fixed.push_back(r);
  }
  std::vector<Tensor> held;  // an evaluation lets go of what it read
  for (Node* n : fixed) {
    if (n->extra && !n->extra->types.empty()) continue;  // its outputs are taken one by one
    retain_node(n);
    held.push_back(Tensor(n));
  }
  std::vector<Node*> nodes;
  for (const Tensor& t : held) nodes.push_back(t.node());
  if (!nodes.empty()) eval_nodes(nodes);
}

}  // namespace

Recorded record(std::span<const Tensor> inputs, std::span<const Tensor> outputs) {
  for (const Tensor& t : inputs) {
    if (!t.defined() || !is_placeholder(*t.node())) {
      throw ValueError("[program] an input is not a placeholder");
    }
  }
  if (outputs.empty()) throw ValueError("[program] needs at least one output");
  Recorded r;
  std::vector<Node*> roots;
  {
    for (const Tensor& t : outputs) {
      if (!t.defined()) throw ValueError("[program] an output is not a tensor");
      roots.push_back(t.node());
    }
    fold(roots);
    const Recording recording;
    for (const Tensor& t : outputs) {  // a node of its own for each, also where it is an input, a
                                       // constant or given twice
      const EngineScope scope(t.node()->engine, t.device());
      const bool own = t.node()->pending() && t.node()->op != OpId::leaf &&
                       std::none_of(r.outputs.begin(), r.outputs.end(),
                                    [&](const Tensor& o) { return o.node() == t.node(); });
      r.outputs.push_back(own ? t : identity(t));
    }
  }
  roots.clear();
  for (const Tensor& t : r.outputs) roots.push_back(t.node());
  const uint8_t engine = roots[0]->engine;
  walk(roots, [&](Node* n) {
    const bool leaf = !n->pending() || n->op == OpId::leaf;
    if (!leaf && n->engine != engine) {
      throw StateError(
          "[program] it was recorded on two backends: " + std::string(engine_name(engine)) +
          " and " + std::string(engine_name(n->engine)));
    }
    if (is_placeholder(*n) && std::none_of(inputs.begin(), inputs.end(),
                                           [&](const Tensor& t) { return t.node() == n; })) {
      throw ValueError("[program] an output depends on a placeholder that is not among the inputs");
    }
    n->index = uint32_t(r.items.size());
    const auto root = std::find(roots.begin(), roots.end(), n);
    r.items.push_back({n, 0, leaf, root != roots.end(), false, false});
    if (root != roots.end()) r.order.push_back(uint32_t(root - roots.begin()));
    if (leaf) return;
    for (Node* in : n->inputs) {
      if (in->op == OpId::scalar) {
        r.params.push_back(in->scalar);
      } else {
        ++r.items[in->index].uses;
      }
    }
    if (n->op == OpId::slice || n->op == OpId::slice_update) {
      for (int64_t v : n->attrs.as<SliceAttr>().starts) r.params.push_back({.i = v});
    }
  });
  size_t count = 0;
  for (const Item& i : r.items) count += i.leaf && !is_placeholder(*i.node);
  r.values.reserve(count);
  r.constants.assign(r.items.size(), nullptr);
  for (size_t k = 0; k < r.items.size(); ++k) {
    const Node& n = *r.items[k].node;
    if (!r.items[k].leaf || is_placeholder(n)) continue;
    Value v;
    v.storage = is_away(n, engine) ? host_copy(n) : n.value.load();
    if (is_strided(n, engine)) {
      v.offset = n.extra->offset;
      v.strides = n.extra->strides;
      v.strided = true;
    }
    r.values.push_back(std::move(v));
    r.constants[k] = &r.values.back();
  }
  return r;
}

struct Program::Impl {
  std::vector<Tensor> held;   // the constants
  std::vector<Value> values;  // what the slice's constants point to
  std::unique_ptr<Compiled> compiled;
  std::vector<Param> params;
  std::vector<Value> in, out;    // constants are in their places
  std::vector<uint32_t> places;  // of the inputs; ~0: it is not read
  std::vector<uint32_t> order;   // which output the k-th result is
  std::vector<Type> inputs, outputs;
  uint8_t engine = 0;
  Device device;
};

Program::Program(std::span<const Tensor> inputs, std::span<const Tensor> outputs)
    : impl_(new Impl) {
  const Waiting waiting_for_the_lock;
  std::lock_guard lock(eval_mutex());
  Impl& p = *impl_;
  Recorded r = record(inputs, outputs);
  p.values = std::move(r.values);
  p.params = std::move(r.params);
  p.order = std::move(r.order);
  p.engine = r.outputs[0].node()->engine;
  p.device = r.outputs[0].node()->device;
  for (const Tensor& t : inputs) {
    p.inputs.push_back({t.dtype(), t.shape()});
    p.places.push_back(~0u);
  }
  for (const Tensor& t : r.outputs) p.outputs.push_back({t.dtype(), t.shape()});
  tally().compiled.fetch_add(1, std::memory_order_relaxed);
  p.compiled = compile(r.items, p.params.size(), r.constants);
  p.params.insert(p.params.end(), p.compiled->constants.begin(), p.compiled->constants.end());
  for (size_t k = 0; k < r.items.size(); ++k) {
    if (!r.items[k].leaf) continue;
    Node* n = r.items[k].node;
    p.in.push_back(r.constants[k] ? *r.constants[k] : Value());
    if (r.constants[k]) {
      retain_node(n);
      p.held.push_back(Tensor(n));
    } else {
      for (size_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i].node() == n) p.places[i] = uint32_t(p.in.size() - 1);
      }
    }
  }
  p.out.resize(p.outputs.size());
}
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;
Program::~Program() = default;

void Program::run(std::span<const Value> in, std::span<Value> out) const {
  Impl& p = *impl_;
  const Waiting waiting_for_the_lock;
  std::lock_guard lock(eval_mutex());
  for (size_t i = 0; i < in.size(); ++i) {
    if (p.places[i] != ~0u) p.in[p.places[i]] = in[i];
  }
  std::fill(p.out.begin(), p.out.end(), Value());
  tally().evaluations.fetch_add(1, std::memory_order_relaxed);
  ember::run(*p.compiled, p.in, p.out, p.params);
  for (size_t k = 0; k < p.out.size(); ++k) out[p.order[k]] = std::move(p.out[k]);
}

std::vector<Tensor> Program::operator()(std::span<const Tensor> given) const {
  const Impl& p = *impl_;
  if (given.size() != p.inputs.size()) {
    throw ValueError("[program] takes " + std::to_string(p.inputs.size()) + " inputs, not " +
                     std::to_string(given.size()));
  }
  std::vector<Tensor> keep;
  std::vector<Value> in;
  std::vector<Value> out(p.outputs.size());
  for (size_t i = 0; i < given.size(); ++i) {
    Tensor t = given[i];
    if (!t.defined()) throw ValueError("[program] input " + std::to_string(i) + " is not a tensor");
    if (t.shape() != p.inputs[i].shape) {
      throw ShapeError("[program] input " + std::to_string(i) + " must be " +
                       to_string(p.inputs[i]) + ", not " + to_string(Type{t.dtype(), t.shape()}));
    }
    if (t.dtype() != p.inputs[i].dtype && !t.node()->weak) {
      throw DTypeError("[program] input " + std::to_string(i) + " must be " +
                       to_string(p.inputs[i]) + ", not " + to_string(Type{t.dtype(), t.shape()}));
    }
    if (t.dtype() != p.inputs[i].dtype) t = t.astype(p.inputs[i].dtype);
    t.eval();
    Value v;
    const Node& n = *t.node();
    v.storage = n.value.load();
    const bool plain = n.op != OpId::scalar && !(n.extra && n.extra->strided) &&
                       (n.engine == p.engine || !on_device(v.storage));
    if (!plain) {  // a scalar, a view or another device's value, as contiguous host memory
      t = from_data(t.data_ptr(), t.dtype(), t.shape());
      v.storage = t.eval().node()->value.load();
    }
    keep.push_back(std::move(t));
    in.push_back(std::move(v));
  }
  run(in, out);
  std::vector<Tensor> results;
  for (size_t k = 0; k < out.size(); ++k) {
    Tensor t = make_leaf(p.outputs[k], std::move(out[k]));
    t.node()->engine = p.engine;
    t.node()->device = p.device;
    results.push_back(std::move(t));
  }
  return results;
}

const std::vector<Type>& Program::inputs() const { return impl_->inputs; }
const std::vector<Type>& Program::outputs() const { return impl_->outputs; }
std::string_view Program::backend() const { return engine_name(impl_->engine); }
Device Program::device() const { return impl_->device; }

}  // namespace ember
