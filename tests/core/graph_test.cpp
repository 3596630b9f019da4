// The graph without data: recording, promotion, errors, the cache, bounded memory. Runs on the null
// engine.
#include <gtest/gtest.h>
#include <unistd.h>

#include <sstream>
#include <thread>

#include "ember/ember.h"
#include "ember/row.h"
#include "tests/error_of.h"

namespace ember {
namespace {

using namespace ops;

struct Graph : testing::Test {
  with_backend scope{"null"};
};

TEST_F(Graph, CallingAnOpComputesNothing) {
  const auto before = counters().evaluations;
  const Tensor x = zeros({3});
  const Tensor y = x + x * 2.0;
  EXPECT_EQ(counters().evaluations, before);
  EXPECT_FALSE(y.evaluated());
  y.eval();
  EXPECT_TRUE(y.evaluated());
  EXPECT_EQ(counters().evaluations, before + 1);
}

TEST_F(Graph, PrintingAPendingTensorDoesNotEvaluate) {
  const Tensor y = zeros({2, 3}) + 1.0;
  std::ostringstream os;
  os << y;
  EXPECT_EQ(os.str(), "<pending add: float32[2, 3] on null>");
  EXPECT_FALSE(y.evaluated());
}

TEST_F(Graph, AnEmptyTensorIsAnErrorToMove) {
  const Tensor none;
  EXPECT_THROW(none.to_backend("native"), ValueError);
  EXPECT_THROW(none.to_backend("null"), ValueError);
  EXPECT_THROW(none.to_device(Device::cpu), ValueError);
}

TEST_F(Graph, ScalarsNeverWidenWithinTheirKind) {
  EXPECT_EQ((zeros({2}, float32) + 0.5).dtype(), float32);
  EXPECT_EQ((zeros({2}, float16) * 2).dtype(), float16);
  EXPECT_EQ((zeros({2}, int8) + 1).dtype(), int8);
  EXPECT_EQ((zeros({2}, int8) + 0.5).dtype(), float32);
  EXPECT_EQ((zeros({2}, bool_) + 1).dtype(), int64);
  EXPECT_EQ((zeros({2}, float64) + std::complex<double>(0, 1)).dtype(), complex128);
  EXPECT_EQ((Tensor(1) + Tensor(2)).dtype(), int64);
  EXPECT_EQ((Tensor(1) + Tensor(2.5)).dtype(), float32);
}

TEST_F(Graph, AScalarThatDoesNotFitIsAnError) {
  EXPECT_EQ(error_of<ValueError>([] { zeros({2}, uint8) + 300; }),
            "[add] the integer 300 does not fit uint8 (x1: uint8[2], x2: int64[])");
  error_of<ValueError>([] { zeros({2}, uint8) + -1; });
  EXPECT_EQ((zeros({2}, uint8) + 255).dtype(), uint8);
  EXPECT_EQ((zeros({2}, int8) + -128).dtype(), int8);
}

// The array API's table, written out, and the pairs that it leaves open.
TEST(Promotion, Table) {
  const DType s[] = {int8, int16, int32, int64};
  const DType u[] = {uint8, uint16, uint32, uint64};
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      EXPECT_EQ(promote(s[i], s[j]), s[std::max(i, j)]);
      EXPECT_EQ(promote(u[i], u[j]), u[std::max(i, j)]);
      if (j == 3) continue;  // int64 with uint64: below
      EXPECT_EQ(promote(s[i], u[j]), s[std::max(i, j + 1)]);
    }
  }
  EXPECT_EQ(promote(float32, float64), float64);
  EXPECT_EQ(promote(float32, complex64), complex64);
  EXPECT_EQ(promote(float64, complex64), complex128);
  EXPECT_EQ(promote(float16, bfloat16), float32);
  EXPECT_EQ(promote(int64, float32), float32);
  EXPECT_EQ(promote(int64, float16), float16);
  EXPECT_EQ(promote(int64, uint64), float32);
  EXPECT_EQ(promote(bool_, uint8), uint8);
  for (int i = 0; i < dtype_count; ++i) {
    for (int j = 0; j < dtype_count; ++j) {
      EXPECT_EQ(promote(DType(i), DType(j)), promote(DType(j), DType(i)));
    }
  }
}

