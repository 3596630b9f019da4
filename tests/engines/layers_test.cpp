// Layers: how native plans convolutions and products with constant weights in a program. The
// reference is the same graph in float64, evaluated op by op.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "ember/ember.h"
#include "ember/program.h"

namespace ember {
namespace {

using namespace ops;

// Constants of one graph, the same numbers in either dtype.
struct Weights {
  DType dtype;
  uint64_t next = 1;
  Tensor operator()(const Shape& shape, double scale = 1, double shift = 0) {
    seed(next++);
    return (random_normal(shape) * scale + shift).astype(float32).astype(dtype).eval();
  }
};
using Graph = std::function<Tensors(const Tensor& x, Weights& w)>;

struct Layers : testing::Test {
  with_backend scope{"native"};

  static Program program(const Shape& shape, const Graph& graph) {
    Weights w{float32};
    const Recording recording;
    const Tensor x = placeholder({float32, shape});
    return Program({{x}}, graph(x, w));
  }
  static Tensor input(const Shape& shape) {
    seed(99);
    return random_normal(shape).eval();
  }
  // The error of each output is at most that of sums in float32.
  static void check(const Shape& shape, const Graph& graph) {
    const Tensor x = input(shape);
    Weights w{float64};
    const Tensors wanted = graph(x.astype(float64), w);
    const Program p = program(shape, graph);
    for (int again = 0; again < 2; ++again) {
      const Tensors found = p({{x}});
      ASSERT_EQ(found.size(), wanted.size());
      for (size_t k = 0; k < found.size(); ++k) {
        ASSERT_EQ(found[k].shape(), wanted[k].shape());
        const double largest = max(abs(wanted[k])).item<double>();
        ASSERT_GT(largest, 0.1);
        // Clamping reduces the result but not the rounding error of the sum, whose terms are near
        // 1.
        EXPECT_LT(max(abs(found[k].astype(float64) - wanted[k])).item<double>(),
                  2e-6 * std::max(largest, 1.0))
            << "output " << k << " of " << to_string(wanted[k].shape());
      }
    }
  }
};

Tensor conv(const Tensor& x, Weights& w, int64_t filters, Ints kernel, const ConvOptions& o = {},
            bool bias = true) {
  Shape shape = {filters, x.shape(1) / o.groups};
  for (int64_t k : kernel) shape.push_back(k);
  const double scale = 1 / std::sqrt(double(size_of(std::span<const int64_t>(shape)) / filters));
  const Tensor weight = w(shape, scale);
  const std::optional<Tensor> b = bias ? std::optional(w({filters})) : std::nullopt;
  return kernel.size() == 1 ? conv1d(x, weight, b, o) : conv2d(x, weight, b, o);
}
Tensor depthwise(const Tensor& x, Weights& w, Ints kernel, ConvOptions o = {}) {
  o.groups = x.shape(1);
  return conv(x, w, x.shape(1), kernel, o);
}

// Channel counts on both sides of vector and panel sizes. Inputs are channels first and, from the
// second convolution on, channels last.
TEST_F(Layers, ChannelCounts) {
  for (const int64_t in : {1, 3, 8, 17}) {
    for (const int64_t out : {1, 5, 8, 15, 16, 17, 24, 31, 32, 33, 70}) {
      check({2, in, 9, 7}, [&](const Tensor& x, Weights& w) -> Tensors {
        return {conv(conv(x, w, out, {3, 3}, {.padding = {1}}), w, in, {1, 1})};
      });
    }
  }
}

TEST_F(Layers, WindowsOfEveryKind) {
  const struct {
    Ints kernel;
    ConvOptions o;
  } kinds[] = {{{1, 1}, {}},
               {{1, 1}, {.strides = {2}}},
               {{1, 1}, {.padding = {2}}},
               {{3, 3}, {.strides = {2}, .padding = {1}}},
               {{3, 3}, {.padding = {2}, .dilation = {2}}},
               {{3, 3}, {.strides = {3, 1}, .padding = {0, 1}, .dilation = {1, 3}}},
               {{5, 5}, {.padding = {2}}},
               {{2, 5}, {.strides = {1, 2}, .padding = {3, 0, 1, 4}}},
               {{7, 1}, {.padding = {3, 0}}},
               {{1, 9}, {.padding = {8, 8}}},
               {{3, 3}, {.strides = {4}, .padding = {5}}},
               {{8, 8}, {}}};
  for (const auto& [kernel, o] : kinds) {
    check({2, 19, 13, 12}, [&, k = kernel, o = o](const Tensor& x, Weights& w) -> Tensors {
      return {conv(x, w, 21, k, o), conv(relu(conv(x, w, 20, {1, 1})), w, 6, k, o)};
    });
  }
}

TEST_F(Layers, DepthwiseWindows) {
  const struct {
    Ints kernel;
    ConvOptions o;
  } kinds[] = {{{3, 3}, {.padding = {1}}},
               {{3, 3}, {.strides = {2}, .padding = {1}}},
               {{3, 3}, {}},
               {{5, 5}, {.padding = {2}}},
               {{5, 5}, {.strides = {2}, .padding = {2}}},
               {{3, 3}, {.padding = {2}, .dilation = {2}}},
               {{3, 3}, {.strides = {3}, .padding = {4}}},
               {{1, 3}, {.padding = {0, 2}}},
               {{4, 2}, {.padding = {1, 2, 0, 1}}},
               {{7, 7}, {.padding = {3}}},
               {{1, 1}, {}}};
  for (const int64_t channels : {2, 5, 16, 21, 48}) {
    for (const int64_t width : {4, 7, 15}) {
      for (const auto& [kernel, o] : kinds) {
        if (kernel[1] > width) continue;
        check({2, channels, 9, width},
              [&, k = kernel, o = o](const Tensor& x, Weights& w) -> Tensors {
                return {relu6(depthwise(x, w, k, o))};
              });
      }
    }
  }
}

TEST_F(Layers, Groups) {
  for (const auto& [channels, filters, groups] : {std::array<int64_t, 3>{16, 32, 2},
                                                  {12, 36, 3},
                                                  {6, 48, 6},
                                                  {8, 4, 4},
                                                  {6, 12, 6},
                                                  {40, 40, 5}}) {
    check({2, channels, 7, 6},
          [&, f = filters, g = groups](const Tensor& x, Weights& w) -> Tensors {
            const Tensor y = relu(conv(x, w, f, {3, 3}, {.padding = {1}, .groups = g}));
            return {y, conv(y, w, f, {1, 1}, {.groups = g}, false)};
          });
  }
}

TEST_F(Layers, OneAxis) {
  check({3, 7, 40}, [](const Tensor& x, Weights& w) -> Tensors {
    const Tensor y = relu(conv(x, w, 20, {5}, {.strides = {2}, .padding = {2}}));
    return {conv(depthwise(y, w, {3}, {.padding = {1}}), w, 9, {1})};
  });
}

// Epilogues of a convolution: bounds before and after a residual, each alone, twice, and in an
// order that cannot be fused.
TEST_F(Layers, Endings) {
  using Ending = std::function<Tensor(const Tensor& y, const Tensor& x)>;
  const Ending endings[] = {
      [](const Tensor& y, const Tensor&) { return relu6(y); },
      [](const Tensor& y, const Tensor&) { return minimum(y, 0.25); },
      [](const Tensor& y, const Tensor& x) { return y + x; },
      [](const Tensor& y, const Tensor& x) { return relu(x + y); },
      [](const Tensor& y, const Tensor& x) {
        return clip(clip(y, Tensor(-0.5), Tensor(0.5)) + x, Tensor(-0.3), Tensor(0.7));
      },
      [](const Tensor& y, const Tensor&) { return maximum(minimum(y, -0.4), -0.2); },
      [](const Tensor& y, const Tensor&) { return maximum(minimum(maximum(y, -0.9), 0.4), -0.2); },
      [](const Tensor& y, const Tensor& x) { return y + x + x; },
      [](const Tensor& y, const Tensor&) { return y + y; },
      [](const Tensor& y, const Tensor&) { return relu(y) * y; },
      [](const Tensor& y, const Tensor&) { return silu(y); },
      [](const Tensor& y, const Tensor& x) { return minimum(y, max(x)); },
      [](const Tensor& y, const Tensor& x) { return maximum(y, x); },
      [](const Tensor& y, const Tensor& x) { return y + mean(x, 1, true); },
      [](const Tensor& y, const Tensor& x) { return y * sigmoid(mean(x, Axes({2, 3}), true)); },
  };
  for (const Ending& ending : endings) {
    for (const bool deep : {false, true}) {
      check({2, 24, 6, 5}, [&](const Tensor& x, Weights& w) -> Tensors {
        // The residual in planes, and channels last.
        const Tensor z = deep ? relu(conv(x, w, 24, {1, 1})) : x;
        return {ending(conv(z, w, 24, {3, 3}, {.padding = {1}}), z),
                ending(depthwise(z, w, {3, 3}, {.padding = {1}}), z)};
      });
    }
  }
}

// Both operands of a sum are convolutions; one is computed in the other's epilogue.
TEST_F(Layers, TwoBranches) {
  check({1, 10, 8, 8}, [](const Tensor& x, Weights& w) -> Tensors {
    const Tensor a = conv(x, w, 18, {3, 3}, {.strides = {2}, .padding = {1}});
    const Tensor b = conv(x, w, 18, {1, 1}, {.strides = {2}});
    const Tensor y = relu(a + b);
    return {concat({y, conv(y, w, 7, {1, 1})}, 1), sum(y, Axes({2, 3}))};
  });
}

TEST_F(Layers, ConstantsBehindAreMultipliedIn) {
  check({2, 9, 6, 6}, [](const Tensor& x, Weights& w) -> Tensors {
    const auto norm = [&](const Tensor& y) {
      const int64_t c = y.shape(1);
      return batch_norm(y, w({c}), square(w({c})) + 0.5, w({c}), w({c}));
    };
    const Tensor a = relu(norm(conv(x, w, 20, {3, 3}, {}, false)));
    const Tensor b = (depthwise(a, w, {3, 3}) - w({20, 1, 1})) * w({1, 20, 1, 1}) + w({20, 1, 1});
    return {norm(x), relu(norm(b)), norm(a) + norm(norm(a)),
            norm(relu(norm(conv(a, w, 12, {1, 1}))))};
  });
}

// Channels-last inputs and outputs, and filters in every layout.
TEST_F(Layers, ChannelsLastAtTheEdges) {
  check({2, 11, 9, 6}, [](const Tensor& x, Weights& w) -> Tensors {
    const Tensor y =
        relu(conv2d(x, w({3, 3, 6, 20}, 0.1), w({20}),
                    {.padding = {1}, .input_layout = "nhwc", .filter_layout = "hwio"}));
    const Tensor z =
        conv2d(y, w({20, 3, 3, 1}), {},
               {.padding = {1}, .groups = 20, .input_layout = "nhwc", .filter_layout = "ohwi"});
    return {y, z, transpose(z, Ints{0, 3, 1, 2}) + 1.0, average_pool2d(z, {.layout = "nhwc"})};
  });
}

// Other ops between layers: pooling, concatenation, padding, slices, broadcasts along each axis.
TEST_F(Layers, OtherOpsBetween) {
  check({2, 8, 10, 12}, [](const Tensor& x, Weights& w) -> Tensors {
    const Tensor a = relu(conv(x, w, 16, {3, 3}, {.padding = {1}}));
    const Tensor b = conv(max_pool2d(a), w, 12, {1, 1});
    const Tensor c = concat({b, average_pool2d(a)}, 1);
    const Tensor d = tanh(c) * w({28, 1, 1}) + w({5, 1}) - w({6});
    const Tensor e = conv(pad(d, {0, 0, 0, 0, 1, 2, 2, 1}), w, 8, {3, 3});
    return {e,
            e(all_, slice(0, 8, 2)),
            flip(e, 1),
            softmax(e, 1),
            reshape(e, {2, -1}),
            global_average_pool(conv(e, w, 40, {1, 1})),
            e(0, 3),
            b};
  });
}

TEST_F(Layers, Pooling) {
  check({2, 5, 11, 9}, [](const Tensor& x, Weights& w) -> Tensors {
    const Tensor a = conv(x, w, 19, {1, 1});
    const Tensor b = conv(x, w, 1, {3, 3});
    const PoolOptions o{
        .kernel_size = {3, 2}, .strides = Ints{2, 3}, .padding = {1, 0, 1, 1}, .ceil_mode = true};
    return {max_pool2d(a, o),
            average_pool2d(a, o),
            l2_pool2d(a, {.dilation = {2}}),
            conv(max_pool2d(a), w, 4, {1, 1}),
            max_pool2d(b, o),
            average_pool2d(b)};
  });
}

TEST_F(Layers, Products) {
  for (const int64_t rows : {1, 2, 13, 29, 200}) {
    for (const auto& [depth, columns] :
         {std::array<int64_t, 2>{1, 8}, {5, 9}, {64, 33}, {70, 100}, {300, 16}}) {
      check({rows, depth}, [&, k = depth, n = columns](const Tensor& x, Weights& w) -> Tensors {
        return {linear(x, w({n, k}), w({n})), relu(matmul(x, w({k, n}))),
                gelu(matmul(x, w({k, n})) + w({n})), matmul(x, w({k, 3}))};
      });
    }
  }
  check({3, 4, 5, 20},
        // batches: rows divided evenly, views of them, separate matrices.
        [](const Tensor& x, Weights& w) -> Tensors {
          const Tensor a = matmul(x, w({20, 24}));
          const Tensor b = matmul(transpose(x, Ints{0, 2, 1, 3}), w({20, 24}));
          return {a,
                  b,
                  matmul(x(all_, slice(1, 3)), w({20, 8})),
                  matmul(transpose(x, Ints{0, 1, 3, 2}), w({1, 1, 5, 16})),
                  matmul(x, w({4, 20, 8})),
                  layer_norm(a + matmul(x, w({20, 24})), w({24}), w({24}))};
        });
}

// Products of two non-constant matrices with a gelu epilogue, where the intermediate values have no
// other reader.
TEST_F(Layers, ProductsThatEndInGelu) {
  check({150, 2, 130}, [](const Tensor& x, Weights& w) -> Tensors {
    const Tensor rows = reshape(x, {300, 130});
    const Tensor m = tanh(rows * 0.3);
    const Tensor t = transpose(m);
    const Tensor bias = sum(m, 1);
    const Tensor y = matmul(rows, t);
    const Tensor z = y + bias;
    return {gelu(matmul(rows, t)),
            gelu(matmul(rows, t) + bias),
            gelu(bias + matmul(x, t)),
            gelu(matmul(rows, t) + bias, "tanh"),
            gelu(y),
            y,
            gelu(z) * z,
            gelu(reshape(matmul(rows, t), {100, 3, 300})),
            gelu(matmul(t, w({300, 9})) + w({9})),
            gelu(matmul(t, rows(all_, slice(0, 129, 2)))),
            gelu(matmul(rows, t) + sum(m, 1, true)),
            gelu(matmul(rows, t) + bias) + m(all_, slice(0, 1))};
  });
}

// NaN propagates through bounds as through maximum and minimum, and a NaN bound makes every result
// NaN.
TEST_F(Layers, NaN) {
  const float nan = std::nanf("");
  const auto run = [&](const Graph& g, const Tensor& x) { return program(x.shape(), g)({{x}})[0]; };
  const Tensor x = index_update(input({1, 4, 5, 5}), {0, 2, 1, 1}, nan).eval();
  const auto places =
      isnan(run([](const Tensor& v,
                   Weights& w) -> Tensors { return {relu6(conv(v, w, 20, {3, 3}))}; },
                x))
          .to_vector<bool>();
  EXPECT_EQ(std::count(places.begin(), places.end(), true), 20 * 4);
  const Tensor all =
      run([&](const Tensor& v,
              Weights& w) -> Tensors { return {minimum(conv(v, w, 6, {1, 1}), Tensor(nan))}; },
          input({1, 4, 5, 5}));
  EXPECT_TRUE(ops::all(isnan(all)).item<bool>());
}

// Nothing is read beyond the end of foreign memory (checked by the address sanitizer).
TEST_F(Layers, InputsOfForeignMemory) {
  const Graph g = [](const Tensor& x, Weights& w) -> Tensors {
    return {depthwise(x, w, {3, 3}), conv(x, w, 9, {1, 1}), conv(x, w, 4, {3, 3})};
  };
  const Shape shape = {1, 19, 5, 5};
  const Tensor x = input(shape);
  const Tensors wanted = program(shape, g)({{x}});
  std::vector<float>* own = new std::vector<float>(x.to_vector<float>());
  Value in{.storage = adopt(own->data(), own->size() * sizeof(float), own,
                            [](void* p) { delete static_cast<std::vector<float>*>(p); })};
  Value out[3];
  program(shape, g).run({&in, 1}, out);
  for (size_t k = 0; k < 3; ++k) {
    const auto values = wanted[k].to_vector<float>();
    EXPECT_TRUE(std::equal(values.begin(), values.end(),
                           reinterpret_cast<const float*>(out[k].storage->data)));
    drop(out[k].storage);
  }
  drop(in.storage);
}

TEST_F(Layers, EmptyAndInfinite) {
  const Graph g = [](const Tensor& x, Weights& w) -> Tensors {
    return {relu(conv(x, w, 8, {3, 3}, {.padding = {2}})), matmul(reshape(x, {-1, 4}), w({4, 8}))};
  };
  // The second input is only padding.
  for (const Shape& shape : {Shape{0, 4, 6, 6}, Shape{2, 4, 0, 6}}) {
    Weights w{float32};
    const Tensors found = program(shape, g)({{zeros(shape)}});
    const Tensors wanted = g(zeros(shape), w);
    for (size_t k = 0; k < 2; ++k) {
      EXPECT_EQ(found[k].to_vector<float>(), wanted[k].to_vector<float>());
    }
  }
  const Tensor y = program({1, 4, 6, 6}, g)({{full({1, 4, 6, 6}, INFINITY, float32)}})[0];
  EXPECT_FALSE(any(isfinite(y) != (y == 0.0)).item<bool>())
      << "sums of infinities are infinite or NaN, or held at 0";
}

TEST_F(Layers, BitsDoNotDependOnTheThreadCount) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "the thread sanitizer forbids new threads after fork()";
#endif
  const auto digest = [] {
    const Program p = program({1, 16, 40, 40}, [](const Tensor& x, Weights& w) -> Tensors {
      const Tensor y = relu(conv(x, w, 96, {3, 3}, {.padding = {1}}));
      const Tensor z = conv(relu6(depthwise(y, w, {3, 3}, {.padding = {1}})), w, 200, {1, 1});
      return {z, matmul(mean(z, Axes({2, 3})), w({200, 3000}))};
    });
    uint64_t h = 0;
    for (const Tensor& t : p({{input({1, 16, 40, 40})}})) {
      for (const float v : t.to_vector<float>()) {
        h = (h ^ std::bit_cast<uint32_t>(v)) * 0x9E3779B97F4A7C15u;
      }
    }
    return h;
  };
  int fds[2];
  ASSERT_EQ(pipe(fds), 0);
  const pid_t pid = fork();
  if (pid == 0) {
    setenv("EMBER_NUM_THREADS", "1", 1);
    const uint64_t h = digest();
    _exit(write(fds[1], &h, sizeof h) != sizeof h);
  }
  close(fds[1]);
  uint64_t other = 0;
  ASSERT_EQ(read(fds[0], &other, sizeof other), ssize_t(sizeof other));
  int status = 0;
  waitpid(pid, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(digest(), other);
}

}  // namespace
}  // namespace ember
