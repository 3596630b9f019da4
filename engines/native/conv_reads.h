// What a convolution reads of planes of numbers, as a matrix.
#pragma once
#include <algorithm>
#include <numeric>
#include <vector>

#include "engines/native/conv_dnnl.h"

namespace ember::native {

// One axis: output o at tap k reads input (o * stride + k * dilation - low) / gap, where that is whole. Outputs and taps play the
// same part in this, so a mirrored axis, with the two exchanged, describes the same reads.
struct ConvAxis {
  ConvAxis(const ConvShape& s, size_t d, bool mirrored)
      : in(s.in[d]), out(mirrored ? s.kernel[d] : s.out[d]), taps(mirrored ? s.out[d] : s.kernel[d]),
        stride(mirrored ? s.dilation[d] : s.strides[d]), dilation(mirrored ? s.strides[d] : s.dilation[d]), low(s.low[d]),
        gap(s.input_dilation[d]), period(gap / std::gcd(gap, stride)), step(stride / std::gcd(gap, stride)) {}
  int64_t in, out, taps, stride, dilation, low, gap;
  int64_t period, step;  // whole quotients come every `period` outputs, and lie `step` apart
  int64_t place(int64_t o, int64_t k) const { return o * stride + k * dilation - low; }
  // The input that is read, or -1.
  int64_t input(int64_t o, int64_t k) const {
    const int64_t p = place(o, k);
    if (p < 0 || (gap != 1 && p % gap)) return -1;
    const int64_t i = gap == 1 ? p : p / gap;
    return i < in ? i : -1;
  }
};

// to[j] = what output first + j reads at tap k, for j < n; row is the input's row, or null for padding.
template <class T>
void copy_run(T* to, const T* row, const ConvAxis& a, int64_t first, int64_t n, int64_t k) {
  int64_t j = 0, count = 0, i = 0;
  if (row) {
    const int64_t tries = std::min(n, a.period);
    while (a.gap != 1 && j < tries && a.place(first + j, k) % a.gap) ++j;
    if (j < tries) {
      i = a.gap == 1 ? a.place(first, k) : a.place(first + j, k) / a.gap;
      if (i < 0) {
        const int64_t skipped = (-i + a.step - 1) / a.step;
        i += skipped * a.step, j += skipped * a.period;
      }
      if (j < n && i < a.in) count = std::min((n - j + a.period - 1) / a.period, (a.in - i + a.step - 1) / a.step);
    }
  }
  if (!count || a.period != 1) {
    std::fill(to, to + n, T());
    for (int64_t t = 0; t < count; ++t) to[j + t * a.period] = row[i + t * a.step];
    return;
  }
  std::fill(to, to + j, T());
  if (a.step == 1) std::copy(row + i, row + i + count, to + j);
  else if (a.step == 2) for (int64_t t = 0; t < count; ++t) to[j + t] = row[i + t * 2];
  else for (int64_t t = 0; t < count; ++t) to[j + t] = row[i + t * a.step];
  std::fill(to + j + count, to + n, T());
}

// What is read, as a matrix: one side is (image, output place), the other (channel, tap), and a line runs along the one whose
// last axis is longer. Indices below are of the outputs and taps of the axes, mirrored or not.
template <class T>
class Reads {
 public:
  Reads(const ConvShape& s, const T* x) : along_taps(s.kernel.back() > s.out.back()), x_(x) {
    for (size_t d = 0; d < s.in.size(); ++d) axes_.emplace_back(s, d, along_taps);
    for (const ConvAxis& a : axes_) outputs_ *= a.out, taps_ *= a.taps;
    const int64_t plane = size_of(s.in), image = s.channels * plane;
    output_pitch_ = along_taps ? plane : image, tap_pitch_ = along_taps ? image : plane;
  }
  const bool along_taps;

  // A part of a line that lies on one run of the last axis.
  struct Run {
    int64_t plane, rest, first, n;  // rest: the index over the other axes
  };
  std::vector<Run> runs(int64_t first, int64_t n) const {
    std::vector<Run> all;
    const int64_t width = axes_.back().out;
    for (const int64_t end = first + n; first < end; first += all.back().n) {
      const int64_t place = first % outputs_, at = place % width;
      all.push_back({first / outputs_, place / width, at, std::min(end - first, width - at)});
    }
    return all;
  }

  // Writes the line of (plane, tap) `index`, in the channels that begin at x_ + base.
  void line(T* to, const std::vector<Run>& runs, int64_t index, int64_t base) const {
    const size_t last = axes_.size() - 1;
    const T* const x = x_ + base + index / taps_ * tap_pitch_;
    Ints tap(axes_.size());
    int64_t rest = index % taps_;
    for (size_t d = axes_.size(); d-- > 0; rest /= axes_[d].taps) tap[d] = rest % axes_[d].taps;
    for (const Run& r : runs) {
      int64_t offset = 0, scale = axes_[last].in, place = r.rest;
      for (size_t d = last; d-- > 0 && offset >= 0;) {
        const int64_t i = axes_[d].input(place % axes_[d].out, tap[d]);
        offset = i < 0 ? -1 : offset + i * scale;
        place /= axes_[d].out, scale *= axes_[d].in;
      }
      copy_run(to, offset < 0 ? nullptr : x + r.plane * output_pitch_ + offset, axes_[last], r.first, r.n, tap[last]);
      to += r.n;
    }
  }

 private:
  const T* x_;
  std::vector<ConvAxis> axes_;
  int64_t outputs_ = 1, taps_ = 1, output_pitch_ = 0, tap_pitch_ = 0;
};

}  // namespace ember::native
