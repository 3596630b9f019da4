// Collectives, compared with the same computation on one rank.
#include "tests/distributed/ranks.h"
#include "tests/error_of.h"

namespace ember::distributed {
namespace {

// The tensor of a rank: small integers, which every dtype represents exactly, results included.
std::vector<double> numbers(int rank, int64_t n) {
  std::vector<double> r;
  for (int64_t i = 0; i < n; ++i) r.push_back(double((rank * 3 + i * 7) % 3));
  return r;
}
Tensor given(int rank, DType t, Shape shape) {
  int64_t n = 1;
  for (int64_t d : shape) n *= d;
  return array(numbers(rank, n)).astype(t).reshape(shape);
}
std::vector<double> read(const Tensor& t) {
  return is_complex(t.dtype()) ? ops::real(t).astype(float64).to_vector<double>()
                               : t.astype(float64).to_vector<double>();
}
double combined(Reduce op, const std::vector<double>& v) {
  double r = v[0];
  for (size_t i = 1; i < v.size(); ++i) {
    r = op == Reduce::max    ? std::max(r, v[i])
        : op == Reduce::min  ? std::min(r, v[i])
        : op == Reduce::prod ? r * v[i]
                             : r + v[i];
  }
  return op == Reduce::mean ? r / double(v.size()) : r;
}
bool reducible(DType t, Reduce op) {
  if (t == bool_) return op != Reduce::sum && op != Reduce::mean;
  if (op == Reduce::mean) return is_inexact(t);
  return !(is_complex(t) && (op == Reduce::max || op == Reduce::min));
}

TEST(Collectives, ReduceEveryDtypeAndOp) {
  const Group g = world();
  for (const std::string& engine : engines()) {
    const with_backend scope(engine);
    for (int t = 0; t < dtype_count; ++t) {
      for (int o = 0; o < 5; ++o) {
        const DType dtype = DType(t);
        const Reduce op = Reduce(o);
        const Tensor x = given(g.rank(), dtype, {5, 3});
        if (!reducible(dtype, op)) {
          EXPECT_THROW(g.all_reduce(x, op), DTypeError);
          EXPECT_THROW(g.reduce_scatter(x, op), DTypeError);
          continue;
        }
        std::vector<double> expected;
        for (size_t i = 0; i < 15; ++i) {
          std::vector<double> column;
          for (int r = 0; r < g.size(); ++r) {
            const double v = numbers(r, 15)[i];
            column.push_back(dtype == bool_ ? v != 0 : v);
          }
          double v = combined(op, column);
          if (dtype == bool_) v = v != 0;
          if (dtype == int4) v = double(int8_t(uint8_t(int(v)) << 4) >> 4);
          if (dtype == uint4) v = double(int(v) & 15);
          expected.push_back(dtype == bfloat16  ? double(float(BFloat(float(v))))
                             : dtype == float16 ? double(float(Half(float(v))))
                                                : v);
        }
        const Tensor y = g.all_reduce(x, op);
        const Tensor z = g.all_reduce_async(x, op).wait();
        EXPECT_EQ(y.dtype(), dtype);
        EXPECT_EQ(y.shape(), x.shape());
        EXPECT_EQ(y.backend(), engine);
        const double near = dtype == float32 || dtype == complex64 ? 1e-6 : 1e-12;
        const auto a = read(y);
        const auto b = read(z);
        for (size_t i = 0; i < 15; ++i) {
          EXPECT_NEAR(a[i], expected[i], near) << name(dtype) << " " << name(op);
          EXPECT_EQ(a[i], b[i]);
        }
        const Span rows = share(5, g.rank(), g.size());
        const auto part = read(g.reduce_scatter(x, op));
        ASSERT_EQ(part.size(), size_t(rows.last - rows.first) * 3);
        for (size_t i = 0; i < part.size(); ++i) {
          EXPECT_NEAR(part[i], expected[size_t(rows.first) * 3 + i], near)
              << name(dtype) << " " << name(op);
        }
      }
    }
  }
}

TEST(Collectives, SixteenBitsAreRoundedOnce) {
  const Group g = world();
  // 256 + 1 is 256 in bfloat16, so sequential rounding would lose the ones.
  const Tensor x = ops::full({4}, g.rank() == 0 ? 256.0 : 1.0, bfloat16);
  const float expected = float(BFloat(256 + float(g.size() - 1)));
  EXPECT_EQ(g.all_reduce(x).astype(float32).to_vector<float>(), std::vector<float>(4, expected));
}

TEST(Collectives, MoveEveryDtype) {
  const Group g = world();
  for (const std::string& engine : engines()) {
    const with_backend scope(engine);
    for (int t = 0; t < dtype_count; ++t) {
      const DType dtype = DType(t);
      const int last = g.size() - 1;
      EXPECT_EQ(read(g.broadcast(given(g.rank(), dtype, {2, 3}), last)),
                read(given(last, dtype, {2, 3})));
      // Unequal lengths; rank 0 has no rows.
      std::vector<double> all;
      for (int r = 0; r < g.size(); ++r) {
        for (double v : read(given(r, dtype, {r, 2}))) all.push_back(v);
      }
      const Tensor gathered = g.all_gather(given(g.rank(), dtype, {g.rank(), 2}));
      EXPECT_EQ(gathered.shape(), (Shape{g.size() * (g.size() - 1) / 2, 2}));
      EXPECT_EQ(read(gathered), all);
      const Tensor x = given(g.rank(), dtype, {2 * g.size(), 2});
      std::vector<double> parts;
      for (int r = 0; r < g.size(); ++r) {
        for (double v :
             read(given(r, dtype, {2 * g.size(), 2})(slice(2 * g.rank(), 2 * g.rank() + 2)))) {
          parts.push_back(v);
        }
      }
      EXPECT_EQ(read(g.all_to_all(x)), parts);
      const int next = (g.rank() + 1) % g.size();
      const int before = (g.rank() + g.size() - 1) % g.size();
      const Work sent = g.send_async(x, next);
      const Tensor came = g.recv(dtype, x.shape(), before);
      sent.wait();
      EXPECT_EQ(read(came), read(given(before, dtype, {2 * g.size(), 2})));
      EXPECT_EQ(came.backend(), engine);
    }
  }
  EXPECT_EQ(g.all_gather(Tensor(double(g.rank())).astype(float64)).shape(), (Shape{g.size()}));
}

TEST(Collectives, ViewsAndPendingTensors) {
  const Group g = world();
  const Tensor x = ops::reshape(ops::arange(12.0).astype(float64), {3, 4});
  const Tensor y = g.all_reduce(ops::transpose(x) * double(g.rank() + 1));
  const double factor = g.size() * (g.size() + 1) / 2.0;
  EXPECT_EQ(y.to_vector<double>(), (ops::transpose(x) * factor).to_vector<double>());
  EXPECT_EQ(g.broadcast(ops::transpose(x)(1), 0).to_vector<double>(),
            (std::vector<double>{1, 5, 9}));
}

TEST(Collectives, ManyAtOnceComeInOrder) {
  const Group g = world();
  std::vector<Work> works;
  for (int i = 0; i < 50; ++i) {
    works.push_back(i % 3 ? g.all_reduce_async(ops::full({100}, double(i), float64))
                          : g.barrier_async());
  }
  EXPECT_EQ(g.all_reduce(ops::ones({1}, float64)).item<double>(), g.size());  // behind them
  for (int i = 50; i--;) {
    const Tensor r = works[size_t(i)].wait();
    EXPECT_TRUE(works[size_t(i)].done());
    if (i % 3) {
      EXPECT_EQ(r(0).item<double>(), double(i * g.size()));
    } else {
      EXPECT_FALSE(r.defined());
    }
  }
}

TEST(Collectives, MessagesMayBeWaitedForInAnyOrder) {
  const Group g = world();
  if (g.rank() > 1) return;
  const int other = 1 - g.rank();
  const Work a = g.recv_async(float64, {2}, other);
  const Work b = g.recv_async(float64, {300000}, other);
  const Work c = g.send_async(ops::full({2}, 1.0, float64), other);
  const Work d = g.send_async(ops::full({300000}, 2.0, float64), other);
  EXPECT_EQ(b.wait()(299999).item<double>(), 2);
  d.wait();
  c.wait();
  EXPECT_EQ(a.wait().to_vector<double>(), (std::vector<double>{1, 1}));
}

TEST(Collectives, SubGroups) {
  const Group g = world();
  const Group half = g.split(g.rank() % 2, -g.rank());  // reversed order of ranks
  EXPECT_EQ(half.size(), (g.size() + 1 - g.rank() % 2) / 2);
  const auto members =
      half.all_gather(Tensor(double(g.rank())).astype(float64)).to_vector<double>();
  EXPECT_TRUE(std::is_sorted(members.rbegin(), members.rend()));
  for (double m : members) EXPECT_EQ(int(m) % 2, g.rank() % 2);
  const Group alone = g.split(g.rank() == 0 ? -1 : 0);
  EXPECT_EQ(alone.size(), g.rank() == 0 ? 1 : g.size() - 1);
  EXPECT_EQ(alone.all_reduce(ops::ones({2}, float32)).to_vector<float>(),
            std::vector<float>(2, float(alone.size())));
}

TEST(Collectives, GradientsGoThroughSums) {
  const Group g = world();
  Tensor x = ops::full({3}, double(g.rank() + 1), float64);
  x.set_requires_grad();
  // The total loss is the sum over ranks of rank * sum(total^2): each x contributes to every total.
  const Tensor total = all_reduce_sum(x, g);
  (ops::sum(ops::square(total)) * double(g.rank() + 1)).backward();
  const double n = g.size() * (g.size() + 1) / 2.0;
  for (double v : x.grad().to_vector<double>()) EXPECT_DOUBLE_EQ(v, 2 * n * n);
}

// ---- Ranks that disagree get an error each, and can continue ----
template <class E, class F> void expect_on_all(F f, const char* word) {
  const std::string text = error_of<E>(f);
  EXPECT_NE(text.find("disagree"), std::string::npos) << text;
  EXPECT_NE(text.find(word), std::string::npos) << text;
  EXPECT_EQ(world().all_reduce(ops::ones({2}, float32)).to_vector<float>(),
            std::vector<float>(2, float(world().size())));
}
TEST(Disagreement, IsAnErrorOnAllRanks) {
  const Group g = world();
  const bool odd = g.rank() == g.size() - 1;
  expect_on_all<ShapeError>([&] { g.all_reduce(ops::ones({odd ? 4 : 3}, float32)); }, "float32[4]");
  expect_on_all<DTypeError>([&] { g.all_reduce(ops::ones({3}, odd ? float64 : float32)); },
                            "float64");
  expect_on_all<ValueError>(
      [&] { g.all_reduce(ops::ones({3}, float32), odd ? Reduce::max : Reduce::sum); },
      "all_reduce(max)");
  expect_on_all<StateError>(
      [&] {
        if (odd) {
          g.barrier();
        } else {
          g.all_reduce(ops::ones({3}, float32));
        }
      },
      "barrier");
  expect_on_all<ValueError>([&] { g.broadcast(ops::ones({3}, float32), odd ? 1 : 0); },
                            "from rank 0");
  expect_on_all<ShapeError>([&] { g.all_gather(ops::ones({3, odd ? 2 : 1}, float32)); },
                            "all_gather");
  expect_on_all<StateError>(
      [&] {
        if (odd) {
          g.split(0);
        } else {
          g.all_gather_bytes("x");
        }
      },
      "split");
  // Asynchronous, and waited for in another order.
  Work a;
  Work b;
  if (odd) {
    a = g.barrier_async();
    b = g.all_reduce_async(ops::ones({3}, float32));
  } else {
    a = g.all_reduce_async(ops::ones({3}, float32));
    b = g.barrier_async();
  }
  EXPECT_THROW(a.wait(), StateError);
  EXPECT_THROW(b.wait(), StateError);
  if (g.rank() < 2) {
    const int other = 1 - g.rank();
    const auto transfer = [&](Shape here, DType t) {
      if (g.rank() == 0) {
        g.send(ops::ones({3}, float32), other);
      } else {
        g.recv(t, here, other);
      }
    };
    EXPECT_THROW(transfer({4}, float32), ShapeError);
    EXPECT_THROW(transfer({3}, int32), DTypeError);
    EXPECT_NO_THROW(transfer({3}, float32));
  }
}
TEST(Disagreement, BadArgumentsAreErrorsBeforeAnythingIsSent) {
  const Group g = world();
  EXPECT_THROW(g.broadcast(ops::ones({1}), g.size()), ValueError);
  EXPECT_THROW(g.broadcast(ops::ones({1}), -1), ValueError);
  EXPECT_THROW(g.send(ops::ones({1}), g.rank()), ValueError);
  EXPECT_THROW(g.recv(float32, {-1}, g.size()), ValueError);
  EXPECT_THROW(g.recv(float32, {-1}, (g.rank() + 1) % g.size()), ShapeError);
  EXPECT_THROW(g.reduce_scatter(Tensor(1.0)), ShapeError);
  EXPECT_THROW(g.all_to_all(ops::ones({g.size() + 1})), ShapeError);
  EXPECT_THROW(Work().wait(), StateError);
  EXPECT_THROW(parse_reduce("median"), ValueError);
  g.barrier();
}

TEST(Alone, AGroupOfOneGivesBackWhatItGets) {
  const Group g;
  const Tensor x = array({0.0, 1.0, 2.0, 3.0}, float32);
  EXPECT_EQ(g.size(), 1);
  EXPECT_EQ(g.all_reduce(x, Reduce::mean).to_vector<float>(), x.to_vector<float>());
  EXPECT_EQ(g.reduce_scatter(x).to_vector<float>(), x.to_vector<float>());
  EXPECT_EQ(g.all_gather_async(x).wait().to_vector<float>(), x.to_vector<float>());
  EXPECT_EQ(g.split(3).size(), 1);
  g.barrier();
}

}  // namespace
}  // namespace ember::distributed
