#include "engines/native/kernels/conv_dnnl.h"

#ifndef EMBER_HAVE_DNNL

namespace ember::native {
bool conv_dnnl(const ConvShape&, const float*, const float*, const float*, float*) { return false; }
bool conv_filter_dnnl(const ConvShape&, const float*, const float*, float*) { return false; }
}  // namespace ember::native

#else

#include <unistd.h>

#include <cmath>
#include <dnnl.hpp>
#include <mutex>
#include <optional>

#include "engines/native/kernels/blas.h"
#include "engines/native/threads/signals.h"

// oneDNN loads libgomp, which has these functions. They are weak, so that a build without oneDNN
// does not link OpenMP.
extern "C" __attribute__((weak)) void omp_set_num_threads(int);
extern "C" __attribute__((weak)) int omp_get_max_threads(void);

namespace ember::native {
namespace {

using Desc = dnnl::memory::desc;
using Tag = dnnl::memory::format_tag;
using Dims = dnnl::memory::dims;
constexpr auto f32 = dnnl::memory::data_type::f32;

const dnnl::engine& engine() {  // never destroyed: threads may still run at exit
  static const dnnl::engine& e = *new dnnl::engine(dnnl::engine::kind::cpu, 0);
  return e;
}

double products(const ConvShape& s) {
  return double(s.batch) * double(s.filters) * double(s.positions()) *
         double(s.channels / s.groups) * double(s.taps());
}

// Sets OpenMP's number of threads; the calling thread's own setting comes back after.
class ThreadLimit {
 public:
  explicit ThreadLimit(int threads) {
    if (omp_set_num_threads && omp_get_max_threads) {
      before_ = omp_get_max_threads();
      omp_set_num_threads(threads);
    }
  }
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;
  ~ThreadLimit() {
    if (before_) omp_set_num_threads(before_);
  }

