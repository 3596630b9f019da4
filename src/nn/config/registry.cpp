// The registry, and the edit distance for suggestions.
#include "ember/registry.h"

#include <algorithm>

#include "src/nn/config/names.h"

namespace ember {
namespace {

// Damerau-Levenshtein distance: insertions, deletions, substitutions, swaps of neighbours.
size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1);
  std::vector<size_t> last(b.size() + 1);
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}
std::string_view tail(std::string_view name) { return name.substr(name.rfind('/') + 1); }

}  // namespace

std::vector<std::string> nearest_names(std::string_view wrong,
                                       const std::vector<std::string>& known, bool closely) {
  wrong = wrong.substr(0, 100);
  const std::string_view end = tail(wrong);
  std::vector<std::pair<size_t, std::string>> near;
  for (const std::string& k : known) {
    const std::string_view e = tail(k);
    // A match in another group costs one more edit; a substring counts as two.
    size_t d = std::min(distance(wrong, k), distance(end, e) + 1);
    if (end.size() > 2 &&
        (e.starts_with(end) || e.ends_with(end) || (e.size() > 2 && end.starts_with(e)))) {
      d = std::min<size_t>(d, 2);
    }
    if (d <= (closely ? 2 : std::max<size_t>(2, end.size() / 3))) near.emplace_back(d, k);
  }
  std::sort(near.begin(), near.end());
  std::vector<std::string> r;
  for (size_t i = 0; i < near.size() && i < 3; ++i) r.push_back(near[i].second);
  return r;
}
std::string joined(const std::vector<std::string>& names, const char* between) {
  std::string r;
  for (const std::string& n : names) r += (r.empty() ? "" : between) + n;
  return r;
}

void Registry::put(std::string name, Factory factory, bool anew) {
  if (name.empty() || name.front() == '/' || name.back() == '/' ||
      std::any_of(name.begin(), name.end(), [](unsigned char c) { return c <= ' ' || c == 127; })) {
    throw ValueError("[registry] " + in_quotes(name) +
                     " is not a valid name: use words between slashes, without blanks");
  }
  if (!factory) throw ValueError("[registry] " + in_quotes(name) + " has no factory");
  const std::lock_guard lock(mutex_);
  if (anew && factories_.contains(name)) {
    throw ValueError("[registry] " + in_quotes(name) + " is already registered: use replace()");
  }
  factories_.insert_or_assign(std::move(name), std::move(factory));
}
void Registry::add(std::string name, Factory factory) {
  put(std::move(name), std::move(factory), true);
}
void Registry::replace(std::string name, Factory factory) {
  put(std::move(name), std::move(factory), false);
}
bool Registry::remove(std::string_view name) {
  const std::lock_guard lock(mutex_);
  const auto it = factories_.find(name);
  if (it == factories_.end()) return false;
  factories_.erase(it);
  return true;
}
bool Registry::has(std::string_view name) const {
  const std::lock_guard lock(mutex_);
  return factories_.contains(name);
}
size_t Registry::size() const {
  const std::lock_guard lock(mutex_);
  return factories_.size();
}
std::vector<std::string> Registry::list(std::string_view prefix) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> r;
  for (auto it = factories_.lower_bound(prefix);
       it != factories_.end() && it->first.starts_with(prefix); ++it) {
    r.push_back(it->first);
  }
  return r;
}

nn::ModulePtr Registry::create(const Config& config) const {
  return create(config.get<std::string>("type"), config);
}
nn::ModulePtr Registry::create(std::string_view name, const Config& config) const {
  Factory factory;
  {
    const std::lock_guard lock(mutex_);
    if (const auto it = factories_.find(name); it != factories_.end()) factory = it->second;
  }
  if (!factory) {
    const std::vector<std::string> all = list();
    const std::vector<std::string> near = nearest_names(name, all);
    std::vector<std::string> groups;
    for (const std::string& n : all) {
      if (const std::string g = n.substr(0, n.find('/') + 1);
          !g.empty() && (groups.empty() || groups.back() != g)) {
        groups.push_back(g);
      }
    }
    throw ValueError("[registry] unknown name " + in_quotes(name) +
                     (!near.empty()     ? ": did you mean " + joined(near, " or ") + "?"
                      : !groups.empty() ? "; the names begin with " + joined(groups, " or ")
                                        : "; nothing has been added"));
  }
  const Config own = config.anew();
  if (own.has("type") && own.get<std::string>("type") != name) {
    throw ValueError("[registry] " + in_quotes(name) + " does not match the config's type " +
                     in_quotes(own.get<std::string>("type")));
  }
  nn::ModulePtr made = factory(own);
  if (!made) throw StateError("[registry] the factory of " + in_quotes(name) + " returned nothing");
  own.check_all_read();
  return made;
}

Registry& registry() {
  struct Builtin : Registry {
    Builtin() {
      add_builtin_layers(*this);
      add_builtin_models(*this);
    }
  };
  static Builtin* const all = new Builtin;  // never destroyed: other statics may use it until exit
  return *all;
}

}  // namespace ember
