#include "engines/native/conv_dnnl.h"

#ifndef EMBER_HAVE_DNNL

namespace ember::native {
bool conv_dnnl(const ConvShape&, const float*, const float*, const float*, float*) { return false; }
}  // namespace ember::native

#else

#include <unistd.h>

#include <dnnl.hpp>
#include <mutex>

#include "engines/native/blas.h"
#include "engines/native/signals.h"

// oneDNN brings libgomp along, so this is there when it runs; weak, because a program without oneDNN need not link OpenMP.
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
  return double(s.batch) * double(s.filters) * double(s.positions()) * double(s.channels / s.groups) * double(s.taps());
}

// Sets OpenMP's number of threads; the calling thread's own setting comes back after.
class ThreadLimit {
 public:
  explicit ThreadLimit(int threads) {
    if (omp_set_num_threads && omp_get_max_threads) before_ = omp_get_max_threads(), omp_set_num_threads(threads);
  }
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;
  ~ThreadLimit() { if (before_) omp_set_num_threads(before_); }

 private:
  int before_ = 0;
};

// A convolution made ready: which layouts it works in, and how to get there from ours.
struct Plan {
  dnnl::primitive run, pack_x, pack_w, unpack_y;  // the last three are empty where the layout is ours
  Desc our_x, our_w, our_y, x, w, y, bias, spare;
  bool flip = false;  // the kernel is turned round first
};

void reorder(dnnl::primitive& to, const Desc& from_desc, const Desc& to_desc) {
  to = {};
  if (from_desc == to_desc) return;
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  const dnnl::reorder::primitive_desc desc(engine(), from_desc, engine(), to_desc, attr);
  if (desc.scratchpad_desc().get_size()) throw dnnl::error(dnnl_unimplemented, "a reorder with a scratchpad");
  to = dnnl::reorder(desc);
}

// Layouts to try for input and output, best first. Measured: blocked channels with all reorders beat everything on plain
// layouts; few input channels are better read as they are; `any` is what oneDNN thinks.
struct Layouts {
  Tag x, y;
};
std::vector<Layouts> layouts(size_t axes) {
  constexpr Tag plain[] = {Tag::ncw, Tag::nchw, Tag::ncdhw}, wide[] = {Tag::nCw16c, Tag::nChw16c, Tag::nCdhw16c},
                narrow[] = {Tag::nCw8c, Tag::nChw8c, Tag::nCdhw8c}, last[] = {Tag::nwc, Tag::nhwc, Tag::ndhwc};
  const size_t i = axes - 1;
  return {{wide[i], wide[i]},     {plain[i], wide[i]}, {narrow[i], narrow[i]},
          {plain[i], narrow[i]}, {Tag::any, Tag::any}, {last[i], last[i]}};
}

bool all(const Ints& values, int64_t v) {
  return std::ranges::all_of(values, [&](int64_t i) { return i == v; });
}
bool in_range(const Ints& values, int64_t least, int64_t most) {
  return std::ranges::all_of(values, [&](int64_t i) { return i >= least && i <= most; });
}

// The order in which oneDNN's "gemm" and "brgemm" kinds add depends on the number of threads; the older jit kinds are steady.
bool is_steady(std::string_view kind) {
  return kind.find("jit") != kind.npos && kind.find("gemm") == kind.npos && kind.find("brg") == kind.npos;
}

