// Reads and writes .npy files.
#include "src/io/npy.h"

#include <algorithm>
#include <cstring>

#include "src/io/atomic_file.h"

namespace ember::io {
namespace {

static_assert(std::endian::native == std::endian::little,
              "files are read and written as they lie in memory");

constexpr std::string_view magic = "\x93NUMPY";
constexpr size_t header_limit = 65536;  // a header of 64 extents has 2 KB

struct Code {
  char kind;
  int bytes;
  DType dtype;
};
constexpr Code codes[] = {
    {'b', 1, bool_},     {'i', 1, int8},        {'u', 1, uint8},   {'i', 2, int16},
    {'u', 2, uint16},    {'i', 4, int32},       {'u', 4, uint32},  {'i', 8, int64},
    {'u', 8, uint64},    {'f', 2, float16},     {'f', 4, float32}, {'f', 8, float64},
    {'c', 8, complex64}, {'c', 16, complex128},
};

[[noreturn]] void fail_at(const std::string& where, const std::string& why) {
  throw IoError(where + ": " + why);
}

// Parses the Python dictionary of a header: {'descr': '<f4', 'fortran_order': False, 'shape': (2,
// 3), }
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& where) : text_(text), where_(where) {}

  void parse(NpyHeader& h) {
    unsigned seen = 0;
    take('{');
    while (peek() != '}') {
      const std::string key = string();
      const unsigned bit = key == "descr" ? 1 : key == "fortran_order" ? 2 : key == "shape" ? 4 : 0;
      if (bit == 0) fail_at(where_, "the header has an unknown key " + printable(key));
      if (seen & bit) fail_at(where_, "the header has " + printable(key) + " twice");
      seen |= bit;
      take(':');
      if (bit == 1) {
        descr(h);
      } else if (bit == 2) {
        h.columns = boolean();
      } else {
        shape(h.shape);
      }
      if (peek() != '}') take(',');
    }
    take('}');
    if (seen != 7) fail_at(where_, "the header needs descr, fortran_order and shape");
    if (peek() != '\0' || at_ < text_.size()) expected("nothing more");
  }

 private:
  void descr(NpyHeader& h) {
    if (peek() == '[' || peek() == '(') {
      fail_at(where_, "arrays of records (structured dtypes) are not supported");
    }
    const std::string s = string();
    std::string_view v = s;
    char order = '=';
    if (!v.empty() && std::string_view("<>|=").find(v[0]) != v.npos) {
      order = v[0];
      v.remove_prefix(1);
    }
    if (!v.empty() && v[0] == 'O') {
      fail_at(where_,
              "arrays of Python objects hold a pickle, and Ember never unpickles; save numbers "
              "instead");
    }
    if (v == "V2") {
      fail_at(
          where_,
          "the dtype " + printable(s) +
              " is raw bytes, perhaps bfloat16, which .npy cannot name; save it as safetensors");
    }
    for (const Code& c : codes) {
      if (v == c.kind + std::to_string(c.bytes)) {
        h.dtype = c.dtype;
        h.swapped = order == '>' && c.bytes > 1;
        return;
      }
    }
    fail_at(where_, "the dtype " + printable(s) + " is not supported");
  }

  void shape(Shape& out) {
    take('(');
    while (peek() != ')') {
      if (out.size() == max_dims) {
        fail_at(where_, "more than " + std::to_string(max_dims) + " dimensions");
      }
      out.push_back(integer());
      if (peek() == ')') {
        if (out.size() == 1) expected("','");  // (3) is not a tuple
        break;
      }
      take(',');
    }
    take(')');
  }

