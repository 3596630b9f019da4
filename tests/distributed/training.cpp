// Training on several ranks gives the result of training with the whole batch.
#include "tests/distributed/ranks.h"

namespace ember::distributed {
namespace {

using namespace train;

struct Net : nn::Module {
  nn::Linear a{6, 16}, b{16, 8}, c{8, 3};
  nn::BatchNorm1d norm{16};
  nn::Linear unused{2, 2};  // never gets a gradient
  bool with_norm;
  explicit Net(bool norm_on) : with_norm(norm_on) {
    add("a", a);
    add("b", b);
    add("c", c);
    add("norm", norm);
    add("unused", unused);
    to_dtype(float64);
  }
  Tensor forward(const Tensor& x) override {
    const Tensor h = a(x);
    return c(ops::tanh(b(ops::relu(with_norm ? norm(h) : h))));
  }
};

struct Setting {
  int64_t batch = 14, examples = 65, accumulate = 1;  // 65 = 4 * 14 + 9: uneven over 2 and 4 ranks
  bool norm = false;
  double clip = 0;
  DataParallelOptions data = {};
  std::string optimizer = "adamw";
};

DatasetPtr data_of(const Setting& s) {
  Generator generator(5);
  const with_generator scope(generator);
  return dataset({ops::random_normal({s.examples, 6}, 0, 1, float64),
                  ops::floor(ops::random_uniform({s.examples}, 0, 3, float64)).astype(int64)});
}

struct Trained {
  nn::StateDict weights;
  History history;
  Record evaluation;
};
std::unique_ptr<nn::Optimizer> optimizer_of(const Setting& s, Net& net) {
  if (s.optimizer == "sgd") {
    return std::make_unique<nn::SGD>(net.parameters(), nn::SGDOptions{.lr = 0.05, .momentum = 0.9});
  }
  return std::make_unique<nn::AdamW>(net.parameters(), nn::AdamWOptions{.lr = 0.01});
}
Trained train(const Setting& s, StrategyPtr strategy, int64_t epochs = 10,
              const std::vector<CallbackPtr>& callbacks = {}, const std::string& resume = "") {
  // With a strategy, the first rank's weights are used.
  ops::seed(3 + (strategy ? world().rank() : 0));
  Net net(s.norm);
  auto optimizer = optimizer_of(s, net);
  DataLoader loader(data_of(s), {.batch_size = s.batch, .shuffle = true, .seed = 11});
  DataLoader check(data_of(s), {.batch_size = 32});
  Trainer trainer(net, *optimizer,
                  [](const Tensor& p, const Tensor& t) {
                    return ops::sparse_categorical_cross_entropy(p, t, true);
                  },
                  {.accumulate = s.accumulate,
                   .clip_norm = s.clip,
                   .metrics = {std::make_shared<Accuracy>()},
                   .strategy = strategy});
  trainer.fit(loader,
              {.epochs = epochs, .validation = &check, .callbacks = callbacks, .resume = resume});
  return {net.state_dict(), trainer.history(), trainer.evaluate(check)};
}
void expect_same(const Trained& a, const Trained& b, const std::string& what) {
  EXPECT_LE(largest_difference(a.weights, b.weights), 1e-10) << what;
  for (const char* name : {"loss", "accuracy", "val_loss", "val_accuracy"}) {
    for (size_t e = 0; e < a.history.epochs.size(); ++e) {
      EXPECT_NEAR(a.history.epochs[e].at(name), b.history.epochs.at(e).at(name), 1e-9)
          << what << " " << name;
    }
  }
  EXPECT_NEAR(a.evaluation.at("loss"), b.evaluation.at("loss"), 1e-9) << what;
}
void compare(Setting s, const std::string& what, const std::string& engine) {
  const with_backend scope(engine);
  const Trained one = train(s, nullptr);
  const Trained all = train(s, std::make_shared<DataParallelStrategy>(s.data));
  expect_same(one, all, what + " on " + engine);
  // Every rank has bit-identical weights.
  const Group g = world();
  for (const auto& [name, t] : all.weights) {
    const auto first = g.broadcast(t).to_vector<double>();
    const auto mine = t.to_vector<double>();
    EXPECT_EQ(first, mine) << name << " " << what;
  }
}

TEST(DataParallel, FiftyStepsAreThoseOfOneRank) {
  for (const std::string& engine : engines()) compare({}, "uneven batches", engine);
}
// BatchNorm is trained with SGD: the gradient of a bias before it is a rounding error, which Adam
// would scale to the size of the others.
TEST(DataParallel, EveryWayOfIt) {
  for (const std::string& engine : engines()) {
    compare({.data = {.bucket_bytes = 300}}, "many buckets", engine);
    compare({.accumulate = 3, .optimizer = "sgd"}, "accumulation", engine);
    compare({.clip = 0.05, .data = {.shard_optimizer = true}}, "a sharded optimizer", engine);
    compare({.norm = true, .data = {.synchronize_batch_norm = true}, .optimizer = "sgd"},
            "synchronized BatchNorm", engine);
  }
}
TEST(DataParallel, FewerExamplesThanRanks) {
  compare({.batch = 8, .examples = 17}, "a last batch of one", "native");
  compare({.batch = 8,
           .examples = 18,
           .norm = true,
           .data = {.synchronize_batch_norm = true},
           .optimizer = "sgd"},
          "a last batch of two, with BatchNorm", "native");
}

TEST(Strategy, DistributesUnevenBatches) {
  Strategy s;
  s.num_devices = 3;
  const auto parts = s.distribute(ops::arange(7.0));
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[0].to_vector<float>(), (std::vector<float>{0, 1, 2}));
  EXPECT_EQ(parts[2].to_vector<float>(), (std::vector<float>{5, 6}));
  EXPECT_EQ(s.distribute(ops::arange(2.0))[2].size(), 0);
  s.num_devices = 0;
  EXPECT_THROW(s.distribute(ops::arange(2.0)), ValueError);
  EXPECT_THROW(Strategy().distribute(Tensor(1.0)), ShapeError);
}

TEST(Loader, SharesCoverEveryBatch) {
  DataLoader whole(dataset({ops::arange(23.0)}), {.batch_size = 7, .shuffle = true, .seed = 1});
  DataLoader part(dataset({ops::arange(23.0)}),
                  {.batch_size = 7, .shuffle = true, .seed = 1, .workers = 2});
  const Group g = world();
  part.share(g.rank(), g.size());
  EXPECT_EQ(part.size(), whole.size());
  for (int64_t b = 0; b < whole.size(); ++b) {
    EXPECT_EQ(part.rows(b), whole.next().value()[0].size() + 0 * b);
    whole.seek({0, b});
    EXPECT_EQ(g.all_gather((*part.next())[0]).to_vector<float>(),
              (*whole.next())[0].to_vector<float>());
  }
  EXPECT_THROW(part.share(2, 2), ValueError);
}

// ---- Checkpoints ----
struct StopAt : Callback {
  int64_t step;
  explicit StopAt(int64_t s) : step(s) {}
  void on_step_end(Trainer& t) override {
    if (t.step() == step) throw StateError("stopped by the test");
  }
};
void resumed(DataParallelOptions options, const std::string& what, Group after) {
  Setting s{.data = options};
  const Folder folder;
  const auto checkpoint = [&] {
    return std::make_shared<Checkpoint>(
        CheckpointOptions{.folder = folder.path, .every_steps = 4, .every_epochs = 0, .keep = 2});
  };
  const Trained whole = train(s, std::make_shared<DataParallelStrategy>(options), 4);
  EXPECT_THROW(train(s, std::make_shared<DataParallelStrategy>(options), 4,
                     {checkpoint(), std::make_shared<StopAt>(13)}),
               StateError);
  world().barrier();
  EXPECT_TRUE(Checkpoint::latest(folder.path).ends_with("step-000000012.safetensors"));
  EXPECT_EQ(shards_of(Checkpoint::latest(folder.path)).size(),
            options.sharded_checkpoints ? size_t(options.group.size()) : 0u);
  options.group = after;
  const Trained rest =
      train(s, std::make_shared<DataParallelStrategy>(options), 4, {}, folder.path);
  if (after.size() == world().size()) {
    EXPECT_EQ(largest_difference(whole.weights, rest.weights), 0) << what;
    EXPECT_EQ(whole.history.of("loss"), rest.history.of("loss")) << what;
    EXPECT_EQ(whole.history.of("accuracy"), rest.history.of("accuracy")) << what;
  } else {
    expect_same(whole, rest, what);
  }
}
TEST(Resume, BitForBit) {
  resumed({}, "whole", world());
  resumed({.shard_optimizer = true}, "a sharded optimizer in a whole file", world());
  resumed({.shard_optimizer = true, .sharded_checkpoints = true}, "a file per rank", world());
}
TEST(Resume, WithAnotherNumberOfRanks) {
  resumed({.shard_optimizer = true, .sharded_checkpoints = true}, "alone",
          world().split(world().rank()));
  if (world().size() > 2) {
    resumed({.shard_optimizer = true}, "in pairs", world().split(world().rank() / 2));
  }
}
TEST(Resume, AFailureToWriteIsOneOnAllRanks) {
  Setting s;
  struct Save : Callback {
    void on_step_end(Trainer& t) override {
      t.save("/dev/null/there/is/no/such/folder.safetensors");
    }
  };
  EXPECT_THROW(train(s, std::make_shared<DataParallelStrategy>(), 1, {std::make_shared<Save>()}),
               IoError);
}

TEST(Trainer, OnlyTheFirstRankPrints) {
  std::string printed;
  const auto progress =
      std::make_shared<Progress>([&](const std::string& text) { printed += text; }, false);
  train({}, std::make_shared<DataParallelStrategy>(), 2, {progress});
  EXPECT_EQ(printed.empty(), world().rank() != 0);
}

}  // namespace
}  // namespace ember::distributed
