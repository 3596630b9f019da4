// WordPiece: text to the numbers of a vocabulary, as uncased BERT has it. The words of a text are
// made lower-case and lose their accents, punctuation and Chinese characters stand alone, and each
// word is cut into the longest pieces that the vocabulary has.
#pragma once
#include <ember/ember.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

// What the tokenizer must know of Unicode: the Basic Multilingual Plane, for the scripts that
// BERT's vocabulary has.
namespace unicode {

struct Range {
  char32_t first, last = 0;  // one character where last is left out
};
// Marks written over or under a letter (category Mn).
inline constexpr Range marks[] = {
    {0x300, 0x36F},   {0x483, 0x487},   {0x591, 0x5BD},   {0x5BF},          {0x5C1, 0x5C2},
    {0x5C4, 0x5C5},   {0x5C7},          {0x610, 0x61A},   {0x64B, 0x65F},   {0x670},
    {0x6D6, 0x6DC},   {0x6DF, 0x6E4},   {0x6E7, 0x6E8},   {0x6EA, 0x6ED},   {0x898, 0x89F},
    {0x8CA, 0x8E1},   {0x8E3, 0x902},   {0x93A},          {0x93C},          {0x941, 0x948},
    {0x94D},          {0x951, 0x957},   {0x962, 0x963},   {0x981},          {0x9BC},
    {0x9C1, 0x9C4},   {0x9CD},          {0x9E2, 0x9E3},   {0x9FE},          {0xB82},
    {0xBC0},          {0xBCD},          {0xC81},          {0xCBC},          {0xCBF},
    {0xCC6},          {0xCCC, 0xCCD},   {0xCE2, 0xCE3},   {0xD81},          {0xDCA},
    {0xDD2, 0xDD4},   {0xDD6},          {0xE31},          {0xE34, 0xE3A},   {0xE47, 0xE4E},
    {0xF18, 0xF19},   {0xF35},          {0xF37},          {0xF39},          {0xF71, 0xF7E},
    {0xF80, 0xF84},   {0xF86, 0xF87},   {0xF8D, 0xF97},   {0xF99, 0xFBC},   {0xFC6},
    {0x102D, 0x1030}, {0x1032, 0x1037}, {0x1039, 0x103A}, {0x103D, 0x103E}, {0x1058, 0x1059},
    {0x105E, 0x1060}, {0x1071, 0x1074}, {0x1082},         {0x1085, 0x1086}, {0x108D},
    {0x109D},         {0x1AB0, 0x1ABD}, {0x1ABF, 0x1ACE}, {0x1DC0, 0x1DFF}, {0x20D0, 0x20DC},
    {0x20E1},         {0x20E5, 0x20F0}, {0x2CEF, 0x2CF1}, {0x2D7F},         {0x2DE0, 0x2DFF},
    {0x302A, 0x302D}, {0x3099, 0x309A}, {0xA66F},         {0xA674, 0xA67D}, {0xA69E, 0xA69F},
    {0xA8E0, 0xA8F1}, {0xA8FF},         {0xA9E5},         {0xAA7C},         {0xFB1E},
    {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F},
};
// Punctuation beyond ASCII (categories P*).
inline constexpr Range punctuation[] = {
    {0xA1},           {0xA7},           {0xAB},           {0xB6, 0xB7},     {0xBB},
    {0xBF},           {0x37E},          {0x387},          {0x55A, 0x55F},   {0x589, 0x58A},
    {0x5BE},          {0x5C0},          {0x5C3},          {0x5C6},          {0x5F3, 0x5F4},
    {0x60C, 0x60D},   {0x61B},          {0x61D, 0x61F},   {0x66A, 0x66D},   {0x6D4},
    {0x964, 0x965},   {0x970},          {0x9FD},          {0xC84},          {0xDF4},
    {0xE4F},          {0xE5A, 0xE5B},   {0xF04, 0xF12},   {0xF14},          {0xF3A, 0xF3D},
    {0xF85},          {0xFD0, 0xFD4},   {0xFD9, 0xFDA},   {0x104A, 0x104F}, {0x10FB},
    {0x2010, 0x2027}, {0x2030, 0x2043}, {0x2045, 0x2051}, {0x2053, 0x205E}, {0x207D, 0x207E},
    {0x208D, 0x208E}, {0x2308, 0x230B}, {0x2329, 0x232A}, {0x2768, 0x2775}, {0x27C5, 0x27C6},
    {0x27E6, 0x27EF}, {0x2983, 0x2998}, {0x29D8, 0x29DB}, {0x29FC, 0x29FD}, {0x2CF9, 0x2CFC},
    {0x2CFE, 0x2CFF}, {0x2D70},         {0x2E00, 0x2E2E}, {0x2E30, 0x2E4F}, {0x2E52, 0x2E5D},
    {0x3001, 0x3003}, {0x3008, 0x3011}, {0x3014, 0x301F}, {0x3030},         {0x303D},
    {0x30A0},         {0x30FB},         {0xA67E},         {0xA8F8, 0xA8FA}, {0xA8FC},
    {0xFE10, 0xFE19}, {0xFE30, 0xFE52}, {0xFE54, 0xFE61}, {0xFE63},         {0xFE68},
    {0xFE6A, 0xFE6B}, {0xFF01, 0xFF03}, {0xFF05, 0xFF0A}, {0xFF0C, 0xFF0F}, {0xFF1A, 0xFF1B},
    {0xFF1F, 0xFF20}, {0xFF3B, 0xFF3D}, {0xFF3F},         {0xFF5B},         {0xFF5D},
    {0xFF5F, 0xFF65},
};
// Control and formatting characters other than tab and line ends (Cc, Cf), which the text loses.
inline constexpr Range controls[] = {
    {0x0, 0x8},       {0xB, 0xC}, {0xE, 0x1F},      {0x7F, 0x9F},     {0xAD},
    {0x600, 0x605},   {0x61C},    {0x6DD},          {0x70F},          {0x890, 0x891},
    {0x8E2},          {0x180E},   {0x200B, 0x200F}, {0x202A, 0x202E}, {0x2060, 0x2064},
    {0x2066, 0x206F}, {0xFEFF},   {0xFFF9, 0xFFFB},
};
// A letter, then what becomes that letter: capitals, and letters with accents.
inline constexpr const char* folded =
    "<≮ =≠ >≯ aÀÁÂÃÄÅàáâãäåĀāĂăĄąǍǎǞǟǠǡǺǻȀȁȂȃȦȧḀḁẠạẢảẤấẦầẨẩẪẫẬậẮắẰằẲẳẴẵẶặ bḂḃḄḅḆḇ cÇçĆćĈĉĊċČčḈḉ "
    "dĎďḊḋḌḍḎḏḐḑḒḓ "
    "eÈÉÊËèéêëĒēĔĕĖėĘęĚěȄȅȆȇȨȩḔḕḖḗḘḙḚḛḜḝẸẹẺẻẼẽẾếỀềỂểỄễỆệ fḞḟ gĜĝĞğĠġĢģǦǧǴǵḠḡ hĤĥȞȟḢḣḤḥḦḧḨḩḪḫẖ "
    "iÌÍÎÏìíîïĨĩĪīĬĭĮįİǏǐȈȉȊȋḬḭḮḯỈỉỊị "
    "jĴĵǰ kĶķǨǩḰḱḲḳḴḵ lĹĺĻļĽľḶḷḸḹḺḻḼḽ mḾḿṀṁṂṃ nÑñŃńŅņŇňǸǹṄṅṆṇṈṉṊṋ "
    "oÒÓÔÕÖòóôõöŌōŎŏŐőƠơǑǒǪǫǬǭȌȍȎȏȪȫȬȭȮȯȰȱṌṍṎṏṐṑṒṓỌọỎỏỐốỒồỔổỖỗỘộỚớỜờỞởỠỡỢợ pṔṕṖṗ "
    "rŔŕŖŗŘřȐȑȒȓṘṙṚṛṜṝṞṟ sŚśŜŝŞşŠšȘșṠṡṢṣṤṥṦṧṨṩ "
    "tŢţŤťȚțṪṫṬṭṮṯṰṱẗ uÙÚÛÜùúûüŨũŪūŬŭŮůŰűŲųƯưǓǔǕǖǗǘǙǚǛǜȔȕȖȗṲṳṴṵṶṷṸṹṺṻỤụỦủỨứỪừỬửỮữỰự vṼṽṾṿ "
    "wŴŵẀẁẂẃẄẅẆẇẈẉẘ xẊẋẌẍ "
    "yÝýÿŶŷŸȲȳẎẏẙỲỳỴỵỶỷỸỹ zŹźŻżŽžẐẑẒẓẔẕ ¨΅῁῭ ßẞ æǢǣǼǽ øǾǿ đĐ ħĦ łŁ ŋŊ œŒ ƒƑ ɐⱯ ɑⱭ ɒⱰ ɔƆ əƏ ɛƐ ɡꞬ "
    "ɣƔ ɨƗ ɪꞮ ɫⱢ ɬꞭ ɯƜ ɲƝ ʀƦ ʂꟅ ʃƩ "
    "ʉɄ ʊƱ ʋƲ ʌɅ ʒƷǮǯ αΆάἀἁἂἃἄἅἆἇἈἉἊἋἌἍἎἏὰᾀᾁᾂᾃᾄᾅᾆᾇᾈᾉᾊᾋᾌᾍᾎᾏᾰᾱᾲᾳᾴᾶᾷᾸᾹᾺᾼ εΈέἐἑἒἓἔἕἘἙἚἛἜἝὲῈ "
    "ηΉήἠἡἢἣἤἥἦἧἨἩἪἫἬἭἮἯὴᾐᾑᾒᾓᾔᾕᾖᾗᾘᾙᾚᾛᾜᾝᾞᾟῂῃῄῆῇῊῌ θϴ ιΊΐΪίϊἰἱἲἳἴἵἶἷἸἹἺἻἼἽἾἿὶῐῑῒῖῗῘῙῚ "
    "οΌόὀὁὂὃὄὅὈὉὊὋὌὍὸῸ ρῤῥῬ "
    "υΎΫΰϋύὐὑὒὓὔὕὖὗὙὛὝὟὺῠῡῢῦῧῨῩῪ ωΏώὠὡὢὣὤὥὦὧὨὩὪὫὬὭὮὯὼᾠᾡᾢᾣᾤᾥᾦᾧᾨᾩᾪᾫᾬᾭᾮᾯῲῳῴῶῷῺῼ аӐӑӒӓ гЃѓ еЀЁѐёӖӗ "
    "жӁӂӜӝ зӞӟ иЍЙйѝӢӣӤӥ кЌќ оӦӧ "
    "уЎўӮӯӰӱӲӳ чӴӵ ыӸӹ эӬӭ іЇї ӏӀ اآأإ وؤ يئ ہۂ ےۓ नऩ रऱ აᲐ ბᲑ გᲒ დᲓ ეᲔ ვᲕ თᲗ იᲘ კᲙ ლᲚ მᲛ ნᲜ ოᲝ რᲠ "
    "სᲡ ტᲢ უᲣ ←↚ →↛ ↔↮ ⇒⇏ ∈∉ ≈≉ "
    "≡≢ ≤≰ ≥≱ ⊂⊄ ⊆⊈ うゔ かが きぎ くぐ けげ こご さざ しじ すず せぜ そぞ ただ ちぢ つづ てで "
    "とど はばぱ ひびぴ ふぶぷ へべぺ ほぼぽ ウヴ カガ キギ クグ ケゲ コゴ サザ シジ スズ セゼ "
    "タダ チヂ ツヅ "
    "テデ トド ハバパ ヒビピ フブプ ヘベペ ホボポ ワヷ "
    // as numbers, since these change where a text is brought into normal form
    ";\u037E `\u1FEF a\u212B k\u212A \u00A8\u1FEE \u00B4\u1FFD \u00B7\u0387 \u03B1\u1F71\u1FBB "
    "\u03B5\u1F73\u1FC9 "
    "\u03B7\u1F75\u1FCB \u03B9\u1F77\u1FBE\u1FD3\u1FDB \u03BF\u1F79\u1FF9 \u03C5\u1F7B\u1FE3\u1FEB "
    "\u03C9\u1F7D\u1FFB\u2126 "
    "\u05D0\uFB2E\uFB2F\uFB30 \u05D1\uFB31\uFB4C \u05D2\uFB32 \u05D3\uFB33 \u05D4\uFB34 "
    "\u05D5\uFB35\uFB4B \u05D6\uFB36 "
    "\u05D8\uFB38 \u05D9\uFB1D\uFB39 \u05DA\uFB3A \u05DB\uFB3B\uFB4D \u05DC\uFB3C \u05DE\uFB3E "
    "\u05E0\uFB40 \u05E1\uFB41 "
    "\u05E3\uFB43 \u05E4\uFB44\uFB4E \u05E6\uFB46 \u05E7\uFB47 \u05E8\uFB48 "
    "\u05E9\uFB2A\uFB2B\uFB2C\uFB2D\uFB49 \u05EA\uFB4A "
    "\u0915\u0958 \u0916\u0959 \u0917\u095A \u091C\u095B \u0921\u095C \u092F\u095F \u09A1\u09DC "
    "\u09AF\u09DF \u0F42\u0F43 "
    "\u0F51\u0F52 \u0F56\u0F57 \u3008\u2329 \u3009\u232A \u4E0D\uF967 \u5289\uF9C7 \u529B\uF98A "
    "\u5317\uF963 \u5948\uF90C "
    "\u5973\uF981 \u5E74\uF98E \u674E\uF9E1 \u6797\uF9F4 \u6D77\uFA45 \u6F22\uFA47\uFA9A "
    "\u7701\uF96D \u793E\uFA4C "
    "\u795E\uFA19 \u798F\uFA1B \u7ACB\uF9F7 \u826F\uF97C \u8279\uFA5D\uFA5E \u83EF\uFAB4 "
    "\u8449\uF96E \u884C\uFA08 "
    "\u898B\uFA0A \u8ECA\uF902 \u8FB6\uFA66 \u90CE\uF92C \u90FD\uFA26 \u91CC\uF9E9 \u91D1\uF90A "
    "\u9234\uF9B1 \u9F8D\uF9C4";

template <size_t n> bool in(const Range (&ranges)[n], char32_t c) {
  return std::any_of(ranges, ranges + n, [c](const Range& r) {
    return c >= r.first && c <= std::max(r.first, r.last);
  });
}
inline bool is_mark(char32_t c) { return c >= 0x300 && in(marks, c); }
inline bool is_control(char32_t c) {
  return in(controls, c) || (c >= 0xE000 && c <= 0xF8FF) || c == 0xFFFD;
}
inline bool is_space(char32_t c) {
  return c == ' ' || (c >= 9 && c <= 13 && c != 11 && c != 12) || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
         c == 0x3000;
}
inline bool is_punctuation(
    char32_t c) {  // all of ASCII's signs, such as $ and ^, whatever Unicode calls them
  if (c < 128) {
    return (c > 32 && c < 48) || (c > 57 && c < 65) || (c > 90 && c < 97) || (c > 122 && c < 127);
  }
  return in(punctuation, c);
}
inline bool is_ideograph(char32_t c) {
  return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x20000 && c <= 0x2CEAF) ||
         (c >= 0x2F800 && c <= 0x2FA1F);
}

