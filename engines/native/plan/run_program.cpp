// Runs tile programs: rows of elementwise ops and reductions, a tile at a time.
#include <algorithm>
#include <cstring>
#include <optional>

#include "engines/native/kernels/iterate.h"
#include "engines/native/plan/plan.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace ember::native {
namespace {

// Tiles that will not be read soon go around the caches.
void copy_out(std::byte* to, const std::byte* from, size_t bytes, bool stream) {
  if (stream && (reinterpret_cast<uintptr_t>(to) & 63) == 0) {
    stream_tile(to, from, bytes);
  } else {
    std::memcpy(to, from, bytes);
  }
}
void finish_streams() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

template <class T> void fill_as(std::byte* to, const std::byte* from) {
  T v;
  std::memcpy(&v, from, sizeof v);
  for (size_t i = 0; i < line_elements; ++i) std::memcpy(to + i * sizeof v, &v, sizeof v);
}
void repeat(std::byte* to, const std::byte* from, size_t element) {
  switch (element) {
    case 1: std::memset(to, int(*from), line_elements); return;
    case 2: return fill_as<uint16_t>(to, from);
    case 4: return fill_as<uint32_t>(to, from);
    case 8: return fill_as<uint64_t>(to, from);
    default: return fill_as<std::complex<double>>(to, from);
  }
}

int64_t offset_of(int64_t index, const Ints& dims, const Ints& strides) {
  int64_t r = 0;
  for (size_t d = dims.size(); d--;) {
    r += index % dims[d] * strides[d];
    index /= dims[d];
  }
  return r;
}

template <class T> void gather_run(T* to, const T* from, int64_t n, int64_t step) {
  switch (step) {  // those that compilers turn into shuffles
    case 0: std::fill_n(to, n, *from); return;
    case 2:
      for (int64_t i = 0; i < n; ++i) to[i] = from[2 * i];
      return;
    case -1:
      for (int64_t i = 0; i < n; ++i) to[i] = from[-i];
      return;
    default:
      for (int64_t i = 0; i < n; ++i) to[i] = from[i * step];
  }
}
// Many short rows of a strided array without a call for each: n elements from row 0, element `at`
// on.
template <class T>
void gather_short(T* to, const T* from, int64_t length, int64_t step, int64_t row_step, int64_t at,
                  int64_t n) {
  for (; n > 0 && at; --n) {
    *to++ = from[at * step];
    if (++at == length) {
      at = 0;
      from += row_step;
    }
  }
  for (; n >= length; n -= length, from += row_step) {
    for (int64_t i = 0; i < length; ++i) *to++ = from[i * step];
  }
  for (int64_t i = 0; i < n; ++i) *to++ = from[i * step];
}
// Elements [start, start + n) of a strided array, row by row.
void gather(std::byte* to, const std::byte* from, size_t element, const Ints& dims,
            const Ints& strides, int64_t start, int64_t n) {
  if (dims.empty()) {
    for (int64_t i = 0; i < n; ++i) std::memcpy(to + size_t(i) * element, from, element);
    return;
  }
  const size_t last = dims.size() - 1;
  if (dims.size() == 2 && dims[1] <= 32) {
    const int64_t row = start / dims[1];
    const int64_t column = start % dims[1];
    const std::byte* src = from + row * strides[0] * int64_t(element);
    const auto rows = [&]<class T>(T) {
      gather_short(reinterpret_cast<T*>(to), reinterpret_cast<const T*>(src), dims[1], strides[1],
                   strides[0], column, n);
    };
    switch (element) {
      case 1: return rows(uint8_t());
      case 2: return rows(uint16_t());
      case 4: return rows(uint32_t());
      case 8: return rows(uint64_t());
      default: return rows(std::complex<double>());
    }
  }
  int64_t at[max_dims];
  int64_t rest = start;
  int64_t offset = 0;
  for (size_t d = dims.size(); d--;) {
    at[d] = rest % dims[d];
    offset += at[d] * strides[d];
    rest /= dims[d];
  }
  while (n > 0) {
    const int64_t run = std::min(n, dims[last] - at[last]);
    const int64_t step = strides[last];
    const std::byte* src = from + offset * int64_t(element);
    if (step == 1) {
      std::memcpy(to, src, size_t(run) * element);
    } else {
      switch (element) {
        case 1:
          gather_run(reinterpret_cast<uint8_t*>(to), reinterpret_cast<const uint8_t*>(src), run,
                     step);
          break;
        case 2:
          gather_run(reinterpret_cast<uint16_t*>(to), reinterpret_cast<const uint16_t*>(src), run,
                     step);
          break;
        case 4:
          gather_run(reinterpret_cast<uint32_t*>(to), reinterpret_cast<const uint32_t*>(src), run,
                     step);
          break;
        case 8:
          gather_run(reinterpret_cast<uint64_t*>(to), reinterpret_cast<const uint64_t*>(src), run,
                     step);
          break;
        default:
          gather_run(reinterpret_cast<std::complex<double>*>(to),
                     reinterpret_cast<const std::complex<double>*>(src), run, step);
      }
    }
    to += size_t(run) * element;
    n -= run;
    offset += run * step;
    at[last] += run;
    for (size_t d = last; at[d] == dims[d];) {
      if (d == 0) return;
      offset -= dims[d] * strides[d];
      at[d] = 0;
      --d;
      offset += strides[d];
      ++at[d];
    }
  }
}

struct Owned {
  Storage* s = nullptr;
  ~Owned() { drop(s); }
};
// Memory for the temporaries of one thread's tile programs.
std::byte* scratch(size_t bytes) {
  static thread_local Owned own;
  if (!own.s || own.s->bytes < bytes) {
    drop(std::exchange(own.s, nullptr));
    own.s = allocate(std::max<size_t>(bytes, 1 << 16));
  }
  return own.s->data;
}

// A program's slots on one thread: where each is, and which have to be placed or written when.
struct Frame {
  std::vector<std::byte*> ptr;
  std::vector<uint16_t> full, row, gathers, row_line, store, line_out;
  struct Foreign {  // a slot that reads foreign memory, and where to copy the tile that comes too
                    // close to the end
    uint16_t slot;
    const std::byte* end;
    std::byte* copy;
  };
  std::vector<Foreign> foreign;
  bool streams = false;

