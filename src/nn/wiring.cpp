// Neuron maps: wirings of liquid networks.
#include <algorithm>
#include <numeric>
#include <random>

#include "ember/nn/liquid.h"
#include "src/nn/common.h"

namespace ember::nn {
namespace {

// Random numbers that are equal on all platforms: the standard specifies the generator, but not its
// distributions.
struct Random {
  std::mt19937_64 bits;
  explicit Random(uint64_t seed) : bits(seed) {}
  int64_t below(int64_t n) { return int64_t(bits() % uint64_t(n)); }
  double unit() { return double(bits() >> 11) * 0x1p-53; }
  int polarity(double excite = 0.5) { return unit() < excite ? 1 : -1; }
  // k distinct elements.
  std::vector<int64_t> sample(std::vector<int64_t> from, int64_t k) {
    for (int64_t i = 0; i < k; ++i) {
      std::swap(from[size_t(i)], from[size_t(i + below(int64_t(from.size()) - i))]);
    }
    from.resize(size_t(k));
    return from;
  }
};
std::vector<int64_t> range(int64_t from, int64_t to) {
  std::vector<int64_t> r(size_t(to - from));
  std::iota(r.begin(), r.end(), from);
  return r;
}
int64_t count(const std::vector<int8_t>& v) {
  return int64_t(v.size()) - std::count(v.begin(), v.end(), 0);
}
Tensor as_matrix(const std::vector<int8_t>& v, Shape shape, DType dtype) {
  return array(std::span<const int8_t>(v), std::move(shape)).astype(dtype);
}

// Adds `fanout` synapses from each source. A target without synapses gets as many as the average
// target has.
template <class F>
void fan_out(Random& random, const std::vector<int64_t>& from, const std::vector<int64_t>& to,
             int64_t fanout, F&& connect) {
  std::vector<int64_t> unconnected = to;
  for (int64_t s : from) {
    for (int64_t t : random.sample(to, fanout)) {
      connect(s, t);
      std::erase(unconnected, t);
    }
  }
  const int64_t sources = int64_t(from.size());
  const int64_t mean = std::clamp<int64_t>(sources * fanout / int64_t(to.size()), 1, sources);
  for (int64_t t : unconnected) {
    for (int64_t s : random.sample(from, mean)) connect(s, t);
  }
}

}  // namespace

NeuronMap::NeuronMap(int64_t inputs, int64_t units, int64_t outputs)
    : inputs_(inputs), units_(units), outputs_(outputs) {
  need_positive("NeuronMap", {{"inputs", inputs}, {"units", units}, {"outputs", outputs}});
  NEED(outputs <= units, "NeuronMap",
       std::to_string(outputs) + " outputs of " + std::to_string(units) + " units");
  NEED(units <= 1 << 16 && inputs <= 1 << 16, "NeuronMap",
       "at most 65536 units and inputs can be wired");
  synapses_.resize(size_t(units * units));
  sensory_.resize(size_t(inputs * units));
  layers_ = {range(0, units)};
}
void NeuronMap::check(int64_t from, int64_t to, int64_t sources) const {
  if (from < 0 || from >= sources || to < 0 || to >= units_) {
    throw IndexError("[NeuronMap] invalid synapse from " + std::to_string(from) + " of " +
                     std::to_string(sources) + " to " + std::to_string(to) + " of " +
                     std::to_string(units_));
  }
}
void NeuronMap::add_synapse(int64_t from, int64_t to, int polarity) {
  check(from, to, units_);
  NEED(polarity == 1 || polarity == -1, "NeuronMap",
       "a polarity is 1 or -1, not " + std::to_string(polarity));
  synapses_[size_t(from * units_ + to)] = int8_t(polarity);
}
void NeuronMap::add_sensory_synapse(int64_t from, int64_t to, int polarity) {
  check(from, to, inputs_);
  NEED(polarity == 1 || polarity == -1, "NeuronMap",
       "a polarity is 1 or -1, not " + std::to_string(polarity));
  sensory_[size_t(from * units_ + to)] = int8_t(polarity);
}
int NeuronMap::polarity(int64_t from, int64_t to) const {
  check(from, to, units_);
  return synapses_[size_t(from * units_ + to)];
}
int NeuronMap::sensory_polarity(int64_t from, int64_t to) const {
  check(from, to, inputs_);
  return sensory_[size_t(from * units_ + to)];
}
int64_t NeuronMap::synapse_count() const { return count(synapses_); }
int64_t NeuronMap::sensory_synapse_count() const { return count(sensory_); }
Tensor NeuronMap::adjacency(DType dtype) const {
  return as_matrix(synapses_, {units_, units_}, dtype);
}
Tensor NeuronMap::sensory_adjacency(DType dtype) const {
  return as_matrix(sensory_, {inputs_, units_}, dtype);
}
void NeuronMap::set_layers(std::vector<std::vector<int64_t>> layers) {
  std::vector<int64_t> all;
  for (const auto& l : layers) all.insert(all.end(), l.begin(), l.end());
  std::sort(all.begin(), all.end());
  NEED(all == range(0, units_), "NeuronMap", "each neuron must be in one layer");
  NEED(layers.size() == 1 || layers.back() == range(0, outputs_), "NeuronMap",
       "the last layer must be the motor neurons");
  for (const auto& l : layers) NEED(!l.empty(), "NeuronMap", "a layer has no neurons");
  layers_ = std::move(layers);
}

NeuronMap fully_connected_map(int64_t inputs, int64_t units, const MapOptions& o) {
  NeuronMap m(inputs, units, o.outputs.value_or(units));
  Random random(o.seed);
  // Two thirds of the synapses excite.
  for (int64_t from = 0; from < units; ++from) {
    for (int64_t to = 0; to < units; ++to) {
      if (from != to || o.self_connections) m.add_synapse(from, to, random.polarity(2.0 / 3));
    }
  }
  for (int64_t from = 0; from < inputs; ++from) {
    for (int64_t to = 0; to < units; ++to)
      m.add_sensory_synapse(from, to, random.polarity(2.0 / 3));
  }
  return m;
}

NeuronMap random_map(int64_t inputs, int64_t units, double sparsity, const MapOptions& o) {
  NEED(sparsity >= 0 && sparsity < 1, "random_map",
       "sparsity must be at least 0 and less than 1, not " + std::to_string(sparsity));
  NeuronMap m(inputs, units, o.outputs.value_or(units));
  Random random(o.seed);
  const auto wanted = [&](size_t all) { return int64_t(double(all) * (1 - sparsity) + 0.5); };
  std::vector<int64_t> places;
  for (int64_t i = 0; i < units * units; ++i) {
    if (o.self_connections || i / units != i % units) places.push_back(i);
  }
  for (int64_t i : random.sample(places, wanted(places.size()))) {
    m.add_synapse(i / units, i % units, random.polarity(2.0 / 3));
  }
  places = range(0, inputs * units);
  for (int64_t i : random.sample(places, wanted(places.size()))) {
    m.add_sensory_synapse(i / units, i % units, random.polarity(2.0 / 3));
  }
  return m;
}

NeuronMap ncp_map(int64_t inputs, const NCPOptions& o) {
  need_positive("ncp_map", {{"inputs", inputs},
                            {"inter_neurons", o.inter_neurons},
                            {"command_neurons", o.command_neurons},
                            {"motor_neurons", o.motor_neurons}});
  const auto between = [](const char* what, int64_t v, int64_t low, int64_t high) {
    NEED(v >= low && v <= high, "ncp_map",
         std::string(what) + " must be between " + std::to_string(low) + " and " +
             std::to_string(high) + ", not " + std::to_string(v));
  };
  between("sensory_fanout", o.sensory_fanout, 1, o.inter_neurons);
  between("inter_fanout", o.inter_fanout, 1, o.command_neurons);
  between("motor_fanin", o.motor_fanin, 1, o.command_neurons);
  between("recurrent_command_synapses", o.recurrent_command_synapses, 0,
          o.command_neurons * o.command_neurons);
  const int64_t first_inter = o.motor_neurons + o.command_neurons;
  const int64_t units = first_inter + o.inter_neurons;
  const std::vector<int64_t> motor = range(0, o.motor_neurons);
  const std::vector<int64_t> command = range(o.motor_neurons, first_inter);
  const std::vector<int64_t> inter = range(first_inter, units);
  NeuronMap m(inputs, units, o.motor_neurons);
  Random random(o.seed);
  const auto synapse = [&](int64_t s, int64_t t) { m.add_synapse(s, t, random.polarity()); };
  fan_out(random, range(0, inputs), inter, o.sensory_fanout,
          [&](int64_t s, int64_t t) { m.add_sensory_synapse(s, t, random.polarity()); });
  fan_out(random, inter, command, o.inter_fanout, synapse);
  for (int64_t i : random.sample(range(0, o.command_neurons * o.command_neurons),
                                 o.recurrent_command_synapses)) {
    synapse(command[size_t(i / o.command_neurons)], command[size_t(i % o.command_neurons)]);
  }
  // Here targets choose their sources; a command neuron that was not chosen feeds as many motor
  // neurons as the average one.
  fan_out(random, motor, command, o.motor_fanin, [&](int64_t t, int64_t s) { synapse(s, t); });
  m.set_layers({inter, command, motor});
  return m;
}

NeuronMap auto_ncp_map(int64_t inputs, int64_t units, int64_t outputs, double sparsity,
                       uint64_t seed) {
  NEED(outputs >= 1 && outputs < units - 2, "auto_ncp_map",
       "the outputs must be fewer than the units less 2: " + std::to_string(outputs) + " and " +
           std::to_string(units));
  NEED(sparsity >= 0 && sparsity <= 0.9, "auto_ncp_map",
       "sparsity must be between 0 and 0.9, not " + std::to_string(sparsity));
  const int64_t hidden = units - outputs;
  const int64_t command = std::max<int64_t>(1, int64_t(0.4 * double(hidden)));
  const int64_t inter = hidden - command;
  const auto part = [&](int64_t n) {
    return std::max<int64_t>(1, int64_t(double(n) * (1 - sparsity)));
  };
  return ncp_map(inputs,
                 {.inter_neurons = inter,
                  .command_neurons = command,
                  .motor_neurons = outputs,
                  .sensory_fanout = part(inter),
                  .inter_fanout = part(command),
                  .recurrent_command_synapses = std::min(command * command, part(2 * command)),
                  .motor_fanin = part(command),
                  .seed = seed});
}

}  // namespace ember::nn