// The characters of UTF-8; what is not UTF-8 becomes U+FFFD, a byte at a time.
inline std::u32string decode(std::string_view s) {
  std::u32string r;
  for (size_t i = 0; i < s.size();) {
    const auto b = static_cast<unsigned char>(s[i]);
    const size_t n = b < 0x80                ? 1
                     : b >= 0xC2 && b < 0xE0 ? 2
                     : b >= 0xE0 && b < 0xF0 ? 3
                     : b >= 0xF0 && b < 0xF5 ? 4
                                             : 0;
    char32_t c = n == 1 ? b : b & (0x7Fu >> n);
    bool good = n && i + n <= s.size();
    for (size_t k = 1; good && k < n; ++k) {
      const auto next = static_cast<unsigned char>(s[i + k]);
      good = (next & 0xC0) == 0x80;
      c = c << 6 | (next & 0x3F);
    }
    const bool overlong = (n == 3 && c < 0x800) || (n == 4 && c < 0x10000);
    good = good && !overlong && c < 0x110000 && (c < 0xD800 || c > 0xDFFF);
    r += good ? c : char32_t(0xFFFD);
    i += good ? n : 1;
  }
  return r;
}
inline std::string encode(std::u32string_view s) {
  std::string r;
  for (char32_t c : s) {
    if (c < 0x80) {
      r += char(c);
    } else if (c < 0x800) {
      r += {char(0xC0 | c >> 6), char(0x80 | (c & 0x3F))};
    } else if (c < 0x10000) {
      r += {char(0xE0 | c >> 12), char(0x80 | (c >> 6 & 0x3F)), char(0x80 | (c & 0x3F))};
    } else {
      r += {char(0xF0 | c >> 18), char(0x80 | (c >> 12 & 0x3F)), char(0x80 | (c >> 6 & 0x3F)),
            char(0x80 | (c & 0x3F))};
    }
  }
  return r;
}

