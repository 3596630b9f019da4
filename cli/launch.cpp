// `ember launch` starts a command as several ranks; `ember train` is such a command.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <thread>

#include "cli/commands.h"
#include "cli/digits.h"
#include "ember/ember.h"
#include "ember/train.h"

namespace ember::cli {

int launch(int ranks, const std::vector<std::string>& command) {
  // Environment variables that allow more ranks than cores and root in a container. Other
  // implementations of mpirun ignore them.
  const auto set = [](const char* name, const std::string& value) {
    setenv(name, value.c_str(), 0);
  };
  if (geteuid() == 0) {
    set("OMPI_ALLOW_RUN_AS_ROOT", "1");
    set("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
  }
  set("OMPI_MCA_rmaps_base_oversubscribe", "1");
  set("OMPI_MCA_hwloc_base_binding_policy", "none");
  const int threads = std::max(1, int(std::thread::hardware_concurrency()) / ranks);
  set("EMBER_NUM_THREADS", std::to_string(threads));
  set("OMP_NUM_THREADS", std::to_string(threads));
  const std::string n = std::to_string(ranks);
  std::vector<char*> words;
  for (const char* w : {"mpirun", "-n", n.c_str()}) words.push_back(const_cast<char*>(w));
  for (const std::string& w : command) words.push_back(const_cast<char*>(w.c_str()));
  words.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) {
    throw EngineError("[launch] cannot start a process: " + std::string(std::strerror(errno)));
  }
  if (child == 0) {
    execvp("mpirun", words.data());
    std::cerr << "ember launch: mpirun: " << std::strerror(errno)
              << "; Open MPI (Debian: openmpi-bin) and MPICH have one\n";
    _exit(127);
  }
  std::signal(SIGINT, SIG_IGN);  // the ranks receive it too
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (code != 0 && code != 127) {
    std::cerr
        << "ember launch: the " << ranks << " ranks ended with status " << code
        << "; what saved checkpoints can be started again and goes on from the last complete one\n";
  }
  return code;
}

int train(const TrainOptions& o) {
  const distributed::Group group = distributed::init();
  if (!o.backend.empty()) set_backend(o.backend);
  const Digits data = load_digits(*parse_dtype(o.dtype));
  ops::seed(7);
  DigitNet net;
  net.to_dtype(data.train_images.dtype());
  nn::Adam optimizer(net.parameters(), {.lr = 2e-3});
  train::DataLoader loader(train::dataset({data.train_images, data.train_labels}),
                           {.batch_size = o.batch, .shuffle = true, .seed = 7});
  train::DataLoader test(train::dataset({data.test_images, data.test_labels}), {.batch_size = 360});
  auto strategy = std::make_shared<distributed::DataParallelStrategy>(
      distributed::DataParallelOptions{.group = group,
                                       .shard_optimizer = o.shard_optimizer,
                                       .sharded_checkpoints = o.shard_optimizer});
  train::Trainer trainer(net, optimizer,
                         [](const Tensor& p, const Tensor& t) {
                           return ops::sparse_categorical_cross_entropy(p, t, true);
                         },
                         {.metrics = {std::make_shared<train::Accuracy>()}, .strategy = strategy});
  std::vector<train::CallbackPtr> callbacks{std::make_shared<train::Progress>(stdout)};
  if (!o.checkpoints.empty()) {
    callbacks.push_back(std::make_shared<train::Checkpoint>(
        train::CheckpointOptions{.folder = o.checkpoints,
                                 .every_steps = o.every_steps,
                                 .every_epochs = o.every_steps ? 0 : 1,
                                 .keep = 3}));
  }
  if (group.rank() == 0) {
    std::cout << "digits on " << group.size() << (group.size() == 1 ? " rank" : " ranks")
              << ", engine " << get_backend() << std::endl;
  }
  trainer.fit(
      loader,
      {.epochs = o.epochs, .validation = &test, .callbacks = callbacks, .resume = o.checkpoints});
  if (!o.save.empty() && group.rank() == 0) net.save(o.save);
  return 0;
}

}  // namespace ember::cli
