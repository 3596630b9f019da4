// From dynamic arguments to a typed C++ function: fn<ops::softmax> is the `call` of a row.
#pragma once
#include <algorithm>
#include <concepts>
#include <functional>
#include <optional>

#include "ember/ops.h"
#include "ember/row.h"

namespace ember::binder {

[[noreturn]] void mismatch(const Field&, const char* wanted, const Arg& given);
const Arg& missing(const Field&);  // an empty list if it is variadic, else a DTypeError

// A dynamic value as a T.
template <class T> struct From;
template <> struct From<Tensor> {
  static Tensor get(const Field&, const Arg&);
};
template <> struct From<bool> {
  static bool get(const Field&, const Arg&);
};
template <> struct From<int64_t> {
  static int64_t get(const Field&, const Arg&);
};
template <> struct From<double> {
  static double get(const Field&, const Arg&);
};
template <> struct From<std::string> {
  static std::string get(const Field&, const Arg&);
};
template <> struct From<DType> {
  static DType get(const Field&, const Arg&);
};
template <> struct From<Ints> {
  static Ints get(const Field&, const Arg&);
};
template <> struct From<Arg> {
  static Arg get(const Field&, const Arg& a) { return a; }
};
template <class T>
concept Nullable = std::derived_from<T, std::optional<typename T::value_type>>;  // Axes, too
template <Nullable T> struct From<T> {
  static T get(const Field& f, const Arg& a) {
    return a.none() ? T() : T(From<typename T::value_type>::get(f, a));
  }
};
template <class T> struct From<std::vector<T>> {
  static std::vector<T> get(const Field& f, const Arg& a) {
    const auto* list = std::get_if<std::vector<Arg>>(&a);
    if (!list) mismatch(f, "a list", a);
    std::vector<T> r;
    for (const Arg& e : *list) r.push_back(From<T>::get(f, e));
    return r;
  }
};
template <class T>
concept Options = requires(T t) { t.each([](const char*, auto&) {}); };

// One argument that is given, as a T.
template <class T> T read(const Field& f, size_t i, Arguments& a) {
  if constexpr (Nullable<T>) {
    return a.is_none(i) ? T() : T(read<typename T::value_type>(f, i, a));
  } else if constexpr (std::is_same_v<T, Tensor>) {
    return a.tensor(i);
  } else if constexpr (std::is_same_v<T, std::vector<Tensor>>) {
    return a.tensors(i);
  } else if constexpr (std::is_same_v<T, bool>) {
    return a.boolean(i);
  } else if constexpr (std::is_same_v<T, int64_t>) {
    return a.integer(i);
  } else if constexpr (std::is_same_v<T, double>) {
    return a.number(i);
  } else if constexpr (std::is_same_v<T, Ints>) {
    return a.integers(i);
  } else if constexpr (std::is_same_v<T, DType>) {
    return a.dtype(i);
  } else {
    return From<T>::get(f, a.value(i));
  }
}

template <class T> T fallback(const Field& f) {
  if (f.fallback.empty()) return From<T>::get(f, missing(f));
  if constexpr (Nullable<T>) {
    if (f.value.none()) return T();
  } else if constexpr (std::is_arithmetic_v<T>) {
    if (const T* v = std::get_if<T>(&f.value)) return *v;
  } else if constexpr (std::is_same_v<T, DType>) {
    if (f.value.none()) return default_float();  // as it is now
  }
  return From<T>::get(f, f.value);
}

// One parameter of the function.
template <class T> T take(const Row& row, size_t i, Arguments& a) {
  if constexpr (Options<T>) {
    T options;
    options.each([&]<class V>(const char*, V& field) {
      if (a.is_given(i)) field = read<V>(row.fields[i], i, a);
      ++i;
    });
    return options;
  } else {
    const Field& f = row.fields[i];
    const bool means_fallback = std::is_same_v<T, DType> && a.is_none(i);
    return a.is_given(i) && !means_fallback ? read<T>(f, i, a) : fallback<T>(f);
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

// A view into a string must have something to point into while the function runs.
template <class T>
using Held = std::conditional_t<std::is_same_v<T, std::string_view>, std::string, T>;

template <class F> struct Call;
template <class R, class... P> struct Call<R (*)(P...)> {
  template <auto F, size_t... I>
  static Arg run(const Row& row, Arguments& a, std::index_sequence<I...>) {
    constexpr bool is_last[] = {!Options<std::remove_cvref_t<P>> || I + 1 == sizeof...(P)..., true};
    static_assert(std::ranges::all_of(is_last, std::identity()), "options are the last parameter");
    [[maybe_unused]] std::tuple<Held<std::remove_cvref_t<P>>...> values{
        take<Held<std::remove_cvref_t<P>>>(row, I, a)...};
    return to_arg(F(std::move(std::get<I>(values))...));
  }
};

template <auto F> Arg invoke(const Row& row, Arguments& arguments) {
  return []<class R, class... P>(R (*)(P...), const Row& row, Arguments& a) {
    return Call<decltype(F)>::template run<F>(row, a, std::index_sequence_for<P...>());
  }(F, row, arguments);
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
