// Normalization, dropout, attention and rotary embeddings. 16-bit floats are computed in float32
// and rounded once.
#include <cmath>

#include "src/ops/layouts.h"

namespace ember {

// Scores are relative to the maximum of their row. A fully masked row has the sum 0, which is
// replaced by 1, so that its result is 0.
std::pair<Tensor, Tensor> attention_weights(Inputs in, const Attrs& attrs) {
  const AttentionAttr& a = attrs.as<AttentionAttr>();
  const int64_t l = in[0].shape(-2);
  const int64_t s = in[1].shape(-2);
  Tensor scores = ops::matmul(widen(in[0]) * a.scale, ops::matrix_transpose(widen(in[1])));
  const Tensor never = like(scores, -HUGE_VAL);
  const Tensor zero = like(scores, 0);
  const Tensor one = like(scores, 1);
  if (in.size() > 3) {
    scores = in[3].dtype() == DType::bool_ ? ops::where(in[3], scores, never)
                                           : scores + cast_to(in[3], scores.dtype());
  }
  if (a.causal) {
    scores = ops::where(index_range(s) <= ops::reshape(index_range(l), {l, 1}), scores, never);
  }
  const Tensor top = ops::max(scores, -1, true);
  const Tensor e = ops::exp(scores - ops::where(top == never, zero, top));
  const Tensor sum = ops::sum(e, -1, true);
  return {e, ops::where(sum == zero, one, sum)};
}

// With the weights p = e / sum, y = p @ value and gp = g @ value.T, the gradient of the scores is p
// (gp - sum(gp p)), and sum(gp p) = sum(g y).
Tensors attention_gradients(Inputs in, const Tensor& y, const Tensor& given, const Attrs& attrs) {
  const auto [e, sums] = attention_weights(in, attrs);
  const double scale = attrs.as<AttentionAttr>().scale;
  const Tensor p = e / sums;
  const Tensor g = widen(given);
  const Tensor gs =
      p * (ops::matmul(g, ops::matrix_transpose(widen(in[2]))) - ops::sum(g * widen(y), -1, true));
  return {ops::matmul(gs, widen(in[1])) * scale,
          ops::matmul(ops::matrix_transpose(gs), widen(in[0]) * scale),
          ops::matmul(ops::matrix_transpose(p), g), gs};
}

namespace {

Tensors operands(std::initializer_list<const Tensor*> needed,
                 std::initializer_list<const std::optional<Tensor>*> others) {
  Tensors in;
  for (const Tensor* t : needed) in.push_back(*t);
  for (const auto* t : others) {
    if (*t) in.push_back(**t);
  }
  return in;
}

// Promotes to one real floating-point dtype.
void make_real(std::span<Tensor> in) {
  for (const Tensor& t : in) {
    if (!t.defined()) throw ValueError("an input is missing");
    if (is_complex(t.dtype())) {
      throw DTypeError("takes real dtypes, not " + std::string(name(t.dtype())));
    }
  }
  const DType t = float_of(result_dtype(in));
  promote_inputs(in, t);
}

// Scale or bias, with one number per index along `axes` of x in the order given, reshaped to
// broadcast over x; the constant `absent` when not given.
Tensor spread(const char* what, const std::optional<Tensor>& v, double absent, const Tensor& x,
              const Ints& axes) {
  if (!v) return like(x, absent);
  if (v->ndim() == 0) return *v;
  Shape wanted;
  for (int64_t a : axes) wanted.push_back(x.shape()[size_t(a)]);
  if (v->shape() != wanted) {
    throw ShapeError(std::string("the ") + what + " must have shape " + to_string(wanted) +
                     ", not " + to_string(v->shape()));
  }
  Ints order;
  Ints sorted = axes;
  std::sort(sorted.begin(), sorted.end());
  for (int64_t a : sorted) order.push_back(std::find(axes.begin(), axes.end(), a) - axes.begin());
  Shape s;
  for (int64_t d = sorted[0]; d < x.ndim(); ++d) {
    s.push_back(std::find(sorted.begin(), sorted.end(), d) == sorted.end() ? 1
                                                                           : x.shape()[size_t(d)]);
  }
  return ops::reshape(ops::transpose(*v, order), s);
}

void check_eps(double eps) {
  if (!(eps >= 0)) throw ValueError("eps must not be negative: " + std::to_string(eps));
}

// The axes in the order given; all by default.
Ints axes_of(const Axes& axes, const Tensor& x) {
  return axes ? normal_axes(*axes, x.ndim()) : normal_axes(axes, x.ndim());
}
NormAttr norm_attr(Ints axes, double eps) {
  check_eps(eps);
  std::sort(axes.begin(), axes.end());
  return {std::move(axes), eps};
}

Type infer_norm(Inputs in, const Attrs&) {
  for (const Tensor& t : in.subspan(1)) {
    if (broadcast_shapes(t.shape(), in[0].shape()) != in[0].shape()) {
      throw ShapeError("shape " + to_string(t.shape()) + " does not broadcast to " +
                       to_string(in[0].shape()));
    }
  }
  return {in[0].dtype(), in[0].shape()};
}

Tensors compose_layer_norm(Inputs in, const Attrs& attrs) {
  const NormAttr& a = attrs.as<NormAttr>();
  const Tensor x = widen(in[0]);
  const Tensor d = x - ops::mean(x, a.axes, true);
  const Tensor y = d * ops::rsqrt(ops::mean(ops::square(d), a.axes, true) + like(x, a.eps));
  return {cast_to(y * widen(in[1]) + widen(in[2]), in[0].dtype())};
}

DType held(DType t) { return size_of(t) == 2 ? DType::float32 : t; }  // the dtype of gradients
// The axes of x that are not normalized.
Ints other_axes(const Tensor& x, const Attrs& attrs) {
  const Ints& axes = attrs.as<NormAttr>().axes;
  Ints others;
  for (int64_t d = 0; d < x.ndim(); ++d) {
    if (std::find(axes.begin(), axes.end(), d) == axes.end()) others.push_back(d);
  }
  return others;
}
Types infer_layer_norm_grad(Inputs in, const Attrs& attrs) {
  const Tensor& x = in[1];
  infer_norm(in.subspan(1), attrs);
  if (in[0].shape() != x.shape()) {
    throw ShapeError("g has shape " + to_string(in[0].shape()) + ", x " + to_string(x.shape()));
  }
  const DType t = held(x.dtype());
  const Shape each = reduced_shape(x.shape(), other_axes(x, attrs), true);
  return {{t, x.shape()}, {t, each}, {t, each}};
}
Tensors compose_layer_norm_grad(Inputs in, const Attrs& attrs) {
  const auto& a = attrs.as<NormAttr>();
  const Tensor g = widen(in[0]);
  const Tensor x = widen(in[1]);
  const Tensor d = x - ops::mean(x, a.axes, true);
  const Tensor factor = ops::rsqrt(ops::mean(ops::square(d), a.axes, true) + like(x, a.eps));
  const Tensor n = d * factor;
  const Tensor gn = g * widen(in[2]);
  const Ints others = other_axes(x, attrs);
  return {(gn - ops::mean(gn, a.axes, true) - n * ops::mean(gn * n, a.axes, true)) * factor,
          ops::sum(g * n, others, true), ops::sum(g, others, true)};
}

Tensors compose_rms_norm(Inputs in, const Attrs& attrs) {
  const NormAttr& a = attrs.as<NormAttr>();
  const Tensor x = widen(in[0]);
  return {cast_to(
      x * ops::rsqrt(ops::mean(ops::square(x), a.axes, true) + like(x, a.eps)) * widen(in[1]),
      in[0].dtype())};
}
Tensors compose_batch_norm(Inputs in, const Attrs& attrs) {
  const Tensor x = widen(in[0]);
  const Tensor factor = ops::rsqrt(widen(in[2]) + like(x, attrs.as<NormAttr>().eps)) * widen(in[3]);
  return {cast_to((x - widen(in[1])) * factor + widen(in[4]), in[0].dtype())};
}

// query [.., l, e], key [.., s, e], value [.., s, v], optionally a mask that broadcasts to [.., l,
// s].
Type infer_attention(Inputs in, const Attrs&) {
  const Tensor& q = in[0];
  const Tensor& k = in[1];
  const Tensor& v = in[2];
  for (const Tensor& t : in.first(3)) {
    if (!is_float(t.dtype())) {
      throw DTypeError("takes real floating-point dtypes, not " + std::string(name(t.dtype())));
    }
    if (t.dtype() != q.dtype()) throw DTypeError("query, key and value must have one dtype");
    if (t.ndim() < 2) throw ShapeError("query, key and value must have at least two dimensions");
  }
  if (q.shape(-1) != k.shape(-1)) {
    throw ShapeError("query and key differ in their last axis: " + std::to_string(q.shape(-1)) +
                     " and " + std::to_string(k.shape(-1)));
  }
  if (k.shape(-2) != v.shape(-2)) {
    throw ShapeError("key and value differ in length: " + std::to_string(k.shape(-2)) + " and " +
                     std::to_string(v.shape(-2)));
  }
  Shape s = broadcast_shapes(broadcast_shapes(batch_of(q), batch_of(k)), batch_of(v));
  if (in.size() > 3) {
    Shape scores = s;
    scores.push_back(q.shape(-2));
    scores.push_back(k.shape(-2));
    if (in[3].dtype() != DType::bool_ && !is_float(in[3].dtype())) {
      throw DTypeError("the mask must be bool or floating-point, not " +
                       std::string(name(in[3].dtype())));
    }
    if (broadcast_shapes(in[3].shape(), scores) != scores) {
      throw ShapeError("a mask of shape " + to_string(in[3].shape()) + " does not broadcast to " +
                       to_string(scores));
    }
  }
  s.push_back(q.shape(-2));
  s.push_back(v.shape(-1));
  return {q.dtype(), std::move(s)};
}

Tensors compose_attention(Inputs in, const Attrs& attrs) {
  if (in[1].shape(-2) == 0) {
    return {ops::broadcast_to(like(in[0], 0), infer_attention(in, attrs).shape)};
  }
  const auto [e, sum] = attention_weights(in, attrs);
  return {cast_to(ops::matmul(e, widen(in[2])) / sum, in[0].dtype())};
}

// Of y = attention(query, key, value, mask), its cotangent g, and attention's inputs. The gradients
// have y's batch.
Types infer_attention_grad(Inputs in, const Attrs& attrs) {
  const Type y = infer_attention(in.subspan(2), attrs);
  for (const Tensor& t : in.first(2)) {
    if (t.shape() != y.shape) {
      throw ShapeError("y and g must have shape " + to_string(y.shape) + ", not " +
                       to_string(t.shape()));
    }
  }
  Types r;
  for (const Tensor& t : in.subspan(2, 3)) {
    r.push_back({held(t.dtype()), with(batch_of(in[0]), {t.shape(-2), t.shape(-1)})});
  }
  return r;
}
Tensors compose_attention_grad(Inputs in, const Attrs& attrs) {
  const Types types = infer_attention_grad(in, attrs);
  Tensors r;
  if (in[3].shape(-2) == 0) {
    for (const Type& t : types) {
      Tensor zero = Tensor(0.0);
      r.push_back(ops::broadcast_to(cast_to(zero, t.dtype), t.shape));
    }
    return r;
  }
  r = attention_gradients(in.subspan(2), in[0], in[1], attrs);
  r.pop_back();
  return r;
}

AttentionAttr attention_attr(const Tensor& query, bool causal, std::optional<double> scale) {
  const int64_t e = query.ndim() ? query.shape(-1) : 0;
  return {.causal = causal, .scale = scale.value_or(e ? 1 / std::sqrt(double(e)) : 1)};
}

// Repeats each key or value head for the group of query heads that shares it.
Tensor repeat_heads(const Tensor& kv, const Tensor& q) {
  if (q.ndim() < 3 || kv.ndim() < 3 || kv.shape(-3) <= 1 || q.shape(-3) == 1 ||
      q.shape(-3) == kv.shape(-3)) {
    return kv;
  }
  const int64_t heads = q.shape(-3);
  const int64_t groups = kv.shape(-3);
  if (heads % groups) {
    throw ShapeError(std::to_string(heads) + " query heads are not a multiple of " +
                     std::to_string(groups));
  }
  Shape expanded = kv.shape();
  Shape wide;
  Shape joined = kv.shape();
  const size_t at = expanded.size() - 3;
  expanded.insert(at + 1, 1);
  wide = expanded;
  wide[at + 1] = heads / groups;
  joined[at] = heads;
  return ops::reshape(ops::broadcast_to(ops::reshape(kv, expanded), wide), joined);
}

}  // namespace

namespace ops {

Tensor batch_norm(const Tensor& x, const Tensor& mean, const Tensor& variance,
                  const std::optional<Tensor>& scale, const std::optional<Tensor>& bias,
                  int64_t axis, double eps) {
  const Tensors given = operands({&x, &mean, &variance}, {&scale, &bias});
  return named("batch_norm", "x, mean, variance, scale, bias", given, [&] {
    const Ints axes{normal_axis(axis, x.ndim())};
    Tensor in[] = {x, spread("mean", mean, 0, x, axes), spread("variance", variance, 1, x, axes),
                   spread("scale", scale, 1, to_float(x), axes),
                   spread("bias", bias, 0, to_float(x), axes)};
    make_real(in);
    return apply(OpId::batch_norm, in, norm_attr(axes, eps));
  });
}
Tensor layer_norm(const Tensor& x, const std::optional<Tensor>& scale,
                  const std::optional<Tensor>& bias, const Axes& axes, double eps) {
  const Tensors given = operands({&x}, {&scale, &bias});
  return named("layer_norm", "x, scale, bias", given, [&] {
    const Ints along = axes_of(axes, x);
    Tensor in[] = {x, spread("scale", scale, 1, to_float(x), along),
                   spread("bias", bias, 0, to_float(x), along)};
    make_real(in);
    return apply(OpId::layer_norm, in, norm_attr(along, eps));
  });
}
Tensor rms_norm(const Tensor& x, const std::optional<Tensor>& scale, const Axes& axes, double eps) {
  const Tensors given = operands({&x}, {&scale});
  return named("rms_norm", "x, scale", given, [&] {
    const Ints along = axes_of(axes, x);
    Tensor in[] = {x, spread("scale", scale, 1, to_float(x), along)};
    make_real(in);
    return apply(OpId::rms_norm, in, norm_attr(along, eps));
  });
}
Tensor group_norm(const Tensor& x, int64_t groups, const std::optional<Tensor>& scale,
                  const std::optional<Tensor>& bias, double eps) {
  const Tensors given = operands({&x}, {&scale, &bias});
  return named("group_norm", "x, scale, bias", given, [&] {
    if (x.ndim() < 2) {
      throw ShapeError("the input must have at least 2 dimensions, not " +
                       std::to_string(x.ndim()));
    }
    if (groups < 1) throw ValueError("groups must be at least 1, not " + std::to_string(groups));
    const int64_t n = x.shape(0);
    const int64_t c = x.shape(1);
    if (c % groups) {
      throw ShapeError(std::to_string(groups) + " groups do not divide " + std::to_string(c) +
                       " channels");
    }
    Tensor in[] = {x, spread("scale", scale, 1, to_float(x), {1}),
                   spread("bias", bias, 0, to_float(x), {1})};
    make_real(in);
    Shape grouped{n, groups, c / groups};
    for (int64_t d = 2; d < x.ndim(); ++d) grouped.push_back(x.shape(d));
    Ints axes;
    for (int64_t d = 2; d < int64_t(grouped.size()); ++d) axes.push_back(d);
    const Tensor y =
        reshape(layer_norm(reshape(widen(in[0]), grouped), {}, {}, axes, eps), x.shape());
    return cast_to(y * widen(in[1]) + widen(in[2]), in[0].dtype());
  });
}
Tensor instance_norm(const Tensor& x, const std::optional<Tensor>& scale,
                     const std::optional<Tensor>& bias, double eps, std::string_view layout) {
  const Tensors given = operands({&x}, {&scale, &bias});
  return named("instance_norm", "x, scale, bias", given, [&] {
    one_of("layout", layout, {"nchw", "nhwc"});
    if (x.ndim() < 3) {
      throw ShapeError("the input must have at least 3 dimensions, not " +
                       std::to_string(x.ndim()));
    }
    const int64_t channel = layout == "nchw" ? 1 : x.ndim() - 1;
    Tensor in[] = {x, spread("scale", scale, 1, to_float(x), {channel}),
                   spread("bias", bias, 0, to_float(x), {channel})};
    make_real(in);
    Ints axes;
    for (int64_t d = 1; d < x.ndim(); ++d) {
      if (d != channel) axes.push_back(d);
    }
    return cast_to(layer_norm(widen(in[0]), {}, {}, axes, eps) * widen(in[1]) + widen(in[2]),
                   in[0].dtype());
  });
}

Tensor dropout(const Tensor& given, double p, bool training) {
  return named("dropout", given, [&]() -> Tensor {
    if (!(p >= 0 && p <= 1)) {
      throw ValueError("p must be between 0 and 1, not " + std::to_string(p));
    }
    const Tensor x = to_float(given);
    if (!training || p == 0) return x;
    if (p == 1) return zeros_like(x);
    return where(random_uniform(x.shape(), 0, 1, DType::float32) >= p, x * (1 / (1 - p)),
                 like(x, 0));
  });
}

Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                    const std::optional<Tensor>& mask, bool causal,
                                    std::optional<double> scale) {
  const Tensors given = operands({&query, &key, &value}, {&mask});
  return named("scaled_dot_product_attention", "query, key, value, mask", given, [&] {
    Tensors in{query, key, value};
    check_kin(in);
    DType t = float_of(result_dtype(in));
    // A wider mask widens the result, but not that of 16-bit floats, which are computed in float32
    // anyway.
    if (mask && is_float(mask->dtype()) && !mask->node()->weak && t != DType::float16 &&
        t != DType::bfloat16) {
      t = promote(t, mask->dtype());
    }
    promote_inputs(in, t);
    in[1] = repeat_heads(in[1], query);
    in[2] = repeat_heads(in[2], query);
    if (mask) in.push_back(*mask);
    return apply(OpId::attention, in, attention_attr(query, causal, scale));
  });
}

// Pair i of the features at position t is rotated by the angle t * base^(-2i / features).
Tensor rope(const Tensor& given, const std::optional<Tensor>& positions, double base,
            bool interleaved) {
  const Tensors all = operands({&given}, {&positions});
  return named("rope", "x, positions", all, [&]() -> Tensor {
    constexpr int64_t longest = int64_t(1) << 26;
    if (is_complex(given.dtype())) {
      throw DTypeError("takes real dtypes, not " + std::string(name(given.dtype())));
    }
    if (given.ndim() < (positions ? 1 : 2)) {
      throw ShapeError("the input must have the axes [..., steps, features]");
    }
    const int64_t features = given.shape(-1);
    const int64_t half = features / 2;
    if (features % 2 || features > longest) {
      throw ShapeError("the last axis must have an even number of features, not " +
                       std::to_string(features));
    }
    if (!(base > 0) || !std::isfinite(base)) {
      throw ValueError("base must be positive, not " + std::to_string(base));
    }
    const Shape places(given.shape().begin(), given.shape().end() - 1);
    if (positions && broadcast_shapes(positions->shape(), places) != places) {
      throw ShapeError("positions of shape " + to_string(positions->shape()) +
                       " do not broadcast to " + to_string(places));
    }
    const Tensor x = widen(to_float(given));
    if (x.size() == 0) return to_float(given);
    std::vector<double> rates;
    for (int64_t i = 0; i < half; ++i) {
      rates.push_back(std::pow(base, -2.0 * double(i) / double(features)));
    }
    const Tensor steps = cast_to(positions ? *positions : index_range(given.shape(-2)), x.dtype());
    const Tensor angles = expand_dims(steps, {-1}) * cast_to(array(rates), x.dtype());
    const Tensor c = cos(angles);
    const Tensor s = sin(angles);
    Tensor a;
    Tensor b;
    if (interleaved) {
      Shape pairs = places;
      pairs.push_back(half);
      pairs.push_back(2);
      const Tensors parts = unstack(reshape(x, pairs), -1);
      a = parts[0];
      b = parts[1];
    } else {
      const Tensors parts = split(x, 2, -1);
      a = parts[0];
      b = parts[1];
    }
    const Tensor first = a * c - b * s;
    const Tensor second = b * c + a * s;
    return cast_to(interleaved ? reshape(stack({first, second}, -1), given.shape())
                               : concat({first, second}, -1),
                   float_of(given.dtype()));
  });
}

}  // namespace ops

