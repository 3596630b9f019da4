// Workloads of array code: elementwise expressions, reductions, matrices, sorting, signals.
#include <cstring>
#include <thread>

#include "bench/bench.h"
#include "bench/speed.h"
#include "ember/ember.h"
#include "ember/features.h"

namespace ember::bench {
namespace {

using namespace ember::ops;

int threads() {
  const char* n = std::getenv("EMBER_NUM_THREADS");
  return n ? std::atoi(n) : 1;
}

void on_all_threads(const std::function<void(int)>& f) {
  std::vector<std::jthread> others;
  for (int i = 1; i < threads(); ++i) others.emplace_back(f, i);
  f(0);
}

// Seconds to read two arrays and write one at memcpy's speed.
std::function<double()> three_arrays(size_t bytes) {
  const size_t part = bytes * 3 / 2 / size_t(threads());
  auto from = std::make_shared<std::vector<char>>(part * size_t(threads()), 1);
  auto to = std::make_shared<std::vector<char>>(*from);
  return [=] {
    return time_of(
        [&] {
          on_all_threads([&](int i) {
            std::memcpy(to->data() + part * size_t(i), from->data() + part * size_t(i), part);
          });
        },
        5);
  };
}

// Multiplies and adds in registers: the peak floating-point rate.
using Lanes = float __attribute__((vector_size(64)));
#ifdef __x86_64__
__attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#endif
__attribute__((optimize("fp-contract=fast"))) void
multiply_add(int64_t n, Lanes* out) {
  Lanes a = *out;
  Lanes b = a + 1;
  Lanes c = a + 2;
  Lanes d = a + 3;
  Lanes e = a + 4;
  Lanes f = a + 5;
  Lanes g = a + 6;
  Lanes h = a + 7;
  const Lanes x = a + 0.5f;
  const Lanes y = a + 0.25f;
  for (int64_t i = 0; i < n; ++i) {
    a = a * x + y;
    b = b * x + y;
    c = c * x + y;
    d = d * x + y;
    e = e * x + y;
    f = f * x + y;
    g = g * x + y;
    h = h * x + y;
  }
  *out = a + b + c + d + e + f + g + h;
}
std::function<double()> arithmetic(double operations) {
  return [=] {
    constexpr int64_t n = 100'000;
    constexpr int64_t each = 8 * 16 * 2;
    return operations / double(n * each) / threads() *
           time_of(
               [] {
                 alignas(64) Lanes v = {};
                 multiply_add(n, &v);
                 asm volatile("" : : "r"(&v) : "memory");
               },
               5);
  };
}
std::function<double()> seconds_of(std::function<Tensor()> f) {
  return [=] { return time_of([&] { f().eval(); }, 9); };
}

Tensor random(const Shape& shape, uint64_t with = 1, double scale = 1) {
  seed(with);
  return (random_normal(shape) * scale).eval();
}

Tensor chain(const Tensor& x, const Tensor& y) {
  return (x * y + x) * (y - 0.5f * x) + (x - y) * (x + y) - 0.25f * x;
}
Tensor integer_chain(const Tensor& x, const Tensor& y) {
  return (x * y + x) * (y - 2 * x) + (x - y) * (x + y) - 3 * x;
}

void add_chains(std::vector<Workload>& all) {
  struct Size {
    int64_t n;
    const char* text;
    double target, numpy, functions;
  };
  // Against NumPy alone, with targets equivalent to those against the best peer for float32.
  for (const auto& [n, text, target, numpy, functions] :
       {Size{4096, "4,096", 0.25, 0.25, 0.3},
        {262144, "262,144", 0.7, 0.12, 0.65},
        {int64_t(1) << 24, "16.8 M", 0.25, 0.07, 0.4}}) {
    for (const DType t :
         {DType::float32, DType::float64, DType::int32, DType::float16, DType::bfloat16}) {
      const bool half = t == DType::float16 || t == DType::bfloat16;
      const bool whole = t == DType::int32;
      const bool single = t == DType::float32;
      if (half && n == 4096) continue;
      Workload w{.kind = whole ? "integer chain" : "chain",
                 .variant = std::string(text) + " " + std::string(ember::name(t))};
      w.target = half ? 0 : single ? target : numpy;
      w.against = half || single ? "" : "numpy";
      w.dtype = ember::name(t);
      w.tolerance = half ? 0.05 : 1e-5;
      w.limit = half         ? "float32's time"
                : n > 262144 ? "three arrays at memcpy's speed"
                : n > 4096   ? "x + y"
                             : "";
      w.limit_target = half ? 1 : single ? 1.2 : 0;
      w.setup = [=, n = n] {
        const auto make = [&](uint64_t with) {
          return whole ? (random({n}, with, 8).astype(t)).eval()
                       : random({n}, with).astype(t).eval();
        };
        Task task{.inputs = {{"x", make(1)}, {"y", make(2)}}};
        task.f = [=](const Tensors& a) {
          return Tensors{whole ? integer_chain(a[0], a[1]) : chain(a[0], a[1])};
        };
        const Tensor x = task.inputs[0].second;
        const Tensor y = task.inputs[1].second;
        if (half) {
          task.limit = seconds_of([x = x.astype(DType::float32).eval(),
                                   y = y.astype(DType::float32).eval()] { return chain(x, y); });
        } else if (n > 262144) {
          task.limit = three_arrays(x.nbytes());
        } else if (n > 4096) {
          task.limit = seconds_of([=] { return x + y; });
        }
        return task;
      };
      all.push_back(w);
      if (!single) continue;
      all.push_back({.kind = "functions",
                     .variant = text,
                     .target = functions,
                     .setup =
                         [n = n] {
                           return Task{.inputs = {{"x", random({n}, 1)}, {"y", random({n}, 2)}},
                                       .f = [](const Tensors& a) {
                                         const Tensor& x = a[0];
                                         const Tensor& y = a[1];
                                         return Tensors{tanh(x * y + x) * sigmoid(y - 0.5f * x) +
                                                        log1p(abs(x - y))};
                                       }};
                         },
                     .tolerance = 1e-5});
    }
  }
}

}  // namespace

void add_arrays(std::vector<Workload>& all) {
  const auto tiny = [] {
    const Tensor x = array(std::vector<float>(10, 0.5f));
    return Task{.inputs = {{"x", x}}, .f = [](const Tensors& a) {
                  Tensor y = a[0];
                  for (int i = 0; i < 250; ++i) y = (y * 0.5f + a[0]) - y * a[0];
                  return Tensors{y};
                }};
  };
  all.push_back({.kind = "1,000 ops on 10 floats", .setup = tiny, .ops = 1000, .most_ns = 60});
  all.push_back({.kind = "1,000 ops on 10 floats",
                 .variant = "from Python",
                 .target = 0.5,
                 .setup = tiny,
                 .against = "numpy",
                 .ops = 1000,
                 .own = "Python"});
  add_chains(all);
  const auto unary = [&](const char* kind, const char* variant, double target, const Shape& shape,
                         Tensor (*f)(const Tensor&)) {
    all.push_back({.kind = kind, .variant = variant, .target = target, .setup = [=] {
                     return Task{.inputs = {{"x", random(shape)}},
                                 .f = [=](const Tensors& a) { return Tensors{f(a[0])}; }};
                   }});
  };
  unary("sum over axis 0", "4096x4096", 1, {4096, 4096}, [](const Tensor& x) { return sum(x, 0); });
  unary("sum over axis 1", "4096x4096", 1, {4096, 4096}, [](const Tensor& x) { return sum(x, 1); });
  unary("softmax", "4096x4096", 0.3, {4096, 4096}, [](const Tensor& x) { return softmax(x); });
  unary("layer_norm", "4096x4096", 0.3, {4096, 4096},
        [](const Tensor& x) { return layer_norm(x); });
  for (const int64_t n : {64, 512, 1024, 2048}) {
    all.push_back({.kind = "matmul",
                   .variant = std::to_string(n),
                   .target = 1.05,
                   .setup =
                       [n] {
                         return Task{
                             .inputs = {{"x", random({n, n}, 1)}, {"y", random({n, n}, 2)}},
                             .f = [](const Tensors& a) { return Tensors{matmul(a[0], a[1])}; },
                             .limit = arithmetic(2.0 * double(n * n * n))};
                       },
                   .limit = "peak arithmetic"});
  }
  const auto binary = [&](const char* kind, const char* variant, double target,
                          std::vector<std::pair<std::string, Shape>> shapes,
                          std::function<Tensor(const Tensors&)> f) {
    all.push_back({.kind = kind, .variant = variant, .target = target, .setup = [=] {
                     Task task{.f = [=](const Tensors& a) { return Tensors{f(a)}; }};
                     for (const auto& [name, shape] : shapes) {
                       task.inputs.push_back({name, random(shape, 1 + task.inputs.size())});
                     }
                     return task;
                   }});
  };
  binary("matmul + bias + gelu", "512x512x2048", 0.9,
         {{"x", {512, 512}}, {"w", {512, 2048}}, {"b", {2048}}},
         [](const Tensors& a) { return gelu(matmul(a[0], a[1]) + a[2]); });
  binary("attention", "8 heads, 512x64", 0.9,
         {{"q", {1, 8, 512, 64}}, {"k", {1, 8, 512, 64}}, {"v", {1, 8, 512, 64}}},
         [](const Tensors& a) { return scaled_dot_product_attention(a[0], a[1], a[2]); });
  constexpr int64_t million = 1'000'000;
  unary("sort", "1 M", 1, {million}, [](const Tensor& x) { return sort(x); });
  all.push_back({.kind = "scatter-add", .variant = "1 M into 65,536", .target = 1, .setup = [] {
                   const Tensor places = (random({million}, 3) * 1e6f).astype(DType::int64);
                   return Task{
                       .inputs = {{"x", random({million})}, {"i", abs(places) % 65536}},
                       .f = [](const Tensors& a) { return Tensors{scatter(a[0], a[1], 65536)}; }};
                 }});
  unary("cumsum", "1 M", 1, {million}, [](const Tensor& x) { return cumulative_sum(x, 0); });
  all.push_back({.kind = "stft", .variant = "1 M, 1024/256", .target = 1, .setup = [] {
                   return Task{.inputs = {{"x", random({million})}, {"window", hann_window(1024)}},
                               .f = [](const Tensors& a) {
                                 return Tensors{stft(
                                     a[0], {.n_fft = 1024, .hop_length = 256, .window = a[1]})};
                               }};
                 }});
  all.push_back({.kind = "svd", .variant = "256", .target = 1, .setup = [] {
                   return Task{.inputs = {{"x", random({256, 256})}}, .f = [](const Tensors& a) {
                                 const auto [u, s, vt] = svd(a[0]);
                                 return Tensors{u, s, vt};
                               }};
                 }});
  all.push_back({.kind = "PCA",
                 .variant = "10,000x256 to 32",
                 .target = 0.7,
                 .setup =
                     [] {
                       const Tensor x =
                           (random({10000, 256}) * exp(arange(0, 256, 1, float32) * -0.02f)).eval();
                       return Task{
                           .inputs = {{"x", x}}, .call = [x] {
                             return Tensors{
                                 abs(features::PCA({.n_components = 32}).fit_transform(x)).eval()};
                           }};
                     },
                 .tolerance = 1e-3});
  all.push_back({.kind = "standardize", .variant = "1 M x 32", .target = 0.7, .setup = [] {
                   const Tensor x = (random({million, 32}) * 3 + 1).eval();
                   return Task{.inputs = {{"x", x}}, .call = [x] {
                                 return Tensors{features::Standardize().fit_transform(x).eval()};
                               }};
                 }});
}

}  // namespace ember::bench
