// A recorded graph, compiled once and run again and again with other inputs: what a WebNN graph and
// an ONNX model become.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "ember/engine.h"
#include "ember/tensor.h"

namespace ember {

// A tensor without a value, on the current backend: stands for an input of a program. Ops record it
// like any other tensor.
EMBER_API Tensor placeholder(const Type&);

// While it lives, this thread only records: what is pending is not evaluated to bound memory.
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
  // Outputs computed from the inputs, which are placeholders, and from constants: every other
  // tensor that they read. What depends on constants alone is computed here, once. The outputs'
  // backend compiles and runs it.
  Program(std::span<const Tensor> inputs, std::span<const Tensor> outputs);
  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;
  ~Program();

  std::vector<Tensor> operator()(std::span<const Tensor> inputs)
      const;  // ShapeError, DTypeError where they are not as recorded
  // The short way, without nodes: contiguous values in host memory or in the engine's own; the
  // caller owns what it gets.
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
