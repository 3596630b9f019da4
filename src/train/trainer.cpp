// The training loop, mixed precision, and what a checkpoint holds.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>

#include "ember/grad.h"
#include "ember/train.h"
#include "src/nn/numbers.h"

namespace ember::train {

using nn::Parameter, nn::entry, nn::number, nn::put_under, nn::read_number, nn::read_whole, nn::under;
using namespace ops;

namespace {

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

Tensors inputs_of(const Tensors& batch) {
  if (batch.empty()) throw ValueError("[Trainer] a batch without tensors");
  return Tensors(batch.begin(), batch.size() == 1 ? batch.end() : batch.end() - 1);
}
int64_t rows_of(const Tensors& batch) { return batch[0].ndim() ? batch[0].shape(0) : 1; }

// The modes of all modules as they were, when it goes.
struct Modes {
  std::vector<std::pair<nn::Module*, bool>> before;
  explicit Modes(nn::Module& m) {
    for (const auto& [name, module] : m.named_modules()) before.emplace_back(module, module->training());
  }
  Modes(const Modes&) = delete;
  ~Modes() {
    for (const auto& [m, on] : before) m->train(on);  // parents come first
  }
};
// The metrics' sums as they were.
struct Sums {
  const std::vector<MetricPtr>& metrics;
  std::vector<std::vector<double>> before;
  explicit Sums(const std::vector<MetricPtr>& all) : metrics(all) {
    for (const MetricPtr& m : all) before.push_back(m->totals()), m->reset();
  }
  Sums(const Sums&) = delete;
  ~Sums() {
    for (size_t i = 0; i < metrics.size(); ++i) metrics[i]->set_totals(std::move(before[i]));
  }
};

std::string key(const char* what, size_t i) { return std::string(what) + "." + std::to_string(i) + "."; }

}  // namespace

std::vector<double> History::of(const std::string& name) const {
  std::vector<double> r;
  for (const Record& e : epochs) r.push_back(e.contains(name) ? e.at(name) : std::numeric_limits<double>::quiet_NaN());
  return r;
}

Tensor LossScaler::unscale(const std::vector<Parameter>& parameters) const {
  const no_grad off;
  Tensors finite;
  for (const Parameter& p : parameters) {
    const Tensor g = p.grad();
    if (!g.defined()) continue;
    finite.push_back(all(isfinite(g)));
    Tensor handle = p.value();
    handle.set_grad(g * (1 / scale_));
  }
  return finite.empty() ? ops::full({}, true) : all(stack(finite));
}
void LossScaler::update(bool finite) {
  if (!options_.enabled) return;
  if (!finite) scale_ *= options_.backoff, good_ = 0;
  else if (++good_ >= options_.interval) scale_ *= options_.growth, good_ = 0;
}
StateDict LossScaler::state_dict() const { return {{"scale", number(scale_)}, {"good", number(good_)}}; }
void LossScaler::load_state_dict(const StateDict& s) {
  const double scale = read_number(entry(s, "scale"));
  good_ = read_whole(entry(s, "good")), scale_ = scale;
}

// While it lives, forward reads the parameters in the lower precision; gradients pass through the casts to the parameters themselves.
struct Trainer::Precision {
  std::vector<std::pair<Parameter, Tensor>> own;
  Precision(nn::Module& model, std::optional<DType> t) {
    if (!t) return;
    for (Parameter& p : model.parameters()) {
      if (!is_float(p.dtype()) || p.dtype() == *t) continue;
      const Tensor low = p.value().astype(*t);
      own.emplace_back(p, p.exchange(low));
    }
  }
  Precision(const Precision&) = delete;
  ~Precision() {
    for (auto& [p, value] : own) p.exchange(std::move(value));
  }
};

Trainer::Trainer(nn::Module& model, nn::Optimizer& optimizer, LossFunction loss, TrainerOptions options)
    : model_(model), optimizer_(optimizer), loss_(std::move(loss)), options_(std::move(options)) {
  if (!loss_) throw ValueError("[Trainer] no loss function");
  if (options_.accumulate < 1) throw ValueError("[Trainer] accumulate must be positive, not " + std::to_string(options_.accumulate));
  if (!(options_.clip_norm >= 0) || !(options_.clip_value >= 0)) throw ValueError("[Trainer] gradients cannot be clipped to less than 0");
  if (options_.precision && *options_.precision != DType::float16 && *options_.precision != DType::bfloat16)
    throw DTypeError("[Trainer] mixed precision is float16 or bfloat16, not " + std::string(name(*options_.precision)));
  options_.scaler.enabled &= options_.precision == DType::float16;
  scaler_ = LossScaler(options_.scaler);
}

Tensor Trainer::predicted(const Tensors& batch, Tensor* target) {
  Tensors in = inputs_of(batch);
  if (target) *target = batch.back();
  const Precision scope(model_, options_.precision);
  if (options_.precision)
    for (Tensor& x : in)
      if (is_float(x.dtype())) x = x.astype(*options_.precision);
  const Tensor y = options_.forward ? options_.forward(model_, in) : model_(in[0]);
  return options_.precision && is_float(y.dtype()) ? y.astype(DType::float32) : y;  // losses are worked out in full
}

// What forward left behind besides its result: buffers (running statistics), sums of the metrics.
void Trainer::add_pending(Tensors& to) const {
  for (const auto& [name, b] : model_.named_buffers())
    if (!b.evaluated()) to.push_back(b);
  for (const MetricPtr& m : options_.metrics)
    for (const Tensor& t : m->pending())
      if (!t.evaluated()) to.push_back(t);
}

void Trainer::train_step() {
  std::vector<Tensors> batches;
  int64_t all = 0;
  while (int64_t(batches.size()) < options_.accumulate && !loader_->done()) {
    batches.push_back(*loader_->next());
    all += rows_of(batches.back());
  }
  const std::vector<Parameter> parameters = optimizer_.parameters();
  Tensors also;
  for (size_t i = 0; i < batches.size(); ++i) {
    Tensor target;
    const Tensor prediction = predicted(batches[i], &target), loss = loss_(prediction, target);
    const int64_t n = rows_of(batches[i]);
    const double weight = double(n) / double(all) * scaler_.scale();
    (weight == 1 ? loss : loss * weight).backward();
    also.push_back(last_loss_ = loss.detach());
    losses_.emplace_back(last_loss_, n);
    for (const MetricPtr& m : options_.metrics) m->update(prediction, target);
    if (i + 1 == batches.size()) break;
    add_pending(also);
    for (const Parameter& p : parameters)
      if (p.grad().defined()) also.push_back(p.grad());
    eval(also);  // the next batch has the memory of this one
    also.clear();
  }
  Tensor finite;
  if (options_.scaler.enabled) finite = scaler_.unscale(parameters);
  if (options_.clip_value > 0) nn::clip_grad_value(parameters, options_.clip_value);
  if (options_.clip_norm > 0) nn::clip_grad_norm(parameters, options_.clip_norm);
  add_pending(also);
  const bool taken = optimizer_.step({.also = std::move(also), .only_if = finite});
  model_.zero_grad();  // those that no optimizer has, too
  scaler_.update(taken);
  skipped_ += !taken, ++step_;
  if (losses_.size() > 512) fold_losses();
  if (options_.schedule && options_.schedule_each_step) options_.schedule->step();
}

void Trainer::fold_losses() {
  for (const auto& [loss, n] : losses_) loss_sum_ += ops::item(loss) * double(n), samples_ += n;
  losses_.clear();
}
double Trainer::loss() {
  fold_losses();
  return samples_ ? loss_sum_ / double(samples_) : 0;
}

const History& Trainer::fit(DataLoader& data, const FitOptions& options) {
  if (data.size() == 0) throw ValueError("[fit] the loader has no batches");
  if (options.epochs < 0) throw ValueError("[fit] " + std::to_string(options.epochs) + " epochs");
  struct Scope {  // whatever happens, this fit is over afterwards, and no half step is left in the gradients
    Trainer& t;
    ~Scope() { t.loader_ = nullptr, t.callbacks_.clear(), t.model_.zero_grad(); }
  } scope{*this};
  loader_ = &data, callbacks_ = options.callbacks;
  stop_ = false, began_ = epoch_;
  if (data.done()) data.seek({data.position().epoch + 1, 0});
  else if (data.position().batch) data.seek({data.position().epoch, 0});
  loss_sum_ = 0, samples_ = 0, losses_.clear();
  for (const MetricPtr& m : options_.metrics) m->reset();
  if (!options.resume.empty()) {
    const std::string path = std::filesystem::is_directory(options.resume) ? Checkpoint::latest(options.resume) : options.resume;
    if (std::filesystem::exists(path)) load(path);
  }
  until_ = began_ + options.epochs;
  std::vector<CallbackPtr> in_order = callbacks_;
  std::stable_partition(in_order.begin(), in_order.end(), [](const CallbackPtr& c) { return !c->runs_last(); });
  const auto call = [&](auto f) {
    for (const CallbackPtr& c : in_order) ((*c).*f)(*this);
  };
  model_.train();
  call(&Callback::on_fit_begin);
  while (epoch_ < until_ && !stop_) {
    call(&Callback::on_epoch_begin);
    const double began = seconds();
    while (!data.done()) {
      train_step();
      call(&Callback::on_step_end);
    }
    end_epoch(options.validation);
    history_.epochs.back()["seconds"] = record_["seconds"] = seconds() - began;
    data.seek({data.position().epoch + 1, 0});
    call(&Callback::on_epoch_end);
  }
  call(&Callback::on_fit_end);
  return history_;
}

void Trainer::end_epoch(DataLoader* validation) {
  record_ = {{"epoch", double(epoch_ + 1)}, {"loss", loss()}, {"lr", optimizer_.lr()}};
  for (const MetricPtr& m : options_.metrics) record_[m->name()] = m->value();
  if (validation)
    for (const auto& [name, v] : evaluate(*validation)) record_["val_" + name] = v;
  if (options_.schedule && !options_.schedule_each_step) {
    if (options_.schedule->needs_metric()) {
      const std::string metric = !options_.schedule_metric.empty() ? options_.schedule_metric : validation ? "val_loss" : "loss";
      if (!record_.contains(metric)) throw ValueError("[fit] the schedule looks at '" + metric + "', which no epoch has");
      options_.schedule->step(record_.at(metric));
    } else options_.schedule->step();
  }
  history_.epochs.push_back(record_);
  ++epoch_;
  loss_sum_ = 0, samples_ = 0;
  for (const MetricPtr& m : options_.metrics) m->reset();
}

Record Trainer::evaluate(DataLoader& data) {
  if (&data == loader_) throw ValueError("[evaluate] this loader is being trained with: make another one");
  const Modes modes(model_);
  const Sums sums(options_.metrics);
  const no_grad off;
  model_.eval();
  double total = 0;
  int64_t samples = 0;
  data.seek({0, 0});
  for (const Tensors& batch : data) {
    Tensor target;
    const Tensor prediction = predicted(batch, &target), loss = loss_(prediction, target);
    for (const MetricPtr& m : options_.metrics) m->update(prediction, target);
    Tensors list{loss};
    add_pending(list);
    eval(list);
    total += ops::item(loss) * double(rows_of(batch)), samples += rows_of(batch);
  }
  data.seek({0, 0});
  Record r{{"loss", samples ? total / double(samples) : std::numeric_limits<double>::quiet_NaN()}};
  for (const MetricPtr& m : options_.metrics) r[m->name()] = m->value();
  return r;
}

Tensor Trainer::predict(const Tensor& x) {
  const Modes modes(model_);
  const no_grad off;
  model_.eval();
  return predicted({x}, nullptr).eval();
}
Tensor Trainer::predict(DataLoader& data) {
  if (&data == loader_) throw ValueError("[predict] this loader is being trained with: make another one");
  const Modes modes(model_);
  const no_grad off;
  model_.eval();
  Tensors parts;
  data.seek({0, 0});
  for (const Tensors& batch : data) parts.push_back(predicted(batch, nullptr).eval());
  data.seek({0, 0});
  if (parts.empty()) throw ValueError("[predict] the loader has no batches");
  return concat(parts).eval();
}

void Trainer::save(const std::string& path) {
  fold_losses();
  StateDict s;
  put_under(s, "model.", model_.state_dict());
  put_under(s, "optimizer.", optimizer_.state_dict());
  if (options_.schedule) put_under(s, "schedule.", options_.schedule->state_dict());
  put_under(s, "scaler.", scaler_.state_dict());
  const RandomState random = get_random_state();
  put_under(s, "random.", {{"key", number(random.key)}, {"counter", number(random.counter)}});
  if (loader_) put_under(s, "loader.", loader_->state_dict());
  put_under(s, "trainer.", {{"epoch", number(epoch_)}, {"began", number(began_)}, {"step", number(step_)}, {"skipped", number(skipped_)},
                            {"loss_sum", number(loss_sum_)}, {"samples", number(samples_)}});
  for (size_t i = 0; i < options_.metrics.size(); ++i) s[key("metric", i) + "totals"] = array(options_.metrics[i]->totals());
  for (size_t i = 0; i < callbacks_.size(); ++i) put_under(s, key("callback", i), callbacks_[i]->state_dict());
  Record names;
  for (const Record& e : history_.epochs) names.insert(e.begin(), e.end());
  for (const auto& [name, v] : names) s["history." + name] = array(history_.of(name));
  ember::save(path, s, {{"format", "ember checkpoint"}, {"version", "1"}});
}

void Trainer::load(const std::string& path) {
  Metadata meta;
  const StateDict s = load_all(path, false, &meta);
  if (meta["format"] != "ember checkpoint") throw IoError("[Trainer::load] \"" + path + "\" holds no checkpoint of a Trainer");
  if (meta["version"] != "1") throw IoError("[Trainer::load] \"" + path + "\" is of version " + meta["version"] + ", which this Ember does not know");
  model_.load_state_dict(under(s, "model."));
  optimizer_.load_state_dict(under(s, "optimizer."));
  if (options_.schedule) options_.schedule->load_state_dict(under(s, "schedule."));
  scaler_.load_state_dict(under(s, "scaler."));
  const auto word = [&](const char* name) { return entry(s, name).item<uint64_t>(); };
  if (loader_) {
    loader_->load_state_dict(under(s, "loader."));
    for (size_t i = 0; i < callbacks_.size(); ++i) callbacks_[i]->load_state_dict(under(s, key("callback", i)));
    began_ = read_whole(entry(s, "trainer.began"));
  }
  epoch_ = read_whole(entry(s, "trainer.epoch")), step_ = read_whole(entry(s, "trainer.step")), skipped_ = read_whole(entry(s, "trainer.skipped"));
  loss_sum_ = read_number(entry(s, "trainer.loss_sum")), samples_ = read_whole(entry(s, "trainer.samples")), losses_.clear();
  for (size_t i = 0; i < options_.metrics.size(); ++i) options_.metrics[i]->set_totals(entry(s, key("metric", i) + "totals").to_vector<double>());
  history_.epochs.assign(size_t(epoch_), {});
  for (const auto& [name, t] : under(s, "history.")) {
    const std::vector<double> column = t.to_vector<double>();
    for (size_t i = 0; i < column.size() && i < history_.epochs.size(); ++i)
      if (!std::isnan(column[i])) history_.epochs[i][name] = column[i];
  }
  Tensors weights;
  for (const Parameter& p : model_.parameters()) weights.push_back(p.value());
  eval(weights);
  set_random_state({word("random.key"), word("random.counter")});
}

}  // namespace ember::train
