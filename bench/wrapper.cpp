// Ember's overhead over the libraries that it wraps: the same work through Ember and written
// directly, in one process, alternately.
#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "bench/bench.h"
#include "bench/direct.h"
#include "cli/paths.h"
#include "ember/ember.h"
#include "examples/mobilenet.h"

namespace ember::bench {
namespace {

using namespace ops;

std::unique_ptr<Direct> open_direct(const std::string& engine, std::string& why) {
  const std::string path = cli::library_folder() + "/ember/bench/direct_" + engine + ".so";
  void* so = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!so) {
    why = dlerror();
    return nullptr;
  }
  return std::unique_ptr<Direct>(reinterpret_cast<DirectFactory>(dlsym(so, "ember_direct"))());
}

struct Pair {
  double ember, direct;
};
// Alternately, the lower quartile of each, because the machine's speed may change.
Pair in_turn(const std::function<void()>& a, const Direct::Work& b, int rounds) {
  std::vector<double> as;
  std::vector<double> bs;
  for (int i = 0; i < rounds; ++i) {
    as.push_back(time_of(a, 3));
    bs.push_back(time_of([&] { b(false); }, 3));
  }
  return {quartile(as), quartile(bs)};
}

Floats floats(const Tensor& t) { return {t.data<float>().data(), t.shape().vec()}; }

std::string disagreement(const Tensor& mine, const std::vector<float>& theirs) {
  const auto own = mine.data<float>();
  if (theirs.empty()) return "";
  double worst = 0;
  double scale = 1e-30;
  for (size_t i = 0; i < theirs.size() && i < own.size(); ++i) {
    worst = std::max(worst, std::abs(double(own[i]) - theirs[i]));
    scale = std::max(scale, std::abs(double(theirs[i])));
  }
  return own.size() != theirs.size() || !(worst <= 1e-4 * scale) ? "the results differ" : "";
}

struct Bench {
  std::string engine;
  double target_ns;
  Direct& direct;
  std::vector<Result>& results;
  const std::function<void(const std::string&)>& progress;

  void per_op(const std::string& what, int ops, const std::function<Tensor()>& mine,
              const Direct::Work& theirs) {
    progress(engine + ": " + what);
    const std::string wrong = disagreement(mine(), theirs(true));
    const Pair p = in_turn([&] { mine().eval(); }, theirs, 15);
    const double ns = (p.ember - p.direct) / ops * 1e9;
    results.push_back(
        {.name = engine + ": " + what,
         .unit = "ns/op more",
         .value = ns,
         .target = target_ns,
         .met = ns <= target_ns && wrong.empty(),
         .note = wrong.empty() ? std::to_string(int(p.direct / ops * 1e9)) + " ns/op without Ember"
                               : wrong});
  }
  void whole(const std::string& what, double target, const std::function<Tensor()>& mine,
             const Direct::Work& theirs) {
    progress(engine + ": " + what);
    const std::string wrong = disagreement(mine(), theirs(true));
    const Pair p = in_turn([&] { mine().eval(); }, theirs, 9);
    results.push_back({.name = engine + ": " + what,
                       .unit = "ms",
                       .value = p.ember * 1e3,
                       .reference = engine + " alone",
                       .ratio = p.ember / p.direct,
                       .target = target,
                       .met = p.ember / p.direct <= target && wrong.empty(),
                       .note = wrong});
  }
};

Network network_of(const MobileNet& m) {
  const auto conv = [](const MobileNet::Conv& c) {
    return Conv{floats(c.weight), floats(c.bias), c.stride,
                c.weight.shape(1) == 1 ? c.weight.shape(0) : 1};
  };
  Network n{conv(m.first), conv(m.last), {}, floats(m.weight), floats(m.bias)};
  for (const MobileNet::Block& b : m.blocks) {
    n.blocks.push_back({b.expand ? std::optional<Conv>(conv(*b.expand)) : std::nullopt,
                        conv(b.depthwise), conv(b.project), b.residual});
  }
  return n;
}

}  // namespace

std::vector<Result> run_wrapper(const std::function<void(const std::string&)>& progress) {
  std::vector<Result> results;
  const std::pair<const char*, double> engines[] = {{"torch", 150}, {"mlx", 300}, {"numpy", 500}};
  for (const auto& [name, target] : engines) {
    std::string why;
    std::unique_ptr<Direct> direct;
    try {
      with_backend scope(name);
      direct = open_direct(name, why);
    } catch (const Error& e) {
      why = e.what();
    }
    if (!direct) {
      results.push_back({.name = name, .unit = "", .note = why});
      continue;
    }
    const with_backend scope(name);
    Bench bench{name, target, *direct, results, progress};
    const Tensor x = random_uniform({1000}, 0.9, 1.0);
    const Tensor y = random_uniform({1000}, 0.9, 1.0);
    eval({x, y});
    bench.per_op(
        "100 elementwise, 1,000 floats", 100,
        [&] {
          Tensor t = x;
          for (int i = 0; i < 100; ++i) t = i % 2 ? t + y : t * y;
          return t;
        },
        direct->elementwise(floats(x), floats(y), 100));
    const Tensor a = random_uniform({16, 16});
    const Tensor w = random_uniform({16, 16}, 0.0, 0.12);
    eval({a, w});
    bench.per_op(
        "100 matmuls of 16x16", 100,
        [&] {
          Tensor t = a;
          for (int i = 0; i < 100; ++i) t = matmul(t, w);
          return t;
        },
        direct->matmuls(floats(a), floats(w), 100));
    std::vector<Tensor> weights;
    std::vector<Tensor> biases;
    std::vector<std::pair<Floats, Floats>> layers;
    const int64_t sizes[] = {128, 256, 256, 10};
    for (int i = 0; i < 3; ++i) {
      weights.push_back(random_normal({sizes[i], sizes[i + 1]}, 0.0, 0.1).eval());
      biases.push_back(random_normal({sizes[i + 1]}).eval());
      layers.emplace_back(floats(weights.back()), floats(biases.back()));
    }
    const Tensor batch = random_normal({32, 128}).eval();
    bench.whole(
        "MLP of 3 layers, batch 32", 1.05,
        [&] {
          Tensor t = batch;
          for (size_t i = 0; i < 3; ++i) {
            t = matmul(t, weights[i]) + biases[i];
            if (i < 2) t = relu(t);
          }
          return t;
        },
        direct->mlp(floats(batch), layers));
    if (const std::string folder = MobileNet::find(); folder.empty()) {
      results.push_back({.name = std::string(name) + ": MobileNetV2",
                         .unit = "",
                         .note = "no weights: make models"});
    } else if (std::string(name) != "numpy") {
      const MobileNet net(folder);
      const Tensor image = random_normal({1, 3, 224, 224}).eval();
      bench.whole(
          "MobileNetV2", 1.05, [&] { return net.forward(image); },
          direct->mobilenet(floats(image), network_of(net)));
    }
  }
  return results;
}

}  // namespace ember::bench
