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

struct Times {
  std::vector<double> seconds, limit;
};

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

std::vector<Result> run_speed(const Options& options, const Progress& progress) {
  const char* python = std::getenv("EMBER_BENCH_PYTHON");
  std::vector<Workload> chosen;
  for (Workload& w : workloads()) {
    if (options.only.empty() ||
        std::any_of(options.only.begin(), options.only.end(),
                    [&](const std::string& o) { return w.name().find(o) != std::string::npos; })) {
      chosen.push_back(std::move(w));
    }
  }
  const auto folder =
      std::filesystem::temp_directory_path() / ("ember-bench-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  struct Remove {
    const std::filesystem::path& folder;
    ~Remove() { std::filesystem::remove_all(folder); }
  } remove{folder};

  std::vector<Result> results;
  std::map<std::string, std::map<std::string, double>>
      alone;  // seconds on one thread, by workload and peer
  std::vector<int> counts = options.threads;
  if (counts.empty()) counts = cores() > 1 ? std::vector<int>{1, cores()} : std::vector<int>{1};
  for (const int threads : counts) {
    const std::string on = ", " + std::to_string(threads) + (threads > 1 ? " threads" : " thread");
    progress("starting the peers" + on);
    std::map<std::string, Peer> peers;
    peers.emplace("Ember", Peer({"/proc/self/exe", "--turns"}, threads));
    setenv("PYTHONPATH", (cli::library_folder() + "/../python").c_str(), 1);
    for (const std::string& name : libraries) {
      if (python) {
        peers.emplace(name, Peer({python, cli::share_folder() + "/peers/serve.py", name,
                                  std::to_string(threads)},
                                 threads));
      }
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

    for (const Workload& w : chosen) {
      const std::string own =
          w.own == "ember" ? "Ember" : "ember";  // the latter is Ember from Python
      Result r{.name = w.name(), .unit = "ms", .target = w.target, .threads = threads};
      progress(w.name() + on);
      json order = {
          {"name", w.name()}, {"kind", w.kind}, {"dtype", w.dtype}, {"folder", folder.string()}};
      std::map<std::string, Times> times;
      std::string note;
      const auto add_note = [&](const std::string& text) {
        note += (note.empty() ? "" : "; ") + text;
      };
      const auto ready = [&](const std::string& name) {
        const auto answer = peers.at(name).hear();
        if (!answer) return peers.erase(name), add_note(name + " ended early"), false;
        if (answer->contains("error")) {
          return add_note(name + ": " + answer->value("error", "").substr(0, 160)), false;
        }
        if (!answer->contains("difference")) return false;
        const double d = answer->value("difference", 1.0);
        if (!(d <= w.tolerance)) add_note(name + "'s result differs by " + std::to_string(d));
        times[name];
        return true;
      };
      std::filesystem::remove(folder / "model.onnx");
      if (peers.contains("Ember")) {
        peers.at("Ember").tell(order);
        ready("Ember");
      }
      if (times.contains("Ember")) {
        std::vector<std::string> names;
        for (auto& [name, peer] : peers) {
          if (name != "Ember") {
            peer.tell(order);
            names.push_back(name);
          }
        }
        for (const std::string& name : names) ready(name);
      }
      times.erase(w.own == "ember" ? "ember" : "Ember");
      double fastest = 1e9;
      for (int round = 0; round < options.rounds; ++round) {
        for (auto i = times.begin(); i != times.end();) {
          // Who is ten times slower than the fastest is not waited for again.
          if (round && i->first != own && i->second.seconds[0] > 10 * fastest) {
            ++i;
            continue;
          }
          usleep(threads > 1 ? 100'000
                             : 5'000);  // threads wait for more work on the processor for a while
          const auto answer = peers.at(i->first).ask({{"turn", turn_seconds}});
          if (!answer || !answer->contains("seconds")) {
            add_note(i->first + " ended early");
            peers.erase(i->first);
            i = times.erase(i);
            continue;
          }
          i->second.seconds.push_back(answer->value("seconds", 0.0));
          fastest = std::min(fastest, i->second.seconds.back());
          if (answer->contains("limit")) i->second.limit.push_back(answer->value("limit", 0.0));
          ++i;
        }
      }
      if (!times.contains(own)) {
        r.note = "not measured" + (note.empty() ? "" : ": " + note);
        results.push_back(r);
        continue;
      }
      const double seconds = quartile(times[own].seconds);
      const double scale = w.ops ? 1e9 / double(w.ops) : seconds < 1e-3 ? 1e6 : 1e3;
      r.unit = w.ops ? "ns/op" : seconds < 1e-3 ? "us" : "ms";
      r.value = seconds * scale;
      const std::string* best = nullptr;
      std::map<std::string, double> all;
      for (const std::string& name : libraries) {
        if (name != "ember" && times.contains(name)) {
          all[name] = quartile(times[name].seconds);
          r.peers.push_back({name, all[name] * scale});
          if ((w.against.empty() || w.against == name) && (!best || all[name] < all[*best])) {
            best = &name;
          }
        }
      }
      bool met = true;
      bool compared = false;
      if (best) {
        r.reference = *best;
        r.ratio = seconds / all[*best];
        if (w.target) {
          met = *r.ratio <= w.target;
          compared = true;
        }
      }
      if (w.most_ns) {
        compared = true;
        met = met && r.value <= w.most_ns;
        add_note("at most " + std::to_string(int(w.most_ns)) + " ns");
      }
      const auto two = [](double v) {
        char text[32];
        std::snprintf(text, sizeof text, "%.2f", v);
        return std::string(text);
      };
      if (!times[own].limit.empty()) {
        const double of = seconds / quartile(times[own].limit);
        add_note(two(of) + " of " + w.limit +
                 (w.limit_target ? ", to be at most " + two(w.limit_target) : ""));
        if (w.limit_target) {
          met = met && of <= w.limit_target;
          compared = true;
        }
      }
      all[own] = seconds;
      if (threads == 1) {
        alone[w.name()] = all;
      } else if (const auto before = alone.find(w.name());
                 before != alone.end() && best && before->second.contains(*best)) {
        const double ours = before->second[own] / seconds;
        const double theirs = before->second[*best] / all[*best];
        const double enough = 0.9 * threads;
        add_note(two(ours) + " of one thread's speed, " + *best + " " + two(theirs));
        if (theirs >= enough) met = met && ours >= enough;
      }
      if (compared) r.met = met;
      if (!python) {
        add_note("no peers: set EMBER_BENCH_PYTHON to a Python that has them (make bench does)");
      }
      r.note = note;
      results.push_back(r);
    }
  }
  return results;
}

}  // namespace ember::bench
