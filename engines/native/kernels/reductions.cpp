// Reductions and scans. Partitions depend on shapes and strides alone, so results do not depend on
// the number of threads.
#include <memory>

#include "engines/native/kernels/arg_extreme.h"
#include "engines/native/kernels/iterate.h"

namespace ember::native {
namespace {

constexpr int64_t block = 4096;    // elements summed in lanes before they go into the wide total
constexpr int64_t columns = 1024;  // columns reduced together
constexpr int64_t few_tasks = 16;  // below this, one result is shared out over several pieces
constexpr int64_t piece_size = 65536, max_groups = 64;

// A fold: how one kind of reduction reads T, combines lanes, and joins the lanes' results in a
// wider type.
template <class T> struct WideOf {
  using type = T;
};
template <> struct WideOf<float> {
  using type = double;
};
template <> struct WideOf<std::complex<float>> {
  using type = std::complex<double>;
};

template <class T> struct Sum {
  using In = T;
  using Out = T;
  using Lane = Work<T>;
  using Wide = typename WideOf<Lane>::type;
  static constexpr int64_t lanes = 128 / std::min<size_t>(sizeof(Lane), 16);
  static constexpr const char* empty = nullptr;
  static Lane identity() { return Lane(0); }
  static Lane load(T v) { return Lane(widen(v)); }
  static Lane merge(Lane a, Lane b) { return a + b; }
  static Wide combine(Wide a, Wide b) { return a + b; }
  static constexpr bool done(Wide) { return false; }
};
template <class T> struct Prod : Sum<T> {
  using Wide = typename Sum<T>::Wide;
  using Lane =
      Wide;  // factors in the wide type: lanes may overflow where the whole product does not
  static constexpr int64_t lanes = std::is_integral_v<T> || sizeof(Wide) > sizeof(T) ? 8 : 1;
  static Lane identity() { return Lane(1); }
  static Lane load(T v) { return Lane(widen(v)); }
  static Lane merge(Lane a, Lane b) { return product(a, b); }
  static Wide combine(Wide a, Wide b) { return product(a, b); }
};
// The extreme of a block of floats, in vectors: compilers do not vectorise the rule for NaN along a
// row.
template <bool is_max, class T> T extreme_block(const T* p, int64_t n, T a) {
  typedef T V __attribute__((vector_size(16)));
  typedef T Unaligned __attribute__((vector_size(16), aligned(alignof(T)), may_alias));
  constexpr int64_t width = 16 / sizeof(T);
  V s[4] = {V{} + a, V{} + a, V{} + a, V{} + a};
  int64_t i = 0;
  for (; i + 4 * width <= n; i += 4 * width) {
    for (int64_t k = 0; k < 4; ++k) {
      const V b = *reinterpret_cast<const Unaligned*>(p + i + k * width);
      s[k] = ((is_max ? b > s[k] : b < s[k]) | (b != b)) ? b : s[k];
    }
  }
  for (; i < n; ++i) a = extreme<is_max>(a, p[i]);
  for (const V& v : s) {
    for (int64_t k = 0; k < width; ++k) a = extreme<is_max>(a, T(v[k]));
  }
  return a;
}
template <class T, bool is_max> struct Extreme {
  using In = T;
  using Out = T;
  using Lane = Ordered<T>;
  using Wide = Lane;
  static constexpr int64_t lanes = 64 / sizeof(Lane);
  static constexpr const char* empty = is_max ? "max of an empty axis" : "min of an empty axis";
  static Lane identity() {
    using L = std::numeric_limits<Lane>;
    if constexpr (L::has_infinity) {
      return is_max ? -L::infinity() : L::infinity();
    } else {
      return is_max ? L::lowest() : L::max();
    }
  }
  static Lane load(T v) { return Lane(widen(v)); }
  static Lane merge(Lane a, Lane b) { return extreme<is_max>(a, b); }
  static Wide combine(Wide a, Wide b) { return extreme<is_max>(a, b); }
  static Lane fold_block(const T* p, int64_t n)
    requires std::is_floating_point_v<Lane>
  {
    if constexpr (!is_half<T>) {
      return extreme_block<is_max>(p, n, identity());
    } else {
      float wide[block];
      for (int64_t i = 0; i < n; ++i) wide[i] = widen(p[i]);
      return extreme_block<is_max>(wide, n, identity());
    }
  }
  // Merges rows into acc by a tile kernel, for as many columns as fill cache lines, and returns how
  // many those are. The earlier of two zeros stays.
  static int64_t merge_rows(const T* p, int64_t row, int64_t n, int64_t width, T* acc)
    requires std::is_same_v<T, float> || std::is_same_v<T, double>
  {
    static const TileFn merge = tile_kernel(is_max ? OpId::maximum : OpId::minimum, dtype_of<T>);
    constexpr int64_t line = 64 / sizeof(T);
    const int64_t whole = width / line * line;
    for (int64_t r = 0; whole && r < n; ++r, p += row) {
      merge(acc, p, acc, nullptr, 0, size_t(whole));
    }
    return whole;
  }
  static constexpr bool done(Wide) { return false; }
};
template <class T> using Max = Extreme<T, true>;
template <class T> using Min = Extreme<T, false>;
template <class T, bool is_all> struct Truth {
  using In = T;
  using Out = bool;
  using Lane = uint8_t;
  using Wide = uint8_t;
  static constexpr int64_t lanes = 64;
  static constexpr const char* empty = nullptr;
  static Lane identity() { return is_all; }
  // a float's bits: either zero is false
  template <class V> static Lane load(Word<V> v) { return V(v.bits << 1) != 0; }
  template <class V> static Lane load(V v) { return v != V(0); }
  static Lane merge(Lane a, Lane b) { return is_all ? a & b : a | b; }
  static Wide combine(Wide a, Wide b) { return merge(a, b); }
  static constexpr bool done(Wide w) { return w != is_all; }
};
template <class T> using All = Truth<T, true>;
template <class T> using Any = Truth<T, false>;

template <class Out, class Wide> Out finish(const Wide& w) {
  if constexpr (is_half<Out>) {
    return Out(float(w));
  } else {
    return Out(w);
  }
}

template <class F>
[[gnu::noinline]] typename F::Wide fold_run(const typename F::In* p, int64_t step, int64_t n,
                                            typename F::Wide total) {
  using Lane = typename F::Lane;
  constexpr int64_t lanes = F::lanes;
  if (n < 2 * lanes || step != 1) {  // four lanes hide the latency where nothing can be vectorised
    for (int64_t b = 0; b < n; b += block) {
      const int64_t end = std::min(n, b + block);
      Lane s[4] = {F::identity(), F::identity(), F::identity(), F::identity()};
      int64_t i = b;
      if constexpr (lanes > 1) {
        for (; i + 4 <= end; i += 4) {
          for (int64_t k = 0; k < 4; ++k) s[k] = F::merge(s[k], F::load(p[(i + k) * step]));
        }
      }
      for (; i < end; ++i) s[0] = F::merge(s[0], F::load(p[i * step]));
      total = F::combine(total, F::merge(F::merge(s[0], s[1]), F::merge(s[2], s[3])));
      if (F::done(total)) break;
    }
    return total;
  }
  for (int64_t b = 0; b < n && !F::done(total); b += block) {
    const int64_t end = std::min(n, b + block);
    if constexpr (requires { F::fold_block(p, n); }) {
      total = F::combine(total, F::fold_block(p + b, end - b));
      continue;
    }
    Lane s[lanes];
    std::fill(s, s + lanes, F::identity());
    int64_t i = b;
    for (; i + lanes <= end; i += lanes) {
      for (int64_t k = 0; k < lanes; ++k) s[k] = F::merge(s[k], F::load(p[i + k]));
    }
    for (int64_t k = 0; i < end; ++i, ++k) s[k] = F::merge(s[k], F::load(p[i]));
    for (int64_t half = lanes / 2; half > 0; half /= 2) {
      for (int64_t k = 0; k < half; ++k) s[k] = F::merge(s[k], s[k + half]);
    }
    total = F::combine(total, s[0]);
  }
  return total;
}

// A row of up to `short_row` elements folded by halves, each in a lane of its own, which gives the
// bits of a tile program's rows: lane `at` once lanes `step` apart have met. For three elements
// that is (0 + 2) + 1.
constexpr int64_t short_row = 32;
template <class F, int64_t n, int64_t at = 0, int64_t step = 1>
[[gnu::always_inline]] inline typename F::Lane fold_lanes_of(const typename F::In* p) {
  if constexpr (step >= n) {
    return F::load(p[at]);
  } else {
    const auto near = fold_lanes_of<F, n, at, 2 * step>(p);
    if constexpr (at + step < n) {
      return F::merge(near, fold_lanes_of<F, n, at + step, 2 * step>(p));
    } else {
      return near;
    }
  }
}
template <class F> typename F::Lane fold_lanes_of(const typename F::In* p, int64_t n) {
  typename F::Lane s[short_row];
  for (int64_t i = 0; i < n; ++i) s[i] = F::load(p[i]);
  for (int64_t half = int64_t(std::bit_ceil(uint64_t(n))) / 2; half; half /= 2) {
    for (int64_t k = 0; k + half < std::min(n, 2 * half); ++k) s[k] = F::merge(s[k], s[k + half]);
  }
  return s[0];
}
// Whole short rows in one loop; `known` is their length where the compiler unrolls for it.
template <class F, int64_t known>
void fold_short_rows(const typename F::In* p, int64_t row_step, int64_t rows, int64_t n,
                     typename F::Out* out, int64_t out_step) {
  for (int64_t r = 0; r < rows; ++r, p += row_step, out += out_step) {
    const auto total = [&] {
      if constexpr (known > 0) {
        return fold_lanes_of<F, known>(p);
      } else {
        return fold_lanes_of<F>(p, n);
      }
    }();
    *out = finish<typename F::Out>(F::combine(F::identity(), total));
  }
}

// The same for rows that lie apart, each of a few times as many elements as there are lanes: these
// go on from row to row.
template <class F>
[[gnu::noinline]] typename F::Wide fold_short(const typename F::In* p, int64_t row, int64_t rows,
                                              int64_t n, typename F::Wide total) {
  constexpr int64_t lanes = F::lanes;
  for (const int64_t many = block / n; rows > 0 && !F::done(total); rows -= many) {
    typename F::Lane s[lanes];
    std::fill(s, s + lanes, F::identity());
    for (int64_t r = std::min(rows, many); r > 0; --r, p += row) {
      for (int64_t i = 0; i < n; i += lanes) {
        for (int64_t k = 0; k < lanes; ++k) s[k] = F::merge(s[k], F::load(p[i + k]));
      }
    }
    for (int64_t half = lanes / 2; half > 0; half /= 2) {
      for (int64_t k = 0; k < half; ++k) s[k] = F::merge(s[k], s[k + half]);
    }
    total = F::combine(total, s[0]);
  }
  return total;
}

// acc[c] takes in n elements `row` apart, for c < width; eight rows at a time, so that acc is read
// and written seldom.
template <class F>
[[gnu::noinline]] void fold_columns(const typename F::In* p, int64_t row, int64_t n, int64_t width,
                                    typename F::Wide* acc) {
  if constexpr (requires { F::merge_rows(p, row, n, width, acc); }) {
    const int64_t done = F::merge_rows(p, row, n, width, acc);
    p += done;
    acc += done;
    width -= done;
  }
  int64_t r = 0;
  if constexpr (F::lanes > 1) {
    constexpr int64_t line = 64 / sizeof(*p);
    for (; r + 8 <= n; r += 8, p += 8 * row) {
      for (int64_t from = 0; from < width; from += 4 * line) {
        for (int64_t k = 8; k < 16;
             ++k) {  // short pieces of memory: the processor does not see the next ones coming
          for (int64_t c = from; c < from + 4 * line; c += line) {
            __builtin_prefetch(p + k * row + c, 0, 2);
          }
        }
        for (int64_t c = from; c < std::min(width, from + 4 * line); ++c) {
          const auto at = [&](int64_t k) { return F::load(p[k * row + c]); };
          const auto a = F::merge(F::merge(at(0), at(1)), F::merge(at(2), at(3)));
          const auto b = F::merge(F::merge(at(4), at(5)), F::merge(at(6), at(7)));
          acc[c] = F::combine(acc[c], F::merge(a, b));
        }
      }
    }
  }
  for (; r < n; ++r, p += row) {
    for (int64_t c = 0; c < width; ++c) acc[c] = F::combine(acc[c], F::load(p[c]));
  }
}

// A fold by its functions, so that the drivers below are compiled once. Offsets and steps are in
// elements.
struct FoldTable {
  size_t in_size, out_size, wide_size;
  void (*start)(void* acc, int64_t n);
  int64_t lanes;
  void (*run)(const void* p, int64_t step, int64_t n, void* total);
  void (*short_rows)(const void* p, int64_t row_step, int64_t rows, int64_t n,
                     void* total);  // n: a multiple of lanes, at most a block
  // rows: whole results, from first element to stored value
  void (*rows)(const void* p, int64_t row_step, int64_t rows, int64_t step, int64_t n, void* out,
               int64_t out_step);
  void (*columns)(const void* p, int64_t row_step, int64_t n, int64_t width, void* acc);
  void (*combine)(void* acc, const void* other, int64_t n);
  void (*store)(void* out, int64_t out_step, const void* acc, int64_t n);
  const char* empty;  // the error for an empty axis, where there is no result for one
};
template <class F>
const FoldTable fold_table = {
    sizeof(typename F::In),
    sizeof(typename F::Out),
    sizeof(typename F::Wide),
    [](void* acc, int64_t n) {
      std::fill_n(static_cast<typename F::Wide*>(acc), n, typename F::Wide(F::identity()));
    },
    F::lanes,
    [](const void* p, int64_t step, int64_t n, void* total) {
      auto& t = *static_cast<typename F::Wide*>(total);
      t = fold_run<F>(static_cast<const typename F::In*>(p), step, n, t);
    },
    [](const void* p, int64_t row_step, int64_t rows, int64_t n, void* total) {
      auto& t = *static_cast<typename F::Wide*>(total);
      t = fold_short<F>(static_cast<const typename F::In*>(p), row_step, rows, n, t);
    },
    [](const void* p, int64_t row_step, int64_t rows, int64_t step, int64_t n, void* out,
       int64_t out_step) {
      if (step == 1 && n <= short_row) {
        const auto* from = static_cast<const typename F::In*>(p);
        auto* to = static_cast<typename F::Out*>(out);
        switch (n) {
          case 2: return fold_short_rows<F, 2>(from, row_step, rows, n, to, out_step);
          case 3: return fold_short_rows<F, 3>(from, row_step, rows, n, to, out_step);
          case 4: return fold_short_rows<F, 4>(from, row_step, rows, n, to, out_step);
          case 5: return fold_short_rows<F, 5>(from, row_step, rows, n, to, out_step);
          case 6: return fold_short_rows<F, 6>(from, row_step, rows, n, to, out_step);
          case 8: return fold_short_rows<F, 8>(from, row_step, rows, n, to, out_step);
          case 16: return fold_short_rows<F, 16>(from, row_step, rows, n, to, out_step);
          default: return fold_short_rows<F, 0>(from, row_step, rows, n, to, out_step);
        }
      }
      for (int64_t i = 0; i < rows; ++i) {
        const auto w = fold_run<F>(static_cast<const typename F::In*>(p) + i * row_step, step, n,
                                   F::identity());
        static_cast<typename F::Out*>(out)[i * out_step] = finish<typename F::Out>(w);
      }
    },
    [](const void* p, int64_t row_step, int64_t n, int64_t width, void* acc) {
      fold_columns<F>(static_cast<const typename F::In*>(p), row_step, n, width,
                      static_cast<typename F::Wide*>(acc));
    },
    [](void* acc, const void* other, int64_t n) {
      auto* a = static_cast<typename F::Wide*>(acc);
      for (int64_t i = 0; i < n; ++i) {
        a[i] = F::combine(a[i], static_cast<const typename F::Wide*>(other)[i]);
      }
    },
    [](void* out, int64_t out_step, const void* acc, int64_t n) {
      for (int64_t i = 0; i < n; ++i) {
        static_cast<typename F::Out*>(out)[i * out_step] =
            finish<typename F::Out>(static_cast<const typename F::Wide*>(acc)[i]);
      }
    },
    F::empty,
};

struct Reduction {
  const FoldTable& f;
  const std::byte* x;
  std::byte* out;
  Space<2> kept;  // steps of the input and the output
  Space<1> gone;
  Reduction(const FoldTable& f, const Call& call)
      : f(f), x(call.in[0].data), out(call.out[0].data) {
    const Array& a = call.in[0];
    uint64_t reduced = 0;
    for (int64_t axis : call.attrs.as<ReductionAttr>().axes) reduced |= uint64_t(1) << axis;
    int64_t run = 1;
    Ints steps(a.shape.size());
    for (size_t d = a.shape.size(); d-- > 0;) {
      if (!(reduced >> d & 1)) {
        steps[d] = run;
        run *= a.shape[d];
      }
    }
    for (size_t d = 0; d < a.shape.size(); ++d) {
      if (reduced >> d & 1) {
        gone.add(a.shape[d], a.strides[d]);
      } else {
        kept.add(a.shape[d], a.strides[d], steps[d]);
      }
    }
    kept.sort(0);
    kept.collapse();
    gone.sort(0);
    gone.collapse();
  }
  const std::byte* in(int64_t at) const { return x + at * int64_t(f.in_size); }
  std::byte* to(int64_t at) const { return out + at * int64_t(f.out_size); }
  // The axis that lies closest in memory is kept: rows are added to rows.
  bool by_columns() const {
    const int64_t k = std::abs(kept.inner().step[0]);
    const int64_t g = std::abs(gone.inner().step[0]);
    return k && kept.inner().n > 1 && k < g;
  }
  int64_t groups(int64_t tasks) const {
    return tasks >= few_tasks
               ? 1
               : std::clamp<int64_t>(gone.size * kept.size / tasks / piece_size, 1, max_groups);
  }
};
struct alignas(16) AnyWide {
  std::byte bytes[16];
};

void reduce_rows(const Reduction& r) {
  const FoldTable& f = r.f;
  const int64_t step = r.gone.inner().step[0];
  const int64_t row_step = r.kept.inner().step[0];
  const int64_t out_step = r.kept.inner().step[1];
  const auto fold = [&](int64_t at, int64_t begin, int64_t end, void* total) {
    f.start(total, 1);
    const int64_t n = r.gone.inner().n;
    if (r.gone.axes.size() == 2 && step == 1 && n <= 512 && n % f.lanes == 0 && begin % n == 0 &&
        end % n == 0) {
      return f.short_rows(r.in(at + begin / n * r.gone.axes[0].step[0]), r.gone.axes[0].step[0],
                          (end - begin) / n, n, total);
    }
    for_runs(r.gone, begin, end,
             [&](const Offsets<1>& from, int64_t n) { f.run(r.in(at + from[0]), step, n, total); });
  };
  const int64_t groups = r.groups(r.kept.size);
  if (groups == 1) {
    split(r.kept.size, grain_of(r.gone.size), [&](int64_t begin, int64_t end) {
      for_runs(r.kept, begin, end, [&](const Offsets<2>& at, int64_t n) {
        if (r.gone.axes.size() == 1) {
          return f.rows(r.in(at[0]), row_step, n, step, r.gone.size, r.to(at[1]), out_step);
        }
        for (int64_t i = 0; i < n; ++i) {
          AnyWide total;
          fold(at[0] + i * row_step, 0, r.gone.size, &total);
          f.store(r.to(at[1] + i * out_step), 1, &total, 1);
        }
      });
    });
    return;
  }
  const int64_t each = (r.gone.size / groups + block) / block * block;
  AnyWide part[max_groups];
  for (int64_t i = 0; i < r.kept.size; ++i) {
    const Offsets<2> at = position(r.kept, i);
    parallel_for(groups, 1, [&](int64_t begin, int64_t end) {
      for (int64_t g = begin; g < end; ++g) {
        fold(at[0], g * each, std::min(r.gone.size, (g + 1) * each), &part[g]);
      }
    });
    for (int64_t g = 1; g < groups; ++g) f.combine(&part[0], &part[g], 1);
    f.store(r.to(at[1]), 1, &part[0], 1);
  }
}

void reduce_columns(const Reduction& r) {
  const FoldTable& f = r.f;
  const auto inner = r.kept.inner();
  Space<2> outer;
  for (size_t d = 0; d + 1 < r.kept.axes.size(); ++d) {
    outer.add(r.kept.axes[d].n, r.kept.axes[d].step[0], r.kept.axes[d].step[1]);
  }
  outer.collapse();
  const int64_t stripes = (inner.n + columns - 1) / columns;
  const int64_t tasks = outer.size * stripes;
  const int64_t groups = r.groups(tasks);
  const int64_t each = (r.gone.size / groups + 8) / 8 * 8;
  const int64_t row = r.gone.inner().step[0];
  const int64_t pitch = columns * int64_t(f.wide_size);
  const std::unique_ptr<std::byte[]> parts(
      groups > 1 ? new std::byte[size_t(tasks * groups * pitch)] : nullptr);
  const auto width = [&](int64_t task) {
    return std::min(columns, inner.n - task % stripes * columns);
  };
  const auto store = [&](int64_t task, const void* acc) {
    const int64_t at =
        position(outer, task / stripes)[1] + task % stripes * columns * inner.step[1];
    f.store(r.to(at), inner.step[1], acc, width(task));
  };
  split(tasks * groups, grain_of(r.gone.size / groups * std::min(inner.n, columns)),
        [&](int64_t begin, int64_t end) {
          AnyWide local[columns];
          for (int64_t i = begin; i < end; ++i) {
            const int64_t task = i / groups;
            const int64_t g = i % groups;
            const int64_t first = position(outer, task / stripes)[0] + task % stripes * columns;
            void* acc = parts ? static_cast<void*>(parts.get() + i * pitch) : local;
            f.start(acc, width(task));
            for_runs(r.gone, g * each, std::min(r.gone.size, (g + 1) * each),
                     [&](const Offsets<1>& from, int64_t n) {
                       f.columns(r.in(first + from[0]), row, n, width(task), acc);
                     });
            if (!parts) store(task, acc);
          }
        });
  for (int64_t task = 0; parts && task < tasks; ++task) {
    std::byte* acc = parts.get() + task * groups * pitch;
    for (int64_t g = 1; g < groups; ++g) f.combine(acc, acc + g * pitch, width(task));
    store(task, acc);
  }
}

// The types that folds are made for. Integers that only wrap may be unsigned, and truth is read off
// the bits of floats.
enum class Family { arithmetic, order, truth };
template <Family family, class T> auto seen_as() {
  constexpr bool truth = family == Family::truth;
  if constexpr (family == Family::order || is_complex_type<T>) {
    return T();
  } else if constexpr (std::is_same_v<T, bool>) {
    return std::conditional_t<truth, uint8_t, bool>();
  } else if constexpr (std::is_integral_v<T>) {
    return std::make_unsigned_t<T>();
  } else if constexpr (!truth) {
    return T();
  } else {
    return Word<std::conditional_t<sizeof(T) == 2, uint16_t,
                                   std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>>();
  }
}
template <Family family, class F> void visit_family(DType t, F&& f) {
  visit_dtype(t, [&]<class T>(T) {
    if constexpr (family == Family::order && is_complex_type<T>) {
      throw DTypeError("complex numbers have no order");
    } else {
      f(seen_as<family, T>());
    }
  });
}

void reduce_with(const FoldTable& f, const Call& call) {
  const Reduction r(f, call);
  if (r.kept.size == 0) return;
  if (r.gone.size == 0) {
    if (f.empty) throw ValueError(f.empty);
    AnyWide none;
    f.start(&none, 1);
    for (int64_t i = 0; i < r.kept.size; ++i) f.store(r.to(i), 1, &none, 1);
  } else if (!r.by_columns()) {
    reduce_rows(r);
  } else if (r.kept.inner().step[0] == 1) {
    reduce_columns(r);
  } else {  // rows with gaps are reduced from a copy without them
    Array x = call.in[0];
    const Ints strides = contiguous_strides(x.shape);
    const std::unique_ptr<std::byte[]> memory(new std::byte[size_t(x.size) * f.in_size]);
    x.data = memory.get();
    x.strides = strides;
    copy_strided(x, call.in[0]);
    reduce_with(f, {{&x, 1}, call.out, call.attrs});
  }
}
template <template <class> class Fold, Family family> void reduce(const Call& call) {
  visit_family<family>(call.in[0].dtype,
                       [&]<class T>(T) { reduce_with(fold_table<Fold<T>>, call); });
}

// argmax, argmin: the first place of the extreme; the first NaN if there is one.
template <bool is_max, class V> bool beats(V v, V best) {
  return (is_max ? v > best : v < best) || (is_nan(v) && !is_nan(best));
}

// The extreme of many elements. Tile kernels read whole vectors, so they see whole cache lines
// alone.
template <bool is_max, class T> auto extreme_of(const T* p, int64_t n) {
  using F = Extreme<T, is_max>;
  if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
    constexpr int64_t line = 64 / sizeof(T);
    static const TileFn reduce = row_reduce_kernel(is_max ? OpId::max : OpId::min, dtype_of<T>);
    if (const int64_t whole = n / line * line; reduce && whole > 2 * line) {
      alignas(64) T found[line];
      reduce(found, p, nullptr, nullptr, 0, size_t(whole));
      return fold_run<F>(p + whole, 1, n - whole, found[0]);
    }
  }
  return fold_run<F>(p, 1, n, F::identity());
}

template <bool is_max, class T> int64_t arg_run(const T* p, int64_t n) {
  if constexpr (requires { find_extreme(p, n, is_max); }) {
    if (n >= find_extreme_min) return find_extreme(p, n, is_max);
  }
  using F = Extreme<T, is_max>;
  auto best = F::load(p[0]);
  if (n <= short_row) {  // without branches, which would be mispredicted
    int64_t place = 0;
    for (int64_t i = 1; i < n; ++i) {
      const auto v = F::load(p[i]);
      const bool better = beats<is_max>(v, best);
      best = better ? v : best;
      place = better ? i : place;
    }
    return place;
  }
  int64_t start = 0;
  for (int64_t b = 0; b < n && !is_nan(best);
       b += block) {  // the block first, then the place in it
    const auto v = extreme_of<is_max>(p + b, std::min(block, n - b));
    if (beats<is_max>(v, best)) {
      best = v;
      start = b;
    }
  }
  const auto is_best = [&](int64_t i) {
    const auto v = F::load(p[i]);
    return v == best || (is_nan(v) && is_nan(best));
  };
  using Hits = std::conditional_t<sizeof(best) == 8, uint64_t,
                                  std::conditional_t<sizeof(best) == 4, uint32_t, uint8_t>>;
  constexpr int64_t chunk = 64;  // looked through in vectors
  for (Hits hits = is_nan(best); !hits && start + chunk <= n; start += hits ? 0 : chunk) {
    for (int64_t k = 0; k < chunk; ++k) hits |= Hits(F::load(p[start + k]) == best);
  }
  for (int64_t i = start; i < n; ++i) {
    if (is_best(i)) return i;
  }
  return start;
}

template <bool is_max> void arg_extreme(const Call& call) {
  const Array& x = call.in[0];
  int64_t* out = call.out[0].as<int64_t>();
  const Around a(x.shape, call.attrs.as<ArgReductionAttr>().axis);
  if (a.outer * a.inner == 0) return;
  if (a.n == 0) throw ValueError(is_max ? "argmax of an empty axis" : "argmin of an empty axis");
  visit_family<Family::order>(x.dtype, [&]<class T>(T) {
    using F = Extreme<T, is_max>;
    const T* p = x.as<T>();
    if (a.inner == 1) {
      split(a.outer, grain_of(a.n), [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) out[i] = arg_run<is_max>(p + i * a.n, a.n);
      });
      return;
    }
    const int64_t stripes = (a.inner + columns - 1) / columns;
    split(a.outer * stripes, grain_of(a.n * std::min(a.inner, columns)),
          [&](int64_t begin, int64_t end) {
            typename F::Lane best[columns];
            for (int64_t t = begin; t < end; ++t) {
              const int64_t o = t / stripes;
              const int64_t first = t % stripes * columns;
              const int64_t width = std::min(columns, a.inner - first);
              const T* row = p + o * a.n * a.inner + first;
              int64_t* place = out + o * a.inner + first;
              for (int64_t c = 0; c < width; ++c) {
                best[c] = F::load(row[c]);
                place[c] = 0;
              }
              for (int64_t r = 1; r < a.n; ++r) {
                row += a.inner;
                for (int64_t c = 0; c < width; ++c) {
                  if (const auto v = F::load(row[c]); beats<is_max>(v, best[c])) {
                    best[c] = v;
                    place[c] = r;
                  }
                }
              }
            }
          });
  });
}

