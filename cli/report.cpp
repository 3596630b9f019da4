// The HTML report of a training demo.
#include "cli/report.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "ember/ember.h"

namespace ember::cli {
namespace {

constexpr double widths[] = {9, 6, 3.5, 1.5};  // coinciding curves remain visible inside each other
constexpr const char* colours[] = {"#d9480f", "#1971c2", "#2f9e44",
                                   "#9c36b5", "#e0a800", "#0c8599"};

std::string fixed(double v, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", digits, v);
  return text;
}
std::string scientific(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1e", v);
  return v == 0 ? "0" : text;
}

struct Curve {
  std::string name;
  std::vector<double> values;
};

// A line chart, optionally with a logarithmic axis.
std::string chart(const std::string& title, const std::string& x_name,
                  const std::vector<Curve>& curves, bool logarithmic, int digits) {
  const double w = 560;
  const double h = 300;
  const double left = 56;
  const double right = 16;
  const double top = 16;
  const double bottom = 40;
  double low = 1e300;
  double high = -1e300;
  size_t n = 2;
  const auto scale = [&](double v) { return logarithmic ? std::log10(std::max(v, 1e-6)) : v; };
  for (const Curve& c : curves) {
    n = std::max(n, c.values.size());
    for (double v : c.values) {
      low = std::min(low, scale(v));
      high = std::max(high, scale(v));
    }
  }
  if (!(high > low)) high = low + 1;
  const auto px = [&](double i) { return left + (w - left - right) * i / double(n - 1); };
  const auto py = [&](double v) { return top + (h - top - bottom) * (high - v) / (high - low); };
  std::ostringstream s;
  s << "<figure><figcaption>" << title << "</figcaption><svg viewBox='0 0 " << w << " " << h
    << "' role='img' aria-label='" << title << "'>";
  for (int i = 0; i <= 4; ++i) {
    const double v = low + (high - low) * i / 4;
    s << "<line class='grid' x1='" << left << "' x2='" << w - right << "' y1='" << py(v) << "' y2='"
      << py(v) << "'/>"
      << "<text x='" << left - 8 << "' y='" << py(v) + 4 << "' text-anchor='end'>"
      << (logarithmic ? fixed(std::pow(10, v), 3) : fixed(v, digits)) << "</text>";
  }
  for (int i = 0; i <= 4; ++i) {
    const double at = double(n - 1) * i / 4;
    s << "<text x='" << px(at) << "' y='" << h - bottom + 18 << "' text-anchor='middle'>"
      << int(std::round(at)) + 1 << "</text>";
  }
  s << "<text x='" << (left + w - right) / 2 << "' y='" << h - 4 << "' text-anchor='middle'>"
    << x_name << "</text>";
  for (size_t k = 0; k < curves.size(); ++k) {
    s << "<polyline fill='none' stroke='" << colours[k % 6] << "' stroke-width='"
      << widths[std::min<size_t>(k, 3)] << "' stroke-linejoin='round' points='";
    for (size_t i = 0; i < curves[k].values.size(); ++i) {
      s << fixed(px(double(i)), 1) << "," << fixed(py(scale(curves[k].values[i])), 1) << " ";
    }
    s << "'/>";
  }
  s << "</svg><p class='legend'>";
  for (size_t k = 0; k < curves.size(); ++k) {
    s << "<span><i style='background:" << colours[k % 6] << "'></i>" << curves[k].name << "</span>";
  }
  s << "</p></figure>";
  return s.str();
}

std::string digit(const float* pixels, int64_t label, int64_t predicted, double confidence) {
  std::ostringstream s;
  s << "<div class='digit" << (label == predicted ? "" : " wrong")
    << "'><svg viewBox='0 0 8 8' role='img' aria-label='a handwritten " << label << "'>";
  for (int i = 0; i < 64; ++i) {
    if (pixels[i] > 0) {
      s << "<rect x='" << i % 8 << "' y='" << i / 8 << "' width='1.02' height='1.02' fill-opacity='"
        << fixed(pixels[i], 2) << "'/>";
    }
  }
  s << "</svg><b>" << predicted << "</b> " << fixed(confidence * 100, 1) << " %"
    << (label == predicted ? "" : "<br>is a " + std::to_string(label)) << "</div>";
  return s.str();
}

constexpr const char* style = R"(
:root { color-scheme: light dark; --ink: #1b1b1f; --soft: #6b6b76; --line: #dcdce3; --back: #fbfaf8; --card: #fff; --accent: #d9480f }
@media (prefers-color-scheme: dark) { :root { --ink: #ececf1; --soft: #9a9aa6; --line: #34343d; --back: #17171b; --card: #1f1f25; --accent: #ff922b } }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 40px 24px; max-width: 1200px; font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--back) }
h1 { margin: 0; font-size: 30px; letter-spacing: -.02em } h1 em { font-style: normal; color: var(--accent) }
h2 { margin: 40px 0 12px; font-size: 20px }
p { color: var(--soft); margin: 8px 0; max-width: 75ch }
table { border-collapse: collapse; width: 100%; background: var(--card); border: 1px solid var(--line); border-radius: 10px; overflow: hidden; font-variant-numeric: tabular-nums }
th, td { padding: 10px 16px; text-align: right; border-bottom: 1px solid var(--line) } tr:last-child td { border-bottom: 0 }
th { font-weight: 600; color: var(--soft); font-size: 14px } th:first-child, td:first-child, th:nth-child(2), td:nth-child(2) { text-align: left }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(420px, 1fr)); gap: 20px }
figure { margin: 0; padding: 16px; background: var(--card); border: 1px solid var(--line); border-radius: 10px }
figcaption { font-weight: 600; margin-bottom: 8px } svg text { font: 12px system-ui, sans-serif; fill: var(--soft) } .grid { stroke: var(--line) }
.legend { display: flex; gap: 18px; flex-wrap: wrap; font-size: 14px; margin: 4px 0 0 } .legend i { display: inline-block; width: 14px; height: 4px; border-radius: 2px; margin-right: 6px; vertical-align: middle }
.digits { display: grid; grid-template-columns: repeat(auto-fill, minmax(92px, 1fr)); gap: 12px }
.digit { padding: 10px; text-align: center; font-size: 13px; color: var(--soft); background: var(--card); border: 1px solid var(--line); border-radius: 10px }
.digit svg { width: 100%; fill: var(--ink); display: block; margin-bottom: 6px } .digit b { color: var(--ink); font-size: 16px } .digit.wrong { border-color: var(--accent) } .digit.wrong b { color: var(--accent) }
)";

}  // namespace

std::string html_report(const std::vector<Run>& runs, const Digits& data,
                        const std::vector<double>& differences) {
  std::ostringstream s;
  const size_t steps = runs[0].losses.size();
  const size_t epochs = runs[0].accuracy.size();
  s << "<!doctype html><html lang='en'><meta charset='utf-8'><meta name='viewport' "
       "content='width=device-width, initial-scale=1'><title>Ember: handwritten "
       "digits</title><style>"
    << style << "</style><h1><em>Ember</em> reads handwritten digits</h1>"
    << "<p>A small convolutional network, written once, trained from the same seed on every engine "
       "found here: "
    << data.train_labels.size() << " images, " << epochs << " epochs, " << steps
    << " steps of Adam, tested on " << data.test_labels.size()
    << " images that were not trained on. Ember " << EMBER_VERSION << ".</p>";
  s << "<h2>Engines</h2><table><tr><th>engine<th>device<th>accuracy<th>last loss<th>seconds per "
       "epoch<th>weights differ from native's by at most<th>ops that fell back</tr>";
  for (size_t k = 0; k < runs.size(); ++k) {
    s << "<tr><td>" << runs[k].engine << " " << runs[k].version << "<td>" << runs[k].device
      << "<td>" << fixed(runs[k].accuracy.back() * 100, 1) << " %<td>"
      << fixed(runs[k].losses.back(), 4) << "<td>" << fixed(runs[k].seconds, 2) << "<td>"
      << (runs[k].engine == "native" ? "" : scientific(differences[k])) << "<td>"
      << runs[k].fallbacks << "</tr>";
  }
  s << "</table>";
  std::vector<Curve> losses;
  std::vector<Curve> accuracy;
  for (const Run& r : runs) {
    Curve c{r.engine, {}};
    double smooth = r.losses[0];
    for (double v : r.losses) c.values.push_back(smooth = smooth * 0.8 + v * 0.2);
    losses.push_back(std::move(c));
    Curve a{r.engine, {}};
    for (double v : r.accuracy) a.values.push_back(v * 100);
    accuracy.push_back(std::move(a));
  }
  s << "<h2>Training</h2><p>The curves lie on top of each other: the engines compute the same "
       "numbers, to rounding.</p><div class='charts'>"
    << chart("Loss, smoothed, by step", "step", losses, true, 3)
    << chart("Test accuracy in %, by epoch", "epoch", accuracy, false, 1) << "</div>";
  const Run& r = runs[0];
  const auto pixels = data.test_images.astype(DType::float32).to_vector<float>();
  const auto labels = data.test_labels.to_vector<int64_t>();
  std::vector<size_t> shown;
  for (size_t i = 0; i < labels.size() && shown.size() < 10; ++i) {
    if (r.predicted[i] != labels[i]) shown.push_back(i);
  }
  const size_t wrong = shown.size();
  for (size_t i = 0; shown.size() < 30 && i < labels.size(); i += 7) {
    if (r.predicted[i] == labels[i]) shown.push_back(i);
  }
  s << "<h2>Sample predictions</h2><p>By the weights trained on " << r.engine
    << ", with its confidence. "
    << (wrong ? "The first ones are mistakes." : "It made no mistakes.")
    << "</p><div class='digits'>";
  for (size_t i : shown) s << digit(&pixels[i * 64], labels[i], r.predicted[i], r.confidence[i]);
  s << "</div><p>Digits: E. Alpaydin and C. Kaynak, Optical Recognition of Handwritten Digits, UCI "
       "Machine Learning Repository, 1998, CC BY 4.0.</p></html>\n";
  return s.str();
}

}  // namespace ember::cli
