// Writing ONNX models.
#include "ember/onnx.h"
#include "ember/program.h"
#include "ember/runtime.h"
#include "python/training.h"

namespace ember::python {
namespace {

using nb::arg;

void save(nb::handle path, const nb::callable& f, nb::handle inputs, std::vector<std::string> input_names, std::vector<std::string> output_names, bool external) {
  onnx::SaveOptions options{std::move(input_names), std::move(output_names), external};
  Tensors in, out;
  nb::object result;
  {
    const Recording recording;
    nb::list args;
    for (const Tensor& t : tensors_of(inputs)) {
      in.push_back(placeholder({t.dtype(), t.shape()}));
      args.append(object(in.back()));
    }
    result = f(*args);
  }
  if (nb::isinstance<nb::dict>(result)) {
    if (!options.outputs.empty()) throw ValueError("[onnx.save] the function names its outputs itself");
    for (auto [name, value] : nb::cast<nb::dict>(result)) {
      options.outputs.push_back(name_of(name));
      out.push_back(tensor_returned("the function", nb::borrow(value)));
    }
  } else out = tensors_of(result);
  const std::string file = path_of(path);
  const Waiting writing;
  onnx::save(file, in, out, options);
}

}  // namespace

void add_onnx_save(nb::module_& core) {
  nb::module_ m = nb::cast<nb::module_>(core.attr("onnx"));
  m.def("save", &save, arg("path"), arg("f"), arg("inputs"), nb::kw_only(), arg("input_names") = std::vector<std::string>(),
        arg("output_names") = std::vector<std::string>(), arg("external") = false,
        nb::sig("def save(path: str | os.PathLike[str], f: typing.Callable[..., typing.Any], inputs: typing.Any, *, "
                "input_names: typing.Sequence[str] = [], output_names: typing.Sequence[str] = [], external: bool = False) -> None"),
        "Writes f, as it computes from tensors of the inputs' dtypes and shapes, as an ONNX model. f is a module or a function; it gives a "
        "tensor, several, or a dict of them by name. What else it reads are the model's weights; external: in a file of their own.");
}

}  // namespace ember::python
