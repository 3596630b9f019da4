// Processes that run workloads, pinned to cores.
#include "bench/peer.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <utility>

namespace ember::bench {
namespace {

// Pins to the last available cores, because interrupts mostly go to the first.
void pin(int threads) {
  cpu_set_t all;
  cpu_set_t some;
  if (sched_getaffinity(0, sizeof all, &all)) return;
  CPU_ZERO(&some);
  for (int i = CPU_SETSIZE - 1; i >= 0 && threads; --i) {
    if (CPU_ISSET(i, &all)) {
      CPU_SET(i, &some);
      --threads;
    }
  }
  sched_setaffinity(0, sizeof some, &some);
}

}  // namespace

int cores() {
  cpu_set_t all;
  return sched_getaffinity(0, sizeof all, &all) ? 1 : CPU_COUNT(&all);
}

Peer::Peer(const std::vector<std::string>& command, int threads) {
  signal(SIGPIPE, SIG_IGN);  // the process may end before it reads a message
  int in[2];
  int out[2];
  if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC)) return;
  if (pid_ = fork(); pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(in[0], 0);
    dup2(out[1], 1);
    if (!std::getenv("EMBER_BENCH_VERBOSE")) dup2(open("/dev/null", O_WRONLY), 2);
    for (const char* name : {"EMBER_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS",
                             "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"}) {
      setenv(name, std::to_string(threads).c_str(), 1);
    }
    pin(threads);
    std::vector<char*> words;
    for (const std::string& w : command) words.push_back(const_cast<char*>(w.c_str()));
    words.push_back(nullptr);
    execv(words[0], words.data());
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  to_ = fdopen(in[1], "w");
  from_ = fdopen(out[0], "r");
}

Peer::Peer(Peer&& o) noexcept
    : pid_(std::exchange(o.pid_, -1)),
      to_(std::exchange(o.to_, nullptr)),
      from_(std::exchange(o.from_, nullptr)) {}

Peer::~Peer() {
  if (to_) {
    fclose(to_);
    fclose(from_);
  }
  if (pid_ > 0) waitpid(pid_, nullptr, 0);
}

void Peer::tell(const nlohmann::json& what) {
  if (to_) {
    std::fputs((what.dump() + "\n").c_str(), to_);
    std::fflush(to_);
  }
}

std::optional<nlohmann::json> Peer::hear() {
  std::string line;
  for (int c; from_ && (c = std::getc(from_)) != EOF && c != '\n';) line += char(c);
  const auto answer = nlohmann::json::parse(line, nullptr, false);
  if (!answer.is_object()) return {};
  return answer;
}

}  // namespace ember::bench
