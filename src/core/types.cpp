// DType, Shape, Device and attributes: names, promotion, small computations.
#include <array>
#include <atomic>
#include <charconv>

#include "ember/engine.h"

namespace ember {
namespace {
constexpr std::string_view dtype_names[] = {
    "bool",     "int4",    "uint4",   "int8",      "uint8",     "int16",
    "uint16",   "int32",   "uint32",  "int64",     "uint64",    "float16",
    "bfloat16", "float32", "float64", "complex64", "complex128"};
constexpr std::string_view op_names[] = {
    "leaf",
    "scalar",
    "output",
#define X(name) #name,
#include "ember/ops.def"
#undef X
};
std::atomic<DType> default_float_{DType::float32};

DType signed_of_bits(int bits) {
  return bits <= 4    ? DType::int4
         : bits <= 8  ? DType::int8
         : bits <= 16 ? DType::int16
         : bits <= 32 ? DType::int32
                      : DType::int64;
}
}  // namespace

std::string_view name(DType t) { return dtype_names[size_t(t)]; }
std::string_view name(OpId op) { return op_names[size_t(op)]; }

std::optional<DType> parse_dtype(std::string_view s) {
  for (size_t i = 0; i < std::size(dtype_names); ++i) {
    if (dtype_names[i] == s) return DType(i);
  }
  return {};
}

DType default_float() { return default_float_.load(std::memory_order_relaxed); }
void set_default_float(DType t) {
  if (!is_float(t)) {
    throw DTypeError("the default float must be a real floating-point dtype, not " +
                     std::string(name(t)));
  }
  default_float_.store(t);
}

// The array API's tables, completed where it leaves pairs undefined.
DType promote(DType a, DType b) {
  if (a == b) return a;
  if (a > b) std::swap(a, b);  // kinds are ordered: bool, integers, floats, complex
  if (a == DType::bool_) return b;
  if (is_complex(b)) {
    return a == DType::float64 || b == DType::complex128 ? DType::complex128 : DType::complex64;
  }
  if (is_float(b)) {
    if (!is_float(a)) return b;
    return a == DType::float16 && b == DType::bfloat16 ? DType::float32 : b;
  }
  const int wa = bits_of(a);
  const int wb = bits_of(b);
  if (is_signed(a) == is_signed(b)) return wa > wb ? a : b;
  const DType s = is_signed(a) ? a : b;
  const int ws = bits_of(s);
  const int wu = is_signed(a) ? wb : wa;
  if (ws > wu) return s;
  // int64 with uint64: no integer holds both.
  return wu == 64 ? default_float() : signed_of_bits(2 * wu);
}

bool can_cast(DType from, DType to) {
  if (from == DType::bool_ || from == to) return true;
  if (to == DType::bool_) return false;
  if (is_integer(from) && is_integer(to)) return promote(from, to) == to;
  if (is_integer(from)) return is_inexact(to);
  if (is_float(from) && is_integer(to)) return false;
  if (is_complex(from) && !is_complex(to)) return false;
  return promote(from, to) == to;
}

Shape broadcast_shapes(const Shape& a, const Shape& b) {
  const bool swap = a.size() < b.size();
  const Shape& big = swap ? b : a;
  const Shape& little = swap ? a : b;
  Shape r = big;
  for (size_t i = 0, off = big.size() - little.size(); i < little.size(); ++i) {
    const int64_t x = big[off + i];
    const int64_t y = little[i];
    if (x != y && x != 1 && y != 1) {
      throw ShapeError("shapes " + to_string(a) + " and " + to_string(b) +
                       " do not broadcast: dimension -" + std::to_string(little.size() - i) +
                       " is " + std::to_string(swap ? y : x) + " and " +
                       std::to_string(swap ? x : y));
    }
    r[off + i] = x == 1 ? y : x;
  }
  return r;
}

Ints contiguous_strides(std::span<const int64_t> shape) {
  Ints s(shape.size());
  int64_t step = 1;
  for (size_t i = shape.size(); i--;) {
    s[i] = step;
    // Strides of an empty array do not matter.
    if (__builtin_mul_overflow(step, shape[i], &step)) {
      step = 0;
    }
  }
  return s;
}

std::string to_string(const Shape& s) {
  std::string r = "[";
  for (size_t i = 0; i < s.size(); ++i) r += (i ? ", " : "") + std::to_string(s[i]);
  return r + "]";
}
std::string to_string(const Type& t) { return std::string(name(t.dtype)) + to_string(t.shape); }

Device::Device(std::string_view text) {
  std::string_view base = text.substr(0, text.find(':'));
  constexpr std::pair<std::string_view, Kind> kinds[] = {
      {"cpu", cpu}, {"cuda", cuda},         {"mps", mps},
      {"gpu", gpu}, {"tensorrt", tensorrt}, {"coreml", coreml}};
  for (auto [n, k] : kinds) {
    if (n == base) {
      kind = k;
      if (base.size() == text.size()) return;
      const std::string_view rest = text.substr(base.size() + 1);
      if (auto [p, e] = std::from_chars(rest.data(), rest.data() + rest.size(), index);
          e == std::errc() && p == rest.data() + rest.size() && !rest.empty()) {
        return;
      }
    }
  }
  throw DeviceError("unknown device '" + std::string(text.substr(0, 40)) +
                    "': use cpu, cuda, cuda:1, mps, gpu, tensorrt or coreml");
}
std::string to_string(Device d) {
  constexpr const char* kinds[] = {"cpu", "cuda", "mps", "gpu", "tensorrt", "coreml"};
  return kinds[d.kind] + (d.index ? ":" + std::to_string(d.index) : std::string());
}

#define EMBER_DEFINE_ID(T)                   \
  template <> const void* AttrBox<T>::id() { \
    static const char unique = 0;            \
    return &unique;                          \
  }
EMBER_ATTRS(EMBER_DEFINE_ID)
#undef EMBER_DEFINE_ID

}  // namespace ember
