// com.microsoft: attention and rotary embedding.
#include <cmath>
#include <limits>

#include "src/graph/graph.h"
#include "src/onnx/read/heads.h"
#include "src/onnx/read/quantization.h"
#include "src/ops/layouts.h"

namespace ember::onnx {
namespace {

Tensor counting(int64_t n) { return ops::arange(0, double(n), 1, DType::int64); }
Tensor part(const Tensor& x, int64_t start, int64_t stop, int64_t axis) {
  return ops::slice(x, {start}, {stop}, {}, axis);
}

struct Sizes {
  int64_t batch, queries, keys;
};

// The bias that a mask adds to the scores: 0 for visible keys, `filter` for others. A mask contains
// the keys' lengths [batch], their ends and starts [2 * batch], or one flag per key, [batch, keys]
// or [batch, queries, keys].
Tensor mask_scores(const Call& c, const Tensor& mask, const Sizes& n, double filter, DType dtype) {
  const auto per_sample = [&](const Tensor& t) {
    return ops::reshape(cast_to(t, DType::int64), {n.batch, 1, 1, 1});
  };
  Tensor counts;
  if (mask.shape() == Shape{n.batch}) {
    counts = ops::less(counting(n.keys), per_sample(mask));
  } else if (mask.shape() == Shape{2 * n.batch}) {
    const Tensor ends = per_sample(part(mask, 0, n.batch, 0));
    const Tensor starts = per_sample(part(mask, n.batch, 2 * n.batch, 0));
    counts = ops::logical_and(ops::less(counting(n.keys), ends), counting(n.keys) >= starts);
  } else if (mask.shape() == Shape{n.batch, n.keys}) {
    counts = ops::greater(ops::reshape(mask, {n.batch, 1, 1, n.keys}), 0);
  } else if (mask.shape() == Shape{n.batch, n.queries, n.keys}) {
    counts = ops::greater(ops::expand_dims(mask, {1}), 0);
  } else {
    c.refuse("a mask of shape " + to_string(mask.shape()) + " for " + std::to_string(n.batch) +
             " samples of " + std::to_string(n.queries) + " queries and " + std::to_string(n.keys) +
             " keys");
  }
  return ops::where(counts, cast_to(Tensor(0.0), dtype), cast_to(Tensor(filter), dtype));
}

// A causal bias. The queries are the last of the keys' positions.
Tensor causal_scores(const Sizes& n, DType dtype) {
  const Tensor place = ops::reshape(counting(n.queries), {n.queries, 1}) + (n.keys - n.queries);
  return ops::where(counting(n.keys) <= place, cast_to(Tensor(0.0), dtype),
                    cast_to(Tensor(-INFINITY), dtype));
}

Tensor attend(const Call& c, const Tensor& q, const Tensor& k, const Tensor& v,
              const std::optional<Tensor>& mask, const std::optional<Tensor>& bias) {
  const Sizes n{q.shape(0), q.shape(2), k.shape(2)};
  const double filter = c.f("mask_filter_value", -10000);
  const double scale = c.f("scale", 0);
  std::optional<Tensor> scores = bias;
  const auto add = [&](const Tensor& t) { scores = scores ? *scores + t : t; };
  if (mask) add(mask_scores(c, *mask, n, filter, q.dtype()));
  if (c.flag("unidirectional")) add(causal_scores(n, q.dtype()));
  return ops::scaled_dot_product_attention(q, k, v, scores, false,
                                           scale != 0 ? scale : 1 / std::sqrt(double(q.shape(3))));
}

// Attention from the product of the input with a weight [features, columns] that contains the
// projections of queries, keys and values.
Values attention_of(const Call& c, const Tensor& product, std::optional<Tensor> mask,
                    std::optional<Tensor> past, const std::optional<Tensor>& bias) {
  const int64_t heads = c.i("num_heads");
  const int64_t columns = product.shape(2);
  const int64_t third = columns / 3;
  if (c.flag("do_rotary")) c.refuse("do_rotary");
  if (c.flag("past_present_share_buffer")) c.refuse("a past in a separate buffer");
  c.ignore("rotary_embedding_dim");
  const Ints sizes = c.list_of("qkv_hidden_sizes").value_or(Ints{third, third, third});
  if (sizes.size() != 3 || sizes[0] < 1 || sizes[2] < 1 || sizes[0] != sizes[1] ||
      sizes[0] + sizes[1] + sizes[2] != columns) {
    throw ShapeError("queries, keys and values of " + to_string(sizes) +
                     " features do not add up to " + std::to_string(columns) + " columns");
  }
  const auto projected = [&](int64_t start, int64_t size) {
    return split_heads(part(product, start, start + size, 2), heads);
  };
  const Tensor q = projected(0, sizes[0]);
  Tensor k = projected(sizes[0], sizes[1]);
  Tensor v = projected(2 * sizes[0], sizes[2]);
  if (past) {
    const Tensors before = ops::unstack(*past, 0);
    if (before.size() != 2) {
      throw ShapeError("the past must hold keys and values, not shape " + to_string(past->shape()));
    }
    k = ops::concat({before[0], k}, 2);
    v = ops::concat({before[1], v}, 2);
  }
  const Tensor y = attend(c, q, k, v, mask, bias);
  return {merge_heads(y), c.wants(1) ? ops::stack({k, v}, 0) : Tensor()};
}
void check_product(const Call& c) {
  if (c.x(0).ndim() != 3 || c.x(1).ndim() != 2) {
    throw ShapeError("the input must be [batch, steps, features] and the weight a matrix, not " +
                     to_string(c.x(0).shape()) + " and " + to_string(c.x(1).shape()));
  }
}

// Inputs: x, weight, bias, mask, past, bias of the scores.
Values attention(const Call& c) {
  check_product(c);
  if (c.has(6)) c.refuse("a past in a separate buffer");
  const Tensor product = ops::matmul(c.x(0), c.x(1));
  return attention_of(c, c.has(2) ? product + c.x(2) : product, c.maybe(3), c.maybe(4), c.maybe(5));
}
// Inputs: x, weight, bias, their scales, mask, their zero points, past.
Values quantized_attention(const Call& c) {
  check_product(c);
  const Tensor sums =
      ops::matmul(subtract_zero_point(c, 0, 6, -1), subtract_zero_point(c, 1, 7, -1));
  const Tensor product =
      cast_to(sums, DType::float32) * (as_scalar(c.x(3)) * as_scalar(c.x(4))) + c.x(2);
  return attention_of(c, product, c.maybe(5), c.maybe(8), {});
}

// Inputs: query, key, value, bias of all three, mask, bias of the scores, past keys and values. The
// query may contain the keys ([batch, steps, heads, 3, size]), the key the values ([batch, steps,
// heads, 2, size]), or key and value may be split into heads ([batch, heads, steps, size]).
Values multi_head_attention(const Call& c) {
  const int64_t heads = c.i("num_heads");
  if (c.has(8) || c.has(9)) c.refuse("a past in a separate buffer");
  if (c.wants(3)) c.refuse("an output for the scores");
  // [batch, steps, heads, parts, size] to [batch, heads, steps, size].
  const auto packed = [&](size_t input, int64_t k) {
    return ops::permute_dims(ops::squeeze(part(c.x(input), k, k + 1, 3), 3), {0, 2, 1, 3});
  };
  Tensor q;
  Tensor k;
  Tensor v;
  if (c.x(0).ndim() == 5) {
    if (c.has(1) || c.has(2) || c.has(3)) c.refuse("packed queries with keys, values or a bias");
    q = packed(0, 0);
    k = packed(0, 1);
    v = packed(0, 2);
  } else {
    int64_t used = 0;
    const auto projected = [&](size_t input) {
      Tensor x = c.x(input);
      if (x.ndim() == 4) return x;
      if (x.ndim() != 3) {
        throw ShapeError("input " + std::to_string(input) + " has shape " + to_string(x.shape()));
      }
      if (c.has(3)) x = x + part(c.x(3), used, used + x.shape(2), 0);
      used += x.shape(2);
      return split_heads(x, heads);
    };
    q = projected(0);
    if (c.x(1).ndim() == 5) {
      if (c.has(2) || c.has(3)) c.refuse("packed keys with values or a bias");
      k = packed(1, 0);
      v = packed(1, 1);
    } else {
      k = projected(1);
      v = projected(2);
    }
  }
  if (c.has(6) != c.has(7)) throw ValueError("past keys and values must be given together");
  if (c.has(6)) {
    k = ops::concat({c.x(6), k}, 2);
    v = ops::concat({c.x(7), v}, 2);
  }
  return {merge_heads(attend(c, q, k, v, c.maybe(4), c.maybe(5))), k, v};
}

// Rows of a table of angles at positions [batch, steps], as [batch, 1, steps, features].
Tensor angles_at(const Tensor& table, const Tensor& positions) {
  if (table.ndim() != 2) {
    throw ShapeError("the angles must be a table, not of shape " + to_string(table.shape()));
  }
  return ops::expand_dims(ops::take(table, cast_to(positions, DType::int64), 0), {1});
}

// Inputs: x, positions (one per step, or the first), tables of cosines and sines.
Values rotary(const Call& c) {
  int64_t heads = c.i("num_heads", 0);
  const int64_t given = c.i("rotary_embedding_dim", 0);
  const bool interleaved = c.flag("interleaved");
  if (c.flag("is_packed_batching")) c.refuse("is_packed_batching");
  c.ignore("scale");
  const bool flat = c.x(0).ndim() == 3;
  if (flat && !heads) {
    heads = c.x(0).shape(2) / std::max<int64_t>(1, given ? given : 2 * c.x(2).shape(-1));
  }
  if (!flat && c.x(0).ndim() != 4) {
    throw ShapeError("the input must have 3 or 4 dimensions, not " + std::to_string(c.x(0).ndim()));
  }
  const Tensor x = flat ? split_heads(c.x(0), heads) : c.x(0);
  Tensor positions = cast_to(c.x(1), DType::int64);
  if (positions.size() == 1) positions = ops::reshape(positions, {1, 1}) + counting(x.shape(2));
  const Tensor y =
      rotate_heads(x, angles_at(c.x(2), positions), angles_at(c.x(3), positions), interleaved);
  return {flat ? merge_heads(y) : y};
}

// Inputs: query, key, value, past keys and values, the length of each sample minus 1, the largest
// length, tables of cosines and sines, positions, bias of the scores. New keys follow each sample's
// own past, at its own position in the common buffer.
Values group_query_attention(const Call& c) {
  const int64_t heads = c.i("num_heads");
  const int64_t shared = c.i("kv_num_heads");
  const int64_t window = c.i("local_window_size", -1);
  const bool rotate = c.flag("do_rotary");
  const bool interleaved = c.flag("rotary_interleaved");
  const double given_scale = c.f("scale", 0);
  const double softcap = c.f("softcap", 0);
  if (c.i("smooth_softmax", 0) > 0 || c.has(11)) c.refuse("a softmax with a sink");
  if (c.i("qk_output", 0) || c.wants(3)) c.refuse("an output for the scores");
  for (const char* kind : {"k_quant_type", "v_quant_type"}) {
    if (c.s(kind, "NONE") != "NONE") c.refuse("a quantized past");
  }
  c.ignore("kv_cache_bit_width");
  Tensor query = c.x(0);
  Tensor key = c.has(1) ? c.x(1) : Tensor();
  Tensor value = c.has(2) ? c.x(2) : Tensor();
  if (query.ndim() != 3 || heads < 1 || shared < 1) {
    throw ShapeError("the query must be [batch, steps, features]");
  }
  if (!key.defined()) {  // query, key and value are concatenated
    const int64_t size = query.shape(2) / (heads + 2 * shared);
    value = part(query, (heads + shared) * size, (heads + 2 * shared) * size, 2);
    key = part(query, heads * size, (heads + shared) * size, 2);
    query = part(query, 0, heads * size, 2);
  }
  Tensor q = split_heads(query, heads);
  Tensor k = split_heads(key, shared);
  const Tensor v = split_heads(value, shared);
  const int64_t batch = q.shape(0);
  const int64_t steps = q.shape(2);
  const int64_t total = c.integer(6, "the longest length");
  const Tensor length = ops::reshape(cast_to(c.x(5), DType::int64), {batch, 1}) + 1;
  const Tensor past = steps == total ? ops::zeros_like(length) : length - steps;  // [batch, 1]
  const Tensor places = past + counting(steps);  // of the new steps, [batch, steps]
  if (rotate) {
    const Tensor positions = c.has(9) ? c.x(9) : places;
    const Tensor cos = angles_at(c.x(7), positions);
    const Tensor sin = angles_at(c.x(8), positions);
    q = rotate_heads(q, cos, sin, interleaved);
    k = rotate_heads(k, cos, sin, interleaved);
  }
  const int64_t buffer = c.has(3) ? std::max(c.x(3).shape(2), total) : total;
  const Tensor slot =
      ops::reshape(counting(buffer), {1, 1, buffer, 1}) - ops::reshape(past, {batch, 1, 1, 1});
  const Tensor is_new = ops::logical_and(slot >= 0, ops::less(slot, steps));
  const auto appended = [&](const Tensor& now, size_t before) {
    const Tensor fresh =
        ops::take_along_axis(now, ops::clip(slot, Tensor(0), Tensor(steps - 1)), 2);
    if (!c.has(before)) return ops::where(is_new, fresh, ops::zeros_like(fresh));
    const Tensor old = ops::pad(c.x(before), {0, 0, 0, 0, 0, buffer - c.x(before).shape(2), 0, 0});
    return ops::where(is_new, fresh, old);
  };
  const Tensor present_key = appended(k, 3);
  const Tensor present_value = appended(v, 4);

  // Removes the empty end of the buffer, which no query sees.
  const auto seen = [&](const Tensor& t) {
    return repeat_heads(buffer == total ? t : part(t, 0, total, 2), heads);
  };
  const Tensor column = counting(total);
  const Tensor row = ops::reshape(places, {batch, 1, steps, 1});
  Tensor visible = column <= row;
  if (window > 0) visible = ops::logical_and(visible, ops::less(row - column, window));
  const double scale = given_scale != 0 ? given_scale : 1 / std::sqrt(double(q.shape(3)));
  const Tensor none = cast_to(Tensor(-INFINITY), q.dtype());
  Tensor bias = ops::where(visible, cast_to(Tensor(0.0), q.dtype()), none);
  if (c.has(10)) bias = bias + part(c.x(10), 0, total, 3);
  Tensor y;
  if (softcap > 0) {
    const Tensor scores = ops::matmul(q, ops::matrix_transpose(seen(present_key))) * scale;
    y = ops::matmul(ops::softmax(ops::tanh(scores / softcap) * softcap + bias, -1),
                    seen(present_value));
  } else {
    y = ops::scaled_dot_product_attention(q, seen(present_key), seen(present_value), bias, false,
                                          scale);
  }
  return {merge_heads(y), present_key, present_value};
}

#define MS "com.microsoft"
const Reader readers[] = {
    {{"Attention", 1, "neither rotary embedding nor a shared buffer for the past", MS}, attention},
    {{"QAttention", 1, "as Attention", MS}, quantized_attention},
    {{"MultiHeadAttention", 1, "no shared buffer for the past", MS}, multi_head_attention},
    {{"GroupQueryAttention", 1, "the total length must be known while recording; no sinks", MS},
     group_query_attention},
    {{"RotaryEmbedding", 1, "no packed batches", MS}, rotary},
};
#undef MS

}  // namespace

std::span<const Reader> microsoft_attention_readers() { return readers; }

}  // namespace ember::onnx