 private:
  int before_ = 0;
};

// A prepared convolution: its layouts, and the reorders from and to Ember's.
struct Plan {
  dnnl::primitive run, pack_x, pack_w,
      unpack_y;  // the last three are empty if the layout is Ember's
  Desc our_x, our_w, our_y, x, w, y, bias, scratchpad;
  bool flip = false;  // the filter is flipped first
};
// A prepared gradient of a filter: w is the result.
struct FilterPlan {
  dnnl::primitive run, pack_x, pack_y, unpack_w;
  Desc our_x, our_y, our_w, x, y, w, scratchpad;
};

void reorder(dnnl::primitive& to, const Desc& from_desc, const Desc& to_desc) {
  to = {};
  if (from_desc == to_desc) return;
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  const dnnl::reorder::primitive_desc desc(engine(), from_desc, engine(), to_desc, attr);
  if (desc.scratchpad_desc().get_size()) {
    throw dnnl::error(dnnl_unimplemented, "a reorder with a scratchpad");
  }
  to = dnnl::reorder(desc);
}

// Layouts to try for input and output, best first. Measured: blocked channels with all reorders are
// faster than plain layouts; few input channels are better read in place; `any` is oneDNN's choice.
struct Layouts {
  Tag x, y;
};
std::vector<Layouts> layouts(size_t axes) {
  constexpr Tag plain[] = {Tag::ncw, Tag::nchw, Tag::ncdhw};
  constexpr Tag wide[] = {Tag::nCw16c, Tag::nChw16c, Tag::nCdhw16c};
  constexpr Tag narrow[] = {Tag::nCw8c, Tag::nChw8c, Tag::nCdhw8c};
  constexpr Tag last[] = {Tag::nwc, Tag::nhwc, Tag::ndhwc};
  const size_t i = axes - 1;
  return {{wide[i], wide[i]},    {plain[i], wide[i]},  {narrow[i], narrow[i]},
          {plain[i], narrow[i]}, {Tag::any, Tag::any}, {last[i], last[i]}};
}

bool all(const Ints& values, int64_t v) {
  return std::ranges::all_of(values, [&](int64_t i) { return i == v; });
}
bool in_range(const Ints& values, int64_t least, int64_t most) {
  return std::ranges::all_of(values, [&](int64_t i) { return i >= least && i <= most; });
}

// The order of sums in oneDNN's "gemm" and "brgemm" kinds depends on the number of threads; that of
// the older jit kinds does not.
bool is_steady(std::string_view kind) {
  return kind.find("jit") != kind.npos && kind.find("gemm") == kind.npos &&
         kind.find("brg") == kind.npos;
}

std::shared_ptr<const Plan> make_plan(const ConvShape& s, bool with_bias, bool steady) {
  const size_t axes = s.in.size();
  const bool dilated = !all(s.input_dilation, 1);
  if (axes > 3 || (dilated && !all(s.strides, 1))) return nullptr;
  // Long kernels are what gradients of kernels look like: code made for each tap is slower than our
  // own way, except depthwise.
  if (!in_range(s.kernel, 1, s.groups == s.channels ? 64 : 16)) return nullptr;
  Dims strides;
  Dims gaps;
  Dims low;
  Dims high;
  for (size_t d = 0; d < axes; ++d) {
    // A convolution of a dilated input is a transposed convolution with the filter flipped, where
    // `low` counts from the other end.
    const int64_t reach = (s.kernel[d] - 1) * s.dilation[d];
    strides.push_back(dilated ? s.input_dilation[d] : s.strides[d]);
    gaps.push_back(s.dilation[d] - 1);
    low.push_back(dilated ? reach - s.low[d] : s.low[d]);
    high.push_back(dilated ? (s.in[d] - 1) * s.input_dilation[d] + 1 + reach - low.back() - s.out[d]
                           : (s.out[d] - 1) * s.strides[d] + reach + 1 - s.in[d] - s.low[d]);
  }
  if (std::ranges::any_of(low, [](int64_t v) { return v < 0; })) return nullptr;

  auto plan = std::make_shared<Plan>();
  plan->flip = dilated;
  const auto dims = [](std::initializer_list<int64_t> front, const Ints& spatial) {
    Dims d(front);
    d.insert(d.end(), spatial.begin(), spatial.end());
    return d;
  };
  const auto plain = [](const Dims& d) { return Desc(d, f32, Dims(contiguous_strides(d).vec())); };
  const Dims x = dims({s.batch, s.channels}, s.in);
  const Dims y = dims({s.batch, s.filters}, s.out);
  const Dims w = s.groups == 1
                     ? dims({s.filters, s.channels}, s.kernel)
                     : dims({s.groups, s.filters / s.groups, s.channels / s.groups}, s.kernel);
  plan->our_x = plain(x);
  plan->our_w = plain(w);
  plan->our_y = plain(y);
  plan->bias = with_bias ? Desc({s.filters}, f32, Tag::a) : Desc();
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  const auto take = [&](const auto& desc, auto make) {
    const std::string_view how = desc.impl_info_str();
    if (how.find("ref") != how.npos || (steady && !is_steady(how))) return false;
    plan->x = desc.src_desc();
    plan->w = desc.weights_desc();
    plan->y = desc.dst_desc();
    plan->scratchpad = desc.scratchpad_desc();
    reorder(plan->pack_x, plan->our_x, plan->x);
    reorder(plan->pack_w, plan->our_w, plan->w);
    reorder(plan->unpack_y, plan->y, plan->our_y);
    plan->run = make(desc);
    return true;
  };
  for (const Layouts& l : layouts(axes)) {
    try {
      const Desc dx(x, f32, l.x);
      const Desc dw(w, f32, Tag::any);
      const Desc dy(y, f32, l.y);
      const auto kind = dnnl::prop_kind::forward_inference;
      bool taken = false;
      if (dilated) {
        taken = take(dnnl::deconvolution_forward::primitive_desc(
                         engine(), kind, dnnl::algorithm::deconvolution_direct, dx, dw, plan->bias,
                         dy, strides, gaps, low, high, attr),
                     [](const auto& desc) { return dnnl::deconvolution_forward(desc); });
      } else {
        taken = take(dnnl::convolution_forward::primitive_desc(
                         engine(), kind, dnnl::algorithm::convolution_direct, dx, dw, plan->bias,
                         dy, strides, gaps, low, high, attr),
                     [](const auto& desc) { return dnnl::convolution_forward(desc); });
      }
      if (taken) return plan;
    } catch (const dnnl::error& e) {
      if (e.status == dnnl_out_of_memory) throw;
    }
  }
  return nullptr;
}

// s: the convolution whose filter it is about. Our w has the channels first.
std::shared_ptr<const FilterPlan> make_filter_plan(const ConvShape& s) {
  const size_t axes = s.in.size();
  if (axes > 3) return nullptr;
  Dims x = {s.batch, s.channels};
  Dims y = {s.batch, s.filters};
  Dims w = {s.filters, s.channels};
  Dims flipped = {s.taps(), s.filters * s.taps()};
  Dims gaps;
  Dims high;
  int64_t step = s.taps();
  for (size_t d = 0; d < axes; ++d) {
    x.push_back(s.in[d]);
    y.push_back(s.out[d]);
    w.push_back(s.kernel[d]);
    flipped.push_back(step /= s.kernel[d]);
    gaps.push_back(s.dilation[d] - 1);
    high.push_back((s.out[d] - 1) * s.strides[d] + (s.kernel[d] - 1) * s.dilation[d] + 1 - s.in[d] -
                   s.low[d]);
  }
  const auto plain = [](const Dims& d) { return Desc(d, f32, Dims(contiguous_strides(d).vec())); };
  const auto list = [](const Ints& v) { return Dims(v.begin(), v.end()); };
  auto plan = std::make_shared<FilterPlan>();
  plan->our_x = plain(x);
  plan->our_y = plain(y);
  plan->our_w = Desc(w, f32, flipped);
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  for (const Layouts& l : layouts(axes)) {
    try {
      const Desc dx(x, f32, l.x);
      const Desc dw(w, f32, Tag::any);
      const Desc dy(y, f32, l.y);
      const auto direct = dnnl::algorithm::convolution_direct;
      const dnnl::convolution_forward::primitive_desc hint(
          engine(), dnnl::prop_kind::forward_training, direct, dx, dw, dy, list(s.strides), gaps,
          list(s.low), high, attr);
      const dnnl::convolution_backward_weights::primitive_desc desc(
          engine(), direct, dx, dw, dy, list(s.strides), gaps, list(s.low), high, hint, attr);
      if (std::string_view(desc.impl_info_str()).find("ref") != std::string_view::npos) continue;
      plan->x = desc.src_desc();
      plan->y = desc.diff_dst_desc();
      plan->w = desc.diff_weights_desc();
      plan->scratchpad = desc.scratchpad_desc();
      reorder(plan->pack_x, plan->our_x, plan->x);
      reorder(plan->pack_y, plan->our_y, plan->y);
      reorder(plan->unpack_w, plan->w, plan->our_w);
      plan->run = dnnl::convolution_backward_weights(desc);
      return plan;
    } catch (const dnnl::error& e) {
      if (e.status == dnnl_out_of_memory) throw;
    }
  }
  return nullptr;
}

// The most recently used plans. A shape that oneDNN does not support has an entry without a plan.
template <class P> class Plans {
 public:
  template <class Make>
  std::shared_ptr<const P> get(const ConvShape& s, std::initializer_list<int64_t> more,
                               Make&& make) {
    std::vector<int64_t> key = {s.batch, s.channels, s.filters, s.groups};
    key.insert(key.end(), more);
    for (const Ints* part :
         {&s.in, &s.out, &s.kernel, &s.strides, &s.low, &s.dilation, &s.input_dilation}) {
      key.insert(key.end(), part->begin(), part->end());
    }
    uint64_t hash = 0;
    for (const int64_t v : key) {
      hash = (hash ^ uint64_t(v)) * 0x9E3779B97F4A7C15;
      hash ^= hash >> 29;
    }
    {
      std::lock_guard lock(mutex_);
      for (Entry& e : entries_) {
        if (e.hash == hash && e.key == key) return e.used = ++clock_, e.plan;
      }
    }
    auto plan = make();  // without the lock: it may compile code
    std::lock_guard lock(mutex_);
    if (entries_.size() < most) {
      entries_.push_back({hash, ++clock_, std::move(key), plan});
    } else {
      *std::ranges::min_element(entries_, {}, &Entry::used) = {hash, ++clock_, std::move(key),
                                                               plan};
    }
    return plan;
  }

 private:
  static constexpr size_t most = 256;
  struct Entry {
    uint64_t hash, used;
    std::vector<int64_t> key;
    std::shared_ptr<const P> plan;
  };
  std::mutex mutex_;
  std::vector<Entry> entries_;
  uint64_t clock_ = 0;
};

dnnl::memory memory(const Desc& desc, const void* data) {
  return dnnl::memory(desc, engine(), const_cast<void*>(data));
}
Scratch<std::byte> space(const Desc& desc, bool needed = true) {
  return Scratch<std::byte>(needed ? int64_t(desc.get_size()) : 0);
}
void convert(dnnl::stream& stream, const dnnl::primitive& how, const dnnl::memory& from,
             const dnnl::memory& to) {
  how.execute(stream, {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}});
}

// The filters in the layout of a plan.
class Filters {
 public:
  Filters(const Plan& plan, const ConvShape& s, const float* w) : data(w) {
    const int64_t taps = s.taps();
    const int64_t n = s.filters * (s.channels / s.groups);
    if (plan.flip) {
      float* const to = flipped_.make(n * taps);
      for (int64_t i = 0; i < n; ++i) {
        std::reverse_copy(w + i * taps, w + (i + 1) * taps, to + i * taps);
      }
      data = to;
    }
    if (!plan.pack_w) return;
    dnnl::stream stream(engine());
    std::byte* const to = packed_.make(int64_t(plan.w.get_size()));
    convert(stream, plan.pack_w, memory(plan.our_w, data), memory(plan.w, to));
    stream.wait();
    data = to;
  }
  const void* data;

