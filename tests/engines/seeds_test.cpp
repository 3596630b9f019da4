// The examples of the seeds on every engine, in float32 and float16. Expected values are literals
// or computed by plain loops in double.
#include <cmath>
#include <complex>
#include <numbers>
#include <span>

#include "tests/engines/each_engine.h"

namespace ember {
namespace {

using namespace ops;
using Doubles = std::vector<double>;
using std::numbers::pi;

struct Seeds : EachEngine, testing::WithParamInterface<std::tuple<std::string, DType>> {
  DType t = float32;
  void SetUp() override {
    t = std::get<1>(GetParam());
    start(std::get<0>(GetParam()));
  }

  Tensor made(const Doubles& v, Shape shape) const {
    return array(std::span<const double>(v), std::move(shape)).astype(t).eval();
  }
  Tensor made(const Doubles& v) const { return made(v, {int64_t(v.size())}); }
  // Values that t represents exactly: multiples of 1/8 between -2 and 2.
  Doubles sample(size_t n, unsigned seed = 1) const {
    Doubles v(n);
    for (double& x : v) {
      seed = seed * 1664525u + 1013904223u;
      x = (int(seed >> 16 & 31) - 16) / 8.0;
    }
    return v;
  }
  double eps() const { return t == float16 ? 0x1p-10 : 0x1p-23; }  // between 1 and the next number

  // Within `ulps` of the largest expected value, because sums round relative to their size.
  void expect_near(const Tensor& found, const Doubles& wanted, double ulps = 4) const {
    near(found.to_vector<double>(), wanted, ulps * eps());
  }
  static void near(const Doubles& found, const Doubles& wanted, double relative) {
    ASSERT_EQ(found.size(), wanted.size());
    double scale = 0;
    for (double w : wanted) scale = std::max(scale, std::abs(w));
    for (size_t i = 0; i < found.size(); ++i) {
      ASSERT_NEAR(found[i], wanted[i], relative * scale) << "element " << i;
    }
  }
  void expect_is(const Tensor& found, const Shape& shape, const Doubles& wanted) const {
    EXPECT_EQ(found.dtype(), t);
    EXPECT_EQ(found.shape(), shape);
    EXPECT_EQ(found.backend(), std::get<0>(GetParam()));
    EXPECT_EQ(found.to_vector<double>(), wanted);
  }
};

// ---- Scatter ----

const char* const modes[] = {"add", "mean", "max", "min", "mul", "softmax"};

// Scatters [outer, n, inner] values into [outer, count, inner] buckets; softmax keeps the values'
// shape. Empty buckets contain 0.
Doubles scattered(const Doubles& v, const std::vector<int64_t>& at, int64_t outer, int64_t n,
                  int64_t inner, int64_t count, std::string_view mode) {
  const int64_t used = int64_t(at.size());
  Doubles r(size_t(outer * (mode == "softmax" ? used : count) * inner));
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t i = 0; i < inner; ++i) {
      for (int64_t bucket = 0; bucket < count; ++bucket) {
        Doubles in;
        for (int64_t k = 0; k < used; ++k) {
          if ((at[size_t(k)] + count) % count == bucket) {
            in.push_back(v[size_t((o * n + k) * inner + i)]);
          }
        }
        if (in.empty()) continue;
        double x = mode == "mul" ? 1 : mode == "add" || mode == "mean" ? 0 : in[0];
        for (double e : in) {
          if (mode == "mul") {
            x *= e;
          } else if (mode == "min") {
            x = std::min(x, e);
          } else {
            x = mode == "max" || mode == "softmax" ? std::max(x, e) : x + e;
          }
        }
        if (mode == "softmax") {
          double sum = 0;
          for (double e : in) sum += std::exp(e - x);
          for (int64_t k = 0; k < used; ++k) {
            if ((at[size_t(k)] + count) % count != bucket) continue;
            r[size_t((o * used + k) * inner + i)] =
                std::exp(v[size_t((o * n + k) * inner + i)] - x) / sum;
          }
        } else {
          r[size_t((o * count + bucket) * inner + i)] = mode == "mean" ? x / double(in.size()) : x;
        }
      }
    }
  }
  return r;
}

