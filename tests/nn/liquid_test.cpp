// Wirings, liquid networks, and the two families of mixing layers.
#include "tests/nn/reference.h"

namespace ember::nn {
namespace {

TEST_F(Layers, MapsAreWiredAsAsked) {
  const NeuronMap full = fully_connected_map(3, 5, {.outputs = 2});
  EXPECT_EQ(full.synapse_count(), 25);
  EXPECT_EQ(full.sensory_synapse_count(), 15);
  EXPECT_EQ(full.outputs(), 2);
  EXPECT_EQ(fully_connected_map(3, 5, {.self_connections = false}).synapse_count(), 20);
  const NeuronMap sparse = random_map(4, 10, 0.75);
  EXPECT_EQ(sparse.synapse_count(), 25);
  EXPECT_EQ(sparse.sensory_synapse_count(), 10);
  const Ref a = sparse.adjacency();
  for (int64_t i = 0; i < 10; ++i) {
    for (int64_t j = 0; j < 10; ++j) EXPECT_EQ(a({i, j}), sparse.polarity(i, j));
  }
  // Equal seeds give equal wirings, different seeds different ones.
  EXPECT_EQ(Ref(random_map(4, 10, 0.75).adjacency()).v, a.v);
  EXPECT_NE(Ref(random_map(4, 10, 0.75, {.seed = 2}).adjacency()).v, a.v);
  EXPECT_THROW(random_map(4, 10, 1), ValueError);
  EXPECT_THROW(NeuronMap(3, 4, 5), ValueError);
  NeuronMap own(2, 3, 1);
  EXPECT_THROW(own.add_synapse(0, 3, 1), IndexError);
  EXPECT_THROW(own.sensory_polarity(2, 0), IndexError);
  EXPECT_THROW(own.add_synapse(0, 1, 2), ValueError);
}
TEST_F(Layers, NeuralCircuitPoliciesHaveFourLevels) {
  const NeuronMap m = ncp_map(5, {.inter_neurons = 8,
                                  .command_neurons = 6,
                                  .motor_neurons = 3,
                                  .sensory_fanout = 2,
                                  .inter_fanout = 3,
                                  .recurrent_command_synapses = 7,
                                  .motor_fanin = 4});
  ASSERT_EQ(m.units(), 17);
  ASSERT_EQ(m.outputs(), 3);
  const auto level = [](int64_t u) { return u < 3 ? 2 : u < 9 ? 1 : 0; };  // motor, command, inter
  int64_t recurrent = 0;
  for (int64_t from = 0; from < 17; ++from) {
    for (int64_t to = 0; to < 17; ++to) {
      if (!m.polarity(from, to)) continue;
      recurrent += level(from) == 1 && level(to) == 1;
      EXPECT_TRUE(level(to) == level(from) + 1 || (level(from) == 1 && level(to) == 1))
          << from << " to " << to;
    }
  }
  EXPECT_EQ(recurrent, 7);
  const auto heard = [&](int64_t to, bool sensory) {
    int64_t n = 0;
    for (int64_t from = 0; from < (sensory ? 5 : 17); ++from) {
      n += (sensory ? m.sensory_polarity(from, to)
                    : level(from) != level(to) && m.polarity(from, to)) != 0;
    }
    return n;
  };
  for (int64_t u = 0; u < 17; ++u) {
    EXPECT_GE(heard(u, level(u) == 0), level(u) == 2 ? 4 : 1) << u;  // every neuron has inputs
    EXPECT_TRUE(level(u) == 0 || heard(u, true) == 0) << u;
    int64_t out = 0;
    for (int64_t to = 0; to < 17; ++to) out += m.polarity(u, to) != 0;
    EXPECT_TRUE(level(u) == 2 ? out == 0 : out >= 1) << u;  // every neuron has outputs
  }
  ASSERT_EQ(m.layers().size(), 3u);
  EXPECT_EQ(m.layers()[2], (std::vector<int64_t>{0, 1, 2}));
  const NeuronMap autom = auto_ncp_map(4, 20, 5, 0.5);
  EXPECT_EQ(autom.layers()[0].size(), 9u);
  EXPECT_EQ(autom.layers()[1].size(), 6u);
  EXPECT_EQ(autom.layers()[2].size(), 5u);
  EXPECT_LT(auto_ncp_map(4, 20, 5, 0.8).synapse_count(), autom.synapse_count());
  EXPECT_THROW(auto_ncp_map(4, 5, 4), ValueError);
  EXPECT_NE(error_of<ValueError>([] {
              ncp_map(2, {.inter_neurons = 2,
                          .command_neurons = 2,
                          .motor_neurons = 1,
                          .sensory_fanout = 3,
                          .inter_fanout = 1,
                          .motor_fanin = 1});
            }).find("sensory_fanout must be between 1 and 2"),
            std::string::npos);
}

double softplus(double x) { return std::log1p(std::exp(x)); }
// The state after one input, by the equations.
std::vector<double> ltc_step(const LTCCell& m, const std::vector<double>& x, std::vector<double> v,
                             double elapsed, int unfolds) {
  const NeuronMap& map = m.map();
  const int64_t u = map.units();
  const Ref sigma = m.sigma;
  const Ref mu = m.mu;
  const Ref w = m.w;
  const Ref erev = m.erev;
  const Ref ss = m.sensory_sigma;
  const Ref sm = m.sensory_mu;
  const Ref sw = m.sensory_w;
  const Ref se = m.sensory_erev;
  const Ref iw = m.input_w;
  const Ref ib = m.input_b;
  for (int step = 0; step < unfolds; ++step) {
    std::vector<double> next = v;
    for (int64_t j = 0; j < u; ++j) {
      const size_t k = size_t(j);
      const double leak = softplus(Ref(m.gleak).v[k]);
      const double capacity = softplus(Ref(m.cm).v[k]) / (elapsed / unfolds);
      double above = capacity * v[k] + leak * Ref(m.vleak).v[k];
      double below = capacity + leak;
      for (int64_t i = 0; i < u; ++i) {
        if (!map.polarity(i, j)) continue;
        const double g = softplus(w({i, j})) * sigmoid(sigma({i, j}) * (v[size_t(i)] - mu({i, j})));
        above += g * erev({i, j});
        below += g;
      }
      for (int64_t i = 0; i < map.inputs(); ++i) {
        if (!map.sensory_polarity(i, j)) continue;
        const double g =
            softplus(sw({i, j})) *
            sigmoid(ss({i, j}) * (x[size_t(i)] * iw.v[size_t(i)] + ib.v[size_t(i)] - sm({i, j})));
        above += g * se({i, j});
        below += g;
      }
      next[k] = above / (below + 1e-8);
    }
    v = next;
  }
  return v;
}
TEST_F(Layers, LTCAgreesWithLoops) {
  LTC m(auto_ncp_map(3, 8, 2), {.ode_unfolds = 4});
  LTCCell& cell = m.rnn_cell;
  cell.input_w.assign(random({3}));
  cell.input_b.assign(random({3}));
  cell.output_w.assign(random({2}));
  cell.output_b.assign(random({2}));
  const Tensor x = random({2, 5, 3});
  const Tensor spans = ops::random_uniform({2, 5}, 0.5, 2);
  const Tensor h0 = random({2, 8});
  const LiquidOutput r = m(x, h0, spans);
  Ref y({2, 5, 2});
  Ref last({2, 8});
  for (int64_t b = 0; b < 2; ++b) {
    std::vector<double> v = Ref(h0(b)).v;
    for (int64_t t = 0; t < 5; ++t) {
      v = ltc_step(cell, Ref(x(b, t)).v, v, Ref(spans)({b, t}), 4);
      for (int64_t o = 0; o < 2; ++o) {
        y({b, t, o}) =
            v[size_t(o)] * Ref(cell.output_w).v[size_t(o)] + Ref(cell.output_b).v[size_t(o)];
      }
    }
    for (int64_t k = 0; k < 8; ++k) last({b, k}) = v[size_t(k)];
  }
  expect_close(r.output, y);
  expect_close(r.state, last);
  expect_close(m(x, {}, ops::ones({2, 5})).output, Ref(m.forward(x)));
  expect_close(m(x(1), h0(1), spans(1)).output, Ref(r.output(1)));
  // Initial values are in range: softplus of the learned number is between 0.4 and 0.6.
  for (double raw : Ref(cell.cm).v) EXPECT_TRUE(softplus(raw) >= 0.4 && softplus(raw) <= 0.6);
  EXPECT_EQ(keys(LTC(3, 4)).front(), "rnn_cell.cm");
  EXPECT_EQ(keys(LTC(3, 4, {.mixed_memory = true})).front(), "lstm.bias_hh");
}
TEST_F(Layers, LTCWithoutImplicitConstraintsIsClamped) {
  LTCCell m(fully_connected_map(2, 3), {.implicit_constraints = false});
  m.w.assign(ops::full({3, 3}, -1.0));
  m.clamp();
  EXPECT_EQ(Ref(m.w).v, std::vector<double>(9, 0));
}

Ref joined(const std::vector<double>& a, const std::vector<double>& b) {
  Ref z({1, int64_t(a.size() + b.size())});
  z.v = a;
  z.v.insert(z.v.end(), b.begin(), b.end());
  return z;
}
std::vector<double> cfc_step(const StateDict& s, const std::string& at, const std::string& mode,
                             const std::vector<double>& x, const std::vector<double>& h, double t,
                             const Ref& mask = {}) {
  Ref z = joined(x, h);
  if (s.contains(at + "backbone.0.weight")) {
    z = linear(z, s.at(at + "backbone.0.weight"), Ref(s.at(at + "backbone.0.bias")).v);
    for (double& v : z.v) v = 1.7159 * std::tanh(2.0 / 3 * v);
  }
  const auto head = [&](const char* name) {
    Ref w = s.at(at + name + ".weight");
    for (size_t i = 0; i < mask.v.size(); ++i) w.v[i] *= mask.v[i];
    return linear(z, w, Ref(s.at(at + name + ".bias")).v).v;
  };
  std::vector<double> y = head("ff1");
  if (mode == "pure") {
    const Ref tau = s.at(at + "w_tau");
    const Ref a = s.at(at + "A");
    for (size_t k = 0; k < y.size(); ++k) {
      y[k] = -a.v[k] * std::exp(-t * (std::abs(tau.v[k]) + std::abs(y[k]))) * y[k] + a.v[k];
    }
    return y;
  }
  const std::vector<double> g = head("ff2");
  const std::vector<double> a = head("time_a");
  const std::vector<double> b = head("time_b");
  for (size_t k = 0; k < y.size(); ++k) {
    const double gate = sigmoid(a[k] * t + b[k]);
    y[k] = mode == "no_gate" ? std::tanh(y[k]) + gate * std::tanh(g[k])
                             : std::tanh(y[k]) * (1 - gate) + gate * std::tanh(g[k]);
  }
  return y;
}
TEST_F(Layers, CfCAgreesWithLoops) {
  const Tensor x = random({2, 4, 3});
  const Tensor spans = ops::random_uniform({2, 4}, 0.5, 2);
  const Tensor h0 = random({2, 5});
  for (const char* mode : {"default", "no_gate", "pure"}) {
    CfC m(3, 5, {.mode = mode, .backbone_units = 7});
    const StateDict s = m.state_dict();
    const LiquidOutput r = m(x, h0, spans);
    Ref y({2, 4, 5});
    for (int64_t b = 0; b < 2; ++b) {
      std::vector<double> h = Ref(h0(b)).v;
      for (int64_t t = 0; t < 4; ++t) {
        h = cfc_step(s, "rnn_cell.", mode, Ref(x(b, t)).v, h, Ref(spans)({b, t}));
        for (int64_t k = 0; k < 5; ++k) y({b, t, k}) = h[size_t(k)];
      }
    }
    expect_close(r.output, y);
    expect_close(r.state, Ref(r.output(all_, -1)));
  }
  EXPECT_EQ(keys(CfC(3, 5)),
            (Names{"rnn_cell.backbone.0.bias", "rnn_cell.backbone.0.weight", "rnn_cell.ff1.bias",
                   "rnn_cell.ff1.weight", "rnn_cell.ff2.bias", "rnn_cell.ff2.weight",
                   "rnn_cell.time_a.bias", "rnn_cell.time_a.weight", "rnn_cell.time_b.bias",
                   "rnn_cell.time_b.weight"}));
  EXPECT_THROW(CfC(3, 5, {.mode = "other"}), ValueError);
}
TEST_F(Layers, WiredCfCHearsOnlyThroughSynapses) {
  const NeuronMap map = auto_ncp_map(3, 9, 2, 0.6);
  CfC m(map);
  const StateDict s = m.state_dict();
  const Tensor x = random({1, 3, 3});
  Ref y({1, 3, 2});
  std::vector<std::vector<double>> h;
  for (const auto& layer : map.layers()) h.emplace_back(layer.size(), 0);
  for (int64_t t = 0; t < 3; ++t) {
    std::vector<double> heard = Ref(x(0, t)).v;
    for (size_t l = 0; l < 3; ++l) {
      const auto& own = map.layers()[l];
      Ref mask({int64_t(own.size()), int64_t(heard.size() + own.size())}, 1);
      for (size_t to = 0; to < own.size(); ++to) {
        for (size_t from = 0; from < heard.size(); ++from) {
          mask({int64_t(to), int64_t(from)}) =
              l ? map.polarity(map.layers()[l - 1][from], own[to]) != 0
                : map.sensory_polarity(int64_t(from), own[to]) != 0;
        }
      }
      heard = h[l] =
          cfc_step(s, "rnn_cell.layer_" + std::to_string(l) + ".", "default", heard, h[l], 1, mask);
    }
    for (int64_t k = 0; k < 2; ++k) y({0, t, k}) = heard[size_t(k)];
  }
  expect_close(m.forward(x), y);
  EXPECT_EQ(m(x).state.shape(), (Shape{1, 9}));
  EXPECT_EQ(CfC(random_map(3, 6, 0.5, {.outputs = 2}), {.mixed_memory = true})(x).output.shape(),
            (Shape{1, 3, 2}));
}

// Masked steps do not influence the output, and their outputs are zeros.
void expect_masked(layers::Layer& m, bool causal = false) {
  SCOPED_TRACE(m.kind());
  m.eval();
  const Tensor a = random({2, 5, 4});
  const Tensor mask = array({{true, true, true, false, false}, {true, true, true, true, true}});
  const Tensor b =
      ops::where(ops::expand_dims(mask, {-1}), a, Tensor(std::nan("")).astype(float64));
  const Ref ya = m(a, mask);
  const Ref yb = m(b, mask);
  EXPECT_EQ(ya.shape, (Shape{2, 5, 4}));
  EXPECT_EQ(ya.v, yb.v);
  for (int64_t d = 0; d < 4; ++d) EXPECT_EQ(ya({0, 4, d}), 0);
  expect_close(m(a, mask.astype(float64)), ya);  // numbers serve as well
  expect_close(m(a, ops::ones({2, 5}, bool_)), Ref(m(a)));
  if (causal) expect_close(m(a)(all_, slice(0, 3)), Ref(m(a(all_, slice(0, 3)))));
  EXPECT_THROW(m(a, ops::ones({2, 4}, bool_)), ShapeError);
}
TEST_F(Layers, MixingLayersKeepToTheirMask) {
  using namespace layers;
  channel_mixing::MLP mlp(4);
  channel_mixing::GatedMLP gated(4);
  sequence_mixing::Attention attention(4, {.num_heads = 2});
  sequence_mixing::CausalAttention causal(4);
  sequence_mixing::Convolution conv(4);
  sequence_mixing::Convolution causal_conv(4, {.kernel_size = 4, .causal = true});
  sequence_mixing::Recurrent gru(4);
  sequence_mixing::Recurrent both(4, {.cell = "lstm", .bidirectional = true});
  HybridModel hybrid({.hidden_size = 4});
  HybridModel residual({.hidden_size = 4,
                        .channel_mixer = "gated_mlp",
                        .sequence_mixer = "causal_attention",
                        .residual = true});
  expect_masked(mlp, true);
  expect_masked(gated, true);
  expect_masked(attention);
  expect_masked(causal, true);
  expect_masked(conv);
  expect_masked(causal_conv, true);
  expect_masked(gru, true);
  expect_masked(both);
  expect_masked(hybrid);
  expect_masked(residual, true);
  EXPECT_EQ(causal.kind(), "CausalAttention");

  const Tensor x = random({2, 3, 4});
  Ref up = linear(x, mlp.up.weight, Ref(mlp.up.bias).v);
  for (double& v : up.v) v = v * 0.5 * std::erfc(-v / std::sqrt(2.0));
  expect_close(mlp(x), linear(up, mlp.down.weight, Ref(mlp.down.bias).v));
  Ref gate = linear(x, gated.gate.weight);
  const Ref other = linear(x, gated.up.weight);
  for (size_t i = 0; i < gate.v.size(); ++i) {
    gate.v[i] = gate.v[i] * sigmoid(gate.v[i]) * other.v[i];
  }
  expect_close(gated(x), linear(gate, gated.down.weight));
}
TEST_F(Layers, HybridModelsAreAChannelAndASequenceMixer) {
  HybridModel m({.hidden_size = 4});
  EXPECT_EQ(
      keys(m),
      (Names{"channel_mixer.down.bias", "channel_mixer.down.weight", "channel_mixer.up.bias",
             "channel_mixer.up.weight", "sequence_mixer.attention.in_proj_bias",
             "sequence_mixer.attention.in_proj_weight", "sequence_mixer.attention.out_proj.bias",
             "sequence_mixer.attention.out_proj.weight"}));
  const auto mlp = make<layers::channel_mixing::MLP>(4);
  const auto conv = make<layers::sequence_mixing::Convolution>(4);
  HybridModel own(mlp, conv);
  const Tensor x = random({2, 3, 4});
  const Tensor mask = array({{true, true, false}, {true, true, true}});
  expect_close(own(x, mask), Ref((*conv)((*mlp)(x, mask), mask)));
  Model stack({make<HybridModel>(HybridConfig{.hidden_size = 4, .residual = true}),
               make<HybridModel>(HybridConfig{
                   .hidden_size = 4, .sequence_mixer = "recurrent", .residual = true})});
  expect_close(stack(x, mask), Ref(stack[1](stack[0](x, mask), mask)));
  EXPECT_THROW(HybridModel({.hidden_size = 4, .channel_mixer = "none"}), ValueError);
}

}  // namespace
}  // namespace ember::nn
