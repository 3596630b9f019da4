// Sorting, searching, and the positions of nonzero elements.
#include <memory>

#include "engines/native/kernels/iterate.h"
#include "engines/native/kernels/scratch.h"
#include "engines/native/kernels/sort_lanes.h"
#include "engines/native/kernels/true_positions.h"

#ifdef EMBER_HAVE_VQSORT
#include <hwy/contrib/sort/vqsort.h>
#endif

namespace ember::native {
namespace {

template <size_t bytes>
using Unsigned = std::conditional_t<
    bytes == 1, uint8_t,
    std::conditional_t<bytes == 2, uint16_t, std::conditional_t<bytes == 4, uint32_t, uint64_t>>>;
template <class T> using Key = Unsigned<sizeof(T)>;
template <class K> inline constexpr K sign_bit = K(K(1) << (8 * sizeof(K) - 1));

template <class T> inline constexpr bool has_nan = is_half<T> || std::is_floating_point_v<T>;

// A key orders values as unsigned integers: the two zeros are equal, and NaN is last in either
// order.
template <class T> Key<T> to_key(T v, bool descending) {
  using K = Key<T>;
  if constexpr (has_nan<T>) {
    const auto w = widen(v);  // without branches, so that compilers vectorize the loops
    const K bits = w == 0 ? K(0) : std::bit_cast<K>(v);
    const K k = K(bits & sign_bit<K> ? ~bits : bits | sign_bit<K>);
    return w != w ? K(~K(0)) : K(descending ? ~k : k);
  } else {
    const K k = std::is_signed_v<T> ? K(K(v) ^ sign_bit<K>) : K(v);
    return descending ? K(~k) : k;
  }
}
template <class T> T from_key(Key<T> k, bool descending) {
  using K = Key<T>;
  if constexpr (has_nan<T>) {
    K nan;
    if constexpr (is_half<T>) {
      nan = T(std::numeric_limits<float>::quiet_NaN()).bits;
    } else {
      nan = std::bit_cast<K>(std::numeric_limits<T>::quiet_NaN());
    }
    const K up = K(descending ? ~k : k);
    const K bits = K(up & sign_bit<K> ? up ^ sign_bit<K> : ~up);
    return std::bit_cast<T>(k == K(~K(0)) ? nan : bits);
  } else {
    if (descending) k = K(~k);
    return std::is_signed_v<T> ? T(k ^ sign_bit<K>) : T(k);
  }
}

// Items to sort: a key, a key with its position, or a complex number's kind (which parts are NaN)
// and two keys with their position. digit(i) is byte i of the key, lowest first. Positions break
// ties, so that any sort of these is stable.
template <class K> struct KeyItem {
  K key;
  static constexpr size_t digits = sizeof(K);
  uint8_t digit(size_t i) const { return uint8_t(uint64_t(key) >> (8 * i)); }
  bool operator<(const KeyItem& o) const { return key < o.key; }
};
struct PackedItem {  // a 32-bit key above a 32-bit position
  uint64_t both;
  static constexpr size_t digits = 4;
  PackedItem() = default;
  PackedItem(uint64_t key, int64_t position) : both(key << 32 | uint64_t(position)) {}
  int64_t position() const { return int64_t(both & 0xffffffff); }
  uint8_t digit(size_t i) const { return uint8_t(both >> (32 + 8 * i)); }
  bool operator<(const PackedItem& o) const { return both < o.both; }
};
struct PlacedItem {
  uint64_t key;
  int64_t at;
  static constexpr size_t digits = 8;
  int64_t position() const { return at; }
  uint8_t digit(size_t i) const { return uint8_t(key >> (8 * i)); }
  bool operator<(const PlacedItem& o) const { return key < o.key || (key == o.key && at < o.at); }
};
template <class K> struct ComplexItem {
  K part[2];
  int64_t at;
  uint8_t kind;
  static constexpr size_t digits = 2 * sizeof(K) + 1;
  int64_t position() const { return at; }
  uint8_t digit(size_t i) const {
    if (i == 2 * sizeof(K)) return kind;
    return uint8_t(uint64_t(part[i < sizeof(K)]) >> (8 * (i % sizeof(K))));
  }
  bool operator<(const ComplexItem& o) const {
    if (kind != o.kind) return kind < o.kind;
    if (part[0] != o.part[0]) return part[0] < o.part[0];
    return part[1] != o.part[1] ? part[1] < o.part[1] : at < o.at;
  }
};
template <class R>
ComplexItem<Key<R>> complex_item(std::complex<R> v, int64_t at, bool descending) {
  const bool re = is_nan(v.real());
  const bool im = is_nan(v.imag());
  return {{to_key(v.real(), descending), to_key(v.imag(), descending)}, at, uint8_t(2 * re + im)};
}

// Items that are one unsigned number are sorted in vectors. Others: short rows by comparison, long
// ones by radix, a byte at a time from the lowest (which keeps positions in order); bytes that are
// all alike are skipped.
template <class Item> void sort_items(Item* a, Item* scratch, int64_t n) {
#ifdef EMBER_HAVE_VQSORT
  if constexpr (std::is_same_v<Item, KeyItem<uint32_t>> ||
                std::is_same_v<Item, KeyItem<uint64_t>> || std::is_same_v<Item, PackedItem>) {
    using Number = Unsigned<sizeof(Item)>;
    static thread_local const hwy::Sorter sorter;
    if (n > 64) return sorter(reinterpret_cast<Number*>(a), size_t(n), hwy::SortAscending());
  }
#endif
  if (n < 256) return std::sort(a, a + n);
  constexpr size_t digits = Item::digits;
  int64_t count[digits][256] = {};
  for (int64_t i = 0; i < n; ++i) {
    for (size_t d = 0; d < digits; ++d) ++count[d][a[i].digit(d)];
  }
  Item* from = a;
  Item* to = scratch;
  for (size_t d = 0; d < digits; ++d) {
    int64_t* c = count[d];
    if (c[from[0].digit(d)] == n) continue;
    for (int64_t sum = 0, v = 0; v < 256; ++v) sum += std::exchange(c[v], sum);
    for (int64_t i = 0; i < n; ++i) to[c[from[i].digit(d)]++] = from[i];
    std::swap(from, to);
  }
  if (from != a) std::copy(from, from + n, a);
}

// Memory for the rows of one thread.
class Workspace {
 public:
  template <class Item> Item* get(int64_t n) {
    const size_t bytes = size_t(n) * sizeof(Item);
    if (bytes > bytes_) {
      memory_.reset(new std::byte[bytes]);
      bytes_ = bytes;
    }
    return reinterpret_cast<Item*>(memory_.get());
  }

