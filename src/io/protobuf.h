// The protocol-buffer wire format for writers: a message is built by appending its fields.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace ember::io {

class Message {
 public:
  // int32, int64, uint64, bool and enum fields.
  Message& integer(int field, uint64_t v) {
    tag(field, 0);
    varint(v);
    return *this;
  }
  // string, bytes and packed repeated fields.
  Message& bytes(int field, std::string_view v) {
    tag(field, 2);
    varint(v.size());
    bytes_.append(v);
    return *this;
  }
  Message& message(int field, const Message& m) { return bytes(field, m.bytes_); }
  // One entry of a map<string, message>.
  Message& entry(int field, std::string_view key, const Message& value) {
    return message(field, Message().bytes(1, key).message(2, value));
  }
  void varint(uint64_t v) {
    for (; v > 127; v >>= 7) bytes_ += char((v & 127) | 128);
    bytes_ += char(v);
  }
  const std::string& str() const { return bytes_; }

 private:
  void tag(int field, int wire_type) { varint(uint64_t(field) << 3 | uint64_t(wire_type)); }

  std::string bytes_;
};

}  // namespace ember::io
