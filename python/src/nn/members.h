// A module's members as Python objects.
#pragma once
#include "python/src/nn/module.h"

namespace ember::python {

PyObject* python_part(const nn::Module::Member& m);  // the object that Python registered, or null
                                                     // where C++ holds the member
const nn::Module::Member* find_member(const nn::Module& m, std::string_view name);
nb::object part_of(nb::handle self,
                   const nn::Module::Member& m);  // always the same object while it is in use
// Registers a Parameter, a tensor (a buffer) or a module; what had the name before is let go.
void put_part(nb::handle self, std::string_view name, nb::handle value, bool saved = true);
extern PyType_Slot base_slots[];

}  // namespace ember::python