 private:
  Scratch<float> flipped_;
  Scratch<std::byte> packed_;
};

void execute(const Plan& plan, const float* x, const Filters& w, const float* bias, float* y) {
  dnnl::stream stream(engine());
  const bool pack_x(plan.pack_x);
  const bool unpack_y(plan.unpack_y);
  const auto x_space = space(plan.x, pack_x);
  const auto y_space = space(plan.y, unpack_y);
  const auto scratchpad = space(plan.scratchpad);
  dnnl::memory mx = memory(plan.our_x, x);
  dnnl::memory my = memory(plan.our_y, y);
  if (pack_x) {
    const auto packed = memory(plan.x, x_space.data());
    convert(stream, plan.pack_x, mx, packed);
    mx = packed;
  }
  const auto result = unpack_y ? memory(plan.y, y_space.data()) : my;
  std::unordered_map<int, dnnl::memory> arguments = {
      {DNNL_ARG_SRC, mx}, {DNNL_ARG_WEIGHTS, memory(plan.w, w.data)}, {DNNL_ARG_DST, result}};
  arguments.emplace(DNNL_ARG_SCRATCHPAD, memory(plan.scratchpad, scratchpad.data()));
  if (bias) arguments.emplace(DNNL_ARG_BIAS, memory(plan.bias, bias));
  plan.run.execute(stream, arguments);
  if (unpack_y) convert(stream, plan.unpack_y, result, my);
  stream.wait();
}

void execute(const FilterPlan& plan, const float* x, const float* y, float* w) {
  dnnl::stream stream(engine());
  const bool pack_x(plan.pack_x);
  const bool pack_y(plan.pack_y);
  const bool unpack_w(plan.unpack_w);
  const auto x_space = space(plan.x, pack_x);
  const auto y_space = space(plan.y, pack_y);
  const auto w_space = space(plan.w, unpack_w);
  const auto scratchpad = space(plan.scratchpad);
  dnnl::memory mx = memory(plan.our_x, x);
  dnnl::memory my = memory(plan.our_y, y);
  dnnl::memory mw = memory(plan.our_w, w);
  if (pack_x) {
    const auto packed = memory(plan.x, x_space.data());
    convert(stream, plan.pack_x, mx, packed);
    mx = packed;
  }
  if (pack_y) {
    const auto packed = memory(plan.y, y_space.data());
    convert(stream, plan.pack_y, my, packed);
    my = packed;
  }
  const auto result = unpack_w ? memory(plan.w, w_space.data()) : mw;
  plan.run.execute(stream, {{DNNL_ARG_SRC, mx},
                            {DNNL_ARG_DIFF_DST, my},
                            {DNNL_ARG_DIFF_WEIGHTS, result},
                            {DNNL_ARG_SCRATCHPAD, memory(plan.scratchpad, scratchpad.data())}});
  if (unpack_w) convert(stream, plan.unpack_w, result, mw);
  stream.wait();
}

// oneDNN's generated code counts in 32 bits.
bool countable(const ConvShape& s) {
  constexpr int64_t most = INT_MAX / 4;
  for (const Ints* part : {&s.in, &s.out, &s.kernel, &s.strides, &s.dilation, &s.input_dilation}) {
    if (!in_range(*part, 1, most)) return false;
  }
  return in_range(s.low, -most, most);
}

// The number of images in one piece of work, which has at least so many products and depends on the
// shape only. At most 16 pieces.
int64_t piece_of(const ConvShape& s, double least) {
  return std::clamp(int64_t(std::ceil(least / (products(s) / double(s.batch)))),
                    (s.batch + 15) / 16, s.batch);
}

template <class F> bool with_errors(F&& f) {
  try {
    return f();
  } catch (const dnnl::error& e) {
    if (e.status == dnnl_out_of_memory) throw MemoryError("oneDNN: out of memory");
    throw EngineError(std::string("oneDNN: ") + e.what());
  }
}

}  // namespace

