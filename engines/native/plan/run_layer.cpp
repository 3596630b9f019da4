// Runs layers: gathers the inputs of outputs, multiplies them by packed weights, applies the
// epilogue.
#include "engines/native/plan/run_layer.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "engines/native/kernels/panels.h"
#include "engines/native/kernels/scratch.h"

namespace ember::native {
namespace {

// Gathers the inputs of the outputs from `first` on as rows of a matrix: taps, then channels.
void gather_pixels(const Layer& l, const float* x, int64_t group, int64_t first, int64_t rows,
                   float* to) {
  const ConvShape& s = l.shape;
  const int64_t channels = s.channels / s.groups;
  const int64_t across = s.kernel[1];
  const int64_t gap = s.dilation[1];
  const int64_t positions = s.positions();
  const bool run = gap == 1 && l.pixel == channels;  // the taps across are contiguous
  for (int64_t m = first; m < first + rows; ++m) {
    const int64_t place = m % positions;
    const int64_t left = place % s.out[1] * s.strides[1] - s.low[1];
    const float* const in = x + m / positions * l.image + group * channels;
    for (int64_t r = 0; r < s.kernel[0]; ++r, to += across * channels) {
      const int64_t y = place / s.out[1] * s.strides[0] + r * s.dilation[0] - s.low[0];
      if (y < 0 || y >= s.in[0]) {
        std::fill(to, to + across * channels, 0.0f);
      } else if (run) {
        const int64_t begin = std::clamp<int64_t>(-left, 0, across);
        const int64_t end = std::clamp<int64_t>(s.in[1] - left, begin, across);
        std::fill(to, to + begin * channels, 0.0f);
        if (end > begin) {
          std::copy_n(in + y * l.row + (left + begin) * l.pixel, (end - begin) * channels,
                      to + begin * channels);
        }
        std::fill(to + end * channels, to + across * channels, 0.0f);
      } else {
        for (int64_t k = 0; k < across; ++k) {
          const int64_t at = left + k * gap;
          if (at < 0 || at >= s.in[1]) {
            std::fill_n(to + k * channels, channels, 0.0f);
          } else {
            std::copy_n(in + y * l.row + at * l.pixel, channels, to + k * channels);
          }
        }
      }
    }
  }
}

// Gathers padded rows of a channels-first input, from `top` on, `step` apart. A row has its
// channels one after the other.
void gather_rows(const Layer& l, const float* x, int64_t image, int64_t group, int64_t top,
                 int64_t step, int64_t rows, int64_t width, float* to) {
  const ConvShape& s = l.shape;
  const int64_t channels = s.channels / s.groups;
  const int64_t plane = s.in[0] * s.in[1];
  const float* const in = x + (image * s.channels + group * channels) * plane;
  const int64_t begin = std::min(s.low[1], width);
  const int64_t count = std::clamp<int64_t>(width - begin, 0, s.in[1]);
  for (int64_t r = 0; r < rows; ++r) {
    const int64_t y = top + r * step;
    if (y < 0 || y >= s.in[0]) {
      to = std::fill_n(to, channels * width, 0.0f);
      continue;
    }
    for (int64_t c = 0; c < channels; ++c, to += width) {
      std::fill(to, to + begin, 0.0f);
      std::copy_n(in + c * plane + y * s.in[1], count, to + begin);
      std::fill(to + begin + count, to + width, 0.0f);
    }
  }
}

// The inputs of a layer's outputs, as a matrix.
class Source {
 public:
  explicit Source(const Layer& l) : l_(l), s_(l.shape) {
    const int64_t total = s_.batch * s_.positions();
    const int64_t tile = panel_rows();
    const int64_t cached = 1 << 16;  // floats that stay in a core's cache
    width_ = (s_.out[1] - 1) * s_.strides[1] + (s_.kernel[1] - 1) * s_.dilation[1] + 1;
    line_ = s_.channels / s_.groups * width_;
    if (l.reading == Layer::planes) {
      // Neighbouring output rows share input rows unless the filter is dilated.
      const int64_t most =
          s_.dilation[0] == 1 ? (cached / line_ - s_.kernel[0]) / s_.strides[0] + 1 : 1;
      const int64_t share =
          num_threads() > 1 ? s_.batch * s_.out[0] / (4 * num_threads()) : s_.out[0];
      const int64_t count = std::clamp<int64_t>(std::min(most, share), 1, s_.out[0]);
      const int64_t bands = (s_.out[0] + count - 1) / count;
      band_ = (s_.out[0] + bands - 1) / bands;
      rows = band_ * s_.out[1];
    } else {
      const int64_t fit = std::max<int64_t>(1, cached / l.depth() / tile) * tile;
      const int64_t blocks = (total + fit - 1) / fit;
      rows = std::min(total, ((total + blocks - 1) / blocks + tile - 1) / tile * tile);
    }
  }
  int64_t rows;  // the number of rows to read at a time; direct: any number

