// Recurrent networks, liquid networks, and their wirings.
#include "ember/nn/liquid.h"

#include <nanobind/stl/tuple.h>

#include "python/src/nn/layer.h"

namespace ember::python {
namespace {

using namespace nn;
using nb::arg;
using Given = std::optional<Tensor>;

// A state is a tensor, or a pair of tensors for a cell with memory.
LSTMState state_of(const std::string& layer, nb::handle hx, bool two) {
  if (hx.is_none()) return {};
  if (!two) return {to_tensor(hx.ptr()), {}};
  if (!PySequence_Check(hx.ptr()) || is_tensor(hx.ptr()) || nb::len(hx) != 2) {
    throw DTypeError("[" + layer + "] hx must be a pair of tensors (hidden, cell)");
  }
  return {to_tensor(nb::object(hx[0]).ptr()), to_tensor(nb::object(hx[1]).ptr())};
}

template <class L, class O>
void recurrent(nb::module_& m, const char* name, const char* doc, const O& more) {
  layer_class<L>(m, name, doc, in<int64_t>("input_size"), in<int64_t>("hidden_size"), more)
      .def(
          "forward",
          [](L& l, const Tensor& x, nb::object hx) {
            constexpr bool two = std::is_same_v<L, LSTM>;
            const LSTMState s = state_of(class_of<L>().name, hx, two);
            if constexpr (two) {
              const LSTMOutput r = l(x, s.hidden, s.cell);
              return nb::make_tuple(r.output, nb::make_tuple(r.hidden, r.cell));
            } else {
              const RecurrentOutput r = l(x, s.hidden);
              return nb::make_tuple(r.output, r.hidden);
            }
          },
          arg("x"), arg("hx") = nb::none(),
          "The last layer's hidden states, and the state after the last step. hx: the first "
          "state.");
}

void add_cells(nb::module_& m) {
  const auto input = in<int64_t>("input_size");
  const auto hidden = in<int64_t>("hidden_size");
  const auto bias = in("bias", true);
  const char* const doc = "The next state. hx: the previous state, by default zeros.";
  layer_class<RNNCell>(m, "RNNCell",
                       "One step of an RNN: x [batch, input_size] and a state [batch, hidden_size] "
                       "give the next state.",
                       input, hidden, bias, in("nonlinearity", "tanh"))
      .def(
          "forward", [](RNNCell& l, const Tensor& x, const Given& hx) { return l(x, given(hx)); },
          arg("x"), arg("hx") = nb::none(), doc);
  layer_class<GRUCell>(m, "GRUCell", "One step of a GRU, with gates r, z, n.", input, hidden, bias)
      .def(
          "forward", [](GRUCell& l, const Tensor& x, const Given& hx) { return l(x, given(hx)); },
          arg("x"), arg("hx") = nb::none(), doc);
  layer_class<LSTMCell>(
      m, "LSTMCell",
      "One step of an LSTM, with gates i, f, g, o; the state is a pair (hidden, cell).", input,
      hidden, bias)
      .def(
          "forward",
          [](LSTMCell& l, const Tensor& x, nb::object hx) {
            const LSTMState s = l(x, state_of("LSTMCell", hx, true));
            return nb::make_tuple(s.hidden, s.cell);
          },
          arg("x"), arg("hx") = nb::none(), doc);
}

// ---- Wirings ----
using Synapses = std::vector<std::tuple<int64_t, int64_t, int>>;
template <class F> Synapses synapses(int64_t from, int64_t to, F polarity) {
  Synapses all;
  for (int64_t i = 0; i < from; ++i) {
    for (int64_t j = 0; j < to; ++j) {
      if (const int p = polarity(i, j)) all.emplace_back(i, j, p);
    }
  }
  return all;
}
void add_wirings(nb::module_& m) {
  nb::class_<NeuronMap>(m, "NeuronMap",
                        "Which neuron acts on which, and in which sense: +1 excites, -1 inhibits. "
                        "The first `outputs` neurons give the output.")
      .def(nb::init<int64_t, int64_t, int64_t>(), arg("inputs"), arg("units"), arg("outputs"))
      .def_prop_ro("inputs", &NeuronMap::inputs)
      .def_prop_ro("units", &NeuronMap::units)
      .def_prop_ro("outputs", &NeuronMap::outputs)
      .def_prop_ro("synapse_count", &NeuronMap::synapse_count)
      .def_prop_ro("sensory_synapse_count", &NeuronMap::sensory_synapse_count)
      .def_prop_rw("layers", &NeuronMap::layers, &NeuronMap::set_layers,
                   "Groups of neurons in the order of evaluation, the outputs last.")
      .def("add_synapse", &NeuronMap::add_synapse, arg("src"), arg("dest"), arg("polarity"),
           "A synapse between neurons.")
      .def("add_sensory_synapse", &NeuronMap::add_sensory_synapse, arg("src"), arg("dest"),
           arg("polarity"), "A synapse from an input.")
      .def(
          "adjacency", [](const NeuronMap& w) { return w.adjacency(); },
          "[units, units]: polarities, from row to column.")
      .def(
          "sensory_adjacency", [](const NeuronMap& w) { return w.sensory_adjacency(); },
          "[inputs, units]: polarities, from row to column.")
      .def("__getstate__",
           [](const NeuronMap& w) {
             return nb::make_tuple(
                 w.inputs(), w.units(), w.outputs(),
                 synapses(w.units(), w.units(),
                          [&](int64_t i, int64_t j) { return w.polarity(i, j); }),
                 synapses(w.inputs(), w.units(),
                          [&](int64_t i, int64_t j) { return w.sensory_polarity(i, j); }),
                 w.layers());
           })
      .def("__setstate__",
           [](NeuronMap& w, const std::tuple<int64_t, int64_t, int64_t, Synapses, Synapses,
                                             std::vector<std::vector<int64_t>>>& s) {
             NeuronMap made(std::get<0>(s), std::get<1>(s), std::get<2>(s));
             for (const auto& [from, to, p] : std::get<3>(s)) made.add_synapse(from, to, p);
             for (const auto& [from, to, p] : std::get<4>(s)) made.add_sensory_synapse(from, to, p);
             made.set_layers(std::get<5>(s));
             new (&w) NeuronMap(std::move(made));
           });
  m.def(
      "fully_connected_map",
      [](int64_t inputs, int64_t units, std::optional<int64_t> outputs, bool self_connections,
         uint64_t seed) {
        return fully_connected_map(
            inputs, units,
            {.outputs = outputs, .self_connections = self_connections, .seed = seed});
      },
      arg("inputs"), arg("units"), arg("outputs") = nb::none(), arg("self_connections") = true,
      arg("seed") = 1, "Every neuron acts on every other, in random senses.");
  m.def(
      "random_map",
      [](int64_t inputs, int64_t units, double sparsity, std::optional<int64_t> outputs,
         bool self_connections, uint64_t seed) {
        return random_map(inputs, units, sparsity,
                          {.outputs = outputs, .self_connections = self_connections, .seed = seed});
      },
      arg("inputs"), arg("units"), arg("sparsity") = 0.5, arg("outputs") = nb::none(),
      arg("self_connections") = true, arg("seed") = 1,
      "Random synapses; sparsity is the part left out.");
  m.def(
      "ncp_map",
      [](int64_t inputs, int64_t inter, int64_t command, int64_t motor, int64_t sensory_fanout,
         int64_t inter_fanout, int64_t recurrent, int64_t motor_fanin, uint64_t seed) {
        return ncp_map(inputs, {inter, command, motor, sensory_fanout, inter_fanout, recurrent,
                                motor_fanin, seed});
      },
      arg("inputs"), arg("inter_neurons"), arg("command_neurons"), arg("motor_neurons"),
      arg("sensory_fanout"), arg("inter_fanout"), arg("recurrent_command_synapses"),
      arg("motor_fanin"), arg("seed") = 1,
      "A neural circuit policy: inputs to inter neurons to command neurons to motor neurons.");
  m.def("auto_ncp_map", &auto_ncp_map, arg("inputs"), arg("units"), arg("outputs"),
        arg("sparsity") = 0.5, arg("seed") = 1,
        "A neural circuit policy whose numbers follow from units, outputs and sparsity.");
}

// ---- Liquid networks ----
const auto ltc_options = EMBER_OPTIONS(LTCOptions, batch_first, ode_unfolds, epsilon, input_affine,
                                       output_affine, implicit_constraints, mixed_memory);
const auto cfc_options = EMBER_OPTIONS(CfCOptions, batch_first, mode, activation, backbone_units,
                                       backbone_layers, backbone_dropout, mixed_memory);

// units: the number of fully connected neurons, or a NeuronMap.
template <class L, class O>
void liquid(nb::module_& m, const char* name, const char* doc, const O& more) {
  Class& c = class_of<L>();
  in<int64_t>("input_size").list(c.fields);
  c.fields.push_back({"units", {}});
  more.list(c.fields);
  c.make = [more](PyObject* self, nb::list& values) {
    const Class& c = class_of<L>();
    const int64_t inputs = value_of<int64_t>(c, c.fields[0], values[0], "an integer");
    size_t at = 2;
    const auto o = more.take(c, values, at);
    if (!nb::isinstance<NeuronMap>(values[1])) {
      return emplace<L, Trampoline<L>>(
          self, inputs, value_of<int64_t>(c, c.fields[1], values[1], "an integer or a NeuronMap"),
          o);
    }
    const NeuronMap& map = nb::cast<const NeuronMap&>(values[1]);
    if (map.inputs() != inputs) {
      throw ValueError("[" + c.name + "] input_size is " + std::to_string(inputs) +
                       ", but the map has " + std::to_string(map.inputs()) + " inputs");
    }
    emplace<L, Trampoline<L>>(self, map, o);
  };
  make_class<L, Module>(m, name, doc)
      .def(
          "forward",
          [](L& l, const Tensor& x, nb::object hx, const Given& timespans) {
            const bool two = PyTuple_Check(hx.ptr()) || PyList_Check(hx.ptr());
            const LSTMState s = state_of(class_of<L>().name, hx, two);
            const LiquidOutput r = l(x, s.hidden, given(timespans), s.cell);
            return nb::make_tuple(r.output, r.cell.defined()
                                                ? nb::object(nb::make_tuple(r.state, r.cell))
                                                : object(r.state));
          },
          arg("x"), arg("hx") = nb::none(), arg("timespans") = nb::none(),
          "The outputs of all steps, and the state after the last. hx: the first state; timespans: "
          "the time from each step to the next, 1 when left out.");
}
template <class L, class O>
auto map_cell(nb::module_& m, const char* name, const char* doc, const O& more) {
  Class& c = class_of<L>();
  c.fields.push_back({"map", {}});
  more.list(c.fields);
  c.make = [more](PyObject* self, nb::list& values) {
    const Class& c = class_of<L>();
    size_t at = 1;
    const auto o = more.take(c, values, at);
    if (!nb::isinstance<NeuronMap>(values[0])) {
      throw DTypeError("[" + c.name + "] argument 'map' must be a NeuronMap");
    }
    emplace<L, Trampoline<L>>(self, nb::cast<const NeuronMap&>(values[0]), o);
  };
  return make_class<L, Module>(m, name, doc)
      .def(
          "forward",
          [](L& l, const Tensor& x, const Tensor& state, const Tensor& elapsed) {
            const auto [y, next] = l(x, state, elapsed);
            return nb::make_tuple(y, next);
          },
          arg("x"), arg("state"), arg("elapsed") = 1.0,
          "The outputs and the next state, after the time elapsed.");
}

}  // namespace

void add_recurrent(nb::module_& m) {
  using O = RecurrentOptions;
  const auto gated = EMBER_OPTIONS(O, num_layers, bias, batch_first, dropout, bidirectional);
  recurrent<RNN>(
      m, "RNN",
      "h' = nonlinearity(W x + b + U h + c), over [steps, batch, input_size], or [batch, steps, "
      "input_size] with batch_first.",
      EMBER_OPTIONS(O, num_layers, nonlinearity, bias, batch_first, dropout, bidirectional));
  recurrent<LSTM>(
      m, "LSTM",
      "Long short-term memory, with gates i, f, g, o; the state is a pair (hidden, cell).", gated);
  recurrent<GRU>(m, "GRU", "Gated recurrent units, with gates r, z, n.", gated);
  add_cells(m);
  add_wirings(m);
  liquid<LTC>(m, "LTC",
              "A liquid time-constant network: neurons whose synapses are conductances. units: how "
              "many, or a NeuronMap.",
              ltc_options);
  liquid<CfC>(m, "CfC", "The closed form of a liquid network. units: how many, or a NeuronMap.",
              cfc_options);
  map_cell<LTCCell>(m, "LTCCell", "One step of an LTC: x [batch, inputs], state [batch, units].",
                    ltc_options)
      .def("clamp", &LTCCell::clamp, "Keeps capacities, leaks and weights positive.");
  map_cell<WiredCfCCell>(m, "WiredCfCCell", "One step of a CfC for each layer of a map.",
                         cfc_options);
  layer_class<CfCCell>(m, "CfCCell", "One step of a CfC.", in<int64_t>("inputs"),
                       in<int64_t>("units"), cfc_options)
      .def(
          "forward",
          [](CfCCell& l, const Tensor& x, const Tensor& state, const Tensor& elapsed) {
            return l(x, state, elapsed);
          },
          arg("x"), arg("state"), arg("elapsed") = 1.0, "The next state, after the time elapsed.");
}

}  // namespace ember::python
