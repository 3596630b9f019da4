// Tensors in the file, and external data files.
#include <cstring>
#include <filesystem>

#include "src/core/node.h"
#include "src/io/atomic_file.h"
#include "src/io/host_array.h"
#include "src/onnx/read/read.h"

namespace ember::onnx {
namespace {

namespace fs = std::filesystem;

std::string about(const proto::TensorData& t) {
  return "[onnx] the tensor " + io::printable(t.name) + ": ";
}

uint64_t natural(const proto::TensorData& t, const std::string& key, const std::string& text) {
  uint64_t v = 0;
  bool good = !text.empty() && text.size() <= 20;
  for (const char c : text) {
    good = good && c >= '0' && c <= '9' && !__builtin_mul_overflow(v, 10, &v) &&
           !__builtin_add_overflow(v, uint64_t(c - '0'), &v);
  }
  if (!good) {
    throw IoError(about(t) + "its external data has the " + key + " " + io::printable(text) +
                  ", which is not a number");
  }
  return v;
}

// Resolves links; the file must be inside the folder.
std::string inside(const proto::TensorData& t, const std::string& folder,
                   const std::string& location) {
  const std::string what = about(t) + "its data is in the file " + io::printable(location);
  if (folder.empty()) {
    throw IoError(what + ", but a model in memory has no folder");
  }
  if (location.empty() || location.find('\0') != std::string::npos) {
    throw IoError(what + ", which is not a file name");
  }
  const fs::path given(location);
  if (given.is_absolute()) {
    throw IoError(what + ", an absolute path: only files in the model's folder are read");
  }
  for (const fs::path& part : given) {
    if (part == "..") {
      throw IoError(what + ", outside the model's folder: only files in it are read");
    }
  }
  std::error_code error;
  const fs::path root = fs::canonical(folder, error);
  const fs::path file = error ? fs::path() : fs::canonical(root / given, error);
  if (error) throw IoError(what + ", which cannot be opened: " + error.message());
  if (std::mismatch(root.begin(), root.end(), file.begin(), file.end()).first != root.end()) {
    throw IoError(what +
                  ", a link to a file outside the model's folder: only files in it are read");
  }
  return file;
}

// Two 4-bit numbers per byte, the lower half first.
void unpack(std::byte* out, size_t n, const std::byte* packed, bool sign) {
  for (size_t i = 0; i < n; ++i) {
    const int v = int(packed[i / 2]) >> (i % 2 ? 4 : 0) & 15;
    out[i] = std::byte(sign && v > 7 ? v - 16 : v);
  }
}

// The part of a mapped file that contains a tensor. Its size is checked before memory is allocated.
struct External {
  std::shared_ptr<io::Mapping> file;
  uint64_t offset = 0;

