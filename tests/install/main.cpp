// What a user writes: the library from an installed prefix, with the engine found beside it.
#include <ember/ember.h>

#include <iostream>

int main() {
  const ember::Tensor x = ember::array({{1.0, 2.0}, {3.0, 4.0}});
  const ember::Tensor y = ember::ops::matmul(x, x) + 1;
  std::cout << ember::to_string(y) << "\n";
  return y.to_vector<double>() == std::vector<double>{8, 11, 16, 23} ? 0 : 1;
}
