// Sorting and searching. NaN comes last, also in descending order, where ATen puts it first: floats
// are then sorted by their negatives.
#include "engines/torch/torch.h"

namespace ember::torch {
namespace {

// Orders complex numbers by real, then by imaginary part, and those with a NaN last. Three stable
// sorts, from the least significant key to the most.
Array argsort_complex(const Array& x, int64_t axis, bool descending) {
  const Array re = at::real(x);
  const Array im = at::imag(x);
  const Array nan = at::add(at::mul(at::isnan(re).to(at::kByte), 2), at::isnan(im).to(at::kByte));
  Array place;
  for (const Array& key : {descending ? at::neg(im) : im, descending ? at::neg(re) : re, nan}) {
    const Array order = std::get<1>(
        at::sort(place.defined() ? at::gather(key, axis, place) : key, true, axis, false));
    place = place.defined() ? at::gather(place, axis, order) : order;
  }
  return place;
}

Array sort(const Call& c) {
  const auto& a = c.attr<SortAttr>();
  const Array& x = c[0];
  if (x.is_complex()) return at::gather(x, a.axis, argsort_complex(x, a.axis, a.descending));
  if (a.descending && x.is_floating_point()) {
    return std::get<0>(at::sort(at::neg(x), true, a.axis, false)).neg_();
  }
  return std::get<0>(at::sort(x, true, a.axis, a.descending));
}
Array argsort(const Call& c) {
  const auto& a = c.attr<SortAttr>();
  const Array& x = c[0];
  if (x.is_complex()) return argsort_complex(x, a.axis, a.descending);
  if (a.descending && x.is_floating_point()) {
    return std::get<1>(at::sort(at::neg(x), true, a.axis, false));
  }
  return std::get<1>(at::sort(x, true, a.axis, a.descending));
}

// Sorts both together and counts the elements of `sorted` before each value. Concatenation order
// decides ties, according to the side.
Array search_complex(const Array& sorted, const Array& values, bool right) {
  const int64_t n = sorted.numel();
  const int64_t m = values.numel();
  const Array order =
      argsort_complex(right ? at::cat({sorted, values}) : at::cat({values, sorted}), 0, false);
  const Array before = at::cumsum(right ? at::lt(order, n) : at::ge(order, m), 0);
  return at::empty_like(before).scatter_(0, order, before).narrow(0, right ? n : 0, m);
}

// ATen treats NaN as the smallest in `sorted` and as the greatest in `values`, so it searches only
// the elements of `sorted` that are not NaN.
Array searchsorted(const Call& c) {
  const bool right = c.attr<SearchAttr>().right;
  if (c[0].is_complex()) return search_complex(c[0], c[1].flatten(), right).reshape(c[1].sizes());
  const auto comparable = [](const Array& x) {
    return (x.scalar_type() == at::kBool ? x.view(at::kByte) : x).contiguous();
  };
  const Array sorted = comparable(c[0]);
  const Array values = comparable(c[1]);
  const int64_t n = sorted.numel();
  if (n == 0 || values.numel() == 0) {
    return at::zeros(values.sizes(), values.options().dtype(at::kLong));
  }
  if (!sorted.is_floating_point() || !at::isnan(sorted[n - 1]).item<bool>()) {
    return at::searchsorted(sorted, values, false, right);
  }
  const int64_t numbers = n - at::isnan(sorted).sum().item<int64_t>();
  const Array r = at::searchsorted(sorted.narrow(0, 0, numbers), values, false, right);
  return right ? r.masked_fill(at::isnan(values), n) : r;
}

Array nonzero(const Call& c) {
  Array r = at::nonzero(c[0]);
  if (r.size(0) != c.node.shape[0]) {
    throw StateError(std::to_string(r.size(0)) + " elements are nonzero, but " +
                     std::to_string(c.node.shape[0]) + " were counted");
  }
  return r;
}

constexpr KernelRow rows[] = {
    {OpId::sort, sort, detour<sort, Detour::order>},
    {OpId::argsort, argsort, detour<argsort, Detour::order>},
    {OpId::searchsorted, searchsorted, detour<searchsorted, Detour::order>},
    {OpId::nonzero, nonzero, detour<nonzero, Detour::bits>},
};

}  // namespace

std::span<const KernelRow> order_kernels() { return rows; }

}  // namespace ember::torch
