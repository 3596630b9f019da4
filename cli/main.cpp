// The command `ember`.
#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "bench/speed.h"
#include "cli/commands.h"
#include "ember/error.h"

int main(int argc, char** argv) {
  CLI::App app{"Ember: tensors and neural networks, written once, run on any engine", "ember"};
  app.require_subcommand(1);
  app.set_version_flag("--version", EMBER_VERSION);
  int epochs = 6;
  std::string report;
  bool json = false;
  bool markdown = false;
  bool coverage = false;
  bool onnx = false;
  bool external = false;
  std::string name;
  std::string model;
  std::string backend;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<std::string> names = {"core"};
  ember::bench::Options measuring;
  bool turns = false;
  std::vector<std::string> values;
  std::optional<int64_t> opset;

  auto* backends =
      app.add_subcommand("backends", "The engines: which work here, and why the others do not");
  backends->add_flag("--json", json, "As JSON");
  auto* ops = app.add_subcommand("ops", "The reference of all ops, or of one");
  ops->add_option("name", name, "An op, an alias, or part of a name");
  ops->add_flag("--json", json, "As JSON");
  ops->add_flag("--markdown", markdown, "All of them as a reference page");
  ops->add_flag("--coverage", coverage, "Which engine computes which op itself, by dtype");
  ops->add_flag("--onnx", onnx, "The operators of ONNX models that can be read");
  auto* run = app.add_subcommand("run", "Run an ONNX model, or show what it takes and gives");
  run->add_option("model", model, "An .onnx file")->required();
  run->add_option(
         "--input", inputs,
         "NAME=FILE: the .npy or .safetensors file of an input; without any, the model is shown")
      ->type_name("NAME=FILE");
  run->add_option("--value", values,
                  "NAME=NUMBERS: the value of an input, as in sr=16000 or scales=1,2")
      ->type_name("NAME=NUMBERS");
  run->add_option("--output", outputs, "NAME=FILE: where to save an output")
      ->type_name("NAME=FILE");
  run->add_option("--backend", backend, "The engine to run it on");
  run->add_flag("--json", json, "As JSON");
  auto* convert = app.add_subcommand("convert",
                                     "Write an ONNX model for fixed shapes, without functions, "
                                     "branches and loops, as ONNX or for Core ML");
  convert->add_option("model", model, "An .onnx file")->required();
  convert->add_option("to", name, "The .onnx file or the .mlpackage to write")->required();
  convert
      ->add_option("--shape", inputs, "NAME=2x3: the shape of an input that the model leaves open")
      ->type_name("NAME=SHAPE");
  convert
      ->add_option("--value", values,
                   "NAME=NUMBERS: the value that an input has for good, as in sr=16000; the "
                   "written model does not take it")
      ->type_name("NAME=NUMBERS");
  convert->add_option("--opset", opset,
                      "The opset to write, 13 to 28; else 21, or what the operators need");
  convert->add_flag("--external", external, "Weights in a file beside it");
  auto* bench =
      app.add_subcommand("bench", "Measure workloads; the report says whether targets are met");
  bench
      ->add_option("names", names,
                   "Suites (speed, core, wrapper, python, everyday, distributed, webnn, all), or "
                   "workloads of speed by a part of their names")
      ->capture_default_str();
  bench->add_option("--rounds", measuring.rounds, "Turns of each peer in speed")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  bench
      ->add_option("--threads", measuring.threads,
                   "Thread counts in speed; else one, and all cores")
      ->delimiter(',')
      ->check(CLI::PositiveNumber);
  bench->add_option("--report", report, "Write a page with the table and bars to this file");
  bench->add_flag("--turns", turns)->group("");  // how speed starts Ember's side
  bench->add_flag("--json", json, "As JSON");
  auto* demo =
      app.add_subcommand("demo", "Train a network on handwritten digits, on every engine found");
  demo->add_option("--epochs", epochs, "How often all images are seen")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  demo->add_option("--report", report,
                   "Write a page with curves and sample predictions to this file");
  int ranks = 2;
  std::vector<std::string> command;
  auto* launch = app.add_subcommand("launch",
                                    "Start a command as several ranks, with the mpirun that is "
                                    "here: ember launch -n 2 python script.py");
  launch->add_option("-n", ranks, "How many")->capture_default_str()->check(CLI::PositiveNumber);
  launch->add_option("command", command, "The command and its arguments")->required();
  launch->prefix_command();
  launch->positionals_at_end();
  ember::cli::TrainOptions training;
  auto* train =
      app.add_subcommand("train", "Train the digits network; under mpirun, on all ranks together");
  train->add_option("--epochs", training.epochs, "How often all images are seen")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  train->add_option("--batch", training.batch, "Images to a step, over all ranks")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  train->add_option("--checkpoints", training.checkpoints,
                    "A folder; the newest checkpoint in it is resumed");
  train
      ->add_option("--every", training.every_steps, "Steps between checkpoints; else one per epoch")
      ->check(CLI::NonNegativeNumber);
  train->add_option("--save", training.save, "Write the weights to this file at the end");
  train->add_option("--backend", training.backend, "The engine");
  train->add_option("--dtype", training.dtype, "float32 or float64")
      ->capture_default_str()
      ->check(CLI::IsMember({"float32", "float64"}));
  train->add_flag(
      "--shard-optimizer", training.shard_optimizer,
      "Each rank has a part of the optimizer's state, and saves it to a file of its own");
  app.add_subcommand("lint", "Find Python code that leaves Ember, and what to write instead");
  // it reads its own arguments
  if (argc > 1 && std::string_view(argv[1]) == "lint") {
    return ember::cli::lint({argv + 2, argv + argc});
  }
  CLI11_PARSE(app, argc, argv);

  try {
    if (*backends) return ember::cli::backends(json);
    if (*ops && onnx) return ember::cli::onnx_operators(json, markdown);
    if (*ops && coverage) return ember::cli::coverage(name, json);
    if (*ops) return markdown ? ember::cli::ops_page() : ember::cli::ops(name, json);
    if (*run) return ember::cli::run_model(model, inputs, outputs, values, backend, json);
    if (*convert) return ember::cli::convert(model, name, inputs, values, opset, external);
    if (*bench && turns) return ember::bench::take_turns(), 0;
    if (*bench) return ember::cli::bench(names, measuring, json, report);
    if (*launch) {
      for (const std::string& more : launch->remaining()) command.push_back(more);
      return ember::cli::launch(ranks, command);
    }
    if (*train) return ember::cli::train(training);
    if (*demo) return ember::cli::demo(epochs, report);
  } catch (const ember::Error& e) {
    std::cerr << "ember: " << e.what() << "\n";
    return 1;
  }
  return 0;
}
