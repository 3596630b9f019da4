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
// The tensors of a batch, stacked. structure: what a front end needs to give them back in the form
// of its examples (dicts, nested lists); empty for a plain row of tensors.
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
  virtual Tensors get(int64_t i) const = 0;  // one example: the inputs, then the target. Called by
                                             // several threads where a loader has workers
  virtual Tensors batch(std::span<const int64_t> indices) const;  // the examples, stacked
  // what a loader gives out
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
// Disjoint parts of these lengths, drawn by the seed.
EMBER_API std::vector<std::shared_ptr<Subset>> random_split(DatasetPtr data,
                                                            const std::vector<int64_t>& lengths,
                                                            uint64_t seed = 0);
EMBER_API std::vector<int64_t> permutation(
    int64_t n, uint64_t seed, uint64_t stream = 0);  // the order that loaders and splits take
EMBER_API DatasetPtr dataset(Tensors tensors);
EMBER_API DatasetPtr dataset(int64_t size, std::function<Tensors(int64_t)> get);

// Which examples the batches of an epoch have. The same epoch must give the same plan for as long
// as it is worked on.
struct EpochPlan {
  std::vector<int64_t> order;  // examples
  std::vector<int64_t> ends;   // where in order each batch ends
};
struct LoaderOptions {
  int64_t batch_size = 32;
  bool shuffle = false;
  uint64_t seed = 0;
  bool drop_last = false;  // a last batch that is not full
  int workers = 0;         // threads that make batches ahead; none: they are made when asked for
  int prefetch = 2;        // batches ahead, per worker
  // The order of an epoch's examples, in place of shuffle; or all of its batches, in place of
  // batch_size, shuffle and drop_last.
  std::function<std::vector<int64_t>(int64_t epoch)> sampler;
  std::function<std::vector<std::vector<int64_t>>(int64_t epoch)> batch_sampler;
};
struct Position {
  int64_t epoch = 0, batch = 0;
  bool operator==(const Position&) const = default;
};
// Batches of a dataset, epoch after epoch. The order is a function of the seed and the epoch alone,
// and random ops in a dataset's get draw from a generator of the seed, the epoch and the batch: the
// same batches come whatever the number of workers.
class EMBER_API DataLoader {
 public:
  explicit DataLoader(DatasetPtr data, LoaderOptions options = {});
  DataLoader(const DataLoader&) = delete;
  ~DataLoader();
  int64_t size() const;      // batches of an epoch
  int64_t examples() const;  // of an epoch
  const LoaderOptions& options() const;
  std::vector<int64_t> order(int64_t epoch) const;
  // Of several processes, each has its part of every batch (distributed::share); positions and
  // sizes stay those of the whole.
  void share(int rank, int ranks);
  int64_t rows(int64_t batch) const;  // of the whole batch
  // The next batch of this epoch; nothing at its end, and then the next call begins the next epoch.
  std::optional<Batch> next();
  // Where a new pass begins: at the place that seek() or load_state_dict() chose last, else with a
  // whole epoch, the next one if batches of this one were given out.
  Position start();
  bool done() const { return position().batch >= size(); }
  void rest();                // ends the threads; the next batch asked for starts them again
  Position position() const;  // of the next batch
  void seek(Position);
  StateDict state_dict() const;  // the position, and what the order depends on
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
// What batches contribute is recorded with the step and added up, in float64, when somebody looks.
class EMBER_API Metric {
 public:
  virtual ~Metric() = default;
  virtual std::string name() const = 0;
  void update(const Tensor& prediction, const Tensor& target);
  double value() {
    fold();
    return result();
  }
  double of(const Tensor& prediction, const Tensor& target);  // of these alone
  void merge(const std::vector<std::vector<double>>&
                 totals);  // those of several processes become this one's
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
  virtual void add(const std::vector<double>& batch);  // to totals_: each number to its own
  virtual double result() const = 0;
  std::vector<double> totals_;

