// Reads and writes safetensors files.
#include "src/io/safetensors.h"

#include <algorithm>
#include <numeric>
#include <unordered_set>

#include "src/io/atomic_file.h"
#include "src/io/utf8.h"

namespace ember::io {
namespace {

constexpr uint64_t header_limit = 100'000'000;
constexpr std::string_view metadata_key = "__metadata__";

struct DTypeName {
  std::string_view name;
  DType dtype;
};
constexpr DTypeName dtype_names[] = {
    {"BOOL", bool_},    {"U8", uint8},    {"I8", int8},     {"I16", int16},     {"U16", uint16},
    {"I32", int32},     {"U32", uint32},  {"I64", int64},   {"U64", uint64},    {"F16", float16},
    {"BF16", bfloat16}, {"F32", float32}, {"F64", float64}, {"C64", complex64},
};

struct Entry {
  std::string name;
  DType dtype = DType::float32;
  Shape shape;
  uint64_t begin = 0, end = 0;
};

// Parses the subset of JSON that a header may contain, so nesting is bounded by the format.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  void parse(std::vector<Entry>& entries, Metadata& metadata) {
    bool seen_metadata = false;
    each_member([&](std::string key) {
      if (key == metadata_key) {
        if (std::exchange(seen_metadata, true)) fail(path_, "the header has __metadata__ twice");
        parse_metadata(metadata);
      } else {
        entries.push_back(parse_entry(std::move(key)));
      }
    });
    skip_space();
    if (at_ < text_.size()) expected("nothing more");
  }

 private:
  void parse_metadata(Metadata& metadata) {
    each_member([&](std::string key) {
      if (peek() != '"') fail(path_, "the metadata " + printable(key) + " is not a string");
      if (metadata.count(key)) fail(path_, "the metadata " + printable(key) + " occurs twice");
      metadata[std::move(key)] = string();
    });
  }

  Entry parse_entry(std::string name) {
    Entry e;
    e.name = std::move(name);
    unsigned seen = 0;
    each_member([&](const std::string& key) {
      const unsigned bit = key == "dtype" ? 1 : key == "shape" ? 2 : key == "data_offsets" ? 4 : 0;
      if (bit == 0) fail(path_, about(e) + "unknown field " + printable(key));
      if (seen & bit) fail(path_, about(e) + printable(key) + " occurs twice");
      seen |= bit;
      if (bit == 1) {
        e.dtype = dtype(e);
      } else if (bit == 2) {
        e.shape = shape(e);
      } else {
        std::tie(e.begin, e.end) = offsets(e);
      }
    });
    if (seen != 7) fail(path_, about(e) + "needs dtype, shape and data_offsets");
    return e;
  }

  static std::string about(const Entry& e) { return "tensor " + printable(e.name) + ": "; }

  DType dtype(const Entry& e) {
    const std::string s = string();
    for (const DTypeName& n : dtype_names) {
      if (n.name == s) return n.dtype;
    }
    fail(path_, about(e) + "the dtype " + printable(s) + " is not supported");
  }

  Shape shape(const Entry& e) {
    Shape out;
    each_item([&] {
      const uint64_t d = integer();
      if (d > uint64_t(INT64_MAX)) {
        fail(path_, about(e) + "a dimension of " + std::to_string(d) + " is too large");
      }
      if (out.size() == max_dims) {
        fail(path_, about(e) + "more than " + std::to_string(max_dims) + " dimensions");
      }
      out.push_back(int64_t(d));
    });
    return out;
  }

  std::pair<uint64_t, uint64_t> offsets(const Entry& e) {
    uint64_t v[2] = {};
    size_t n = 0;
    each_item([&] {
      if (n == 2) fail(path_, about(e) + "data_offsets must be two numbers");
      v[n++] = integer();
    });
    if (n != 2) fail(path_, about(e) + "data_offsets must be two numbers");
    return {v[0], v[1]};
  }

  template <class F> void each_member(F&& member) {
    take('{');
    if (peek() == '}') return void(++at_);
    for (;;) {
      std::string key = string();
      take(':');
      member(std::move(key));
      if (peek() == '}') return void(++at_);
      take(',');
    }
  }

  template <class F> void each_item(F&& item) {
    take('[');
    if (peek() == ']') return void(++at_);
    for (;;) {
      item();
      if (peek() == ']') return void(++at_);
      take(',');
    }
  }

