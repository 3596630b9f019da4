// null and checked: engines that need no library.
#include "src/engines/builtin.h"

#include <cmath>
#include <cstring>

#include "ember/nodewise.h"
#include "ember/row.h"
#include "src/core/convert.h"
#include "src/core/node.h"
#include "src/graph/graph.h"

namespace ember {
namespace {

// Zeros of the right type: enough to test everything that is not arithmetic.
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

// Runs every slice on the engine and on native, and compares the results.
class Checked : public Engine {
 public:
  explicit Checked(std::unique_ptr<Engine> e) : inner_(std::move(e)) {}
  std::string_view name() const override { return inner_->name(); }
  std::string version() const override { return inner_->version(); }
  std::vector<Device> devices() const override { return inner_->devices(); }
  // Composites that native takes as their body are compared as their body.
  Support supports(const SliceNode& n, const Slice& s) const override {
    if (!engine(native_engine).supports(n, s).yes && row(n.op).compose) {
      return "compared as its body";
    }
    return inner_->supports(n, s);
  }
  size_t longest_slice() const override { return inner_->longest_slice(); }
  void synchronize(Device d) override { inner_->synchronize(d); }
  void clear_cache() override { inner_->clear_cache(); }
  Storage* download(const Value& v, const Type& t) override { return inner_->download(v, t); }
  bool survives_fork() const override { return inner_->survives_fork(); }
  std::vector<std::pair<std::string, std::string>> facts() const override {
    return inner_->facts();
  }
  std::unique_ptr<Executable> compile(const Slice& s, Device d) override {
    struct Both : Executable {
      std::unique_ptr<Executable> a, b;
      Slice slice;
      std::string name;
      void run(std::span<const Value> in, std::span<Value> out,
               std::span<const Param> params) override {
        std::vector<Value> mine(in.begin(), in.end());
        std::vector<Value> other(out.size());
        for (Value& v : mine) v.donated = false;
        a->run(mine, out, params);
        b->run(mine, other, params);
        std::string wrong;
        for (size_t k = 0; k < out.size() && wrong.empty(); ++k) {
          wrong = differs(out[k], other[k], slice.nodes[slice.outputs[k]]);
        }
        for (Value& v : other) drop(v.storage);
        if (wrong.empty()) return;
        for (Value& v : out) drop(std::exchange(v.storage, nullptr));
        throw EngineError("engine '" + name + "' and native disagree: " + wrong);
      }
      static std::string differs(const Value& x, const Value& y, const SliceNode& n) {
        // unique up to signs
        if (n.op == OpId::svd || n.op == OpId::eig || n.op == OpId::eigh || n.op == OpId::qr ||
            n.op == OpId::output) {
          return "";
        }
        const size_t count = size_t(size_of(std::span<const int64_t>(n.shape)));
        Storage* p = pack(x, {n.dtype, n.shape});
        Storage* q = pack(y, {n.dtype, n.shape});
        std::vector<std::complex<double>> a(count);
        std::vector<std::complex<double>> b(count);
        convert(a.data(), DType::complex128, p->data, n.dtype, count);
        convert(b.data(), DType::complex128, q->data, n.dtype, count);
        drop(p);
        drop(q);
        const double tolerance = !is_inexact(n.dtype)                 ? 0
                                 : n.dtype == DType::bfloat16         ? 2e-2
                                 : n.dtype == DType::float16          ? 2e-3
                                 : real_of(n.dtype) == DType::float32 ? 1e-4
                                                                      : 1e-9;
        double scale = 0;
        for (auto& v : b) {
          if (std::isfinite(std::abs(v))) scale = std::max(scale, std::abs(v));
        }
        for (size_t i = 0; i < count; ++i) {
          const bool same =
              a[i] == b[i] || (std::isnan(std::abs(a[i])) && std::isnan(std::abs(b[i])));
          if (!same && !(std::abs(a[i] - b[i]) <= tolerance * std::max(scale, 1e-30))) {
            return std::string(ember::name(n.op)) + " " + to_string(Type{n.dtype, n.shape}) +
                   " at element " + std::to_string(i) + ": " + std::to_string(a[i].real()) +
                   " and " + std::to_string(b[i].real());
          }
        }
        return "";
      }
    };
    auto r = std::make_unique<Both>();
    r->slice = s;
    r->name = std::string(name());
    r->a = inner_->compile(s, d);
    r->b = engine(native_engine).compile(s, Device());
    return r;
  }

 private:
  std::unique_ptr<Engine> inner_;
};

}  // namespace

Storage* Engine::download(const Value&, const Type&) {
  throw StateError("engine '" + std::string(name()) + "' has no memory of its own");
}

std::unique_ptr<Engine> make_null_engine() { return std::make_unique<Null>(); }
std::unique_ptr<Engine> make_checked_engine(std::unique_ptr<Engine> e) {
  return std::make_unique<Checked>(std::move(e));
}

static Support ask(const Engine& e, OpId op) {
  const Row& r = row(op);
  Slice s;
  const DType t = r.kinds & k_float     ? DType::float32
                  : r.kinds & k_int     ? DType::int32
                  : r.kinds & k_complex ? DType::complex64
                                        : DType::bool_;
  SliceNode n{.op = op, .dtype = r.result == Result::boolean ? DType::bool_ : t, .shape = {2, 2}};
  // As many operands as the signature has arguments without a default.
  std::string_view args = r.args;
  for (uint32_t i = 0;
       i < 3 && !args.empty() && args.substr(0, args.find(',')).find_first_of("=*") == args.npos;
       ++i) {
    s.nodes.push_back({.op = OpId::leaf,
                       .dtype = op == OpId::where && i == 0 ? DType::bool_ : t,
                       .shape = {2, 2}});
    n.in.push_back(i);
    const size_t comma = args.find(',');
    args.remove_prefix(comma == args.npos ? args.size() : comma + 2);
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
