// Plain ATen, as an experienced user would write it.
#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include "bench/direct.h"

namespace ember::bench {
namespace {

at::Tensor tensor(const Floats& f) {
  return at::from_blob(const_cast<float*>(f.data), f.shape, at::kFloat).clone();
}
std::vector<float> read_of(const at::Tensor& t, bool read) {
  if (!read) return {};
  const at::Tensor c = t.contiguous();
  return {c.const_data_ptr<float>(), c.const_data_ptr<float>() + c.numel()};
}

at::Tensor clamped(at::Tensor t) { return at::hardtanh_(t, 0, 6); }

class Torch final : public Direct {
  Work elementwise(const Floats& fx, const Floats& fy, int ops) override {
    const c10::InferenceMode mode;
    return [x = tensor(fx), y = tensor(fy), ops](bool read) {
      const c10::InferenceMode mode;
      at::Tensor t = x;
      for (int i = 0; i < ops; ++i) t = i % 2 ? at::add(t, y) : at::mul(t, y);
      return read_of(t, read);
    };
  }
  Work matmuls(const Floats& fx, const Floats& fw, int ops) override {
    const c10::InferenceMode mode;
    return [x = tensor(fx), w = tensor(fw), ops](bool read) {
      const c10::InferenceMode mode;
      at::Tensor t = x;
      for (int i = 0; i < ops; ++i) t = at::matmul(t, w);
      return read_of(t, read);
    };
  }
  Work mlp(const Floats& fx, const std::vector<std::pair<Floats, Floats>>& layers) override {
    const c10::InferenceMode mode;
    std::vector<std::pair<at::Tensor, at::Tensor>> ts;
    for (const auto& [w, b] : layers) ts.emplace_back(tensor(w), tensor(b));
    return [x = tensor(fx), ts](bool read) {
      const c10::InferenceMode mode;
      at::Tensor t = x;
      for (size_t i = 0; i < ts.size(); ++i) {
        t = at::matmul(t, ts[i].first).add_(ts[i].second);
        if (i + 1 < ts.size()) t = t.relu_();
      }
      return read_of(t, read);
    };
  }
  struct Layer {
    at::Tensor weight, bias;
    int64_t stride, groups;
    explicit Layer(const Conv& c)
        : weight(tensor(c.weight)), bias(tensor(c.bias)), stride(c.stride), groups(c.groups) {}
    at::Tensor operator()(const at::Tensor& x) const {
      const int64_t pad = weight.size(2) / 2;
      return at::conv2d(x, weight, bias, {stride, stride}, at::IntArrayRef{pad, pad}, {1, 1},
                        groups);
    }
  };
  Work mobilenet(const Floats& image, const Network& n) override {
    const c10::InferenceMode mode;
    return
        [x = tensor(image), first = Layer(n.first), last = Layer(n.last), weight = tensor(n.weight),
         bias = tensor(n.bias), parts = parts_of<Layer>(n)](bool read) {
          const c10::InferenceMode mode;
          at::Tensor t = clamped(first(x));
          for (const Part<Layer>& p : parts) {
            at::Tensor y = p.expand ? clamped((*p.expand)(t)) : t;
            y = p.project(clamped(p.depthwise(y)));
            t = p.residual ? y.add_(t) : y;
          }
          t = clamped(last(t)).mean({2, 3});
          return read_of(at::linear(t, weight, bias), read);
        };
  }
};

}  // namespace
}  // namespace ember::bench

EMBER_DIRECT(ember::bench::Torch)
