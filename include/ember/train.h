// Training: datasets and loaders, metrics, the Trainer and its callbacks, exact resume.
#pragma once
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ember/distributed.h"
#include "ember/losses.h"
#include "ember/nn/optim.h"
#include "ember/ops.h"

namespace ember::train {

using nn::StateDict;

// ---- Data ----
// The stacked tensors of a batch. structure: the form of the examples (dicts, nested lists), so
// that a front end can restore it; empty for a flat list of tensors.
struct Batch : Tensors {
  Batch() = default;
  Batch(Tensors tensors) : Tensors(std::move(tensors)) {}
  Batch(std::initializer_list<Tensor> tensors) : Tensors(tensors) {}
  std::shared_ptr<void> structure;
};
class EMBER_API Dataset {
 public:
  virtual ~Dataset() = default;
  virtual int64_t size() const = 0;
  // One example: the inputs, then the target. A loader with workers calls it from several threads.
  virtual Tensors get(int64_t i) const = 0;
  virtual Tensors batch(std::span<const int64_t> indices) const;  // the examples, stacked
  // What a loader returns for a batch.
  virtual Batch collate(std::span<const int64_t> indices) const { return batch(indices); }
};
using DatasetPtr = std::shared_ptr<const Dataset>;

class EMBER_API TensorDataset : public Dataset {  // example i is row i of each tensor
 public:
  explicit TensorDataset(Tensors tensors);
  int64_t size() const override { return tensors_[0].shape(0); }
  Tensors get(int64_t i) const override;
  Tensors batch(std::span<const int64_t> indices) const override;

 private:
  Tensors tensors_;
};
class EMBER_API Subset : public Dataset {  // some examples of another dataset
 public:
  Subset(DatasetPtr data, std::vector<int64_t> indices);
  int64_t size() const override { return int64_t(indices_.size()); }
  Tensors get(int64_t i) const override { return data_->get(indices_.at(size_t(i))); }
  Tensors batch(std::span<const int64_t> indices) const override {
    return data_->batch(at(indices));
  }
  Batch collate(std::span<const int64_t> indices) const override {
    return data_->collate(at(indices));
  }
  const DatasetPtr& dataset() const { return data_; }
  const std::vector<int64_t>& indices() const { return indices_; }

 private:
  std::vector<int64_t> at(std::span<const int64_t> places) const;
  DatasetPtr data_;
  std::vector<int64_t> indices_;
};
// Disjoint random subsets of the given lengths.
EMBER_API std::vector<std::shared_ptr<Subset>> random_split(DatasetPtr data,
                                                            const std::vector<int64_t>& lengths,
                                                            uint64_t seed = 0);
// The permutation that loaders and splits use.
EMBER_API std::vector<int64_t> permutation(int64_t n, uint64_t seed, uint64_t stream = 0);
EMBER_API DatasetPtr dataset(Tensors tensors);
EMBER_API DatasetPtr dataset(int64_t size, std::function<Tensors(int64_t)> get);

// Which examples each batch of an epoch contains. An epoch's plan must not change while the epoch
// is in use.
struct EpochPlan {
  std::vector<int64_t> order;  // indices of examples
  std::vector<int64_t> ends;   // for each batch, its end in order
};
struct LoaderOptions {
  int64_t batch_size = 32;
  bool shuffle = false;
  uint64_t seed = 0;
  bool drop_last = false;  // omit a last batch that is not full
  int workers = 0;         // threads that prepare batches; 0: batches are made on demand
  int prefetch = 2;        // prepared batches per worker
  // sampler: the order of an epoch's examples, instead of shuffle. batch_sampler: all batches of an
  // epoch, instead of batch_size, shuffle and drop_last.
  std::function<std::vector<int64_t>(int64_t epoch)> sampler;
  std::function<std::vector<std::vector<int64_t>>(int64_t epoch)> batch_sampler;
};
struct Position {
  int64_t epoch = 0, batch = 0;
  bool operator==(const Position&) const = default;
};
// Batches of a dataset, epoch after epoch. The order is a function of the seed and the epoch, and
// random ops in a dataset's get draw from a generator of seed, epoch and batch: the batches do not
// depend on the number of workers.
class EMBER_API DataLoader {
 public:
  explicit DataLoader(DatasetPtr data, LoaderOptions options = {});
  DataLoader(const DataLoader&) = delete;
  ~DataLoader();
  int64_t size() const;      // batches per epoch
  int64_t examples() const;  // examples per epoch
  const LoaderOptions& options() const;
  std::vector<int64_t> order(int64_t epoch) const;
  // Restricts this loader to a rank's part of every batch (distributed::share). Positions and sizes
  // remain those of the whole batch.
  void share(int rank, int ranks);
  int64_t rows(int64_t batch) const;  // of the whole batch
  // The next batch of this epoch, or nullopt at its end; the call after that begins the next epoch.
  std::optional<Batch> next();
  // Where a new pass begins: at the position of the last seek() or load_state_dict(), else at the
  // start of an epoch: the current one, or the next one if batches of the current one were
  // returned.
  Position start();
  bool done() const { return position().batch >= size(); }
  void rest();                // stops the threads; the next request restarts them
  Position position() const;  // of the next batch
  void seek(Position);
  StateDict state_dict() const;  // the position and the options that determine the order
  void load_state_dict(const StateDict&);

