// A process that answers lines of JSON with lines of JSON: one for Ember and one for each library
// that it is compared with.
#pragma once
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ember::bench {

class Peer {
 public:
  // Told in its environment to use so many threads, and kept to as many cores.
  Peer(const std::vector<std::string>& command, int threads);
  Peer(Peer&& o) noexcept;
  ~Peer();
  void tell(const nlohmann::json& what);
  std::optional<nlohmann::json> hear();  // nothing once it has ended
  std::optional<nlohmann::json> ask(const nlohmann::json& what) { return tell(what), hear(); }

 private:
  int pid_ = -1;
  FILE *to_ = nullptr, *from_ = nullptr;
};

int cores();  // that this process may use

}  // namespace ember::bench
