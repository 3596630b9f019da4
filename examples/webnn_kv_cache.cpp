// A decoder whose cache stays on the device: WebNN tensors hold the keys and values of all steps so
// far, in two sets used in turn. One graph serves every step, because the cache has a fixed
// capacity and the length is an input of its own.
//   webnn_kv_cache [--tokens N] [--engine NAME]
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iostream>

#include "ember/webnn.h"

using namespace ember::webnn;
using ember::DType;

constexpr uint32_t vocabulary = 256, width = 256, heads = 4, layers = 2, capacity = 4096,
                   depth = width / heads;

// Weights that any language can make again, so that all give the same tokens.
struct Weights {
  MLGraphBuilder& b;
  uint32_t state = 1;
  MLOperand make(Dimensions shape, float scale) {
    std::vector<float> v(shape[0] * (shape.size() > 1 ? shape[1] : 1));
    for (float& x : v) {
      state = state * 1664525u + 1013904223u;
      x = (float(state >> 8) / 16777216.0f - 0.5f) * scale;
    }
    return b.constant({DType::float32, shape}, v.data(), v.size() * 4);
  }
};

// One step: a token and its place in, the next token and the caches with this step in them out.
MLGraph decoder(const MLContext& context) {
  MLGraphBuilder b(context);
  Weights w{b};
  const float scale = 2 / std::sqrt(float(width));
  const auto token = b.input("token", {DType::int32, {1}});
  const auto place = b.input("place", {DType::int32, {1}});
  std::vector<int32_t> counting(capacity);
  for (uint32_t i = 0; i < capacity; ++i) counting[i] = int32_t(i);
  const auto steps = b.constant({DType::int32, {capacity}}, counting.data(), capacity * 4);
  const auto written = b.lesserOrEqual(
      steps, place);  // which places of the cache hold something, this step included
  const auto nothing = b.constant(DType::float32, -1e9);
  // Where each head's row of this step goes: [head, place].
  std::vector<int32_t> every(heads);
  for (uint32_t h = 0; h < heads; ++h) every[h] = int32_t(h);
  const auto rows = b.concat({b.constant({DType::int32, {heads, 1}}, every.data(), heads * 4),
                              b.expand(b.reshape(place, {1, 1}), {heads, 1})},
                             1);

  MLNamedOperands outputs;
  const auto table = w.make({vocabulary, width}, 2);
  auto x =
      b.add(b.gather(table, token), b.gather(w.make({capacity, width}, 1), place));  // [1, width]
  for (uint32_t l = 0; l < layers; ++l) {
    const auto n = b.layerNormalization(x);
    const auto q = b.reshape(b.matmul(n, w.make({width, width}, scale)), {heads, 1, depth});
    MLOperand cache[2];
    for (int k = 0; k < 2; ++k) {
      const std::string name = (k ? "values" : "keys") + std::to_string(l);
      const auto before = b.input(name, {DType::float32, {heads, capacity, depth}});
      const auto row = b.reshape(b.matmul(n, w.make({width, width}, scale)), {heads, depth});
      cache[k] = b.scatterND(before, rows, row);
      outputs.push_back({name + "_next", cache[k]});
    }
    const auto scores = b.mul(b.matmul(q, b.transpose(cache[0], {.permutation = {{0, 2, 1}}})),
                              b.constant(DType::float32, 1 / std::sqrt(double(depth))));
    const auto weights = b.softmax(b.where(written, scores, nothing), 2);
    x = b.add(x, b.matmul(b.reshape(b.matmul(weights, cache[1]), {1, width}),
                          w.make({width, width}, scale)));
    const auto hidden =
        b.gelu(b.matmul(b.layerNormalization(x), w.make({width, 2 * width}, scale)));
    x = b.add(x, b.matmul(hidden, w.make({2 * width, width}, scale)));
  }
  const auto logits = b.matmul(b.layerNormalization(x), w.make({width, vocabulary}, scale));
  outputs.push_back({"next", b.reshape(b.argMax(logits, 1), {1})});
  return b.build(outputs);
}

struct Generator {
  MLContext context;
  MLGraph graph;
  std::vector<std::string> names;  // of the caches
  MLTensor place, token[2];
  std::vector<MLTensor> cache[2];  // two sets: one is read, the other written

