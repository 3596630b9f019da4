// Checkpoints, early stopping, the CSV log and the progress bar.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "ember/train.h"
#include "src/io/atomic_file.h"
#include "src/nn/numbers.h"

namespace ember::train {

using nn::entry, nn::number, nn::put_under, nn::read_count, nn::read_number, nn::under;
namespace fs = std::filesystem;

namespace {

double worst(bool maximize) { return maximize ? -HUGE_VAL : HUGE_VAL; }

double monitored(const char* who, const Trainer& t, const std::string& name) {
  if (const auto it = t.record().find(name); it != t.record().end()) return it->second;
  std::string known;
  for (const auto& [k, v] : t.record()) known += (known.empty() ? "" : ", ") + k;
  throw ValueError("[" + std::string(who) + "] an epoch has no '" + name + "', but " + known);
}

// The checkpoints in a folder, oldest first.
std::vector<fs::path> checkpoints(const std::string& folder) {
  std::vector<fs::path> r;
  std::error_code none;
  for (const auto& e : fs::directory_iterator(folder, none)) {
    const std::string name = e.path().filename().string();
    if (name.starts_with("step-") && name.ends_with(".safetensors")) r.push_back(e.path());
  }
  std::sort(r.begin(), r.end(), [](const fs::path& a, const fs::path& b) {
    const std::string x = a.filename().string();
    const std::string y = b.filename().string();
    return x.size() != y.size() ? x.size() < y.size() : x < y;
  });
  return r;
}

std::string text(const char* format, double v) {
  char s[64];
  std::snprintf(s, sizeof s, format, v);
  return s;
}

}  // namespace

Checkpoint::Checkpoint(CheckpointOptions options)
    : options_(std::move(options)), best_(worst(options_.maximize)) {
  if (options_.folder.empty()) throw ValueError("[Checkpoint] the folder is missing");
  options_.best |= options_.best_only;
}
std::string Checkpoint::latest(const std::string& folder) {
  const auto all = checkpoints(folder);
  return all.empty() ? "" : all.back().string();
}
void Checkpoint::on_fit_begin(Trainer&) {
  std::error_code error;
  fs::create_directories(options_.folder, error);
  if (error) {
    throw IoError("[Checkpoint] " + io::printable(options_.folder) +
                  " cannot be created: " + error.message());
  }
}
void Checkpoint::write(Trainer& t) {
  char name[64];
  std::snprintf(name, sizeof name, "step-%09lld.safetensors", static_cast<long long>(t.step()));
  t.save((fs::path(options_.folder) / name).string());
  if (options_.keep <= 0 || t.rank() != 0) return;
  const auto all = checkpoints(options_.folder);
  std::error_code none;
  for (size_t i = 0; i + size_t(options_.keep) < all.size(); ++i) {
    // First, so that a partly removed checkpoint is not taken for a complete one.
    fs::remove(all[i], none);
    for (const std::string& shard : shards_of(all[i].string())) fs::remove(shard, none);
  }
}
void Checkpoint::on_step_end(Trainer& t) {
  if (!options_.best_only && options_.every_steps > 0 && t.step() % options_.every_steps == 0) {
    write(t);
  }
}
void Checkpoint::on_epoch_end(Trainer& t) {
  bool better = false;
  if (options_.best) {
    const double v = monitored("Checkpoint", t, options_.monitor);
    better = options_.maximize ? v > best_ : v < best_;
    if (better) best_ = v;
  }
  if (better) t.save((fs::path(options_.folder) / "best.safetensors").string());
  if (!options_.best_only && options_.every_epochs > 0 && t.epoch() % options_.every_epochs == 0) {
    write(t);
  }
}
StateDict Checkpoint::state_dict() const { return {{"best", number(best_)}}; }
void Checkpoint::load_state_dict(const StateDict& s) { best_ = read_number(entry(s, "best")); }

EarlyStopping::EarlyStopping(EarlyStoppingOptions options)
    : options_(std::move(options)), best_(worst(options_.maximize)) {}
void EarlyStopping::on_fit_begin(Trainer& t) {
  if (stopped_) t.stop();  // a finished run is not continued
}
void EarlyStopping::on_epoch_end(Trainer& t) {
  const double v = monitored("EarlyStopping", t, options_.monitor);
  if (options_.maximize ? v > best_ + options_.min_delta : v < best_ - options_.min_delta) {
    best_ = v;
    waited_ = 0;
    // Values are never overwritten, so this does not copy.
    if (options_.restore_best) {
      weights_ = t.model().state_dict();
    }
    return;
  }
  if (++waited_ > options_.patience) {
    stopped_ = true;
    t.stop();
  }
}
void EarlyStopping::on_fit_end(Trainer& t) {
  if (options_.restore_best && !weights_.empty()) t.model().load_state_dict(weights_);
}
StateDict EarlyStopping::state_dict() const {
  StateDict s{
      {"best", number(best_)}, {"waited", number(waited_)}, {"stopped", number(int64_t(stopped_))}};
  put_under(s, "weights.", weights_);
  return s;
}
void EarlyStopping::load_state_dict(const StateDict& s) {
  best_ = read_number(entry(s, "best"));
  waited_ = read_count(entry(s, "waited"), "waited");
  stopped_ = read_count(entry(s, "stopped"), "stopped") != 0;
  weights_ = under(s, "weights.");
}

void CSVLog::write(Trainer& t) {
  Record names;
  for (const Record& e : t.history().epochs) names.insert(e.begin(), e.end());
  if (names.empty()) return;
  std::vector<std::string> columns{"epoch"};
  for (const auto& [name, v] : names) {
    if (name != "epoch") columns.push_back(name);
  }
  std::string out;
  for (const std::string& c : columns) out += (out.empty() ? "" : ",") + c;
  for (const Record& e : t.history().epochs) {
    out += "\n";
    for (const std::string& c : columns) {
      if (c != "epoch") out += ",";
      if (const auto it = e.find(c); it != e.end()) out += text("%.17g", it->second);
    }
  }
  io::AtomicFile file(path_);
  file.write(out + "\n");
  file.commit();
}

namespace {
double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
std::string clock(double seconds) {
  const auto s = static_cast<long long>(std::ceil(seconds));
  char r[64];
  if (s >= 3600) {
    std::snprintf(r, sizeof r, "%lld:%02lld:%02lld", s / 3600, s / 60 % 60, s % 60);
  } else {
    std::snprintf(r, sizeof r, "%lld:%02lld", s / 60, s % 60);
  }
  return r;
}
std::string head(const Trainer& t, int64_t epoch) {
  const std::string last = std::to_string(t.epochs());
  const std::string one = std::to_string(epoch);
  return "epoch " + std::string(last.size() - std::min(last.size(), one.size()), ' ') + one + "/" +
         last;
}
}  // namespace

Progress::Progress(std::FILE* out, std::optional<bool> terminal)
    : Progress(
          [out](const std::string& text) {
            std::fputs(text.c_str(), out);
            std::fflush(out);
          },
          terminal.value_or(isatty(fileno(out)))) {}
void Progress::on_epoch_begin(Trainer& t) {
  began_ = shown_ = now();
  first_ = t.batch();
}
void Progress::on_step_end(Trainer& t) {
  const double at = now();
  const double passed = at - began_;
  if (at - shown_ < (terminal_ ? 0.1 : 10)) return;
  shown_ = at;
  const int64_t done = t.batch();
  const int64_t all = t.batches();
  const double rate = double(done - first_) / passed;
  const std::string tail = text("  %.3g batches/s", rate) + "  " +
                           clock(double(all - done) / rate) + " left" +
                           text("  loss %.4g", t.loss());
  if (!terminal_) {
    return write_(head(t, t.epoch() + 1) + "  " + std::to_string(done) + "/" + std::to_string(all) +
                  tail + "\n");
  }
  constexpr int width = 30;
  const int full = int(width * done / std::max<int64_t>(1, all));
  std::string bar;
  for (int i = 0; i < width; ++i) bar += i < full ? "━" : i == full ? "╸" : "─";
  write_("\r\x1b[2K" + head(t, t.epoch() + 1) + " " + bar +
         text(" %3.0f %%", double(100 * done / std::max<int64_t>(1, all))) + tail);
}
void Progress::on_epoch_end(Trainer& t) {
  std::string line = head(t, t.epoch()) + text("  %.2f s", t.record().at("seconds"));
  for (const auto& [name, v] : t.record()) {
    if (name == "epoch" || name == "seconds" || name == "lr") continue;
    line +=
        "  " + name + (name.ends_with("accuracy") ? text(" %.1f %%", 100 * v) : text(" %.4g", v));
  }
  write_((terminal_ ? "\r\x1b[2K" : "") + line + "\n");
}

}  // namespace ember::train