// [outer, n, inner] as [outer, inner, n].
Doubles swapped(const Doubles& v, size_t outer, size_t inner) {
  const size_t n = v.size() / (outer * inner);
  Doubles r(v.size());
  for (size_t k = 0; k < v.size(); ++k) {
    r[(k / (n * inner) * inner + k % inner) * n + k / inner % n] = v[k];
  }
  return r;
}

// Created once on another engine, then used with this one.
TEST_P(Seeds, ScatterOfATensorMadeBeforeTheSwitch) {
  Tensor x;
  {
    const with_backend other("native");
    x = ones({10}, t).eval();
  }
  expect_is(scatter(x, array({0, 1, 0})), {2}, {2, 1});
}

TEST_P(Seeds, ScatterInEveryMode) {
  const std::vector<int64_t> at = {0, 2, 0, 5, 2, 2, 0};
  const Tensor indices = array(at);
  const Doubles v = sample(42);
  for (const char* mode : modes) {
    SCOPED_TRACE(mode);
    const Tensor flat = made({v.begin(), v.begin() + 7});
    const Tensor rows = made({v.begin(), v.begin() + 21}, {7, 3});
    const Tensor deep = made(v, {2, 7, 3});
    expect_near(scatter(flat, indices, {}, mode), scattered(v, at, 1, 7, 1, 6, mode));
    expect_near(scatter(flat, indices, 9, mode), scattered(v, at, 1, 7, 1, 9, mode));
    expect_near(scatter(rows, indices, {}, mode), scattered(v, at, 1, 7, 3, 6, mode));
    expect_near(scatter(rows, indices.astype(int32), 8, mode), scattered(v, at, 1, 7, 3, 8, mode));
    expect_near(scatter(deep, indices, 7, mode, 1), scattered(v, at, 2, 7, 3, 7, mode));
    const Tensor turned = permute_dims(deep, {0, 2, 1});
    expect_near(scatter(turned, indices, {}, mode, -1),
                swapped(scattered(v, at, 2, 7, 3, 6, mode), 2, 3));
    const Tensor r = scatter(deep, indices, 7, mode, 1);
    EXPECT_EQ(r.shape(), (Shape{2, 7, 3}));
    EXPECT_EQ(r.dtype(), t);
  }
}

// With fewer indices than values, the first values are used; negative indices count from the end of
// the buckets.
TEST_P(Seeds, ScatterOfFewerIndicesThanValues) {
  const std::vector<int64_t> at = {0, 2, -1, 5, -3};
  const Doubles v = sample(7, 5);
  for (const char* mode : modes) {
    SCOPED_TRACE(mode);
    expect_near(scatter(made(v), array(at), 6, mode), scattered(v, at, 1, 7, 1, 6, mode));
  }
}

TEST_P(Seeds, ScatterErrors) {
  const Tensor x = made({1, 2, 3});
  EXPECT_THROW(scatter(x, array({0, 1, 2, 0})), ShapeError) << "more indices than values";
  EXPECT_THROW(scatter(x, array({{0}, {1}})), ShapeError);
  EXPECT_THROW(scatter(x, array({0, 1}), 4, "median"), ValueError);
  EXPECT_THROW(scatter(x, array({0, 1}), -1), ValueError);
  EXPECT_THROW(scatter(x, array({0.5, 1.5})), DTypeError);
  for (const char* mode : modes) {
    SCOPED_TRACE(mode);
    EXPECT_THROW(scatter(x, array({0, 1, 5}), 3, mode).eval(), IndexError);
    EXPECT_THROW(scatter(x, array({0, 1, -4}), 3, mode).eval(), IndexError);
  }
}

TEST_P(Seeds, EmptyScatter) {
  const Tensor indices = zeros({0}, int32);
  for (const char* mode : modes) {
    SCOPED_TRACE(mode);
    expect_is(scatter(made({}), indices, {}, mode), {0}, {});
    if (std::string(mode) == "softmax") continue;
    expect_is(scatter(made({}), indices, 3, mode), {3}, {0, 0, 0});
    expect_is(scatter(made({}, {0, 2}), indices, 2, mode), {2, 2}, {0, 0, 0, 0});
  }
}

