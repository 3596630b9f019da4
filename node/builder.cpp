// The graph builder and the rows of its operators.
#include "ember/error.h"
#include "js.h"

namespace ember::node {
namespace {
using namespace webnn;

napi_value new_builder(Args& a) { return wrap(a.in, MLGraphBuilder(a.get<MLContext>(0))); }

// A bigint is limited to 64 bits here.
MLNumber number(const Instance& in, napi_value v) {
  napi_valuetype type = napi_number;
  in.ok(napi_typeof(in.env, v, &type));
  if (type != napi_bigint) return in.as_number(v);
  int64_t i = 0;
  uint64_t u = 0;
  bool exact = false;
  in.ok(napi_get_value_bigint_int64(in.env, v, &i, &exact));
  if (exact) return i;
  in.ok(napi_get_value_bigint_uint64(in.env, v, &u, &exact));
  return u;
}

// (builder, name, dataType, shape)
napi_value input(Args& a) {
  return wrap(a.in, a.get<MLGraphBuilder>(0).input(a.in.text(a.v[1]), a.descriptor(2)));
}
// (builder, dataType, shape, bytes)
napi_value constant(Args& a) {
  const auto bytes = a.in.bytes(a.v[3]);
  auto& builder = a.handle<MLGraphBuilder>(0);
  const napi_value r =
      wrap(a.in, builder.value.constant(a.descriptor(1), bytes.data(), bytes.size()));
  a.in.account(builder, builder.bytes + int64_t(bytes.size()));
  return r;
}
// (builder, dataType, value)
napi_value scalar(Args& a) {
  return wrap(a.in, a.get<MLGraphBuilder>(0).constant(a.dtype(1), number(a.in, a.v[2])));
}
// (builder, tensor)
napi_value constant_tensor(Args& a) {
  return wrap(a.in, a.get<MLGraphBuilder>(0).constant(a.get<MLTensor>(1)));
}

Arg argument(const Instance& in, napi_value v, ParamType type) {
  napi_valuetype given = napi_undefined;
  in.ok(napi_typeof(in.env, v, &given));
  if (given == napi_undefined) return {};
  const auto items = [&](ParamType of) -> Arg {
    std::vector<Arg> r;
    for (uint32_t i = 0, n = in.length(v); i < n; ++i) r.push_back(argument(in, in.at(v, i), of));
    return r;
  };
  switch (type) {
    case ParamType::operand: return handle<MLOperand>(in, v).value;
    case ParamType::operands: return items(ParamType::operand);
    case ParamType::boolean: return in.as_bool(v);
    case ParamType::u32:
    case ParamType::wrapped_u32:
    case ParamType::i32: return MLNumber(int64_t(in.as_number(v)));
    case ParamType::u32s:
    case ParamType::wrapped_u32s: return items(ParamType::u32);
    case ParamType::f64: return MLNumber(in.as_number(v));
    case ParamType::f32s: return items(ParamType::f64);
    case ParamType::number: return number(in, v);
    case ParamType::data_type: return *parse_dtype(in.text(v));
    case ParamType::choice: return in.text(v);
    case ParamType::choices: return items(ParamType::choice);
    case ParamType::splits:
      return given == napi_object ? items(ParamType::u32) : Arg(MLNumber(int64_t(in.as_number(v))));
  }
  throw ValueError("unknown type of a parameter");
}
// (builder, index of the operator, arguments, options in the row's order, label): an operand, or a
// list of operands.
napi_value call(Args& a) {
  const Operator& op = operators()[size_t(a.in.as_number(a.v[1]))];
  std::vector<Arg> args;
  for (uint32_t i = 0; i < op.params.size(); ++i) {
    args.push_back(argument(a.in, a.in.at(a.v[2], i), op.params[i].type));
  }
  Options options;
  for (uint32_t i = 0; i < op.options.size(); ++i) {
    if (Arg v = argument(a.in, a.in.at(a.v[3], i), op.options[i].type); v.given()) {
      options.emplace(op.options[i].name, std::move(v));
    }
  }
  if (std::string label = a.in.text(a.v[4]); !label.empty()) {
    options.emplace("label", std::move(label));
  }
  const auto results = a.get<MLGraphBuilder>(0).call(op, std::move(args), std::move(options));
  if (!op.several) return wrap(a.in, results.at(0));
  return a.in.list(results.size(), [&](size_t i) { return wrap(a.in, results[i]); });
}
// (operand): [dataType, shape]
napi_value operand_type(Args& a) {
  const auto& operand = a.get<MLOperand>(0);
  const auto& shape = operand.shape();
  const napi_value r[] = {a.in.string(name(operand.dataType())),
                          a.in.list(shape.size(), [&](size_t i) { return a.in.number(shape[i]); })};
  return a.in.list(2, [&](size_t i) { return r[i]; });
}
// (builder, name, operand, name, operand...)
napi_value build(Args& a) {
  MLNamedOperands outputs;
  for (size_t i = 1; i + 1 < a.n; i += 2) {
    outputs.emplace_back(a.in.text(a.v[i]), a.get<MLOperand>(i + 1));
  }
  const auto graph = std::make_shared<MLGraph>();
  auto& builder = a.handle<MLGraphBuilder>(0);
  return promise(
      a.in, [graph, compile = builder.value.prepare(outputs)] { *graph = compile(); },
      [graph, bytes = builder.bytes](Instance& in) {
        const napi_value r = wrap(in, *graph);
        in.account(handle<MLGraph>(in, r), bytes);  // the graph now owns the constants
        return r;
      });
}

const char* type_name(ParamType t) {
  static constexpr const char* names[] = {"operand",     "operands", "boolean", "u32",
                                          "wrapped_u32", "i32",      "u32s",    "wrapped_u32s",
                                          "f64",         "f32s",     "number",  "data_type",
                                          "choice",      "choices",  "splits"};
  return names[size_t(t)];
}
// The rows: [{name, params: [{name, type, choices}], options, limits: [{name, dataTypes, min,
// max}], several}].
napi_value rows(Args& a) {
  const Instance& in = a.in;
  const auto strings = [&](const std::vector<std::string>& s) {
    return in.list(s.size(), [&](size_t i) { return in.string(s[i]); });
  };
  const auto params = [&](const std::vector<webnn::Param>& ps) {
    return in.list(ps.size(), [&](size_t i) {
      return in.object({{"name", in.string(ps[i].name)},
                        {"type", in.string(type_name(ps[i].type))},
                        {"choices", strings(ps[i].choices)}});
    });
  };
  const auto limits = [&](const std::vector<TensorLimit>& ls) {
    return in.list(ls.size(), [&](size_t i) {
      const auto& types = ls[i].dataTypes;
      return in.object({{"name", in.string(ls[i].name)},
                        {"dataTypes", in.list(types.size(),
                                              [&](size_t k) { return in.string(name(types[k])); })},
                        {"min", in.number(ls[i].min_rank)},
                        {"max", in.number(ls[i].max_rank)}});
    });
  };
  const auto all = operators();
  return in.list(all.size(), [&](size_t i) {
    const Operator& op = all[i];
    return in.object({{"name", in.string(op.name)},
                      {"params", params(op.params)},
                      {"options", params(op.options)},
                      {"limits", limits(op.limits)},
                      {"several", in.boolean(op.several)}});
  });
}
napi_value type_names(Args& a) {
  const auto all = data_types();
  return a.in.list(all.size(), [&](size_t i) { return a.in.string(name(all[i])); });
}
napi_value max_bytes(Args& a) { return a.in.number(double(max_tensor_bytes)); }
}  // namespace

std::span<const Export> builder_exports() {
  static constexpr Export all[] = {{"newBuilder", entry<new_builder>},
                                   {"input", entry<input>},
                                   {"constant", entry<constant>},
                                   {"scalar", entry<scalar>},
                                   {"constantTensor", entry<constant_tensor>},
                                   {"call", entry<call>},
                                   {"operandType", entry<operand_type>},
                                   {"build", entry<build>},
                                   {"operators", entry<rows>},
                                   {"dataTypes", entry<type_names>},
                                   {"maxTensorByteLength", entry<max_bytes>}};
  return all;
}

}  // namespace ember::node
