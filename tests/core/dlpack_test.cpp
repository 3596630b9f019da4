// DLPack import and export, with structs declared as in another library.
#include <gtest/gtest.h>

#include <cstdint>

#include "ember/ember.h"
#include "tests/support/dlpack_structs.h"

namespace ember {
namespace {

struct Dlpack : testing::Test {
  inline static int deleted;
  float data[6] = {1, 2, 3, 4, 5, 6};
  int64_t shape[2] = {2, 3}, strides[2] = {3, 1};
  DLManagedTensor m{{data, {1, 0}, 2, {2, 32, 1}, shape, nullptr, 0},
                    nullptr,
                    [](DLManagedTensor*) { ++deleted; }};
  void SetUp() override { deleted = 0; }
};

TEST_F(Dlpack, SharesMemoryWhenAskedTo) {
  {
    const Tensor x = from_dlpack(&m, false);
    EXPECT_EQ(x.data_ptr(), data);
    EXPECT_EQ(deleted, 0);
  }
  EXPECT_EQ(deleted, 1);
}

TEST_F(Dlpack, CopiesUnlessAsked) {
  const Tensor x = from_dlpack(&m);
  EXPECT_EQ(deleted, 1);
  data[0] = 9;
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST_F(Dlpack, StridesAndOffsets) {
  int64_t back[2] = {-3, -1};
  m.t.strides = back;
  m.t.byte_offset = 20;
  EXPECT_EQ(from_dlpack(&m).to_vector<float>(), (std::vector<float>{6, 5, 4, 3, 2, 1}));
  int64_t across[2] = {1, 2};
  int64_t flipped[2] = {2, 3};
  m.t.shape = flipped;
  m.t.strides = across;
  m.t.byte_offset = 0;
  EXPECT_EQ((from_dlpack(&m, false) * 1.0f).to_vector<float>(),
            (std::vector<float>{1, 3, 5, 2, 4, 6}));
}

TEST_F(Dlpack, BadOnesAreErrorsAndAreDeleted) {
  const auto fails = [&](auto change, auto kind) {
    DLManagedTensor bad = m;
    change(bad.t);
    const int before = deleted;
    EXPECT_THROW(from_dlpack(&bad), decltype(kind));
    EXPECT_EQ(deleted, before + 1);
  };
  fails([](DLT& t) { t.dtype.lanes = 4; }, DTypeError(""));
  fails([](DLT& t) { t.dtype.code = 77; }, DTypeError(""));
  fails([](DLT& t) { t.dtype.bits = 12; }, DTypeError(""));
  fails([](DLT& t) { t.device.type = 2; }, DeviceError(""));
  fails([](DLT& t) { t.shape = nullptr; }, ValueError(""));
  fails([](DLT& t) { t.data = nullptr; }, ValueError(""));
  fails([](DLT& t) { t.ndim = -1; }, ShapeError(""));
  fails([](DLT& t) { t.ndim = 1000; }, ShapeError(""));
  fails([](DLT& t) { t.byte_offset = 1; }, ValueError(""));
  fails([](DLT& t) { t.byte_offset = uint64_t(1) << 63; }, ValueError(""));
  fails([](DLT& t) { t.byte_offset = ~uint64_t(0) - 7; }, ValueError(""));
  EXPECT_THROW(from_dlpack(static_cast<DLManagedTensor*>(nullptr)), ValueError);
  m.deleter = nullptr;
  EXPECT_EQ(from_dlpack(&m).size(), 6);
  DLManagedTensorVersioned v{99, 0, nullptr, nullptr, 0, m.t};
  EXPECT_THROW(from_dlpack(&v), UnsupportedError);
  v.major = 1;
  EXPECT_EQ(from_dlpack(&v).size(), 6);
}

TEST_F(Dlpack, ExportsShareAndOutliveTheTensor) {
  Tensor x = array({{1, 2}, {3, 4}}, float32);
  const void* p = x.data_ptr();
  DLManagedTensor* out = to_dlpack(ops::transpose(x));
  x = Tensor();
  EXPECT_EQ(out->t.data, p);
  EXPECT_EQ(out->t.strides[0], 1);
  EXPECT_EQ(static_cast<float*>(out->t.data)[3], 4);
  out->deleter(out);
  DLManagedTensorVersioned* v = to_dlpack_versioned(array({true, false}));
  EXPECT_EQ(v->major, 1u);
  EXPECT_EQ(v->flags & 1, 1u) << "read-only";
  EXPECT_EQ(v->t.dtype.code, 6);
  v->deleter(v);
  EXPECT_THROW(to_dlpack(ops::zeros({2}, int4)), DTypeError);
}

TEST_F(Dlpack, AnExportedBufferIsNotReused) {
  Tensor x = (ops::zeros({64}) + 1.0f).eval();
  DLManagedTensor* out = to_dlpack(x);
  x = (std::move(x) + 1.0f).eval();
  EXPECT_EQ(static_cast<float*>(out->t.data)[0], 1);
  out->deleter(out);
}

}  // namespace
}  // namespace ember
