// Recurrent networks with WebNN's shapes and equations. One product covers the inputs of all steps;
// the recurrence is a loop over steps.
#include "src/ops/layouts.h"

namespace ember {
namespace {

using Activation = Tensor (*)(Tensor);

enum class Kind { lstm, gru, rnn };

struct Kin {
  Kind kind;
  const char* name;
  int64_t gates;
  std::string_view layouts[2];  // the letters of the gates in order; the first is the default
  std::vector<const char*> activations;  // the default
};
const Kin lstm_kin{Kind::lstm, "lstm", 4, {"iofg", "ifgo"}, {"sigmoid", "tanh", "tanh"}};
const Kin gru_kin{Kind::gru, "gru", 3, {"zrn", "rzn"}, {"sigmoid", "tanh"}};
const Kin rnn_kin{Kind::rnn, "rnn", 1, {"h", "h"}, {"tanh"}};

Activation activation(std::string_view name) {
  one_of("an activation", name, {"relu", "sigmoid", "tanh"});
  return name == "relu"      ? static_cast<Activation>(ops::relu)
         : name == "sigmoid" ? static_cast<Activation>(ops::sigmoid)
                             : static_cast<Activation>(ops::tanh);
}

// The operands, widened and of one dtype; absent ones are undefined.
struct Operands {
  Tensor x, weight, recurrent, bias, recurrent_bias, peephole, hidden, cell;
  Tensor* all[8] = {&x, &weight, &recurrent, &bias, &recurrent_bias, &peephole, &hidden, &cell};
};

class Network {
 public:
  // one: a single step, without the axes of steps and directions.
  Network(const Kin& kin, const ops::RecurrentOptions& o, Operands& in, bool one)
      : kin_(kin),
        in_(in),
        layout_(o.layout.empty() ? kin.layouts[0] : std::string_view(o.layout)),
        reset_after_(o.reset_after) {
    one_of("direction", o.direction, {"forward", "backward", "both"});
    if (kin.kind == Kind::rnn ? !o.layout.empty()
                              : layout_ != kin.layouts[0] && layout_ != kin.layouts[1]) {
      throw ValueError(kin.kind == Kind::rnn ? "an rnn has one gate, so layout must be empty"
                                             : "layout must be " + std::string(kin.layouts[0]) +
                                                   " or " + std::string(kin.layouts[1]) +
                                                   ", not '" + o.layout.substr(0, 40) + "'");
    }
    if (!o.activations.empty() && o.activations.size() != kin.activations.size()) {
      throw ValueError("takes " + std::to_string(kin.activations.size()) + " activations, not " +
                       std::to_string(o.activations.size()));
    }
    for (const char* name : kin.activations) activations_.push_back(activation(name));
    for (size_t i = 0; i < o.activations.size(); ++i) {
      activations_[i] = activation(o.activations[i]);
    }
    if (in.peephole.defined() && kin.kind != Kind::lstm) {
      throw ValueError("only an lstm has peephole weights");
    }
    if (one && (o.initial_hidden || o.initial_cell || o.direction != "forward")) {
      throw ValueError("a cell takes neither a direction nor initial states");
    }
    if (o.initial_cell && kin.kind != Kind::lstm) throw ValueError("only an lstm has a cell state");

    backward_ = o.direction == "backward";
    directions_ = o.direction == "both" ? 2 : 1;
    const int64_t dims = one ? 2 : 3;
    if (in.x.ndim() != dims) {
      throw ShapeError(std::string("x must have the axes ") +
                       (one ? "[batch, input]" : "[steps, batch, input]"));
    }
    if (in.recurrent.ndim() != dims) {
      throw ShapeError("recurrent_weight must have " + std::to_string(dims) + " dimensions, not " +
                       std::to_string(in.recurrent.ndim()));
    }
    steps_ = one ? 1 : in.x.shape(0);
    batch_ = in.x.shape(-2);
    hidden_ = in.recurrent.shape(-1);
    const int64_t inputs = in.x.shape(-1);
    const int64_t rows = extent(kin.gates, hidden_, 0);
    if (steps_ > std::max<int64_t>(in.x.size(), 65536)) {
      throw ValueError(std::to_string(steps_) + " steps without input are too many");
    }
    const auto fit = [&](const char* what, Tensor& t, Shape shape) {
      if (!t.defined()) return;
      if (!one) shape.insert(0, directions_);
      if (t.shape() != shape) {
        throw ShapeError(std::string(what) + " must have shape " + to_string(shape) + ", not " +
                         to_string(t.shape()));
      }
      if (one) t = ops::expand_dims(t, {0});
    };
    fit("weight", in.weight, {rows, inputs});
    fit("recurrent_weight", in.recurrent, {rows, hidden_});
    fit("bias", in.bias, {rows});
    fit("recurrent_bias", in.recurrent_bias, {rows});
    fit("peephole", in.peephole, {extent(3, hidden_, 0)});
    fit("the hidden state", in.hidden, {batch_, hidden_});
    fit("the cell state", in.cell, {batch_, hidden_});
    in.x = ops::reshape(in.x, {extent(steps_, batch_, 0), inputs});
  }

