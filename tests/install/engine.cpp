// An engine outside Ember's tree, built against the installed headers alone: sums and products of
// float32 matrices on a device that is not the CPU. Other ops fall back to native.
#include <ember/nodewise.h>

#include <cstring>

namespace {

using namespace ember;
using Numbers = std::vector<float>;

Numbers add(const Call<Numbers>& c) {
  Numbers sum = c[0];
  for (size_t i = 0; i < sum.size(); ++i) sum[i] += c[1][i];
  return sum;
}
Numbers matmul(const Call<Numbers>& c) {
  const int64_t rows = c.node.shape[0];
  const int64_t columns = c.node.shape[1];
  const int64_t depth = c.from(0).shape[1];
  Numbers product(size_t(rows * columns));
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < columns; ++j) {
      for (int64_t k = 0; k < depth; ++k) {
        product[i * columns + j] += c[0][i * depth + k] * c[1][k * columns + j];
      }
    }
  }
  return product;
}

struct Library {
  using Array = Numbers;
  Kernel<Numbers> kernel(const SliceNode& n, const Slice&) {
    return {n.op == OpId::add ? add : matmul};
  }
  Numbers lend(const Value& v, const SliceNode& leaf) {
    Storage* const dense = pack(v, {leaf.dtype, leaf.shape});
    const float* const first = reinterpret_cast<const float*>(dense->data);
    Numbers r(first, first + size_of(leaf.shape));
    drop(dense);
    return r;
  }
  void scalar(Numbers& slot, Param p, DType) { slot = {float(p.f)}; }
  void finish(std::span<Numbers* const>) {}
  Value take(Numbers&& x, DType, const Shape&) {
    Value v{.storage = allocate(x.size() * sizeof(float))};
    std::memcpy(v.storage->data, x.data(), v.storage->bytes);
    return v;
  }
  [[noreturn]] void translate() { throw; }
};

struct Sample : Engine {
  std::string_view name() const override { return "sample"; }
  std::string version() const override { return "1"; }
  std::vector<Device> devices() const override { return {Device::gpu}; }
  Support supports(const SliceNode& n, const Slice& s) const override {
    if (n.op != OpId::add && n.op != OpId::matmul) return "it adds and multiplies matrices";
    for (uint32_t i : n.in) {
      if (s.nodes[i].dtype != DType::float32 || s.nodes[i].shape.size() != 2) {
        return "it takes float32 matrices";
      }
    }
    return n.op == OpId::matmul || s.nodes[n.in[0]].shape == s.nodes[n.in[1]].shape
               ? Support()
               : Support("it does not broadcast");
  }
  std::unique_ptr<Executable> compile(const Slice& s, Device d) override {
    if (d != Device(Device::gpu)) {
      throw DeviceError("the sample engine has no device " + to_string(d));
    }
    return std::make_unique<Nodewise<Library>>(s, Library());
  }
};

}  // namespace

#ifdef STALE_INTERFACE  // as if the headers had changed since
extern "C" EMBER_API uint64_t ember_engine_interface() { return ember::engine_interface ^ 1; }
extern "C" EMBER_API ember::Engine* ember_engine_create() { return new Sample; }
#else
EMBER_ENGINE(Sample)
#endif
