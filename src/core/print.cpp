// Computes digits with exact integer arithmetic (Steele and White's free-format algorithm), so that
// every float type, including 16-bit types, prints its shortest unique digits and rounds correctly
// to fewer.
#include "ember/print.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <mutex>
#include <vector>

#include "ember/shape.h"

namespace ember {
namespace {

// An unsigned integer wide enough for any double scaled to its decimal digits.
class Big {
 public:
  explicit Big(uint64_t v) {
    for (; v; v >>= 32) words_[size_++] = uint32_t(v);
  }
  bool is_zero() const { return size_ == 0; }
  void shift_left(int bits) {
    const int whole = bits / 32;
    const int part = bits % 32;
    if (is_zero() || bits == 0) return;
    for (int i = size_ - 1; i >= 0; --i) {
      const uint64_t w = uint64_t(words_[i]) << part;
      words_[i] = 0;
      words_[i + whole + 1] |= uint32_t(w >> 32);
      words_[i + whole] = uint32_t(w);
    }
    size_ += whole + 1;
    trim();
  }
  void multiply(uint32_t by) {
    uint64_t carry = 0;
    for (int i = 0; i < size_; ++i) {
      carry += uint64_t(words_[i]) * by;
      words_[i] = uint32_t(carry);
      carry >>= 32;
    }
    if (carry) words_[size_++] = uint32_t(carry);
  }
  void multiply_pow10(int n) {
    for (; n >= 9; n -= 9) multiply(1000000000);
    for (; n > 0; --n) multiply(10);
  }
  Big plus(const Big& o) const {
    Big sum = *this;
    sum.size_ = std::max(size_, o.size_);
    uint64_t carry = 0;
    for (int i = 0; i < sum.size_; ++i) {
      carry += uint64_t(words_[i]) + o.words_[i];
      sum.words_[i] = uint32_t(carry);
      carry >>= 32;
    }
    if (carry) sum.words_[sum.size_++] = uint32_t(carry);
    return sum;
  }
  void subtract(const Big& o) {  // requires o <= *this
    int64_t borrow = 0;
    for (int i = 0; i < size_; ++i) {
      borrow += int64_t(words_[i]) - o.words_[i];
      words_[i] = uint32_t(borrow);
      borrow >>= 32;
    }
    trim();
  }
  int compare(const Big& o) const {
    if (size_ != o.size_) return size_ < o.size_ ? -1 : 1;
    for (int i = size_ - 1; i >= 0; --i) {
      if (words_[i] != o.words_[i]) return words_[i] < o.words_[i] ? -1 : 1;
    }
    return 0;
  }

