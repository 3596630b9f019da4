// The registry: every built-in entry can be created, configs are parsed as documented, and errors
// help.
#include "ember/registry.h"

#include <thread>

#include "tests/nn/reference.h"

namespace ember {
namespace {

struct RegistryTest : nn::Layers {};
std::string fails(const char* json) {
  return error_of<ValueError>([&] { registry().create(json); });
}

TEST_F(RegistryTest, ModelsAreMadeFromConfigs) {
  const nn::ModulePtr mlp = registry().create(
      R"({"type": "models/mlp", "sizes": [64, 32, 10], "activation": "gelu", "dropout": 0.1})");
  std::ostringstream s;
  s << *mlp;
  EXPECT_NE(s.str().find("in_features=32, out_features=10"), std::string::npos) << s.str();
  EXPECT_EQ(mlp->parameter_count(), 64 * 32 + 32 + 32 * 10 + 10);
  EXPECT_EQ(mlp->forward(nn::random({3, 64})).shape(), (Shape{3, 10}));

  const auto encoder = registry().create_as<nn::TransformerEncoder>(Config(
      R"({"type": "models/transformer", "num_layers": 2, "d_model": 8, "nhead": 2, "dim_feedforward": 16, "batch_first": true})"));
  EXPECT_EQ(encoder->forward(nn::random({2, 5, 8})).shape(), (Shape{2, 5, 8}));
  EXPECT_THROW(registry().create_as<nn::Linear>(Config(R"({"type": "layers/relu"})")), ValueError);

  const nn::ModulePtr hybrid = registry().create(
      R"({"type": "models/hybrid", "hidden_size": 8, "sequence_mixer": "convolution", "residual": true, "num_layers": 2})");
  EXPECT_EQ(hybrid->forward(nn::random({2, 5, 8})).shape(), (Shape{2, 5, 8}));

  const nn::ModulePtr net = registry().create(R"({"type": "models/sequential", "layers": [
      {"type": "layers/conv2d", "in_channels": 1, "out_channels": 4, "kernel_size": [3, 3], "padding": 1, "stride": 2},
      {"type": "layers/batch_norm2d", "num_features": 4, "momentum": null}, {"type": "layers/relu"},
      {"type": "layers/global_avg_pool"}, {"type": "models/mlp", "sizes": [4, 2]}]})");
  EXPECT_EQ(net->forward(nn::random({3, 1, 8, 8})).shape(), (Shape{3, 2}));
  EXPECT_NE(nn::keys(*net), nn::Names{});
  // By name, the field type may be omitted.
  EXPECT_EQ(registry()
                .create("layers/linear",
                        Config(R"({"in_features": 2.0, "out_features": 3, "bias": null})"))
                ->parameter_count(),
            9);
}
TEST_F(RegistryTest, EveryLayerCanBeMade) {
  // Required fields of all entries.
  const std::string numbers[] = {"in_features",
                                 "out_features",
                                 "in_channels",
                                 "out_channels",
                                 "kernel_size",
                                 "output_size",
                                 "num_features",
                                 "features",
                                 "num_embeddings",
                                 "embedding_dim",
                                 "normalized_shape",
                                 "num_groups",
                                 "num_channels",
                                 "input_size",
                                 "hidden_size",
                                 "embed_dim",
                                 "num_heads",
                                 "dim",
                                 "max_length",
                                 "inputs",
                                 "units",
                                 "d_model",
                                 "nhead",
                                 "num_layers"};
  for (const std::string& name : registry().list()) {
    std::string config = "{";
    if (name == "models/mlp") {
      config += R"("sizes": [2, 2])";
    } else if (name == "models/sequential") {
      config += R"("layers": [])";
    } else {
      // Finds required fields one by one from the errors.
      for (int tries = 0; tries < 10; ++tries) {
        try {
          registry().create(name, Config(config + "}"));
          break;
        } catch (const ValueError& e) {
          const std::string what = e.what();
          const size_t from = what.find("the field '") + 11;
          const size_t to = what.find("' is missing: a whole number");
          ASSERT_NE(to, std::string::npos) << name << ": " << what;
          const std::string field = what.substr(from, to - from);
          ASSERT_NE(std::find(std::begin(numbers), std::end(numbers), field), std::end(numbers))
              << name << ": " << field;
          config += (config.size() > 1 ? ", \"" : "\"") + field + "\": 2";
        }
      }
    }
    const nn::ModulePtr m = registry().create(name, Config(config + "}"));
    ASSERT_TRUE(m) << name;
    EXPECT_NE(m->kind(), "Module") << name;
    if (name == "layers/ltc" || name == "layers/cfc") {
      EXPECT_TRUE(registry().create(
          name, Config(R"({"inputs": 3, "units": 9, "outputs": 2, "wiring": "auto_ncp"})")));
      EXPECT_TRUE(registry().create(
          name, Config(R"({"inputs": 3, "units": 9, "wiring": "random", "sparsity": 0.3})")));
      EXPECT_THROW(
          registry().create(name, Config(R"({"inputs": 3, "units": 9, "wiring": "spaghetti"})")),
          ValueError);
    }
  }
  EXPECT_GT(registry().list("layers/").size(), 70u);
  EXPECT_EQ(registry().list("models/transformer"),
            (nn::Names{"models/transformer", "models/transformer_decoder",
                       "models/transformer_encoder"}));
  EXPECT_TRUE(registry().list("nothing").empty());
}
TEST_F(RegistryTest, WrongNamesAreAnsweredWithTheNearest) {
  EXPECT_EQ(fails(R"({"type": "models/tranformer"})"),
            "[registry] unknown name 'models/tranformer': did you mean models/transformer?");
  EXPECT_EQ(fails(R"({"type": "mlp"})").find("[registry] unknown name 'mlp': did you mean"), 0u);
  EXPECT_NE(fails(R"({"type": "mlp"})").find("models/mlp"), std::string::npos);
  EXPECT_NE(fails(R"({"type": "layers/transformer"})").find("models/transformer"),
            std::string::npos);
  EXPECT_NE(fails(R"({"type": "layers/conv"})").find("layers/conv1d"), std::string::npos);
  EXPECT_EQ(fails(R"({"type": "quite something else"})"),
            "[registry] unknown name 'quite something else'; the names begin with layers/ or "
            "models/");
  Registry empty;
  EXPECT_EQ(error_of<ValueError>([&] { empty.create(R"({"type": "a"})"); }),
            "[registry] unknown name 'a'; nothing has been added");
}
TEST_F(RegistryTest, WrongFieldsAreNamed) {
  EXPECT_EQ(fails("{}"), "[config] the field 'type' is missing: a string");
  EXPECT_EQ(fails(R"({"type": 3})"),
            "[config] the field 'type' must be a string, not the number 3");
  EXPECT_EQ(fails(R"({"type": "models/mlp"})"),
            "[models/mlp] the field 'sizes' is missing: a list of whole numbers");
  EXPECT_EQ(fails(R"({"type": "models/mlp", "size": [3, 2]})"),
            "[models/mlp] the field 'sizes' is missing: a list of whole numbers (there is 'size')");
  EXPECT_EQ(
      fails(R"({"type": "models/mlp", "sizes": "64, 32"})"),
      "[models/mlp] the field 'sizes' must be a list of whole numbers, not the string \"64, 32\"");
  EXPECT_EQ(fails(R"({"type": "models/mlp", "sizes": [3, 2.5]})"),
            "[models/mlp] the field 'sizes[1]' must be a whole number, not the number 2.5");
  EXPECT_EQ(fails(R"({"type": "models/mlp", "sizes": [3, 2], "droput": 0.5})"),
            "[models/mlp] has no field 'droput': did you mean dropout?");
  EXPECT_EQ(fails(R"({"type": "layers/relu", "inplace": true})"),
            "[layers/relu] has no field 'inplace'; it takes none");
  EXPECT_EQ(fails(R"({"type": "layers/linear", "in_features": 3, "out_features": null})"),
            "[layers/linear] the field 'out_features' must be a whole number, not null");
  EXPECT_EQ(fails(R"({"type": "layers/linear", "in_features": 3, "out_features": 2, "bias": 1})"),
            "[layers/linear] the field 'bias' must be true or false, not the number 1");
  EXPECT_EQ(fails(R"({"type": "layers/dropout", "p": [1]})"),
            "[layers/dropout] the field 'p' must be a number, not a list of 1");
  EXPECT_EQ(fails(R"({"type": "layers/linear", "in_features": 1e300, "out_features": 2})")
                .find("[layers/linear] the field 'in_features' must be a whole number"),
            0u);
  EXPECT_EQ(
      fails(R"({"type": "layers/linear", "in_features": 18446744073709551615, "out_features": 2})")
          .find("[layers/linear] the field 'in_features' must"),
      0u);
  EXPECT_EQ(
      fails(
          R"({"type": "models/sequential", "layers": [{"type": "layers/relu"}, {"type": "layers/linear", "in_features": 2}]})"),
      "[layers/linear, at layers[1]] the field 'out_features' is missing: a whole number");
  EXPECT_EQ(
      fails(
          R"({"type": "models/sequential", "layers": [{"type": "models/sequential", "layers": [7]}]})"),
      "[models/sequential, at layers[0]] the field 'layers[0]' must be a config, not the number 7");
  EXPECT_NE(
      fails(R"({"type": "models/mlp", "sizes": [3, 2, 1], "activation": "rleu"})").find("relu"),
      std::string::npos);
  EXPECT_THROW(registry().create("layers/relu", Config(R"({"type": "layers/tanh"})")), ValueError);
}
TEST_F(RegistryTest, ConfigsAreCheckedAsTheyAreRead) {
  EXPECT_EQ(error_of<ValueError>([] { Config("{\"a\": 1,\n \"b\" 2}"); }),
            "[config] invalid JSON at line 2, column 6");
  EXPECT_EQ(error_of<ValueError>([] {
              Config("{\"a\": 1");
            }).find("[config] invalid JSON at line 1, column"),
            0u);
  EXPECT_EQ(error_of<ValueError>([] { Config("[1]"); }),
            "[config] a config must be an object, not a list of 1");
  EXPECT_EQ(error_of<ValueError>([] { Config(R"({"a": {"b": 1}, "c": {"b": 2, "b": 3}})"); }),
            "[config] the field 'b' comes twice");
  EXPECT_THROW(Config(""), ValueError);
  EXPECT_THROW(Config(std::string("{\"a\": \"\xff\"}")), ValueError);
  EXPECT_THROW(Config(R"({"a": 1e999})"), ValueError);
  std::string deep = "1";
  for (int i = 0; i < 100000; ++i) deep.insert(0, "[");
  EXPECT_EQ(error_of<ValueError>([&] { Config("{\"a\": " + deep + "}"); }),
            "[config] nested more than 100 deep");
  const Config c(
      R"({"b": [1.5, 2], "s": ["x"], "o": {"k": 3}, "l": [{"z": true}], "e": 7, "n": null})");
  EXPECT_EQ(c.get<std::vector<double>>("b"), (std::vector<double>{1.5, 2}));
  EXPECT_EQ(c.get<std::vector<std::string>>("s"), nn::Names{"x"});
  EXPECT_EQ(c.get<Config>("o").get<int64_t>("k"), 3);
  EXPECT_TRUE(c.get<std::vector<Config>>("l")[0].get<bool>("z"));
  EXPECT_EQ(c.get<nn::Extents>("e"), Ints{7});
  EXPECT_FALSE(c.has("n") || c.has("m"));
  EXPECT_EQ(c.get("n", 4), 4);
  EXPECT_EQ(c.get("m", "x"), "x");
  EXPECT_FALSE(c.maybe<double>("n"));
  EXPECT_EQ(c.names(), (nn::Names{"b", "s", "o", "l", "e", "n"}));
  c.check_all_read();
  EXPECT_EQ(Config(c.text()).text(), c.text());
}
TEST_F(RegistryTest, OwnEntriesFromManyThreads) {
  Registry r;
  EXPECT_THROW(r.add("", [](const Config&) { return nn::make<nn::ReLU>(); }), ValueError);
  EXPECT_THROW(r.add("a b", [](const Config&) { return nn::make<nn::ReLU>(); }), ValueError);
  EXPECT_THROW(r.add("a", nullptr), ValueError);
  std::vector<std::thread> threads;
  std::atomic<int> made = 0;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        const std::string name = "own/" + std::to_string(t) + "_" + std::to_string(i);
        r.add(name, [](const Config& c) { return nn::make<nn::Linear>(c.get<int64_t>("n"), 1); });
        made += r.create(name, Config(R"({"n": 3})")) && r.has(name) && !r.list("own/").empty();
      }
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(made, 200);
  EXPECT_EQ(r.size(), 200u);
  EXPECT_EQ(error_of<ValueError>(
                [&] { r.add("own/0_0", [](const Config&) { return nn::make<nn::ReLU>(); }); }),
            "[registry] 'own/0_0' is already registered: use replace()");
  r.replace("own/0_0", [](const Config&) -> nn::ModulePtr { return nullptr; });
  EXPECT_THROW(r.create("own/0_0", Config()), StateError);
  EXPECT_TRUE(r.remove("own/0_0"));
  EXPECT_FALSE(r.remove("own/0_0"));
  static const Registered mine{"models/of_this_test",
                               [](const Config&) { return nn::make<nn::Identity>(); }};
  EXPECT_EQ(registry().create(R"({"type": "models/of_this_test"})")->kind(), "Identity");
  EXPECT_TRUE(registry().remove("models/of_this_test"));
}

}  // namespace
}  // namespace ember
