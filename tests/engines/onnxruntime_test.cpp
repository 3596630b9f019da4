// The engine onnxruntime: when it creates sessions, and their inputs.
#include <dlfcn.h>
#include <link.h>

#include "ember/program.h"
#include "tests/engines/each_engine.h"
#include "tests/error_of.h"

namespace ember {
namespace {

using namespace ops;
using Floats = std::vector<float>;

struct OnnxRuntime : EachEngine {
  void SetUp() override {
    const auto under_test = test_engines();
    if (std::find(under_test.begin(), under_test.end(), "onnxruntime") == under_test.end()) {
      GTEST_SKIP() << "onnxruntime is not among the engines under test";
    }
    start("onnxruntime");
  }
  // The number of sessions that f creates.
  template <class F> uint64_t sessions(F f) {
    std::string path;
    dl_iterate_phdr(
        [](dl_phdr_info* i, size_t, void* to) {
          if (std::string_view(i->dlpi_name).ends_with("/libember_onnxruntime.so")) {
            *static_cast<std::string*>(to) = i->dlpi_name;
          }
          return 0;
        },
        &path);
    void* so = dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD);
    const auto count =
        so ? reinterpret_cast<uint64_t (*)()>(dlsym(so, "ember_onnxruntime_sessions")) : nullptr;
    if (!count) throw StateError("the plug-in was not found");
    const uint64_t before = count();
    f();
    return count() - before;
  }
};

Floats counted(int64_t n) {
  Floats v(size_t(n), 0);
  for (size_t i = 0; i < v.size(); ++i) v[i] = float(i % 7) - 3;
  return v;
}
Tensor filled(const Shape& shape) {
  return array(std::span<const float>(counted(size_of(shape))), shape).eval();
}
// The same computation on native.
template <class F> Floats native(F f) {
  const with_backend scope("native");
  return f().template to_vector<float>();
}
void expect_near(const Floats& a, const Floats& b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-5f) << i;
}

TEST_F(OnnxRuntime, AGrowingSequenceHasTwoSessions) {
  const auto attend = [](int64_t n) {
    const Tensor q = filled({2, 1, 8});
    const Tensor k = filled({2, n, 8});
    const Tensor v = filled({2, n, 4});
    const Tensor scores = softmax(matmul(q, matrix_transpose(k)) * 0.35f);
    return reshape(concat({matmul(scores, v), broadcast_to(mean(v, 1, true), {2, 1, 4})}, 1),
                   {2, 8});
  };
  std::vector<Floats> found;
  const uint64_t made = sessions([&] {
    for (int64_t n = 3; n < 30; ++n) found.push_back(attend(n).to_vector<float>());
  });
  EXPECT_EQ(made, 2u) << "one for the first length, one for all others";
  for (int64_t n = 3; n < 30; ++n) {
    expect_near(found[size_t(n - 3)], native([&] { return attend(n); }));
  }
}

// The time to create a session is quadratic in the number of its nodes.
TEST_F(OnnxRuntime, LongChainsAreCutIntoPartsThatShareASession) {
  constexpr int length = 20000;
  float sum = 0;
  const uint64_t made = sessions([&] {
    Tensor x = zeros({2});
    for (int i = 0; i < length; ++i) x = x + ones({2}) * float(i % 3);
    sum = x.to_vector<float>()[1];
  });
  EXPECT_EQ(sum, float(length - 1));
  EXPECT_LE(made, 16u) << "parts of one pattern share sessions: there are some sixty";
}

// A count that is computed from an extent is an input, too.
TEST_F(OnnxRuntime, AGrowingMeanHasTwoSessions) {
  const auto centred = [](int64_t n) {
    const Tensor x = astype(filled({n, 3}), float64);
    return astype(x - mean(x, 0, true), float32);
  };
  std::vector<Floats> found;
  const uint64_t made = sessions([&] {
    for (int64_t n = 3; n < 30; ++n) found.push_back(centred(n).to_vector<float>());
  });
  EXPECT_EQ(made, 2u);
  for (int64_t n = 3; n < 30; ++n) {
    expect_near(found[size_t(n - 3)], native([&] { return centred(n); }));
  }
}

TEST_F(OnnxRuntime, AChangingScalarHasTwoSessions) {
  const Tensor x = filled({5});
  const uint64_t made = sessions([&] {
    for (int i = 1; i < 10; ++i) {
      const Floats got = (x * float(i) + 0.5f).to_vector<float>();
      for (size_t k = 0; k < 5; ++k) ASSERT_EQ(got[k], counted(5)[k] * float(i) + 0.5f);
    }
  });
  EXPECT_EQ(made, 2u);
}

