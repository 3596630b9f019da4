// Files: written files are read back, files of other libraries are read correctly, and everything
// else is an error that names the file.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "src/io/atomic_file.h"
#include "src/io/npy.h"
#include "src/io/npz.h"
#include "src/io/safetensors.h"

namespace ember::io {
namespace {

namespace fs = std::filesystem;

class Io : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/ember-io-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  std::string at(const std::string& name) const { return folder_ + "/" + name; }
  std::string put(const std::string& name, const std::string& bytes) const {
    std::ofstream(at(name), std::ios::binary) << bytes;
    return at(name);
  }
  static std::string get(const std::string& path) {
    std::ifstream f(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(f), {}};
  }
  size_t files() const {
    return size_t(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  // The call throws E, whose message contains the file's name and this text.
  template <class E>
  static void refuses(const std::function<void()>& call, const std::string& text,
                      const std::string& file = "") {
    try {
      call();
      ADD_FAILURE() << "no error, but expected: " << text;
    } catch (const E& e) {
      EXPECT_NE(std::string(e.what()).find(text), std::string::npos)
          << e.what() << "\nexpected: " << text;
      EXPECT_NE(std::string(e.what()).find(file), std::string::npos) << e.what();
    } catch (const std::exception& e) {
      ADD_FAILURE() << "another kind of error: " << e.what();
    }
  }
  std::string folder_;
};

std::string little(uint64_t v, int bytes) {
  std::string s;
  append_little(s, v, bytes);
  return s;
}
std::string safetensors(const std::string& header, const std::string& data = "") {
  return little(header.size(), 8) + header + data;
}
std::string npy(const std::string& dict, const std::string& data = "", int version = 1) {
  std::string s =
      "\x93NUMPY" + little(uint64_t(version), 2) + little(dict.size(), version == 1 ? 2 : 4) + dict;
  return s + data;
}
std::string raw(std::initializer_list<int> bytes) { return {bytes.begin(), bytes.end()}; }

template <class T> ArrayView view(const std::vector<T>& v, Shape shape) {
  return {dtype_of<T>, std::move(shape), v.data()};
}
template <class T> std::vector<T> values(const HostArray& a) {
  EXPECT_EQ(a.dtype, dtype_of<T>);
  const T* p = reinterpret_cast<const T*>(a.data());
  return std::vector<T>(p, p + a.bytes() / sizeof(T));
}
bool same_bytes(const HostArray& a, const ArrayView& b) {
  return a.dtype == b.dtype && a.shape == b.shape &&
         (b.bytes() == 0 || std::memcmp(a.data(), b.data, b.bytes()) == 0);
}

TEST_F(Io, SafetensorsRoundTripsEveryDType) {
  std::vector<std::vector<unsigned char>> data;
  std::vector<NamedView> arrays;
  for (const DType d : {bool_, uint8, int8, int16, uint16, int32, uint32, int64, uint64, float16,
                        bfloat16, float32, float64, complex64}) {
    auto& bytes = data.emplace_back(6 * size_of(d));
    for (size_t i = 0; i < bytes.size(); ++i) {
      bytes[i] = d == bool_ ? i % 2 : static_cast<unsigned char>(i * 37 + 11);
    }
    arrays.emplace_back(std::string(name(d)), ArrayView{d, {2, 3}, bytes.data()});
  }
  arrays.emplace_back("zero-d", ArrayView{float64, {}, data[12].data()});
  arrays.emplace_back("empty", ArrayView{float32, {3, 0, 2}, nullptr});
  write_safetensors(at("a.safetensors"), arrays,
                    {{"format", "pt"}, {"note", "line\nline\x01\"\\"}});
  for (const bool map : {false, true}) {
    Metadata metadata;
    const NamedArrays back = read_safetensors(at("a.safetensors"), &metadata, map);
    EXPECT_EQ(metadata, (Metadata{{"format", "pt"}, {"note", "line\nline\x01\"\\"}}));
    ASSERT_EQ(back.size(), arrays.size());
    for (size_t i = 0; i < back.size(); ++i) {
      EXPECT_EQ(back[i].first, arrays[i].first);
      EXPECT_TRUE(same_bytes(back[i].second, arrays[i].second)) << back[i].first;
    }
  }
  write_safetensors(at("none.safetensors"), {});
  EXPECT_TRUE(read_safetensors(at("none.safetensors"), nullptr, true).empty());
}

TEST_F(Io, SafetensorsNamesMayBeAnyText) {
  const std::vector<float> v{1};
  const std::vector<std::string> names{"%n%s",
                                       std::string("nul\0in", 6),
                                       "new\nline",
                                       "\x1b[31mred",
                                       "gr\xc3\xbc\xc3\x9f",
                                       "\xf0\x9f\x94\xa5",
                                       "",
                                       "../x",
                                       "\"\\"};
  std::vector<NamedView> arrays;
  for (const std::string& n : names) arrays.emplace_back(n, view(v, {1}));
  write_safetensors(at("n.safetensors"), arrays);
  const NamedArrays back = read_safetensors(at("n.safetensors"));
  for (size_t i = 0; i < names.size(); ++i) EXPECT_EQ(back[i].first, names[i]);
  const std::string header =
      "{\"\\u00e9\\ud83d\\udd25\\u0000\\/"
      "\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}";
  EXPECT_EQ(read_safetensors(put("e.safetensors", safetensors(header, "x")))[0].first,
            std::string("\xc3\xa9\xf0\x9f\x94\xa5\0/", 8));
}

TEST_F(Io, SafetensorsTakesPaddingAnyOrderAndStrangeBools) {
  const std::string header =
      "{ \"b\" : {\"data_offsets\":[4,7],\"shape\":[3],\"dtype\":\"BOOL\"}, "
      "\"a\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[0,4]}}   ";
  const auto back = read_safetensors(
      put("p.safetensors", safetensors(header, raw({0, 0, 128, 63, 2, 0, 255}))), nullptr, true);
  EXPECT_EQ(back[0].first, "b");
  EXPECT_EQ(values<bool>(back[0].second), (std::vector<bool>{true, false, true}));
  EXPECT_EQ(values<float>(back[1].second), std::vector<float>{1});
}

TEST_F(Io, SafetensorsRefusesBadFiles) {
  const auto one = [](const std::string& fields) { return "{\"a\":{" + fields + "}}"; };
  const std::string good = "\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]";
  const auto two = [](const std::string& a, const std::string& b) {
    return "{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":" + a +
           "},\"b\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":" + b + "}}";
  };
  const std::string deep(100000, '[');
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "it has 0 bytes"},
      {"1234567", "it has 7 bytes"},
      {little(2, 8), "truncated"},
      {little(UINT64_MAX, 8) + "{}", "the limit is 100000000"},
      {little(1000, 8) + "{}", "truncated: the header has 1000 bytes"},
      {little(100000001, 8) + "{}", "the limit is 100000000"},
      {safetensors("[]"), "must begin with '{'"},
      {safetensors(" {}"), "must begin with '{'"},
      {safetensors("{\"\xff\":1}"), "not UTF-8"},
      {safetensors("{nonsense"), "expected '\"' at byte 1"},
      {safetensors("{}x"), "expected nothing more"},
      {safetensors("{\"a\":1}"), "expected '{'"},
      {safetensors("{" + deep), "expected '\"'"},
      {safetensors("{\"a\":" + deep), "expected '{'"},
      {safetensors(one("\"dtype\":" + deep)), "expected '\"'"},
      {safetensors(one("\"shape\":" + deep)), "expected a whole number"},
      {safetensors(one("\"other\":" + deep)), "unknown field \"other\""},
      {safetensors(two("[0,2]", "[1,3]"), "xxx"), "overlaps"},
      {safetensors(two("[0,2]", "[0,2]"), "xx"), "overlaps"},
      {safetensors(two("[0,2]", "[3,5]"), "xxxxx"), "leaves a hole"},
      {safetensors(two("[1,3]", "[3,5]"), "xxxxx"), "leaves a hole"},
      {safetensors(two("[2,0]", "[2,4]"), "xxxx"), "decrease"},
      {safetensors(two("[0,2]", "[2,4]"), "xxx"), "end past the file"},
      {safetensors(two("[0,2]", "[18446744073709551614,18446744073709551615]"), "xxx"),
       "end past the file"},
      {safetensors(two("[0,2]", "[2,99999999999999999999]"), "xxx"), "over 2^64"},
      {safetensors(one(good), "xx trailing"), "9 bytes after the last tensor"},
      {safetensors(
           one("\"dtype\":\"U8\",\"shape\":[4294967296,4294967296],\"data_offsets\":[0,0]")),
       "overflows"},
      {safetensors(
           one("\"dtype\":\"U8\",\"shape\":[4294967296,4294967296,0],\"data_offsets\":[0,0]")),
       "overflows"},
      {safetensors(one("\"dtype\":\"U8\",\"shape\":[9223372036854775808],\"data_offsets\":[0,0]")),
       "too large"},
      {safetensors(one("\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,4]"), "xxxx"),
       "dtype and shape need 8"},
      {safetensors(one("\"dtype\":\"F8_E4M3\",\"shape\":[2],\"data_offsets\":[0,2]"), "xx"),
       "\"F8_E4M3\" is not supported"},
      {safetensors(one("\"dtype\":\"U8\",\"shape\":[-2],\"data_offsets\":[0,2]"), "xx"),
       "not negative"},
      {safetensors(one("\"dtype\":\"U8\",\"shape\":[2.0],\"data_offsets\":[0,2]"), "xx"),
       "a whole number"},
      {safetensors(one("\"dtype\":\"U8\",\"shape\":[02],\"data_offsets\":[0,2]"), "xx"),
       "a whole number"},
      {safetensors(one("\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2,3]"), "xx"),
       "two numbers"},
      {safetensors(one("\"dtype\":\"U8\",\"shape\":[2]"), "xx"),
       "needs dtype, shape and data_offsets"},
      {safetensors(one(good + ",\"shape\":[2]"), "xx"), "\"shape\" occurs twice"},
      {safetensors("{\"a\":{" + good + "},\"a\":{" + good + "}}", "xx"), "\"a\": occurs twice"},
      {safetensors("{\"__metadata__\":{\"k\":1}}"), "\"k\" is not a string"},
      {safetensors("{\"__metadata__\":{\"k\":null}}"), "\"k\" is not a string"},
      {safetensors("{\"__metadata__\":{\"k\":\"\",\"k\":\"\"}}"), "\"k\" occurs twice"},
      {safetensors("{\"__metadata__\":{},\"__metadata__\":{}}"), "__metadata__ twice"},
      {safetensors("{\"__metadata__\":[]}"), "expected '{'"},
      {safetensors("{\"\\ud800\":{" + good + "}}", "xx"), "surrogate"},
      {safetensors("{\"a\nb\":{" + good + "}}", "xx"), "control character"},
      {raw({0x80, 4, 0x95, 1, 0, 0, 0, 0, 0, 0, 0}), "pickle"},
      {std::string("PK\x03\x04\0\0\0\0", 8) + std::string(22, 'x') + "archive/data.pkl",
       "safetensors.torch.save_file"},
      {"GGUF............", "GGUF"},
      {"version https://git-lfs.github.com/spec/v1", "git lfs pull"},
  };
  for (const auto& [bytes, text] : cases) {
    for (const bool map : {false, true}) {
      refuses<IoError>([&] { read_safetensors(put("bad.safetensors", bytes), nullptr, map); }, text,
                       "bad.safetensors");
    }
  }
  std::string dims = "1";
  for (int i = 0; i < 64; ++i) dims += ",1";
  refuses<IoError>(
      [&] { read_safetensors(put("d.safetensors", safetensors(one("\"shape\":[" + dims + "]")))); },
      "more than 64 dimensions");
}

