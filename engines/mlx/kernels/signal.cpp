// Fourier transforms. The attribute's scale is the whole normalization; MLX's inverse divides by n.
#include "engines/mlx/library.h"

namespace ember::mlx {
namespace {

mx::array fitted(const mx::array& x, int axis, int n) {
  if (x.shape(axis) > n) {
    mx::Shape stop = x.shape();
    stop[axis] = n;
    return mx::slice(x, mx::Shape(x.ndim(), 0), stop, stream());
  }
  if (x.shape(axis) == n) return x;
  return mx::pad(x, Axes{axis}, mx::Shape{0}, mx::Shape{n - x.shape(axis)}, like(x, 0), "constant",
                 stream());
}
mx::array scaled(const mx::array& x, double by) {
  return std::abs(by - 1) < 1e-15 ? x : mx::multiply(x, like(x, by), stream());
}
Array zeros(const C& c) { return filled(c.node, 0); }  // the transform of an empty axis
Array fft(const C& c) {
  const auto& a = c.attr<FftAttr>();
  const mx::array x = fitted(*c[0], int(a.axis), int(a.n));
  if (a.inverse) {
    return scaled(mx::fft::ifftn(x, Axes{int(a.axis)}, mx::fft::FFTNorm::Backward, stream()),
                  a.scale * double(a.n));
  }
  return scaled(mx::fft::fftn(x, Axes{int(a.axis)}, mx::fft::FFTNorm::Backward, stream()), a.scale);
}
Array rfft(const C& c) {
  const auto& a = c.attr<FftAttr>();
  const mx::array x = fitted(*c[0], int(a.axis), int(a.n));
  return scaled(mx::fft::rfftn(x, Axes{int(a.axis)}, mx::fft::FFTNorm::Backward, stream()),
                a.scale);
}
Array irfft(const C& c) {
  const auto& a = c.attr<FftAttr>();
  const mx::array x = fitted(*c[0], int(a.axis), int(a.n / 2 + 1));
  const mx::array r = mx::fft::irfftn(x, mx::Shape{int32_t(a.n)}, Axes{int(a.axis)},
                                      mx::fft::FFTNorm::Backward, stream());
  return scaled(r, a.scale * double(a.n));
}
Support check_fft(const SliceNode& n, const Slice& s) {
  const DType t = input_type(n, s);
  return t == DType::float32 || t == DType::complex64
             ? Support()
             : Support("MLX has Fourier transforms of float32 only");
}

template <One f> Kernel<Array> pick_fft(const SliceNode& n, const Slice& s) {
  return {.one = size_of(input_shape(n, s)) ? f : zeros};
}

constexpr KernelRow rows[] = {
    {.op = OpId::fft, .pick = pick_fft<fft>, .supports = check_fft},
    {.op = OpId::rfft, .pick = pick_fft<rfft>, .supports = check_fft},
    {.op = OpId::irfft, .pick = pick_fft<irfft>, .supports = check_fft},
};

}  // namespace

std::span<const KernelRow> signal_kernels() { return rows; }

}  // namespace ember::mlx
