// Attention in float32: blocks of queries whose scores stay in a core's cache, from the product
// with the keys to the one with the values.
#include "engines/native/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engines/native/kernels/attention.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

#include "engines/native/kernels/panels.h"
#include "engines/native/kernels/scratch.h"
#include "engines/native/tiles/tables.h"

HWY_BEFORE_NAMESPACE();
namespace ember::native::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;
#include "engines/native/tiles/math-inl.h"
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;
constexpr D d;
}  // namespace

// A row of scores becomes exp(score - largest), or zeros where all are minus infinity; gives their
// sum. n: whole vectors. A NaN among the scores makes the sum one.
float exponents(float* row, int64_t n) {
  constexpr int64_t lanes = int64_t(hn::MaxLanes(d));
  constexpr int64_t block = 4096;  // blocks are added up in double
  V best[4];
  V sum[4];
  for (V& b : best) b = hn::Set(d, -HUGE_VALF);
  int64_t i = 0;
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
    for (int k = 0; k < 4; ++k) best[k] = hn::Max(best[k], hn::LoadU(d, row + i + k * lanes));
  }
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
    for (i = from; i + 4 * lanes <= end; i += 4 * lanes) {
      for (int k = 0; k < 4; ++k) sum[k] = hn::Add(sum[k], one(i + k * lanes));
    }
    for (; i < end; i += lanes) sum[0] = hn::Add(sum[0], one(i));
    total +=
        hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(sum[0], sum[1]), hn::Add(sum[2], sum[3]))));
  }
  return float(total);
}

// A row of weights e and sums of g value becomes that of the weights e / sum, and of the scores'
// gradients p (gp - mean). n: whole vectors.
void score_gradients(float* e, float* gp, int64_t n, float sum, float mean) {
  for (int64_t i = 0; i < n; i += int64_t(hn::MaxLanes(d))) {
    const V p = hn::Div(hn::LoadU(d, e + i), hn::Set(d, sum));
    hn::StoreU(p, d, e + i);
    hn::StoreU(hn::Mul(p, hn::Sub(hn::LoadU(d, gp + i), hn::Set(d, mean))), d, gp + i);
  }
}

