// Every combination within the limits is computed, and values that the published data omit.
#include <cmath>
#include <cstring>

#include "ember/webnn.h"
#include "tests/engines/each_engine.h"

namespace ember::webnn {
namespace {

MLContext context_of(const std::string& engine) { return createContext({.engine = engine}); }

// Dispatches a graph with inputs of zeros and returns its outputs.
std::vector<std::vector<std::byte>> run(MLGraphBuilder& builder,
                                        const std::vector<MLOperand>& results) {
  const MLContext& context = builder.context();
  MLNamedOperands named;
  for (const MLOperand& r : results) named.push_back({std::to_string(named.size()), r});
  const MLGraph graph = builder.build(named);
  std::vector<std::pair<std::string_view, MLTensor>> inputs;
  std::vector<std::pair<std::string_view, MLTensor>> outputs;
  for (const auto& [name, type] : graph.inputs()) {
    inputs.push_back({name, context.createTensor({type})});
  }
  for (const auto& [name, type] : graph.outputs()) {
    outputs.push_back({name, context.createTensor({type, true})});
  }
  context.dispatch(graph, inputs, outputs);
  std::vector<std::vector<std::byte>> r;
  for (const auto& [name, t] : outputs) r.push_back(context.readTensor(t));
  return r;
}
template <class T> std::vector<T> values(MLGraphBuilder& builder, const MLOperand& result) {
  const auto bytes = run(builder, {result})[0];
  std::vector<T> v(bytes.size() / sizeof(T));
  std::memcpy(v.data(), bytes.data(), bytes.size());
  return v;
}
template <class T>
MLOperand constant(MLGraphBuilder& b, Dimensions shape, const std::vector<T>& v) {
  return b.constant({dtype_of<T>, std::move(shape)}, v.data(), v.size() * sizeof(T));
}

class EachContext : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, EachContext, testing::ValuesIn(test_engines()),
                         [](const auto& p) { return p.param; });

// Arguments of a valid call for any dtype and rank within the limits; nearly every extent is 2.
struct Sample {
  MLGraphBuilder& builder;
  const Operator& op;
  const TensorLimit& varied;  // the operand whose dtype varies
  DType type;
  uint32_t rank;
  int given = 0;