TEST_F(Graph, ErrorsNameTheOpAndItsArguments) {
  EXPECT_EQ(error_of<ShapeError>([] { zeros({3}) + zeros({4}); }),
            "[add] shapes [3] and [4] do not broadcast: dimension -1 is 3 and 4 (x1: float32[3], "
            "x2: float32[4])");
  EXPECT_EQ(error_of<ShapeError>([] { matmul(zeros({2, 3}), zeros({4, 5})); }),
            "[matmul] inner dimensions differ: 3 and 4 (x1: float32[2, 3], x2: float32[4, 5])");
  EXPECT_EQ(error_of<DTypeError>([] { bitwise_and(zeros({2}), zeros({2})); }),
            "[bitwise_and] takes integers and bool, not float32 (x1: float32[2], x2: float32[2])");
  EXPECT_EQ(error_of<IndexError>([] { sum(zeros({2, 2}), 5); }),
            "[sum] axis 5 is out of range for 2 dimensions (x: float32[2, 2])");
  error_of<DTypeError>([] { matmul(zeros({2, 2}, float16), zeros({2, 2}, float32)); });
  error_of<DTypeError>([] { less(zeros({2}, complex64), zeros({2}, complex64)); });
}

TEST_F(Graph, ImpossibleSizes) {
  error_of<ShapeError>([] { zeros({int64_t(1) << 31, int64_t(1) << 31, 8}); });
  error_of<ShapeError>([] { zeros({int64_t(1) << 62}); });
  error_of<ShapeError>([] { zeros({-1}); });
  error_of<ShapeError>([] { zeros(Shape(65, 1)); });
  EXPECT_EQ(zeros(Shape(64, 1)).ndim(), 64);
  EXPECT_EQ(zeros({int64_t(1) << 62, 0}).size(), 0);
  error_of<ShapeError>([] { zeros({int64_t(1) << 40, 1}) + zeros({1, int64_t(1) << 40}); });
  error_of<MemoryError>([] { zeros({int64_t(1) << 50}, uint8).eval(); });
}

// The cache key is the structure alone.
struct Cache : Graph {
  static uint64_t compiled_by(const std::function<void()>& f) {
    const auto before = counters().compiled;
    f();
    return counters().compiled - before;
  }
};

TEST_F(Cache, TheSameStructureIsCompiledOnce) {
  const auto program = [](float s, int64_t at, const Tensor& w) {
    (w(slice(at, at + 2)) * s + sum(w)).eval();
  };
  const Tensor w = zeros({17});
  const Tensor v = ones({17});
  eval({w, v});
  EXPECT_EQ(compiled_by([&] { program(0.5f, 3, w); }), 1u);
  EXPECT_EQ(compiled_by([&] { program(0.25f, 3, w); }), 0u) << "a scalar changed";
  EXPECT_EQ(compiled_by([&] { program(0.25f, 9, w); }), 0u) << "a slice's offset changed";
  EXPECT_EQ(compiled_by([&] { program(0.25f, 9, v); }), 0u) << "the weights changed";
  EXPECT_EQ(compiled_by([&] { program(0.25f, 9, zeros({18}).eval()); }), 1u + 1u)
      << "a shape changed (and the zeros themselves)";
}

TEST_F(Cache, RandomCountersAreParameters) {
  random_uniform({33}).eval();
  EXPECT_EQ(compiled_by([] { random_uniform({33}).eval(); }), 0u);
}

TEST_F(Cache, AttributesAreStructure) {
  const Tensor x = zeros({4, 6}).eval();
  sum(x, 0).eval();
  EXPECT_EQ(compiled_by([&] { sum(x, 0).eval(); }), 0u);
  EXPECT_EQ(compiled_by([&] { sum(x, 1).eval(); }), 1u);
  EXPECT_EQ(compiled_by([&] { sum(x, 0, true).eval(); }), 1u);
}

