// A user's program: the library from an installed prefix, with engines next to it and in
// EMBER_ENGINE_PATH. Usage: app [backend device], the expected choice of the environment.
#include <ember/ember.h>

#include <iostream>

int main(int argc, char** argv) {
  const ember::Tensor x = ember::array({{1.0, 2.0}, {3.0, 4.0}});
  const ember::Tensor y = ember::ops::matmul(x, x) + 1;
  std::cout << ember::to_string(y) << " on " << y.backend() << ", "
            << ember::to_string(ember::get_device()) << "\n";
  if (y.to_vector<double>() != std::vector<double>{8, 11, 16, 23}) return 1;
  return argc > 2 && (y.backend() != argv[1] || y.device() != ember::Device(argv[2])) ? 2 : 0;
}
