// The update formulas of the optimizers, and their common parts.
#include "ember/nn/optim.h"

#include <algorithm>
#include <cmath>

#include "ember/grad.h"
#include "ember/ops.h"
#include "src/nn/numbers.h"

namespace ember::nn {

using namespace ops;

namespace {
bool is_half(DType t) { return t == DType::float16 || t == DType::bfloat16; }

std::string key_of(const char* what, size_t i, const std::string& name) {
  return std::string(what) + "." + std::to_string(i) + "." + name;
}

void need(bool ok, const char* optimizer, const char* what, double v) {
  if (!ok) {
    throw ValueError("[" + std::string(optimizer) + "] " + what + " must not be " +
                     std::to_string(v));
  }
}
void need_betas(const char* optimizer, const std::array<double, 2>& betas) {
  for (double b : betas) need(b >= 0 && b < 1, optimizer, "a beta", b);
}

// a * x + b * y
Tensor weighted_sum(double a, const Tensor& x, double b, const Tensor& y) { return x * a + y * b; }
// Linear interpolation from x to y in the form that is exact for small w.
Tensor lerp(const Tensor& x, const Tensor& y, double w) {
  return w < 0.5 ? x + (y - x) * w : y - (y - x) * (1 - w);
}
Tensor add_weight_decay(const Tensor& g, const Tensor& p, double weight_decay) {
  return weight_decay == 0 ? g : g + p * weight_decay;
}
Tensor negate_if(const Tensor& g, bool maximize) { return maximize ? -g : g; }
Tensor or_zeros(const Tensor& state, const Tensor& p) {
  return state.defined() ? state : zeros_like(p);
}
void put_grad(const Parameter& p, const Tensor& g) {
  Tensor handle = p.value();
  handle.set_grad(g.astype(p.dtype()));
}
}  // namespace

void Optimizer::append(std::vector<Slot>& slots, const Parameter& p, size_t group) const {
  if (is_complex(p.dtype())) {
    throw DTypeError("[Optimizer] parameters must be real, not " + std::string(name(p.dtype())));
  }
  for (const Slot& s : slots) {
    if (s.parameter == p) throw ValueError("[Optimizer] a parameter was given twice");
  }
  slots.push_back({.parameter = p, .group = group});
}
void Optimizer::add(const std::vector<Parameter>& parameters, double lr) {
  std::vector<Slot> next = slots_;
  for (const Parameter& p : parameters) append(next, p, group_count_);
  slots_ = std::move(next);
  ++group_count_;
  if (!initial_lr_.empty()) initial_lr_.push_back(lr);
}

void Optimizer::replace_placeholders() {
  const auto became = [](const Slot& s) {
    return !s.parameter.initialized() && !s.parameter.made().empty();
  };
  if (std::none_of(slots_.begin(), slots_.end(), became)) return;
  std::vector<Slot> next;
  for (const Slot& s : slots_) {
    if (!became(s)) {
      next.push_back(s);
    } else {
      for (const Parameter& p : s.parameter.made()) append(next, p, s.group);
    }
  }
  slots_ = std::move(next);
  replace_placeholders();  // a module may have been built since
}

bool Optimizer::apply_gradients(const std::vector<std::pair<Tensor, Parameter>>& gradients,
                                const StepOptions& options) {
  replace_placeholders();
  if (!group_count_) {
    throw StateError("[Optimizer::apply_gradients] the optimizer has no group of parameters");
  }
  std::vector<Slot> next = slots_;
  for (const auto& [gradient, p] : gradients) {
    if (std::none_of(next.begin(), next.end(), [&](const Slot& s) { return s.parameter == p; })) {
      append(next, p, 0);
    }
    if (gradient.defined() && gradient.shape() != p.shape()) {
      throw ShapeError("[Optimizer::apply_gradients] a gradient of shape " +
                       to_string(gradient.shape()) + " for a parameter of shape " +
                       to_string(p.shape()));
    }
  }
  slots_ = std::move(next);
  // Parameters that this step does not update, with their gradients.
  std::vector<std::pair<Tensor, Tensor>> waiting;
  for (const Slot& s : slots_) {
    if (const Tensor g = s.parameter.grad(); g.defined()) {
      waiting.emplace_back(s.parameter.value(), g);
    }
  }
  zero_grad();
  for (const auto& [gradient, p] : gradients) {
    if (gradient.defined()) put_grad(p, gradient);
  }
  const auto restore = [&] {
    for (auto& [value, g] : waiting) {
      if (!value.grad().defined()) value.set_grad(g);
    }
  };
  try {
    const bool taken = step(options);
    restore();
    return taken;
  } catch (...) {
    zero_grad();
    restore();
    throw;
  }
}

bool Optimizer::step(const StepOptions& options) {
  replace_placeholders();
  if (slots_.empty()) {
    throw StateError(
        "[Optimizer::step] the optimizer has no parameters. Give it a module's parameters(), or "
        "call apply_gradients");
  }
  const no_grad off;
  const Tensor& only_if = options.only_if;
  if (only_if.defined() && (only_if.dtype() != DType::bool_ || only_if.size() != 1)) {
    throw DTypeError("[Optimizer::step] only_if must be one bool");
  }
  std::vector<Slot> next;
  std::vector<size_t> moved;
  std::vector<Tensor> all = options.also;
  for (size_t i = 0; i < slots_.size(); ++i) {
    const Parameter& p = slots_[i].parameter;
    if (!p.trainable() || !p.grad().defined()) continue;
    moved.push_back(i);
    Slot& s = next.emplace_back(slots_[i]);
    s.state.resize(state_names().size());
    ++s.step;
    const Tensor value = p.value().detach();
    const Tensor wide = s.master.defined()   ? s.master
                        : is_half(p.dtype()) ? value.astype(DType::float32)
                                             : value;
    Tensor now = update(s, wide, p.grad().astype(wide.dtype()));
    if (is_half(p.dtype())) {
      all.push_back(s.master = now);
      now = now.astype(p.dtype());
    }
    s.parameter = Parameter(now);
    all.push_back(s.parameter.value());
    for (const Tensor& t : s.state) {
      if (t.defined()) all.push_back(t);
    }
  }
  if (only_if.defined()) all.push_back(only_if);
  std::erase_if(all, [](const Tensor& t) { return t.evaluated(); });
  if (!all.empty()) eval(all);
  const bool yes = !only_if.defined() || only_if.item<bool>();
  for (size_t i = 0; i < next.size(); ++i) {
    Slot& s = slots_[moved[i]];
    Parameter p = s.parameter;
    p.zero_grad();
    if (!yes) continue;
    p.exchange(next[i].parameter.value());
    s = std::move(next[i]);
    s.parameter = std::move(p);
  }
  return yes;
}

void Optimizer::zero_grad() {
  replace_placeholders();
  for (Slot& s : slots_) s.parameter.zero_grad();
}
void Optimizer::set_lr(double lr) {
  for (size_t g = 0; g < group_count_; ++g) set_lr(g, lr);
}
std::vector<Parameter> Optimizer::parameters() const {
  const_cast<Optimizer*>(this)->replace_placeholders();
  std::vector<Parameter> r;
  for (const Slot& s : slots_) r.push_back(s.parameter);
  return r;
}

std::vector<Parameter> Optimizer::parameters(size_t group) const {
  const_cast<Optimizer*>(this)->replace_placeholders();
  std::vector<Parameter> r;
  for (const Slot& s : slots_) {
    if (s.group == group) r.push_back(s.parameter);
  }
  return r;
}

StateDict Optimizer::state_dict() const {
  const_cast<Optimizer*>(this)->replace_placeholders();
  StateDict r;
  for (size_t g = 0; g < group_count_; ++g) {
    for (const auto& [name, v] : const_cast<Optimizer*>(this)->numbers(g)) {
      r[key_of("group", g, name)] = number(*v);
    }
    if (!initial_lr_.empty()) r[key_of("group", g, "initial_lr")] = number(initial_lr_[g]);
  }
  const std::vector<std::string> names = state_names();
  for (size_t i = 0; i < slots_.size(); ++i) {
    const Slot& s = slots_[i];
    if (s.step) r[key_of("state", i, "step")] = number(s.step);
    for (size_t k = 0; k < s.state.size(); ++k) {
      if (s.state[k].defined()) r[key_of("state", i, names[k])] = s.state[k];
    }
    if (s.master.defined()) r[key_of("state", i, "master")] = s.master;
  }
  return r;
}

// A slot with steps must have all the states that its update reads; a slot without steps must have
// none.
void Optimizer::check_states(const std::vector<Slot>& slots) const {
  const no_grad off;
  const std::vector<std::string> names = state_names();
  for (size_t i = 0; i < slots.size(); ++i) {
    const Slot& s = slots[i];
    const auto missing = [&](const std::string& what) {
      throw ValueError("[Optimizer::load_state_dict] '" + key_of("state", i, what) +
                       "' is missing from the saved state");
    };
    if (s.step == 0) {
      for (const Tensor& t : s.state) {
        if (t.defined()) missing("step");
      }
      if (s.master.defined()) missing("step");
      continue;
    }
    if (is_half(s.parameter.dtype()) && !s.master.defined()) missing("master");
    Slot fresh{.parameter = s.parameter,
               .group = s.group,
               .step = 1,
               .state = std::vector<Tensor>(names.size())};
    const Tensor zero = ops::zeros(
        s.parameter.shape(), is_half(s.parameter.dtype()) ? DType::float32 : s.parameter.dtype());
    update(fresh, zero, zero);  // recorded, not computed: shows which states these options use
    for (size_t k = 0; k < names.size(); ++k) {
      if (fresh.state[k].defined() && !s.state[k].defined()) missing(names[k]);
    }
  }
}

void Optimizer::load_state_dict(const StateDict& state) {
  replace_placeholders();
  const std::vector<std::string> names = state_names();
  std::vector<Slot> next = slots_;
  std::vector<std::pair<double*, double>> values;
  std::vector<double> initial(group_count_);
  size_t used = 0;
  size_t initials = 0;
  const auto find = [&](const std::string& key) -> const Tensor* {
    const auto it = state.find(key);
    return it == state.end() ? nullptr : (++used, &it->second);
  };
  for (size_t g = 0; g < group_count_; ++g) {
    for (const auto& [name, v] : numbers(g)) {
      const Tensor* t = find(key_of("group", g, name));
      if (!t) {
        throw ValueError("[Optimizer::load_state_dict] '" + key_of("group", g, name) +
                         "' is missing: the state is from another kind of optimizer");
      }
      values.emplace_back(v, read_number(*t));
    }
    if (const Tensor* t = find(key_of("group", g, "initial_lr"))) {
      initial[g] = read_number(*t);
      ++initials;
    }
  }
  for (size_t i = 0; i < next.size(); ++i) {
    Slot& s = next[i];
    const DType wide = is_half(s.parameter.dtype()) ? DType::float32 : s.parameter.dtype();
    const auto take = [&](const std::string& name) -> Tensor {
      const Tensor* t = find(key_of("state", i, name));
      if (!t) return {};
      if (t->shape() != s.parameter.shape()) {
        throw ShapeError("[Optimizer::load_state_dict] " + key_of("state", i, name) +
                         " has shape " + to_string(t->shape()) + ", but the parameter has shape " +
                         to_string(s.parameter.shape()));
      }
      return t->astype(wide);
    };
    s.state.assign(names.size(), {});
    for (size_t k = 0; k < names.size(); ++k) s.state[k] = take(names[k]);
    s.master = take("master");
    const Tensor* t = find(key_of("state", i, "step"));
    s.step = t ? read_count(*t, key_of("state", i, "step")) : 0;
  }
  if (used != state.size()) {
    throw ValueError(
        "[Optimizer::load_state_dict] " + std::to_string(state.size() - used) +
        " entries do not belong to a parameter: the state is from another optimizer or model");
  }
  for (auto& [at, v] : values) std::swap(*at, v);  // so that check_states sees the loaded options
  try {
    check_states(next);
  } catch (...) {
    for (auto& [at, v] : values) std::swap(*at, v);
    throw;
  }
  slots_ = std::move(next);
  initial_lr_ = initials ? initial : std::vector<double>();
}

void SGD::check(const SGDOptions& o) const {
  need(o.lr >= 0, "SGD", "lr", o.lr);
  need(o.momentum >= 0, "SGD", "momentum", o.momentum);
  need(o.weight_decay >= 0, "SGD", "weight_decay", o.weight_decay);
  if (o.nesterov && (o.momentum == 0 || o.dampening != 0)) {
    throw ValueError("[SGD] Nesterov needs a momentum and no dampening");
  }
}
Tensor SGD::update(Slot& s, const Tensor& p, const Tensor& gradient) const {
  const SGDOptions& o = of(s);
  Tensor g = add_weight_decay(negate_if(gradient, o.maximize), p, o.weight_decay);
  if (o.momentum != 0) {
    Tensor& buffer = s.state[0];
    buffer = buffer.defined() ? weighted_sum(o.momentum, buffer, 1 - o.dampening, g) : g;
    g = o.nesterov ? g + buffer * o.momentum : buffer;
  }
  return p - g * o.lr;
}

namespace {
// The part of Adam that follows weight decay.
template <class Slot, class Options>
Tensor adam(Slot& s, const Options& o, const Tensor& p, const Tensor& g) {
  auto& state = s.state;
  const double t = double(s.step);
  const double correction1 = 1 - std::pow(o.betas[0], t);
  const double correction2 = 1 - std::pow(o.betas[1], t);
  state[0] = lerp(or_zeros(state[0], p), g, 1 - o.betas[0]);
  state[1] = weighted_sum(o.betas[1], or_zeros(state[1], p), 1 - o.betas[1], square(g));
  if (o.amsgrad) state[2] = maximum(or_zeros(state[2], p), state[1]);
  const Tensor denominator = sqrt(o.amsgrad ? state[2] : state[1]) / std::sqrt(correction2) + o.eps;
  return p - state[0] / denominator * (o.lr / correction1);
}
template <class Options> void check_adam(const char* name, const Options& o) {
  need(o.lr >= 0, name, "lr", o.lr);
  need(o.eps >= 0, name, "eps", o.eps);
  need(o.weight_decay >= 0, name, "weight_decay", o.weight_decay);
  need_betas(name, o.betas);
}
}  // namespace

void Adam::check(const AdamOptions& o) const { check_adam("Adam", o); }
Tensor Adam::update(Slot& s, const Tensor& p, const Tensor& gradient) const {
  const AdamOptions& o = of(s);
  return adam(s, o, p, add_weight_decay(negate_if(gradient, o.maximize), p, o.weight_decay));
}
void AdamW::check(const AdamWOptions& o) const { check_adam("AdamW", o); }
Tensor AdamW::update(Slot& s, const Tensor& p, const Tensor& gradient) const {
  const AdamWOptions& o = of(s);
  return adam(s, o, p * (1 - o.lr * o.weight_decay), negate_if(gradient, o.maximize));
}

void Adamax::check(const AdamaxOptions& o) const { check_adam("Adamax", o); }
Tensor Adamax::update(Slot& s, const Tensor& p, const Tensor& gradient) const {
  const AdamaxOptions& o = of(s);
  const Tensor g = add_weight_decay(negate_if(gradient, o.maximize), p, o.weight_decay);
  s.state[0] = lerp(or_zeros(s.state[0], p), g, 1 - o.betas[0]);
  s.state[1] = maximum(or_zeros(s.state[1], p) * o.betas[1], abs(g) + o.eps);
  return p - s.state[0] / s.state[1] * (o.lr / (1 - std::pow(o.betas[0], double(s.step))));
}

void RMSprop::check(const RMSpropOptions& o) const {
  need(o.lr >= 0, "RMSprop", "lr", o.lr);
  need(o.eps >= 0, "RMSprop", "eps", o.eps);
  need(o.momentum >= 0, "RMSprop", "momentum", o.momentum);
  need(o.weight_decay >= 0, "RMSprop", "weight_decay", o.weight_decay);
  need(o.alpha >= 0, "RMSprop", "alpha", o.alpha);
}
Tensor RMSprop::update(Slot& s, const Tensor& p, const Tensor& gradient) const {
  const RMSpropOptions& o = of(s);
  const Tensor g = add_weight_decay(negate_if(gradient, o.maximize), p, o.weight_decay);
  s.state[0] = weighted_sum(o.alpha, or_zeros(s.state[0], p), 1 - o.alpha, square(g));
  Tensor average = s.state[0];
  if (o.centered) {
    s.state[2] = lerp(or_zeros(s.state[2], p), g, 1 - o.alpha);
    average = average - square(s.state[2]);
  }
  const Tensor move = g / (sqrt(average) + o.eps);
  if (o.momentum == 0) return p - move * o.lr;
  s.state[1] = or_zeros(s.state[1], p) * o.momentum + move;
  return p - s.state[1] * o.lr;
}

void Adagrad::check(const AdagradOptions& o) const {
  need(o.lr >= 0, "Adagrad", "lr", o.lr);
  need(o.lr_decay >= 0, "Adagrad", "lr_decay", o.lr_decay);
  need(o.eps >= 0, "Adagrad", "eps", o.eps);
  need(o.weight_decay >= 0, "Adagrad", "weight_decay", o.weight_decay);
  need(o.initial_accumulator_value >= 0, "Adagrad", "initial_accumulator_value",
       o.initial_accumulator_value);
}
Tensor Adagrad::update(Slot& s, const Tensor& p, const Tensor& gradient) const {
  const AdagradOptions& o = of(s);
  const Tensor g = add_weight_decay(negate_if(gradient, o.maximize), p, o.weight_decay);
  s.state[0] =
      (s.state[0].defined() ? s.state[0] : full_like(p, o.initial_accumulator_value)) + square(g);
  return p - g / (sqrt(s.state[0]) + o.eps) * (o.lr / (1 + double(s.step - 1) * o.lr_decay));
}

void Adadelta::check(const AdadeltaOptions& o) const {
  need(o.lr >= 0, "Adadelta", "lr", o.lr);
  need(o.rho >= 0 && o.rho <= 1, "Adadelta", "rho", o.rho);
  need(o.eps >= 0, "Adadelta", "eps", o.eps);
  need(o.weight_decay >= 0, "Adadelta", "weight_decay", o.weight_decay);
}
Tensor Adadelta::update(Slot& s, const Tensor& p, const Tensor& gradient) const {
  const AdadeltaOptions& o = of(s);
  const Tensor g = add_weight_decay(negate_if(gradient, o.maximize), p, o.weight_decay);
  const Tensor moves = or_zeros(s.state[1], p);
  s.state[0] = weighted_sum(o.rho, or_zeros(s.state[0], p), 1 - o.rho, square(g));
  const Tensor move = sqrt(moves + o.eps) / sqrt(s.state[0] + o.eps) * g;
  s.state[1] = weighted_sum(o.rho, moves, 1 - o.rho, square(move));
  return p - move * o.lr;
}

void Lion::check(const LionOptions& o) const {
  need(o.lr >= 0, "Lion", "lr", o.lr);
  need(o.weight_decay >= 0, "Lion", "weight_decay", o.weight_decay);
  need_betas("Lion", o.betas);
}
Tensor Lion::update(Slot& s, const Tensor& p, const Tensor& gradient) const {
  const LionOptions& o = of(s);
  const Tensor g = negate_if(gradient, o.maximize);
  const Tensor m = or_zeros(s.state[0], p);
  s.state[0] = weighted_sum(o.betas[1], m, 1 - o.betas[1], g);
  return p * (1 - o.lr * o.weight_decay) -
         sign(weighted_sum(o.betas[0], m, 1 - o.betas[0], g)) * o.lr;
}

namespace {
Tensor widened(const Tensor& g) { return is_half(g.dtype()) ? g.astype(DType::float32) : g; }
}  // namespace

Tensor clip_grad_norm(const std::vector<Parameter>& parameters, double max_norm, double norm_type) {
  if (!(max_norm >= 0)) {
    throw ValueError("[clip_grad_norm] max_norm must not be " + std::to_string(max_norm));
  }
  if (!(norm_type > 0)) {
    throw ValueError("[clip_grad_norm] norm_type must be positive, not " +
                     std::to_string(norm_type));
  }
  const no_grad off;
  std::vector<Tensor> norms;
  for (const Parameter& p : parameters) {
    if (p.grad().defined()) {
      norms.push_back(vector_norm(flatten(widened(p.grad())), 0, false, norm_type));
    }
  }
  if (norms.empty()) return Tensor(0.0);
  DType t = norms[0].dtype();
  for (const Tensor& n : norms) t = promote(t, n.dtype());
  for (Tensor& n : norms) n = n.astype(t);
  const Tensor total = vector_norm(stack(norms), 0, false, norm_type);
  const Tensor factor = minimum(max_norm / (total + 1e-6), 1.0);
  for (const Parameter& p : parameters) {
    if (const Tensor g = p.grad(); g.defined()) put_grad(p, widened(g) * factor);
  }
  return total;
}
void clip_grad_value(const std::vector<Parameter>& parameters, double clip_value) {
  if (!(clip_value >= 0)) {
    throw ValueError("[clip_grad_value] the limit must not be " + std::to_string(clip_value));
  }
  const no_grad off;
  for (const Parameter& p : parameters) {
    if (const Tensor g = p.grad(); g.defined()) {
      put_grad(p, clip(g, Tensor(-clip_value), Tensor(clip_value)));
    }
  }
}

}  // namespace ember::nn