TEST_F(Graph, AMillionOpsEvaluateAndAreFreedInBoundedMemory) {
  const Tensor x = zeros({10}).eval();
  const size_t before = memory_stats().used;
  Tensor y = x;
  for (int i = 0; i < 1'000'000; ++i) y = y + x;
  y.eval();
  EXPECT_LT(memory_stats().used, before + (1 << 20));
}

TEST_F(Graph, AMillionOpsDroppedUnevaluated) {
  const Tensor x = zeros({10}).eval();
  Tensor y = x;
  for (int i = 0; i < 60'000; ++i) y = -y;
  y = Tensor();  // recursive destruction would overflow the stack here
  for (int i = 0; i < 1'000'000; ++i) y = y.defined() ? -y : x;
}

TEST_F(Graph, TensThousandInputsToOneExpression) {
  Tensor sum = zeros({3}).eval();
  std::vector<Tensor> xs;
  for (int i = 0; i < 10'000; ++i) xs.push_back(zeros({3}).eval());
  for (const Tensor& x : xs) sum = sum + x;
  sum.eval();
  EXPECT_TRUE(sum.evaluated());
}

TEST_F(Graph, ThreadsMayShareNodes) {
  const Tensor shared = zeros({100}) + 1.0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      with_backend inner("null");
      for (int i = 0; i < 200; ++i) {
        (shared * double(i) + zeros({100})).eval();
        Tensor copy = shared;
        copy = copy + 1.0;
      }
    });
  }
  for (auto& t : threads) t.join();
  EXPECT_TRUE(shared.evaluated());
}

TEST(Backends, UnknownOnesAreErrors) {
  EXPECT_THROW(set_backend("nosuch"), EngineError);
  EXPECT_THROW(set_backend("../../x"), EngineError);
  EXPECT_THROW(set_backend(""), EngineError);
  for (int i = 0; i < 300; ++i) {
    EXPECT_THROW(set_backend("nosuch" + std::to_string(i)), EngineError);
  }
  EXPECT_THROW(set_backend(std::string(1 << 20, 'x')), EngineError);
  EXPECT_THROW(Device("cuda:x"), DeviceError);
  EXPECT_THROW(set_device("cuda"), DeviceError);
  EXPECT_EQ(to_string(Device("cuda:1")), "cuda:1");
}

TEST(Backends, AScopeWinsAndEnds) {
  const std::string before = get_backend();
  {
    with_backend a("null");
    EXPECT_EQ(get_backend(), "null");
    std::thread([&] { EXPECT_EQ(get_backend(), before); }).join();
  }
  EXPECT_EQ(get_backend(), before);
}

TEST(Memory, BlocksThatFitOneByOneMustFitTogether) {
  // None of it is touched, so the system would allocate it all.
  const size_t each = size_t(sysconf(_SC_PHYS_PAGES)) * size_t(sysconf(_SC_PAGE_SIZE)) / 16;
  std::vector<Storage*> held;
  const auto all = [&] {
    for (int i = 0; i < 64; ++i) held.push_back(allocate(each));
  };
  const std::string text = error_of<MemoryError>(all);
  EXPECT_LE(held.size(), 18u);
  EXPECT_NE(text.find("Ember holds"), std::string::npos) << text;
  for (Storage* s : held) drop(s);
  clear_cache();
  held = {allocate(size_t(1) << 27)};  // then an allocation succeeds again
  drop(held[0]);
}

TEST(Rows, EveryGraphOpHasOne) {
  for (size_t k = size_t(OpId::output) + 1; k < size_t(OpId::count); ++k) {
    const Row& r = row(OpId(k));
    EXPECT_TRUE(r.doc && *r.doc) << name(OpId(k));
  }
}

// The order of ops.def has no meaning: an ordered comparison does not compile.
template <class T> constexpr bool has_order = requires(T a) { a<a || a> a || a <= a || a >= a; };
static_assert(has_order<int> && !has_order<OpId>);

