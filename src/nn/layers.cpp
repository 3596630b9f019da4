// Linear, embedding and dropout layers, and layers that only move axes.
#include "ember/nn/layers.h"

#include <cmath>

#include "src/nn/common.h"

namespace ember::nn {

Linear::Linear(int64_t in, int64_t out, bool with_bias) {
  NEED(in >= 0 && out > 0, "Linear",
       "the features must be positive, not " + std::to_string(in) + " and " + std::to_string(out));
  const double bound = in ? 1 / std::sqrt(double(in)) : 0;
  add("weight", weight, ops::random_uniform({out, in}, -bound, bound));
  add("bias", bias, with_bias ? ops::random_uniform({out}, -bound, bound) : Tensor());
}
Tensor Linear::forward(const Tensor& x) {
  NEED_SHAPE(x.ndim() > 0 && x.shape(-1) == weight.shape()[1], "Linear",
             "expects " + std::to_string(weight.shape()[1]) +
                 " features along the last axis, not the shape " + to_string(x.shape()));
  return ops::linear(x, weight, optional_of(bias));
}
std::string Linear::details() const {
  return "in_features=" + std::to_string(weight.shape()[1]) +
         ", out_features=" + std::to_string(weight.shape()[0]) + ", bias=" + text(bias.defined());
}

Embedding::Embedding(int64_t count, int64_t dim, const EmbeddingOptions& o)
    : padding_idx_(o.padding_idx) {
  need_positive("Embedding", {{"num_embeddings", count}, {"embedding_dim", dim}});
  Tensor rows = ops::random_normal({count, dim});
  if (padding_idx_) {
    NEED(*padding_idx_ >= -count && *padding_idx_ < count, "Embedding",
         "padding_idx " + std::to_string(*padding_idx_) + " is outside of " +
             std::to_string(count) + " rows");
    if (*padding_idx_ < 0) *padding_idx_ += count;
    rows = index_update(rows, {*padding_idx_}, 0.0);
  }
  add("weight", weight, rows);
}
Tensor Embedding::forward(const Tensor& indices) {
  const Tensor y = ops::embedding(weight, indices);
  if (!padding_idx_ || !y.requires_grad()) return y;
  return ops::where(ops::expand_dims(indices == *padding_idx_, {-1}), y.detach(), y);
}
std::string Embedding::details() const {
  return std::to_string(weight.shape()[0]) + ", " + std::to_string(weight.shape()[1]) +
         (padding_idx_ ? ", padding_idx=" + std::to_string(*padding_idx_) : "");
}

Dropout::Dropout(double p) : p_(p) { need_rate("Dropout", p); }
Tensor Dropout::forward(const Tensor& x) { return ops::dropout(x, p_, training()); }
std::string Dropout::details() const { return "p=" + text(p_); }

Tensor Flatten::forward(const Tensor& x) {
  const int64_t n = std::max<int64_t>(1, x.ndim());
  const int64_t from = start_ < 0 ? start_ + n : start_;
  const int64_t to = end_ < 0 ? end_ + n : end_;
  NEED_SHAPE(from >= 0 && from <= to && to < n, "Flatten",
             "cannot join the axes " + std::to_string(start_) + " to " + std::to_string(end_) +
                 " of the shape " + to_string(x.shape()));
  if (x.ndim() == 0) return ops::reshape(x, {1});
  Shape s(x.shape().begin(), x.shape().begin() + from);
  s.push_back(
      size_of(std::span<const int64_t>(x.shape()).subspan(size_t(from), size_t(to - from + 1))));
  s.append(x.shape().begin() + to + 1, x.shape().end());
  return ops::reshape(x, s);
}
std::string Flatten::details() const {
  return "start_dim=" + std::to_string(start_) + ", end_dim=" + std::to_string(end_);
}

}  // namespace ember::nn
