// Parameters between C++ and Python: a Python object represents the cell.
#pragma once
#include "python/src/python.h"

namespace nanobind::detail {

template <> struct type_caster<ember::nn::Parameter> {
  NB_TYPE_CASTER(ember::nn::Parameter, const_name("Parameter"))
  bool from_python(handle src, uint8_t, cleanup_list*) noexcept {
    if (!ember::python::is_parameter(src.ptr())) return false;
    value = reinterpret_cast<ember::python::PyParameter*>(src.ptr())->cell;
    return true;
  }
  static handle from_cpp(const ember::nn::Parameter& p, rv_policy, cleanup_list*) noexcept {
    if (!p.defined()) return none().release();
    return ember::python::wrap(p);
  }
};

}  // namespace nanobind::detail
