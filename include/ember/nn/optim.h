// Optimizers, gradient clipping and learning-rate schedules, with PyTorch's formulas, names and
// defaults.
#pragma once
#include <array>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "ember/nn/module.h"

namespace ember::nn {

struct StepOptions {
  std::vector<Tensor> also;  // tensors to evaluate in the same pass: loss, buffers, metrics
  Tensor only_if;            // a 0-d bool; if false, the step changes nothing
};

// The base class of optimizers. Parameters without a gradient are skipped. A 16-bit parameter has a
// float32 master copy that accumulates the updates. A step replaces each parameter's value, so its
// gradient is cleared.
class EMBER_API Optimizer {
 public:
  Optimizer(const Optimizer&) = delete;
  virtual ~Optimizer() = default;
  // Records all updates as one graph and evaluates it once. Returns whether the step took place,
  // which is false only if only_if is false. An error changes nothing.
  bool step(const StepOptions& options = {});
  bool step(std::initializer_list<Tensor> also) { return step(StepOptions{.also = also}); }
  // A step with the given gradients instead of those of backward(); undefined gradients are
  // skipped. Parameters that are new to the optimizer join its first group.
  bool apply_gradients(const std::vector<std::pair<Tensor, Parameter>>& gradients,
                       const StepOptions& options = {});
  void zero_grad();

  size_t groups() const { return group_count_; }
  virtual double lr(size_t group = 0) const = 0;
  virtual void set_lr(size_t group, double lr) = 0;
  void set_lr(double lr);  // sets all groups
  // momentum, or the first beta; set_momentum does nothing if there is none.
  virtual double momentum(size_t group = 0) const = 0;
  virtual void set_momentum(size_t group, double momentum) = 0;
  std::vector<Parameter> parameters() const;
  std::vector<Parameter> parameters(size_t group) const;

  // "state.0.exp_avg" (0 is the parameter's index over all groups), "state.0.step", "group.0.lr"...
  StateDict state_dict() const;
  // Accepts the state of an optimizer of the same kind over parameters of the same shapes. An error
  // changes nothing.
  void load_state_dict(const StateDict&);

 protected:
  struct Slot {
    Parameter parameter;
    size_t group = 0;
    int64_t step = 0;
    std::vector<Tensor> state;  // in the order of state_names(); undefined before the first step
    Tensor master;
  };
  Optimizer() = default;
  void add(const std::vector<Parameter>& parameters, double lr);  // adds a group
  // Returns the new value of p and replaces s.state. s.step already counts this step. Numbers that
  // change between steps are plain scalars, which are parameters of the compiled step.
  virtual Tensor update(Slot& s, const Tensor& p, const Tensor& gradient) const = 0;
  // The options, by name.
  virtual std::vector<std::string> state_names() const = 0;
  virtual std::vector<std::pair<std::string, double*>> numbers(size_t group) = 0;