  // Sets the left-hand side of a product for the outputs from `first` on, of one group: n of them,
  // or fewer if the stride between rows changes.
  void read(const float* x, int64_t group, int64_t first, int64_t n, Product& p) {
    p.rows = n;
    p.depth = p.run = l_.depth();
    p.step = 1;
    if (l_.reading == Layer::direct) {
      p.a = x + first * l_.lda + group * (s_.channels / s_.groups) * l_.step;
      p.lda = l_.lda;
      p.step = l_.step;
    } else if (l_.reading == Layer::planes) {
      const int64_t row = first / s_.out[1];
      const int64_t image = row / s_.out[0];
      const int64_t begin = row % s_.out[0] / band_ * band_;
      const int64_t key = (image * s_.out[0] + begin) * s_.groups + group;
      const int64_t rows_kept = (band_ - 1) * s_.strides[0] + s_.kernel[0];
      if (!scratch_) scratch_.emplace(rows_kept * line_);
      if (std::exchange(gathered_, key) != key) {
        gather_rows(l_, x, image, group, begin * s_.strides[0] - s_.low[0], s_.dilation[0],
                    rows_kept, width_, scratch_->data());
      }
      p.a = scratch_->data() + (row % s_.out[0] - begin) * s_.strides[0] * line_ +
            first % s_.out[1] * s_.strides[1];
      p.rows = std::min(n, s_.out[1] - first % s_.out[1]);
      p.lda = s_.strides[1];
      p.run = s_.kernel[1];
      p.step = s_.dilation[1];
      p.next = width_;
    } else {
      if (!scratch_) scratch_.emplace(rows * p.depth);
      if (const int64_t key = first * s_.groups + group; std::exchange(gathered_, key) != key) {
        gather_pixels(l_, x, group, first, n, scratch_->data());
      }
      p.a = scratch_->data();
      p.lda = p.depth;
    }
  }

