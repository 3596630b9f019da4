// Shared by the bindings of training, features and the registry.
#pragma once
#include <nanobind/stl/map.h>
#include <nanobind/stl/shared_ptr.h>

#include "python/src/nn/parameter.h"

namespace ember::python {

// A tensor that requires gradients and the parameter that represents it in an optimizer.
struct Leaf {
  nb::object tensor;
  nn::Parameter parameter;
};
// One parameter, or an iterable of them. Tensors that require gradients are accepted too and, if
// leaves is given, appended to it.
std::vector<nn::Parameter> parameters_of(const char* who, nb::handle o,
                                         std::vector<Leaf>* leaves = nullptr);
Tensors tensors_of(nb::handle o);  // a tuple or list is several tensors, any other object is one
nn::StateDict state_of(nb::handle o);  // a dict; Python numbers are stored without loss
Tensor tensor_returned(const char* by,
                       const nb::object& o);  // checks that a callback returned a tensor
Tensor call_for_tensor(const char* who, const nb::object& f, const Tensors& args);
std::string path_of(nb::handle o);  // str or os.PathLike

void add_optimizers(nb::module_& m);
void add_data(nb::module_& m);
void add_metrics(nb::module_& m);
void add_losses(nb::module_& m);
void add_trainer(nb::module_& m);
void add_distributed(nb::module_& m);  // the submodule _core.distributed
void add_features(nb::module_& m);     // the submodule _core.features
void add_registry(nb::module_& m);     // the submodule _core.registry

}  // namespace ember::python
