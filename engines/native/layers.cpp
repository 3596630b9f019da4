// Which nodes are layers: convolutions and products whose weights are constants, with the normalisation, bias, bounds and residual
// behind them.
#include <algorithm>
#include <cmath>

#include "engines/native/draft.h"

namespace ember::native {
namespace {

// The elements of a constant, in order; nothing if the node is none.
std::vector<float> constant(const SliceNode& n) {
  if (!n.constant || n.dtype != DType::float32 || n.constant->storage->device != Device()) return {};
  const Value& v = *n.constant;
  const float* from = reinterpret_cast<const float*>(v.storage->data) + v.offset;
  const Ints strides = v.strided ? v.strides : contiguous_strides(n.shape);
  std::vector<float> all(size_t(size_of(std::span<const int64_t>(n.shape))));
  for (size_t i = 0; i < all.size(); ++i) {
    int64_t at = 0, rest = int64_t(i);
    for (size_t d = n.shape.size(); d--; rest /= n.shape[d]) at += rest % n.shape[d] * strides[d];
    all[i] = from[at];
  }
  return all;
}

// A constant that differs along one axis of a shape at most: its value for each place there.
std::vector<float> along(const SliceNode& n, const Shape& shape, size_t axis) {
  if (!n.constant || n.shape.size() > shape.size()) return {};
  for (size_t d = 0; d < n.shape.size(); ++d)
    if (n.shape[d] != 1 && d + shape.size() - n.shape.size() != axis) return {};
  std::vector<float> v = constant(n);
  if (v.size() == 1) v.resize(size_t(shape[axis]), v[0]);
  return v;
}

class Finder {
 public:
  explicit Finder(Draft& d) : d_(d), uses_(d.info.size()), user_(d.info.size(), none) {}

  void run() {
    for (uint32_t i = 0; i < d_.slice.nodes.size(); ++i) {
      if (d_.rep(i) != i) continue;
      for (uint32_t k : d_.node(i).in) ++uses_[d_.rep(k)], user_[d_.rep(k)] = i;
    }
    for (uint32_t i = 0; i < d_.slice.nodes.size(); ++i) {
      const SliceNode& n = d_.node(i);
      if (n.dtype != DType::float32 || d_.info[i].layer != none || d_.count(i) == 0) continue;
      LayerDraft l;
      if (!(n.op == OpId::conv ? convolution(n, l) : n.op == OpId::matmul ? product(n, l) : n.op == OpId::batch_norm && scaling(n, l))) continue;
      axis_ = n.op == OpId::matmul ? n.shape.size() - 1 : 1;
      l.members = {i}, l.input = d_.rep(n.in[0]);
      while (extend(l)) {}
      for (uint32_t m : l.members) d_.info[m].layer = uint32_t(d_.layers.size());
      d_.layers.push_back(std::move(l));
    }
  }

 private:
  Draft& d_;
  std::vector<uint32_t> uses_, user_;
  size_t axis_ = 1;  // of the channels

  const SliceNode& input(const SliceNode& n, size_t k) const { return d_.node(d_.rep(n.in[k])); }

  bool convolution(const SliceNode& n, LayerDraft& l) const {
    const SliceNode &x = input(n, 0), &w = input(n, 1);
    if (!w.constant || (n.in.size() > 2 && !input(n, 2).constant) || x.shape.size() < 3 || x.shape.size() > 4) return false;
    ConvShape s = conv_shape(n.attrs.as<ConvAttr>(), x.shape, w.shape, n.shape);
    const auto none_below = [](const Ints& list, int64_t least) { return std::all_of(list.begin(), list.end(), [&](int64_t v) { return v >= least; }); };
    const bool depthwise = s.groups == s.channels && s.filters == s.channels;
    if (s.groups > 1 && !depthwise && s.filters / s.groups < 8) return false;  // panels would be mostly empty
    for (int64_t v : s.input_dilation)
      if (v != 1) return false;
    if (d_.count(d_.rep(n.in[0])) == 0 || s.taps() == 0 || !none_below(s.low, 0)) return false;
    if (s.in.size() == 1)
      for (Ints* list : {&s.in, &s.out, &s.kernel, &s.strides, &s.low, &s.high, &s.dilation, &s.input_dilation})
        list->insert(0, list == &s.low || list == &s.high ? 0 : 1);
    l.shape = std::move(s), l.weights = constant(w);
    l.bias = n.in.size() > 2 ? constant(input(n, 2)) : std::vector<float>(size_t(l.shape.filters));
    return !l.weights.empty() && !l.bias.empty();
  }

