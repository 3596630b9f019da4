// UTF-8 for the parsers of JSON-like text.
#pragma once
#include <cstdint>
#include <string>

namespace ember::io {

// Appends the UTF-8 encoding of a code point up to U+10FFFF that is not a surrogate.
inline void append_utf8(std::string& out, uint32_t code) {
  if (code < 0x80) {
    out += char(code);
    return;
  }
  if (code >= 0x10000) {
    out += char(0xf0 | code >> 18);
    out += char(0x80 | (code >> 12 & 63));
  } else if (code >= 0x800) {
    out += char(0xe0 | code >> 12);
  }
  out += code < 0x800 ? char(0xc0 | code >> 6) : char(0x80 | (code >> 6 & 63));
  out += char(0x80 | (code & 63));
}

}  // namespace ember::io
