// Fourier transforms.
#include "engines/torch/torch.h"

namespace ember::torch {
namespace {

// The attribute's scale is the whole normalization; ATen is called with norms that multiply by 1.
Array scaled(Array x, double scale) { return scale == 1 ? x : x.mul_(scale); }
// Not every FFT library accepts an empty batch.
template <One f> Array unless_empty(const Call& c) {
  if (size_of(c.node.shape) == 0) {
    return at::empty(ints(c.node.shape), c[0].options().dtype(type_of(c.node.dtype)));
  }
  return f(c);
}
Array fft(const Call& c) {
  const auto& a = c.attr<FftAttr>();
  return scaled(a.inverse ? at::fft_ifft(c[0], a.n, a.axis, "forward")
                          : at::fft_fft(c[0], a.n, a.axis, "backward"),
                a.scale);
}
Array rfft(const Call& c) {
  const auto& a = c.attr<FftAttr>();
  return scaled(at::fft_rfft(widened(c[0]), a.n, a.axis, "backward"), a.scale);
}
Array irfft(const Call& c) {
  const auto& a = c.attr<FftAttr>();
  return scaled(at::fft_irfft(c[0], a.n, a.axis, "forward"), a.scale);
}

constexpr KernelRow rows[] = {
    {OpId::fft, unless_empty<fft>},
    {OpId::rfft, unless_empty<rfft>},
    {OpId::irfft, unless_empty<irfft>},
};

}  // namespace

std::span<const KernelRow> signal_kernels() { return rows; }

}  // namespace ember::torch