TEST_F(Io, SafetensorsHugeHeaderIsRefusedUnread) {
  const std::string path = put("huge.safetensors", little(600'000'000, 8) + "{");
  ASSERT_EQ(truncate(path.c_str(), 700'000'000), 0);
  refuses<IoError>([&] { read_safetensors(path); }, "the limit is 100000000");
}

TEST_F(Io, SavingRefusesWhatTheFormatCannotHold) {
  const std::vector<float> v{1};
  const NamedView a{"a", view(v, {1})};
  const NamedView wide{"w", {complex128, {0}, nullptr}};
  const NamedView four{"w", {int4, {0}, nullptr}};
  const NamedView b16{"w", {bfloat16, {0}, nullptr}};
  const auto st = [&](const NamedView& n) { write_safetensors(at("x"), std::vector{n}); };
  const auto nz = [&](const NamedView& n) { write_npz(at("x"), std::vector{n}); };
  refuses<ValueError>([&] { write_safetensors(at("x"), std::vector{a, a}); },
                      "two tensors have the name \"a\"");
  refuses<ValueError>([&] { st({"__metadata__", a.second}); }, "__metadata__");
  refuses<ValueError>([&] { st({"\xff", a.second}); }, "\"\\xff\" is not UTF-8");
  refuses<ValueError>([&] { write_safetensors(at("x"), std::vector{a}, {{"k", "\xc3"}}); },
                      "not UTF-8");
  refuses<DTypeError>([&] { st(wide); }, "complex128");
  refuses<DTypeError>([&] { st(four); }, "int4");
  refuses<DTypeError>([&] { nz(four); }, "int4");
  refuses<DTypeError>([&] { nz(b16); }, "safetensors");
  refuses<DTypeError>([&] { write_npy(at("x"), b16.second); }, "safetensors");
  refuses<ValueError>([&] { write_npz(at("x"), std::vector{a, a}); },
                      "two arrays have the name \"a\"");
  refuses<ValueError>([&] { nz({std::string("a\0b", 3), a.second}); }, "NUL");
  refuses<ValueError>([&] { nz({"\xff", a.second}); }, "UTF-8");
  refuses<ValueError>([&] { nz({std::string(70000, 'x'), a.second}); }, "too long");
  refuses<ValueError>([&] { write_npy(std::string("a\0b", 3), a.second); }, "NUL");
  refuses<ValueError>([&] { read_npy(std::string("a\0b", 3)); }, "NUL");
  EXPECT_EQ(files(), 0u);
}

