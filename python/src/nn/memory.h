// Memory of other libraries: buffers, DLPack, and the results of __array__.
#pragma once
#include "python/src/python.h"

namespace ember::python {

// copy: as in asarray; unless it is false, memory that others may write is copied.
Tensor from_memory(PyObject* o, std::optional<bool> copy);
Tensor from_exporter(PyObject* o, std::optional<bool> copy);  // uses its __dlpack__

}  // namespace ember::python
