// Gathers and scatters. Every index is checked; negative ones count from the end.
#include "engines/native/kernels/iterate.h"

namespace ember::native {
namespace {

[[noreturn, gnu::cold]] void out_of_range(int64_t i, int64_t n) {
  throw IndexError("index " + std::to_string(i) + " is out of range for an axis of size " +
                   std::to_string(n));
}
inline int64_t checked(int64_t i, int64_t n) {
  // one comparison, most often
  if (uint64_t(i) < uint64_t(n)) {
    [[likely]] return i;
  }
  if (i < -n || i >= n) out_of_range(i, n);
  return i + n;
}

template <class W> void copy_elements(W* dst, const W* src, int64_t n) {
  if (n * int64_t(sizeof(W)) >= 64) {
    std::memcpy(static_cast<void*>(dst), src, size_t(n) * sizeof(W));
  } else {
    for (int64_t i = 0; i < n; ++i) dst[i] = src[i];
  }
}

// How a scattered value meets what is there.
template <Mode mode, class T> void meet(T& to, const T& v) {
  if constexpr (mode == Mode::set) {
    to = v;
  } else if constexpr (mode == Mode::max || mode == Mode::min) {
    to = T(extreme < mode == Mode::max, Ordered < T >> (Ordered<T>(to), Ordered<T>(v)));
  } else {
    const auto a = Work<T>(widen(to));
    const auto b = Work<T>(widen(v));
    to = T(mode == Mode::add ? a + b : product(a, b));
  }
}
// Calls f(T(), std::integral_constant<Mode, mode>()) for the mode, with T as coarse as the mode
// allows.
template <class F> void visit_mode(Mode mode, DType t, F&& f) {
  const auto typed = [&]<Mode m>(std::integral_constant<Mode, m> c) {
    visit_dtype(t, [&]<class T>(T) {
      constexpr bool order = m == Mode::max || m == Mode::min;
      if constexpr (order && is_complex_type<T>) {
        throw DTypeError("complex numbers have no order");
      } else if constexpr (!order && std::is_integral_v<T> && !std::is_same_v<T, bool>) {
        f(std::make_unsigned_t<T>(), c);
      } else {
        f(T(), c);
      }
    });
  };
  switch (mode) {
    case Mode::set:
      return visit_word(t, [&](auto w) { f(w, std::integral_constant<Mode, Mode::set>()); });
    case Mode::add: return typed(std::integral_constant<Mode, Mode::add>());
    case Mode::mul: return typed(std::integral_constant<Mode, Mode::mul>());
    case Mode::max: return typed(std::integral_constant<Mode, Mode::max>());
    case Mode::min: return typed(std::integral_constant<Mode, Mode::min>());
    default: throw ValueError("the reduction of a scatter must be set, add, mul, max or min");
  }
}

// By value, so that stores of elements cannot be taken to change them.
template <class W>
void take_elements(W* to, const W* from, const int64_t* index, int64_t count, int64_t n) {
  _Pragma("GCC unroll 8") for (int64_t i = 0; i < count; ++i) to[i] = from[checked(index[i], n)];
}

void take(const Call& call) {
  const Array& x = call.in[0];
  const Array& indices = call.in[1];
  const Array& out = call.out[0];
  const Around a(x.shape, call.attrs.as<AxisAttr>().axis);
  const int64_t n = indices.size;
  const int64_t* index = indices.as<int64_t>();
  if (out.size == 0) {  // nothing to move, yet a wrong index is an error
    for (int64_t i = 0; i < n; ++i) checked(index[i], a.n);
    return;
  }
  visit_word(x.dtype, [&]<class W>(W) {
    const W* src = x.as<W>();
    W* dst = out.as<W>();
    split(a.outer * n, grain_of(a.inner), [&](int64_t begin, int64_t end) {
      for (int64_t at = begin; at < end;) {
        const int64_t o = at / n;
        const int64_t first = at - o * n;
        const int64_t last = std::min(n, first + end - at);
        const W* base = src + o * a.n * a.inner;
        if (a.inner == 1) {
          take_elements(dst + o * n + first, base, index + first, last - first, a.n);
        } else {
          for (int64_t i = first; i < last; ++i) {
            copy_elements(dst + (o * n + i) * a.inner, base + checked(index[i], a.n) * a.inner,
                          a.inner);
          }
        }
        at += last - first;
      }
    });
  });
}

// The lines along `axis` of an array of indices, with the steps of the indices and of the array
// they point into. Lines do not touch each other, so they may run in any order; along a line the
// order counts.
struct Lines {
  Space<2> space;
  int64_t n, n_step, target, target_step;
  Lines(const Array& indices, const Array& x, int64_t axis) {
    int64_t step = 1;
    int64_t x_step = 1;
    Ints steps(x.shape.size());
    Ints x_steps(x.shape.size());
    for (size_t d = x.shape.size(); d-- > 0;) {
      steps[d] = step;
      x_steps[d] = x_step;
      step *= indices.shape[d];
      x_step *= x.shape[d];
    }
    for (size_t d = 0; d < x.shape.size(); ++d) {
      if (int64_t(d) != axis) space.add(indices.shape[d], steps[d], x_steps[d]);
    }
    space.collapse();
    const size_t at = size_t(axis);
    n = indices.shape[at];
    n_step = steps[at];
    target = x.shape[at];
    target_step = x_steps[at];
  }
  // f(place in the indices, start of the line in x) for each index.
  template <class F> void each(F&& f) const {
    const auto inner = space.inner();
    split(space.size, grain_of(n), [&](int64_t begin, int64_t end) {
      for_runs(space, begin, end, [&](const Offsets<2>& at, int64_t count) {
        if (n_step == 1) {  // whichever is closer together in memory goes inside
          for (int64_t k = 0; k < count; ++k) {
            for (int64_t i = 0; i < n; ++i) {
              f(at[0] + k * inner.step[0] + i, at[1] + k * inner.step[1]);
            }
          }
        } else {
          for (int64_t i = 0; i < n; ++i) {
            for (int64_t k = 0; k < count; ++k) {
              f(at[0] + k * inner.step[0] + i * n_step, at[1] + k * inner.step[1]);
            }
          }
        }
      });
    });
  }
};

void take_along_axis(const Call& call) {
  const Array& x = call.in[0];
  const Array& indices = call.in[1];
  const Array& out = call.out[0];
  const Lines lines(indices, x, call.attrs.as<AxisAttr>().axis);
  const int64_t* index = indices.as<int64_t>();
  if (out.size == 0) return;
  visit_word(x.dtype, [&]<class W>(W) {
    const W* src = x.as<W>();
    W* dst = out.as<W>();
    lines.each([&](int64_t i, int64_t line) {
      dst[i] = src[line + checked(index[i], lines.target) * lines.target_step];
    });
  });
}

void start_from(const Array& out, const Array& x) {
  if (out.data != x.data) copy_strided(out, x);
}

void scatter_elements(const Call& call) {
  const Array& x = call.in[0];
  const Array& indices = call.in[1];
  const Array& out = call.out[0];
  const auto& attr = call.attrs.as<ScatterAttr>();
  start_from(out, x);
  if (indices.size == 0) return;
  const Lines lines(indices, x, attr.axis);
  const int64_t* index = indices.as<int64_t>();
  visit_mode(attr.mode, x.dtype, [&]<class T, Mode mode>(T, std::integral_constant<Mode, mode>) {
    const T* updates = call.in[2].as<T>();
    T* dst = out.as<T>();
    lines.each([&](int64_t i, int64_t line) {
      meet<mode>(dst[line + checked(index[i], lines.target) * lines.target_step], updates[i]);
    });
  });
}

void scatter(const Call& call) {
  const Array& x = call.in[0];
  const Array& out = call.out[0];
  const auto& attr = call.attrs.as<ScatterAttr>();
  const Around a(x.shape, attr.axis);
  const int64_t n = call.in[1].size;
  const int64_t* index = call.in[1].as<int64_t>();
  start_from(out, x);
  if (a.outer * a.inner == 0) {
    for (int64_t i = 0; i < n; ++i) checked(index[i], a.n);
    return;
  }
  visit_mode(attr.mode, x.dtype, [&]<class T, Mode mode>(T, std::integral_constant<Mode, mode>) {
    const T* values = call.in[2].as<T>();
    T* dst = out.as<T>();
    // Columns are shared out, never indices: what meets in one place meets in order.
    split(a.outer * a.inner, std::max<int64_t>(grain_of(n), std::min<int64_t>(a.inner, 16)),
          [&](int64_t begin, int64_t end) {
            for (int64_t at = begin; at < end;) {
              const int64_t o = at / a.inner;
              const int64_t first = at - o * a.inner;
              const int64_t width = std::min(a.inner - first, end - at);
              if (a.inner == 1) {
                T* row = dst + o * a.n;
                const T* from = values + o * n;
                _Pragma("GCC unroll 4") for (int64_t i = 0; i < n; ++i) {
                  meet<mode>(row[checked(index[i], a.n)], from[i]);
                }
                ++at;
                continue;
              }
              for (int64_t i = 0; i < n; ++i) {
                T* to = dst + (o * a.n + checked(index[i], a.n)) * a.inner + first;
                const T* from = values + (o * n + i) * a.inner + first;
                for (int64_t k = 0; k < width; ++k) meet<mode>(to[k], from[k]);
              }
              at += width;
            }
          });
  });
}

// Places given by tuples: the last axis of the indices holds one index for each of the first k
// axes.
struct Tuples {
  int64_t k, count, inner = 1;
  const int64_t* index;
  std::span<const int64_t> shape;
  Tuples(const Array& x, const Array& indices)
      : k(indices.shape.back()), index(indices.as<int64_t>()), shape(x.shape) {
    count = size_of(indices.shape.first(indices.shape.size() - 1));
    for (int64_t d = k; d < x.rank(); ++d) inner *= shape[size_t(d)];
  }
  int64_t start(int64_t i) const {
    int64_t at = 0;
    for (int64_t d = 0; d < k; ++d) {
      at = at * shape[size_t(d)] + checked(index[i * k + d], shape[size_t(d)]);
    }
    return at * inner;
  }
};

void gather_nd(const Call& call) {
  const Tuples t(call.in[0], call.in[1]);
  visit_word(call.in[0].dtype, [&]<class W>(W) {
    const W* src = call.in[0].as<W>();
    W* dst = call.out[0].as<W>();
    split(t.count, grain_of(t.inner + t.k), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t at = t.start(i);
        if (t.inner) copy_elements(dst + i * t.inner, src + at, t.inner);
      }
    });
  });
}