  MLOperand operand(const std::string& name) {
    const TensorLimit& l = *std::find_if(op.limits.begin(), op.limits.end(),
                                         [&](const TensorLimit& o) { return o.name == name; });
    const DType t = l.name == varied.name || l.same_as == varied.name ? type : l.dataTypes[0];
    Dimensions s(std::clamp(rank, l.min_rank, l.max_rank), 2);
    if (const bool gru = op.name.starts_with("gru");
        (gru || op.name.starts_with("lstm")) && name != "input") {
      if (name == "peepholeWeight") {
        s.back() = 6;
      } else if (name.ends_with("eight")) {
        s[s.size() - 2] = gru ? 6 : 8;
      } else if (name.ends_with("ias")) {
        s.back() = gru ? 6 : 8;
      }
      if (!op.name.ends_with("Cell")) s[0] = 1;
    }
    if (op.name.ends_with("ND") && name != "input") {
      s.assign(name == "indices" ? 1 : rank - 1, name == "indices" ? 1 : 2);
    }
    if (op.name == "layerNormalization" && name != "input") s.resize(rank > 1 ? rank - 1 : 0);
    return builder.input(name + std::to_string(given++), {t, s});
  }
  Arg argument(const webnn::Param& p) {
    const auto list = [&](size_t n, int v) { return std::vector<Arg>(n, Arg(MLNumber(v))); };
    switch (p.type) {
      case ParamType::operand: return operand(p.name);
      case ParamType::operands: return std::vector<Arg>{operand(p.name), operand(p.name)};
      case ParamType::u32: return MLNumber(p.name == "axis" ? 0 : 2);
      case ParamType::wrapped_u32: return MLNumber(0);
      case ParamType::u32s: return list(rank, p.name == "newShape" || p.name == "sizes" ? 2 : 0);
      case ParamType::wrapped_u32s: return list(rank, 1);
      case ParamType::splits: return MLNumber(2);
      default: return type;
    }
  }
};

// Every operator, with every dtype, at the lowest and highest rank of its limits, and with all
// optional operands.
TEST_P(EachContext, LimitsAreTrue) {
  const MLContext context = context_of(GetParam());
  size_t calls = 0;
  for (const Operator& op : operators()) {
    for (const TensorLimit& varied : op.limits) {
      for (DType type : varied.dataTypes) {
        for (uint32_t rank : {op.limits[0].min_rank, op.limits[0].max_rank}) {
          if (!varied.same_as.empty() || varied.name.starts_with("output")) continue;
          MLGraphBuilder builder(context);
          Sample s{builder, op, varied, type, rank};
          if (op.name == "gather" && rank > 4) s.rank = 4;  // the result has the ranks of both
          std::vector<Arg> args;
          Options options;
          for (const Param& p : op.params) args.push_back(s.argument(p));
          for (const Param& p : op.options) {
            if (p.type == webnn::ParamType::operand) options[p.name] = s.operand(p.name);
          }
          if (op.name == "batchNormalization") options["axis"] = MLNumber(0);
          try {
            const std::vector<MLOperand> results = builder.call(op, args, options);
            EXPECT_EQ(op.several, op.limits.back().name != "output") << op.name;
            run(builder, results);
            ++calls;
          } catch (const Error& e) {
            ADD_FAILURE() << op.name << " of " << name(type) << " with " << rank
                          << " dimensions: " << e.what();
          }
        }
      }
    }
  }
  EXPECT_GT(calls, 900u);
}

template <class T> void check_division(const MLContext& context) {
  using L = std::numeric_limits<T>;
  const std::vector<T> a{7, T(-7), 7, T(-7), 0, L::max(), L::min(), L::max(), T(L::max() - 1)};
  const std::vector<T> b{2, 2, T(-2), T(-2), 3, 1, 1, 7, L::max()};
  MLGraphBuilder g(context);
  const std::vector<T> got = values<T>(g, g.div(constant(g, {9}, a), constant(g, {9}, b)));
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(got[i], T(a[i] / b[i]))
        << int64_t(a[i]) << " / " << int64_t(b[i]) << " of " << name(dtype_of<T>);
  }
}
TEST_P(EachContext, IntegersAreDividedTowardsZero) {
  const MLContext context = context_of(GetParam());
  check_division<int8_t>(context);
  check_division<uint8_t>(context);
  check_division<int32_t>(context);
  check_division<uint32_t>(context);
  check_division<int64_t>(context);
  check_division<uint64_t>(context);
}

// Integer quotients and powers without a defined result give some number, never an error of the
// engine.
TEST_P(EachContext, IntegersWithoutAResultAreNoError) {
  MLGraphBuilder g(context_of(GetParam()));
  const MLOperand a = g.input("a", {DType::int32, {2}});
  const MLOperand b = g.input("b", {DType::int32, {2}});
  const MLOperand c = g.input("c", {DType::uint8, {2}});
  const MLOperand minus = g.sub(b, g.constant(DType::int32, 1));
  EXPECT_EQ(run(g, {g.div(a, b), g.pow(g.add(a, g.constant(DType::int32, 3)), minus), g.div(c, c)})
                .size(),
            3u);
}

