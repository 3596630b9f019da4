// LSTM, GRU and RNN: the inputs of all steps are multiplied at once, then a loop over steps
// follows. Ember's own recurrent ops are WebNN's, which have no clipping, no lengths and different
// peepholes.
#include <algorithm>
#include <cmath>

#include "src/graph/graph.h"
#include "src/onnx/read/quantization.h"
#include "src/ops/layouts.h"

namespace ember::onnx {
namespace {

enum class Kind { rnn, gru, lstm };

// An activation and its parameters.
struct Activation {
  std::string name;
  double alpha = 0, beta = 0;
  Tensor operator()(const Tensor& x) const {
    if (name == "sigmoid") return ops::sigmoid(x);
    if (name == "tanh") return ops::tanh(x);
    if (name == "relu") return ops::relu(x);
    if (name == "affine") return x * alpha + beta;
    if (name == "leakyrelu") return ops::leaky_relu(x, alpha);
    if (name == "thresholdedrelu") return ops::where(x >= alpha, x, ops::zeros_like(x));
    if (name == "scaledtanh") return ops::tanh(x * beta) * alpha;
    if (name == "hardsigmoid") return ops::hard_sigmoid(x, alpha, beta);
    if (name == "elu") return ops::elu(x, alpha);
    if (name == "softsign") return ops::softsign(x);
    return ops::softplus(x);
  }
};
struct Known {
  const char* name;
  double alpha, beta;
  int parameters;  // how many values of alpha and beta it reads
};
constexpr Known activations[] = {{"sigmoid", 0, 0, 0},      {"tanh", 0, 0, 0},
                                 {"relu", 0, 0, 0},         {"affine", 1, 0, 2},
                                 {"leakyrelu", 0.01, 0, 1}, {"thresholdedrelu", 1, 0, 1},
                                 {"scaledtanh", 1, 1, 2},   {"hardsigmoid", 0.2, 0.5, 2},
                                 {"elu", 1, 0, 1},          {"softsign", 0, 0, 0},
                                 {"softplus", 0, 0, 0}};

struct State {
  Tensor hidden, cell;
};

struct Weights {
  Tensor input,
      recurrent;  // [directions, gates * hidden, features], [directions, gates * hidden, hidden]
  bool quantized = false;  // the inputs of products are quantized too
};

class Network {
 public:
  Network(const Call& c, Kind kind, const Weights& weights)
      : c_(c),
        weights_(weights),
        kind_(kind),
        gates_(kind == Kind::lstm  ? 4
               : kind == Kind::gru ? 3
                                   : 1),
        batch_first_(c.flag("layout")) {
    const std::string direction = c.s("direction", "forward");
    one_of("direction", direction, {"forward", "reverse", "bidirectional"});
    directions_ = direction == "bidirectional" ? 2 : 1;
    reverse_ = direction == "reverse";
    if (const auto* a = c.attribute("clip", proto::Attribute::float_)) clip_ = a->f;
    after_ = kind == Kind::gru && c.flag("linear_before_reset");
    coupled_ = kind == Kind::lstm && c.flag("input_forget");
    c.ignore("output_sequence");
    read_activations();
    if (c.x(0).ndim() != 3 || weights.input.ndim() != 3 || weights.recurrent.ndim() != 3) {
      throw ShapeError("the input and the weights must have 3 dimensions");
    }
    x_ = batch_first_ ? ops::swapaxes(c.x(0), 0, 1) : c.x(0);
    steps_ = x_.shape(0);
    batch_ = x_.shape(1);
    hidden_ = weights.recurrent.shape(2);
    const auto* size = c.attribute("hidden_size", proto::Attribute::int_);
    if (size && size->i != hidden_) {
      throw ShapeError("hidden_size is " + std::to_string(size->i) + ", the weights' " +
                       std::to_string(hidden_));
    }
    fit("the weight", weights.input, {directions_, extent(gates_, hidden_, 0), x_.shape(2)});
    fit("the recurrent weight", weights.recurrent,
        {directions_, extent(gates_, hidden_, 0), hidden_});
    fit(3, {directions_, extent(2 * gates_, hidden_, 0)});
    fit(4, {batch_});
    fit(5,
        batch_first_ ? Shape{batch_, directions_, hidden_} : Shape{directions_, batch_, hidden_});
    if (kind == Kind::lstm) {
      fit(6, c.has(5)       ? c.x(5).shape()
             : batch_first_ ? Shape{batch_, directions_, hidden_}
                            : Shape{directions_, batch_, hidden_});
      fit(7, {directions_, extent(3, hidden_, 0)});
    }
    if (c.has(4)) lengths_ = ops::reshape(cast_to(c.x(4), DType::int64), {batch_, 1});
  }

