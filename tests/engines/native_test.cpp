// Native: fusion, views, memory, threads, fork.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "ember/ember.h"
#include "ember/row.h"
#include "tests/engines/each_engine.h"

namespace ember {
namespace {

using namespace ops;

std::vector<float> values(const Tensor& t) { return t.to_vector<float>(); }

struct Native : testing::Test {
  with_backend scope{"native"};
};

TEST_F(Native, OperatorsAndBroadcasting) {
  const Tensor x = array({{1, 2, 3}, {4, 5, 6}}, float32);
  const Tensor b = array({10, 20, 30}, float32);
  EXPECT_EQ(values(x + b), (std::vector<float>{11, 22, 33, 14, 25, 36}));
  EXPECT_EQ(values(x(1) - 1.0), (std::vector<float>{3, 4, 5}));
  EXPECT_EQ(values(x(all_, slice({}, {}, -1))), (std::vector<float>{3, 2, 1, 6, 5, 4}));
  EXPECT_EQ(values(x(ellipsis, newaxis, 0)), (std::vector<float>{1, 4}));
  EXPECT_EQ(x(x > 2.0).to_vector<double>(), (std::vector<double>{3, 4, 5, 6}));
}

// In float32 a kernel each; in float64 the bodies, op by op.
TEST_F(Native, GradientsOfAttentionAndLayerNorm) {
  seed(5);
  const auto compare = [](const auto& f, const Tensors& in) {
    Tensors wide;
    for (const Tensor& t : in) wide.push_back(t.astype(float64));
    const Tensors a = grad(f, in);
    const Tensors b = grad(f, wide);
    for (size_t i = 0; i < a.size(); ++i) {
      EXPECT_LT(max(abs(a[i].astype(float64) - b[i])).item<double>(),
                1e-5 * (1 + max(abs(b[i])).item<double>()));
    }
  };
  for (const auto& [batch, queries, keys] : {std::tuple{Shape{2, 9}, 64, 64},
                                             {Shape{1}, 150, 150},
                                             {Shape{3, 1}, 33, 70},
                                             {Shape{2}, 1, 5}}) {
    for (const bool causal : {false, true}) {
      const auto made = [&](int64_t rows, int64_t columns) {
        Shape s = batch;
        s.push_back(rows);
        s.push_back(columns);
        return random_normal(s);
      };
      const Tensor weight = made(queries, 20);
      const Tensor mask = random_normal({queries, keys}) > -1.0;
      compare(
          [&](const Tensors& x) {
            return sum(scaled_dot_product_attention(x[0], x[1], x[2], {}, causal) * weight);
          },
          {made(queries, 36), made(keys, 36), made(keys, 20)});
      compare(
          [&](const Tensors& x) {
            return sum(scaled_dot_product_attention(x[0], x[1], x[2], mask, causal) * weight);
          },
          {made(queries, 7), made(keys, 7), made(keys, 20)});
    }
  }
  for (const Shape& s : {Shape{200, 144}, Shape{3, 5, 7}, Shape{1, 1000}}) {
    const Tensor weight = random_normal(s);
    compare([&](const Tensors& x) { return sum(layer_norm(x[0], x[1], x[2]) * weight); },
            {random_normal(s), random_normal({s.back()}), random_normal({s.back()})});
    compare([&](const Tensors& x) { return sum(layer_norm(x[0]) * weight); }, {random_normal(s)});
  }
}

// x[items] = v as a function: basic indices, a mask, integer tensors.
TEST_F(Native, IndexUpdate) {
  const Tensor x = reshape(arange(0, 6, 1, float32), {2, 3});
  EXPECT_EQ(values(index_update(x, {1, slice(0, 2)}, 9.0)), (std::vector<float>{0, 1, 2, 9, 9, 5}));
  EXPECT_EQ(values(index_update(x, {x > 3.0}, -1.0)), (std::vector<float>{0, 1, 2, 3, -1, -1}));
  EXPECT_EQ(values(index_update(x, {array({1, 0}), array({2, 0})}, array({7, 8}, float32))),
            (std::vector<float>{8, 1, 2, 3, 4, 7}));
  EXPECT_EQ(values(x), (std::vector<float>{0, 1, 2, 3, 4, 5}))
      << "the tensor itself is not changed";
  EXPECT_THROW(index_update(x, {5}, 1.0).eval(), IndexError);
  EXPECT_THROW(index_update(x, {0}, zeros({4})), ShapeError);
}

// Fusion does not change bits, because it never contracts a multiply and an add.
TEST_F(Native, FusionNeverChangesBits) {
  seed(3);
  const Tensor x = random_normal({1000});
  const Tensor y = random_normal({1000});
  eval({x, y});
  const auto program = [&](bool stepwise) {
    const auto at = [&](Tensor t) { return stepwise ? t.eval() : t; };
    const Tensor a = at(x * y);
    const Tensor b = at(a + x);
    const Tensor c = at(y * 0.5f);
    const Tensor d = at(b - c);
    const Tensor e = at(exp(d));
    const Tensor f = at(e / (at(abs(x)) + 1.0f));
    return values(at(tanh(at(f - y))));
  };
  EXPECT_EQ(program(true), program(false));
}

// A transform with a fused window gives the bits of the transform of the product.
TEST_F(Native, WindowsInsideTransforms) {
  seed(4);
  for (const DType t : {float32, float64}) {
    for (const int64_t length : {1024, 100, 62, 33, 37, 1}) {
      const Tensor x = random_normal({9000}, 0, 1, t);
      const Tensor w = random_normal({length}, 0, 1, t);
      const Tensor cut = frame(x, length, 30);
      const Tensor products = copy(cut * w);
      eval({x, w, products});
      const auto same = [&](const Tensor& a, const Tensor& b) {
        EXPECT_EQ(a.to_vector<std::complex<double>>(), b.to_vector<std::complex<double>>())
            << length;
      };
      same(rfft(cut * w), rfft(products));
      same(rfft(w * cut(slice(0, 20)), length + 3), rfft(products(slice(0, 20)), length + 3));
      same(rfft((cut * w)(slice({}, {}, 3))), rfft(products(slice({}, {}, 3))));
      same(rfft(cut * w, {}, 0), rfft(products, {}, 0));
      same(rfft(reshape(cut(slice(0, 40)), {4, 10, length}) * w),
           rfft(reshape(products(slice(0, 40)), {4, 10, length})));
      const Tensor both = cut * w;
      const Tensor y = rfft(both);  // also an output
      eval({both, y});
      same(y, rfft(products));
      EXPECT_EQ(both.to_vector<double>(), products.to_vector<double>());
      same(rfft((cut + 1.0) * w), rfft(copy((copy(cut) + 1.0).eval() * w).eval()));
    }
  }
}

// A tall matrix times its own transpose uses a separate kernel.
TEST_F(Native, ATallMatrixTimesItself) {
  seed(6);
  for (const auto& [rows, n] :
       {std::pair<int64_t, int64_t>(1000, 128), {3333, 143}, {9000, 256}, {2100, 300}}) {
    const Tensor x = random_normal({rows, n + 3})(all_, slice(1, n + 1));
    const Tensor wide = x.astype(float64);
    const Tensor y = matmul(matrix_transpose(x), x);
    const Tensor expected = matmul(matrix_transpose(wide), wide);
    EXPECT_LT(max(abs(y.astype(float64) - expected)).item<double>(), 1e-6 * double(rows)) << n;
    EXPECT_TRUE(all(y == matrix_transpose(y)).item<bool>());
  }
  const Tensor x = index_update(ones({1000, 130}), {7, 129}, INFINITY);
  const Tensor y = matmul(matrix_transpose(x), x);
  EXPECT_EQ(sum(isfinite(y).astype(int64)).item<int64_t>(), 129 * 129);
}

// A repeated value must not be overwritten by a narrower result while it is still read.
TEST_F(Native, RowStatisticsSurviveChangesOfWidth) {
  const Tensor x = arange(1, 21, 1, float32).eval();
  EXPECT_EQ(sum(where(max(x) - 1.0 > 0.5, x, 0.0)).item<float>(), 210.0f);
  const Tensor mean = (sum(x.astype(float64)) / 20.0).astype(float32);
  EXPECT_EQ(values(x - mean)[19], 9.5f);
}

TEST_F(Native, ResultsDoNotDependOnTheThreadCount) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "the thread sanitizer forbids new threads after fork()";
#endif
  // The size of the thread pool is fixed at start: a child process with one thread computes the
  // same sums.
  const auto digest = [] {
    seed(5);
    const Tensor x = random_normal({1000, 1003});
    double d = 0;
    for (const Tensor& t :
         {sum(x), sum(x, 0), sum(x, 1), sum(square(x - 1.0)), mean(softmax(x)),
          sum(matmul(x, transpose(x))),
          sum(matmul(transpose(x(all_, slice(0, 200))), x(all_, slice(0, 200))))}) {
      for (double v : t.to_vector<double>()) d = d * 0.9999 + v;
    }
    return d;
  };
  int fds[2];
  ASSERT_EQ(pipe(fds), 0);
  const pid_t pid = fork();
  if (pid == 0) {
    setenv("EMBER_NUM_THREADS", "1", 1);
    const double d = digest();  // after fork(), the pool is rebuilt
    _exit(write(fds[1], &d, sizeof d) != sizeof d);
  }
  close(fds[1]);  // otherwise a child that dies would be waited for
  double other = 0;
  ASSERT_EQ(read(fds[0], &other, sizeof other), ssize_t(sizeof other));
  int status = 0;
  waitpid(pid, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(digest(), other);
}

TEST_F(Native, ViewsShareMemory) {
  const Tensor x = arange(0, 12, 1, float32).eval();
  const auto* p = static_cast<const float*>(x.data_ptr());
  const Tensor m = reshape(x, {3, 4}).eval();
  const Tensor t = transpose(m).eval();
  EXPECT_EQ(m.data_ptr(), p);
  EXPECT_EQ(t.strides(), (Ints{1, 4}));
  EXPECT_EQ(values(t), (std::vector<float>{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}));
  EXPECT_EQ(broadcast_to(x, {1000, 12}).eval().strides(), (Ints{0, 1}));
}

TEST_F(Native, ASmallViewDoesNotKeepALargeBlockAlive) {
  Tensor row;
  const size_t before = memory_stats().used;
  {
    const Tensor x = (zeros({4096, 1024}) + 1.0f).eval();
    row = x(7).eval();
  }
  EXPECT_LT(memory_stats().used, before + (1 << 20));
  EXPECT_EQ(values(row), std::vector<float>(1024, 1.0f));
}

TEST_F(Native, ADyingBufferIsReused) {
  Tensor x = (zeros({1 << 18}) + 1.0f).eval();
  const void* p = x.data_ptr();
  x = (std::move(x) * 2.0f).eval();
  EXPECT_EQ(x.data_ptr(), p);
  const Tensor keep = x;
  x = (std::move(x) + 1.0f).eval();
  EXPECT_NE(x.data_ptr(), p) << "somebody else still reads it";
  EXPECT_EQ(values(keep)[0], 2.0f);
}

TEST_F(Native, AccumulatingAMillionTimesStaysBounded) {
  Tensor acc = zeros({}).eval();
  const Tensor one = ones({}).eval();
  for (int i = 0; i < 1'000'000; ++i) acc += one;
  EXPECT_EQ(acc.item<float>(), 1e6f);
}

TEST_F(Native, AnErrorInsideEvaluationNamesTheOpAndCanBeRepeated) {
  const Tensor x = arange(0, 5, 1, float32);
  const Tensor bad = take(x, array({1, 7}), 0) + 1.0;
  for (int i = 0; i < 2; ++i) {
    try {
      bad.eval();
      FAIL();
    } catch (const IndexError& e) {
      EXPECT_STREQ(e.what(), "[take] index 7 is out of range for an axis of size 5");
    }
  }
  EXPECT_EQ(values(x), (std::vector<float>{0, 1, 2, 3, 4}));
}

TEST_F(Native, SeveralOutputsOfOneOp) {
  if (!supports_op("native", OpId::svd).yes) GTEST_SKIP() << "this build has no LAPACK";
  const Tensor a = array({{2, 0}, {0, 3}}, float64);
  auto [u, s, vh] = svd(a);
  const auto before = counters().evaluations;
  EXPECT_EQ(s.to_vector<double>(), (std::vector<double>{3, 2}));
  const Tensor back = matmul(u * s, vh);
  EXPECT_NEAR(back.to_vector<double>()[0], 2, 1e-12);
  EXPECT_LE(counters().evaluations - before, 2u) << "the decomposition is not run twice";
}

TEST_F(Native, ForeignMemoryIsSharedAndReleased) {
  static int released;
  released = 0;
  std::vector<float> mine = {1, 2, 3, 4, 5};
  {
    const Tensor x = from_buffer(mine.data(), float32, {5}, &mine, [](void*) { ++released; });
    EXPECT_EQ(x.data_ptr(), mine.data());
    EXPECT_EQ(values(x * 2.0f), (std::vector<float>{2, 4, 6, 8, 10}));
    const Tensor odd = from_buffer(mine.data(), float32, {3}, nullptr, nullptr, {2});
    EXPECT_EQ(values(odd + 0.0f), (std::vector<float>{1, 3, 5}));
  }
  EXPECT_EQ(released, 1);
}

TEST_F(Native, TwoThreadsEvaluateGraphsThatShareNodes) {
  const Tensor x = random_normal({64, 64});
  const Tensor shared = matmul(x, x);
  std::vector<std::vector<float>> results(4);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i) results[t] = values(shared + float(t));
    });
  }
  for (auto& t : threads) t.join();
  for (size_t k = 0; k < results[0].size(); ++k) EXPECT_EQ(results[0][k] + 1.0f, results[1][k]);
}

