// Workloads for comparing Ember with other libraries, each of which runs in its own process
// (bench/peers).
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "ember/grad.h"
#include "ember/io.h"
#include "ember/tensor.h"

namespace ember::bench {

struct Task {                                          // a workload with its data
  std::vector<std::pair<std::string, Tensor>> inputs;  // by name, for the peers
  // Of the inputs; also written as an ONNX model where it can be.
  std::function<Tensors(const Tensors&)> f;
  TensorMap weights;              // what f reads besides, for the peers
  bool program = false;           // recorded once, the weights constant
  std::function<Tensors()> call;  // instead of f: what keeps a state, as training does
  std::function<double()> limit;  // seconds that it cannot or should not take longer than, now
};

struct Workload {
  std::string kind, variant;  // peers know it by its kind
  double target = 0;          // for the ratio to the best peer; 0: there is none
  std::function<Task()> setup;
  std::string against = "";  // the target is for this peer alone
  std::string limit = "";    // what Task::limit measures
  double limit_target = 0;   // for the ratio to it; 0: it is shown only
  double tolerance = 1e-4;   // how far a peer's results may be, in parts of the largest
  std::string dtype = "";    // what peers convert the inputs to
  int64_t ops = 0;           // the time is given per op, and has to be at most so many ns
  double most_ns = 0;
  std::string own = "ember";  // who runs it on Ember's side
  std::string name() const { return variant.empty() ? kind : kind + ", " + variant; }
};

std::vector<Workload> workloads();
void add_arrays(std::vector<Workload>&);
void add_networks(std::vector<Workload>&);

void take_turns();  // Ember's side: answers on standard output what comes in on standard input

}  // namespace ember::bench
