// With EMBER_TEST_REQUIRE set, a skipped test fails unless allowed-skips.txt has its reason.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

namespace {

bool is_allowed(const std::string& reason) {
  std::ifstream list(EMBER_SOURCE_DIR "/tests/support/allowed-skips.txt");
  for (std::string line; std::getline(list, line);) {
    if (reason.find(line.substr(0, line.find("  # "))) != std::string::npos) return true;
  }
  return false;
}

class RequireTests : public testing::EmptyTestEventListener {
  void OnTestEnd(const testing::TestInfo& info) override {
    if (!info.result()->Skipped()) return;
    for (int i = 0; i < info.result()->total_part_count(); ++i) {
      const testing::TestPartResult& part = info.result()->GetTestPartResult(i);
      if (part.skipped() && !is_allowed(part.message())) {
        ADD_FAILURE() << "EMBER_TEST_REQUIRE is set, and this skip is not in "
                         "tests/support/allowed-skips.txt: "
                      << part.message();
      }
    }
  }
};

const bool required = [] {
  const char* given = std::getenv("EMBER_TEST_REQUIRE");
  if (given && *given) testing::UnitTest::GetInstance()->listeners().Append(new RequireTests);
  return true;
}();

}  // namespace