  struct End {};
  struct Iterator {
    DataLoader* loader;
    std::optional<Batch> batch;
    const Batch& operator*() const { return *batch; }
    Iterator& operator++() {
      batch = loader->next();
      return *this;
    }
    bool operator==(End) const { return !batch; }
  };
  Iterator begin() {
    start();
    return {this, next()};
  }
  End end() const { return {}; }

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// ---- Metrics ----
// A batch's statistics are recorded with the step and added up in float64 when the result is read.
class EMBER_API Metric {
 public:
  virtual ~Metric() = default;
  virtual std::string name() const = 0;
  void update(const Tensor& prediction, const Tensor& target);
  double value() {
    fold();
    return result();
  }
  double of(const Tensor& prediction, const Tensor& target);  // of these values only
  // Replaces the totals, for example by the sums over processes.
  void merge(const std::vector<std::vector<double>>& totals);
  void reset();
  const Tensors& pending() const { return waiting_; }  // to be evaluated together with a step
  std::vector<double> totals() {
    fold();
    return totals_;
  }
  void set_totals(std::vector<double> t) {
    waiting_.clear();
    totals_ = std::move(t);
  }

 protected:
  virtual Tensor statistics(const Tensor& prediction, const Tensor& target) const = 0;
  virtual void add(const std::vector<double>& batch);  // adds to totals_ elementwise
  virtual double result() const = 0;
  std::vector<double> totals_;

 private:
  void fold();
  Tensors waiting_;
};
using MetricPtr = std::shared_ptr<Metric>;

// Predictions are scores with a last class axis that the targets do not have; or they have the
// targets' shape and mean yes above the threshold (0.5 for probabilities, 0 for logits).
class EMBER_API Accuracy : public Metric {
 public:
  explicit Accuracy(double threshold = 0.5) : threshold_(threshold) {}
  std::string name() const override { return "accuracy"; }

 protected:
  Tensor statistics(const Tensor& prediction, const Tensor& target) const override;
  double result() const override;
  double threshold_;
};
class EMBER_API ConfusionMatrix : public Metric {
 public:
  explicit ConfusionMatrix(int64_t classes, double threshold = 0.5);
  std::string name() const override { return "accuracy"; }
  std::vector<std::vector<int64_t>> matrix();  // [target][prediction]

 protected:
  Tensor statistics(const Tensor& prediction, const Tensor& target) const override;
  double result() const override;
  double count(int64_t target, int64_t prediction) const;
  int64_t classes_;
  double threshold_;
};
enum class Average {
  macro,   // the mean over the classes that occur
  micro,   // over all decisions
  binary,  // of class 1
};
class EMBER_API ClassScore : public ConfusionMatrix {
 public:
  ClassScore(int64_t classes, Average average, double threshold)
      : ConfusionMatrix(classes, threshold), average_(average) {}

