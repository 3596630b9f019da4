// Finds layers: convolutions and products with constant weights, and their epilogues:
// normalization, bias, clamps, residual, GELU.
#include <algorithm>
#include <cmath>

#include "engines/native/kernels/iterate.h"
#include "engines/native/plan/draft.h"

namespace ember::native {
namespace {

// The elements of a float32 constant in row-major order; empty if the node is not one.
std::vector<float> constant(const SliceNode& n) {
  if (!n.constant || n.dtype != DType::float32 || n.constant->storage->device != Device()) {
    return {};
  }
  const Value& v = *n.constant;
  const Ints dense = contiguous_strides(n.shape);
  std::vector<float> all(size_t(size_of(std::span<const int64_t>(n.shape))));
  copy_strided(
      {reinterpret_cast<std::byte*>(all.data()), n.dtype, n.shape, dense, int64_t(all.size())},
      {v.storage->data + v.offset * int64_t(sizeof(float)), n.dtype, n.shape,
       v.strided ? v.strides : dense, int64_t(all.size())});
  return all;
}

// The values along an axis of a constant that varies along no other axis; empty if it does.
std::vector<float> along(const SliceNode& n, const Shape& shape, size_t axis) {
  if (!n.constant || n.shape.size() > shape.size()) return {};
  for (size_t d = 0; d < n.shape.size(); ++d) {
    if (n.shape[d] != 1 && d + shape.size() - n.shape.size() != axis) return {};
  }
  std::vector<float> v = constant(n);
  if (v.size() == 1) v.resize(size_t(shape[axis]), v[0]);
  return v;
}

bool is_depthwise(const ConvShape& s) {
  return s.groups > 1 && s.groups == s.channels && s.filters == s.channels;
}
// Whether every output reads the input at its own position only.
bool is_one_tap(const ConvShape& s) {
  const auto all = [](const Ints& list, int64_t v) {
    return std::all_of(list.begin(), list.end(), [v](int64_t i) { return i == v; });
  };
  return s.taps() == 1 && s.in == s.out && all(s.strides, 1) && all(s.low, 0);
}

class LayerMatcher {
 public:
  explicit LayerMatcher(Draft& d)
      : d_(d), uses_(d.info.size()), user_(d.info.size(), none), first_user_(user_) {}

  void run() {
    for (uint32_t i = 0; i < d_.slice.nodes.size(); ++i) {
      if (d_.rep(i) != i) continue;
      for (uint32_t k : d_.node(i).in) {
        ++uses_[d_.rep(k)];
        first_user_[d_.rep(k)] = std::min(first_user_[d_.rep(k)], i);
        user_[d_.rep(k)] = i;
      }
    }
    for (uint32_t i = 0; i < d_.slice.nodes.size(); ++i) {
      const SliceNode& n = d_.node(i);
      if (n.dtype != DType::float32 || d_.info[i].layer != none || d_.count(i) == 0) continue;
      LayerDraft l;
      if (!(n.op == OpId::conv     ? convolution(n, l)
            : n.op == OpId::matmul ? product(n, l)
                                   : n.op == OpId::batch_norm && scaling(n, l))) {
        continue;
      }
      l.product = n.op == OpId::matmul;
      axis_ = l.product ? n.shape.size() - 1 : 1;
      l.members = {i};
      l.input = d_.rep(n.in[0]);
      while (extend(l)) {}
      for (uint32_t m : l.members) d_.info[m].layer = uint32_t(d_.layers.size());
      d_.layers.push_back(std::move(l));
    }
    for (LayerDraft& l : d_.layers) join(l);
  }

 private:
  Draft& d_;
  std::vector<uint32_t> uses_, user_, first_user_;  // uses, the last and the first user of a value
  size_t axis_ = 1;                                 // the axis of the channels

  const SliceNode& input(const SliceNode& n, size_t k) const { return d_.node(d_.rep(n.in[k])); }

  bool convolution(const SliceNode& n, LayerDraft& l) const {
    const SliceNode& x = input(n, 0);
    const SliceNode& w = input(n, 1);
    if (!w.constant || (n.in.size() > 2 && !input(n, 2).constant) || x.shape.size() < 3 ||
        x.shape.size() > 4) {
      return false;
    }
    ConvShape s = conv_shape(n.attrs.as<ConvAttr>(), x.shape, w.shape, n.shape);
    const auto none_below = [](const Ints& list, int64_t least) {
      return std::all_of(list.begin(), list.end(), [&](int64_t v) { return v >= least; });
    };
    // Panels would be mostly empty.
    if (s.groups > 1 && !is_depthwise(s) && s.filters / s.groups < 8) {
      return false;
    }
    for (int64_t v : s.input_dilation) {
      if (v != 1) return false;
    }
    if (d_.count(d_.rep(n.in[0])) == 0 || s.taps() == 0 || !none_below(s.low, 0)) return false;
    if (s.in.size() == 1) {
      for (Ints* list : {&s.in, &s.out, &s.kernel, &s.strides, &s.low, &s.high, &s.dilation,
                         &s.input_dilation}) {
        list->insert(0, list == &s.low || list == &s.high ? 0 : 1);
      }
    }
    l.shape = std::move(s);
    l.weights = constant(w);
    l.bias = n.in.size() > 2 ? constant(input(n, 2)) : std::vector<float>(size_t(l.shape.filters));
    return !l.weights.empty() && !l.bias.empty();
  }

