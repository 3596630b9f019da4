// Data, metrics, the Trainer, its callbacks, and resuming after a kill.
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <thread>

#include "ember/backend.h"
#include "ember/grad.h"
#include "ember/train.h"

namespace ember::train {
namespace {

using namespace ops;
using Numbers = std::vector<double>;
namespace fs = std::filesystem;

struct Folder {
  std::string path;
  Folder() {
    std::string name = testing::TempDir() + "ember-train-XXXXXX";
    path = mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path); }
  std::string operator/(const std::string& name) const { return path + "/" + name; }
};
Numbers draw(size_t n, unsigned seed) {
  std::mt19937 g(seed);
  Numbers r;
  for (size_t i = 0; i < n; ++i) r.push_back(g() / 2147483648.0 - 1);
  return r;
}
Tensor matrix(int64_t rows, int64_t columns, unsigned seed, DType t = float64) {
  return array(std::span<const double>(draw(size_t(rows * columns), seed)), {rows, columns})
      .astype(t)
      .eval();
}

struct Net : nn::Module {
  nn::Parameter w1, b1, w2;
  Tensor mean = zeros({8}, float32);  // a running mean, as in a batch norm
  double dropout;
  explicit Net(DType t = float64, double p = 0) : dropout(p) {
    add("w1", w1, matrix(4, 8, 1, t));
    add("b1", b1, zeros({8}, t));
    add("w2", w2, matrix(8, 2, 2, t));
    mean = mean.astype(t);
    add_buffer("mean", mean);
  }
  Tensor forward(const Tensor& x) override {
    Tensor h = tanh(matmul(x, w1.value()) + b1.value());
    if (training()) {
      const no_grad off;
      mean = mean * 0.9 + ops::mean(h.detach(), 0).astype(mean.dtype()) * 0.1;
    }
    if (dropout > 0) h = ops::dropout(h, dropout, training());
    return matmul(h, w2.value());
  }
  std::vector<double> values() const {
    std::vector<double> r;
    for (const auto& [name, t] : state_dict()) {
      for (double v : t.astype(float64).to_vector<double>()) r.push_back(v);
    }
    return r;
  }
};
Tensor mse(const Tensor& p, const Tensor& t) { return mse_loss(p, t); }
DatasetPtr points(int64_t n, DType t = float64) {
  return dataset({matrix(n, 4, 3, t), matrix(n, 2, 4, t)});
}

// ---- data ----
TEST(Loader, TheOrderIsAFunctionOfSeedAndEpoch) {
  DataLoader a(points(100), {.batch_size = 7, .shuffle = true, .seed = 5});
  DataLoader b(points(100), {.batch_size = 9, .shuffle = true, .seed = 5});
  EXPECT_EQ(a.order(3), b.order(3));
  EXPECT_NE(a.order(3), a.order(4));
  EXPECT_NE(DataLoader(points(100), {.shuffle = true, .seed = 6}).order(3), a.order(3));
  const auto o = a.order(0);
  EXPECT_EQ(std::set<int64_t>(o.begin(), o.end()).size(), 100u);
  EXPECT_EQ(DataLoader(points(3)).order(9), (std::vector<int64_t>{0, 1, 2}));
}
TEST(Loader, EveryPlaceIsAsLikely) {
  int first[5] = {};
  DataLoader l(points(5), {.shuffle = true});
  for (int e = 0; e < 5000; ++e) ++first[l.order(e)[0]];
  for (int n : first) EXPECT_NEAR(n, 1000, 150);
}
TEST(Loader, BatchesAndTheirSizes) {
  DataLoader all(points(10), {.batch_size = 4});
  DataLoader full(points(10), {.batch_size = 4, .drop_last = true});
  EXPECT_EQ(all.size(), 3);
  EXPECT_EQ(full.size(), 2);
  EXPECT_EQ(full.examples(), 8);
  std::vector<int64_t> rows;
  for (const Tensors& b : all) {
    EXPECT_EQ(b.size(), 2u);
    rows.push_back(b[0].shape(0));
  }
  EXPECT_EQ(rows, (std::vector<int64_t>{4, 4, 2}));
  EXPECT_EQ(all.position(), (Position{1, 0}));
  EXPECT_EQ(DataLoader(points(0)).size(), 0);
}
// Examples with random numbers, created slowly and in irregular time.
DatasetPtr noisy(int64_t n) {
  return dataset(n, [](int64_t i) {
    std::this_thread::sleep_for(std::chrono::microseconds(i % 3 * 200));
    return Tensors{full({2}, double(i), float64) + random_uniform({2}, 0, 1, float64),
                   full({}, double(i), float64)};
  });
}
std::vector<Numbers> epochs_of(DataLoader& l, int n) {
  std::vector<Numbers> r;
  for (int e = 0; e < n; ++e) {
    for (const Tensors& b : l) {
      r.push_back(b[0].to_vector<double>());
      r.push_back(b[1].to_vector<double>());
    }
  }
  return r;
}
TEST(Loader, WorkersChangeNothing) {
  const ops::RandomState before = get_random_state();
  DataLoader none(noisy(23), {.batch_size = 4, .shuffle = true, .seed = 1});
  const auto expected = epochs_of(none, 3);
  for (int workers : {1, 2, 5}) {
    DataLoader l(noisy(23),
                 {.batch_size = 4, .shuffle = true, .seed = 1, .workers = workers, .prefetch = 3});
    EXPECT_EQ(epochs_of(l, 3), expected) << workers;
  }
  EXPECT_EQ(get_random_state().counter, before.counter);
}
TEST(Loader, APositionIsSavedAndFoundAgain) {
  for (int workers : {0, 2}) {
    DataLoader a(noisy(23), {.batch_size = 4, .shuffle = true, .seed = 1, .workers = workers});
    DataLoader b(noisy(23), {.batch_size = 4, .shuffle = true, .seed = 1, .workers = workers});
    for (int i = 0; i < 9; ++i) a.next();
    b.load_state_dict(a.state_dict());
    EXPECT_EQ(a.position(), b.position());
    const auto x = a.next();
    const auto y = b.next();
    EXPECT_EQ((*x)[0].to_vector<double>(), (*y)[0].to_vector<double>());
    b.seek({0, 2});
    b.next();
    b.seek({0, 2});  // back to the same one
    DataLoader fresh(noisy(23), {.batch_size = 4, .shuffle = true, .seed = 1});
    fresh.seek({0, 2});
    EXPECT_EQ((*b.next())[0].to_vector<double>(), (*fresh.next())[0].to_vector<double>());
    DataLoader other(noisy(23), {.batch_size = 5, .shuffle = true, .seed = 1});
    EXPECT_THROW(other.load_state_dict(a.state_dict()), ValueError);
  }
}
TEST(Loader, AnErrorComesInItsTurnAndCanBeAskedForAgain) {
  for (int workers : {0, 2}) {
    std::atomic<bool> broken = true;
    DataLoader l(dataset(8,
                         [&](int64_t i) {
                           if (i == 5 && broken) throw ValueError("example 5 is broken");
                           return Tensors{full({}, double(i), float64)};
                         }),
                 {.batch_size = 2, .workers = workers});
    l.next();
    l.next();
    EXPECT_THROW(l.next(), ValueError);
    EXPECT_THROW(l.next(), ValueError);
    broken = false;
    l.seek({0, 1});
    l.next();
    EXPECT_EQ((*l.next())[0].to_vector<double>(), (Numbers{4, 5}));
  }
}

// ---- metrics ----
TEST(Metrics, Classes) {
  const Tensor scores = array({{0.9, 0.1, 0.0},
                               {0.2, 0.7, 0.1},
                               {0.1, 0.2, 0.7},
                               {0.3, 0.6, 0.1},
                               {0.5, 0.4, 0.1},
                               {0.1, 0.1, 0.8}});
  const Tensor target = array({0, 1, 2, 0, 1, 2});  // predicted: 0 1 2 1 0 2
  Accuracy accuracy;
  EXPECT_NEAR(accuracy.of(scores, target), 4.0 / 6, 1e-12);
  ConfusionMatrix confusion(3);
  confusion.update(scores, target);
  confusion.update(scores, target);
  EXPECT_EQ(confusion.matrix(),
            (std::vector<std::vector<int64_t>>{{2, 2, 0}, {2, 2, 0}, {0, 0, 4}}));
  EXPECT_NEAR(confusion.value(), 4.0 / 6, 1e-12);
  EXPECT_NEAR(Precision(3).of(scores, target), (0.5 + 0.5 + 1) / 3, 1e-12);
  EXPECT_NEAR(F1(3, Average::micro).of(scores, target), 4.0 / 6, 1e-12);
  EXPECT_THROW(ConfusionMatrix(2).of(scores, target), ShapeError);
}
TEST(Metrics, YesAndNo) {
  const Tensor p = array({0.9, 0.8, 0.4, 0.3, 0.6});
  const Tensor t = array({1, 0, 1, 0, 1});  // hits 2, predicted 3, actual 3
  EXPECT_NEAR(Precision(2, Average::binary).of(p, t), 2.0 / 3, 1e-12);
  EXPECT_NEAR(Recall(2, Average::binary).of(p, t), 2.0 / 3, 1e-12);
  EXPECT_NEAR(F1(2, Average::binary).of(p, t), 2.0 / 3, 1e-12);
  EXPECT_NEAR(Recall(2, Average::macro).of(p, t), (2.0 / 3 + 1.0 / 2) / 2, 1e-12);
  EXPECT_NEAR(Accuracy().of(p, t), 0.6, 1e-12);
  EXPECT_NEAR(Accuracy(0.35).of(p, t), 0.8, 1e-12);
  EXPECT_NEAR(F1(2, Average::binary).of(array({0.1, 0.2}), array({1, 1})), 0, 1e-12);
  // Correctly ordered pairs of 3 x 2: 0.9 exceeds both, 0.4 and 0.6 exceed 0.3.
  AUC auc;
  EXPECT_NEAR(auc.of(p, t), 4.0 / 6, 1e-12);
  auc.reset();
  auc.update(array({0.9, 0.8}), array({1, 0}));
  auc.update(array({0.4, 0.3, 0.6}), array({1, 0, 1}));
  EXPECT_NEAR(auc.value(), 4.0 / 6, 1e-12);
  EXPECT_NEAR(auc.of(array({0.5, 0.5, 0.5}), array({1, 0, 1})), 0.5, 1e-12);
  EXPECT_NEAR(auc.of(array({{0.1, 0.9}, {0.8, 0.2}}), array({1, 0})), 1, 1e-12);
  EXPECT_TRUE(std::isnan(auc.of(array({0.5}), array({1}))));
}
TEST(Metrics, Regression) {
  const Tensor p = array({2.5, 0.0, 2.0, 8.0});
  const Tensor t = array({3.0, -0.5, 2.0, 7.0});
  EXPECT_NEAR(R2().of(p, t), 0.9486081370449679, 1e-9);
  EXPECT_NEAR(MeanSquaredError().of(p, t), 0.375, 1e-9);
  EXPECT_NEAR(MeanAbsoluteError().of(p, t), 0.5, 1e-9);
}

// ---- the trainer ----
TEST(Training, TheLossGoesDownAndHistorySaysSo) {
  Net net;
  nn::Adam optimizer(net, {.lr = 0.01});
  Trainer trainer(net, optimizer, mse, {.metrics = {std::make_shared<MeanSquaredError>()}});
  DataLoader data(points(64), {.batch_size = 8, .shuffle = true});
  DataLoader validation(points(32), {.batch_size = 8});
  const History& h = trainer.fit(data, {.epochs = 20, .validation = &validation});
  ASSERT_EQ(h.epochs.size(), 20u);
  const Numbers loss = h.of("loss");
  EXPECT_LT(loss.back(), 0.7 * loss.front());
  EXPECT_NEAR(h.of("mse").back(), loss.back(), 1e-12);
  EXPECT_NEAR(h.of("val_mse").back(), h.of("val_loss").back(), 1e-12);
  EXPECT_EQ(trainer.step(), 160);
  EXPECT_TRUE(std::isnan(h.of("nothing")[0]));
  EXPECT_NEAR(trainer.evaluate(validation).at("loss"), h.of("val_loss").back(), 1e-15);
  EXPECT_EQ(trainer.predict(validation).shape(), (Shape{32, 2}));
  EXPECT_EQ(trainer.predict(zeros({3, 4}, float64)).shape(), (Shape{3, 2}));
  EXPECT_TRUE(net.training());
  trainer.fit(data, {.epochs = 2});
  EXPECT_EQ(h.epochs.size(), 22u);
}
TEST(Training, NothingIsCompiledAfterTheFirstSteps) {
  Net net(float32, 0.1);
  nn::AdamW optimizer(net);
  Trainer trainer(net, optimizer, mse,
                  {.clip_norm = 1,
                   .schedule = std::make_shared<nn::ExponentialLR>(optimizer, 0.99),
                   .schedule_each_step = true,
                   .metrics = {std::make_shared<MeanSquaredError>()}});
  DataLoader data(points(64, float32), {.batch_size = 8});
  trainer.fit(data, {.epochs = 2});
  const Counters before = counters();
  trainer.fit(data, {.epochs = 3});
  EXPECT_EQ(counters().compiled, before.compiled);
  EXPECT_EQ(counters().evaluations, before.evaluations + 3 * 8);
}
TEST(Training, AccumulationIsOneLargeBatch) {
  Numbers one;
  Numbers many;
  for (const int64_t parts : {1, 3}) {
    Net net;
    nn::Adam optimizer(net, {.lr = 0.01});
    Trainer trainer(net, optimizer, mse, {.accumulate = parts, .clip_norm = 0.1});
    // The last step has 4 examples.
    DataLoader data(points(40), {.batch_size = 12 / parts, .shuffle = true});
    trainer.fit(data, {.epochs = 5});
    EXPECT_EQ(trainer.step(), 20);
    for (const nn::Parameter& p : net.parameters()) {
      for (double v : p.value().to_vector<double>()) (parts == 1 ? one : many).push_back(v);
    }
  }
  for (size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(one[i], many[i], 1e-12);
}
TEST(Training, InfinitiesAreSkippedAndTheScaleRecovers) {
  Net net(float32);
  nn::SGD optimizer(net, {.lr = 0.05});
  Trainer trainer(net, optimizer, mse,
                  {.precision = float16, .scaler = {.initial = 1e9, .interval = 10}});
  DataLoader data(points(64, float32), {.batch_size = 8});
  const Numbers before = net.w1.value().astype(float64).to_vector<double>();
  trainer.fit(data, {.epochs = 1});
  EXPECT_GT(trainer.skipped(), 3);
  EXPECT_LT(trainer.scaler().scale(), 1e9);
  const History& h = trainer.fit(data, {.epochs = 30});
  EXPECT_LT(trainer.skipped(), 60);
  EXPECT_EQ(net.w1.dtype(), float32);
  EXPECT_LT(h.of("loss").back(), 0.8 * h.of("loss").front());
  for (double v : net.values()) EXPECT_TRUE(std::isfinite(v));
  EXPECT_NE(net.w1.value().astype(float64).to_vector<double>(), before);

  LossScaler scaler({.initial = 8, .interval = 2});
  scaler.update(false);
  EXPECT_EQ(scaler.scale(), 4);
  scaler.update(true);
  scaler.update(true);
  EXPECT_EQ(scaler.scale(), 8);
}
TEST(Training, MixedPrecisionIsCloseToFullPrecision) {
  for (const DType t : {float16, bfloat16}) {
    Net low(float32);
    Net full(float32);
    nn::SGD a(low, {.lr = 0.05});
    nn::SGD b(full, {.lr = 0.05});
    Trainer x(low, a, mse, {.precision = t});
    Trainer y(full, b, mse);
    DataLoader data(points(64, float32), {.batch_size = 8});
    DataLoader same(points(64, float32), {.batch_size = 8});
    x.fit(data, {.epochs = 10});
    y.fit(same, {.epochs = 10});
    EXPECT_NEAR(x.history().of("loss").back(), y.history().of("loss").back(), 0.02);
    EXPECT_EQ(low.w2.dtype(), float32);
    EXPECT_TRUE(low.w2.trainable());
    EXPECT_EQ(x.scaler().scale(), t == float16 ? 65536 : 1);
  }
}
TEST(Training, SeveralInputsAndTheirForward) {
  Net net;
  nn::SGD optimizer(net, {.lr = 0.1});
  Trainer trainer(net, optimizer, mse,
                  {.forward = [](nn::Module& m, const Tensors& in) { return m(in[0] + in[1]); }});
  DataLoader data(dataset({matrix(16, 4, 3), matrix(16, 4, 5), matrix(16, 2, 4)}),
                  {.batch_size = 8});
  trainer.fit(data, {.epochs = 3});
  EXPECT_LT(trainer.history().of("loss").back(), trainer.history().of("loss").front());
}
TEST(Training, EarlyStoppingStopsAndGivesTheBestBack) {
  Net net;
  nn::SGD optimizer(net, {.lr = 0.1});
  auto stopping = std::make_shared<EarlyStopping>(
      EarlyStoppingOptions{.monitor = "loss", .patience = 2, .restore_best = true});
  // From the fourth epoch on, the learning rate is far too large.
  struct Worse : Callback {
    Numbers best;
    void on_epoch_end(Trainer& t) override {
      if (t.epoch() == 4) {
        best = static_cast<Net&>(t.model()).values();
        t.optimizer().set_lr(5);
      }
    }
  };
  auto worse = std::make_shared<Worse>();
  Trainer trainer(net, optimizer, mse);
  DataLoader data(points(64), {.batch_size = 8});
  trainer.fit(data, {.epochs = 50, .callbacks = {worse, stopping}});
  EXPECT_EQ(trainer.epoch(), 7);
  EXPECT_EQ(net.values(), worse->best);
  EXPECT_EQ(stopping->best(), trainer.history().of("loss")[3]);
  EXPECT_THROW(trainer.fit(data, {.callbacks = {std::make_shared<EarlyStopping>(
                                      EarlyStoppingOptions{.monitor = "val_loss"})}}),
               ValueError);
}
TEST(Training, APlateauLooksAtItsMetric) {
  Net net;
  nn::SGD optimizer(net, {.lr = 0});
  optimizer.set_lr(1e-30);
  Trainer trainer(net, optimizer, mse,
                  {.schedule = std::make_shared<nn::ReduceLROnPlateau>(
                       optimizer, nn::PlateauOptions{.factor = 0.5, .patience = 1, .eps = 0})});
  DataLoader data(points(16), {.batch_size = 8});
  trainer.fit(data, {.epochs = 5});  // the weights never change
  EXPECT_EQ(optimizer.lr(), 1e-30 * 0.25);
}

std::string read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
TEST(Training, CheckpointsAreKeptAsAsked) {
  const Folder folder;
  Net net;
  nn::SGD optimizer(net, {.lr = 0.1});
  Trainer trainer(net, optimizer, mse);
  DataLoader data(points(64), {.batch_size = 8});
  auto all = std::make_shared<Checkpoint>(CheckpointOptions{
      .folder = folder / "all", .every_steps = 3, .keep = 2, .best = true, .monitor = "loss"});
  auto best = std::make_shared<Checkpoint>(
      CheckpointOptions{.folder = folder / "best", .best_only = true, .monitor = "loss"});
  trainer.fit(
      data, {.epochs = 3, .callbacks = {all, best, std::make_shared<CSVLog>(folder / "log.csv")}});
  std::set<std::string> names;
  for (const auto& e : fs::directory_iterator(folder / "all")) {
    names.insert(e.path().filename().string());
  }
  EXPECT_EQ(names, (std::set<std::string>{"best.safetensors", "step-000000021.safetensors",
                                          "step-000000024.safetensors"}));
  EXPECT_EQ(Checkpoint::latest(folder / "all"), folder / "all/step-000000024.safetensors");
  EXPECT_EQ(Checkpoint::latest(folder / "best"), "");
  const std::string log = read(folder / "log.csv");
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 4);
  EXPECT_TRUE(log.starts_with("epoch,loss,lr,seconds\n1,")) << log;

  Net other;
  nn::SGD fresh(other, {.lr = 0.5});
  Trainer again(other, fresh, mse);
  again.load(folder / "best/best.safetensors");
  EXPECT_EQ(other.values(), net.values());
  EXPECT_EQ(fresh.lr(), 0.1);
  EXPECT_EQ(again.step(), 24);
  EXPECT_EQ(again.history().of("loss"), trainer.history().of("loss"));
  net.save(folder / "weights.safetensors");
  EXPECT_THROW(again.load(folder / "weights.safetensors"), IoError);
}

TEST(Training, AResumedFitGoesOnToTheEpochsItIsGiven) {
  const Folder folder;
  Numbers weights[2];
  for (const bool in_two : {false, true}) {
    const auto run = [&](int64_t epochs, const std::string& resume) {
      seed(1);
      Net net(float32, 0.1);
      nn::Adam optimizer(net, {.lr = 0.01});
      Trainer trainer(net, optimizer, mse,
                      {.schedule = std::make_shared<nn::StepLR>(optimizer, 1, 0.5)});
      DataLoader data(points(20, float32), {.batch_size = 8, .shuffle = true});
      std::vector<CallbackPtr> callbacks;
      if (!resume.empty()) {
        callbacks.push_back(std::make_shared<Checkpoint>(CheckpointOptions{.folder = resume}));
      }
      trainer.fit(data, {.epochs = epochs, .callbacks = callbacks, .resume = resume});
      EXPECT_EQ(trainer.epoch(), epochs);
      EXPECT_EQ(trainer.history().of("lr").back(), 0.01 * std::pow(0.5, double(epochs - 1)));
      weights[in_two] = net.values();
    };
    if (in_two) run(2, folder / "c");
    run(4, in_two ? folder / "c" : "");
  }
  EXPECT_EQ(weights[0], weights[1]);
}

// ---- TensorBoard ----
uint32_t crc32c(std::string_view s) {  // bit by bit
  uint32_t crc = ~0u;
  for (unsigned char c : s) {
    crc ^= c;
    for (int k = 0; k < 8; ++k) crc = crc & 1 ? crc >> 1 ^ 0x82f63b78u : crc >> 1;
  }
  return ~crc;
}
uint32_t masked(std::string_view s) {
  const uint32_t c = crc32c(s);
  return (c >> 15 | c << 17) + 0xa282ead8u;
}
struct Message {  // the fields of a protocol buffer
  std::map<int, std::vector<std::string>> bytes;
  std::map<int, uint64_t> numbers;
  explicit Message(std::string_view s) {
    size_t at = 0;
    const auto varint = [&] {
      uint64_t v = 0;
      for (int shift = 0;; shift += 7) {
        const auto c = static_cast<unsigned char>(s.at(at++));
        v |= uint64_t(c & 127) << shift;
        if (c < 128) return v;
      }
    };
    const auto fixed = [&](size_t n) {
      uint64_t v = 0;
      std::memcpy(&v, s.substr(at, n).data(), n);
      at += n;
      return v;
    };
    while (at < s.size()) {
      const uint64_t tag = varint();
      const int field = int(tag >> 3);
      if ((tag & 7) == 0) {
        numbers[field] = varint();
      } else if ((tag & 7) == 1) {
        numbers[field] = fixed(8);
      } else if ((tag & 7) == 5) {
        numbers[field] = fixed(4);
      } else {
        const uint64_t n = varint();
        bytes[field].emplace_back(s.substr(at, n));
        at += n;
      }
    }
  }
};
TEST(Training, TensorBoardFilesReadBack) {
  EXPECT_EQ(crc32c("123456789"), 0xe3069283u);
  const Folder folder;
  Net net;
  nn::SGD optimizer(net, {.lr = 0.1});
  Trainer trainer(net, optimizer, mse);
  DataLoader data(points(64), {.batch_size = 8});
  trainer.fit(data,
              {.epochs = 3, .callbacks = {std::make_shared<TensorBoard>(folder / "runs", 4)}});
  const fs::path file = fs::directory_iterator(folder / "runs")->path();
  EXPECT_TRUE(file.filename().string().starts_with("events.out.tfevents."));
  const std::string all = read(file.string());
  std::vector<Message> events;
  for (size_t at = 0; at < all.size();) {
    uint64_t length;
    uint32_t crc;
    ASSERT_LE(at + 12, all.size());
    std::memcpy(&length, &all[at], 8);
    std::memcpy(&crc, &all[at + 8], 4);
    EXPECT_EQ(crc, masked(std::string_view(all).substr(at, 8)));
    ASSERT_LE(at + 16 + length, all.size());
    const std::string_view body = std::string_view(all).substr(at + 12, length);
    std::memcpy(&crc, &all[at + 12 + length], 4);
    EXPECT_EQ(crc, masked(body));
    events.emplace_back(body);
    at += 16 + length;
  }
  EXPECT_EQ(events[0].bytes[3][0], "brain.Event:2");
  Numbers losses;
  Numbers batch_losses;
  for (Message& e : events) {
    EXPECT_GT(std::bit_cast<double>(e.numbers[1]), 1.6e9);
    if (!e.bytes.contains(5)) continue;
    Message value(Message(e.bytes[5][0]).bytes[1][0]);
    const float v = std::bit_cast<float>(uint32_t(value.numbers[2]));
    if (value.bytes[1][0] == "loss") {
      losses.push_back(v);
      EXPECT_EQ(e.numbers[2], losses.size() * 8);
    }
    if (value.bytes[1][0] == "batch_loss") batch_losses.push_back(v);
  }
  const Numbers expected = trainer.history().of("loss");
  ASSERT_EQ(losses.size(), 3u);
  EXPECT_EQ(batch_losses.size(), 6u);
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(losses[i], double(float(expected[i])));
}
TEST(Training, ProgressOnATerminalAndElsewhere) {
  const Folder folder;
  for (const bool terminal : {false, true}) {
    std::FILE* out = std::fopen((folder / "out").c_str(), "w");
    Net net;
    nn::SGD optimizer(net, {.lr = 0.1});
    Trainer trainer(net, optimizer, mse);
    DataLoader data(dataset(16,
                            [](int64_t) {
                              std::this_thread::sleep_for(std::chrono::milliseconds(20));
                              return Tensors{ones({4}, float64), ones({2}, float64)};
                            }),
                    {.batch_size = 2});
    trainer.fit(data, {.epochs = 2, .callbacks = {std::make_shared<Progress>(out, terminal)}});
    std::fclose(out);
    const std::string text = read(folder / "out");
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2) << text;
    EXPECT_EQ(text.find('\r') != std::string::npos, terminal);
    EXPECT_EQ(text.find("batches/s") != std::string::npos, terminal);
    EXPECT_NE(text.find("epoch 2/2"), std::string::npos);
    EXPECT_NE(text.find("loss"), std::string::npos);
  }
}

