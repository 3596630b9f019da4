// The training loop, mixed precision, and checkpoints.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <numeric>
#include <sstream>

#include "ember/grad.h"
#include "ember/nn/norm.h"
#include "ember/train.h"
#include "src/nn/numbers.h"

namespace ember::train {

using nn::Parameter, nn::entry, nn::number, nn::put_under, nn::read_count, nn::read_number,
    nn::under;
using namespace ops;

namespace {

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Tensors inputs_of(const Tensors& batch) {
  if (batch.empty()) throw ValueError("[Trainer] a batch has no tensors");
  return Tensors(batch.begin(), batch.size() == 1 ? batch.end() : batch.end() - 1);
}
int64_t rows_of(const Tensors& batch) { return batch[0].ndim() ? batch[0].shape(0) : 1; }

// Restores the modes of all modules.
struct RestoreModes {
  std::vector<std::pair<nn::Module*, bool>> before;
  explicit RestoreModes(nn::Module& m) {
    for (const auto& [name, module] : m.named_modules()) {
      before.emplace_back(module, module->training());
    }
  }
  RestoreModes(const RestoreModes&) = delete;
  ~RestoreModes() {
    for (const auto& [m, on] : before) m->train(on);  // parents come first
  }
};
// Resets the metrics, and restores their totals at the end.
struct RestoreMetrics {
  const std::vector<MetricPtr>& metrics;
  std::vector<std::vector<double>> before;
  explicit RestoreMetrics(const std::vector<MetricPtr>& all) : metrics(all) {
    for (const MetricPtr& m : all) {
      before.push_back(m->totals());
      m->reset();
    }
  }
  RestoreMetrics(const RestoreMetrics&) = delete;
  ~RestoreMetrics() {
    for (size_t i = 0; i < metrics.size(); ++i) metrics[i]->set_totals(std::move(before[i]));
  }
};

constexpr int64_t max_epochs = int64_t(1) << 32;  // the history has one entry per epoch

std::string key(const char* what, size_t i) {
  return std::string(what) + "." + std::to_string(i) + ".";
}

// Restricts a loader to this rank's part of each batch.
struct ShardedLoader {
  DataLoader& loader;
  ShardedLoader(DataLoader& l, const distributed::Group& g) : loader(l) {
    l.share(g.rank(), g.size());
  }
  ShardedLoader(const ShardedLoader&) = delete;
  ~ShardedLoader() { loader.share(0, 1); }
};

std::string bytes_of(const std::vector<double>& v) {
  return {reinterpret_cast<const char*>(v.data()), v.size() * sizeof(double)};
}
std::vector<double> doubles_in(const std::string& bytes) {
  std::vector<double> r(bytes.size() / sizeof(double));
  if (!r.empty()) std::memcpy(r.data(), bytes.data(), r.size() * sizeof(double));
  return r;
}
std::vector<std::vector<double>> gather_doubles(const distributed::Group& g,
                                                const std::vector<double>& mine) {
  std::vector<std::vector<double>> r;
  for (const std::string& s : g.all_gather_bytes(bytes_of(mine))) r.push_back(doubles_in(s));
  return r;
}
// The mean loss over all ranks' examples.
double mean_loss(const distributed::Group& g, double sum, int64_t samples) {
  double total = 0;
  double n = 0;
  for (const auto& part : gather_doubles(g, {sum, double(samples)})) {
    total += part[0];
    n += part[1];
  }
  return total / n;
}
void merge_metrics(const distributed::Group& g, const std::vector<MetricPtr>& metrics) {
  if (g.size() > 1) {
    for (const MetricPtr& m : metrics) m->merge(gather_doubles(g, m->totals()));
  }
}

std::string shard_path(const std::string& path, int rank, int ranks) {
  const std::filesystem::path p(path);
  return (p.parent_path() / ("shard-" + std::to_string(rank) + "-of-" + std::to_string(ranks) +
                             "-" + p.filename().string()))
      .string();
}
// Whether forward contains a collective, which all ranks must join.
bool needs_all_ranks(nn::Module& model) {
  for (const auto& [name, m] : model.named_modules()) {
    if (const auto* norm = dynamic_cast<nn::RunningNorm*>(m); norm && norm->across) return true;
  }
  return false;
}
// Runs f on every rank; an error on one rank is thrown on all.
template <class F> void run_on_all_ranks(const distributed::Group& g, F f) {
  std::string error;
  try {
    f();
  } catch (const Error& e) {
    error = e.what();
    if (error.empty()) error = "unknown";
  }
  for (const std::string& e : g.all_gather_bytes(error)) {
    if (!e.empty()) throw IoError(e);
  }
}

// The entries of a checkpoint, with those of its shards.
StateDict read_checkpoint(const std::string& path) {
  Metadata meta;
  StateDict s = load_all(path, false, &meta);
  if (meta["format"] != "ember checkpoint") {
    throw IoError("[Trainer::load] \"" + path + "\" is not a checkpoint of a Trainer");
  }
  if (meta["version"] != "1") {
    throw IoError("[Trainer::load] \"" + path + "\" is of version " + meta["version"] +
                  ", which this version of Ember cannot read");
  }
  const auto shards = meta.find("shards");
  if (shards == meta.end()) return s;
  const int n = std::atoi(shards->second.c_str());
  if (n < 1 || n > 1 << 20) {
    throw IoError("[Trainer::load] \"" + path + "\" has '" + shards->second + "' shards");
  }
  for (int r = 0; r < n; ++r) {
    Metadata shard;
    const StateDict part = load_all(shard_path(path, r, n), false, &shard);
    if (shard["step"] != std::to_string(read_count(entry(s, "trainer.step"), "trainer.step"))) {
      throw IoError("[Trainer::load] a shard of \"" + path + "\" belongs to another step");
    }
    put_under(s, "optimizer.state.", part);
  }
  return s;
}

// The records of the completed epochs. A value that an epoch does not have is saved as NaN.
std::vector<Record> read_history(const StateDict& s, int64_t epochs) {
  if (epochs > max_epochs) {
    throw ValueError("[Trainer::load] 'trainer.epoch' in the saved state is not a count: " +
                     std::to_string(epochs));
  }
  std::vector<Record> records(static_cast<size_t>(epochs));
  for (const auto& [name, t] : under(s, "history.")) {
    const std::vector<double> column = t.to_vector<double>();
    for (size_t i = 0; i < column.size() && i < records.size(); ++i) {
      if (!std::isnan(column[i])) records[i][name] = column[i];
    }
  }
  return records;
}

void restore_random_state(const StateDict& s, size_t rank, bool same_ranks) {
  const std::vector<uint64_t> keys = flatten(entry(s, "random.key")).to_vector<uint64_t>();
  const std::vector<uint64_t> counters = flatten(entry(s, "random.counter")).to_vector<uint64_t>();
  if (same_ranks) {
    set_random_state({keys.at(rank), counters.at(rank)});
  } else {
    set_random_state({keys.at(0) + rank * 0x9E3779B97F4A7C15u,
                      *std::max_element(counters.begin(), counters.end())});
  }
}

}  // namespace

std::vector<double> History::of(const std::string& name) const {
  std::vector<double> r;
  for (const Record& e : epochs) {
    r.push_back(e.contains(name) ? e.at(name) : std::numeric_limits<double>::quiet_NaN());
  }
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
  if (!finite) {
    scale_ *= options_.backoff;
    good_ = 0;
  } else if (++good_ >= options_.interval) {
    scale_ *= options_.growth;
    good_ = 0;
  }
}
StateDict LossScaler::state_dict() const {
  return {{"scale", number(scale_)}, {"good", number(good_)}};
}
void LossScaler::load_state_dict(const StateDict& s) {
  const double scale = read_number(entry(s, "scale"));
  if (!(scale > 0) || !std::isfinite(scale)) {
    throw ValueError("[LossScaler] a scale of " + std::to_string(scale) + " in the saved state");
  }
  good_ = read_count(entry(s, "good"), "good");
  scale_ = scale;
}

// During its lifetime, forward reads the parameters in lower precision; gradients pass through the
// casts to the parameters themselves.
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

Trainer::Trainer(nn::Module& model, nn::Optimizer& optimizer, LossFunction loss,
                 TrainerOptions options)
    : model_(model), optimizer_(optimizer), loss_(std::move(loss)), options_(std::move(options)) {
  if (!loss_) throw ValueError("[Trainer] the loss function is missing");
  if (options_.accumulate < 1) {
    throw ValueError("[Trainer] accumulate must be positive, not " +
                     std::to_string(options_.accumulate));
  }
  if (!(options_.clip_norm >= 0) || !(options_.clip_value >= 0)) {
    throw ValueError("[Trainer] clip_norm and clip_value must not be negative");
  }
  if (options_.precision && *options_.precision != DType::float16 &&
      *options_.precision != DType::bfloat16) {
    throw DTypeError("[Trainer] precision must be float16 or bfloat16, not " +
                     std::string(name(*options_.precision)));
  }
  options_.scaler.enabled &= options_.precision == DType::float16;
  scaler_ = LossScaler(options_.scaler);
}

Tensor Trainer::predict_batch(const Tensors& batch, Tensor* target) {
  Tensors in = inputs_of(batch);
  if (target) *target = batch.back();
  const Precision scope(model_, options_.precision);
  if (options_.precision) {
    for (Tensor& x : in) {
      if (is_float(x.dtype())) x = x.astype(*options_.precision);
    }
  }
  const Tensor y = options_.forward ? options_.forward(model_, in) : model_(in[0]);
  // Losses are computed in float32.
  return options_.precision && is_float(y.dtype()) ? y.astype(DType::float32) : y;
}

// Appends what this step recorded but did not evaluate yet: the model's buffers (running
// statistics) and the metrics' statistics. Evaluated with the step, they do not pile up as pending
// work.
void Trainer::add_pending(Tensors& to) const {
  for (const auto& [name, b] : model_.named_buffers()) {
    if (!b.evaluated()) to.push_back(b);
  }
  for (const MetricPtr& m : options_.metrics) {
    for (const Tensor& t : m->pending()) {
      if (!t.evaluated()) to.push_back(t);
    }
  }
}

void Trainer::train_step() {
  std::vector<Tensors> batches;
  int64_t all = 0;  // the number of examples of all ranks
  const distributed::Group ranks = group();
  while (int64_t(batches.size()) < options_.accumulate && !loader_->done()) {
    const int64_t rows = loader_->rows(loader_->position().batch);
    batches.push_back(*loader_->next());
    all += ranks.size() > 1 ? rows : rows_of(batches.back());
  }
  const std::vector<Parameter> parameters = optimizer_.parameters();
  Tensors also;
  for (size_t i = 0; i < batches.size(); ++i) {
    Tensor target;
    const int64_t n = batches[i].empty() ? 0 : rows_of(batches[i]);
    // Fewer examples than ranks: this rank only joins the collectives.
    if (n == 0 && ranks.size() > 1) {
      if (!batches[i].empty() && needs_all_ranks(model_)) {
        sum(predict_batch(batches[i], &target)).backward();
      }
      continue;
    }
    const Tensor prediction = predict_batch(batches[i], &target);
    const Tensor loss = loss_(prediction, target);
    const double weight = double(n) / double(all) * scaler_.scale();
    (weight == 1 ? loss : loss * weight).backward();
    also.push_back(last_loss_ = loss.detach());
    losses_.emplace_back(last_loss_, n);
    for (const MetricPtr& m : options_.metrics) m->update(prediction, target);
    if (i + 1 == batches.size()) break;
    add_pending(also);
    for (const Parameter& p : parameters) {
      if (p.grad().defined()) also.push_back(p.grad());
    }
    eval(also);  // frees this batch's memory for the next one
    also.clear();
  }
  if (options_.strategy) {
    add_pending(also);
    options_.strategy->reduce(parameters, also);
    also.clear();
  }
  Tensor finite;
  if (options_.scaler.enabled) finite = scaler_.unscale(parameters);
  if (options_.clip_value > 0) nn::clip_grad_value(parameters, options_.clip_value);
  if (options_.clip_norm > 0) nn::clip_grad_norm(parameters, options_.clip_norm);
  add_pending(also);
  const nn::StepOptions step{.also = std::move(also), .only_if = finite};
  const bool taken =
      options_.strategy ? options_.strategy->step(optimizer_, step) : optimizer_.step(step);
  model_.zero_grad();  // including parameters without an optimizer
  scaler_.update(taken);
  skipped_ += !taken;
  ++step_;
  if (losses_.size() > 512) add_up_losses();
  if (options_.schedule && options_.schedule_each_step) options_.schedule->step();
}

void Trainer::add_up_losses() {
  for (const auto& [loss, n] : losses_) {
    loss_sum_ += ops::item(loss) * double(n);
    samples_ += n;
  }
  losses_.clear();
}
double Trainer::loss() {
  add_up_losses();
  return samples_ ? loss_sum_ / double(samples_) : 0;
}

const History& Trainer::fit(DataLoader& data, const FitOptions& options) {
  if (data.size() == 0) throw ValueError("[fit] the loader has no batches");
  if (options.epochs < 0) throw ValueError("[fit] " + std::to_string(options.epochs) + " epochs");
  // In every case, the fit is over afterwards and no partial step remains in the gradients.
  struct Scope {
    Trainer& t;
    ~Scope() {
      t.loader_ = nullptr;
      t.callbacks_.clear();
      t.model_.zero_grad();
    }
  } scope{*this};
  const distributed::Group ranks = group();
  const ShardedLoader parts(data, ranks);
  const StateDict place = data.state_dict();
  if (options_.strategy && !prepared_) {
    options_.strategy->prepare(model_, optimizer_);
    prepared_ = true;
  }
  loader_ = &data;
  callbacks_ = options.callbacks;
  stop_ = false;
  began_ = epoch_;
  if (data.done()) {
    data.seek({data.position().epoch + 1, 0});
  } else if (data.position().batch) {
    data.seek({data.position().epoch, 0});
  }
  loss_sum_ = 0;
  samples_ = 0;
  losses_.clear();
  for (const MetricPtr& m : options_.metrics) m->reset();
  if (!options.resume.empty()) {
    std::string path = std::filesystem::is_directory(options.resume)
                           ? Checkpoint::latest(options.resume)
                           : options.resume;
    if (!std::filesystem::exists(path)) path.clear();
    path = ranks.broadcast_bytes(path);
    try {
      if (!path.empty()) load(path);
    } catch (...) {
      data.load_state_dict(place);
      throw;
    }
  }
  until_ = began_ + options.epochs;
  std::vector<CallbackPtr> in_order = callbacks_;
  std::stable_partition(in_order.begin(), in_order.end(),
                        [](const CallbackPtr& c) { return !c->runs_last(); });
  const auto call = [&](auto f) {
    for (const CallbackPtr& c : in_order) {
      if (ranks.rank() == 0 || !c->first_rank_only()) ((*c).*f)(*this);
    }
  };
  model_.train();
  call(&Callback::on_fit_begin);
  // One rank is enough.
  const auto stopped = [&] {
    if (ranks.size() > 1) {
      for (const std::string& s : ranks.all_gather_bytes(stop_ ? "stop" : "")) stop_ |= !s.empty();
    }
    return stop_;
  };
  while (epoch_ < until_ && !stopped()) {
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
  const distributed::Group ranks = group();
  const double mine = loss();
  record_ = {{"epoch", double(epoch_ + 1)},
             {"loss", ranks.size() > 1 ? mean_loss(ranks, loss_sum_, samples_) : mine},
             {"lr", optimizer_.lr()}};
  merge_metrics(ranks, options_.metrics);
  for (const MetricPtr& m : options_.metrics) record_[m->name()] = m->value();
  if (validation) {
    for (const auto& [name, v] : evaluate(*validation)) record_["val_" + name] = v;
  }
  if (options_.schedule && !options_.schedule_each_step) {
    if (options_.schedule->needs_metric()) {
      const std::string metric = !options_.schedule_metric.empty() ? options_.schedule_metric
                                 : validation                      ? "val_loss"
                                                                   : "loss";
      if (!record_.contains(metric)) {
        throw ValueError("[fit] the schedule needs '" + metric + "', which epochs do not record");
      }
      options_.schedule->step(record_.at(metric));
    } else {
      options_.schedule->step();
    }
  }
  history_.epochs.push_back(record_);
  ++epoch_;
  loss_sum_ = 0;
  samples_ = 0;
  for (const MetricPtr& m : options_.metrics) m->reset();
}

Record Trainer::evaluate(DataLoader& data) {
  const RestoreModes modes(model_);
  const RestoreMetrics sums(options_.metrics);
  const no_grad off;
  model_.eval();
  double total = 0;
  int64_t samples = 0;
  const distributed::Group ranks = group();
  // It already has this rank's part, and its position is restored below.
  const bool trained_with = &data == loader_;
  const Position place = trained_with ? data.position() : Position{};
  std::optional<ShardedLoader> parts;
  if (!trained_with) parts.emplace(data, ranks);
  data.seek({0, 0});
  for (const Tensors& batch : data) {
    if (ranks.size() > 1 && (batch.empty() || rows_of(batch) == 0)) continue;
    Tensor target;
    const Tensor prediction = predict_batch(batch, &target);
    const Tensor loss = loss_(prediction, target);
    for (const MetricPtr& m : options_.metrics) m->update(prediction, target);
    Tensors list{loss};
    add_pending(list);
    eval(list);
    total += ops::item(loss) * double(rows_of(batch));
    samples += rows_of(batch);
  }
  data.seek(place);
  merge_metrics(ranks, options_.metrics);
  Record r{{"loss", ranks.size() > 1 ? mean_loss(ranks, total, samples)
                    : samples        ? total / double(samples)
                                     : std::numeric_limits<double>::quiet_NaN()}};
  for (const MetricPtr& m : options_.metrics) r[m->name()] = m->value();
  return r;
}

Tensor Trainer::predict(const Tensor& x) {
  const RestoreModes modes(model_);
  const no_grad off;
  model_.eval();
  return predict_batch({x}, nullptr).eval();
}
Tensor Trainer::predict(DataLoader& data) {
  if (&data == loader_) {
    throw ValueError("[predict] this loader is in use for training: create another one");
  }
  const RestoreModes modes(model_);
  const no_grad off;
  model_.eval();
  Tensors parts;
  data.seek({0, 0});
  for (const Tensors& batch : data) parts.push_back(predict_batch(batch, nullptr).eval());
  data.seek({0, 0});
  if (parts.empty()) throw ValueError("[predict] the loader has no batches");
  return concat(parts).eval();
}

std::vector<std::string> shards_of(const std::string& checkpoint) {
  std::vector<std::string> r;
  const std::filesystem::path p(checkpoint);
  std::error_code none;
  for (const auto& e :
       std::filesystem::directory_iterator(p.has_parent_path() ? p.parent_path() : ".", none)) {
    const std::string name = e.path().filename().string();
    if (name.starts_with("shard-") && name.ends_with("-" + p.filename().string())) {
      r.push_back(e.path().string());
    }
  }
  std::sort(r.begin(), r.end());
  return r;
}

// Saves the states of all parameters: in one file per rank, or sent to the first rank.
void Trainer::put_optimizer(StateDict& s, const std::string& path) {
  const distributed::Group ranks = group();
  const StateDict mine = optimizer_.state_dict();
  if (ranks.size() == 1 || !options_.strategy->shards_state()) {
    return put_under(s, "optimizer.", mine);
  }
  StateDict states = under(mine, "state.");
  StateDict rest;
  for (const auto& [name, t] : mine) {
    if (!name.starts_with("state.")) rest.emplace(name, t);
  }
  put_under(s, "optimizer.", rest);
  if (options_.strategy->shards_checkpoints()) {
    return run_on_all_ranks(ranks, [&] {
      ember::save(shard_path(path, ranks.rank(), ranks.size()), states,
                  {{"format", "ember checkpoint shard"}, {"step", std::to_string(step_)}});
    });
  }
  for (auto& [name, t] : states) t = t.eval();
  for (int r = 0; r < ranks.size(); ++r) {
    std::string list;
    if (r == ranks.rank()) {
      for (const auto& [name, t] : states) {
        list += name + " " + std::string(ember::name(t.dtype()));
        for (int64_t d : t.shape()) list += " " + std::to_string(d);
        list += "\n";
      }
    }
    std::istringstream lines(ranks.broadcast_bytes(list, r));
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string name;
      std::string type;
      words >> name >> type;
      Shape shape;
      for (int64_t d; words >> d;) shape.push_back(d);
      if (r == 0) {
        if (ranks.rank() == 0) s["optimizer.state." + name] = states.at(name);
      } else if (r == ranks.rank()) {
        ranks.send(states.at(name), 0);
      } else if (ranks.rank() == 0) {
        s["optimizer.state." + name] = ranks.recv(*parse_dtype(type), shape, r);
      }
    }
  }
}

void Trainer::save(const std::string& path) {
  add_up_losses();
  const distributed::Group ranks = group();
  StateDict s;
  put_under(s, "model.", model_.state_dict());
  put_optimizer(s, path);
  if (options_.schedule) put_under(s, "schedule.", options_.schedule->state_dict());
  put_under(s, "scaler.", scaler_.state_dict());
  const RandomState random = get_random_state();
  // Values that differ between ranks are saved for each rank.
  const auto each = [&](const Tensor& t) { return ranks.size() > 1 ? ranks.all_gather(t) : t; };
  put_under(s, "random.",
            {{"key", each(number(random.key))}, {"counter", each(number(random.counter))}});
  if (loader_) put_under(s, "loader.", loader_->state_dict());
  put_under(s, "trainer.",
            {{"epoch", number(epoch_)},
             {"began", number(began_)},
             {"step", number(step_)},
             {"skipped", number(skipped_)},
             {"loss_sum", each(number(loss_sum_))},
             {"samples", each(number(samples_))}});
  for (size_t i = 0; i < options_.metrics.size(); ++i) {
    const auto all = gather_doubles(ranks, options_.metrics[i]->totals());
    for (size_t r = 0; r < all.size(); ++r) {
      s[key("metric", i) + "totals" + (r ? "." + std::to_string(r) : "")] = array(all[r]);
    }
  }
  for (size_t i = 0; i < callbacks_.size(); ++i) {
    put_under(s, key("callback", i), callbacks_[i]->state_dict());
  }
  Record names;
  for (const Record& e : history_.epochs) names.insert(e.begin(), e.end());
  for (const auto& [name, v] : names) s["history." + name] = array(history_.of(name));
  Metadata meta{{"format", "ember checkpoint"}, {"version", "1"}};
  if (options_.strategy && options_.strategy->shards_checkpoints()) {
    meta["shards"] = std::to_string(ranks.size());
  }
  run_on_all_ranks(ranks, [&] {
    if (ranks.rank() == 0) ember::save(path, s, meta);  // last: if it exists, its shards exist
  });
}

// A copy of everything that a checkpoint sets, restored by the destructor unless commit() was
// called.
struct Trainer::Restore {
  Trainer& t;
  StateDict model, optimizer, schedule, scaler, loader;
  std::vector<StateDict> callbacks;
  std::vector<std::vector<double>> metrics;
  std::vector<Record> epochs;
  int64_t epoch, began, step, skipped, samples;
  double loss_sum;
  bool committed = false;