bool conv_dnnl(const ConvShape& s, const float* x, const float* w, const float* bias, float* y) {
  if (!countable(s)) return false;
  static Plans<Plan>& plans = *new Plans<Plan>;
  // A piece is some images on one thread of our pool. A single one, if large, is left to OpenMP's
  // threads: waking one costs as much as some 100,000 products; they do not survive fork(), so a
  // child keeps to its own.
  const int64_t piece = piece_of(s, 2e6);
  const int64_t tail = s.batch % piece;
  static const pid_t started = getpid();
  const double most_threads = piece == s.batch && getpid() == started ? double(num_threads()) : 1.0;
  const int threads = int(std::clamp(products(s) / 5e5, 1.0, most_threads));
  const auto run = [&](bool steady, int threads) {
    const NoSignals meanwhile;  // some of its convolutions are gemms
    const ThreadLimit limit(threads);
    const auto plan_for = [&](int64_t images) {
      ConvShape part = s;
      part.batch = images;
      return plans.get(part, {bias != nullptr, steady, threads},
                       [&] { return make_plan(part, bias, steady); });
    };
    const auto plan = plan_for(piece);
    const auto rest = tail ? plan_for(tail) : plan;
    if (!plan || !rest) return false;
    const Filters filters(*plan, s, w);
    std::optional<Filters> other;  // a last piece with fewer images may want another layout
    if (rest != plan) other.emplace(*rest, s, w);
    const int64_t image_x = s.channels * size_of(s.in);
    const int64_t image_y = s.filters * s.positions();
    parallel_for((s.batch + piece - 1) / piece, 1, [&](int64_t begin, int64_t end) {
      const ThreadLimit each(threads);
      for (int64_t i = begin * piece; i < std::min(s.batch, end * piece); i += piece) {
        const bool last = i + piece > s.batch;
        execute(last ? *rest : *plan, x + i * image_x, last ? *other : filters, bias,
                y + i * image_y);
      }
    });
    return true;
  };
  // Where our own way does badly (a dilated input is mostly zeros, depthwise products are thin,
  // small ones cost more to set up), the unsteady kinds run, on one thread, so that the sums are
  // always the same.
  const bool any_kind = !all(s.input_dilation, 1) || s.groups == s.channels || products(s) < 4e6;
  return with_errors([&] { return run(true, threads) || (any_kind && run(false, 1)); });
}

