#include <ember/ember.h>
#include <iostream>

int main() {
  using namespace ember;
  ops::seed(7);
  Tensor x = array({{1, 2, 3}, {4, 5, 6}}, float32);
  Tensor w = ops::random_normal({3, 4});
  Tensor y = ops::softmax(ops::matmul(x - ops::mean(x, 0), w) / 2.0);  // recorded, not computed
  std::cout << to_string(y) << "\n" << to_string(y(1, slice(0, 2))) << "\n";
}
