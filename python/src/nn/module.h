// Modules between C++ and Python. A module made in Python lives in its Python object; what
// registers it keeps that object.
#pragma once
#include <nanobind/stl/shared_ptr.h>

#include "ember/nn/module.h"
#include "python/src/nn/parameter.h"

namespace ember::python {

// The module of an object: DTypeError where it is none, StateError where its __init__ has not
// called super().__init__().
nn::Module& module_of(nb::handle h);
nn::ModulePtr module_ptr(nb::handle h);  // keeps the Python object alive; droppable from any thread
nb::object object_of(nn::Module& m);     // the Python object of a module that outlives it

void add_module(nb::module_& m);
void add_layers(nb::module_& m);
void add_containers(nb::module_& m);
void add_windows(nb::module_& m);    // convolutions, pools, norms
void add_recurrent(nb::module_& m);  // and liquid networks
void add_attention(nb::module_& m);  // transformers and the mixing layers
void add_init(nb::module_& m);

}  // namespace ember::python
