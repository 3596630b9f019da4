// Reductions, scans, sorting.
#include "src/coreml/writer.h"

namespace ember::coreml {
namespace {

Val reduced(const Call& c, const char* type, const Val& x) {
  const ReductionAttr& a = c.attr<ReductionAttr>();
  if (a.axes.empty()) return x;
  const Args args{{"x", x}, {"axes", c.w.integers(a.axes)}, {"keep_dims", c.w.boolean(a.keepdims)}};
  return c.w.operation(type, args, x.dtype, c.n.shape);
}
Val sum(const Call& c) { return reduced(c, "reduce_sum", c.x()); }
Val prod(const Call& c) { return reduced(c, "reduce_prod", c.x()); }
Val mean(const Call& c) { return reduced(c, "reduce_mean", c.x()); }
// A bool is computed as 0 or 1.
Val extreme(const Call& c, const char* type) {
  if (c.x().dtype != DType::bool_) return reduced(c, type, c.x());
  return cast(reduced(c, type, cast(c.x(), DType::int32)), DType::bool_);
}
Val max(const Call& c) { return extreme(c, "reduce_max"); }
Val min(const Call& c) { return extreme(c, "reduce_min"); }
Val truth(const Call& c, const char* type) {
  return cast(reduced(c, type, cast(cast(c.x(), DType::bool_), DType::int32)), DType::bool_);
}
Val all(const Call& c) { return truth(c, "reduce_min"); }
Val any(const Call& c) { return truth(c, "reduce_max"); }

Val arg_extreme(const Call& c, const char* type) {
  const ArgReductionAttr& a = c.attr<ArgReductionAttr>();
  const Val x = as_number(c.x());
  const Args args{{"x", x}, {"axis", c.w.integer(a.axis)}, {"keep_dims", c.w.boolean(a.keepdims)}};
  return c.w.operation(type, args, DType::int32, c.n.shape);
}
Val argmax(const Call& c) { return arg_extreme(c, "reduce_argmax"); }
Val argmin(const Call& c) { return arg_extreme(c, "reduce_argmin"); }

Val cumulative_sum(const Call& c) {
  const ScanAttr& a = c.attr<ScanAttr>();
  const Args args{{"x", c.x()},
                  {"axis", c.w.integer(a.axis)},
                  {"exclusive", c.w.boolean(false)},
                  {"reverse", c.w.boolean(a.reverse)}};
  return c.w.operation("cumsum", args, c.x().dtype, c.n.shape);
}

Val argsort(const Call& c) {
  const SortAttr& a = c.attr<SortAttr>();
  const Val x = as_number(c.x());
  const Args args{
      {"x", x}, {"axis", c.w.integer(a.axis)}, {"ascending", c.w.boolean(!a.descending)}};
  return c.w.operation("argsort", args, DType::int32, c.n.shape);
}
Val sort(const Call& c) {
  const Val x = as_number(c.x());
  const Args args{
      {"x", x}, {"indices", argsort(c)}, {"axis", c.w.integer(c.attr<SortAttr>().axis)}};
  return cast(c.w.operation("gather_along_axis", args, x.dtype, c.n.shape), c.x().dtype);
}

}  // namespace

void add_reductions(Table& t) {
  constexpr std::pair<OpId, Emit> entries[] = {
      {OpId::sum, coreml::sum},         {OpId::prod, coreml::prod},
      {OpId::mean, coreml::mean},       {OpId::max, coreml::max},
      {OpId::min, coreml::min},         {OpId::all, coreml::all},
      {OpId::any, coreml::any},         {OpId::argmax, coreml::argmax},
      {OpId::argmin, coreml::argmin},   {OpId::cumulative_sum, coreml::cumulative_sum},
      {OpId::argsort, coreml::argsort}, {OpId::sort, coreml::sort},
  };
  for (auto [op, emit] : entries) t[size_t(op)] = emit;
}

}  // namespace ember::coreml
