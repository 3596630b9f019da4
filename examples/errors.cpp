// Errors are typed, come at the call, and say what was given.
#include <ember/ember.h>

#include <iostream>

int main() {
  using namespace ember;
  const Tensor a = ops::zeros({2, 3});
  const Tensor b = ops::zeros({4, 5});
  try {
    ops::matmul(a, b);
  } catch (const ShapeError& e) {
    std::cout << e.what() << "\n";
  }
  try {
    ops::matmul(a, ops::zeros({3, 2}, float16));
  } catch (const DTypeError& e) {
    std::cout << e.what() << "\n";
  }
  try {
    ops::take(a, array({0, 9}), 1).eval();  // an error of data: when it is computed
  } catch (const IndexError& e) {
    std::cout << e.what() << "\n";
  }
}