  // hidden [directions, batch, hidden], the same of the cell, and where wanted [steps, directions,
  // batch, hidden].
  Tensors run(bool sequence) const {
    Tensors hidden;
    Tensors cell;
    Tensors lines;
    for (int64_t d = 0; d < directions_; ++d) {
      Direction w{part(in_.weight, d), part(in_.recurrent, d), part(in_.bias, d),
                  part(in_.recurrent_bias, d), part(in_.peephole, d)};
      w.recurrent = ops::matrix_transpose(w.recurrent);
      Tensor x = ops::matmul(in_.x, ops::matrix_transpose(w.weight));
      if (w.bias.defined()) x = x + w.bias;
      // Only the candidate gate of a GRU uses the recurrent bias separately.
      if (w.recurrent_bias.defined() && kin_.kind != Kind::gru) x = x + w.recurrent_bias;
      x = ops::reshape(x, {steps_, batch_, kin_.gates * hidden_});
      State s{part(in_.hidden, d), part(in_.cell, d)};
      if (!s.hidden.defined()) s.hidden = ops::zeros({batch_, hidden_}, x.dtype());
      if (!s.cell.defined()) s.cell = ops::zeros({batch_, hidden_}, x.dtype());
      Tensors line(size_t(sequence ? steps_ : 0));
      for (int64_t step = 0; step < steps_; ++step) {
        const int64_t at = backward_ || d == 1 ? steps_ - 1 - step : step;
        s = next(w, part(x, at), s);
        if (sequence) line[size_t(at)] = s.hidden;
      }
      hidden.push_back(s.hidden);
      cell.push_back(s.cell);
      if (sequence) {
        lines.push_back(steps_ ? ops::stack(line) : ops::zeros({0, batch_, hidden_}, x.dtype()));
      }
    }
    Tensors r{ops::stack(hidden), ops::stack(cell)};
    if (sequence) r.push_back(ops::stack(lines, 1));
    return r;
  }

 private:
  struct Direction {
    Tensor weight, recurrent, bias, recurrent_bias, peephole;
  };
  struct State {
    Tensor hidden, cell;
  };

  static Tensor part(const Tensor& t, int64_t i) {
    if (!t.defined()) return t;
    return ops::reshape(sliced(t, 0, {i, 1, 1}), Shape(t.shape().begin() + 1, t.shape().end()));
  }
  // The columns of one gate.
  Tensor block(const Tensor& t, int64_t k) const {
    return hidden_ ? sliced(t, t.ndim() - 1, {k * hidden_, 1, hidden_}) : t;
  }
  Tensor gate(const Tensor& t, char letter) const {
    return block(t, int64_t(layout_.find(letter)));
  }

  State next(const Direction& w, const Tensor& x, const State& s) const {
    switch (kin_.kind) {
      case Kind::lstm: return next_lstm(w, x, s);
      case Kind::gru: return {next_gru(w, x, s.hidden), s.cell};
      case Kind::rnn: break;
    }
    return {activations_[0](x + ops::matmul(s.hidden, w.recurrent)), s.cell};
  }
  State next_lstm(const Direction& w, const Tensor& x, const State& s) const {
    const Tensor sums = x + ops::matmul(s.hidden, w.recurrent);
    const auto value = [&](char letter, int64_t peephole) {
      const Tensor sum = gate(sums, letter);
      return activations_[0](w.peephole.defined() ? sum + s.cell * block(w.peephole, peephole)
                                                  : sum);
    };
    const Tensor i = value('i', 0);
    const Tensor o = value('o', 1);
    const Tensor f = value('f', 2);
    const Tensor g = activations_[1](gate(sums, 'g'));
    const Tensor cell = f * s.cell + i * g;
    return {o * activations_[2](cell), cell};
  }
  Tensor next_gru(const Direction& w, const Tensor& x, const Tensor& h) const {
    const bool biased = w.recurrent_bias.defined();
    const auto plus_bias = [&](const Tensor& t, char letter) {
      return biased ? t + gate(w.recurrent_bias, letter) : t;
    };
    const auto product = [&](const Tensor& left, char letter) {
      return ops::matmul(left, gate(w.recurrent, letter));
    };
    // With the reset after the product, one product serves all gates.
    const Tensor whole = reset_after_ ? ops::matmul(h, w.recurrent) : Tensor();
    const auto recurrent = [&](char letter) {
      return plus_bias(reset_after_ ? gate(whole, letter) : product(h, letter), letter);
    };
    const Tensor z = activations_[0](gate(x, 'z') + recurrent('z'));
    const Tensor r = activations_[0](gate(x, 'r') + recurrent('r'));
    const Tensor n = activations_[1](
        gate(x, 'n') + (reset_after_ ? r * recurrent('n') : plus_bias(product(r * h, 'n'), 'n')));
    return z * h + (Tensor(1.0) - z) * n;
  }

