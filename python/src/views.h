// Tensors are values: a slice, or x.data, is a tensor of its own. In two cases an assignment to
// such a value would be lost without a trace, so it reaches the tensor that the value came from:
// `x[i][j] = v` and `x.data.add_(v)`.
#pragma once
#include "python/src/python.h"

namespace ember::python {

// After result = self[key]: remembers where result came from, for the last few chains of slices.
void remember_slice(PyObject* self, PyObject* key, PyObject* result);
// Before self[key] = value: if self is a remembered slice without a name, also assigns to the
// tensor that it was taken from.
void assign_through(PyObject* self, PyObject* key, const Tensor& value);
// After result = target.data.
void remember_data(PyObject* target, PyObject* result);
// After an in-place change of o: if o is the data of a tensor, changes that tensor too.
void update_data_owner(PyObject* o, const Tensor& value);
// Whether an assignment to o may have to change another tensor.
bool may_reach_another(PyObject* o);
// Called before o is destroyed.
void forget_view(PyObject* o);

std::vector<IndexItem> index_items(PyObject* key);

}  // namespace ember::python