  static size_t tile_bytes(const Program& p, const Slot& s) {
    return (size_t(p.tile) * s.element + 127) / 128 * 128;
  }
  static bool is_foreign(const Slot& s, const Address* operands) {
    return (s.kind == Slot::full || s.kind == Slot::row) && !s.written && operands[s.operand].end;
  }

  void prepare(const Step& step, const Address* operands) {
    const Program& p = step.program;
    ptr.resize(p.slots.size());
    full.clear();
    row.clear();
    gathers.clear();
    row_line.clear();
    store.clear();
    line_out.clear();
    foreign.clear();
    streams = false;
    constexpr size_t line_bytes = line_elements * 16;
    size_t need = 64;
    for (const Slot& s : p.slots) {
      const bool tile = s.kind == Slot::temp || s.kind == Slot::gather;
      need += tile ? p.temp_bytes + 64 : s.kind == Slot::unused ? 0 : line_bytes;
      if (is_foreign(s, operands)) need += tile_bytes(p, s) + 64;
    }
    std::byte* next = scratch(need);
    for (uint16_t i = 0; i < p.slots.size(); ++i) {
      const Slot& s = p.slots[i];
      streams |= s.stream;
      if (is_foreign(s, operands)) {
        foreign.push_back({i, operands[s.operand].end, next});
        next += tile_bytes(p, s);
      }
      switch (s.kind) {
        case Slot::full: full.push_back(i); break;
        case Slot::row: row.push_back(i); break;
        case Slot::store: store.push_back(i); break;
        case Slot::line_out: line_out.push_back(i); break;
        case Slot::temp:
          ptr[i] = next;
          next += p.temp_bytes;
          break;
        case Slot::gather:
          ptr[i] = next;
          next += p.temp_bytes;
          gathers.push_back(i);
          break;
        case Slot::row_line:
          ptr[i] = next;
          next += line_bytes;
          row_line.push_back(i);
          break;
        case Slot::temp_line:
          ptr[i] = next;
          next += line_bytes;
          break;
        case Slot::unused: break;
        case Slot::scalar: {
          ptr[i] = next;
          next += line_bytes;
          const DType t = step.in[s.operand].dtype;
          if (t == DType::float16 || t == DType::bfloat16) {
            const std::byte* const from = operands[s.operand].data;
            const float v = t == DType::float16 ? float(*reinterpret_cast<const Half*>(from))
                                                : float(*reinterpret_cast<const BFloat*>(from));
            repeat(ptr[i], reinterpret_cast<const std::byte*>(&v), 4);
          } else {
            repeat(ptr[i], operands[s.operand].data, s.element);
          }
        }
      }
    }
  }
  // Instructions read whole vectors, two at a time where complex numbers are taken apart: up to 128
  // bytes, which the last tiles of foreign memory do not have.
  void copy_last_tiles(const Program& p, size_t n) {
    for (const Foreign& f : foreign) {
      const size_t bytes = n * p.slots[f.slot].element;
      if (std::byte*& from = ptr[f.slot]; f.end - from < int64_t((bytes + 127) / 128 * 128)) {
        std::memcpy(f.copy, from, bytes);
        from = f.copy;
      }
    }
  }
  void read_lines(const Program& p, const Address* operands, int64_t r) {
    for (uint16_t i : row_line) {
      const Slot& s = p.slots[i];
      repeat(ptr[i], operands[s.operand].data + offset_of(r, s.dims, s.strides) * s.element,
             s.element);
    }
  }
  void write_lines(const Program& p, const Address* operands, int64_t r) {
    for (uint16_t i : line_out) {
      const Slot& s = p.slots[i];
      if (s.per_row || r == 0) {
        std::memcpy(operands[s.operand].data + (s.per_row ? r : 0) * s.element, ptr[s.source],
                    s.element);
      }
    }
  }
};
Frame& frame() {  // a kernel never runs another program on the same thread, so one is enough
  static thread_local Frame f;
  return f;
}

// What the blocks of cut rows are reduced to, until the rows are: for each reduction, a value for
// each block.
struct Partials {
  int64_t per_row, blocks;
  std::byte* data;
  std::byte* at(size_t reduction, int64_t block, DType t) const {
    return data + reduction * size_t(blocks) * 8 + size_t(block) * size_of(t);
  }
  void reduce(const Instr& c, size_t reduction, int64_t first, std::byte* const* q,
              size_t n) const {
    for (size_t i = 0; i < n; i += row_block) {
      const std::byte* from = c.lines & 1 ? q[c.a] : q[c.a] + i * size_of(c.from);
      c.fn(q[c.d], from, nullptr, nullptr, c.lines, std::min(row_block, n - i));
      std::memcpy(at(reduction, first++, c.to), q[c.d], size_of(c.to));
    }
  }
};

void run_tiles(const Step& step, const Address* operands, int64_t begin, int64_t end,
               const Partials* partials) {
  Frame& f = frame();
  f.prepare(step, operands);
  const Program& p = step.program;
  const int64_t per_row = (p.cols + p.tile - 1) / p.tile;
  int64_t last_row = -1;
  for (int64_t t = begin; t < end; ++t) {
    const int64_t r = t / per_row;
    const int64_t c0 = (t - r * per_row) * p.tile;
    const size_t n = size_t(std::min(p.tile, p.cols - c0));
    const int64_t at = r * p.cols + c0;
    for (uint16_t i : f.full) {
      f.ptr[i] = operands[p.slots[i].operand].data + at * p.slots[i].element;
    }
    for (uint16_t i : f.gathers) {
      const Slot& s = p.slots[i];
      gather(f.ptr[i], operands[s.operand].data, s.element, s.dims, s.strides, at, int64_t(n));
    }
    for (uint16_t i : f.row) {
      const Slot& s = p.slots[i];
      f.ptr[i] = operands[s.operand].data + (offset_of(r, s.dims, s.strides) + c0) * s.element;
    }
    f.copy_last_tiles(p, n);
    if (r != last_row) f.read_lines(p, operands, r);
    last_row = r;
    std::byte* const* q = f.ptr.data();
    size_t reduction = 0;
    for (const Instr& c : p.code) {
      if (c.mode == Instr::run) {
        c.run_fn(q, n);
      } else if (c.mode == Instr::reduce && partials) {
        partials->reduce(c, reduction++, r * partials->per_row + c0 / int64_t(row_block), q, n);
      } else {
        c.fn(q[c.d], q[c.a], q[c.b], q[c.c], c.lines, c.mode == Instr::line ? line_elements : n);
      }
    }
    for (uint16_t i : f.store) {
      const Slot& s = p.slots[i];
      copy_out(operands[s.operand].data + at * s.element, q[s.source], n * s.element, s.stream);
    }
    if (!partials && c0 == 0) f.write_lines(p, operands, r);
  }
  if (f.streams) finish_streams();
}
// Rows that were cut: from what their blocks were reduced to.
void finish_rows(const Step& step, const Address* operands, const Partials& partials) {
  Frame& f = frame();
  f.prepare(step, operands);
  const Program& p = step.program;
  for (int64_t r = 0; r < p.rows; ++r) {
    f.read_lines(p, operands, r);
    std::byte* const* q = f.ptr.data();
    size_t reduction = 0;
    for (const Instr& c : p.code) {
      if (c.mode == Instr::line) {
        c.fn(q[c.d], q[c.a], q[c.b], q[c.c], c.lines, line_elements);
      } else if (c.mode == Instr::reduce) {
        row_reduce_kernel(c.op, c.to, true)(q[c.d],
                                            partials.at(reduction++, r * partials.per_row, c.to),
                                            nullptr, nullptr, 0, size_t(partials.per_row));
      }
    }
    f.write_lines(p, operands, r);
  }
}

}  // namespace

