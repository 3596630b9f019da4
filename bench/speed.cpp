// Every workload on Ember and on its peers: a process for each, taken in turn, since thread pools
// fight in one process and machines change their speed with time.
#include "bench/speed.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <map>

#include "bench/bench.h"
#include "bench/peer.h"
#include "cli/paths.h"
#include "ember/ember.h"
#include "ember/onnx.h"

namespace ember::bench {
namespace {

using nlohmann::json;
using clock = std::chrono::steady_clock;
constexpr double turn_seconds = 0.1;
// In this order they are named where they are equally fast. The word after the space is an argument
// of the module's.
const std::vector<std::string> libraries = {"numpy",   "numexpr", "torch",       "torch compile",
                                            "jax",     "mlx",     "mlx compile", "onnxruntime",
                                            "sklearn", "ember"};

double since(clock::time_point start) {
  return std::chrono::duration<double>(clock::now() - start).count();
}

// Seconds of one call: the lower quartile of stretches of 2 ms or one call, so that other work in
// between does not count. The first call does not count either: the others have used the caches
// meanwhile.
double turn(const std::function<void()>& f, double seconds) {
  auto start = clock::now();
  f();
  const int64_t at_once = std::max<int64_t>(1, int64_t(0.002 / std::max(since(start), 1e-9)));
  std::vector<double> times;
  for (double passed = 0; passed < seconds; passed += times.back()) {
    start = clock::now();
    for (int64_t i = 0; i < at_once; ++i) f();
    times.push_back(since(start));
  }
  return quartile(times) / double(at_once);
}

// What a peer reads: the inputs, the results to compare with, and the same as an ONNX model.
std::function<Tensors()> prepare(Task& task, const std::string& folder) {
  TensorMap inputs = task.weights;
  Tensors values;
  Tensors places;
  onnx::SaveOptions names;
  for (const auto& [name, t] : task.inputs) {
    inputs[name] = t.eval();
    names.inputs.push_back(name);
    values.push_back(t);
    places.push_back(placeholder({t.dtype(), t.shape()}));
  }
  for (auto& [name, t] : inputs) {
    if (t.dtype() == DType::float16 || t.dtype() == DType::bfloat16) t = t.astype(DType::float32);
  }
  save(folder + "/in.npz", inputs);
  task.weights.clear();
  inputs.clear();
  if (task.call) return task.call;
  std::shared_ptr<Program> program;
  {
    const Recording recording;
    const Tensors outputs = task.f(places);
    try {
      onnx::save(folder + "/model.onnx", places, outputs, names);
    } catch (const UnsupportedError&) {
      std::filesystem::remove(folder + "/model.onnx");
    }
    if (task.program) program = std::make_shared<Program>(places, outputs);
  }
  if (program) return [program, values] { return (*program)(values); };
  return [f = task.f, values] {
    const Tensors results = f(values);
    eval(results);
    return results;
  };
}

}  // namespace

std::vector<Workload> workloads() {
  std::vector<Workload> all;
  add_arrays(all);
  add_networks(all);
  return all;
}

void take_turns() {
  const auto all = workloads();
  Task task;
  std::function<Tensors()> call;
  std::cout << json{{"version", EMBER_VERSION}} << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
    const json order = json::parse(line);
    try {
      if (order.contains("turn")) {
        json answer = {{"seconds", turn([&] { call(); }, order["turn"])}};
        if (task.limit) answer["limit"] = task.limit();
        std::cout << answer << std::endl;
        continue;
      }
      call = nullptr;
      task = {};
      const auto w = std::find_if(all.begin(), all.end(),
                                  [&](const Workload& v) { return v.name() == order["name"]; });
      const std::string folder = order["folder"];
      task = w->setup();
      call = prepare(task, folder);
      Tensors results;
      // the third step's loss shows the first two
      for (int i = 0; i < (w->kind.starts_with("train") ? 3 : 1); ++i) {
        results = call();
      }
      TensorMap out;
      for (size_t i = 0; i < results.size(); ++i) {
        const DType t = results[i].dtype();
        out[std::to_string(i)] = t == DType::float16 || t == DType::bfloat16
                                     ? results[i].astype(DType::float32)
                                     : results[i];
      }
      save(folder + "/out.npz", out);
      std::cout << json{{"difference", 0}} << std::endl;
    } catch (const Error& e) {
      std::cout << json{{"error", e.what()}} << std::endl;
    }
  }
}

