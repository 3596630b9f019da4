// The page of `ember bench --report`.
#include <algorithm>
#include <sstream>

#include "bench/bench.h"

namespace ember::bench {
namespace {

constexpr const char* style = R"(
:root { color-scheme: light dark; --ink: #1b1b1f; --soft: #6b6b76; --line: #dcdce3; --back: #fbfaf8; --card: #fff; --accent: #d9480f; --bar: #b9bcc9; --good: #2f9e44 }
@media (prefers-color-scheme: dark) { :root { --ink: #ececf1; --soft: #9a9aa6; --line: #34343d; --back: #17171b; --card: #1f1f25; --accent: #ff922b; --bar: #565a6b; --good: #69db7c } }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 40px 24px; max-width: 1240px; font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--back) }
h1 { margin: 0; font-size: 30px; letter-spacing: -.02em } h1 em { font-style: normal; color: var(--accent) }
h2 { margin: 44px 0 4px; font-size: 20px } h3 { margin: 28px 0 12px; font-size: 16px; color: var(--soft) }
p { color: var(--soft); margin: 8px 0; max-width: 80ch }
table { border-collapse: collapse; width: 100%; background: var(--card); border: 1px solid var(--line); font-variant-numeric: tabular-nums; font-size: 15px }
th, td { padding: 7px 14px; text-align: right; border-bottom: 1px solid var(--line) } tr:last-child td { border-bottom: 0 }
th { font-weight: 600; color: var(--soft); font-size: 14px } th:first-child, td:first-child, th:nth-child(4), td:nth-child(4), td:last-child, th:last-child { text-align: left }
td small { display: block; color: var(--soft) } .met { color: var(--good) } .missed { color: var(--accent); font-weight: 600 }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(380px, 1fr)); gap: 16px }
figure { margin: 0; padding: 14px 16px; background: var(--card); border: 1px solid var(--line); border-radius: 10px }
figcaption { font-weight: 600; display: flex; justify-content: space-between; margin-bottom: 8px }
.bar { display: grid; grid-template-columns: 108px 1fr 84px; align-items: center; gap: 8px; font-size: 13.5px; line-height: 20px; color: var(--soft) }
.bar div { position: relative; height: 13px } .bar i { position: absolute; inset: 0 auto 0 0; background: var(--bar); border-radius: 2px; min-width: 2px }
.bar u { position: absolute; top: -3px; bottom: -3px; width: 0; border-left: 2px dashed var(--good) } .bar.own { color: var(--ink); font-weight: 600 } .bar.own i { background: var(--accent) }
.bar span:last-child { text-align: right; font-variant-numeric: tabular-nums } .long i { border-right: 4px dotted var(--card) }
)";

std::string number(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", v < 1 ? 3 : v < 10 ? 2 : v < 100 ? 1 : 0, v);
  return text;
}
std::string escaped(const std::string& s) {
  std::string r;
  for (char c : s) c == '<' ? r += "&lt;" : c == '&' ? r += "&amp;" : r += c;
  return r;
}
std::string verdict(const Result& r) {
  return !r.met   ? "not compared"
         : *r.met ? "<span class='met'>met</span>"
                  : "<span class='missed'>missed</span>";
}

// Ember's bar, the peers' bars from the fastest on, and a line at the target. Bars longer than
// three times the others are truncated.
std::string bars(const Result& r) {
  auto peers = r.peers;
  std::sort(peers.begin(), peers.end(),
            [](const auto& a, const auto& b) { return a.second < b.second; });
  const double whole =
      std::max({r.value, peers[0].second,
                std::min(peers.back().second, 3 * std::max(r.value, peers[0].second))}) *
      1.02;
  const auto percent = [&](double v) { return number(std::min(100.0, 100 * v / whole)) + "%"; };
  std::ostringstream s;
  s << "<figure><figcaption><span>" << escaped(r.name) << "</span>" << verdict(r)
    << "</figcaption>";
  const auto bar = [&](const std::string& name, double v, const char* kind, double line) {
    s << "<div class='bar" << kind << (v > whole ? " long" : "") << "'><span>" << escaped(name)
      << "</span><div><i style='width:" << percent(v) << "'></i>";
    if (line) s << "<u style='left:" << percent(line) << "'></u>";
    s << "</div><span>" << number(v) << " " << r.unit << "</span></div>";
  };
  double aim = 0;
  for (const auto& [name, v] : peers) {
    if (name == r.reference) aim = v * r.target;
  }
  bar("Ember", r.value, " own", aim);
  for (const auto& [name, v] : peers) bar(name, v, "", 0);
  s << "</figure>";
  return s.str();
}

}  // namespace

std::string html(const std::vector<Section>& sections) {
  std::ostringstream s;
  s << "<!doctype html><html lang='en'><meta charset='utf-8'><meta name='viewport' "
       "content='width=device-width, initial-scale=1'><title>Ember: benchmark</title><style>"
    << style
    << "</style><h1><em>Ember</em> beside others</h1><p>Measured in one run: every library in a "
       "separate process, in turns, the lower quartile of all turns. "
       "A ratio below 1 means that Ember is faster. Ember "
    << EMBER_VERSION << ".</p>";
  for (const Section& section : sections) {
    s << "<h2>" << section.name << "</h2><p>" << escaped(section.doc) << "</p>";
    std::vector<int> counts;
    for (const Result& r : section.results) {
      if (counts.empty() || counts.back() != r.threads) counts.push_back(r.threads);
    }
    for (const int threads : counts) {
      const std::string heading = std::to_string(threads) + (threads > 1 ? " threads" : " thread");
      std::string figures;
      s << "<h3>" << heading
        << "</h3><table><tr><th>workload<th>Ember<th>ratio<th>to<th>target<th></tr>";
      for (const Result& r : section.results) {
        if (r.threads != threads) continue;
        s << "<tr><td>" << escaped(r.name)
          << (r.note.empty() ? "" : "<small>" + escaped(r.note) + "</small>") << "<td>"
          << (r.value ? number(r.value) + " " + r.unit : "") << "<td>"
          << (r.ratio ? number(*r.ratio) : "") << "<td>" << escaped(r.reference) << "<td>"
          << (r.target ? number(r.target) : "") << "<td>" << verdict(r) << "</tr>";
        if (!r.peers.empty()) figures += bars(r);
      }
      s << "</table>";
      if (!figures.empty()) {
        s << "<h3>Time of each library, " << heading
          << "; the dashed line is the target</h3><div class='cards'>" << figures << "</div>";
      }
    }
  }
  s << "</html>\n";
  return s.str();
}

}  // namespace ember::bench