TEST_F(Io, NpyRoundTripsEveryDType) {
  for (const DType d : {bool_, uint8, int8, int16, uint16, int32, uint32, int64, uint64, float16,
                        float32, float64, complex64, complex128}) {
    for (const Shape& shape : {Shape{}, Shape{3}, Shape{2, 3}, Shape{0, 3}, Shape{1, 2, 3}}) {
      const size_t n = size_t(ember::size_of(shape)) * size_of(d);
      std::vector<unsigned char> bytes(n + 1);
      for (size_t i = 0; i < n; ++i) {
        bytes[i] = d == bool_ ? i % 2 : static_cast<unsigned char>(i * 29 + 3);
      }
      write_npy(at("a.npy"), {d, shape, bytes.data()});
      for (const bool map : {false, true}) {
        EXPECT_TRUE(same_bytes(read_npy(at("a.npy"), map), {d, shape, bytes.data()}))
            << name(d) << to_string(shape);
      }
    }
  }
}

TEST_F(Io, NpyHeaderIsNumPys) {
  const std::vector<float> v(6);
  EXPECT_EQ(npy_header(view(v, {2, 3})),
            "\x93NUMPY" + std::string("\x01\0\x76\0", 4) +
                "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }" +
                std::string(58, ' ') + "\n");
  EXPECT_NE(npy_header(view(v, {6})).find("'shape': (6,), }"), std::string::npos);
  EXPECT_NE(npy_header({bool_, {}, v.data()})
                .find("{'descr': '|b1', 'fortran_order': False, 'shape': (), }"),
            std::string::npos);
}

