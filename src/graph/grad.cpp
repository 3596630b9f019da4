// Reverse mode: walks the recorded graph from outputs to inputs and applies the rules of the rows.
#include "ember/grad.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "ember/ops.h"
#include "src/graph/gradient.h"
#include "src/graph/graph.h"

namespace ember {
namespace {

constinit thread_local bool enabled __attribute__((tls_model("initial-exec"))) = true;
constinit thread_local uint8_t depth __attribute__((tls_model("initial-exec"))) =
    0;  // of value_and_grad inside each other

// The nodes between ys and the leaves that require gradients, in topological order.
using Places = std::unordered_map<const Node*, uint32_t>;
using Nodes = std::unordered_set<const Node*>;
std::vector<Node*> tape(std::span<const Tensor> ys, Places& place, const Nodes& stop) {
  std::vector<Node*> order;
  std::vector<std::pair<Node*, bool>> stack;
  for (const Tensor& y : ys) stack.push_back({y.node(), false});
  while (!stack.empty()) {
    auto& [n, ready] = stack.back();
    if (!n->requires_grad || place.contains(n)) {
      stack.pop_back();
      continue;
    }
    if (!ready) {
      ready = true;
      if (stop.contains(n)) continue;
      if (n->tracked && !n->kept) {
        throw StateError(
            "[" + std::string(name(n->op)) +
            "] its graph was freed by an earlier backward: pass retain_graph to that one");
      }
      if (n->tracked) {
        Node* node = n;  // the push below may move the stack
        for (size_t i = node->inputs.size(); i--;) stack.push_back({node->inputs[i], false});
      }
      continue;
    }
    place[n] = uint32_t(order.size());
    order.push_back(n);
    stack.pop_back();
  }
  return order;
}

Tensor handle(Node* n) {
  retain_node(n);
  return Tensor(n);
}

// A gradient summed and cast to the shape and dtype of its tensor.
Tensor fitted(Tensor g, const Tensor& x) {
  if (!is_complex(x.dtype()) && is_complex(g.dtype())) g = ops::real(g);
  if (g.shape() != x.shape()) g = sum_to(g, x.shape());
  return cast_to(g, x.dtype());
}

// The sum of two zero-padded tensors whose inner parts are adjacent along one axis, as the
// gradients of an array's slices are: [a, 0] + [0, b] is the concatenation [a, b]. Undefined for
// others.
Tensor side_by_side(const Tensor& first, const Tensor& second) {
  for (const Tensor& t : {first, second}) {
    if (t.node()->op != OpId::pad || t.node()->inputs.size() != 2 ||
        t.node()->inputs[1]->op != OpId::scalar || t.node()->inputs[1]->scalar.u != 0) {
      return {};
    }
  }
  PadAttr a = first.node()->attrs.as<PadAttr>();
  const PadAttr& b = second.node()->attrs.as<PadAttr>();
  const auto end = [](const Tensor& t, const PadAttr& p, size_t d) {
    return t.shape()[d] - p.high[d];
  };
  std::optional<size_t> axis;
  for (size_t d = 0; d < a.low.size(); ++d) {
    if (a.low[d] == b.low[d] && a.high[d] == b.high[d]) continue;
    if (axis || end(first, a, d) != b.low[d]) return {};
    axis = d;
  }
  if (!axis) return {};
  Tensors parts;
  for (const Tensor& t : {first, second}) {
    Node* const inner = t.node()->inputs[0];
    if (inner->op == OpId::concat && inner->inputs.size() &&
        inner->attrs.as<AxisAttr>().axis == int64_t(*axis)) {
      for (Node* n : inner->inputs) parts.push_back(handle(n));
    } else {
      parts.push_back(handle(inner));
    }
  }
  a.high[*axis] = b.high[*axis];
  const Tensor joined = ops::concat(parts, int64_t(*axis));
  const auto none = [](const Ints& v) {
    return std::all_of(v.begin(), v.end(), [](int64_t n) { return n == 0; });
  };
  return none(a.low) && none(a.high)
             ? joined
             : apply_to(OpId::pad, std::move(a), joined, handle(first.node()->inputs[1]));
}

void add_to(Tensor& sum, Tensor g) {
  if (!sum.defined()) return void(sum = std::move(g));
  Tensor joined = side_by_side(sum, g);
  if (!joined.defined()) joined = side_by_side(g, sum);
  sum = joined.defined() ? std::move(joined) : sum + g;
}

// The gradients of one node's inputs.
Gradients differentiate(Node* n, Inputs x, Inputs y, Inputs g, std::span<const bool> needs) {
  if (n->extra && n->extra->vjp) {
    Gradients gx = n->extra->vjp(g[0]);
    gx.insert(gx.begin(), Tensor());  // the value itself
    return gx;
  }
  const Row& r = row(n->op);
  if (r.vjp) {
    try {
      return r.vjp({x, y, g, n->attrs, needs});
    } catch (...) {
      rethrow(r.name, r.args, x);
    }
  }
  if (!r.compose) throw UnsupportedError("[" + std::string(r.name) + "] has no gradient");
  // Through the body, recorded again over leaves.
  Tensors leaves;
  for (size_t i = 0; i < x.size(); ++i) {
    leaves.push_back(identity(x[i]));
    leaves.back().node()->requires_grad = needs[i];
  }
  Tensors body;
  {
    const enable_grad on;
    body = r.compose(leaves, n->attrs);
  }
  Tensors ys;
  Tensors gs;
  for (size_t k = 0; k < body.size(); ++k) {
    if (!g[k].defined()) continue;
    ys.push_back(body[k]);
    gs.push_back(g[k]);
  }
  return gradients_up_to(ys, leaves, gs, enabled);
}

struct Walk {
  Places place;
  std::vector<Node*> order;
  std::vector<Tensor> grads;  // per node of the tape
  Nodes wanted;               // whose gradients stay
  Nodes stop;                 // where the walk ends, whatever they were made from

