// Attention, rotary embedding, linear attention.
#include <cmath>

#include "src/graph/graph.h"
#include "src/onnx/read/heads.h"
#include "src/ops/layouts.h"

namespace ember::onnx {
Tensor split_heads(const Tensor& x, int64_t heads) {
  if (x.ndim() != 3 || heads < 1 || x.shape(2) % heads) {
    throw ShapeError("a tensor of shape " + to_string(x.shape()) + " cannot be split into " +
                     std::to_string(heads) + " heads");
  }
  return ops::permute_dims(ops::reshape(x, {x.shape(0), x.shape(1), heads, x.shape(2) / heads}),
                           {0, 2, 1, 3});
}
Tensor merge_heads(const Tensor& x) {
  return ops::reshape(ops::permute_dims(x, {0, 2, 1, 3}),
                      {x.shape(0), x.shape(2), extent(x.shape(1), x.shape(3), 0)});
}
Tensor repeat_heads(const Tensor& x, int64_t heads) {
  if (x.shape(1) == heads) return x;
  if (x.shape(1) < 1 || heads % x.shape(1)) {
    throw ShapeError(std::to_string(heads) + " query heads are not a multiple of " +
                     std::to_string(x.shape(1)));
  }
  return ops::repeat(x, heads / x.shape(1), 1);
}
Tensor rotate_heads(const Tensor& x, const Tensor& cos, const Tensor& sin, bool interleaved) {
  const int64_t size = x.shape(3);
  const int64_t turned = 2 * cos.shape(3);
  if (turned < 2 || turned > size) {
    throw ShapeError("rotation angles for " + std::to_string(turned) +
                     " features do not fit heads of " + std::to_string(size));
  }
  const Tensor head = turned == size ? x : ops::slice(x, {0}, {turned}, {}, 3);
  const auto half = [&](int64_t k) {
    return interleaved ? ops::slice(head, {k}, {turned}, Ints{2}, 3)
                       : ops::slice(head, {k * (turned / 2)}, {(k + 1) * (turned / 2)}, {}, 3);
  };
  const Tensor a = half(0);
  const Tensor b = half(1);
  const Tensor real = cos * a - sin * b;
  const Tensor imaginary = sin * a + cos * b;
  const Tensor y = interleaved ? ops::reshape(ops::stack({real, imaginary}, -1), head.shape())
                               : ops::concat({real, imaginary}, 3);
  return turned == size ? y : ops::concat({y, ops::slice(x, {turned}, {size}, {}, 3)}, 3);
}

namespace {

Tensor counting(int64_t n) { return ops::arange(0, double(n), 1, DType::int64); }

// The keys that each query may see because of positions; undefined: all of them.
Tensor visible(const Call& c, int64_t queries, int64_t keys, int64_t past) {
  const int64_t left = c.i("left_window_size", -1);
  const int64_t right = c.i("right_window_size", -1);
  const bool causal = c.flag("is_causal");
  if (left < -1 || right < -1) throw ValueError("a window's size must be -1 or more");
  Tensor allowed;
  Tensor from = ops::reshape(counting(queries), {queries, 1});
  const Tensor key = counting(keys);
  const auto also = [&](Tensor t) {
    allowed = allowed.defined() ? ops::logical_and(allowed, t) : t;
  };
  if (c.has(6)) {  // one length without padding per sample
    const Tensor length = ops::reshape(cast_to(c.x(6), DType::int64), {c.x(6).size(), 1, 1, 1});
    also(ops::less(key, length));
    from = from + (length - queries);
  } else {
    from = from + past;
  }
  if (causal) also(key <= from);
  if (left >= 0) also(from - key <= left);
  if (right >= 0) also(key - from <= right);
  return allowed;
}

Values attention(const Call& c) {
  const bool flat = c.x(0).ndim() == 3;
  const int64_t q_heads = c.i("q_num_heads", 0);
  const int64_t kv_heads = c.i("kv_num_heads", 0);
  const int64_t mode = c.i("qk_matmul_output_mode", 0);
  const double softcap = c.f("softcap", 0);
  const double given_scale = c.f("scale", 0);
  const auto precision = c.dtype("softmax_precision");
  if (!flat && c.x(0).ndim() != 4) {
    throw ShapeError("the query must have 3 or 4 dimensions, not " + std::to_string(c.x(0).ndim()));
  }
  if (c.has(4) != c.has(5)) throw ValueError("past_key and past_value must be given together");
  if (c.has(4) && c.has(6)) throw ValueError("nonpad_kv_seqlen and a past cannot be combined");
  if (mode < 0 || mode > 3) {
    throw ValueError("qk_matmul_output_mode must be 0 to 3, not " + std::to_string(mode));
  }
  const Tensor q = flat ? split_heads(c.x(0), q_heads) : c.x(0);
  Tensor k = flat ? split_heads(c.x(1), kv_heads) : c.x(1);
  Tensor v = flat ? split_heads(c.x(2), kv_heads) : c.x(2);
  if (k.ndim() != 4 || v.ndim() != 4) {
    throw ShapeError("key and value must have as many dimensions as the query");
  }
  const int64_t past = c.has(4) ? c.x(4).shape(2) : 0;
  if (c.has(4)) {
    k = ops::concat({c.x(4), k}, 2);
    v = ops::concat({c.x(5), v}, 2);
  }
  const Tensor present_key = k;
  const Tensor present_value = v;
  k = repeat_heads(k, q.shape(1));
  v = repeat_heads(v, q.shape(1));
  const int64_t queries = q.shape(2);
  const int64_t keys = k.shape(2);
  const double scale = given_scale ? given_scale : 1 / std::sqrt(double(q.shape(3)));

  Tensor allowed = visible(c, queries, keys, past);
  Tensor bias;
  if (c.has(3)) {
    Tensor mask = c.x(3);
    const bool yes = mask.dtype() == DType::bool_;
    if (mask.ndim() < 1) throw ShapeError("the mask must have dimensions");
    if (const int64_t missing = keys - mask.shape(-1); missing > 0) {
      Ints widths(size_t(2 * mask.ndim()), 0);
      widths.back() = missing;
      mask = ops::pad(mask, widths, "constant", yes ? Tensor(false) : Tensor(-INFINITY));
    }
    if (yes) {
      allowed = allowed.defined() ? ops::logical_and(allowed, mask) : mask;
    } else {
      bias = mask;
    }
  }
  const Tensor none = cast_to(Tensor(-INFINITY), q.dtype());
  if (allowed.defined() && bias.defined()) bias = ops::where(allowed, bias, none);
  const bool masked = allowed.defined() || bias.defined();
  const bool plain = softcap == 0 && !c.wants(3) && !precision;
  Tensor y;
  Tensor scores;
  if (plain) {
    y = ops::scaled_dot_product_attention(q, k, v,
                                          bias.defined()      ? std::optional(bias)
                                          : allowed.defined() ? std::optional(allowed)
                                                              : std::nullopt,
                                          false, scale);
  } else {
    const double root = std::sqrt(scale);
    scores = ops::matmul(q * root, ops::matrix_transpose(k * root));
    const Tensor raw = scores;
    if (softcap > 0) scores = ops::tanh(scores / softcap) * softcap;
    const Tensor capped = scores;
    if (bias.defined()) {
      scores = scores + bias;
    } else if (allowed.defined()) {
      scores = ops::where(allowed, scores, none);
    }
    const Tensor biased = scores;
    if (precision) scores = cast_to(scores, *precision);
    scores = ops::softmax(scores, -1);
    // A query without visible keys has an output of zeros.
    if (masked) {
      scores = ops::where(ops::equal(ops::max(biased, -1, true), -INFINITY),
                          cast_to(Tensor(0.0), scores.dtype()), scores);
    }
    scores = cast_to(scores, q.dtype());
    y = ops::matmul(scores, v);
    scores = mode == 0 ? raw : mode == 1 ? capped : mode == 2 ? biased : scores;
  }
  return {flat ? merge_heads(y) : y, present_key, present_value, scores};
}

Values rotary(const Call& c) {
  const bool flat = c.x(0).ndim() == 3;
  const bool interleaved = c.flag("interleaved");
  const int64_t heads = c.i("num_heads", 0);
  const int64_t given = c.i("rotary_embedding_dim", 0);
  if (!flat && c.x(0).ndim() != 4) {
    throw ShapeError("the input must have 3 or 4 dimensions, not " + std::to_string(c.x(0).ndim()));
  }
  const Tensor x = flat ? split_heads(c.x(0), heads) : c.x(0);  // [batch, heads, steps, size]
  const int64_t size = x.shape(3);
  const int64_t turned = given ? given : size;
  if (turned < 2 || turned % 2 || turned > size) {
    throw ShapeError("the number of rotated features must be even and at most " +
                     std::to_string(size) + ", not " + std::to_string(turned));
  }
  const auto angles = [&](size_t i) {  // [batch, 1, steps, rotated features / 2]
    Tensor t = c.x(i);
    if (c.has(3)) t = ops::take(t, cast_to(c.x(3), DType::int64), 0);
    if (t.ndim() != 3 || t.shape(2) != turned / 2) {
      throw ShapeError("the angles have shape " + to_string(t.shape()) + ", which does not fit " +
                       std::to_string(turned) + " features");
    }
    return ops::expand_dims(t, {1});
  };
  const Tensor y = rotate_heads(x, angles(1), angles(2), interleaved);
  return {flat ? merge_heads(y) : y};
}

// A state [keys, values] that is updated at each step and read by each query.
Values linear_attention(const Call& c) {
  const int64_t q_heads = c.i("q_num_heads");
  const int64_t kv_heads = c.i("kv_num_heads");
  const std::string rule = c.s("update_rule", "gated_delta");
  const double given = c.f("scale", 0);
  c.ignore("chunk_size");
  one_of("update_rule", rule, {"linear", "gated", "delta", "gated_delta"});
  const bool gated = rule.starts_with("gated");
  const bool delta = rule.ends_with("delta");
  if (gated != c.has(4) || delta != c.has(5)) {
    throw ValueError("decay and beta cannot be combined with the update rule '" + rule + "'");
  }
  const auto wide = [&](size_t i, int64_t heads) {
    return cast_to(split_heads(c.x(i), heads), DType::float32);
  };
  const Tensor q = wide(0, q_heads);
  const Tensor k = wide(1, kv_heads);
  const Tensor v = wide(2, kv_heads);
  const Tensor decay = gated ? ops::exp(wide(4, kv_heads)) : Tensor();
  const Tensor beta = delta ? wide(5, c.x(5).shape(-1)) : Tensor();
  const int64_t steps = q.shape(2);
  Tensor state = c.has(3)
                     ? cast_to(c.x(3), DType::float32)
                     : ops::zeros({q.shape(0), kv_heads, k.shape(3), v.shape(3)}, DType::float32);
  const double scale = given ? given : 1 / std::sqrt(double(q.shape(3)));
  Tensors out;
  for (int64_t i = 0; i < steps; ++i) {
    c.recorder.count();
    // [batch, heads, 1, size].
    const auto at = [&](const Tensor& t) { return ops::slice(t, {i}, {i + 1}, {}, 2); };
    Tensor value = at(v);
    const Tensor key = ops::matrix_transpose(at(k));
    if (gated) state = state * ops::matrix_transpose(at(decay));
    if (delta) value = at(beta) * (value - ops::matmul(at(k), state));
    state = state + key * value;
    out.push_back(ops::matmul(at(q), repeat_heads(state, q_heads)) * scale);
  }
  const Tensor y = out.empty() ? ops::zeros({q.shape(0), q_heads, 0, v.shape(3)}, DType::float32)
                               : ops::concat(out, 2);
  return {cast_to(merge_heads(y), c.x(0).dtype()),
          cast_to(state, c.has(3) ? c.x(3).dtype() : c.x(0).dtype())};
}

const Reader readers[] = {
    {{"Attention", 23, ""}, attention},
    {{"RotaryEmbedding", 23, ""}, rotary},
    {{"LinearAttention", 27, ""}, linear_attention},
};

}  // namespace

std::span<const Reader> attention_readers() { return readers; }

}  // namespace ember::onnx
