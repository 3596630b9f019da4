// Plain MLX, in its own layout (channels last).
#include <mlx/mlx.h>

#include "bench/direct.h"

namespace mx = mlx::core;

namespace ember::bench {
namespace {

mx::Shape shape_of(const Floats& f) { return {f.shape.begin(), f.shape.end()}; }
mx::array tensor(const Floats& f) { return mx::array(f.data, shape_of(f), mx::float32); }
// Permutes to channels last and copies.
mx::array last(const mx::array& x) {
  mx::array r = mx::contiguous(mx::transpose(x, {0, 2, 3, 1}));
  mx::eval(r);
  return r;
}
std::vector<float> read_of(mx::array t, bool read) {
  mx::eval(t);
  if (!read) return {};
  t = mx::contiguous(t);
  mx::eval(t);
  return {t.data<float>(), t.data<float>() + t.size()};
}

class Mlx final : public Direct {
  Work elementwise(const Floats& fx, const Floats& fy, int ops) override {
    return [x = tensor(fx), y = tensor(fy), ops](bool read) {
      mx::array t = x;
      for (int i = 0; i < ops; ++i) t = i % 2 ? mx::add(t, y) : mx::multiply(t, y);
      return read_of(t, read);
    };
  }
  Work matmuls(const Floats& fx, const Floats& fw, int ops) override {
    return [x = tensor(fx), w = tensor(fw), ops](bool read) {
      mx::array t = x;
      for (int i = 0; i < ops; ++i) t = mx::matmul(t, w);
      return read_of(t, read);
    };
  }
  Work mlp(const Floats& fx, const std::vector<std::pair<Floats, Floats>>& layers) override {
    std::vector<std::pair<mx::array, mx::array>> ts;
    for (const auto& [w, b] : layers) ts.emplace_back(tensor(w), tensor(b));
    return [x = tensor(fx), ts](bool read) {
      mx::array t = x;
      for (size_t i = 0; i < ts.size(); ++i) {
        t = mx::add(mx::matmul(t, ts[i].first), ts[i].second);
        if (i + 1 < ts.size()) t = mx::maximum(t, mx::array(0.0f));
      }
      return read_of(t, read);
    };
  }
  struct Layer {
    mx::array weight, bias;
    int stride, groups;
    explicit Layer(const Conv& c)
        : weight(last(tensor(c.weight))),
          bias(tensor(c.bias)),
          stride(int(c.stride)),
          groups(int(c.groups)) {}
    mx::array operator()(const mx::array& x, bool clamp) const {
      const int pad = weight.shape(1) / 2;
      const mx::array y =
          mx::add(mx::conv2d(x, weight, {stride, stride}, {pad, pad}, {1, 1}, groups), bias);
      return clamp ? mx::minimum(mx::maximum(y, mx::array(0.0f)), mx::array(6.0f)) : y;
    }
  };
  Work mobilenet(const Floats& image, const Network& n) override {
    return
        [x = last(tensor(image)), first = Layer(n.first), final = Layer(n.last),
         weight = tensor(n.weight), bias = tensor(n.bias), parts = parts_of<Layer>(n)](bool read) {
          mx::array t = first(x, true);
          for (const Part<Layer>& p : parts) {
            const mx::array wide = p.expand ? (*p.expand)(t, true) : t;
            const mx::array y = p.project(p.depthwise(wide, true), false);
            t = p.residual ? mx::add(t, y) : y;
          }
          t = mx::mean(final(t, true), std::vector<int>{1, 2});
          return read_of(mx::add(mx::matmul(t, mx::transpose(weight)), bias), read);
        };
  }
};

}  // namespace
}  // namespace ember::bench

EMBER_DIRECT(ember::bench::Mlx)
