// Configs: JSON read field by field, with errors that help.
#include <nlohmann/json.hpp>

#include <cmath>
#include <set>

#include "ember/registry.h"
#include "src/nn/config/names.h"

namespace ember {

using Json = nlohmann::ordered_json;

struct Config::Data {
  Json object;
  std::string place;                         // the path in the whole config: "layers[2]"
  std::set<std::string, std::less<>> asked;  // fields that were read or queried

  template <class Good>
  static const Json& read(const Config& c, std::string_view name, const char* expected, Good good) {
    const Json& v = *static_cast<const Json*>(c.field(name, expected));
    if (!good(v)) c.mistyped(name, expected);
    return v;
  }
  template <class Good>
  static const Json& list(const Config& c, std::string_view name, const char* expected,
                          const char* element, Good good);
  static Config part(const Config& c, std::string_view name, const Json& object) {
    return Config(std::make_shared<Data>(Data{
        object, (c.data_->place.empty() ? "" : c.data_->place + ".") + std::string(name), {}}));
  }
};

namespace {

constexpr int deepest = 100;
// 2^53: larger numbers with a decimal point are not exact.
constexpr double whole_limit = 9007199254740992;

// "line 2, column 5" of a byte.
std::string place_of(std::string_view text, size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte ? byte - 1 : 0, text.size()));
  const size_t lines = size_t(std::count(before.begin(), before.end(), '\n'));
  const size_t start = before.rfind('\n') + 1;
  return "line " + std::to_string(lines + 1) + ", column " +
         std::to_string(before.size() - start + 1);
}
std::string dumped(const Json& v) { return v.dump(-1, ' ', false, Json::error_handler_t::replace); }
std::string shown(const Json& v) {
  switch (v.type()) {
    case Json::value_t::null: return "null";
    case Json::value_t::boolean: return v.get<bool>() ? "true" : "false";
    case Json::value_t::string: {
      const std::string s = dumped(v);
      return "the string " + (s.size() <= 60 ? s : s.substr(0, 57) + "...\"");
    }
    case Json::value_t::array: return "a list of " + std::to_string(v.size());
    case Json::value_t::object: return "an object";
    default: return "the number " + dumped(v);
  }
}
std::optional<int64_t> whole(const Json& v) {
  if (v.is_number_unsigned() && v.get<uint64_t>() > uint64_t(INT64_MAX)) return {};
  if (v.is_number_integer()) return v.get<int64_t>();
  if (!v.is_number_float()) return {};
  const double d = v.get<double>();
  return std::abs(d) <= whole_limit && std::trunc(d) == d ? std::optional(int64_t(d))
                                                          : std::nullopt;
}

}  // namespace

template <class Good>
const Json& Config::Data::list(const Config& c, std::string_view name, const char* expected,
                               const char* element, Good good) {
  const Json& v = read(c, name, expected, [](const Json& v) { return v.is_array(); });
  for (size_t i = 0; i < v.size(); ++i) {
    if (!good(v[i])) {
      throw ValueError(c.who() + "the field " +
                       in_quotes(std::string(name) + "[" + std::to_string(i) + "]") + " must be " +
                       element + ", not " + shown(v[i]));
    }
  }
  return v;
}

Config::Config(std::string_view text) : data_(std::make_shared<Data>()) {
  // Rejects duplicate names and unlimited nesting, which the parser accepts.
  std::vector<std::set<std::string>> open;
  const auto watch = [&](int depth, Json::parse_event_t event, Json& value) {
    if (depth > deepest) {
      throw ValueError("[config] nested more than " + std::to_string(deepest) + " deep");
    }
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    if (event == Json::parse_event_t::key && !open.back().insert(value.get<std::string>()).second) {
      throw ValueError("[config] the field " + in_quotes(value.get<std::string>()) +
                       " comes twice");
    }
    return true;
  };
  try {
    data_->object = Json::parse(text.begin(), text.end(), watch);
  } catch (const nlohmann::json::parse_error& e) {
    throw ValueError("[config] invalid JSON at " + place_of(text, e.byte) +
                     (e.byte > text.size() ? ": it ends early" : ""));
  } catch (const nlohmann::json::exception&) {
    throw ValueError("[config] a number is too large");
  }
  if (!data_->object.is_object()) {
    throw ValueError("[config] a config must be an object, not " + shown(data_->object));
  }
}
Config Config::anew() const {
  return Config(std::make_shared<Data>(Data{data_->object, data_->place, {}}));
}
std::string Config::who() const {
  const auto it = data_->object.find("type");
  const std::string type = it != data_->object.end() && it->is_string()
                               ? it->get<std::string>().substr(0, 60)
                               : "config";
  return "[" + type + (data_->place.empty() ? "" : ", at " + data_->place) + "] ";
}

