// WebNN's interfaces as Python's package webnn has them: pywebnn's names over ember/webnn.h.
#pragma once
#include "ember/webnn.h"
#include "python/src/python.h"

namespace ember::python {

struct WebnnContext {
  webnn::MLContext context;
  std::string fallback;  // why it is not the device that was asked for
};
struct WebnnTensor {
  webnn::MLTensor
      tensor;  // it can always be read and written: the flags say what the context allows
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

// ---- what goes in ----
DType webnn_dtype(nb::handle name);               // ValueError "Unsupported data type: X"
webnn::Dimensions webnn_shape(nb::handle shape);  // OverflowError for negative ones
DType held_as(DType t);                           // 4-bit integers as bytes, which NumPy has
// In host memory, shared where that is possible. ValueError where a number does not fit the type
// that is wanted.
Tensor webnn_array(PyObject* o, std::optional<DType> want, const char* what);

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

// ---- what comes out: NumPy's arrays where it can be imported, else Ember's tensors ----
class WebnnResult {
 public:
  explicit WebnnResult(const webnn::MLOperandDescriptor& type);
  WebnnResult(const WebnnResult&) = delete;
  ~WebnnResult() { PyBuffer_Release(&view_); }
  // to be filled with the bytes as they are read
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
std::string webnn_backend(
    const webnn::MLContext& c);                   // pywebnn's word for its engine, where it has one
const WebnnTensor* as_webnn_tensor(PyObject* o);  // null where it is none
void check_live(const WebnnTensor& t);            // StateError where it is destroyed
const webnn::MLContext& default_webnn_context();

void add_webnn_tensors(nb::module_& m);
void add_webnn_graph(nb::module_& m);
void add_webnn_builder(nb::module_& m);

}  // namespace ember::python