TEST_F(Io, NpyConvertsOrders) {
  for (int version = 1; version <= 3; ++version) {
    const std::string dict = "{'shape': (2L, 3), \"fortran_order\": True, 'descr': '>i2'}\n";
    const auto a =
        read_npy(put("f.npy", npy(dict, raw({0, 1, 0, 4, 0, 2, 0, 5, 0, 3, 0, 6}), version)), true);
    EXPECT_EQ(values<int16_t>(a), (std::vector<int16_t>{1, 2, 3, 4, 5, 6}));
  }
  // Column-major in four dimensions: element [i, j, k, l] is at i + 3 (j + 40 (k + 2 l)).
  const Shape shape{3, 40, 2, 35};
  std::vector<int32_t> columns(3 * 40 * 2 * 35);
  std::vector<int32_t> rows;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 40; ++j) {
      for (int k = 0; k < 2; ++k) {
        for (int l = 0; l < 35; ++l) {
          columns[size_t(i + 3 * (j + 40 * (k + 2 * l)))] = int32_t(rows.size());
          rows.push_back(int32_t(rows.size()));
        }
      }
    }
  }
  const std::string bytes(reinterpret_cast<const char*>(columns.data()), columns.size() * 4);
  EXPECT_EQ(values<int32_t>(read_npy(put(
                "g.npy",
                npy("{'descr': '<i4', 'fortran_order': True, 'shape': (3, 40, 2, 35), }", bytes)))),
            rows);
  const auto c =
      read_npy(put("c.npy", npy("{'descr': '>c8', 'fortran_order': False, 'shape': (1,), }",
                                raw({63, 128, 0, 0, 64, 0, 0, 0}))));
  EXPECT_EQ(values<std::complex<float>>(c)[0], (std::complex<float>(1, 2)));
  const auto b = read_npy(put(
      "b.npy", npy("{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }", raw({7, 0, 1}))));
  EXPECT_EQ(values<bool>(b), (std::vector<bool>{true, false, true}));
}

