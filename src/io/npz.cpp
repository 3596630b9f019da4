// Reads and writes .npz archives.
#include "src/io/npz.h"

#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <unordered_set>

#include "src/io/atomic_file.h"
#include "src/io/npy.h"

namespace ember::io {
namespace {

constexpr uint32_t local_mark = 0x04034b50, central_mark = 0x02014b50, end_mark = 0x06054b50,
                   end64_mark = 0x06064b50, locator_mark = 0x07064b50;
constexpr uint32_t all32 = 0xffffffff;
constexpr uint64_t directory_limit = 100'000'000;
constexpr uint64_t best_ratio = 1032;  // the best possible ratio of deflate
constexpr size_t chunk = 65536, most_at_once = size_t(1) << 30;
constexpr std::string_view suffix = ".npy";

struct Entry {
  std::string name;
  uint16_t flags = 0, method = 0;
  uint32_t crc = 0;
  uint64_t packed = 0, size = 0, offset = 0;
  uint64_t data = 0;  // offset of the compressed bytes
};

// Reads the fields of a record in order, with checks.
class Fields {
 public:
  Fields(std::string_view s, const std::string& path) : s_(s), path_(path) {}
  uint64_t number(int bytes) {
    const std::string_view v = take(size_t(bytes));
    return load_little(v.data(), bytes);
  }
  std::string_view take(size_t n) {
    if (n > s_.size()) fail(path_, "the zip archive is damaged: a record is cut short");
    const std::string_view v = s_.substr(0, n);
    s_.remove_prefix(n);
    return v;
  }
  size_t left() const { return s_.size(); }