bool conv_filter_dnnl(const ConvShape& s, const float* x, const float* y, float* w) {
  // Each piece of the batch has a sum of its own; they are added in order.
  const int64_t size = s.filters * s.channels * s.taps();
  const int64_t piece = piece_of(s, 4e6);
  const int64_t pieces = (s.batch + piece - 1) / piece;
  const int64_t tail = s.batch % piece;
  if (!countable(s) || s.groups != 1 || !all(s.input_dilation, 1) || !in_range(s.low, 0, INT_MAX) ||
      pieces * size > 1 << 22) {
    return false;
  }
  static Plans<FilterPlan>& plans = *new Plans<FilterPlan>;
  return with_errors([&] {
    const NoSignals meanwhile;
    const ThreadLimit limit(1);
    const auto plan_for = [&](int64_t images) {
      ConvShape part = s;
      part.batch = images;
      return plans.get(part, {}, [&] { return make_filter_plan(part); });
    };
    const auto plan = plan_for(piece);
    const auto rest = tail ? plan_for(tail) : plan;
    if (!plan || !rest) return false;
    const Scratch<float> parts(pieces > 1 ? pieces * size : 0);
    float* const sums = pieces > 1 ? parts.data() : w;
    const int64_t image_x = s.channels * size_of(s.in);
    const int64_t image_y = s.filters * s.positions();
    parallel_for(pieces, 1, [&](int64_t begin, int64_t end) {
      const ThreadLimit each(1);
      for (int64_t i = begin; i < end; ++i) {
        execute((i + 1) * piece > s.batch ? *rest : *plan, x + i * piece * image_x,
                y + i * piece * image_y, sums + i * size);
      }
    });
    for (int64_t i = 0; pieces > 1 && i < size; ++i) {
      double sum = 0;
      for (int64_t k = 0; k < pieces; ++k) sum += double(sums[k * size + i]);
      w[i] = float(sum);
    }
    return true;
  });
}

}  // namespace ember::native

#endif