 private:
  void trim() {
    while (size_ && !words_[size_ - 1]) --size_;
  }
  std::array<uint32_t, 40> words_{};  // unused words are 0
  int size_ = 0;
};

// A float as mantissa * 2^exponent, with the facts that its notation depends on.
struct Parts {
  uint64_t mantissa = 0;
  int exponent = 0;
  bool negative = false, finite = true, nan = false;
  bool uneven = false;  // the next smaller value is half as far as the next larger one
  double value = 0;
};

Parts split(uint64_t bits, int mantissa_bits, int exponent_bits, double value) {
  Parts p;
  const int top = (1 << exponent_bits) - 1;
  const int biased = int(bits >> mantissa_bits) & top;
  const uint64_t fraction = bits & ((uint64_t(1) << mantissa_bits) - 1);
  p.negative = bits >> (mantissa_bits + exponent_bits) & 1;
  p.finite = biased != top;
  p.nan = !p.finite && fraction;
  p.mantissa = biased ? fraction | uint64_t(1) << mantissa_bits : fraction;
  p.exponent = std::max(biased, 1) - (top >> 1) - mantissa_bits;
  p.uneven = fraction == 0 && biased > 1;
  p.value = value;
  return p;
}
Parts split(double v) { return split(std::bit_cast<uint64_t>(v), 52, 11, v); }
Parts split(float v) { return split(std::bit_cast<uint32_t>(v), 23, 8, v); }
Parts split(Half v) { return split(v.bits, 10, 5, float(v)); }
Parts split(BFloat v) { return split(v.bits, 7, 8, float(v)); }

// digits[0].digits[1]digits[2]... * 10^exponent
struct Digits {
  std::string digits;
  int exponent = 0;
};

struct Cut {
  bool unique = true;  // stop at the shortest unique digits
  // most and least count from the decimal point instead of from the first digit.
  bool fractional = false;
  int most = -1, least = -1;
};

Digits generate(const Parts& p, const Cut& cut) {
  if (p.mantissa == 0) return {"0", 0};
  // The value is r / s; below / s and above / s are half the distances to its neighbours.
  Big r(p.mantissa);
  Big s(1);
  Big below(1);
  Big above(1);
  const int up = std::max(p.exponent, 0);
  const int down = std::max(-p.exponent, 0);
  const int extra = p.uneven ? 2 : 1;
  r.shift_left(up + extra);
  s.shift_left(down + extra);
  below.shift_left(up);
  above.shift_left(up + p.uneven);

  // k is the smallest integer with value < 10^k. The estimate is exact or one too small.
  int k = int(
      std::ceil((int(std::bit_width(p.mantissa)) - 1 + p.exponent) * 0.30102999566398120 - 1e-9));
  // Only the rounding of the last digit remains.
  const bool tiny = cut.fractional && cut.most >= 0 && k <= -cut.most;
  if (tiny) k = 1 - cut.most;
  if (k > 0) {
    s.multiply_pow10(k);
  } else {
    r.multiply_pow10(-k);
    below.multiply_pow10(-k);
    above.multiply_pow10(-k);
  }
  if (r.compare(s) >= 0) {
    ++k;
  } else {
    r.multiply(10);
    below.multiply(10);
    above.multiply(10);
  }

  Digits out{{}, k - 1};
  const int last = cut.most < 0 ? INT32_MIN : cut.fractional ? -cut.most : out.exponent - cut.most;
  const int enough = cut.least < 0    ? INT32_MAX
                     : cut.fractional ? -cut.least
                                      : out.exponent - cut.least;
  const bool even = p.mantissa % 2 == 0;
  bool low = false;
  bool high = false;  // the digits plus one in the last position are the value
  for (int at = out.exponent;; --at) {
    char digit = '0';
    for (; r.compare(s) >= 0; ++digit) r.subtract(s);
    out.digits += digit;
    if (cut.unique) {
      low = r.compare(below) < even;
      high = r.plus(above).compare(s) > -int(even);
      if ((low || high) && at <= enough) break;
    } else if (r.is_zero()) {
      break;
    }
    if (at <= last) break;
    r.multiply(10);
    below.multiply(10);
    above.multiply(10);
  }
  bool round_up = high;
  if (low == high) {
    r.shift_left(1);
    const int c = r.compare(s);
    round_up = c > 0 || (c == 0 && (out.digits.back() - '0') % 2);
  }
  if (round_up) {
    while (!out.digits.empty() && out.digits.back() == '9') out.digits.pop_back();
    if (out.digits.empty()) {
      out.digits = "1";
      ++out.exponent;
    } else {
      ++out.digits.back();
    }
  }
  return out;
}

enum class Trim { keep, point, zero, all };  // trailing zeros: all, "1.", "1.0", "1"

void finish_fraction(std::string& fraction, Trim trim, int digits) {
  if (trim == Trim::keep) {
    if (digits > int(fraction.size())) fraction.append(size_t(digits) - fraction.size(), '0');
    return;
  }
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
  if (trim == Trim::zero && fraction.empty()) fraction = "0";
}

// A number before padding.
struct Text {
  std::string whole, fraction, exponent;  // "-12", "5", "e+07"
};

Text number_text(const Parts& p, bool scientific, const Cut& cut, Trim trim, bool plus,
                 int exponent_digits) {
  const Digits d = generate(p, cut);
  Text t;
  if (p.negative) {
    t.whole = "-";
  } else if (plus) {
    t.whole = "+";
  }
  if (scientific) {
    t.whole += d.digits[0];
    t.fraction = d.digits.substr(1);
    std::string e = std::to_string(std::abs(d.exponent));
    if (int(e.size()) < exponent_digits) e.insert(0, size_t(exponent_digits) - e.size(), '0');
    t.exponent = (d.exponent < 0 ? "e-" : "e+") + e;
  } else if (d.exponent < 0) {
    t.whole += '0';
    t.fraction = std::string(size_t(-d.exponent - 1), '0') + d.digits;
  } else {
    const size_t n = size_t(d.exponent) + 1;
    t.whole += d.digits.substr(0, n);
    if (d.digits.size() < n) {
      t.whole.append(n - d.digits.size(), '0');
    } else {
      t.fraction = d.digits.substr(n);
    }
  }
  finish_fraction(t.fraction, trim, std::max(cut.most, cut.least));
  return t;
}

// Numbers from this magnitude on are printed with an exponent: the largest that the type stores
// exactly to the unit, at most `limit`.
double large_from(DType t, double limit) {
  return std::min(limit, t == float64 ? 1e15 * 10 : t == float32 ? 1e6 : 1e3);
}

// The column format of an array of floats: computed from all elements, then applied to each.
class FloatFormat {
 public:
  FloatFormat(DType type, const std::vector<Parts>& data, const PrintOptions& o, char sign)
      : o_(o), sign_(sign) {
    const bool fixed = o.floatmode == FloatMode::fixed;
    unique_ = !fixed;
    precision_ = o.floatmode == FloatMode::unique ? -1 : o.precision;
    double largest = 0;
    double smallest = INFINITY;
    bool any_finite = false;
    bool any_other = false;
    bool any_negative = false;
    bool minus_inf = false;
    for (const Parts& p : data) {
      (p.finite ? any_finite : any_other) = true;
      if (p.finite) {
        any_negative |= p.negative;
      } else {
        minus_inf |= !p.nan && p.negative;
      }
      if (p.finite && p.value != 0) {
        largest = std::max(largest, std::fabs(p.value));
        smallest = std::min(smallest, std::fabs(p.value));
      }
    }
    if (largest > 0) {
      scientific_ =
          largest >= large_from(type, 1e8) || (!o.suppress && wide_range(type, largest, smallest));
    }

    const Cut cut{unique_, !scientific_, precision_, -1};
    size_t left = 0;
    size_t right = 0;
    size_t exponent = 0;
    if (any_finite) {
      for (const Parts& p : data) {
        if (!p.finite) continue;
        const Text t =
            number_text(p, scientific_, cut, fixed ? Trim::keep : Trim::point, sign_ == '+', 2);
        left = std::max(left, t.whole.size());
        right = std::max(right, t.fraction.size());
        exponent = std::max(exponent, t.exponent.size());
      }
    }
    left_ = left;
    right_ = right;
    if (scientific_) {
      trim_ = Trim::keep;
      precision_ = least_ = int(right);
      exponent_digits_ = int(exponent) - 2;
      right_ += exponent;
    } else if (any_finite && (fixed || o.floatmode == FloatMode::maxprec_equal)) {
      trim_ = Trim::keep;
      precision_ = least_ = int(right);
    }
    if (sign_ == ' ' && !any_negative) ++left_;
    if (any_other) {
      const size_t room = right_ + 1;
      const size_t inf = o.infstr.size() + (sign_ != '-' || minus_inf);
      left_ = std::max(left_, std::max({o.nanstr.size(), inf, room}) - room);
    }
  }

