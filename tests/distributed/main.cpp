#include "tests/distributed/ranks.h"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const auto group = ember::distributed::init({.checked = true, .timeout = 120});
  if (const char* expected = std::getenv("EMBER_TEST_RANKS"); expected && std::atoi(expected) != group.size()) {
    std::fprintf(stderr, "%s ranks are expected, %d are here\n", expected, group.size());
    return 1;
  }
  if (group.rank() != 0) delete testing::UnitTest::GetInstance()->listeners().Release(testing::UnitTest::GetInstance()->listeners().default_result_printer());
  const int failed = RUN_ALL_TESTS();
  if (failed && group.rank() != 0) std::fprintf(stderr, "tests failed on rank %d\n", group.rank());
  return failed;
}