// One letter in lower case and without its accent.
inline char32_t fold(char32_t c) {
  if (c < 128) return c >= 'A' && c <= 'Z' ? c + 32 : c;
  static const auto table = [] {
    std::unordered_map<char32_t, char32_t> t;
    char32_t to = 0;
    for (char32_t ch : decode(folded)) {
      if (ch == ' ') {
        to = 0;
      } else if (!to) {
        to = ch;
      } else {
        t.emplace(ch, to);
      }
    }
    return t;
  }();
  if (const auto it = table.find(c); it != table.end()) return it->second;
  if ((c >= 0xC0 && c <= 0xDE && c != 0xD7) || (c >= 0x391 && c <= 0x3A9 && c != 0x3A2)) {
    return c + 32;
  }
  if (c >= 0x410 && c <= 0x42F) return c + 32;
  if (c >= 0x400 && c <= 0x40F) return c + 80;
  if (c >= 0x531 && c <= 0x556) return c + 48;
  return c;
}
// The same of a whole text; a Korean syllable comes apart into its letters.
inline std::u32string fold(std::u32string_view s) {
  std::u32string r;
  for (char32_t c : s) {
    if (is_mark(c)) continue;
    if (c < 0xAC00 || c > 0xD7A3) {
      r += fold(c);
      continue;
    }
    const char32_t at = c - 0xAC00;
    const char32_t last = at % 28;
    r += {char32_t(0x1100 + at / 588), char32_t(0x1161 + at % 588 / 28)};
    if (last) r += char32_t(0x11A7 + last);
  }
  return r;
}

}  // namespace unicode