  std::string operator()(const Parts& p) const {
    if (!p.finite) {
      std::string s = p.nan ? o_.nanstr : o_.infstr;
      if (p.negative && !p.nan) {
        s.insert(0, 1, '-');
      } else if (sign_ == '+') {
        s.insert(0, 1, '+');
      }
      return padded(s, left_ + right_ + 1);
    }
    const Text t = number_text(p, scientific_, {unique_, !scientific_, precision_, least_}, trim_,
                               sign_ == '+', exponent_digits_);
    std::string s = padded(t.whole, left_) + '.' + t.fraction + t.exponent;
    if (!scientific_) s.append(right_ - std::min(right_, t.fraction.size()), ' ');
    return s;
  }

 private:
  static std::string padded(const std::string& s, size_t width) {
    return std::string(width - std::min(width, s.size()), ' ') + s;
  }

  // Compared in the array's own type, whose 0.0001 and quotient differ from double's.
  static bool wide_range(DType type, double largest, double smallest) {
    if (type == float64) return smallest < 0.0001 || largest / smallest > 1000.;
    float small = 0.0001f;
    float ratio = float(largest) / float(smallest);
    if (type == float16) {
      small = Half(small);
      ratio = Half(ratio);
    }
    if (type == bfloat16) {
      small = BFloat(small);
      ratio = BFloat(ratio);
    }
    return float(smallest) < small || ratio > 1000.f;
  }

  const PrintOptions& o_;
  char sign_;
  bool scientific_ = false, unique_ = true;
  Trim trim_ = Trim::point;
  int precision_, least_ = 0, exponent_digits_ = 2;
  size_t left_ = 0, right_ = 0;
};

// A 0-d value: all its digits, independent of the options.
std::string scalar_text(DType type, const Parts& p, Trim trim, bool plus) {
  if (!p.finite) {
    return (p.nan ? plus ? "+nan" : "nan" : p.negative ? "-inf" : plus ? "+inf" : "inf");
  }
  const double a = std::fabs(p.value);
  const bool scientific = a != 0 && (a >= large_from(type, 1e16) || a < 1e-4);
  // 516 prints three digits, not "520".
  const Cut cut{true, !scientific, -1, !scientific && type == bfloat16 ? 0 : -1};
  const Text t = number_text(p, scientific, cut, scientific ? Trim::all : trim, plus, 2);
  return t.whole + (t.fraction.empty() ? "" : ".") + t.fraction + t.exponent;
}

template <class T> T load(const void* base, int64_t at) {
  T v;
  std::memcpy(&v, static_cast<const char*>(base) + at * int64_t(sizeof(T)), sizeof v);
  return v;
}

template <class T> std::string int_text(T v) {
  char buffer[24];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, v).ptr};
}

