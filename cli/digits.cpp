// The digits data set, the network and its training.
#include "cli/digits.h"

#include <chrono>
#include <fstream>

#include "cli/paths.h"
#include "ember/ember.h"
#include "ember/train.h"

namespace ember::cli {
namespace {

using namespace ops;

// The file is sorted by writer: every fifth digit is in the test set.
bool is_test(size_t i) { return i % 5 == 4; }

}  // namespace

Digits load_digits(DType dtype) {
  const std::string path = share_folder() + "/digits.csv";
  std::ifstream file(path);
  if (!file) throw IoError("cannot read " + path);
  std::vector<float> pixels[2];
  std::vector<int64_t> labels[2];
  size_t n = 0;
  for (std::string line; std::getline(file, line); ++n) {
    const char* p = line.c_str();
    for (int i = 0; i < 65; ++i) {
      char* end;
      const long v = std::strtol(p, &end, 10);
      if (end == p) {
        throw IoError(path + ", line " + std::to_string(n + 1) + ": 65 numbers are expected");
      }
      if (i < 64) {
        pixels[is_test(n)].push_back(float(v) / 16);
      } else {
        labels[is_test(n)].push_back(v);
      }
      p = end + (*end == ',');
    }
  }
  const auto images = [&](const std::vector<float>& v) {
    return array(std::span(v), {int64_t(v.size()) / 64, 1, 8, 8}).astype(dtype);
  };
  return {images(pixels[0]), array(labels[0]), images(pixels[1]), array(labels[1])};
}

DigitNet::DigitNet() {
  add("conv1", conv1);
  add("conv2", conv2);
  add("hidden", hidden);
  add("out", out);
}
Tensor DigitNet::forward(const Tensor& x) {
  Tensor h = relu(conv2(relu(conv1(x))));
  h = max_pool2d(h);
  return out(relu(hidden(reshape(h, {x.shape(0), -1}))));
}

Run train_digits(const Digits& data, int epochs,
                 const std::function<void(int, int, int)>& at_step) {
  seed(7);
  Run r;
  const auto before = counters().fallbacks;
  DigitNet net;
  net.to_dtype(data.train_images.dtype());
  nn::Adam optimizer(net.parameters(), {.lr = 2e-3});
  train::DataLoader loader(train::dataset({data.train_images, data.train_labels}),
                           {.batch_size = 64, .shuffle = true, .seed = 7});
  std::vector<Tensor> losses;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    const auto start = std::chrono::steady_clock::now();
    int step = 0;
    for (const auto& batch : loader) {
      const Tensor loss = sparse_categorical_cross_entropy(net(batch[0]), batch[1], true);
      loss.backward();
      optimizer.step({loss});
      losses.push_back(loss.detach());
      at_step(epoch, ++step, int(loader.size()));
    }
    r.seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / epochs;
    const no_grad off;
    const Tensor scores = softmax(net(data.test_images));
    const Tensor best = argmax(scores, 1);
    r.accuracy.push_back(item(mean((best == data.test_labels).astype(DType::float64))));
    r.predicted = best.to_vector<int64_t>();
    r.confidence = max(scores, 1).to_vector<double>();
  }
  for (const Tensor& l : losses) r.losses.push_back(item(l));
  r.engine = get_backend();
  r.device = to_string(get_device());
  r.weights = net.state_dict();
  r.fallbacks = counters().fallbacks - before;
  return r;
}

}  // namespace ember::cli
