// Channel and sequence mixing layers.
#include "ember/nn/mixing.h"

#include "src/nn/common.h"

namespace ember::nn {
namespace layers {
namespace {

// Checks the mask: bool [batch, steps], or undefined.
Tensor check_mask(const std::string& kind, const Tensor& x, const Tensor& mask) {
  if (!mask.defined()) return mask;
  const Shape places(x.shape().begin(), x.shape().end() - (x.ndim() ? 1 : 0));
  NEED_SHAPE(mask.shape() == places, kind,
             "a mask for " + to_string(x.shape()) + " must have shape " + to_string(places) +
                 ", not " + to_string(mask.shape()));
  return mask.dtype() == DType::bool_ ? mask : mask != Tensor(0);
}
// Selects instead of multiplying, because masked values may be infinite or NaN.
Tensor zero_masked(const Tensor& x, const Tensor& mask) {
  return mask.defined() ? ops::where(ops::expand_dims(mask, {-1}), x, ops::zeros({}, x.dtype()))
                        : x;
}

}  // namespace

Tensor ChannelMixing::forward(const Tensor& x, const Tensor& mask) {
  const Tensor real = check_mask(kind(), x, mask);
  return zero_masked(mix(zero_masked(x, real)), real);
}
Tensor SequenceMixing::forward(const Tensor& x, const Tensor& mask) {
  NEED_SHAPE(x.ndim() == 3, kind(),
             "expects [batch, steps, features], not the shape " + to_string(x.shape()));
  const Tensor real = check_mask(kind(), x, mask);
  return zero_masked(mix(zero_masked(x, real), real), real);
}

namespace channel_mixing {

MLP::MLP(int64_t n, const MLPOptions& o)
    : activation_(get_activation(o.activation)),
      up(n, o.hidden_size.value_or(4 * n), o.bias),
      down(o.hidden_size.value_or(4 * n), n, o.bias),
      dropout(o.dropout) {
  add("up", up);
  add("down", down);
  add("dropout", dropout);
}
Tensor MLP::mix(const Tensor& x) { return dropout(down(activation_(up(x)))); }

GatedMLP::GatedMLP(int64_t n, const GatedMLPOptions& o)
    : activation_(get_activation(o.activation)),
      gate(n, o.hidden_size.value_or(4 * n), o.bias),
      up(n, o.hidden_size.value_or(4 * n), o.bias),
      down(o.hidden_size.value_or(4 * n), n, o.bias),
      dropout(o.dropout) {
  add("gate", gate);
  add("up", up);
  add("down", down);
  add("dropout", dropout);
}
Tensor GatedMLP::mix(const Tensor& x) { return dropout(down(activation_(gate(x)) * up(x))); }

}  // namespace channel_mixing
namespace sequence_mixing {

Attention::Attention(int64_t n, const MixingAttentionOptions& o, bool causal)
    : causal_(causal),
      attention(n, o.num_heads, {.dropout = o.dropout, .bias = o.bias, .batch_first = true}) {
  add("attention", attention);
}
Tensor Attention::mix(const Tensor& x, const Tensor& mask) {
  return attention(x, x, x,
                   {.key_padding_mask = mask.defined() ? ops::logical_not(mask) : Tensor(),
                    .is_causal = causal_})
      .output;
}

Convolution::Convolution(int64_t n, const ConvolutionOptions& o)
    : o_(o), conv(n, n, o.kernel_size, {.groups = n, .bias = o.bias}) {
  add("conv", conv);
}
Tensor Convolution::mix(const Tensor& x, const Tensor&) {
  const int64_t more = o_.kernel_size - 1;
  const int64_t before = o_.causal ? more : more / 2;
  return ops::swapaxes(conv(ops::pad(ops::swapaxes(x, 1, 2), {0, 0, 0, 0, before, more - before})),
                       1, 2);
}
std::string Convolution::details() const {
  return "kernel_size=" + std::to_string(o_.kernel_size) + (o_.causal ? ", causal=True" : "");
}

Recurrent::Recurrent(int64_t n, const MixingRecurrentOptions& o) : both_(o.bidirectional) {
  const RecurrentOptions r{.num_layers = o.num_layers, .batch_first = true, .bidirectional = both_};
  if (o.cell == "lstm") {
    rnn_ = make<LSTM>(n, n, r);
  } else if (o.cell == "gru") {
    rnn_ = make<GRU>(n, n, r);
  } else if (o.cell == "rnn") {
    rnn_ = make<RNN>(n, n, r);
  } else {
    throw ValueError("[Recurrent] cell must be rnn, lstm or gru, not '" + o.cell + "'");
  }
  add("rnn", rnn_);
  if (both_) add("join", join_ = make<Linear>(2 * n, n));
}
Tensor Recurrent::mix(const Tensor& x, const Tensor&) {
  const Tensor y = rnn_->forward(x);
  return both_ ? (*join_)(y) : y;
}

}  // namespace sequence_mixing
}  // namespace layers

Model::Model(std::vector<std::shared_ptr<layers::Layer>> given) {
  for (auto& l : given) push_back(std::move(l));
}
void Model::push_back(std::shared_ptr<layers::Layer> layer) {
  add(std::to_string(size()), std::move(layer));
}
static layers::Layer& layer_of(const Module::Member& m) {
  if (auto* l = dynamic_cast<layers::Layer*>(m.child)) return *l;
  throw ValueError("[Model] '" + m.name +
                   "' does not take a mask: override forward, or use a Sequential");
}
layers::Layer& Model::operator[](size_t i) const {
  for (const Member& m : members()) {
    if (m.child && i-- == 0) return layer_of(m);
  }
  throw IndexError("[" + kind() + "] has " + std::to_string(size()) + " layers");
}
Tensor Model::forward(const Tensor& x, const Tensor& mask) {
  Tensor y = x;
  for (size_t i = 0; i < members().size(); ++i) {
    const auto alive = members()[i].owner;  // forward may run code that changes this model
    if (members()[i].child) y = layer_of(members()[i]).forward(y, mask);
  }
  return y;
}

namespace {
std::shared_ptr<layers::ChannelMixing> channel_mixer(const HybridConfig& c) {
  using namespace layers::channel_mixing;
  if (c.channel_mixer == "mlp") return make<MLP>(c.hidden_size, MLPOptions{.dropout = c.dropout});
  if (c.channel_mixer == "gated_mlp") {
    return make<GatedMLP>(c.hidden_size, GatedMLPOptions{.dropout = c.dropout});
  }
  throw ValueError("[HybridModel] channel_mixer must be mlp or gated_mlp, not '" + c.channel_mixer +
                   "'");
}
std::shared_ptr<layers::SequenceMixing> sequence_mixer(const HybridConfig& c) {
  using namespace layers::sequence_mixing;
  const bool causal = c.sequence_mixer == "causal_attention";
  if (causal || c.sequence_mixer == "attention") {
    return make<Attention>(c.hidden_size,
                           MixingAttentionOptions{.num_heads = c.num_heads, .dropout = c.dropout},
                           causal);
  }
  if (c.sequence_mixer == "convolution") return make<Convolution>(c.hidden_size);
  if (c.sequence_mixer == "recurrent") {
    return make<layers::sequence_mixing::Recurrent>(c.hidden_size);
  }
  throw ValueError(
      "[HybridModel] sequence_mixer must be attention, causal_attention, convolution or recurrent, "
      "not '" +
      c.sequence_mixer + "'");
}
}  // namespace

HybridModel::HybridModel(const HybridConfig& c) : HybridModel(channel_mixer(c), sequence_mixer(c)) {
  if (c.residual) {
    add("norm1", norm1_ = make<LayerNorm>(c.hidden_size));
    add("norm2", norm2_ = make<LayerNorm>(c.hidden_size));
  }
}
HybridModel::HybridModel(std::shared_ptr<layers::ChannelMixing> c,
                         std::shared_ptr<layers::SequenceMixing> s)
    : channel_(std::move(c)), sequence_(std::move(s)) {
  add("channel_mixer", channel_);
  add("sequence_mixer", sequence_);
}
Tensor HybridModel::forward(const Tensor& x, const Tensor& mask) {
  if (!norm1_) return sequence_->forward(channel_->forward(x, mask), mask);
  const Tensor real = layers::zero_masked(x, layers::check_mask(kind(), x, mask));
  const Tensor h = real + channel_->forward((*norm1_)(real), mask);
  return h + sequence_->forward((*norm2_)(h), mask);
}

}  // namespace ember::nn
