// Attention in float32: blocks of queries whose scores stay in a core's cache, from the product with the keys to the one with the values.
#include "engines/native/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engines/native/kernels_attention.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

#include "engines/native/panels.h"
#include "engines/native/scratch.h"
#include "engines/native/tables.h"

HWY_BEFORE_NAMESPACE();
namespace ember::native::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;
#include "engines/native/lanes-inl.h"
#include "engines/native/math-inl.h"
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;
constexpr D d;
}  // namespace

// A row of scores becomes exp(score - largest), or zeros where all are minus infinity; gives their sum. n: whole vectors. A NaN among
// the scores makes the sum one.
float exponents(float* row, int64_t n) {
  constexpr int64_t lanes = int64_t(hn::MaxLanes(d)), block = 4096;  // blocks are added up in double
  V best[4], sum[4];
  for (V& b : best) b = hn::Set(d, -HUGE_VALF);
  int64_t i = 0;
  for (; i + 4 * lanes <= n; i += 4 * lanes)
    for (int k = 0; k < 4; ++k) best[k] = hn::Max(best[k], hn::LoadU(d, row + i + k * lanes));
  for (; i < n; i += lanes) best[0] = hn::Max(best[0], hn::LoadU(d, row + i));
  V top = hn::MaxOfLanes(d, hn::Max(hn::Max(best[0], best[1]), hn::Max(best[2], best[3])));
  top = hn::IfThenElse(hn::Eq(top, hn::Set(d, -HUGE_VALF)), hn::Zero(d), top);
  double total = 0;
  for (int64_t from = 0; from < n; from += block) {
    const int64_t end = std::min(n, from + block);
    for (V& s : sum) s = hn::Zero(d);
    const auto one = [&](int64_t at) HWY_ATTR {
      const V e = vm::exp(d, hn::Sub(hn::LoadU(d, row + at), top));
      hn::StoreU(e, d, row + at);
      return e;
    };
    for (i = from; i + 4 * lanes <= end; i += 4 * lanes)
      for (int k = 0; k < 4; ++k) sum[k] = hn::Add(sum[k], one(i + k * lanes));
    for (; i < end; i += lanes) sum[0] = hn::Add(sum[0], one(i));
    total += hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(sum[0], sum[1]), hn::Add(sum[2], sum[3]))));
  }
  return float(total);
}

// to[k * width + j] = from[j * row + k] for j < rows, a multiple of four, and k < depth.
void transpose(const float* from, int64_t row, int64_t rows, int64_t depth, float* to, int64_t width) {
  constexpr int64_t w = square<float>;
  const int64_t done = depth / w * w;
  for (int64_t j = 0; j < rows; j += w)
    for (int64_t k = 0; k < done; k += w) turn(from + j * row + k, row, [&](int64_t i) { return to + (k + i) * width + j; });
  for (int64_t j = 0; j < rows; ++j)
    for (int64_t k = done; k < depth; ++k) to[k * width + j] = from[j * row + k];
}

}  // namespace ember::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ember::native {
HWY_EXPORT(exponents);
HWY_EXPORT(transpose);
namespace {

// An input as it broadcasts over the batch.
template <class T>
struct Matrices {
  Matrices(const Array& x, std::span<const int64_t> batch) : data(x.as<T>()), sizes(batch), steps(batch.size(), 0) {
    const size_t axes = x.shape.size();
    const auto step = [&](size_t from_end) { return from_end <= axes && x.shape[axes - from_end] != 1 ? x.strides[axes - from_end] : 0; };
    for (size_t i = 0; i < batch.size(); ++i) steps[i] = step(batch.size() - i + 2);
    row = step(2), col = step(1);
  }
  const T* at(int64_t index) const {
    const T* p = data;
    for (size_t i = sizes.size(); i--; index /= sizes[i]) p += index % sizes[i] * steps[i];
    return p;
  }
  const T* data;
  std::span<const int64_t> sizes;
  Ints steps;
  int64_t row = 0, col = 0;
};

class Attention {
 public:
  explicit Attention(const Call& c)
      : batch_(c.out[0].shape.first(c.out[0].shape.size() - 2)), q_(c.in[0], batch_), k_(c.in[1], batch_), v_(c.in[2], batch_),
        mask_(c.in.back(), batch_), allowed_(c.in.back(), batch_), masked_(c.in.size() > 3), added_(masked_ && c.in[3].dtype == DType::float32),
        causal_(c.attrs.as<FlagAttr>().flag), scale_(float(c.attrs.as<FlagAttr>().value)), y_(c.out[0].as<float>()) {
    const auto last = [](const Array& x, size_t n) { return x.shape[x.shape.size() - n]; };
    queries_ = last(c.out[0], 2), columns_ = last(c.out[0], 1), keys_ = last(c.in[1], 2), depth_ = last(c.in[1], 1);
    const int64_t fit = std::max<int64_t>(1, (1 << 13) / keys_ / panel_rows()) * panel_rows();  // rows of scores in a core's cache
    blocks_ = (queries_ + fit - 1) / fit, rows_ = (queries_ + blocks_ - 1) / blocks_;
    padded_ = (keys_ + lanes_ - 1) / lanes_ * lanes_;
    pitch_ = padded_ + 16;  // with room for the sum; rows a power of two apart would share places in the cache
  }

