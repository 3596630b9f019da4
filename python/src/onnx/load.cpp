// ONNX models.
#include "ember/onnx.h"

#include <nanobind/stl/map.h>

#include "ember/runtime.h"
#include "python/src/train/training.h"

namespace ember::python {
namespace {

using nb::arg;
using onnx::Network;
using onnx::Port;
using onnx::Vocabulary;

nb::object dtype_of(const Port& p) {
  if (p.strings) return nb::cast("string");
  return p.dtype ? nb::cast(*p.dtype) : nb::none();
}
nb::object shape_of(const Port& p) {
  if (!p.shape) return nb::none();
  nb::list l;
  for (const onnx::Dim& d : *p.shape) {
    l.append(d.size ? nb::cast(*d.size) : d.name.empty() ? nb::none() : nb::cast(d.name));
  }
  return nb::tuple(l);
}

// Strings are given as one string, nested lists or an array, and become indices into the
// vocabulary.
void collect_strings(Vocabulary& words, nb::handle o, Ints& places, Shape& shape, size_t depth) {
  if (PyUnicode_Check(o.ptr())) {
    if (depth != shape.size()) throw ShapeError("[onnx] the lists of strings differ in depth");
    places.push_back(words.add(nb::cast<std::string_view>(o)));
    return;
  }
  if (!PyList_Check(o.ptr()) && !PyTuple_Check(o.ptr())) {
    throw DTypeError("[onnx] the input takes strings, not " + type_of(o.ptr()));
  }
  const nb::sequence items = nb::borrow<nb::sequence>(o);
  const int64_t n = int64_t(nb::len(items));
  if (depth == shape.size() && places.empty()) shape.push_back(n);
  if (depth >= shape.size() || shape[depth] != n) {
    throw ShapeError("[onnx] the lists of strings differ in length");
  }
  for (nb::handle item : items) collect_strings(words, item, places, shape, depth + 1);
}
Tensor strings_from(Vocabulary& words, nb::handle o) {
  Ints places;
  Shape shape;
  const bool is_array = nb::hasattr(o, "tolist");
  collect_strings(words, is_array ? nb::object(o.attr("tolist")()) : nb::borrow(o), places, shape,
                  0);
  const with_backend native("native");
  return array(std::span<const int64_t>(places), shape);
}
nb::object strings_to(const Vocabulary& words, const Tensor& t) {
  const Ints places = t.to_vector<int64_t>();
  size_t next = 0;
  const auto nested = [&](auto&& self, size_t axis) -> nb::object {
    if (axis == t.shape().size()) return nb::cast(words[places[next++]]);
    nb::list l;
    for (int64_t i = 0; i < t.shape()[axis]; ++i) l.append(self(self, axis + 1));
    return l;
  };
  return nested(nested, 0);
}

Tensor fitting(const Port& p, nb::handle o) {
  if (is_tensor(o.ptr())) return tensor_of(o.ptr());
  const bool number = PyBool_Check(o.ptr()) || PyLong_Check(o.ptr()) || PyFloat_Check(o.ptr()) ||
                      PyList_Check(o.ptr()) || PyTuple_Check(o.ptr());
  // Python numbers take the input's dtype.
  return to_array(o.ptr(), {.dtype = number ? p.dtype : std::nullopt});
}

const Port* find_port(const Network& n, const std::string& name) {
  for (const std::vector<Port>* ports : {&n.inputs(), &n.defaults()}) {
    for (const Port& p : *ports) {
      if (p.name == name) return &p;
    }
  }
  return nullptr;
}

// The outputs in order: tensors, and lists of strings.
nb::dict run(const Network& n, const nb::dict& given) {
  TensorMap in;
  std::optional<Vocabulary> words;  // including the strings of this call
  for (auto [key, value] : given) {
    const std::string name = name_of(key);
    const Port* port = find_port(n, name);
    if (port && port->strings) {
      if (!words) words = n.vocabulary();
      in[name] = strings_from(*words, value);
    } else {
      in[name] = port ? fitting(*port, value) : to_tensor(nb::handle(value).ptr());
    }
  }
  const TensorMap out = n(in);
  nb::dict results;
  for (const Port& p : n.outputs()) {
    const Tensor& t = out.at(p.name);
    results[nb::str(p.name.data(), p.name.size())] =
        p.strings ? strings_to(words ? *words : n.vocabulary(), t) : object(t);
  }
  return results;
}

nb::object call(const Network& n, const nb::args& args, const nb::kwargs& named) {
  nb::dict given;
  if (args.size() > n.inputs().size()) {
    throw ValueError("[onnx] the network has " + std::to_string(n.inputs().size()) + " inputs, " +
                     std::to_string(args.size()) + " were given");
  }
  for (size_t i = 0; i < args.size(); ++i) given[name_object(n.inputs()[i].name)] = args[i];
  for (auto [key, value] : named) {
    if (given.contains(key)) {
      throw ValueError("[onnx] the input " + nb::cast<std::string>(nb::repr(key)) +
                       " is given twice");
    }
    given[key] = value;
  }
  const nb::list results = run(n, given).values();
  return results.size() == 1 ? nb::object(results[0]) : nb::tuple(results);
}

std::string shown(const Network& n) {
  std::string s = "Network(";
  for (const Port& p : n.inputs()) {
    s += (s.back() == '(' ? "" : ", ") + p.name + ": " + to_string(p);
  }
  s += ") -> ";
  for (const Port& p : n.outputs()) {
    s += (&p == &n.outputs()[0] ? "" : ", ") + p.name + ": " + to_string(p);
  }
  return s;
}

}  // namespace

void add_onnx(nb::module_& core) {
  nb::module_ m = core.def_submodule("onnx", "ONNX models.");
  nb::class_<Port>(m, "Port", "An input or output of a network.")
      .def_prop_ro("name", [](const Port& p) { return p.name; })
      .def_prop_ro("dtype", &dtype_of, nb::sig("def dtype(self, /) -> DType | str | None"),
                   "'string' for strings; None if the file does not declare it.")
      .def_prop_ro("shape", &shape_of,
                   nb::sig("def shape(self, /) -> tuple[int | str | None, ...] | None"),
                   "A number, a name or None for each axis; None for any number of axes.")
      .def("__repr__", [](const Port& p) { return p.name + ": " + to_string(p); });
  nb::class_<Network>(m, "Network",
                      "A network read from an ONNX model; it runs on the current backend.")
      .def_prop_ro("inputs", [](const Network& n) { return n.inputs(); })
      .def_prop_ro(
          "defaults", [](const Network& n) { return n.defaults(); },
          "Inputs that have a value, which a call may replace.")
      .def_prop_ro("outputs", [](const Network& n) { return n.outputs(); })
      .def_prop_ro("opset", &Network::opset, "The version of ONNX's operators.")
      .def_prop_ro(
          "producer", [](const Network& n) { return n.producer(); },
          "The program that wrote the file.")
      .def_prop_ro("metadata", [](const Network& n) { return n.metadata(); })
      .def_prop_ro(
          "operators",
          [](const Network& n) {
            const auto list = n.operators();
            return std::map<std::string, int64_t>(list.begin(), list.end());
          },
          "The operators of the graph and their counts.")
      .def("run", &run, arg("inputs"),
           nb::sig("def run(self, inputs: dict[str, typing.Any]) -> dict[str, typing.Any]"),
           "The outputs by name, from the inputs by name: tensors, and lists where an output holds "
           "strings.")
      .def("__call__", &call,
           nb::sig("def __call__(self, *args: typing.Any, **named: typing.Any) -> typing.Any"),
           "The output, or a tuple of all, from the inputs in order or by name.")
      .def("__repr__", &shown);
  m.def(
      "load",
      [](nb::handle path) {
        const std::string p = path_of(path);
        const Waiting reading;
        return onnx::load(p);
      },
      arg("path"), nb::sig("def load(path: str | os.PathLike[str]) -> Network"),
      "Reads an ONNX model; weights in other files must lie in its folder.");
  m.def(
      "parse",
      [](nb::bytes bytes, nb::handle folder) {
        return onnx::parse({bytes.c_str(), bytes.size()},
                           folder.is_none() ? std::string() : path_of(folder));
      },
      arg("model"), arg("folder") = nb::none(),
      nb::sig("def parse(model: bytes, folder: str | os.PathLike[str] | None = None) -> Network"),
      "A network from a model's bytes; folder: where its weights in other files are.");
  m.def(
      "operators",
      [] {
        nb::list l;
        for (const onnx::Operator& o : onnx::operators()) {
          l.append(nb::make_tuple(o.name, o.since, o.note, o.domain));
        }
        return l;
      },
      nb::sig("def operators() -> list[tuple[str, int, str, str]]"),
      "The operators that are read: name, the opset that it came with, what of it is not "
      "supported, and the domain.");
}

}  // namespace ember::python