 private:
  std::string_view s_;
  const std::string& path_;
};

std::string bytes_at(const InputFile& f, uint64_t offset, uint64_t n) {
  std::string s(size_t(n), '\0');
  f.read_at(offset, s.data(), s.size());
  return s;
}

[[noreturn]] void damaged(const InputFile& f, const std::string& why) {
  fail(f.path(), "the zip archive is damaged: " + why);
}

struct Directory {
  uint64_t count = 0, bytes = 0, offset = 0;
};

Directory find_directory(const InputFile& f) {
  const uint64_t tail = std::min<uint64_t>(f.size(), 22 + 65535);
  const std::string s = bytes_at(f, f.size() - tail, tail);
  size_t at = s.size() < 22 ? std::string::npos : s.size() - 22;
  for (; at != std::string::npos; at = at ? at - 1 : std::string::npos) {
    if (load_little(&s[at], 4) == end_mark && at + 22 + load_little(&s[at + 20], 2) == s.size()) {
      break;
    }
  }
  if (at == std::string::npos) {
    fail(f.path(), "not an .npz file: no zip archive, or a truncated one");
  }
  const uint64_t end = f.size() - tail + at;

  Fields r(std::string_view(s).substr(at + 4, 18), f.path());
  const uint64_t disk = r.number(2);
  const uint64_t first_disk = r.number(2);
  const uint64_t here = r.number(2);
  Directory d;
  d.count = r.number(2);
  d.bytes = r.number(4);
  d.offset = r.number(4);
  uint64_t limit = end;
  if (d.count == 0xffff || d.bytes == all32 || d.offset == all32) {
    const std::string locator = end >= 20 ? bytes_at(f, end - 20, 20) : std::string(20, '\0');
    if (load_little(locator.data(), 4) == locator_mark) {
      limit = load_little(&locator[8], 8);
      if (limit > end || end - limit < 56) damaged(f, "its zip64 record lies outside");
      const std::string record = bytes_at(f, limit, 56);
      Fields z(record, f.path());
      if (z.number(4) != end64_mark) damaged(f, "its zip64 record is missing");
      z.take(28);
      d.count = z.number(8);
      d.bytes = z.number(8);
      d.offset = z.number(8);
    }
  } else if (disk != 0 || first_disk != 0 || here != d.count) {
    fail(f.path(), "zip archives in several parts are not supported");
  }
  if (d.bytes > limit || d.offset > limit - d.bytes) {
    damaged(f, "its table of contents lies outside the file");
  }
  if (d.bytes > directory_limit) {
    fail(f.path(), "a central directory of " + std::to_string(d.bytes) + " bytes, the limit is " +
                       std::to_string(directory_limit));
  }
  if (d.count > d.bytes / 46) {
    damaged(f, "its table of contents is too short for " + std::to_string(d.count) + " entries");
  }
  return d;
}

std::string about(const Entry& e) { return "entry " + printable(e.name) + ": "; }

Entry read_central(Fields& r, const InputFile& f) {
  if (r.number(4) != central_mark) damaged(f, "its table of contents is broken");
  Entry e;
  r.take(4);
  e.flags = uint16_t(r.number(2));
  e.method = uint16_t(r.number(2));
  r.take(4);
  e.crc = uint32_t(r.number(4));
  e.packed = r.number(4);
  e.size = r.number(4);
  const size_t name_bytes = r.number(2);
  const size_t extra_bytes = r.number(2);
  const size_t comment_bytes = r.number(2);
  r.take(8);
  e.offset = r.number(4);
  e.name = r.take(name_bytes);
  Fields extra(r.take(extra_bytes), f.path());
  r.take(comment_bytes);
  while (extra.left() >= 4) {
    const uint64_t id = extra.number(2);
    Fields field(extra.take(extra.number(2)), f.path());
    if (id != 1) continue;  // 1: zip64, the sizes that do not fit 32 bits
    for (uint64_t* v : {&e.size, &e.packed, &e.offset}) {
      if (*v == all32) *v = field.number(8);
    }
  }
  return e;
}

void check_entry(Entry& e, const InputFile& f, uint64_t limit) {
  const auto bad = [&](const std::string& why) { fail(f.path(), about(e) + why); };
  if (!valid_utf8(e.name)) bad("the name is not UTF-8");
  if (e.name.find('\0') != e.name.npos) bad("the name contains a NUL byte");
  if (e.flags & 0x2041) bad("is encrypted");
  if (e.method != 0 && e.method != 8) {
    bad("compression method " + std::to_string(e.method) +
        " is not supported (only stored and deflated)");
  }
  if (e.offset > limit || limit - e.offset < 30) bad("lies outside the archive");
  const std::string local = bytes_at(f, e.offset, 30);
  if (load_little(local.data(), 4) != local_mark)
    bad("is not at the offset in the central directory");
  const uint64_t name_bytes = load_little(&local[26], 2);
  const uint64_t extra_bytes = load_little(&local[28], 2);
  e.data = e.offset + 30 + name_bytes + extra_bytes;
  if (e.data > limit || e.packed > limit - e.data) bad("lies outside the archive");
  if (bytes_at(f, e.offset + 30, name_bytes) != e.name) {
    bad("has another name in the central directory than in its header");
  }
  if (e.method == 0 && e.packed != e.size) bad("is stored, yet its two sizes differ");
  if (e.size / best_ratio > e.packed + 64) {
    bad("cannot unpack to the " + std::to_string(e.size) + " bytes it promises (a zip bomb?)");
  }
}

std::vector<Entry> read_directory(const InputFile& f) {
  const Directory d = find_directory(f);
  const std::string text = bytes_at(f, d.offset, d.bytes);
  Fields r(text, f.path());
  std::vector<Entry> entries;
  std::unordered_set<std::string> names;
  uint64_t total = 0;
  for (uint64_t i = 0; i < d.count; ++i) {
    Entry e = read_central(r, f);
    check_entry(e, f, d.offset);
    if (!e.name.empty() && e.name.back() == '/' && e.size == 0) continue;  // a folder
    if (e.name.ends_with("data.pkl")) {
      fail(f.path(), foreign_format("PK\x03\x04"
                                    "data.pkl"));
    }
    const std::string key =
        e.name.ends_with(suffix) ? e.name.substr(0, e.name.size() - suffix.size()) : e.name;
    if (!names.insert(key).second) fail(f.path(), about(e) + "occurs twice");
    if (e.size > UINT64_MAX - total) damaged(f, "its sizes overflow");
    total += e.size;
    entries.push_back(std::move(e));
  }
  if (r.left()) {
    damaged(f, "its table of contents holds more than its " + std::to_string(d.count) + " entries");
  }

  // Overlapping entries would let a small file unpack to a huge one.
  std::vector<const Entry*> order;
  for (const Entry& e : entries) order.push_back(&e);
  std::sort(order.begin(), order.end(),
            [](const Entry* a, const Entry* b) { return a->offset < b->offset; });
  for (size_t i = 1; i < order.size(); ++i) {
    if (order[i]->offset < order[i - 1]->data + order[i - 1]->packed) {
      fail(f.path(), about(*order[i]) + "overlaps " + printable(order[i - 1]->name));
    }
  }
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  if (pages > 0 && page > 0 && total / uint64_t(page) > uint64_t(pages)) {
    fail(f.path(), "unpacks to " + std::to_string(total) +
                       " bytes, more than this machine's memory (a zip bomb?)");
  }
  return entries;
}

// The uncompressed bytes of an entry.
class EntrySource : public Source {
 public:
  EntrySource(const InputFile& f, const Entry& e, std::string where)
      : file_(f), entry_(e), where_(std::move(where)) {
    if (entry_.method == 8 && inflateInit2(&z_, -MAX_WBITS) != Z_OK) {
      throw MemoryError("no memory to unpack " + where_);
    }
  }
  EntrySource(const EntrySource&) = delete;
  ~EntrySource() override {
    if (entry_.method == 8) inflateEnd(&z_);
  }

