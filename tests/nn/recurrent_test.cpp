// Recurrent networks, compared with loops in double.
#include "tests/nn/reference.h"

namespace ember::nn {
namespace {

struct Weights {
  Ref ih, hh;
  std::vector<double> bih, bhh;
};
struct State {
  std::vector<double> h, c;
};

// One step of one sample.
State next(int gates, bool relu, const Weights& w, const std::vector<double>& x, const State& s) {
  const size_t n = s.h.size();
  std::vector<double> a(n * size_t(gates));
  std::vector<double> b = a;
  for (size_t r = 0; r < a.size(); ++r) {
    if (!w.bih.empty()) {
      a[r] = w.bih[r];
      b[r] = w.bhh[r];
    }
    for (size_t i = 0; i < x.size(); ++i) a[r] += w.ih.v[r * x.size() + i] * x[i];
    for (size_t i = 0; i < n; ++i) b[r] += w.hh.v[r * n + i] * s.h[i];
  }
  State y = s;
  for (size_t k = 0; k < n; ++k) {
    const auto sum = [&](size_t gate) { return a[gate * n + k] + b[gate * n + k]; };
    if (gates == 1) {
      y.h[k] = relu ? std::max(0.0, sum(0)) : std::tanh(sum(0));
    } else if (gates == 3) {
      const double r = sigmoid(sum(0));
      const double z = sigmoid(sum(1));
      const double c = std::tanh(a[2 * n + k] + r * b[2 * n + k]);
      y.h[k] = (1 - z) * c + z * s.h[k];
    } else {
      y.c[k] = sigmoid(sum(1)) * s.c[k] + sigmoid(sum(0)) * std::tanh(sum(2));
      y.h[k] = sigmoid(sum(3)) * std::tanh(y.c[k]);
    }
  }
  return y;
}

struct Result {
  Ref output, hidden, cell;
};
// x [steps, batch, input]; h0, c0 may be empty.
Result run(const Module& m, int gates, bool relu, int64_t layers, int64_t directions,
           int64_t hidden, Ref x, const Ref& h0, const Ref& c0) {
  StateDict state = m.state_dict();
  const int64_t steps = x.shape[0];
  const int64_t batch = x.shape[1];
  Result r{
      {}, Ref({layers * directions, batch, hidden}), Ref({layers * directions, batch, hidden})};
  for (int64_t l = 0; l < layers; ++l) {
    Ref y({steps, batch, hidden * directions});
    for (int64_t d = 0; d < directions; ++d) {
      const std::string end = "_l" + std::to_string(l) + (d ? "_reverse" : "");
      Weights w{state.at("weight_ih" + end), state.at("weight_hh" + end), {}, {}};
      if (state.contains("bias_ih" + end)) {
        w.bih = Ref(state.at("bias_ih" + end)).v;
        w.bhh = Ref(state.at("bias_hh" + end)).v;
      }
      for (int64_t b = 0; b < batch; ++b) {
        State s{std::vector<double>(size_t(hidden)), std::vector<double>(size_t(hidden))};
        for (int64_t k = 0; k < hidden; ++k) {
          if (!h0.v.empty()) s.h[size_t(k)] = h0({l * directions + d, b, k});
          if (!c0.v.empty()) s.c[size_t(k)] = c0({l * directions + d, b, k});
        }
        for (int64_t step = 0; step < steps; ++step) {
          const int64_t t = d ? steps - 1 - step : step;
          std::vector<double> in;
          for (int64_t i = 0; i < x.shape[2]; ++i) in.push_back(x({t, b, i}));
          s = next(gates, relu, w, in, s);
          for (int64_t k = 0; k < hidden; ++k) y({t, b, d * hidden + k}) = s.h[size_t(k)];
        }
        for (int64_t k = 0; k < hidden; ++k) {
          r.hidden({l * directions + d, b, k}) = s.h[size_t(k)];
          r.cell({l * directions + d, b, k}) = s.c[size_t(k)];
        }
      }
    }
    x = y;
  }
  r.output = x;
  return r;
}

TEST_F(Layers, StackedBidirectionalNetworksAgreeWithLoops) {
  const Tensor x = random({5, 2, 3});
  const Tensor h0 = random({4, 2, 4});
  const Tensor c0 = random({4, 2, 4});
  const RecurrentOptions o{.num_layers = 2, .bidirectional = true};
  {
    RNN m(3, 4, o);
    const auto [y, h] = m(x, h0);
    const Result r = run(m, 1, false, 2, 2, 4, x, h0, {});
    expect_close(y, r.output);
    expect_close(h, r.hidden);
  }
  {
    GRU m(3, 4, o);
    const auto [y, h] = m(x, h0);
    const Result r = run(m, 3, false, 2, 2, 4, x, h0, {});
    expect_close(y, r.output);
    expect_close(h, r.hidden);
  }
  {
    LSTM m(3, 4, o);
    const auto [y, h, c] = m(x, h0, c0);
    const Result r = run(m, 4, false, 2, 2, 4, x, h0, c0);
    expect_close(y, r.output);
    expect_close(h, r.hidden);
    expect_close(c, r.cell);
  }
}
TEST_F(Layers, RecurrentOptionsDoWhatTheySay) {
  const Tensor x = random({2, 5, 3});  // batch first
  RNN relu(3, 4, {.bias = false, .batch_first = true, .nonlinearity = "relu"});
  const Result r = run(relu, 1, true, 1, 1, 4, ops::swapaxes(x, 0, 1), {}, {});
  const auto [y, h] = relu(x);
  expect_close(ops::swapaxes(y, 0, 1), r.output);
  expect_close(h, r.hidden);
  expect_close(relu.forward(x), y);

  LSTM one(3, 4, {.batch_first = true});
  const auto whole = one(x);
  const auto single = one(x(1));
  EXPECT_EQ(single.output.shape(), (Shape{5, 4}));
  EXPECT_EQ(single.hidden.shape(), (Shape{1, 4}));
  expect_close(single.output, whole.output(1));
  expect_close(single.cell, whole.cell(all_, 1));

  GRU dropping(3, 4, {.num_layers = 2, .dropout = 0.5});
  EXPECT_NE(Ref(dropping.forward(x)).v, Ref(dropping.forward(x)).v);
  dropping.eval();
  EXPECT_EQ(Ref(dropping.forward(x)).v, Ref(dropping.forward(x)).v);

  EXPECT_EQ(error_of<ShapeError>([&] { one(random({2, 5, 4})); }),
            "[LSTM] expects [batch, steps, 3], not the shape [2, 5, 4]");
  EXPECT_EQ(error_of<ShapeError>([&] { one(x, random({1, 3, 4})); }),
            "[LSTM] the hidden state must have shape [1, 2, 4], not [1, 3, 4]");
  EXPECT_EQ(error_of<ValueError>([] { RNN(3, 4, {.nonlinearity = "sin"}); }),
            "[RNN] nonlinearity must be tanh or relu, not 'sin'");
}
TEST_F(Layers, RecurrentNamesArePyTorchs) {
  LSTM m(3, 4, {.num_layers = 2, .bidirectional = true});
  Names want;
  for (const char* what : {"bias_hh_l", "bias_ih_l", "weight_hh_l", "weight_ih_l"}) {
    for (const char* end : {"0", "0_reverse", "1", "1_reverse"}) {
      want.push_back(std::string(what) + end);
    }
  }
  EXPECT_EQ(keys(m), want);
  EXPECT_EQ(m.state_dict().at("weight_ih_l1").shape(), (Shape{16, 8}));
  EXPECT_EQ(keys(GRU(3, 4, {.bias = false})), (Names{"weight_hh_l0", "weight_ih_l0"}));
  EXPECT_EQ(keys(LSTMCell(3, 4)), (Names{"bias_hh", "bias_ih", "weight_hh", "weight_ih"}));
}
TEST_F(Layers, CellsTakeOneStep) {
  const Tensor x = random({2, 3});
  const Tensor h = random({2, 4});
  const Tensor c = random({2, 4});
  RNNCell rnn(3, 4, true, "relu");
  GRUCell gru(3, 4);
  LSTMCell lstm(3, 4, false);
  const LSTMState s = lstm(x, {h, c});
  const Tensor a = rnn(x, h);
  const Tensor b = gru(x, h);
  for (int64_t n = 0; n < 2; ++n) {
    const State before{Ref(h(n)).v, Ref(c(n)).v};
    const auto weights = [](const RecurrentCell& m) {
      return Weights{m.weight_ih, m.weight_hh,
                     m.bias_ih.defined() ? Ref(m.bias_ih).v : std::vector<double>{},
                     m.bias_hh.defined() ? Ref(m.bias_hh).v : std::vector<double>{}};
    };
    const auto expect = [](const Tensor& got, const std::vector<double>& want) {
      Ref w(got.shape());
      w.v = want;
      expect_close(got, w);
    };
    const std::vector<double> in = Ref(x(n)).v;
    expect(a(n), next(1, true, weights(rnn), in, before).h);
    expect(b(n), next(3, false, weights(gru), in, before).h);
    const State l = next(4, false, weights(lstm), in, before);
    expect(s.hidden(n), l.h);
    expect(s.cell(n), l.c);
  }
  expect_close(gru(x), gru(x, ops::zeros({2, 4})));
}

}  // namespace
}  // namespace ember::nn
