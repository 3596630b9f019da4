// TensorBoard's event files: records framed as TFRecord (length, masked CRC-32C, bytes, masked
// CRC-32C), each an Event message of protocol buffers. The few fields used here have the numbers of
// TensorBoard's event.proto and summary.proto.
#include <unistd.h>

#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <filesystem>

#include "ember/train.h"
#include "src/io/atomic_file.h"

namespace ember::train {

using io::append_little;

namespace {

uint32_t masked_crc(std::string_view bytes) {
  static const auto table = [] {
    std::array<uint32_t, 256> t{};
    for (uint32_t i = 0; i < 256; ++i) {
      uint32_t v = i;
      // Castagnoli's polynomial, reflected.
      for (int k = 0; k < 8; ++k) {
        v = v & 1 ? v >> 1 ^ 0x82f63b78u : v >> 1;
      }
      t[i] = v;
    }
    return t;
  }();
  uint32_t crc = ~0u;
  for (unsigned char c : bytes) crc = table[(crc ^ c) & 255] ^ crc >> 8;
  return std::rotr(~crc, 15) + 0xa282ead8u;
}

void varint(std::string& s, uint64_t v) {
  for (; v >= 128; v >>= 7) s += char(v | 128);
  s += char(v);
}
void field(std::string& s, int number, double v) {
  varint(s, uint64_t(number) << 3 | 1);
  append_little(s, std::bit_cast<uint64_t>(v), 8);
}
void field(std::string& s, int number, float v) {
  varint(s, uint64_t(number) << 3 | 5);
  append_little(s, std::bit_cast<uint32_t>(v), 4);
}
void field(std::string& s, int number, int64_t v) {
  varint(s, uint64_t(number) << 3);
  varint(s, uint64_t(v));
}
void field(std::string& s, int number, std::string_view v) {
  varint(s, uint64_t(number) << 3 | 2);
  varint(s, v.size());
  s += v;
}

double now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}
std::string event(int64_t step) {
  std::string e;
  field(e, 1, now());
  if (step) field(e, 2, step);
  return e;
}

}  // namespace

EventWriter::EventWriter(const std::string& folder, int64_t first_step) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  char host[256] = "localhost";
  gethostname(host, sizeof host - 1);
  static std::atomic<int> files{0};
  char tail[64];
  std::snprintf(tail, sizeof tail, "%010lld", static_cast<long long>(now()));
  path_ = folder + "/events.out.tfevents." + tail + "." + host + "." + std::to_string(getpid()) +
          "." + std::to_string(files++);
  file_ = std::fopen(path_.c_str(), "wbe");
  if (!file_) throw IoError(io::printable(path_) + ": cannot be written");
  std::string version = event(0);
  field(version, 3, std::string_view("brain.Event:2"));
  write(version);
  if (first_step > 0) {
    std::string start = event(first_step);
    std::string session;
    field(session, 1, int64_t(1));  // SessionLog.START
    field(start, 7, session);
    write(start);
  }
  flush();
}
EventWriter::~EventWriter() { std::fclose(file_); }
void EventWriter::scalar(const std::string& tag, double value, int64_t step) {
  std::string one;
  std::string summary;
  std::string e = event(step);
  field(one, 1, std::string_view(tag));
  field(one, 2, float(value));
  field(summary, 1, std::string_view(one));
  field(e, 5, std::string_view(summary));
  write(e);
}
void EventWriter::flush() {
  if (std::fflush(file_) != 0) throw IoError(io::printable(path_) + ": cannot be written");
}
void EventWriter::write(const std::string& bytes) {
  std::string r;
  append_little(r, bytes.size(), 8);
  append_little(r, masked_crc(r), 4);
  r += bytes;
  append_little(r, masked_crc(bytes), 4);
  if (std::fwrite(r.data(), 1, r.size(), file_) != r.size()) {
    throw IoError(io::printable(path_) + ": cannot be written");
  }
}

void TensorBoard::on_fit_begin(Trainer& t) {
  writer_ = std::make_unique<EventWriter>(folder_, t.step() ? t.step() + 1 : 0);
}
void TensorBoard::on_step_end(Trainer& t) {
  if (every_ > 0 && t.step() % every_ == 0) writer_->scalar("batch_loss", t.last_loss(), t.step());
}
void TensorBoard::on_epoch_end(Trainer& t) {
  for (const auto& [name, v] : t.record()) writer_->scalar(name, v, t.step());
  writer_->flush();
}

}  // namespace ember::train
