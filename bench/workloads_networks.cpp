// Network workloads: inference with constant weights, and training steps. bench/peers/networks.py
// has the same for the peers.
#include <cmath>

#include "bench/speed.h"
#include "cli/digits.h"
#include "ember/ember.h"
#include "examples/chars.h"
#include "examples/mobilenet.h"

namespace ember::bench {
namespace {

using namespace ember::ops;

Tensor random(const Shape& shape, double scale = 1) {
  return (random_normal(shape) * scale).eval();
}

Task convolution() {
  seed(1);
  Task task{.inputs = {{"x", random({1, 64, 56, 56})}},
            .weights = {{"w", random({64, 64, 3, 3}, 0.05)}, {"b", random({64})}},
            .program = true};
  task.f = [w = task.weights](const Tensors& a) {
    return Tensors{conv2d(a[0], w.at("w"), w.at("b"), {.padding = {1}})};
  };
  return task;
}

Task mobilenet() {
  const std::string folder = MobileNet::find();
  if (folder.empty()) throw IoError("`make models` fetches the weights");
  const auto net = std::make_shared<MobileNet>(folder);
  seed(1);
  Task task{.inputs = {{"x", random({1, 3, 224, 224})}},
            .f = [net](const Tensors& a) { return Tensors{net->forward(a[0])}; },
            .program = true};
  int n = 0;
  const auto add = [&](const Tensor& weight, const Tensor& bias) {
    task.weights[std::to_string(n) + ".weight"] = weight;
    task.weights[std::to_string(n++) + ".bias"] = bias;
  };
  add(net->first.weight, net->first.bias);
  for (const auto& b : net->blocks) {
    if (b.expand) add(b.expand->weight, b.expand->bias);
    add(b.depthwise.weight, b.depthwise.bias);
    add(b.project.weight, b.project.bias);
  }
  add(net->last.weight, net->last.bias);
  add(net->weight, net->bias);
  return task;
}

// Six layers of a sentence encoder, without the embedding. The speed does not depend on the
// weights, so they are random.
Task minilm(int64_t sentences, int64_t tokens) {
  constexpr int64_t hidden = 384;
  constexpr int64_t heads = 12;
  seed(1);
  Task task{.inputs = {{"x", random({sentences, tokens, hidden})}}, .program = true};
  for (int i = 0; i < 6; ++i) {
    for (const auto& [name, in, out] : {std::tuple{"q", hidden, hidden},
                                        {"k", hidden, hidden},
                                        {"v", hidden, hidden},
                                        {"mixed", hidden, hidden},
                                        {"wide", hidden, 4 * hidden},
                                        {"narrow", 4 * hidden, hidden}}) {
      const std::string at = std::to_string(i) + "." + name;
      task.weights[at + ".weight"] = random({out, in}, 0.05);
      task.weights[at + ".bias"] = random({out}, 0.05);
    }
  }
  task.f = [w = task.weights](const Tensors& a) {
    Tensor x = a[0];
    const auto norm = [](const Tensor& v) {
      return layer_norm(v, ones({hidden}), zeros({hidden}));
    };
    for (int i = 0; i < 6; ++i) {
      const auto dense = [&](const Tensor& v, const std::string& name) {
        return linear(v, w.at(std::to_string(i) + "." + name + ".weight"),
                      w.at(std::to_string(i) + "." + name + ".bias"));
      };
      const auto split = [&](const Tensor& v, const Ints& axes) {
        return transpose(reshape(v, {v.shape(0), v.shape(1), heads, hidden / heads}), axes);
      };
      const Tensor q = split(dense(x, "q"), {0, 2, 1, 3});
      const Tensor k = split(dense(x, "k"), {0, 2, 3, 1});
      const Tensor v = split(dense(x, "v"), {0, 2, 1, 3});
      const Tensor seen =
          matmul(softmax(matmul(q, k) * float(1 / std::sqrt(double(hidden / heads)))), v);
      x = norm(x + dense(reshape(transpose(seen, Ints{0, 2, 1, 3}), x.shape()), "mixed"));
      x = norm(x + dense(gelu(dense(x, "wide")), "narrow"));
    }
    return Tensors{x};
  };
  return task;
}

struct MLP : nn::Module {
  nn::Linear first{784, 512}, second{512, 512}, out{512, 10};
  MLP() {
    add("first", first);
    add("second", second);
    add("out", out);
  }
  Tensor forward(const Tensor& x) override { return out(relu(second(relu(first(x))))); }
};

// The labels change in each step, so that the batch cannot be memorized: vanishing gradients would
// change the speed.
template <class Optimizer>
Task training(std::shared_ptr<nn::Module> net, const Tensor& x, const Shape& labels,
              int64_t kinds) {
  constexpr int64_t sets = 8;
  Shape all = labels;
  all.insert(0, sets);
  Task task{.inputs = {{"x", x.eval()}, {"y", random_integers(all, 0, kinds)}},
            .weights = net->state_dict()};
  Tensors y;
  for (int64_t i = 0; i < sets; ++i) y.push_back(task.inputs[1].second(i).eval());
  task.call = [=, optimizer = std::make_shared<Optimizer>(net->parameters()),
               step = std::make_shared<size_t>(0)] {
    const Tensor loss = sparse_categorical_cross_entropy((*net)(x), y[(*step)++ % y.size()], true);
    loss.backward();
    optimizer->step({loss});
    return Tensors{loss.detach()};
  };
  return task;
}

}  // namespace

void add_networks(std::vector<Workload>& all) {
  all.push_back(
      {.kind = "conv 3x3", .variant = "64 to 64, 56x56", .target = 0.8, .setup = convolution});
  all.push_back({.kind = "MobileNetV2",
                 .target = 0.7,
                 .setup = mobilenet,
                 .against = "onnxruntime",
                 .tolerance = 1e-3});
  all.push_back({.kind = "MiniLM",
                 .variant = "1 x 32 tokens",
                 .target = 0.75,
                 .setup = [] { return minilm(1, 32); },
                 .tolerance = 1e-3});
  all.push_back({.kind = "MiniLM",
                 .variant = "32 x 128 tokens",
                 .target = 0.95,
                 .setup = [] { return minilm(32, 128); },
                 .tolerance = 1e-3});
  all.push_back({.kind = "train MLP",
                 .variant = "784-512-512-10, batch 128",
                 .target = 0.8,
                 .setup =
                     [] {
                       seed(1);
                       return training<nn::Adam>(std::make_shared<MLP>(), random({128, 784}), {128},
                                                 10);
                     },
                 .tolerance = 1e-3});
  all.push_back({.kind = "train digits",
                 .variant = "batch 64",
                 .target = 0.8,
                 .setup =
                     [] {
                       seed(1);
                       return training<nn::Adam>(std::make_shared<cli::DigitNet>(),
                                                 random({64, 1, 8, 8}), {64}, 10);
                     },
                 .tolerance = 1e-3});
  all.push_back({.kind = "train characters",
                 .variant = "16 x 64",
                 .target = 0.8,
                 .setup =
                     [] {
                       seed(1);
                       return training<nn::AdamW>(std::make_shared<Chars>(65),
                                                  random_integers({16, Chars::context}, 0, 65),
                                                  {16, Chars::context}, 65);
                     },
                 .tolerance = 1e-3});
}

}  // namespace ember::bench
