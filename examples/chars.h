// The network of examples/chars.cpp: a transformer of about a million parameters that foresees the
// next character.
#pragma once
#include <ember/ember.h>
#include <ember/nn.h>

struct Chars : ember::nn::Module {
  static constexpr int64_t context = 64, width = 144, heads = 4, layers = 4;
  ember::nn::Embedding token;
  ember::nn::LearnedPositions positions{width, context, true};
  ember::nn::TransformerEncoder blocks{layers,
                                       width,
                                       heads,
                                       {.dim_feedforward = 4 * width,
                                        .dropout = 0,
                                        .activation = "gelu",
                                        .batch_first = true,
                                        .norm_first = true},
                                       true};
  ember::nn::Linear head;
  explicit Chars(int64_t characters) : token(characters, width), head(width, characters) {
    add("token", token);
    add("positions", positions);
    add("blocks", blocks);
    add("head", head);
    for (ember::nn::Parameter p : {token.weight, positions.weight}) {
      p.assign(ember::nn::init::normal(p.shape(), 0, 0.02));
    }
  }
  // [n, steps] to [n, steps, characters]: what may come next, at each place
  ember::Tensor forward(const ember::Tensor& ids) override {
    return head(blocks(positions(token(ids)), {.is_causal = true}));
  }
};