  uint64_t integer() {
    skip_space();
    const size_t start = at_;
    uint64_t v = 0;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
      const uint64_t digit = uint64_t(text_[at_] - '0');
      if (v > (UINT64_MAX - digit) / 10) {
        fail(path_, "the header has a number over 2^64 at byte " + std::to_string(start));
      }
      v = v * 10 + digit;
    }
    if (at_ == start || (text_[start] == '0' && at_ > start + 1)) {
      at_ = start;
      expected("a whole number that is not negative");
    }
    if (at_ < text_.size() && (text_[at_] == '.' || text_[at_] == 'e' || text_[at_] == 'E')) {
      at_ = start;
      expected("a whole number");
    }
    return v;
  }

  std::string string() {
    take('"');
    std::string out;
    for (;;) {
      if (at_ >= text_.size()) expected("the end of a string");
      const char c = text_[at_++];
      if (c == '"') return out;
      if (static_cast<unsigned char>(c) < 0x20) {
        --at_;
        expected("an escape in place of a control character");
      }
      if (c == '\\') {
        escape(out);
      } else {
        out += c;
      }
    }
  }

  void escape(std::string& out) {
    static constexpr std::string_view letters = "\"\\/bfnrt";
    static constexpr std::string_view meant = "\"\\/\b\f\n\r\t";
    const char c = at_ < text_.size() ? text_[at_++] : '\0';
    if (const size_t i = letters.find(c); i != letters.npos) return void(out += meant[i]);
    if (c != 'u') expected("an escape");
    uint32_t code = hex4();
    if (code >= 0xdc00 && code < 0xe000) {
      expected("the first half of a surrogate pair before the second");
    }
    if (code >= 0xd800 && code < 0xdc00) {
      if (text_.substr(at_, 2) != "\\u") expected("the second half of a surrogate pair");
      at_ += 2;
      const uint32_t low = hex4();
      if (low < 0xdc00 || low >= 0xe000) expected("the second half of a surrogate pair");
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    append_utf8(out, code);
  }

  uint32_t hex4() {
    uint32_t v = 0;
    for (int i = 0; i < 4; ++i) {
      const char c = at_ < text_.size() ? text_[at_++] : '\0';
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) expected("four hexadecimal digits");
      v = v << 4 | uint32_t(digit);
    }
    return v;
  }

  void skip_space() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }
  char peek() {
    skip_space();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  void take(char c) {
    if (peek() != c || at_ >= text_.size()) expected(std::string("'") + c + "'");
    ++at_;
  }
  [[noreturn]] void expected(const std::string& what) {
    fail(path_, "the header is not a safetensors header: expected " + what + " at byte " +
                    std::to_string(at_));
  }

  std::string_view text_;
  const std::string& path_;
  size_t at_ = 0;
};

// The format allows neither gaps nor overlaps, and each range must match dtype and shape.
void check_layout(const std::vector<Entry>& entries, uint64_t data_bytes, const std::string& path) {
  std::unordered_set<std::string_view> names;
  for (const Entry& e : entries) {
    const auto bad = [&](const std::string& why) {
      fail(path, "tensor " + printable(e.name) + ": " + why);
    };
    if (!names.insert(e.name).second) bad("occurs twice");
    const auto bytes = checked_bytes(e.dtype, e.shape);
    const auto range = [&] {
      return "data_offsets [" + std::to_string(e.begin) + ", " + std::to_string(e.end) + "] ";
    };
    if (!bytes) bad("its size overflows");
    if (e.begin > e.end) bad(range() + "decrease");
    if (e.end > data_bytes) {
      bad(range() + "end past the file, which has " + std::to_string(data_bytes) +
          " bytes of data");
    }
    if (e.end - e.begin != *bytes) {
      bad(range() + "are " + std::to_string(e.end - e.begin) + " bytes, dtype and shape need " +
          std::to_string(*bytes));
    }
  }
  std::vector<const Entry*> order;
  for (const Entry& e : entries) order.push_back(&e);
  std::sort(order.begin(), order.end(), [](const Entry* a, const Entry* b) {
    return a->begin != b->begin ? a->begin < b->begin : a->end < b->end;
  });
  uint64_t at = 0;
  for (const Entry* e : order) {
    if (e->begin != at) {
      fail(path, "tensor " + printable(e->name) + ": its data begins at byte " +
                     std::to_string(e->begin) + ", which " +
                     (e->begin < at ? "overlaps" : "leaves a hole after") +
                     " the data before it, which ends at " + std::to_string(at));
    }
    at = e->end;
  }
  if (at != data_bytes) {
    fail(path, std::to_string(data_bytes - at) +
                   " bytes after the last tensor do not belong to a tensor");
  }
}

