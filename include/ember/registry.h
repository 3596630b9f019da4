// Layers and models by name, made from configs: registry().create(R"({"type": "models/mlp",
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

// A JSON object whose fields are read by type. Every error says which field, what it should be, and
// what came.
class EMBER_API Config {
 public:
  Config() : Config("{}") {}
  explicit Config(std::string_view json);  // ValueError with line and column where it is not JSON,
                                           // not an object, or a name comes twice
  explicit Config(const char* json) : Config(std::string_view(json)) {}

  // T: bool, int64_t, double, std::string, Ints, std::vector<double>, std::vector<std::string>,
  // nn::Extents (a number or a list), Config, std::vector<Config>.
  template <class T> T get(std::string_view name) const;  // the field has to be there
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
  bool has(std::string_view name) const;  // and is not null
  std::vector<std::string> names() const;
  std::string text() const;  // JSON

  // A ValueError that names the fields nobody has asked for, and what was meant perhaps.
  void check_all_read() const;

 private:
  friend class Registry;
  struct Data;
  explicit Config(std::shared_ptr<Data> data) : data_(std::move(data)) {}
  const void* field(std::string_view name, const char* expected) const;
  [[noreturn]] void mistyped(std::string_view name, const char* expected) const;
  std::string who() const;
  Config anew() const;  // the same fields, none read yet
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

// Any thread may use one. Factories run outside of its lock, so they may make parts of their own by
// name.
class EMBER_API Registry {
 public:
  using Factory = std::function<nn::ModulePtr(const Config&)>;
  void add(std::string name, Factory factory);  // ValueError if the name is taken
  void replace(std::string name, Factory factory);
  bool remove(std::string_view name);
  bool has(std::string_view name) const;
  std::vector<std::string> list(std::string_view prefix = "") const;  // in order
  size_t size() const;

  nn::ModulePtr create(const Config& config) const;  // the field "type" says what
  nn::ModulePtr create(std::string_view json) const { return create(Config(json)); }
  nn::ModulePtr create(std::string_view name,
                       const Config& config) const;  // "type" may be left out
  template <class M> std::shared_ptr<M> create_as(const Config& config) const {
    if (auto m = std::dynamic_pointer_cast<M>(create(config))) return m;
    throw ValueError("[registry] what " + config.text() + " creates is not of the requested class");
  }

 private:
  void put(std::string name, Factory factory, bool anew);
  mutable std::mutex mutex_;
  std::map<std::string, Factory, std::less<>> factories_;
};
// The process's registry, which knows Ember's layers as layers/... and its models as models/...
EMBER_API Registry& registry();

// At namespace scope, adds before main: static const Registered mine{"models/mine", [](const
// Config& c) { ... }};
struct Registered {
  Registered(std::string name, Registry::Factory factory) {
    registry().add(std::move(name), std::move(factory));
  }
};

}  // namespace ember
