// Writes the model package: a folder with a manifest, the model and its weights.
#include <algorithm>
#include <filesystem>
#include <set>

#include "ember/coreml.h"
#include "ember/error.h"
#include "src/coreml/writer.h"
#include "src/graph/compile.h"
#include "src/io/atomic_file.h"

namespace ember::coreml {
namespace {

using io::Message;
namespace fs = std::filesystem;

// A null engine that accepts the ops of Core ML.
struct Target final : Engine {
  std::string_view name() const override { return "Core ML"; }
  std::string version() const override { return EMBER_VERSION; }
  Support supports(const SliceNode& n, const Slice& s) const override { return can_write(n, s); }
  std::unique_ptr<Executable> compile(const Slice&, Device) override {
    throw StateError("a file writer cannot run a slice");
  }
};

std::vector<std::string> port_names(const char* what, const std::vector<std::string>& given,
                                    size_t n) {
  if (!given.empty() && given.size() != n) {
    throw ValueError("[coreml.save] " + std::to_string(given.size()) + " names for " +
                     std::to_string(n) + " " + what + "s");
  }
  std::vector<std::string> r = given;
  for (size_t i = r.size(); i < n; ++i) r.push_back(std::string(what) + "_" + std::to_string(i));
  return r;
}

Message feature(const Program::Port& port) {
  const uint64_t type = port.dtype == DType::float32   ? 65568
                        : port.dtype == DType::float16 ? 65552
                                                       : 131104;
  Message shape;
  for (int64_t d : port.shape) shape.varint(uint64_t(d));
  const Message array = Message().bytes(1, shape.str()).integer(2, type);
  return Message().bytes(1, port.name).message(3, Message().message(5, array));
}

std::string model_of(const Program& p) {
  Message description;
  for (const Program::Port& port : p.inputs) description.message(1, feature(port));
  for (const Program::Port& port : p.outputs) description.message(10, feature(port));
  const Message made_by =
      Message().bytes(1, "com.github.apple.coremltools.source").bytes(2, "Ember " EMBER_VERSION);
  description.message(100, Message().message(100, made_by));
  return Message().integer(1, 7).message(2, description).bytes(502, p.bytes).str();  // 7: iOS 16,
                                                                                     // macOS 13
}

// Writes a header, then for each weight a record and its data, all aligned to 64 bytes.
void write_weights(io::AtomicFile& file, const std::vector<Blob>& blobs) {
  std::string header;
  io::append_little(header, blobs.size(), 4);
  io::append_little(header, 2, 4);  // version of the format
  header.resize(64);
  file.write(header);
  for (const Blob& b : blobs) {
    std::string record(size_t(b.record - file.size()), '\0');
    io::append_little(record, 0xDEADBEEF, 4);
    io::append_little(record, b.dtype == DType::float16 ? 1 : 2, 4);
    io::append_little(record, b.data.size(), 8);
    io::append_little(record, b.record + 64, 8);
    record.resize(size_t(b.record - file.size()) + 64);
    file.write(record);
    file.write(b.data);
  }
}

constexpr std::string_view manifest = R"({
  "fileFormatVersion": "1.0.0",
  "itemInfoEntries": {
    "8C5F2E0A-5B1D-4F0E-9B53-6A1C7E0D4A11": {
      "author": "com.apple.CoreML",
      "description": "CoreML Model Specification",
      "name": "model.mlmodel",
      "path": "com.apple.CoreML/model.mlmodel"
    },
    "2D9B7C64-0E3A-4A8B-8F27-51D3B6C9E872": {
      "author": "com.apple.CoreML",
      "description": "CoreML Model Weights",
      "name": "weights",
      "path": "com.apple.CoreML/weights"
    }
  },
  "rootModelIdentifier": "8C5F2E0A-5B1D-4F0E-9B53-6A1C7E0D4A11"
}
)";

// A temporary folder next to the target that commit() renames atomically, or the destructor
// removes.
class AtomicFolder {
 public:
  explicit AtomicFolder(std::string target)
      : target_(std::move(target)), folder_(target_ + ".saving") {
    std::error_code error;
    const fs::file_status status = fs::symlink_status(target_, error);
    const bool package =
        fs::is_directory(status) && fs::exists(fs::path(target_) / "Manifest.json", error);
    if (fs::exists(status) && !package) io::fail(target_, "exists and is not a model package");
    fs::remove_all(folder_, error);
    if (!fs::create_directories(fs::path(folder_) / "Data/com.apple.CoreML/weights", error)) {
      io::fail(target_, "cannot create the package: " + error.message());
    }
  }
  ~AtomicFolder() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  std::string operator/(const char* name) const { return (fs::path(folder_) / name).string(); }
  void commit() {
    std::error_code error;
    const std::string old = target_ + ".replaced";
    if (fs::exists(target_, error)) {
      fs::remove_all(old, error);
      fs::rename(target_, old, error);
      if (error) io::fail(target_, "cannot replace the package: " + error.message());
    }
    fs::rename(folder_, target_, error);
    if (error) {
      std::error_code ignored;
      fs::rename(old, target_, ignored);
      io::fail(target_, "cannot create the package: " + error.message());
    }
    fs::remove_all(old, error);
  }

 private:
  std::string target_, folder_;
};

}  // namespace

void save(const std::string& path, std::span<const Tensor> inputs, std::span<const Tensor> outputs,
          const SaveOptions& options) {
  if (!path.ends_with(".mlpackage")) {
    throw ValueError("[coreml.save] the name of a model package must end in .mlpackage: " +
                     io::printable(path));
  }
  std::vector<std::string> input_names = port_names("input", options.inputs, inputs.size());
  std::vector<std::string> output_names = port_names("output", options.outputs, outputs.size());
  Target target;
  const Lowered l = lower(target, inputs, outputs);
  const Program program = write(l.slice, l.params, std::move(input_names), std::move(output_names));
  AtomicFolder package(path);
  const auto put = [&](const char* name, std::string_view bytes) {
    io::AtomicFile file(package / name);
    file.write(bytes);
    file.commit();
  };
  put("Manifest.json", manifest);
  put("Data/com.apple.CoreML/model.mlmodel", model_of(program));
  io::AtomicFile weights(package / "Data/com.apple.CoreML/weights/weight.bin");
  write_weights(weights, program.blobs);
  weights.commit();
  package.commit();
}

}  // namespace ember::coreml