  int64_t integer() {
    skip_space();
    const size_t start = at_;
    uint64_t v = 0;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
      v = v * 10 + uint64_t(text_[at_] - '0');
      if (v > uint64_t(INT64_MAX) / 16) fail_at(where_, "a dimension is too large");
    }
    if (at_ == start) expected("a whole number that is not negative");
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // Python 2 wrote 3L
    return int64_t(v);
  }

  bool boolean() {
    skip_space();
    for (const std::string_view word : {std::string_view("True"), std::string_view("False")}) {
      if (text_.substr(at_, word.size()) == word) return at_ += word.size(), word == "True";
    }
    expected("True or False");
  }

  std::string string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') expected("a string");
    const size_t end = text_.find(quote, ++at_);
    if (end == text_.npos) expected("the end of a string");
    const std::string s(text_.substr(at_, end - at_));
    if (s.find('\\') != s.npos) expected("a string without escapes");
    at_ = end + 1;
    return s;
  }

  void skip_space() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }
  char peek() {
    skip_space();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  void take(char c) {
    if (peek() != c) expected(std::string("'") + c + "'");
    ++at_;
  }
  [[noreturn]] void expected(const std::string& what) {
    fail_at(where_, "the header is not an .npy header: expected " + what + " at byte " +
                        std::to_string(at_));
  }

  std::string_view text_;
  const std::string& where_;
  size_t at_ = 0;
};

void swap_bytes(std::byte* p, size_t bytes, size_t width) {
  for (std::byte* end = p + bytes; p < end; p += width) std::reverse(p, p + width);
}

// Converts column-major to row-major order, in tiles over the first and the last axis so that both
// sides stay in cache.
template <size_t width>
void to_rows(const std::byte* in, std::byte* out, std::span<const int64_t> shape) {
  constexpr int64_t tile = 32;
  const size_t n = shape.size();
  const int64_t first = shape[0];
  const int64_t last = shape[n - 1];
  const int64_t middle = size_of(shape) / (first * last);
  const int64_t in_last = first * middle;
  const int64_t out_first = middle * last;
  std::vector<int64_t> index(n, 0);
  int64_t in_at = 0;  // out_at is m * last: the middle axes are visited in row-major order
  for (int64_t m = 0; m < middle; ++m) {
    for (int64_t a = 0; a < first; a += tile) {
      for (int64_t b = 0; b < last; b += tile) {
        for (int64_t i = a; i < std::min(a + tile, first); ++i) {
          for (int64_t j = b; j < std::min(b + tile, last); ++j) {
            std::memcpy(out + size_t(i * out_first + m * last + j) * width,
                        in + size_t(in_at + i + j * in_last) * width, width);
          }
        }
      }
    }
    // Advances the index of the middle axes and its input offset.
    int64_t stride = in_last;
    for (size_t d = n - 2; d >= 1; --d) {
      stride /= shape[d];
      in_at += stride;
      if (++index[d] < shape[d]) break;
      in_at -= stride * shape[d];
      index[d] = 0;
    }
  }
}

class FileSource : public Source {
 public:
  explicit FileSource(const InputFile& f) : file_(f) {}
  void read(void* out, size_t n) override {
    file_.read_at(at_, out, n);
    at_ += n;
  }

 private:
  const InputFile& file_;
  uint64_t at_ = 0;
};

}  // namespace

NpyHeader read_npy_header(Source& source, uint64_t size, const std::string& where) {
  char start[12] = {};
  source.read(start, size_t(std::min<uint64_t>(size, 10)));
  if (size < 10 || std::string_view(start, 6) != magic) {
    const std::string hint =
        foreign_format(std::string_view(start, size_t(std::min<uint64_t>(size, 10))));
    fail_at(where, "not an .npy file" + (hint.empty() ? hint : ": " + hint));
  }
  const int major = static_cast<unsigned char>(start[6]);
  const int minor = static_cast<unsigned char>(start[7]);
  if (major < 1 || major > 3 || minor != 0) {
    fail_at(where, "version " + std::to_string(major) + "." + std::to_string(minor) +
                       " of .npy is not known");
  }
  const int length_bytes = major == 1 ? 2 : 4;
  if (major > 1) {
    if (size < 12) fail_at(where, "truncated inside the header");
    source.read(start + 10, 2);
  }
  NpyHeader h;
  const uint64_t length = load_little(start + 8, length_bytes);
  h.data = 8 + uint64_t(length_bytes) + length;
  if (length > header_limit) {
    fail_at(where, "a header of " + std::to_string(length) + " bytes, the limit is " +
                       std::to_string(header_limit));
  }
  if (h.data > size) fail_at(where, "truncated inside the header");
  std::string text(size_t(length), '\0');
  source.read(text.data(), text.size());
  HeaderParser(text, where).parse(h);

  const auto bytes = checked_bytes(h.dtype, h.shape);
  if (!bytes) fail_at(where, "the size of shape " + to_string(h.shape) + " overflows");
  h.bytes = *bytes;
  const std::string promise = "shape " + to_string(h.shape) + " of " + std::string(name(h.dtype)) +
                              " takes " + std::to_string(h.bytes) + " bytes, there are " +
                              std::to_string(size - h.data);
  if (h.bytes > size - h.data) fail_at(where, "truncated: " + promise);
  if (h.bytes < size - h.data) fail_at(where, "bytes after the array: " + promise);
  if (h.shape.size() < 2 || h.bytes == 0) h.columns = false;
  return h;
}