std::shared_ptr<const Plan> make_plan(const ConvShape& s, bool with_bias, bool steady) {
  const size_t axes = s.in.size();
  const bool dilated = !all(s.input_dilation, 1);
  if (axes > 3 || (dilated && !all(s.strides, 1))) return nullptr;
  // Long kernels are what gradients of kernels look like: code made for each tap is slower than our own way, except depthwise.
  if (!in_range(s.kernel, 1, s.groups == s.channels ? 64 : 16)) return nullptr;
  Dims strides, gaps, low, high;
  for (size_t d = 0; d < axes; ++d) {
    // A dilated input is a transposed convolution with the kernel turned round, where `low` counts from the other end.
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
  const Dims x = dims({s.batch, s.channels}, s.in), y = dims({s.batch, s.filters}, s.out);
  const Dims w = s.groups == 1 ? dims({s.filters, s.channels}, s.kernel)
                               : dims({s.groups, s.filters / s.groups, s.channels / s.groups}, s.kernel);
  plan->our_x = plain(x), plan->our_w = plain(w), plan->our_y = plain(y);
  plan->bias = with_bias ? Desc({s.filters}, f32, Tag::a) : Desc();
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  const auto take = [&](const auto& desc, auto make) {
    const std::string_view how = desc.impl_info_str();
    if (how.find("ref") != how.npos || (steady && !is_steady(how))) return false;
    plan->x = desc.src_desc(), plan->w = desc.weights_desc(), plan->y = desc.dst_desc(), plan->spare = desc.scratchpad_desc();
    reorder(plan->pack_x, plan->our_x, plan->x), reorder(plan->pack_w, plan->our_w, plan->w);
    reorder(plan->unpack_y, plan->y, plan->our_y);
    plan->run = make(desc);
    return true;
  };
  for (const Layouts& l : layouts(axes)) {
    try {
      const Desc dx(x, f32, l.x), dw(w, f32, Tag::any), dy(y, f32, l.y);
      const auto kind = dnnl::prop_kind::forward_inference;
      bool taken = false;
      if (dilated)
        taken = take(dnnl::deconvolution_forward::primitive_desc(engine(), kind, dnnl::algorithm::deconvolution_direct, dx, dw,
                                                                 plan->bias, dy, strides, gaps, low, high, attr),
                     [](const auto& desc) { return dnnl::deconvolution_forward(desc); });
      else
        taken = take(dnnl::convolution_forward::primitive_desc(engine(), kind, dnnl::algorithm::convolution_direct, dx, dw,
                                                               plan->bias, dy, strides, gaps, low, high, attr),
                     [](const auto& desc) { return dnnl::convolution_forward(desc); });
      if (taken) return plan;
    } catch (const dnnl::error& e) {
      if (e.status == dnnl_out_of_memory) throw;
    }
  }
  return nullptr;
}

// The most recently used plans. A shape that oneDNN does not take has an entry without a plan.
class Plans {
 public:
  std::shared_ptr<const Plan> get(const ConvShape& s, bool with_bias, bool steady, int threads) {
    std::vector<int64_t> key = {s.batch, s.channels, s.filters, s.groups, with_bias, steady, threads};
    for (const Ints* part : {&s.in, &s.out, &s.kernel, &s.strides, &s.low, &s.dilation, &s.input_dilation})
      key.insert(key.end(), part->begin(), part->end());
    uint64_t hash = 0;
    for (const int64_t v : key) hash = (hash ^ uint64_t(v)) * 0x9E3779B97F4A7C15, hash ^= hash >> 29;
    {
      std::lock_guard lock(mutex_);
      for (Entry& e : entries_)
        if (e.hash == hash && e.key == key) return e.used = ++clock_, e.plan;
    }
    auto plan = make_plan(s, with_bias, steady);  // without the lock: it may compile code
    std::lock_guard lock(mutex_);
    if (entries_.size() < most)
      entries_.push_back({hash, ++clock_, std::move(key), plan});
    else
      *std::ranges::min_element(entries_, {}, &Entry::used) = {hash, ++clock_, std::move(key), plan};
    return plan;
  }

 private:
  static constexpr size_t most = 256;
  struct Entry {
    uint64_t hash, used;
    std::vector<int64_t> key;
    std::shared_ptr<const Plan> plan;
  };
  std::mutex mutex_;
  std::vector<Entry> entries_;
  uint64_t clock_ = 0;
};

void execute(const Plan& plan, const ConvShape& s, const float* x, const float* w, const float* bias, float* y) {
  dnnl::stream stream(engine());
  const auto memory = [](const Desc& desc, const void* data) { return dnnl::memory(desc, engine(), const_cast<void*>(data)); };
  const auto space = [](const Desc& desc, bool needed) { return Scratch<std::byte>(needed ? int64_t(desc.get_size()) : 0); };
  const bool pack_x(plan.pack_x), pack_w(plan.pack_w), unpack_y(plan.unpack_y);
  const auto x_space = space(plan.x, pack_x), w_space = space(plan.w, pack_w), y_space = space(plan.y, unpack_y);
  const auto spare = space(plan.spare, true);
  const Scratch<float> turned(plan.flip ? s.filters * (s.channels / s.groups) * s.taps() : 0);
  if (plan.flip) {
    const int64_t taps = s.taps(), n = s.filters * (s.channels / s.groups);
    for (int64_t i = 0; i < n; ++i) std::reverse_copy(w + i * taps, w + (i + 1) * taps, turned.data() + i * taps);
    w = turned.data();
  }
  dnnl::memory mx = memory(plan.our_x, x), mw = memory(plan.our_w, w), my = memory(plan.our_y, y);
  const auto convert = [&](const dnnl::primitive& how, const dnnl::memory& from, const dnnl::memory& to) {
    how.execute(stream, {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}});
  };
  if (pack_x) {
    const auto packed = memory(plan.x, x_space.data());
    convert(plan.pack_x, mx, packed), mx = packed;
  }
  if (pack_w) {
    const auto packed = memory(plan.w, w_space.data());
    convert(plan.pack_w, mw, packed), mw = packed;
  }
  const auto result = unpack_y ? memory(plan.y, y_space.data()) : my;
  std::unordered_map<int, dnnl::memory> arguments = {{DNNL_ARG_SRC, mx}, {DNNL_ARG_WEIGHTS, mw}, {DNNL_ARG_DST, result}};
  arguments.emplace(DNNL_ARG_SCRATCHPAD, memory(plan.spare, spare.data()));
  if (bias) arguments.emplace(DNNL_ARG_BIAS, memory(plan.bias, bias));
  plan.run.execute(stream, arguments);
  if (unpack_y) convert(plan.unpack_y, result, my);
  stream.wait();
}

}  // namespace

