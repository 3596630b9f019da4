// Arguments that each operator rejects or accepts, beyond the checks of rows.
#include <functional>

#include "src/webnn/state.h"
#include "tests/engines/each_engine.h"
#include "tests/error_of.h"

namespace ember::webnn {
namespace {

constexpr uint32_t huge = 4294967295;
constexpr DType f32 = DType::float32, f16 = DType::float16, i32 = DType::int32, i64 = DType::int64,
                i8 = DType::int8, u8 = DType::uint8, u32 = DType::uint32, u64 = DType::uint64,
                i4 = DType::int4;

struct Graph : MLGraphBuilder {
  Graph() : MLGraphBuilder(createContext()) {}
  MLOperand of(DType t, Dimensions shape) {
    return input("x" + std::to_string(n_++), {t, std::move(shape)});
  }
  MLOperand of(Dimensions shape) { return of(f32, std::move(shape)); }

 private:
  int n_ = 0;
};

struct Refused {
  const char* op;
  const char* why;  // in the message
  std::function<void(Graph&, const Label& l)> call;
};
#define REFUSED(op, why, ...)               \
  {#op, why, [](Graph& g, const Label& l) { \
     (void)l;                               \
     g.op(__VA_ARGS__);                     \
   }}

const Refused refused[] = {
    // elementwise
    REFUSED(add, "are not compatible", g.of({2, 3}), g.of({2, 4}), {l}),
    REFUSED(add, "must have the dtype of 'a'", g.of({2}), g.of(i32, {2}), {l}),
    REFUSED(mul, "bytes", g.of({536870911, 1}), g.of({1, 5}), {l}),
    REFUSED(equal, "are not compatible", g.of({3}), g.of({2}), {l}),
    REFUSED(logicalAnd, "must be one of uint8", g.of({2}), g.of({2}), {l}),
    REFUSED(logicalNot, "must be one of uint8", g.of(i32, {2}), {l}),
    REFUSED(isNaN, "must be one of float32, float16", g.of(i32, {2}), {l}),
    REFUSED(neg, "must be one of", g.of(u32, {2}), {l}),
    REFUSED(sqrt, "must be one of float32, float16", g.of(i32, {2}), {l}),
    REFUSED(relu, "must be one of", g.of(u8, {2}), {l}),
    REFUSED(prelu, "are not compatible", g.of({3, 2, 5}), g.of({2}), {l}),
    REFUSED(prelu, "dtype of 'input'", g.of({3}), g.of(f16, {3}), {l}),
    REFUSED(elu, "'alpha' must be a finite number", g.of({2}), {l, NAN}),
    REFUSED(linear, "'beta' must be a finite number", g.of({2}), {l, 1, HUGE_VAL}),
    REFUSED(clamp, "minValue is greater than maxValue", g.of({2}), {l, 3, 1}),
    REFUSED(clamp, "minValue is greater than maxValue", g.of(i64, {2}),
            {l, int64_t(9007199254740993), int64_t(9007199254740992)}),
    REFUSED(clamp, "minValue is greater than maxValue", g.of(u64, {2}),
            {l, uint64_t(18446744073709551615u), 5.5}),
    REFUSED(cast, "bytes", g.of(u8, {1073741824}), i32, {l}),
    REFUSED(where, "must be one of uint8", g.of({2}), g.of({2}), g.of({2}), {l}),
    REFUSED(where, "dtype of 'trueValue'", g.of(u8, {2}), g.of({2}), g.of(f16, {2}), {l}),
    REFUSED(where, "are not compatible", g.of(u8, {2}), g.of({3}), g.of({1}), {l}),
    // movement
    REFUSED(concat, "1 to 8192 inputs", {}, 0, {l}),
    REFUSED(concat, "out of range", {g.of({2})}, 1, {l}),
    REFUSED(concat, "one dtype", {g.of({2}), g.of(i32, {2})}, 0, {l}),
    REFUSED(concat, "along axis 0 only", {g.of({2, 3}), g.of({2, 4})}, 0, {l}),
    REFUSED(concat, "along axis 0 only", {g.of({2, 3}), g.of({2})}, 0, {l}),
    REFUSED(concat, "must have 1 to 8 dimensions", {g.of(Dimensions{}), g.of(Dimensions{})}, 0,
            {l}),
    REFUSED(concat, "bytes", {g.of({536870911}), g.of({536870911})}, 0, {l}),
    REFUSED(concat, "dimension of 4294879880", {g.of(i4, {2147439940}), g.of(i4, {2147439940})}, 0,
            {l}),
    REFUSED(expand, "does not broadcast", g.of({3, 2}), {3, 4}, {l}),
    REFUSED(expand, "does not broadcast", g.of({3, 1}), {3}, {l}),
    REFUSED(expand, "dimension of 0", g.of({1}), {0}, {l}),
    REFUSED(expand, "dimensions", g.of({1}), Dimensions(9, 1), {l}),
    REFUSED(expand, "dimension of 4294967295", g.of({1}), {huge}, {l}),
    REFUSED(reshape, "different numbers", g.of({2, 3}), {4}, {l}),
    REFUSED(reshape, "dimension of 0", g.of({2, 3}), {0, 6}, {l}),
    REFUSED(reshape, "dimensions", g.of({2, 3}), {6, 1, 1, 1, 1, 1, 1, 1, 1}, {l}),
    REFUSED(pad, "'beginningPadding' must have 2 elements", g.of({2, 3}), {1}, {1, 1}, {l}),
    REFUSED(pad, "'endingPadding' must have 2 elements", g.of({2, 3}), {1, 1}, {1}, {l}),
    REFUSED(pad, "reflection", g.of({2, 3}), {2, 0}, {0, 0}, {l, "reflection"}),
    REFUSED(pad, "reflection", g.of({2, 3}), {0, 0}, {0, 3}, {l, "reflection"}),
    REFUSED(pad, "dimension of", g.of({2, 3}), {huge, 0}, {huge, 0}, {l}),
    REFUSED(pad, "must be one of", g.of({2, 3}), {0, 0}, {0, 0}, {l, "symmetric"}),
    REFUSED(reverse, "out of range", g.of({2, 3}), {l, {{2}}}),
    REFUSED(reverse, "has 1 twice", g.of({2, 3}), {l, {{1, 1}}}),
    REFUSED(slice, "'starts' must have 3 elements", g.of({3, 4, 5}), {1, 1}, {1, 1, 1}, {l}),
    REFUSED(slice, "'sizes' must have 3 elements", g.of({3, 4, 5}), {1, 1, 1}, {1, 1}, {l}),
    REFUSED(slice, "size is 0", g.of({3, 4, 5}), {1, 1, 1}, {1, 0, 1}, {l}),
    REFUSED(slice, "more than axis 1 of 4", g.of({3, 4, 5}), {0, 4, 0}, {1, 1, 1}, {l}),
    REFUSED(slice, "more than axis 0 of 3", g.of({3, 4, 5}), {huge, 1, 0}, {huge, 1, 1}, {l}),
    REFUSED(slice, "'strides' must have 3 elements", g.of({3, 4, 5}), {0, 0, 0}, {1, 1, 1},
            {l, {{1}}}),
    REFUSED(slice, "stride 0", g.of({3}), {0}, {1}, {l, {{0}}}),
    REFUSED(slice, "stride 2 for 1 elements", g.of({3}), {0}, {1}, {l, {{2}}}),
    REFUSED(split, "out of range", g.of({2, 6}), 2, {l, 2}),
    REFUSED(split, "1 to 8192 parts", g.of({2, 6}), 0, {l}),
    REFUSED(split, "1 to 8192 parts", g.of({8193}), 8193, {l}),
    REFUSED(split, "no 5 equal parts", g.of({2, 6}), 5, {l, 1}),
    REFUSED(split, "part of 0", g.of({2, 6}), Dimensions{0, 2}, {l}),
    REFUSED(split, "the parts have 5 elements", g.of({2, 6}), Dimensions{2, 3}, {l, 1}),
    REFUSED(split, "1 to 8 dimensions", g.of(Dimensions{}), 1, {l}),
    REFUSED(tile, "'repetitions' must have 2 elements", g.of({2, 3}), {2}, {l}),
    REFUSED(tile, "dimension of 0", g.of({2, 3}), {0, 1}, {l}),
    REFUSED(tile, "dimension of", g.of({2, 3}), {huge, 1}, {l}),
    REFUSED(transpose, "'permutation' must have 2 elements", g.of({2, 3}), {l, {{0}}}),
    REFUSED(transpose, "has 0 twice", g.of({2, 3}), {l, {{0, 0}}}),
    REFUSED(transpose, "out of range", g.of({2, 3}), {l, {{0, 2}}}),
    REFUSED(triangular, "must have 2 to 8 dimensions", g.of({2}), {l}),
    // indexing
    REFUSED(gather, "out of range", g.of({2, 3}), g.of(i32, {1}), {l, 2}),
    REFUSED(gather, "must be one of int32, uint32, int64", g.of({2}), g.of(u64, {1}), {l}),
    REFUSED(gather, "1 to 8 dimensions", g.of(Dimensions{}), g.of(i32, {1}), {l}),
    REFUSED(gather, "dimensions", g.of(Dimensions(5, 2)), g.of(i32, Dimensions(5, 2)), {l}),
    REFUSED(gather, "bytes", g.of({1, 536870911}), g.of(i32, {1024}), {l}),
    REFUSED(gatherElements, "one rank", g.of({2, 3}), g.of(i32, {2}), {l}),
    REFUSED(gatherElements, "'indices' must have shape [1, 3]", g.of({2, 3}), g.of(i32, {1, 4}),
            {l}),
    REFUSED(gatherElements, "out of range", g.of({2, 3}), g.of(i32, {2, 3}), {l, 2}),
    REFUSED(gatherND, "3 coordinates", g.of({2, 3}), g.of(i32, {1, 3}), {l}),
    REFUSED(gatherND, "1 to 8 dimensions", g.of({2, 3}), g.of(i32, {}), {l}),
    REFUSED(scatterElements, "dtype of 'input'", g.of({2, 3}), g.of(i32, {2, 3}), g.of(i32, {2, 3}),
            {l}),
    REFUSED(scatterElements, "'updates' must have shape [2, 3]", g.of({2, 3}), g.of(i32, {2, 3}),
            g.of({2, 2}), {l}),
    REFUSED(scatterElements, "'indices' must have shape [2, 3]", g.of({2, 3}), g.of(i32, {2, 2}),
            g.of({2, 2}), {l}),
    REFUSED(scatterND, "3 coordinates", g.of({2, 3}), g.of(i32, {1, 3}), g.of({1}), {l}),
    REFUSED(scatterND, "'updates' must have shape [4, 3]", g.of({2, 3}), g.of(i32, {4, 1}),
            g.of({4, 2}), {l}),
    // reductions
    REFUSED(reduceSum, "out of range", g.of({2, 3}), {l, {{2}}}),
    REFUSED(reduceMax, "has 0 twice", g.of({2, 3}), {l, {{0, 0}}}),
    REFUSED(reduceMean, "must be one of float32, float16", g.of(i32, {2, 3}), {l}),
    REFUSED(reduceSum, "must be one of", g.of(i8, {2, 3}), {l}),
    REFUSED(argMax, "out of range", g.of({2, 3}), 2, {l}),
    REFUSED(argMin, "int32 or int64", g.of({2, 3}), 0, {l, false, f32}),
    REFUSED(cumulativeSum, "out of range", g.of({2, 3}), 2, {l}),
    REFUSED(cumulativeSum, "must be one of", g.of(i8, {2}), 0, {l}),
    REFUSED(softmax, "out of range", g.of({2, 3}), 2, {l}),
    REFUSED(softmax, "must be one of", g.of(i32, {2, 3}), 1, {l}),
    // windows
    REFUSED(conv2d, "'padding' must have 4 elements", g.of({1, 1, 5, 5}), g.of({1, 1, 2, 2}),
            {l, {{1, 1}}}),
    REFUSED(conv2d, "'strides' must have 2 elements", g.of({1, 1, 5, 5}), g.of({1, 1, 2, 2}),
            {l, {}, {{1}}}),
    REFUSED(conv2d, "'strides' must be at least 1", g.of({1, 1, 5, 5}), g.of({1, 1, 2, 2}),
            {l, {}, {{0, 1}}}),
    REFUSED(conv2d, "'dilations' must be at least 1", g.of({1, 1, 5, 5}), g.of({1, 1, 2, 2}),
            {l, {}, {}, {{1, 0}}}),
    REFUSED(conv2d, "'groups' must be at least 1", g.of({1, 4, 5, 5}), g.of({1, 1, 2, 2}),
            {.label = l, .groups = 0}),
    REFUSED(conv2d, "4 in 3 groups", g.of({1, 4, 5, 5}), g.of({1, 1, 2, 2}),
            {.label = l, .groups = 3}),
    REFUSED(conv2d, "4 in 2 groups", g.of({1, 4, 5, 5}), g.of({2, 1, 2, 2}),
            {.label = l, .groups = 2}),
    REFUSED(conv2d, "3 output channels", g.of({1, 4, 5, 5}), g.of({3, 2, 2, 2}),
            {.label = l, .groups = 2}),
    REFUSED(conv2d, "'bias' must have shape [1]", g.of({1, 1, 5, 5}), g.of({1, 1, 2, 2}),
            {.label = l, .bias = g.of({2})}),
    REFUSED(conv2d, "'bias' is float32[1, 1], must have 1 dimensions", g.of({1, 1, 5, 5}),
            g.of({1, 1, 2, 2}), {.label = l, .bias = g.of({1, 1})}),
    REFUSED(conv2d, "longer than the padded input, 5", g.of({1, 1, 5, 5}), g.of({1, 1, 3, 1}),
            {l, {}, {}, {{3, 1}}}),
    REFUSED(conv2d, "longer than the padded input", g.of({1, 1, 5, 5}), g.of({1, 1, 434983, 2}),
            {l, {}, {}, {{328442, 1}}}),
    REFUSED(conv2d, "longer than the padded input", g.of({1, 1, 5, 5}), g.of({1, 1, 3, 3}),
            {l, {}, {}, {{huge, 1}}}),
    REFUSED(conv2d, "stride or dilation", g.of({1, 1, 5, 5}), g.of({1, 1, 1, 1}),
            {l, {}, {{1, huge}}}),
    REFUSED(conv2d, "stride or dilation", g.of({1, 1, 5, 5}), g.of({1, 1, 1, 1}),
            {l, {}, {}, {{huge, 1}}}),
    REFUSED(conv2d, "bytes", g.of({5354, 5, 1, 33}), g.of({1, 6, 1, 33}),
            {.label = l,
             .padding = {{0, 32767, 32766, 5}},
             .strides = {{5390, 21245}},
             .dilations = {{4963, 1}},
             .inputLayout = "nhwc",
             .filterLayout = "ohwi"}),
    REFUSED(convTranspose2d, "4 input channels, but the input has 1", g.of({1, 1, 3, 3}),
            g.of({4, 1, 2, 2}), {l}),
    REFUSED(convTranspose2d, "dimension of 8589934590", g.of({1, 4, 5, 5}), g.of({4, 2, 2, 2}),
            {.label = l, .groups = huge}),
    REFUSED(convTranspose2d, "'outputPadding' must be less than the stride 2, not 2",
            g.of({1, 1, 2, 2}), g.of({1, 1, 3, 3}),
            {.label = l, .strides = {{2, 2}}, .outputPadding = {{0, 2}}}),
    REFUSED(convTranspose2d, "'outputSizes' must be 5 to 6, not 4", g.of({1, 1, 3, 3}),
            g.of({1, 1, 3, 3}),
            {.label = l, .padding = {{1, 1, 1, 1}}, .strides = {{2, 2}}, .outputSizes = {{4, 5}}}),
    REFUSED(convTranspose2d, "'outputSizes' must have 2 elements", g.of({1, 1, 3, 3}),
            g.of({1, 1, 3, 3}), {.label = l, .outputSizes = {{1, 2, 5, 5}}}),
    REFUSED(convTranspose2d, "dimension of", g.of({1, 1, 2, 2}), g.of({1, 1, 3, 3}),
            {.label = l, .padding = {{4, 4, 0, 0}}}),
    REFUSED(convTranspose2d, "'bias' must have shape [4]", g.of({1, 2, 3, 3}), g.of({2, 2, 3, 3}),
            {.label = l, .groups = 2, .bias = g.of({2})}),
    REFUSED(convTranspose2d, "longer than the output", g.of({1, 1, 1, 1}), g.of({1, 1, 1, 1}),
            {.label = l, .strides = {{huge, 1}}}),
    REFUSED(averagePool2d, "must be one of float32, float16", g.of(i64, {1, 2, 3, 3}), {l}),
    REFUSED(averagePool2d, "must have 4 dimensions", g.of({1, 5, 5}), {l}),
    REFUSED(maxPool2d, "'windowDimensions' must have 2 elements", g.of({1, 2, 5, 5}),
            {l, {{1, 1, 1, 1}}}),
    REFUSED(maxPool2d, "'windowDimensions' must be at least 1", g.of({1, 2, 5, 5}), {l, {{0, 2}}}),
    REFUSED(maxPool2d, "longer than the padded input", g.of({1, 2, 5, 5}), {l, {{6, 3}}}),
    REFUSED(maxPool2d, "bytes", g.of(f16, {1, 1, 1, 1}),
            {.label = l,
             .windowDimensions = {{1000092567, 1152814792}},
             .padding = {{500046283, 500046283, 576407395, 576407396}},
             .layout = "nhwc"}),
    REFUSED(maxPool2d, "longer than the padded input", g.of({1, 2, 5, 5}),
            {.label = l, .windowDimensions = {{huge, 1}}, .dilations = {{huge, 1}}}),
    REFUSED(maxPool2d, "dimension of", g.of({1, 3, 5, 5}),
            {.label = l, .padding = {{huge, huge, 0, 0}}}),
    REFUSED(l2Pool2d, "'outputSizes' must be [4, 4] or [5, 5], not [3, 3]", g.of({1, 2, 5, 5}),
            {.label = l,
             .windowDimensions = {{2, 2}},
             .padding = {{2, 2, 2, 2}},
             .strides = {{2, 2}},
             .outputSizes = {{3, 3}}}),
    REFUSED(l2Pool2d, "'outputSizes' must be [3, 3] or [4, 4], not [3, 4]", g.of({1, 3, 7, 7}),
            {.label = l,
             .windowDimensions = {{4, 4}},
             .padding = {{1, 1, 1, 1}},
             .strides = {{2, 2}},
             .outputSizes = {{3, 4}}}),
    REFUSED(resample2d, "'scales' must have 2 elements", g.of({1, 1, 2, 4}),
            {.label = l, .scales = {{1, 1, 2}}}),
    REFUSED(resample2d, "'scales' must be greater than 0", g.of({1, 1, 2, 4}),
            {.label = l, .scales = {{1, -2}}}),
    REFUSED(resample2d, "'sizes' must have 2 elements", g.of({1, 1, 2, 4}),
            {.label = l, .sizes = {{1, 1, 4}}}),
    REFUSED(resample2d, "'sizes' must be at least 1", g.of({1, 1, 2, 4}),
            {.label = l, .sizes = {{0, 1}}}),
    REFUSED(resample2d, "dimension of 0", g.of({1, 1, 2, 4}),
            {.label = l, .scales = {{0.02f, 0.8f}}}),
    REFUSED(resample2d, "dimension of", g.of({1, 1, 2, 4}), {.label = l, .scales = {{1e30f, 1}}}),
    REFUSED(resample2d, "'axes' must have 2 elements", g.of({1, 1, 2, 4}),
            {.label = l, .axes = {{0, 1, 2}}}),
    REFUSED(resample2d, "has 0 twice", g.of({1, 1, 2, 4}), {.label = l, .axes = {{0, 0}}}),
    REFUSED(resample2d, "out of range", g.of({1, 1, 2, 4}), {.label = l, .axes = {{3, 4}}}),
    // normalizations
    REFUSED(batchNormalization, "out of range", g.of({2, 3}), g.of({3}), g.of({3}),
            {.label = l, .axis = 2}),
    REFUSED(batchNormalization, "'mean' must have shape [3]", g.of({2, 3}), g.of({2}), g.of({3}),
            {l}),
    REFUSED(batchNormalization, "'variance' must have shape [2]", g.of({2, 3}), g.of({2}),
            g.of({3}), {.label = l, .axis = 0}),
    REFUSED(batchNormalization, "'scale' must have shape [3]", g.of({2, 3}), g.of({3}), g.of({3}),
            {l, g.of({2})}),
    REFUSED(batchNormalization, "1 to 8 dimensions", g.of(Dimensions{}), g.of({1}), g.of({1}),
            {.label = l, .axis = 0}),
    REFUSED(instanceNormalization, "'bias' must have shape [4]", g.of({1, 2, 3, 4}),
            {.label = l, .bias = g.of({2}), .layout = "nhwc"}),
    REFUSED(instanceNormalization, "'epsilon' must be a finite number", g.of({1, 2, 3, 4}),
            {.label = l, .epsilon = NAN}),
    REFUSED(layerNormalization, "out of range", g.of({1, 2, 3}), {.label = l, .axes = {{3}}}),
    REFUSED(layerNormalization, "has 1 twice", g.of({1, 2, 3}), {.label = l, .axes = {{1, 1}}}),
    REFUSED(layerNormalization, "'scale' must have shape [3, 2], not [2, 3]", g.of({1, 2, 3}),
            {.label = l, .scale = g.of({2, 3}), .axes = {{2, 1}}}),
    REFUSED(layerNormalization, "'bias' must have shape [2, 3]", g.of({1, 2, 3}),
            {.label = l, .bias = g.of({3})}),
    // products
    REFUSED(matmul, "must have 2 to 8 dimensions", g.of({2}), g.of({2, 2}), {l}),
    REFUSED(matmul, "inner dimensions differ: 3 and 4", g.of({2, 3}), g.of({4, 2}), {l}),
    REFUSED(matmul, "are not compatible", g.of({3, 3, 4}), g.of({2, 4, 1}), {l}),
    REFUSED(matmul, "bytes", g.of({536870911, 1}), g.of({1, 5}), {l}),
    REFUSED(gemm, "inner dimensions differ", g.of({2, 3}), g.of({2, 4}), {l}),
    REFUSED(gemm, "inner dimensions differ", g.of({2, 3}), g.of({3, 4}),
            {.label = l, .aTranspose = true}),
    REFUSED(gemm, "'c' of shape [3] does not broadcast to [2, 4]", g.of({2, 3}), g.of({3, 4}),
            {l, g.of({3})}),
    REFUSED(gemm, "'c' is float32[1, 2, 4], must have 0 to 2 dimensions", g.of({2, 3}),
            g.of({3, 4}), {l, g.of({1, 2, 4})}),
    REFUSED(quantizeLinear, "into blocks", g.of({3, 2, 5}), g.of({2, 1, 5}), g.of(i8, {2, 1, 5}),
            {l}),
    REFUSED(quantizeLinear, "into blocks", g.of({3, 2, 5}), g.of({5}), g.of(i8, {5}), {l}),
    REFUSED(quantizeLinear, "'zeroPoint' must have shape [1, 1, 5]", g.of({3, 2, 5}),
            g.of({1, 1, 5}), g.of(i8, {1, 1, 1}), {l}),
    REFUSED(quantizeLinear, "dtype of 'input'", g.of({3}), g.of(f16, {3}), g.of(i8, {3}), {l}),
    REFUSED(dequantizeLinear, "dtype of 'input'", g.of(i8, {3}), g.of({3}), g.of(u8, {3}), {l}),
    REFUSED(dequantizeLinear, "bytes", g.of(i8, {1073741824}), g.of({1}), g.of(i8, {1}), {l}),
    // recurrent networks
    REFUSED(gru, "'steps' is 3, the input has 2", g.of({2, 3, 4}), g.of({1, 15, 4}),
            g.of({1, 15, 5}), 3, 5, {l}),
    REFUSED(gru, "'steps' is 0", g.of({2, 3, 4}), g.of({1, 15, 4}), g.of({1, 15, 5}), 0, 5, {l}),
    REFUSED(gru, "dimension of 0", g.of({2, 3, 4}), g.of({1, 15, 4}), g.of({1, 15, 5}), 2, 0, {l}),
    REFUSED(gru, "dimension of", g.of({2, 3, 4}), g.of({1, 15, 4}), g.of({1, 15, 5}), 2, huge, {l}),
    REFUSED(gru, "'weight' must have shape [1, 15, 4]", g.of({2, 3, 4}), g.of({1, 20, 4}),
            g.of({1, 15, 5}), 2, 5, {l}),
    REFUSED(gru, "'weight' must have shape [2, 15, 4]", g.of({2, 3, 4}), g.of({1, 15, 4}),
            g.of({1, 15, 5}), 2, 5, {.label = l, .direction = "both"}),
    REFUSED(gru, "'recurrentWeight' must have shape [1, 15, 5]", g.of({2, 3, 4}), g.of({1, 15, 4}),
            g.of({1, 15, 4}), 2, 5, {l}),
    REFUSED(gru, "'bias' must have shape [1, 15]", g.of({2, 3, 4}), g.of({1, 15, 4}),
            g.of({1, 15, 5}), 2, 5, {l, g.of({1, 5})}),
    REFUSED(gru, "'initialHiddenState' must have shape [1, 3, 5]", g.of({2, 3, 4}),
            g.of({1, 15, 4}), g.of({1, 15, 5}), 2, 5,
            {.label = l, .initialHiddenState = g.of({1, 3, 4})}),
    REFUSED(gru, "'activations' must have 2 elements", g.of({2, 3, 4}), g.of({1, 15, 4}),
            g.of({1, 15, 5}), 2, 5, {.label = l, .activations = {{"tanh"}}}),
    REFUSED(gru, "'activations' must be one of relu, sigmoid, tanh", g.of({2, 3, 4}),
            g.of({1, 15, 4}), g.of({1, 15, 5}), 2, 5,
            {.label = l, .activations = {{"tanh", "elu"}}}),
    REFUSED(gru, "bytes", g.of(f16, {21474837, 1, 4}), g.of(f16, {1, 300, 4}),
            g.of(f16, {1, 300, 100}), 21474837, 100, {l}),
    REFUSED(gruCell, "'hiddenState' must have shape [3, 5]", g.of({3, 4}), g.of({15, 4}),
            g.of({15, 5}), g.of({3, 4}), 5, {l}),
    REFUSED(gruCell, "'recurrentBias' must have shape [15]", g.of({3, 4}), g.of({15, 4}),
            g.of({15, 5}), g.of({3, 5}), 5, {.label = l, .recurrentBias = g.of({5})}),
    REFUSED(lstm, "'peepholeWeight' must have shape [1, 15]", g.of({2, 3, 4}), g.of({1, 20, 4}),
            g.of({1, 20, 5}), 2, 5, {.label = l, .peepholeWeight = g.of({1, 20})}),
    REFUSED(lstm, "'initialCellState' must have shape [1, 3, 5]", g.of({2, 3, 4}), g.of({1, 20, 4}),
            g.of({1, 20, 5}), 2, 5, {.label = l, .initialCellState = g.of({1, 3, 4})}),
    REFUSED(lstm, "'activations' must have 3 elements", g.of({2, 3, 4}), g.of({1, 20, 4}),
            g.of({1, 20, 5}), 2, 5, {.label = l, .activations = {{"tanh", "tanh"}}}),
    REFUSED(lstmCell, "'cellState' must have shape [3, 5]", g.of({3, 4}), g.of({20, 4}),
            g.of({20, 5}), g.of({3, 5}), g.of({1, 5}), 5, {l}),
    REFUSED(lstmCell, "'weight' must have shape [20, 4]", g.of({3, 4}), g.of({15, 4}),
            g.of({20, 5}), g.of({3, 5}), g.of({3, 5}), 5, {l}),
};

TEST(WebnnValidation, RefusesWithLabelOperatorAndReason) {
  for (const Refused& r : refused) {
    Graph g;
    const std::string said = error_of<Error>([&] { r.call(g, "my label"); });
    EXPECT_EQ(said.find("[my label] [" + std::string(r.op) + "] "), 0u) << r.op << ": " << said;
    EXPECT_NE(said.find(r.why), said.npos) << r.op << ": " << said << "\n  has not: " << r.why;
    EXPECT_TRUE(g.state().operations.empty()) << r.op << " was recorded";
  }
}

struct Accepted {
  const char* what;
  std::function<std::vector<MLOperand>(Graph&)> call;
  std::vector<MLOperandDescriptor> results;
};
#define ONE(op, type, shape, ...)                                   \
  {                                                                 \
    #op, [](Graph& g) { return std::vector{g.op(__VA_ARGS__)}; }, { \
      { type, Dimensions shape }                                    \
    }                                                               \
  }
