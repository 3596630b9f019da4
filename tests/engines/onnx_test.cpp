// ONNX: the wire format is written and read back, and models in C++.
#include <gtest/gtest.h>

#include <thread>

#include "ember/ember.h"
#include "ember/onnx.h"
#include "ember/program.h"
#include "src/onnx/proto/proto.h"
#include "tests/error_of.h"

namespace ember {
namespace {

namespace proto = onnx::proto;
using proto::Attribute;
using proto::ValueInfo;

ValueInfo port(std::string name, std::vector<proto::Dim> dims, int32_t type = proto::float32) {
  return {.name = std::move(name),
          .kind = ValueInfo::tensor,
          .elem_type = type,
          .ranked = true,
          .dims = std::move(dims)};
}
proto::Model model(std::vector<proto::Node> nodes, std::vector<ValueInfo> inputs,
                   std::vector<ValueInfo> outputs) {
  proto::Model m;
  m.ir_version = 9;
  m.opsets = {{"", 17}};
  m.graph.nodes = std::move(nodes);
  m.graph.inputs = std::move(inputs);
  m.graph.outputs = std::move(outputs);
  return m;
}

TEST(OnnxProto, EverythingSurvives) {
  const std::string raw("\0\x01\xff\x80", 4);
  proto::Model m = model(
      {{.op_type = "If",
        .domain = "d",
        .name = "n",
        .overload = "o",
        .inputs = {"a", "", "b"},
        .outputs = {"y"}}},
      {port("a", {{-1, "batch"}, {3, ""}, {-1, ""}, {0, ""}}),
       {.name = "s", .kind = ValueInfo::sequence},
       {.name = "u"}},
      {{.name = "y", .kind = ValueInfo::tensor, .elem_type = proto::int64}, port("scalar", {})});
  m.producer_name = "p";
  m.metadata = {{"k", "v"}};
  auto& attributes = m.graph.nodes[0].attributes;
  attributes = {{.name = "zero", .type = Attribute::int_},
                {.name = "less", .type = Attribute::int_, .i = INT64_MIN},
                {.name = "f", .type = Attribute::float_},
                {.name = "s", .type = Attribute::string},
                {.name = "r", .reference = "outer", .type = Attribute::float_},
                {.name = "lists",
                 .type = Attribute::ints_,
                 .floats = {1.5f, -0.f},
                 .ints = {0, -1, INT64_MAX},
                 .strings = {"", "x"}}};
  attributes.push_back(
      {.name = "t",
       .type = Attribute::tensor,
       .t = {{.name = "t", .dims = {2, 2}, .data_type = proto::uint8, .raw = raw}}});
  proto::Graph inner;
  inner.name = "inner";
  inner.outputs = {port("z", {{7, ""}})};
  attributes.push_back({.name = "g", .type = Attribute::graph, .g = {inner}});
  m.graph.initializers = {{.name = "lists",
                           .dims = {0},
                           .data_type = proto::float64,
                           .floats = {1},
                           .doubles = {2.5},
                           .int32s = {-1},
                           .int64s = {-2},
                           .uint64s = {~0ull},
                           .strings = {"s"},
                           .external = {{"location", "w"}},
                           .location = 1}};
  m.functions = {{.name = "f",
                  .domain = "d",
                  .inputs = {"i"},
                  .outputs = {"o"},
                  .attributes = {"a"},
                  .nodes = {{.op_type = "Neg"}},
                  .opsets = {{"", 18}}}};

  const std::string bytes = proto::serialize(m);
  const proto::Model r = proto::parse(bytes);
  EXPECT_EQ(proto::serialize(r), bytes);
  const proto::Node& n = r.graph.nodes[0];
  EXPECT_EQ(n.inputs, (std::vector<std::string>{"a", "", "b"}));
  EXPECT_EQ(n.overload, "o");
  EXPECT_EQ(n.attributes[0].type, Attribute::int_);
  EXPECT_EQ(n.attributes[1].i, INT64_MIN);
  EXPECT_EQ(n.attributes[4].reference, "outer");
  EXPECT_EQ(n.attributes[5].ints, (std::vector<int64_t>{0, -1, INT64_MAX}));
  EXPECT_EQ(n.attributes[6].t[0].raw, raw);
  EXPECT_GE(n.attributes[6].t[0].raw.data(), bytes.data());  // a view, not a copy
  EXPECT_LT(n.attributes[6].t[0].raw.data(), bytes.data() + bytes.size());
  EXPECT_EQ(n.attributes[7].g[0].outputs[0].dims[0].value, 7);
  const auto& dims = r.graph.inputs[0].dims;
  ASSERT_EQ(dims.size(), 4u);
  EXPECT_EQ(dims[0].name, "batch");
  EXPECT_LT(dims[0].value, 0);
  EXPECT_LT(dims[2].value, 0);
  EXPECT_EQ(dims[3].value, 0);
  EXPECT_EQ(r.graph.inputs[1].kind, ValueInfo::sequence);
  EXPECT_EQ(r.graph.inputs[2].kind, ValueInfo::none);
  EXPECT_FALSE(r.graph.outputs[0].ranked);
  EXPECT_TRUE(r.graph.outputs[1].ranked);
  EXPECT_EQ(r.graph.initializers[0].uint64s[0], ~0ull);
  EXPECT_EQ(r.graph.initializers[0].external[0].second, "w");
  EXPECT_EQ(r.functions[0].opsets[0].version, 18);
}

// y = x @ w + sum(w), with an open number of rows.
std::string linear() {
  static const float w[] = {1, 2, 3, 4, 5, 6};
  proto::Model m =
      model({{.op_type = "ReduceSum",
              .inputs = {"w"},
              .outputs = {"s"},
              .attributes = {{.name = "keepdims", .type = Attribute::int_}}},
             {.op_type = "MatMul", .inputs = {"x", "w"}, .outputs = {"p"}},
             {.op_type = "Add", .inputs = {"p", "s"}, .outputs = {"y"}}},
            {port("x", {{-1, "rows"}, {2, ""}})}, {port("y", {{-1, "rows"}, {3, ""}})});
  m.graph.initializers = {{.name = "w",
                           .dims = {2, 3},
                           .data_type = proto::float32,
                           .raw = {reinterpret_cast<const char*>(w), sizeof w}}};
  return proto::serialize(m);
}

TEST(Onnx, RunsOnWhatTheBytesHeld) {
  std::string bytes = linear();
  const onnx::Network net = onnx::parse(bytes);
  bytes.assign(bytes.size(), 'x');  // the network does not refer to them
  EXPECT_EQ(to_string(net.inputs()[0]), "float32[rows, 2]");
  const TensorMap y = net({{"x", array({{1.f, 1.f}, {0.f, 1.f}})}});
  EXPECT_EQ(y.at("y").to_vector<float>(), (std::vector<float>{26, 28, 30, 25, 26, 27}));
  EXPECT_NE(error_of<ValueError>([&] { net({}); }).find("\"x\" is missing"), std::string::npos);
}

TEST(Onnx, IsRecordedOverPlaceholders) {
  const onnx::Network net = onnx::parse(linear());
  const Tensor x[] = {placeholder({float32, {1, 2}})};
  const std::vector<Tensor> y = net.record(x);
  EXPECT_EQ(y[0].shape(), (Shape{1, 3}));
  const Program program(x, y);
  const Tensor given[] = {array({{2.f, 0.f}})};
  EXPECT_EQ(program(given)[0].to_vector<float>(), (std::vector<float>{23, 25, 27}));
  const Tensor wrong[] = {placeholder({float32, {1, 3}})};
  EXPECT_NE(error_of<ShapeError>([&] { net.record(wrong); }).find("float32[rows, 2]"),
            std::string::npos);
}

TEST(Onnx, AShapeThatDependsOnAnInputCannotBeRecorded) {
  const proto::Model m = model(
      {{.op_type = "Expand", .name = "e", .inputs = {"x", "shape"}, .outputs = {"y"}}},
      {port("x", {{1, ""}}), port("shape", {{1, ""}}, proto::int64)}, {port("y", {{-1, ""}})});
  const onnx::Network net = onnx::parse(proto::serialize(m));
  const Tensor x[] = {placeholder({float32, {1}}), placeholder({int64, {1}})};
  const std::string said = error_of<UnsupportedError>([&] { net.record(x); });
  EXPECT_NE(said.find("[Expand \"e\"] the shape depends on the value of \"shape\""),
            std::string::npos)
      << said;
  EXPECT_EQ(net({{"x", array({1.f})}, {"shape", array({4})}}).at("y").size(), 4);
}

TEST(Onnx, ThreadsShareANetwork) {
  const onnx::Network net = onnx::parse(linear());
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int64_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int64_t i = 0; i < 20; ++i) {
        const int64_t rows = 1 + (i + t) % 11;  // more than the cache keeps
        right += net({{"x", ops::ones({rows, 2})}}).at("y").to_vector<float>().back() == 30;
      }
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(right, 80);
}

}  // namespace
}  // namespace ember