  bool product(const SliceNode& n, LayerDraft& l) const {
    const SliceNode &a = input(n, 0), &b = input(n, 1);
    const size_t rank = b.shape.size();
    if (!b.constant || n.shape.empty()) return false;
    for (size_t d = 0; d + 2 < rank; ++d)  // one matrix for the whole batch
      if (b.shape[d] != 1 && !(b.strided && b.strides[d] == 0)) return false;
    const int64_t depth = b.shape[rank - 2], columns = b.shape[rank - 1], rows = d_.count(d_.rep(n.in[0])) / std::max<int64_t>(depth, 1);
    if (a.shape.size() < 2 || rank < 2 || depth == 0 || columns < 8) return false;
    SliceNode one = b;  // the first matrix, transposed
    one.shape = {columns, depth};
    Value v = *b.constant;
    const Ints strides = v.strided ? v.strides : contiguous_strides(b.shape);
    v.strided = true, v.strides = {strides[rank - 1], strides[rank - 2]};
    one.constant = &v;
    l.weights = constant(one), l.bias.resize(size_t(columns));
    l.shape = {1, depth, columns, 1, {1, rows}, {1, rows}, {1, 1}, {1, 1}, {0, 0}, {0, 0}, {1, 1}, {1, 1}};
    return !l.weights.empty();
  }

  // A batch normalisation by itself: a depthwise convolution of one tap.
  bool scaling(const SliceNode& n, LayerDraft& l) const {
    const Shape& x = n.shape;
    const int64_t down = x.size() > 3 ? x[2] : 1, across = x.back();
    l.shape = {x[0], x[1], x[1], x[1], {down, across}, {down, across}, {1, 1}, {1, 1}, {0, 0}, {0, 0}, {1, 1}, {1, 1}};
    l.weights.assign(size_t(x[1]), 1.0f), l.bias.assign(size_t(x[1]), 0.0f);
    return normalize(n, l);
  }

  static void scale(LayerDraft& l, size_t channel, double by) {
    const size_t each = l.weights.size() / l.bias.size();
    for (size_t i = channel * each; i < (channel + 1) * each; ++i) l.weights[i] = float(l.weights[i] * by);
  }

  bool normalize(const SliceNode& n, LayerDraft& l) const {
    std::vector<float> p[4];  // mean, variance, scale, bias
    for (size_t k = 0; k < 4; ++k)
      if (p[k] = along(input(n, k + 1), n.shape, 1); p[k].size() != l.bias.size()) return false;
    for (size_t c = 0; c < l.bias.size(); ++c) {
      const double by = p[2][c] / std::sqrt(double(p[1][c]) + n.attrs.as<NormAttr>().eps);
      scale(l, c, by);
      l.bias[c] = float((double(l.bias[c]) - p[0][c]) * by + p[3][c]);
    }
    return true;
  }

  // Takes in the node behind the layer, where nothing else reads what the layer gave so far.
  bool extend(LayerDraft& l) {
    const uint32_t v = l.members.back(), next = user_[v];
    if (d_.info[v].wanted || uses_[v] != 1 || next == none || d_.info[next].layer != none) return false;
    const SliceNode& n = d_.node(next);
    if (n.shape != d_.shape(v) || n.dtype != DType::float32) return false;
    const bool plain = l.low == none && l.high == none && l.residual == none;
    if (n.op == OpId::batch_norm) {
      if (!plain || axis_ != 1 || d_.rep(n.in[0]) != v || !normalize(n, l)) return false;
    } else {
      if (n.in.size() != 2) return false;
      const bool first = d_.rep(n.in[0]) == v;
      const uint32_t other = d_.rep(n.in[first ? 1 : 0]);
      const std::vector<float> each = plain ? along(d_.node(other), n.shape, axis_) : std::vector<float>();
      const auto bound = [&](uint32_t& early, uint32_t& late, bool free) {
        uint32_t& to = l.residual == none ? early : late;
        return d_.count(other) == 1 && to == none && free && (to = other, true);
      };
      switch (n.op) {
        case OpId::add:
          if (!each.empty()) {
            for (size_t c = 0; c < each.size(); ++c) l.bias[c] += each[c];
          } else if (l.residual == none && d_.shape(other) == n.shape) l.residual = other;
          else return false;
          break;
        case OpId::subtract:
          if (each.empty() || !first) return false;
          for (size_t c = 0; c < each.size(); ++c) l.bias[c] -= each[c];
          break;
        case OpId::multiply:
          if (each.empty()) return false;
          for (size_t c = 0; c < each.size(); ++c) scale(l, c, each[c]), l.bias[c] *= each[c];
          break;
        case OpId::maximum:
          if (!bound(l.low, l.last_low, (l.residual == none ? l.high : l.last_high) == none)) return false;
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

}  // namespace

bool folds(const SliceNode& n, const Slice& s) {
  if (n.dtype != DType::float32 || n.shape.size() < 3 || n.shape.size() > 4) return false;
  for (size_t k = 1; k < n.in.size(); ++k)
    if (along(s.nodes[n.in[k]], n.shape, 1).size() != size_t(n.shape[1])) return false;
  return size_of(std::span<const int64_t>(n.shape)) != 0;
}

void find_layers(Draft& d) {
  const bool any = std::any_of(d.slice.nodes.begin(), d.slice.nodes.end(), [](const SliceNode& n) { return n.constant; });
  if (any) Finder(d).run();
}

}  // namespace ember::native