 private:
  std::unique_ptr<std::byte[]> memory_;
  size_t bytes_ = 0;
};

template <class Item, class T, class Make>
const Item* sorted_places(const T* in, int64_t n, Workspace& scratch, Make make) {
  Item* a = scratch.get<Item>(2 * n);
  for (int64_t i = 0; i < n; ++i) a[i] = make(in[i], i);
  sort_items(a, a + n, n);
  return a;
}

template <class T>
void argsort_row(const T* in, int64_t* out, int64_t n, bool descending, Workspace& scratch) {
  const auto write = [&](const auto* a) {
    for (int64_t i = 0; i < n; ++i) out[i] = a[i].position();
  };
  if constexpr (is_complex_type<T>) {
    using Item = ComplexItem<Key<typename T::value_type>>;
    write(sorted_places<Item>(in, n, scratch,
                              [&](T v, int64_t i) { return complex_item(v, i, descending); }));
  } else if (sizeof(T) <= 4 && n <= int64_t(1) << 32) {
    write(sorted_places<PackedItem>(
        in, n, scratch, [&](T v, int64_t i) { return PackedItem(to_key(v, descending), i); }));
  } else {
    write(sorted_places<PlacedItem>(
        in, n, scratch, [&](T v, int64_t i) { return PlacedItem{to_key(v, descending), i}; }));
  }
}

// Keys forget the sign of zeros.
template <class T> bool has_negative_zero(const T* p, int64_t n) {
  Key<T> found = 0;
  if constexpr (has_nan<T>) {
    for (int64_t i = 0; i < n; ++i) found |= std::bit_cast<Key<T>>(p[i]) == sign_bit<Key<T>>;
  }
  return found;
}

template <class T>
void sort_row(const T* in, T* out, int64_t n, bool descending, Workspace& scratch) {
  if constexpr (is_complex_type<T>) {
    using Item = ComplexItem<Key<typename T::value_type>>;
    const Item* a = sorted_places<Item>(
        in, n, scratch, [&](T v, int64_t i) { return complex_item(v, i, descending); });
    for (int64_t i = 0; i < n; ++i) out[i] = in[a[i].at];
  } else {
    using K = Key<T>;
    KeyItem<K>* a = scratch.get<KeyItem<K>>(2 * n);
    for (int64_t i = 0; i < n; ++i) a[i].key = to_key(in[i], descending);
    sort_items(a, a + n, n);
    for (int64_t i = 0; i < n; ++i) out[i] = from_key<T>(a[i].key, descending);
    if constexpr (has_nan<T>) {  // put the zeros back in the order they came
      if (!has_negative_zero(in, n)) return;
      T* zero = out + (std::lower_bound(a, a + n, KeyItem<K>{to_key(T(0.0f), descending)}) - a);
      for (int64_t i = 0; i < n; ++i) {
        if (widen(in[i]) == 0) *zero++ = in[i];
      }
    }
  }
}

// Copies a matrix.
template <class T>
void move_matrix(T* to, Offsets<2> to_strides, const T* from, Offsets<2> from_strides,
                 Offsets<2> shape) {
  const auto view = [&](const T* p, const Offsets<2>& strides) {
    return Array{reinterpret_cast<std::byte*>(const_cast<T*>(p)), dtype_of<T>, shape, strides,
                 shape[0] * shape[1]};
  };
  copy_strided(view(to, to_strides), view(from, from_strides));
}

// Calls row(in, out, scratch) for every line along an axis. Lines that are not contiguous are
// transposed, a band at a time.
template <class T, class Out, class F>
void each_line(const T* in, Out* out, const Around& a, F&& row) {
  constexpr int64_t band = 16;
  const int64_t bands = (a.inner + band - 1) / band;
  split(a.outer * bands, grain_of(8 * a.n * std::min(a.inner, band)),
        [&](int64_t begin, int64_t end) {
          Workspace scratch;
          Workspace in_rows;
          Workspace out_rows;
          for (int64_t t = begin; t < end; ++t) {
            const int64_t first = t % bands * band;
            const int64_t width = std::min(band, a.inner - first);
            const int64_t at = t / bands * a.n * a.inner + first;
            if (a.inner == 1) {
              row(in + at, out + at, scratch);
              continue;
            }
            T* src = in_rows.get<T>(width * a.n);
            Out* dst = out_rows.get<Out>(width * a.n);
            move_matrix(src, {a.n, 1}, in + at, {1, a.inner}, {width, a.n});
            for (int64_t c = 0; c < width; ++c) row(src + c * a.n, dst + c * a.n, scratch);
            move_matrix(out + at, {a.inner, 1}, dst, {1, a.n}, {a.n, width});
          }
        });
}

// Whether a network that sorts lines in lanes is faster than sorting line by line.
bool fits_lanes(const Around& a, int64_t lanes) {
  const int64_t lines = a.inner == 1 ? a.outer : a.inner;
  return a.n <= 64 || (a.n <= sort_lanes_max && lines >= lanes / 4);
}
// Sorts the lines along an axis by the keys make(value, position) and writes get(key) for each.
template <class K, class T, class Out, class Make, class Get>
void sort_side_by_side(const T* in, Out* out, const Around& a, Make make, Get get) {
  constexpr int64_t lanes = sort_lanes<K>;
  const bool rows = a.inner == 1;
  const int64_t groups = rows ? 1 : a.outer;
  const int64_t lines = rows ? a.outer : a.inner;
  const int64_t line_step = rows ? a.n : 1;
  const int64_t bands = (lines + lanes - 1) / lanes;
  split(groups * bands, grain_of(8 * a.n * std::min(lines, lanes)),
        [&](int64_t begin, int64_t end) {
          const Scratch<K> keys(a.n * lanes);
          for (int64_t t = begin; t < end; ++t) {
            const int64_t first = t % bands * lanes;
            const int64_t count = std::min(lanes, lines - first);
            const int64_t start = t / bands * a.n * a.inner + first * line_step;
            if (count < lanes) std::fill_n(keys.data(), a.n * lanes, K(0));
            for (int64_t i = 0; i < a.n; ++i) {
              const T* from = in + start + i * a.inner;
              K* to = keys.data() + i * lanes;
              for (int64_t l = 0; l < count; ++l) to[l] = make(from[l * line_step], i);
            }
            sort_in_lanes(keys.data(), a.n);
            for (int64_t i = 0; i < a.n; ++i) {
              const K* from = keys.data() + i * lanes;
              Out* to = out + start + i * a.inner;
              for (int64_t l = 0; l < count; ++l) to[l * line_step] = get(from[l]);
            }
          }
        });
}

void run_sort(const Call& call) {
  const Array& x = call.in[0];
  const auto& attr = call.attrs.as<SortAttr>();
  const Around a(x.shape, attr.axis);
  const bool descending = attr.descending;
  if (x.size == 0) return;
  visit_dtype(x.dtype, [&]<class T>(T) {
    const T* const in = x.as<T>();
    T* const out = call.out[0].as<T>();
    if constexpr (!is_complex_type<T>) {
      using K = Key<T>;
      if (fits_lanes(a, sort_lanes<K>) && !has_negative_zero(in, x.size)) {
        return sort_side_by_side<K>(
            in, out, a, [=](T v, int64_t) { return to_key(v, descending); },
            [=](K key) { return from_key<T>(key, descending); });
      }
    }
    each_line(in, out, a, [&](const T* from, T* to, Workspace& space) {
      sort_row(from, to, a.n, descending, space);
    });
  });
}

void run_argsort(const Call& call) {
  const Array& x = call.in[0];
  const auto& attr = call.attrs.as<SortAttr>();
  const Around a(x.shape, attr.axis);
  const bool descending = attr.descending;
  if (x.size == 0) return;
  visit_dtype(x.dtype, [&]<class T>(T) {
    const T* const in = x.as<T>();
    int64_t* const out = call.out[0].as<int64_t>();
    if constexpr (!is_complex_type<T> && sizeof(T) <= 4) {
      if (fits_lanes(a, sort_lanes<uint64_t>)) {
        return sort_side_by_side<uint64_t>(
            in, out, a, [=](T v, int64_t i) { return PackedItem(to_key(v, descending), i).both; },
            [](uint64_t key) { return int64_t(key & 0xffffffff); });
      }
    }
    each_line(in, out, a, [&](const T* from, int64_t* to, Workspace& space) {
      argsort_row(from, to, a.n, descending, space);
    });
  });
}

template <class T> auto search_item(T v) {
  if constexpr (is_complex_type<T>) {
    return complex_item(v, 0, false);
  } else {
    return KeyItem<Key<T>>{to_key(v, false)};
  }
}

// The sorted array is one row for all values, or has a row for each row of values.
void run_searchsorted(const Call& call) {
  const Array& x = call.in[0];
  const Array& values = call.in[1];
  const bool right = call.attrs.as<SearchAttr>().right;
  const bool shared = x.rank() == 1;
  const int64_t n = x.shape.back();
  const int64_t per_row = shared ? values.size : values.shape.back();
  int64_t* out = call.out[0].as<int64_t>();
  visit_dtype(x.dtype, [&]<class T>(T) {
    split(values.size, grain_of(16), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const T* row = x.as<T>() + (shared ? 0 : i / per_row * n);
        const auto v = search_item(values.as<T>()[i]);
        const T* at = right
                          ? std::upper_bound(row, row + n, v,
                                             [](const auto& a, T b) { return a < search_item(b); })
                          : std::lower_bound(row, row + n, v,
                                             [](T a, const auto& b) { return search_item(a) < b; });
        out[i] = at - row;
      }
    });
  });
}