void scatter_nd(const Call& call) {
  const Array& x = call.in[0];
  const Array& out = call.out[0];
  const Tuples t(x, call.in[1]);
  start_from(out, x);
  visit_mode(
      call.attrs.as<ScatterAttr>().mode, x.dtype,
      [&]<class T, Mode mode>(T, std::integral_constant<Mode, mode>) {
        const T* updates = call.in[2].as<T>();
        T* dst = out.as<T>();
        const int64_t width =
            std::max<int64_t>(t.inner, 1);  // an empty inner part still has its indices checked
        split(width, std::max<int64_t>(grain_of(t.count), 256), [&](int64_t begin, int64_t end) {
          for (int64_t i = 0; i < t.count; ++i) {
            const int64_t at = t.start(i);
            for (int64_t c = begin; c < std::min(end, t.inner); ++c) {
              meet<mode>(dst[at + c], updates[i * t.inner + c]);
            }
          }
        });
      });
}

const KernelRow rows[] = {
    {OpId::take, take},
    {OpId::take_along_axis, take_along_axis},
    {OpId::gather_nd, gather_nd},
    {OpId::scatter, scatter},
    {OpId::scatter_elements, scatter_elements},
    {OpId::scatter_nd, scatter_nd},
};

}  // namespace

std::span<const KernelRow> indexing_kernels() { return rows; }

}  // namespace ember::native
