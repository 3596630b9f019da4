// Recurrent layers and cells.
#include "ember/nn/recurrent.h"

#include <cmath>

#include "src/nn/common.h"

namespace ember::nn {
namespace {

ops::RecurrentOptions weights(int64_t gates, const Parameter& bias_ih, const Parameter& bias_hh,
                              const std::string& nonlinearity, bool one) {
  const auto with_axis = [&](const Parameter& p) {
    return p.defined() ? std::optional<Tensor>(one ? p.value() : ops::expand_dims(p, {0}))
                       : std::nullopt;
  };
  ops::RecurrentOptions r{.bias = with_axis(bias_ih), .recurrent_bias = with_axis(bias_hh)};
  if (gates == 1) {
    r.activations = {nonlinearity};
  } else {
    r.layout = gates == 4 ? "ifgo" : "rzn";
  }
  return r;
}
void check(const char* kind, int64_t input, int64_t hidden, const std::string& nonlinearity) {
  need_positive(kind, {{"input_size", input}, {"hidden_size", hidden}});
  NEED(nonlinearity == "tanh" || nonlinearity == "relu", kind,
       "nonlinearity must be tanh or relu, not '" + nonlinearity + "'");
}

}  // namespace

Recurrent::Recurrent(const char* kind, int64_t gates, int64_t input, int64_t hidden,
                     const RecurrentOptions& o)
    : kind_(kind), gates_(gates), input_(input), hidden_(hidden), o_(o) {
  check(kind, input, hidden, o.nonlinearity);
  need_positive(kind, {{"num_layers", o.num_layers}});
  need_rate(kind, o.dropout);
  const int64_t directions = o.bidirectional ? 2 : 1;
  const double bound = 1 / std::sqrt(double(hidden));
  for (int64_t layer = 0; layer < o.num_layers; ++layer) {
    for (int64_t d = 0; d < directions; ++d) {
      Line& l = *lines_.emplace_back(std::make_unique<Line>());
      const std::string end = "_l" + std::to_string(layer) + (d ? "_reverse" : "");
      add("weight_ih" + end, l.weight_ih,
          ops::random_uniform({gates * hidden, layer ? hidden * directions : input}, -bound,
                              bound));
      add("weight_hh" + end, l.weight_hh,
          ops::random_uniform({gates * hidden, hidden}, -bound, bound));
      if (!o.bias) continue;
      add("bias_ih" + end, l.bias_ih, ops::random_uniform({gates * hidden}, -bound, bound));
      add("bias_hh" + end, l.bias_hh, ops::random_uniform({gates * hidden}, -bound, bound));
    }
  }
}

LSTMOutput Recurrent::run(const Tensor& given, const Tensor& hidden, const Tensor& cell) const {
  const bool single = given.ndim() == 2;
  NEED_SHAPE((single || given.ndim() == 3) && given.shape(-1) == input_, kind_,
             std::string("expects ") + (o_.batch_first ? "[batch, steps, " : "[steps, batch, ") +
                 std::to_string(input_) + "], not the shape " + to_string(given.shape()));
  Tensor x = single           ? ops::expand_dims(given, {1})
             : o_.batch_first ? ops::swapaxes(given, 0, 1)
                              : given;
  const size_t directions = o_.bidirectional ? 2 : 1;
  const Shape states{int64_t(lines_.size()), x.shape(1), hidden_};
  const auto initial = [&](const char* what, const Tensor& t) {
    if (!t.defined()) return t;
    const Tensor s = single && t.ndim() == 2 ? ops::expand_dims(t, {1}) : t;
    NEED_SHAPE(s.shape() == states, kind_,
               std::string("the ") + what + " state must have shape " + to_string(states) +
                   ", not " + to_string(t.shape()));
    return s;
  };
  const Tensor h0 = initial("hidden", hidden);
  const Tensor c0 = initial("cell", cell);
  Tensors last_hidden;
  Tensors last_cell;
  for (size_t layer = 0; layer < size_t(o_.num_layers); ++layer) {
    if (layer && o_.dropout > 0) x = ops::dropout(x, o_.dropout, training());
    Tensors sides;
    for (size_t d = 0; d < directions; ++d) {
      const size_t at = layer * directions + d;
      const Line& l = *lines_[at];
      ops::RecurrentOptions w = weights(gates_, l.bias_ih, l.bias_hh, o_.nonlinearity, false);
      w.direction = d ? "backward" : "forward";
      const Range own = slice(int64_t(at), int64_t(at) + 1);
      if (h0.defined()) w.initial_hidden = h0(own);
      if (c0.defined()) w.initial_cell = c0(own);
      const auto op = gates_ == 4 ? ops::lstm : gates_ == 3 ? ops::gru : ops::rnn;
      const Tensors r =
          op(x, ops::expand_dims(l.weight_ih, {0}), ops::expand_dims(l.weight_hh, {0}), w);
      last_hidden.push_back(r[0]);
      if (gates_ == 4) last_cell.push_back(r[1]);
      sides.push_back(ops::squeeze(r.back(), 1));  // [steps, batch, hidden]
    }
    x = directions == 1 ? sides[0] : ops::concat(sides, -1);
  }
  const auto joined = [&](const Tensors& parts) {
    if (parts.empty()) return Tensor();
    const Tensor t = parts.size() == 1 ? parts[0] : ops::concat(parts, 0);
    return single ? ops::squeeze(t, 1) : t;
  };
  return {single           ? ops::squeeze(x, 1)
          : o_.batch_first ? ops::swapaxes(x, 0, 1)
                           : x,
          joined(last_hidden), joined(last_cell)};
}

std::string Recurrent::details() const {
  std::string r = std::to_string(input_) + ", " + std::to_string(hidden_);
  if (o_.num_layers != 1) r += ", num_layers=" + std::to_string(o_.num_layers);
  if (!o_.bias) r += ", bias=False";
  if (o_.batch_first) r += ", batch_first=True";
  if (o_.dropout != 0) r += ", dropout=" + text(o_.dropout);
  if (o_.bidirectional) r += ", bidirectional=True";
  return gates_ == 1 && o_.nonlinearity != "tanh" ? r + ", nonlinearity=" + o_.nonlinearity : r;
}

RecurrentOutput RNN::operator()(const Tensor& x, const Tensor& hidden) const {
  LSTMOutput r = run(x, hidden, {});
  return {std::move(r.output), std::move(r.hidden)};
}
RecurrentOutput GRU::operator()(const Tensor& x, const Tensor& hidden) const {
  LSTMOutput r = run(x, hidden, {});
  return {std::move(r.output), std::move(r.hidden)};
}
LSTMOutput LSTM::operator()(const Tensor& x, const Tensor& hidden, const Tensor& cell) const {
  return run(x, hidden, cell);
}

RecurrentCell::RecurrentCell(const char* kind, int64_t gates, int64_t input, int64_t hidden,
                             bool bias)
    : kind_(kind) {
  check(kind, input, hidden, "tanh");
  const double bound = 1 / std::sqrt(double(hidden));
  add("weight_ih", weight_ih, ops::random_uniform({gates * hidden, input}, -bound, bound));
  add("weight_hh", weight_hh, ops::random_uniform({gates * hidden, hidden}, -bound, bound));
  for (const auto& [name, p] : {std::pair{"bias_ih", &bias_ih}, std::pair{"bias_hh", &bias_hh}}) {
    add(name, *p, bias ? ops::random_uniform({gates * hidden}, -bound, bound) : Tensor());
  }
}
Tensor RecurrentCell::state(const Tensor& x, const Tensor& given) const {
  NEED_SHAPE(x.ndim() == 2, kind_,
             "expects [batch, " + std::to_string(input_size()) + "], not the shape " +
                 to_string(x.shape()));
  return given.defined() ? given : ops::zeros({x.shape(0), hidden_size()}, x.dtype());
}
std::string RecurrentCell::details() const {
  return std::to_string(input_size()) + ", " + std::to_string(hidden_size()) +
         (bias_ih.defined() ? "" : ", bias=False");
}
RNNCell::RNNCell(int64_t input, int64_t hidden, bool bias, std::string nonlinearity)
    : RecurrentCell("RNNCell", 1, input, hidden, bias), nonlinearity_(std::move(nonlinearity)) {
  check("RNNCell", input, hidden, nonlinearity_);
}
Tensor RNNCell::operator()(const Tensor& x, const Tensor& hidden) const {
  return ops::rnn_cell(x, weight_ih, weight_hh, state(x, hidden),
                       weights(1, bias_ih, bias_hh, nonlinearity_, true));
}
Tensor GRUCell::operator()(const Tensor& x, const Tensor& hidden) const {
  return ops::gru_cell(x, weight_ih, weight_hh, state(x, hidden),
                       weights(3, bias_ih, bias_hh, "", true));
}
LSTMState LSTMCell::operator()(const Tensor& x, const LSTMState& s) const {
  const Tensors r = ops::lstm_cell(x, weight_ih, weight_hh, state(x, s.hidden), state(x, s.cell),
                                   weights(4, bias_ih, bias_hh, "", true));
  return {r[0], r[1]};
}

}  // namespace ember::nn
