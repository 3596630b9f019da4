// A module's members as Python objects.
#pragma once
#include "python/src/nn/module.h"

namespace ember::python {

// The object that Python registered, or null if C++ owns the member.
PyObject* python_part(const nn::Module::Member& m);
const nn::Module::Member* find_member(const nn::Module& m, std::string_view name);
// The same object while it is in use.
nb::object part_of(nb::handle self, const nn::Module::Member& m);
// Registers a Parameter, a tensor (a buffer) or a module; replaces an earlier member of that name.
void put_part(nb::handle self, std::string_view name, nb::handle value, bool saved = true);
extern PyType_Slot base_slots[];

}  // namespace ember::python