  Walk(std::span<const Tensor> ys, std::span<const Tensor> gs, std::span<const Tensor> stops = {}) {
    for (const Tensor& t : stops) stop.insert(t.node());
    order = tape(ys, place, stop);
    grads.resize(order.size());
    for (size_t i = 0; i < gs.size(); ++i) {
      if (auto it = place.find(ys[i].node()); it != place.end()) {
        add_to(grads[it->second], fitted(gs[i], ys[i]));
      }
    }
  }

  void run() {
    std::unordered_map<const Node*, std::vector<Tensor>>
        many;  // gradients of nodes with several outputs
    std::vector<Tensor> x;
    std::vector<Tensor> y;
    std::vector<Tensor> g;
    Small<bool, 8> needs;
    for (size_t k = order.size(); k-- > 0;) {
      Node* n = order[k];
      if (!n->tracked || stop.contains(n)) continue;
      const EngineScope scope(n->engine, n->device);
      x.clear();
      y.clear();
      g.clear();
      needs.clear();
      if (n->extra && !n->extra->types.empty()) {
        const auto it = many.find(n);
        if (it == many.end()) continue;
        g = it->second;
        for (size_t i = 0; i < g.size(); ++i) y.push_back(output_of(handle(n), i));
      } else {
        if (!grads[k].defined()) continue;
        g.push_back(grads[k]);
        y.push_back(handle(n));
        if (!wanted.contains(n)) grads[k] = Tensor();
      }
      if (n->op == OpId::output) {
        auto& list = many[n->inputs[0]];
        list.resize(n->inputs[0]->extra->types.size());
        add_to(list[size_t(n->scalar.u)], g[0]);
        continue;
      }
      for (Node* in : n->inputs) {
        x.push_back(handle(in));
        needs.push_back(in->requires_grad);
      }
      Gradients gx = differentiate(n, x, y, g, {needs.data(), needs.size()});
      for (size_t i = 0; i < std::min(gx.size(), needs.size());
           ++i) {  // rules of ops with optional inputs give all
        if (needs[i] && gx[i].defined()) {
          add_to(grads[place.at(n->inputs[i])], fitted(std::move(gx[i]), x[i]));
        }
      }
    }
  }

