// Layers as Python classes: one list of constructor arguments provides parsing, the signature,
// get_config and pickling.
#pragma once
#include <nanobind/trampoline.h>

#include "ember/nn/conv.h"
#include "python/src/nn/module.h"

namespace ember::python {

// ---- Overriding in Python ----
nb::object call_forward(nb::handle self, nb::handle method, const Tensor& x, const Tensor& mask);
Tensor tensor_from(nb::handle self, const nb::object& result);  // DTypeError unless it is a tensor
std::string class_name(nb::handle self);

// For Python subclasses: C++ code that calls forward, kind or details reaches their overrides.
template <class L> struct Trampoline : L {
  NB_TRAMPOLINE(L);
  Tensor forward(const Tensor& x) override {
    const nb::detail::ticket t(nb_trampoline, "forward", nb::detail::str_hash("forward"), false);
    return t.key.is_valid()
               ? tensor_from(nb_trampoline.base(), call_forward(nb_trampoline.base(), t.key, x, {}))
               : L::forward(x);
  }
  std::string kind() const override { return class_name(nb_trampoline.base()); }
  std::string details() const override { NB_OVERRIDE_NAME("extra_repr", details); }
  void prepare_to_load(const nn::StateDict& state) override {
    const nb::detail::ticket t(nb_trampoline, "prepare_to_load",
                               nb::detail::str_hash("prepare_to_load"), false);
    if (!t.key.is_valid()) return L::prepare_to_load(state);
    nb::dict given;
    for (const auto& [name, value] : state) given[name.c_str()] = object(value);
    nb_trampoline.base().attr(t.key)(given);
  }
};

// ---- Constructors ----
struct Field {
  const char* name;
  nb::object fallback;  // invalid for a required argument
};
struct Class {
  std::string name;
  std::vector<Field> fields;
  // Constructs the object in self's memory. May replace values; get_config returns the
  // replacements.
  std::function<void(PyObject* self, nb::list& values)> make;
};
// Never destroyed, because Python objects must not be destroyed after the interpreter.
template <class L> Class& class_of() {
  static Class* c = new Class;
  return *c;
}

// Checks that self is not initialized, sorts the arguments, constructs the object, stores the
// arguments.
int initialize(const Class& c, PyObject* self, PyObject* args, PyObject* kwargs);
template <class L> int initialize_as(PyObject* self, PyObject* args, PyObject* kwargs) {
  return initialize(class_of<L>(), self, args, kwargs);
}
void check_new(PyObject* self);
std::string documented(const Class& c, const char* doc);
std::vector<PyType_Slot> slots_of_class(initproc init);
void finish(const nb::object& type);  // registers a class implemented in C++

// Constructs in the object's memory; a trampoline if the Python class is a subclass.
template <class L, class T, class... A> void emplace(PyObject* self, A&&... args) {
  L* place = nb::inst_ptr<L>(self);
  if constexpr (!std::is_abstract_v<L>) {
    if (!nb::inst_python_derived(self)) return void(new (place) L(std::forward<A>(args)...));
  }
  new (place) T(std::forward<A>(args)...);
}

template <class T>
T value_of(const Class& c, const Field& f, nb::handle given, const char* wanted) {
  try {
    if constexpr (std::is_same_v<T, nn::Extents>) {
      return nn::Extents(nb::cast<Ints>(given));
    } else if constexpr (std::is_same_v<T, std::optional<nn::Extents>>) {
      return given.is_none() ? T() : T(nb::cast<Ints>(given));
    } else {
      return nb::cast<T>(given);
    }
  } catch (const nb::cast_error&) {
    throw DTypeError("[" + c.name + "] argument '" + f.name + "' must be " + wanted + ", not " +
                     nb::cast<std::string>(nb::repr(given)));
  }
}
template <class T> const char* word_for() {
  if constexpr (std::is_same_v<T, int64_t> || std::is_same_v<T, uint64_t>) {
    return "an integer";
  } else if constexpr (std::is_same_v<T, double>) {
    return "a number";
  } else if constexpr (std::is_same_v<T, bool>) {
    return "a bool";
  } else if constexpr (std::is_same_v<T, std::string>) {
    return "a string";
  } else if constexpr (std::is_same_v<T, nn::Extents>) {
    return "an integer or a tuple of integers";
  } else if constexpr (requires { typename T::value_type; }) {
    return word_for<typename T::value_type>();
  } else {
    return "something else";
  }
}
template <class T> nb::object shown(const T& v) {
  if constexpr (std::is_same_v<T, nn::Extents>) {
    return v.size() == 1 ? nb::cast(v[0]) : nb::cast(static_cast<const Ints&>(v));
  } else if constexpr (std::is_same_v<T, std::optional<nn::Extents>>) {
    return v ? shown(*v) : nb::none();
  } else {
    return nb::cast(v);
  }
}

// One argument: in<int64_t>("in_features"), in("bias", true).
template <class T> struct In {
  const char* name;
  std::optional<T> fallback;
  void list(std::vector<Field>& out) const {
    out.push_back({name, fallback ? shown(*fallback) : nb::object()});
  }
  T take(const Class& c, const nb::list& values, size_t& at) const {
    const Field& f = c.fields[at];
    return value_of<T>(c, f, values[at++], word_for<T>());
  }
};
template <class T> In<T> in(const char* name) { return {name, {}}; }
template <class T> In<T> in(const char* name, T fallback) { return {name, std::move(fallback)}; }
inline In<std::string> in(const char* name, const char* fallback) {
  return {name, std::string(fallback)};
}

// The fields of a struct of options as separate arguments with the struct's defaults.
template <class O, class... T> struct Options {
  std::tuple<std::pair<const char*, T O::*>...> fields;
  void list(std::vector<Field>& out) const {
    const O standard{};
    std::apply(
        [&](const auto&... f) { (out.push_back({f.first, shown(standard.*f.second)}), ...); },
        fields);
  }
  O take(const Class& c, const nb::list& values, size_t& at) const {
    O o{};
    const auto set = [&]<class F>(const std::pair<const char*, F O::*>& f) {
      const Field& field = c.fields[at];
      o.*f.second = value_of<F>(c, field, values[at++], word_for<F>());
    };
    std::apply([&](const auto&... f) { (set(f), ...); }, fields);
    return o;
  }
};
template <class O, class... T> Options<O, T...> options(std::pair<const char*, T O::*>... fields) {
  return {{fields...}};
}
#define EMBER_FIELD(O, name) \
  std::pair { #name, &O::name }
#define EMBER_FIELDS_1(O, a) EMBER_FIELD(O, a)
#define EMBER_FIELDS_2(O, a, ...) EMBER_FIELD(O, a), EMBER_FIELDS_1(O, __VA_ARGS__)
#define EMBER_FIELDS_3(O, a, ...) EMBER_FIELD(O, a), EMBER_FIELDS_2(O, __VA_ARGS__)
#define EMBER_FIELDS_4(O, a, ...) EMBER_FIELD(O, a), EMBER_FIELDS_3(O, __VA_ARGS__)
#define EMBER_FIELDS_5(O, a, ...) EMBER_FIELD(O, a), EMBER_FIELDS_4(O, __VA_ARGS__)
#define EMBER_FIELDS_6(O, a, ...) EMBER_FIELD(O, a), EMBER_FIELDS_5(O, __VA_ARGS__)
#define EMBER_FIELDS_7(O, a, ...) EMBER_FIELD(O, a), EMBER_FIELDS_6(O, __VA_ARGS__)
#define EMBER_NTH(a, b, c, d, e, f, g, nth, ...) EMBER_FIELDS_##nth
// EMBER_OPTIONS(GroupNormOptions, eps, affine)
#define EMBER_OPTIONS(O, ...) options(EMBER_NTH(__VA_ARGS__, 7, 6, 5, 4, 3, 2, 1)(O, __VA_ARGS__))

inline Tensor given(const std::optional<Tensor>& t) { return t.value_or(Tensor()); }

// A class with a constructor of its own, which class_of<L> describes.
template <class L, class Base, class T = Trampoline<L>>
nb::class_<L, Base, T> make_class(nb::handle scope, const std::string& name, const char* doc,
                                  initproc init = &initialize_as<L>) {
  class_of<L>().name = name;
  const std::vector<PyType_Slot> slots = slots_of_class(init);
  nb::class_<L, Base, T> type(scope, name.c_str(), documented(class_of<L>(), doc).c_str(),
                              nb::type_slots(slots.data()));
  finish(type);
  type.def(
      "extra_repr", [](const L& l) { return l.L::details(); }, "The options in the printed form.");
  return type;
}
// The class of a layer with these arguments.
template <class L, class Base = nn::Module, class T = Trampoline<L>, class... Spec>
nb::class_<L, Base, T> layer_class(nb::handle scope, const std::string& name, const char* doc,
                                   const Spec&... specs) {
  Class& c = class_of<L>();
  (specs.list(c.fields), ...);
  c.make = [specs...](PyObject* self, nb::list& values) {
    size_t at = 0;
    std::tuple<decltype(specs.take(class_of<L>(), values, at))...> given{
        specs.take(class_of<L>(), values, at)...};
    std::apply([&](auto&... a) { emplace<L, T>(self, a...); }, given);
  };
  return make_class<L, Base, T>(scope, name, doc);
}
// A layer whose forward takes one tensor.
template <class L, class... Spec>
auto layer(nb::handle scope, const std::string& name, const char* doc, const Spec&... specs) {
  return layer_class<L>(scope, name, doc, specs...)
      .def(
          "forward", [](L& l, const Tensor& x) { return l.L::forward(x); }, nb::arg("x"),
          "The layer's output.");
}

}  // namespace ember::python