// Counts the blocks first, so that each knows where its positions go.
// The indices of the nonzero elements of x from `first` on, row after row, without branches: each
// is written, and kept if it counts.
template <class F>
void write_positions(const Array& x, int64_t first, int64_t* to, int64_t* const end, F truth) {
  const int64_t rank = x.rank();
  const int64_t length = x.shape.back();
  int64_t at[max_dims];
  int64_t rest = first;
  for (int64_t d = rank; d-- > 0;) {
    at[d] = rest % x.shape[size_t(d)];
    rest /= x.shape[size_t(d)];
  }
  for (int64_t i = first; to < end;) {
    if (rank == 1) {
      for (; to < end; ++i) {
        *to = i;
        to += truth(i);
      }
      return;
    }
    for (int64_t& j = at[rank - 1]; j < length && to < end; ++i, ++j) {
      for (int64_t d = 0; d < rank; ++d) to[d] = at[d];
      to += truth(i) ? rank : 0;
    }
    at[rank - 1] = 0;
    for (int64_t d = rank - 1; d-- > 0 && ++at[d] == x.shape[size_t(d)];) at[d] = 0;
  }
}

void run_nonzero(const Call& call) {
  constexpr int64_t block = 65536;
  const Array& x = call.in[0];
  const Array& out = call.out[0];
  const int64_t blocks = (x.size + block - 1) / block;
  const int64_t rank = x.rank();
  visit_dtype(x.dtype, [&]<class T>(T) {
    const T* p = x.as<T>();
    const auto truth = [&](int64_t i) { return widen(p[i]) != decltype(widen(p[i]))(0); };
    std::vector<int64_t> start(size_t(blocks + 1));
    split(blocks, 1, [&](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; ++b) {
        uint32_t count = 0;
        for (int64_t i = b * block; i < std::min(x.size, (b + 1) * block); ++i) count += truth(i);
        start[size_t(b + 1)] = count;
      }
    });
    for (size_t b = 1; b < start.size(); ++b) start[b] += start[b - 1];
    const int64_t count = start.back();
    if (count != out.shape[0]) {
      throw StateError(std::to_string(count) + " elements are nonzero, but " +
                       std::to_string(out.shape[0]) + " were counted");
    }
    if (rank == 0) return;
    split(blocks, 1, [&](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; ++b) {
        int64_t* const to = out.as<int64_t>() + start[size_t(b)] * rank;
        int64_t* const end = out.as<int64_t>() + start[size_t(b) + 1] * rank;
        if (rank == 1 && sizeof(T) == 1) {
          const auto* bytes = reinterpret_cast<const uint8_t*>(p + b * block);
          write_true_positions(bytes, b * block, to, end);
        } else {
          write_positions(x, b * block, to, end, truth);
        }
      }
    });
  });
}

const KernelRow rows[] = {
    {OpId::sort, run_sort},
    {OpId::argsort, run_argsort},
    {OpId::searchsorted, run_searchsorted},
    {OpId::nonzero, run_nonzero},
};

}  // namespace

std::span<const KernelRow> order_kernels() { return rows; }

}  // namespace ember::native
