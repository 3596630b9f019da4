// Files: reading with checks, and writing that replaces a file in one step or not at all.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ember/engine.h"

namespace ember::io {

// In quotes, with everything escaped that is not printable text, and cut where it is very long: for
// messages.
EMBER_API std::string printable(std::string_view);
EMBER_API std::string plain(std::string_view);  // without quotes where nothing had to be escaped
EMBER_API bool valid_utf8(std::string_view);
[[noreturn]] void fail(const std::string& path, const std::string& why);  // IoError: "path": why
// What a file that is none of ours is, and what to do about it; empty where it cannot be told.
// head: its first bytes.
std::string foreign_format(std::string_view head);

inline uint64_t load_little(const void* p, int bytes) {
  uint64_t v = 0;
  for (int i = 0; i < bytes; ++i) v |= uint64_t(static_cast<const unsigned char*>(p)[i]) << 8 * i;
  return v;
}
inline void append_little(std::string& s, uint64_t v, int bytes) {
  for (int i = 0; i < bytes; ++i) s += char(v >> 8 * i & 255);
}

// A private mapping of a whole file. Files that Ember saves over one leave it as it was; a file
// that some other program cuts short while it is mapped takes the pages with it, and reading those
// ends the process: that is the price of mapping.
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
// A part of a mapping as storage; it keeps the mapping alive.
Storage* part_of(const std::shared_ptr<Mapping>&, uint64_t offset, size_t bytes);

class InputFile {
 public:
  explicit InputFile(std::string path);  // a regular file, else IoError
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

// Writes to a temporary file in the target's folder; commit() makes it the target. Without
// commit(), nothing has happened. Where the file system can, the file has no name until commit(),
// so a process that is killed leaves nothing behind.
class AtomicFile {
 public:
  explicit AtomicFile(std::string path);
  AtomicFile(const AtomicFile&) = delete;
  ~AtomicFile();
  void write(const void* data, size_t n);
  void write(std::string_view s) { write(s.data(), s.size()); }
  void patch(uint64_t offset, std::string_view bytes);  // over what was written before
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
