// Saving and loading: safetensors with metadata, NumPy's formats, mapped reading.
#include <ember/ember.h>

#include <cstdio>
#include <iostream>

int main() {
  using namespace ember;
  const TensorMap weights = {{"bias", ops::zeros({4})},
                             {"kernel", ops::reshape(ops::arange(12), {3, 4})}};
  save("example.safetensors", weights, {{"format", "ember"}});
  Metadata meta;
  for (const auto& [name, t] : load_all("example.safetensors", true, &meta)) {
    std::cout << name << " " << ember::name(t.dtype()) << to_string(t.shape()) << "\n";
  }
  std::cout << "format: " << meta["format"] << "\n";
  save("example.npy", weights.at("kernel"));
  std::cout << to_string(load("example.npy")(1)) << "\n";
  std::remove("example.safetensors");
  std::remove("example.npy");
}