 protected:
  double result() const override;
  virtual double score(double hits, double predicted, double actual) const = 0;
  Average average_;
};
#define EMBER_CLASS_SCORE(Name, text, formula)                                                   \
  class EMBER_API Name : public ClassScore {                                                     \
   public:                                                                                       \
    explicit Name(int64_t classes = 2, Average average = Average::macro, double threshold = 0.5) \
        : ClassScore(classes, average, threshold) {}                                             \
    std::string name() const override { return text; }                                           \
                                                                                                 \
   protected:                                                                                    \
    double score([[maybe_unused]] double hits, [[maybe_unused]] double predicted,                \
                 [[maybe_unused]] double actual) const override {                                \
      return formula;                                                                            \
    }                                                                                            \
  };
EMBER_CLASS_SCORE(Precision, "precision", predicted > 0 ? hits / predicted : 0)
EMBER_CLASS_SCORE(Recall, "recall", actual > 0 ? hits / actual : 0)
EMBER_CLASS_SCORE(F1, "f1", predicted + actual > 0 ? 2 * hits / (predicted + actual) : 0)
#undef EMBER_CLASS_SCORE

// The area under the ROC curve for binary targets. Scores are [n], [n, 1], or [n, 2] with the
// positive class second.
class EMBER_API AUC : public Metric {
 public:
  std::string name() const override { return "auc"; }

 protected:
  Tensor statistics(const Tensor& prediction, const Tensor& target) const override;
  void add(const std::vector<double>& batch) override;
  double result() const override;
};
class EMBER_API MeanSquaredError : public Metric {
 public:
  std::string name() const override { return "mse"; }

 protected:
  Tensor statistics(const Tensor& prediction, const Tensor& target) const override;
  double result() const override;
};
class EMBER_API MeanAbsoluteError : public MeanSquaredError {
 public:
  std::string name() const override { return "mae"; }

 protected:
  Tensor statistics(const Tensor& prediction, const Tensor& target) const override;
};
class EMBER_API R2 : public Metric {
 public:
  std::string name() const override { return "r2"; }

 protected:
  Tensor statistics(const Tensor& prediction, const Tensor& target) const override;
  double result() const override;
};

// ---- Scores as functions ----
// Predictions are as for the metrics above, or integers in the shape of the targets, which are
// classes.
using Record = std::map<std::string, double>;  // loss, accuracy, val_loss, lr, seconds...
// [target][prediction]; evaluates.
EMBER_API Tensor confusion_matrix(const Tensor& target, const Tensor& prediction,
                                  bool normalize = false, double threshold = 0.5);
// accuracy; precision, recall, f1: macro.
EMBER_API Record classification_metrics(const Tensor& target, const Tensor& prediction);
// Of class 1.
EMBER_API Record binary_classification_metrics(const Tensor& target, const Tensor& prediction,
                                               double threshold = 0.5);
// mse, rmse, mae, r2.
EMBER_API Record regression_metrics(const Tensor& target, const Tensor& prediction);
EMBER_API double roc_auc(const Tensor& target, const Tensor& score);
// One entry per score, ascending; the curve's end (1, 0) has no threshold.
struct PrecisionRecall {
  Tensor precision, recall, thresholds;
};
EMBER_API PrecisionRecall precision_recall_curve(const Tensor& target, const Tensor& score);
EMBER_API double average_precision_score(const Tensor& target, const Tensor& score);

// ---- The Trainer ----
struct History {
  std::vector<Record> epochs;
  EMBER_API std::vector<double> of(const std::string& name) const;  // NaN: not recorded
};

struct ScalerOptions {
  bool enabled = true;
  double initial = 65536, growth = 2, backoff = 0.5;
  int64_t interval = 2000;  // steps without an infinity before the scale grows
};
// Multiplies the loss so that small gradients do not underflow in 16 bits. A step whose gradients
// overflow is skipped and the scale is lowered.
class EMBER_API LossScaler {
 public:
  explicit LossScaler(ScalerOptions options = {})
      : options_(options), scale_(options.enabled ? options.initial : 1) {}
  const ScalerOptions& options() const { return options_; }
  double scale() const { return scale_; }
  // Divides the gradients; returns a pending bool: whether all of them are finite.
  Tensor unscale(const std::vector<nn::Parameter>&) const;
  void update(bool finite);
  StateDict state_dict() const;
  void load_state_dict(const StateDict&);