  bool product(const SliceNode& n, LayerDraft& l) const {
    const SliceNode& a = input(n, 0);
    const SliceNode& b = input(n, 1);
    const size_t rank = b.shape.size();
    if (!b.constant || n.shape.empty() || a.shape.size() < 2 || rank < 2) return false;
    for (size_t d = 0; d + 2 < rank; ++d) {  // one matrix for the whole batch
      if (b.shape[d] != 1 && !(b.strided && b.strides[d] == 0)) return false;
    }
    const int64_t depth = b.shape[rank - 2];
    const int64_t columns = b.shape[rank - 1];
    const int64_t rows = d_.count(d_.rep(n.in[0])) / std::max<int64_t>(depth, 1);
    if (depth == 0 || columns < 8) return false;
    SliceNode one = b;  // the first matrix, transposed
    one.shape = {columns, depth};
    Value v = *b.constant;
    const Ints strides = v.strided ? v.strides : contiguous_strides(b.shape);
    v.strided = true;
    v.strides = {strides[rank - 1], strides[rank - 2]};
    one.constant = &v;
    l.weights = constant(one);
    l.bias.resize(size_t(columns));
    l.shape = {1,      depth,  columns, 1,      {1, rows}, {1, rows},
               {1, 1}, {1, 1}, {0, 0},  {0, 0}, {1, 1},    {1, 1}};
    return !l.weights.empty();
  }

  // A batch_norm alone is a depthwise convolution of one tap.
  bool scaling(const SliceNode& n, LayerDraft& l) const {
    const Shape& x = n.shape;
    const int64_t down = x.size() > 3 ? x[2] : 1;
    const int64_t across = x.back();
    l.shape = {x[0],   x[1],   x[1],   x[1],   {down, across}, {down, across},
               {1, 1}, {1, 1}, {0, 0}, {0, 0}, {1, 1},         {1, 1}};
    l.weights.assign(size_t(x[1]), 1.0f);
    l.bias.assign(size_t(x[1]), 0.0f);
    return normalize(n, l);
  }

  static void scale(LayerDraft& l, size_t channel, double by) {
    const size_t each = l.weights.size() / l.bias.size();
    for (size_t i = channel * each; i < (channel + 1) * each; ++i) {
      l.weights[i] = float(l.weights[i] * by);
    }
  }

  bool normalize(const SliceNode& n, LayerDraft& l) const {
    std::vector<float> p[4];  // mean, variance, scale, bias
    for (size_t k = 0; k < 4; ++k) {
      if (p[k] = along(input(n, k + 1), n.shape, 1); p[k].size() != l.bias.size()) return false;
    }
    for (size_t c = 0; c < l.bias.size(); ++c) {
      const double by = p[2][c] / std::sqrt(double(p[1][c]) + n.attrs.as<NormAttr>().eps);
      scale(l, c, by);
      l.bias[c] = float((double(l.bias[c]) - p[0][c]) * by + p[3][c]);
    }
    return true;
  }

  // The layer whose result is this one's input, if it has no other user.
  LayerDraft* source(const LayerDraft& l) {
    const Info& f = d_.info[l.input];
    if (f.layer == none || f.wanted || uses_[l.input] != 1) return nullptr;
    LayerDraft& s = d_.layers[f.layer];
    return s.members.back() == l.input && !s.joined && s.before.empty() ? &s : nullptr;
  }
  // A product of a depthwise convolution of a product runs row by row with both if their images
  // would not stay in a core's cache.
  void join(LayerDraft& l) {
    LayerDraft* const middle = is_one_tap(l.shape) && l.residual != l.input ? source(l) : nullptr;
    LayerDraft* const wide = middle && is_depthwise(middle->shape) ? source(*middle) : nullptr;
    if (!wide || l.product || is_depthwise(wide->shape) || wide->shape.groups > 1 ||
        l.shape.groups > 1) {
      return;
    }
    if (wide->residual != none || middle->residual != none ||
        middle->shape.channels * size_of(middle->shape.in) < (1 << 17)) {
      return;
    }
    l.before = {uint32_t(wide - d_.layers.data()), uint32_t(middle - d_.layers.data())};
    wide->joined = middle->joined = true;
  }

