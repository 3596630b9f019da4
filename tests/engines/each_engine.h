// Tests that run on every engine: those in EMBER_TEST_ENGINES, by default all five. An unavailable
// engine is a failure.
#pragma once
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "ember/ember.h"

namespace ember {

inline void PrintTo(DType t, std::ostream* out) { *out << name(t); }  // for GoogleTest's messages

inline std::vector<std::string> test_engines() {
  const char* given = std::getenv("EMBER_TEST_ENGINES");
  std::istringstream words(given && *given ? given : "native numpy torch mlx onnxruntime");
  std::vector<std::string> r;
  for (std::string word; words >> word;) r.push_back(word);
  return r;
}

// Selects the engine under test and forbids fallbacks, unless a test declares that the engine lacks
// the op.
class EachEngine : public testing::Test {
 protected:
  void start(const std::string& engine) {
    try {
      scope_.emplace(engine);
    } catch (const Error& e) {
      FAIL() << e.what();
    }
    before_ = counters();
    engine_ = engine;
  }
  void lacking(std::string_view engine) { lacks_ |= engine == engine_; }
  void TearDown() override {
    if (scope_ && !lacks_) {
      EXPECT_EQ(counters().fallbacks, before_.fallbacks)
          << "an op fell back to native; EMBER_FALLBACK=error says which";
    }
    scope_.reset();
  }
  Counters before_{};

 private:
  std::optional<with_backend> scope_;
  std::string engine_;
  bool lacks_ = false;
};

}  // namespace ember