 private:
  ScalerOptions options_;
  double scale_;
  int64_t good_ = 0;
};

class Trainer;
class EMBER_API Callback {
 public:
  virtual ~Callback() = default;
  virtual void on_fit_begin(Trainer&) {}  // after a checkpoint was loaded
  virtual void on_epoch_begin(Trainer&) {}
  virtual void on_step_end(Trainer&) {}   // after each step of the optimizer
  virtual void on_epoch_end(Trainer&) {}  // the record of the epoch is complete
  // Whether this callback runs after the others, because it saves their state.
  virtual void on_fit_end(Trainer&) {}
  virtual bool runs_last() const { return false; }
  // Whether only the first of several ranks calls it.
  virtual bool first_rank_only() const { return false; }
  virtual StateDict state_dict() const { return {}; }
  virtual void load_state_dict(const StateDict&) {}
};
using CallbackPtr = std::shared_ptr<Callback>;

using LossFunction = std::function<Tensor(const Tensor& prediction, const Tensor& target)>;
struct TrainerOptions {
  // Batches per step; a step equals that of one batch as large as all of them.
  int64_t accumulate = 1;
  double clip_norm = 0, clip_value = 0;  // 0: not clipped
  // float16 or bfloat16 for forward and backward; the weights keep their dtype.
  std::optional<DType> precision;
  ScalerOptions scaler;  // for float16
  std::shared_ptr<nn::Schedule> schedule;
  bool schedule_each_step = false;  // else each epoch
  // The metric for a plateau schedule; by default val_loss, or loss without validation.
  std::string schedule_metric;
  std::vector<MetricPtr> metrics;
  std::function<Tensor(nn::Module&, const Tensors& inputs)> forward;  // left out: model(inputs[0])
  // With several processes, each computes its part of every batch.
  std::shared_ptr<distributed::Strategy> strategy;
};
struct FitOptions {
  int64_t epochs = 1;
  DataLoader* validation = nullptr;
  std::vector<CallbackPtr> callbacks;
  // A checkpoint, or a folder whose newest checkpoint is used; if there is none, training starts
  // from the beginning. epochs counts from the start of the interrupted fit.
  std::string resume;
};

// The last tensor of a batch is the target and the others are the inputs; a batch of one tensor is
// both.
class EMBER_API Trainer {
 public:
  Trainer(nn::Module& model, nn::Optimizer& optimizer, LossFunction loss,
          TrainerOptions options = {});
  const History& fit(DataLoader& data, const FitOptions& options = {});
  // Loss and metrics over the loader's first epoch.
  Record evaluate(DataLoader& data);
  Tensor predict(const Tensor& x);
  Tensor predict(DataLoader& data);  // all examples, in order
  void stop() { stop_ = true; }      // after this epoch

  // Saves the complete training state: weights, buffers, optimizer, schedule, scaler, random
  // counters, loader position, partial sums, history, callbacks. May be called during fit, between
  // two steps. With a strategy, all ranks call it and the first one writes the file; it can be
  // resumed with another number of ranks.
  void save(const std::string& path);
  // Outside fit: loads weights, optimizer and the other state of this trainer. An error changes
  // nothing.
  void load(const std::string& path);

  int rank() const { return group().rank(); }
  nn::Module& model() { return model_; }
  nn::Optimizer& optimizer() { return optimizer_; }
  const LossScaler& scaler() const { return scaler_; }
  const History& history() const { return history_; }
  const Record& record() const { return record_; }  // of the epoch that just ended
  int64_t epoch() const { return epoch_; }          // number of completed epochs
  int64_t epochs() const { return until_; }         // the epoch at which this fit ends
  int64_t step() const { return step_; }            // steps so far, including skipped ones
  int64_t skipped() const { return skipped_; }      // steps skipped because of infinities
  int64_t batch() const { return loader_ ? loader_->position().batch : 0; }
  int64_t batches() const { return loader_ ? loader_->size() : 0; }
  double loss();  // the mean of this epoch so far, on this rank
  double last_loss() const { return last_loss_.defined() ? ops::item(last_loss_) : 0; }

