// Tensors between engines: memory is shared instead of copied, operands are moved, backends are
// switched and scoped, DLPack.
#include <atomic>
#include <cmath>
#include <cstdint>
#include <exception>
#include <thread>

#include "tests/engines/each_engine.h"
#include "tests/support/dlpack_structs.h"

namespace ember {
namespace {

using namespace ops;
using Floats = std::vector<float>;

Floats values(const Tensor& t) { return t.to_vector<float>(); }
Floats counted(size_t n, float from = 0, float step = 1) {
  Floats v(n);
  for (size_t i = 0; i < n; ++i) v[i] = from + float(i) * step;
  return v;
}
Floats times(Floats v, float by) {
  for (float& x : v) x *= by;
  return v;
}

// Sets the process's backend during its lifetime.
struct SetBackend {
  std::string before = get_backend();
  explicit SetBackend(const std::string& name) { set_backend(name); }
  ~SetBackend() { set_backend(before); }
};

// Runs f on a new thread without a scope; rethrows its exception here.
template <class F> void on_a_thread(F f) {
  std::exception_ptr error;
  std::thread([&] {
    try {
      f();
    } catch (...) {
      error = std::current_exception();
    }
  }).join();
  if (error) std::rethrow_exception(error);
}

// ---- Every ordered pair ----

struct Moves : EachEngine, testing::WithParamInterface<std::pair<std::string, std::string>> {
  std::string from, to;
  void SetUp() override {
    from = GetParam().first;
    to = GetParam().second;
    start(to);  // both must be there
    if (!HasFatalFailure()) start(from);
  }
  uint64_t copied() const { return counters().copies - before_.copies; }
  // Computed by `from`, so that it owns the memory.
  Tensor made(Shape shape, DType t = float32) const {
    const with_backend scope(from);
    return (reshape(arange(0, double(size_of(shape)), 1, t), shape) * 2).eval();
  }
};

TEST_P(Moves, ThereAndBackIsTheSameMemory) {
  for (DType t : {float32, float16, bfloat16, float64, int8, int32, int64, uint8}) {
    SCOPED_TRACE(name(t));
    const Tensor x = made({3, 4}, t);
    EXPECT_EQ(x.backend(), from);
    const void* memory = x.data_ptr();
    const Tensor there = x.to_backend(to);
    const Tensor back = there.to_backend(from);
    EXPECT_EQ(there.backend(), to);
    EXPECT_EQ(back.backend(), from);
    EXPECT_EQ(x.backend(), from) << "the tensor itself stays where it is";
    EXPECT_EQ(there.data_ptr(), memory);
    EXPECT_EQ(back.data_ptr(), memory);
    EXPECT_EQ(there.dtype(), t);
    EXPECT_EQ(there.shape(), (Shape{3, 4}));
    EXPECT_EQ(there.to_vector<double>(), x.to_vector<double>());
  }
  EXPECT_EQ(copied(), 0u);
}

// The other engine's view has the same address.
TEST_P(Moves, TheOtherEngineReadsInPlace) {
  const Tensor x = made({6, 4});
  const void* memory = x.data_ptr();
  {
    const with_backend scope(to);
    const Tensor view = reshape(x, {4, 6}).eval();
    EXPECT_EQ(view.backend(), to);
    EXPECT_EQ(view.data_ptr(), memory);
    EXPECT_EQ(values(view + 1), counted(24, 1, 2));
    EXPECT_EQ(ops::sum(x).item<float>(), 552.0f);
  }
  EXPECT_EQ(values(x), counted(24, 0, 2)) << "and leaves it as it was";
  EXPECT_EQ(copied(), 0u);
}

TEST_P(Moves, AViewKeepsTheMemoryOfTheOtherEngine) {
  Tensor x = made({6, 4});
  Tensor view;
  const void* memory = x.data_ptr();
  {
    const with_backend scope(to);
    view = reshape(x, {24}).eval();
  }
  x = Tensor();
  EXPECT_EQ(view.data_ptr(), memory);
  EXPECT_EQ(values(view), counted(24, 0, 2));
}

TEST_P(Moves, OperandsAreMovedByThemselves) {
  const Tensor x = made({2, 3});
  Tensor own;
  Tensor sum;
  Tensor product;
  {
    const with_backend scope(to);
    own = array({{1, 1, 1}, {2, 2, 2}}, float32);
    sum = x + own;
    product = matmul(x, transpose(own));
  }
  EXPECT_EQ(sum.backend(), to);
  EXPECT_EQ(values(sum), (Floats{1, 3, 5, 8, 10, 12}));
  EXPECT_EQ(product.backend(), to);
  EXPECT_EQ(values(product), (Floats{6, 12, 24, 48}));
  const with_backend scope(from);
  EXPECT_EQ((sum - x).backend(), from) << "the current backend wins over the operands'";
  EXPECT_EQ(values(sum - x), (Floats{1, 1, 1, 2, 2, 2}));
  EXPECT_EQ(copied(), 0u);
}

// A pending tensor is computed by the engine that recorded it, in slices of alternating engines.
TEST_P(Moves, PendingWorkOfTwoEngines) {
  const Tensor x = made({8});
  Tensor y = x;
  Floats wanted = counted(8, 0, 2);
  for (int i = 0; i < 6; ++i) {
    const with_backend scope(i % 2 ? from : to);
    y = y * 2 + x;
    for (size_t k = 0; k < 8; ++k) wanted[k] = wanted[k] * 2 + float(k) * 2;
  }
  EXPECT_FALSE(y.evaluated());
  EXPECT_EQ(y.backend(), from);
  EXPECT_EQ(values(y), wanted);
  const Tensor pending = x + 1;
  const Tensor moved = pending.to_backend(to);
  EXPECT_EQ(pending.backend(), from);
  EXPECT_EQ(moved.backend(), to);
  EXPECT_EQ(values(moved), counted(8, 1, 2));
}

TEST_P(Moves, ATensorOutlivesASwitch) {
  Tensor x;
  Tensor pending;
  {
    const SetBackend choice(from);
    on_a_thread([&] {
      x = reshape(arange(0, 6, 1, float32), {2, 3}).eval();
      pending = x * 3;
    });
  }
  const SetBackend choice(to);
  on_a_thread([&] {
    EXPECT_EQ(get_backend(), to);
    EXPECT_EQ(x.backend(), from);
    EXPECT_EQ(pending.backend(), from);
    EXPECT_EQ(values(pending), counted(6, 0, 3));
    const Tensor y = pending + x;
    EXPECT_EQ(y.backend(), to);
    EXPECT_EQ(values(y), counted(6, 0, 4));
    EXPECT_EQ(values(x), counted(6));
  });
}

// Strided views of one engine, read by another.
TEST_P(Moves, StridedViews) {
  const Tensor x = made({4, 6});
  const Floats v = counted(24, 0, 2);
  const auto expect = [&](const Tensor& view, auto at) {
    Tensor there;
    {
      const with_backend scope(from);
      there = view.eval().to_backend(to);
    }
    const with_backend scope(to);
    const int64_t rows = view.shape(0);
    const int64_t columns = view.shape(1);
    Floats wanted;
    Floats sums(static_cast<size_t>(columns));
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < columns; ++j) {
        wanted.push_back(at(i, j));
        sums[size_t(j)] += at(i, j);
      }
    }
    EXPECT_EQ(values(there), wanted);
    EXPECT_EQ(values(there * 2), times(wanted, 2));
    EXPECT_EQ(values(ops::sum(there, 0)), sums);
    EXPECT_EQ(values(copy(there)), wanted);
  };
  const auto at = [&](int64_t i, int64_t j) { return v[size_t(i * 6 + j)]; };
  const with_backend scope(from);
  expect(transpose(x), [&](int64_t i, int64_t j) { return at(j, i); });
  expect(x(slice(1, 4, 2), slice(1, {}, 3)),
         [&](int64_t i, int64_t j) { return at(1 + 2 * i, 1 + 3 * j); });
  expect(x(slice({}, {}, -1), slice({}, {}, -2)),
         [&](int64_t i, int64_t j) { return at(3 - i, 5 - 2 * j); });
  expect(broadcast_to(x(2), {5, 6}), [&](int64_t, int64_t j) { return at(2, j); });
  expect(broadcast_to(x(all_, slice(0, 1)), {4, 7}), [&](int64_t i, int64_t) { return at(i, 0); });
  expect(frame(flatten(x), 8, 4), [&](int64_t i, int64_t j) { return v[size_t(i * 4 + j)]; });
}