bool conv_dnnl(const ConvShape& s, const float* x, const float* w, const float* bias, float* y) {
  constexpr int64_t most = INT_MAX / 4;  // oneDNN's generated code counts in 32 bits
  for (const Ints* part : {&s.in, &s.out, &s.kernel, &s.strides, &s.dilation, &s.input_dilation})
    if (!in_range(*part, 1, most)) return false;
  if (!in_range(s.low, -most, most)) return false;
  static Plans& plans = *new Plans;
  const auto run = [&](bool steady, int threads) {
    const NoSignals meanwhile;  // some of its convolutions are gemms
    const ThreadLimit limit(threads);
    const auto plan = plans.get(s, bias, steady, threads);
    if (plan) execute(*plan, s, x, w, bias, y);
    return bool(plan);
  };
  // Waking a thread costs as much as some 100,000 products.
  // OpenMP's threads do not survive fork(): a child keeps to its own.
  static const pid_t started = getpid();
  const double most_threads = getpid() == started ? double(num_threads()) : 1.0;
  const int threads = int(std::clamp(products(s) / 5e5, 1.0, most_threads));
  // Where our own way does badly (a dilated input is mostly zeros, depthwise products are thin, small ones cost more to set up),
  // the unsteady kinds run, on one thread, so that the sums are always the same.
  const bool any_kind = !all(s.input_dilation, 1) || s.groups == s.channels || products(s) < 4e6;
  try {
    return run(true, threads) || (any_kind && run(false, 1));
  } catch (const dnnl::error& e) {
    if (e.status == dnnl_out_of_memory) throw MemoryError("oneDNN: out of memory");
    throw EngineError(std::string("oneDNN: ") + e.what());
  }
}

}  // namespace ember::native

#endif
