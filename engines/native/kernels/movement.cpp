// Ops that move elements without looking at them, and the strided copy that the whole engine uses.
#include "engines/native/kernels/iterate.h"

namespace ember::native {
namespace {

// dst[i][j] = src[i][j] where dst runs along j and src along i. A tile is a cache line wide both
// ways and goes through a buffer, so that every line is touched once even where strides are powers
// of two.
template <class W>
void transpose(W* dst, int64_t dst_step, const W* src, int64_t src_step, int64_t rows,
               int64_t cols) {
  constexpr int64_t tile = std::max<int64_t>(8, 64 / sizeof(W));
  W buffer[tile][tile];
  for (int64_t j = 0; j < cols; j += tile) {
    const int64_t width = std::min(tile, cols - j);
    for (int64_t i = 0; i < rows; i += tile) {
      const int64_t height = std::min(tile, rows - i);
      if (width == tile && height == tile) {
        for (int64_t b = 0; b < tile; ++b) {
          std::copy_n(src + (j + b) * src_step + i, tile, buffer[b]);
        }
        for (int64_t a = 0; a < tile; ++a) {
          for (int64_t b = 0; b < tile; ++b) dst[(i + a) * dst_step + j + b] = buffer[b][a];
        }
      } else {
        for (int64_t a = 0; a < height; ++a) {
          for (int64_t b = 0; b < width; ++b) {
            dst[(i + a) * dst_step + j + b] = src[(j + b) * src_step + i + a];
          }
        }
      }
    }
  }
}

// Where dst lies less than a cache line beyond src within a page, each load seems to wait for the
// store before it, as the processor compares the low 12 bits of addresses alone, and memcpy takes
// ten times as long. From the end on, none does.
void copy_from_end(std::byte* dst, const std::byte* src, size_t bytes) {
  constexpr size_t line = 64;
  for (; bytes >= line; bytes -= line) std::memcpy(dst + bytes - line, src + bytes - line, line);
  std::memcpy(dst, src, bytes);
}

template <class W>
void copy_run(W* dst, int64_t dst_step, const W* src, int64_t src_step, int64_t n) {
  if (dst_step == 1 && src_step == 1) {
    const uintptr_t ahead =
        (reinterpret_cast<uintptr_t>(dst) - reinterpret_cast<uintptr_t>(src)) % 4096;
    const bool seems_to_overlap = ahead > 0 && ahead < 64 && n * int64_t(sizeof(W)) >= 512;
    if (seems_to_overlap) {
      copy_from_end(reinterpret_cast<std::byte*>(dst), reinterpret_cast<const std::byte*>(src),
                    size_t(n) * sizeof(W));
    } else if (n * int64_t(sizeof(W)) >= 64) {
      std::memcpy(static_cast<void*>(dst), src, size_t(n) * sizeof(W));
    } else {
      for (int64_t i = 0; i < n; ++i) dst[i] = src[i];
    }
  } else if (dst_step == 1 && src_step == 0) {
    const W v = *src;
    for (int64_t i = 0; i < n; ++i) dst[i] = v;
  } else if (dst_step == 1 && src_step == 2) {
    for (int64_t i = 0; i < n; ++i) dst[i] = src[2 * i];
  } else if (dst_step == 1 && src_step == -1) {
    for (int64_t i = 0; i < n; ++i) dst[i] = src[-i];
  } else if (dst_step == 1) {
    for (int64_t i = 0; i < n; ++i) dst[i] = src[i * src_step];
  } else {
    for (int64_t i = 0; i < n; ++i) dst[i * dst_step] = src[i * src_step];
  }
}

// Short runs: the two axes inside, both short or the inner one of a length that compilers know, a
// whole axis of them at a time.
template <int64_t known, class W> void copy_short(const Space<2>& s, W* dst, const W* src) {
  Space<2> outer = s;
  const auto inner = s.inner();
  auto middle = Space<2>::Axis{1, {}};
  outer.axes.pop_back();
  outer.size /= inner.n;
  if (outer.axes.size() > 1 && outer.inner().n < 8) {
    middle = outer.inner();
    outer.axes.pop_back();
    outer.size /= middle.n;
  }
  const auto next = outer.inner();
  split(outer.size, grain_of(inner.n * middle.n), [&](int64_t begin, int64_t end) {
    for_runs(outer, begin, end, [&](const Offsets<2>& at, int64_t n) {
      const int64_t count = known ? known : inner.n;
      W* to = dst + at[0];
      const W* from = src + at[1];
      if (known && middle.n == 1 && inner.step[0] == 1 && inner.step[1] == 0 &&
          next.step[0] == known && next.step[1] == 1) {
        for (int64_t j = 0; j < n; ++j) {  // each element so many times
          for (int64_t i = 0; i < known; ++i) to[j * known + i] = from[j];
        }
        return;
      }
      for (int64_t j = 0; j < n; ++j, to += next.step[0], from += next.step[1]) {
        for (int64_t k = 0; k < middle.n; ++k) {
          W* const t = to + k * middle.step[0];
          const W* const f = from + k * middle.step[1];
          if (inner.step[0] == 1 && inner.step[1] == 1) {
            for (int64_t i = 0; i < count; ++i) t[i] = f[i];
          } else {
            for (int64_t i = 0; i < count; ++i) t[i * inner.step[0]] = f[i * inner.step[1]];
          }
        }
      }
    });
  });
}

template <class W> void copy_space(const Space<2>& s, W* dst, const W* src) {
  const auto inner = s.inner();
  if (inner.n < 8 && s.axes.size() > 1 && (s.axes.size() > 2 || s.axes[0].n >= inner.n)) {
    switch (inner.n) {
      case 2: return copy_short<2>(s, dst, src);
      case 3: return copy_short<3>(s, dst, src);
      case 4: return copy_short<4>(s, dst, src);
      default: return copy_short<0>(s, dst, src);
    }
  }
  size_t along = s.axes.size();  // the axis that src runs along, where that is not dst's
  for (size_t d = 0; d + 1 < s.axes.size(); ++d) {
    if (s.axes[d].step[1] == 1 && s.axes[d].n >= 4) along = d;
  }
  if (along == s.axes.size() || inner.step[0] != 1 || inner.step[1] == 0) {
    // One run is cut once for each thread: memcpy is at its best with long ones.
    constexpr int64_t most = int64_t(1) << 26;
    const int64_t share = s.axes.size() == 1 ? std::min(most, s.size / num_threads() + 1) : 0;
    split(s.size, std::max(parallel_grain, share), [&](int64_t begin, int64_t end) {
      for_runs(s, begin, end, [&](const Offsets<2>& at, int64_t n) {
        copy_run(dst + at[0], inner.step[0], src + at[1], inner.step[1], n);
      });
    });
    return;
  }
  // The other axes are walked; the rows of the transposition are cut in bands for the threads.
  constexpr int64_t band = 64;
  const auto rows = s.axes[along];
  Space<2> outer;
  for (size_t d = 0; d + 1 < s.axes.size(); ++d) {
    if (d != along) outer.add(s.axes[d].n, s.axes[d].step[0], s.axes[d].step[1]);
  }
  outer.collapse();
  const int64_t bands = (rows.n + band - 1) / band;
  split(outer.size * bands, grain_of(std::min(rows.n, band) * inner.n),
        [&](int64_t begin, int64_t end) {
          for (int64_t i = begin; i < end; ++i) {
            const Offsets<2> at = position(outer, i / bands);
            const int64_t first = i % bands * band;
            transpose(dst + at[0] + first * rows.step[0], rows.step[0], src + at[1] + first,
                      inner.step[1], std::min(band, rows.n - first), inner.n);
          }
        });
}

void run_copy(const Call& call) { copy_strided(call.out[0], call.in[0]); }

void run_as_strided(const Call& call) {
  const auto& attr = call.attrs.as<StridedAttr>();
  Array src = call.in[0];
  src.data += attr.offset * int64_t(size_of(src.dtype));
  src.shape = call.out[0].shape;
  src.strides = attr.strides;
  src.size = call.out[0].size;
  copy_strided(call.out[0], src);
}

void run_arange(const Call& call) {
  const Array& out = call.out[0];
  visit_dtype(out.dtype, [&]<class T>(T) {
    T* p = out.as<T>();
    split(out.size, parallel_grain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        if constexpr (is_half<T>) {
          p[i] = T(float(i));
        } else if constexpr (is_complex_type<T>)
          p[i] = typename T::value_type(i);
        else {
          p[i] = T(i);
        }
      }
    });
  });
}