  // Y, Y_h and, of an lstm, Y_c.
  Values run() const {
    Tensors sequences;
    Tensors hidden;
    Tensors cells;
    for (int64_t d = 0; d < directions_; ++d) {
      const bool back = reverse_ || d == 1;
      const auto part_of = [&](const Tensor& t) {
        return ops::squeeze(ops::slice(t, {d}, {d + 1}, {}, 0), 0);
      };
      const auto part = [&](size_t i) { return c_.has(i) ? part_of(c_.x(i)) : Tensor(); };
      const auto state = [&](size_t i) {
        if (!c_.has(i)) return ops::zeros({batch_, hidden_}, x_.dtype());
        return ops::squeeze(ops::slice(c_.x(i), {d}, {d + 1}, {}, batch_first_ ? 1 : 0),
                            batch_first_ ? 1 : 0);
      };
      Direction w{ops::matrix_transpose(part_of(weights_.recurrent)),
                  {},
                  part(7),
                  size_t(d) * activations_.size() / size_t(directions_)};
      Tensor x = ops::matmul(
          operand(ops::reshape(back ? turned(x_) : x_, {extent(steps_, batch_, 0), x_.shape(2)})),
          ops::matrix_transpose(part_of(weights_.input)));
      if (c_.has(3)) {  // only a GRU's candidate needs the recurrent bias separately
        const Tensors both = ops::split(part(3), 2, 0);
        x = x + both[0];
        if (kind_ == Kind::gru) {
          w.bias = both[1];
        } else {
          x = x + both[1];
        }
      }
      x = ops::reshape(x, {steps_, batch_, extent(gates_, hidden_, 0)});
      State s{state(5), kind_ == Kind::lstm ? state(6) : Tensor()};
      Tensors line;
      for (int64_t step = 0; step < steps_; ++step) {
        c_.recorder.count();
        const State next = advance(w,
                                   ops::reshape(ops::slice(x, {step}, {step + 1}, {}, 0),
                                                {batch_, extent(gates_, hidden_, 0)}),
                                   s);
        if (lengths_.defined()) {  // after its end, a sequence keeps its state and outputs zeros
          const Tensor on = ops::greater(lengths_, step);
          line.push_back(ops::where(on, next.hidden, ops::zeros_like(next.hidden)));
          s = {ops::where(on, next.hidden, s.hidden),
               s.cell.defined() ? ops::where(on, next.cell, s.cell) : Tensor()};
        } else {
          s = next;
          line.push_back(s.hidden);
        }
      }
      const Tensor all = steps_ ? ops::stack(line, 0) : ops::zeros({0, batch_, hidden_}, x.dtype());
      sequences.push_back(back ? turned(all) : all);
      hidden.push_back(s.hidden);
      if (s.cell.defined()) cells.push_back(s.cell);
    }
    Values out{ops::stack(sequences, batch_first_ ? 2 : 1),
               ops::stack(hidden, batch_first_ ? 1 : 0)};
    if (batch_first_) out[0] = ops::permute_dims(ops::stack(sequences, 2), {1, 0, 2, 3});
    if (!cells.empty()) out.push_back(ops::stack(cells, batch_first_ ? 1 : 0));
    return out;
  }

 private:
  struct Direction {
    Tensor recurrent, bias, peephole;
    size_t first;  // index of its first activation
  };

  static void fit(const char* what, const Tensor& t, const Shape& shape) {
    if (t.shape() != shape) {
      throw ShapeError(std::string(what) + " must have shape " + to_string(shape) + ", not " +
                       to_string(t.shape()));
    }
  }
  // The left operand of a product with weights.
  Tensor operand(const Tensor& x) const {
    if (!weights_.quantized) return x;
    const Quantized q = quantize_dynamically(x);
    return ops::dequantize_linear(q.values, q.scale, q.zero_point);
  }
  void fit(size_t i, const Shape& shape) const {
    if (c_.has(i) && c_.x(i).shape() != shape) {
      throw ShapeError("input " + std::to_string(i) + " must have shape " + to_string(shape) +
                       ", not " + to_string(c_.x(i).shape()));
    }
  }
  void read_activations() {
    std::vector<std::string> names = c_.strings("activations");
    const size_t each = kind_ == Kind::lstm ? 3 : kind_ == Kind::gru ? 2 : 1;
    if (names.empty()) {
      for (int64_t d = 0; d < directions_; ++d) {
        for (size_t i = 0; i < each; ++i) {
          names.push_back(i == 0 && kind_ != Kind::rnn ? "Sigmoid" : "Tanh");
        }
      }
    }
    if (names.size() != each * size_t(directions_)) {
      throw ValueError(std::to_string(names.size()) + " activations for " +
                       std::to_string(each * size_t(directions_)));
    }
    const std::vector<double> alphas = c_.floats("activation_alpha");
    const std::vector<double> betas = c_.floats("activation_beta");
    size_t alpha = 0;
    size_t beta = 0;
    for (std::string& n : names) {
      for (char& letter : n) {
        letter = char(letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter);
      }
      const auto known = std::find_if(std::begin(activations), std::end(activations),
                                      [&](const Known& k) { return n == k.name; });
      if (known == std::end(activations)) c_.refuse("the activation '" + n.substr(0, 40) + "'");
      Activation a{n, known->alpha, known->beta};
      if (known->parameters > 0 && alpha < alphas.size()) a.alpha = alphas[alpha++];
      if (known->parameters > 1 && beta < betas.size()) a.beta = betas[beta++];
      activations_.push_back(a);
    }
  }
  // Reverses the steps of each sequence separately.
  Tensor turned(const Tensor& x) const {
    if (!lengths_.defined()) return ops::flip(x, 0);
    const Tensor t = ops::reshape(ops::arange(0, double(steps_), 1, DType::int64), {steps_, 1});
    const Tensor len = ops::reshape(lengths_, {1, batch_});
    return ops::take_along_axis(
        x, ops::reshape(ops::where(ops::less(t, len), len - t - 1, t), {steps_, batch_, 1}), 0);
  }

