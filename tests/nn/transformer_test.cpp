// Attention, positions and transformer blocks: compared with loops in double; masked keys have no
// influence.
#include "tests/nn/reference.h"

namespace ember::nn {
namespace {

using Allowed = std::function<bool(int64_t batch, int64_t head, int64_t query, int64_t key)>;
std::vector<double> part(const Ref& r, size_t from, size_t count) {
  return {r.v.begin() + int64_t(from), r.v.begin() + int64_t(from + count)};
}
Ref rows_of(const Ref& w, int64_t from, int64_t count) {
  Ref r({count, w.shape[1]});
  r.v = part(w, size_t(from * w.shape[1]), r.v.size());
  return r;
}

struct Attended {
  Ref output, weights;
};
// q [batch, queries, dim], kv [batch, keys, dim].
Attended attend(const StateDict& s, const std::string& at, int64_t heads, const Ref& query,
                const Ref& memory, const Allowed& allowed, const Ref& added = {}) {
  const Ref w = s.at(at + "in_proj_weight");
  const Ref bias = s.at(at + "in_proj_bias");
  const int64_t dim = w.shape[1];
  const int64_t batch = query.shape[0];
  const int64_t queries = query.shape[1];
  const int64_t keys = memory.shape[1];
  const int64_t width = dim / heads;
  const Ref q = linear(query, rows_of(w, 0, dim), part(bias, 0, size_t(dim)));
  const Ref k = linear(memory, rows_of(w, dim, dim), part(bias, size_t(dim), size_t(dim)));
  const Ref v = linear(memory, rows_of(w, 2 * dim, dim), part(bias, size_t(2 * dim), size_t(dim)));
  Ref y({batch, queries, dim});
  Ref weights({batch, heads, queries, keys});
  for (int64_t b = 0; b < batch; ++b) {
    for (int64_t h = 0; h < heads; ++h) {
      for (int64_t i = 0; i < queries; ++i) {
        double sum = 0;
        for (int64_t j = 0; j < keys; ++j) {
          double score = added.v.empty() ? 0 : added({b * heads + h, i, j});
          for (int64_t d = 0; d < width; ++d) {
            score += q({b, i, h * width + d}) * k({b, j, h * width + d}) / std::sqrt(double(width));
          }
          sum += weights({b, h, i, j}) = allowed(b, h, i, j) ? std::exp(score) : 0;
        }
        for (int64_t j = 0; j < keys; ++j) {
          weights({b, h, i, j}) /= sum ? sum : 1;
          for (int64_t d = 0; d < width; ++d) {
            y({b, i, h * width + d}) += weights({b, h, i, j}) * v({b, j, h * width + d});
          }
        }
      }
    }
  }
  return {linear(y, s.at(at + "out_proj.weight"), Ref(s.at(at + "out_proj.bias")).v), weights};
}

TEST_F(Layers, AttentionAgreesWithLoopsUnderEveryMask) {
  MultiheadAttention m(6, 2, {.batch_first = true});
  MultiheadAttention steps_first(6, 2);
  m.in_proj_bias.assign(random({18}));
  m.out_proj.bias.assign(random({6}));
  steps_first.load_state_dict(m.state_dict());
  EXPECT_EQ(keys(m), (Names{"in_proj_bias", "in_proj_weight", "out_proj.bias", "out_proj.weight"}));
  const Tensor q = random({2, 3, 6});
  const Tensor kv = random({2, 4, 6});
  const Tensor bias = random({4, 3, 4});
  const Tensor padding = array({{false, false, true, true}, {false, false, false, false}});
  const Tensor never =
      array({{false, true, false, false}, {true, false, false, true}, {false, false, false, true}});
  const Ref pad = padding.astype(float64);
  const Ref no = never.astype(float64);
  const auto all = [](int64_t, int64_t, int64_t, int64_t) { return true; };
  const StateDict s = m.state_dict();
  const auto check = [&](const AttentionMasks& given, const Allowed& allowed,
                         const Ref& added = {}) {
    AttentionMasks masks = given;
    const Attended want = attend(s, "", 2, q, kv, allowed, added);
    expect_close(m(q, kv, kv, masks).output, want.output);
    masks.need_weights = true;
    masks.average_weights = false;
    const AttentionOutput r = m(q, kv, kv, masks);
    expect_close(r.output, want.output);
    expect_close(r.weights, want.weights);
    const Tensor t = ops::swapaxes(kv, 0, 1);
    expect_close(ops::swapaxes(steps_first(ops::swapaxes(q, 0, 1), t, t, given).output, 0, 1),
                 want.output);
  };
  const auto padded = [&](int64_t b, int64_t, int64_t, int64_t k) { return pad({b, k}) == 0; };
  const auto masked = [&](int64_t, int64_t, int64_t i, int64_t k) { return no({i, k}) == 0; };
  check({}, all);
  check({.key_padding_mask = padding}, padded);
  check({.attn_mask = never}, masked);
  check({.attn_mask = never, .key_padding_mask = padding},
        [&](int64_t b, int64_t h, int64_t i, int64_t k) {
          return padded(b, h, i, k) && masked(b, h, i, k);
        });
  check({.attn_mask = bias, .key_padding_mask = padding}, padded, bias);
  check({.is_causal = true}, [](int64_t, int64_t, int64_t i, int64_t k) { return k <= i; });
  check({.attn_mask = causal_mask(3, 4)},
        [](int64_t, int64_t, int64_t i, int64_t k) { return k <= i; });
  const AttentionOutput mean = m(q, kv, kv, {.need_weights = true});
  EXPECT_EQ(mean.weights.shape(), (Shape{2, 3, 4}));
  expect_close(ops::sum(mean.weights, -1), Ref({2, 3}, 1));
  EXPECT_FALSE(m(q, kv, kv).weights.defined());

  // Query, key and value of one tensor use one product, with the same result as three.
  const Tensor x = random({2, 4, 6});
  expect_close(m(x, x, x).output, m(x, ops::copy(x), ops::copy(x)).output);
  expect_close(m(x(0)), m(x)(0));
  EXPECT_THROW(m(q, kv, kv, {.attn_mask = ops::zeros({4, 4})}), ShapeError);
  EXPECT_THROW(m(q, kv, kv, {.key_padding_mask = ops::zeros({2, 4}, int64)}), DTypeError);
  EXPECT_EQ(error_of<ValueError>([] { MultiheadAttention(6, 4); }),
            "[MultiheadAttention] 4 heads do not divide 6 features");
}
TEST_F(Layers, AttentionThatSeesNothingIsFiniteAndSoAreGradients) {
  MultiheadAttention m(4, 2, {.batch_first = true});
  const Tensor x = random({1, 3, 4});
  const Tensor hidden = ops::ones({1, 3}, bool_);
  for (bool weights : {false, true}) {
    m.zero_grad();
    const Tensor y = m(x, x, x, {.key_padding_mask = hidden, .need_weights = weights}).output;
    expect_close(y, Ref(ops::broadcast_to(m.out_proj.bias, {1, 3, 4})));
    ops::sum(y * y).backward();
    EXPECT_TRUE(ops::all(ops::isfinite(m.in_proj_weight.grad())).item<bool>());
  }
}
TEST_F(Layers, AttentionOfOtherWidthsHasItsOwnProjections) {
  MultiheadAttention m(6, 3, {.kdim = 4, .vdim = 5, .batch_first = true});
  EXPECT_EQ(keys(m), (Names{"in_proj_bias", "k_proj_weight", "out_proj.bias", "out_proj.weight",
                            "q_proj_weight", "v_proj_weight"}));
  EXPECT_EQ(m(random({2, 3, 6}), random({2, 7, 4}), random({2, 7, 5})).output.shape(),
            (Shape{2, 3, 6}));
  EXPECT_THROW(m(random({2, 3, 6}), random({2, 7, 6}), random({2, 7, 5})), ShapeError);
}
TEST_F(Layers, AttentionDropsWeightsWhileTraining) {
  MultiheadAttention m(4, 2, {.dropout = 0.5, .batch_first = true});
  const Tensor x = random({2, 6, 4});
  EXPECT_NE(Ref(m(x)).v, Ref(m(x)).v);
  m.eval();
  EXPECT_EQ(Ref(m(x)).v, Ref(m(x)).v);
}

Ref added(Ref a, const Ref& b) {
  for (size_t i = 0; i < a.v.size(); ++i) a.v[i] += b.v[i];
  return a;
}
Ref norm(const StateDict& s, const std::string& at, Ref x) {
  const Ref w = s.at(at + "weight");
  const Ref b = s.at(at + "bias");
  const size_t n = w.v.size();
  for (size_t r = 0; r < x.v.size() / n; ++r) {
    double mean = 0;
    double var = 0;
    for (size_t i = 0; i < n; ++i) mean += x.v[r * n + i] / double(n);
    for (size_t i = 0; i < n; ++i) var += std::pow(x.v[r * n + i] - mean, 2) / double(n);
    for (size_t i = 0; i < n; ++i) {
      x.v[r * n + i] = (x.v[r * n + i] - mean) / std::sqrt(var + 1e-5) * w.v[i] + b.v[i];
    }
  }
  return x;
}
Ref feed(const StateDict& s, const std::string& at, const Ref& x, bool gelu) {
  Ref h = linear(x, s.at(at + "linear1.weight"), Ref(s.at(at + "linear1.bias")).v);
  for (double& v : h.v) v = gelu ? v * 0.5 * std::erfc(-v / std::sqrt(2.0)) : std::max(v, 0.0);
  return linear(h, s.at(at + "linear2.weight"), Ref(s.at(at + "linear2.bias")).v);
}
const Allowed causal = [](int64_t, int64_t, int64_t i, int64_t k) { return k <= i; };
const Allowed everything = [](int64_t, int64_t, int64_t, int64_t) { return true; };

TEST_F(Layers, EncodersAgreeWithLoops) {
  for (bool first : {false, true}) {
    TransformerEncoder m(2, 8, 2,
                         {.dim_feedforward = 16,
                          .activation = first ? "gelu" : "relu",
                          .batch_first = true,
                          .norm_first = first},
                         true);
    m.eval();
    const Tensor x = random({2, 4, 8});
    const StateDict s = m.state_dict();
    Ref y = x;
    for (const char* at : {"layers.0.", "layers.1."}) {
      const std::string a = at;
      const auto see = [&](const Ref& t) {
        return attend(s, a + "self_attn.", 2, t, t, causal).output;
      };
      if (first) {
        y = added(y, see(norm(s, a + "norm1.", y)));
        y = added(y, feed(s, a, norm(s, a + "norm2.", y), true));
      } else {
        y = norm(s, a + "norm1.", added(y, see(y)));
        y = norm(s, a + "norm2.", added(y, feed(s, a, y, false)));
      }
    }
    expect_close(m(x, {.is_causal = true}), norm(s, "norm.", y));
  }
}
TEST_F(Layers, DecodersAgreeWithLoops) {
  for (bool first : {false, true}) {
    TransformerDecoder m(2, 8, 2,
                         {.dim_feedforward = 16, .batch_first = true, .norm_first = first});
    m.eval();
    const Tensor x = random({2, 4, 8});
    const Tensor memory = random({2, 5, 8});
    const StateDict s = m.state_dict();
    Ref y = x;
    for (const char* at : {"layers.0.", "layers.1."}) {
      const std::string a = at;
      const auto see = [&](const Ref& t) {
        return attend(s, a + "self_attn.", 2, t, t, causal).output;
      };
      const auto look = [&](const Ref& t) {
        return attend(s, a + "multihead_attn.", 2, t, memory, everything).output;
      };
      if (first) {
        y = added(y, see(norm(s, a + "norm1.", y)));
        y = added(y, look(norm(s, a + "norm2.", y)));
        y = added(y, feed(s, a, norm(s, a + "norm3.", y), false));
      } else {
        y = norm(s, a + "norm1.", added(y, see(y)));
        y = norm(s, a + "norm2.", added(y, look(y)));
        y = norm(s, a + "norm3.", added(y, feed(s, a, y, false)));
      }
    }
    expect_close(m(x, memory, {.tgt_is_causal = true}), y);
    expect_close(m(x, memory, {.tgt_mask = causal_mask(4)}), y);
  }
}
TEST_F(Layers, TransformerNamesArePyTorchs) {
  const Names attention = {"in_proj_bias", "in_proj_weight", "out_proj.bias", "out_proj.weight"};
  const Names pair = {"bias", "weight"};
  const auto under = [](const std::string& at, const Names& names, Names& all) {
    for (const auto& n : names) all.push_back(at + "." + n);
  };
  Names encoder;
  Names decoder;
  under("linear1", pair, encoder);
  under("linear2", pair, encoder);
  under("norm1", pair, encoder);
  under("norm2", pair, encoder);
  under("self_attn", attention, encoder);
  under("linear1", pair, decoder);
  under("linear2", pair, decoder);
  under("multihead_attn", attention, decoder);
  under("norm1", pair, decoder);
  under("norm2", pair, decoder);
  under("norm3", pair, decoder);
  under("self_attn", attention, decoder);
  EXPECT_EQ(keys(TransformerEncoderLayer(8, 2)), encoder);
  EXPECT_EQ(keys(TransformerDecoderLayer(8, 2)), decoder);
  Names all;
  under("layers.0", encoder, all);
  under("norm", pair, all);
  EXPECT_EQ(keys(TransformerEncoder(1, 8, 2, {}, true)), all);
}
TEST_F(Layers, WhatAMaskHidesChangesNothing) {
  TransformerEncoderLayer m(8, 2, {.dim_feedforward = 16, .batch_first = true});
  m.eval();
  const Tensor a = random({1, 4, 8});
  const Tensor b = ops::concat({a(all_, slice(0, 2)), random({1, 2, 8})}, 1);
  const Tensor hidden = array({{false, false, true, true}});
  const auto seen = [](const Tensor& y) { return Ref(y(all_, slice(0, 2))).v; };
  EXPECT_EQ(seen(m(a, {.key_padding_mask = hidden})), seen(m(b, {.key_padding_mask = hidden})));
  EXPECT_EQ(seen(m(a, {.is_causal = true})), seen(m(b, {.is_causal = true})));
  EXPECT_NE(seen(m(a)), seen(m(b)));
}

TEST_F(Layers, PositionsAreAdded) {
  const int64_t dim = 6;
  const Tensor x = random({2, 5, dim});
  Ref y = x;
  for (int64_t b = 0; b < 2; ++b) {
    for (int64_t t = 0; t < 5; ++t) {
      for (int64_t i = 0; i < dim; ++i) {
        const double angle = double(t) / std::pow(10000.0, double(i / 2 * 2) / double(dim));
        y({b, t, i}) += i % 2 ? std::cos(angle) : std::sin(angle);
      }
    }
  }
  SinusoidalPositions waves(dim, 50, true);
  SinusoidalPositions early(dim, 50);
  expect_close(waves(x), y);
  expect_close(ops::swapaxes(early(ops::swapaxes(x, 0, 1)), 0, 1), y);
  EXPECT_TRUE(keys(waves).empty());
  EXPECT_EQ(waves(x.astype(float32)).dtype(), float32);
  LearnedPositions learned(dim, 5, true);
  expect_close(learned(x), Ref(x + learned.weight.value()));
  EXPECT_EQ(keys(learned), (Names{"weight"}));
  EXPECT_EQ(error_of<ShapeError>([&] { learned(random({2, 6, dim})); }),
            "[LearnedPositions] 6 steps are more than the 5 that have a position");
  const Ref turned = RotaryPositions()(x);
  const Ref v = x;
  const double angle = 2 * std::pow(10000.0, -2.0 / 6);
  EXPECT_NEAR(turned({1, 2, 1}), v({1, 2, 1}) * std::cos(angle) - v({1, 2, 4}) * std::sin(angle),
              1e-12);
}

}  // namespace
}  // namespace ember::nn