  void read(void* out, size_t n) override {
    auto* p = static_cast<unsigned char*>(out);
    while (n > 0) {
      const size_t now =
          entry_.method == 0 ? read_stored(p, n) : unpack(p, std::min(n, most_at_once));
      if (now == 0) throw IoError(where_ + ": unpacks to fewer bytes than the archive says");
      for (size_t i = 0; i < now; i += most_at_once) {
        crc_ = crc32(crc_, p + i, uInt(std::min(most_at_once, now - i)));
      }
      p += now;
      n -= now;
    }
  }

  // Checks the size and checksum after the last byte.
  void finish() {
    unsigned char more;
    if (entry_.method == 8 && unpack(&more, 1) != 0) {
      throw IoError(where_ + ": unpacks to more bytes than the archive says");
    }
    if (used_ != entry_.packed || (entry_.method == 8 && z_.avail_in > 0)) {
      throw IoError(where_ + ": has bytes after its end");
    }
    if (uint32_t(crc_) != entry_.crc) throw IoError(where_ + ": is damaged (its checksum differs)");
  }

 private:
  size_t read_stored(unsigned char* out, size_t n) {
    n = size_t(std::min<uint64_t>(n, entry_.packed - used_));
    file_.read_at(entry_.data + used_, out, n);
    used_ += n;
    return n;
  }

  size_t unpack(unsigned char* out, size_t n) {
    z_.next_out = out;
    z_.avail_out = uInt(n);
    while (z_.avail_out > 0 && !ended_) {
      if (z_.avail_in == 0) {
        const size_t some = size_t(std::min<uint64_t>(chunk, entry_.packed - used_));
        input_.resize(some);
        file_.read_at(entry_.data + used_, input_.data(), some);
        used_ += some;
        z_.next_in = input_.data();
        z_.avail_in = uInt(some);
      }
      const int rc = inflate(&z_, Z_NO_FLUSH);
      if (rc == Z_STREAM_END) {
        ended_ = true;
      } else if (rc == Z_MEM_ERROR) {
        throw MemoryError("no memory to unpack " + where_);
      } else if (rc != Z_OK) {
        throw IoError(where_ + ": is damaged (not deflated data)");
      }
    }
    return n - z_.avail_out;
  }