class WordPiece {
 public:
  // A file with a piece a line, whose number is its id; pieces within a word begin with ##.
  explicit WordPiece(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw ember::IoError("cannot read " + path);
    std::vector<std::string> pieces;
    for (std::string line; std::getline(file, line);) {
      if (!line.empty() && line.back() == '\r') line.pop_back();
      pieces.push_back(std::move(line));
    }
    take(pieces);
  }
  explicit WordPiece(const std::vector<std::string>& pieces) { take(pieces); }

  int64_t id(const std::string& piece) const {
    const auto it = ids_.find(piece);
    return it == ids_.end() ? unknown_ : it->second;
  }

  // Words, lower-case and without accents; punctuation and ideographs are words of their own.
  static std::vector<std::u32string> words(std::string_view text) {
    std::u32string spaced;
    for (char32_t c : unicode::decode(text)) {
      if (unicode::is_space(c)) {
        spaced += U' ';
      } else if (unicode::is_ideograph(c)) {
        spaced += {U' ', c, U' '};
      } else if (!unicode::is_control(c)) {
        spaced += c;
      }
    }
    std::vector<std::u32string> r;
    bool open = false;  // the last word takes further letters
    for (char32_t c : unicode::fold(spaced)) {
      const bool alone = unicode::is_punctuation(c);
      if (c == U' ') {
        open = false;
        continue;
      }
      if (!open || alone) r.emplace_back();
      r.back() += c;
      open = !alone;
    }
    return r;
  }

