// The overhead of several ranks. The suite starts itself under mpirun; all ranks measure, the first
// one prints.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <thread>

#include "bench/bench.h"
#include "cli/digits.h"
#include "cli/paths.h"
#include "ember/ember.h"
#include "ember/train.h"
#include "src/distributed/mpi.h"

namespace ember::bench {
namespace {

using distributed::Group;

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
double middle(std::vector<double> v) {
  std::nth_element(v.begin(), v.begin() + int64_t(v.size() / 2), v.end());
  return v[v.size() / 2];
}

// Seconds of an all_reduce of the given size, by Ember and by MPI alternately; the median over the
// rounds.
std::pair<double, double> reduce_times(const Group& g, int64_t bytes, int rounds, int in_a_row) {
  const distributed::Mpi& mpi = distributed::open_mpi();
  const Tensor x = ops::ones({bytes / 4}, DType::float32).eval();
  // y: MPI's result, in memory of the same kind.
  const Tensor y = ops::zeros({bytes / 4}, DType::float32).eval();
  std::vector<double> ours;
  std::vector<double> raw;
  for (int i = 0; i < rounds + 2; ++i) {
    g.barrier();
    double t = seconds();
    for (int k = 0; k < in_a_row; ++k) g.all_reduce(x);
    const double a = (seconds() - t) / in_a_row;
    mpi.Barrier(mpi.world);
    t = seconds();
    for (int k = 0; k < in_a_row; ++k) {
      mpi.Allreduce(x.data_ptr(), const_cast<void*>(y.data_ptr()), int(x.size()),
                    mpi.types[int(DType::float32)], mpi.ops[0], mpi.world);
    }
    const double b = (seconds() - t) / in_a_row;
    if (i >= 2) {
      ours.push_back(a);
      raw.push_back(b);
    }
  }
  return {middle(ours), middle(raw)};
}

// Seconds of a training step of the digits network with 64 images per rank.
double step_time(const Group& g) {
  const cli::Digits data = cli::load_digits();
  ops::seed(7);
  cli::DigitNet net;
  nn::Adam optimizer(net.parameters(), {.lr = 2e-3});
  train::DataLoader loader(
      train::dataset({data.train_images, data.train_labels}),
      {.batch_size = 64 * g.size(), .shuffle = true, .seed = 7, .drop_last = true});
  struct Clock : train::Callback {
    std::vector<double> times;
    double last = 0;
    void on_epoch_begin(train::Trainer&) override { last = 0; }
    void on_step_end(train::Trainer&) override {
      const double t = seconds();
      if (last > 0) times.push_back(t - last);
      last = t;
    }
  };
  const auto clock = std::make_shared<Clock>();
  train::Trainer trainer(net, optimizer,
                         [](const Tensor& p, const Tensor& t) {
                           return ops::sparse_categorical_cross_entropy(p, t, true);
                         },
                         {.strategy = std::make_shared<distributed::DataParallelStrategy>(
                              distributed::DataParallelOptions{.group = g})});
  trainer.fit(loader, {.epochs = 20, .callbacks = {clock}});
  return quartile(clock->times);
}

[[noreturn]] void measure_as_a_rank() {
  const Group g = distributed::init();
  std::map<std::string, double> r;
  if (g.size() > 1) {
    for (const auto& [name, bytes, rounds, in_a_row] :
         {std::tuple{"8B", int64_t(8), 40, 50}, std::tuple{"1MB", int64_t(1) << 20, 20, 5},
          std::tuple{"64MB", int64_t(64) << 20, 15, 1}}) {
      const auto [ours, raw] = reduce_times(g, bytes, rounds, in_a_row);
      r[std::string("ours_") + name] = ours;
      r[std::string("raw_") + name] = raw;
    }
  }
  if (g.size() <= 2) r["step"] = step_time(g);
  if (g.rank() == 0) {
    for (const auto& [name, v] : r) std::printf("measured %s %.9g\n", name.c_str(), v);
  }
  std::fflush(stdout);
  std::exit(0);
}

std::map<std::string, double> measured(int ranks) {
  // One thread per rank and, if there are enough, one core.
  const bool bound = ranks <= int(std::thread::hardware_concurrency());
  const std::string command = std::string(bound ? "OMPI_MCA_hwloc_base_binding_policy=core " : "") +
                              "EMBER_NUM_THREADS=1 OMP_NUM_THREADS=1 '" + cli::program("ember") +
                              "' launch -n " + std::to_string(ranks) + " '" +
                              cli::program("ember-bench") + "' distributed 2>/dev/null";
  std::map<std::string, double> r;
  std::FILE* p = popen(command.c_str(), "r");
  if (!p) return r;
  char name[64];
  double v;
  for (char line[256]; std::fgets(line, sizeof line, p);) {
    if (std::sscanf(line, "measured %63s %lf", name, &v) == 2) r[name] = v;
  }
  pclose(p);
  return r;
}

}  // namespace

std::vector<Result> run_distributed(const std::function<void(const std::string&)>& progress) {
  if (distributed::started_by_a_launcher()) measure_as_a_rank();
  std::vector<Result> results;
  std::map<std::string, double> one;
  std::map<std::string, double> two;
  std::map<std::string, double> four;
  for (int round = 0; round < 3; ++round) {  // alternately; the minimum
    for (auto [ranks, best] : {std::pair{1, &one}, std::pair{2, &two}, std::pair{4, &four}}) {
      progress(std::to_string(ranks) + (ranks == 1 ? " rank" : " ranks"));
      for (const auto& [name, v] : measured(ranks)) {
        if (const auto [at, first] = best->emplace(name, v); !first) {
          at->second = std::min(at->second, v);
        }
      }
    }
  }
  for (auto [ranks, m] : {std::pair{2, &two}, std::pair{4, &four}}) {
    Result r{.name = "all_reduce of 64 MB, " + std::to_string(ranks) + " ranks",
             .unit = "GB/s",
             .reference = "MPI_Allreduce",
             .target = 0.95};
    if (m->contains("ours_64MB")) {
      const auto us = [&](const char* name) {
        return std::to_string(int64_t(m->at(name) * 1e7) / 10.0).substr(0, 6) + " us";
      };
      r.value = 64.0 / 1024 / m->at("ours_64MB");
      r.ratio = m->at("raw_64MB") / m->at("ours_64MB");
      r.met = *r.ratio >= r.target;
      r.note = "8 bytes: " + us("ours_8B") + " with the comparison before, MPI_Allreduce " +
               us("raw_8B") + "; 1 MB: " + us("ours_1MB") + ", " + us("raw_1MB");
    } else {
      r.note = "no mpirun, or it failed";
    }
    results.push_back(r);
  }
  Result scaling{.name = "weak scaling of digits, 2 ranks",
                 .unit = "ms/step",
                 .reference = "one rank",
                 .target = 0.9};
  if (one.contains("step") && two.contains("step")) {
    scaling.value = two["step"] * 1e3;
    scaling.ratio = one["step"] / two["step"];
    scaling.met = *scaling.ratio >= 0.9;
  } else {
    scaling.note = "no mpirun, or it failed";
  }
  results.push_back(scaling);
  return results;
}

}  // namespace ember::bench