namespace {

std::vector<Workload> choose(const std::vector<std::string>& parts) {
  std::vector<Workload> chosen = workloads();
  if (parts.empty()) return chosen;
  std::erase_if(chosen, [&](const Workload& w) {
    return std::none_of(parts.begin(), parts.end(), [&](const std::string& part) {
      return w.name().find(part) != std::string::npos;
    });
  });
  return chosen;
}

// Ember's side and the libraries that the Python has, each in a separate process.
std::map<std::string, Peer> start_peers(const char* python, int threads, const Progress& progress) {
  std::map<std::string, Peer> peers;
  peers.emplace("Ember", Peer({"/proc/self/exe", "--turns"}, threads));
  setenv("PYTHONPATH", (cli::library_folder() + "/../python").c_str(), 1);
  for (const std::string& name : libraries) {
    if (!python) break;
    const std::string script = cli::share_folder() + "/peers/serve.py";
    peers.emplace(name, Peer({python, script, name, std::to_string(threads)}, threads));
  }
  unsetenv("PYTHONPATH");
  for (auto i = peers.begin(); i != peers.end();) {
    const auto hello = i->second.hear();
    if (hello && hello->contains("version")) {
      ++i;
      continue;
    }
    progress(i->first + " cannot be had" + (hello ? ": " + hello->value("missing", "") : ""));
    i = peers.erase(i);
  }
  return peers;
}

std::string two_digits(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", v);
  return text;
}

using Seconds = std::map<std::string, double>;  // by peer

struct Times {
  std::vector<double> seconds, limit;
};

// One workload on one number of threads: the peers that are ready take turns.
class Race {
 public:
  Race(const Workload& w, std::map<std::string, Peer>& peers, int threads)
      : w_(w), peers_(peers), threads_(threads), own_(w.own == "ember" ? "Ember" : "ember") {}

  // Sends the workload to all peers; those that answer with a result take part.
  void prepare(const std::filesystem::path& folder) {
    const json order = {
        {"name", w_.name()}, {"kind", w_.kind}, {"dtype", w_.dtype}, {"folder", folder.string()}};
    std::filesystem::remove(folder / "model.onnx");
    if (peers_.contains("Ember")) {  // first: it writes the inputs and the model
      peers_.at("Ember").tell(order);
      await("Ember");
    }
    if (times_.contains("Ember")) {
      std::vector<std::string> names;
      for (auto& [name, peer] : peers_) {
        if (name == "Ember") continue;
        peer.tell(order);
        names.push_back(name);
      }
      for (const std::string& name : names) await(name);
    }
    times_.erase(w_.own == "ember" ? "ember" : "Ember");
  }

  void run(int rounds) {
    double fastest = 1e9;
    for (int round = 0; round < rounds; ++round) {
      for (auto i = times_.begin(); i != times_.end();) {
        // A peer that is ten times slower than the fastest gets one turn only.
        const bool slow = round && i->second.seconds[0] > 10 * fastest;
        if (slow && i->first != own_) {
          ++i;
          continue;
        }
        // Threads wait for more work on the processor for a while.
        usleep(threads_ > 1 ? 100'000 : 5'000);
        i = take_turn(i, fastest);
      }
    }
  }

  // alone: seconds on one thread, which this fills if it is on one thread.
  Result result(Seconds& alone) {
    Result r{.name = w_.name(), .unit = "ms", .target = w_.target, .threads = threads_};
    if (!times_.contains(own_)) {
      r.note = "not measured" + (note_.empty() ? "" : ": " + note_);
      return r;
    }
    const double seconds = quartile(times_[own_].seconds);
    const double scale = w_.ops ? 1e9 / double(w_.ops) : seconds < 1e-3 ? 1e6 : 1e3;
    r.unit = w_.ops ? "ns/op" : seconds < 1e-3 ? "us" : "ms";
    r.value = seconds * scale;
    Seconds all;
    const std::string best = compare(r, all, scale);
    judge(r, seconds, best.empty() ? 0 : all[best]);
    all[own_] = seconds;
    if (threads_ == 1) {
      alone = all;
    } else if (!best.empty() && alone.contains(best)) {
      judge_scaling(r, alone[own_] / seconds, best, alone[best] / all[best]);
    }
    r.note = note_;
    return r;
  }

  void add_note(const std::string& text) { note_ += (note_.empty() ? "" : "; ") + text; }