TEST_F(OnnxRuntime, AMovingSliceHasTwoSessions) {
  const Tensor x = filled({20, 3});
  const uint64_t made = sessions([&] {
    for (int64_t i = 0; i < 10; ++i) {
      const Floats up = exp(slice(x, {i}, {i + 4}, Ints{1}, Ints{0})).to_vector<float>();
      expect_near(
          up, native([&] { return exp(slice(filled({20, 3}), {i}, {i + 4}, Ints{1}, Ints{0})); }));
    }
  });
  EXPECT_EQ(made, 2u);
  // A slice in reverse order to the first element, whose stop is before it.
  const Tensor y = filled({6}) * 1.0f;
  for (int64_t from : {5, 4, 3}) {
    const Floats down = exp(slice(y, {from}, {from - 4}, Ints{-1}, Ints{0})).to_vector<float>();
    expect_near(down, native([&] {
                  return exp(slice(filled({6}), {from}, {from - 4}, Ints{-1}, Ints{0}));
                }));
  }
}

TEST_F(OnnxRuntime, AnUpdateAtAMovingPlaceHasTwoSessions) {
  const uint64_t made = sessions([&] {
    for (int64_t i = 0; i < 5; ++i) {
      const auto updated = [&] {
        return index_update(filled({2, 6, 3}) * 1.0f, {Range{}, Range{i, i + 2}}, zeros({2, 2, 3}));
      };
      expect_near(updated().to_vector<float>(), native(updated));
    }
  });
  EXPECT_EQ(made, 2u);
}

TEST_F(OnnxRuntime, ViewsNeedNoSession) {
  const Tensor x = filled({4, 6});
  const uint64_t made = sessions([&] {
    const Tensor r = reshape(x, {3, 8}).eval();
    const Tensor t = transpose(x).eval();
    const Tensor s = slice(x, {1}, {3}, Ints{1}, Ints{0}).eval();
    const Tensor b = broadcast_to(reshape(x, {1, 4, 6}), {5, 4, 6}).eval();
    EXPECT_EQ(r.data_ptr(), x.data_ptr());
    EXPECT_EQ(t.to_vector<float>()[1], counted(24)[6]);
    EXPECT_EQ(s.to_vector<float>()[0], counted(24)[6]);
    EXPECT_EQ(b.to_vector<float>()[24 * 4 + 5], counted(24)[5]);
  });
  EXPECT_EQ(made, 0u);
  EXPECT_EQ(counters().copies, before_.copies);
}

// A view and a result in one slice, and an input whose memory has another order of axes.
TEST_F(OnnxRuntime, ViewsBesideResults) {
  const Tensor x = filled({4, 6});
  const Tensor t = transpose(x).eval();
  const Tensor part = slice(t, {1}, {4}, Ints{1}, Ints{0});
  const Tensor sum = part + part;
  eval({part, sum});
  const Counters before = counters();
  const Tensor product = matmul(t, x).eval();
  EXPECT_EQ(counters().copies, before.copies);
  expect_near(product.to_vector<float>(),
              native([] { return matmul(transpose(filled({4, 6})), filled({4, 6})); }));
  expect_near(sum.to_vector<float>(), native([] {
                return slice(transpose(filled({4, 6})), {1}, {4}, Ints{1}, Ints{0}) * 2.0f;
              }));
}

TEST_F(OnnxRuntime, ConstantsOfAProgramOutliveTheirTensors) {
  Tensor in[] = {placeholder({float32, {3, 40}})};
  Tensor out[1];
  {
    const Tensor weight = filled({40, 50});
    const Tensor bias = filled({50});
    const Tensor turned = transpose(filled({50, 40})).eval();
    const Recording recording;
    out[0] = matmul(in[0], weight) + bias + matmul(in[0], turned);
  }
  const Program program(in, out);
  out[0] = Tensor();
  const Tensor given[] = {filled({3, 40})};
  const auto direct = [] {
    const Tensor x = filled({3, 40});
    return matmul(x, filled({40, 50})) + filled({50}) + matmul(x, transpose(filled({50, 40})));
  };
  for (int i = 0; i < 3; ++i) expect_near(program(given)[0].to_vector<float>(), native(direct));
}

TEST_F(OnnxRuntime, ErrorsNameTheOp) {
  const Tensor x = filled({4});
  const Tensor at = array({int64_t(1), int64_t(9)});
  EXPECT_TRUE(error_of<IndexError>([&] {
                (exp(take(x * 2.0f, at, 0)) + 1.0f).eval();
              }).starts_with("[take] "));
  EXPECT_EQ((x + 1.0f).to_vector<float>()[0], -2.0f);
  EXPECT_THROW(set_device("tensorrt"), DeviceError);
}

}  // namespace
}  // namespace ember