TEST_P(Seeds, LargeSparseScatter) {
  const Tensor large = ones({10000}, t);
  const Tensor indices = array({0, 9999});
  Doubles wanted(10000);
  wanted.front() = wanted.back() = 1;
  for (const char* mode : {"add", "mean", "max", "min", "mul"}) {
    SCOPED_TRACE(mode);
    expect_is(scatter(large, indices, {}, mode), {10000}, wanted);
  }
  expect_is(scatter(large, indices, {}, "softmax"), {2}, {1, 1});
  // A permutation: every bucket gets one value.
  std::vector<int64_t> spread(10000);
  Doubles v(10000);
  Doubles moved(10000);
  for (int64_t i = 0; i < 10000; ++i) {
    spread[size_t(i)] = i * 7919 % 10000;
    v[size_t(i)] = double(i % 2000);
    moved[size_t(spread[size_t(i)])] = v[size_t(i)];
  }
  expect_is(scatter(made(v), array(spread)), {10000}, moved);
}

// Sums of 16-bit floats use 32 bits: sequential sums of ones would stop at 2048.
TEST_P(Seeds, ScatterOfManyKeepsPrecision) {
  const Tensor x = ones({8192}, t);
  const Tensor indices = zeros({8192}, int64);
  expect_is(scatter(x, indices), {1}, {8192});
  expect_is(scatter(x, indices, {}, "mean"), {1}, {1});
  // The sum does not fit a float16.
  expect_is(scatter(x * 60000.0, indices, {}, "mean"), {1}, {60000});
}

// As written in the seed.
Tensor seed_scatter_mean(const Tensor& values, const Tensor& indices,
                         std::optional<int64_t> dim_size = {}) {
  const Tensor sum = scatter(values, indices, dim_size, "add");
  Tensor count = scatter(ones_like(values), indices, dim_size, "add");
  count = where(count == 0, ones_like(count), count);
  return divide(sum, count);
}

TEST_P(Seeds, ScatterMean) {
  const Tensor values = made({1, 2, 3, 4, 5, 6});
  const Tensor indices = array({0, 1, 0, 3, 3, 3});
  const Doubles wanted = {2, 2, 0, 5};
  expect_is(seed_scatter_mean(values, indices), {4}, wanted);
  expect_is(scatter_mean(values, indices), {4}, wanted);
  expect_is(seed_scatter_mean(values, indices, 5), {5}, {2, 2, 0, 5, 0});
  expect_is(scatter_mean(values, indices, 5), {5}, {2, 2, 0, 5, 0});
  expect_is(scatter_mean(reshape(values, {2, 3}), array({1, 0, 1}), {}, 1), {2, 2}, {2, 2, 5, 5});
}

// ---- Waves ----

Doubles hann(int64_t n, bool periodic = true) {
  Doubles w(size_t(n), 1);
  const double period = double(periodic ? n : n - 1);
  for (int64_t i = 0; n > 1 && i < n; ++i) {
    w[size_t(i)] = 0.5 - 0.5 * std::cos(2 * pi * double(i) / period);
  }
  return w;
}

// The Fourier transform of each frame by definition, [frequency, frame].
std::vector<std::complex<double>> transformed(const std::vector<Doubles>& frames) {
  const size_t n = frames[0].size();
  const size_t count = frames.size();
  std::vector<std::complex<double>> turns(n);
  std::vector<std::complex<double>> r((n / 2 + 1) * count);
  for (size_t i = 0; i < n; ++i) turns[i] = std::polar(1.0, -2 * pi * double(i) / double(n));
  for (size_t f = 0; f < count; ++f) {
    for (size_t k = 0; k <= n / 2; ++k) {
      for (size_t i = 0; i < n; ++i) r[k * count + f] += frames[f][i] * turns[i * k % n];
    }
  }
  return r;
}