  void run() const {
    const int64_t heads = size_of(batch_), parts = num_threads() > 1 ? std::clamp<int64_t>(4 * num_threads() / heads, 1, blocks_) : 1;
    const double work = double(keys_) * double(depth_ + columns_ + 16) * double(rows_) / 5e4;  // microseconds of a block
    parallel_for(heads * blocks_, std::max((blocks_ + parts - 1) / parts, int64_t(10 / work)), [&](int64_t begin, int64_t end) {
      const Scratch<float> keys(padded_ * depth_), values(panels_size(keys_, columns_)), query(rows_ * depth_), scores(rows_ * pitch_);
      const Scratch<float> zeros(std::max(padded_, columns_) + panel_);
      std::fill_n(zeros.data(), std::max(padded_, columns_) + panel_, 0.0f);
      bool finite = true;  // a zero times what is not would be a NaN: then nothing may be left out
      for (int64_t i = begin, there = -1; i < end; ++i) {
        const int64_t head = i / blocks_, first = i % blocks_ * rows_, n = std::min(rows_, queries_ - first);
        if (std::exchange(there, head) != head) {
          pack(head, keys.data(), values.data());
          if (causal_) finite = std::all_of(values.data(), values.data() + panels_size(keys_, columns_), [](float v) { return v - v == 0; });
        }
        const int64_t seen = causal_ && finite ? std::min(padded_, (first + n + panel_ - 1) / panel_ * panel_) : padded_;
        block(head, first, n, seen, {keys.data(), values.data(), query.data(), scores.data(), zeros.data()});
      }
    });
  }

 private:
  struct Room { float *keys, *values, *query, *scores, *zeros; };

  void pack(int64_t head, float* keys, float* values) const {
    const float *const k = k_.at(head), *const v = v_.at(head);
    for (int64_t first = 0; first < keys_; first += panel_) {
      const int64_t wide = keys_ - first <= lanes_ ? lanes_ : panel_, n = std::min(wide, keys_ - first), fours = k_.col == 1 ? n / 4 * 4 : 0;
      HWY_DYNAMIC_DISPATCH(transpose)(k + first * k_.row, k_.row, fours, depth_, keys, wide);
      for (int64_t e = 0; e < depth_; ++e, keys += wide)
        for (int64_t j = fours; j < wide; ++j) keys[j] = j < n ? k[(first + j) * k_.row + e * k_.col] : 0.0f;
    }
    if (v_.col == 1) pack_rows(v, v_.row, keys_, columns_, values);
    else pack_panels(keys_, columns_, values, [&](int64_t j, int64_t c) { return v[j * v_.row + c * v_.col]; });
  }

  // The first `seen` keys, rounded up to whole panels, are looked at.
  void block(int64_t head, int64_t first, int64_t n, int64_t seen, const Room& room) const {
    const float* const q = q_.at(head) + first * q_.row;
    for (int64_t r = 0; r < n; ++r)
      for (int64_t e = 0; e < depth_; ++e) room.query[r * depth_ + e] = q[r * q_.row + e * q_.col] * scale_;
    const int64_t deep = std::min(seen, keys_);
    multiply_panels({.a = room.query, .rows = n, .depth = depth_, .columns = seen, .lda = depth_, .run = depth_, .panels = room.keys,
                     .bias = room.zeros, .c = room.scores, .ldc = pitch_, .end = {}});
    for (int64_t r = 0; r < n; ++r) {
      float* const row = room.scores + r * pitch_;
      if (masked_) hide(head, first + r, deep, row);
      std::fill(row + (causal_ ? std::min(deep, first + r + 1) : deep), row + seen, -HUGE_VALF);
      const float sum = HWY_DYNAMIC_DISPATCH(exponents)(row, seen);
      row[padded_] = sum == 0 ? 1 : sum;
    }
    float* const out = y_ + (head * queries_ + first) * columns_;
    for (int64_t c = 0; c < columns_; c += panel_)
      multiply_panels({.a = room.scores, .rows = n, .depth = deep, .columns = std::min(panel_, columns_ - c), .lda = pitch_, .run = deep,
                       .panels = room.values + c * keys_, .bias = room.zeros, .c = out + c, .ldc = columns_, .end = {}});
    for (int64_t r = 0; r < n; ++r)
      for (int64_t c = 0; c < columns_; ++c) out[r * columns_ + c] /= room.scores[r * pitch_ + padded_];
  }

  void hide(int64_t head, int64_t query, int64_t n, float* row) const {
    if (added_) {
      const float* const m = mask_.at(head) + query * mask_.row;
      for (int64_t j = 0; j < n; ++j) row[j] += m[j * mask_.col];
    } else {
      const bool* const m = allowed_.at(head) + query * allowed_.row;
      for (int64_t j = 0; j < n; ++j) row[j] = m[j * allowed_.col] ? row[j] : -HUGE_VALF;
    }
  }

  const std::span<const int64_t> batch_;
  const Matrices<float> q_, k_, v_, mask_;
  const Matrices<bool> allowed_;
  const bool masked_, added_, causal_;
  const float scale_;
  float* const y_;
  const int64_t panel_ = panel_columns(), lanes_ = panel_ / 2;
  int64_t queries_, keys_, depth_, columns_, blocks_, rows_, padded_, pitch_;
};

void attention(const Call& call) {
  const Array &k = call.in[1], &y = call.out[0];
  if (!y.size) return;
  if (!k.shape[k.shape.size() - 2]) return void(std::fill_n(y.as<float>(), y.size, 0.0f));
  Attention(call).run();
}

bool takes(const SliceNode& n, const Slice& s) {
  const DType mask = n.in.size() > 3 ? s.nodes[n.in[3]].dtype : DType::bool_;
  return n.dtype == DType::float32 && (mask == DType::bool_ || mask == DType::float32);
}

constexpr KernelRow rows[] = {{OpId::attention, attention, false, takes}};

}  // namespace

std::span<const KernelRow> attention_kernels() { return rows; }

}  // namespace ember::native
#endif