// Windows at both ends contain only padding; some strides skip the input's first elements.
TEST_P(EachContext, PoolingOverMuchPadding) {
  const MLContext context = context_of(GetParam());
  const int n = 5;
  std::vector<float> x(n * n);
  for (int i = 0; i < n * n; ++i) x[i] = float(i % 7) - 4.5f;
  for (const auto& [low, high, window, stride, ceil] :
       std::vector<std::array<int, 5>>{{3, 3, 2, 1, 0},
                                       {4, 0, 2, 3, 0},
                                       {0, 6, 3, 2, 1},
                                       {7, 7, 1, 4, 0},
                                       {1, 1, 3, 3, 1},
                                       {2, 6, 2, 11, 0}}) {
    const uint32_t l = uint32_t(low);
    const uint32_t h = uint32_t(high);
    const uint32_t w = uint32_t(window);
    const uint32_t t = uint32_t(stride);
    const MLPool2dOptions o{.windowDimensions = {{w, w}},
                            .padding = {{l, h, l, h}},
                            .strides = {{t, t}},
                            .outputShapeRounding = ceil ? "ceil" : "floor"};
    MLGraphBuilder g(context);
    const MLOperand in = constant(g, {1, 1, uint32_t(n), uint32_t(n)}, x);
    const std::vector<MLOperand> results{g.maxPool2d(in, o), g.averagePool2d(in, o),
                                         g.l2Pool2d(in, o)};
    const int out = int(results[0].shape()[2]);
    EXPECT_EQ(out, (n + low + high - window + (ceil ? stride - 1 : 0)) / stride + 1);
    const auto got = run(g, results);
    for (int i = 0; i < out * out; ++i) {
      double most = -HUGE_VAL;
      double sum = 0;
      double squares = 0;
      int seen = 0;
      for (int r = 0; r < window; ++r) {
        for (int k = 0; k < window; ++k) {
          const int y = i / out * stride + r - low;
          const int z = i % out * stride + k - low;
          if (y < 0 || z < 0 || y >= n || z >= n) continue;
          const double v = x[size_t(y * n + z)];
          most = std::max(most, v);
          sum += v;
          squares += v * v;
          ++seen;
        }
      }
      const double wanted[] = {seen ? most : 0, seen ? sum / seen : 0, std::sqrt(squares)};
      for (int op = 0; op < 3; ++op) {
        float v;
        std::memcpy(&v, got[size_t(op)].data() + i * int(sizeof v), sizeof v);
        EXPECT_NEAR(v, wanted[op], 1e-5) << "operator " << op << ", window " << i << " of " << out
                                         << " x " << out << ", padding " << low << " and " << high;
      }
    }
  }
}

TEST_P(EachContext, NumbersAreHeldWithinTheDtype) {
  MLGraphBuilder g(context_of(GetParam()));
  const std::vector<int8_t> x{-100, 0, 100};
  EXPECT_EQ(values<int8_t>(g, g.clamp(constant(g, {3}, x), {.minValue = -1e300, .maxValue = 99.9})),
            (std::vector<int8_t>{-100, 0, 99}));
  MLGraphBuilder h(g.context());
  EXPECT_EQ(values<uint8_t>(h, h.pad(constant<uint8_t>(h, {1}, {7}), {1}, {1}, {.value = 1000})),
            (std::vector<uint8_t>{255, 7, 255}));
  MLGraphBuilder k(g.context());
  EXPECT_EQ(values<int64_t>(k, k.clamp(constant<int64_t>(k, {1}, {INT64_MAX}),
                                       {.maxValue = int64_t(9007199254740993)})),
            (std::vector<int64_t>{9007199254740993}));
}

// Two per byte, the first in the low half.
TEST_P(EachContext, FourBitIntegersAreMovedAndCast) {
  MLGraphBuilder g(context_of(GetParam()));
  const uint8_t packed[] = {0x8F, 0x07};  // -1, -8, 7
  const MLOperand x = g.constant({DType::int4, {3}}, packed, 2);
  EXPECT_EQ(values<uint8_t>(g, g.pad(g.reverse(x), {1}, {0}, {.value = -3})),
            (std::vector<uint8_t>{0x7D, 0xF8}));
  MLGraphBuilder h(g.context());
  EXPECT_EQ(values<int8_t>(h, h.cast(h.constant({DType::int4, {3}}, packed, 2), DType::int8)),
            (std::vector<int8_t>{-1, -8, 7}));
}

// Three groups for two channels: the third has no channels and gives the bias.
TEST_P(EachContext, GroupsWithoutChannelsAreZeros) {
  MLGraphBuilder g(context_of(GetParam()));
  const MLOperand x = constant<float>(g, {1, 2, 1, 1}, {3, 5});
  const MLOperand filter = constant<float>(g, {2, 1, 1, 1}, {10, 100});
  EXPECT_EQ(
      values<float>(g, g.convTranspose2d(
                           x, filter, {.groups = 3, .bias = constant<float>(g, {3}, {1, 2, 4})})),
      (std::vector<float>{31, 502, 4}));
}

TEST_P(EachContext, LinearResamplingOfIntegersRounds) {
  MLGraphBuilder g(context_of(GetParam()));
  const MLOperand x = constant<uint8_t>(g, {1, 1, 1, 2}, {0, 101});
  EXPECT_EQ(values<uint8_t>(g, g.resample2d(x, {.mode = "linear", .sizes = {{1, 4}}})),
            (std::vector<uint8_t>{0, 25, 76, 101}));
}

}  // namespace
}  // namespace ember::webnn
