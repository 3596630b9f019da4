// ONNX models.
#include "ember/onnx.h"

#include <nanobind/stl/map.h>

#include "ember/runtime.h"
#include "python/training.h"

namespace ember::python {
namespace {

using nb::arg;
using onnx::Network;
using onnx::Port;

nb::object shape_of(const Port& p) {
  if (!p.shape) return nb::none();
  nb::list l;
  for (const onnx::Dim& d : *p.shape) l.append(d.size ? nb::cast(*d.size) : d.name.empty() ? nb::none() : nb::cast(d.name));
  return nb::tuple(l);
}

Tensor fitting(const Port& p, nb::handle o) {
  if (is_tensor(o.ptr())) return tensor_of(o.ptr());
  const bool number = PyBool_Check(o.ptr()) || PyLong_Check(o.ptr()) || PyFloat_Check(o.ptr()) || PyList_Check(o.ptr()) || PyTuple_Check(o.ptr());
  return to_array(o.ptr(), {.dtype = number ? std::optional(p.dtype) : std::nullopt});  // Python's numbers take the dtype that is asked for
}

TensorMap run(const Network& n, const nb::dict& given) {
  TensorMap in;
  for (auto [key, value] : given) {
    const std::string name = name_of(key);
    const auto port = std::find_if(n.inputs().begin(), n.inputs().end(), [&](const Port& p) { return p.name == name; });
    in[name] = port == n.inputs().end() ? to_tensor(nb::handle(value).ptr()) : fitting(*port, value);
  }
  return n(in);
}

nb::object call(const Network& n, const nb::args& args, const nb::kwargs& named) {
  nb::dict given;
  if (args.size() > n.inputs().size())
    throw ValueError("[onnx] the network has " + std::to_string(n.inputs().size()) + " inputs, " + std::to_string(args.size()) + " were given");
  for (size_t i = 0; i < args.size(); ++i) given[name_object(n.inputs()[i].name)] = args[i];
  for (auto [key, value] : named) {
    if (given.contains(key)) throw ValueError("[onnx] the input " + nb::cast<std::string>(nb::repr(key)) + " is given twice");
    given[key] = value;
  }
  TensorMap out = run(n, given);
  if (out.size() == 1) return object(out.begin()->second);
  nb::list l;
  for (const Port& p : n.outputs()) l.append(object(out.at(p.name)));
  return nb::tuple(l);
}

std::string shown(const Network& n) {
  std::string s = "Network(";
  for (const Port& p : n.inputs()) s += (s.back() == '(' ? "" : ", ") + p.name + ": " + to_string(p);
  s += ") -> ";
  for (const Port& p : n.outputs()) s += (&p == &n.outputs()[0] ? "" : ", ") + p.name + ": " + to_string(p);
  return s;
}

}  // namespace

void add_onnx(nb::module_& core) {
  nb::module_ m = core.def_submodule("onnx", "ONNX models.");
  nb::class_<Port>(m, "Port", "An input or output of a network.")
      .def_prop_ro("name", [](const Port& p) { return p.name; })
      .def_prop_ro("dtype", [](const Port& p) { return p.dtype; })
      .def_prop_ro("shape", &shape_of, nb::sig("def shape(self, /) -> tuple[int | str | None, ...] | None"),
                   "A number, a name or None for each axis; None where any number of axes is taken.")
      .def("__repr__", [](const Port& p) { return p.name + ": " + to_string(p); });
  nb::class_<Network>(m, "Network", "A network read from an ONNX model; it runs on the current backend.")
      .def_prop_ro("inputs", [](const Network& n) { return n.inputs(); })
      .def_prop_ro("outputs", [](const Network& n) { return n.outputs(); })
      .def_prop_ro("opset", &Network::opset, "The version of ONNX's operators.")
      .def_prop_ro(
          "producer", [](const Network& n) { return n.producer(); }, "What wrote the file.")
      .def_prop_ro("metadata", [](const Network& n) { return n.metadata(); })
      .def_prop_ro(
          "operators",
          [](const Network& n) {
            const auto list = n.operators();
            return std::map<std::string, int64_t>(list.begin(), list.end());
          },
          "Which operators the graph has, and how often.")
      .def("run", &run, arg("inputs"), nb::sig("def run(self, inputs: dict[str, typing.Any]) -> dict[str, EmberTensor]"),
           "The outputs by name, from the inputs by name.")
      .def("__call__", &call, nb::sig("def __call__(self, *args: typing.Any, **named: typing.Any) -> typing.Any"),
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
  m.def("parse", [](nb::bytes bytes, nb::handle folder) {
    return onnx::parse({bytes.c_str(), bytes.size()}, folder.is_none() ? std::string() : path_of(folder));
  }, arg("model"), arg("folder") = nb::none(), nb::sig("def parse(model: bytes, folder: str | os.PathLike[str] | None = None) -> Network"),
     "A network from a model's bytes; folder: where its weights in other files are.");
  m.def(
      "operators",
      [] {
        nb::list l;
        for (const onnx::Operator& o : onnx::operators()) l.append(nb::make_tuple(o.name, o.since, o.note));
        return l;
      },
      nb::sig("def operators() -> list[tuple[str, int, str]]"),
      "The operators that are read: name, the opset that it came with, and what of it is not supported.");
}

}  // namespace ember::python
