// Methods of Tensor that call ops.
#include "src/ops/views.h"

namespace ember {
namespace {

// Gives the handle a new value of the same dtype and shape. A weak scalar has no dtype
// and takes the value's.
Tensor& rebind(const char* op, Tensor& x, Tensor value) {
  const bool scalar = x.node()->weak;
  if (!scalar && value.dtype() != x.dtype()) {
    throw DTypeError("[" + std::string(op) + "] an in-place op cannot change the dtype from " +
                     std::string(name(x.dtype())) + " to " + std::string(name(value.dtype())));
  }
  if (!scalar && value.shape() != x.shape()) {
    throw ShapeError("[" + std::string(op) + "] an in-place op cannot change the shape from " +
                     to_string(x.shape()) + " to " + to_string(value.shape()));
  }
  return x = std::move(value);
}

}  // namespace

Tensor Tensor::astype(DType t) const { return ops::astype(*this, t); }
Tensor Tensor::reshape(Shape s) const { return ops::reshape(*this, s); }
Tensor Tensor::transpose() const { return ops::transpose(*this); }

Tensor& Tensor::operator+=(const Tensor& o) { return rebind("add", *this, ops::add(*this, o)); }
Tensor& Tensor::operator-=(const Tensor& o) {
  return rebind("subtract", *this, ops::subtract(*this, o));
}
Tensor& Tensor::operator*=(const Tensor& o) {
  return rebind("multiply", *this, ops::multiply(*this, o));
}
Tensor& Tensor::operator/=(const Tensor& o) {
  return rebind("divide", *this, ops::divide(*this, o));
}

}  // namespace ember
