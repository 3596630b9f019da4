// Attention, positional encodings and transformer blocks, with PyTorch's parameter names.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ember/nn/activations.h"
#include "ember/nn/layers.h"
#include "ember/nn/norm.h"

namespace ember::nn {

struct AttentionOptions {
  double dropout = 0;  // of the attention weights, in training
  bool bias = true;
  // Features of key and value; by default those of the query.
  std::optional<int64_t> kdim, vdim;
  bool batch_first = false;  // [batch, steps, features], else [steps, batch, features]
};
// PyTorch's convention: true in a bool mask excludes a key; a floating-point mask is added to the
// scores.
struct AttentionMasks {
  Tensor attn_mask;         // [queries, keys] or [batch * heads, queries, keys]
  Tensor key_padding_mask;  // [batch, keys]
  bool is_causal = false;   // each query sees the keys up to its own position
  bool need_weights = false, average_weights = true;
};
// Weights if requested: [batch, queries, keys], or per head [batch, heads, queries, keys].
struct AttentionOutput {
  Tensor output, weights;
};

class EMBER_API MultiheadAttention : public Module {
 public:
  MultiheadAttention(int64_t embed_dim, int64_t num_heads, const AttentionOptions& options = {});
  using Module::operator();
  AttentionOutput operator()(const Tensor& query, const Tensor& key, const Tensor& value,
                             const AttentionMasks& masks = {});
  Tensor forward(const Tensor& x) override { return (*this)(x, x, x).output; }
  std::string kind() const override { return "MultiheadAttention"; }
  Parameter in_proj_weight;
  Parameter q_proj_weight;
  Parameter k_proj_weight;
  Parameter v_proj_weight;
  Parameter in_proj_bias;
  Linear out_proj;

 private:
  int64_t dim_, heads_;
  AttentionOptions o_;
};

// Adds the sines and cosines of the position at geometrically increasing wavelengths.
class EMBER_API SinusoidalPositions : public Module {
 public:
  SinusoidalPositions(int64_t dim, int64_t max_length = 5000, bool batch_first = false);
  Tensor forward(const Tensor& x) override;
  std::string kind() const override { return "SinusoidalPositions"; }
  std::string details() const override;

 private:
  int64_t dim_, length_;
  bool batch_first_;
  Tensor table_;  // derived, therefore not part of the state
};
// Adds a learned vector to each position.
class EMBER_API LearnedPositions : public Module {
 public:
  LearnedPositions(int64_t dim, int64_t max_length, bool batch_first = false);
  Tensor forward(const Tensor& x) override;
  std::string kind() const override { return "LearnedPositions"; }
  std::string details() const override;
  Parameter weight;  // [max_length, dim]

 private:
  bool batch_first_;
};
class EMBER_API RotaryPositions : public Module {  // ops::rope over [..., steps, features]
 public:
  explicit RotaryPositions(double base = 10000, bool interleaved = false)
      : base_(base), interleaved_(interleaved) {}
  Tensor forward(const Tensor& x) override;
  std::string kind() const override { return "RotaryPositions"; }
  std::string details() const override;

 private:
  double base_;
  bool interleaved_;
};

struct TransformerOptions {
  int64_t dim_feedforward = 2048;
  double dropout = 0.1;
  std::string activation = "relu";  // any of get_activation
  double layer_norm_eps = 1e-5;
  bool batch_first = false, norm_first = false, bias = true;
};
struct EncoderMasks {
  Tensor mask, key_padding_mask;
  bool is_causal = false;
};
class EMBER_API TransformerEncoderLayer : public Module {
 public:
  TransformerEncoderLayer(int64_t d_model, int64_t nhead, const TransformerOptions& options = {});
  Tensor operator()(const Tensor& x, const EncoderMasks& masks = {});
  Tensor forward(const Tensor& x) override { return (*this)(x); }
  std::string kind() const override { return "TransformerEncoderLayer"; }

 private:
  bool norm_first_;
  Activation activation_;

 public:
  MultiheadAttention self_attn;
  Linear linear1;
  Dropout dropout;
  Linear linear2;
  LayerNorm norm1;
  LayerNorm norm2;
  Dropout dropout1;
  Dropout dropout2;
};
struct DecoderMasks {
  Tensor tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask;
  bool tgt_is_causal = false, memory_is_causal = false;
};
class EMBER_API TransformerDecoderLayer : public Module {
 public:
  TransformerDecoderLayer(int64_t d_model, int64_t nhead, const TransformerOptions& options = {});
  Tensor operator()(const Tensor& x, const Tensor& memory, const DecoderMasks& masks = {});
  std::string kind() const override { return "TransformerDecoderLayer"; }

 private:
  bool norm_first_;
  Activation activation_;

 public:
  MultiheadAttention self_attn, multihead_attn;
  Linear linear1;
  Dropout dropout;
  Linear linear2;
  LayerNorm norm1;
  LayerNorm norm2;
  LayerNorm norm3;
  Dropout dropout1;
  Dropout dropout2;
  Dropout dropout3;
};

// A sequence of layers, layers.0..., with an optional final norm. Each layer is initialized
// independently.
class EMBER_API TransformerEncoder : public Module {
 public:
  TransformerEncoder(int64_t num_layers, int64_t d_model, int64_t nhead,
                     const TransformerOptions& options = {}, bool final_norm = false);
  Tensor operator()(const Tensor& x, const EncoderMasks& masks = {});
  Tensor forward(const Tensor& x) override { return (*this)(x); }
  std::string kind() const override { return "TransformerEncoder"; }

 private:
  ModuleList layers_;
  std::shared_ptr<LayerNorm> norm_;
};
class EMBER_API TransformerDecoder : public Module {
 public:
  TransformerDecoder(int64_t num_layers, int64_t d_model, int64_t nhead,
                     const TransformerOptions& options = {}, bool final_norm = false);
  Tensor operator()(const Tensor& x, const Tensor& memory, const DecoderMasks& masks = {});
  std::string kind() const override { return "TransformerDecoder"; }

 private:
  ModuleList layers_;
  std::shared_ptr<LayerNorm> norm_;
};

// True where a key is in the future of a query; for attn_mask.
EMBER_API Tensor causal_mask(int64_t queries, int64_t keys);
inline Tensor causal_mask(int64_t steps) { return causal_mask(steps, steps); }

}  // namespace ember::nn