namespace {

// ---- Gradients ----
using namespace ops;

Gradients vjp_layer_norm(const Vjp& v) {
  Tensor in[] = {v.g[0], v.x[0], v.x[1]};
  return apply_many(OpId::layer_norm_grad, in, v.attrs);
}
Gradients vjp_rms_norm(const Vjp& v) {
  const auto& a = v.attrs.as<NormAttr>();
  const Tensor x = widen(v.x[0]);
  const Tensor g = widen(v.g[0]);
  const Tensor factor = rsqrt(mean(square(x), a.axes, true) + like(x, a.eps));
  const Tensor n = x * factor;
  const Tensor gn = g * widen(v.x[1]);
  return {(gn - n * mean(gn * n, a.axes, true)) * factor, g * n};
}
Gradients vjp_batch_norm(const Vjp& v) {  // the statistics are inputs of their own
  const Tensor g = widen(v.g[0]);
  const Tensor root = rsqrt(widen(v.x[2]) + v.attrs.as<NormAttr>().eps);
  const Tensor scale = widen(v.x[3]);
  const Tensor n = (widen(v.x[0]) - widen(v.x[1])) * root;
  return {g * (root * scale), v.needs[1] ? -g * (root * scale) : Tensor(),
          v.needs[2] ? g * n * (square(root) * scale * -0.5) : Tensor(), g * n, g};
}

Gradients vjp_attention(const Vjp& v) {
  if (v.x[1].shape(-2) == 0) return {};
  if (v.x.size() > 3 && v.needs[3]) return attention_gradients(v.x, v.y[0], v.g[0], v.attrs);
  Tensors in{v.y[0], v.g[0]};
  in.insert(in.end(), v.x.begin(), v.x.end());
  return apply_many(OpId::attention_grad, in, v.attrs);
}

}  // namespace