  const Kin& kin_;
  const Operands& in_;
  std::string_view layout_;
  bool reset_after_, backward_ = false;
  std::vector<Activation> activations_;
  int64_t steps_ = 0, batch_ = 0, hidden_ = 0, directions_ = 1;
};

// Checks the arguments, computes in float32 or wider and casts the results to the operands' dtype.
Tensors recur(const Kin& kin, bool one, const Tensor& x, const Tensor& weight,
              const Tensor& recurrent, const Tensor& hidden, const Tensor& cell,
              const ops::RecurrentOptions& o) {
  const Tensor given[] = {x, weight, recurrent};
  const std::string name = std::string(kin.name) + (one ? "_cell" : "");
  return named(name.c_str(), "x, weight, recurrent_weight", given, [&] {
    Operands in{x,
                weight,
                recurrent,
                o.bias.value_or(Tensor()),
                o.recurrent_bias.value_or(Tensor()),
                o.peephole.value_or(Tensor()),
                one ? hidden : o.initial_hidden.value_or(Tensor()),
                one ? cell : o.initial_cell.value_or(Tensor())};
    Tensors present;
    for (const Tensor* t : in.all) {
      if (t->defined()) present.push_back(*t);
    }
    if (!x.defined() || !weight.defined() || !recurrent.defined()) {
      throw ValueError("an input is missing");
    }
    if (one && (!hidden.defined() || (kin.kind == Kind::lstm && !cell.defined()))) {
      throw ValueError("a state is missing");
    }
    check_kin(present);
    const DType t = float_of(result_dtype(present));
    if (is_complex(t)) throw DTypeError("takes real dtypes, not " + std::string(ember::name(t)));
    const DType wide = t == DType::float16 || t == DType::bfloat16 ? DType::float32 : t;
    for (Tensor* v : in.all) {
      if (v->defined()) *v = cast_to(*v, wide);
    }
    Tensors r = Network(kin, o, in, one).run(o.return_sequence && !one);
    if (kin.kind != Kind::lstm) r.erase(r.begin() + 1);
    for (Tensor& v : r) {
      if (one) v = ops::reshape(v, {v.shape(1), v.shape(2)});
      v = cast_to(v, t);
    }
    return r;
  });
}

}  // namespace

namespace ops {

Tensors lstm(const Tensor& x, const Tensor& weight, const Tensor& recurrent_weight,
             const RecurrentOptions& options) {
  return recur(lstm_kin, false, x, weight, recurrent_weight, {}, {}, options);
}
Tensors lstm_cell(const Tensor& x, const Tensor& weight, const Tensor& recurrent_weight,
                  const Tensor& hidden, const Tensor& cell, const RecurrentOptions& options) {
  return recur(lstm_kin, true, x, weight, recurrent_weight, hidden, cell, options);
}
Tensors gru(const Tensor& x, const Tensor& weight, const Tensor& recurrent_weight,
            const RecurrentOptions& options) {
  return recur(gru_kin, false, x, weight, recurrent_weight, {}, {}, options);
}
Tensor gru_cell(const Tensor& x, const Tensor& weight, const Tensor& recurrent_weight,
                const Tensor& hidden, const RecurrentOptions& options) {
  return recur(gru_kin, true, x, weight, recurrent_weight, hidden, {}, options)[0];
}
Tensors rnn(const Tensor& x, const Tensor& weight, const Tensor& recurrent_weight,
            const RecurrentOptions& options) {
  return recur(rnn_kin, false, x, weight, recurrent_weight, {}, {}, options);
}
Tensor rnn_cell(const Tensor& x, const Tensor& weight, const Tensor& recurrent_weight,
                const Tensor& hidden, const RecurrentOptions& options) {
  return recur(rnn_kin, true, x, weight, recurrent_weight, hidden, {}, options)[0];
}

}  // namespace ops

namespace {
using binder::fn;

const Row rows[] = {
    FUN(lstm, "x, weight, recurrent_weight, **options",
        "Long short-term memory over a sequence: last hidden state, last cell state, all hidden "
        "states."),
    FUN(lstm_cell, "x, weight, recurrent_weight, hidden, cell, **options",
        "One step of a long short-term memory: the next hidden and cell state."),
    FUN(gru, "x, weight, recurrent_weight, **options",
        "Gated recurrent unit over a sequence: last hidden state, all hidden states."),
    FUN(gru_cell, "x, weight, recurrent_weight, hidden, **options",
        "One step of a gated recurrent unit: the next hidden state."),
    FUN(rnn, "x, weight, recurrent_weight, **options",
        "Elman network over a sequence: last hidden state, all hidden states."),
    FUN(rnn_cell, "x, weight, recurrent_weight, hidden, **options",
        "One step of an Elman network: the next hidden state."),
};
}  // namespace

std::span<const Row> recurrent_rows() { return rows; }

}  // namespace ember