void run_program(const Step& step, const Address* operands, bool awake) {
  const Program& p = step.program;
  if (p.rows * p.cols == 0) return;
  const int64_t tiles = p.rows * ((p.cols + p.tile - 1) / p.tile);
  const int64_t work = std::max<int64_t>(p.tile * p.work, 1);
  Owned memory;
  std::optional<Partials> partials;
  if (p.reduces && !p.whole_rows) {
    const size_t reductions = size_t(std::count_if(
        p.code.begin(), p.code.end(), [](const Instr& c) { return c.mode == Instr::reduce; }));
    const int64_t per_row = (p.cols + int64_t(row_block) - 1) / int64_t(row_block);
    memory.s = allocate(reductions * size_t(p.rows * per_row) * 8);
    partials = {per_row, p.rows * per_row, memory.s->data};
  }
  const auto run = [&](int64_t a, int64_t b) {
    run_tiles(step, operands, a, b, partials ? &*partials : nullptr);
  };
  const int64_t least = int64_t(1)
                        << (awake ? 16 : 18);  // some 7 us, or 30: waking a thread may take 50
  if (tiles * work < 4 * least) {
    run(0, tiles);
  } else {
    parallel_for(tiles, std::max<int64_t>(1, least / work), run);
  }
  if (partials) finish_rows(step, operands, *partials);
}

}  // namespace ember::native