std::string quoted(std::string_view s) {
  std::string out = "\"";
  for (const char c : s) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += "\\u00";
      out += "0123456789abcdef"[c >> 4];
      out += "0123456789abcdef"[c & 15];
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace

NamedArrays read_safetensors(const std::string& path, Metadata* metadata, bool map) {
  const InputFile file(path);
  char start[9] = {};
  file.read_at(0, start, size_t(std::min<uint64_t>(file.size(), 9)));
  const uint64_t length = load_little(start, 8);
  if (file.size() < 9 || length > header_limit || length > file.size() - 8 || start[8] != '{') {
    if (const std::string hint = foreign_format(file.head()); !hint.empty()) {
      fail(path, "not a safetensors file: " + hint);
    }
    if (file.size() < 8) {
      fail(path, "not a safetensors file: it has " + std::to_string(file.size()) +
                     " bytes, less than the 8 of the header's length");
    }
    if (length > header_limit) {
      fail(path, "not a safetensors file: a header of " + std::to_string(length) +
                     " bytes, the limit is " + std::to_string(header_limit));
    }
    if (length > file.size() - 8) {
      fail(path, "truncated: the header has " + std::to_string(length) + " bytes, the file has " +
                     std::to_string(file.size() - 8) + " after its length");
    }
    fail(path, "not a safetensors file: the header must begin with '{'");
  }
  std::string header(size_t(length), '\0');
  file.read_at(8, header.data(), header.size());
  if (!valid_utf8(header)) fail(path, "the header is not UTF-8");

  std::vector<Entry> entries;
  Metadata found;
  HeaderParser(header, path).parse(entries, found);
  const uint64_t data = 8 + length;
  check_layout(entries, file.size() - data, path);

  NamedArrays arrays;
  arrays.reserve(entries.size());
  std::shared_ptr<Mapping> mapping;
  for (Entry& e : entries) {
    const uint64_t offset = data + e.begin;
    const size_t bytes = size_t(e.end - e.begin);
    const size_t align = size_of(real_of(e.dtype));
    if (map && bytes > 0 && e.dtype != bool_ && offset % align == 0) {
      if (!mapping) mapping = file.map();
      arrays.emplace_back(std::move(e.name),
                          HostArray(e.dtype, e.shape, part_of(mapping, offset, bytes)));
      continue;
    }
    HostArray a(e.dtype, e.shape);
    file.read_at(offset, a.data(), bytes);
    if (e.dtype == bool_) normalise_bools(a.data(), bytes);
    arrays.emplace_back(std::move(e.name), std::move(a));
  }
  if (metadata) *metadata = std::move(found);
  return arrays;
}

void write_safetensors(const std::string& path, std::span<const NamedView> arrays,
                       const Metadata& metadata) {
  std::unordered_set<std::string_view> names;
  std::vector<std::string_view> types;
  for (const auto& [name, a] : arrays) {
    if (!valid_utf8(name)) throw ValueError("the tensor name " + printable(name) + " is not UTF-8");
    if (name == metadata_key) {
      throw ValueError("no tensor can have the name __metadata__ in a safetensors file");
    }
    if (!names.insert(name).second) {
      throw ValueError("two tensors have the name " + printable(name));
    }
    const auto known = std::find_if(std::begin(dtype_names), std::end(dtype_names),
                                    [&](const DTypeName& n) { return n.dtype == a.dtype; });
    if (known == std::end(dtype_names)) {
      throw DTypeError("tensor " + printable(name) + ": a safetensors file cannot hold " +
                       std::string(ember::name(a.dtype)) +
                       (a.dtype == complex128 ? "; cast it to complex64, or save it as .npy"
                                              : "; cast it to int8 or uint8"));
    }
    types.push_back(known->name);
  }
  // Wider elements first, so that all are aligned. The header keeps the caller's order.
  std::vector<size_t> order(arrays.size());
  std::iota(order.begin(), order.end(), size_t(0));
  const auto width = [&](size_t i) { return size_of(real_of(arrays[i].second.dtype)); };
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return width(a) > width(b); });
  std::vector<uint64_t> begin(arrays.size());
  uint64_t at = 0;
  for (size_t i : order) {
    begin[i] = at;
    at += arrays[i].second.bytes();
  }

  std::string header = "{";
  const auto member = [&](std::string_view key) {
    header += (header.size() > 1 ? "," : "") + quoted(key) + ":{";
  };
  if (!metadata.empty()) {
    member(metadata_key);
    for (const auto& [key, value] : metadata) {
      if (!valid_utf8(key) || !valid_utf8(value)) {
        throw ValueError("the metadata " + printable(key) + " is not UTF-8");
      }
      header += quoted(key) + ':' + quoted(value) + ',';
    }
    header.back() = '}';
  }
  for (size_t i = 0; i < arrays.size(); ++i) {
    const auto& [name, a] = arrays[i];
    member(name);
    header += "\"dtype\":\"" + std::string(types[i]) + "\",\"shape\":[";
    for (size_t d = 0; d < a.shape.size(); ++d) {
      header += (d ? "," : "") + std::to_string(a.shape[d]);
    }
    header += "],\"data_offsets\":[" + std::to_string(begin[i]) + ',' +
              std::to_string(begin[i] + a.bytes()) + "]}";
  }
  header += '}';
  header.append((64 - (8 + header.size()) % 64) % 64, ' ');
  if (header.size() > header_limit) {
    throw ValueError("names and metadata take " + std::to_string(header.size()) +
                     " bytes, a safetensors header may have " + std::to_string(header_limit));
  }

  AtomicFile file(path);
  std::string length;
  append_little(length, header.size(), 8);
  file.write(length);
  file.write(header);
  for (size_t i : order) file.write(arrays[i].second.data, arrays[i].second.bytes());
  file.commit();
}

}  // namespace ember::io