namespace {
using binder::fn;

std::tuple<Tensor, Tensor, Tensor> three(const Tensors& t) { return {t[0], t[1], t[2]}; }
std::tuple<Tensor, Tensor, Tensor> layer_norm_grad(const Tensor& g, const Tensor& x,
                                                   const std::optional<Tensor>& scale,
                                                   const Axes& axes, double eps) {
  const Tensors given = operands({&g, &x}, {&scale});
  return named("layer_norm_grad", "g, x, scale", given, [&] {
    const Ints along = axes_of(axes, x);
    Tensor in[] = {g, x, spread("scale", scale, 1, to_float(x), along)};
    make_real(in);
    return three(apply_many(OpId::layer_norm_grad, in, norm_attr(along, eps)));
  });
}
std::tuple<Tensor, Tensor, Tensor> attention_grad(const Tensor& y, const Tensor& g,
                                                  const Tensor& query, const Tensor& key,
                                                  const Tensor& value,
                                                  const std::optional<Tensor>& mask, bool causal,
                                                  std::optional<double> scale) {
  Tensors in{y, g, query, key, value};
  return named("attention_grad", "y, g, query, key, value, mask", in, [&] {
    make_real(in);
    if (mask) in.push_back(*mask);
    return three(apply_many(OpId::attention_grad, in, attention_attr(query, causal, scale)));
  });
}

#define NORM(op, n, a, d, ...)                                                      \
  GRAPH_OP(op, a, d, .arity = {n, n}, .kinds = k_float, .promote = Promote::common, \
           .infer = infer_norm, .compose = compose_##op, __VA_ARGS__)
const Row rows[] = {
    NORM(batch_norm, 5, "x, mean, variance, scale=None, bias=None, axis=1, eps=1e-5",
         "(x - mean) / sqrt(variance + eps) * scale + bias, with one value of each for a channel.",
         .vjp = vjp_batch_norm, .reads = reads_x | reads_x2 | reads_x3 | reads_x4),
    NORM(layer_norm, 3, "x, scale=None, bias=None, axes=-1, eps=1e-5",
         "(x - mean) / sqrt(variance + eps) * scale + bias, with the moments of x over axes.",
         .vjp = vjp_layer_norm, .reads = reads_x | reads_x2),
    {.name = "layer_norm_grad",
     .args = "g, x, scale=None, axes=-1, eps=1e-5 -> x_grad, scale_grad, bias_grad",
     .doc = "Gradients of layer_norm's x, scale and bias for the cotangent g of its result.",
     .call = fn<layer_norm_grad>,
     .id = OpId::layer_norm_grad,
     .arity = {3, 3},
     .kinds = k_float,
     .promote = Promote::common,
     .infer_many = infer_layer_norm_grad,
     .compose = compose_layer_norm_grad},
    NORM(rms_norm, 2, "x, scale=None, axes=-1, eps=1e-5",
         "x / sqrt(mean(x^2) + eps) * scale, with the mean over axes.", .vjp = vjp_rms_norm,
         .reads = reads_x | reads_x2),
    FUN(group_norm, "x, groups, scale=None, bias=None, eps=1e-5",
        "Normalization over groups of channels in each sample."),
    FUN(instance_norm, "x, scale=None, bias=None, eps=1e-5, layout=\"nchw\"",
        "Normalization over the spatial axes of each sample and channel."),
    FUN(dropout, "x, p=0.5, training=True",
        "x with elements set to 0 with probability p and the others divided by 1 - p."),
    {.name = "scaled_dot_product_attention",
     .args = "query, key, value, mask=None, causal=False, scale=None",
     .doc = "softmax(query @ key.T * scale + mask) @ value; a bool mask is true where a query may "
            "attend.",
     .call = fn<ops::scaled_dot_product_attention>,
     .id = OpId::attention,
     .arity = {3, 4},
     .infer = infer_attention,
     .compose = compose_attention,
     .vjp = vjp_attention,
     .reads = reads_all_x | reads_y},
    {.name = "attention_grad",
     .args = "y, g, query, key, value, mask=None, causal=False, scale=None -> query_grad, "
             "key_grad, value_grad",
     .doc = "Gradients of scaled_dot_product_attention's query, key and value for its result y and "
            "the cotangent g of y.",
     .call = fn<attention_grad>,
     .id = OpId::attention_grad,
     .arity = {5, 6},
     .infer_many = infer_attention_grad,
     .compose = compose_attention_grad},
    FUN(rope, "x, positions=None, base=10000, interleaved=False",
        "Rotary position embedding: feature pairs rotated by angles proportional to the position."),
};
#undef NORM
}  // namespace

std::span<const Row> normalization_rows() { return rows; }

}  // namespace ember
