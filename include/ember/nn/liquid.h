// Liquid networks: wirings of neurons, liquid time-constant networks (LTC) and their closed-form
// kin (CfC).
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ember/nn/activations.h"
#include "ember/nn/layers.h"
#include "ember/nn/recurrent.h"

namespace ember::nn {

// Which neuron acts on which, and in which sense: +1 excites, -1 inhibits, 0 is no synapse. The
// first `outputs` neurons are the motor neurons: their states are what a network gives out.
class EMBER_API NeuronMap {
 public:
  NeuronMap(int64_t inputs, int64_t units, int64_t outputs);
  int64_t inputs() const { return inputs_; }
  int64_t units() const { return units_; }
  int64_t outputs() const { return outputs_; }
  void add_synapse(int64_t from, int64_t to, int polarity);          // between neurons
  void add_sensory_synapse(int64_t from, int64_t to, int polarity);  // from an input
  int polarity(int64_t from, int64_t to) const;
  int sensory_polarity(int64_t from, int64_t to) const;
  int64_t synapse_count() const;
  int64_t sensory_synapse_count() const;
  Tensor adjacency(
      DType dtype = default_float()) const;  // [units, units]: polarities, from row to column
  Tensor sensory_adjacency(DType dtype = default_float()) const;  // [inputs, units]
  // Groups of neurons that are worked out one after the other, the motor neurons last; one group
  // where nothing is layered.
  const std::vector<std::vector<int64_t>>& layers() const { return layers_; }
  void set_layers(std::vector<std::vector<int64_t>>
                      layers);  // each neuron in one of them, the first `outputs` as the last layer

 private:
  void check(int64_t from, int64_t to, int64_t sources) const;
  int64_t inputs_;
  int64_t units_;
  int64_t outputs_;
  std::vector<int8_t> synapses_;
  std::vector<int8_t> sensory_;
  std::vector<std::vector<int64_t>> layers_;
};

struct MapOptions {
  std::optional<int64_t> outputs;  // all units when left out
  bool self_connections = true;
  uint64_t seed = 1;  // the same seed gives the same wiring everywhere
};
EMBER_API NeuronMap fully_connected_map(int64_t inputs, int64_t units,
                                        const MapOptions& options = {});
EMBER_API NeuronMap random_map(int64_t inputs, int64_t units, double sparsity = 0.5,
                               const MapOptions& options = {});  // the part left out

// A neural circuit policy: inputs to inter neurons to command neurons, which act on each other, to
// motor neurons.
struct NCPOptions {
  int64_t inter_neurons = 0, command_neurons = 0, motor_neurons = 0;
  int64_t sensory_fanout = 0, inter_fanout = 0;  // synapses from each input, each inter neuron
  int64_t recurrent_command_synapses = 0;        // among command neurons, all together
  int64_t motor_fanin = 0;                       // synapses to each motor neuron
  uint64_t seed = 1;
};
EMBER_API NeuronMap ncp_map(int64_t inputs, const NCPOptions& options);
EMBER_API NeuronMap auto_ncp_map(int64_t inputs, int64_t units, int64_t outputs,
                                 double sparsity = 0.5, uint64_t seed = 1);

struct LiquidOutput {
  Tensor output, state, cell;
};  // cell: the memory's, where there is one

// One step of neurons whose synapses are conductances: with presynaptic potential v, a synapse
// opens by w * sigmoid(sigma * (v - mu)) and pulls its target towards erev. Solved by a few steps,
// implicit in the potential and explicit in the conductances.
struct LTCOptions {
  bool batch_first = true;
  int64_t ode_unfolds = 6;
  double epsilon = 1e-8;
  bool input_affine = true, output_affine = true;  // learned scale and shift of inputs and outputs
  bool implicit_constraints = true;  // capacitance, leak and w are softplus of what is learned;
                                     // else keep them positive by clamp()
  bool mixed_memory = false;         // an LSTM cell holds what fades from the neurons
};
class EMBER_API LTCCell : public Module {
 public:
  LTCCell(const NeuronMap& map, const LTCOptions& options = {});
  // x [batch, inputs], state [batch, units], elapsed: a number or [batch, 1]. Gives the outputs and
  // the next state.
  std::pair<Tensor, Tensor> operator()(const Tensor& x, const Tensor& state,
                                       const Tensor& elapsed = 1.0) const;
  void clamp();
  std::string kind() const override { return "LTCCell"; }
  std::string details() const override;
  const NeuronMap& map() const { return map_; }
  Parameter gleak;
  Parameter vleak;
  Parameter cm;
  Parameter sigma;
  Parameter mu;
  Parameter w;
  Parameter erev;
  Parameter sensory_sigma;
  Parameter sensory_mu;
  Parameter sensory_w;
  Parameter sensory_erev;
  Parameter input_w;
  Parameter input_b;
  Parameter output_w;
  Parameter output_b;