  // The only user of a value if it is this op, or none.
  uint32_t only_user(uint32_t v, OpId op) const {
    const uint32_t next = user_[v];
    const bool one = !d_.info[v].wanted && uses_[v] == 1;
    return one && d_.node(next).op == op && d_.node(next).shape == d_.shape(v) &&
                   d_.info[next].layer == none
               ? next
               : none;
  }
  // Matches an exact GELU as the epilogue of a product: x * half * erfc(x * factor / divisor),
  // where x has no other user.
  bool match_gelu_epilogue(LayerDraft& l) const {
    const uint32_t x = l.members.back();
    const uint32_t users[] = {first_user_[x], user_[x]};
    // The other operand of node v, which computes op(of, operand), if it has one element.
    const auto number = [&](uint32_t v, OpId op, uint32_t of) {
      const SliceNode& n = d_.node(v);
      const size_t other = d_.rep(n.in[0]) == of ? 1 : 0;
      const bool fits = n.op == op && n.shape == d_.shape(of) && n.in.size() == 2 &&
                        (op == OpId::multiply || other);
      return fits && d_.count(d_.rep(n.in[other])) == 1 ? d_.rep(n.in[other]) : none;
    };
    if (!l.product || d_.info[x].wanted || uses_[x] != 2 || users[0] == users[1]) return false;
    if (l.low != none || l.high != none || l.residual != none) return false;
    for (int swap = 0; swap < 2; ++swap) {
      const uint32_t inner = users[swap];
      const uint32_t outer = users[1 - swap];
      const uint32_t divided = only_user(inner, OpId::divide);
      const uint32_t complement = divided == none ? none : only_user(divided, OpId::erfc);
      const uint32_t end = complement == none ? none : only_user(complement, OpId::multiply);
      if (end == none || only_user(outer, OpId::multiply) != end || end == outer) continue;
      const uint32_t factor = number(inner, OpId::multiply, x);
      const uint32_t half = number(outer, OpId::multiply, x);
      const uint32_t divisor = number(divided, OpId::divide, inner);
      if (factor == none || divisor == none || half == none) continue;
      l.factor = factor;
      l.divisor = divisor;
      l.half = half;
      for (uint32_t m : {inner, outer, divided, complement, end}) l.members.push_back(m);
      return true;
    }
    return false;
  }

