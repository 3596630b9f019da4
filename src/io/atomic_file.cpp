// Checked reading, mappings, and files that are replaced atomically.
#include "src/io/atomic_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <system_error>

namespace ember::io {
namespace {

constexpr size_t one_call = size_t(1) << 30;  // read and write transfer less than 2 GB per call
constexpr size_t buffered = size_t(1) << 18;

[[noreturn]] void fail_errno(const std::string& path, const char* what) {
  const int code = errno;
  fail(path, std::string(what) + ": " + std::generic_category().message(code));
}

void check_path(const std::string& path) {
  if (path.find('\0') != std::string::npos) {
    throw ValueError("the path " + printable(path) + " contains a NUL byte");
  }
}

// The length of the UTF-8 character at p, with its code point in c; 0 if it is invalid.
size_t decode(const unsigned char* p, size_t left, uint32_t& c) {
  if (p[0] < 0x80) return c = p[0], 1;
  const size_t n = p[0] >= 0xc2 && p[0] < 0xe0   ? 2
                   : p[0] >= 0xe0 && p[0] < 0xf0 ? 3
                   : p[0] >= 0xf0 && p[0] < 0xf5 ? 4
                                                 : 0;
  if (n == 0 || n > left) return 0;
  c = p[0] & (0x7f >> n);
  for (size_t i = 1; i < n; ++i) {
    if ((p[i] & 0xc0) != 0x80) return 0;
    c = c << 6 | (p[i] & 0x3f);
  }
  const bool short_enough = n == 2 || c >= (n == 3 ? 0x800u : 0x10000u);
  return short_enough && c <= 0x10ffff && (c < 0xd800 || c > 0xdfff) ? n : 0;
}

// Characters that move the cursor, reorder text or are invisible.
bool hidden(uint32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || (c >= 0x200b && c <= 0x200f) ||
         (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff ||
         (c >= 0xfff9 && c <= 0xfffb) || c >= 0xe0000;
}

std::string hex(uint32_t v, int digits) {
  std::string s;
  for (int i = digits - 1; i >= 0; --i) s += "0123456789abcdef"[v >> 4 * i & 15];
  return s;
}

}  // namespace

std::string printable(std::string_view s) {
  constexpr size_t longest = 300;
  std::string out = "\"";
  const auto* p = reinterpret_cast<const unsigned char*>(s.data());
  for (size_t i = 0; i < s.size();) {
    if (out.size() > longest) return out + "...\" (" + std::to_string(s.size()) + " bytes)";
    uint32_t c = 0;
    const size_t n = decode(p + i, s.size() - i, c);
    if (n == 0) {
      out += "\\x" + hex(p[i], 2);
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += char(c);
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c < 0x100 && hidden(c)) {
      out += "\\x" + hex(c, 2);
    } else if (hidden(c)) {
      out += c > 0xffff ? "\\U" + hex(c, 8) : "\\u" + hex(c, 4);
    } else {
      out.append(s.substr(i, n));
    }
    i += std::max<size_t>(n, 1);
  }
  return out + '"';
}

std::string plain(std::string_view s) {
  const std::string safe = printable(s);
  return std::string_view(safe).substr(1, safe.size() - 2) == s ? std::string(s) : safe;
}

bool valid_utf8(std::string_view s) {
  const auto* p = reinterpret_cast<const unsigned char*>(s.data());
  uint32_t c = 0;
  for (size_t i = 0, n = 0; i < s.size(); i += n) {
    if ((n = decode(p + i, s.size() - i, c)) == 0) return false;
  }
  return true;
}

void fail(const std::string& path, const std::string& why) {
  throw IoError(printable(path) + ": " + why);
}

std::string foreign_format(std::string_view head) {
  const auto starts = [&](std::string_view s) { return head.substr(0, s.size()) == s; };
  static const char* const convert =
      "; Ember never unpickles. Convert it once in Python: "
      "safetensors.torch.save_file(torch.load(\"model.pt\", "
      "weights_only=True), \"model.safetensors\")";
  if (starts("PK\x03\x04")) {
    if (head.find(".npy") != std::string_view::npos) {
      return "this is an .npz file (a zip archive of .npy files); load it as .npz";
    }
    if (head.find("data.pkl") != std::string_view::npos) {
      return std::string("this is a PyTorch .pt file, which holds a pickle") + convert;
    }
    return std::string("this is a zip archive, perhaps a PyTorch .pt file, which holds a pickle") +
           convert;
  }
  if (head.size() > 1 && head[0] == char(0x80) && head[1] >= 2 && head[1] <= 5) {
    return std::string("this is a Python pickle or an old PyTorch .pt file") + convert;
  }
  if (starts("\x93NUMPY")) return "this is an .npy file; load it as .npy";
  if (starts("GGUF")) {
    return "this is a GGUF file, which is not supported; convert it to safetensors";
  }
  if (starts("\x89HDF\r\n\x1a\n")) {
    return "this is an HDF5 file, which is not supported; convert it to safetensors or .npz";
  }
  if (starts("\x1f\x8b")) return "this is a gzip file; unpack it first";
  if (starts("version https://git-lfs")) {
    return "this is a Git LFS pointer, not the file itself; run git lfs pull";
  }
  if (starts("<!DOCTYPE") || starts("<html")) {
    return "this is a web page, not the file; the download went wrong";
  }
  return {};
}

Mapping::~Mapping() { munmap(data_, bytes_); }

Storage* part_of(const std::shared_ptr<Mapping>& m, uint64_t offset, size_t bytes) {
  auto owner = std::make_unique<std::shared_ptr<Mapping>>(m);
  Storage* s = adopt(m->data() + offset, bytes, owner.get(),
                     [](void* p) { delete static_cast<std::shared_ptr<Mapping>*>(p); });
  owner.release();
  return s;
}

InputFile::InputFile(std::string path) : path_(std::move(path)) {
  check_path(path_);
  // A FIFO without a writer would block.
  fd_ = open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd_ < 0) fail_errno(path_, "cannot open");
  struct stat st;
  std::string why;
  if (fstat(fd_, &st) != 0) {
    why = "cannot read its size";
  } else if (S_ISDIR(st.st_mode)) {
    why = "this is a directory";
  } else if (!S_ISREG(st.st_mode)) {
    why = "not a regular file";
  }
  if (!why.empty()) {
    close(fd_);
    fail(path_, why);
  }
  size_ = uint64_t(st.st_size);
}

InputFile::~InputFile() { close(fd_); }

void InputFile::read_at(uint64_t offset, void* out, size_t n) const {
  if (offset > size_ || n > size_ - offset) {
    fail(path_, "truncated: byte " + std::to_string(offset) + " and " + std::to_string(n) +
                    " more are needed, the file has " + std::to_string(size_));
  }
  for (char* p = static_cast<char*>(out); n > 0;) {
    const ssize_t got = pread(fd_, p, std::min(n, one_call), off_t(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_errno(path_, "cannot read");
    if (got == 0) fail(path_, "the file was truncated while it was read");
    p += got;
    offset += uint64_t(got);
    n -= size_t(got);
  }
}

std::string InputFile::head() const {
  std::string s(size_t(std::min<uint64_t>(size_, 128)), '\0');
  read_at(0, s.data(), s.size());
  return s;
}

std::shared_ptr<Mapping> InputFile::map() const {
  // Writable, so that a stray write makes a private page instead of a fault. Swap is not reserved
  // for it.
  void* p =
      mmap(nullptr, size_t(size_), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, fd_, 0);
  if (p == MAP_FAILED) fail_errno(path_, "cannot map");
  try {
    return std::make_shared<Mapping>(p, size_t(size_));
  } catch (...) {
    munmap(p, size_t(size_));
    throw;
  }
}

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  check_path(path_);
  if (path_.empty()) fail(path_, "an empty path cannot be saved to");
  target_ = path_;
  mode_t mode = 0;
  struct stat st;
  if (stat(path_.c_str(), &st) == 0) {
    if (S_ISDIR(st.st_mode)) fail(path_, "cannot save: this is a directory");
    // Renaming over /dev/null would remove it.
    if (!S_ISREG(st.st_mode)) {
      fail(path_, "cannot save: not a regular file");
    }
    if (access(path_.c_str(), W_OK) != 0) fail_errno(path_, "cannot save");
    mode = st.st_mode & 0777;
    // A symbolic link is followed and kept.
    if (char* real = realpath(path_.c_str(), nullptr)) {
      target_ = real;
      std::free(real);
    }
  }
  const size_t slash = target_.rfind('/');
  folder_ = slash == std::string::npos ? "." : slash == 0 ? "/" : target_.substr(0, slash);
  if (slash + 1 == target_.size()) fail(path_, "cannot save: the path has no file name");

#ifdef O_TMPFILE
  // A file without a name disappears with the process; naming it later needs /proc.
  if (access("/proc/self/fd", X_OK) == 0) {
    fd_ = open(folder_.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  }
#endif
  if (fd_ < 0) {
    make_temporary([this](const char* name) {
      return (fd_ = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) >= 0;
    });
  }
  // Where the old file's mode cannot be set, the new file keeps the usual one.
  if (mode && fchmod(fd_, mode) != 0) {
    errno = 0;
  }
}

// Calls create with new names until it succeeds.
template <class F> void AtomicFile::make_temporary(F make) {
  static std::atomic<uint32_t> counter{0};
  for (int i = 0; i < 100; ++i) {
    const auto now = uint32_t(std::chrono::steady_clock::now().time_since_epoch().count());
    const std::string name = folder_ + "/.ember-save-" + hex(uint32_t(getpid()), 8) + hex(now, 8) +
                             hex(counter++, 8) + ".tmp";
    if (make(name.c_str())) return void(temporary_ = name);
    if (errno != EEXIST) break;
  }
  fail_errno(path_, "cannot save: cannot create a file in its folder");
}

AtomicFile::~AtomicFile() {
  if (fd_ >= 0) close(fd_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void AtomicFile::put(const char* p, size_t n) {
  while (n > 0) {
    const ssize_t done = ::write(fd_, p, std::min(n, one_call));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail_errno(path_, "cannot save");
    p += done;
    n -= size_t(done);
  }
}

void AtomicFile::flush() {
  put(buffer_.data(), buffer_.size());
  buffer_.clear();
}

void AtomicFile::write(const void* data, size_t n) {
  size_ += n;
  if (buffer_.size() + n > buffered) flush();
  if (n > buffered) {
    put(static_cast<const char*>(data), n);
  } else if (n > 0) {
    buffer_.append(static_cast<const char*>(data), n);
  }
}

void AtomicFile::patch(uint64_t offset, std::string_view bytes) {
  if (const uint64_t flushed = size_ - buffer_.size(); offset >= flushed) {
    buffer_.replace(size_t(offset - flushed), bytes.size(), bytes);
    return;
  }
  flush();
  while (!bytes.empty()) {
    const ssize_t done = pwrite(fd_, bytes.data(), bytes.size(), off_t(offset));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail_errno(path_, "cannot save");
    bytes.remove_prefix(size_t(done));
    offset += uint64_t(done);
  }
}

void AtomicFile::commit() {
  flush();
  if (fsync(fd_) != 0 && errno != EINVAL && errno != EROFS) fail_errno(path_, "cannot save");
  if (temporary_.empty()) {
    const std::string unnamed = "/proc/self/fd/" + std::to_string(fd_);
    const auto link = [&](const char* name) {
      return linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
    };
    make_temporary(link);  // a link cannot replace a file as rename can
  }
  const int fd = std::exchange(fd_, -1);
  if (close(fd) != 0 && errno != EINTR) fail_errno(path_, "cannot save");
  if (rename(temporary_.c_str(), target_.c_str()) != 0) fail_errno(path_, "cannot save");
  temporary_.clear();
  // The rename survives a power failure only once the folder is on disk. Folders that cannot be
  // read are left to the system.
  const int folder = open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  const bool bad = fsync(folder) != 0 && errno == EIO;
  close(folder);
  if (bad) fail(path_, "saved, but the folder could not be written to disk: input/output error");
}

}  // namespace ember::io
