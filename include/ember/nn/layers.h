// Linear, embedding and dropout layers, and layers that only move axes.
#pragma once
#include <optional>
#include <string>

#include "ember/nn/module.h"

namespace ember::nn {

// x @ weight.T + bias
class EMBER_API Linear : public Module {
 public:
  Linear(int64_t in_features, int64_t out_features, bool bias = true);
  Tensor forward(const Tensor& x) override;
  std::string kind() const override { return "Linear"; }
  std::string details() const override;
  Parameter weight;
  Parameter bias;  // [out, in], [out]
};
using Dense = Linear;

struct EmbeddingOptions {
  // This row is initialized to zeros and gets no gradient; a negative index counts from the end.
  std::optional<int64_t> padding_idx;
};
// Maps integers [...] to rows [..., dim].
class EMBER_API Embedding : public Module {
 public:
  Embedding(int64_t num_embeddings, int64_t embedding_dim, const EmbeddingOptions& options = {});
  Tensor forward(const Tensor& indices) override;
  std::string kind() const override { return "Embedding"; }
  std::string details() const override;
  Parameter weight;

 private:
  std::optional<int64_t> padding_idx_;
};

// In training, zeroes elements with probability p and scales the others by 1 / (1 - p).
class EMBER_API Dropout : public Module {
 public:
  explicit Dropout(double p = 0.5);
  Tensor forward(const Tensor& x) override;
  std::string kind() const override { return "Dropout"; }
  std::string details() const override;

 private:
  double p_;
};

// Flattens the axes from start to end into one.
class EMBER_API Flatten : public Module {
 public:
  explicit Flatten(int64_t start_dim = 1, int64_t end_dim = -1)
      : start_(start_dim), end_(end_dim) {}
  Tensor forward(const Tensor& x) override;
  std::string kind() const override { return "Flatten"; }
  std::string details() const override;

 private:
  int64_t start_, end_;
};

class EMBER_API Identity : public Module {
 public:
  Tensor forward(const Tensor& x) override { return x; }
  std::string kind() const override { return "Identity"; }
};

}  // namespace ember::nn
