// Convolution and pooling layers.
#include "ember/nn/conv.h"

#include <cmath>

#include "src/nn/common.h"

namespace ember::nn {
namespace {

// Expands one number to n axes, or checks n numbers.
Extents per_axis(const std::string& layer, const char* what, const Extents& given, int n,
                 int64_t least) {
  NEED(
      given.size() == 1 || int(given.size()) == n, layer,
      std::to_string(given.size()) + " numbers in " + what + " for " + std::to_string(n) + " axes");
  for (int64_t v : given) {
    NEED(v >= least, layer,
         std::string(what) + " must be at least " + std::to_string(least) + ", not " +
             std::to_string(v));
  }
  return given.size() == 1 ? Extents(Ints(size_t(n), given[0])) : given;
}

// Calls f with a batch; a single sample becomes a batch of one.
template <class F> Tensor batched(const std::string& layer, int n, const Tensor& x, F&& f) {
  if (x.ndim() == n + 1) return ops::squeeze(f(ops::expand_dims(x, {0})), 0);
  NEED_SHAPE(x.ndim() == n + 2, layer,
             "expects " + std::to_string(n + 2) + " dimensions, or " + std::to_string(n + 1) +
                 " without a batch, not the shape " + to_string(x.shape()));
  return f(x);
}

template <class O>
void check_channels(const std::string& layer, int n, int64_t in, int64_t out, O& o) {
  need_positive(layer, {{"in_channels", in}, {"out_channels", out}, {"groups", o.groups}});
  NEED(in % o.groups == 0 && out % o.groups == 0, layer,
       std::to_string(o.groups) + " groups do not divide " + std::to_string(in) + " and " +
           std::to_string(out) + " channels");
  o.stride = per_axis(layer, "stride", o.stride, n, 1);
  o.dilation = per_axis(layer, "dilation", o.dilation, n, 1);
  o.padding = per_axis(layer, "padding", o.padding, n, 0);
}
bool all(const Ints& v, int64_t wanted) {
  return std::all_of(v.begin(), v.end(), [&](int64_t x) { return x == wanted; });
}
template <class O>
std::string conv_details(const Shape& w, bool transposed, const O& o, bool bias,
                         const Ints& output_padding) {
  const int64_t a = w[0];
  const int64_t b = w[1] * o.groups;
  std::string r = std::to_string(transposed ? a : b) + ", " + std::to_string(transposed ? b : a);
  r += ", kernel_size=" + text(Ints(w.begin() + 2, w.end())) + ", stride=" + text(o.stride);
  if (!all(o.padding, 0)) r += ", padding=" + text(o.padding);
  if (!all(o.dilation, 1)) r += ", dilation=" + text(o.dilation);
  if (!all(output_padding, 0)) r += ", output_padding=" + text(output_padding);
  if (o.groups != 1) r += ", groups=" + std::to_string(o.groups);
  return bias ? r : r + ", bias=False";
}
// 1 / sqrt(fan_in), the bound of the uniform distribution for weight and bias.
double bound_of(const Shape& w) {
  return 1 / std::sqrt(double(size_of(std::span<const int64_t>(w).subspan(1))));
}
Shape filter(int64_t first, int64_t second, const Ints& window) {
  Shape s{first, second};
  s.append(window.begin(), window.end());
  return s;
}

template <int N> constexpr auto conv_op = N == 1 ? ops::conv1d : N == 2 ? ops::conv2d : ops::conv3d;
template <int N>
constexpr auto conv_transpose_op = N == 1   ? ops::conv_transpose1d
                                   : N == 2 ? ops::conv_transpose2d
                                            : ops::conv_transpose3d;
template <int N>
constexpr auto max_pool_op = N == 1   ? ops::max_pool1d
                             : N == 2 ? ops::max_pool2d
                                      : ops::max_pool3d;
template <int N>
constexpr auto average_pool_op = N == 1   ? ops::average_pool1d
                                 : N == 2 ? ops::average_pool2d
                                          : ops::average_pool3d;

}  // namespace

template <int N>
Conv<N>::Conv(int64_t in, int64_t out, const Extents& kernel, const ConvOptions& options)
    : o_(options) {
  check_channels(Conv::kind(), N, in, out, o_);
  const Shape s = filter(out, in / o_.groups, per_axis(Conv::kind(), "kernel_size", kernel, N, 1));
  const double bound = bound_of(s);
  add("weight", weight, ops::random_uniform(s, -bound, bound));
  add("bias", bias, o_.bias ? ops::random_uniform({out}, -bound, bound) : Tensor());
}
template <int N> Tensor Conv<N>::forward(const Tensor& x) {
  return batched(kind(), N, x, [&](const Tensor& b) {
    return conv_op<N>(b, weight, optional_of(bias),
                      {.strides = o_.stride,
                       .padding = o_.padding,
                       .dilation = o_.dilation,
                       .groups = o_.groups});
  });
}
template <int N> std::string Conv<N>::details() const {
  return conv_details(weight.shape(), false, o_, bias.defined(), {});
}

template <int N>
ConvTranspose<N>::ConvTranspose(int64_t in, int64_t out, const Extents& kernel,
                                const ConvTransposeOptions& options)
    : o_(options) {
  check_channels(ConvTranspose::kind(), N, in, out, o_);
  o_.output_padding = per_axis(ConvTranspose::kind(), "output_padding", o_.output_padding, N, 0);
  const Shape s =
      filter(in, out / o_.groups, per_axis(ConvTranspose::kind(), "kernel_size", kernel, N, 1));
  const double bound = bound_of(s);
  add("weight", weight, ops::random_uniform(s, -bound, bound));
  add("bias", bias, o_.bias ? ops::random_uniform({out}, -bound, bound) : Tensor());
}
template <int N> Tensor ConvTranspose<N>::forward(const Tensor& x) {
  return batched(kind(), N, x, [&](const Tensor& b) {
    return conv_transpose_op<N>(b, weight, optional_of(bias),
                                {.strides = o_.stride,
                                 .padding = o_.padding,
                                 .output_padding = o_.output_padding,
                                 .dilation = o_.dilation,
                                 .groups = o_.groups});
  });
}
template <int N> std::string ConvTranspose<N>::details() const {
  return conv_details(weight.shape(), true, o_, bias.defined(), o_.output_padding);
}

template <int N>
MaxPool<N>::MaxPool(const Extents& kernel, const MaxPoolOptions& options)
    : window_(per_axis(MaxPool::kind(), "kernel_size", kernel, N, 1)), o_(options) {}
template <int N> Tensor MaxPool<N>::forward(const Tensor& x) {
  return batched(kind(), N, x, [&](const Tensor& b) {
    return max_pool_op<N>(b, {.kernel_size = window_,
                              .strides = o_.stride.value_or(window_),
                              .padding = o_.padding,
                              .dilation = o_.dilation,
                              .ceil_mode = o_.ceil_mode});
  });
}
template <int N> std::string MaxPool<N>::details() const {
  return "kernel_size=" + text(window_) + ", stride=" + text(o_.stride.value_or(window_)) +
         ", padding=" + text(o_.padding) + ", dilation=" + text(o_.dilation) +
         ", ceil_mode=" + text(o_.ceil_mode);
}

template <int N>
AvgPool<N>::AvgPool(const Extents& kernel, const AvgPoolOptions& options)
    : window_(per_axis(AvgPool::kind(), "kernel_size", kernel, N, 1)), o_(options) {}
template <int N> Tensor AvgPool<N>::forward(const Tensor& x) {
  return batched(kind(), N, x, [&](const Tensor& b) {
    return average_pool_op<N>(b, {.kernel_size = window_,
                                  .strides = o_.stride.value_or(window_),
                                  .padding = o_.padding,
                                  .ceil_mode = o_.ceil_mode,
                                  .count_include_pad = o_.count_include_pad});
  });
}
template <int N> std::string AvgPool<N>::details() const {
  return "kernel_size=" + text(window_) + ", stride=" + text(o_.stride.value_or(window_)) +
         ", padding=" + text(o_.padding);
}

template <int N, bool Max>
AdaptivePool<N, Max>::AdaptivePool(const Extents& size)
    : size_(per_axis(AdaptivePool::kind(), "output_size", size, N, 1)) {}
template <int N, bool Max> Tensor AdaptivePool<N, Max>::forward(const Tensor& x) {
  return batched(kind(), N, x, [&](const Tensor& b) {
    return Max ? ops::adaptive_max_pool(b, size_) : ops::adaptive_average_pool(b, size_);
  });
}
template <int N, bool Max> std::string AdaptivePool<N, Max>::details() const {
  return "output_size=" + text(size_);
}

template <bool Max> Tensor GlobalPool<Max>::forward(const Tensor& x) {
  NEED_SHAPE(x.ndim() > 2, kind(),
             "expects [batch, channels, ...], not the shape " + to_string(x.shape()));
  const Tensor flat = ops::reshape(
      x, {x.shape(0), x.shape(1), size_of(std::span<const int64_t>(x.shape()).subspan(2))});
  return Max ? ops::max(flat, -1) : ops::mean(flat, -1);
}

#define INSTANCES(N)                     \
  template class Conv<N>;                \
  template class ConvTranspose<N>;       \
  template class MaxPool<N>;             \
  template class AvgPool<N>;             \
  template class AdaptivePool<N, false>; \
  template class AdaptivePool<N, true>;
INSTANCES(1)
INSTANCES(2)
INSTANCES(3)
#undef INSTANCES
template class GlobalPool<false>;
template class GlobalPool<true>;

}  // namespace ember::nn
