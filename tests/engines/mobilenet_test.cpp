// A real network on every engine: MobileNetV2's reference outputs and a photo.
#include "examples/mobilenet.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "tests/engines/each_engine.h"

namespace ember {
namespace {

// The folder shared beside the repository has the reference outputs; what `make models` fetches has the photo alone.
std::string shared_folder() {
  const char* given = std::getenv("EMBER_SHARED");
  const auto root = std::filesystem::path(__FILE__).parent_path().parent_path().parent_path();
  const auto shared = given ? std::filesystem::path(given) : root.parent_path() / "shared";
  return std::filesystem::exists(shared) ? (shared / "models/mobilenetv2").string() : "";
}
std::string fetched_folder() {
  const auto root = std::filesystem::path(__FILE__).parent_path().parent_path().parent_path();
  return MobileNet::find((root / "build/models/mobilenetv2").string());
}

struct MobileNetTest : EachEngine, testing::WithParamInterface<std::string> {
  std::string folder;
  void SetUp() override {
    folder = shared_folder();
    if (folder.empty()) folder = fetched_folder();
    if (folder.empty()) GTEST_SKIP() << "no weights of MobileNetV2; `make models` fetches them";
    start(GetParam());
  }
  Tensor array_of(const std::string& name) { return load(folder + "/" + name + ".npy"); }
};

TEST_P(MobileNetTest, GivesTheReferenceOutputs) {
  if (shared_folder().empty()) GTEST_SKIP() << "no reference outputs in " << folder;
  const MobileNet net(folder);
  for (const char* pair : {"0.0", "0.1", "0.2"}) {
    const auto found = net.forward(array_of(std::string("input_") + pair)).to_vector<float>();
    const auto wanted = array_of(std::string("output_") + pair).to_vector<float>();
    ASSERT_EQ(found.size(), 1000u);
    ASSERT_EQ(wanted.size(), found.size());
    double apart = 0;
    for (size_t i = 0; i < found.size(); ++i) {
      ASSERT_TRUE(std::isfinite(found[i])) << "logit " << i << " of pair " << pair;
      apart = std::max(apart, std::abs(double(found[i]) - wanted[i]));
    }
    EXPECT_LE(apart, 1e-4) << "pair " << pair;
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

// Two images at once are each image alone.
TEST_P(MobileNetTest, TakesABatch) {
  const MobileNet net(folder);
  const Tensor photo = array_of("photo_input"), mirrored = ops::flip(photo, 3);
  const auto both = net.forward(ops::concat({photo, mirrored})).to_vector<float>();
  const auto one = net.forward(photo).to_vector<float>(), other = net.forward(mirrored).to_vector<float>();
  ASSERT_EQ(both.size(), 2000u);
  for (size_t i = 0; i < 1000; ++i) {
    ASSERT_NEAR(both[i], one[i], 1e-4);
    ASSERT_NEAR(both[i + 1000], other[i], 1e-4);
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, MobileNetTest, testing::ValuesIn(test_engines()), [](const auto& info) { return info.param; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(MobileNetTest);

}  // namespace
}  // namespace ember
