// Random expressions, evaluated lazily and op by op: fused, compiled or interpreted, the bits are
// equal.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "ember/ember.h"

namespace ember {
namespace {

using namespace ops;

struct Dice {
  std::mt19937 engine;
  explicit Dice(unsigned seed) : engine(seed) {}
  int operator()(int n) { return int(engine() % unsigned(n)); }
};

Tensor leaf(Dice& dice, const Shape& shape, DType t) {
  const double special[] = {0.0,    -0.0,    1.0,     -1.0,   HUGE_VAL, -HUGE_VAL, NAN, 1e-40,
                            -3e-41, 65519.0, 65520.0, 3.4e38, 1e-8,     0.5,       1.5, 2.5};
  std::vector<double> v;
  v.resize(size_t(size_of(std::span<const int64_t>(shape))));
  for (double& x : v) {
    if (is_float(t)) {
      x = dice(8) ? std::normal_distribution<double>(0, 3)(dice.engine) : special[dice(16)];
    } else {
      x = dice(8) ? dice(200) - 100 : double(dice.engine());
    }
  }
  return reshape(array(v), shape).astype(t).eval();
}

// The same seed gives the same expression; `step` is called with each of its values.
template <class Step> std::vector<Tensor> expression(unsigned seed, Step step) {
  Dice dice(seed);
  const DType types[] = {float32, float32, float64, float16, bfloat16,
                         int32,   uint32,  int64,   uint64,  uint8};
  const Shape shape{1 + dice(4), 1 + dice(dice(3) ? 90 : 1500)};
  DType t = types[dice(10)];
  std::vector<Tensor> pool;
  std::vector<Tensor> tests;
  for (int i = 0; i < 3; ++i) pool.push_back(leaf(dice, shape, t));
  pool.push_back(leaf(dice, {shape[1]}, t));
  pool.push_back(leaf(dice, {shape[0], 1}, t));
  const size_t leaves = pool.size();
  const auto any = [&] {
    return pool[dice(4) ? pool.size() - 1 - size_t(dice(int(std::min<size_t>(pool.size(), 6))))
                        : size_t(dice(int(pool.size())))];
  };
  const int length = 2 + dice(dice(5) ? 12 : 60);
  for (int i = 0; i < length; ++i) {
    const Tensor a = any();
    const Tensor b = any();
    const bool f = is_float(t);
    Tensor r;
    switch (dice(f ? 32 : 13)) {
      case 0: r = a + b; break;
      case 1: r = a - b; break;
      case 2: r = a * b; break;
      case 3: r = maximum(a, b); break;
      case 4: r = minimum(a, b); break;
      case 5: r = a * 3; break;
      case 6: r = t == uint8 || t == uint32 || t == uint64 ? a + 1 : abs(a); break;
      case 7: r = t == uint8 || t == uint32 || t == uint64 ? square(a) : -a; break;
      case 8: {
        const Tensor tested = step(dice(2)   ? a < b
                                   : dice(2) ? a == b
                                   : dice(2) ? a >= b
                                   : dice(2) ? a != b
                                             : a <= b);
        tests.push_back(tested);
        r = where(
            dice(2) ? tested : step(logical_xor(tests[size_t(dice(int(tests.size())))], tested)), a,
            b);
        break;
      }
      case 9: r = f ? square(a) : bitwise_xor(a, b); break;
      case 10: r = f ? a * 0.3 : bitwise_and(a, b); break;
      case 11: r = (a > b).astype(t); break;
      // Continue in another dtype.
      case 12: {
        const DType to = types[dice(10)];
        if (to == t) {
          r = a + b;
          break;
        }
        for (Tensor& p : pool) p = step(p.astype(to));
        t = to;
        continue;
      }
      case 13: r = a / b; break;
      case 14: r = sqrt(a); break;
      case 15: r = reciprocal(a); break;
      case 16: r = rsqrt(a); break;
      case 17: r = floor(a); break;
      case 18: r = ceil(a); break;
      case 19: r = trunc(a); break;
      case 20: r = round(a); break;
      case 21: r = copysign(a, b); break;
      case 22: r = where(isnan(a), b, a); break;
      case 23: r = where(logical_or(isinf(a), logical_not(isfinite(b))), b * 0.5, a); break;
      case 24: r = sin(a); break;  // not compiled: runs end and begin here
      case 25: r = a - mean(b, {-1}, true); break;
      case 26: r = exp(a); break;
      case 27: r = sigmoid(a); break;
      case 28: r = tanh(a); break;
      case 29: r = erf(a); break;
      case 30: r = log(a); break;
      case 31: r = log1p(a); break;
    }
    pool.push_back(step(r));
  }
  std::vector<Tensor> out(pool.end() - std::min<int64_t>(3, int64_t(pool.size() - leaves)),
                          pool.end());
  if (!tests.empty()) out.push_back(tests.back());
  return out;
}

template <class T> bool same(const Tensor& a, const Tensor& b) {
  const std::vector<T> x = a.to_vector<T>();
  const std::vector<T> y = b.to_vector<T>();
  for (size_t i = 0; i < x.size(); ++i) {
    if (std::memcmp(&x[i], &y[i], sizeof(T)) != 0 && !(x[i] != x[i] && y[i] != y[i])) return false;
  }
  return x.size() == y.size();
}

TEST(Fused, HasTheBitsOfItsOpsOneByOne) {
  const with_backend scope("native");
  for (unsigned seed = 0; seed < 2000; ++seed) {
    std::vector<Tensor> once = expression(seed, [](const Tensor& t) { return t; });
    const std::vector<Tensor> steps = expression(seed, [](const Tensor& t) { return t.eval(); });
    eval(once);
    for (size_t k = 0; k < once.size(); ++k) {
      const DType t = once[k].dtype();
      ASSERT_EQ(t, steps[k].dtype());
      const bool equal = t == int64 ? same<int64_t>(once[k], steps[k])
                         : t == uint64
                             ? same<uint64_t>(once[k], steps[k])
                             : same<double>(once[k].astype(float64), steps[k].astype(float64));
      ASSERT_TRUE(equal) << "expression " << seed << ", value " << k << ", " << name(t) << "\n"
                         << once[k] << "\n"
                         << steps[k];
    }
  }
}

// Some functions have a separate path for infinities and zeros, for a whole vector of sixteen.
TEST(Fused, FunctionsLookAtNoNeighbour) {
  const with_backend scope("native");
  Dice dice(5);
  const Tensor odd =
      array(std::vector<float>{0, -0.0f, -1, -2, INFINITY, -INFINITY, NAN, 1e-40f, 3e38f, 1e-30f});
  const Tensor x = leaf(dice, {10, 1000}, float32);
  const Tensor usual = where(isfinite(x), abs(x) + 0.1, 1.0f).eval();
  const Tensor places = (remainder(arange(0, 1000), 37) == 5).eval();
  const Tensor mixed = where(places, reshape(odd, {10, 1}), usual).eval();
  const auto all = [](const Tensor& t) {
    return std::vector<Tensor>{
        exp(t), sigmoid(t), tanh(t), erf(t), log(t), log1p(t), log(log1p(t) * 3) + tanh(log(t))};
  };
  std::vector<Tensor> plain = all(usual);
  std::vector<Tensor> sprinkled = all(mixed);
  eval(plain);
  eval(sprinkled);
  for (size_t k = 0; k < plain.size(); ++k) {
    const auto keep = [&](const Tensor& t) { return where(places, 0.0f, t).astype(float64); };
    EXPECT_TRUE(same<double>(keep(plain[k]), keep(sprinkled[k]))) << k;
  }
  const std::vector<float> logs = log(odd).to_vector<float>();
  const std::vector<float> ones = log1p(odd).to_vector<float>();
  EXPECT_EQ(logs[0], -INFINITY);
  EXPECT_TRUE(std::isnan(logs[2]) && std::isnan(logs[5]) && std::isnan(logs[6]));
  EXPECT_EQ(logs[4], INFINITY);
  EXPECT_FLOAT_EQ(logs[7], -92.1034f);
  EXPECT_EQ(ones[2], -INFINITY);
  EXPECT_TRUE(std::signbit(ones[1]) && ones[1] == 0 && std::isnan(ones[3]));
}

// Rows longer than a tile are reduced in pieces, while other values of the same pass are stored
// completely.
TEST(Fused, LongRowsAreReducedInPieces) {
  const with_backend scope("native");
  Dice dice(3);
  for (const DType t : {float32, float64, int32}) {
    const Tensor x = leaf(dice, {3, 100'003}, int32).astype(t).eval();
    const Tensor y = leaf(dice, {100'003}, int32).astype(t).eval();
    const Tensor small = maximum(minimum(x, 50), -50);
    const Tensor d = small - minimum(y, 7);
    const Tensor s = sum(square(d), -1, true) * 2;
    const Tensor m = max(d, {});
    const Tensor z = where(d > 3, d, -d);
    std::vector<Tensor> all{d, s, m, z, sum(d)};
    eval(all);
    const Tensor wide = maximum(minimum(x.astype(float64).eval(), 50), -50).eval() -
                        minimum(y.astype(float64).eval(), 7).eval();
    const std::vector<double> dd = wide.to_vector<double>();
    double most = -1e300;
    double total = 0;
    for (double v : dd) {
      most = std::max(most, v);
      total += v;
    }
    EXPECT_EQ(m.astype(float64).item<double>(), most);
    EXPECT_NEAR(all[4].astype(float64).item<double>(), total, std::abs(total) * 1e-6);
    for (size_t r = 0; r < 3; ++r) {
      double squares = 0;
      for (size_t i = 0; i < 100'003; ++i) squares += dd[r * 100'003 + i] * dd[r * 100'003 + i];
      EXPECT_NEAR(s.astype(float64).to_vector<double>()[r], 2 * squares,
                  squares * (t == float32 ? 1e-6 : 1e-14))
          << name(t);
    }
    EXPECT_EQ(d.astype(float64).to_vector<double>(), dd);
  }
}

// Alone, these are kernels; after another op they are part of its tile program.
TEST(Fused, RowKernelsHaveTheBitsOfTilePrograms) {
  const with_backend scope("native");
  Dice dice(4);
  for (const int64_t n : {7, 1000, 1025, 4097, 66'000}) {
    for (const DType t : {float32, float64}) {
      const Tensor x = leaf(dice, {3, n}, int32).astype(t).eval();
      const Tensor y = (x * 0.01).eval();
      EXPECT_TRUE(
          same<double>(softmax(y, -1).astype(float64), softmax(x * 0.01, -1).astype(float64)))
          << n << " " << name(t);
      EXPECT_TRUE(same<double>(layer_norm(y).astype(float64), layer_norm(x * 0.01).astype(float64)))
          << n << " " << name(t);
      EXPECT_TRUE(same<double>(sum(y, -1).astype(float64), sum(x * 0.01, -1).astype(float64)))
          << n << " " << name(t);
    }
  }
}

}  // namespace
}  // namespace ember