TEST_P(Moves, EmptyAndSingleElements) {
  const Tensor none = made({0, 3}).to_backend(to);
  const Tensor one = made({1})(0).eval().to_backend(to);
  const Tensor scalar = Tensor(2.5).to_backend(to);
  const with_backend scope(to);
  EXPECT_EQ((none + 1).eval().shape(), (Shape{0, 3}));
  EXPECT_EQ((one + 1).item<float>(), 1.0f);
  EXPECT_EQ((scalar * 2).item<double>(), 5.0);
  EXPECT_EQ(values(concat({none, made({1, 3})})), (Floats{0, 2, 4}));
}

// Exported by one engine and imported by another by DLPack: the memory is shared.
TEST_P(Moves, ByDlpack) {
  Tensor x = made({2, 3});
  const void* memory = x.data_ptr();
  const auto expect = [&](Tensor y) {
    const with_backend scope(to);
    EXPECT_EQ(y.data_ptr(), memory);
    EXPECT_EQ(values(y * 2), counted(6, 0, 4));
    EXPECT_EQ(reshape(y, {3, 2}).data_ptr(), memory);
  };
  expect(from_dlpack(to_dlpack(x), false));
  expect(from_dlpack(to_dlpack_versioned(x), false));
  DLManagedTensor* out = to_dlpack(x);
  x = Tensor();
  expect(from_dlpack(out, false));  // the tensor is gone, its memory is not
  EXPECT_EQ(copied(), 0u);
}