// Visits the printed elements in order, twice: to compute the column format, then to print.
class Layout {
 public:
  Layout(DType type, std::span<const int64_t> shape, std::span<const int64_t> strides,
         const void* data, const PrintOptions& o)
      : type_(type),
        shape_(shape),
        strides_(strides),
        data_(data),
        o_(o),
        summary_(size_of(shape) > o.threshold) {}

  std::string text() {
    std::vector<int64_t> shown;
    collect(0, 0, shown);
    words_ = words(shown);
    next_ = 0;
    return lay_out(0, std::string(size_t(o_.indent) + 1, ' '), o_.linewidth);
  }

 private:
  bool cut(size_t axis) const {
    return summary_ && shape_[axis] > 2 * std::min<int64_t>(o_.edgeitems, INT64_MAX / 2);
  }

  // With edgeitems 0, a summary still shows the last element.
  int64_t leading(size_t axis) const { return cut(axis) ? o_.edgeitems : 0; }
  int64_t trailing(size_t axis) const {
    return cut(axis) ? std::max<int64_t>(o_.edgeitems, 1) : shape_[axis];
  }

  void collect(size_t axis, int64_t at, std::vector<int64_t>& shown) const {
    if (axis == shape_.size()) return shown.push_back(at);
    const int64_t n = shape_[axis];
    for (int64_t i = 0; i < leading(axis); ++i) collect(axis + 1, at + i * strides_[axis], shown);
    for (int64_t i = n - trailing(axis); i < n; ++i) {
      collect(axis + 1, at + i * strides_[axis], shown);
    }
  }

  std::vector<std::string> words(const std::vector<int64_t>& shown) const {
    std::vector<std::string> w;
    w.reserve(shown.size());
    visit_dtype(type_, [&]<class T>(T) {
      if constexpr (std::is_same_v<T, bool>) {
        for (int64_t at : shown) w.push_back(load<uint8_t>(data_, at) ? " True" : "False");
      } else if constexpr (std::is_integral_v<T>) {
        int_words<T>(shown, w);
      } else if constexpr (std::is_same_v<T, std::complex<float>> ||
                           std::is_same_v<T, std::complex<double>>) {
        complex_words<typename T::value_type>(shown, w);
      } else {
        std::vector<Parts> parts;
        for (int64_t at : shown) parts.push_back(split(load<T>(data_, at)));
        const FloatFormat format(type_, parts, o_, o_.sign);
        for (const Parts& p : parts) w.push_back(format(p));
      }
    });
    return w;
  }

  template <class T>
  void int_words(const std::vector<int64_t>& shown, std::vector<std::string>& w) const {
    bool negative = false;
    for (int64_t at : shown) negative |= load<T>(data_, at) < 0;
    size_t width = 0;
    for (int64_t at : shown) {
      const T v = load<T>(data_, at);
      std::string s = int_text(v);
      if (v >= 0 && (o_.sign == '+' || (o_.sign == ' ' && !negative))) s.insert(0, 1, o_.sign);
      width = std::max(width, s.size());
      w.push_back(std::move(s));
    }
    for (std::string& s : w) s.insert(0, width - s.size(), ' ');
  }

  template <class R>
  void complex_words(const std::vector<int64_t>& shown, std::vector<std::string>& w) const {
    std::vector<Parts> real;
    std::vector<Parts> imag;
    for (int64_t at : shown) {
      real.push_back(split(load<R>(data_, 2 * at)));
      imag.push_back(split(load<R>(data_, 2 * at + 1)));
    }
    const FloatFormat real_format(real_of(type_), real, o_, o_.sign);
    const FloatFormat imag_format(real_of(type_), imag, o_, '+');
    for (size_t i = 0; i < shown.size(); ++i) {
      std::string s = imag_format(imag[i]);
      s.insert(s.find_last_not_of(' ') + 1, 1, 'j');
      w.push_back(real_format(real[i]) + s);
    }
  }

