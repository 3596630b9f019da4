// The scanner of JSON and of the text form.
#include "src/webnn/file/scan.h"

#include <charconv>
#include <cmath>
#include <limits>

#include "src/io/atomic_file.h"
#include "src/io/utf8.h"

namespace ember::webnn::file {
namespace {

bool letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '/' || c == '$';
}
bool digit(char c) { return c >= '0' && c <= '9'; }
constexpr int deepest = 64;

}  // namespace

void Scanner::fail(const std::string& why) const {
  const auto line =
      1 + std::count(text_.begin(), text_.begin() + ptrdiff_t(std::min(at_, text_.size())), '\n');
  io::fail(path_, "line " + std::to_string(line) + ": " + why);
}

char Scanner::peek() {
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (!json_ && c == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size() - 1);
    } else if (c != ' ' && c != '\t' && c != '\r' && c != '\n') {
      return c;
    }
  }
  return '\0';
}
void Scanner::take(char c) {
  if (peek() != c || at_ >= text_.size()) {
    fail(std::string("expected '") + c + "'" +
         (at_ < text_.size() ? ", not " + io::printable(text_.substr(at_, 1))
                             : ", the file ends here"));
  }
  ++at_;
}
void Scanner::end() {
  if (peek(); at_ < text_.size()) fail("expected nothing more");
}

bool Scanner::goes_on(size_t at) const {
  if (at >= text_.size()) return false;
  if (letter(text_[at]) || digit(text_[at]) || text_[at] == '.') return true;
  // Names such as onnx::MatMul_0 occur in practice.
  return text_.substr(at, 2) == "::" || (text_[at] == ':' && at > 0 && text_[at - 1] == ':' &&
                                         at + 1 < text_.size() && letter(text_[at + 1]));
}
bool Scanner::at_word(std::string_view word) {
  peek();
  return text_.substr(at_, word.size()) == word && !goes_on(at_ + word.size());
}
bool Scanner::take_word(std::string_view word) {
  if (!at_word(word)) return false;
  at_ += word.size();
  return true;
}
bool Scanner::at_name() { return letter(peek()); }
std::string Scanner::name() {
  if (!at_name()) fail("expected a name");
  const size_t start = at_;
  while (goes_on(at_)) ++at_;
  return std::string(text_.substr(start, at_ - start));
}

std::string Scanner::string() {
  take('"');
  std::string out;
  for (;;) {
    if (at_ >= text_.size()) fail("a string does not end");
    const char c = text_[at_++];
    if (c == '"') return out;
    if (c == '\\' && json_) {
      escape(out);
    } else if (c == '\\' && at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\\')) {
      out += text_[at_++];
    } else if (json_ && static_cast<unsigned char>(c) < 0x20) {
      fail("a control character in a string");
    } else {
      out += c;
    }
  }
}

uint32_t Scanner::hex4() {
  uint32_t v = 0;
  const std::string_view digits = text_.substr(std::min(at_, text_.size()), 4);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), v, 16);
  if (digits.size() != 4 || error != std::errc() || end != digits.data() + 4) {
    fail("expected four hexadecimal digits");
  }
  at_ += 4;
  return v;
}

void Scanner::escape(std::string& out) {
  static constexpr std::string_view letters = "\"\\/bfnrt";
  static constexpr std::string_view meant = "\"\\/\b\f\n\r\t";
  const char c = at_ < text_.size() ? text_[at_++] : '\0';
  if (const size_t i = letters.find(c); c && i != letters.npos) return void(out += meant[i]);
  if (c != 'u') fail("an unknown escape in a string");
  uint32_t code = hex4();
  if (code >= 0xd800 && code < 0xe000) {
    const bool pair = code < 0xdc00 && text_.substr(at_, 2) == "\\u";
    at_ += pair ? 2 : 0;
    const uint32_t low = pair ? hex4() : 0;
    if (low < 0xdc00 || low >= 0xe000) fail("half of a surrogate pair in a string");
    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
  }
  io::append_utf8(out, code);
}

MLNumber Scanner::number() {
  peek();
  size_t end = at_;
  bool whole = true;
  for (; end < text_.size() &&
         (digit(text_[end]) ||
          (text_[end] && std::string_view("+-.eE").find(text_[end]) != std::string_view::npos));
       ++end) {
    whole &= digit(text_[end]) || text_[end] == '-';
  }
  const char* first = text_.data() + at_;
  const char* last = text_.data() + end;
  const auto parse = [&]<class T>(T v) -> std::optional<MLNumber> {
    const auto [p, error] = std::from_chars(first, last, v);
    return p == last && error == std::errc() ? std::optional<MLNumber>(v) : std::nullopt;
  };
  if (at_ == end || !(digit(*first) || *first == '-')) fail("expected a value");
  std::optional<MLNumber> n;
  if (whole) n = parse(int64_t());
  if (whole && !n) n = parse(uint64_t());
  if (!n) n = parse(double());
  if (!n) {
    fail("expected a number that a float64 can hold, not " +
         io::printable(text_.substr(at_, end - at_)));
  }
  at_ = end;
  return *n;
}

MLNumber Scanner::word_number(const std::string& s) const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (s != "Infinity" && s != "-Infinity" && s != "NaN") {
    fail("expected a number, not the string " + io::printable(s));
  }
  return s == "NaN" ? std::nan("") : s == "Infinity" ? infinity : -infinity;
}

void Scanner::skip(int depth) {
  if (depth == deepest) fail("values are nested too deep");
  const char c = peek();
  if (c == '[') {
    each_item([&] { skip(depth + 1); });
  } else if (c == '{') {
    each_member([&](const std::string&) { skip(depth + 1); });
  } else if (c == '"') {
    string();
  } else if (!take_word("true") && !take_word("false") && !take_word("null")) {
    number();
  }
}

}  // namespace ember::webnn::file