void expect_spectrum(const Tensor& found, const std::vector<std::complex<double>>& wanted,
                     double relative) {
  EXPECT_EQ(found.dtype(), complex64);
  const auto v = found.to_vector<std::complex<float>>();
  ASSERT_EQ(v.size(), wanted.size());
  double scale = 0;
  for (const auto& w : wanted) scale = std::max(scale, std::abs(w));
  for (size_t i = 0; i < v.size(); ++i) {
    ASSERT_LE(std::abs(std::complex<double>(v[i]) - wanted[i]), relative * scale)
        << "element " << i;
  }
}

TEST_P(Seeds, HannWindow) {
  expect_near(hann_window(1024, true, t), hann(1024), 1);
  expect_near(hann_window(1024, false, t), hann(1024, false), 1);
  expect_near(hann_window(7, true, t), hann(7), 1);
  expect_is(hann_window(0, true, t), {0}, {});
  expect_is(hann_window(1, true, t), {1}, {1});
  expect_is(hann_window(1, false, t), {1}, {1});
  expect_is(hann_window(4, true, t), {4}, {0, 0.5, 1, 0.5});
  expect_is(hann_window(3, false, t), {3}, {0, 1, 0});
  EXPECT_EQ(hann_window(8).dtype(), float32);
}

TEST_P(Seeds, Frame) {
  expect_is(frame(made({0, 1, 2, 3, 4, 5, 6}), 3, 2), {3, 3}, {0, 1, 2, 2, 3, 4, 4, 5, 6});
  expect_is(frame(made({0, 1, 2, 3, 4, 5}), 2, 3), {2, 2}, {0, 1, 3, 4});
  expect_is(frame(made({0, 1, 2, 3, 4, 5, 6, 7}, {2, 4}), 2, 1), {2, 3, 2},
            {0, 1, 1, 2, 2, 3, 4, 5, 5, 6, 6, 7});
  expect_is(frame(made({0, 1, 2, 3, 4, 5, 6, 7}, {4, 2}), 2, 2, 0), {2, 2, 2},
            {0, 1, 2, 3, 4, 5, 6, 7});
  const Doubles wave = sample(4096);
  const auto found = frame(made(wave), 1024, 512).to_vector<double>();
  ASSERT_EQ(found.size(), 7u * 1024);
  for (size_t f = 0; f < 7; ++f) {
    for (size_t i = 0; i < 1024; ++i) ASSERT_EQ(found[f * 1024 + i], wave[f * 512 + i]);
  }
  EXPECT_THROW(frame(made({1, 2}), 0, 1), ValueError);
  EXPECT_THROW(frame(made({1, 2}), 1, 0), ValueError);
}

// process_wave: weighted frames, then the transform of the frames.
TEST_P(Seeds, StftOfFrames) {
  lacking("onnxruntime");  // complex numbers
  const Doubles wave = sample(2560);
  const Doubles w = hann(1024);
  std::vector<Doubles> frames(4, Doubles(1024));
  for (size_t f = 0; f < 4; ++f) {
    for (size_t i = 0; i < 1024; ++i) frames[f][i] = wave[f * 512 + i] * w[i];
  }
  const Tensor x = made(wave);
  const Tensor cut = frame(x, 1024, 512);
  // The window is float32, and so is the product.
  const Tensor r = stft(multiply(cut, hann_window(1024)));
  EXPECT_EQ(r.shape(), (Shape{513, 4}));
  expect_spectrum(r, transformed(frames), 1e-5);
  expect_spectrum(stft(multiply(cut, hann_window(1024, true, t))), transformed(frames),
                  4 * eps() + 1e-5);
  // process_waveform: one frame, as a vector.
  const Tensor one = stft(multiply(made({wave.begin(), wave.begin() + 1024}), hann_window(1024)));
  EXPECT_EQ(one.shape(), (Shape{513}));
  expect_spectrum(one, transformed({frames[0]}), 1e-5);
}