TEST_F(Io, NpyRefusesBadFiles) {
  const auto dict = [](const std::string& descr, const std::string& shape) {
    return "{'descr': " + descr + ", 'fortran_order': False, 'shape': " + shape + ", }";
  };
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "not an .npy file"},
      {"\x93NUM", "not an .npy file"},
      {"something else entirely", "not an .npy file"},
      {raw({0x80, 4, 0x95, 1, 0, 0, 0, 0, 0, 0, 0}), "pickle"},
      {npy(dict("'|O'", "(1,)"), "xxxxxxxx"), "never unpickles"},
      {npy(dict("'O'", "(1,)"), "xxxxxxxx"), "never unpickles"},
      {npy(dict("[('a', '<i4')]", "(1,)"), "xxxx"), "structured"},
      {npy(dict("'<V2'", "(1,)"), "xx"), "bfloat16"},
      {npy(dict("'<U3'", "(1,)"), "xx"), "\"<U3\" is not supported"},
      {npy(dict("'<M8[s]'", "(1,)"), "xx"), "is not supported"},
      {npy(dict("'<f16'", "(1,)"), std::string(16, 'x')), "is not supported"},
      {npy(dict("'<i3'", "(1,)"), "xx"), "is not supported"},
      {npy(dict("''", "(1,)"), "xx"), "is not supported"},
      {npy(dict("'<f4\x1b'", "(1,)"), "xx"), "\\x1b"},
      {npy(dict("'<f4'", "(1000000000000000000,)")), "too large"},
      {npy(dict("'|u1'", "(100000000000000000,)")),
       "truncated: shape [100000000000000000] of uint8 takes"},
      {npy(dict("'|u1'", "(4294967296, 4294967296)")), "overflows"},
      {npy(dict("'|u1'", "(4294967296, 4294967296, 0)")), "overflows"},
      {npy(dict("'<f4'", "(-1,)")), "not negative"},
      {npy(dict("'<f4'", "(2)"), "xxxxxxxx"), "expected ','"},
      {npy(dict("'<f4'", "2"), "xxxxxxxx"), "expected '('"},
      {npy(dict("'<f4'", std::string(1000, '(')), "x"), "whole number"},
      {npy(dict("'<f4'", "(2,)"), "xxxxxxx"), "truncated"},
      {npy(dict("'<f4'", "(2,)"), "xxxxxxxxx"), "bytes after the array"},
      {npy("{'descr': '<f4', 'shape': (2,)}", "xxxxxxxx"), "needs descr, fortran_order and shape"},
      {npy("{'descr': '<f4', 'descr': '<f4'}", "x"), "\"descr\" twice"},
      {npy("{'descr': '<f4', 'evil': 1}", "x"), "unknown key \"evil\""},
      {npy("__import__('os').system('true')"), "expected '{'"},
      {npy("{'descr': '<f4"), "the end of a string"},
      {npy("{"), "a string"},
      {npy(""), "expected '{'"},
      {npy(dict("'<f4'", "()") + " junk", "xxxx"), "nothing more"},
      {npy(dict("'<f4'", "()"), "xxxx", 4), "version 4.0"},
      {npy(dict("'<f4'", "()"), "xxxx", 0), "version 0.0"},
      {"\x93NUMPY" + std::string("\x01\0\xff\xff", 4) + "{", "truncated inside the header"},
      {"\x93NUMPY" + std::string("\x02\0\xff\xff\xff\xff", 6) + "{",
       "a header of 4294967295 bytes"},
      {"\x93NUMPY" + std::string("\x02\0\xff", 3), "not an .npy file"},
      {"\x93NUMPY" + std::string("\x02\0\xff\0", 4), "truncated inside the header"},
  };
  for (const auto& [bytes, text] : cases) {
    for (const bool map : {false, true}) {
      refuses<IoError>([&] { read_npy(put("bad.npy", bytes), map); }, text, "bad.npy");
    }
  }
  std::string dims = "(";
  for (int i = 0; i < 65; ++i) dims += "1,";
  refuses<IoError>([&] { read_npy(put("d.npy", npy(dict("'|u1'", dims + ")"), "x"))); },
                   "more than 64 dimensions");
}

TEST_F(Io, NpzRoundTrips) {
  std::vector<double> big(100000);
  for (size_t i = 0; i < big.size(); ++i) big[i] = double(i % 97);
  const std::vector<int64_t> small{-1, 2};
  const bool yes = true;
  const std::vector<NamedView> arrays{{"big", view(big, {100, 1000})},
                                      {"../../x", view(small, {2})},
                                      {"gr\xc3\xbc\xc3\x9f\n%n", {bool_, {}, &yes}},
                                      {"empty", {float32, {0}, nullptr}},
                                      {"arr.npy", view(small, {1, 2})}};
  for (const bool compressed : {false, true}) {
    write_npz(at("a.npz"), arrays, compressed);
    EXPECT_EQ(fs::file_size(at("a.npz")) < 100000, compressed);
    const NamedArrays back = read_npz(at("a.npz"));
    ASSERT_EQ(back.size(), arrays.size());
    for (size_t i = 0; i < back.size(); ++i) {
      EXPECT_EQ(back[i].first, arrays[i].first);
      EXPECT_TRUE(same_bytes(back[i].second, arrays[i].second)) << back[i].first;
    }
  }
  write_npz(at("none.npz"), {});
  EXPECT_TRUE(read_npz(at("none.npz")).empty());
}

TEST_F(Io, NpzHoldsMoreEntriesThanTheOldFormat) {
  std::vector<NamedView> arrays;
  const std::vector<uint8_t> v{7};
  for (int i = 0; i < 66000; ++i) arrays.emplace_back(std::to_string(i), view(v, {}));
  write_npz(at("many.npz"), arrays);
  EXPECT_EQ(read_npz(at("many.npz")).size(), 66000u);
}

