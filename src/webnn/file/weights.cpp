// The weights of a graph: a safetensors file, or a .weights file with its manifest. Only files next
// to the graph are read; a graph names tensors, never paths.
#include <filesystem>

#include "ember/io.h"
#include "ember/ops.h"
#include "src/core/node.h"
#include "src/io/atomic_file.h"
#include "src/io/host_array.h"
#include "src/io/safetensors.h"
#include "src/webnn/file/scan.h"

namespace ember::webnn::file {
namespace {

namespace fs = std::filesystem;
using io::printable;

constexpr std::string_view magic = "WGWT";

Tensor tensor_of(io::HostArray a) {
  Value v;
  v.storage = a.release();
  return make_leaf({a.dtype, std::move(a.shape)}, std::move(v));
}

// A path given by the caller, relative to the graph's folder or else to the current one.
std::string resolved(const fs::path& folder, const std::string& given) {
  std::error_code none;
  const fs::path beside = folder / given;
  return fs::exists(beside, none) ? beside.string() : given;
}
std::string found(const fs::path& folder, std::initializer_list<std::string> names) {
  std::error_code none;
  for (const std::string& n : names) {
    if (fs::exists(folder / n, none)) return (folder / n).string();
  }
  return {};
}

struct Place {
  std::string name;
  DType dtype;
  Shape shape;
  uint64_t offset = 0, length = 0;
};

std::vector<Place> read_manifest(const std::string& path) {
  const io::InputFile file(path);
  std::string text(size_t(file.size()), '\0');
  file.read_at(0, text.data(), text.size());
  if (!io::valid_utf8(text)) io::fail(path, "the manifest is not UTF-8");
  Scanner s(text, path, true);
  std::vector<Place> places;
  std::string format;
  std::string endianness = "little";
  MLNumber version = 0;
  const auto size = [&]() -> uint64_t {
    const MLNumber n = s.number();
    const auto* i = std::get_if<int64_t>(&n);
    if (!i || *i < 0) s.fail("expected a size");
    return uint64_t(*i);
  };
  s.each_member([&](const std::string& key) {
    if (key == "format") {
      format = s.string();
    } else if (key == "version") {
      version = s.number();
    } else if (key == "endianness") {
      endianness = s.string();
    } else if (key == "tensors") {
      s.each_member([&](std::string name) {
        Place p{std::move(name)};
        unsigned seen = 0;
        s.each_member([&](const std::string& part) {
          if (part == "dataType") {
            const auto t = parse_dtype(s.string());
            if (!t ||
                std::find(data_types().begin(), data_types().end(), *t) == data_types().end()) {
              s.fail("tensor " + printable(p.name) + " has an unknown dataType");
            }
            p.dtype = *t;
            seen |= 1;
          } else if (part == "shape") {
            s.each_item([&] {
              if (p.shape.size() == max_rank) {
                s.fail("more than " + std::to_string(max_rank) + " dimensions");
              }
              p.shape.push_back(int64_t(size()));
            });
            seen |= 2;
          } else if (part == "byteOffset") {
            p.offset = size();
            seen |= 4;
          } else if (part == "byteLength") {
            p.length = size();
            seen |= 8;
          } else {
            s.skip();
          }
        });
        if (seen != 15) {
          s.fail("tensor " + printable(p.name) +
                 " needs dataType, shape, byteOffset and byteLength");
        }
        places.push_back(std::move(p));
      });
    } else {
      s.skip();
    }
  });
  s.end();
  if (format != "wg-weights-manifest" || std::get_if<int64_t>(&version) == nullptr ||
      std::get<int64_t>(version) != 1) {
    io::fail(path, "not a manifest of weights, version 1");
  }
  if (endianness != "little") io::fail(path, "only little-endian weights can be read");
  return places;
}

// Tensors in sequence; their total size is limited by the file's.
void read_raw(Weights& w, const io::InputFile& file, std::vector<Place> places) {
  std::sort(places.begin(), places.end(),
            [](const Place& a, const Place& b) { return a.offset < b.offset; });
  uint64_t at = 8;
  for (Place& p : places) {
    const auto bad = [&](const std::string& why) {
      io::fail(file.path(), "tensor " + printable(p.name) + ": " + why);
    };
    if (p.offset < at) bad("it begins inside what is before it");
    if (p.offset > file.size() || p.length > file.size() - p.offset) bad("it ends past the file");
    at = p.offset + p.length;
    const auto bytes = io::checked_bytes(p.dtype, p.shape);
    if (!bytes) bad("its size overflows");
    const bool packed = is_4bit(p.dtype) && p.length == (*bytes + 1) / 2 && p.length != *bytes;
    if (p.length != *bytes && !packed) {
      bad("it has " + std::to_string(p.length) + " bytes, but its shape needs " +
          std::to_string(*bytes));
    }
    // 4-bit integers are read as bytes; find() converts them.
    const DType stored = p.dtype == DType::int4    ? DType::int8
                         : p.dtype == DType::uint4 ? DType::uint8
                                                   : p.dtype;
    io::HostArray a(packed ? DType::uint8 : stored, packed ? Shape{int64_t(p.length)} : p.shape);
    file.read_at(p.offset, a.data(), size_t(p.length));
    const Weights::Entry e{a.dtype, a.shape, tensor_of(std::move(a))};
    if (!w.entries.emplace(p.name, e).second) bad("it occurs twice");
  }
}

}  // namespace

Weights read_weights(const std::string& graph, const MLGraphFiles& given) {
  const fs::path path(graph);
  const fs::path folder = path.parent_path();
  const std::string stem = path.stem().string();
  Weights w;
  w.path = given.weights.empty() ? found(folder, {stem + ".safetensors", stem + ".weights",
                                                  "model.safetensors", "model.weights"})
                                 : resolved(folder, given.weights);
  if (w.path.empty()) {
    io::fail(graph, "its weights are missing: found neither " + printable(stem + ".safetensors") +
                        " nor " + printable(stem + ".weights"));
  }
  const io::InputFile file(w.path);
  if (std::string(file.head()).starts_with(magic)) {
    char head[8] = {};
    if (file.size() < 8) io::fail(w.path, "truncated: a file of weights begins with 8 bytes");
    file.read_at(0, head, 8);
    if (io::load_little(head + 4, 4) != 1) {
      io::fail(w.path, "version " + std::to_string(io::load_little(head + 4, 4)) +
                           " of the weights is not known, only 1");
    }
    const std::string manifest = given.manifest.empty()
                                     ? found(folder, {stem + ".manifest.json", "manifest.json"})
                                     : resolved(folder, given.manifest);
    if (manifest.empty()) {
      io::fail(w.path, "its manifest is missing: found neither " +
                           printable(stem + ".manifest.json") + " nor \"manifest.json\"");
    }
    read_raw(w, file, read_manifest(manifest));
  } else {
    for (auto& [name, a] : io::read_safetensors(w.path)) {
      const Weights::Entry e{a.dtype, a.shape, tensor_of(std::move(a))};
      w.entries.emplace(name, e);
    }
  }
  return w;
}

Tensor Weights::find(const std::string& graph, const Const& c) const {
  auto it = entries.find(*c.weights);
  if (it == entries.end()) {  // written by tools that do not allow dots and colons in names
    std::string plain = *c.weights;
    for (size_t i; (i = plain.find("::")) != plain.npos;) plain.replace(i, 2, "__");
    std::replace(plain.begin(), plain.end(), '.', '_');
    it = entries.find(plain);
  }
  const auto bad = [&](const std::string& why) {
    io::fail(graph, "the constant " + printable(c.name) + ": " + why);
  };
  if (it == entries.end()) {
    bad("no tensor " + printable(*c.weights) + " in " + printable(path));
  }
  const Entry& e = it->second;
  const Shape shape = shape_of(c.type.shape);
  const int64_t n = size_of(std::span<const int64_t>(shape));
  const auto wrong = [&] {
    bad("it is " + to_string(Type{c.type.dataType, shape}) + ", the tensor " +
        printable(*c.weights) + " is " + to_string(Type{e.stored, e.shape}));
  };
  if (is_4bit(c.type.dataType)) {  // packed bytes, or one per byte
    const auto* bytes = static_cast<const uint8_t*>(e.tensor.data_ptr());
    if (e.stored == DType::uint8 && e.shape == Shape{(n + 1) / 2}) {
      return tensor_from(c.type, bytes, size_t(n + 1) / 2);
    }
    if (e.shape != shape || (e.stored != DType::uint8 && e.stored != DType::int8)) wrong();
    std::string packed(size_t(n + 1) / 2, '\0');
    for (int64_t i = 0; i < n; ++i) packed[size_t(i / 2)] |= char((bytes[i] & 15) << i % 2 * 4);
    return tensor_from(c.type, packed.data(), packed.size());
  }
  if (e.shape != shape) wrong();
  if (e.stored == DType::bfloat16 && c.type.dataType == DType::float32) {
    return ops::astype(e.tensor, DType::float32).eval();
  }
  if (e.stored != c.type.dataType) wrong();
  return e.tensor;
}

}  // namespace ember::webnn::file
