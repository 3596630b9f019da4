// Saves a Python function or module as an ONNX model or a Core ML package.
#include "ember/coreml.h"
#include "ember/onnx.h"
#include "ember/program.h"
#include "ember/runtime.h"
#include "python/src/train/training.h"

namespace ember::python {
namespace {

using nb::arg;
using Names = std::vector<std::string>;

struct Traced {
  Tensors inputs, outputs;
  Names output_names;
};

// Traces f with placeholders that have the inputs' dtypes and shapes. The keys of a returned dict
// are the outputs' names.
Traced trace(const char* op, const nb::callable& f, nb::handle inputs, Names output_names) {
  Traced t{.output_names = std::move(output_names)};
  nb::object result;
  {
    const Recording recording;
    for (const Tensor& x : tensors_of(inputs)) {
      t.inputs.push_back(placeholder({x.dtype(), x.shape()}));
    }
    result = call_python(f, tuple_of(t.inputs));
  }
  if (!nb::isinstance<nb::dict>(result)) {
    t.outputs = tensors_of(result);
    return t;
  }
  if (!t.output_names.empty()) {
    throw ValueError("[" + std::string(op) + "] the function names its outputs itself");
  }
  for (auto [name, value] : nb::cast<nb::dict>(result)) {
    t.output_names.push_back(name_of(name));
    t.outputs.push_back(tensor_returned("the function", nb::borrow(value)));
  }
  return t;
}

void save_onnx(nb::handle path, const nb::callable& f, nb::handle inputs, Names input_names,
               Names output_names, bool external, std::optional<int64_t> opset) {
  Traced t = trace("onnx.save", f, inputs, std::move(output_names));
  const std::string file = path_of(path);
  const Waiting writing;
  onnx::save(file, t.inputs, t.outputs,
             {std::move(input_names), std::move(t.output_names), external, opset});
}

void save_coreml(nb::handle path, const nb::callable& f, nb::handle inputs, Names input_names,
                 Names output_names) {
  Traced t = trace("coreml.save", f, inputs, std::move(output_names));
  const std::string folder = path_of(path);
  const Waiting writing;
  coreml::save(folder, t.inputs, t.outputs, {std::move(input_names), std::move(t.output_names)});
}

}  // namespace

void add_export(nb::module_& core) {
  nb::module_ onnx = nb::cast<nb::module_>(core.attr("onnx"));
  onnx.def(
      "save", &save_onnx, arg("path"), arg("f"), arg("inputs"), nb::kw_only(),
      arg("input_names") = Names(), arg("output_names") = Names(), arg("external") = false,
      arg("opset") = nb::none(),
      nb::sig("def save(path: str | os.PathLike[str], f: typing.Callable[..., typing.Any], inputs: "
              "typing.Any, *, "
              "input_names: typing.Sequence[str] = [], output_names: typing.Sequence[str] = [], "
              "external: bool = False, opset: int | None = None) -> None"),
      "Writes f, as it computes from tensors of the inputs' dtypes and shapes, as an ONNX model. f "
      "is a module or "
      "a function; it gives a tensor, several, or a dict of them by name. What else it reads are "
      "the model's "
      "weights; external: in a file of their own. opset: 13 to 28; unless it is given 21, or what "
      "the operators "
      "need.");
  nb::module_ coreml = core.def_submodule("coreml", "Core ML packages.");
  coreml.def("save", &save_coreml, arg("path"), arg("f"), arg("inputs"), nb::kw_only(),
             arg("input_names") = Names(), arg("output_names") = Names(),
             nb::sig("def save(path: str | os.PathLike[str], f: typing.Callable[..., typing.Any], "
                     "inputs: typing.Any, "
                     "*, input_names: typing.Sequence[str] = [], output_names: "
                     "typing.Sequence[str] = []) -> None"),
             "Writes f, as it computes from tensors of the inputs' dtypes and shapes, as a Core ML "
             "package (.mlpackage, "
             "for macOS 13 and iOS 16). f is a module or a function that returns a tensor, "
             "several, or a dict of them by "
             "name. Every other tensor that it reads becomes a weight; int64 is stored as int32.");
}

}  // namespace ember::python