// An entry of a zip archive with arbitrary fields.
struct Item {
  std::string name, bytes;
  int flags = 0, method = 0;
  uint32_t crc = 0;
  uint64_t size = 0, packed = 0;
  std::string local_name;
  Item(std::string n, std::string b)
      : name(n), bytes(b), size(b.size()), packed(b.size()), local_name(n) {
    crc = uint32_t(crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), uInt(bytes.size())));
  }
};
std::string zip(const std::vector<Item>& items, bool share_first = false) {
  std::string out;
  std::string directory;
  for (const Item& i : items) {
    const uint64_t offset = share_first ? 0 : out.size();
    const std::string fields = little(20, 2) + little(uint64_t(i.flags), 2) +
                               little(uint64_t(i.method), 2) + little(0, 4) + little(i.crc, 4) +
                               little(i.packed, 4) + little(i.size, 4) + little(i.name.size(), 2) +
                               little(0, 2);
    if (offset == out.size()) out += "PK\x03\x04" + fields + i.local_name + i.bytes;
    directory += "PK\x01\x02" + little(20, 2) + fields + little(0, 8) + little(0, 2) +
                 little(offset, 4) + i.name;
  }
  const size_t start = out.size();
  return out + directory + "PK\x05\x06" + little(0, 4) + little(items.size(), 2) +
         little(items.size(), 2) + little(directory.size(), 4) + little(start, 4) + little(0, 2);
}

TEST_F(Io, NpzRefusesBadFiles) {
  const std::string array =
      npy("{'descr': '|u1', 'fortran_order': False, 'shape': (4,), }", "abcd");
  const Item good("a.npy", array);
  EXPECT_EQ(read_npz(put("ok.npz", zip({good, Item("folder/", "")}))).size(), 1u);
  const auto with = [&](const std::function<void(Item&)>& change) {
    Item i = good;
    change(i);
    return zip({i});
  };
  Item other = good;
  other.name = other.local_name = "b.npy";
  const std::string whole = zip({good});
  const std::string object =
      npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", "abcd");
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "not an .npz file"},
      {"nothing of the kind", "not an .npz file"},
      {array, "load it as .npy"},
      {whole.substr(0, whole.size() - 5), "truncated"},
      {whole.substr(0, 40), "truncated"},
      {whole.substr(20), "not an .npz file"},
      {zip({good, good}), "\"a.npy\": occurs twice"},
      {zip({good, Item("a", array)}), "\"a\": occurs twice"},
      {zip({good, other}, true), "another name"},
      {zip({Item("archive/data.pkl", "x")}), "PyTorch"},
      {zip({Item("x.txt", "some text, no array")}), "not an .npy file"},
      {zip({Item("x.npy", "")}), "not an .npy file"},
      {zip({Item("x.npy", object)}), "never unpickles"},
      {with([](Item& i) { i.flags = 1; }), "is encrypted"},
      {with([](Item& i) { i.method = 12; }), "compression method 12"},
      {with([](Item& i) { i.method = 8; }), "entry \"a.npy\": "},
      {with([](Item& i) { i.crc ^= 1; }), "checksum"},
      {with([](Item& i) { i.size += 1; }), "two sizes differ"},
      {with([](Item& i) { i.size = i.packed = 1000; }), "outside the archive"},
      {with([](Item& i) { i.size = i.packed = 0xffffffff; }), "outside the archive"},
      {with([](Item& i) {
         i.method = 8;
         i.size = 0xfffffffe;
       }),
       "zip bomb"},
      {with([](Item& i) { i.local_name = "b.npy"; }), "another name"},
      {with([](Item& i) { i.name = i.local_name = "\xff.npy"; }), "not UTF-8"},
      {with([](Item& i) { i.name = i.local_name = std::string("a\0.npy", 6); }), "NUL"},
      {with([](Item& i) {
         i.name = i.local_name = "\x1b[2J.npy";
         i.flags = 1;
       }),
       "\\x1b[2J"},
  };
  for (const auto& [bytes, text] : cases) {
    refuses<IoError>([&] { read_npz(put("bad.npz", bytes)); }, text, "bad.npz");
  }

  // Two entries with overlapping bytes.
  Item outer("a.npy", "");
  outer.bytes = zip({good}).substr(0, 30 + 5 + array.size());
  outer.size = outer.packed = outer.bytes.size();
  std::string nested = zip({outer, good});
  const size_t central = nested.rfind("PK\x01\x02");
  nested.replace(central + 42, 4, little(30 + 5, 4));
  nested.replace(central + 46, 5, "a.npy");
  nested.replace(nested.find("PK\x01\x02") + 46, 5, "c.npy");
  nested.replace(30, 5, "c.npy");
  refuses<IoError>([&] { read_npz(put("bad.npz", nested)); }, "overlaps", "bad.npz");
}

