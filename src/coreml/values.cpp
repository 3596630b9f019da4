// Functions over values that several ops use.
#include "src/coreml/writer.h"

namespace ember::coreml {
namespace {

// Arithmetic on bool is written as logic by the ops; other operations accept only numbers.
void need_numbers(const char* type, const Val& x) {
  if (x.dtype == DType::bool_) {
    throw Unsupported{"Core ML has no " + std::string(type) + " of bool"};
  }
}

}  // namespace

Val unary(const char* type, const Val& x) {
  return x.w->operation(type, {{"x", x}}, x.dtype, x.shape);
}
Val binary(const char* type, const Val& a, const Val& b) {
  need_numbers(type, a);
  return a.w->operation(type, {{"x", a}, {"y", b}}, a.dtype, broadcast_shapes(a.shape, b.shape));
}
Val compare(const char* type, const Val& a, const Val& b) {
  return a.w->operation(type, {{"x", a}, {"y", b}}, DType::bool_,
                        broadcast_shapes(a.shape, b.shape));
}

Val cast(const Val& x, DType t) {
  if (x.dtype == t) return x;
  if (t == DType::bool_) return compare("not_equal", x, like(x, 0));
  const char* name = t == DType::float32 ? "fp32" : t == DType::float16 ? "fp16" : "int32";
  return x.w->operation("cast", {{"x", x}, {"dtype", x.w->text(name)}}, t, x.shape);
}

Val as_number(const Val& x) { return x.dtype == DType::bool_ ? cast(x, DType::int32) : x; }

Val select(const Val& condition, const Val& a, const Val& b) {
  const Shape shape = broadcast_shapes(condition.shape, broadcast_shapes(a.shape, b.shape));
  const Args args{{"cond", broadcast(condition, shape)},
                  {"a", broadcast(a, shape)},
                  {"b", broadcast(b, shape)}};
  return a.w->operation("select", args, a.dtype, shape);
}

Val like(const Val& x, double v) { return x.w->number(v, x.dtype); }

Val reshape(const Val& x, const Shape& shape) {
  if (x.shape == shape) return x;
  Writer& w = *x.w;
  if (shape.empty()) {  // reshape cannot produce a 0-d result
    Ints axes;
    for (int64_t d = 0; d < x.rank(); ++d) axes.push_back(d);
    return w.operation("squeeze", {{"x", x}, {"axes", w.integers(axes)}}, x.dtype, {});
  }
  return w.operation("reshape", {{"x", x}, {"shape", w.integers(Ints(shape.begin(), shape.end()))}},
                     x.dtype, shape);
}

Val transpose(const Val& x, const Ints& permutation) {
  Shape shape;
  for (int64_t a : permutation) shape.push_back(x.shape[size_t(a)]);
  Writer& w = *x.w;
  return w.operation("transpose", {{"x", x}, {"perm", w.integers(permutation)}}, x.dtype, shape);
}

Val broadcast(const Val& x, const Shape& shape) {
  if (x.shape == shape) return x;
  Shape aligned(shape.size(), 1);
  std::copy_backward(x.shape.begin(), x.shape.end(), aligned.end());
  Ints repeats;
  for (size_t d = 0; d < shape.size(); ++d) {
    repeats.push_back(aligned[d] == shape[d] ? 1 : shape[d]);
  }
  const Val y = reshape(x, aligned);
  if (aligned == shape) return y;
  Writer& w = *x.w;
  return w.operation("tile", {{"x", y}, {"reps", w.integers(repeats)}}, x.dtype, shape);
}

Val slice_axis(const Val& x, int64_t axis, int64_t start, int64_t count) {
  if (start == 0 && count == x.shape[size_t(axis)]) return x;
  Ints begin(x.shape.size(), 0);
  Ints size(x.shape.begin(), x.shape.end());
  begin[size_t(axis)] = start;
  size[size_t(axis)] = count;
  Writer& w = *x.w;
  const Args args{{"x", x}, {"begin", w.integers(begin)}, {"size", w.integers(size)}};
  return w.operation("slice_by_size", args, x.dtype, Shape(size.begin(), size.end()));
}

Val concat(const Vals& list, int64_t axis) {
  if (list.size() == 1) return list[0];
  Shape shape = list[0].shape;
  shape[size_t(axis)] = 0;
  for (const Val& v : list) shape[size_t(axis)] += v.shape[size_t(axis)];
  Writer& w = *list[0].w;
  const Args args{{"values", list}, {"axis", w.integer(axis)}, {"interleave", w.boolean(false)}};
  return w.operation("concat", args, list[0].dtype, shape);
}

Val index_in_range(const Val& index, int64_t size) {
  const Val i = cast(index, DType::int32);
  return select(compare("less", i, like(i, 0)), i + double(size), i);
}

}  // namespace ember::coreml
