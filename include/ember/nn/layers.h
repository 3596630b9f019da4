// Layers without windows or memory: linear, embedding, dropout, and the ones that only move axes.
#pragma once
#include <optional>
#include <string>

#include "ember/nn/module.h"

namespace ember::nn {

class EMBER_API Linear : public Module {  // x @ weight.T + bias
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
  std::optional<int64_t>
      padding_idx;  // this row starts as zeros and gets no gradient; negative counts from the end
};
class EMBER_API Embedding : public Module {  // integers [...] to rows [..., dim]
 public:
  Embedding(int64_t num_embeddings, int64_t embedding_dim, const EmbeddingOptions& options = {});
  Tensor forward(const Tensor& indices) override;
  std::string kind() const override { return "Embedding"; }
  std::string details() const override;
  Parameter weight;

 private:
  std::optional<int64_t> padding_idx_;
};

class EMBER_API Dropout
    : public Module {  // while training, zeros with probability p; the rest grows to keep the mean
 public:
  explicit Dropout(double p = 0.5);
  Tensor forward(const Tensor& x) override;
  std::string kind() const override { return "Dropout"; }
  std::string details() const override;

 private:
  double p_;
};

class EMBER_API Flatten : public Module {  // the axes from start to end become one
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