std::vector<std::pair<std::string, std::string>> test_pairs() {
  std::vector<std::pair<std::string, std::string>> r;
  for (const std::string& a : test_engines()) {
    for (const std::string& b : test_engines()) {
      if (a != b) r.emplace_back(a, b);
    }
  }
  return r;
}
INSTANTIATE_TEST_SUITE_P(Engines, Moves, testing::ValuesIn(test_pairs()), [](const auto& info) {
  return info.param.first + "_to_" + info.param.second;
});
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Moves);

// ---- DLPack on each engine ----

struct Exchange : EachEngine, testing::WithParamInterface<std::string> {
  inline static int deleted;
  void SetUp() override {
    deleted = 0;
    start(GetParam());
  }
};

TEST_P(Exchange, WhatAnEngineComputedIsShared) {
  lacking("onnxruntime");  // complex numbers
  const struct {
    DType t;
    uint8_t code, bits;
  } kinds[] = {
      {float32, 2, 32}, {float16, 2, 16}, {bfloat16, 4, 16}, {float64, 2, 64},   {int8, 0, 8},
      {int64, 0, 64},   {uint8, 1, 8},    {bool_, 6, 8},     {complex64, 5, 64},
  };
  for (const auto& k : kinds) {
    SCOPED_TRACE(name(k.t));
    Tensor x = concat({ones({2, 3}, k.t), zeros({1, 3}, k.t)}).eval();
    EXPECT_EQ(x.backend(), GetParam());
    DLManagedTensor* legacy = to_dlpack(x);
    DLManagedTensorVersioned* versioned = to_dlpack_versioned(x);
    for (const DLT* t : {&legacy->t, &versioned->t}) {
      EXPECT_EQ(static_cast<std::byte*>(t->data) + t->byte_offset, x.data_ptr());
      EXPECT_EQ(t->dtype.code, k.code);
      EXPECT_EQ(t->dtype.bits, k.bits);
      EXPECT_EQ(t->dtype.lanes, 1);
      EXPECT_EQ(t->device.type, 1);
      ASSERT_EQ(t->ndim, 2);
      EXPECT_EQ(t->shape[0], 3);
      EXPECT_EQ(t->shape[1], 3);
      EXPECT_EQ(t->strides[0], 3);
      EXPECT_EQ(t->strides[1], 1);
    }
    EXPECT_EQ(versioned->major, 1u);
    EXPECT_EQ(versioned->flags & 1, 1u) << "read-only";
    x = Tensor();
    legacy->deleter(legacy);
    const Tensor again = from_dlpack(versioned, false);
    EXPECT_EQ(ops::sum(again.astype(complex64)).item<std::complex<float>>(),
              (std::complex<float>(6)));
  }
  EXPECT_EQ(counters().copies, before_.copies);
}