TEST_F(Io, NpzDeflatedPromisesAreKept) {
  const std::vector<uint8_t> zeros(1 << 20);
  write_npz(at("z.npz"), std::vector{NamedView{"z", view(zeros, {1 << 20})}}, true);
  const std::string good = get(at("z.npz"));
  EXPECT_LT(good.size(), 4000u);
  const size_t central = good.find("PK\x01\x02");
  const uint64_t size = load_little(&good[central + 24], 4);
  for (const int64_t change : {-1, 1, -1000}) {
    std::string bad = good;
    bad.replace(central + 24, 4, little(size + uint64_t(change), 4));
    refuses<IoError>([&] { read_npz(put("bad.npz", bad)); },
                     change > 0 ? "bytes after the array" : "truncated", "bad.npz");
  }
  for (size_t cut = 60; cut < central; cut += 97) {
    std::string bad = good;
    bad[cut] = char(bad[cut] ^ 0x55);
    EXPECT_THROW(read_npz(put("bad.npz", bad)), IoError) << cut;
  }
}

TEST_F(Io, EveryPrefixAndEveryFlippedByteEndsWell) {
  const std::vector<int32_t> v{1, 2, 3, 4};
  const NamedView a{"a", view(v, {2, 2})};
  const NamedView b{"b", view(v, {4})};
  write_safetensors(at("s"), std::vector{a, b}, {{"k", "v"}});
  write_npy(at("n"), a.second);
  write_npz(at("z"), std::vector{a, b}, true);
  const std::pair<std::string, std::function<void(const std::string&)>> readers[] = {
      {"s", [](const std::string& p) { read_safetensors(p); }},
      {"n", [](const std::string& p) { read_npy(p); }},
      {"z", [](const std::string& p) { read_npz(p); }}};
  for (const auto& [name, read] : readers) {
    const std::string good = get(at(name));
    for (size_t i = 0; i < good.size(); ++i) {
      EXPECT_THROW(read(put("bad", good.substr(0, i))), IoError) << name << " " << i;
    }
    for (size_t i = 0; i < good.size(); ++i) {
      std::string bad = good;
      bad[i] = char(bad[i] ^ (i % 9 == 8 ? 0xff : 1 << i % 9));
      try {
        read(put("bad", bad));
      } catch (const IoError&) {}
    }
  }
}

TEST_F(Io, PathsThatAreNoFiles) {
  const std::vector<float> v{1};
  mkfifo(at("fifo").c_str(), 0600);
  for (const auto& read :
       {std::function<void(const std::string&)>([](const std::string& p) { read_safetensors(p); }),
        std::function<void(const std::string&)>([](const std::string& p) { read_npy(p); }),
        std::function<void(const std::string&)>([](const std::string& p) { read_npz(p); })}) {
    refuses<IoError>([&] { read(at("absent")); }, "No such file", "absent");
    refuses<IoError>([&] { read(folder_); }, "directory", folder_);
    refuses<IoError>([&] { read(at("fifo")); }, "not a regular file", "fifo");
    refuses<IoError>([&] { read("/dev/zero"); }, "not a regular file");
    refuses<IoError>([&] { read(""); }, "No such file");
    refuses<IoError>([&] { read("a\n\x1b[31m"); }, "\"a\\n\\x1b[31m\"");
  }
  const auto save = [&](const std::string& p) { write_npy(p, view(v, {1})); };
  refuses<IoError>([&] { save(folder_); }, "directory", folder_);
  refuses<IoError>([&] { save(at("no/such/folder/x.npy")); }, "No such file", "x.npy");
  refuses<IoError>([&] { save(at("fifo")); }, "not a regular file", "fifo");
  refuses<IoError>([&] { save("/dev/full"); }, "not a regular file");
  refuses<IoError>([&] { save(""); }, "empty path");
  refuses<IoError>([&] { save(at("new/")); }, "", "new/");
  refuses<IoError>([&] { save("/proc/x.npy"); }, "cannot save", "x.npy");
  EXPECT_EQ(files(), 1u);
}