// With a signal, stft's own framing: reflected at the ends, Hann window, a hop of n_fft / 4.
TEST_P(Seeds, StftOfASignal) {
  lacking("onnxruntime");
  const Doubles wave = sample(500, 3);
  const Doubles w = hann(128);
  const auto cut = [&](const Doubles& signal, size_t hop) {
    std::vector<Doubles> frames;
    for (size_t at = 0; at + 128 <= signal.size(); at += hop) {
      frames.emplace_back(128);
      for (size_t i = 0; i < 128; ++i) frames.back()[i] = signal[at + i] * w[i];
    }
    return frames;
  };
  Doubles padded(500 + 128);
  for (int i = 0; i < 628; ++i) {
    const int k = i - 64;
    padded[size_t(i)] = wave[size_t(k < 0 ? -k : k < 500 ? k : 998 - k)];
  }
  const Tensor x = made(wave);
  const double loss = 4 * eps() + 1e-5;
  expect_spectrum(stft(x, {.n_fft = 128}), transformed(cut(padded, 32)), loss);
  expect_spectrum(stft(x, {.n_fft = 128, .hop_length = 100, .center = false}),
                  transformed(cut(wave, 100)), loss);
  // The inverse.
  near(istft(stft(x, {.n_fft = 128}), {.n_fft = 128}, 500).to_vector<double>(), wave, loss);
}

// ---- Normalisation, statistics ----

// Scaled to [0, 1] by a divisor of the tensor's own dtype.
TEST_P(Seeds, NormalisedImage) {
  Doubles v(256);
  Doubles wanted(256);
  for (int i = 0; i < 256; ++i) {
    v[size_t(i)] = i;
    wanted[size_t(i)] = i / 255.0;
  }
  const Tensor x = made(v);
  const Tensor y = divide(x, astype(Tensor(255.0), x.dtype()));
  EXPECT_EQ(y.dtype(), t);
  expect_near(y, wanted, 0.5);  // one rounding
}

// Minimum and maximum remain tensors: no conversion to a narrower scalar, and no early evaluation.
Tensor normalised(const Tensor& x) {
  const Tensor low = min(x);
  const Tensor high = max(x);
  return divide(subtract(x, low), subtract(high, low));
}
TEST_P(Seeds, NormalisationKeepsPrecision) {
  const double step = t == float16 ? 1 : 0.0625;
  const double from = t == float16 ? 1024 : 1e6;  // neighbours in t
  Doubles v(513);
  Doubles wanted(513);
  for (size_t i = 0; i < 513; ++i) {
    v[i] = from + double(i) * step;
    wanted[i] = double(i) / 512;
  }
  const Tensor x = made(v);
  const Tensor y = normalised(x);
  EXPECT_FALSE(y.evaluated());
  expect_is(y, {513}, wanted);
  const Doubles fine = {1e20, 1e20 + 0x1p16, 1e20 + 0x1p18};  // float64 all the way
  const Tensor wide = normalised(array(fine));
  EXPECT_EQ(wide.dtype(), float64);
  EXPECT_EQ(wide.to_vector<double>(), (Doubles{0, 0.25, 1}));
}

TEST_P(Seeds, AverageOfIntegersIsNotCut) {
  const Tensor values = array({1, 2, 2, 5});
  const Tensor average = mean(values);
  EXPECT_EQ(average.dtype(), float32);
  EXPECT_EQ(average.item<float>(), 2.5f);
  EXPECT_EQ(divide(ops::sum(values), full({}, 4, float32)).item<float>(), 2.5f);
  EXPECT_EQ((array({3}) / array({2})).item<float>(), 1.5f);
}

// The sum exceeds float16, where ones stop counting at 2048.
TEST_P(Seeds, AverageOfMany) {
  expect_is(mean(full({4096}, 60000.0, t)), {}, {60000});
  expect_is(mean(ones({100, 4096}, t), 1), {100}, Doubles(100, 1));
  expect_is(ops::sum(ones({8192}, t)), {}, {8192});
}