bool Config::has(std::string_view name) const {
  data_->asked.emplace(name);
  const auto it = data_->object.find(name);
  return it != data_->object.end() && !it->is_null();
}
std::vector<std::string> Config::names() const {
  std::vector<std::string> r;
  for (const auto& [k, v] : data_->object.items()) r.push_back(k);
  return r;
}
std::string Config::text() const { return dumped(data_->object); }

const void* Config::field(std::string_view name, const char* expected) const {
  data_->asked.emplace(name);
  const auto it = data_->object.find(name);
  if (it != data_->object.end()) return &*it;
  std::vector<std::string> others;
  for (const std::string& n : names()) {
    if (!data_->asked.contains(n) && n != "type") others.push_back(n);
    // Other fields may be valid and not read yet.
  }
  const std::vector<std::string> near = nearest_names(name, others, true);
  throw ValueError(who() + "the field " + in_quotes(name) + " is missing: " + expected +
                   (near.empty() ? "" : " (there is " + in_quotes(near[0]) + ")"));
}
void Config::mistyped(std::string_view name, const char* expected) const {
  throw ValueError(who() + "the field " + in_quotes(name) + " must be " + expected + ", not " +
                   shown(*data_->object.find(name)));
}
void Config::check_all_read() const {
  std::vector<std::string> known(data_->asked.begin(), data_->asked.end());
  std::erase(known, "type");
  for (const std::string& n : names()) {
    if (n == "type" || data_->asked.contains(n)) continue;
    const std::vector<std::string> near = nearest_names(n, known);
    throw ValueError(who() + "has no field " + in_quotes(n) +
                     (!near.empty()    ? ": did you mean " + joined(near, " or ") + "?"
                      : !known.empty() ? "; its fields are " + joined(known)
                                       : "; it takes none"));
  }
}

template <> bool Config::get<bool>(std::string_view name) const {
  return Data::read(*this, name, "true or false", [](const Json& v) { return v.is_boolean(); })
      .get<bool>();
}
template <> int64_t Config::get<int64_t>(std::string_view name) const {
  return *whole(Data::read(*this, name, "a whole number",
                           [](const Json& v) { return whole(v).has_value(); }));
}
template <> double Config::get<double>(std::string_view name) const {
  return Data::read(*this, name, "a number", [](const Json& v) { return v.is_number(); })
      .get<double>();
}
template <> std::string Config::get<std::string>(std::string_view name) const {
  return Data::read(*this, name, "a string", [](const Json& v) { return v.is_string(); })
      .get<std::string>();
}
template <> Ints Config::get<Ints>(std::string_view name) const {
  Ints r;
  for (const Json& e : Data::list(*this, name, "a list of whole numbers", "a whole number",
                                  [](const Json& v) { return whole(v).has_value(); })) {
    r.push_back(*whole(e));
  }
  return r;
}
template <> std::vector<double> Config::get<std::vector<double>>(std::string_view name) const {
  return Data::list(*this, name, "a list of numbers", "a number",
                    [](const Json& v) { return v.is_number(); });
}
template <>
std::vector<std::string> Config::get<std::vector<std::string>>(std::string_view name) const {
  return Data::list(*this, name, "a list of strings", "a string",
                    [](const Json& v) { return v.is_string(); });
}
template <> nn::Extents Config::get<nn::Extents>(std::string_view name) const {
  const Json& v = Data::read(*this, name, "a whole number or a list of them",
                             [](const Json& v) { return whole(v) || v.is_array(); });
  return v.is_array() ? nn::Extents(get<Ints>(name)) : nn::Extents(*whole(v));
}
template <> Config Config::get<Config>(std::string_view name) const {
  return Data::part(*this, name, Data::read(*this, name, "a config", [](const Json& v) {
    return v.is_object();
  }));
}
template <> std::vector<Config> Config::get<std::vector<Config>>(std::string_view name) const {
  std::vector<Config> r;
  for (const Json& e : Data::list(*this, name, "a list of configs", "a config",
                                  [](const Json& v) { return v.is_object(); })) {
    r.push_back(Data::part(*this, std::string(name) + "[" + std::to_string(r.size()) + "]", e));
  }
  return r;
}

}  // namespace ember