 private:
  const Layer& l_;
  const ConvShape& s_;
  int64_t width_;          // planes: of a padded row of one channel
  int64_t line_;           // planes: of a padded row of all channels
  int64_t band_ = 1;       // planes: output rows whose inputs are gathered together
  int64_t gathered_ = -1;  // the key of the gathered block
  std::optional<Scratch<float>> scratch_;
};

// Multiplies a block of outputs by a share of the panels at a time. An element's sum does not
// depend on the split, so the split may depend on the number of threads.
void run_product(const Layer& l, const float* x, float* y, const Epilogue& epilogue) {
  const ConvShape& s = l.shape;
  const int64_t depth = l.depth();
  const int64_t columns = l.columns();
  const int64_t total = s.batch * s.positions();
  const int64_t panel = panel_columns();
  const int64_t rows = Source(l).rows;
  const int64_t blocks = (total + rows - 1) / rows * s.groups;
  const int64_t panels = (columns + panel - 1) / panel;
  // In microseconds: arithmetic, or reading the weights.
  const double work = double(depth) * double(columns) * std::max(double(rows) / 5e4, 1e-4);
  const double wanted = std::min(4.0 * num_threads() / double(blocks), work / 10);
  const int64_t shares = num_threads() > 1 ? std::clamp<int64_t>(int64_t(wanted), 1, panels) : 1;
  const int64_t share = (panels + shares - 1) / shares * panel;
  const int64_t per_group = panels_size(depth, columns);
  parallel_for(blocks * shares, int64_t(std::max(1.0, 10 * double(shares) / work)),
               [&](int64_t begin, int64_t last) {
                 Source source(l);
                 Product p{.ldc = s.filters, .epilogue = epilogue};
                 for (int64_t i = begin; i < last; ++i) {
                   const int64_t block = i / shares;
                   const int64_t group = block % s.groups;
                   const int64_t first = block / s.groups * rows;
                   const int64_t skip = i % shares * share;
                   if (skip >= columns) continue;
                   const int64_t column = group * columns + skip;
                   const int64_t stop = std::min(first + rows, total);
                   p.columns = std::min(share, columns - skip);
                   p.panels = l.weights + group * per_group + skip * depth;
                   p.bias = l.bias + column;
                   for (int64_t place = first; place < stop; place += p.rows) {
                     const int64_t at = place * s.filters + column;
                     source.read(x, group, place, stop - place, p);
                     p.c = y + at;
                     p.epilogue.residual = epilogue.residual ? epilogue.residual + at : nullptr;
                     multiply_panels(p);
                   }
                 }
               });
}

// Computes row `row` of the output, counted over all images; in(r) is row r of the image's input.
template <class In>
void depthwise_line(const Layer& l, int64_t row, float* out, const Epilogue& epilogue, In&& in) {
  const ConvShape& s = l.shape;
  Small<const float*, 16> rows(size_t(s.kernel[0]), nullptr);
  for (int64_t r = 0; r < s.kernel[0]; ++r) {
    const int64_t at = row % s.out[0] * s.strides[0] - s.low[0] + r * s.dilation[0];
    if (at >= 0 && at < s.in[0]) rows[size_t(r)] = in(at);
  }
  depthwise_row({.rows = rows.data(),
                 .pixel = l.pixel,
                 .weights = l.weights,
                 .bias = l.bias,
                 .out = out,
                 .channels = s.channels,
                 .width = s.in[1],
                 .out_width = s.out[1],
                 .down = s.kernel[0],
                 .across = s.kernel[1],
                 .stride = s.strides[1],
                 .dilation = s.dilation[1],
                 .low = s.low[1],
                 .epilogue = epilogue});
}

void run_depthwise(const Layer& l, const float* x, float* y, const Epilogue& epilogue) {
  const ConvShape& s = l.shape;
  const int64_t line = s.out[1] * s.channels;
  const double work = double(line) * double(s.taps()) / 2e4;  // microseconds for a row
  parallel_for(
      s.batch * s.out[0], int64_t(std::max(1.0, 10 / work)), [&](int64_t begin, int64_t last) {
        Epilogue e = epilogue;
        for (int64_t i = begin; i < last; ++i) {
          if (epilogue.residual) e.residual = epilogue.residual + i * line;
          depthwise_line(l, i, y + i * line, e,
                         [&](int64_t r) { return x + i / s.out[0] * l.image + r * l.row; });
        }
      });
}

// Computes a product, a depthwise convolution of its result and a product of that result, a few
// rows at a time, so that the intermediate rows stay in a core's cache. Rows at the border of two
// threads' parts are computed twice.
void run_bands(std::span<const Layer> l, const float* x, float* y, const Epilogue* epilogues) {
  const Layer& wide = l[0];
  const Layer& middle = l[1];
  const Layer& narrow = l[2];
  const ConvShape& s = middle.shape;
  const int64_t stride = s.strides[0];
  const int64_t reach = (s.kernel[0] - 1) * s.dilation[0] + 1;
  const int64_t line = s.in[1] * s.channels;
  const int64_t out_line = s.out[1] * s.channels;
  const int64_t result = s.out[1] * narrow.shape.filters;
  const int64_t band =
      std::clamp<int64_t>(((1 << 16) - reach * line) / (stride * line + out_line), 1, s.out[0]);
  const int64_t ring =
      std::min(s.in[0], (band - 1) * stride + reach);  // rows of the wide result in memory
  const int64_t parts =
      num_threads() == 1 ? 1 : std::clamp<int64_t>(s.out[0] / (2 * reach), 1, 2 * num_threads());
  parallel_for(s.batch * parts, 1, [&](int64_t begin, int64_t last) {
    const Scratch<float> rows_kept(ring * line);
    const Scratch<float> between(band * out_line);
    Source source(wide);
    Source second(narrow);
    Product p{.columns = s.channels,
              .panels = wide.weights,
              .bias = wide.bias,
              .ldc = s.channels,
              .epilogue = epilogues[0]};
    Product q{.columns = narrow.shape.filters,
              .panels = narrow.weights,
              .bias = narrow.bias,
              .ldc = narrow.shape.filters,
              .epilogue = epilogues[2]};
    for (int64_t i = begin; i < last; ++i) {
      const int64_t image = i / parts;
      const int64_t from = i % parts * s.out[0] / parts;
      const int64_t to = (i % parts + 1) * s.out[0] / parts;
      // The next row of the wide result. Earlier rows are not needed any more.
      int64_t done = std::max<int64_t>(0, from * stride - s.low[0]);
      for (int64_t top = from; top < to; top += band) {
        const int64_t bottom = std::min(to, top + band);
        const int64_t needed = std::min(s.in[0], (bottom - 1) * stride - s.low[0] + reach);
        while (done < needed) {  // as many rows as are contiguous, or one if rows are gathered
          const int64_t n =
              wide.reading == Layer::direct ? std::min(needed - done, ring - done % ring) : 1;
          p.c = rows_kept.data() + done % ring * line;
          for (int64_t at = 0; at < n * s.in[1]; at += p.rows, p.c += p.rows * p.ldc) {
            const int64_t left = n * s.in[1] - at;
            source.read(x, 0, (image * s.in[0] + done) * s.in[1] + at,
                        wide.reading == Layer::direct ? left : std::min(left, source.rows), p);
            multiply_panels(p);
          }
          done += n;
        }
        for (int64_t r = top; r < bottom; ++r) {
          depthwise_line(middle, r, between.data() + (r - top) * out_line, epilogues[1],
                         [&](int64_t at) { return rows_kept.data() + at % ring * line; });
        }
        second.read(between.data(), 0, 0, (bottom - top) * s.out[1], q);
        const int64_t at = (image * s.out[0] + top) * result;
        q.c = y + at;
        q.epilogue.residual = epilogues[2].residual ? epilogues[2].residual + at : nullptr;
        multiply_panels(q);
      }
    }
  });
}

int64_t whole_lines(int64_t floats) { return (floats + 15) / 16 * 16; }
// Kernels read to the end of a panel.
int64_t bias_size(const Layer& l) { return whole_lines(l.shape.filters + panel_columns()); }

}  // namespace

int64_t packed_size(const Layer& l) {
  const ConvShape& s = l.shape;
  const int64_t weights = l.reading == Layer::depthwise
                              ? s.taps() * s.filters
                              : panels_size(l.depth(), l.columns()) * s.groups;
  return bias_size(l) + whole_lines(weights);
}

void pack(Layer& l, const float* w, const float* bias, float* to) {
  const ConvShape& s = l.shape;
  const int64_t taps = s.taps();
  const int64_t channels = s.channels / s.groups;
  const int64_t depth = l.depth();
  const int64_t columns = l.columns();
  const int64_t across = s.kernel[1];
  l.bias = to;
  l.weights = to + bias_size(l);
  std::fill(std::copy_n(bias, s.filters, to), to + bias_size(l), 0.0f);
  to += bias_size(l);
  if (l.reading == Layer::depthwise) {
    for (int64_t t = 0; t < taps; ++t) {
      for (int64_t c = 0; c < s.filters; ++c) *to++ = w[c * taps + t];
    }
    return;
  }
  const int64_t per_group = panels_size(depth, columns);
  for (int64_t g = 0; g < s.groups; ++g) {
    pack_panels(depth, columns, to + g * per_group, [&](int64_t k, int64_t n) {
      int64_t from = k;
      if (l.reading == Layer::pixels) from = k % channels * taps + k / channels;
      if (l.reading == Layer::planes) {  // taps down, channels, taps across
        from = k / across % channels * taps + k / across / channels * across + k % across;
      }
      return w[(g * columns + n) * depth + from];
    });
  }
}

void run_layers(std::span<const Layer> layers, std::span<const Array> in, const Array& out) {
  if (!out.size) return;
  Epilogue epilogues[3];
  float* const y = out.as<float>();
  for (size_t k = 0; k < layers.size(); ++k) {
    const Layer& l = layers[k];
    bool nan = false;
    const auto bound = [&](uint8_t place, float& to) {
      if (place) {
        to = *in[place].as<float>();
        nan |= std::isnan(to);
      }
    };
    bound(l.low, epilogues[k].low);
    bound(l.high, epilogues[k].high);
    bound(l.last_low, epilogues[k].last_low);
    bound(l.last_high, epilogues[k].last_high);
    if (l.half) {
      const auto number = [&](uint8_t place) { return *in[place].as<float>(); };
      Epilogue& e = epilogues[k];
      e.gelu = true;
      e.factor = number(l.factor);
      e.divisor = number(l.divisor);
      e.half = number(l.half);
      if (e.divisor == 2) {  // exact, and faster
        e.factor /= 2;
        e.divisor = 1;
      }
    }
    if (l.residual) epilogues[k].residual = in[l.residual].as<float>();
    if (nan) {  // of a clamp's bound: every result is NaN
      return void(std::fill_n(y, out.size, std::numeric_limits<float>::quiet_NaN()));
    }
  }
  const float* const x = in[0].as<float>();
  if (layers.size() == 3) {
    run_bands(layers, x, y, epilogues);
  } else {
    (layers[0].reading == Layer::depthwise ? run_depthwise : run_product)(layers[0], x, y,
                                                                          epilogues[0]);
  }
}

}  // namespace ember::native