  std::string lay_out(size_t axis, const std::string& indent, int64_t width) {
    const size_t left = shape_.size() - axis;
    if (left == 0) return words_[next_++];
    const int64_t before = leading(axis);
    const int64_t after = trailing(axis);
    std::string s;
    if (left == 1) {
      std::string line = indent;
      const auto extend = [&](const std::string& word, bool more) {
        if (int64_t(line.size() + word.size()) > width - 1 && line.size() > indent.size()) {
          line.erase(line.find_last_not_of(' ') + 1);
          s += line + '\n';
          line = indent;
        }
        line += word;
        if (more) line += o_.separator;
      };
      for (int64_t i = 0; i < before; ++i) extend(words_[next_++], true);
      if (cut(axis)) extend("...", true);
      for (int64_t i = after; i > 0; --i) extend(words_[next_++], i > 1);
      s += line;
    } else {
      const std::string gap = o_.separator.substr(0, o_.separator.find_last_not_of(' ') + 1) +
                              std::string(left - 1, '\n');
      const std::string deeper = indent + ' ';
      for (int64_t i = 0; i < before; ++i) s += indent + lay_out(axis + 1, deeper, width - 1) + gap;
      if (cut(axis)) s += indent + "..." + gap;
      for (int64_t i = after; i > 0; --i) {
        s += indent + lay_out(axis + 1, deeper, width - 1) + (i > 1 ? gap : "");
      }
    }
    return '[' + s.substr(indent.size()) + ']';
  }

  const DType type_;
  const std::span<const int64_t> shape_, strides_;
  const void* data_;
  const PrintOptions& o_;
  const bool summary_;
  std::vector<std::string> words_;
  size_t next_ = 0;
};

std::string format_scalar(DType type, const void* data) {
  return visit_dtype(type, [&]<class T>(T) -> std::string {
    if constexpr (std::is_same_v<T, bool>) {
      return load<uint8_t>(data, 0) ? "True" : "False";
    } else if constexpr (std::is_integral_v<T>) {
      return int_text(load<T>(data, 0));
    } else if constexpr (std::is_same_v<T, std::complex<float>> ||
                         std::is_same_v<T, std::complex<double>>) {
      using R = typename T::value_type;
      const Parts re = split(load<R>(data, 0));
      const Parts im = split(load<R>(data, 1));
      if (re.value == 0 && !re.negative) {
        return scalar_text(real_of(type), im, Trim::all, false) + "j";
      }
      return "(" + scalar_text(real_of(type), re, Trim::all, false) +
             scalar_text(real_of(type), im, Trim::all, true) + "j)";
    } else {
      return scalar_text(type, split(load<T>(data, 0)), Trim::zero, false);
    }
  });
}

void check(const PrintOptions& o) {
  if (o.precision < 0 || o.precision > 1100) {
    throw ValueError("precision must be between 0 and 1100, not " + std::to_string(o.precision));
  }
  if (o.threshold < 0) {
    throw ValueError("threshold must not be negative, but is " + std::to_string(o.threshold));
  }
  if (o.edgeitems < 0) {
    throw ValueError("edgeitems must not be negative, but is " + std::to_string(o.edgeitems));
  }
  if (o.indent < 0 || o.indent > 1000) {
    throw ValueError("indent must be between 0 and 1000, not " + std::to_string(o.indent));
  }
  if (o.linewidth < 0) {
    throw ValueError("linewidth must not be negative, but is " + std::to_string(o.linewidth));
  }
  if (o.sign != '-' && o.sign != '+' && o.sign != ' ') {
    throw ValueError("sign must be '-', '+' or ' '");
  }
}

struct Current {
  std::mutex mutex;
  PrintOptions options;
};
Current& current() {
  static Current* c = new Current;  // never destroyed: static destructors may print
  return *c;
}

}  // namespace

PrintOptions print_options() {
  std::lock_guard lock(current().mutex);
  return current().options;
}

void set_print_options(const PrintOptions& o) {
  check(o);
  std::lock_guard lock(current().mutex);
  current().options = o;
}

std::string format_array(DType type, std::span<const int64_t> shape,
                         std::span<const int64_t> strides, const void* data,
                         const PrintOptions& options) {
  check(options);
  if (strides.size() != shape.size()) {
    throw ValueError("the shape has " + std::to_string(shape.size()) +
                     " dimensions but there are " + std::to_string(strides.size()) + " strides");
  }
  if (shape.empty()) return format_scalar(type, data);
  for (int64_t d : shape) {
    if (d == 0) return "[]";
  }
  return Layout(type, shape, strides, data, options).text();
}

}  // namespace ember
