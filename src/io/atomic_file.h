// Files: checked reading, and writing that replaces a file atomically.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ember/engine.h"

namespace ember::io {

// Text for messages: quoted, with unprintable characters escaped, and truncated if it is very long.
EMBER_API std::string printable(std::string_view);
EMBER_API std::string plain(std::string_view);  // the same without quotes if nothing was escaped
EMBER_API bool valid_utf8(std::string_view);
// Throws IoError: "path": why.
[[noreturn]] void fail(const std::string& path, const std::string& why);
// Recognizes the format of a foreign file by its first bytes and says how to read it; empty if it
// is unknown.
std::string foreign_format(std::string_view head);

inline uint64_t load_little(const void* p, int bytes) {
  uint64_t v = 0;
  for (int i = 0; i < bytes; ++i) v |= uint64_t(static_cast<const unsigned char*>(p)[i]) << 8 * i;
  return v;
}
inline void append_little(std::string& s, uint64_t v, int bytes) {
  for (int i = 0; i < bytes; ++i) s += char(v >> 8 * i & 255);
}

// A private mapping of a whole file. Saving over the file with Ember does not change the mapping.
// If another program truncates the file, reading the missing pages ends the process.
class Mapping {
 public:
  Mapping(void* data, size_t bytes) : data_(data), bytes_(bytes) {}
  Mapping(const Mapping&) = delete;
  ~Mapping();
  std::byte* data() const { return static_cast<std::byte*>(data_); }

 private:
  void* data_;
  size_t bytes_;
};
// A part of a mapping as storage, which keeps the mapping alive.
Storage* part_of(const std::shared_ptr<Mapping>&, uint64_t offset, size_t bytes);

class InputFile {
 public:
  explicit InputFile(std::string path);  // IoError unless it is a regular file
  InputFile(const InputFile&) = delete;
  ~InputFile();
  const std::string& path() const { return path_; }
  uint64_t size() const { return size_; }
  void read_at(uint64_t offset, void* out, size_t n) const;
  std::string head() const;  // the first bytes, for foreign_format
  std::shared_ptr<Mapping> map() const;

 private:
  std::string path_;
  int fd_ = -1;
  uint64_t size_ = 0;
};

// Writes to a temporary file in the target's folder; commit() renames it to the target, and without
// commit() nothing changes. Where the file system supports it, the file has no name before
// commit(), so that a killed process leaves no file.
class AtomicFile {
 public:
  explicit AtomicFile(std::string path);
  AtomicFile(const AtomicFile&) = delete;
  ~AtomicFile();
  void write(const void* data, size_t n);
  void write(std::string_view s) { write(s.data(), s.size()); }
  void patch(uint64_t offset, std::string_view bytes);  // overwrites earlier bytes
  uint64_t size() const { return size_; }
  void commit();

 private:
  void flush();
  void put(const char* p, size_t n);
  template <class F> void make_temporary(F make);
  std::string path_, target_, folder_, temporary_;
  int fd_ = -1;
  uint64_t size_ = 0;
  std::string buffer_;
};

}  // namespace ember::io
