// Shared by the operators of ai.onnx.ml.
#pragma once
#include "src/onnx/read/read.h"

namespace ember::onnx {

void check_table(const Call&, const Tensor& x);  // [samples, features]
Tensor array_of(const std::vector<double>& numbers, DType);
Tensor post_transform(const Call&, const std::string& name, const Tensor& scores);
// The labels of a classifier, integers or strings, one per class.
struct Labels {
  Tensor values;
  bool strings = false;
  int64_t count() const { return values.size(); }
  Value at(const Tensor& places) const;
  Labels(const Call&, const char* integers, const char* strings);
};

}  // namespace ember::onnx
