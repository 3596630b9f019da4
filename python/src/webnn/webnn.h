// WebNN's interfaces for Python's package webnn: pywebnn's names over ember/webnn.h.
#pragma once
#include "ember/webnn.h"
#include "python/src/python.h"

namespace ember::python {

struct WebnnContext {
  webnn::MLContext context;
  std::string fallback;  // why the context does not use the requested device
};
struct WebnnTensor {
  // Can always be read and written; the flags are checked by the context.
  webnn::MLTensor tensor;
  webnn::MLContext context;
  bool readable = false, writable = false, exportable = false;
};
struct WebnnDeviceTensor : WebnnTensor {};
struct WebnnGraph {
  webnn::MLGraph graph;
  bool free = false;                   // created without a context: any context may run it
  std::vector<webnn::MLGraph> others;  // the graphs of contexts that ran it
};
struct WebnnBuilder {
  webnn::MLGraphBuilder builder;
  bool free = false;
};

// ---- Arguments ----
DType webnn_dtype(nb::handle name);               // ValueError "Unsupported data type: X"
webnn::Dimensions webnn_shape(nb::handle shape);  // OverflowError for negative extents
DType held_as(DType t);                           // 4-bit integers as bytes, which NumPy supports
// In host memory, shared if possible. ValueError if a number does not fit the requested type.
Tensor webnn_array(PyObject* o, std::optional<DType> want, const char* what);

// The bytes of any array-like object in the format of a WebNN tensor of this type.
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

// ---- Results: NumPy arrays if NumPy can be imported, otherwise Ember's tensors ----
class WebnnResult {
 public:
  explicit WebnnResult(const webnn::MLOperandDescriptor& type);
  WebnnResult(const WebnnResult&) = delete;
  ~WebnnResult() { PyBuffer_Release(&view_); }
  // The memory to read the bytes into.
  std::byte* into() { return packed_.empty() ? data() : packed_.data(); }
  nb::object done();

 private:
  std::byte* data() { return view_.obj ? static_cast<std::byte*>(view_.buf) : memory_.data(); }
  const webnn::MLOperandDescriptor type_;
  size_t elements_ = 1;
  nb::object array_;
  Py_buffer view_{};
  std::vector<std::byte> memory_, packed_;
};
nb::object read_webnn(const webnn::MLContext& c, const webnn::MLTensor& t);
void write_webnn(const webnn::MLContext& c, const webnn::MLTensor& t, PyObject* data);

std::string text_of(const webnn::Dimensions& d);
nb::list list_of(const webnn::Dimensions& d);
// pywebnn's name of its engine, if it has one.
std::string webnn_backend(const webnn::MLContext& c);
const WebnnTensor* as_webnn_tensor(PyObject* o);  // null for other objects
void check_live(const WebnnTensor& t);            // StateError if it is destroyed
const webnn::MLContext& default_webnn_context();

void add_webnn_tensors(nb::module_& m);
void add_webnn_graph(nb::module_& m);
void add_webnn_builder(nb::module_& m);

}  // namespace ember::python
