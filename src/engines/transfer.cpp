// Tensor::to_backend and to_device.
#include "ember/backend.h"
#include "src/engines/registry.h"

namespace ember {

static void check_defined(const Tensor& t) {
  if (!t.defined()) throw ValueError("this tensor is undefined: it was never assigned a value");
}
Tensor Tensor::to_backend(std::string_view name) const {
  check_defined(*this);
  const int id = engine_id(name);
  if (node_->engine == id) return *this;
  if (node_->tracked) {  // a recorded op passes gradients on
    const EngineScope there(id);
    return identity(*this);
  }
  eval();
  const Node& n = *node_;
  Tensor r = make_leaf({n.dtype, n.shape}, value_of(n));
  r.node()->engine = uint8_t(id);
  r.node()->requires_grad = n.requires_grad;
  return r;
}
Tensor Tensor::to_device(Device d) const {
  check_defined(*this);
  if (d == node_->device) return *this;
  check_device(node_->engine, d);
  eval();
  Tensor host[] = {make_leaf({node_->dtype, node_->shape}, value_of(*node_))};
  host[0].node()->engine = node_->engine;
  if (d == Device(Device::cpu)) return host[0];
  // The engine moves the operand of a node on d to d.
  const with_backend scope(backend());
  Tensor there = apply_typed(OpId::copy, host, {node_->dtype, node_->shape});
  there.node()->device = d;
  return there;
}

}  // namespace ember