// The part of an array from `start` on, `shape` large.
Array part(Array a, const Ints& start, const Ints& shape) {
  for (size_t d = 0; d < start.size(); ++d) {
    a.data += start[d] * a.strides[d] * int64_t(size_of(a.dtype));
  }
  a.shape = shape;
  a.size = size_of(shape);
  return a;
}

void run_concat(const Call& call) {
  const Array& out = call.out[0];
  const size_t axis = size_t(call.attrs.as<AxisAttr>().axis);
  Ints start(out.shape.size());
  Ints shape(out.shape);
  for (const Array& x : call.in) {
    shape[axis] = x.shape[axis];
    if (x.size) copy_strided(part(out, start, shape), x);
    start[axis] += shape[axis];
  }
}

// Each axis in turn: what lies before and after the input is filled, for the part of the earlier
// axes that the input covers.
void run_pad(const Call& call) {
  const Array& x = call.in[0];
  const Array& out = call.out[0];
  const auto& attr = call.attrs.as<PadAttr>();
  if (out.size == 0) return;
  const size_t rank = out.shape.size();
  const Ints zero(rank);
  Ints start(rank);
  Ints shape(out.shape);
  Ints from(rank);
  Array fill = call.in[1];
  fill.strides = zero;
  const auto fill_part = [&] {
    const Array dst = part(out, start, shape);
    fill.shape = dst.shape;
    fill.size = dst.size;
    if (dst.size) copy_strided(dst, fill);
  };
  for (size_t d = 0; d < rank; ++d) {
    const int64_t n = out.shape[d];
    const int64_t low = std::clamp<int64_t>(attr.low[d], 0, n);
    const int64_t high =
        std::clamp<int64_t>(x.shape[d] + attr.low[d], low, n);  // where the input ends
    start[d] = 0;
    shape[d] = low;
    fill_part();
    start[d] = high;
    shape[d] = n - high;
    fill_part();
    start[d] = low;
    shape[d] = high - low;
    from[d] = low - attr.low[d];
  }
  if (size_of(shape)) copy_strided(part(out, start, shape), part(x, from, shape));
}

const KernelRow rows[] = {
    {OpId::arange, run_arange},
    {OpId::as_strided, run_as_strided},
    {OpId::concat, run_concat, false, nullptr, true},
    {OpId::pad, run_pad, false, nullptr, true},
    {OpId::copy, run_copy, false},
};

}  // namespace

void copy_strided(const Array& dst, const Array& src) {
  Space<2> s;
  int64_t to = 0;
  int64_t from = 0;
  for (size_t d = 0; d < dst.shape.size(); ++d) {
    const int64_t n = dst.shape[d];
    int64_t a = dst.strides[d];
    int64_t b = src.strides[d];
    // the same elements from the other end
    if (a < 0 && n > 1) {
      to += a * (n - 1);
      from += b * (n - 1);
      a = -a;
      b = -b;
    }
    s.add(n, a, b);
  }
  if (s.size == 0) return;
  s.sort(0);
  s.collapse();
  visit_word(dst.dtype,
             [&]<class W>(W) { copy_space(s, dst.as<W>() + to, src.as<const W>() + from); });
}

std::span<const KernelRow> movement_kernels() { return rows; }

}  // namespace ember::native
