// The native engine: plans over our own kernels.
#include "engines/native/targets.h"

#include <hwy/highway.h>
#include <cstdlib>

#include "ember/kernel_table.h"
#include "engines/native/jit/jit.h"

namespace ember::native {
namespace {

struct Compiled : Executable {
  explicit Compiled(const Slice& s) : plan(make_plan(s)) {}
  void run(std::span<const Value> in, std::span<Value> out,
           std::span<const Param> params) override {
    run_plan(plan, in, out, params);
  }
  Plan plan;
};

// An instruction set as its makers call it: Highway's AVX3 is AVX-512.
std::string common_name(std::string_view target) {
  return target.starts_with("AVX3") ? "AVX-512" + std::string(target.substr(4))
                                    : std::string(target);
}

// EMBER_MAX_ISA keeps the kernels below an instruction set that the machine has: for tests, and to
// compare machines.
void limit_instruction_set() {
#ifndef EMBER_STATIC_DISPATCH
  const char* most = std::getenv("EMBER_MAX_ISA");
  if (!most) return;
  std::string names;
  for (int64_t targets = HWY_TARGETS; targets; targets &= targets - 1) {  // the best first
    const int64_t target = targets & -targets;
    const std::string name = common_name(hwy::TargetName(target));
    if (name == most) return hwy::DisableTargets(target - 1);
    names += (names.empty() ? "" : ", ") + name;
  }
  throw ValueError("EMBER_MAX_ISA is \"" + std::string(most) + "\"; available: " + names);
#endif
}

class Native : public Engine {
 public:
  Native() { limit_instruction_set(); }
  std::string_view name() const override { return "native"; }
  std::string version() const override { return EMBER_VERSION; }
  Support supports(const SliceNode& n, const Slice& s) const override {
    if (is_view(n.op) || n.op == OpId::slice_update) return {};
    if (is_elementwise(n.op)) {
      const DType in = n.in.empty() ? n.dtype : s.nodes[n.in[n.in.size() - 1]].dtype;
      const bool has = n.op == OpId::cast
                           ? cast_kernel(tile_dtype(in), tile_dtype(n.dtype)) != nullptr
                           : tile_kernel(n.op, tile_dtype(in)) != nullptr;
      if (has) return {};
      return "no kernel for " + std::string(ember::name(in));
    }
    if (n.op == OpId::batch_norm && folds_batch_norm(n, s)) return {};
    const KernelRow* k = find_kernel(n.op);
    if (!k) return "no kernel";
    return k->supports ? k->supports(n, s) : Support();
  }
  std::unique_ptr<Executable> compile(const Slice& s, Device) override {
    return std::make_unique<Compiled>(s);
  }
  TileFn quick(OpId op, DType in) const override {
    return in == DType::float16 || in == DType::bfloat16 || op == OpId::cast ? nullptr
                                                                             : tile_kernel(op, in);
  }
  std::vector<std::pair<std::string, std::string>> facts() const override {
    std::vector<std::pair<std::string, std::string>> f = {
        {"threads", std::to_string(num_threads())},
        {"instruction set", common_name(instruction_set())},
        {"fused code", generates() ? "generated" : "interpreted"}};
#ifdef EMBER_HAVE_DNNL
    f.push_back({"gemm", "oneDNN"});
#endif
#ifdef EMBER_HAVE_BLAS
    f.push_back({"blas", "OpenBLAS"});
#endif
    return f;
  }
};

}  // namespace

const KernelRow* find_kernel(OpId op) {
  static const KernelTable<KernelRow> table{
      reduction_kernels(), normalization_kernels(), order_kernels(),     movement_kernels(),
      indexing_kernels(),  product_kernels(),       attention_kernels(), linalg_kernels(),
      signal_kernels(),    convolution_kernels(),   pooling_kernels(),   random_kernels()};
  return table.find(op);
}

}  // namespace ember::native

EMBER_ENGINE(ember::native::Native)