  Tensor gate(const Tensor& t, int64_t k) const {
    return ops::slice(t, {k * hidden_}, {(k + 1) * hidden_}, {}, -1);
  }
  // Applies an activation to a gate's clipped sum. The cell is not clipped before its activation,
  // as in ONNX Runtime.
  Tensor active(const Direction& w, size_t which, const Tensor& x) const {
    return activations_[w.first + which](clip_ > 0 ? ops::clip(x, Tensor(-clip_), Tensor(clip_))
                                                   : x);
  }
  State advance(const Direction& w, const Tensor& x, const State& s) const {
    if (kind_ == Kind::lstm) return lstm(w, x, s);
    if (kind_ == Kind::gru) return {gru(w, x, s.hidden), {}};
    return {active(w, 0, x + ops::matmul(s.hidden, w.recurrent)), {}};
  }
  // Gates in order: input, output, forget, cell.
  State lstm(const Direction& w, const Tensor& x, const State& s) const {
    const Tensor sums = x + ops::matmul(operand(s.hidden), w.recurrent);
    const auto value = [&](int64_t k, const Tensor& cell) {
      return active(
          w, 0, w.peephole.defined() ? gate(sums, k) + cell * gate(w.peephole, k) : gate(sums, k));
    };
    const Tensor i = value(0, s.cell);
    const Tensor f = coupled_ ? cast_to(Tensor(1.0), i.dtype()) - i : value(2, s.cell);
    const Tensor cell = f * s.cell + i * active(w, 1, gate(sums, 3));
    return {value(1, cell) * activations_[w.first + 2](cell), cell};
  }
  Tensor gru(const Direction& w, const Tensor& x, const Tensor& h) const {  // update, reset, hidden
    const auto recurrent = [&](int64_t k, const Tensor& state) {
      const Tensor y = ops::matmul(state, gate(w.recurrent, k));
      return w.bias.defined() ? y + gate(w.bias, k) : y;
    };
    const Tensor z = active(w, 0, gate(x, 0) + recurrent(0, h));
    const Tensor r = active(w, 0, gate(x, 1) + recurrent(1, h));
    const Tensor n =
        active(w, 1, gate(x, 2) + (after_ ? r * recurrent(2, h) : recurrent(2, r * h)));
    return z * h + (Tensor(1.0) - z) * n;
  }

  const Call& c_;
  Weights weights_;
  Kind kind_;
  int64_t gates_, directions_ = 1, steps_ = 0, batch_ = 0, hidden_ = 0;
  bool batch_first_, reverse_ = false, after_ = false, coupled_ = false;
  double clip_ = 0;
  std::vector<Activation> activations_;
  Tensor x_, lengths_;
};

template <Kind kind> Values recurrent(const Call& c) {
  return Network(c, kind, {c.x(1), c.x(2)}).run();
}

// The weights are quantized and transposed; inputs and hidden states are quantized before each
// product.
Values dynamic_quantize_lstm(const Call& c) {
  const auto weight = [&](size_t i, size_t scale, size_t zero) {
    const Tensor& w = c.x(i);
    const Tensor& s = c.x(scale);
    if (w.ndim() != 3) {
      throw ShapeError("the weights must have 3 dimensions, not " + std::to_string(w.ndim()));
    }
    // One per direction, or one per column of each direction.
    const auto spread = [&](const Tensor& t) {
      return ops::reshape(t, {w.shape(0), 1, t.size() == w.shape(0) ? 1 : w.shape(2)});
    };
    Tensor x = cast_to(w, DType::float32);
    if (c.has(zero)) x = x - spread(cast_to(c.x(zero), DType::float32));
    return fold(c.in[i], ops::matrix_transpose(x * spread(s)));
  };
  return Network(c, Kind::lstm, {weight(1, 8, 9), weight(2, 10, 11), true}).run();
}

const Reader readers[] = {
    {{"LSTM", 1, ""}, recurrent<Kind::lstm>},
    {{"GRU", 1, ""}, recurrent<Kind::gru>},
    {{"RNN", 1, ""}, recurrent<Kind::rnn>},
    {{"DynamicQuantizeLSTM", 1, "", "com.microsoft"}, dynamic_quantize_lstm},
};

}  // namespace

std::span<const Reader> recurrent_readers() { return readers; }

}  // namespace ember::onnx
