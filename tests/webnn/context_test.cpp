// Contexts, tensors and dispatch: order, lifetimes, errors, memory.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <fstream>
#include <latch>
#include <mutex>
#include <thread>

#include "ember/ember.h"
#include "ember/webnn.h"
#include "tests/error_of.h"

namespace ember::webnn {
namespace {

using Floats = std::vector<float>;

struct Webnn : testing::Test {
  MLContext context = createContext();
  MLTensorDescriptor open(Dimensions shape, DType t = DType::float32) {
    MLTensorDescriptor d;
    d.dataType = t;
    d.shape = std::move(shape);
    d.readable = d.writable = true;
    return d;
  }
  MLTensor tensor(const Floats& v) {
    const MLTensor t = context.createTensor(open({uint32_t(v.size())}));
    context.writeTensor(t, v.data(), v.size() * 4);
    return t;
  }
  Floats read(const MLTensor& t) {
    Floats v(byte_length({t.dataType(), t.shape()}) / 4);
    context.readTensor(t, v.data(), v.size() * 4);
    return v;
  }
  // z = x + y, n floats.
  MLGraph sum(uint32_t n) {
    MLGraphBuilder b(context);
    const auto x = b.input("x", {DType::float32, {n}});
    const auto y = b.input("y", {DType::float32, {n}});
    return b.build({{"z", b.add(x, y)}});
  }
  // Takes milliseconds, so that it runs on the queue's thread: x times a matrix, many times.
  MLGraph slow(uint32_t n) {
    MLGraphBuilder b(context);
    Floats identity(n * n);
    for (uint32_t i = 0; i < n; ++i) identity[i * n + i] = 1;
    const auto m = b.constant({DType::float32, {n, n}}, identity.data(), identity.size() * 4);
    const auto x = b.input("x", {DType::float32, {n, n}});
    auto y = x;
    for (int i = 0; i < 8; ++i) y = b.add(b.matmul(y, m), x);
    return b.build({{"y", y}});
  }
};

TEST_F(Webnn, DispatchComputes) {
  const MLTensor x = tensor({1, 2, 3, 4});
  const MLTensor y = tensor({10, 20, 30, 40});
  const MLTensor z = context.createTensor(open({4}));
  context.dispatch(sum(4), {{"x", x}, {"y", y}}, {{"z", z}});
  EXPECT_EQ(read(z), (Floats{11, 22, 33, 44}));
  EXPECT_EQ(read(x), (Floats{1, 2, 3, 4}));
}

TEST_F(Webnn, FreshTensorsAreZeroAndTakeNoMemory) {
  const MLTensor big = context.createTensor(open({1 << 28}));  // a gigabyte
  const size_t used = memory_stats().used;
  EXPECT_FALSE(big.materialized());
  EXPECT_LT(used, size_t(1) << 30);
  EXPECT_EQ(read(context.createTensor(open({3}))), (Floats{0, 0, 0}));
  const MLTensor z = context.createTensor(open({2}));
  context.dispatch(sum(2), {{"x", context.createTensor(open({2}))}, {"y", tensor({1, 2})}},
                   {{"z", z}});
  EXPECT_EQ(read(z), (Floats{1, 2}));
}

TEST_F(Webnn, DispatchesReadsAndWritesKeepTheirOrder) {
  const uint32_t n = 256;
  const MLGraph g = slow(n);
  const MLTensor x = context.createTensor(open({n, n}));
  const MLTensor y = context.createTensor(open({n, n}));
  std::vector<std::vector<float>> seen(4);
  std::mutex mutex;
  std::condition_variable done;
  int count = 0;
  for (int k = 0; k < 4; ++k) {
    const Floats v(n * n, float(k + 1));
    context.writeTensor(x, v.data(),
                        v.size() * 4);  // while the previous dispatch may still read it
    context.dispatch(g, {{"x", x}}, {{"y", y}});
    context.readTensor(y, [&, k](std::exception_ptr e, std::span<const std::byte> bytes) {
      std::lock_guard lock(mutex);
      EXPECT_FALSE(e);
      const auto* f = reinterpret_cast<const float*>(bytes.data());
      seen[size_t(k)].assign(f, f + n * n);
      ++count;
      done.notify_one();
    });
  }
  std::unique_lock lock(mutex);
  done.wait(lock, [&] { return count == 4; });
  for (int k = 0; k < 4; ++k) EXPECT_EQ(seen[size_t(k)], Floats(n * n, 9.f * float(k + 1)));
}

TEST_F(Webnn, DispatchDoesNotWaitForWorkInFlight) {
  const uint32_t n = 256;
  const MLGraph g = slow(n);
  const MLTensor x = context.createTensor(open({n, n}));
  const MLTensor y = context.createTensor(open({n, n}));
  // Reads of this size never run on the calling thread.
  const MLTensor large = context.createTensor(open({1 << 21}));
  std::latch gate(1);
  std::atomic<bool> told{false};
  context.readTensor(large, [&](std::exception_ptr, std::span<const std::byte>) { gate.wait(); });
  for (int i = 0; i < 20; ++i) context.dispatch(g, {{"x", x}}, {{"y", y}});
  context.readTensor(y, [&](std::exception_ptr, std::span<const std::byte>) { told = true; });
  EXPECT_FALSE(told);  // all requests are behind the gate
  gate.count_down();
  context.readTensor(y);
  EXPECT_TRUE(told);
}

TEST_F(Webnn, OneTensorTwiceIsRefused) {
  const MLGraph g = sum(2);
  const MLTensor x = tensor({1, 2});
  const MLTensor y = tensor({3, 4});
  const MLTensor z = tensor({0, 0});
  EXPECT_NE(error_of<ValueError>([&] {
              context.dispatch(g, {{"x", x}, {"y", x}}, {{"z", z}});
            }).find("twice"),
            std::string::npos);
  EXPECT_NE(error_of<ValueError>([&] {
              context.dispatch(g, {{"x", x}, {"y", y}}, {{"z", y}});
            }).find("twice"),
            std::string::npos);
  EXPECT_EQ(read(z), (Floats{0, 0}));
}

TEST_F(Webnn, NamesTypesAndOwnersAreChecked) {
  const MLGraph g = sum(2);
  const MLTensor x = tensor({1, 2});
  const MLTensor y = tensor({3, 4});
  const MLTensor z = tensor({0, 0});
  const MLTensor wide = tensor({1, 2, 3});
  const MLTensor ints = context.createTensor(open({2}, DType::int32));
  EXPECT_NE(error_of<ValueError>([&] {
              context.dispatch(g, {{"x", x}}, {{"z", z}});
            }).find("'y' is missing"),
            std::string::npos);
  EXPECT_NE(error_of<ValueError>([&] {
              context.dispatch(g, {{"x", x}, {"y", y}, {"w", wide}}, {{"z", z}});
            }).find("no input 'w'"),
            std::string::npos);
  EXPECT_NE(error_of<ValueError>([&] {
              context.dispatch(g, {{"x", wide}, {"y", y}}, {{"z", z}});
            }).find("float32[3]"),
            std::string::npos);
  EXPECT_NE(error_of<ValueError>([&] {
              context.dispatch(g, {{"x", ints}, {"y", y}}, {{"z", z}});
            }).find("int32[2]"),
            std::string::npos);
  EXPECT_NE(error_of<ValueError>([&] {
              createContext().dispatch(g, {{"x", x}, {"y", y}}, {{"z", z}});
            }).find("another context"),
            std::string::npos);
  const MLContext other = createContext();
  EXPECT_NE(error_of<ValueError>([&] {
              context.readTensor(other.createTensor(open({2})));
            }).find("another context"),
            std::string::npos);
  MLTensorDescriptor shut;
  shut.shape = {2};
  const MLTensor t = context.createTensor(shut);
  EXPECT_NE(error_of<ValueError>([&] { context.readTensor(t); }).find("not readable"),
            std::string::npos);
  EXPECT_NE(error_of<ValueError>([&] { context.writeTensor(t, nullptr, 8); }).find("not writable"),
            std::string::npos);
  EXPECT_NE(error_of<ValueError>([&] { context.writeTensor(x, nullptr, 4); }).find("8"),
            std::string::npos);
}

TEST_F(Webnn, ShapesThatCannotBe) {
  error_of<ShapeError>([&] { context.createTensor(open({2, 0})); });
  error_of<ValueError>([&] { context.createTensor(open({1u << 31, 1u << 31, 8})); });
  error_of<DTypeError>([&] { context.createTensor(open({2}, DType::float64)); });
  error_of<ShapeError>([&] { context.createTensor(open(Dimensions(65, 1))); });
}

TEST_F(Webnn, DestroyedThingsRefuse) {
  MLGraph g = sum(2);
  MLTensor x = tensor({1, 2});
  MLTensor y = tensor({3, 4});
  MLTensor z = tensor({0, 0});
  x.destroy();
  x.destroy();
  error_of<StateError>([&] { context.dispatch(g, {{"x", x}, {"y", y}}, {{"z", z}}); });
  error_of<StateError>([&] { context.readTensor(x); });
  error_of<StateError>([&] { context.writeTensor(x, nullptr, 8); });
  g.destroy();
  error_of<StateError>([&] { context.dispatch(g, {{"x", z}, {"y", y}}, {{"z", tensor({0, 0})}}); });
  std::string why;
  context.onLost([&](std::string m) { why = m; });
  context.destroy();
  context.destroy();
  EXPECT_EQ(why, "destroyed");
  error_of<StateError>([&] { context.createTensor(open({2})); });
  error_of<StateError>([&] { MLGraphBuilder b(context); });
}

TEST_F(Webnn, ABuilderBuildsOnce) {
  MLGraphBuilder b(context);
  const auto x = b.input("x", {DType::float32, {2}});
  const auto y = b.add(x, x);
  error_of<ValueError>([&] { b.build({}); });
  error_of<ValueError>([&] { b.build({{"x", x}}); });
  error_of<ValueError>([&] { b.build({{"", y}}); });
  error_of<ValueError>([&] { b.input("", {DType::float32, {2}}); });
  const auto again = b.add(y, b.input("x", {DType::float32, {2}}));
  error_of<ValueError>([&] { b.build({{"z", again}}); });  // two inputs of one name
  b.build({{"y", y}});
  error_of<StateError>([&] { b.build({{"y", y}}); });
  error_of<StateError>([&] { b.add(x, x); });
}

TEST_F(Webnn, ConstantsAreTakenWhenTheyAreMade) {
  MLGraphBuilder b(context);
  Floats w = {1, 2};
  const auto c = b.constant({DType::float32, {2}}, w.data(), 8);
  w = {100, 200};
  const MLGraph g = b.build({{"y", b.add(b.input("x", {DType::float32, {2}}), c)}});
  const MLTensor y = tensor({0, 0});
  context.dispatch(g, {{"x", tensor({1, 1})}}, {{"y", y}});
  EXPECT_EQ(read(y), (Floats{2, 3}));
}

TEST_F(Webnn, ConstantTensorsAreSharedByGraphs) {
  const Floats w = {5, 6};
  const MLTensor c = context.createConstantTensor({DType::float32, {2}}, w.data(), 8);
  EXPECT_TRUE(c.constant());
  const void* memory = c.value().data_ptr();
  for (int k = 0; k < 2; ++k) {
    MLGraphBuilder b(context);
    const auto operand = b.constant(c);
    const MLGraph g = b.build({{"y", b.add(b.input("x", {DType::float32, {2}}), operand)}});
    const MLTensor y = tensor({0, 0});
    context.dispatch(g, {{"x", tensor({1, 1})}}, {{"y", y}});
    EXPECT_EQ(read(y), (Floats{6, 7}));
  }
  EXPECT_EQ(c.value().data_ptr(), memory);
  MLGraphBuilder b(context);
  error_of<ValueError>([&] { b.constant(tensor({1, 2})); });
  error_of<ValueError>([&] { context.writeTensor(c, w.data(), 8); });
}

#if !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)  // they need the address space that is taken away here
TEST_F(Webnn, ErrorsOfADispatchComeWithTheReadOfItsOutputs) {
  MLGraphBuilder b(context);
  const uint32_t n = 1 << 28;  // a gigabyte
  const auto x = b.input("x", {DType::float32, {2}});
  const MLGraph large = b.build({{"y", b.tile(x, {n / 2})}});
  const MLTensor in = tensor({1, 2});
  const MLTensor out = context.createTensor(open({n}));
  const MLTensor next = tensor({0, 0});
  rlimit before;
  rlimit small;
  getrlimit(RLIMIT_AS, &before);
  std::ifstream statm("/proc/self/statm");
  rlim_t pages = 0;
  statm >> pages;
  small = before;
  small.rlim_cur = pages * rlim_t(sysconf(_SC_PAGE_SIZE)) + (rlim_t(1) << 29);
  setrlimit(RLIMIT_AS, &small);
  context.dispatch(large, {{"x", in}}, {{"y", out}});
  error_of<MemoryError>([&] { context.readTensor(out, nullptr, size_t(n) * 4); });
  setrlimit(RLIMIT_AS, &before);
  const MLTensor z = context.createTensor(open({2}));
  context.dispatch(sum(2), {{"x", in}, {"y", next}}, {{"z", z}});
  EXPECT_EQ(read(z), (Floats{1, 2}));
}
#endif

TEST_F(Webnn, AnExportSharesMemoryAndStaysAsItWas) {
  MLTensorDescriptor d = open({2});
  d.exportable = true;
  const MLTensor t = context.createTensor(d);
  const Floats v = {1, 2};
  const Floats w = {3, 4};
  context.writeTensor(t, v.data(), 8);
  const Tensor before = t.value();
  context.writeTensor(t, w.data(), 8);
  EXPECT_EQ(before.to_vector<float>(), v);
  EXPECT_EQ(t.value().to_vector<float>(), w);
  EXPECT_EQ(t.value().data_ptr(), t.value().data_ptr());
  error_of<ValueError>([&] { tensor({1}).value(); });
}

TEST_F(Webnn, FourBitIntegersArePackedTwoToAByte) {
  const MLTensor t = context.createTensor(open({5}, DType::int4));
  const uint8_t bytes[3] = {0x7f, 0x80, 0x03};  // -1 7 0 -8 3
  context.writeTensor(t, bytes, 3);
  const auto back = context.readTensor(t);
  ASSERT_EQ(back.size(), 3u);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(uint8_t(back[size_t(i)]), bytes[i]);
}

TEST_F(Webnn, ManyDispatchesAndTensorsLeaveNothingBehind) {
  const MLGraph g = sum(4);
  const MLTensor x = tensor({1, 2, 3, 4});
  const MLTensor y = tensor({1, 1, 1, 1});
  const MLTensor z = context.createTensor(open({4}));
  const auto round = [&] {
    for (int i = 0; i < 1000; ++i) context.dispatch(g, {{"x", x}, {"y", y}}, {{"z", z}});
    for (int i = 0; i < 1000; ++i) tensor({1, 2}).destroy();
    context.readTensor(z);
  };
  round();
  const size_t used = memory_stats().used;
  for (int i = 0; i < 20; ++i) round();
  EXPECT_LT(memory_stats().used,
            used + (1 << 18));  // 40,000 leaked blocks would be ten times as much
}

TEST_F(Webnn, ThreadsShareAContext) {
  const MLGraph g = sum(4);
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k) {
    threads.emplace_back([&, k] {
      const MLTensor x = tensor({float(k), 0, 0, 0});
      const MLTensor y = tensor({1, 1, 1, 1});
      const MLTensor z = context.createTensor(open({4}));
      for (int i = 0; i < 200; ++i) {
        context.dispatch(g, {{"x", x}, {"y", y}}, {{"z", z}});
        if (i % 50) continue;
        EXPECT_EQ(read(z), (Floats{float(k) + 1, 1, 1, 1}));
      }
    });
  }
  for (auto& t : threads) t.join();
}

TEST_F(Webnn, OtherEnginesAndDevicesByName) {
  EXPECT_EQ(context.engine(), "native");
  EXPECT_FALSE(context.accelerated());
  MLContextOptions o;
  o.engine = "nowhere";
  error_of<Error>([&] { createContext(o); });
  o.engine = "native";
  o.device = "cuda";
  error_of<DeviceError>([&] { createContext(o); });
  o.device = "";
  o.powerPreference = "auto";
  error_of<ValueError>([&] { createContext(o); });
}

}  // namespace
}  // namespace ember::webnn
