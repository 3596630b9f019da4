// MobileNetV2 on a photo on every engine, compared with logits computed in float64.
#include "examples/mobilenet.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "tests/engines/each_engine.h"

namespace ember {
namespace {

const std::filesystem::path root = EMBER_SOURCE_DIR;

struct MobileNetTest : EachEngine, testing::WithParamInterface<std::string> {
  std::string folder;
  void SetUp() override {
    folder = MobileNet::find();
    if (folder.empty()) folder = MobileNet::find((root / "build/models/mobilenetv2").string());
    if (folder.empty()) GTEST_SKIP() << "no weights of MobileNetV2; `make models` fetches them";
    start(GetParam());
  }
  Tensor array_of(const std::string& name) { return load(folder + "/" + name + ".npy"); }
};

// The photo, flipped horizontally, and flipped vertically, as tests/data/mobilenetv2/reference.py
// computes them in float64.
TEST_P(MobileNetTest, GivesTheReferenceLogits) {
  const MobileNet net(folder);
  const Tensor photo = array_of("photo_input");
  const std::vector<Tensor> images = {photo, ops::flip(photo, 3), ops::flip(photo, 2)};
  const Tensor wanted = load((root / "tests/data/mobilenetv2/logits.npy").string());
  ASSERT_EQ(wanted.shape(), Shape({3, 1000}));
  const auto reference = wanted.to_vector<double>();
  for (size_t k = 0; k < images.size(); ++k) {
    const auto found = net.forward(images[k]).to_vector<float>();
    ASSERT_EQ(found.size(), 1000u);
    double largest = 0;
    for (size_t i = 0; i < found.size(); ++i) {
      ASSERT_TRUE(std::isfinite(found[i])) << "logit " << i << " of image " << k;
      largest = std::max(largest, std::abs(double(found[i]) - reference[1000 * k + i]));
    }
    EXPECT_LE(largest, 1e-4) << "image " << k;
  }
}

TEST_P(MobileNetTest, SeesALesserPanda) {
  const MobileNet net(folder);
  const Tensor logits = net.forward(array_of("photo_input"));
  EXPECT_EQ(logits.backend(), GetParam());
  const auto chances = ops::softmax(logits).to_vector<float>();
  ASSERT_EQ(chances.size(), 1000u);
  const size_t best = size_t(std::max_element(chances.begin(), chances.end()) - chances.begin());
  std::ifstream labels(folder + "/imagenet_classes.txt");
  std::string label;
  for (size_t i = 0; i <= best; ++i) ASSERT_TRUE(std::getline(labels, label));
  EXPECT_EQ(label, "lesser panda");
  EXPECT_NEAR(chances[best] * 100.0, 99.6, 0.05);
}

// A batch of two images gives the same logits as each image alone.
TEST_P(MobileNetTest, TakesABatch) {
  const MobileNet net(folder);
  const Tensor photo = array_of("photo_input");
  const Tensor mirrored = ops::flip(photo, 3);
  const auto both = net.forward(ops::concat({photo, mirrored})).to_vector<float>();
  const auto one = net.forward(photo).to_vector<float>();
  const auto other = net.forward(mirrored).to_vector<float>();
  ASSERT_EQ(both.size(), 2000u);
  for (size_t i = 0; i < 1000; ++i) {
    ASSERT_NEAR(both[i], one[i], 1e-4);
    ASSERT_NEAR(both[i + 1000], other[i], 1e-4);
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, MobileNetTest, testing::ValuesIn(test_engines()),
                         [](const auto& info) { return info.param; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(MobileNetTest);

}  // namespace
}  // namespace ember