  // Makes the only user of the layer's result a part of the layer, if it fits its epilogue.
  bool extend(LayerDraft& l) {
    if (l.half != none) return false;
    if (match_gelu_epilogue(l)) return true;
    const uint32_t v = l.members.back();
    const uint32_t next = user_[v];
    if (d_.info[v].wanted || uses_[v] != 1 || next == none || d_.info[next].layer != none) {
      return false;
    }
    const SliceNode& n = d_.node(next);
    if (n.op == OpId::reshape && l.product && !n.shape.empty() &&
        n.shape.back() == l.shape.filters) {  // the same rows
      l.members.push_back(next);
      axis_ = n.shape.size() - 1;
      return true;
    }
    if (n.shape != d_.shape(v) || n.dtype != DType::float32) return false;
    const bool plain = l.low == none && l.high == none && l.residual == none;
    if (n.op == OpId::batch_norm) {
      if (!plain || axis_ != 1 || d_.rep(n.in[0]) != v || !normalize(n, l)) return false;
    } else {
      if (n.in.size() != 2) return false;
      const bool first = d_.rep(n.in[0]) == v;
      const uint32_t other = d_.rep(n.in[first ? 1 : 0]);
      const std::vector<float> each =
          plain ? along(d_.node(other), n.shape, axis_) : std::vector<float>();
      const auto bound = [&](uint32_t& early, uint32_t& late, bool free) {
        uint32_t& to = l.residual == none ? early : late;
        return d_.count(other) == 1 && to == none && free && (to = other, true);
      };
      switch (n.op) {
        case OpId::add:
          if (!each.empty()) {
            for (size_t c = 0; c < each.size(); ++c) l.bias[c] += each[c];
          } else if (l.residual == none && d_.shape(other) == n.shape) {
            l.residual = other;
          } else {
            return false;
          }
          break;
        case OpId::subtract:
          if (each.empty() || !first) return false;
          for (size_t c = 0; c < each.size(); ++c) l.bias[c] -= each[c];
          break;
        case OpId::multiply:
          if (each.empty()) return false;
          for (size_t c = 0; c < each.size(); ++c) {
            scale(l, c, each[c]);
            l.bias[c] *= each[c];
          }
          break;
        case OpId::maximum:
          if (!bound(l.low, l.last_low, (l.residual == none ? l.high : l.last_high) == none)) {
            return false;
          }
          break;
        case OpId::minimum:
          if (!bound(l.high, l.last_high, true)) return false;
          break;
        default: return false;
      }
    }
    l.members.push_back(next);
    return true;
  }
};

// Chooses how a layer reads its input, which may need a copy.
Operand layer_input(Draft& d, Operand x, Layer& l, bool product) {
  const ConvShape& s = l.shape;
  if (product) {
    Ints dims(x.shape.begin(), x.shape.end() - 1);
    Ints strides(x.strides.begin(), x.strides.end() - 1);
    collapse(dims, strides);
    if (dims.size() > 1) return layer_input(d, d.packed(std::move(x)), l, true);
    l.reading = Layer::direct;
    l.lda = dims.empty() ? 0 : strides[0];
    l.step = x.strides.back();
    return x;
  }
  const bool depthwise = is_depthwise(s);
  const bool channels_last = s.channels > 1 && x.strides[1] == 1;
  if (depthwise && !channels_last)
    return layer_input(d, d.packed(x, channels_last_strides(x.shape)), l, false);
  if (!channels_last && !contiguous(x.shape, x.strides)) {
    return layer_input(d, d.packed(std::move(x)), l, false);
  }
  l.image = x.strides[0];
  l.pixel = x.strides.back();
  l.row = x.shape.size() > 3 ? x.strides[2] : 0;
  Ints dims = {s.batch, s.in[0], s.in[1]};
  Ints strides = {l.image, l.row, l.pixel};
  collapse(dims, strides);
  if (depthwise) {
    l.reading = Layer::depthwise;
  } else if (is_one_tap(s) && dims.size() <= 1) {
    l.reading = Layer::direct;
    l.lda = dims.empty() ? 0 : strides[0];
    l.step = x.strides[1];
  } else {
    l.reading = channels_last ? Layer::pixels : Layer::planes;
  }
  return x;
}

}  // namespace

void emit_layer(Draft& d, uint32_t layer) {
  std::vector<uint32_t> all = d.layers[layer].before;
  all.push_back(layer);
  Step st{.kind = Step::layer, .op = name(d.node(d.layers[all[0]].members[0]).op)};
  st.out.push_back(d.own_operand(d.layers[layer].members.back()));
  const auto add_input = [&](uint32_t v) {
    if (v == none) return uint8_t(0);
    st.in.push_back(d.operand(v));
    return uint8_t(st.in.size() - 1);
  };
  for (uint32_t k : all) {
    const LayerDraft& from = d.layers[k];
    Layer l;
    l.shape = from.shape;
    if (st.in.empty()) {
      st.in.push_back(layer_input(d, d.operand(from.input), l, from.product));
    } else {
      // reads the layer before it
      l.reading = k == layer ? Layer::direct : Layer::depthwise;
      l.pixel = l.lda = l.shape.channels;
    }
    l.low = add_input(from.low);
    l.high = add_input(from.high);
    l.last_low = add_input(from.last_low);
    l.last_high = add_input(from.last_high);
    l.factor = add_input(from.factor);
    l.divisor = add_input(from.divisor);
    l.half = add_input(from.half);
    if (l.residual = add_input(from.residual); l.residual) {
      Operand& r = st.in.back();
      if (from.product ? !contiguous(r.shape, r.strides)
                       : !same_strides(r.shape, r.strides, st.out[0].strides)) {
        r = d.packed(r, from.product ? contiguous_strides(r.shape) : st.out[0].strides);
      }
    }
    st.layers.push_back(std::move(l));
    d.emitted.push_back(k);
  }
  d.plan.may_fail = true;
  d.plan.steps.push_back(std::move(st));
}

// All weights are in one block, so that large pages hold them.
void pack_layers(Draft& d) {
  int64_t size = 0;
  for (const Step& s : d.plan.steps) {
    for (const Layer& l : s.layers) size += packed_size(l);
  }
  if (!size) return;
  auto memory = std::make_unique<Scratch<float>>(size);
  float* to = memory->data();
  const uint32_t* from = d.emitted.data();
  for (Step& s : d.plan.steps) {
    for (Layer& l : s.layers) {
      pack(l, d.layers[*from].weights.data(), d.layers[*from].bias.data(), to);
      to += packed_size(l);
      ++from;
    }
  }
  d.plan.weights = std::move(memory);
}

bool folds_batch_norm(const SliceNode& n, const Slice& s) {
  if (n.dtype != DType::float32 || n.shape.size() < 3 || n.shape.size() > 4) return false;
  for (size_t k = 1; k < n.in.size(); ++k) {
    if (along(s.nodes[n.in[k]], n.shape, 1).size() != size_t(n.shape[1])) return false;
  }
  return size_of(std::span<const int64_t>(n.shape)) != 0;
}

void match_layers(Draft& d) {
  const bool any = std::any_of(d.slice.nodes.begin(), d.slice.nodes.end(),
                               [](const SliceNode& n) { return n.constant; });
  if (any) LayerMatcher(d).run();
}

}  // namespace ember::native
