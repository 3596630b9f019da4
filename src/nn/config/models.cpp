// Ember's models by name.
#include "ember/nn.h"
#include "ember/registry.h"
#include "src/nn/config/names.h"

namespace ember {
namespace {

using namespace nn;

TransformerOptions transformer_options(const Config& c) {
  return {.dim_feedforward = c.get("dim_feedforward", 2048),
          .dropout = c.get("dropout", 0.1),
          .activation = c.get("activation", "relu"),
          .layer_norm_eps = c.get("layer_norm_eps", 1e-5),
          .batch_first = c.get("batch_first", false),
          .norm_first = c.get("norm_first", false),
          .bias = c.get("bias", true)};
}

ModulePtr activation_layer(const std::string& name, const Registry& r) {
  get_activation(name);  // throws for an unknown name
  if (name == "linear") return make<Identity>();
  if (name == "swish") return make<SiLU>();
  if (name == "gelu_tanh") return make<GELU>("tanh");
  return r.create("layers/" + name, Config());
}
// Linear layers of the given sizes, with activation and dropout between them.
ModulePtr mlp(const Config& c, const Registry& r) {
  const Ints sizes = c.get<Ints>("sizes");
  if (sizes.size() < 2) {
    throw ValueError(
        "[models/mlp] the field 'sizes' must hold at least two numbers, from the inputs to the "
        "outputs");
  }
  const std::string activation = c.get("activation", "relu");
  const double dropout = c.get("dropout", 0.0);
  const bool bias = c.get("bias", true);
  auto net = make<Sequential>();
  for (size_t i = 1; i < sizes.size(); ++i) {
    net->push_back(make<Linear>(sizes[i - 1], sizes[i], bias));
    if (i + 1 == sizes.size()) break;
    net->push_back(activation_layer(activation, r));
    if (dropout != 0) net->push_back(make<Dropout>(dropout));
  }
  return net;
}
ModulePtr hybrid(const Config& c) {
  const HybridConfig h{.hidden_size = c.get<int64_t>("hidden_size"),
                       .channel_mixer = c.get("channel_mixer", "mlp"),
                       .sequence_mixer = c.get("sequence_mixer", "attention"),
                       .num_heads = c.get("num_heads", 1),
                       .dropout = c.get("dropout", 0.0),
                       .residual = c.get("residual", false)};
  const int64_t count = c.get("num_layers", 1);
  if (count < 1) {
    throw ValueError("[models/hybrid] the field 'num_layers' must be positive, not " +
                     std::to_string(count));
  }
  if (count == 1) return make<HybridModel>(h);
  auto stack = make<Model>();
  for (int64_t i = 0; i < count; ++i) stack->push_back(make<HybridModel>(h));
  return stack;
}

}  // namespace

void add_builtin_models(Registry& r) {
  r.add("models/mlp", [&r](const Config& c) { return mlp(c, r); });
  r.add("models/sequential", [&r](const Config& c) {
    auto net = make<Sequential>();
    for (const Config& part : c.get<std::vector<Config>>("layers")) net->push_back(r.create(part));
    return net;
  });
  r.add("models/hybrid", hybrid);
  r.add("layers/transformer_encoder_layer", [](const Config& c) {
    return make<TransformerEncoderLayer>(c.get<int64_t>("d_model"), c.get<int64_t>("nhead"),
                                         transformer_options(c));
  });
  r.add("layers/transformer_decoder_layer", [](const Config& c) {
    return make<TransformerDecoderLayer>(c.get<int64_t>("d_model"), c.get<int64_t>("nhead"),
                                         transformer_options(c));
  });
  const auto encoder = [](const Config& c) {
    return make<TransformerEncoder>(c.get<int64_t>("num_layers"), c.get<int64_t>("d_model"),
                                    c.get<int64_t>("nhead"), transformer_options(c),
                                    c.get("final_norm", false));
  };
  r.add("models/transformer", encoder);
  r.add("models/transformer_encoder", encoder);
  r.add("models/transformer_decoder", [](const Config& c) {
    return make<TransformerDecoder>(c.get<int64_t>("num_layers"), c.get<int64_t>("d_model"),
                                    c.get<int64_t>("nhead"), transformer_options(c),
                                    c.get("final_norm", false));
  });
}

}  // namespace ember
