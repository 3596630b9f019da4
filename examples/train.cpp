// A network learns two interleaved half moons: model, optimizer, loader, trainer.
#include <ember/ember.h>
#include <ember/nn.h>
#include <ember/train.h>

#include <iostream>
#include <numbers>

using namespace ember;

int main() {
  ops::seed(1);
  const int64_t n = 512;
  const Tensor upper = ops::random_uniform({n}) < 0.5;
  const Tensor angle = ops::random_uniform({n}) * std::numbers::pi;
  const Tensor x = ops::where(upper, ops::cos(angle), 1.0 - ops::cos(angle));
  const Tensor y = ops::where(upper, ops::sin(angle), 0.5 - ops::sin(angle));
  const Tensor points = ops::stack({x, y}, 1) + ops::random_normal({n, 2}) * 0.1;
  const Tensor labels = upper.astype(int64);

  nn::Sequential net{nn::make<nn::Linear>(2, 32), nn::make<nn::Tanh>(),
                     nn::make<nn::Linear>(32, 32), nn::make<nn::Tanh>(),
                     nn::make<nn::Linear>(32, 2)};
  nn::AdamW optimizer(net.parameters(), {.lr = 1e-2});
  train::DataLoader batches(train::dataset({points, labels}),
                            {.batch_size = 64, .shuffle = true, .seed = 1});
  train::Trainer trainer(net, optimizer,
                         [](const Tensor& scores, const Tensor& target) {
                           return ops::sparse_categorical_cross_entropy(scores, target, true);
                         },
                         {.metrics = {std::make_shared<train::Accuracy>()}});
  const train::History& history = trainer.fit(batches, {.epochs = 20});
  std::cout << net << "\naccuracy after 1 epoch "
            << ops::item(ops::round(Tensor(history.epochs.front().at("accuracy") * 100)))
            << " %, after 20 epochs "
            << ops::item(ops::round(Tensor(history.epochs.back().at("accuracy") * 100))) << " %\n";
  net.save("build/moons.safetensors");  // PyTorch's names: 0.weight, 0.bias, 2.weight...
}