  External(const proto::TensorData& t, const std::string& folder, uint64_t bytes,
           MappedFiles& files) {
    std::string location;
    uint64_t length = bytes;
    for (const auto& [key, value] : t.external) {
      if (key == "location") {
        location = value;
      } else if (key == "offset") {
        offset = natural(t, key, value);
      } else if (key == "length") {
        length = natural(t, key, value);
      }
    }
    const io::InputFile source(inside(t, folder, location));
    if (length != bytes) {
      throw IoError(about(t) + "its external data has " + std::to_string(length) +
                    " bytes, but its shape needs " + std::to_string(bytes));
    }
    if (offset > source.size() || length > source.size() - offset) {
      throw IoError(about(t) + "its external data has offset " + std::to_string(offset) + " and " +
                    std::to_string(length) + " bytes, but " + io::printable(location) + " has " +
                    std::to_string(source.size()));
    }
    std::shared_ptr<io::Mapping>& mapped = files[source.path()];
    if (!mapped && bytes) mapped = source.map();
    file = mapped;
  }
  const std::byte* data() const { return file ? file->data() + offset : nullptr; }
};

template <class To, class From>
void copy_list(const proto::TensorData& t, std::byte* out, size_t n,
               const std::vector<From>& list) {
  if (list.size() != n) {
    throw IoError(about(t) + std::to_string(list.size()) +
                  " numbers are stored, but its shape needs " + std::to_string(n));
  }
  for (size_t i = 0; i < n; ++i) {
    const To v = To(list[i]);
    std::memcpy(out + i * sizeof(To), &v, sizeof v);
  }
}

void copy_lists(const proto::TensorData& t, DType dtype, std::byte* out, size_t n) {
  switch (dtype) {
    case DType::float32: return copy_list<float>(t, out, n, t.floats);
    case DType::complex64: return copy_list<float>(t, out, 2 * n, t.floats);
    case DType::float64: return copy_list<double>(t, out, n, t.doubles);
    case DType::complex128: return copy_list<double>(t, out, 2 * n, t.doubles);
    case DType::int64: return copy_list<int64_t>(t, out, n, t.int64s);
    case DType::uint64: return copy_list<uint64_t>(t, out, n, t.uint64s);
    case DType::uint32: return copy_list<uint32_t>(t, out, n, t.uint64s);
    case DType::int32: return copy_list<int32_t>(t, out, n, t.int32s);
    case DType::int16:
    case DType::uint16:
    case DType::float16:
    case DType::bfloat16: return copy_list<uint16_t>(t, out, n, t.int32s);
    case DType::int8:
    case DType::uint8:
    case DType::bool_: return copy_list<uint8_t>(t, out, n, t.int32s);
    case DType::int4:
    case DType::uint4: {
      std::vector<std::byte> packed((n + 1) / 2);
      copy_list<uint8_t>(t, packed.data(), packed.size(), t.int32s);
      return unpack(out, n, packed.data(), dtype == DType::int4);
    }
  }
}

}  // namespace

namespace {

Value read_strings(const proto::TensorData& t, Vocabulary& vocabulary) {
  const std::optional<uint64_t> bytes = io::checked_bytes(DType::int64, t.dims);
  if (!bytes || *bytes / sizeof(int64_t) != t.strings.size()) {
    throw IoError(about(t) + std::to_string(t.strings.size()) +
                  " strings are stored, but its shape is " + to_string(Shape(t.dims)));
  }
  std::vector<int64_t> places;
  for (const std::string& s : t.strings) places.push_back(vocabulary.add(s));
  return {array(std::span<const int64_t>(places), Shape(t.dims)), true};
}

Tensor leaf(DType dtype, Shape shape, Storage* storage) {
  ember::Value v;
  v.storage = storage;
  return make_leaf({dtype, std::move(shape)}, std::move(v));
}

}  // namespace

Value read_tensor(const proto::TensorData& t, const std::string& folder, MappedFiles& files,
                  Vocabulary& vocabulary) {
  if (t.data_type == proto::string) return read_strings(t, vocabulary);
  const std::optional<DType> dtype = proto::dtype_of(t.data_type);
  if (!dtype) {
    throw UnsupportedError(about(t) + "Ember has no dtype for ONNX's " +
                           proto::data_type_name(t.data_type));
  }
  if (t.segmented)
    throw UnsupportedError(about(t) + "segments of larger tensors are not supported");
  if (t.dims.size() > max_dims) {
    throw ValueError(about(t) + std::to_string(t.dims.size()) + " dimensions; Ember has at most " +
                     std::to_string(max_dims));
  }
  const std::optional<uint64_t> unpacked = io::checked_bytes(*dtype, t.dims);
  if (!unpacked) {
    throw IoError(about(t) + "its shape " + to_string(Shape(t.dims)) + " is invalid");
  }
  check_axes(Shape(t.dims));
  const bool packed = bits_of(*dtype) == 4;
  const bool external = t.location == 1;
  const uint64_t bytes = packed ? (*unpacked + 1) / 2 : *unpacked;
  const size_t n = size_t(size_of(Shape(t.dims)));
  const size_t listed =
      t.floats.size() + t.doubles.size() + t.int32s.size() + t.int64s.size() + t.uint64s.size();
  if (listed && (external || !t.raw.empty())) {
    throw IoError(about(t) +
                  "its data is stored twice: " + (external ? "in another file" : "as bytes") +
                  " and as a list of " + std::to_string(listed) + " numbers");
  }
  std::optional<External> file;
  // Checked before memory is allocated.
  if (external) {
    file.emplace(t, folder, bytes, files);
  } else if (!t.raw.empty() && t.raw.size() != bytes) {
    throw IoError(about(t) + std::to_string(t.raw.size()) + " bytes are stored, but its shape " +
                  to_string(Shape(t.dims)) + " needs " + std::to_string(bytes));
  } else if (t.raw.empty()) {
    if (listed < (packed ? (n + 1) / 2 : n)) {
      throw IoError(about(t) + std::to_string(listed) + " numbers are stored, but its shape " +
                    to_string(Shape(t.dims)) + " needs " + std::to_string(n));
    }
  }
  // Kernels need elements aligned to their size. Bools in a file may be any byte other than 0.
  const bool mapped =
      external && bytes && !packed && *dtype != DType::bool_ && file->offset % size_of(*dtype) == 0;
  if (mapped) return leaf(*dtype, Shape(t.dims), io::part_of(file->file, file->offset, bytes));
  io::HostArray a(*dtype, Shape(t.dims));
  const std::byte* const data =
      external ? file->data() : reinterpret_cast<const std::byte*>(t.raw.data());
  if (!external && t.raw.empty()) {
    copy_lists(t, *dtype, a.data(), n);
  } else if (packed) {
    unpack(a.data(), n, data, *dtype == DType::int4);
  } else if (bytes) {
    std::memcpy(a.data(), data, bytes);
  }
  if (*dtype == DType::bool_) io::normalise_bools(a.data(), n);
  return leaf(*dtype, a.shape, a.release());
}

}  // namespace ember::onnx
