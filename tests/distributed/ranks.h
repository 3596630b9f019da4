// Shared by the tests with several ranks.
#pragma once
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "ember/distributed.h"
#include "ember/ember.h"
#include "ember/nn.h"
#include "ember/train.h"

namespace ember::distributed {

inline std::vector<std::string> engines() {
  const char* list = std::getenv("EMBER_TEST_ENGINES");
  std::istringstream words(list ? list : "native");
  std::vector<std::string> r;
  for (std::string w; words >> w;) r.push_back(w);
  return r;
}

inline double largest_difference(const nn::StateDict& a, const nn::StateDict& b) {
  double worst = a.size() == b.size() ? 0 : HUGE_VAL;
  for (const auto& [name, t] : a) {
    const auto x = ops::astype(t, float64).to_vector<double>();
    const auto y = ops::astype(b.at(name), float64).to_vector<double>();
    for (size_t i = 0; i < x.size(); ++i) {
      if (!(std::abs(x[i] - y[i]) <= worst)) worst = std::abs(x[i] - y[i]);
    }
  }
  return worst;
}

// A folder with the same name on all ranks, which the first one removes.
struct Folder {
  std::string path;
  Folder() {
    char name[] = "/tmp/ember-ranks-XXXXXX";
    const Group g = world();
    path = g.broadcast_bytes(g.rank() == 0 ? mkdtemp(name) : "");
  }
  ~Folder() {
    world().barrier();
    if (world().rank() == 0) std::filesystem::remove_all(path);
  }
};

}  // namespace ember::distributed