HostArray read_npy_data(Source& source, const NpyHeader& h) {
  HostArray a(h.dtype, h.shape);
  source.read(a.data(), a.bytes());
  if (h.dtype == bool_) normalise_bools(a.data(), a.bytes());
  if (h.swapped) swap_bytes(a.data(), a.bytes(), size_of(real_of(h.dtype)));
  if (!h.columns) return a;
  HostArray rows(h.dtype, h.shape);
  switch (size_of(h.dtype)) {
    case 1: to_rows<1>(a.data(), rows.data(), h.shape); break;
    case 2: to_rows<2>(a.data(), rows.data(), h.shape); break;
    case 4: to_rows<4>(a.data(), rows.data(), h.shape); break;
    case 8: to_rows<8>(a.data(), rows.data(), h.shape); break;
    default: to_rows<16>(a.data(), rows.data(), h.shape); break;
  }
  return rows;
}

HostArray read_npy(const std::string& path, bool map) {
  const InputFile file(path);
  const std::string where = printable(path);
  const std::string hint = foreign_format(file.head());
  if (!hint.empty() && file.head().substr(0, magic.size()) != magic) {
    fail_at(where, "not an .npy file: " + hint);
  }
  FileSource source(file);
  const NpyHeader h = read_npy_header(source, file.size(), where);
  if (map && h.bytes > 0 && !h.swapped && !h.columns && h.dtype != bool_ &&
      h.data % size_of(real_of(h.dtype)) == 0) {
    return HostArray(h.dtype, h.shape, part_of(file.map(), h.data, size_t(h.bytes)));
  }
  return read_npy_data(source, h);
}

std::string npy_header(const ArrayView& a) {
  const auto code = std::find_if(std::begin(codes), std::end(codes),
                                 [&](const Code& c) { return c.dtype == a.dtype; });
  if (code == std::end(codes)) {
    throw DTypeError(".npy cannot hold " + std::string(name(a.dtype)) +
                     (a.dtype == bfloat16 ? "; save it as safetensors, or cast it to float32"
                                          : "; cast it to int8 or uint8"));
  }
  std::string text = "{'descr': '" + std::string(code->bytes == 1 ? "|" : "<") + code->kind +
                     std::to_string(code->bytes) + "', 'fortran_order': False, 'shape': (";
  for (size_t i = 0; i < a.shape.size(); ++i) text += (i ? ", " : "") + std::to_string(a.shape[i]);
  text += a.shape.size() == 1 ? ",), }" : "), }";
  // Reserves 21 digits for the first extent and aligns the data to 64 bytes, as NumPy does.
  if (!a.shape.empty()) text.append(21 - std::to_string(a.shape[0]).size(), ' ');
  text.append(64 - (magic.size() + 4 + text.size() + 1) % 64, ' ');
  text += '\n';
  std::string out(magic);
  out += '\x01';
  out += '\0';
  append_little(out, text.size(), 2);
  return out + text;
}

void write_npy(const std::string& path, const ArrayView& array) {
  const std::string header = npy_header(array);
  AtomicFile file(path);
  file.write(header);
  file.write(array.data, array.bytes());
  file.commit();
}

}  // namespace ember::io