// ---- exact resume ----
struct Slow : Callback {
  void on_step_end(Trainer&) override { usleep(3000); }
};
// A run with every kind of state. It is killed below.
void long_run(const std::string& folder) {
  seed(7);
  Net net(float32, 0.2);
  nn::Adam optimizer(net, {.lr = 0.01});
  auto schedule = std::make_shared<nn::OneCycleLR>(
      optimizer, nn::OneCycleOptions{.max_lr = 0.05, .total_steps = 1000});
  Trainer trainer(net, optimizer, mse,
                  {.accumulate = 2,
                   .clip_norm = 1,
                   .precision = float16,
                   .scaler = {.initial = 1e8, .interval = 7},
                   .schedule = schedule,
                   .schedule_each_step = true,
                   .metrics = {std::make_shared<R2>()}});
  const Tensor x = matrix(90, 4, 3, float32);
  const Tensor y = matrix(90, 2, 4, float32);
  DataLoader data(dataset(90,
                          [=](int64_t i) {
                            return Tensors{x(i) + random_normal({4}, 0, 0.01, float32), y(i)};
                          }),
                  {.batch_size = 4, .shuffle = true, .seed = 3, .workers = 2});
  DataLoader validation(points(20, float32), {.batch_size = 8});
  auto checkpoint = std::make_shared<Checkpoint>(CheckpointOptions{
      .folder = folder + "/checkpoints", .every_steps = 5, .keep = 2, .best = true});
  auto stopping =
      std::make_shared<EarlyStopping>(EarlyStoppingOptions{.patience = 100, .restore_best = false});
  const History& h = trainer.fit(
      data,
      {.epochs = 12,
       .validation = &validation,
       .callbacks = {checkpoint, stopping, std::make_shared<CSVLog>(folder + "/log.csv"),
                     std::make_shared<TensorBoard>(folder + "/runs", 3), std::make_shared<Slow>()},
       .resume = folder + "/checkpoints"});
  if (std::getenv("EMBER_TRAIN_DOOMED")) {  // runs until it is killed
    std::ofstream(folder + "/trained");
    pause();
  }
  StateDict s = net.state_dict();
  for (const auto& [k, v] : optimizer.state_dict()) s["optimizer." + k] = v;
  for (const char* name : {"loss", "val_loss", "r2", "val_r2", "lr"}) {
    s[std::string("history.") + name] = array(h.of(name));
  }
  s["counter"] = array(std::vector<uint64_t>{get_random_state().counter, uint64_t(trainer.step()),
                                             uint64_t(trainer.skipped())});
  save(folder + "/end.safetensors", s);
}
TEST(Resume, DISABLED_Child) { long_run(std::getenv("EMBER_TRAIN_FOLDER")); }