TEST(Rows, TraitsFitTheArity) {
  for (size_t k = size_t(OpId::output) + 1; k < size_t(OpId::count); ++k) {
    const Row& r = row(OpId(k));
    const auto has = [&](Traits t) { return bool(r.traits & t); };
    EXPECT_LE(r.arity.least, r.arity.most) << r.name;
    EXPECT_EQ(has(t_elementwise) && has(t_movement), false) << r.name;
    if (has(t_elementwise)) EXPECT_TRUE(r.arity.least >= 1 && r.arity.most <= 3) << r.name;
    if (has(t_commutative)) EXPECT_TRUE(r.arity.least == 2 && r.arity.most == 2) << r.name;
    if (has(t_reduction)) EXPECT_TRUE(r.arity.least == 1 && r.arity.most == 1) << r.name;
    if (has(t_view)) EXPECT_TRUE(has(t_movement)) << r.name;
  }
}

TEST(Rows, CommutativeOpsGiveTheSameBitsEitherWay) {
  const Tensor a = random_normal({64});
  const Tensor b = random_normal({64});
  for (size_t k = size_t(OpId::output) + 1; k < size_t(OpId::count); ++k) {
    const Row& r = row(OpId(k));
    if (!(r.traits & t_commutative)) continue;
    const bool floats = r.kinds & k_float;
    const Tensor x = floats ? a : a > 0.0;
    const Tensor y = floats ? b : b > 0.0;
    EXPECT_TRUE(array_equal(r.call.binary(x, y), r.call.binary(y, x)).item<bool>()) << r.name;
  }
}

TEST(Rows, NamesAndAliases) {
  EXPECT_GE(all_rows().size(), 330u);
  for (const Alias& a : aliases()) {
    EXPECT_NE(find_row(a.target), nullptr) << a.name << " is an alias of nothing: " << a.target;
  }
  EXPECT_EQ(find_row("reduce_mean"), find_row("mean"));
  EXPECT_EQ(find_row("no_such_op"), nullptr);
}

TEST(Rows, DynamicCallsBindKeywordsAndSayWhatIsWrong) {
  with_backend scope("null");
  const Arg x = zeros({2, 3});
  const Arg r = call("sum", {x}, {{"axis", Arg(int64_t(1))}, {"keepdims", Arg(true)}});
  EXPECT_EQ(std::get<Tensor>(r).shape(), (Shape{2, 1}));
  EXPECT_EQ(error_of<DTypeError>([&] { call("sum", {x}, {{"axes", Arg(int64_t(1))}}); }),
            "[sum] has no argument 'axes': (x, axis=None, keepdims=False, dtype=None)");
  EXPECT_EQ(error_of<DTypeError>([&] { call("sum", {}); }), "[sum] argument 'x' is missing");
  EXPECT_EQ(error_of<DTypeError>([&] { call("sum", {Arg(std::string("x"))}); }),
            "[sum] argument 'x' must be a tensor, not a string");
  EXPECT_EQ(error_of<DTypeError>([&] { call("sum", {x}, {{"x", x}}); }),
            "[sum] argument 'x' is given twice");
  EXPECT_EQ(error_of<DTypeError>([&] { call("sign", {x, x}); }),
            "[sign] takes 1 arguments, not 2: (x)");
  error_of<ValueError>([&] { call("no_such_op", {}); });
}

TEST(Rows, DynamicCallsTakeListsAndOptions) {
  with_backend scope("null");
  const Tensor x = zeros({2, 3});
  const auto shape = [](const Arg& r) { return std::get<Tensor>(r).shape(); };
  EXPECT_EQ(shape(call("einsum", {Arg(std::string("ij,ij->i")), x, x})), (Shape{2}));
  EXPECT_EQ(shape(call("einsum", {Arg(std::string("ij,ij->i")), Arg(std::vector<Arg>{x, x})})),
            (Shape{2}));
  const Tensor image = zeros({1, 2, 8, 8});
  const Tensor filter = zeros({4, 2, 3, 3});
  EXPECT_EQ(shape(call("conv2d", {image, filter}, {{"padding", Arg(int64_t(1))}})),
            (Shape{1, 4, 8, 8}));
  EXPECT_EQ(shape(call("zeros", {Arg(int64_t(3))}, {{"dtype", Arg(DType::int8)}})), (Shape{3}));
  EXPECT_EQ(std::get<Tensor>(call("zeros", {Arg(int64_t(3)), Arg()})).dtype(), default_float());
}

}  // namespace
}  // namespace ember
