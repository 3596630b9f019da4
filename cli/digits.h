// Handwritten digits: the data, the network and a training run that works on any engine.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "ember/nn.h"

namespace ember::cli {

struct Digits {
  Tensor train_images, train_labels, test_images, test_labels;  // [n, 1, 8, 8] from 0 to 1, [n]
};
Digits load_digits(DType dtype = DType::float32);  // IoError if the file is missing

struct DigitNet : nn::Module {
  nn::Conv2d conv1{1, 16, 3, {.padding = 1}}, conv2{16, 32, 3, {.padding = 1}};
  nn::Linear hidden{32 * 4 * 4, 64}, out{64, 10};
  DigitNet();
  Tensor forward(const Tensor& x) override;
  std::string kind() const override { return "DigitNet"; }
};

struct Run {
  std::string engine, version, device;
  std::vector<double> losses;    // per step
  std::vector<double> accuracy;  // on the test images, after each epoch
  double seconds = 0;            // per epoch
  uint64_t fallbacks = 0;
  nn::StateDict weights;
  std::vector<int64_t> predicted;  // classes of the test images
  std::vector<double> confidence;
};
// Trains on the current backend with a fixed seed; at_step may print progress.
Run train_digits(const Digits&, int epochs,
                 const std::function<void(int epoch, int step, int steps)>& at_step);

}  // namespace ember::cli
