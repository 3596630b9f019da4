// What the bindings of training, features and the registry share.
#pragma once
#include <nanobind/stl/map.h>
#include <nanobind/stl/shared_ptr.h>

#include "python/src/nn/parameter.h"

namespace ember::python {

// A tensor that requires gradients, trained through a parameter that stands in its place.
struct Leaf {
  nb::object tensor;
  nn::Parameter parameter;
};
// One, or an iterable of them. Tensors that require gradients are taken too; leaves, if given, gets
// them.
std::vector<nn::Parameter> parameters_of(const char* who, nb::handle o,
                                         std::vector<Leaf>* leaves = nullptr);
Tensors tensors_of(nb::handle o);      // a tuple or list is several, anything else is one
nn::StateDict state_of(nb::handle o);  // a dict; Python's numbers are kept exactly
Tensor tensor_returned(const char* by, const nb::object& o);  // what it must be
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
