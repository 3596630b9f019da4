// A real network in a page: MobileNetV2 looks at a photo, on whichever engine is asked for.
//   mobilenet [folder of weights] [--backend NAME] [--check]
#include "mobilenet.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>

using namespace ember;

// The largest difference between two tensors.
double distance(const Tensor& a, const Tensor& b) {
  return ops::max(ops::abs(a - b)).item<double>();
}

std::vector<std::string> lines(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> r;
  for (std::string line; std::getline(file, line);) r.push_back(line);
  return r;
}

int main(int argc, char** argv) try {
  std::string folder;
  bool check = false;
  bool ok = true;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--check") {
      check = true;
    } else if (word == "--backend" && i + 1 < argc) {
      set_backend(argv[++i]);
    } else if (word[0] != '-' && folder.empty()) {
      folder = word;
    } else {
      return std::cerr << "usage: mobilenet [folder of weights] [--backend NAME] [--check]\n", 2;
    }
  }
  folder = MobileNet::find(folder);
  if (folder.empty()) {
    return std::cout << "no weights of MobileNetV2 found: `make models` fetches them\n", 0;
  }

  const MobileNet net(folder);
  const Tensor photo = load(folder + "/photo_input.npy");
  const Tensor chances = ops::softmax(net.forward(photo));  // recorded
  const auto [values, indices] = ops::topk(chances, 5);
  eval({values, indices});  // computed
  const auto labels = lines(folder + "/imagenet_classes.txt");
  const auto percent = (values * 100.0).to_vector<double>();
  const auto which = indices.to_vector<int64_t>();
  for (size_t i = 0; i < which.size(); ++i) {
    std::printf("%8.3f %%  %s\n", percent[i], labels.at(size_t(which[i])).c_str());
  }

  double best = INFINITY;
  for (int i = 0; i < 5; ++i) {
    const auto start = std::chrono::steady_clock::now();
    net.forward(photo).eval();
    best = std::min(
        best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
                  .count());
  }
  std::printf("%.1f ms for an image on %s\n", best, get_backend().c_str());

  if (check) {
    const auto expect = [&](bool good, const std::string& what) {
      std::cout << (good ? "ok      " : "FAILED  ") << what << "\n";
      ok = ok && good;
    };
    const bool panda =
        labels.at(size_t(which[0])) == "lesser panda" && std::abs(percent[0] - 99.6) < 0.05;
    expect(panda, "the photo is a lesser panda at 99.6 %");
    for (const char* pair : {"0.0", "0.1", "0.2"}) {
      const std::string in = folder + "/input_" + pair + ".npy";
      const std::string out = folder + "/output_" + pair + ".npy";
      if (!std::filesystem::exists(in)) {
        std::cout << "absent  input_" << pair << ".npy\n";
        continue;
      }
      const double apart = distance(net.forward(load(in)), load(out));
      char text[80];
      std::snprintf(text, sizeof text, "output_%s is %.1e from its reference", pair, apart);
      expect(apart < 1e-4, text);
    }
  }
  return ok ? 0 : 1;
} catch (const std::exception& e) {
  std::cerr << "mobilenet: " << e.what() << "\n";
  return 1;
}
