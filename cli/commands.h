// The subcommands of `ember`.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace ember::cli {

int backends(bool json);
int ops(const std::string& name, bool json);
int ops_page();
int coverage(const std::string& name, bool json);
int run_model(const std::string& path, const std::vector<std::string>& inputs,
              const std::vector<std::string>& outputs, const std::vector<std::string>& values,
              const std::string& backend, bool json);
int convert(const std::string& from, const std::string& to, const std::vector<std::string>& shapes,
            const std::vector<std::string>& values, std::optional<int64_t> opset, bool external);
int onnx_operators(bool json, bool markdown);
int demo(int epochs, const std::string& report);
int launch(int ranks, const std::vector<std::string>& command);
struct TrainOptions {
  int epochs = 5;
  int64_t batch = 64;
  std::string checkpoints, save, backend, dtype = "float32";
  int64_t every_steps = 0;
  bool shard_optimizer = false;
};
int train(const TrainOptions& options);
int lint(std::vector<std::string> arguments);   // becomes the checker in Python
int bench(std::vector<std::string> arguments);  // becomes ember-bench

}  // namespace ember::cli
