// Defaults of Engine, and which ops an engine computes itself.
#include "ember/row.h"
#include "src/engines/builtin.h"
#include "src/graph/graph.h"

namespace ember {

Storage* Engine::download(const Value&, const Type&) {
  throw StateError("engine '" + std::string(name()) + "' has no device memory");
}

static Support ask(const Engine& e, OpId op) {
  const Row& r = row(op);
  Slice s;
  const DType t = r.kinds & k_float     ? DType::float32
                  : r.kinds & k_int     ? DType::int32
                  : r.kinds & k_complex ? DType::complex64
                                        : DType::bool_;
  SliceNode n{.op = op, .dtype = r.result == Result::boolean ? DType::bool_ : t, .shape = {2, 2}};
  for (uint32_t i = 0; i < r.arity.least; ++i) {
    s.nodes.push_back({.op = OpId::leaf,
                       .dtype = op == OpId::where && i == 0 ? DType::bool_ : t,
                       .shape = {2, 2}});
    n.in.push_back(i);
  }
  try {
    return e.supports(n, s);
  } catch (const Error&) {
    return {};  // an engine that must see attributes to answer takes the op for some of them
  }
}
Support supports_op(std::string_view backend, OpId op) {
  return ask(engine(engine_id(backend)), op);
}
int count_supported(const Engine& e) {
  int n = 0;
  for (size_t k = size_t(OpId::output) + 1; k < size_t(OpId::count); ++k) n += ask(e, OpId(k)).yes;
  return n;
}

}  // namespace ember