  // [CLS], the pieces, [SEP]; a longer text is cut.
  std::vector<int64_t> encode(std::string_view text, size_t max_length = 256) const {
    if (max_length < 2) {
      throw ember::ValueError("[CLS] and [SEP] alone are longer than " +
                              std::to_string(max_length));
    }
    std::vector<int64_t> r = {cls_};
    for (const std::u32string& word : words(text)) {
      if (r.size() >= max_length) break;
      append(word, r);
    }
    r.resize(std::min(r.size(), max_length - 1));
    r.push_back(sep_);
    return r;
  }

 private:
  void take(const std::vector<std::string>& pieces) {
    for (size_t i = 0; i < pieces.size(); ++i) {
      ids_.emplace(pieces[i], int64_t(i));
      longest_ = std::max(longest_, unicode::decode(pieces[i]).size());
    }
    const auto need = [&](const char* piece) {
      const auto it = ids_.find(piece);
      if (it == ids_.end()) throw ember::ValueError(std::string("the vocabulary has no ") + piece);
      return it->second;
    };
    unknown_ = need("[UNK]");
    cls_ = need("[CLS]");
    sep_ = need("[SEP]");
  }

  // The longest piece that the word begins with, then the longest that the rest begins with; [UNK]
  // where there is none.
  void append(std::u32string_view word, std::vector<int64_t>& out) const {
    if (word.size() > 100) return out.push_back(unknown_);
    const size_t before = out.size();
    for (size_t at = 0; at < word.size();) {
      size_t n = std::min(word.size() - at, longest_);
      auto it = ids_.end();
      for (; n > 0 && it == ids_.end(); --n) {
        it = ids_.find((at ? "##" : "") + unicode::encode(word.substr(at, n)));
      }
      if (it == ids_.end()) {
        out.resize(before);
        return out.push_back(unknown_);
      }
      out.push_back(it->second);
      at += n + 1;
    }
  }

  std::unordered_map<std::string, int64_t> ids_;
  size_t longest_ = 0;
  int64_t unknown_ = 0, cls_ = 0, sep_ = 0;
};