float dot(const float* a, const float* b, int64_t n) {
  constexpr int64_t lanes = int64_t(hn::MaxLanes(d));
  V sum = hn::Zero(d);
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    sum = hn::MulAdd(hn::LoadU(d, a + i), hn::LoadU(d, b + i), sum);
  }
  float rest = hn::GetLane(hn::SumOfLanes(d, sum));
  for (; i < n; ++i) rest += a[i] * b[i];
  return rest;
}

}  // namespace ember::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ember::native {
HWY_EXPORT(exponents);
HWY_EXPORT(score_gradients);
HWY_EXPORT(dot);
namespace {

// An input as it broadcasts over the batch.
template <class T> struct Matrices {
  Matrices(const Array& x, std::span<const int64_t> batch)
      : data(x.as<T>()), sizes(batch), steps(batch.size(), 0) {
    const size_t axes = x.shape.size();
    const auto step = [&](size_t from_end) {
      return from_end <= axes && x.shape[axes - from_end] != 1 ? x.strides[axes - from_end] : 0;
    };
    for (size_t i = 0; i < batch.size(); ++i) steps[i] = step(batch.size() - i + 2);
    row = step(2);
    col = step(1);
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
  Attention(std::span<const Array> in, const Array& y, const Attrs& attrs, int64_t fit)
      : batch_(y.shape.first(y.shape.size() - 2)),
        q_(in[0], batch_),
        k_(in[1], batch_),
        v_(in[2], batch_),
        mask_(in.back(), batch_),
        allowed_(in.back(), batch_),
        masked_(in.size() > 3),
        added_(masked_ && in[3].dtype == DType::float32),
        causal_(attrs.as<AttentionAttr>().causal),
        scale_(float(attrs.as<AttentionAttr>().scale)),
        y_(y.as<float>()) {
    const auto last = [](const Array& x, size_t n) { return x.shape[x.shape.size() - n]; };
    queries_ = last(y, 2);
    columns_ = last(y, 1);
    keys_ = last(in[1], 2);
    depth_ = last(in[1], 1);
    blocks_ = (queries_ + fit - 1) / fit;
    rows_ = (queries_ + blocks_ - 1) / blocks_;
    padded_ = (keys_ + lanes_ - 1) / lanes_ * lanes_;
    // With space for the sum. Rows a power of two apart would share a cache set.
    pitch_ = padded_ + 16;
  }

  void run() const {
    const int64_t heads = size_of(batch_);
    const int64_t parts =
        num_threads() > 1 ? std::clamp<int64_t>(4 * num_threads() / heads, 1, blocks_) : 1;
    // In microseconds for a block.
    const double work = double(keys_) * double(depth_ + columns_ + 16) * double(rows_) / 5e4;
    parallel_for(heads * blocks_, std::max((blocks_ + parts - 1) / parts, int64_t(10 / work)),
                 [&](int64_t begin, int64_t end) {
                   const Scratch<float> keys(padded_ * depth_);
                   const Scratch<float> values(panels_size(keys_, columns_));
                   const Scratch<float> query(rows_ * depth_);
                   const Scratch<float> scores(rows_ * pitch_);
                   const Scratch<float> zeros(std::max(padded_, columns_) + panel_);
                   std::fill_n(zeros.data(), std::max(padded_, columns_) + panel_, 0.0f);
                   // Masked keys are left out only if all values are finite: 0 times inf is NaN.
                   bool all = true;
                   for (int64_t i = begin, packed = -1; i < end; ++i) {
                     const int64_t head = i / blocks_;
                     const int64_t first = i % blocks_ * rows_;
                     const int64_t n = std::min(rows_, queries_ - first);
                     if (std::exchange(packed, head) != head) {
                       pack_transposed(k_, head, depth_, keys.data());
                       pack(v_, head, columns_, values.data());
                       if (causal_) all = all_finite(values.data(), panels_size(keys_, columns_));
                     }
                     const int64_t seen = causal_ && all ? reach(first + n) : padded_;
                     block(head, first, n, seen,
                           {keys.data(), values.data(), query.data(), scores.data(), zeros.data()});
                   }
                 });
  }

 protected:
  // Memory of one thread: packed keys and values, some queries and their scores, and zeros.
  struct Workspace {
    float *keys, *values, *query, *scores, *zeros;
  };

  // The number of keys that the first `queries` queries see, in whole panels.
  int64_t reach(int64_t queries) const {
    return std::min(padded_, (queries + panel_ - 1) / panel_ * panel_);
  }

  // Packs all keys or values as columns of panels; pack(), as rows.
  void pack_transposed(const Matrices<float>& m, int64_t head, int64_t depth, float* to) const {
    const float* const x = m.at(head);
    if (m.col == 1) {
      pack_columns(x, m.row, depth, keys_, to);
    } else {
      pack_panels(depth, keys_, to, [&](int64_t e, int64_t j) { return x[j * m.row + e * m.col]; });
    }
  }
  void pack(const Matrices<float>& m, int64_t head, int64_t columns, float* to) const {
    const float* const x = m.at(head);
    if (m.col == 1) {
      pack_rows(x, m.row, keys_, columns, to);
    } else {
      pack_panels(keys_, columns, to,
                  [&](int64_t j, int64_t c) { return x[j * m.row + c * m.col]; });
    }
  }

  // Copies n rows, contiguous.
  static void copy(const Matrices<float>& m, int64_t head, int64_t first, int64_t n,
                   int64_t columns, float* to, float scale = 1) {
    const float* x = m.at(head) + first * m.row;
    for (int64_t r = 0; r < n; ++r, x += m.row, to += columns) {
      if (m.col == 1) {
        for (int64_t c = 0; c < columns; ++c) to[c] = x[c] * scale;
      } else {
        for (int64_t c = 0; c < columns; ++c) to[c] = x[c * m.col] * scale;
      }
    }
  }

  // Computes the weights of n queries for the first `seen` keys, whole panels of them, before the
  // division by the sum, which is stored behind them.
  void weights(int64_t head, int64_t first, int64_t n, int64_t seen, const Workspace& w) const {
    const int64_t deep = std::min(seen, keys_);
    multiply_panels({.a = w.query,
                     .rows = n,
                     .depth = depth_,
                     .columns = seen,
                     .lda = depth_,
                     .run = depth_,
                     .panels = w.keys,
                     .bias = w.zeros,
                     .c = w.scores,
                     .ldc = pitch_,
                     .epilogue = {}});
    for (int64_t r = 0; r < n; ++r) {
      float* const row = w.scores + r * pitch_;
      if (masked_) hide(head, first + r, deep, row);
      std::fill(row + (causal_ ? std::min(deep, first + r + 1) : deep), row + seen, -HUGE_VALF);
      const float sum = HWY_DYNAMIC_DISPATCH(exponents)(row, seen);
      row[padded_] = sum == 0 ? 1 : sum;
    }
  }
  // Multiplies the weights of n queries for the first keys by panels over all keys.
  void multiply_keys(const float* weights, int64_t n, int64_t keys, const float* panels,
                     int64_t columns, const float* zeros, float* to) const {
    for (int64_t c = 0; c < columns; c += panel_) {
      multiply_panels({.a = weights,
                       .rows = n,
                       .depth = keys,
                       .columns = std::min(panel_, columns - c),
                       .lda = pitch_,
                       .run = keys,
                       .panels = panels + c * keys_,
                       .bias = zeros,
                       .c = to + c,
                       .ldc = columns,
                       .epilogue = {}});
    }
  }

  void block(int64_t head, int64_t first, int64_t n, int64_t seen, const Workspace& w) const {
    copy(q_, head, first, n, depth_, w.query, scale_);
    weights(head, first, n, seen, w);
    float* const out = y_ + (head * queries_ + first) * columns_;
    multiply_keys(w.scores, n, std::min(seen, keys_), w.values, columns_, w.zeros, out);
    for (int64_t r = 0; r < n; ++r) {
      for (int64_t c = 0; c < columns_; ++c) {
        out[r * columns_ + c] /= w.scores[r * pitch_ + padded_];
      }
    }
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
  const Array& k = call.in[1];
  const Array& y = call.out[0];
  if (!y.size) return;
  if (!k.shape[k.shape.size() - 2]) return void(std::fill_n(y.as<float>(), y.size, 0.0f));
  const int64_t fit = std::max<int64_t>(1, (1 << 13) / k.shape[k.shape.size() - 2] / panel_rows()) *
                      panel_rows();  // rows of scores in a core's cache
  Attention(call.in, y, call.attrs,
            call.attrs.as<AttentionAttr>().causal ? std::min<int64_t>(fit, 32) : fit)
      .run();  // the first queries see few keys
}

// With weights p = e / sum, a score's gradient is p (gp - sum(g y)), where gp is g times the
// values. A block of queries adds to the gradients of all keys and values that it sees. If heads
// are few, their queries are split into parts whose gradients are summed.
class AttentionGradient : Attention {
 public:
  AttentionGradient(const Call& c, int64_t fit)
      : Attention(c.in.subspan(2), c.in[0], c.attrs, fit),
        given_(c.in[0], batch_),
        g_(c.in[1], batch_),
        query_grad_(c.out[0].as<float>()),
        key_grad_(c.out[1].as<float>()),
        value_grad_(c.out[2].as<float>()) {}

  void run() const {
    const int64_t heads = size_of(batch_);
    const int64_t parts = std::clamp<int64_t>(16 / heads, 1, blocks_);
    const int64_t key_size = keys_ * depth_;
    const int64_t value_size = keys_ * columns_;
    const int64_t size = key_size + value_size;
    Scratch<float> others(heads * (parts - 1) * size);
    const auto other = [&](int64_t head, int64_t part) {
      return others.data() + (head * (parts - 1) + part - 1) * size;
    };
    parallel_for(heads * parts, 1, [&](int64_t begin, int64_t end) {
      Memory m(*this);
      for (int64_t i = begin; i < end; ++i) {
        const int64_t head = i / parts;
        const int64_t part = i % parts;
        m.keys_sum = part ? other(head, part) : key_grad_ + head * key_size;
        m.values_sum = part ? other(head, part) + key_size : value_grad_ + head * value_size;
        pack_transposed(k_, head, depth_, m.keys.data());
        pack_transposed(v_, head, columns_, m.values.data());
        pack(k_, head, depth_, m.rows.data());
        m.finite = causal_ && all_finite(m.keys.data(), padded_ * depth_) &&
                   all_finite(m.values.data(), padded_ * columns_);
        const int64_t from = part * blocks_ / parts;
        const int64_t to = (part + 1) * blocks_ / parts;
        // The last block sees the most keys, so it initializes the sums.
        for (int64_t b = to; b-- > from;) {
          float* const out = query_grad_ + (head * queries_ + b * rows_) * depth_;
          block_gradient(head, b * rows_, b + 1 == to, out, m);
        }
      }
    });
    if (parts == 1) return;
    parallel_for(heads, 1, [&](int64_t begin, int64_t end) {
      for (int64_t head = begin; head < end; ++head) {
        for (int64_t part = 1; part < parts; ++part) {
          const float* const from = other(head, part);
          for (int64_t j = 0; j < key_size; ++j) key_grad_[head * key_size + j] += from[j];
          for (int64_t j = 0; j < value_size; ++j) {
            value_grad_[head * value_size + j] += from[key_size + j];
          }
        }
      }
    });
  }

 private:
  // Memory of one thread.
  struct Memory {
    explicit Memory(const AttentionGradient& a)
        : keys(a.padded_ * a.depth_),
          values(a.padded_ * a.columns_),
          rows(panels_size(a.keys_, a.depth_)),
          query(a.rows_ * a.depth_),
          g(a.rows_ * a.columns_),
          y(a.rows_ * a.columns_),
          scores(a.rows_ * a.pitch_),
          slopes(a.rows_ * a.pitch_),
          queries(panels_size(a.rows_, a.depth_)),
          gs(panels_size(a.rows_, a.columns_)),
          zeros(std::max({a.padded_, a.columns_, a.depth_}) + a.panel_) {
      std::fill_n(zeros.data(), std::max({a.padded_, a.columns_, a.depth_}) + a.panel_, 0.0f);
    }
    Scratch<float> keys, values, rows;  // packed: as columns, as columns, keys as rows
    Scratch<float> query, g, y;         // of a block of queries
    Scratch<float> scores, slopes;      // the weights, and the gradients of the scores
    Scratch<float> queries, gs;         // packed
    Scratch<float> zeros;
    float* keys_sum = nullptr;    // the gradients of all keys
    float* values_sum = nullptr;  // and of all values
    bool finite = false;          // all keys and values are, so masked keys may be left out
  };

  // The gradient of a block of queries, written to `out`, and its part of the sums.
  void block_gradient(int64_t head, int64_t first, bool initialize, float* out, Memory& m) const {
    const int64_t n = std::min(rows_, queries_ - first);
    copy(q_, head, first, n, depth_, m.query.data(), scale_);
    copy(g_, head, first, n, columns_, m.g.data());
    copy(given_, head, first, n, columns_, m.y.data());
    const bool less =
        m.finite && all_finite(m.query.data(), n * depth_) && all_finite(m.g.data(), n * columns_);
    const int64_t seen = less ? reach(first + n) : padded_;
    const int64_t deep = std::min(seen, keys_);
    weights(head, first, n, seen,
            {m.keys.data(), m.values.data(), m.query.data(), m.scores.data(), m.zeros.data()});
    multiply_panels({.a = m.g.data(),
                     .rows = n,
                     .depth = columns_,
                     .columns = seen,
                     .lda = columns_,
                     .run = columns_,
                     .panels = m.values.data(),
                     .bias = m.zeros.data(),
                     .c = m.slopes.data(),
                     .ldc = pitch_,
                     .epilogue = {}});
    for (int64_t r = 0; r < n; ++r) {
      float* const scores = m.scores.data() + r * pitch_;
      HWY_DYNAMIC_DISPATCH(score_gradients)(
          scores, m.slopes.data() + r * pitch_, seen, scores[padded_],
          HWY_DYNAMIC_DISPATCH(dot)(m.g.data() + r * columns_, m.y.data() + r * columns_,
                                    columns_));
    }
    multiply_keys(m.slopes.data(), n, deep, m.rows.data(), depth_, m.zeros.data(), out);
    for (int64_t j = 0; j < n * depth_; ++j) out[j] *= scale_;
    pack_rows(m.query.data(), depth_, n, depth_, m.queries.data());
    pack_rows(m.g.data(), columns_, n, columns_, m.gs.data());
    const auto add = [&](const float* weights, const float* panels, int64_t columns, float* sum) {
      if (initialize) std::fill(sum + deep * columns, sum + keys_ * columns, 0.0f);
      multiply_panels({.a = weights,
                       .rows = deep,
                       .depth = n,
                       .columns = columns,
                       .lda = 1,
                       .run = n,
                       .step = pitch_,
                       .panels = panels,
                       .bias = m.zeros.data(),
                       .c = sum,
                       .ldc = columns,
                       .epilogue = {.residual = initialize ? nullptr : sum}});
    };
    add(m.slopes.data(), m.queries.data(), depth_, m.keys_sum);
    add(m.scores.data(), m.gs.data(), columns_, m.values_sum);
  }

  const Matrices<float> given_, g_;
  float* const query_grad_;
  float* const key_grad_;
  float* const value_grad_;
};

void attention_grad(const Call& call) {
  const Array& y = call.in[0];
  const Array& k = call.in[3];
  const int64_t keys = k.shape[k.shape.size() - 2];
  if (!y.size || !keys) {
    for (const Array& out : call.out) std::fill_n(out.as<float>(), out.size, 0.0f);
    return;
  }
  AttentionGradient(call, std::clamp<int64_t>((1 << 15) / keys, panel_rows(),
                                              call.attrs.as<AttentionAttr>().causal ? 32 : 64))
      .run();
}

Support supports(const SliceNode& n, const Slice& s) {
  const size_t mask = n.op == OpId::attention ? 3 : 5;
  const DType t = n.in.size() > mask ? s.nodes[n.in[mask]].dtype : DType::bool_;
  const bool known =
      s.nodes[n.in[0]].dtype == DType::float32 && (t == DType::bool_ || t == DType::float32);
  return known ? Support() : "the kernel is for float32, with masks of bool or float32";
}

constexpr KernelRow rows[] = {{OpId::attention, attention, false, supports},
                              {OpId::attention_grad, attention_grad, false, supports}};

}  // namespace

std::span<const KernelRow> attention_kernels() { return rows; }

}  // namespace ember::native
#endif