#define SHAPE(...) {__VA_ARGS__}

const Accepted accepted[] = {
    ONE(add, f32, SHAPE(4, 2, 3), g.of({4, 1, 3}), g.of({2, 1})),
    ONE(pow, u8, SHAPE(2), g.of(u8, {2}), g.of(u8, {})),
    ONE(greater, u8, SHAPE(3), g.of(i64, {1}), g.of(i64, {3})),
    ONE(identity, i4, SHAPE(3), g.of(i4, {3})),
    ONE(cast, i4, SHAPE(), g.of(Dimensions{}), i4),
    ONE(clamp, f32, SHAPE(2), g.of({2}), {.minValue = 0, .maxValue = 0}),
    ONE(clamp, f32, SHAPE(2), g.of({2}), {.minValue = NAN, .maxValue = -HUGE_VAL}),
    ONE(clamp, u8, SHAPE(2), g.of(u8, {2}), {.minValue = 300, .maxValue = 400.0}),
    ONE(concat, f32, SHAPE(2), {g.of({2})}, 0),
    ONE(concat, f32, SHAPE(2, 7), {g.of({2, 3}), g.of({2, 4})}, 1),
    ONE(expand, f32, SHAPE(3, 2), g.of(Dimensions{}), {3, 2}),
    ONE(reshape, f32, SHAPE(), g.of({1, 1}), {}),
    ONE(pad, f32, SHAPE(4, 6), g.of({2, 3}), {1, 2}, {1, 1}, {.mode = "reflection"}),
    ONE(pad, f32, SHAPE(), g.of(Dimensions{}), {}, {}),
    ONE(slice, f32, SHAPE(), g.of(Dimensions{}), {}, {}),
    ONE(slice, f32, SHAPE(1, 2, 3), g.of({3, 4, 5}), {0, 1, 0}, {1, 3, 5}, {.strides = {{1, 2, 2}}}),
    ONE(tile, u32, SHAPE(2, 4), g.of(u32, {2, 2}), {1, 2}),
    ONE(transpose, f32, SHAPE(3, 2), g.of({2, 3})),
    ONE(triangular, f32, SHAPE(2, 3), g.of({2, 3}), {.diagonal = -2147483647}),
    {"split", [](Graph& g) { return g.split(g.of({2, 6}), Dimensions{1, 2, 3}, {.axis = 1}); }, {{f32, {2, 1}}, {f32, {2, 2}}, {f32, {2, 3}}}},
    {"split", [](Graph& g) { return g.split(g.of({2, 6}), 2); }, {{f32, {1, 6}}, {f32, {1, 6}}}},
    ONE(gather, i8, SHAPE(3, 1, 2, 5), g.of(i8, {3, 4, 5}), g.of(u32, {1, 2}), {.axis = 1}),
    ONE(gatherND, f32, SHAPE(2), g.of({2, 2}), g.of(i64, {2, 2})),
    ONE(scatterND, f32, SHAPE(2, 3), g.of({2, 3}), g.of(i32, {4, 2}), g.of({4})),
    ONE(reduceMean, f32, SHAPE(), g.of({2, 3})),
    ONE(reduceMean, f32, SHAPE(2, 3), g.of({2, 3}), {.axes = Dimensions{}}),
    ONE(reduceL1, u64, SHAPE(2, 1), g.of(u64, {2, 3}), {.axes = {{1}}, .keepDimensions = true}),
    ONE(argMax, i64, SHAPE(2), g.of(u8, {2, 3}), 1, {.outputDataType = i64}),
    ONE(conv2d, f16, SHAPE(1, 3, 5, 6), g.of(f16, {1, 5, 4, 4}), g.of(f16, {3, 1, 2, 6}), {.padding = {{0, 0, 0, 1}}, .groups = 2, .inputLayout = "nhwc", .filterLayout = "hwio", .bias = g.of(f16, {6})}),
    ONE(conv2d, f32, SHAPE(1, 1, 8, 8), g.of({1, 1, 2, 2}), g.of({1, 1, 3, 3}), {.padding = {{4, 4, 4, 4}}}),
    ONE(convTranspose2d, f32, SHAPE(1, 2, 10, 8), g.of({1, 1, 3, 3}), g.of({1, 2, 3, 3}), {.strides = {{3, 2}}, .outputPadding = {{1, 1}}}),
    ONE(convTranspose2d, f32, SHAPE(1, 2, 10, 8), g.of({1, 1, 3, 3}), g.of({1, 2, 3, 3}), {.strides = {{3, 2}}, .outputPadding = {{7, 7}}, .outputSizes = {{10, 8}}}),
    ONE(convTranspose2d, f32, SHAPE(1, 5, 5, 3), g.of({1, 5, 5, 1}), g.of({1, 1, 3, 3}), {.padding = {{1, 1, 1, 1}}, .groups = 3, .inputLayout = "nhwc"}),
    ONE(averagePool2d, f32, SHAPE(1, 3, 1, 1), g.of({1, 3, 4, 4})),
    ONE(averagePool2d, f32, SHAPE(1, 3, 4, 4), g.of({1, 3, 7, 7}), {.windowDimensions = {{4, 4}}, .padding = {{1, 1, 1, 1}}, .strides = {{2, 2}}, .outputShapeRounding = "ceil"}),
    ONE(averagePool2d, f32, SHAPE(1, 3, 3, 3), g.of({1, 3, 7, 7}), {.windowDimensions = {{4, 4}}, .padding = {{1, 1, 1, 1}}, .strides = {{2, 2}}, .outputShapeRounding = "ceil", .outputSizes = {{3, 3}}}),
    ONE(maxPool2d, u8, SHAPE(1, 2, 2, 3), g.of(u8, {1, 4, 5, 3}), {.windowDimensions = {{2, 2}}, .strides = {{2, 3}}, .layout = "nhwc"}),
    ONE(resample2d, i8, SHAPE(1, 4, 2, 8), g.of(i8, {1, 2, 2, 4}), {.mode = "linear", .scales = {{2, 2}}, .axes = {{1, 3}}}),
    ONE(resample2d, f32, SHAPE(1, 1, 4, 6), g.of({1, 1, 2, 4}), {.scales = {{100, 100}}, .sizes = {{4, 6}}}),
    ONE(batchNormalization, f32, SHAPE(3), g.of({3}), g.of({3}), g.of({3}), {.axis = 0}),
    ONE(layerNormalization, f32, SHAPE(), g.of(Dimensions{}), {.scale = g.of(Dimensions{})}),
    ONE(layerNormalization, f32, SHAPE(1, 2, 3), g.of({1, 2, 3}), {.scale = g.of({3, 1}), .axes = {{2, 0}}}),
    ONE(matmul, f32, SHAPE(5, 3, 2, 4), g.of({5, 1, 2, 3}), g.of({3, 3, 4})),
    ONE(gemm, f32, SHAPE(3, 4), g.of({2, 3}), g.of({4, 2}), {.c = g.of(Dimensions{}), .aTranspose = true, .bTranspose = true}),
    ONE(quantizeLinear, i4, SHAPE(6, 4), g.of({6, 4}), g.of({2, 4}), g.of(i4, {2, 4})),
    ONE(dequantizeLinear, f16, SHAPE(), g.of(i32, {}), g.of(f16, {}), g.of(i32, {})),
    {"gru", [](Graph& g) { return g.gru(g.of({2, 3, 4}), g.of({2, 15, 4}), g.of({2, 15, 5}), 2, 5, {.returnSequence = true, .direction = "both"}); }, {{f32, {2, 3, 5}}, {f32, {2, 2, 3, 5}}}},
    {"lstm", [](Graph& g) { return g.lstm(g.of(f16, {2, 3, 4}), g.of(f16, {1, 20, 4}), g.of(f16, {1, 20, 5}), 2, 5, {.direction = "backward", .layout = "ifgo"}); }, {{f16, {1, 3, 5}}, {f16, {1, 3, 5}}}},
    {"lstmCell", [](Graph& g) { return g.lstmCell(g.of({3, 4}), g.of({20, 4}), g.of({20, 5}), g.of({3, 5}), g.of({3, 5}), 5, {.activations = {{"relu", "tanh", "relu"}}}); }, {{f32, {3, 5}}, {f32, {3, 5}}}},
    ONE(gruCell, f32, SHAPE(3, 5), g.of({3, 4}), g.of({15, 4}), g.of({15, 5}), g.of({3, 5}), 5, {.resetAfter = false, .layout = "rzn"}),
};

TEST(WebnnValidation, AcceptsAndSaysTheResults) {
  for (const Accepted& a : accepted) {
    Graph g;
    try {
      std::vector<MLOperandDescriptor> got;
      for (const MLOperand& o : a.call(g)) got.push_back({o.dataType(), o.shape()});
      EXPECT_EQ(got, a.results) << a.what;
    } catch (const Error& e) {
      ADD_FAILURE() << a.what << ": " << e.what();
    }
  }
}

TEST(WebnnValidation, RefusesOperandsOfAnotherBuilder) {
  Graph g;
  Graph other;
  EXPECT_NE(error_of<ValueError>([&] {
              g.add(g.of({2}), other.of({2}));
            }).find("[add] 'b' belongs to another builder"),
            std::string::npos);
  EXPECT_NE(error_of<ValueError>([&] {
              g.concat({g.of({2}), other.of({2})}, 0);
            }).find("'inputs' belongs to another builder"),
            std::string::npos);
  EXPECT_NE(error_of<ValueError>([&] {
              g.gemm(g.of({2, 2}), g.of({2, 2}), {.c = other.of({2})});
            }).find("'c' belongs to another builder"),
            std::string::npos);
}

}  // namespace
}  // namespace ember::webnn
