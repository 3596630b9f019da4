// The published WebNN conformance data: each graph is built, dispatched and read, and its outputs
// are within the suite's tolerance.
#include <gtest/gtest-spi.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "ember/webnn.h"
#include "tests/engines/each_engine.h"

namespace ember::webnn {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

const fs::path data_folder = fs::path(EMBER_SOURCE_DIR) / "tests/data/webnn";

Json read(const fs::path& file) {
  std::ifstream in(file);
  if (!in) throw IoError("cannot read " + file.string());
  return Json::parse(in);
}
std::vector<std::string> files() {
  std::vector<std::string> names;
  for (const auto& e : fs::directory_iterator(data_folder)) {
    if (e.path().extension() == ".json" && e.path().stem() != "index") {
      names.push_back(e.path().stem());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

Json cases_of(const std::string& file) { return read(data_folder / (file + ".json")).at("cases"); }

// A number in JSON; large integers are strings, with or without a trailing n.
MLNumber number(const Json& v) {
  if (v.is_number_unsigned()) return v.get<uint64_t>();
  if (v.is_number_integer()) return v.get<int64_t>();
  if (v.is_number()) return v.get<double>();
  const std::string s = v;
  if (s == "NaN") return NAN;
  if (s == "Infinity") return HUGE_VAL;
  if (s == "-Infinity") return -HUGE_VAL;
  if (s == "-0") return -0.0;
  if (s.find_first_not_of("-0123456789n") != s.npos) throw ValueError("no number: " + s);
  errno = 0;
  if (s[0] == '-') {
    if (const long long n = std::strtoll(s.c_str(), nullptr, 10); errno == 0) return int64_t(n);
  } else if (const unsigned long long n = std::strtoull(s.c_str(), nullptr, 10); errno == 0) {
    return uint64_t(n);
  }
  return std::strtod(s.c_str(), nullptr);
}
template <class T> T as(const MLNumber& n) {
  return std::visit(
      [](auto v) {
        if constexpr (std::is_same_v<T, Half>) {
          return Half(float(v));
        } else {
          return T(v);
        }
      },
      static_cast<const std::variant<double, int64_t, uint64_t>&>(n));
}

MLOperandDescriptor descriptor(const Json& d) {
  return {*parse_dtype(std::string(d["dataType"])), d["shape"].get<Dimensions>()};
}
size_t count(const MLOperandDescriptor& d) {
  size_t n = 1;
  for (uint32_t s : d.shape) n *= s;
  return n;
}

// The elements of an input or expected output as bytes; a single value is repeated.
std::vector<std::byte> bytes(const Json& t) {
  const MLOperandDescriptor d = descriptor(t["descriptor"]);
  const size_t n = count(d);
  std::vector<std::byte> out(byte_length(d));
  const Json& data = t["data"];
  visit_dtype(d.dataType, [&]<class T>(T) {
    if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, Half>) {
      for (size_t i = 0; i < n; ++i) {
        const T v = as<T>(number(data.is_array() ? data[i] : data));
        if (is_4bit(d.dataType)) {
          out[i / 2] |= std::byte(
              uint8_t(as<int64_t>(number(data.is_array() ? data[i] : data)) & 15) << (i % 2 * 4));
        } else {
          std::memcpy(out.data() + i * sizeof(T), &v, sizeof(T));
        }
        if (!data.is_array() && n > 1) {  // large data: the remaining elements are copies
          for (size_t k = 1; k < n; ++k) std::memcpy(out.data() + k * sizeof(T), &v, sizeof(T));
          break;
        }
      }
    }
  });
  return out;
}

// The distance of two elements in the suite's measure.
double distance(DType t, const std::byte* a, const std::byte* b, size_t i, bool ulp) {
  if (is_4bit(t)) {
    const auto at = [&](const std::byte* p) {
      const int v = int(p[i / 2] >> (i % 2 * 4)) & 15;
      return t == DType::int4 && v > 7 ? v - 16 : v;
    };
    return std::abs(at(a) - at(b));
  }
  return visit_dtype(t, [&]<class T>(T) -> double {
    T x;
    T y;
    std::memcpy(&x, a + i * sizeof(T), sizeof(T));
    std::memcpy(&y, b + i * sizeof(T), sizeof(T));
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, Half>) {
      const float u = float(x);
      const float v = float(y);
      if (u == v || (std::isnan(u) && std::isnan(v))) return 0;
      if (std::isnan(u) || std::isnan(v)) return HUGE_VAL;
      if (!ulp) return std::abs(double(u) - double(v));
      // Maps floats to integers so that neighbours differ by one. For half floats the suite
      // subtracts the bits, so opposite signs are far apart.
      if constexpr (std::is_same_v<T, Half>) {
        return std::abs(double(u == 0 ? 0 : x.bits) - double(v == 0 ? 0 : y.bits));
      } else {
        const auto line = [](float f) {
          const int64_t bits = std::bit_cast<int32_t>(std::abs(f));
          return std::signbit(f) ? -bits : bits;
        };
        return double(std::abs(line(u) - line(v)));
      }
    } else if constexpr (std::is_integral_v<T>) {
      return double(x > y ? uint64_t(x) - uint64_t(y) : uint64_t(y) - uint64_t(x));
    } else {
      return HUGE_VAL;
    }
  });
}

using Operands = std::map<std::string, MLOperand>;

Arg argument(const Json& v, ParamType type, const Operands& operands) {
  if (v.is_array()) {
    std::vector<Arg> list;
    for (const Json& e : v) {
      list.push_back(argument(e, type == ParamType::choices ? ParamType::choice : type, operands));
    }
    return list;
  }
  switch (type) {
    case ParamType::operand:
    case ParamType::operands: return operands.at(v);
    case ParamType::boolean: return v.get<bool>();
    case ParamType::choice: return v.get<std::string>();
    case ParamType::data_type: return *parse_dtype(std::string(v));
    default: return number(v);
  }
}

void record(MLGraphBuilder& builder, const Json& o, Operands& operands) {
  const Operator* op = find_operator(std::string(o["name"]));
  if (!op) throw ValueError("no operator " + std::string(o["name"]));
  std::vector<Arg> args;
  Options options;
  for (const Json& given : o["arguments"]) {
    for (const auto& [name, v] : given.items()) {
      if (name != "options") {
        args.push_back(argument(v, op->params.at(args.size()).type, operands));
        continue;
      }
      for (const auto& [key, e] : v.items()) {
        const auto p = std::find_if(op->options.begin(), op->options.end(),
                                    [&key = key](const Param& q) { return q.name == key; });
        options[key] =
            p == op->options.end() ? Arg(e.get<std::string>()) : argument(e, p->type, operands);
      }
    }
  }
  const std::vector<MLOperand> results = builder.call(*op, std::move(args), std::move(options));
  const Json& names = o["outputs"];
  if (!names.is_array()) {
    operands[names] = results.at(0);
    return;
  }
  EXPECT_EQ(results.size(), names.size());
  for (size_t i = 0; i < results.size(); ++i) operands[names[i]] = results[i];
}

// Expected values whose error exceeds their own tolerance, and the exact values.
// X erfc(-x / sqrt 2) / 2 at -3 / sqrt(2.00001): 34 ULP off.
const std::map<std::string, std::pair<size_t, double>> corrected = {
    {"subgraph: batchNormalization options.axis=0 + gelu", {4, -0.03595130432701605}}};

void check(const std::string& name, const Json& c, const MLContext& context) {
  const Json& graph = c["graph"];
  MLGraphBuilder builder(context);
  Operands operands;
  std::vector<std::pair<std::string, MLTensor>> inputs;
  for (const auto& [key, t] : graph["inputs"].items()) {
    const MLOperandDescriptor d = descriptor(t["descriptor"]);
    const std::vector<std::byte> data = bytes(t);
    if (t.value("constant", false)) {
      operands[key] = builder.constant(d, data.data(), data.size());
      continue;
    }
    operands[key] = builder.input(key, d);
    inputs.push_back({key, context.createTensor({d, false, true})});
    context.writeTensor(inputs.back().second, data.data(), data.size());
  }
  for (const Json& o : graph["operators"]) record(builder, o, operands);
  MLNamedOperands named;
  std::vector<std::pair<std::string, MLTensor>> outputs;
  for (const auto& [key, t] : graph["expectedOutputs"].items()) {
    const MLOperandDescriptor d = descriptor(t["descriptor"]);
    const MLOperand& o = operands.at(key);
    EXPECT_EQ(o.dataType(), d.dataType) << name;
    EXPECT_EQ(o.shape(), d.shape) << name;
    named.push_back({key, o});
    outputs.push_back({key, context.createTensor({d, true, false})});
  }
  const MLGraph built = builder.build(named);
  // The suite passes all inputs to every graph; inputs that no output needs are not the graph's.
  std::vector<std::pair<std::string_view, MLTensor>> in;
  std::vector<std::pair<std::string_view, MLTensor>> out(outputs.begin(), outputs.end());
  for (const auto& [key, t] : inputs) {
    if (std::any_of(built.inputs().begin(), built.inputs().end(),
                    [&key = key](const auto& i) { return i.first == key; })) {
      in.push_back({key, t});
    }
  }
  context.dispatch(built, in, out);
  const bool ulp = c["tolerance"]["metricType"] == "ULP";
  const double limit =
      c["tolerance"]["value"].is_null() ? 0 : c["tolerance"]["value"].get<double>();
  for (const auto& [key, tensor] : outputs) {
    Json want = graph["expectedOutputs"][key];
    if (const auto at = corrected.find(name); at != corrected.end()) {
      want["data"][at->second.first] = at->second.second;
    }
    const std::vector<std::byte> got = context.readTensor(tensor);
    const std::vector<std::byte> wanted = bytes(want);
    const MLOperandDescriptor d = descriptor(want["descriptor"]);
    size_t off = 0;
    double worst = 0;
    for (size_t i = 0; i < count(d); ++i) {
      const double e = distance(d.dataType, got.data(), wanted.data(), i, ulp);
      if (!(e <= limit)) ++off;
      worst = std::max(worst, e);
    }
    EXPECT_EQ(off, 0u) << name << ": " << key << ": " << off << " of " << count(d)
                       << " differ by up to " << worst << (ulp ? " ULP, " : ", ") << limit
                       << " allowed";
  }
}

// Cases that an engine cannot pass, with the reason. A listed case that passes is a failure, too.
const std::map<std::string, std::map<std::string, std::string>> known_gaps = {};

class WebnnData : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(WebnnData, IsWithinTolerance) {
  const auto& [engine, file] = GetParam();
  static std::map<std::string, MLContext> contexts;
  MLContext& context = contexts[engine];
  if (!context.defined()) context = createContext({.engine = engine});
  const auto gaps = known_gaps.find(engine);
  for (const Json cases = cases_of(file); const Json& c : cases) {
    const std::string name = file + ": " + std::string(c["name"]);
    if (gaps != known_gaps.end() && gaps->second.contains(name)) {
      testing::TestPartResultArray failures;
      try {
        const testing::ScopedFakeTestPartResultReporter quiet(&failures);
        check(name, c, context);
      } catch (const Error&) {
        continue;
      }
      EXPECT_GT(failures.size(), 0) << name << " passes and is no gap: " << gaps->second.at(name);
      continue;
    }
    try {
      check(name, c, context);
    } catch (const Error& e) {
      ADD_FAILURE() << name << ": " << e.what();
    }
  }
}
INSTANTIATE_TEST_SUITE_P(
    All, WebnnData, testing::Combine(testing::ValuesIn(test_engines()), testing::ValuesIn(files())),
    [](const auto& p) {
      std::string name = std::get<0>(p.param) + "_" + std::get<1>(p.param);
      std::replace_if(
          name.begin(), name.end(),
          [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
      return name;
    });

TEST(WebnnDataFiles, AreAllThereAndUseEveryOperator) {
  const Json index = read(data_folder / "index.json");
  size_t cases = 0;
  std::map<std::string, size_t> used;
  for (const std::string& f : files()) {
    for (const Json all = cases_of(f); const Json& c : all) {
      ++cases;
      for (const Json& o : c["graph"]["operators"]) ++used[o["name"]];
    }
  }
  EXPECT_EQ(files().size(), index["files"].get<size_t>());
  EXPECT_EQ(cases, index["cases"].get<size_t>());
  EXPECT_EQ(operators().size(), 95u);
  for (const Operator& o : operators()) {
    EXPECT_TRUE(used.contains(o.name)) << o.name << " is in no case";
  }
}

}  // namespace
}  // namespace ember::webnn
