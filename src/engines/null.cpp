// The engine null: zeros of the right type, for tests of everything that is not arithmetic.
#include <cstring>

#include "ember/nodewise.h"
#include "ember/row.h"
#include "src/engines/builtin.h"

namespace ember {
namespace {

struct Zeros {
  using Array = Value;
  Kernel<Value> kernel(const SliceNode& n, const Slice&) {
    if (!n.outputs.empty()) {
      return {nullptr,
              [](const Call<Value>& c) { return std::vector<Value>(c.node.outputs.size()); }};
    }
    return {[](const Call<Value>&) { return Value(); }};
  }
  Value lend(const Value&, const SliceNode&) { return {}; }
  void scalar(Value&, Param, DType) {}
  void finish(std::span<Value* const>) {}
  Value take(Value&&, DType dtype, const Shape& shape) {
    Value v;
    v.storage = allocate(size_t(size_of(std::span<const int64_t>(shape))) * size_of(dtype));
    std::memset(v.storage->data, 0, v.storage->bytes);
    return v;
  }
  [[noreturn]] void translate() { throw; }
};

class Null : public Engine {
 public:
  std::string_view name() const override { return "null"; }
  std::string version() const override { return EMBER_VERSION; }
  Support supports(const SliceNode& n, const Slice&) const override {
    return row(n.op).compose ? Support("composites are expanded") : Support();
  }
  std::unique_ptr<Executable> compile(const Slice& s, Device) override {
    return std::make_unique<Nodewise<Zeros>>(s, Zeros());
  }
};

}  // namespace

std::unique_ptr<Engine> make_null_engine() { return std::make_unique<Null>(); }

}  // namespace ember