 private:
  void fold();
  Tensors waiting_;
};
using MetricPtr = std::shared_ptr<Metric>;

// Predictions are scores with a class axis more than the targets, the last one; or of the same
// shape: then yes is what exceeds the threshold (0.5 for probabilities, 0 for logits).
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

class EMBER_API AUC : public Metric {  // the area under the ROC curve, of yes and no: scores [n],
                                       // [n, 1], or [n, 2] whose second column counts
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
// Predictions are as the metrics above have them, or integers in the shape of the targets: then
// they are the classes themselves.
using Record = std::map<std::string, double>;  // loss, accuracy, val_loss, lr, seconds...
EMBER_API Tensor confusion_matrix(const Tensor& target, const Tensor& prediction,
                                  bool normalize = false,
                                  double threshold = 0.5);  // [target][prediction]; evaluates
EMBER_API Record classification_metrics(
    const Tensor& target, const Tensor& prediction);  // accuracy; precision, recall, f1: macro
EMBER_API Record binary_classification_metrics(const Tensor& target, const Tensor& prediction,
                                               double threshold = 0.5);  // of class 1
EMBER_API Record regression_metrics(const Tensor& target,
                                    const Tensor& prediction);  // mse, rmse, mae, r2
EMBER_API double roc_auc(const Tensor& target, const Tensor& score);
struct PrecisionRecall {
  Tensor precision, recall,
      thresholds;  // at each score, from the lowest on; the curve's end (1, 0) has no threshold
};
EMBER_API PrecisionRecall precision_recall_curve(const Tensor& target, const Tensor& score);
EMBER_API double average_precision_score(const Tensor& target, const Tensor& score);

// ---- The Trainer ----
struct History {
  std::vector<Record> epochs;
  EMBER_API std::vector<double> of(const std::string& name) const;  // NaN where an epoch has none
};

struct ScalerOptions {
  bool enabled = true;
  double initial = 65536, growth = 2, backoff = 0.5;
  int64_t interval = 2000;  // steps without an infinity until the scale grows
};
// Multiplies the loss so that small gradients survive 16 bits; steps whose gradients overflow are
// left out and the scale is lowered.
class EMBER_API LossScaler {
 public:
  explicit LossScaler(ScalerOptions options = {})
      : options_(options), scale_(options.enabled ? options.initial : 1) {}
  const ScalerOptions& options() const { return options_; }
  double scale() const { return scale_; }
  Tensor unscale(const std::vector<nn::Parameter>&)
      const;  // divides the gradients; one bool, pending: all of them are finite
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
  virtual void on_fit_end(Trainer&) {}
  virtual bool runs_last() const { return false; }  // those that save what the others have done
  // of several processes that train together
  virtual bool first_rank_only() const { return false; }
  virtual StateDict state_dict() const { return {}; }
  virtual void load_state_dict(const StateDict&) {}
};
using CallbackPtr = std::shared_ptr<Callback>;

using LossFunction = std::function<Tensor(const Tensor& prediction, const Tensor& target)>;
struct TrainerOptions {
  int64_t accumulate =
      1;  // batches to a step; the step is that of one batch as large as all of them
  double clip_norm = 0, clip_value = 0;  // 0: not clipped
  std::optional<DType>
      precision;  // float16 or bfloat16: forward and backward in it; the weights stay as they are
  ScalerOptions scaler;  // for float16
  std::shared_ptr<nn::Schedule> schedule;
  bool schedule_each_step = false;  // else each epoch
  std::string
      schedule_metric;  // what a plateau looks at; left out: val_loss, or loss without validation
  std::vector<MetricPtr> metrics;
  std::function<Tensor(nn::Module&, const Tensors& inputs)> forward;  // left out: model(inputs[0])
  std::shared_ptr<distributed::Strategy>
      strategy;  // of several processes, each takes its part of every batch
};
struct FitOptions {
  int64_t epochs = 1;
  DataLoader* validation = nullptr;
  std::vector<CallbackPtr> callbacks;
  std::string resume;  // a checkpoint, or a folder of them whose newest is taken; where there is
                       // none, training begins. epochs count from where the interrupted fit began
};

// The last tensor of a batch is the target, those before it are the inputs; a batch of one tensor
// is both.
class EMBER_API Trainer {
 public:
  Trainer(nn::Module& model, nn::Optimizer& optimizer, LossFunction loss,
          TrainerOptions options = {});
  const History& fit(DataLoader& data, const FitOptions& options = {});
  Record evaluate(
      DataLoader& data);  // loss and metrics, always from the start of the loader's first epoch
  Tensor predict(const Tensor& x);
  Tensor predict(DataLoader& data);  // of all examples, in order
  void stop() { stop_ = true; }      // after this epoch

