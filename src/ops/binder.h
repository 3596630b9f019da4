// From dynamic arguments to a typed C++ function: fn<ops::softmax> is the `call` of a row.
#pragma once
#include <optional>

#include "ember/ops.h"
#include "ember/row.h"

namespace ember::binder {

struct Parameter {
  std::string name;
  std::optional<Arg> fallback;
  bool options = false;  // "**options": the fields of an options struct
};
const std::vector<Parameter>& parameters(const Row&);  // parsed from row.args, once

[[noreturn]] void mismatch(const Parameter&, const char* wanted, const Arg& given);

template <class T> struct From;
template <> struct From<Tensor> { static Tensor get(const Parameter&, const Arg&); };
template <> struct From<bool> { static bool get(const Parameter&, const Arg&); };
template <> struct From<int64_t> { static int64_t get(const Parameter&, const Arg&); };
template <> struct From<double> { static double get(const Parameter&, const Arg&); };
template <> struct From<std::string> { static std::string get(const Parameter&, const Arg&); };
template <> struct From<DType> { static DType get(const Parameter&, const Arg&); };
template <> struct From<Ints> { static Ints get(const Parameter&, const Arg&); };
template <> struct From<Axes> { static Axes get(const Parameter&, const Arg&); };
template <> struct From<Arg> { static Arg get(const Parameter&, const Arg& a) { return a; } };
template <class T> struct From<std::optional<T>> {
  static std::optional<T> get(const Parameter& p, const Arg& a) { return a.none() ? std::optional<T>() : std::optional<T>(From<T>::get(p, a)); }
};
template <class T> struct From<std::vector<T>> {
  static std::vector<T> get(const Parameter& p, const Arg& a) {
    const auto* list = std::get_if<std::vector<Arg>>(&a);
    if (!list) mismatch(p, "a list", a);
    std::vector<T> r;
    for (const Arg& e : *list) r.push_back(From<T>::get(p, e));
    return r;
  }
};
template <class T> concept Options = requires(T t) { t.each([](const char*, auto&) {}); };

// One parameter of the function, taken from the positional and keyword arguments.
template <class T>
T take(const Parameter& p, size_t at, std::vector<Arg>& args, Kwargs& kwargs) {
  if constexpr (Options<T>) {
    T options;
    options.each([&]<class V>(const char* name, V& field) {
      if (auto it = kwargs.find(name); it != kwargs.end()) {
        field = From<V>::get(Parameter{name, {}, false}, it->second);
        kwargs.erase(it);
      } else if (at < args.size()) field = From<V>::get(Parameter{name, {}, false}, args[at++]);
    });
    return options;
  } else {
    if (at < args.size()) return From<T>::get(p, args[at]);
    if (auto it = kwargs.find(p.name); it != kwargs.end()) {
      const Arg a = std::move(it->second);
      kwargs.erase(it);
      return From<T>::get(p, a);
    }
    if (!p.fallback) throw ValueError("argument '" + p.name + "' is missing");
    return From<T>::get(p, *p.fallback);
  }
}

inline Arg to_arg(Tensor t) { return Arg(std::move(t)); }
inline Arg to_arg(bool v) { return Arg(v); }
inline Arg to_arg(int64_t v) { return Arg(v); }
inline Arg to_arg(double v) { return Arg(v); }
inline Arg to_arg(DType v) { return Arg(v); }
inline Arg to_arg(const std::string& v) { return Arg(v); }
inline Arg to_arg(std::string_view v) { return Arg(std::string(v)); }
inline Arg to_arg(Device v) { return Arg(to_string(v)); }
inline Arg to_arg(const Ints& v) {
  std::vector<Arg> r;
  for (int64_t i : v) r.emplace_back(i);
  return r;
}
template <class T> Arg to_arg(const std::vector<T>& v) {
  std::vector<Arg> r;
  for (const T& t : v) r.push_back(to_arg(t));
  return r;
}
template <class... T> Arg to_arg(const std::tuple<T...>& v) {
  return std::apply([](const auto&... e) { return Arg(std::vector<Arg>{to_arg(e)...}); }, v);
}

void check_count(const Row&, size_t positional, size_t parameters, bool options, const Kwargs& left);

// A view into a string must have something to point into while the function runs.
template <class T> using Held = std::conditional_t<std::is_same_v<T, std::string_view>, std::string, T>;

template <class F> struct Call;
template <class R, class... P>
struct Call<R (*)(P...)> {
  template <auto F, size_t... I>
  static Arg run(const Row& row, std::vector<Arg>& args, Kwargs& kwargs, std::index_sequence<I...>) {
    const auto& ps = parameters(row);
    constexpr bool options = (Options<std::remove_cvref_t<P>> || ...);
    if (ps.size() != sizeof...(P)) throw StateError(std::string(row.name) + ": the row's args do not fit the function");
    check_count(row, args.size(), ps.size(), options, {});
    auto values = std::tuple<Held<std::remove_cvref_t<P>>...>{take<Held<std::remove_cvref_t<P>>>(ps[I], I, args, kwargs)...};
    check_count(row, args.size(), ps.size(), options, kwargs);
    return to_arg(F(std::get<I>(values)...));
  }
};

template <auto F>
Arg invoke(const Row& row, std::vector<Arg> args, Kwargs kwargs) {
  using C = Call<decltype(F)>;
  return []<class R, class... P>(R (*)(P...), const Row& row, std::vector<Arg>& args, Kwargs& kwargs) {
    return C::template run<F>(row, args, kwargs, std::index_sequence_for<P...>());
  }(F, row, args, kwargs);
}

// Defaults as the reference shows them.
inline std::string text(bool v) { return v ? "True" : "False"; }
inline std::string text(int64_t v) { return std::to_string(v); }
std::string text(double v);
inline std::string text(const std::string& v) { return '"' + v + '"'; }
inline std::string text(const Ints& v) { return v.size() == 1 ? std::to_string(v[0]) : to_string(v); }
inline std::string text(const Tensor&) { return "None"; }
inline std::string text(DType v) { return std::string(name(v)); }
template <class T> std::string text(const std::vector<T>& v) {
  std::string r;
  for (const T& e : v) r += (r.empty() ? "" : ", ") + text(e);
  return '[' + r + ']';
}
template <class T> std::string text(const std::optional<T>& v) { return v ? text(*v) : "None"; }

template <auto F>
std::string option_fields() {
  return []<class R, class... P>(R (*)(P...)) {
    std::string r;
    const auto list = [&]<class T>(T options) {
      options.each([&](const char* name, auto& v) { r += (r.empty() ? "" : ", ") + std::string(name) + "=" + text(v); });
    };
    ([&] {
      if constexpr (Options<std::remove_cvref_t<P>>) list(std::remove_cvref_t<P>());
    }(), ...);
    return r;
  }(F);
}

template <auto F> inline constexpr Binding fn{invoke<F>, option_fields<F>};

}  // namespace ember::binder
