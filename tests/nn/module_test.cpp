// Modules as a whole: names, files, freezing, dtypes, printing, and gradients of every parameter of
// every layer.
#include <unistd.h>

#include <filesystem>

#include "tests/nn/reference.h"

namespace ember::nn {
namespace {

struct Net : Module {
  Conv2d conv{1, 4, 3, {.padding = 1}};
  BatchNorm2d norm{4};
  Linear out{16, 3};
  Net() {
    add("conv", conv);
    add("norm", norm);
    add("out", out);
  }
  Tensor forward(const Tensor& x) override {
    return out(Flatten()(MaxPool2d(2)(ops::relu(norm(conv(x))))));
  }
  std::string kind() const override { return "Net"; }
};
struct File {
  std::string path = std::filesystem::temp_directory_path() /
                     ("ember-nn-" + std::to_string(getpid()) + ".safetensors");
  ~File() { std::filesystem::remove(path); }
};

TEST_F(Layers, SavedAndLoadedModulesGiveTheSameOutputs) {
  Net a;
  Net b;
  a(random({5, 1, 4, 4}));  // moves the statistics
  a.eval();
  b.eval();
  const Tensor x = random({2, 1, 4, 4});
  EXPECT_NE(Ref(a(x)).v, Ref(b(x)).v);
  File f;
  a.save(f.path);
  const LoadReport r = b.load(f.path);
  EXPECT_TRUE(r.missing.empty() && r.unexpected.empty());
  EXPECT_EQ(Ref(a(x)).v, Ref(b(x)).v);
  EXPECT_EQ(b.norm.num_batches_tracked.item<int64_t>(), 1);

  LSTM l(3, 4, {.num_layers = 2, .bidirectional = true});
  LSTM m(3, 4, {.num_layers = 2, .bidirectional = true});
  l.save(f.path);
  m.load(f.path);
  const Tensor s = random({5, 2, 3});
  EXPECT_EQ(Ref(l.forward(s)).v, Ref(m.forward(s)).v);
  TransformerEncoder t(2, 8, 2, {.dim_feedforward = 16});
  TransformerEncoder u(2, 8, 2, {.dim_feedforward = 16});
  t.save(f.path);
  u.load(f.path);
  t.eval();
  u.eval();
  const Tensor e = random({3, 2, 8});
  EXPECT_EQ(Ref(t(e)).v, Ref(u(e)).v);
  LTC c(auto_ncp_map(3, 8, 2));
  LTC d(auto_ncp_map(3, 8, 2));
  c.save(f.path);
  d.load(f.path);
  EXPECT_EQ(Ref(c.forward(s)).v, Ref(d.forward(s)).v);
}
TEST_F(Layers, StrictLoadingNamesTheKeys) {
  Net m;
  StateDict s = m.state_dict();
  s.erase("norm.running_var");
  s.emplace("head.weight", random({2}));
  const Ref before = m.out.weight;
  s["out.weight"] = random({3, 16});
  EXPECT_EQ(error_of<ValueError>([&] { m.load_state_dict(s); }),
            "[load_state_dict] missing: norm.running_var. unexpected: head.weight. Pass strict = "
            "false to take what fits");
  EXPECT_EQ(Ref(m.out.weight).v, before.v);
  const LoadReport r = m.load_state_dict(s, false);
  EXPECT_EQ(r.missing, (Names{"norm.running_var"}));
  EXPECT_EQ(r.unexpected, (Names{"head.weight"}));
  EXPECT_EQ(Ref(m.out.weight).v, Ref(s["out.weight"]).v);
  s["out.weight"] = random({3, 4});
  EXPECT_NE(error_of<ShapeError>([&] {
              m.load_state_dict(s, false);
            }).find("out.weight: the file has [3, 4], the module [3, 16]"),
            std::string::npos);
}
TEST_F(Layers, FreezingDtypesAndModesReachEverything) {
  Net m;
  m.conv.freeze();
  EXPECT_EQ(m.parameter_count(), 40 + 8 + 51);
  EXPECT_EQ(m.parameter_count(true), 8 + 51);
  ops::sum(ops::square(m(random({2, 1, 4, 4})))).backward();
  EXPECT_FALSE(m.conv.weight.grad().defined());
  EXPECT_TRUE(m.out.weight.grad().defined());
  m.zero_grad();
  EXPECT_FALSE(m.out.weight.grad().defined());
  m.conv.freeze(false);
  EXPECT_EQ(m.parameter_count(true), 99);
  m.eval();
  EXPECT_FALSE(m.norm.training());
  m.train();
  EXPECT_TRUE(m.norm.training());
  for (DType t : {float16, bfloat16, float32}) {
    m.to_dtype(t);
    EXPECT_EQ(m.norm.running_mean.dtype(), t);
    EXPECT_EQ(m.norm.num_batches_tracked.dtype(), int64);
    EXPECT_EQ(m(random({2, 1, 4, 4}).astype(t)).dtype(), t);
    m.eval();
    EXPECT_EQ(m(random({2, 1, 4, 4}).astype(t)).dtype(), t);
    m.train();
  }
  EXPECT_TRUE(m.conv.weight.trainable());
}
TEST_F(Layers, MembersCanBePutReplacedAndRemovedAtRunTime) {
  Module m;
  const auto keys = [&] {
    Names r;
    for (const auto& [name, t] : m.state_dict()) r.push_back(name);
    return r;
  };
  auto linear = make<Linear>(2, 3);
  auto weight = std::make_shared<Parameter>(random({2}));
  auto cache = std::make_shared<Tensor>(random({4}));
  m.put({.name = "a", .child = linear.get(), .owner = linear});
  m.put({.name = "w", .parameter = weight.get(), .owner = weight});
  m.put({.name = "cache", .buffer = cache.get(), .owner = cache, .saved = false});
  EXPECT_EQ(keys(), (Names{"a.bias", "a.weight", "w"}));
  EXPECT_EQ(m.named_buffers().size(), 1u);
  m.to_device(Device("cpu"));
  m.to_dtype(DType::float64);
  EXPECT_EQ(weight->dtype(), DType::float64);
  const std::weak_ptr<Module> old = linear;
  linear = make<Linear>(2, 3, false);  // absent parameters have only names
  m.put({.name = "a", .child = linear.get(), .owner = linear});
  EXPECT_TRUE(old.expired());
  EXPECT_EQ(keys(), (Names{"a.weight", "w"}));
  EXPECT_EQ(linear->members().back().name, "bias");
  EXPECT_FALSE(linear->members().back().has_parameter());
  *weight = Parameter();
  EXPECT_EQ(keys(), (Names{"a.weight"}));
  EXPECT_EQ(m.parameter_count(), 6);
  EXPECT_TRUE(m.remove("a") && !m.remove("a"));
  EXPECT_TRUE(m.state_dict().empty() && m.children().empty());

  ModuleList outer;
  auto inner = make<ModuleList>();
  outer.push_back(inner);
  EXPECT_EQ(error_of<ValueError>([&] { inner->put({.name = "loop", .child = &outer}); }),
            "[ModuleList] cannot have the member 'loop', which contains this module");
  EXPECT_EQ(error_of<IndexError>([&] { outer[1]; }), "[ModuleList] has 1 modules");
  ModulePtr deep = make<Identity>();
  EXPECT_EQ(error_of<ValueError>([&] {
              for (int i = 0; i < 1100; ++i) deep = make<Sequential>(std::vector<ModulePtr>{deep});
            }),
            "[Identity] modules nest at most 1000 deep");
}
TEST_F(Layers, PrintingIsExact) {
  Sequential net{make<Linear>(64, 32), make<ReLU>(), make<Dropout>(0.25),
                 make<Linear>(32, 10, false)};
  std::ostringstream os;
  os << net;
  EXPECT_EQ(os.str(), R"(Sequential(
  (0): Linear(in_features=64, out_features=32, bias=True)
  (1): ReLU()
  (2): Dropout(p=0.25)
  (3): Linear(in_features=32, out_features=10, bias=False)
))");
  EXPECT_EQ(net.summary(), R"(name  kind     parameters                count
0     Linear   weight[32, 64], bias[32]  2,080
1     ReLU                                   0
2     Dropout                                0
3     Linear   weight[10, 32]              320
2,400 parameters, 2,400 of them trainable
)");
  const auto text = [](const Module& m) {
    std::ostringstream s;
    s << m;
    return s.str();
  };
  EXPECT_EQ(text(Conv2d(3, 16, 3, {.stride = 2, .padding = {1, 0}, .bias = false})),
            "Conv2d(3, 16, kernel_size=(3, 3), stride=(2, 2), padding=(1, 0), bias=False)");
  EXPECT_EQ(text(BatchNorm1d(4)),
            "BatchNorm1d(4, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True)");
  EXPECT_EQ(text(LSTM(3, 4, {.num_layers = 2, .bidirectional = true})),
            "LSTM(3, 4, num_layers=2, bidirectional=True)");
  EXPECT_EQ(text(LayerNorm(4)), "LayerNorm((4,), eps=1e-05, elementwise_affine=True)");
  EXPECT_EQ(text(Embedding(5, 2, {.padding_idx = 0})), "Embedding(5, 2, padding_idx=0)");
  EXPECT_EQ(
      text(MultiheadAttention(4, 2)),
      "MultiheadAttention(\n  (out_proj): Linear(in_features=4, out_features=4, bias=True)\n)");
  EXPECT_EQ(text(layers::sequence_mixing::Convolution(2)),
            "Convolution(\n  kernel_size=3\n  (conv): Conv1d(2, 2, kernel_size=(3,), stride=(1,), "
            "groups=2)\n)");
}

// Repeated training steps are compiled once: statistics and random numbers are not part of the
// structure.
TEST_F(Layers, RepeatedStepsCompileNothing) {
  Net net;
  GRU gru(3, 4, {.num_layers = 2, .dropout = 0.5});
  TransformerEncoderLayer block(8, 2, {.dim_feedforward = 16});
  const auto step = [&] {
    const Tensor loss = ops::sum(ops::square(net(random({4, 1, 4, 4})))) +
                        ops::sum(ops::square(gru.forward(random({5, 2, 3})))) +
                        ops::sum(ops::square(block(random({3, 2, 8}))));
    loss.backward();
    Tensors results{loss};
    for (Module* m :
         {static_cast<Module*>(&net), static_cast<Module*>(&gru), static_cast<Module*>(&block)}) {
      for (const auto& [name, b] : m->named_buffers()) results.push_back(b);
      for (Parameter& p : m->parameters()) {
        const no_grad off;
        p.assign(p.value() - p.grad() * 0.01);
        p.zero_grad();
        results.push_back(p);
      }
    }
    ember::eval(results);
  };
  step();
  step();
  step();
  const auto before = counters();
  for (int i = 0; i < 5; ++i) step();
  EXPECT_EQ(counters().compiled, before.compiled);
  EXPECT_EQ(counters().evaluations, before.evaluations + 5);
}

TEST_F(Layers, GradientsReachEveryParameter) {
  const auto reach = [](Module& m, const Tensor& x) {
    expect_gradients(m, [&] { return m.forward(x); });
  };
#define REACH(declared, ...) \
  {                          \
    declared;                \
    reach(m, __VA_ARGS__);   \
  }
  REACH(Linear m(5, 3), random({4, 5}))
  REACH(Embedding m(6, 3), array({1, 2, 5}))
  REACH(PReLU m(3), random({2, 3, 4}))
  REACH(Conv1d m(4, 6, 3, {.stride = 2, .padding = 1, .dilation = 2, .groups = 2}),
        random({2, 4, 9}))
  REACH(Conv2d m(3, 4, 3, {.padding = 1}), random({2, 3, 5, 5}))
  REACH(Conv3d m(2, 3, 2), random({1, 2, 3, 3, 3}))
  REACH(ConvTranspose1d m(4, 6, 3, {.stride = 2, .output_padding = 1, .groups = 2}),
        random({2, 4, 5}))
  REACH(ConvTranspose2d m(3, 4, 3, {.stride = 2, .padding = 1}), random({2, 3, 4, 4}))
  REACH(ConvTranspose3d m(2, 3, 2), random({1, 2, 3, 3, 3}))
  REACH(BatchNorm1d m(3), random({4, 3}))
  REACH(BatchNorm2d m(3), random({4, 3, 2, 2}))
  REACH(BatchNorm3d m(3), random({4, 3, 2, 2, 2}))
  REACH(InstanceNorm2d m(3, {.affine = true}), random({2, 3, 3, 3}))
  REACH(LayerNorm m(5), random({4, 5}))
  REACH(RMSNorm m(5), random({4, 5}))
  REACH(GroupNorm m(2, 4), random({2, 4, 5}))
  REACH(RNN m(3, 4, {.num_layers = 2, .bidirectional = true}), random({5, 2, 3}))
  REACH(GRU m(3, 4, {.num_layers = 2, .dropout = 0.2, .bidirectional = true}), random({5, 2, 3}))
  REACH(LSTM m(3, 4, {.num_layers = 2, .batch_first = true, .bidirectional = true}),
        random({2, 5, 3}))
  REACH(TransformerEncoder m(2, 8, 2, {.dim_feedforward = 16}, true), random({3, 2, 8}))
  REACH(
      TransformerEncoder m(
          2, 8, 2, {.dim_feedforward = 16, .dropout = 0, .activation = "gelu", .norm_first = true}),
      random({3, 2, 8}))
  REACH(LearnedPositions m(4, 6, true), random({2, 6, 4}))
  REACH(layers::channel_mixing::MLP m(4), random({2, 3, 4}))
  REACH(layers::channel_mixing::GatedMLP m(4), random({2, 3, 4}))
  REACH(layers::sequence_mixing::CausalAttention m(4), random({2, 3, 4}))
  REACH(layers::sequence_mixing::Convolution m(4), random({2, 3, 4}))
  REACH(layers::sequence_mixing::Recurrent m(4, {.cell = "lstm", .bidirectional = true}),
        random({2, 3, 4}))
  REACH(HybridModel m({.hidden_size = 4, .residual = true}), random({2, 3, 4}))
  REACH(LTC m(auto_ncp_map(3, 8, 2)), random({2, 4, 3}))
  REACH(LTC m(3, 4, {.mixed_memory = true}), random({2, 4, 3}))
  REACH(CfC m(3, 5), random({2, 4, 3}))
  REACH(CfC m(auto_ncp_map(3, 8, 2)), random({2, 4, 3}))
  REACH(CfC m(3, 5, {.mode = "no_gate", .backbone_layers = 2, .mixed_memory = true}),
        random({2, 4, 3}))
  REACH(Net m, random({3, 1, 4, 4}))
#undef REACH
  {
    MultiheadAttention m(6, 3, {.kdim = 4, .vdim = 5});
    const Tensor q = random({3, 2, 6});
    const Tensor k = random({4, 2, 4});
    const Tensor v = random({4, 2, 5});
    expect_gradients(m, [&] { return m(q, k, v).output; });
  }
  {
    TransformerDecoder m(2, 8, 2, {.dim_feedforward = 16, .dropout = 0}, true);
    const Tensor x = random({3, 2, 8});
    const Tensor memory = random({4, 2, 8});
    expect_gradients(m, [&] { return m(x, memory, {.tgt_is_causal = true}); });
  }
  {
    RNNCell a(3, 4);
    GRUCell b(3, 4);
    LSTMCell c(3, 4);
    const Tensor x = random({2, 3});
    const Tensor h = random({2, 4});
    expect_gradients(a, [&] { return a(x, h); });
    expect_gradients(b, [&] { return b(x, h); });
    expect_gradients(c, [&] { return c(x, {h, h}).hidden; });
  }
  {
    CfC pure(3, 5, {.mode = "pure"});
    const Tensor x = random({2, 4, 3});
    StateDict s = pure.state_dict();
    s["rnn_cell.w_tau"] = random({1, 5});  // |w| has no slope at 0, where it starts
    pure.load_state_dict(s);
    expect_gradients(pure, [&] { return pure.forward(x); });
  }
}

}  // namespace
}  // namespace ember::nn
