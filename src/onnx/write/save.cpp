// Export: lowers a graph for a null engine that accepts ONNX's operators, and writes the slice.
#include <filesystem>
#include <set>

#include "ember/onnx.h"
#include "ember/onnx_writer.h"
#include "src/graph/compile.h"
#include "src/io/atomic_file.h"

namespace ember::onnx {
namespace {

struct File final : Engine {
  explicit File(std::optional<int64_t> o) : opset(o) {}
  std::string_view name() const override { return "ONNX"; }
  std::string version() const override { return EMBER_VERSION; }
  Support supports(const SliceNode& n, const Slice& s) const override {
    return can_write(n, s, Style::plain, opset);
  }
  std::unique_ptr<Executable> compile(const Slice&, Device) override {
    throw StateError("a file writer cannot run a slice");
  }

  const std::optional<int64_t> opset;
};

std::vector<std::string> names_of(const char* what, const std::vector<std::string>& given, size_t n,
                                  std::set<std::string>& taken) {
  if (!given.empty() && given.size() != n) {
    throw ValueError("[onnx.save] " + std::to_string(given.size()) + " names for " +
                     std::to_string(n) + " " + what + "s");
  }
  std::vector<std::string> r = given;
  for (size_t i = r.size(); i < n; ++i) r.push_back(std::string(what) + "_" + std::to_string(i));
  for (const std::string& name : r) {
    if (name.empty() || !io::valid_utf8(name) || !taken.insert(name).second) {
      throw ValueError("[onnx.save] " + io::printable(name) + " cannot be the name of an " + what +
                       ": names are UTF-8, not empty, and different");
    }
  }
  return r;
}

}  // namespace

void save(const std::string& path, std::span<const Tensor> inputs, std::span<const Tensor> outputs,
          const SaveOptions& options) {
  const std::optional<int64_t> opset = options.opset;
  if (opset && (*opset < oldest_written_opset || *opset > newest_opset)) {
    throw ValueError("[onnx.save] opset " + std::to_string(*opset) + ": Ember writes " +
                     std::to_string(oldest_written_opset) + " to " + std::to_string(newest_opset));
  }
  std::set<std::string> taken;
  Writing how{.opset = opset, .packed_4bit = true};
  how.inputs = names_of("input", options.inputs, inputs.size(), taken);
  how.outputs = names_of("output", options.outputs, outputs.size(), taken);
  File file(opset);
  Lowered l = lower(file, inputs, outputs);

  constexpr uint64_t much = 1'500'000'000;  // a protocol buffer is limited to 2 GB
  uint64_t total = 0;
  std::vector<Storage*> fetched;
  struct Drop {
    std::vector<Storage*>& list;
    ~Drop() {
      for (Storage* s : list) drop(s);
    }
  } dropping{fetched};
  for (const SliceNode& n : l.slice.nodes) {
    if (!n.constant) continue;
    total += uint64_t(size_of(n.shape)) * size_of(n.dtype);
    if (Value& v = const_cast<Value&>(*n.constant); on_device(v.storage)) {
      fetched.push_back(engine(outputs[0].node()->engine).download(v, {n.dtype, n.shape}));
      v = {.storage = fetched.back()};
    }
  }
  how.params = l.params;
  const std::string data = path + ".data";
  if (options.external || total > much) {
    how.external_bytes = 1024;
    how.location = std::filesystem::path(data).filename().string();
  }
  const Written w = write(l.slice, how);

  std::optional<io::AtomicFile> weights;
  if (!w.external.empty()) {
    weights.emplace(data);
    const std::string zeros(4096, '\0');
    for (const Written::External& a : w.external) {
      weights->write(zeros.data(), size_t(a.offset - weights->size()));
      const SliceNode& n = l.slice.nodes[a.leaf];
      Storage* const dense =
          n.constant->strided ? pack(*n.constant, {n.dtype, n.shape}) : n.constant->storage;
      weights->write(dense->data, size_t(a.bytes));
      if (n.constant->strided) drop(dense);
    }
  }
  io::AtomicFile model(path);
  model.write(w.model);
  if (weights) weights->commit();
  model.commit();
}

}  // namespace ember::onnx