  Generator(const MLContext& c, const MLGraph& g, bool on_device) : context(c), graph(g) {
    MLTensorDescriptor number;
    MLTensorDescriptor rows;
    number.dataType = DType::int32;
    number.shape = {1};
    number.readable = number.writable = true;
    rows.shape = {heads, capacity, depth};
    rows.readable = rows.writable = !on_device;
    place = context.createTensor(number);
    for (int set = 0; set < 2; ++set) {
      token[set] = context.createTensor(number);
      for (uint32_t l = 0; l < layers; ++l) {
        for (const char* kind : {"keys", "values"}) {
          if (!set) names.push_back(kind + std::to_string(l));
          cache[set].push_back(context.createTensor(rows));
        }
      }
    }
  }

  void step(int32_t at) {
    const int from = at % 2;
    const int to = 1 - from;
    context.writeTensor(place, &at, 4);
    std::vector<std::string> next;
    for (const auto& n : names) next.push_back(n + "_next");
    std::vector<std::pair<std::string_view, MLTensor>> in = {{"token", token[from]},
                                                             {"place", place}};
    std::vector<std::pair<std::string_view, MLTensor>> out = {{"next", token[to]}};
    for (size_t i = 0; i < names.size(); ++i) {
      in.push_back({names[i], cache[from][i]});
      out.push_back({next[i], cache[to][i]});
    }
    context.dispatch(graph, MLNamedTensors(in), MLNamedTensors(out));
  }

  // The caches stay where they are.
  std::vector<int32_t> run(int32_t first, int count) {
    std::vector<int32_t> tokens;
    context.writeTensor(token[0], &first, 4);
    for (int at = 0; at < count; ++at) {
      step(at);
      int32_t t;
      context.readTensor(token[1 - at % 2], &t, 4);
      tokens.push_back(t);
    }
    return tokens;
  }
  // The caches are fetched after each step and handed back for the next one, as programs without
  // device tensors do.
  std::vector<int32_t> run_with_copies(int32_t first, int count) {
    std::vector<int32_t> tokens;
    int32_t t = first;
    std::vector<std::vector<std::byte>> host(
        names.size(), std::vector<std::byte>(size_t(heads) * capacity * depth * 4));
    for (int at = 0; at < count; ++at) {
      const int from = at % 2;
      context.writeTensor(token[from], &t, 4);
      for (size_t i = 0; i < names.size(); ++i) {
        context.writeTensor(cache[from][i], host[i].data(), host[i].size());
      }
      step(at);
      context.readTensor(token[1 - from], &t, 4);
      for (size_t i = 0; i < names.size(); ++i) {
        context.readTensor(cache[1 - from][i], host[i].data(), host[i].size());
      }
      tokens.push_back(t);
    }
    return tokens;
  }
};

int main(int argc, char** argv) try {
  int count = 64;
  MLContextOptions options;
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--tokens") && i + 1 < argc) {
      count = std::min(std::atoi(argv[++i]), int(capacity));
    } else if (!std::strcmp(argv[i], "--engine") && i + 1 < argc) {
      options.engine = argv[++i];
    } else {
      return std::cerr << "usage: webnn_kv_cache [--tokens N] [--engine NAME]\n", 2;
    }
  }
  const MLContext context = createContext(options);
  const MLGraph graph = decoder(context);
  const auto timed = [&](bool on_device, std::vector<int32_t>& tokens) {
    Generator g(context, graph, on_device);
    g.step(0);  // memory and threads are there before the clock starts
    const auto start = std::chrono::steady_clock::now();
    tokens = on_device ? g.run(7, count) : g.run_with_copies(7, count);
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
               .count() /
           count;
  };
  std::vector<int32_t> device;
  std::vector<int32_t> host;
  const double with_copies = timed(false, host);
  const double resident = timed(true, device);
  std::printf("tokens:");
  for (size_t i = 0; i < std::min<size_t>(device.size(), 12); ++i) std::printf(" %d", device[i]);
  std::printf(" ...\ncache: %.1f MB in %u tensors, capacity %u steps\n",
              double(layers) * 2 * width * capacity * 4 / 1e6, layers * 2, capacity);
  std::printf(
      "%.2f ms a token with the cache on the device, %.2f ms with copies on the host: %.2fx\n",
      resident, with_copies, with_copies / resident);
  if (device != host) return std::puts("FAILED: the tokens differ"), 1;
} catch (const std::exception& e) {
  std::cerr << e.what() << "\n";
  return 1;
}
