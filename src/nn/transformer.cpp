// Attention, positional encodings and transformer blocks.
#include "ember/nn/transformer.h"

#include <cmath>

#include "ember/nn/init.h"
#include "src/nn/common.h"

namespace ember::nn {
namespace {

// bool: true where a key may be seen; floating-point: added to the scores.
struct Masks {
  Tensor allowed, added;
};

// Combines both kinds of masks into one for scores [batch, heads, queries, keys].
Masks merge_masks(const AttentionMasks& m, int64_t batch, int64_t heads, int64_t queries,
                  int64_t keys, DType dtype) {
  Tensor parts[2];
  if (m.attn_mask.defined()) {
    const Shape& s = m.attn_mask.shape();
    const Shape flat{queries, keys};
    const Shape full{batch * heads, queries, keys};
    NEED_SHAPE(s == flat || s == full, "MultiheadAttention",
               "attn_mask must have shape " + to_string(flat) + " or " + to_string(full) +
                   ", not " + to_string(s));
    parts[0] = s == flat ? m.attn_mask : ops::reshape(m.attn_mask, {batch, heads, queries, keys});
  }
  if (m.key_padding_mask.defined()) {
    NEED_SHAPE((m.key_padding_mask.shape() == Shape{batch, keys}), "MultiheadAttention",
               "key_padding_mask must have shape " + to_string(Shape{batch, keys}) + ", not " +
                   to_string(m.key_padding_mask.shape()));
    parts[1] = ops::reshape(m.key_padding_mask, {batch, 1, 1, keys});
  }
  Masks r;
  for (const Tensor& t : parts) {
    if (!t.defined()) continue;
    if (t.dtype() == DType::bool_) {
      r.allowed = r.allowed.defined() ? ops::logical_and(r.allowed, ops::logical_not(t))
                                      : ops::logical_not(t);
    } else {
      r.added = r.added.defined() ? r.added + t : t;
    }
  }
  if (r.added.defined() && !is_float(r.added.dtype())) {
    throw DTypeError("[MultiheadAttention] a mask must be bool or floating-point, not " +
                     std::string(name(r.added.dtype())));
  }
  if (r.added.defined()) r.added = r.added.astype(dtype);
  if (r.added.defined() && r.allowed.defined()) {
    r.added = ops::where(r.allowed, r.added, ops::full({}, -HUGE_VAL, dtype));
    r.allowed = {};
  }
  return r;
}

// The attention weights, needed when they are returned or have dropout. A row without visible keys
// is all zeros.
Tensor attention_weights(const Tensor& q, const Tensor& k, const Masks& mask, bool causal,
                         double scale) {
  Tensor scores = ops::matmul(q * scale, ops::matrix_transpose(k));
  const Tensor lowest = ops::full({}, ops::finfo(scores.dtype()).min, scores.dtype());
  const Tensor zero = ops::zeros({}, scores.dtype());
  if (mask.added.defined()) scores = ops::maximum(scores + mask.added, lowest);
  if (mask.allowed.defined()) scores = ops::where(mask.allowed, scores, lowest);
  if (causal) {
    scores = ops::where(ops::logical_not(causal_mask(q.shape(-2), k.shape(-2))), scores, lowest);
  }
  return ops::where(scores > lowest, ops::softmax(scores), zero);
}

Tensor table_of(int64_t dim, int64_t length, DType dtype) {
  std::vector<double> v(size_t(dim * length));
  for (int64_t pos = 0; pos < length; ++pos) {
    for (int64_t i = 0; i < dim; ++i) {
      const double angle = double(pos) * std::pow(10000.0, -double(i - i % 2) / double(dim));
      v[size_t(pos * dim + i)] = i % 2 ? std::cos(angle) : std::sin(angle);
    }
  }
  return array(std::span<const double>(v), {length, dim}).astype(dtype);
}
// The first rows of a table, one per step, shaped to broadcast with x.
Tensor first_rows(std::string_view layer, const Tensor& table, const Tensor& x, bool batch_first) {
  const int64_t length = table.shape(0);
  const int64_t dim = table.shape(1);
  NEED_SHAPE(x.ndim() >= 2 && x.shape(-1) == dim, layer,
             "expects " + std::to_string(dim) + " features along the last axis, not the shape " +
                 to_string(x.shape()));
  const bool steps_last = batch_first || x.ndim() == 2;
  const int64_t steps = steps_last ? x.shape(-2) : x.shape(0);
  NEED_SHAPE(steps <= length, layer,
             std::to_string(steps) + " steps are more than the " + std::to_string(length) +
                 " that have a position");
  const Tensor rows = steps == length ? table : table(slice(0, steps));
  if (steps_last) return rows;
  Shape s(size_t(x.ndim()), 1);
  s.front() = steps;
  s.back() = dim;
  return ops::reshape(rows, s);
}
AttentionOptions attention_options(const TransformerOptions& o) {
  return {.dropout = o.dropout, .bias = o.bias, .batch_first = o.batch_first};
}
LayerNormOptions norm_options(const TransformerOptions& o) {
  return {.eps = o.layer_norm_eps, .bias = o.bias};
}

}  // namespace

Tensor causal_mask(int64_t queries, int64_t keys) {
  return ops::reshape(ops::arange(0, double(queries), 1, DType::int64), {queries, 1}) <
         ops::arange(0, double(keys), 1, DType::int64);
}

MultiheadAttention::MultiheadAttention(int64_t dim, int64_t heads, const AttentionOptions& o)
    : out_proj(dim, dim, o.bias), dim_(dim), heads_(heads), o_(o) {
  const char* me = "MultiheadAttention";
  need_positive(me, {{"embed_dim", dim},
                     {"num_heads", heads},
                     {"kdim", o.kdim.value_or(1)},
                     {"vdim", o.vdim.value_or(1)}});
  NEED(dim % heads == 0, me,
       std::to_string(heads) + " heads do not divide " + std::to_string(dim) + " features");
  need_rate(me, o.dropout);
  const int64_t kdim = o.kdim.value_or(dim);
  const int64_t vdim = o.vdim.value_or(dim);
  const bool joined = kdim == dim && vdim == dim;
  const auto weight = [&](bool here, int64_t out, int64_t in) {
    return here ? init::xavier_uniform({out, in}) : Tensor();
  };
  add("in_proj_weight", in_proj_weight, weight(joined, 3 * dim, dim));
  add("q_proj_weight", q_proj_weight, weight(!joined, dim, dim));
  add("k_proj_weight", k_proj_weight, weight(!joined, dim, kdim));
  add("v_proj_weight", v_proj_weight, weight(!joined, dim, vdim));
  add("in_proj_bias", in_proj_bias, o.bias ? ops::zeros({3 * dim}) : Tensor());
  if (o.bias) out_proj.bias.assign(ops::zeros({dim}));
  add("out_proj", out_proj);
}

AttentionOutput MultiheadAttention::operator()(const Tensor& query, const Tensor& key,
                                               const Tensor& value, const AttentionMasks& masks) {
  const bool single = query.ndim() == 2;
  const int64_t features[] = {dim_, o_.kdim.value_or(dim_), o_.vdim.value_or(dim_)};
  Tensor in[] = {query, key, value};
  const bool same =
      in_proj_weight.defined() && query.node() == key.node() && key.node() == value.node();
  for (int i = 0; i < 3; ++i) {
    NEED_SHAPE(in[i].ndim() == (single ? 2 : 3) && in[i].shape(-1) == features[i], kind(),
               std::string(i == 0   ? "query"
                           : i == 1 ? "key"
                                    : "value") +
                   " must have " + (o_.batch_first ? "[batch, steps, " : "[steps, batch, ") +
                   std::to_string(features[i]) +
                   "], or two dimensions without a batch, not the shape " +
                   to_string(in[i].shape()));
    if (i && same) {
      in[i] = in[0];
    } else {
      in[i] = single           ? ops::expand_dims(in[i], {0})
              : o_.batch_first ? in[i]
                               : ops::swapaxes(in[i], 0, 1);
    }
  }
  NEED_SHAPE(in[1].shape(0) == in[0].shape(0) && in[2].shape(0) == in[0].shape(0) &&
                 in[1].shape(1) == in[2].shape(1),
             kind(),
             "query, key and value do not fit: " + to_string(query.shape()) + ", " +
                 to_string(key.shape()) + ", " + to_string(value.shape()));
  const int64_t batch = in[0].shape(0);
  const int64_t queries = in[0].shape(1);
  const int64_t keys = in[1].shape(1);
  const int64_t width = dim_ / heads_;

  // A single product if query, key and value are the same tensor.
  Tensors projected;
  if (same) {
    projected = ops::split(ops::linear(in[0], in_proj_weight, optional_of(in_proj_bias)), 3, -1);
  } else {
    const Tensors weights = in_proj_weight.defined()
                                ? ops::split(in_proj_weight, 3, 0)
                                : Tensors{q_proj_weight, k_proj_weight, v_proj_weight};
    const Tensors biases = in_proj_bias.defined() ? ops::split(in_proj_bias, 3, 0) : Tensors(3);
    for (size_t i = 0; i < 3; ++i) {
      projected.push_back(ops::linear(in[i], weights[i], optional_of(biases[i])));
    }
  }
  for (Tensor& t : projected) {
    t = ops::permute_dims(ops::reshape(t, {batch, t.shape(1), heads_, width}), {0, 2, 1, 3});
  }
  const Tensor& q = projected[0];
  const Tensor& k = projected[1];
  const Tensor& v = projected[2];

  const Masks mask = merge_masks(masks, batch, heads_, queries, keys, q.dtype());
  Tensor seen;
  Tensor weights;
  const bool drops = training() && o_.dropout > 0;
  if (drops || masks.need_weights) {
    weights = attention_weights(q, k, mask, masks.is_causal, 1 / std::sqrt(double(width)));
    if (drops) weights = ops::dropout(weights, o_.dropout);
    seen = ops::matmul(weights, v);
  } else {
    seen = ops::scaled_dot_product_attention(
        q, k, v, optional_of(mask.allowed.defined() ? mask.allowed : mask.added), masks.is_causal);
  }
  Tensor y = out_proj(ops::reshape(ops::permute_dims(seen, {0, 2, 1, 3}), {batch, queries, dim_}));
  y = single ? ops::squeeze(y, 0) : o_.batch_first ? y : ops::swapaxes(y, 0, 1);
  if (!masks.need_weights) return {y, {}};
  if (masks.average_weights) weights = ops::mean(weights, 1);
  return {y, single ? ops::squeeze(weights, 0) : weights};
}

SinusoidalPositions::SinusoidalPositions(int64_t dim, int64_t max_length, bool batch_first)
    : dim_(dim), length_(max_length), batch_first_(batch_first) {
  need_positive("SinusoidalPositions", {{"dim", dim}, {"max_length", max_length}});
}
Tensor SinusoidalPositions::forward(const Tensor& x) {
  const DType t = is_float(x.dtype()) ? x.dtype() : default_float();
  if (!table_.defined() || table_.dtype() != t) table_ = table_of(dim_, length_, t);
  return x + first_rows(kind(), table_, x, batch_first_);
}
std::string SinusoidalPositions::details() const {
  return std::to_string(dim_) + ", max_length=" + std::to_string(length_);
}

LearnedPositions::LearnedPositions(int64_t dim, int64_t max_length, bool batch_first)
    : batch_first_(batch_first) {
  need_positive("LearnedPositions", {{"dim", dim}, {"max_length", max_length}});
  add("weight", weight, init::normal({max_length, dim}, 0, 0.02));
}
Tensor LearnedPositions::forward(const Tensor& x) {
  return x + first_rows(kind(), weight, x, batch_first_);
}
std::string LearnedPositions::details() const {
  return std::to_string(weight.shape()[1]) + ", max_length=" + std::to_string(weight.shape()[0]);
}

Tensor RotaryPositions::forward(const Tensor& x) { return ops::rope(x, {}, base_, interleaved_); }
std::string RotaryPositions::details() const {
  return "base=" + text(base_) + (interleaved_ ? ", interleaved=True" : "");
}

TransformerEncoderLayer::TransformerEncoderLayer(int64_t d, int64_t heads,
                                                 const TransformerOptions& o)
    : norm_first_(o.norm_first),
      activation_(get_activation(o.activation)),
      self_attn(d, heads, attention_options(o)),
      linear1(d, o.dim_feedforward, o.bias),
      dropout(o.dropout),
      linear2(o.dim_feedforward, d, o.bias),
      norm1(d, norm_options(o)),
      norm2(d, norm_options(o)),
      dropout1(o.dropout),
      dropout2(o.dropout) {
  add("self_attn", self_attn);
  add("linear1", linear1);
  add("dropout", dropout);
  add("linear2", linear2);
  add("norm1", norm1);
  add("norm2", norm2);
  add("dropout1", dropout1);
  add("dropout2", dropout2);
}
Tensor TransformerEncoderLayer::operator()(const Tensor& x, const EncoderMasks& m) {
  const auto attend = [&](const Tensor& t) {
    return dropout1(
        self_attn(
            t, t, t,
            {.attn_mask = m.mask, .key_padding_mask = m.key_padding_mask, .is_causal = m.is_causal})
            .output);
  };
  const auto feed = [&](const Tensor& t) {
    return dropout2(linear2(dropout(activation_(linear1(t)))));
  };
  if (norm_first_) {
    const Tensor h = x + attend(norm1(x));
    return h + feed(norm2(h));
  }
  const Tensor h = norm1(x + attend(x));
  return norm2(h + feed(h));
}

TransformerDecoderLayer::TransformerDecoderLayer(int64_t d, int64_t heads,
                                                 const TransformerOptions& o)
    : norm_first_(o.norm_first),
      activation_(get_activation(o.activation)),
      self_attn(d, heads, attention_options(o)),
      multihead_attn(d, heads, attention_options(o)),
      linear1(d, o.dim_feedforward, o.bias),
      dropout(o.dropout),
      linear2(o.dim_feedforward, d, o.bias),
      norm1(d, norm_options(o)),
      norm2(d, norm_options(o)),
      norm3(d, norm_options(o)),
      dropout1(o.dropout),
      dropout2(o.dropout),
      dropout3(o.dropout) {
  add("self_attn", self_attn);
  add("multihead_attn", multihead_attn);
  add("linear1", linear1);
  add("dropout", dropout);
  add("linear2", linear2);
  add("norm1", norm1);
  add("norm2", norm2);
  add("norm3", norm3);
  add("dropout1", dropout1);
  add("dropout2", dropout2);
  add("dropout3", dropout3);
}
Tensor TransformerDecoderLayer::operator()(const Tensor& x, const Tensor& memory,
                                           const DecoderMasks& m) {
  const auto attend = [&](const Tensor& t) {
    return dropout1(self_attn(t, t, t,
                              {.attn_mask = m.tgt_mask,
                               .key_padding_mask = m.tgt_key_padding_mask,
                               .is_causal = m.tgt_is_causal})
                        .output);
  };
  const auto look = [&](const Tensor& t) {
    return dropout2(multihead_attn(t, memory, memory,
                                   {.attn_mask = m.memory_mask,
                                    .key_padding_mask = m.memory_key_padding_mask,
                                    .is_causal = m.memory_is_causal})
                        .output);
  };
  const auto feed = [&](const Tensor& t) {
    return dropout3(linear2(dropout(activation_(linear1(t)))));
  };
  if (norm_first_) {
    const Tensor h = x + attend(norm1(x));
    const Tensor s = h + look(norm2(h));
    return s + feed(norm3(s));
  }
  const Tensor h = norm1(x + attend(x));
  const Tensor s = norm2(h + look(h));
  return norm3(s + feed(s));
}

TransformerEncoder::TransformerEncoder(int64_t n, int64_t d, int64_t heads,
                                       const TransformerOptions& o, bool final_norm) {
  for (int64_t i = 0; i < n; ++i) layers_.push_back(make<TransformerEncoderLayer>(d, heads, o));
  add("layers", layers_);
  if (final_norm) add("norm", norm_ = make<LayerNorm>(d, norm_options(o)));
}
Tensor TransformerEncoder::operator()(const Tensor& x, const EncoderMasks& masks) {
  Tensor y = x;
  for (size_t i = 0; i < layers_.size(); ++i) {
    y = static_cast<TransformerEncoderLayer&>(layers_[i])(y, masks);
  }
  return norm_ ? (*norm_)(y) : y;
}
TransformerDecoder::TransformerDecoder(int64_t n, int64_t d, int64_t heads,
                                       const TransformerOptions& o, bool final_norm) {
  for (int64_t i = 0; i < n; ++i) layers_.push_back(make<TransformerDecoderLayer>(d, heads, o));
  add("layers", layers_);
  if (final_norm) add("norm", norm_ = make<LayerNorm>(d, norm_options(o)));
}
Tensor TransformerDecoder::operator()(const Tensor& x, const Tensor& memory,
                                      const DecoderMasks& masks) {
  Tensor y = x;
  for (size_t i = 0; i < layers_.size(); ++i) {
    y = static_cast<TransformerDecoderLayer&>(layers_[i])(y, memory, masks);
  }
  return norm_ ? (*norm_)(y) : y;
}

}  // namespace ember::nn
