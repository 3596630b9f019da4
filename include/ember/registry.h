// Layers and models by name, created from configs: registry().create(R"({"type": "models/mlp",
// "sizes": [64, 32, 10]})").
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ember/nn/conv.h"
#include "ember/nn/module.h"

namespace ember {

// A JSON object whose fields are read by type. Every error names the field, the expected type and
// the actual value.
class EMBER_API Config {
 public:
  Config() : Config("{}") {}
  // ValueError for invalid JSON (with line and column), for a value that is not an object, and for
  // a duplicate name.
  explicit Config(std::string_view json);
  explicit Config(const char* json) : Config(std::string_view(json)) {}

  // T: bool, int64_t, double, std::string, Ints, std::vector<double>, std::vector<std::string>,
  // nn::Extents (a number or a list), Config, std::vector<Config>.
  template <class T> T get(std::string_view name) const;  // the field is required
  template <class T> T get(std::string_view name, T otherwise) const {
    return has(name) ? get<T>(name) : otherwise;
  }
  int64_t get(std::string_view name, int otherwise) const { return get<int64_t>(name, otherwise); }
  std::string get(std::string_view name, const char* otherwise) const {
    return get<std::string>(name, otherwise);
  }
  template <class T> std::optional<T> maybe(std::string_view name) const {
    return has(name) ? std::optional<T>(get<T>(name)) : std::nullopt;
  }
  bool has(std::string_view name) const;  // present and not null
  std::vector<std::string> names() const;
  std::string text() const;  // JSON

  // Throws a ValueError that names the fields that were never read and suggests similar names.
  void check_all_read() const;

 private:
  friend class Registry;
  struct Data;
  explicit Config(std::shared_ptr<Data> data) : data_(std::move(data)) {}
  const void* field(std::string_view name, const char* expected) const;
  [[noreturn]] void mistyped(std::string_view name, const char* expected) const;
  std::string who() const;
  Config anew() const;  // the same fields, marked as not read
  std::shared_ptr<Data> data_;
};
template <> EMBER_API bool Config::get<bool>(std::string_view) const;
template <> EMBER_API int64_t Config::get<int64_t>(std::string_view) const;
template <> EMBER_API double Config::get<double>(std::string_view) const;
template <> EMBER_API std::string Config::get<std::string>(std::string_view) const;
template <> EMBER_API Ints Config::get<Ints>(std::string_view) const;
template <> EMBER_API std::vector<double> Config::get<std::vector<double>>(std::string_view) const;
template <>
EMBER_API std::vector<std::string> Config::get<std::vector<std::string>>(std::string_view) const;
template <> EMBER_API nn::Extents Config::get<nn::Extents>(std::string_view) const;
template <> EMBER_API Config Config::get<Config>(std::string_view) const;
template <> EMBER_API std::vector<Config> Config::get<std::vector<Config>>(std::string_view) const;

// Thread-safe. Factories run outside its lock, so they may create other objects by name.
class EMBER_API Registry {
 public:
  using Factory = std::function<nn::ModulePtr(const Config&)>;
  void add(std::string name, Factory factory);  // ValueError for a duplicate name
  void replace(std::string name, Factory factory);
  bool remove(std::string_view name);
  bool has(std::string_view name) const;
  std::vector<std::string> list(std::string_view prefix = "") const;  // sorted
  size_t size() const;

  nn::ModulePtr create(const Config& config) const;  // the field "type" is the name
  nn::ModulePtr create(std::string_view json) const { return create(Config(json)); }
  // "type" is optional.
  nn::ModulePtr create(std::string_view name, const Config& config) const;
  template <class M> std::shared_ptr<M> create_as(const Config& config) const {
    if (auto m = std::dynamic_pointer_cast<M>(create(config))) return m;
    throw ValueError("[registry] what " + config.text() + " creates is not of the requested class");
  }

 private:
  void put(std::string name, Factory factory, bool anew);
  mutable std::mutex mutex_;
  std::map<std::string, Factory, std::less<>> factories_;
};
// The process's registry, which contains Ember's layers as layers/... and its models as models/...
EMBER_API Registry& registry();

// Registers a factory before main, at namespace scope: static const Registered mine{"models/mine",
// [](const Config& c) { ... }};
struct Registered {
  Registered(std::string name, Registry::Factory factory) {
    registry().add(std::move(name), std::move(factory));
  }
};

}  // namespace ember
