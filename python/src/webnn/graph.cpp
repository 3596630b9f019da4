// Graphs and operands of the package webnn.
#include <nanobind/stl/map.h>

#include "python/src/train/training.h"
#include "python/src/webnn/webnn.h"
#include "src/webnn/state.h"

namespace ember::python {
namespace {

using namespace webnn;
using nb::arg;

nb::object load_graph(nb::handle path, nb::handle manifest, nb::handle weights,
                      const WebnnContext* context, const std::map<std::string, uint32_t>& sizes) {
  MLGraphFiles files;
  if (!manifest.is_none()) files.manifest = path_of(manifest);
  if (!weights.is_none()) files.weights = path_of(weights);
  files.sizes.insert(sizes.begin(), sizes.end());
  return nb::cast(
      WebnnGraph{load(context ? context->context : default_webnn_context(), path_of(path), files),
                 context == nullptr});
}

// All operands: inputs, constants, results, in this order.
std::vector<MLOperand> operands_of(const WebnnGraph& g) {
  const GraphState& s = g.graph.state();
  std::vector<MLOperand> all(s.input_operands);
  all.insert(all.end(), s.constants.begin(), s.constants.end());
  for (const Operation& o : s.operations) all.insert(all.end(), o.results.begin(), o.results.end());
  return all;
}
std::string repr(const MLOperand& o) {
  return "MLOperand(name='" + (o.name().empty() ? "unnamed" : o.name()) + "', dtype='" +
         std::string(name(o.dataType())) + "', shape=" + text_of(o.shape()) + ")";
}
size_t scalars(const WebnnGraph& g, bool constants_only) {
  size_t n = 0;
  for (const MLOperand& o : operands_of(g)) {
    n += o.shape().empty() && (!constants_only || o.state().constant);
  }
  return n;
}

}  // namespace

void add_webnn_graph(nb::module_& m) {
  nb::class_<MLOperand>(m, "MLOperand", "A value inside a graph that is being built.")
      .def_prop_ro("data_type", [](const MLOperand& o) { return std::string(name(o.dataType())); })
      .def_prop_ro(
          "shape", [](const MLOperand& o) { return list_of(o.shape()); },
          nb::for_getter(nb::sig("def shape(self) -> list[int]")))
      .def_prop_ro("name",
                   [](const MLOperand& o) {
                     return o.name().empty() ? std::nullopt : std::optional(o.name());
                   })
      .def("__repr__", &repr);
  const auto names = [](const std::vector<std::pair<std::string, MLOperandDescriptor>>& all) {
    std::vector<std::string> r;
    for (const auto& [name, type] : all) r.push_back(name);
    return r;
  };
  nb::class_<WebnnGraph>(m, "MLGraph", "A graph that is compiled.")
      .def_prop_ro("operand_count", [](const WebnnGraph& g) { return operands_of(g).size(); })
      .def_prop_ro("operation_count",
                   [](const WebnnGraph& g) { return g.graph.state().operations.size(); })
      .def_prop_ro("devices", [](const WebnnGraph& g) { return g.graph.devices(); })
      .def("get_input_names", [names](const WebnnGraph& g) { return names(g.graph.inputs()); })
      .def("get_output_names", [names](const WebnnGraph& g) { return names(g.graph.outputs()); })
      .def(
          "save",
          [](const WebnnGraph& g, nb::handle path, bool quantized) {
            save(g.graph, path_of(path), quantized);
          },
          arg("path"), arg("quantized") = false,
          nb::sig("def save(self, path: str | PathLike[str], quantized: bool = False) -> None"),
          "Writes the graph to path, .webnn or .json, and its constants to a .safetensors file "
          "beside it.")
      .def_static(
          "load", &load_graph, arg("path"), arg("manifest_path") = nb::none(),
          arg("weights_path") = nb::none(), nb::kw_only(), arg("context") = nb::none(),
          arg("sizes") = std::map<std::string, uint32_t>(),
          nb::sig("def load(path: str | PathLike[str], manifest_path: str | PathLike[str] | None = "
                  "None, weights_path: str | PathLike[str] | None = None, *, "
                  "context: MLContext | None = None, sizes: Mapping[str, int] = {}) -> MLGraph"),
          "A graph from a file. sizes: of its dynamic dimensions, by name. Without a context, any "
          "context may run it.")
      .def("destroy",
           [](WebnnGraph& g) {
             g.graph.destroy();
             for (MLGraph& o : g.others) o.destroy();
           })
      .def(
          "debug_operand",
          [](const WebnnGraph& g, size_t idx) {
            const auto all = operands_of(g);
            return idx < all.size() ? "Operand[" + std::to_string(idx) + "]: " + repr(all[idx])
                                    : "Operand[" + std::to_string(idx) + "]: not found";
          },
          arg("idx"))
      .def(
          "count_empty_shapes", [](const WebnnGraph& g) { return scalars(g, false); },
          "The number of scalar operands.")
      .def("count_scalar_constants", [](const WebnnGraph& g) { return scalars(g, true); })
      .def(
          "count_unknown_shapes", [](const WebnnGraph&) { return 0; },
          "None, because every shape is known.")
      .def("count_unknown_shapes_excluding_scalar_ops", [](const WebnnGraph&) { return 0; })
      .def("debug_unknown_shapes", [](const WebnnGraph&) { return std::vector<std::string>(); })
      .def("debug_unknown_shapes_structured", [](const WebnnGraph&) { return nb::list(); })
      .def("__repr__", [](const WebnnGraph& g) {
        return "MLGraph(operands=" + std::to_string(operands_of(g).size()) +
               ", operations=" + std::to_string(g.graph.state().operations.size()) + ")";
      });
}

}  // namespace ember::python
