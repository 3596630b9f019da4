// MobileNetV2 as a WebNN graph looks at a photo.
//   webnn_mobilenet [folder of weights] [--engine NAME]
#include <ember/webnn.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>

#include "mobilenet.h"

using namespace ember::webnn;

// The weights are Ember's tensors; a WebNN graph takes them as constants.
struct Network {
  MLGraphBuilder b;
  MLOperand constant(const ember::Tensor& t) {
    MLOperandDescriptor d{t.dtype(), {}};
    for (int64_t n : t.shape()) d.shape.push_back(uint32_t(n));
    return b.constant(d, t.data_ptr(), t.nbytes());
  }
  MLOperand conv(const MobileNet::Conv& c, const MLOperand& x) {
    const auto stride = uint32_t(c.stride);
    const auto pad = uint32_t(c.weight.shape(2) / 2);
    return b.conv2d(x, constant(c.weight),
                    {.padding = {{pad, pad, pad, pad}},
                     .strides = {{stride, stride}},
                     .groups = c.weight.shape(1) == 1 ? uint32_t(c.weight.shape(0)) : 1,
                     .bias = constant(c.bias)});
  }
  MLOperand clamped(const MLOperand& x) { return b.clamp(x, {.minValue = 0, .maxValue = 6}); }
  MLGraph build(const MobileNet& net) {
    auto x = clamped(conv(net.first, b.input("image", {ember::DType::float32, {1, 3, 224, 224}})));
    for (const auto& block : net.blocks) {
      const auto wide = block.expand ? clamped(conv(*block.expand, x)) : x;
      const auto y = conv(block.project, clamped(conv(block.depthwise, wide)));
      x = block.residual ? b.add(x, y) : y;
    }
    const auto features = b.reshape(b.averagePool2d(clamped(conv(net.last, x))), {1, 1280});
    const auto logits =
        b.gemm(features, constant(net.weight), {.c = constant(net.bias), .bTranspose = true});
    return b.build({{"chances", b.softmax(logits, 1)}});
  }
};

int main(int argc, char** argv) try {
  std::string folder;
  MLContextOptions options;
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--engine") && i + 1 < argc) {
      options.engine = argv[++i];
    } else if (argv[i][0] != '-' && folder.empty()) {
      folder = argv[i];
    } else {
      return std::cerr << "usage: webnn_mobilenet [folder of weights] [--engine NAME]\n", 2;
    }
  }
  folder = MobileNet::find(folder);
  if (folder.empty()) {
    return std::cout << "no weights of MobileNetV2 found: `make models` fetches them\n", 0;
  }
  const MLContext context = createContext(options);
  const MLGraph graph = Network{MLGraphBuilder(context)}.build(MobileNet(folder));

  const ember::Tensor photo = ember::load(folder + "/photo_input.npy");
  const MLTensor image =
      context.createTensor({{ember::DType::float32, {1, 3, 224, 224}}, false, true});
  const MLTensor chances = context.createTensor({{ember::DType::float32, {1, 1000}}, true, false});
  context.writeTensor(image, photo.data_ptr(), photo.nbytes());
  std::vector<float> p(1000);
  double best = 1e9;
  for (int i = 0; i < 10; ++i) {
    const auto start = std::chrono::steady_clock::now();
    context.dispatch(graph, {{"image", image}}, {{"chances", chances}});
    context.readTensor(chances, p.data(), 4000);
    best = std::min(
        best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
                  .count());
  }
  std::ifstream file(folder + "/imagenet_classes.txt");
  std::vector<std::string> labels;
  for (std::string line; std::getline(file, line);) labels.push_back(line);
  const size_t top = size_t(std::max_element(p.begin(), p.end()) - p.begin());
  std::printf("%8.3f %%  %s\n%.1f ms for an image on %s\n", 100 * p[top], labels.at(top).c_str(),
              best, std::string(context.engine()).c_str());
  return labels[top] == "lesser panda" && std::abs(p[top] - 0.996f) < 5e-4f ? 0 : 1;
} catch (const std::exception& e) {
  std::cerr << e.what() << "\n";
  return 1;
}