  const InputFile& file_;
  const Entry& entry_;
  const std::string where_;
  z_stream z_{};
  bool ended_ = false;
  std::vector<unsigned char> input_;
  uint64_t used_ = 0;
  uLong crc_ = 0;
};

// Appends numbers with their sizes in bytes, little-endian.
void put(std::string& s, std::initializer_list<std::pair<uint64_t, int>> fields) {
  for (const auto& [value, bytes] : fields) append_little(s, value, bytes);
}
uint64_t fit32(uint64_t v) { return std::min<uint64_t>(v, all32); }

// Writes entries in sequence; sizes and checksum are patched in when they are known.
class ZipWriter {
 public:
  ZipWriter(AtomicFile& f, bool compressed) : file_(f), method_(compressed ? 8 : 0) {}

  void add(const std::string& name, std::string_view header, const ArrayView& a) {
    const std::string_view body(static_cast<const char*>(a.data), a.bytes());
    Entry e;
    e.name = name;
    e.offset = file_.size();
    e.method = method_;
    // UTF-8.
    e.flags =
        std::any_of(name.begin(), name.end(), [](char c) { return (c & 0x80) != 0; }) ? 0x800 : 0;
    e.size = header.size() + body.size();
    std::string s;
    put(s, {{local_mark, 4}});
    common(s, e, all32, all32, 20);
    s += e.name;
    put(s, {{1, 2}, {16, 2}, {0, 8}, {0, 8}});  // zip64: both sizes
    file_.write(s);

    const uint64_t data = file_.size();
    for (const std::string_view part : {header, body}) {
      for (size_t i = 0; i < part.size(); i += most_at_once) {
        const std::string_view piece = part.substr(i, most_at_once);
        e.crc = uint32_t(
            crc32(e.crc, reinterpret_cast<const Bytef*>(piece.data()), uInt(piece.size())));
      }
    }
    if (method_ == 0) {
      file_.write(header);
      file_.write(body);
    } else {
      deflate_into(header, body);
    }
    e.packed = file_.size() - data;

    std::string crc;
    std::string sizes;
    put(crc, {{e.crc, 4}});
    put(sizes, {{e.size, 8}, {e.packed, 8}});
    file_.patch(e.offset + 14, crc);
    file_.patch(data - 16, sizes);
    entries_.push_back(std::move(e));
  }

  void finish() {
    const uint64_t start = file_.size();
    const uint64_t count = entries_.size();
    for (const Entry& e : entries_) {
      std::string extra;
      std::string s;
      for (const uint64_t v : {e.size, e.packed, e.offset}) {
        if (v >= all32) put(extra, {{v, 8}});
      }
      put(s, {{central_mark, 4}, {3 << 8 | 45, 2}});  // created on Unix
      common(s, e, e.packed, e.size, extra.empty() ? 0 : extra.size() + 4);
      put(s, {{0, 6}, {uint64_t(0600) << 16, 4}, {fit32(e.offset), 4}});
      s += e.name;
      if (!extra.empty()) {
        put(s, {{1, 2}, {extra.size(), 2}});
        s += extra;
      }
      file_.write(s);
    }
    const uint64_t bytes = file_.size() - start;
    const uint64_t count16 = std::min<uint64_t>(count, 0xffff);
    std::string s;
    if (count >= 0xffff || bytes >= all32 || start >= all32) {
      put(s, {{end64_mark, 4},
              {44, 8},
              {45, 2},
              {45, 2},
              {0, 8},
              {count, 8},
              {count, 8},
              {bytes, 8},
              {start, 8}});
      put(s, {{locator_mark, 4}, {0, 4}, {start + bytes, 8}, {1, 4}});
    }
    put(s, {{end_mark, 4},
            {0, 4},
            {count16, 2},
            {count16, 2},
            {fit32(bytes), 4},
            {fit32(start), 4},
            {0, 2}});
    file_.write(s);
  }