// Scans keep their running value in the fold's wide type and round it for each output.
template <template <class> class Fold, Family family> void scan(const Call& call) {
  const Array& x = call.in[0];
  const auto& attr = call.attrs.as<ScanAttr>();
  const Around a(x.shape, attr.axis);
  if (x.size == 0) return;
  visit_family<family>(x.dtype, [&]<class T>(T) {
    using F = Fold<T>;
    using Wide = typename F::Wide;
    const T* in = x.as<T>();
    T* out = call.out[0].as<T>();
    const int64_t stripes = (a.inner + columns - 1) / columns;
    const int64_t step = attr.reverse ? -a.inner : a.inner;
    split(a.outer * stripes, grain_of(a.n * std::min(a.inner, columns)),
          [&](int64_t begin, int64_t end) {
            Wide acc[columns];
            for (int64_t t = begin; t < end; ++t) {
              const int64_t first = t % stripes * columns;
              const int64_t width = std::min(columns, a.inner - first);
              int64_t at = (t / stripes * a.n + (attr.reverse ? a.n - 1 : 0)) * a.inner + first;
              if (width == 1) {
                Wide w = F::identity();
                int64_t r = 0;
                if constexpr (std::is_same_v<F, Sum<T>> &&
                              std::is_same_v<typename F::Lane, float>) {  // four wait for one sum
                  for (; step == 1 && r + 4 <= a.n; r += 4, at += 4) {
                    const auto x = [&](int64_t k) { return Wide(F::load(in[at + k])); };
                    const Wide two = x(0) + x(1);
                    const Wide three = two + x(2);
                    const Wide four = two + (x(2) + x(3));
                    const Wide sums[] = {w + x(0), w + two, w + three, w + four};
                    for (int64_t k = 0; k < 4; ++k) out[at + k] = finish<T>(sums[k]);
                    w = sums[3];
                  }
                }
                for (; r < a.n; ++r, at += step) {
                  out[at] = finish<T>(w = F::combine(w, F::load(in[at])));
                }
                continue;
              }
              std::fill(acc, acc + width, Wide(F::identity()));
              for (int64_t r = 0; r < a.n; ++r, at += step) {
                for (int64_t c = 0; c < width; ++c) {
                  out[at + c] = finish<T>(acc[c] = F::combine(acc[c], F::load(in[at + c])));
                }
              }
            }
          });
  });
}

const KernelRow rows[] = {
    {OpId::sum, reduce<Sum, Family::arithmetic>, false},
    {OpId::prod, reduce<Prod, Family::arithmetic>, false},
    {OpId::max, reduce<Max, Family::order>, false},
    {OpId::min, reduce<Min, Family::order>, false},
    {OpId::all, reduce<All, Family::truth>, false},
    {OpId::any, reduce<Any, Family::truth>, false},
    {OpId::argmax, arg_extreme<true>},
    {OpId::argmin, arg_extreme<false>},
    {OpId::cumulative_sum, scan<Sum, Family::arithmetic>},
    {OpId::cumulative_prod, scan<Prod, Family::arithmetic>},
    {OpId::cummax, scan<Max, Family::order>},
    {OpId::cummin, scan<Min, Family::order>},
};

}  // namespace

std::span<const KernelRow> reduction_kernels() { return rows; }

}  // namespace ember::native
