// Liquid networks: LTC and CfC cells and their sequences.
#include "ember/nn/liquid.h"

#include "ember/grad.h"
#include "ember/nn/init.h"
#include "src/nn/common.h"

namespace ember::nn {
namespace {

// Runs step(x, t, state) over [batch, steps, features]. step returns the outputs and updates the
// state.
template <class F>
LiquidOutput unroll(std::string_view kind, bool batch_first, int64_t inputs, int64_t units,
                    const Tensor& given, const Tensor& state, const Tensor& timespans,
                    LSTMCell* memory, const Tensor& cell, F&& step) {
  const bool single = given.ndim() == 2;
  NEED_SHAPE((single || given.ndim() == 3) && given.shape(-1) == inputs, kind,
             std::string("expects ") + (batch_first ? "[batch, steps, " : "[steps, batch, ") +
                 std::to_string(inputs) + "], not the shape " + to_string(given.shape()));
  const Tensor x = single        ? ops::expand_dims(given, {1})
                   : batch_first ? ops::swapaxes(given, 0, 1)
                                 : given;
  const int64_t steps = x.shape(0);
  const int64_t batch = x.shape(1);
  const auto initial = [&](const Tensor& s) {
    if (!s.defined()) return ops::zeros({batch, units}, x.dtype());
    const Tensor full = single && s.ndim() == 1 ? ops::expand_dims(s, {0}) : s;
    NEED_SHAPE((full.shape() == Shape{batch, units}), kind,
               "the state must have shape " + to_string(Shape{batch, units}) + ", not " +
                   to_string(s.shape()));
    return full;
  };
  Tensor h = initial(state);
  Tensor c = memory ? initial(cell) : Tensor();
  Tensor spans;
  if (timespans.defined()) {
    const Shape places(given.shape().begin(), given.shape().end() - 1);
    NEED_SHAPE(
        timespans.shape() == places, kind,
        "timespans must have shape " + to_string(places) + ", not " + to_string(timespans.shape()));
    spans = ops::reshape(batch_first && !single ? ops::swapaxes(timespans, 0, 1) : timespans,
                         {steps, batch, 1});
  }
  NEED_SHAPE(steps > 0, kind, "there are no steps in the shape " + to_string(given.shape()));
  Tensors outputs;
  for (int64_t t = 0; t < steps; ++t) {
    const Tensor now = x(t);
    if (memory) {
      const LSTMState s = (*memory)(now, {h, c});
      h = s.hidden;
      c = s.cell;
    }
    outputs.push_back(step(now, spans.defined() ? spans(t) : Tensor(1.0), h));
  }
  const auto alone = [&](const Tensor& t) {
    return single && t.defined() ? ops::squeeze(t, 0) : t;
  };
  return {single ? ops::squeeze(ops::stack(outputs), 1) : ops::stack(outputs, batch_first ? 1 : 0),
          alone(h), alone(c)};
}

// Values that softplus maps to the range low to high.
Tensor initial_positive(const Shape& shape, double low, double high, bool implicit) {
  const Tensor v = ops::random_uniform(shape, low, high);
  return implicit ? ops::log(ops::expm1(v)) : v;
}

}  // namespace

LTCCell::LTCCell(const NeuronMap& map, const LTCOptions& o)
    : map_(map),
      o_(o),
      mask_(ops::abs(map.adjacency())),
      sensory_mask_(ops::abs(map.sensory_adjacency())) {
  need_positive("LTCCell", {{"ode_unfolds", o.ode_unfolds}});
  const int64_t u = map.units();
  const int64_t in = map.inputs();
  const int64_t out = map.outputs();
  const auto uniform = [&](const char* name, Parameter& p, Shape s, double low, double high) {
    add(name, p, ops::random_uniform(s, low, high));
  };
  const auto above = [&](const char* name, Parameter& p, Shape s, double low, double high) {
    add(name, p, initial_positive(s, low, high, o.implicit_constraints));
  };
  above("gleak", gleak, {u}, 0.001, 1);
  uniform("vleak", vleak, {u}, -0.2, 0.2);
  above("cm", cm, {u}, 0.4, 0.6);
  uniform("sigma", sigma, {u, u}, 3, 8);
  uniform("mu", mu, {u, u}, 0.3, 0.8);
  above("w", w, {u, u}, 0.001, 1);
  add("erev", erev, map.adjacency());
  uniform("sensory_sigma", sensory_sigma, {in, u}, 3, 8);
  uniform("sensory_mu", sensory_mu, {in, u}, 0.3, 0.8);
  above("sensory_w", sensory_w, {in, u}, 0.001, 1);
  add("sensory_erev", sensory_erev, map.sensory_adjacency());
  if (o.input_affine) {
    add("input_w", input_w, ops::ones({in}));
    add("input_b", input_b, ops::zeros({in}));
  }
  if (o.output_affine) {
    add("output_w", output_w, ops::ones({out}));
    add("output_b", output_b, ops::zeros({out}));
  }
}
Tensor LTCCell::positive(const Parameter& p) const {
  return o_.implicit_constraints ? ops::softplus(p) : p.value();
}

std::pair<Tensor, Tensor> LTCCell::operator()(const Tensor& given, const Tensor& state,
                                              const Tensor& elapsed) const {
  NEED_SHAPE(given.ndim() == 2 && given.shape(1) == map_.inputs(), kind(),
             "expects [batch, " + std::to_string(map_.inputs()) + "], not the shape " +
                 to_string(given.shape()));
  const DType t = gleak.dtype();
  const Tensor x = input_w.defined() ? given * input_w + input_b : given;
  // The total conductance of the synapses and their total pull, both summed over the sources:
  // [batch, units].
  struct Pull {
    Tensor total, towards;
  };
  const auto pull = [](const Tensor& v, const Parameter& mu, const Parameter& sigma,
                       const Tensor& w, const Parameter& erev) -> Pull {
    const Tensor open = w * ops::sigmoid((ops::expand_dims(v, {-1}) - mu) * sigma);
    return {ops::sum(open, 1), ops::sum(open * erev, 1)};
  };
  const Tensor weight = positive(w) * mask_.astype(t);
  const Tensor leak = positive(gleak);
  const Pull sensed = pull(x, sensory_mu, sensory_sigma,
                           positive(sensory_w) * sensory_mask_.astype(t), sensory_erev);
  // The capacitance divided by the length of a solver step.
  const Tensor capacity = positive(cm) * double(o_.ode_unfolds) / elapsed;
  Tensor v = state;
  for (int64_t i = 0; i < o_.ode_unfolds; ++i) {
    const Pull p = pull(v, mu, sigma, weight, erev);
    v = (capacity * v + leak * vleak + p.towards + sensed.towards) /
        (capacity + leak + p.total + sensed.total + o_.epsilon);
  }
  Tensor y = map_.outputs() == map_.units() ? v : v(all_, slice(0, map_.outputs()));
  if (output_w.defined()) y = y * output_w + output_b;
  return {y, v};
}
void LTCCell::clamp() {
  if (o_.implicit_constraints) return;
  const no_grad off;
  for (Parameter* p : {&gleak, &cm, &w, &sensory_w}) {
    p->assign(ops::maximum(p->value(), ops::zeros({}, p->dtype())));
  }
}
std::string LTCCell::details() const {
  return std::to_string(map_.inputs()) + ", " + std::to_string(map_.units()) +
         ", outputs=" + std::to_string(map_.outputs()) +
         ", synapses=" + std::to_string(map_.synapse_count()) +
         ", sensory_synapses=" + std::to_string(map_.sensory_synapse_count());
}

LTC::LTC(const NeuronMap& map, const LTCOptions& o) : rnn_cell(map, o), o_(o) {
  add("rnn_cell", rnn_cell);
  if (o.mixed_memory) add("lstm", lstm_ = make<LSTMCell>(map.inputs(), map.units()));
}
LiquidOutput LTC::operator()(const Tensor& x, const Tensor& state, const Tensor& timespans,
                             const Tensor& cell) {
  const NeuronMap& m = rnn_cell.map();
  return unroll(kind(), o_.batch_first, m.inputs(), m.units(), x, state, timespans, lstm_.get(),
                cell, [&](const Tensor& now, const Tensor& elapsed, Tensor& h) {
                  auto [y, next] = rnn_cell(now, h, elapsed);
                  h = next;
                  return y;
                });
}

CfCCell::CfCCell(int64_t inputs, int64_t units, const CfCOptions& o)
    : inputs_(inputs), units_(units), o_(o) {
  need_positive("CfCCell", {{"inputs", inputs}, {"units", units}});
  NEED(o.backbone_layers >= 0 && o.backbone_units > 0, "CfCCell",
       "the backbone must have at least one unit and no fewer than 0 layers");
  int64_t width = inputs + units;
  if (o.backbone_layers > 0) {
    // An activation given by name.
    struct Named : Module {
      Named(const std::string& n) : name(n), f(get_activation(n)) {}
      Tensor forward(const Tensor& x) override { return f(x); }
      std::string kind() const override { return "Activation"; }
      std::string details() const override { return name; }
      std::string name;
      Activation f;
    };
    backbone_ = make<Sequential>();
    for (int64_t i = 0; i < o.backbone_layers; ++i) {
      backbone_->push_back(make<Linear>(width, o.backbone_units));
      backbone_->push_back(make<Named>(o.activation));
      if (o.backbone_dropout > 0) backbone_->push_back(make<Dropout>(o.backbone_dropout));
      width = o.backbone_units;
    }
    add("backbone", backbone_);
  }
  add_heads(width);
}
CfCCell::CfCCell(int64_t inputs, int64_t units, const Tensor& mask, const CfCOptions& o)
    : inputs_(inputs), units_(units), o_(o), mask_(mask) {
  need_positive("CfCCell", {{"inputs", inputs}, {"units", units}});
  NEED_SHAPE((mask.shape() == Shape{units, inputs + units}), "CfCCell",
             "the mask must have shape " + to_string(Shape{units, inputs + units}) + ", not " +
                 to_string(mask.shape()));
  add_heads(inputs + units);
}
void CfCCell::add_heads(int64_t width) {
  const auto linear = [&](const char* name, std::shared_ptr<Linear>& l) {
    add(name, l = make<Linear>(width, units_));
    l->weight.assign(init::xavier_uniform({units_, width}));
  };
  if (o_.mode == "pure") {
    linear("ff1", ff1_);
    add("w_tau", w_tau_, ops::zeros({1, units_}));
    add("A", a_, ops::ones({1, units_}));
  } else if (o_.mode == "default" || o_.mode == "no_gate") {
    linear("ff1", ff1_);
    linear("ff2", ff2_);
    linear("time_a", time_a_);
    linear("time_b", time_b_);
  } else {
    throw ValueError("[CfCCell] mode must be default, no_gate or pure, not '" + o_.mode + "'");
  }
}
Tensor CfCCell::head(Linear& l, const Tensor& z) const {
  return mask_.defined() ? ops::linear(z, l.weight.value() * mask_.astype(l.weight.dtype()),
                                       optional_of(l.bias))
                         : l(z);
}
Tensor CfCCell::operator()(const Tensor& x, const Tensor& state, const Tensor& elapsed) {
  Tensor z = ops::concat({x, state}, -1);
  if (backbone_) z = (*backbone_)(z);
  const Tensor first = head(*ff1_, z);
  if (!ff2_) {
    return a_.value() -
           a_.value() * ops::exp(-elapsed * (ops::abs(w_tau_) + ops::abs(first))) * first;
  }
  const Tensor f = ops::tanh(first);
  const Tensor g = ops::tanh(head(*ff2_, z));
  const Tensor s = ops::sigmoid(head(*time_a_, z) * elapsed + head(*time_b_, z));
  return o_.mode == "no_gate" ? f + s * g : f * (1.0 - s) + s * g;
}
std::string CfCCell::details() const {
  return std::to_string(inputs_) + ", " + std::to_string(units_) +
         (o_.mode == "default" ? "" : ", mode=" + o_.mode);
}

// A layer reads the previous layer through synapses, and itself: through synapses if the map has
// one layer, otherwise fully connected.
WiredCfCCell::WiredCfCCell(const NeuronMap& map, const CfCOptions& o) : map_(map) {
  const auto& layers = map_.layers();
  for (size_t l = 0; l < layers.size(); ++l) {
    const auto& own = layers[l];
    const int64_t sources = l ? int64_t(layers[l - 1].size()) : map_.inputs();
    const int64_t width = sources + int64_t(own.size());
    std::vector<float> mask(size_t(width) * own.size(), 0);
    for (size_t to = 0; to < own.size(); ++to) {
      for (int64_t from = 0; from < width; ++from) {
        const bool heard =
            from >= sources
                ? layers.size() > 1 || map_.polarity(own[size_t(from - sources)], own[to]) != 0
            : l ? map_.polarity(layers[l - 1][size_t(from)], own[to]) != 0
                : map_.sensory_polarity(from, own[to]) != 0;
        mask[to * size_t(width) + size_t(from)] = heard;
      }
    }
    cells_.push_back(
        make<CfCCell>(sources, int64_t(own.size()),
                      array(std::span<const float>(mask), {int64_t(own.size()), width}), o));
    add("layer_" + std::to_string(l), cells_.back());
  }
}
std::pair<Tensor, Tensor> WiredCfCCell::operator()(const Tensor& x, const Tensor& state,
                                                   const Tensor& elapsed) {
  // The state is stored in the order of the layers.
  Tensor heard = x;
  Tensors next;
  int64_t at = 0;
  for (const auto& cell : cells_) {
    const int64_t n = int64_t(map_.layers()[next.size()].size());
    heard = (*cell)(heard, state(all_, slice(at, at + n)), elapsed);
    next.push_back(heard);
    at += n;
  }
  const Tensor y = next.size() == 1 && map_.outputs() < map_.units()
                       ? heard(all_, slice(0, map_.outputs()))
                       : heard;
  return {y, next.size() == 1 ? heard : ops::concat(next, -1)};
}

CfC::CfC(int64_t inputs, int64_t units, const CfCOptions& o)
    : inputs_(inputs), units_(units), o_(o), cell_(make<CfCCell>(inputs, units, o)) {
  add("rnn_cell", cell_);
  if (o.mixed_memory) add("lstm", lstm_ = make<LSTMCell>(inputs, units));
}
CfC::CfC(const NeuronMap& map, const CfCOptions& o)
    : inputs_(map.inputs()), units_(map.units()), o_(o), wired_(make<WiredCfCCell>(map, o)) {
  add("rnn_cell", wired_);
  if (o.mixed_memory) add("lstm", lstm_ = make<LSTMCell>(inputs_, units_));
}
LiquidOutput CfC::operator()(const Tensor& x, const Tensor& state, const Tensor& timespans,
                             const Tensor& cell) {
  return unroll(kind(), o_.batch_first, inputs_, units_, x, state, timespans, lstm_.get(), cell,
                [&](const Tensor& now, const Tensor& elapsed, Tensor& h) {
                  if (!wired_) return h = (*cell_)(now, h, elapsed);
                  auto [y, next] = (*wired_)(now, h, elapsed);
                  h = next;
                  return y;
                });
}

}  // namespace ember::nn