  explicit Restore(Trainer& trainer)
      : t(trainer),
        model(t.model_.state_dict()),
        optimizer(t.optimizer_.state_dict()),
        scaler(t.scaler_.state_dict()),
        epochs(t.history_.epochs),
        epoch(t.epoch_),
        began(t.began_),
        step(t.step_),
        skipped(t.skipped_),
        samples(t.samples_),
        loss_sum(t.loss_sum_) {
    if (t.options_.schedule) schedule = t.options_.schedule->state_dict();
    if (t.loader_) loader = t.loader_->state_dict();
    for (const CallbackPtr& c : t.callbacks_) callbacks.push_back(c->state_dict());
    for (const MetricPtr& m : t.options_.metrics) metrics.push_back(m->totals());
  }
  Restore(const Restore&) = delete;
  void commit() { committed = true; }
  ~Restore() {
    if (committed) return;
    // A callback in another language may reject its own state; the others are still restored.
    const auto ignoring_errors = [](auto f) {
      try {
        f();
      } catch (...) {}
    };
    ignoring_errors([&] { t.model_.load_state_dict(model, false); });
    if (t.options_.schedule)
      ignoring_errors([&] { t.options_.schedule->load_state_dict(schedule); });
    // After the schedule, which sets its rates.
    ignoring_errors([&] { t.optimizer_.load_state_dict(optimizer); });
    ignoring_errors([&] { t.scaler_.load_state_dict(scaler); });
    if (t.loader_) ignoring_errors([&] { t.loader_->load_state_dict(loader); });
    for (size_t i = 0; i < callbacks.size(); ++i) {
      ignoring_errors([&] { t.callbacks_[i]->load_state_dict(callbacks[i]); });
    }
    for (size_t i = 0; i < metrics.size(); ++i) t.options_.metrics[i]->set_totals(metrics[i]);
    t.history_.epochs = epochs;
    t.epoch_ = epoch;
    t.began_ = began;
    t.step_ = step;
    t.skipped_ = skipped;
    t.samples_ = samples;
    t.loss_sum_ = loss_sum;
  }
};

void Trainer::load(const std::string& path) {
  add_up_losses();
  Restore before(*this);
  load_checkpoint(path);
  before.commit();
}
void Trainer::load_checkpoint(const std::string& path) {
  const StateDict s = read_checkpoint(path);
  model_.load_state_dict(under(s, "model."));
  const StateDict state = under(s, "optimizer.");
  optimizer_.load_state_dict(options_.strategy ? options_.strategy->own(state) : state);
  if (options_.schedule) options_.schedule->load_state_dict(under(s, "schedule."));
  scaler_.load_state_dict(under(s, "scaler."));
  // With the same number of ranks, each rank gets its own values. Otherwise the first rank gets the
  // sums, and random states derive from the first rank's.
  const distributed::Group ranks = group();
  const size_t saved_ranks = size_t(entry(s, "random.key").size());
  const size_t rank = size_t(ranks.rank());
  if (saved_ranks == 0 || size_t(entry(s, "random.counter").size()) != saved_ranks) {
    throw ValueError("[Trainer::load] the random state of \"" + path +
                     "\" is damaged: " + std::to_string(saved_ranks) + " keys and " +
                     std::to_string(entry(s, "random.counter").size()) + " counters");
  }
  const bool same_ranks = saved_ranks == size_t(ranks.size());
  const auto own_or_sum = [&]<class T>(const char* name, T) {
    const std::vector<T> all = flatten(entry(s, name)).to_vector<T>();
    if (all.size() != saved_ranks) {
      throw ValueError("[Trainer::load] '" + std::string(name) + "' has " +
                       std::to_string(all.size()) + " numbers for " + std::to_string(saved_ranks) +
                       " ranks");
    }
    if (same_ranks) return all.at(rank);
    return rank ? T(0) : std::accumulate(all.begin(), all.end(), T(0));
  };
  const auto count = [&](const char* name) { return read_count(entry(s, name), name); };
  if (loader_) {
    loader_->load_state_dict(under(s, "loader."));
    for (size_t i = 0; i < callbacks_.size(); ++i) {
      callbacks_[i]->load_state_dict(under(s, key("callback", i)));
    }
    began_ = count("trainer.began");
  }
  epoch_ = count("trainer.epoch");
  step_ = count("trainer.step");
  skipped_ = count("trainer.skipped");
  loss_sum_ = own_or_sum("trainer.loss_sum", double());
  samples_ = own_or_sum("trainer.samples", int64_t());
  losses_.clear();
  if (samples_ < 0 || samples_ > int64_t(1) << 53) {
    throw ValueError("[Trainer::load] 'trainer.samples' in the saved state is not a count: " +
                     std::to_string(samples_));
  }
  for (size_t i = 0; i < options_.metrics.size(); ++i) {
    std::vector<std::vector<double>> mine;
    for (size_t r = 0; r < saved_ranks; ++r) {
      if (same_ranks ? r == rank : rank == 0) {
        mine.push_back(entry(s, key("metric", i) + "totals" + (r ? "." + std::to_string(r) : ""))
                           .to_vector<double>());
      }
    }
    options_.metrics[i]->merge(mine);
  }
  history_.epochs = read_history(s, epoch_);
  Tensors weights;
  for (const Parameter& p : model_.parameters()) weights.push_back(p.value());
  eval(weights);
  restore_random_state(s, rank, same_ranks);
}

}  // namespace ember::train
