// A scanner for words, strings, numbers and lists in an untrusted text: JSON, or the text form of a
// graph, which also has comments and names.
#pragma once
#include "src/webnn/file/file.h"

namespace ember::webnn::file {

class Scanner {
 public:
  Scanner(std::string_view text, const std::string& path, bool json)
      : json_(json), text_(text), path_(path) {}
  [[noreturn]] void fail(const std::string& why) const;  // throws IoError with the line

  char peek();  // the next character that is not a space, 0 at the end
  void take(char c);
  void end();
  bool at_word(std::string_view word);  // and is not the beginning of a longer word
  bool take_word(std::string_view word);
  bool at_name();
  std::string name();
  std::string string();
  MLNumber number();
  // Infinity, -Infinity, NaN: JSON cannot express them as numbers.
  MLNumber word_number(const std::string& s) const;
  void skip(int depth = 0);  // skips any JSON value

  template <class F> void each_item(F item) {
    take('[');
    while (peek() != ']') {
      item();
      if (peek() != ']') take(',');
    }
    take(']');
  }
  template <class F> void each_member(F member) {
    take('{');
    while (peek() != '}') {
      std::string key = string();
      take(':');
      member(std::move(key));
      if (peek() != '}') take(',');
    }
    take('}');
  }

 protected:
  const bool json_;

 private:
  bool goes_on(size_t at) const;  // whether a name can continue here
  void escape(std::string& out);
  uint32_t hex4();
  std::string_view text_;
  const std::string& path_;
  size_t at_ = 0;
};

}  // namespace ember::webnn::file
