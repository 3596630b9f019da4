// The engine checked: runs every slice on an engine and on native, and compares the results.
#include <cmath>
#include <complex>
#include <vector>

#include "ember/row.h"
#include "src/core/convert.h"
#include "src/core/node.h"
#include "src/engines/builtin.h"
#include "src/graph/graph.h"

namespace ember {
namespace {

// The relative difference that an engine's results may have, for a slice of a few ops.
double tolerance(DType dtype) {
  if (!is_inexact(dtype)) return 0;
  if (dtype == DType::bfloat16) return 2e-2;
  if (dtype == DType::float16) return 2e-3;
  return real_of(dtype) == DType::float32 ? 1e-4 : 1e-9;
}

std::vector<std::complex<double>> read(const Value& v, const Type& type) {
  std::vector<std::complex<double>> r(size_t(size_of(std::span<const int64_t>(type.shape))));
  Storage* dense = pack(v, type);
  convert(r.data(), DType::complex128, dense->data, type.dtype, r.size());
  drop(dense);
  return r;
}

// Factors are unique up to signs only.
bool is_unique(OpId op) {
  return op != OpId::svd && op != OpId::eig && op != OpId::eigh && op != OpId::qr &&
         op != OpId::output;
}

// The first element in which x and y, results of n, differ by more than the tolerance; "" if none
// does.
std::string difference(const Value& x, const Value& y, const SliceNode& n) {
  if (!is_unique(n.op)) return "";
  const Type type{n.dtype, n.shape};
  const std::vector<std::complex<double>> a = read(x, type);
  const std::vector<std::complex<double>> b = read(y, type);
  double scale = 1e-30;
  for (const auto& v : b) {
    if (std::isfinite(std::abs(v))) scale = std::max(scale, std::abs(v));
  }
  const double limit = tolerance(n.dtype) * scale;
  for (size_t i = 0; i < a.size(); ++i) {
    const bool both_nan = std::isnan(std::abs(a[i])) && std::isnan(std::abs(b[i]));
    if (a[i] == b[i] || both_nan || std::abs(a[i] - b[i]) <= limit) continue;
    return std::string(name(n.op)) + " " + to_string(type) + " at element " + std::to_string(i) +
           ": " + std::to_string(a[i].real()) + " and " + std::to_string(b[i].real());
  }
  return "";
}

class CheckedExecutable : public Executable {
 public:
  CheckedExecutable(Engine& engine, const Slice& s, Device d)
      : slice_(s),
        name_(engine.name()),
        tested_(engine.compile(s, d)),
        reference_(ember::engine(native_engine).compile(s, Device())) {}

  void run(std::span<const Value> in, std::span<Value> out,
           std::span<const Param> params) override {
    // Both read the inputs, so neither may write into them.
    std::vector<Value> inputs(in.begin(), in.end());
    for (Value& v : inputs) v.donated = false;
    std::vector<Value> expected(out.size());
    tested_->run(inputs, out, params);
    reference_->run(inputs, expected, params);
    std::string found;
    for (size_t k = 0; k < out.size() && found.empty(); ++k) {
      found = difference(out[k], expected[k], slice_.nodes[slice_.outputs[k]]);
    }
    for (Value& v : expected) drop(v.storage);
    if (found.empty()) return;
    for (Value& v : out) drop(std::exchange(v.storage, nullptr));
    throw EngineError("engine '" + name_ + "' and native disagree: " + found);
  }

 private:
  Slice slice_;
  std::string name_;
  std::unique_ptr<Executable> tested_;
  std::unique_ptr<Executable> reference_;
};

class Checked : public Engine {
 public:
  explicit Checked(std::unique_ptr<Engine> e) : inner_(std::move(e)) {}
  std::string_view name() const override { return inner_->name(); }
  std::string version() const override { return inner_->version(); }
  std::vector<Device> devices() const override { return inner_->devices(); }
  // A composite that native expands is expanded here too, so that both run the same ops.
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
    return std::make_unique<CheckedExecutable>(*inner_, s, d);
  }

 private:
  std::unique_ptr<Engine> inner_;
};

}  // namespace

std::unique_ptr<Engine> make_checked_engine(std::unique_ptr<Engine> e) {
  return std::make_unique<Checked>(std::move(e));
}

}  // namespace ember
