// LSTM, GRU and RNN.
#include "src/onnx/read.h"
#include "src/ops/layouts.h"

namespace ember::onnx {
namespace {

enum class Kind { rnn, gru, lstm };

struct Recurrent {
  const Call& c;
  Kind kind;
  bool batch_first;
  Tensor x;
  ops::RecurrentOptions options;

  Recurrent(const Call& c, Kind kind) : c(c), kind(kind), batch_first(c.flag("layout")), x(batch_first ? ops::swapaxes(c.x(0), 0, 1) : c.x(0)) {
    const std::string direction = c.s("direction", "forward");
    one_of("direction", direction, {"forward", "reverse", "bidirectional"});
    options.direction = direction == "forward" ? "forward" : direction == "reverse" ? "backward" : "both";
    c.ignore("output_sequence");
    if (c.attribute("clip", proto::Attribute::float_)) c.refuse("clip");
    if (c.attribute("activation_alpha", proto::Attribute::floats_) || c.attribute("activation_beta", proto::Attribute::floats_)) c.refuse("an activation with parameters");
    const auto* size = c.attribute("hidden_size", proto::Attribute::int_);
    if (x.ndim() != 3 || c.x(2).ndim() != 3) throw ShapeError("the input and the weights must have 3 dimensions");
    const int64_t hidden = c.x(2).shape(2);
    if (size && size->i != hidden) throw ShapeError("hidden_size is " + std::to_string(size->i) + ", the weights' " + std::to_string(hidden));
    activations();
    if (c.has(3)) {  // both biases, one after the other
      if (c.x(3).ndim() != 2 || c.x(3).shape(1) % 2) throw ShapeError("the bias has shape " + to_string(c.x(3).shape()));
      const Tensors both = ops::split(c.x(3), 2, 1);
      options.bias = both[0], options.recurrent_bias = both[1];
    }
    if (c.has(4))
      for (const int64_t n : c.ints(4, "sequence_lens"))
        if (n != x.shape(0)) c.refuse("a batch of sequences of different lengths");
    if (c.has(5)) options.initial_hidden = state(5);
  }
  Tensor state(size_t i) const { return batch_first ? ops::swapaxes(c.x(i), 0, 1) : c.x(i); }

  void activations() {
    std::vector<std::string> names = c.strings("activations");
    for (std::string& n : names) {
      for (char& letter : n) letter = char(letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter);
      if (n != "relu" && n != "sigmoid" && n != "tanh") c.refuse("the activation '" + n.substr(0, 40) + "'");
    }
    const size_t each = kind == Kind::lstm ? 3 : kind == Kind::gru ? 2 : 1;
    if (names.size() == 2 * each) {
      if (!std::equal(names.begin(), names.begin() + ptrdiff_t(each), names.begin() + ptrdiff_t(each))) c.refuse("an activation for each direction");
      names.resize(each);
    }
    options.activations = names;
  }

  // Y, Y_h and, of an lstm, Y_c, from the last hidden state, the last cell state and all hidden states.
  Values results(const Tensors& r) const {
    Tensor sequence = r.back();
    if (batch_first) sequence = ops::permute_dims(sequence, {2, 0, 1, 3});
    Values out{sequence};
    for (size_t i = 0; i + 1 < r.size(); ++i) out.push_back(batch_first ? ops::swapaxes(r[i], 0, 1) : r[i]);
    return out;
  }
};

Values lstm(const Call& c) {
  Recurrent r(c, Kind::lstm);
  if (c.flag("input_forget")) c.refuse("input_forget");
  if (c.has(6)) r.options.initial_cell = r.state(6);
  r.options.peephole = c.maybe(7);
  return r.results(ops::lstm(r.x, c.x(1), c.x(2), r.options));
}
Values gru(const Call& c) {
  Recurrent r(c, Kind::gru);
  r.options.reset_after = c.flag("linear_before_reset");
  return r.results(ops::gru(r.x, c.x(1), c.x(2), r.options));
}
Values rnn(const Call& c) {
  Recurrent r(c, Kind::rnn);
  return r.results(ops::rnn(r.x, c.x(1), c.x(2), r.options));
}

#define LIMITS "activations Relu, Sigmoid and Tanh, the same in both directions; all sequences of a batch as long as each other; no clip"
const Reader readers[] = {
    {{"LSTM", 7, LIMITS ", no input_forget"}, lstm},
    {{"GRU", 7, LIMITS}, gru},
    {{"RNN", 7, LIMITS}, rnn},
};
#undef LIMITS

}  // namespace

std::span<const Reader> recurrent_readers() { return readers; }

}  // namespace ember::onnx