 private:
  Tensor positive(const Parameter& p) const;
  NeuronMap map_;
  LTCOptions o_;
  Tensor mask_;
  Tensor sensory_mask_;  // follow from the map
};
class EMBER_API LTC : public Module {  // [batch, steps, inputs] to [batch, steps, outputs]
 public:
  LTC(const NeuronMap& map, const LTCOptions& options = {});
  LTC(int64_t inputs, int64_t units, const LTCOptions& options = {})
      : LTC(fully_connected_map(inputs, units), options) {}
  // timespans: the time from each step to the next, [batch, steps] or [steps, batch]; 1 when left
  // out.
  LiquidOutput operator()(const Tensor& x, const Tensor& state = {}, const Tensor& timespans = {},
                          const Tensor& cell = {});
  Tensor forward(const Tensor& x) override { return (*this)(x).output; }
  std::string kind() const override { return "LTC"; }
  LTCCell rnn_cell;

 private:
  LTCOptions o_;
  std::shared_ptr<LSTMCell> lstm_;
};

// The closed form: h' = f(x, h) (1 - s) + g(x, h) s with s = sigmoid(a(x, h) t + b(x, h)).
struct CfCOptions {
  bool batch_first = true;
  std::string mode =
      "default";  // default; no_gate: f + s g; pure: the decay itself, without a gate
  std::string activation = "lecun_tanh";              // of the backbone
  int64_t backbone_units = 128, backbone_layers = 1;  // shared by f, g, a, b; a wired cell has none
  double backbone_dropout = 0;
  bool mixed_memory = false;
};
class EMBER_API CfCCell : public Module {
 public:
  CfCCell(int64_t inputs, int64_t units, const CfCOptions& options = {});
  // mask [units, inputs + units]: 0 where there is no synapse; no backbone.
  CfCCell(int64_t inputs, int64_t units, const Tensor& mask, const CfCOptions& options);
  Tensor operator()(const Tensor& x, const Tensor& state, const Tensor& elapsed = 1.0);
  std::string kind() const override { return "CfCCell"; }
  std::string details() const override;

 private:
  void add_heads(int64_t width);
  Tensor head(Linear& l, const Tensor& z) const;
  int64_t inputs_;
  int64_t units_;
  CfCOptions o_;
  Tensor mask_;
  std::shared_ptr<Sequential> backbone_;
  std::shared_ptr<Linear> ff1_;
  std::shared_ptr<Linear> ff2_;
  std::shared_ptr<Linear> time_a_;
  std::shared_ptr<Linear> time_b_;
  Parameter w_tau_;
  Parameter a_;
};
class EMBER_API WiredCfCCell : public Module {  // one cell for each layer of the map, layer_0...
 public:
  WiredCfCCell(const NeuronMap& map, const CfCOptions& options = {});
  std::pair<Tensor, Tensor> operator()(const Tensor& x, const Tensor& state,
                                       const Tensor& elapsed = 1.0);  // outputs, state
  std::string kind() const override { return "WiredCfCCell"; }
  const NeuronMap& map() const { return map_; }

 private:
  NeuronMap map_;
  std::vector<std::shared_ptr<CfCCell>> cells_;
};
class EMBER_API CfC : public Module {
 public:
  CfC(int64_t inputs, int64_t units, const CfCOptions& options = {});
  CfC(const NeuronMap& map, const CfCOptions& options = {});
  LiquidOutput operator()(const Tensor& x, const Tensor& state = {}, const Tensor& timespans = {},
                          const Tensor& cell = {});
  Tensor forward(const Tensor& x) override { return (*this)(x).output; }
  std::string kind() const override { return "CfC"; }

 private:
  int64_t inputs_, units_;
  CfCOptions o_;
  std::shared_ptr<CfCCell> cell_;
  std::shared_ptr<WiredCfCCell> wired_;
  std::shared_ptr<LSTMCell> lstm_;
};

}  // namespace ember::nn