TEST_P(Seeds, Statistics) {
  const Doubles v = sample(1000);
  double average = 0;
  double variance = 0;
  for (double x : v) average += x / 1000;
  for (double x : v) variance += (x - average) * (x - average) / 1000;
  const Tensor x = made(v);
  const Tensor m = mean(x);
  const Tensor s = sqrt(mean(square(subtract(x, m))));
  EXPECT_NEAR(m.item<double>(), average, 4 * eps());
  EXPECT_NEAR(s.item<double>(), std::sqrt(variance), 8 * eps());
  EXPECT_NEAR(ops::std(x).item<double>(), std::sqrt(variance), 4 * eps());
  EXPECT_NEAR(var(x).item<double>(), variance, 8 * eps());
  const Tensor y = made({3, -1, 4, 1, -5, 9, 2, 6});
  expect_is(median(y), {}, {2.5});
  expect_is(percentile(y, 25), {}, {0.5});
  expect_is(max(y), {}, {9});
  expect_is(min(y), {}, {-5});
  expect_is(cumulative_sum(y), {8}, {3, 2, 6, 7, 2, 11, 13, 19});
  expect_is(sort(y), {8}, {-5, -1, 1, 2, 3, 4, 6, 9});
  EXPECT_EQ(argsort(y).to_vector<int64_t>(), (std::vector<int64_t>{4, 1, 3, 6, 0, 2, 7, 5}));
  EXPECT_EQ(argmax(y).item<int64_t>(), 5);
  Doubles density;
  for (double e : {-1, 0, 2}) {
    density.push_back(std::exp(-(e - 0.5) * (e - 0.5) / 8) / std::sqrt(8 * pi));
  }
  expect_near(gaussian(made({-1, 0, 2}), 0.5, 2.0), density);
}

// ---- Vectorised instead of loops ----

TEST_P(Seeds, PairwiseDistances) {
  const Doubles v = sample(40 * 3, 11);
  const Tensor points = made(v, {40, 3});
  const Tensor diff = subtract(expand_dims(points, {1}), expand_dims(points, {0}));
  const Tensor squares = ops::sum(square(diff), 2);
  const auto [i, j] = triu_indices(40, 1);
  const Tensor distances = sqrt(squares(i, j));
  EXPECT_EQ(distances.dtype(), t);
  Doubles wanted;
  std::vector<int64_t> rows;
  std::vector<int64_t> columns;
  for (int64_t a = 0; a < 40; ++a) {
    for (int64_t b = a + 1; b < 40; ++b) {
      double d = 0;
      for (int64_t k = 0; k < 3; ++k) d += std::pow(v[size_t(a * 3 + k)] - v[size_t(b * 3 + k)], 2);
      wanted.push_back(std::sqrt(d));
      rows.push_back(a);
      columns.push_back(b);
    }
  }
  EXPECT_EQ(i.to_vector<int64_t>(), rows);
  EXPECT_EQ(j.to_vector<int64_t>(), columns);
  expect_near(distances, wanted);
}

TEST_P(Seeds, ElementwiseExamples) {
  const Doubles v = sample(200, 7);
  const Tensor x = made(v);
  const auto expect = [&](const Tensor& found, double (*f)(double)) {
    Doubles wanted;
    for (double e : v) wanted.push_back(f(e));
    EXPECT_EQ(found.dtype(), t);
    expect_near(found, wanted);
  };
  expect(sin(x), [](double e) { return std::sin(e); });
  expect(log(add(1, abs(x))), [](double e) { return std::log(1 + std::abs(e)); });
  expect(multiply(x, 2), [](double e) { return e * 2; });
  expect(multiply(x, 0.95), [](double e) { return e * 0.95; });  // SpecializedProcessor("memory")
  expect(multiply(x, -0.5), [](double e) { return e * -0.5; });  // ("inhibition")
  expect(multiply(x, x > 0), [](double e) { return e > 0 ? e : 0; });  // FeatureExtractor's mask
  expect(divide(subtract(x, 0.25), 1.5), [](double e) { return (e - 0.25) / 1.5; });
  expect(relu(x), [](double e) { return e > 0 ? e : 0; });
  expect(sigmoid(x), [](double e) { return 1 / (1 + std::exp(-e)); });
  expect(tanh(x), [](double e) { return std::tanh(e); });
  expect(softplus(x), [](double e) { return std::log1p(std::exp(e)); });
  double sum = 0;
  for (double e : v) sum += std::exp(e);
  Doubles soft;
  for (double e : v) soft.push_back(std::exp(e) / sum);
  expect_near(softmax(x), soft, 8);
}

