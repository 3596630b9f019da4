// A process that answers lines of JSON with lines of JSON: one for Ember and one for each peer
// library.
#pragma once
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ember::bench {

class Peer {
 public:
  // Sets the libraries' thread counts and pins the process to as many cores.
  Peer(const std::vector<std::string>& command, int threads);
  Peer(Peer&& o) noexcept;
  ~Peer();
  void tell(const nlohmann::json& what);
  std::optional<nlohmann::json> hear();  // nullopt once the process has ended
  std::optional<nlohmann::json> ask(const nlohmann::json& what) { return tell(what), hear(); }

 private:
  int pid_ = -1;
  FILE *to_ = nullptr, *from_ = nullptr;
};

int cores();  // available to this process

}  // namespace ember::bench
