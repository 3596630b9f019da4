// From dynamic arguments to a typed C++ function: fn<ops::softmax> is the `call` of a row.
#pragma once
#include <optional>

#include "ember/ops.h"
#include "ember/row.h"

namespace ember::binder {

struct Parameter {
  std::string name, written;  // written: the fallback as the row has it
  std::optional<Arg> fallback;
  bool options = false;   // "**options": the fields of an options struct
  bool variadic = false;  // "*arrays": a list, or all further positional arguments
};
const std::vector<Parameter>& parameters(const Row&);  // parsed from row.args, once

[[noreturn]] void mismatch(const Parameter&, const char* wanted, const Arg& given);

template <class T> struct From;
template <> struct From<Tensor> {
  static Tensor get(const Parameter&, const Arg&);
};
template <> struct From<bool> {
  static bool get(const Parameter&, const Arg&);
};
template <> struct From<int64_t> {
  static int64_t get(const Parameter&, const Arg&);
};
template <> struct From<double> {
  static double get(const Parameter&, const Arg&);
};
template <> struct From<std::string> {
  static std::string get(const Parameter&, const Arg&);
};
template <> struct From<DType> {
  static DType get(const Parameter&, const Arg&);
};
template <> struct From<Ints> {
  static Ints get(const Parameter&, const Arg&);
};
template <> struct From<Axes> {
  static Axes get(const Parameter&, const Arg&);
};
template <> struct From<Arg> {
  static Arg get(const Parameter&, const Arg& a) { return a; }
};
template <class T> struct From<std::optional<T>> {
  static std::optional<T> get(const Parameter& p, const Arg& a) {
    return a.none() ? std::optional<T>() : std::optional<T>(From<T>::get(p, a));
  }
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
template <class T>
concept Options = requires(T t) { t.each([](const char*, auto&) {}); };

// One parameter of the function, taken from the positional and keyword arguments.
template <class T> T take(const Parameter& p, size_t at, std::vector<Arg>& args, Kwargs& kwargs) {
  if constexpr (Options<T>) {
    T options;
    options.each([&]<class V>(const char* name, V& field) {
      if (auto it = kwargs.find(name); it != kwargs.end()) {
        field = From<V>::get(Parameter{.name = name}, it->second);
        kwargs.erase(it);
      } else if (at < args.size()) {
        field = From<V>::get(Parameter{.name = name}, args[at++]);
      }
    });
    return options;
  } else {
    constexpr bool dtype = std::is_same_v<T, DType>;  // None: the default one
    if (at < args.size() && !(dtype && args[at].none())) return From<T>::get(p, args[at]);
    if (auto it = kwargs.find(p.name); it != kwargs.end()) {
      const Arg a = std::move(it->second);
      kwargs.erase(it);
      if (!(dtype && a.none())) return From<T>::get(p, a);
    }
    // as it is now, not as it was when the row was read
    if constexpr (dtype) {
      if (p.written == "float") {
        return default_float();
      }
    }
    if (!p.fallback) throw DTypeError("argument '" + p.name + "' is missing");
    return From<T>::get(p, *p.fallback);
  }
}

inline Arg to_arg(Arg a) { return a; }  // of rows whose results are of several kinds
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

void gather_variadic(const std::vector<Parameter>&, std::vector<Arg>& args);
void check_count(const Row&, size_t positional, size_t parameters, bool options,
                 const Kwargs& left);

// A view into a string must have something to point into while the function runs.
template <class T>
using Held = std::conditional_t<std::is_same_v<T, std::string_view>, std::string, T>;

template <class F> struct Call;
template <class R, class... P> struct Call<R (*)(P...)> {
  template <auto F, size_t... I>
  static Arg run(const Row& row, std::vector<Arg>& args, Kwargs& kwargs,
                 std::index_sequence<I...>) {
    const auto& ps = parameters(row);
    constexpr bool options = (Options<std::remove_cvref_t<P>> || ...);
    if (ps.size() != sizeof...(P)) {
      throw StateError(std::string(row.name) + ": the row's args do not fit the function");
    }
    gather_variadic(ps, args);
    check_count(row, args.size(), ps.size(), options, {});
    [[maybe_unused]] auto values = std::tuple<Held<std::remove_cvref_t<P>>...>{
        take<Held<std::remove_cvref_t<P>>>(ps[I], I, args, kwargs)...};
    check_count(row, args.size(), ps.size(), options, kwargs);
    return to_arg(F(std::get<I>(values)...));
  }
};

template <auto F> Arg invoke(const Row& row, std::vector<Arg> args, Kwargs kwargs) {
  using C = Call<decltype(F)>;
  return
      []<class R, class... P>(R (*)(P...), const Row& row, std::vector<Arg>& args, Kwargs& kwargs) {
        return C::template run<F>(row, args, kwargs, std::index_sequence_for<P...>());
      }(F, row, args, kwargs);
}

// Defaults as the reference shows them.
inline std::string text(bool v) { return v ? "True" : "False"; }
inline std::string text(int64_t v) { return std::to_string(v); }
std::string text(double v);
inline std::string text(const std::string& v) { return '"' + v + '"'; }
inline std::string text(const Ints& v) {
  return v.size() == 1 ? std::to_string(v[0]) : to_string(v);
}
inline std::string text(const Tensor&) { return "None"; }
inline std::string text(DType v) { return std::string(name(v)); }
inline std::string text(const Axes& v) { return v ? text(*v) : "None"; }
template <class T> std::string text(const std::vector<T>& v) {
  std::string r;
  for (const T& e : v) r += (r.empty() ? "" : ", ") + text(e);
  return '[' + r + ']';
}
template <class T> std::string text(const std::optional<T>& v) { return v ? text(*v) : "None"; }

// The types of arguments and results, by name.
template <class T> struct TypeName {
  static constexpr const char* value = "Any";
};
#define EMBER_TYPE_NAME(T, text)               \
  template <> struct TypeName<T> {             \
    static constexpr const char* value = text; \
  };
EMBER_TYPE_NAME(Tensor, "Tensor")
EMBER_TYPE_NAME(Tensors, "Tensors")
EMBER_TYPE_NAME(bool, "bool")
EMBER_TYPE_NAME(int64_t, "int")
EMBER_TYPE_NAME(double, "float")
EMBER_TYPE_NAME(std::string, "str")
EMBER_TYPE_NAME(std::string_view, "str")
EMBER_TYPE_NAME(DType, "DType")
EMBER_TYPE_NAME(Ints, "Ints")
EMBER_TYPE_NAME(Axes, "Axes")
EMBER_TYPE_NAME(std::vector<double>, "Floats")
EMBER_TYPE_NAME(Device, "str")
EMBER_TYPE_NAME(std::vector<std::string>, "Strs")
EMBER_TYPE_NAME(std::vector<Shape>, "Shapes")
#undef EMBER_TYPE_NAME
template <class... T> struct TypeName<std::tuple<T...>> {
  static constexpr const char* value = "Tensors";
};
template <class T> std::string type_name(T*) { return TypeName<T>::value; }
template <class T> std::string type_name(std::optional<T>*) {
  return std::string(TypeName<T>::value) + "?";
}

template <class T> std::vector<Field> fields_of_one() {
  if constexpr (Options<T>) {
    std::vector<Field> list;
    T options;
    options.each([&]<class V>(const char* name, V& v) {
      list.push_back({name, type_name(static_cast<V*>(nullptr)), text(v)});
    });
    return list;
  } else {
    return {{"", type_name(static_cast<T*>(nullptr)), ""}};
  }
}
template <auto F> std::vector<std::vector<Field>> fields_of() {
  return []<class R, class... P>(R (*)(P...)) {
    return std::vector<std::vector<Field>>{fields_of_one<std::remove_cvref_t<P>>()...};
  }(F);
}

// Functions, not lambdas: clang would compile those of a branch that is not taken.
template <auto F> Tensor unary(Tensor x) { return F(std::move(x)); }
template <auto F> Tensor binary(Tensor x, Tensor y) { return F(std::move(x), std::move(y)); }

template <auto F> constexpr Binding bind() {
  Binding b{invoke<F>, fields_of<F>};
  []<class R, class... P>(Binding& b, R (*)(P...)) {
    b.result = TypeName<R>::value;
    constexpr bool tensors =
        std::is_same_v<R, Tensor> && (std::is_same_v<std::remove_cvref_t<P>, Tensor> && ...);
    if constexpr (tensors && sizeof...(P) == 1) b.unary = unary<F>;
    if constexpr (tensors && sizeof...(P) == 2) b.binary = binary<F>;
  }(b, F);
  return b;
}
template <auto F> inline constexpr Binding fn = bind<F>();

}  // namespace ember::binder