pid_t start_child(const std::string& folder, bool doomed) {
  std::vector<std::string> variables = {"EMBER_TRAIN_FOLDER=" + folder};
  if (doomed) variables.push_back("EMBER_TRAIN_DOOMED=1");
  std::vector<char*> environment;
  for (char** e = environ; *e; ++e) environment.push_back(*e);
  for (std::string& v : variables) environment.push_back(v.data());
  environment.push_back(nullptr);
  const char* arguments[] = {"ember_nn_tests", "--gtest_filter=Resume.DISABLED_Child",
                             "--gtest_also_run_disabled_tests", "--gtest_brief=1", nullptr};
  pid_t pid = -1;
  EXPECT_EQ(posix_spawn(&pid, "/proc/self/exe", nullptr, nullptr, const_cast<char**>(arguments),
                        environment.data()),
            0);
  return pid;
}
TEST(Resume, KilledAtAnyMomentTheResultIsTheSameBitForBit) {
  const Folder whole;
  const Folder killed;
  int status = 0;
  waitpid(start_child(whole.path, false), &status, 0);
  ASSERT_EQ(status, 0);
  std::mt19937 random(std::random_device{}());
  std::string trail;
  const auto latest = [&] { return Checkpoint::latest(killed / "checkpoints"); };
  const auto trained = [&] { return std::filesystem::exists(killed / "trained"); };
  for (int kills = 0; kills < 15; ++kills) {
    const std::string before = latest();
    const pid_t child = start_child(killed.path, true);
    // Three kills at random times; further ones shortly after a checkpoint exists.
    if (kills >= 3) {
      while (latest() == before && !trained() && waitpid(child, &status, WNOHANG) == 0) usleep(200);
    }
    usleep(useconds_t(random() % (kills < 3 ? 200000 : 10000)));
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
    trail += " " + (latest().empty() ? "none" : latest().substr(latest().find("step-") + 5, 9));
  }
  waitpid(start_child(killed.path, false), &status, 0);
  ASSERT_EQ(status, 0);
  std::printf("killed at the checkpoints%s\n", trail.c_str());
  const TensorMap a = load_all(whole / "end.safetensors");
  const TensorMap b = load_all(killed / "end.safetensors");
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [name, t] : a) {
    ASSERT_TRUE(b.contains(name)) << name;
    ASSERT_EQ(t.nbytes(), b.at(name).nbytes()) << name;
    EXPECT_EQ(std::memcmp(t.data_ptr(), b.at(name).data_ptr(), t.nbytes()), 0) << name;
  }
  const std::string log = read(killed / "log.csv");
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 13);
}

}  // namespace
}  // namespace ember::train
