// A graph that is recorded and compiled once and run many times with different inputs. WebNN graphs
// and ONNX models are programs.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "ember/engine.h"
#include "ember/tensor.h"

namespace ember {

// An input of a program: a tensor without a value, on the current backend. Ops record it like any
// other tensor.
EMBER_API Tensor placeholder(const Type&);

// Records without evaluating: while it lives, this thread does not evaluate pending nodes to limit
// memory.
class EMBER_API Recording {
 public:
  Recording();
  Recording(const Recording&) = delete;
  ~Recording();

 private:
  bool before_;
};

class EMBER_API Program {
 public:
  // Outputs as functions of the inputs (placeholders) and of constants, which are all other tensors
  // that they read. Values that depend only on constants are computed here, once. The outputs'
  // backend compiles and runs the program.
  Program(std::span<const Tensor> inputs, std::span<const Tensor> outputs);
  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;
  ~Program();

  // ShapeError or DTypeError if an input is not as recorded.
  std::vector<Tensor> operator()(std::span<const Tensor> inputs) const;
  // Runs without recording nodes. The inputs are contiguous values in host memory or in the
  // engine's own; the caller owns the outputs.
  void run(std::span<const Value> in, std::span<Value> out) const;
  const std::vector<Type>& inputs() const;
  const std::vector<Type>& outputs() const;
  std::string_view backend() const;
  Device device() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ember