TEST_F(Native, PhiloxIsReproducible) {
  seed(42);
  const auto a = random_bits({5}).to_vector<uint32_t>();
  seed(42);
  EXPECT_EQ(random_bits({5}).to_vector<uint32_t>(), a);
  Generator g(42);
  with_generator own(g);
  EXPECT_EQ(random_bits({5}).to_vector<uint32_t>(), a);
}

#define NEEDS_NUMPY()                                                             \
  if (const auto names = test_engines(); std::ranges::count(names, "numpy") == 0) \
  GTEST_SKIP() << "numpy is not among the engines under test"

TEST(Engines, TheSameProgramGivesTheSameNumbers) {
  NEEDS_NUMPY();
  std::vector<std::vector<float>> results;
  for (const char* name : {"native", "numpy"}) {
    with_backend scope(name);
    seed(1);
    const Tensor x = random_normal({8, 16});
    const Tensor w = random_normal({16, 4});
    results.push_back(values(softmax(matmul(tanh(x), w) + 0.5)));
  }
  for (size_t i = 0; i < results[0].size(); ++i) EXPECT_NEAR(results[0][i], results[1][i], 1e-6);
}

TEST(Engines, ATensorOutlivesASwitchOfBackend) {
  NEEDS_NUMPY();
  Tensor x;
  Tensor y;
  {
    with_backend scope("native");
    x = arange(0, 6, 1, float32) * 2.0;  // pending on native
  }
  {
    with_backend scope("numpy");
    y = reshape(x, {2, 3}) + 1.0;
    EXPECT_EQ(y.backend(), "numpy");
  }
  with_backend scope("native");
  const Tensor z = sum(y, 0);
  EXPECT_EQ(values(z), (std::vector<float>{8, 12, 16}));
  EXPECT_EQ(z.backend(), "native");
}

}  // namespace
}  // namespace ember
