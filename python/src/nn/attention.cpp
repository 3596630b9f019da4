// Attention, transformer blocks, and the layers that mix channels or steps.
#include "ember/nn/mixing.h"
#include "python/src/nn/layer.h"
#include "python/src/nn/members.h"

namespace ember::python {
namespace {

using namespace nn;
using nb::arg;
using Given = std::optional<Tensor>;
using nb::none;

// ---- Transformers ----
const auto transformer_options =
    EMBER_OPTIONS(TransformerOptions, dim_feedforward, dropout, activation, layer_norm_eps,
                  batch_first, norm_first, bias);
template <class L> auto block(nb::module_& m, const char* name, const char* doc) {
  return layer_class<L>(m, name, doc, in<int64_t>("d_model"), in<int64_t>("nhead"),
                        transformer_options);
}

// As in PyTorch, a stack is made from a sample layer, which provides the options and the initial
// weights; norm is a LayerNorm after the last layer, or None.
template <class Stack, class L>
auto stack(nb::module_& m, const char* name, const char* layer, const char* doc) {
  Class& c = class_of<Stack>();
  c.fields = {{layer, {}}, {"num_layers", {}}, {"norm", none()}};
  c.make = [](PyObject* self, nb::list& values) {
    const Class& c = class_of<Stack>();
    const Class& of = class_of<L>();
    nb::object layer = values[0];
    nb::object norm = values[2];
    // A subclass could do anything else.
    const bool sample = nb::isinstance<L>(layer) && !nb::inst_python_derived(layer);
    if (sample) layer = layer.attr("get_config")();
    if (!nb::isinstance<nb::dict>(layer) || nb::len(layer) != of.fields.size()) {
      throw DTypeError("[" + c.name + "] argument '" + c.fields[0].name + "' must be a " + of.name +
                       " made in Python");
    }
    if (!norm.is_none() && !nb::isinstance<LayerNorm>(norm) && !nb::isinstance<nb::bool_>(norm)) {
      throw DTypeError("[" + c.name + "] argument 'norm' must be a LayerNorm or None");
    }
    nb::list sizes;
    for (const Field& f : of.fields) sizes.append(layer[f.name]);
    size_t at = 2;
    emplace<Stack, Trampoline<Stack>>(self,
                                      value_of<int64_t>(c, c.fields[1], values[1], "an integer"),
                                      nb::cast<int64_t>(sizes[0]), nb::cast<int64_t>(sizes[1]),
                                      transformer_options.take(of, sizes, at), !norm.is_none());
    for (const auto& [name, module] : nb::inst_ptr<Stack>(self)->named_modules()) {
      if (sample && dynamic_cast<L*>(module)) {
        module->load_state_dict(module_of(values[0]).state_dict());
      }
      if (name == "norm" && nb::isinstance<LayerNorm>(norm)) {
        module->load_state_dict(module_of(norm).state_dict());
      }
    }
    values[0] = layer;  // the config does not contain weights
    if (!norm.is_none()) values[2] = nb::bool_(true);
  };
  return make_class<Stack, Module>(m, name, doc);
}

void add_transformers(nb::module_& m) {
  layer_class<MultiheadAttention>(
      m, "MultiheadAttention",
      "Each query sees the values whose keys are like it, in several heads side by side.",
      in<int64_t>("embed_dim"), in<int64_t>("num_heads"),
      EMBER_OPTIONS(AttentionOptions, dropout, bias, kdim, vdim, batch_first))
      .def(
          "forward",
          [](MultiheadAttention& l, const Tensor& query, const Given& key, const Given& value,
             const Given& padding, bool need_weights, const Given& mask, bool average,
             bool causal) {
            const Tensor k = key.value_or(query);
            const AttentionOutput r =
                l(query, k, value.value_or(k),
                  {given(mask), given(padding), causal, need_weights, average});
            return nb::make_tuple(r.output, r.weights);
          },
          arg("query"), arg("key") = none(), arg("value") = none(),
          arg("key_padding_mask") = none(), arg("need_weights") = true, arg("attn_mask") = none(),
          arg("average_attn_weights") = true, arg("is_causal") = false,
          "The output, and the weights where asked for. In a bool mask, true is what must not be "
          "seen; other masks are added to the scores.");
  const auto bind_encoder = []<class L, class... R>(nb::class_<L, R...> type, const char* mask) {
    type.def(
        "forward",
        [](L& l, const Tensor& x, const Given& mask, const Given& padding, bool causal) {
          return l(x, EncoderMasks{given(mask), given(padding), causal});
        },
        arg("src"), arg(mask) = none(), arg("src_key_padding_mask") = none(),
        arg("is_causal") = false,
        "The layer's output. A bool mask is true where a query must not attend.");
  };
  const auto bind_decoder = []<class L, class... R>(nb::class_<L, R...> type) {
    type.def(
        "forward",
        [](L& l, const Tensor& x, const Tensor& memory, const Given& mask, const Given& memory_mask,
           const Given& padding, const Given& memory_padding, bool causal, bool memory_causal) {
          return l(x, memory,
                   DecoderMasks{given(mask), given(memory_mask), given(padding),
                                given(memory_padding), causal, memory_causal});
        },
        arg("tgt"), arg("memory"), arg("tgt_mask") = none(), arg("memory_mask") = none(),
        arg("tgt_key_padding_mask") = none(), arg("memory_key_padding_mask") = none(),
        arg("tgt_is_causal") = false, arg("memory_is_causal") = false,
        "The layer's output. A bool mask is true where a query must not attend.");
  };
  bind_encoder(block<TransformerEncoderLayer>(
                   m, "TransformerEncoderLayer",
                   "Self-attention, then a feed-forward network, each with a residual and a norm."),
               "src_mask");
  bind_decoder(
      block<TransformerDecoderLayer>(m, "TransformerDecoderLayer",
                                     "Self-attention, attention to a memory, a feed-forward "
                                     "network, each with a residual and a norm."));
  bind_encoder(stack<TransformerEncoder, TransformerEncoderLayer>(
                   m, "TransformerEncoder", "encoder_layer", "Encoder layers one after the other."),
               "mask");
  bind_decoder(stack<TransformerDecoder, TransformerDecoderLayer>(
      m, "TransformerDecoder", "decoder_layer", "Decoder layers one after the other."));

  layer<SinusoidalPositions>(
      m, "SinusoidalPositions", "Adds sin and cos of the position in ever longer waves.",
      in<int64_t>("dim"), in<int64_t>("max_length", 5000), in("batch_first", false));
  layer<LearnedPositions>(m, "LearnedPositions", "Adds a learned vector to each place.",
                          in<int64_t>("dim"), in<int64_t>("max_length"), in("batch_first", false));
  layer<RotaryPositions>(m, "RotaryPositions",
                         "Turns pairs of features by angles that grow with the position.",
                         in("base", 10000.0), in("interleaved", false));
  m.def(
      "causal_mask",
      [](int64_t queries, std::optional<int64_t> keys) {
        return causal_mask(queries, keys.value_or(queries));
      },
      arg("queries"), arg("keys") = none(),
      "True where a query would see ahead, as attn_mask takes it.");
}

// ---- Mixing layers: forward also takes a mask ----
[[noreturn]] void no_forward(const Module& m, const char* instead) {
  throw UnsupportedError("[" + m.kind() + "] has no forward: define " + instead +
                         "forward(self, x, mask=None) in its class");
}
template <class L> struct LayerTrampoline : Trampoline<L> {
  using Trampoline<L>::Trampoline;
  using Trampoline<L>::forward;
  Tensor forward(const Tensor& x, const Tensor& mask) override {
    const nb::detail::ticket t(this->nb_trampoline, "forward", nb::detail::str_hash("forward"),
                               false);
    const nb::handle self = this->nb_trampoline.base();
    if (t.key.is_valid()) return tensor_from(self, call_forward(self, t.key, x, mask));
    if constexpr (std::is_same_v<L, layers::Layer>) {
      no_forward(*this, "");
    } else {
      return L::forward(x, mask);
    }
  }
};
// The virtual functions of the two families that a Python subclass implements.
struct ChannelTrampoline : LayerTrampoline<layers::ChannelMixing> {
  using LayerTrampoline::LayerTrampoline;
  Tensor mix(const Tensor& x) override {
    const nb::detail::ticket t(nb_trampoline, "mix", nb::detail::str_hash("mix"), false);
    if (!t.key.is_valid()) no_forward(*this, "mix(self, x), or ");
    const nb::handle self = nb_trampoline.base();
    return tensor_from(self, call_python_with(self.attr(t.key), object(x)));
  }
};
struct SequenceTrampoline : LayerTrampoline<layers::SequenceMixing> {
  using LayerTrampoline::LayerTrampoline;
  Tensor mix(const Tensor& x, const Tensor& mask) override {
    const nb::detail::ticket t(nb_trampoline, "mix", nb::detail::str_hash("mix"), false);
    if (!t.key.is_valid()) no_forward(*this, "mix(self, x, mask), or ");
    const nb::handle self = nb_trampoline.base();
    return tensor_from(self, call_python_with(self.attr(t.key), object(x), nb::cast(mask)));
  }
};
const char* const mask_doc =
    "The layer's output. mask [batch, steps]: true for what is real; what it leaves out is never "
    "seen and comes out as zeros.";

template <class L, class Base, class... Spec>
void mixer(nb::handle scope, const char* name, const char* doc, const Spec&... specs) {
  layer_class<L, Base, LayerTrampoline<L>>(scope, name, doc, specs...)
      .def(
          "forward",
          [](L& l, const Tensor& x, const Given& mask) { return l.L::forward(x, given(mask)); },
          arg("x"), arg("mask") = none(), mask_doc);
}
template <class L, class Base, class T>
void family(nb::handle scope, const char* name, const char* doc) {
  class_of<L>().make = [](PyObject* self, nb::list&) { emplace<L, T>(self); };
  auto type = make_class<L, Base, T>(scope, name, doc);
  type.def(
      "forward",
      [](L& l, const Tensor& x, const Given& mask) -> Tensor {
        if constexpr (std::is_same_v<L, layers::Layer>) {
          no_forward(l, "");
        } else {
          return l.L::forward(x, given(mask));
        }
      },
      arg("x"), arg("mask") = none(), mask_doc);
  if constexpr (!std::is_same_v<L, layers::Layer>) {
    type.def(
        "mix", [](L& l, nb::args) -> Tensor { no_forward(l, "mix, or "); },
        "The function of forward on the valid steps.");
  }
}

void add_mixing(nb::module_& m) {
  using namespace nn::layers;
  nb::module_ l = m.def_submodule("mixing", "Layers that mix channels or steps, all with a mask.");
  family<Layer, Module, LayerTrampoline<Layer>>(
      l, "Layer", "A module whose forward takes [batch, steps, features] and a mask.");
  family<ChannelMixing, Layer, ChannelTrampoline>(
      l, "ChannelMixing", "Acts on each step. A subclass defines mix(self, x), or forward.");
  family<SequenceMixing, Layer, SequenceTrampoline>(
      l, "SequenceMixing",
      "Acts between steps. A subclass defines mix(self, x, mask), or forward.");
  const auto features = in<int64_t>("features");
  {
    using namespace channel_mixing;
    mixer<MLP, ChannelMixing>(
        l, "MLP", "down(activation(up(x))); hidden_size: 4 times the features when None.", features,
        EMBER_OPTIONS(MLPOptions, hidden_size, activation, dropout, bias));
    mixer<GatedMLP, ChannelMixing>(
        l, "GatedMLP",
        "down(activation(gate(x)) * up(x)); hidden_size: 4 times the features when None.", features,
        EMBER_OPTIONS(GatedMLPOptions, hidden_size, activation, dropout, bias));
  }
  using namespace sequence_mixing;
  const auto attention = EMBER_OPTIONS(MixingAttentionOptions, num_heads, dropout, bias);
  mixer<Attention, SequenceMixing>(l, "Attention", "Self-attention.", features, attention);
  mixer<CausalAttention, Attention>(l, "CausalAttention", "Causal self-attention.", features,
                                    attention);
  mixer<Convolution, SequenceMixing>(
      l, "Convolution", "A depthwise convolution along the steps that keeps their number.",
      features, EMBER_OPTIONS(ConvolutionOptions, kernel_size, causal, bias));
  using R = MixingRecurrentOptions;
  mixer<layers::sequence_mixing::Recurrent, SequenceMixing>(
      l, "Recurrent", "A recurrent network: cell rnn, lstm or gru.", features,
      EMBER_OPTIONS(R, cell, num_layers, bidirectional));
}

void add_layer(nb::handle self, nb::handle layer) {
  if (!nb::isinstance<layers::Layer>(layer)) {
    throw DTypeError("[Model] takes layers whose forward takes a mask, not " +
                     std::string(Py_TYPE(layer.ptr())->tp_name) + ": see Sequential");
  }
  put_part(self, std::to_string(module_of(self).children().size()), layer);
}
void add_models(nb::module_& m) {
  class_of<Model>().make = [](PyObject* self, nb::list& values) {
    emplace<Model, LayerTrampoline<Model>>(self);
    nb::inst_mark_ready(self);
    for (nb::handle layer : nb::borrow<nb::object>(values[0])) add_layer(self, layer);
    values[0] = nb::tuple();  // they become members
  };
  class_of<Model>().fields = {{"layers", nb::tuple()}};
  const char* const doc =
      "Layers one after the other, the same mask for all. A subclass defines its own parts and "
      "forward.";
  make_class<Model, layers::Layer, LayerTrampoline<Model>>(m, "Model", doc)
      .def(
          "forward",
          [](Model& l, const Tensor& x, const Given& mask) {
            return l.Model::forward(x, given(mask));
          },
          arg("x"), arg("mask") = none(), mask_doc)
      .def("add", &add_layer, arg("layer"), "Appends a layer.")
      .def("__len__", [](const Model& l) { return l.size(); });

  // The mixers by name, created for hidden_size, or as layers. Instead of hidden_size, any object
  // with an attribute of that name is accepted.
  using H = HybridConfig;
  const auto by_name =
      EMBER_OPTIONS(H, hidden_size, channel_mixer, sequence_mixer, num_heads, dropout, residual);
  Class& c = class_of<HybridModel>();
  by_name.list(c.fields);
  c.make = [by_name](PyObject* self, nb::list& values) {
    using T = LayerTrampoline<HybridModel>;
    if (nb::isinstance<layers::ChannelMixing>(values[1]) &&
        nb::isinstance<layers::SequenceMixing>(values[2])) {
      const auto part = [&](size_t i) { return module_ptr(values[i]); };
      emplace<HybridModel, T>(self, std::static_pointer_cast<layers::ChannelMixing>(part(1)),
                              std::static_pointer_cast<layers::SequenceMixing>(part(2)));
      return;
    }
    if (nb::hasattr(values[0], "hidden_size")) {
      values[0] = nb::object(values[0]).attr("hidden_size");
    }
    size_t at = 0;
    emplace<HybridModel, T>(self, by_name.take(class_of<HybridModel>(), values, at));
  };
  make_class<HybridModel, Model, LayerTrampoline<HybridModel>>(
      m, "HybridModel",
      "A channel mixer (mlp, gated_mlp), then a sequence mixer (attention, causal_attention, "
      "convolution, recurrent); both may be layers too.")
      .def(
          "forward",
          [](HybridModel& l, const Tensor& x, const Given& mask) {
            return l.HybridModel::forward(x, given(mask));
          },
          arg("x"), arg("mask") = none(), mask_doc);
}

}  // namespace

void add_attention(nb::module_& m) {
  add_transformers(m);
  add_mixing(m);
  add_models(m);
}

}  // namespace ember::python
