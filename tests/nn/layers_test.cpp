// Linear, embedding, convolution, pooling, normalization, activations, initializers: compared with
// loops in double.
#include "tests/nn/reference.h"

namespace ember::nn {
namespace {

TEST_F(Layers, LinearIsAProductAndABias) {
  Linear m(5, 3);
  Linear plain(5, 3, false);
  const Tensor x = random({4, 2, 5});
  expect_close(m(x), linear(x, m.weight, Ref(m.bias).v));
  expect_close(plain(x), linear(x, plain.weight));
  EXPECT_EQ(keys(m), (Names{"bias", "weight"}));
  EXPECT_EQ(keys(plain), (Names{"weight"}));
  EXPECT_EQ(error_of<ShapeError>([&] { m(random({4, 6})); }),
            "[Linear] expects 5 features along the last axis, not the shape [4, 6]");
  for (double w : Ref(m.weight).v) EXPECT_LE(std::abs(w), 1 / std::sqrt(5.0));
  Dense same(2, 2);
  EXPECT_EQ(same.kind(), "Linear");
}

TEST_F(Layers, EmbeddingLooksUpRowsAndLeavesPaddingAlone) {
  Embedding m(6, 3, {.padding_idx = -2});
  const Tensor indices = array({{0, 4, 5}, {4, 2, 0}});
  const Ref w = m.weight;
  const Ref y = m(indices);
  EXPECT_EQ(y.shape, (Shape{2, 3, 3}));
  const int64_t flat[] = {0, 4, 5, 4, 2, 0};
  for (int64_t i = 0; i < 6; ++i) {
    for (int64_t d = 0; d < 3; ++d) EXPECT_EQ(y.v[size_t(i * 3 + d)], w({flat[i], d}));
  }
  for (int64_t d = 0; d < 3; ++d) EXPECT_EQ(w({4, d}), 0);
  ops::sum(m(indices)).backward();
  const Ref g = m.weight.grad();
  const double times[] = {2, 0, 1, 0, 0, 1};
  for (int64_t r = 0; r < 6; ++r) EXPECT_EQ(g({r, 1}), times[r]) << r;
  EXPECT_THROW(Embedding(6, 3, {.padding_idx = 6}), ValueError);
}

// Converts all spatial axes to three.
struct Window {
  Ints kernel, stride{1, 1, 1}, padding{0, 0, 0}, dilation{1, 1, 1}, more{0, 0, 0};
  int64_t groups = 1;
};
Ref three(const Ref& x) {
  Ref r = x;
  while (r.shape.size() < 5) r.shape.insert(2, 1);
  return r;
}
Tensor like_three(const Tensor& y) {
  Shape s = y.shape();
  while (s.size() < 5) s.insert(2, 1);
  return ops::reshape(y, s);
}
// Calls f with the input position (or -1 outside) for each element of the window and of the output.
template <class F> void each_window(const Window& w, const Shape& in, const Shape& out, F&& f) {
  for (int64_t a = 0; a < out[2]; ++a) {
    for (int64_t b = 0; b < out[3]; ++b) {
      for (int64_t c = 0; c < out[4]; ++c) {
        for (int64_t i = 0; i < w.kernel[0]; ++i) {
          for (int64_t j = 0; j < w.kernel[1]; ++j) {
            for (int64_t k = 0; k < w.kernel[2]; ++k) {
              const int64_t at[] = {a * w.stride[0] - w.padding[0] + i * w.dilation[0],
                                    b * w.stride[1] - w.padding[1] + j * w.dilation[1],
                                    c * w.stride[2] - w.padding[2] + k * w.dilation[2]};
              bool inside = true;
              for (int d = 0; d < 3; ++d) inside &= at[d] >= 0 && at[d] < in[size_t(d) + 2];
              f(a, b, c, i, j, k, at[0], at[1], at[2], inside);
            }
          }
        }
      }
    }
  }
}
int64_t out_size(const Window& w, const Shape& in, size_t d) {
  return (in[d + 2] + 2 * w.padding[d] - w.dilation[d] * (w.kernel[d] - 1) - 1) / w.stride[d] + 1;
}

Ref conv(const Ref& given, const Ref& filter, const std::vector<double>& bias, const Window& w) {
  const Ref x = three(given);
  const Ref f = three(filter);
  const int64_t out = f.shape[0];
  const int64_t per = f.shape[1];
  const int64_t share = out / w.groups;
  Ref y(
      {x.shape[0], out, out_size(w, x.shape, 0), out_size(w, x.shape, 1), out_size(w, x.shape, 2)});
  for (int64_t n = 0; n < x.shape[0]; ++n) {
    for (int64_t o = 0; o < out; ++o) {
      each_window(w, x.shape, y.shape,
                  [&](int64_t a, int64_t b, int64_t c, int64_t i, int64_t j, int64_t k, int64_t p,
                      int64_t q, int64_t r, bool inside) {
                    if (i + j + k == 0) y({n, o, a, b, c}) += bias.empty() ? 0 : bias[size_t(o)];
                    for (int64_t s = 0; inside && s < per; ++s) {
                      y({n, o, a, b, c}) +=
                          x({n, o / share * per + s, p, q, r}) * f({o, s, i, j, k});
                    }
                  });
    }
  }
  return y;
}
// Each input element adds the scaled filter to the output.
Ref conv_transpose(const Ref& given, const Ref& filter, const std::vector<double>& bias,
                   const Window& w) {
  const Ref x = three(given);
  const Ref f = three(filter);
  const int64_t in = x.shape[1];
  const int64_t per = f.shape[1];
  const int64_t out = per * w.groups;
  Shape s{x.shape[0], out};
  for (size_t d = 0; d < 3; ++d) {
    s.push_back((x.shape[d + 2] - 1) * w.stride[d] - 2 * w.padding[d] +
                w.dilation[d] * (w.kernel[d] - 1) + w.more[d] + 1);
  }
  Ref y(s);
  for (int64_t n = 0; n < s[0]; ++n) {
    for (int64_t i = 0; i < in; ++i) {
      for (int64_t o = 0; o < per; ++o) {
        each_window(w, s, x.shape,
                    [&](int64_t a, int64_t b, int64_t c, int64_t ki, int64_t kj, int64_t kk,
                        int64_t p, int64_t q, int64_t r, bool inside) {
                      if (inside) {
                        y({n, i / (in / w.groups) * per + o, p, q, r}) +=
                            x({n, i, a, b, c}) * f({i, o, ki, kj, kk});
                      }
                    });
      }
    }
    for (int64_t o = 0; o < out; ++o) {
      for (int64_t k = 0; k < s[2] * s[3] * s[4]; ++k) {
        y.v[size_t((n * out + o) * s[2] * s[3] * s[4] + k)] += bias.empty() ? 0 : bias[size_t(o)];
      }
    }
  }
  return y;
}

TEST_F(Layers, ConvolutionsAgreeWithLoops) {
  {
    Conv1d m(4, 6, 3, {.stride = 2, .padding = 1, .dilation = 2, .groups = 2});
    const Tensor x = random({2, 4, 11});
    expect_close(like_three(m(x)), conv(x, m.weight, Ref(m.bias).v,
                                        {.kernel = {1, 1, 3},
                                         .stride = {1, 1, 2},
                                         .padding = {0, 0, 1},
                                         .dilation = {1, 1, 2},
                                         .groups = 2}));
  }
  {
    Conv2d m(3, 4, {3, 2}, {.stride = {2, 1}, .padding = {1, 0}, .bias = false});
    const Tensor x = random({2, 3, 7, 6});
    expect_close(
        like_three(m(x)),
        conv(x, m.weight, {}, {.kernel = {1, 3, 2}, .stride = {1, 2, 1}, .padding = {0, 1, 0}}));
    expect_close(m(x(0)), m(x)(0));  // without a batch
    EXPECT_EQ(keys(m), (Names{"weight"}));
  }
  {
    Conv3d m(2, 4, 2, {.groups = 2});
    const Tensor x = random({2, 2, 4, 3, 5});
    expect_close(m(x), conv(x, m.weight, Ref(m.bias).v, {.kernel = {2, 2, 2}, .groups = 2}));
  }
  EXPECT_EQ(error_of<ValueError>([] { Conv2d(3, 4, 3, {.groups = 2}); }),
            "[Conv2d] 2 groups do not divide 3 and 4 channels");
  EXPECT_EQ(error_of<ValueError>([] { Conv2d(3, 4, {3, 3, 3}); }),
            "[Conv2d] 3 numbers in kernel_size for 2 axes");
  EXPECT_EQ(error_of<ShapeError>([] { Conv2d(3, 4, 3)(random({3, 3})); }),
            "[Conv2d] expects 4 dimensions, or 3 without a batch, not the shape [3, 3]");
}

TEST_F(Layers, TransposedConvolutionsAgreeWithLoops) {
  {
    ConvTranspose1d m(4, 6, 3, {.stride = 2, .padding = 1, .output_padding = 1, .groups = 2});
    const Tensor x = random({2, 4, 5});
    expect_close(like_three(m(x)), conv_transpose(x, m.weight, Ref(m.bias).v,
                                                  {.kernel = {1, 1, 3},
                                                   .stride = {1, 1, 2},
                                                   .padding = {0, 0, 1},
                                                   .more = {0, 0, 1},
                                                   .groups = 2}));
  }
  {
    ConvTranspose2d m(
        3, 4, 3, {.stride = {2, 3}, .padding = 1, .output_padding = {1, 2}, .dilation = {1, 2}});
    const Tensor x = random({2, 3, 4, 5});
    expect_close(like_three(m(x)), conv_transpose(x, m.weight, Ref(m.bias).v,
                                                  {.kernel = {1, 3, 3},
                                                   .stride = {1, 2, 3},
                                                   .padding = {0, 1, 1},
                                                   .dilation = {1, 1, 2},
                                                   .more = {0, 1, 2}}));
  }
  {
    ConvTranspose3d m(2, 3, 2, {.stride = 2, .bias = false});
    const Tensor x = random({1, 2, 3, 2, 3});
    expect_close(m(x), conv_transpose(x, m.weight, {}, {.kernel = {2, 2, 2}, .stride = {2, 2, 2}}));
  }
}

enum class Pool { max, mean, mean_inside };
Ref pool(const Ref& given, const Window& w, Pool how) {
  const Ref x = three(given);
  const double low = -HUGE_VAL;
  Ref y({x.shape[0], x.shape[1], out_size(w, x.shape, 0), out_size(w, x.shape, 1),
         out_size(w, x.shape, 2)},
        how == Pool::max ? low : 0);
  for (int64_t n = 0; n < x.shape[0]; ++n) {
    for (int64_t ch = 0; ch < x.shape[1]; ++ch) {
      Ref counts(y.shape);
      each_window(w, x.shape, y.shape,
                  [&](int64_t a, int64_t b, int64_t c, int64_t, int64_t, int64_t, int64_t p,
                      int64_t q, int64_t r, bool inside) {
                    double& at = y({n, ch, a, b, c});
                    counts({0, 0, a, b, c}) += inside || how == Pool::mean;
                    if (inside) {
                      at = how == Pool::max ? std::max(at, x({n, ch, p, q, r}))
                                            : at + x({n, ch, p, q, r});
                    }
                  });
      const int64_t places = y.shape[2] * y.shape[3] * y.shape[4];
      for (int64_t k = 0; how != Pool::max && k < places; ++k) {
        y.v[size_t((n * x.shape[1] + ch) * places + k)] /= counts.v[size_t(k)];
      }
    }
  }
  return y;
}
TEST_F(Layers, PoolsAgreeWithLoops) {
  const Tensor x1 = random({2, 3, 9});
  const Tensor x2 = random({2, 3, 8, 7});
  const Tensor x3 = random({1, 2, 4, 5, 6});
  const Window w1{.kernel = {1, 1, 2}, .stride = {1, 1, 2}, .dilation = {1, 1, 2}};
  const Window w2{.kernel = {1, 3, 3}, .stride = {1, 2, 2}, .padding = {0, 1, 1}};
  const Window w3{.kernel = {2, 2, 2}, .stride = {2, 2, 2}};
  expect_close(like_three(MaxPool1d(2, {.dilation = 2})(x1)), pool(x1, w1, Pool::max));
  expect_close(like_three(MaxPool2d(3, {.stride = 2, .padding = 1})(x2)), pool(x2, w2, Pool::max));
  expect_close(MaxPool3d(2)(x3), pool(x3, w3, Pool::max));
  expect_close(like_three(AvgPool1d(2)(x1)),
               pool(x1, {.kernel = {1, 1, 2}, .stride = {1, 1, 2}}, Pool::mean));
  expect_close(like_three(AvgPool2d(3, {.stride = 2, .padding = 1})(x2)), pool(x2, w2, Pool::mean));
  expect_close(
      like_three(AvgPool2d(3, {.stride = 2, .padding = 1, .count_include_pad = false})(x2)),
      pool(x2, w2, Pool::mean_inside));
  expect_close(AvgPool3d(2)(x3), pool(x3, w3, Pool::mean));
  expect_close(like_three(AdaptiveAvgPool2d({4, 1})(x2)),
               pool(x2, {.kernel = {1, 2, 7}, .stride = {1, 2, 7}}, Pool::mean));
  expect_close(like_three(AdaptiveMaxPool1d(3)(x1)),
               pool(x1, {.kernel = {1, 1, 3}, .stride = {1, 1, 3}}, Pool::max));
  EXPECT_EQ(AdaptiveAvgPool3d({2, 3, 4})(x3).shape(), (Shape{1, 2, 2, 3, 4}));
  EXPECT_EQ(MaxPool2d(3, {.stride = 2, .ceil_mode = true})(x2).shape(), (Shape{2, 3, 4, 3}));
  Ref mean({2, 3});
  Ref top({2, 3}, -HUGE_VAL);
  const Ref v = x2;
  for (int64_t k = 0; k < 6; ++k) {
    for (int64_t i = 0; i < 56; ++i) {
      mean.v[size_t(k)] += v.v[size_t(k * 56 + i)] / 56;
      top.v[size_t(k)] = std::max(top.v[size_t(k)], v.v[size_t(k * 56 + i)]);
    }
  }
  expect_close(GlobalAvgPool()(x2), mean);
  expect_close(GlobalMaxPool()(x2), top);
}

// Normalizes groups of n consecutive numbers; also returns their means and biased variances.
Ref normalize(const Ref& x, size_t n, double eps, Ref* means = nullptr, Ref* variances = nullptr) {
  Ref y = x;
  for (size_t g = 0; g < x.v.size() / n; ++g) {
    double mean = 0;
    double var = 0;
    for (size_t i = 0; i < n; ++i) mean += x.v[g * n + i] / double(n);
    for (size_t i = 0; i < n; ++i) {
      var += (x.v[g * n + i] - mean) * (x.v[g * n + i] - mean) / double(n);
    }
    for (size_t i = 0; i < n; ++i) y.v[g * n + i] = (x.v[g * n + i] - mean) / std::sqrt(var + eps);
    if (means) {
      means->v[g] = mean;
      variances->v[g] = var;
    }
  }
  return y;
}
Ref channels_scaled(Ref y, const Ref& scale, const Ref& shift) {  // axis 1
  const size_t c = size_t(y.shape[1]);
  const size_t n = y.v.size() / (size_t(y.shape[0]) * c);
  for (size_t i = 0; i < y.v.size(); ++i) y.v[i] = y.v[i] * scale.v[i / n % c] + shift.v[i / n % c];
  return y;
}

TEST_F(Layers, BatchNormKeepsRunningStatistics) {
  BatchNorm2d m(3);
  EXPECT_EQ(keys(m),
            (Names{"bias", "num_batches_tracked", "running_mean", "running_var", "weight"}));
  EXPECT_EQ(m.num_batches_tracked.dtype(), int64);
  m.weight.assign(random({3}));
  m.bias.assign(random({3}));
  Ref mean({3});
  Ref var({3}, 1);
  for (int step = 0; step < 3; ++step) {
    const Tensor x = random({4, 3, 2, 5}) * 3.0 + 1.0;
    Ref means({3});
    Ref variances({3});
    const Ref turned = ops::permute_dims(x, {1, 0, 2, 3});
    const Ref y = normalize(turned, 40, 1e-5, &means, &variances);
    const Tensor back =
        ops::permute_dims(array(std::span<const double>(y.v), turned.shape), {1, 0, 2, 3});
    expect_close(m(x), channels_scaled(back, m.weight, m.bias));
    for (size_t c = 0; c < 3; ++c) {
      mean.v[c] = 0.9 * mean.v[c] + 0.1 * means.v[c];
      var.v[c] = 0.9 * var.v[c] + 0.1 * variances.v[c] * 40 / 39;
    }
    expect_close(m.running_mean, mean);
    expect_close(m.running_var, var);
  }
  EXPECT_EQ(m.num_batches_tracked.item<int64_t>(), 3);
  m.eval();
  const Tensor x = random({2, 3, 2, 2});
  Ref y = x;
  for (size_t i = 0; i < y.v.size(); ++i) {
    y.v[i] = (y.v[i] - mean.v[i / 4 % 3]) / std::sqrt(var.v[i / 4 % 3] + 1e-5);
  }
  expect_close(m(x), channels_scaled(y, m.weight, m.bias));
  expect_close(m.running_mean, mean);
  EXPECT_EQ(m.num_batches_tracked.item<int64_t>(), 3);
  EXPECT_THROW(m(random({2, 4, 2, 2})), ShapeError);
  EXPECT_THROW(BatchNorm1d(3)(random({1, 3})), ShapeError);
}
TEST_F(Layers, BatchNormWithoutMomentumAveragesAll) {
  BatchNorm1d m(2, {.momentum = {}});
  Ref mean({2});
  for (int step = 1; step <= 3; ++step) {
    const Tensor x = random({5, 2});
    const Ref v = x;
    m(x);
    for (int64_t c = 0; c < 2; ++c) {
      double now = 0;
      for (int64_t n = 0; n < 5; ++n) now += v({n, c}) / 5;
      mean({c}) += (now - mean({c})) / step;
    }
  }
  expect_close(m.running_mean, mean);
  BatchNorm3d none(2, {.affine = false, .track_running_stats = false});
  EXPECT_TRUE(keys(none).empty());
  EXPECT_EQ(none.eval().forward(random({2, 2, 2, 2, 2})).shape(), (Shape{2, 2, 2, 2, 2}));
}
TEST_F(Layers, StatisticsThatNobodyReadsDoNotPileUp) {
  BatchNorm1d m(2);
  const auto before = counters().evaluations;
  for (int step = 0; step < 100; ++step) m(random({3, 2})).eval();
  EXPECT_EQ(counters().evaluations, before + 100 + 3);  // three times for those that wait
  EXPECT_EQ(m.num_batches_tracked.item<int64_t>(), 100);
}
TEST_F(Layers, OtherNormsAgreeWithLoops) {
  const Tensor x = random({2, 6, 4, 5});
  LayerNorm ln({4, 5});
  ln.weight.assign(random({4, 5}));
  ln.bias.assign(random({4, 5}));
  Ref y = normalize(x, 20, 1e-5);
  for (size_t i = 0; i < y.v.size(); ++i) {
    y.v[i] = y.v[i] * Ref(ln.weight).v[i % 20] + Ref(ln.bias).v[i % 20];
  }
  expect_close(ln(x), y);
  EXPECT_EQ(keys(LayerNorm(3, {.bias = false})), (Names{"weight"}));
  EXPECT_THROW(ln(random({4, 4})), ShapeError);

  RMSNorm rms(5);
  rms.weight.assign(random({5}));
  Ref r = x;
  for (size_t g = 0; g < r.v.size() / 5; ++g) {
    double square = 0;
    for (size_t i = 0; i < 5; ++i) square += r.v[g * 5 + i] * r.v[g * 5 + i] / 5;
    for (size_t i = 0; i < 5; ++i) {
      r.v[g * 5 + i] *= Ref(rms.weight).v[i] / std::sqrt(square + 0x1p-52);
    }
  }
  expect_close(rms(x), r);

  GroupNorm gn(2, 6);
  gn.weight.assign(random({6}));
  gn.bias.assign(random({6}));
  expect_close(gn(x), channels_scaled(normalize(x, 60, 1e-5), gn.weight, gn.bias));
  EXPECT_EQ(error_of<ValueError>([] { GroupNorm(4, 6); }),
            "[GroupNorm] 4 groups do not divide 6 channels");

  InstanceNorm2d in(6, {.affine = true, .track_running_stats = true});
  in.weight.assign(random({6}));
  Ref means({12});
  Ref variances({12});
  Ref mean({6});
  expect_close(in(x),
               channels_scaled(normalize(x, 20, 1e-5, &means, &variances), in.weight, in.bias));
  for (size_t c = 0; c < 6; ++c) mean.v[c] = 0.1 * (means.v[c] + means.v[c + 6]) / 2;
  expect_close(in.running_mean, mean);
  EXPECT_TRUE(keys(InstanceNorm1d(3)).empty());
  EXPECT_EQ(keys(InstanceNorm3d(3, {.affine = true})), (Names{"bias", "weight"}));
}

TEST_F(Layers, DropoutActsWhileTraining) {
  Dropout m(0.25);
  const Tensor x = ops::ones({4000});
  const Ref y = m(x);
  int64_t zeros = 0;
  for (double v : y.v) {
    zeros += v == 0;
    EXPECT_TRUE(v == 0 || std::abs(v - 4.0 / 3) < 1e-12);
  }
  EXPECT_NEAR(double(zeros), 1000, 150);
  EXPECT_NE(Ref(m(x)).v, y.v);
  m.eval();
  EXPECT_EQ(Ref(m(x)).v, Ref(x).v);
  EXPECT_THROW(Dropout(1.5), ValueError);
}
TEST_F(Layers, FlattenJoinsAxes) {
  const Tensor x = random({2, 3, 4, 5});
  EXPECT_EQ(Flatten()(x).shape(), (Shape{2, 60}));
  EXPECT_EQ(Flatten(0)(x).shape(), (Shape{120}));
  EXPECT_EQ(Flatten(1, 2)(x).shape(), (Shape{2, 12, 5}));
  EXPECT_EQ(Flatten(-2)(x).shape(), (Shape{2, 3, 20}));
  EXPECT_THROW(Flatten(3, 1)(x), ShapeError);
  EXPECT_EQ(Identity()(x).node(), x.node());
}

TEST_F(Layers, ActivationModulesAreTheirFormulas) {
  const Tensor x = random({3, 7}) * 3.0;
  const auto check = [&](Module& m, double (*f)(double)) {
    Ref y = x;
    for (double& v : y.v) v = f(v);
    SCOPED_TRACE(m.kind());
    expect_close(m(x), y);
  };
#define CHECK(Name, formula)                              \
  {                                                       \
    Name m;                                               \
    check(m, [](double x) -> double { return formula; }); \
  }
  CHECK(ReLU, std::max(x, 0.0))
  CHECK(ReLU6, std::clamp(x, 0.0, 6.0))
  CHECK(Sigmoid, sigmoid(x))
  CHECK(Tanh, std::tanh(x))
  CHECK(SiLU, x * sigmoid(x))
  CHECK(Softplus, std::log1p(std::exp(x)))
  CHECK(GELU, x * 0.5 * std::erfc(-x / std::sqrt(2.0)))
  CHECK(ELU, x > 0 ? x : std::expm1(x))
  CHECK(SELU, 1.0507009873554804934193349852946 *
                  (x > 0 ? x : 1.6732632423543772848170429916717 * std::expm1(x)))
  CHECK(LeakyReLU, x > 0 ? x : 0.01 * x)
  CHECK(Mish, x * std::tanh(std::log1p(std::exp(x))))
  CHECK(Hardswish, x * std::clamp(x + 3, 0.0, 6.0) / 6)
  CHECK(PReLU, x > 0 ? x : 0.25 * x)
  CHECK(Softsign, x / (1 + std::abs(x)))
  CHECK(LeCunTanh, 1.7159 * std::tanh(2.0 / 3 * x))
  CHECK(Hardsigmoid, std::clamp(x / 6 + 0.5, 0.0, 1.0))
  CHECK(LogSigmoid, -std::log1p(std::exp(-x)))
  CHECK(CELU, x > 0 ? x : std::expm1(x))
#undef CHECK
  Ref soft = x;
  Ref log_soft = x;
  for (size_t r = 0; r < 3; ++r) {
    double sum = 0;
    for (size_t i = 0; i < 7; ++i) sum += std::exp(soft.v[r * 7 + i]);
    for (size_t i = 0; i < 7; ++i) {
      log_soft.v[r * 7 + i] -= std::log(sum);
      soft.v[r * 7 + i] = std::exp(soft.v[r * 7 + i]) / sum;
    }
  }
  expect_close(Softmax()(x), soft);
  expect_close(LogSoftmax()(x), log_soft);
  PReLU per(7);
  EXPECT_EQ(keys(per), (Names{"weight"}));
  per.weight.assign(random({7}));
  Ref slopes = x;
  for (size_t i = 0; i < slopes.v.size(); ++i) {
    slopes.v[i] *= slopes.v[i] > 0 ? 1 : Ref(per.weight).v[i % 7];
  }
  expect_close(per(x), slopes);
  EXPECT_EQ(get_activation("relu")(x).shape(), x.shape());
  EXPECT_NE(error_of<ValueError>([] {
              get_activation("rleu");
            }).find("unknown activation 'rleu': relu, "),
            std::string::npos);
}

struct Moments {
  double mean, deviation, low, high;
};
Moments moments(const Tensor& t) {
  const Ref r = t;
  Moments m{0, 0, HUGE_VAL, -HUGE_VAL};
  for (double v : r.v) {
    m.mean += v / double(r.v.size());
    m.low = std::min(m.low, v);
    m.high = std::max(m.high, v);
  }
  for (double v : r.v) m.deviation += (v - m.mean) * (v - m.mean) / double(r.v.size());
  m.deviation = std::sqrt(m.deviation);
  return m;
}
TEST_F(Layers, InitializersHaveTheirMoments) {
  const Shape s{40, 20, 3, 3};  // fan_in 180, fan_out 360
  const auto spread = [](const Tensor& t, double deviation, double bound) {
    const Moments m = moments(t);
    EXPECT_NEAR(m.mean, 0, deviation / 15);
    EXPECT_NEAR(m.deviation, deviation, deviation * 0.05);
    EXPECT_LE(std::max(-m.low, m.high), bound);
  };
  const double xavier = std::sqrt(2.0 / 540);
  const double he_in = std::sqrt(2.0 / 180);
  const double he_out = std::sqrt(2.0 / 360);
  const double lecun = std::sqrt(1.0 / 180);
  constexpr double truncated = 0.8796;  // the deviation of a standard normal within [-2, 2]
  constexpr double unbounded = 1;       // far more than any draw of a normal here
  spread(init::xavier_uniform(s), xavier, xavier * std::sqrt(3.0));
  spread(init::glorot_normal(s, 2), 2 * xavier, unbounded);
  spread(init::kaiming_uniform(s), he_in, he_in * std::sqrt(3.0));
  spread(init::he_normal(s, {.fan_out = true}), he_out, unbounded);
  spread(init::he_uniform(s, {.slope = std::sqrt(5.0)}), std::sqrt(1.0 / 540),
         1 / std::sqrt(180.0));
  spread(init::lecun_uniform(s), lecun, lecun * std::sqrt(3.0));
  spread(init::lecun_normal(s), lecun, 2 * lecun / truncated);
  spread(init::truncated_normal(s, 0, 0.02), 0.02, 6 * 0.02);
  spread(init::truncated_normal(s), truncated, 2);
  const Moments u = moments(init::uniform(s, 2, 4));
  const Moments n = moments(init::normal(s, 5, 2));
  const Moments c = moments(init::constant(s, 3));
  EXPECT_NEAR(u.mean, 3, 0.03);
  EXPECT_GE(u.low, 2);
  EXPECT_LE(u.high, 4);
  EXPECT_NEAR(n.mean, 5, 0.1);
  EXPECT_NEAR(n.deviation, 2, 0.1);
  EXPECT_EQ(c.low, 3);
  EXPECT_EQ(c.high, 3);
  EXPECT_EQ(moments(init::zeros(s)).high, 0);
  EXPECT_EQ(moments(init::ones(s)).low, 1);
  const Tensor q = init::orthogonal({3, 5}, 2);
  const Tensor p = ops::matmul(q, ops::matrix_transpose(q));
  expect_close(p, Ref(ops::eye(3) * 4.0), 1e-5);
  EXPECT_EQ(init::fans(s).in, 180);
  EXPECT_EQ(init::fans(s).out, 360);
  EXPECT_DOUBLE_EQ(init::gain("tanh"), 5.0 / 3);
  EXPECT_THROW(init::gain("nothing"), ValueError);
  EXPECT_THROW(init::xavier_uniform({3}), ShapeError);
  EXPECT_EQ(init::get_initializer("he_normal")({4, 2}).shape(), (Shape{4, 2}));
  EXPECT_THROW(init::get_initializer("x"), ValueError);
  EXPECT_EQ(init::normal({2}, 0, 1, float16).dtype(), float16);
}

}  // namespace
}  // namespace ember::nn