 private:
  using Entry = std::map<std::string, Times>::iterator;

  void await(const std::string& name) {
    const auto answer = peers_.at(name).hear();
    if (!answer) {
      peers_.erase(name);
      return add_note(name + " ended early");
    }
    if (answer->contains("error")) {
      return add_note(name + ": " + answer->value("error", "").substr(0, 160));
    }
    if (!answer->contains("difference")) return;
    const double d = answer->value("difference", 1.0);
    if (!(d <= w_.tolerance)) add_note(name + "'s result differs by " + std::to_string(d));
    times_[name];
  }

  Entry take_turn(Entry i, double& fastest) {
    const auto answer = peers_.at(i->first).ask({{"turn", turn_seconds}});
    if (!answer || !answer->contains("seconds")) {
      add_note(i->first + " ended early");
      peers_.erase(i->first);
      return times_.erase(i);
    }
    i->second.seconds.push_back(answer->value("seconds", 0.0));
    fastest = std::min(fastest, i->second.seconds.back());
    if (answer->contains("limit")) i->second.limit.push_back(answer->value("limit", 0.0));
    return ++i;
  }

  // Lists the peers in r and in all; returns the one to compare with, if there is one.
  std::string compare(Result& r, Seconds& all, double scale) {
    std::string best;
    for (const std::string& name : libraries) {
      if (name == "ember" || !times_.contains(name)) continue;
      all[name] = quartile(times_[name].seconds);
      r.peers.push_back({name, all[name] * scale});
      if (!w_.against.empty() && w_.against != name) continue;
      if (best.empty() || all[name] < all[best]) best = name;
    }
    r.reference = best;
    return best;
  }

  // best: the seconds of the peer to compare with; 0: there is none.
  void judge(Result& r, double seconds, double best) {
    const auto require = [&](bool good) { r.met = r.met.value_or(true) && good; };
    if (best) {
      r.ratio = seconds / best;
      if (w_.target) require(*r.ratio <= w_.target);
    }
    if (w_.most_ns) {
      require(r.value <= w_.most_ns);
      add_note("at most " + std::to_string(int(w_.most_ns)) + " ns");
    }
    if (times_[own_].limit.empty()) return;
    const double of = seconds / quartile(times_[own_].limit);
    add_note(two_digits(of) + " of " + w_.limit +
             (w_.limit_target ? ", to be at most " + two_digits(w_.limit_target) : ""));
    if (w_.limit_target) require(of <= w_.limit_target);
  }

  // Where the best peer scales well, Ember has to.
  void judge_scaling(Result& r, double ours, const std::string& best, double theirs) {
    const double enough = 0.9 * threads_;
    add_note(two_digits(ours) + " of one thread's speed, " + best + " " + two_digits(theirs));
    if (r.met && theirs >= enough) r.met = *r.met && ours >= enough;
  }

  const Workload& w_;
  std::map<std::string, Peer>& peers_;
  int threads_;
  std::string own_;  // who runs it on Ember's side: "ember" is Ember from Python
  std::map<std::string, Times> times_;
  std::string note_;
};

}  // namespace

std::vector<Result> run_speed(const Options& options, const Progress& progress) {
  const char* python = std::getenv("EMBER_BENCH_PYTHON");
  const std::vector<Workload> chosen = choose(options.only);
  const auto folder =
      std::filesystem::temp_directory_path() / ("ember-bench-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  struct Remove {
    const std::filesystem::path& folder;
    ~Remove() { std::filesystem::remove_all(folder); }
  } remove{folder};

  std::vector<Result> results;
  std::map<std::string, Seconds> alone;  // on one thread, by workload
  std::vector<int> counts = options.threads;
  if (counts.empty()) counts = cores() > 1 ? std::vector<int>{1, cores()} : std::vector<int>{1};
  for (const int threads : counts) {
    const std::string on = ", " + std::to_string(threads) + (threads > 1 ? " threads" : " thread");
    progress("starting the peers" + on);
    std::map<std::string, Peer> peers = start_peers(python, threads, progress);
    for (const Workload& w : chosen) {
      progress(w.name() + on);
      Race race(w, peers, threads);
      race.prepare(folder);
      race.run(options.rounds);
      if (!python) {
        race.add_note(
            "no peers: set EMBER_BENCH_PYTHON to a Python that has them (make bench does)");
      }
      results.push_back(race.result(alone[w.name()]));
    }
  }
  return results;
}

}  // namespace ember::bench