 private:
  // The fields that local and central records share. The date is always 1980-01-01, so that equal
  // arrays give equal files.
  static void common(std::string& s, const Entry& e, uint64_t packed, uint64_t size, size_t extra) {
    put(s, {{45, 2},
            {e.flags, 2},
            {e.method, 2},
            {0, 2},
            {0x21, 2},
            {e.crc, 4},
            {fit32(packed), 4},
            {fit32(size), 4}});
    put(s, {{e.name.size(), 2}, {extra, 2}});
  }

  void deflate_into(std::string_view header, std::string_view body) {
    z_stream z{};
    if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
      throw MemoryError("no memory to compress");
    }
    struct End {
      z_stream& z;
      ~End() { deflateEnd(&z); }
    } end{z};
    std::vector<unsigned char> out(chunk);
    const auto feed = [&](std::string_view piece, int flush) {
      z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
      z.avail_in = uInt(piece.size());
      do {
        z.next_out = out.data();
        z.avail_out = uInt(out.size());
        deflate(&z, flush);
        file_.write(out.data(), out.size() - z.avail_out);
      } while (z.avail_out == 0);
    };
    feed(header, Z_NO_FLUSH);
    for (size_t i = 0; i < body.size(); i += most_at_once) {
      feed(body.substr(i, most_at_once), Z_NO_FLUSH);
    }
    feed("", Z_FINISH);
  }

  AtomicFile& file_;
  const uint16_t method_;
  std::vector<Entry> entries_;
};

}  // namespace

NamedArrays read_npz(const std::string& path) {
  const InputFile file(path);
  if (const std::string head = file.head(); head.substr(0, 2) != "PK") {
    const std::string hint = foreign_format(head);
    fail(path, "not an .npz file" + (hint.empty() ? hint : ": " + hint));
  }
  const std::vector<Entry> entries = read_directory(file);
  NamedArrays arrays;
  arrays.reserve(entries.size());
  for (const Entry& e : entries) {
    const std::string where = printable(path) + ": entry " + printable(e.name);
    EntrySource source(file, e, where);
    const NpyHeader h = read_npy_header(source, e.size, where);
    HostArray a = read_npy_data(source, h);
    source.finish();
    arrays.emplace_back(
        e.name.ends_with(suffix) ? e.name.substr(0, e.name.size() - suffix.size()) : e.name,
        std::move(a));
  }
  return arrays;
}

void write_npz(const std::string& path, std::span<const NamedView> arrays, bool compressed) {
  std::unordered_set<std::string_view> names;
  std::vector<std::string> headers;
  for (const auto& [name, a] : arrays) {
    if (!valid_utf8(name)) throw ValueError("the array name " + printable(name) + " is not UTF-8");
    if (name.find('\0') != name.npos) {
      throw ValueError("the array name " + printable(name) +
                       " contains a NUL byte, which zip archives cannot hold");
    }
    if (name.size() + suffix.size() > 65535) {
      throw ValueError("the array name " + printable(name) + " is too long");
    }
    if (!names.insert(name).second) throw ValueError("two arrays have the name " + printable(name));
    try {
      headers.push_back(npy_header(a));
    } catch (const DTypeError& e) {
      throw DTypeError("array " + printable(name) + ": " + e.what());
    }
  }
  AtomicFile file(path);
  ZipWriter zip(file, compressed);
  for (size_t i = 0; i < arrays.size(); ++i) {
    zip.add(arrays[i].first + std::string(suffix), headers[i], arrays[i].second);
  }
  zip.finish();
  file.commit();
}

}  // namespace ember::io
