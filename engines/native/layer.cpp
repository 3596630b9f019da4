#include "engines/native/layer.h"

#include <algorithm>
#include <cmath>

#include "engines/native/panels.h"
#include "engines/native/scratch.h"

namespace ember::native {
namespace {

// The rows of the matrix that outputs `first` and the following read, in the order of taps, then channels.
void gather_pixels(const Layer& l, const float* x, int64_t group, int64_t first, int64_t rows, float* to) {
  const ConvShape& s = l.shape;
  const int64_t channels = s.channels / s.groups, across = s.kernel[1], gap = s.dilation[1], positions = s.positions();
  const bool run = gap == 1 && l.pixel == channels;  // the taps across lie in one run
  for (int64_t m = first; m < first + rows; ++m) {
    const int64_t place = m % positions, left = place % s.out[1] * s.strides[1] - s.low[1];
    const float* const in = x + m / positions * l.image + group * channels;
    for (int64_t r = 0; r < s.kernel[0]; ++r, to += across * channels) {
      const int64_t y = place / s.out[1] * s.strides[0] + r * s.dilation[0] - s.low[0];
      if (y < 0 || y >= s.in[0]) {
        std::fill(to, to + across * channels, 0.0f);
      } else if (run) {
        const int64_t begin = std::clamp<int64_t>(-left, 0, across), end = std::clamp<int64_t>(s.in[1] - left, begin, across);
        std::fill(to, to + begin * channels, 0.0f);
        if (end > begin) std::copy_n(in + y * l.row + (left + begin) * l.pixel, (end - begin) * channels, to + begin * channels);
        std::fill(to + end * channels, to + across * channels, 0.0f);
      } else {
        for (int64_t k = 0; k < across; ++k) {
          const int64_t at = left + k * gap;
          if (at < 0 || at >= s.in[1]) std::fill_n(to + k * channels, channels, 0.0f);
          else std::copy_n(in + y * l.row + at * l.pixel, channels, to + k * channels);
        }
      }
    }
  }
}

// The padded rows that a row of outputs reads, for each channel and tap down.
void gather_rows(const Layer& l, const float* x, int64_t group, int64_t row, int64_t width, float* to) {
  const ConvShape& s = l.shape;
  const int64_t channels = s.channels / s.groups, top = row % s.out[0] * s.strides[0] - s.low[0];
  const float* const in = x + (row / s.out[0] * s.channels + group * channels) * s.in[0] * s.in[1];
  const int64_t begin = std::min(s.low[1], width), count = std::clamp<int64_t>(width - begin, 0, s.in[1]);
  for (int64_t c = 0; c < channels; ++c)
    for (int64_t r = 0; r < s.kernel[0]; ++r, to += width) {
      const int64_t y = top + r * s.dilation[0];
      if (y < 0 || y >= s.in[0]) {
        std::fill(to, to + width, 0.0f);
      } else {
        std::fill(to, to + begin, 0.0f);
        std::copy_n(in + (c * s.in[0] + y) * s.in[1], count, to + begin);
        std::fill(to + begin + count, to + width, 0.0f);
      }
    }
}

// A block of outputs at a time, whose reads stay in a core's cache, times a share of the panels. An element's sum does not depend on
// the cuts, so they may depend on the number of threads.
void run_product(const Layer& l, const float* x, float* y, const Ending& end) {
  const ConvShape& s = l.shape;
  const int64_t depth = l.depth(), columns = l.columns(), total = s.batch * s.positions(), panel = panel_columns(), tile = panel_rows();
  const bool planes = l.reading == Layer::planes;
  const int64_t fits = std::max<int64_t>(1, (1 << 15) / depth / tile) * tile;
  const int64_t rows = planes ? s.out[1] : std::min(total, fits), blocks = (total + rows - 1) / rows * s.groups, panels = (columns + panel - 1) / panel;
  const int64_t width = (s.out[1] - 1) * s.strides[1] + (s.kernel[1] - 1) * s.dilation[1] + 1;  // planes: of a padded row
  // In microseconds: of arithmetic, or of reading the weights.
  const double work = double(depth) * double(columns) * std::max(double(rows) / 5e4, 1e-4);
  const double wanted = std::min(4.0 * num_threads() / double(blocks), work / 10);
  const int64_t shares = num_threads() > 1 ? std::clamp<int64_t>(int64_t(wanted), 1, panels) : 1, share = (panels + shares - 1) / shares * panel;
  const int64_t per_group = panels_size(depth, columns);
  parallel_for(blocks * shares, int64_t(std::max(1.0, 10 * double(shares) / work)), [&](int64_t begin, int64_t last) {
    Product p{.depth = depth, .lda = l.lda, .run = depth, .step = l.step, .ldc = s.filters, .end = end};
    if (l.reading == Layer::pixels) p.lda = depth;
    if (planes) p.lda = s.strides[1], p.run = s.kernel[1], p.step = s.dilation[1], p.next = width;
    const Scratch<float> room(l.reading == Layer::direct ? 0 : planes ? depth / s.kernel[1] * width : rows * depth);
    int64_t gathered = -1;
    for (int64_t i = begin; i < last; ++i) {
      const int64_t block = i / shares, group = block % s.groups, first = block / s.groups * rows, skip = i % shares * share;
      if (skip >= columns) continue;
      p.rows = std::min(rows, total - first), p.a = room.data();
      if (l.reading == Layer::direct) p.a = x + first * l.lda + group * (s.channels / s.groups) * l.step;
      else if (block == gathered) {}
      else if (planes) gather_rows(l, x, group, block / s.groups, width, room.data());
      else gather_pixels(l, x, group, first, p.rows, room.data());
      gathered = block;
      const int64_t column = group * columns + skip, at = first * s.filters + column;
      p.columns = std::min(share, columns - skip);
      p.panels = l.weights + group * per_group + skip * depth, p.bias = l.bias + column;
      p.c = y + at, p.end.residual = end.residual ? end.residual + at : nullptr;
      multiply_panels(p);
    }
  });
}

void run_depthwise(const Layer& l, const float* x, float* y, const Ending& end) {
  const ConvShape& s = l.shape;
  const int64_t line = s.out[1] * s.channels;
  const double work = double(line) * double(s.taps()) / 2e4;  // microseconds of a row
  parallel_for(s.batch * s.out[0], int64_t(std::max(1.0, 10 / work)), [&](int64_t begin, int64_t last) {
    Small<const float*, 16> rows(size_t(s.kernel[0]), nullptr);
    DepthwiseRow w{.rows = rows.data(), .pixel = l.pixel, .weights = l.weights, .bias = l.bias, .channels = s.channels,
                   .width = s.in[1], .out_width = s.out[1], .down = s.kernel[0], .across = s.kernel[1], .stride = s.strides[1],
                   .dilation = s.dilation[1], .low = s.low[1], .end = end};
    for (int64_t i = begin; i < last; ++i) {
      const int64_t top = i % s.out[0] * s.strides[0] - s.low[0];
      for (int64_t r = 0; r < s.kernel[0]; ++r) {
        const int64_t at = top + r * s.dilation[0];
        rows[size_t(r)] = at < 0 || at >= s.in[0] ? nullptr : x + i / s.out[0] * l.image + at * l.row;
      }
      w.out = y + i * line;
      w.end.residual = end.residual ? end.residual + i * line : nullptr;
      depthwise_row(w);
    }
  });
}

int64_t whole_lines(int64_t floats) { return (floats + 15) / 16 * 16; }
int64_t bias_size(const Layer& l) { return whole_lines(l.shape.filters + panel_columns()); }  // kernels read to the end of a panel

}  // namespace

int64_t packed_size(const Layer& l) {
  const ConvShape& s = l.shape;
  const int64_t weights = l.reading == Layer::depthwise ? s.taps() * s.filters : panels_size(l.depth(), l.columns()) * s.groups;
  return bias_size(l) + whole_lines(weights);
}

void pack(Layer& l, const float* w, const float* bias, float* to) {
  const ConvShape& s = l.shape;
  const int64_t taps = s.taps(), channels = s.channels / s.groups, depth = l.depth(), columns = l.columns();
  l.bias = to;
  l.weights = to + bias_size(l);
  std::fill(std::copy_n(bias, s.filters, to), to + bias_size(l), 0.0f);
  to += bias_size(l);
  if (l.reading == Layer::depthwise) {
    for (int64_t t = 0; t < taps; ++t)
      for (int64_t c = 0; c < s.filters; ++c) *to++ = w[c * taps + t];
    return;
  }
  const int64_t per_group = panels_size(depth, columns);
  for (int64_t g = 0; g < s.groups; ++g)
    pack_panels(depth, columns, to + g * per_group, [&](int64_t k, int64_t n) {
      const int64_t from = l.reading == Layer::pixels ? k % channels * taps + k / channels : k;
      return w[(g * columns + n) * depth + from];
    });
}

void run_layer(const Layer& l, std::span<const Array> in, const Array& out) {
  if (!out.size) return;
  Ending end;
  bool nan = false;
  const auto bound = [&](uint8_t place, float& to) {
    if (place) to = *in[place].as<float>(), nan |= std::isnan(to);
  };
  bound(l.low, end.low), bound(l.high, end.high), bound(l.last_low, end.last_low), bound(l.last_high, end.last_high);
  if (l.residual) end.residual = in[l.residual].as<float>();
  float* const y = out.as<float>();
  if (nan) return void(std::fill_n(y, out.size, std::numeric_limits<float>::quiet_NaN()));  // and nothing else
  (l.reading == Layer::depthwise ? run_depthwise : run_product)(l, in[0].as<float>(), y, end);
}

}  // namespace ember::native