// Exported memory is never reused, even if its tensor is destroyed.
TEST_P(Exchange, ExportedMemoryIsNotReused) {
  Tensor x = (arange(0, 1000, 1, float32) + 1.0f).eval();
  DLManagedTensor* out = to_dlpack(x);
  ASSERT_EQ(out->t.strides[0], 1);
  const auto* data =
      reinterpret_cast<const float*>(static_cast<std::byte*>(out->t.data) + out->t.byte_offset);
  for (int i = 0; i < 3; ++i) x = (std::move(x) * 2 + 1).eval();
  x = Tensor();
  const Tensor other = (arange(0, 1000, 1, float32) + 7.0f).eval();
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(data[i], float(i + 1));
  out->deleter(out);
}

TEST_P(Exchange, ForeignMemoryIsReadInPlaceAndGivenBack) {
  Floats data = counted(6, 1);
  int64_t shape[] = {2, 3};
  int64_t across[] = {1, 2};
  int64_t back[] = {-3, -1};
  const auto count = [](auto*) { ++deleted; };
  {
    DLManagedTensor legacy{{data.data(), {1, 0}, 2, {2, 32, 1}, shape, nullptr, 0}, nullptr, count};
    const Tensor x = from_dlpack(&legacy, false);
    EXPECT_EQ(x.data_ptr(), data.data());
    EXPECT_EQ(values(x * 2), counted(6, 2, 2));
    EXPECT_EQ(reshape(x, {3, 2}).data_ptr(), data.data());
    EXPECT_EQ(values(matmul(x, transpose(x))), (Floats{14, 32, 32, 77}));
    EXPECT_EQ(counters().copies, before_.copies);
    EXPECT_EQ(deleted, 0);
  }
  EXPECT_EQ(deleted, 1);
  {
    DLManagedTensorVersioned versioned{
        1, 0, nullptr, count, 0, {data.data(), {1, 0}, 2, {2, 32, 1}, shape, across, 0}};
    const Tensor x = from_dlpack(&versioned, false);
    EXPECT_EQ(values(x + 0.0f), (Floats{1, 3, 5, 2, 4, 6}));
    EXPECT_EQ(counters().copies, before_.copies);
  }
  EXPECT_EQ(deleted, 2);
  {
    DLManagedTensor legacy{
        {data.data(), {1, 0}, 2, {2, 32, 1}, shape, back, 5 * sizeof(float)}, nullptr, count};
    const Tensor x = from_dlpack(&legacy, false);
    EXPECT_EQ(values(x * 2), counted(6, 12, -2));
    EXPECT_EQ(values(ops::sum(x, 0)), (Floats{9, 7, 5}));
  }
  EXPECT_EQ(deleted, 3);
  EXPECT_EQ(data, counted(6, 1)) << "nobody wrote to it";
}

