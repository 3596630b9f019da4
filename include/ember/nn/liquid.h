// Liquid networks: wirings of neurons, liquid time-constant networks (LTC) and their closed-form
// variant (CfC).
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ember/nn/activations.h"
#include "ember/nn/layers.h"
#include "ember/nn/recurrent.h"

namespace ember::nn {

// The synapses between neurons and their polarities: +1 excites, -1 inhibits, 0 is no synapse. The
// first `outputs` neurons are the motor neurons: their states are the network's output.
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
  // [from unit, to unit]: polarities.
  Tensor adjacency(DType dtype = default_float()) const;
  Tensor sensory_adjacency(DType dtype = default_float()) const;  // [inputs, units]
  // Groups of neurons that are computed in sequence, the motor neurons last. A single group if the
  // map has no layers.
  const std::vector<std::vector<int64_t>>& layers() const { return layers_; }
  // Every neuron is in exactly one layer; the first `outputs` neurons form the last one.
  void set_layers(std::vector<std::vector<int64_t>> layers);

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
  std::optional<int64_t> outputs;  // by default all units
  bool self_connections = true;
  uint64_t seed = 1;  // the same seed gives the same wiring on every platform
};
EMBER_API NeuronMap fully_connected_map(int64_t inputs, int64_t units,
                                        const MapOptions& options = {});
// sparsity: the fraction of synapses that are omitted.
EMBER_API NeuronMap random_map(int64_t inputs, int64_t units, double sparsity = 0.5,
                               const MapOptions& options = {});

// A neural circuit policy: inputs -> inter neurons -> command neurons (recurrent) -> motor neurons.
struct NCPOptions {
  int64_t inter_neurons = 0, command_neurons = 0, motor_neurons = 0;
  int64_t sensory_fanout = 0, inter_fanout = 0;  // synapses per input, per inter neuron
  int64_t recurrent_command_synapses = 0;        // total number among command neurons
  int64_t motor_fanin = 0;                       // synapses per motor neuron
  uint64_t seed = 1;
};
EMBER_API NeuronMap ncp_map(int64_t inputs, const NCPOptions& options);
EMBER_API NeuronMap auto_ncp_map(int64_t inputs, int64_t units, int64_t outputs,
                                 double sparsity = 0.5, uint64_t seed = 1);

// cell: the memory's, where there is one.
struct LiquidOutput {
  Tensor output, state, cell;
};

// One step of neurons with conductance synapses: for a presynaptic potential v, a synapse has
// conductance w * sigmoid(sigma * (v - mu)) and pulls its target towards erev. Solved by
// ode_unfolds steps of a semi-implicit Euler method.
struct LTCOptions {
  bool batch_first = true;
  int64_t ode_unfolds = 6;
  double epsilon = 1e-8;
  bool input_affine = true, output_affine = true;  // learned scale and shift of inputs and outputs
  // capacitance, leak and w are softplus of the learned values; else clamp() keeps them positive.
  bool implicit_constraints = true;
  bool mixed_memory = false;  // an LSTM cell adds a long-term memory
};
class EMBER_API LTCCell : public Module {
 public:
  LTCCell(const NeuronMap& map, const LTCOptions& options = {});
  // x [batch, inputs], state [batch, units], elapsed: a number or [batch, 1]. Returns the outputs
  // and the next state.
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
  Tensor sensory_mask_;  // derived from the map
};
// Maps [batch, steps, inputs] to [batch, steps, outputs].
class EMBER_API LTC : public Module {
 public:
  LTC(const NeuronMap& map, const LTCOptions& options = {});
  LTC(int64_t inputs, int64_t units, const LTCOptions& options = {})
      : LTC(fully_connected_map(inputs, units), options) {}
  // timespans: the time between steps, [batch, steps] or [steps, batch]; 1 by default.
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
  // default; no_gate: f + s g; pure: the closed-form decay without a gate.
  std::string mode = "default";
  std::string activation = "lecun_tanh";              // of the backbone
  int64_t backbone_units = 128, backbone_layers = 1;  // shared by f, g, a, b; none in a wired cell
  double backbone_dropout = 0;
  bool mixed_memory = false;
};
class EMBER_API CfCCell : public Module {
 public:
  CfCCell(int64_t inputs, int64_t units, const CfCOptions& options = {});
  // mask [units, inputs + units]: 0 where there is no synapse. A masked cell has no backbone.
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
// One cell for each layer of the map: layer_0...
class EMBER_API WiredCfCCell : public Module {
 public:
  WiredCfCCell(const NeuronMap& map, const CfCOptions& options = {});
  // outputs, state.
  std::pair<Tensor, Tensor> operator()(const Tensor& x, const Tensor& state,
                                       const Tensor& elapsed = 1.0);
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
