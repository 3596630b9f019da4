// Inspection: shape, dtype and properties of tensors and dtypes.
#include <algorithm>
#include <limits>

#include "src/ops/views.h"

namespace ember {
namespace ops {

Shape shape(const Tensor& x) { return x.shape(); }
int64_t ndim(const Tensor& x) { return x.ndim(); }
int64_t size(const Tensor& x) { return x.size(); }
DType dtype(const Tensor& x) { return x.dtype(); }
Device device(const Tensor& x) { return x.device(); }
std::string backend(const Tensor& x) { return std::string(x.backend()); }
Ints strides(const Tensor& x) { return x.strides(); }
int64_t nbytes(const Tensor& x) { return int64_t(x.nbytes()); }
double item(const Tensor& x) {
  return named("item", x, [&] { return x.item<double>(); });
}
std::vector<double> tolist(const Tensor& x) {
  return named("tolist", x, [&] { return x.to_vector<double>(); });
}

FloatInfo finfo(DType dtype) {
  const DType t = real_of(dtype);
  const auto info = [&](int bits, double eps, double max, double normal, double subnormal) {
    return FloatInfo{bits, eps, max, -max, normal, subnormal, t};
  };
  switch (t) {
    case DType::float16: return info(16, 0x1p-10, 65504, 0x1p-14, 0x1p-24);
    case DType::bfloat16: return info(16, 0x1p-7, 0x1.fep127, 0x1p-126, 0x1p-133);
    case DType::float32: return info(32, 0x1p-23, 0x1.fffffep127, 0x1p-126, 0x1p-149);
    case DType::float64: return info(64, 0x1p-52, 0x1.fffffffffffffp1023, 0x1p-1022, 0x1p-1074);
    default:
      throw DTypeError("[finfo] takes floating-point dtypes, not " + std::string(name(dtype)));
  }
}
IntInfo iinfo(DType dtype) {
  if (!is_integer(dtype)) {
    throw DTypeError("[iinfo] takes integer dtypes, not " + std::string(name(dtype)));
  }
  const int bits = bits_of(dtype);
  if (is_unsigned(dtype)) return {bits, 0, ~uint64_t(0) >> (64 - bits), dtype};
  const uint64_t max = ~uint64_t(0) >> (65 - bits);
  return {bits, -int64_t(max) - 1, max, dtype};
}

bool can_cast(DType from, DType to) { return ember::can_cast(from, to); }
DType result_type(const Tensors& arrays) {
  return named("result_type", "", arrays, [&] {
    if (arrays.empty()) throw ValueError("needs at least one array");
    for (const Tensor& t : arrays) {
      if (!t.defined()) throw ValueError("an input is missing");
    }
    return result_dtype(arrays);
  });
}
bool isdtype(DType dtype, std::string_view kind) {
  if (kind == "bool") return dtype == DType::bool_;
  if (kind == "signed integer") return is_signed(dtype);
  if (kind == "unsigned integer") return is_unsigned(dtype);
  if (kind == "integral") return is_integer(dtype);
  if (kind == "real floating") return is_float(dtype);
  if (kind == "complex floating") return is_complex(dtype);
  if (kind == "numeric") return dtype != DType::bool_;
  throw ValueError("[isdtype] unknown kind '" + std::string(kind.substr(0, 40)) +
                   "': use bool, signed integer, unsigned integer, integral, real floating, "
                   "complex floating or numeric");
}

}  // namespace ops

namespace {
using binder::fn;

// The elements from `at` on as nested lists; advances `at`.
template <class T, class As>
Arg nested(const std::vector<T>& flat, const Shape& s, size_t depth, size_t& at, As as) {
  if (depth == s.size()) return as(flat[at++]);
  std::vector<Arg> list;
  for (int64_t i = 0; i < s[depth]; ++i) list.push_back(nested(flat, s, depth + 1, at, as));
  return list;
}
Arg listed(const Tensor& x, const Shape& s) {
  size_t at = 0;
  const DType t = x.dtype();
  if (t == DType::bool_) {
    return nested(x.to_vector<bool>(), s, 0, at, [](bool v) { return Arg(v); });
  }
  if (t == DType::uint64) {  // past int64, the nearest double
    return nested(x.to_vector<uint64_t>(), s, 0, at,
                  [](uint64_t v) { return v >> 63 ? Arg(double(v)) : Arg(int64_t(v)); });
  }
  if (is_integer(t)) {
    return nested(x.to_vector<int64_t>(), s, 0, at, [](int64_t v) { return Arg(v); });
  }
  if (is_float(t)) return nested(x.to_vector<double>(), s, 0, at, [](double v) { return Arg(v); });
  return nested(x.to_vector<std::complex<double>>(), s, 0, at,
                [](std::complex<double> v) { return Arg(v); });
}

Arg any_item(const Tensor& x) {
  require_one_element(x);
  return listed(x, {});
}
Arg any_list(const Tensor& x) { return listed(x, x.shape()); }
std::tuple<int64_t, double, double, double, double, double> float_limits(DType dtype) {
  const auto i = ops::finfo(dtype);
  return {i.bits, i.eps, i.max, i.min, i.smallest_normal, i.smallest_subnormal};
}
Arg int_limits(DType dtype) {
  const auto i = ops::iinfo(dtype);
  return std::vector<Arg>{int64_t(i.bits), i.min,
                          i.max >> 63 ? Arg(double(i.max)) : Arg(int64_t(i.max))};
}

DType result_type_any(const std::vector<Arg>& given) {
  Tensors all;
  for (const Arg& a : given) {
    const auto* t = std::get_if<DType>(&a);
    all.push_back(t ? ops::empty({0}, *t)
                    : binder::From<Tensor>::get({.name = "arrays_and_dtypes"}, a));
  }
  return ops::result_type(all);
}
bool isdtype_any(DType dtype, const Arg& kind) {
  if (const auto* t = std::get_if<DType>(&kind)) return *t == dtype;
  if (const auto* list = std::get_if<std::vector<Arg>>(&kind)) {
    return std::any_of(list->begin(), list->end(),
                       [&](const Arg& k) { return isdtype_any(dtype, k); });
  }
  return ops::isdtype(dtype, binder::From<std::string>::get({.name = "kind"}, kind));
}

const Row rows[] = {
    FUN(shape, "x", "Length of each axis."),
    FUN(ndim, "x", "Number of axes."),
    FUN(size, "x", "Number of elements."),
    FUN(dtype, "x", "Data type of the elements."),
    FUN(device, "x", "Device that holds the memory."),
    FUN(backend, "x", "Backend that computes x."),
    FUN(strides, "x", "Distance between neighbors along each axis, in elements."),
    FUN(nbytes, "x", "Size of all elements in bytes."),
    {.name = "item",
     .args = "x",
     .doc = "The only element as a Python number.",
     .call = fn<any_item>,
     .eager = true},
    {.name = "tolist",
     .args = "x",
     .doc = "Elements as nested lists of Python numbers.",
     .call = fn<any_list>,
     .eager = true},
    {.name = "finfo",
     .args = "dtype",
     .doc = "Limits of a float dtype: bits, eps, max, min, smallest_normal and smallest_subnormal.",
     .call = fn<float_limits>},
    {.name = "iinfo",
     .args = "dtype",
     .doc = "Limits of an integer dtype: bits, min and max.",
     .call = fn<int_limits>},
    {.name = "can_cast",
     .args = "from_, to",
     .doc = "True if every value of one dtype can be represented in the other.",
     .call = fn<ops::can_cast>},
    {.name = "result_type",
     .args = "*arrays_and_dtypes",
     .doc = "Dtype to which the given arrays, dtypes and numbers are promoted.",
     .call = fn<result_type_any>},
    {.name = "isdtype",
     .args = "dtype, kind",
     .doc = "True if dtype is of a kind: bool, signed integer, unsigned integer, integral, real "
            "floating, complex floating or numeric; or of one of several kinds.",
     .call = fn<isdtype_any>},
};
}  // namespace

std::span<const Row> inspection_rows() { return rows; }

}  // namespace ember