// Functions and operators record the same ops and are equally lazy.
TEST_P(Seeds, LossAndMixedOperations) {
  const Doubles p = sample(100, 2);
  const Doubles q = sample(100, 9);
  double loss = 0;
  for (size_t i = 0; i < 100; ++i) loss += (p[i] - q[i]) * (p[i] - q[i]) / 100;
  const Tensor predictions = made(p);
  const Tensor targets = made(q);
  const Tensor by_name = mean(square(subtract(predictions, targets)));
  const Tensor by_sign = mean(square(predictions - targets));
  EXPECT_FALSE(by_name.evaluated());
  EXPECT_FALSE(by_sign.evaluated());
  EXPECT_NEAR(by_name.item<double>(), loss, 4 * eps() * loss);
  EXPECT_EQ(by_name.item<double>(), by_sign.item<double>());
  const Tensor a = made({1, 2});
  const Tensor b = made({3, 4});
  const Tensor c = made({5, 6});
  expect_is(multiply(add(a, b), c), {2}, {20, 36});
}

TEST_P(Seeds, CreationAndEncoding) {
  lacking("onnxruntime");  // random bits
  expect_is(full({2, 2}, 1.5, t), {2, 2}, {1.5, 1.5, 1.5, 1.5});
  expect_is(zeros({3}, t), {3}, {0, 0, 0});
  expect_is(one_hot(array({2, 0}), 3, -1, t), {2, 3}, {0, 0, 1, 1, 0, 0});
  expect_is(to_device(made({1, 2}), "cpu") + 1, {2}, {2, 3});
  const auto halves = split(made({1, 2, 3, 4}), 2);
  expect_is(where(halves[0] < halves[1], halves[0], halves[1]), {2}, {1, 2});
  seed(17);
  const Tensor x = random_normal({20000}, 1, 2, t);
  EXPECT_EQ(x.dtype(), t);
  EXPECT_NEAR(mean(x.astype(float32)).item<double>(), 1, 0.06);
  EXPECT_NEAR(ops::std(x.astype(float32)).item<double>(), 2, 0.06);
}

// ---- Type safety ----

TEST_P(Seeds, MatmulOfMismatchedPrecisionIsRefused) {
  const Tensor x = ones({10}, float32);
  const Tensor y = ones({10}, float16);
  EXPECT_THROW(matmul(x, y), DTypeError);
  EXPECT_THROW(matmul(y, x), DTypeError);
  EXPECT_THROW(matmul(ones({2, 3}, float16), ones({3, 2}, float32)), DTypeError);
  expect_is(matmul(ones({10}, t), ones({10}, t)), {}, {10});
  expect_is(matmul(made({1, 2, 3, 4}, {2, 2}), made({5, 6, 7, 8}, {2, 2})), {2, 2},
            {19, 22, 43, 50});
  // Accumulated in 32 bits.
  expect_is(matmul(ones({3, 4096}, t), ones({4096, 2}, t)), {3, 2}, Doubles(6, 4096));
}

// The wider of two precisions is used.
TEST_P(Seeds, MixedPrecisionIsComputedInTheWider) {
  const Tensor sum = ones({2}, float16) + full({2}, 1e-5, float32);
  EXPECT_EQ(sum.dtype(), float32);
  EXPECT_EQ(sum.to_vector<float>(), (std::vector<float>{1.0f + 1e-5f, 1.0f + 1e-5f}));
  EXPECT_EQ((made({1}) + 1e-8).dtype(), t) << "a scalar never widens";
}

INSTANTIATE_TEST_SUITE_P(Engines, Seeds,
                         testing::Combine(testing::ValuesIn(test_engines()),
                                          testing::Values(float32, float16)),
                         [](const auto& info) {
                           return std::get<0>(info.param) + "_" +
                                  std::string(name(std::get<1>(info.param)));
                         });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Seeds);

}  // namespace
}  // namespace ember
