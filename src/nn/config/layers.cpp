// Ember's layers by name. Fields have the names of the constructors' arguments and options.
#include <algorithm>

#include "ember/nn.h"
#include "ember/registry.h"
#include "src/nn/config/names.h"

namespace ember {
namespace {

using namespace nn;

int64_t whole(const Config& c, const char* name) { return c.get<int64_t>(name); }
double real(const Config& c, const char* name, double otherwise) {
  return c.get<double>(name, otherwise);
}
bool flag(const Config& c, const char* name, bool otherwise) {
  return c.get<bool>(name, otherwise);
}
Extents extents(const Config& c, const char* name, int64_t otherwise) {
  return c.get<Extents>(name, Extents(otherwise));
}
// The weight of a batch's statistics; null is the mean over all batches.
std::optional<double> momentum(const Config& c) {
  const std::optional<double> m = c.maybe<double>("momentum");
  const std::vector<std::string> given = c.names();
  return m || std::find(given.begin(), given.end(), "momentum") != given.end() ? m : 0.1;
}

template <class M> void plain(Registry& r, const char* name) {
  r.add(name, [](const Config&) { return make<M>(); });
}

template <int N> void add_windows(Registry& r) {
  const std::string n = std::to_string(N) + "d";
  r.add("layers/conv" + n, [](const Config& c) {
    return make<Conv<N>>(whole(c, "in_channels"), whole(c, "out_channels"),
                         c.get<Extents>("kernel_size"),
                         ConvOptions{.stride = extents(c, "stride", 1),
                                     .padding = extents(c, "padding", 0),
                                     .dilation = extents(c, "dilation", 1),
                                     .groups = c.get("groups", 1),
                                     .bias = flag(c, "bias", true)});
  });
  r.add("layers/conv_transpose" + n, [](const Config& c) {
    return make<ConvTranspose<N>>(
        whole(c, "in_channels"), whole(c, "out_channels"), c.get<Extents>("kernel_size"),
        ConvTransposeOptions{.stride = extents(c, "stride", 1),
                             .padding = extents(c, "padding", 0),
                             .output_padding = extents(c, "output_padding", 0),
                             .dilation = extents(c, "dilation", 1),
                             .groups = c.get("groups", 1),
                             .bias = flag(c, "bias", true)});
  });
  r.add("layers/max_pool" + n, [](const Config& c) {
    return make<MaxPool<N>>(c.get<Extents>("kernel_size"),
                            MaxPoolOptions{.stride = c.maybe<Extents>("stride"),
                                           .padding = extents(c, "padding", 0),
                                           .dilation = extents(c, "dilation", 1),
                                           .ceil_mode = flag(c, "ceil_mode", false)});
  });
  r.add("layers/avg_pool" + n, [](const Config& c) {
    return make<AvgPool<N>>(
        c.get<Extents>("kernel_size"),
        AvgPoolOptions{.stride = c.maybe<Extents>("stride"),
                       .padding = extents(c, "padding", 0),
                       .ceil_mode = flag(c, "ceil_mode", false),
                       .count_include_pad = flag(c, "count_include_pad", true)});
  });
  r.add("layers/adaptive_avg_pool" + n, [](const Config& c) {
    return make<AdaptivePool<N, false>>(c.get<Extents>("output_size"));
  });
  r.add("layers/adaptive_max_pool" + n,
        [](const Config& c) { return make<AdaptivePool<N, true>>(c.get<Extents>("output_size")); });
  r.add("layers/batch_norm" + n, [](const Config& c) {
    return make<BatchNorm<N>>(
        whole(c, "num_features"),
        BatchNormOptions{.eps = real(c, "eps", 1e-5),
                         .momentum = momentum(c),
                         .affine = flag(c, "affine", true),
                         .track_running_stats = flag(c, "track_running_stats", true)});
  });
  r.add("layers/instance_norm" + n, [](const Config& c) {
    return make<InstanceNorm<N>>(
        whole(c, "num_features"),
        InstanceNormOptions{.eps = real(c, "eps", 1e-5),
                            .momentum = momentum(c),
                            .affine = flag(c, "affine", false),
                            .track_running_stats = flag(c, "track_running_stats", false)});
  });
}

template <class M> void add_recurrent(Registry& r, const char* name) {
  r.add(name, [](const Config& c) {
    RecurrentOptions o{.num_layers = c.get("num_layers", 1),
                       .bias = flag(c, "bias", true),
                       .batch_first = flag(c, "batch_first", false),
                       .dropout = real(c, "dropout", 0),
                       .bidirectional = flag(c, "bidirectional", false)};
    if (std::is_same_v<M, RNN>) o.nonlinearity = c.get("nonlinearity", "tanh");
    return make<M>(whole(c, "input_size"), whole(c, "hidden_size"), o);
  });
}

// wiring: full (default), random, auto_ncp.
NeuronMap wiring_of(const Config& c) {
  const std::string wiring = c.get("wiring", "full");
  const int64_t inputs = whole(c, "inputs");
  const int64_t units = whole(c, "units");
  const uint64_t seed = uint64_t(c.get("seed", 1));
  if (wiring == "auto_ncp") {
    return auto_ncp_map(inputs, units, whole(c, "outputs"), real(c, "sparsity", 0.5), seed);
  }
  const MapOptions o{.outputs = c.maybe<int64_t>("outputs"),
                     .self_connections = flag(c, "self_connections", true),
                     .seed = seed};
  if (wiring == "full") return fully_connected_map(inputs, units, o);
  if (wiring == "random") return random_map(inputs, units, real(c, "sparsity", 0.5), o);
  throw ValueError("[registry] wiring must be full, random or auto_ncp, not " + in_quotes(wiring));
}

void add_mixing(Registry& r) {
  using namespace nn::layers;
  r.add("layers/channel_mixing/mlp", [](const Config& c) {
    return make<channel_mixing::MLP>(
        whole(c, "features"),
        channel_mixing::MLPOptions{.hidden_size = c.maybe<int64_t>("hidden_size"),
                                   .activation = c.get("activation", "gelu"),
                                   .dropout = real(c, "dropout", 0),
                                   .bias = flag(c, "bias", true)});
  });
  r.add("layers/channel_mixing/gated_mlp", [](const Config& c) {
    return make<channel_mixing::GatedMLP>(
        whole(c, "features"),
        channel_mixing::GatedMLPOptions{.hidden_size = c.maybe<int64_t>("hidden_size"),
                                        .activation = c.get("activation", "silu"),
                                        .dropout = real(c, "dropout", 0),
                                        .bias = flag(c, "bias", false)});
  });
  const auto attention = [](const Config& c) {
    return sequence_mixing::MixingAttentionOptions{.num_heads = c.get("num_heads", 1),
                                                   .dropout = real(c, "dropout", 0),
                                                   .bias = flag(c, "bias", true)};
  };
  r.add("layers/sequence_mixing/attention", [=](const Config& c) {
    return make<sequence_mixing::Attention>(whole(c, "features"), attention(c));
  });
  r.add("layers/sequence_mixing/causal_attention", [=](const Config& c) {
    return make<sequence_mixing::CausalAttention>(whole(c, "features"), attention(c));
  });
  r.add("layers/sequence_mixing/convolution", [](const Config& c) {
    return make<sequence_mixing::Convolution>(
        whole(c, "features"),
        sequence_mixing::ConvolutionOptions{.kernel_size = c.get("kernel_size", 3),
                                            .causal = flag(c, "causal", false),
                                            .bias = flag(c, "bias", true)});
  });
  r.add("layers/sequence_mixing/recurrent", [](const Config& c) {
    return make<sequence_mixing::Recurrent>(
        whole(c, "features"),
        sequence_mixing::MixingRecurrentOptions{.cell = c.get("cell", "gru"),
                                                .num_layers = c.get("num_layers", 1),
                                                .bidirectional = flag(c, "bidirectional", false)});
  });
}

void add_activations(Registry& r) {
  plain<ReLU>(r, "layers/relu");
  plain<ReLU6>(r, "layers/relu6");
  plain<Sigmoid>(r, "layers/sigmoid");
  plain<LogSigmoid>(r, "layers/log_sigmoid");
  plain<Hardsigmoid>(r, "layers/hardsigmoid");
  plain<Tanh>(r, "layers/tanh");
  plain<LeCunTanh>(r, "layers/lecun_tanh");
  plain<SiLU>(r, "layers/silu");
  plain<SELU>(r, "layers/selu");
  plain<Mish>(r, "layers/mish");
  plain<Hardswish>(r, "layers/hardswish");
  plain<Softsign>(r, "layers/softsign");
  r.add("layers/softmax", [](const Config& c) { return make<Softmax>(c.get("dim", -1)); });
  r.add("layers/log_softmax", [](const Config& c) { return make<LogSoftmax>(c.get("dim", -1)); });
  r.add("layers/glu", [](const Config& c) { return make<GLU>(c.get("dim", -1)); });
  r.add("layers/softplus", [](const Config& c) { return make<Softplus>(real(c, "beta", 1)); });
  r.add("layers/elu", [](const Config& c) { return make<ELU>(real(c, "alpha", 1)); });
  r.add("layers/celu", [](const Config& c) { return make<CELU>(real(c, "alpha", 1)); });
  r.add("layers/leaky_relu",
        [](const Config& c) { return make<LeakyReLU>(real(c, "negative_slope", 0.01)); });
  r.add("layers/gelu", [](const Config& c) { return make<GELU>(c.get("approximate", "none")); });
  r.add("layers/prelu", [](const Config& c) {
    return make<PReLU>(c.get("num_parameters", 1), real(c, "initial", 0.25));
  });
}

}  // namespace

void add_builtin_layers(Registry& r) {
  r.add("layers/linear", [](const Config& c) {
    return make<Linear>(whole(c, "in_features"), whole(c, "out_features"), flag(c, "bias", true));
  });
  r.add("layers/embedding", [](const Config& c) {
    return make<Embedding>(whole(c, "num_embeddings"), whole(c, "embedding_dim"),
                           EmbeddingOptions{.padding_idx = c.maybe<int64_t>("padding_idx")});
  });
  r.add("layers/dropout", [](const Config& c) { return make<Dropout>(real(c, "p", 0.5)); });
  r.add("layers/flatten",
        [](const Config& c) { return make<Flatten>(c.get("start_dim", 1), c.get("end_dim", -1)); });
  plain<Identity>(r, "layers/identity");
  plain<GlobalAvgPool>(r, "layers/global_avg_pool");
  plain<GlobalMaxPool>(r, "layers/global_max_pool");
  add_activations(r);
  add_windows<1>(r);
  add_windows<2>(r);
  add_windows<3>(r);
  r.add("layers/layer_norm", [](const Config& c) {
    return make<LayerNorm>(
        c.get<Extents>("normalized_shape"),
        LayerNormOptions{.eps = real(c, "eps", 1e-5),
                         .elementwise_affine = flag(c, "elementwise_affine", true),
                         .bias = flag(c, "bias", true)});
  });
  r.add("layers/rms_norm", [](const Config& c) {
    return make<RMSNorm>(c.get<Extents>("normalized_shape"),
                         RMSNormOptions{.eps = c.maybe<double>("eps"),
                                        .elementwise_affine = flag(c, "elementwise_affine", true)});
  });
  r.add("layers/group_norm", [](const Config& c) {
    return make<GroupNorm>(
        whole(c, "num_groups"), whole(c, "num_channels"),
        GroupNormOptions{.eps = real(c, "eps", 1e-5), .affine = flag(c, "affine", true)});
  });
  add_recurrent<RNN>(r, "layers/rnn");
  add_recurrent<LSTM>(r, "layers/lstm");
  add_recurrent<GRU>(r, "layers/gru");
  r.add("layers/rnn_cell", [](const Config& c) {
    return make<RNNCell>(whole(c, "input_size"), whole(c, "hidden_size"), flag(c, "bias", true),
                         c.get("nonlinearity", "tanh"));
  });
  r.add("layers/lstm_cell", [](const Config& c) {
    return make<LSTMCell>(whole(c, "input_size"), whole(c, "hidden_size"), flag(c, "bias", true));
  });
  r.add("layers/gru_cell", [](const Config& c) {
    return make<GRUCell>(whole(c, "input_size"), whole(c, "hidden_size"), flag(c, "bias", true));
  });
  r.add("layers/multihead_attention", [](const Config& c) {
    return make<MultiheadAttention>(whole(c, "embed_dim"), whole(c, "num_heads"),
                                    AttentionOptions{.dropout = real(c, "dropout", 0),
                                                     .bias = flag(c, "bias", true),
                                                     .kdim = c.maybe<int64_t>("kdim"),
                                                     .vdim = c.maybe<int64_t>("vdim"),
                                                     .batch_first = flag(c, "batch_first", false)});
  });
  r.add("layers/sinusoidal_positions", [](const Config& c) {
    return make<SinusoidalPositions>(whole(c, "dim"), c.get("max_length", 5000),
                                     flag(c, "batch_first", false));
  });
  r.add("layers/learned_positions", [](const Config& c) {
    return make<LearnedPositions>(whole(c, "dim"), whole(c, "max_length"),
                                  flag(c, "batch_first", false));
  });
  r.add("layers/rotary_positions", [](const Config& c) {
    return make<RotaryPositions>(real(c, "base", 10000), flag(c, "interleaved", false));
  });
  r.add("layers/ltc", [](const Config& c) {
    return make<LTC>(wiring_of(c),
                     LTCOptions{.batch_first = flag(c, "batch_first", true),
                                .ode_unfolds = c.get("ode_unfolds", 6),
                                .epsilon = real(c, "epsilon", 1e-8),
                                .input_affine = flag(c, "input_affine", true),
                                .output_affine = flag(c, "output_affine", true),
                                .implicit_constraints = flag(c, "implicit_constraints", true),
                                .mixed_memory = flag(c, "mixed_memory", false)});
  });
  r.add("layers/cfc", [](const Config& c) -> ModulePtr {
    const CfCOptions o{.batch_first = flag(c, "batch_first", true),
                       .mode = c.get("mode", "default"),
                       .activation = c.get("activation", "lecun_tanh"),
                       .backbone_units = c.get("backbone_units", 128),
                       .backbone_layers = c.get("backbone_layers", 1),
                       .backbone_dropout = real(c, "backbone_dropout", 0),
                       .mixed_memory = flag(c, "mixed_memory", false)};
    if (c.has("wiring")) return make<CfC>(wiring_of(c), o);
    return make<CfC>(whole(c, "inputs"), whole(c, "units"), o);
  });
  add_mixing(r);
}

}  // namespace ember