 private:
  friend class Schedule;
  void append(std::vector<Slot>& slots, const Parameter& p, size_t group) const;
  void replace_placeholders();  // by the parameters that replace them
  void check_states(const std::vector<Slot>& slots) const;
  std::vector<Slot> slots_;
  size_t group_count_ = 0;
  std::vector<double> initial_lr_;  // set by the first schedule
};

template <class Options> struct ParameterGroup {
  std::vector<Parameter> parameters;
  Options options;
};

// Base class for options with a function each() that lists their numbers by name. The numbers are
// saved with the state; flags are not.
template <class O> class OptimizerWith : public Optimizer {
 public:
  using Options = O;
  double lr(size_t group = 0) const override { return options_.at(group).lr; }
  using Optimizer::set_lr;
  void set_lr(size_t group, double lr) override { options_.at(group).lr = lr; }
  double momentum(size_t group = 0) const override {
    const O& o = options_.at(group);
    if constexpr (requires { o.betas; }) {
      return o.betas[0];
    } else if constexpr (requires { o.momentum; }) {
      return o.momentum;
    } else {
      return 0;
    }
  }
  void set_momentum(size_t group, double momentum) override {
    O& o = options_.at(group);
    if constexpr (requires { o.betas; }) {
      o.betas[0] = momentum;
    } else if constexpr (requires { o.momentum; }) {
      o.momentum = momentum;
    } else {
      (void)momentum;
    }
  }
  const O& options(size_t group = 0) const { return options_.at(group); }
  void set_options(size_t group, const O& options) {
    check(options);
    options_.at(group) = options;
  }
  void add_group(const ParameterGroup<O>& g) {
    check(g.options);
    add(g.parameters, g.options.lr);
    options_.push_back(g.options);
  }

 protected:
  virtual void check(const O& options) const = 0;  // throws ValueError
  std::vector<std::pair<std::string, double*>> numbers(size_t group) override {
    std::vector<std::pair<std::string, double*>> r;
    options_.at(group).each([&](const char* name, double& v) { r.emplace_back(name, &v); });
    return r;
  }
  const O& of(const Slot& s) const { return options_[s.group]; }

 private:
  std::vector<O> options_;
};

#define EMBER_OPTIMIZER(Name, ...)                                                  \
  class EMBER_API Name : public OptimizerWith<Name##Options> {                      \
   public:                                                                          \
    explicit Name(std::vector<Parameter> parameters, Name##Options options = {})    \
        : Name(Groups{{std::move(parameters), options}}) {}                         \
    explicit Name(const Module& model, Name##Options options = {})                  \
        : Name(model.parameters(), options) {}                                      \
    using Groups = std::vector<ParameterGroup<Name##Options>>;                      \
    explicit Name(const Groups& groups) {                                           \
      for (const auto& g : groups) add_group(g);                                    \
    }                                                                               \
                                                                                    \
   protected:                                                                       \
    Tensor update(Slot& s, const Tensor& p, const Tensor& gradient) const override; \
    std::vector<std::string> state_names() const override { return {__VA_ARGS__}; } \
    void check(const Name##Options& o) const override;                              \
  };

struct SGDOptions {
  double lr = 1e-3, momentum = 0, dampening = 0, weight_decay = 0;
  bool nesterov = false, maximize = false;
  template <class F> void each(F&& f) {
    f("lr", lr);
    f("momentum", momentum);
    f("dampening", dampening);
    f("weight_decay", weight_decay);
  }
};
EMBER_OPTIMIZER(SGD, "momentum_buffer")

struct AdamOptions {
  double lr = 1e-3;
  std::array<double, 2> betas = {0.9, 0.999};
  double eps = 1e-8, weight_decay = 0;
  bool amsgrad = false, maximize = false;
  template <class F> void each(F&& f) {
    f("lr", lr);
    f("beta1", betas[0]);
    f("beta2", betas[1]);
    f("eps", eps);
    f("weight_decay", weight_decay);
  }
};
EMBER_OPTIMIZER(Adam, "exp_avg", "exp_avg_sq", "max_exp_avg_sq")

struct AdamWOptions {
  double lr = 1e-3;
  std::array<double, 2> betas = {0.9, 0.999};
  double eps = 1e-8, weight_decay = 1e-2;
  bool amsgrad = false, maximize = false;
  template <class F> void each(F&& f) {
    f("lr", lr);
    f("beta1", betas[0]);
    f("beta2", betas[1]);
    f("eps", eps);
    f("weight_decay", weight_decay);
  }
};
EMBER_OPTIMIZER(AdamW, "exp_avg", "exp_avg_sq", "max_exp_avg_sq")

struct AdamaxOptions {
  double lr = 2e-3;
  std::array<double, 2> betas = {0.9, 0.999};
  double eps = 1e-8, weight_decay = 0;
  bool maximize = false;
  template <class F> void each(F&& f) {
    f("lr", lr);
    f("beta1", betas[0]);
    f("beta2", betas[1]);
    f("eps", eps);
    f("weight_decay", weight_decay);
  }
};
EMBER_OPTIMIZER(Adamax, "exp_avg", "exp_inf")

struct RMSpropOptions {
  double lr = 1e-2, alpha = 0.99, eps = 1e-8, weight_decay = 0, momentum = 0;
  bool centered = false, maximize = false;
  template <class F> void each(F&& f) {
    f("lr", lr);
    f("alpha", alpha);
    f("eps", eps);
    f("weight_decay", weight_decay);
    f("momentum", momentum);
  }
};
EMBER_OPTIMIZER(RMSprop, "square_avg", "momentum_buffer", "grad_avg")

struct AdagradOptions {
  double lr = 1e-2, lr_decay = 0, weight_decay = 0, initial_accumulator_value = 0, eps = 1e-10;
  bool maximize = false;
  template <class F> void each(F&& f) {
    f("lr", lr);
    f("lr_decay", lr_decay);
    f("weight_decay", weight_decay);
    f("initial_accumulator_value", initial_accumulator_value);
    f("eps", eps);
  }
};
EMBER_OPTIMIZER(Adagrad, "sum")

struct AdadeltaOptions {
  double lr = 1, rho = 0.9, eps = 1e-6, weight_decay = 0;
  bool maximize = false;
  template <class F> void each(F&& f) {
    f("lr", lr);
    f("rho", rho);
    f("eps", eps);
    f("weight_decay", weight_decay);
  }
};
EMBER_OPTIMIZER(Adadelta, "square_avg", "acc_delta")

struct LionOptions {  // Chen et al., "Symbolic Discovery of Optimization Algorithms"
  double lr = 1e-4;
  std::array<double, 2> betas = {0.9, 0.99};
  double weight_decay = 0;
  bool maximize = false;
  template <class F> void each(F&& f) {
    f("lr", lr);
    f("beta1", betas[0]);
    f("beta2", betas[1]);
    f("weight_decay", weight_decay);
  }
};
EMBER_OPTIMIZER(Lion, "exp_avg")
#undef EMBER_OPTIMIZER

// Scales the gradients so that their total norm is at most max_norm. Returns the norm before
// scaling, pending. norm_type may be infinite.
EMBER_API Tensor clip_grad_norm(const std::vector<Parameter>& parameters, double max_norm,
                                double norm_type = 2);
// Clamps each element to [-clip_value, clip_value].
EMBER_API void clip_grad_value(const std::vector<Parameter>& parameters, double clip_value);

// A schedule sets the learning rates of an optimizer. Call step() after each epoch or after each
// step. The rates are a function of the initial rates and of the count, so saving the count is
// sufficient. The optimizer must outlive the schedule.
class EMBER_API Schedule {
 public:
  explicit Schedule(Optimizer& optimizer);
  Schedule(const Schedule&) = delete;
  virtual ~Schedule() = default;
  void step() { move_to(count_ + 1); }
  // Schedules that do not use a metric ignore it.
  virtual void step(double metric) {
    (void)metric;
    step();
  }
  virtual bool needs_metric() const { return false; }
  int64_t count() const { return count_; }
  size_t groups() const { return base_.size(); }
  double lr(size_t group = 0) const { return optimizer_.lr(group); }
  virtual StateDict state_dict() const;
  virtual void load_state_dict(const StateDict&);

 protected:
  virtual double rate(size_t group, int64_t count) const = 0;
  virtual void move_to(int64_t count);  // sets the rates
  double base(size_t group) const { return base_[group]; }
  Optimizer& optimizer_;
  std::vector<double> base_;
  int64_t count_ = 0;
  friend class SequentialLR;
};

class EMBER_API LambdaLR : public Schedule {  // base * f(count)
 public:
  LambdaLR(Optimizer& optimizer, std::function<double(int64_t)> f);

 protected:
  double rate(size_t group, int64_t count) const override { return base(group) * f_(count); }
  std::function<double(int64_t)> f_;
};
class EMBER_API StepLR : public LambdaLR {
 public:
  StepLR(Optimizer& optimizer, int64_t step_size, double gamma = 0.1);
};
class EMBER_API MultiStepLR : public LambdaLR {
 public:
  MultiStepLR(Optimizer& optimizer, std::vector<int64_t> milestones, double gamma = 0.1);
};
class EMBER_API ExponentialLR : public LambdaLR {
 public:
  ExponentialLR(Optimizer& optimizer, double gamma);
};
// Linear warm-up: the factor goes from start to end in total_iters counts.
class EMBER_API LinearLR : public LambdaLR {
 public:
  explicit LinearLR(Optimizer& optimizer, double start_factor = 1.0 / 3, double end_factor = 1,
                    int64_t total_iters = 5);
};
class EMBER_API CosineAnnealingLR : public Schedule {
 public:
  CosineAnnealingLR(Optimizer& optimizer, int64_t t_max, double eta_min = 0);

 protected:
  double rate(size_t group, int64_t count) const override;
  int64_t t_max_;
  double eta_min_;
};
// Cosine periods of length t_0, t_0 * t_mult, t_0 * t_mult^2...
class EMBER_API CosineAnnealingWarmRestarts : public Schedule {
 public:
  CosineAnnealingWarmRestarts(Optimizer& optimizer, int64_t t_0, int64_t t_mult = 1,
                              double eta_min = 0);

 protected:
  double rate(size_t group, int64_t count) const override;
  int64_t t_0_;
  int64_t t_mult_;
  double eta_min_;
};

struct OneCycleOptions {
  double max_lr = 0;
  int64_t total_steps = 0;
  double pct_start = 0.3, div_factor = 25, final_div_factor = 1e4;
  bool linear = false, three_phase = false;  // linear: straight lines instead of cosines
  bool cycle_momentum = true;  // inversely to the learning rate, between the two values below
  double base_momentum = 0.85, max_momentum = 0.95;
};
class EMBER_API OneCycleLR : public Schedule {
 public:
  OneCycleLR(Optimizer& optimizer, OneCycleOptions options);

 protected:
  double rate(size_t group, int64_t count) const override;
  void move_to(int64_t count) override;
  double interpolate(int64_t count, double first, double top, double last) const;
  OneCycleOptions options_;
};

struct PlateauOptions {
  bool maximize = false;  // true: a larger metric is better
  double factor = 0.1;
  int64_t patience = 10;
  double threshold = 1e-4;
  bool absolute = false;  // the threshold is a difference instead of a fraction
  int64_t cooldown = 0;
  double min_lr = 0, eps = 1e-8;
};
class EMBER_API ReduceLROnPlateau : public Schedule {
 public:
  explicit ReduceLROnPlateau(Optimizer& optimizer, PlateauOptions options = {});
  void step(double metric) override;
  bool needs_metric() const override { return true; }
  StateDict state_dict() const override;
  void load_state_dict(const StateDict&) override;

 protected:
  double rate(size_t group, int64_t) const override { return optimizer_.lr(group); }
  void move_to(int64_t count) override;  // does nothing: a plateau needs a metric
  PlateauOptions options_;
  double best_;
  int64_t bad_ = 0, cooling_ = 0;
};

// Schedules in sequence: at each milestone the next one starts, counting from 0.
class EMBER_API SequentialLR : public Schedule {
 public:
  SequentialLR(Optimizer& optimizer, std::vector<std::shared_ptr<Schedule>> schedules,
               std::vector<int64_t> milestones);

 protected:
  double rate(size_t group, int64_t) const override { return optimizer_.lr(group); }
  void move_to(int64_t count) override;
  std::vector<std::shared_ptr<Schedule>> schedules_;
  std::vector<int64_t> milestones_;
};

}  // namespace ember::nn