  // Everything that what comes next depends on: weights, buffers, optimizer, schedule, scaler,
  // random counters, the loader's position, sums so far, history, callbacks. During fit; between
  // two steps. With a strategy, all ranks call it and the first one writes the file; it can be
  // resumed with another number of ranks.
  void save(const std::string& path);
  void load(const std::string& path);  // outside fit: weights, optimizer and what else this trainer
                                       // has. An error changes nothing

  int rank() const { return group().rank(); }
  nn::Module& model() { return model_; }
  nn::Optimizer& optimizer() { return optimizer_; }
  const LossScaler& scaler() const { return scaler_; }
  const History& history() const { return history_; }
  const Record& record() const { return record_; }  // of the epoch that just ended
  int64_t epoch() const { return epoch_; }          // those completed
  int64_t epochs() const { return until_; }         // where this fit ends
  int64_t step() const { return step_; }            // steps so far, skipped ones too
  int64_t skipped() const { return skipped_; }      // for infinities
  int64_t batch() const { return loader_ ? loader_->position().batch : 0; }
  int64_t batches() const { return loader_ ? loader_->size() : 0; }
  double loss();  // the mean of this epoch so far, on this rank
  double last_loss() const { return last_loss_.defined() ? ops::item(last_loss_) : 0; }

 private:
  struct Precision;
  struct Restore;
  void take(const std::string& path);
  void train_step();
  void end_epoch(DataLoader* validation);
  void put_optimizer(StateDict& to, const std::string& path);
  distributed::Group group() const {
    return options_.strategy ? options_.strategy->group() : distributed::Group();
  }
  Tensor predicted(const Tensors& batch, Tensor* target);
  void fold_losses();
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

// The files beside a checkpoint that ranks wrote with it:
// shard-0-of-2-step-000000120.safetensors...
EMBER_API std::vector<std::string> shards_of(const std::string& checkpoint);

// ---- Callbacks ----
struct CheckpointOptions {
  std::string folder;
  int64_t every_steps = 0, every_epochs = 1;  // 0: never; files step-000000120.safetensors
  int64_t keep = 0;                           // the last so many of them; 0: all
  bool best = false;       // besides, best.safetensors whenever the metric is the best so far
  bool best_only = false;  // that file alone
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
  static std::string latest(
      const std::string& folder);  // the path of the newest; empty without one

 private:
  void write(Trainer&);
  CheckpointOptions options_;
  double best_;
};

struct EarlyStoppingOptions {
  std::string monitor = "val_loss";
  int64_t patience = 0;  // epochs without getting better that are borne
  double min_delta = 0;
  bool maximize = false;
  bool restore_best = false;  // at the end the model gets the weights of the best epoch
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

class EMBER_API CSVLog
    : public Callback {  // a row per epoch; after a resume the file has each epoch once
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
  explicit EventWriter(
      const std::string& folder,
      int64_t first_step = 0);  // TensorBoard drops what older files have from there on
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
  int64_t every_;  // the loss of a batch every so many steps, besides the records of the epochs
  std::unique_ptr<EventWriter> writer_;
};

// A bar with rate and remaining time on a terminal, a line per epoch (and now and then in a long
// one) elsewhere.
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