  // Releases what only a second pass over this graph would read.
  void release() {
    std::erase_if(order, [&](Node* n) { return stop.contains(n); });
    release_tape(order);
  }
  Tensor of(const Tensor& x) const {
    const auto it = place.find(x.node());
    return it == place.end() ? Tensor() : grads[it->second];
  }
};

std::vector<Tensor> ones_for(std::span<const Tensor> ys, std::span<const Tensor> gs) {
  std::vector<Tensor> r;
  for (size_t i = 0; i < ys.size(); ++i) {
    if (i < gs.size() && gs[i].defined()) {
      if (gs[i].shape() != ys[i].shape()) {
        throw ShapeError("[backward] the gradient has shape " + to_string(gs[i].shape()) +
                         ", the tensor " + to_string(ys[i].shape()));
      }
      r.push_back(gs[i]);
      continue;
    }
    if (ys[i].size() != 1) {
      throw ShapeError(
          "[backward] the gradient may be omitted only for a single element, not for shape " +
          to_string(ys[i].shape()));
    }
    const EngineScope scope(ys[i].node()->engine, ys[i].device());
    r.push_back(ops::ones_like(ys[i]));
  }
  return r;
}

}  // namespace

bool grad_enabled() { return enabled; }
grad_mode::grad_mode(bool on) : before_(std::exchange(enabled, on)) {}
grad_mode::~grad_mode() { enabled = before_; }

Tensor sum_to(const Tensor& g, const Shape& shape) {
  const size_t extra = g.shape().size() - shape.size();
  Ints axes;
  for (size_t i = 0; i < g.shape().size(); ++i) {
    if (i < extra || (shape[i - extra] == 1 && g.shape()[i] != 1)) axes.push_back(int64_t(i));
  }
  return ops::reshape(axes.empty() ? g : ops::sum(g, axes, true), shape);
}

uint8_t gradient_reads(const Node& n) {
  if (n.extra && n.extra->vjp) return reads_all_x & ~reads_x;
  if (n.op == OpId::output) return reads_none;
  const Row& r = row(n.op);
  return r.reads_by ? r.reads_by(n) : r.reads;
}

std::vector<Tensor> gradients(std::span<const Tensor> ys, std::span<const Tensor> xs,
                              std::span<const Tensor> gs, GradOptions options) {
  for (const Tensor& y : ys) {
    if (!y.defined()) throw ValueError("[gradients] an output is missing");
  }
  const grad_mode mode(options.create_graph);
  Walk walk(ys, ones_for(ys, gs));
  for (const Tensor& x : xs) walk.wanted.insert(x.node());
  walk.run();
  std::vector<Tensor> r;
  for (const Tensor& x : xs) {
    r.push_back(walk.of(x));
    if (r.back().defined()) continue;
    if (!options.allow_unused) {
      throw ValueError("[gradients] the outputs do not depend on one of the inputs");
    }
    r.back() = ops::zeros_like(x);
  }
  if (!options.retain_graph && !options.create_graph) walk.release();
  return r;
}

std::vector<Tensor> gradients_up_to(std::span<const Tensor> ys, std::span<const Tensor> xs,
                                    std::span<const Tensor> gs, bool create_graph) {
  const grad_mode mode(create_graph);
  Walk walk(ys, ones_for(ys, gs), xs);
  for (const Tensor& x : xs) walk.wanted.insert(x.node());
  walk.run();
  std::vector<Tensor> r;
  for (const Tensor& x : xs) r.push_back(walk.of(x));
  if (!create_graph) walk.release();
  return r;
}

Tensor with_gradient(const Tensor& y, const std::vector<Tensor>& inputs,
                     std::function<Gradients(const Tensor&)> vjp) {
  Tensor r = identity(y, inputs);
  if (r.node()->tracked) extra_of(*r.node()).vjp = std::move(vjp);
  return r;
}

std::vector<Tensor> forget_tape(const Tensor& y, std::span<const Tensor> given) {
  Walk walk({&y, 1}, {}, given);
  std::vector<Tensor> leaves;
  for (Node* n : walk.order) {
    if (!n->tracked && !walk.stop.contains(n)) leaves.push_back(handle(n));
  }
  walk.release();
  return leaves;
}

void backward(const Tensor& y, const Tensor& gradient, GradOptions options) {
  if (!y.requires_grad()) {
    throw StateError(
        "[backward] no tensor of the graph requires gradients: set requires_grad on the inputs "
        "first");
  }
  const grad_mode mode(options.create_graph);
  Walk walk({&y, 1}, ones_for({&y, 1}, {&gradient, 1}));
  for (Node* n : walk.order) {
    if (!n->tracked) walk.wanted.insert(n);
  }
  walk.run();
  for (Node* n : walk.order) {
    if (n->tracked) continue;
    Tensor leaf = handle(n);
    Tensor g = walk.of(leaf);
    if (!g.defined()) continue;
    const Tensor before = leaf.grad();
    leaf.set_grad(before.defined() ? before + g : g);
  }
  if (!options.retain_graph && !options.create_graph) walk.release();
}

ValueAndGrad value_and_grad(const std::function<Tensor(const Tensors&)>& f, const Tensors& args) {
  Tensors marked;
  bool outer = depth > 0;
  for (const Tensor& a : args) {
    if (!a.defined()) throw ValueError("[grad] an argument is missing");
    if (!is_inexact(a.dtype())) {
      throw DTypeError("[grad] arguments must be floating-point, not " +
                       std::string(name(a.dtype())));
    }
    outer |= a.requires_grad();
    // An identity node of the argument, so that an outer gradient passes through.
    marked.push_back(identity(a));
    marked.back().node()->requires_grad = true;
  }
  struct Nest {
    Nest() { ++depth; }
    ~Nest() { --depth; }
  };
  Tensor y;
  {
    const Nest nest;
    const enable_grad on;
    y = f(marked);
  }
  if (!y.defined()) throw ValueError("[grad] the function returned no tensor");
  if (y.size() != 1) {
    throw ShapeError("[grad] the function must return one number, not shape " +
                     to_string(y.shape()));
  }
  if (!is_float(y.dtype())) {
    throw DTypeError("[grad] the function must return a real floating-point number, not " +
                     std::string(name(y.dtype())));
  }
  ValueAndGrad r;
  r.grads = gradients_up_to({&y, 1}, marked, {}, outer && enabled);
  for (size_t i = 0; i < args.size(); ++i) {
    if (!r.grads[i].defined()) r.grads[i] = ops::zeros_like(args[i]);
  }
  r.value = outer && enabled ? y : y.detach();
  return r;
}

}  // namespace ember