 private:
  struct Precision;
  struct Restore;
  void load_checkpoint(const std::string& path);
  void train_step();
  void end_epoch(DataLoader* validation);
  void put_optimizer(StateDict& to, const std::string& path);
  distributed::Group group() const {
    return options_.strategy ? options_.strategy->group() : distributed::Group();
  }
  Tensor predict_batch(const Tensors& batch, Tensor* target);
  void add_up_losses();
  void add_pending(Tensors& to) const;
  nn::Module& model_;
  nn::Optimizer& optimizer_;
  LossFunction loss_;
  TrainerOptions options_;
  LossScaler scaler_;
  History history_;
  Record record_;
  DataLoader* loader_ = nullptr;
  std::vector<CallbackPtr> callbacks_;
  int64_t epoch_ = 0;
  int64_t began_ = 0;
  int64_t until_ = 0;
  int64_t step_ = 0;
  int64_t skipped_ = 0;
  bool stop_ = false;
  bool prepared_ = false;
  std::vector<std::pair<Tensor, int64_t>> losses_;  // not yet added up
  double loss_sum_ = 0;
  int64_t samples_ = 0;
  Tensor last_loss_;
};

// The files that ranks wrote with a checkpoint: shard-0-of-2-step-000000120.safetensors...
EMBER_API std::vector<std::string> shards_of(const std::string& checkpoint);

// ---- Callbacks ----
struct CheckpointOptions {
  std::string folder;
  int64_t every_steps = 0, every_epochs = 1;  // 0: never; files step-000000120.safetensors
  int64_t keep = 0;                           // number of recent files to keep; 0: all
  bool best = false;       // also write best.safetensors when the metric improves
  bool best_only = false;  // write only that file
  std::string monitor = "val_loss";
  bool maximize = false;
};
class EMBER_API Checkpoint : public Callback {
 public:
  explicit Checkpoint(CheckpointOptions options);
  void on_fit_begin(Trainer&) override;
  void on_step_end(Trainer&) override;
  void on_epoch_end(Trainer&) override;
  bool runs_last() const override { return true; }
  StateDict state_dict() const override;
  void load_state_dict(const StateDict&) override;
  // The path of the newest checkpoint; empty if there is none.
  static std::string latest(const std::string& folder);

 private:
  void write(Trainer&);
  CheckpointOptions options_;
  double best_;
};

struct EarlyStoppingOptions {
  std::string monitor = "val_loss";
  int64_t patience = 0;  // epochs without improvement before training stops
  double min_delta = 0;
  bool maximize = false;
  bool restore_best = false;  // at the end, restore the weights of the best epoch
};
class EMBER_API EarlyStopping : public Callback {
 public:
  explicit EarlyStopping(EarlyStoppingOptions options = {});
  void on_fit_begin(Trainer&) override;
  void on_epoch_end(Trainer&) override;
  void on_fit_end(Trainer&) override;
  StateDict state_dict() const override;
  void load_state_dict(const StateDict&) override;
  double best() const { return best_; }

 private:
  EarlyStoppingOptions options_;
  double best_;
  int64_t waited_ = 0;
  bool stopped_ = false;
  StateDict weights_;
};

// Writes one row per epoch. After a resume, each epoch still occurs once.
class EMBER_API CSVLog : public Callback {
 public:
  explicit CSVLog(std::string path) : path_(std::move(path)) {}
  void on_fit_begin(Trainer& t) override { write(t); }
  void on_epoch_end(Trainer& t) override { write(t); }
  bool first_rank_only() const override { return true; }

 private:
  void write(Trainer&);
  std::string path_;
};

// TensorBoard's event files.
class EMBER_API EventWriter {
 public:
  // TensorBoard ignores the events of older files from first_step on.
  explicit EventWriter(const std::string& folder, int64_t first_step = 0);
  EventWriter(const EventWriter&) = delete;
  ~EventWriter();
  void scalar(const std::string& tag, double value, int64_t step);
  void flush();
  const std::string& path() const { return path_; }

 private:
  void write(const std::string& event);
  std::string path_;
  std::FILE* file_;
};
class EMBER_API TensorBoard : public Callback {
 public:
  explicit TensorBoard(std::string folder, int64_t every_steps = 0)
      : folder_(std::move(folder)), every_(every_steps) {}
  void on_fit_begin(Trainer&) override;
  void on_step_end(Trainer&) override;
  void on_epoch_end(Trainer&) override;
  bool first_rank_only() const override { return true; }

 private:
  std::string folder_;
  int64_t every_;  // steps between losses of single batches, in addition to the records of epochs
  std::unique_ptr<EventWriter> writer_;
};

// On a terminal, a progress bar with rate and remaining time; elsewhere, one line per epoch, and
// some lines within a long one.
class EMBER_API Progress : public Callback {
 public:
  explicit Progress(std::FILE* out = stderr, std::optional<bool> terminal = {});
  Progress(std::function<void(const std::string&)> write, bool terminal)
      : write_(std::move(write)), terminal_(terminal) {}
  void on_epoch_begin(Trainer&) override;
  void on_step_end(Trainer&) override;
  void on_epoch_end(Trainer&) override;
  bool first_rank_only() const override { return true; }

 private:
  std::function<void(const std::string&)> write_;
  bool terminal_;
  double began_ = 0;
  double shown_ = 0;
  int64_t first_ = 0;
};

}  // namespace ember::train