// Every second column of every second row: the memory spans more than the elements.
TEST_P(Exchange, ForeignMemoryWithGaps) {
  Floats data = counted(24);
  int64_t shape[] = {2, 3};
  int64_t apart[] = {12, 2};
  {
    DLManagedTensor legacy{{data.data(), {1, 0}, 2, {2, 32, 1}, shape, apart, sizeof(float)},
                           nullptr,
                           [](auto*) { ++deleted; }};
    const Tensor x = from_dlpack(&legacy, false);
    EXPECT_EQ(values(x * 2), (Floats{2, 6, 10, 26, 30, 34}));
    EXPECT_EQ(values(transpose(x)), (Floats{1, 13, 3, 15, 5, 17}));
    EXPECT_EQ(values(x(1, slice(1, {}))), (Floats{15, 17}));
    EXPECT_EQ(values(x(all_, slice({}, {}, -2)) + 1.0f), (Floats{6, 2, 18, 14}));
    EXPECT_EQ(values(reshape(x, {3, 2})), (Floats{1, 3, 5, 13, 15, 17}));
    EXPECT_EQ(values(broadcast_to(x(slice(1, 2)), {2, 3}) + 0.0f),
              (Floats{13, 15, 17, 13, 15, 17}));
    EXPECT_EQ(values(ops::sum(x, 0)), (Floats{14, 18, 22}));
    EXPECT_EQ(values(matmul(x, ones({3, 1}))), (Floats{9, 45}));
  }
  EXPECT_EQ(deleted, 1);
}

INSTANTIATE_TEST_SUITE_P(Engines, Exchange, testing::ValuesIn(test_engines()),
                         [](const auto& info) { return info.param; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Exchange);

// ---- Threads ----

// Threads with their own scopes compute at the same time, on a shared tensor and on each other's
// results.
TEST(Scopes, ArePerThread) {
  const std::vector<std::string> engines = test_engines();
  for (const std::string& e : engines) {
    try {
      const with_backend scope(e);
    } catch (const Error& error) {
      FAIL() << error.what();
    }
  }
  const std::string outside = get_backend();
  const Tensor shared = reshape(arange(0, 64, 1, float32), {8, 8}).eval();
  constexpr int rounds = 40;
  std::vector<std::thread> threads;
  std::vector<Tensor> last(2 * engines.size());
  std::atomic<int> wrong{0};
  std::atomic<int> misplaced{0};
  std::atomic<int> thrown{0};
  for (size_t i = 0; i < last.size(); ++i) {
    threads.emplace_back([&, i] {
      const std::string& name = engines[i % engines.size()];
      try {
        const with_backend scope(name);
        for (int r = 0; r < rounds; ++r) {
          const Tensor y = matmul(shared, shared) + double(r);
          misplaced += get_backend() != name || y.backend() != name;
          {
            const with_backend inner(engines[(i + 1) % engines.size()]);
            misplaced += (y + 1).backend() != engines[(i + 1) % engines.size()];
          }
          misplaced += (y + 1).backend() != name;
          const Floats v = values(y);  // row 0: the sum of k * (8 k + j)
          for (size_t j = 0; j < 8; ++j) wrong += v[j] != float(1120 + 28 * j + size_t(r));
          last[i] = y;
        }
      } catch (const std::exception&) {
        ++thrown;
      }
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(misplaced, 0);
  EXPECT_EQ(thrown, 0);
  EXPECT_EQ(get_backend(), outside);
  Tensor sum = zeros({8, 8});
  for (const Tensor& t : last) sum = sum + t(0, 0);
  EXPECT_EQ(values(sum)[0], float(last.size()) * (1120 + rounds - 1));
}

// A tensor recorded on one thread is evaluated on another.
TEST(Scopes, APendingTensorIsComputedFromAnyThread) {
  for (const std::string& e : test_engines()) {
    SCOPED_TRACE(e);
    Tensor y;
    try {
      const with_backend scope(e);
      y = exp(zeros({100})) + arange(0, 100, 1, float32);
    } catch (const Error& error) {
      FAIL() << error.what();
    }
    std::vector<std::thread> threads;
    std::atomic<int> wrong{0};
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        try {
          wrong += values(y) != counted(100, 1);
        } catch (const std::exception&) {
          ++wrong;
        }
      });
    }
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(y.backend(), e);
  }
}

}  // namespace
}  // namespace ember
