// MobileNetV2 1.0/224: the network of examples/mobilenet.cpp. Batch normalisation is folded into
// the convolutions.
#pragma once
#include <ember/ember.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

struct MobileNet {
  struct Conv {
    ember::Tensor weight, bias;
    int64_t stride;
    ember::Tensor operator()(const ember::Tensor& x) const {
      const int64_t groups =
          weight.shape(1) == 1 ? weight.shape(0) : 1;  // depthwise: a filter per channel
      return ember::ops::conv2d(
          x, weight, bias,
          {.strides = {stride}, .padding = {weight.shape(2) / 2}, .groups = groups});
    }
  };
  struct Block {
    std::optional<Conv> expand;
    Conv depthwise, project;
    bool residual;
  };

  Conv first, last;
  std::vector<Block> blocks;
  ember::Tensor weight, bias;  // of the classifier

  explicit MobileNet(const std::string& folder) {
    const auto load = [&](const std::string& name) {
      return ember::load(folder + "/" + name + ".npy");
    };
    int node = 0;  // files carry the number of their node in the graph, where a clamp and an
                   // addition count as well
    const auto conv = [&](int64_t stride, bool clamp) {
      const std::string name = "conv_" + std::to_string(node);
      node += clamp ? 2 : 1;
      return Conv{load(name + "_weight"), load(name + "_bias"), stride};
    };
    first = conv(2, true);
    int64_t channels = 32;
    const struct {
      int64_t expansion, channels, count, stride;
    } stages[] = {{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                  {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
    for (const auto& stage : stages) {
      for (int64_t i = 0; i < stage.count; ++i) {
        Block b;
        if (stage.expansion > 1) b.expand = conv(1, true);
        b.depthwise = conv(i == 0 ? stage.stride : 1, true);
        b.project = conv(1, false);
        b.residual = b.depthwise.stride == 1 && channels == stage.channels;
        node += b.residual;
        channels = stage.channels;
        blocks.push_back(std::move(b));
      }
    }
    last = conv(1, true);
    weight = load("gemm_104_weight");
    bias = load("gemm_104_bias");
  }

  // Images [n, 3, 224, 224] to logits [n, 1000].
  ember::Tensor forward(const ember::Tensor& images) const {
    using namespace ember::ops;
    ember::Tensor x = relu6(first(images));
    for (const Block& b : blocks) {
      const ember::Tensor wide = b.expand ? relu6((*b.expand)(x)) : x;
      const ember::Tensor y = b.project(relu6(b.depthwise(wide)));
      x = b.residual ? x + y : y;
    }
    x = global_average_pool(relu6(last(x)));
    return linear(reshape(x, {images.shape(0), -1}), weight, bias);
  }

  // The folder with the weights: the given one, else the places where they may be; empty where
  // there are none.
  static std::string find(const std::string& given = {}) {
    std::vector<std::string> places = {given};
    if (given.empty()) {
      const char* models = std::getenv("EMBER_MODELS");
      places = {models ? std::string(models) + "/mobilenetv2" : "", "build/models/mobilenetv2"};
    }
    for (const std::string& place : places) {
      if (!place.empty() && std::filesystem::exists(place + "/conv_0_weight.npy")) return place;
    }
    return {};
  }
};
