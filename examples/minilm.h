// The network of examples/minilm.cpp, all-MiniLM-L6-v2: sentences to vectors of 384 numbers, whose
// cosine says how alike they are.
#pragma once
#include <ember/ember.h>
#include <ember/nn.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "wordpiece.h"

// Modules are named as the file of weights names them, so that it loads as it is.
struct MiniLM : ember::nn::Module {
  static constexpr int64_t width = 384, heads = 12, inner = 1536, layers = 6, words = 30522,
                           positions = 512;
  using Tensor = ember::Tensor;
  using Norm = ember::nn::LayerNorm;
  using Linear = ember::nn::Linear;

  struct Embeddings : Module {
    ember::nn::Embedding word{words, width}, position{positions, width}, type{2, width};
    Norm norm{width, {.eps = 1e-12}};
    Embeddings() {
      add("word_embeddings", word);
      add("position_embeddings", position);
      add("token_type_embeddings", type);
      add("LayerNorm", norm);
    }
    Tensor forward(const Tensor& ids) override {
      const Tensor places = ember::ops::arange(0, double(ids.shape(1)));
      return norm(word(ids) + position(places) +
                  type.weight.value()(0));  // all of one sentence: type 0
    }
  };
  struct Residual : Module {  // what follows attention and the inner layer: back to the width,
                              // added, normalised
    Linear dense;
    Norm norm{width, {.eps = 1e-12}};
    explicit Residual(int64_t from) : dense(from, width) {
      add("dense", dense);
      add("LayerNorm", norm);
    }
    Tensor operator()(const Tensor& x, const Tensor& before) { return norm(dense(x) + before); }
  };
  struct Projections : Module {
    Linear query{width, width}, key{width, width}, value{width, width};
    Projections() {
      add("query", query);
      add("key", key);
      add("value", value);
    }
  };
  struct Attention : Module {
    Projections self;
    Residual output{width};
    Attention() {
      add("self", self);
      add("output", output);
    }
    // mask [n, 1, 1, length]: true for what may be seen
    Tensor operator()(const Tensor& x, const Tensor& mask) {
      using namespace ember::ops;
      const int64_t n = x.shape(0);
      const int64_t length = x.shape(1);
      const auto split = [&](const Tensor& t) {
        return swapaxes(reshape(t, {n, length, heads, width / heads}), 1, 2);
      };
      const Tensor seen = scaled_dot_product_attention(split(self.query(x)), split(self.key(x)),
                                                       split(self.value(x)), mask);
      return output(reshape(swapaxes(seen, 1, 2), {n, length, width}), x);
    }
  };
  struct Intermediate : Module {
    Linear dense{width, inner};
    Intermediate() { add("dense", dense); }
  };
  struct Layer : Module {
    Attention attention;
    Intermediate intermediate;
    Residual output{inner};
    Layer() {
      add("attention", attention);
      add("intermediate", intermediate);
      add("output", output);
    }
    Tensor operator()(const Tensor& x, const Tensor& mask) {
      const Tensor h = attention(x, mask);
      return output(ember::ops::gelu(intermediate.dense(h)), h);
    }
  };
  struct Encoder : Module {
    ember::nn::ModuleList layer;
    Encoder() {
      for (int64_t i = 0; i < layers; ++i) layer.push_back(ember::nn::make<Layer>());
      add("layer", layer);
    }
  };

  Embeddings embeddings;
  Encoder encoder;
  WordPiece tokens;

  explicit MiniLM(const std::string& folder) : tokens(folder + "/vocab.txt") {
    add("embeddings", embeddings);
    add("encoder", encoder);
    // The file also has a pooler that sentence vectors do not use.
    const auto report = load(folder + "/model.safetensors", false);
    if (!report.missing.empty()) {
      throw ember::ValueError(folder + "/model.safetensors has no " + report.missing.front());
    }
    eval();
    freeze();
  }

  // ids and mask [n, length], the mask true for words and false for what fills up; [n, 384] of
  // length 1.
  Tensor forward(const Tensor& ids, const Tensor& mask) {
    using namespace ember::ops;
    const int64_t n = ids.shape(0);
    const int64_t length = ids.shape(1);
    Tensor x = embeddings(ids);
    const Tensor seen = reshape(mask, {n, 1, 1, length});
    for (size_t i = 0; i < encoder.layer.size(); ++i) {
      x = static_cast<Layer&>(encoder.layer[i])(x, seen);
    }
    const Tensor weight = reshape(mask, {n, length, 1}).astype(x.dtype());
    const Tensor mean = sum(x * weight, 1) / sum(weight, 1);
    return mean / maximum(vector_norm(mean, -1, true), 1e-12);
  }

  // Sentences of any length together, the shorter ones filled up with zeros.
  Tensor encode(const std::vector<std::string>& sentences) {
    std::vector<std::vector<int64_t>> all;
    size_t length = 0;
    for (const std::string& s : sentences) {
      length = std::max(length, all.emplace_back(tokens.encode(s)).size());
    }
    const ember::Shape shape = {int64_t(all.size()), int64_t(length)};
    std::vector<int64_t> ids;
    std::vector<int64_t> mask;
    for (auto& row : all) {
      for (size_t i = 0; i < length; ++i) {
        ids.push_back(i < row.size() ? row[i] : 0);
        mask.push_back(i < row.size());
      }
    }
    return forward(ember::array(std::span<const int64_t>(ids), shape),
                   ember::array(std::span<const int64_t>(mask), shape) != 0);
  }

  // The folder with the model: the given one, else the places where it may be; empty where there is
  // none.
  static std::string find(const std::string& given = {}) {
    std::vector<std::string> places = {given};
    if (given.empty()) {
      const char* models = std::getenv("EMBER_MODELS");
      places = {models ? std::string(models) + "/minilm" : "", "build/models/minilm"};
    }
    for (const std::string& place : places) {
      if (!place.empty() && std::filesystem::exists(place + "/model.safetensors")) return place;
    }
    return {};
  }
};
