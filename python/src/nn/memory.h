// Memory that other libraries own: buffers, DLPack, and what an object's __array__ gives.
#pragma once
#include "python/src/python.h"

namespace ember::python {

// copy: as asarray's; unless it is false, memory that others may write is copied.
Tensor from_memory(PyObject* o, std::optional<bool> copy);
Tensor from_exporter(PyObject* o, std::optional<bool> copy);  // by its __dlpack__

}  // namespace ember::python
