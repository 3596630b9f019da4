// The sentence encoder of the examples: its tokenizer with a small vocabulary, and its vectors
// compared with torch's.
#include "examples/minilm.h"

#include <algorithm>
#include <cmath>
#include <fstream>

#include "tests/engines/each_engine.h"

namespace ember {
namespace {

using Ids = std::vector<int64_t>;
using Words = std::vector<std::u32string>;

const std::vector<std::string> pieces = {
    "[PAD]", "[UNK]", "[CLS]", "[SEP]", "un",  "##aff", "##able", "the",  "cafe", "!",    ",",
    "##s",   "东",    "京",    "a",     "##a", "$",     "мир",    "##br", "uber", "αθηνα"};
Ids ids(const std::string& text, size_t max_length = 256) {
  static const WordPiece tokens(pieces);
  return tokens.encode(text, max_length);
}

TEST(WordPiece, CutsWordsIntoTheLongestPieces) {
  EXPECT_EQ(ids("unaffable"), (Ids{2, 4, 5, 6, 3}));
  EXPECT_EQ(ids("the unaffables"), (Ids{2, 7, 4, 5, 6, 11, 3}));
  EXPECT_EQ(ids("unaffablex"),
            (Ids{2, 1, 3}));  // a word that cannot be split completely is one unknown token
  EXPECT_EQ(ids("unknown"), (Ids{2, 1, 3}));
  EXPECT_EQ(ids("thethe"), (Ids{2, 1, 3}));  // "the" is a beginning, not a continuation
  EXPECT_EQ(ids("aff"), (Ids{2, 1, 3}));     // "##aff" is a continuation, not a beginning
  EXPECT_EQ(ids(""), (Ids{2, 3}));
  EXPECT_EQ(ids(" \t\r\n "), (Ids{2, 3}));
}
TEST(WordPiece, MakesWordsLowerCaseWithoutAccents) {
  EXPECT_EQ(ids("The CAFÉ"), (Ids{2, 7, 8, 3}));
  EXPECT_EQ(ids("cafe\u0301"), (Ids{2, 8, 3}));  // a combining accent
  EXPECT_EQ(ids("Über МИР"), (Ids{2, 19, 17, 3}));
  EXPECT_EQ(ids("Αθήνα ΑΘΉΝΑ"), (Ids{2, 20, 20, 3}));
  EXPECT_EQ(WordPiece::words("Ǻ İstanbul Ёлка straße ﬁn"),
            (Words{U"a", U"istanbul", U"елка", U"straße", U"ﬁn"}));
  EXPECT_EQ(WordPiece::words("한글 ガギ"),
            (Words{U"\u1112\u1161\u11ab\u1100\u1173\u11af", U"カキ"}));
}
TEST(WordPiece, PutsPunctuationAndIdeographsApart) {
  EXPECT_EQ(ids("cafe,the!!"), (Ids{2, 8, 10, 7, 9, 9, 3}));
  EXPECT_EQ(ids("a$a"), (Ids{2, 14, 16, 14, 3}));
  EXPECT_EQ(ids("the东京cafe"), (Ids{2, 7, 12, 13, 8, 3}));
  EXPECT_EQ(WordPiece::words("a–b «c» d…e 「f」 1_2 x=y"),
            (Words{U"a", U"–", U"b", U"«", U"c", U"»", U"d", U"…", U"e", U"「", U"f", U"」", U"1",
                   U"_", U"2", U"x", U"=", U"y"}));
}
TEST(WordPiece, PassesOverWhatIsNoText) {
  EXPECT_EQ(ids("c\x01"
                "af\u200B"
                "e\uFEFF"),
            (Ids{2, 8, 3}));
  EXPECT_EQ(ids("the\u00A0cafe\u3000the"), (Ids{2, 7, 8, 7, 3}));
  // Not UTF-8.
  EXPECT_EQ(ids("ca\xFF\xC0\xAF\xED\xA0\x80"
                "fe\xE2\x82"),
            (Ids{2, 8, 3}));
  EXPECT_EQ(ids(std::string("ca\0fe", 5)), (Ids{2, 8, 3}));
  EXPECT_EQ(ids("the \U0001F600 a"), (Ids{2, 7, 1, 14, 3}));
}
TEST(WordPiece, HasLimits) {
  EXPECT_EQ(ids(std::string(100, 'a')).size(), 102u);
  EXPECT_EQ(ids(std::string(101, 'a')), (Ids{2, 1, 3}));
  EXPECT_EQ(ids("the the the the", 5), (Ids{2, 7, 7, 7, 3}));
  EXPECT_EQ(ids("the unaffable", 4), (Ids{2, 7, 4, 3}));
  EXPECT_EQ(ids("the", 2), (Ids{2, 3}));
  EXPECT_THROW(ids("the", 1), ValueError);
  EXPECT_THROW(WordPiece({"[PAD]", "[UNK]", "[CLS]"}), ValueError);
  EXPECT_THROW(WordPiece(std::string("no/such/file")), IoError);
}
TEST(WordPiece, ReadsAFile) {
  const auto path = std::filesystem::path(testing::TempDir()) / "ember_pieces.txt";
  std::ofstream(path) << "[UNK]\n[CLS]\r\n[SEP]\nthe\n";
  EXPECT_EQ(WordPiece(path.string()).encode("The the"), (Ids{1, 3, 3, 2}));
  std::filesystem::remove(path);
}

// The first numbers of each vector and the cosines, as printed by bench/minilm_torch.py with torch
// 2.15.0.
const std::vector<std::string> sentences = {"A cat sits on the window sill.",
                                            "The kitten is resting by the window.",
                                            "Stock prices fell sharply on Monday.",
                                            "Ein Café in Zürich – 東京で会いましょう!",
                                            "antidisestablishmentarianism; $3.50 (50% off)",
                                            ""};
constexpr size_t count = 6;
const double first[count][8] = {
    {0.1006691, -0.0115505, -0.0137158, 0.0541486, -0.0698893, -0.0075353, 0.0761074, 0.0342112},
    {0.0895369, 0.0169581, -0.0147031, 0.0445823, 0.0204412, 0.0671221, -0.0408242, 0.0000306},
    {0.0188461, -0.0134097, 0.1058566, 0.0266274, -0.0143676, 0.0272747, -0.0553509, 0.0715885},
    {0.0219506, 0.0909346, 0.0242669, 0.0303930, 0.0039897, 0.0463327, 0.0720652, 0.0088131},
    {0.0561692, 0.0685259, 0.0167495, 0.0451009, -0.0430564, -0.0516140, 0.0716943, -0.0345863},
    {-0.1188385, 0.0482987, -0.0025482, -0.0110113, 0.0519508, 0.0102917, 0.1154333, 0.0007008}};
const double cosines[count][count] = {
    {1.000000, 0.685558, 0.048433, 0.040903, 0.031768, 0.025159},
    {0.685558, 1.000000, 0.046602, 0.025043, -0.020254, 0.003082},
    {0.048433, 0.046602, 1.000000, 0.072970, 0.026328, -0.060895},
    {0.040903, 0.025043, 0.072970, 1.000000, 0.131512, 0.135120},
    {0.031768, -0.020254, 0.026328, 0.131512, 1.000000, 0.150010},
    {0.025159, 0.003082, -0.060895, 0.135120, 0.150010, 1.000000}};

struct MiniLMTest : testing::TestWithParam<std::string> {
  std::string folder;
  void SetUp() override {
    folder = MiniLM::find();
    if (folder.empty()) folder = MiniLM::find(EMBER_SOURCE_DIR "/build/models/minilm");
    if (folder.empty()) GTEST_SKIP() << "no all-MiniLM-L6-v2; `make models` fetches it";
  }
};

TEST_P(MiniLMTest, GivesTorchsVectors) {
  const with_backend scope(GetParam());
  const uint64_t before = counters().fallbacks;
  MiniLM model(folder);
  EXPECT_EQ(model.tokens.encode(sentences[0]),
            (Ids{101, 1037, 4937, 7719, 2006, 1996, 3332, 9033, 3363, 1012, 102}));
  EXPECT_EQ(model.tokens.encode(sentences[3]),
            (Ids{101, 16417, 7668, 1999, 10204, 1516, 1879, 1755, 1665, 1763, 100, 999, 102}));
  const Tensor x = model.encode(sentences);
  EXPECT_EQ(x.shape(), (Shape{int64_t(count), 384}));
  EXPECT_EQ(x.backend(), GetParam());
  const auto vectors = x.to_vector<float>();
  const auto alike = ops::matmul(x, ops::matrix_transpose(x)).to_vector<float>();
  double apart = 0;
  for (size_t i = 0; i < count; ++i) {
    for (size_t k = 0; k < 8; ++k) {
      apart = std::max(apart, std::abs(vectors[i * 384 + k] - first[i][k]));
    }
    for (size_t k = 0; k < count; ++k) {
      apart = std::max(apart, std::abs(alike[i * count + k] - cosines[i][k]));
    }
  }
  EXPECT_LE(apart, 1e-5);  // the requirement is 1e-4
  RecordProperty("largest_difference", std::to_string(apart));
  // These do not have erfc, which gelu needs for very negative x.
  if (GetParam() != "numpy" && GetParam() != "onnxruntime") {
    EXPECT_EQ(counters().fallbacks, before);
  }
}
// A sentence's vector does not depend on the batch.
TEST_P(MiniLMTest, FillingUpChangesNothing) {
  const with_backend scope(GetParam());
  MiniLM model(folder);
  const auto all = model.encode(sentences).to_vector<float>();
  const auto alone = model.encode({sentences[1]}).to_vector<float>();
  for (size_t k = 0; k < 384; ++k) ASSERT_NEAR(all[384 + k], alone[k], 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Engines, MiniLMTest, testing::ValuesIn(test_engines()),
                         [](const auto& info) { return info.param; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(MiniLMTest);

}  // namespace
}  // namespace ember
