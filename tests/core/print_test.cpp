// Arrays as text: every expected string is the output of str() in NumPy 2.4.
#include "ember/print.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "ember/shape.h"

namespace ember {
namespace {

constexpr double nan = NAN, inf = INFINITY;

template <class T> std::string text(const Ints& shape, const T* data, const PrintOptions& o = {}) {
  Ints strides(shape.size());
  int64_t step = 1;
  for (size_t i = shape.size(); i-- > 0; step *= shape[i]) strides[i] = step;
  return format_array(dtype_of<T>, shape, strides, data, o);
}

using Change = void (*)(PrintOptions&);
template <class T>
void expect(
    const Ints& shape, std::initializer_list<T> values, const std::string& want,
    Change change = [](PrintOptions&) {}) {
  PrintOptions o;
  change(o);
  EXPECT_EQ(text(shape, values.begin(), o), want);
}
template <class T>
void expect(const Ints& shape, const std::vector<T>& values, const std::string& want) {
  EXPECT_EQ(text(shape, values.data()), want);
}

template <class T> std::vector<T> count(int n, T step = 1) {
  std::vector<T> v;
  for (int i = 0; i < n; ++i) v.push_back(T(i) * step);
  return v;
}

TEST(Print, Scalars) {
  expect<bool>({}, {true}, "True");
  expect<int32_t>({}, {-7}, "-7");
  expect<double>({}, {1.0}, "1.0");
  expect<double>({}, {1e+16}, "1e+16");
  expect<double>({}, {1e-05}, "1e-05");
  expect<float>({}, {0.1f}, "0.1");
  expect<float>({}, {1000000.0f}, "1e+06");
  expect<Half>({}, {Half(0.1f)}, "0.1");
  expect<Half>({}, {Half(1000.0f)}, "1e+03");
  expect<double>({}, {-0.0}, "-0.0");
  expect<double>({}, {nan}, "nan");
  expect<double>({}, {-inf}, "-inf");
  expect<std::complex<float>>({}, {{1.0, 2.0}}, "(1+2j)");
  expect<std::complex<double>>({}, {{0.0, 2.0}}, "2j");
  expect<std::complex<double>>({}, {{nan, -inf}}, "(nan-infj)");
}

TEST(Print, IntegersAndBools) {
  expect<bool>({3}, {true, false, true}, "[ True False  True]");
  expect<int64_t>({2}, {INT64_MIN, 9223372036854775807},
                  "[-9223372036854775808  9223372036854775807]");
  expect<uint64_t>({2}, {UINT64_MAX, 0}, "[18446744073709551615                    0]");
  expect<uint8_t>({2, 2}, {1, 20, 255, 0}, "[[  1  20]\n [255   0]]");
  expect<int16_t>({2, 1, 2}, {1, -2, 3, 4}, "[[[ 1 -2]]\n\n [[ 3  4]]]");
  expect<int64_t>({30}, count<int64_t>(30, 10),
                  "[  0  10  20  30  40  50  60  70  80  90 100 110 120 130 140 150 160 170\n"
                  " 180 190 200 210 220 230 240 250 260 270 280 290]");
}

TEST(Print, EmptyArrays) {
  expect<float>({0}, {}, "[]");
  expect<float>({0, 3}, {}, "[]");
  expect<double>({2, 0}, {}, "[]");
}

TEST(Print, Floats) {
  expect<double>({3}, {1.0, 2.5, -3.0}, "[ 1.   2.5 -3. ]");
  expect<double>({3}, {0.1, 0.2, 0.30000000000000004}, "[0.1 0.2 0.3]");
  expect<double>({3}, {1e-05, 1.0, 2.0}, "[1.e-05 1.e+00 2.e+00]");
  expect<double>({2}, {100000000.0, 1.0}, "[1.e+08 1.e+00]");
  expect<double>({2}, {1.0, 1001.0}, "[1.000e+00 1.001e+03]");
  expect<float>({2}, {1.0f, 1001.5f}, "[1.0000e+00 1.0015e+03]");
  expect<float>({3}, {0.1f, 0.33333334f, 16777216.0f},
                "[1.0000000e-01 3.3333334e-01 1.6777216e+07]");
  expect<Half>({3}, {Half(0.1f), Half(0.3333f), Half(2.0f)}, "[0.1    0.3333 2.    ]");
  expect<Half>({2}, {Half(65504.0f), Half(6e-08f)}, "[6.55e+04 5.96e-08]");
  expect<double>({4}, {nan, inf, -inf, 1.0}, "[ nan  inf -inf   1.]");
  expect<double>({2}, {nan, inf}, "[nan inf]");
  expect<double>({2}, {5e-324, 1.7976931348623157e+308}, "[4.94065646e-324 1.79769313e+308]");
  expect<double>({2}, {0.0, -0.0}, "[ 0. -0.]");
  expect<double>({2}, {1e+100, 1.0}, "[1.e+100 1.e+000]");
  expect<double>({2}, {5.684341886080802e-14, 5e-14}, "[5.68434189e-14 5.00000000e-14]");
  expect<double>({2, 2}, {1.0, 2.0, 3.0, 4.0}, "[[1. 2.]\n [3. 4.]]");
  expect<double>({2, 2, 2}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0},
                 "[[[1. 2.]\n  [3. 4.]]\n\n [[5. 6.]\n  [7. 8.]]]");
  expect<double>({1, 1, 1, 1}, {3.5}, "[[[[3.5]]]]");
  expect<double>({12}, count<double>(12, 1 / 7.),
                 "[0.         0.14285714 0.28571429 0.42857143 0.57142857 0.71428571\n"
                 " 0.85714286 1.         1.14285714 1.28571429 1.42857143 1.57142857]");
}

TEST(Print, Complex) {
  expect<std::complex<float>>({2}, {{1.0, 2.0}, {-0.5, -1.25}}, "[ 1. +2.j   -0.5-1.25j]");
  expect<std::complex<double>>({2}, {{1e-10, 1.0}, {nan, 10000000000.0}},
                               "[1.e-10+1.e+00j    nan+1.e+10j]");
}

TEST(Print, Summaries) {
  expect<int64_t>({1001}, count<int64_t>(1001), "[   0    1    2 ...  998  999 1000]");
  expect<int64_t>(
      {40, 30}, count<int64_t>(1200),
      "[[   0    1    2 ...   27   28   29]\n [  30   31   32 ...   57   58   59]\n"
      " [  60   61   62 ...   87   88   89]\n ...\n [1110 1111 1112 ... 1137 1138 1139]\n"
      " [1140 1141 1142 ... 1167 1168 1169]\n [1170 1171 1172 ... 1197 1198 1199]]");
  expect<int64_t>(
      {3, 20, 20}, count<int64_t>(1200),
      "[[[   0    1    2 ...   17   18   19]\n  [  20   21   22 ...   37   38   39]\n"
      "  [  40   41   42 ...   57   58   59]\n  ...\n  [ 340  341  342 ...  357  358  359]\n"
      "  [ 360  361  362 ...  377  378  379]\n  [ 380  381  382 ...  397  398  399]]\n\n"
      " [[ 400  401  402 ...  417  418  419]\n  [ 420  421  422 ...  437  438  439]\n"
      "  [ 440  441  442 ...  457  458  459]\n  ...\n  [ 740  741  742 ...  757  758  759]\n"
      "  [ 760  761  762 ...  777  778  779]\n  [ 780  781  782 ...  797  798  799]]\n\n"
      " [[ 800  801  802 ...  817  818  819]\n  [ 820  821  822 ...  837  838  839]\n"
      "  [ 840  841  842 ...  857  858  859]\n  ...\n  [1140 1141 1142 ... 1157 1158 1159]\n"
      "  [1160 1161 1162 ... 1177 1178 1179]\n  [1180 1181 1182 ... 1197 1198 1199]]]");
}

TEST(Print, Options) {
  expect<double>({3}, {1e-05, 1.0, 2.0}, "[0.00001 1.      2.     ]",
                 [](PrintOptions& o) { o.suppress = true; });
  expect<double>({3}, {3.14159265, 2.71828, 1.0}, "[3.14 2.72 1.  ]",
                 [](PrintOptions& o) { o.precision = 2; });
  expect<double>({3}, {3.14159265, 2.5, 1.0}, "[3.142 2.500 1.000]", [](PrintOptions& o) {
    o.precision = 3;
    o.floatmode = FloatMode::fixed;
  });
  expect<double>({2}, {0.3333333333333333, 2.5}, "[0.3333333333333333 2.5               ]",
                 [](PrintOptions& o) { o.floatmode = FloatMode::unique; });
  expect<double>({2}, {1.25, 2.5}, "[1.25 2.50]",
                 [](PrintOptions& o) { o.floatmode = FloatMode::maxprec_equal; });
  expect<double>({2}, {1.0, -2.0}, "[+1. -2.]", [](PrintOptions& o) { o.sign = '+'; });
  expect<double>({2}, {1.0, 2.0}, "[ 1.  2.]", [](PrintOptions& o) { o.sign = ' '; });
  expect<int32_t>({2}, {1, 2}, "[+1 +2]", [](PrintOptions& o) { o.sign = '+'; });
  expect<int64_t>({6}, {1, 2, 3, 4, 5, 6}, "[1 ... 6]", [](PrintOptions& o) {
    o.threshold = 3;
    o.edgeitems = 1;
  });
  expect<int64_t>({6}, {1, 2, 3, 4, 5, 6}, "[1 2 3\n 4 5 6]",
                  [](PrintOptions& o) { o.linewidth = 8; });
}

TEST(Print, SixteenBitFloatsTakeTheirOwnShortestDigits) {
  expect<BFloat>({}, {BFloat(0.1f)}, "0.1");
  expect<BFloat>({}, {BFloat(516.f)}, "516.0");
  expect<BFloat>({3}, {BFloat(0.1f), BFloat(1 / 3.f), BFloat(256.f)},
                 "[1.00e-01 3.34e-01 2.56e+02]");
  expect<BFloat>({3}, {BFloat(1.f), BFloat(-2.5f), BFloat(float(nan))}, "[ 1.  -2.5  nan]");
  for (uint32_t bits = 0; bits < 0x7f80; ++bits) {
    BFloat b;
    b.bits = uint16_t(bits);
    const std::string s = text({}, &b);
    EXPECT_LE(s.find('e') == s.npos ? 0 : s.find('e'), 5u) << s;
    EXPECT_EQ(BFloat(float(std::stod(s))).bits, bits) << s;
  }
  for (uint32_t bits = 0; bits < 0x7c00; ++bits) {
    Half h;
    h.bits = uint16_t(bits);
    EXPECT_EQ(Half(float(std::stod(text({}, &h)))).bits, bits);
  }
}

TEST(Print, AnyStrides) {
  const std::vector<int64_t> v = count<int64_t>(6);
  const int64_t shape[] = {3, 2};
  const int64_t transposed[] = {1, 3};
  const int64_t backwards[] = {-2, -1};
  const int64_t repeated[] = {0, 0};
  EXPECT_EQ(format_array(int64, shape, transposed, v.data()), "[[0 3]\n [1 4]\n [2 5]]");
  EXPECT_EQ(format_array(int64, shape, backwards, v.data() + 5), "[[5 4]\n [3 2]\n [1 0]]");
  EXPECT_EQ(format_array(int64, shape, repeated, v.data()), "[[0 0]\n [0 0]\n [0 0]]");
  const int64_t huge[] = {1000000000, 1000000000};
  const int64_t still[] = {0, 0};
  EXPECT_EQ(format_array(int64, huge, still, v.data()),
            "[[0 0 0 ... 0 0 0]\n [0 0 0 ... 0 0 0]\n [0 0 0 ... 0 0 0]\n ...\n"
            " [0 0 0 ... 0 0 0]\n [0 0 0 ... 0 0 0]\n [0 0 0 ... 0 0 0]]");
}

TEST(Print, ABoolByteThatIsNeither) {
  const uint8_t bytes[] = {2, 0};
  const int64_t shape[] = {2};
  const int64_t strides[] = {1};
  EXPECT_EQ(format_array(bool_, shape, strides, bytes), "[ True False]");
  const int8_t small[] = {-8, 7};
  EXPECT_EQ(format_array(int4, shape, strides, small), "[-8  7]");
}

TEST(Print, OptionsAreChecked) {
  const PrintOptions old = print_options();
  PrintOptions o;
  o.precision = 2;
  set_print_options(o);
  EXPECT_EQ(print_options().precision, 2);
  const double v[] = {1 / 3.};
  const int64_t one[] = {1};
  EXPECT_EQ(format_array(float64, one, one, v), "[0.33]");
  set_print_options(old);
  const auto refused = [](Change change) {
    PrintOptions bad;
    change(bad);
    EXPECT_THROW(set_print_options(bad), ValueError);
  };
  refused([](PrintOptions& p) { p.precision = -1; });
  refused([](PrintOptions& p) { p.precision = INT32_MAX; });
  refused([](PrintOptions& p) { p.threshold = -1; });
  refused([](PrintOptions& p) { p.edgeitems = -1; });
  refused([](PrintOptions& p) { p.linewidth = INT64_MIN; });
  refused([](PrintOptions& p) { p.sign = 'x'; });
  EXPECT_EQ(print_options().precision, 8);
  EXPECT_THROW(format_array(float64, one, {}, v), ValueError);
}

}  // namespace
}  // namespace ember