TEST_F(Io, AFullDiskLeavesTheOldFile) {
  const std::string path = put("x.npy", "the old file");
  const std::vector<float> v(1 << 20);
  struct rlimit old;
  getrlimit(RLIMIT_FSIZE, &old);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const struct rlimit small = {100000, old.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  refuses<IoError>([&] { write_npy(path, view(v, {1 << 20})); }, "cannot save: File too large",
                   "x.npy");
  refuses<IoError>(
      [&] { write_safetensors(path, std::vector{NamedView{"a", view(v, {1 << 20})}}); },
      "cannot save", "x.npy");
  refuses<IoError>([&] { write_npz(path, std::vector{NamedView{"a", view(v, {1 << 20})}}); },
                   "cannot save", "x.npy");
  setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(get(path), "the old file");
  EXPECT_EQ(files(), 1u);
}

TEST_F(Io, KillingASaveLeavesOneOfTheTwoFiles) {
  const std::vector<float> v(1 << 20, 1.5f);
  const std::vector<float> w(1 << 20, 2.5f);
  const std::string path = at("x.safetensors");
  write_safetensors(path, std::vector{NamedView{"a", view(v, {1 << 20})}});
  for (int i = 0; i < 20; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      try {
        for (;;) {
          write_safetensors(path, std::vector{NamedView{"a", view(w, {1 << 20})}});
          write_safetensors(path, std::vector{NamedView{"a", view(v, {1 << 20})}});
        }
      } catch (...) {}
      _exit(1);
    }
    usleep(unsigned(3000 + 1700 * i));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const auto back = read_safetensors(path);
    const auto got = values<float>(back[0].second);
    EXPECT_TRUE(got == v || got == w);
  }
}

TEST_F(Io, AKilledSaveLeavesNothing) {
#ifdef O_TMPFILE
  const int unnamed = open(at(".").c_str(), O_TMPFILE | O_WRONLY, 0666);
  if (unnamed < 0) GTEST_SKIP() << "this file system has no files without a name";
  close(unnamed);
  const std::vector<float> v(1 << 22, 1.5f);
  const pid_t child = fork();
  if (child == 0) {
    const rlimit small{1 << 20, 1 << 20};
    setrlimit(RLIMIT_FSIZE, &small);
    std::signal(SIGXFSZ, SIG_DFL);  // kills the process in the middle of the file
    write_safetensors(at("x.safetensors"), std::vector{NamedView{"a", view(v, {1 << 22})}});
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(files(), 0u);
#else
  GTEST_SKIP() << "this system has no files without a name";
#endif
}

TEST_F(Io, SavingKeepsLinksModesAndMappings) {
  const std::vector<float> v{1, 2};
  const std::vector<float> w{3, 4};
  write_npy(at("real.npy"), view(v, {2}));
  ASSERT_EQ(chmod(at("real.npy").c_str(), 0640), 0);
  fs::create_symlink("real.npy", at("link.npy"));
  const HostArray mapped = read_npy(at("link.npy"), true);
  write_npy(at("link.npy"), view(w, {2}));
  EXPECT_TRUE(fs::is_symlink(at("link.npy")));
  struct stat st;
  stat(at("real.npy").c_str(), &st);
  EXPECT_EQ(st.st_mode & 0777, 0640u);
  EXPECT_EQ(values<float>(mapped), v);
  EXPECT_EQ(values<float>(read_npy(at("real.npy"))), w);
  EXPECT_EQ(files(), 2u);
  if (getuid() != 0) {
    chmod(at("real.npy").c_str(), 0440);
    refuses<IoError>([&] { write_npy(at("real.npy"), view(v, {2})); }, "Permission denied",
                     "real.npy");
  }
  const mode_t mask = umask(027);
  write_npy(at("new.npy"), view(v, {2}));
  umask(mask);
  stat(at("new.npy").c_str(), &st);
  EXPECT_EQ(st.st_mode & 0777, 0640u);
}

TEST_F(Io, ALongFileNameAndManyThreads) {
  const std::vector<float> v(1000, 1);
  const std::vector<float> w(1000, 2);
  const std::string path = at(std::string(250, 'n') + ".npy");
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 10; ++i) write_npy(path, view(t % 2 ? v : w, {1000}));
    });
  }
  for (auto& t : threads) t.join();
  const auto got = values<float>(read_npy(path));
  EXPECT_TRUE(got == v || got == w);
  EXPECT_EQ(files(), 1u);
}

TEST(Printable, EscapesWhatDoesNotShow) {
  EXPECT_EQ(printable("plain %n name"), "\"plain %n name\"");
  EXPECT_EQ(printable(std::string("a\0b\n\x1b[31m", 9)), "\"a\\x00b\\n\\x1b[31m\"");
  EXPECT_EQ(printable("gr\xc3\xbc\xc3\x9f \xff \xc3"), "\"gr\xc3\xbc\xc3\x9f \\xff \\xc3\"");
  EXPECT_EQ(printable("\xe2\x80\xae"
                      "abc\xc2\x9b"),
            "\"\\u202eabc\\x9b\"");
  EXPECT_EQ(printable("\"\\"), "\"\\\"\\\\\"");
  EXPECT_LT(printable(std::string(100000, 'x')).size(), 400u);
  EXPECT_FALSE(valid_utf8("\xed\xa0\x80"));
  EXPECT_FALSE(valid_utf8("\xc0\x80"));
  EXPECT_FALSE(valid_utf8("\xf5\x80\x80\x80"));
  EXPECT_TRUE(valid_utf8("\xf4\x8f\xbf\xbf"));
}

}  // namespace
}  // namespace ember::io
