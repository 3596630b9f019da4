// The entry of the tests that run under mpirun.
#include "tests/distributed/ranks.h"

// MPI unloads plug-ins, and with them the symbols in leaks.txt: rejected ones during initialization
// and the others at the end. So allocations of init are ignored, and leaks are checked before the
// end.
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
extern "C" __attribute__((visibility("default"))) const char* __lsan_default_options() {
  return "leak_check_at_exit=0";
}
using NoLeaks = __lsan::ScopedDisabler;
static int leaks() { return __lsan_do_recoverable_leak_check(); }
#else
struct NoLeaks {
  NoLeaks() {}
};
static int leaks() { return 0; }
#endif

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const auto group = [] {
    const NoLeaks of_plug_ins;
    return ember::distributed::init({.checked = true, .timeout = 600});
  }();
  if (const char* expected = std::getenv("EMBER_TEST_RANKS");
      expected && std::atoi(expected) != group.size()) {
    std::fprintf(stderr, "%s ranks are expected, %d are here\n", expected, group.size());
    return 1;
  }
  if (group.rank() != 0) {
    delete testing::UnitTest::GetInstance()->listeners().Release(
        testing::UnitTest::GetInstance()->listeners().default_result_printer());
  }
  const int failed = RUN_ALL_TESTS() | leaks();
  if (failed && group.rank() != 0) std::fprintf(stderr, "tests failed on rank %d\n", group.rank());
  return failed;
}
