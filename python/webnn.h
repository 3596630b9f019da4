// WebNN's interfaces as Python's package webnn has them: pywebnn's names over ember/webnn.h.
#pragma once
#include "ember/webnn.h"
#include "python/python.h"

namespace ember::python {

struct WebnnContext {
  webnn::MLContext context;
  std::string fallback;  // why it is not the device that was asked for
};
struct WebnnTensor {
  webnn::MLTensor tensor;     // it can always be read and written: the flags say what the context allows
  webnn::MLContext context;
  bool readable = false, writable = false, exportable = false;
};
struct WebnnDeviceTensor : WebnnTensor {};
struct WebnnGraph {
  webnn::MLGraph graph;
  bool free = false;                   // made without a context: any may run it
  std::vector<webnn::MLGraph> others;  // the same, for those that did
};
struct WebnnBuilder {
  webnn::MLGraphBuilder builder;
  bool free = false;
};

DType webnn_dtype(nb::handle name);                          // ValueError "Unsupported data type: X"
webnn::Dimensions webnn_shape(nb::handle shape);             // OverflowError for negative ones
const webnn::MLContext& default_webnn_context();

// The bytes of anything that a tensor can be made of, as a WebNN tensor of this type takes them.
class WebnnData {
 public:
  WebnnData(PyObject* o, const webnn::MLOperandDescriptor& type, const char* what);
  WebnnData(const WebnnData&) = delete;
  ~WebnnData() { PyBuffer_Release(&view_); }
  const void* data = nullptr;
  size_t bytes = 0;

 private:
  bool shared(PyObject* o, const webnn::MLOperandDescriptor& type);
  Py_buffer view_{};
  Tensor tensor_;
  std::vector<std::byte> packed_;
};
Tensor webnn_array(PyObject* o, std::optional<DType> want);  // in host memory, shared where that is possible

void add_webnn_builder(nb::module_& m);

}  // namespace ember::python
