// Modules between C++ and Python. A module made in Python is stored in its Python object, which its
// owners keep alive.
#pragma once
#include <nanobind/stl/shared_ptr.h>

#include "ember/nn/module.h"
#include "python/src/nn/parameter.h"

namespace ember::python {

// The module of an object. DTypeError if it is not a module, StateError if its __init__ did not
// call super().__init__().
nn::Module& module_of(nb::handle h);
nn::ModulePtr module_ptr(nb::handle h);  // keeps the object alive; may be dropped by any thread
nb::object object_of(nn::Module& m);     // the Python object of a module that outlives it

void add_module(nb::module_& m);
void add_layers(nb::module_& m);
void add_containers(nb::module_& m);
void add_windows(nb::module_& m);    // convolution, pooling, normalization
void add_recurrent(nb::module_& m);  // and liquid networks
void add_attention(nb::module_& m);  // transformers and the mixing layers
void add_init(nb::module_& m);

}  // namespace ember::python
