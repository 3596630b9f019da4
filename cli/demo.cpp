// `ember demo`: trains the same program on every available engine.
#include <cmath>
#include <fstream>
#include <iostream>

#include "cli/commands.h"
#include "cli/digits.h"
#include "cli/report.h"
#include "cli/terminal.h"
#include "ember/ember.h"

namespace ember::cli {
namespace {

double largest_difference(const nn::StateDict& a, const nn::StateDict& b) {
  double worst = 0;
  for (const auto& [name, t] : a) {
    const auto x = t.to_vector<double>();
    const auto y = b.at(name).to_vector<double>();
    for (size_t i = 0; i < x.size(); ++i) worst = std::max(worst, std::abs(x[i] - y[i]));
  }
  return worst;
}

std::string text_of(const char* format, double v) {
  char text[32];
  std::snprintf(text, sizeof text, format, v);
  return text;
}

}  // namespace

int demo(int epochs, const std::string& report) {
  // In float64, so that engines can be compared: in float32 rounding moves some activation across
  // zero, and from there on training diverges.
  const Digits data = load_digits(DType::float64);
  const bool shows_progress = isatty(2);
  std::cout << bold(
                   "A small convolutional network learns handwritten digits, on every engine that "
                   "is here:")
            << "\n";
  std::vector<Run> runs;
  for (const auto& b : backend_info()) {
    if (!b.available) {
      std::cout << dim(pad(b.name, 12) + " absent: " + b.reason.substr(0, 100)) << "\n";
      continue;
    }
    const with_backend scope(b.name);
    Run r = train_digits(data, epochs, [&](int epoch, int step, int steps) {
      if (!shows_progress) return;
      const int width = 30;
      const int done = width * (epoch * steps + step) / (epochs * steps);
      std::cerr << "\r\033[K" << pad(b.name, 12) << " [" << std::string(size_t(done), '=')
                << std::string(size_t(width - done), ' ') << "] epoch " << epoch + 1 << " of "
                << epochs << std::flush;
    });
    if (shows_progress) {
      std::cerr << "\r\033[K";
    } else {
      std::cout << b.name << ": " << epochs << " epochs, accuracy "
                << text_of("%.1f %%", r.accuracy.back() * 100) << std::endl;
    }
    r.version = b.version;
    runs.push_back(std::move(r));
  }
  std::vector<double> differences;
  std::cout << "\n"
            << bold(pad("engine", 13) + pad("version", 10) + pad("device", 8) +
                    left_pad("accuracy", 10) + left_pad("s/epoch", 9) + left_pad("difference", 12))
            << "\n";
  for (const Run& r : runs) {
    differences.push_back(largest_difference(runs[0].weights, r.weights));  // native is first
    std::cout << pad(r.engine, 13) << pad(r.version, 10) << pad(r.device, 8)
              << left_pad(text_of("%.1f %%", r.accuracy.back() * 100), 10)
              << left_pad(text_of("%.2f", r.seconds), 9)
              << left_pad(&r == &runs[0] ? "" : text_of("%.1e", differences.back()), 12) << "\n";
  }
  std::cout << dim("difference: the largest of any weight from native's after training, in float64")
            << "\n";
  if (report.empty()) return 0;
  std::ofstream file(report);
  file << html_report(runs, data, differences);
  if (!file.flush()) throw IoError("cannot write " + report);
  std::cout << "report: " << report << "\n";
  return 0;
}

}  // namespace ember::cli
