// The command `ember`: a function per subcommand declares its arguments and says what runs it.
#include <CLI/CLI.hpp>
#include <functional>
#include <iostream>
#include <memory>
#include <string_view>

#include "cli/commands.h"
#include "ember/error.h"

namespace ember::cli {
namespace {

using Strings = std::vector<std::string>;

struct Command {
  CLI::App* arguments;
  std::function<int()> run;
};

Command add_backends(CLI::App& app) {
  auto* c =
      app.add_subcommand("backends", "The engines: which work here, and why the others do not");
  const auto json = std::make_shared<bool>(false);
  c->add_flag("--json", *json, "As JSON");
  return {c, [=] { return backends(*json); }};
}

Command add_ops(CLI::App& app) {
  struct Options {
    std::string name;
    bool json = false, markdown = false, coverage = false, onnx = false;
  };
  auto* c = app.add_subcommand("ops", "The reference of all ops, or of one");
  const auto o = std::make_shared<Options>();
  c->add_option("name", o->name, "An op, an alias, or part of a name");
  c->add_flag("--json", o->json, "As JSON");
  c->add_flag("--markdown", o->markdown, "All of them as a reference page");
  c->add_flag("--coverage", o->coverage, "Which engine computes which op itself, by dtype");
  c->add_flag("--onnx", o->onnx, "The operators of ONNX models that can be read");
  return {c, [=] {
            if (o->onnx) return onnx_operators(o->json, o->markdown);
            if (o->coverage) return coverage(o->name, o->json);
            return o->markdown ? ops_page() : ops(o->name, o->json);
          }};
}

Command add_run(CLI::App& app) {
  struct Options {
    std::string model, backend;
    Strings inputs, outputs, values;
    bool json = false;
  };
  auto* c = app.add_subcommand("run", "Run an ONNX model, or show what it takes and gives");
  const auto o = std::make_shared<Options>();
  c->add_option("model", o->model, "An .onnx file")->required();
  c->add_option(
       "--input", o->inputs,
       "NAME=FILE: the .npy or .safetensors file of an input; without any, the model is shown")
      ->type_name("NAME=FILE");
  c->add_option("--value", o->values,
                "NAME=NUMBERS: the value of an input, as in sr=16000 or scales=1,2")
      ->type_name("NAME=NUMBERS");
  c->add_option("--output", o->outputs, "NAME=FILE: where to save an output")
      ->type_name("NAME=FILE");
  c->add_option("--backend", o->backend, "The engine to run it on");
  c->add_flag("--json", o->json, "As JSON");
  return {c, [=] {
            return run_model(o->model, o->inputs, o->outputs, o->values, o->backend, o->json);
          }};
}

Command add_convert(CLI::App& app) {
  struct Options {
    std::string from, to;
    Strings shapes, values;
    std::optional<int64_t> opset;
    bool external = false;
  };
  auto* c = app.add_subcommand("convert",
                               "Write an ONNX model for fixed shapes, without functions, branches "
                               "and loops, as ONNX or for Core ML");
  const auto o = std::make_shared<Options>();
  c->add_option("model", o->from, "An .onnx file")->required();
  c->add_option("to", o->to, "The .onnx file or the .mlpackage to write")->required();
  c->add_option("--shape", o->shapes, "NAME=2x3: the shape of an input that the model leaves open")
      ->type_name("NAME=SHAPE");
  c->add_option("--value", o->values,
                "NAME=NUMBERS: the value that an input has for good, as in sr=16000; the written "
                "model does not take it")
      ->type_name("NAME=NUMBERS");
  c->add_option("--opset", o->opset,
                "The opset to write, 13 to 28; else 21, or what the operators need");
  c->add_flag("--external", o->external, "Weights in a file beside it");
  return {c, [=] { return convert(o->from, o->to, o->shapes, o->values, o->opset, o->external); }};
}

Command add_demo(CLI::App& app) {
  struct Options {
    int epochs = 6;
    std::string report;
  };
  auto* c =
      app.add_subcommand("demo", "Train a network on handwritten digits, on every engine found");
  const auto o = std::make_shared<Options>();
  c->add_option("--epochs", o->epochs, "How often all images are seen")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  c->add_option("--report", o->report,
                "Write a page with curves and sample predictions to this file");
  return {c, [=] { return demo(o->epochs, o->report); }};
}

Command add_launch(CLI::App& app) {
  struct Options {
    int ranks = 2;
    Strings command;
  };
  auto* c = app.add_subcommand("launch",
                               "Start a command as several ranks, with the mpirun that is here: "
                               "ember launch -n 2 python script.py");
  const auto o = std::make_shared<Options>();
  c->add_option("-n", o->ranks, "How many")->capture_default_str()->check(CLI::PositiveNumber);
  c->add_option("command", o->command, "The command and its arguments")->required();
  c->prefix_command();
  c->positionals_at_end();
  return {c, [=] {
            Strings command = o->command;
            for (const std::string& more : c->remaining()) command.push_back(more);
            return launch(o->ranks, command);
          }};
}

Command add_train(CLI::App& app) {
  auto* c =
      app.add_subcommand("train", "Train the digits network; under mpirun, on all ranks together");
  const auto o = std::make_shared<TrainOptions>();
  c->add_option("--epochs", o->epochs, "How often all images are seen")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  c->add_option("--batch", o->batch, "Images to a step, over all ranks")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  c->add_option("--checkpoints", o->checkpoints,
                "A folder; the newest checkpoint in it is resumed");
  c->add_option("--every", o->every_steps, "Steps between checkpoints; else one per epoch")
      ->check(CLI::NonNegativeNumber);
  c->add_option("--save", o->save, "Write the weights to this file at the end");
  c->add_option("--backend", o->backend, "The engine");
  c->add_option("--dtype", o->dtype, "float32 or float64")
      ->capture_default_str()
      ->check(CLI::IsMember({"float32", "float64"}));
  c->add_flag("--shard-optimizer", o->shard_optimizer,
              "Each rank has a part of the optimizer's state, and saves it to a separate file");
  return {c, [=] { return train(*o); }};
}

int run(int argc, char** argv) {
  CLI::App app{"Ember: tensors and neural networks, written once, run on any engine", "ember"};
  app.require_subcommand(1);
  app.set_version_flag("--version", EMBER_VERSION);
  const Command commands[] = {add_backends(app), add_ops(app),    add_run(app),  add_convert(app),
                              add_demo(app),     add_launch(app), add_train(app)};
  // These two read their own arguments: here they are named for --help.
  app.add_subcommand("bench", "Measure workloads; the report says whether targets are met");
  app.add_subcommand("lint", "Find Python code that leaves Ember, and what to write instead");
  const std::string_view first = argc > 1 ? argv[1] : "";
  if (first == "bench") return bench({argv + 2, argv + argc});
  if (first == "lint") return lint({argv + 2, argv + argc});
  CLI11_PARSE(app, argc, argv);
  for (const Command& c : commands) {
    if (*c.arguments) return c.run();
  }
  return 0;
}

}  // namespace
}  // namespace ember::cli

int main(int argc, char** argv) {
  try {
    return ember::cli::run(argc, argv);
  } catch (const ember::Error& e) {
    std::cerr << "ember: " << e.what() << "\n";
    return 1;
  }
}
