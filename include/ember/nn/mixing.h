// Layers over [batch, steps, features] in two families: channel mixing acts on each step
// separately, sequence mixing acts between steps. All accept a mask [batch, steps] that is true (or
// 1) for real steps. Masked steps are never read, and their outputs are zeros.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ember/nn/activations.h"
#include "ember/nn/conv.h"
#include "ember/nn/layers.h"
#include "ember/nn/norm.h"
#include "ember/nn/recurrent.h"
#include "ember/nn/transformer.h"

namespace ember::nn {
namespace layers {

class EMBER_API Layer : public Module {
 public:
  Tensor forward(const Tensor& x) override { return forward(x, {}); }
  // An undefined mask masks nothing.
  virtual Tensor forward(const Tensor& x, const Tensor& mask) = 0;
  Tensor operator()(const Tensor& x, const Tensor& mask = {}) { return forward(x, mask); }
};

class EMBER_API ChannelMixing : public Layer {
 public:
  using Layer::forward;
  Tensor forward(const Tensor& x, const Tensor& mask) override;

 protected:
  virtual Tensor mix(const Tensor& x) = 0;
};
namespace channel_mixing {

struct MLPOptions {
  std::optional<int64_t> hidden_size;  // 4 times the number of features by default
  std::string activation = "gelu";
  double dropout = 0;
  bool bias = true;
};
// down(activation(up(x)))
class EMBER_API MLP : public ChannelMixing {
 public:
  explicit MLP(int64_t features, const MLPOptions& options = {});
  std::string kind() const override { return "MLP"; }

 protected:
  Tensor mix(const Tensor& x) override;

 private:
  Activation activation_;

 public:
  Linear up, down;
  Dropout dropout;
};
struct GatedMLPOptions {
  std::optional<int64_t> hidden_size;  // 4 times the number of features by default
  std::string activation = "silu";
  double dropout = 0;
  bool bias = false;
};
// down(activation(gate(x)) * up(x))
class EMBER_API GatedMLP : public ChannelMixing {
 public:
  explicit GatedMLP(int64_t features, const GatedMLPOptions& options = {});
  std::string kind() const override { return "GatedMLP"; }

 protected:
  Tensor mix(const Tensor& x) override;

 private:
  Activation activation_;

 public:
  Linear gate, up, down;
  Dropout dropout;
};

}  // namespace channel_mixing

class EMBER_API SequenceMixing : public Layer {
 public:
  using Layer::forward;
  Tensor forward(const Tensor& x, const Tensor& mask) override;

 protected:
  // x is already 0 at masked steps. mask is bool or undefined.
  virtual Tensor mix(const Tensor& x, const Tensor& mask) = 0;
};
namespace sequence_mixing {

struct MixingAttentionOptions {
  int64_t num_heads = 1;
  double dropout = 0;
  bool bias = true;
};
class EMBER_API Attention : public SequenceMixing {
 public:
  explicit Attention(int64_t features, const MixingAttentionOptions& options = {},
                     bool causal = false);
  std::string kind() const override { return causal_ ? "CausalAttention" : "Attention"; }

 protected:
  Tensor mix(const Tensor& x, const Tensor& mask) override;

 private:
  bool causal_;

 public:
  MultiheadAttention attention;
};
class EMBER_API CausalAttention : public Attention {
 public:
  explicit CausalAttention(int64_t features, const MixingAttentionOptions& options = {})
      : Attention(features, options, true) {}
};

struct ConvolutionOptions {
  int64_t kernel_size = 3;
  bool causal = false, bias = true;
};
// Depthwise convolution along the steps that keeps the length.
class EMBER_API Convolution : public SequenceMixing {
 public:
  explicit Convolution(int64_t features, const ConvolutionOptions& options = {});
  std::string kind() const override { return "Convolution"; }
  std::string details() const override;

 protected:
  Tensor mix(const Tensor& x, const Tensor& mask) override;

 private:
  ConvolutionOptions o_;

 public:
  Conv1d conv;
};

struct MixingRecurrentOptions {
  std::string cell = "gru";  // rnn, lstm, gru
  int64_t num_layers = 1;
  bool bidirectional = false;
};
class EMBER_API Recurrent : public SequenceMixing {
 public:
  explicit Recurrent(int64_t features, const MixingRecurrentOptions& options = {});
  std::string kind() const override { return "Recurrent"; }

 protected:
  Tensor mix(const Tensor& x, const Tensor& mask) override;

 private:
  bool both_;
  std::shared_ptr<nn::Recurrent> rnn_;
  std::shared_ptr<Linear> join_;  // merges two directions
};

}  // namespace sequence_mixing
}  // namespace layers

// A sequence of layers that share one mask.
class EMBER_API Model : public layers::Layer {
 public:
  Model() = default;
  explicit Model(std::vector<std::shared_ptr<layers::Layer>> layers);
  void push_back(std::shared_ptr<layers::Layer> layer);
  size_t size() const { return children().size(); }
  layers::Layer& operator[](size_t i) const;
  using Layer::forward;
  Tensor forward(const Tensor& x, const Tensor& mask) override;
  std::string kind() const override { return "Model"; }
};

struct HybridConfig {
  int64_t hidden_size = 0;
  std::string channel_mixer = "mlp";         // mlp, gated_mlp
  std::string sequence_mixer = "attention";  // attention, causal_attention, convolution, recurrent
  int64_t num_heads = 1;
  double dropout = 0;
  bool residual = false;  // x + mixer(norm(x)) instead of mixer(x); needed in deep stacks
};
// A channel mixer followed by a sequence mixer.
class EMBER_API HybridModel : public Model {
 public:
  explicit HybridModel(const HybridConfig& config);
  HybridModel(std::shared_ptr<layers::ChannelMixing> channel_mixer,
              std::shared_ptr<layers::SequenceMixing> sequence_mixer);
  using Layer::forward;
  Tensor forward(const Tensor& x, const Tensor& mask) override;
  std::string kind() const override { return "HybridModel"; }

 private:
  std::shared_ptr<layers::ChannelMixing> channel_;
  std::shared_ptr<layers::SequenceMixing> sequence_;
  std::shared_ptr<LayerNorm> norm1_;
  std::shared_ptr<LayerNorm> norm2_;
};

}  // namespace ember::nn
