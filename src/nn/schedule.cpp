// Learning-rate schedules, each a function of the count.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "ember/nn/optim.h"
#include "src/nn/numbers.h"

namespace ember::nn {

namespace {
double between(double from, double to, double part) {
  return to + (from - to) / 2 * (1 + std::cos(std::numbers::pi * part));
}
void need(bool ok, const std::string& text) {
  if (!ok) throw ValueError(text);
}
}  // namespace

Schedule::Schedule(Optimizer& optimizer) : optimizer_(optimizer) {
  if (optimizer.initial_lr_.empty()) {
    for (size_t g = 0; g < optimizer.groups(); ++g) {
      optimizer.initial_lr_.push_back(optimizer.lr(g));
    }
  }
  base_ = optimizer.initial_lr_;
}
void Schedule::move_to(int64_t count) {
  count_ = count;
  for (size_t g = 0; g < base_.size(); ++g) optimizer_.set_lr(g, rate(g, count));
}
StateDict Schedule::state_dict() const {
  StateDict r{{"count", number(count_)}};
  for (size_t g = 0; g < base_.size(); ++g) r["base." + std::to_string(g)] = number(base_[g]);
  return r;
}
void Schedule::load_state_dict(const StateDict& state) {
  std::vector<double> base;
  for (size_t g = 0; g < base_.size(); ++g) {
    base.push_back(read_number(entry(state, "base." + std::to_string(g))));
  }
  const int64_t count = read_count(entry(state, "count"), "count");
  base_ = std::move(base);
  if (needs_metric()) {
    count_ = count;
  }  // its rates have a history; they are the optimizer's
  else {
    move_to(count);
  }
}

LambdaLR::LambdaLR(Optimizer& optimizer, std::function<double(int64_t)> f)
    : Schedule(optimizer), f_(std::move(f)) {
  LambdaLR::move_to(0);
}
StepLR::StepLR(Optimizer& optimizer, int64_t step_size, double gamma)
    : LambdaLR(optimizer, [=](int64_t n) {
        return step_size > 0 ? std::pow(gamma, double(n / step_size)) : 1;
      }) {
  need(step_size > 0, "[StepLR] step_size must be positive, not " + std::to_string(step_size));
}
MultiStepLR::MultiStepLR(Optimizer& optimizer, std::vector<int64_t> milestones, double gamma)
    : LambdaLR(optimizer, [gamma, m = std::move(milestones)](int64_t n) {
        return std::pow(
            gamma, double(std::count_if(m.begin(), m.end(), [&](int64_t at) { return at <= n; })));
      }) {}
ExponentialLR::ExponentialLR(Optimizer& optimizer, double gamma)
    : LambdaLR(optimizer, [=](int64_t n) { return std::pow(gamma, double(n)); }) {}
LinearLR::LinearLR(Optimizer& optimizer, double start_factor, double end_factor,
                   int64_t total_iters)
    : LambdaLR(optimizer, [=](int64_t n) {
        return total_iters > 0
                   ? start_factor + (end_factor - start_factor) * double(std::min(n, total_iters)) /
                                        double(total_iters)
                   : end_factor;
      }) {
  need(start_factor > 0 && start_factor <= 1,
       "[LinearLR] start_factor must lie in (0, 1], not " + std::to_string(start_factor));
  need(end_factor >= 0 && end_factor <= 1,
       "[LinearLR] end_factor must lie in [0, 1], not " + std::to_string(end_factor));
}

CosineAnnealingLR::CosineAnnealingLR(Optimizer& optimizer, int64_t t_max, double eta_min)
    : Schedule(optimizer), t_max_(t_max), eta_min_(eta_min) {
  need(t_max > 0, "[CosineAnnealingLR] t_max must be positive, not " + std::to_string(t_max));
  CosineAnnealingLR::move_to(0);
}
double CosineAnnealingLR::rate(size_t group, int64_t count) const {
  return between(base(group), eta_min_, double(count) / double(t_max_));
}

CosineAnnealingWarmRestarts::CosineAnnealingWarmRestarts(Optimizer& optimizer, int64_t t_0,
                                                         int64_t t_mult, double eta_min)
    : Schedule(optimizer), t_0_(t_0), t_mult_(t_mult), eta_min_(eta_min) {
  need(t_0 > 0, "[CosineAnnealingWarmRestarts] t_0 must be positive, not " + std::to_string(t_0));
  need(t_mult >= 1,
       "[CosineAnnealingWarmRestarts] t_mult must be at least 1, not " + std::to_string(t_mult));
  CosineAnnealingWarmRestarts::move_to(0);
}
double CosineAnnealingWarmRestarts::rate(size_t group, int64_t count) const {
  int64_t period = t_0_;
  int64_t at = t_mult_ == 1 ? count % t_0_ : count;
  while (at >= period) {
    at -= period;
    period *= t_mult_;
  }
  return between(base(group), eta_min_, double(at) / double(period));
}

OneCycleLR::OneCycleLR(Optimizer& optimizer, OneCycleOptions options)
    : Schedule(optimizer), options_(options) {
  need(options.total_steps > 0,
       "[OneCycleLR] total_steps must be positive, not " + std::to_string(options.total_steps));
  need(options.max_lr > 0,
       "[OneCycleLR] max_lr must be positive, not " + std::to_string(options.max_lr));
  need(options.pct_start >= 0 && options.pct_start <= 1,
       "[OneCycleLR] pct_start must lie in [0, 1], not " + std::to_string(options.pct_start));
  OneCycleLR::move_to(0);
}
// Interpolates from first to top, back to first with three phases, and to last.
double OneCycleLR::interpolate(int64_t count, double first, double top, double last) const {
  const double total = double(options_.total_steps);
  const double up = options_.pct_start * total - 1;
  const double down = options_.three_phase ? 2 * up : total - 1;
  const double at = double(count);
  const auto mixed = [&](double from, double to, double start, double end) {
    const double part = end > start ? (at - start) / (end - start) : 1;
    return options_.linear ? from + (to - from) * part : between(from, to, part);
  };
  if (at <= up) return mixed(first, top, 0, up);
  if (!options_.three_phase) return mixed(top, last, up, down);
  return at <= down ? mixed(top, first, up, down) : mixed(first, last, down, total - 1);
}
double OneCycleLR::rate(size_t, int64_t count) const {
  const double first = options_.max_lr / options_.div_factor;
  return interpolate(count, first, options_.max_lr, first / options_.final_div_factor);
}
void OneCycleLR::move_to(int64_t count) {
  need(count <= options_.total_steps, "[OneCycleLR] step " + std::to_string(count) + " of " +
                                          std::to_string(options_.total_steps));
  Schedule::move_to(count);
  if (!options_.cycle_momentum) return;
  for (size_t g = 0; g < base_.size(); ++g) {
    optimizer_.set_momentum(g, interpolate(count, options_.max_momentum, options_.base_momentum,
                                           options_.max_momentum));
  }
}

ReduceLROnPlateau::ReduceLROnPlateau(Optimizer& optimizer, PlateauOptions options)
    : Schedule(optimizer), options_(options), best_(options.maximize ? -HUGE_VAL : HUGE_VAL) {
  need(options.factor < 1,
       "[ReduceLROnPlateau] factor must be less than 1, not " + std::to_string(options.factor));
}
void ReduceLROnPlateau::move_to(int64_t) {
  throw ValueError("[ReduceLROnPlateau] step needs a metric");
}
void ReduceLROnPlateau::step(double metric) {
  ++count_;
  const PlateauOptions& o = options_;
  const double way = o.maximize ? 1 : -1;
  // A fraction of an infinite best value is NaN: any finite value is an improvement.
  const double bar = std::isinf(best_) ? best_
                     : o.absolute      ? best_ + way * o.threshold
                                       : best_ * (1 + way * o.threshold);
  if (o.maximize ? metric > bar : metric < bar) {
    best_ = metric;
    bad_ = 0;
  } else {
    ++bad_;
  }
  if (cooling_ > 0) {
    --cooling_;
    bad_ = 0;
  }
  if (bad_ <= o.patience) return;
  for (size_t g = 0; g < base_.size(); ++g) {
    const double old = optimizer_.lr(g);
    const double now = std::max(old * o.factor, o.min_lr);
    if (old - now > o.eps) optimizer_.set_lr(g, now);
  }
  cooling_ = o.cooldown;
  bad_ = 0;
}
StateDict ReduceLROnPlateau::state_dict() const {
  StateDict r = Schedule::state_dict();
  r["best"] = number(best_);
  r["bad"] = number(bad_);
  r["cooling"] = number(cooling_);
  return r;
}
void ReduceLROnPlateau::load_state_dict(const StateDict& state) {
  const double best = read_number(entry(state, "best"));
  const int64_t bad = read_count(entry(state, "bad"), "bad");
  const int64_t cooling = read_count(entry(state, "cooling"), "cooling");
  Schedule::load_state_dict(state);
  best_ = best;
  bad_ = bad;
  cooling_ = cooling;
}

SequentialLR::SequentialLR(Optimizer& optimizer, std::vector<std::shared_ptr<Schedule>> schedules,
                           std::vector<int64_t> milestones)
    : Schedule(optimizer), schedules_(std::move(schedules)), milestones_(std::move(milestones)) {
  need(!schedules_.empty() && schedules_.size() == milestones_.size() + 1,
       "[SequentialLR] takes one schedule more than milestones");
  need(std::is_sorted(milestones_.begin(), milestones_.end()),
       "[SequentialLR] milestones must be sorted");
  for (const auto& s : schedules_) {
    need(s && !s->needs_metric() && &s->optimizer_ == &optimizer,
         "[SequentialLR] schedules must belong to the same optimizer and need no metric");
  }
  SequentialLR::move_to(0);
}
void SequentialLR::move_to(int64_t count) {
  count_ = count;
  const size_t k =
      size_t(std::upper_bound(milestones_.begin(), milestones_.end(), count) - milestones_.begin());
  schedules_[k]->move_to(k ? count - milestones_[k - 1] : count);
}

}  // namespace ember::nn
