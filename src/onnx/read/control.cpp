// Branches and loops, which are evaluated and unrolled while recording; sequences.
#include "src/graph/graph.h"
#include "src/onnx/read/read.h"

namespace ember::onnx {
namespace {

bool truth(const Call& c, const Value& v, const char* what) {
  if (!v.tensor.defined() || v.tensor.size() != 1) {
    throw ShapeError(std::string(what) + " must be one number");
  }
  const Tensor& t = c.recorder.known(v, what);
  const EngineScope native(native_engine);
  return t.astype(DType::bool_).item<bool>();
}

Values branch(const Call& c) {
  const proto::Graph& yes = c.graph("then_branch");
  const proto::Graph& no = c.graph("else_branch");
  if (c.in.empty()) throw ValueError("the condition is missing");
  return c.recorder.run(truth(c, c.in[0], "the condition") ? yes : no, &c.scope, {});
}

Value number(int64_t i) {
  const EngineScope native(native_engine);
  return ops::full({}, i, DType::int64);
}

// Concatenates the iterations' results; without iterations, returns an empty tensor of the type
// that the body declares.
Value joined(const std::vector<Value>& parts, const proto::ValueInfo& declared, int64_t axis,
             bool reversed) {
  if (parts.empty()) {
    Shape s{0};
    bool good = declared.kind == proto::ValueInfo::tensor && declared.ranked &&
                proto::dtype_of(declared.elem_type);
    for (const proto::Dim& d : declared.dims) {
      good = good && d.value >= 0;
      s.push_back(d.value);
    }
    if (!good) {
      throw UnsupportedError(
          "a loop without iterations whose body has untyped outputs is not supported");
    }
    return ops::zeros(s, *proto::dtype_of(declared.elem_type));
  }
  Tensors ts;
  InputSet depends = 0;
  for (const Value& v : parts) {
    if (!v.tensor.defined()) throw ValueError("values collected over iterations must be tensors");
    ts.push_back(v.tensor);
    depends |= v.depends;
  }
  if (reversed) std::reverse(ts.begin(), ts.end());
  Value r(ops::stack(ts, axis));
  r.depends = depends;
  return r;
}

// A loop counter or condition in the shape that the body declares: some bodies declare [1].
Value as_declared(Value v, const proto::Graph& body, size_t input) {
  if (input >= body.inputs.size() || !body.inputs[input].ranked) return v;
  const std::vector<proto::Dim>& dims = body.inputs[input].dims;
  if (std::any_of(dims.begin(), dims.end(),
                  [](const proto::Dim& d) { return d.value >= 0 && d.value != 1; })) {
    return v;
  }
  v.tensor = ops::reshape(v.tensor, Shape(dims.size(), 1));
  return v;
}

Values loop(const Call& c) {
  const proto::Graph& body = c.graph("body");
  if (c.in.size() < 2) throw ValueError("the trip count and the condition are missing");
  const int64_t most = c.has(0) ? c.integer(0, "the trip count") : INT64_MAX;
  bool go = !c.has(1) || truth(c, c.in[1], "the condition");
  Values state(c.in.begin() + 2, c.in.end());
  const size_t n = state.size();
  if (body.outputs.size() < n + 1) {
    throw ValueError("the body has " + std::to_string(body.outputs.size()) + " outputs for " +
                     std::to_string(n) + " states");
  }
  std::vector<std::vector<Value>> collected(body.outputs.size() - n - 1);
  for (int64_t i = 0; go && i < most; ++i) {
    c.recorder.count();
    const EngineScope native(native_engine);
    Values in{as_declared(number(i), body, 0),
              as_declared(Value(ops::full({}, true, DType::bool_)), body, 1)};
    in.insert(in.end(), state.begin(), state.end());
    Values out;
    {
      const EngineScope own(native.before);
      out = c.recorder.run(body, &c.scope, std::move(in));
    }
    // Without an initial condition, the body's condition still applies; without a trip count, it is
    // the only one.
    go = truth(c, out[0], "the loop's condition");
    state.assign(out.begin() + 1, out.begin() + 1 + ptrdiff_t(n));
    for (size_t k = 0; k < collected.size(); ++k) collected[k].push_back(out[n + 1 + k]);
  }
  for (size_t k = 0; k < collected.size(); ++k) {
    state.push_back(joined(collected[k], body.outputs[n + 1 + k], 0, false));
  }
  return state;
}

Values scan(const Call& c) {
  const proto::Graph& body = c.graph("body");
  if (c.opset < 9) c.refuse("Scan of opset 8");
  const int64_t given = c.i("num_scan_inputs");
  if (given < 1 || given > int64_t(c.in.size())) {
    throw ValueError("num_scan_inputs is " + std::to_string(given) + " of " +
                     std::to_string(c.in.size()) + " inputs");
  }
  const size_t scans = size_t(given);
  const size_t n = c.in.size() - scans;
  if (body.outputs.size() < n) {
    throw ValueError("the body has " + std::to_string(body.outputs.size()) + " outputs for " +
                     std::to_string(n) + " states");
  }
  const size_t results = body.outputs.size() - n;
  const auto list = [&](const char* name, size_t size) {
    const Ints v = c.list_of(name).value_or(Ints(size, 0));
    if (v.size() != size) {
      throw ValueError(std::string(name) + " must have " + std::to_string(size) + " numbers");
    }
    return v;
  };
  const Ints in_axes = list("scan_input_axes", scans);
  const Ints out_axes = list("scan_output_axes", results);
  const Ints in_back = list("scan_input_directions", scans);
  const Ints out_back = list("scan_output_directions", results);
  Values state(c.in.begin(), c.in.begin() + ptrdiff_t(n));
  std::vector<Tensors> parts;
  size_t steps = 0;
  for (size_t k = 0; k < scans; ++k) {
    const Value& v = c.in[n + k];
    std::optional<EngineScope> here;
    if (!v.depends) here.emplace(native_engine);
    const int64_t axis = c.axis(in_axes[k], c.x(n + k).ndim());
    if (k && size_t(c.x(n + k).shape(axis)) != steps) {
      throw ShapeError("the scanned inputs have different lengths");
    }
    steps = size_t(c.x(n + k).shape(axis));
    for (size_t i = 0; i < steps; ++i) c.recorder.count();
    parts.push_back(ops::unstack(c.x(n + k), axis));
  }
  std::vector<std::vector<Value>> collected(results);
  for (size_t i = 0; i < steps; ++i) {
    Values in = state;
    for (size_t k = 0; k < scans; ++k) {
      in.push_back(parts[k][in_back[k] ? steps - 1 - i : i]);
      in.back().depends = c.in[n + k].depends;
    }
    Values out = c.recorder.run(body, &c.scope, std::move(in));
    state.assign(out.begin(), out.begin() + ptrdiff_t(n));
    for (size_t k = 0; k < results; ++k) collected[k].push_back(out[n + k]);
  }
  for (size_t k = 0; k < results; ++k) {
    state.push_back(joined(collected[k], body.outputs[n + k], out_axes[k], out_back[k] != 0));
  }
  return state;
}

// ---- Sequences: lists that exist only while recording ----
size_t sequence_index(const Call& c, size_t input, size_t size, bool end) {
  const int64_t n = int64_t(size);
  const int64_t given = c.integer(input, "the position");
  const int64_t i = given < 0 ? given + n : given;
  if (i < 0 || i >= n + end) {
    throw IndexError("position " + std::to_string(given) + " is out of range for " +
                     std::to_string(n) + " elements");
  }
  return size_t(i);
}
Values sequence_insert(const Call& c) {
  std::vector<Value> list = c.list(0);
  c.x(1);
  list.insert(
      list.begin() + ptrdiff_t(c.has(2) ? sequence_index(c, 2, list.size(), true) : list.size()),
      c.in[1]);
  return {list};
}
Values sequence_erase(const Call& c) {
  std::vector<Value> list = c.list(0);
  if (list.empty()) throw ValueError("the sequence is empty");
  list.erase(list.begin() +
             ptrdiff_t(c.has(1) ? sequence_index(c, 1, list.size(), false) : list.size() - 1));
  return {list};
}
Values concat_from(const Call& c) {
  Tensors ts;
  for (const Value& v : c.list(0)) {
    if (!v.tensor.defined()) throw ValueError("an element is not a tensor");
    ts.push_back(v.tensor);
  }
  if (ts.empty()) throw ValueError("the sequence is empty");
  return {c.flag("new_axis") ? ops::stack(ts, c.i("axis")) : ops::concat(ts, c.i("axis"))};
}
Values split_to(const Call& c) {
  const Tensor& x = c.x(0);
  const int64_t axis = c.axis(c.i("axis", 0), x.ndim());
  const int64_t n = x.shape(axis);
  const bool keepdims = c.flag("keepdims", true);
  Ints sizes;
  if (c.has(1) && c.x(1).ndim() == 1) {
    sizes = c.ints(1, "the sizes");
  } else {
    const int64_t each = c.has(1) ? c.integer(1, "the size") : 1;
    if (each < 1) throw ValueError("invalid parts of " + std::to_string(each) + " elements");
    for (int64_t at = 0; at < n; at += each) {
      c.recorder.count();
      sizes.push_back(std::min(each, n - at));
    }
  }
  std::vector<Value> list;
  int64_t at = 0;
  for (const int64_t size : sizes) {
    if (size < 0 || size > n - at) {
      throw ShapeError("parts of " + to_string(sizes) + " elements do not add up to an axis of " +
                       std::to_string(n));
    }
    const Tensor part = ops::slice(x, {at}, {at + size}, {}, axis);
    list.push_back(c.has(1) || keepdims ? part : ops::squeeze(part, axis));
    list.back().depends = c.in[0].depends;
    at += size;
  }
  return {list};
}

#define WHILE " must be known while recording"
const Reader readers[] = {
    {{"If", 1, "the condition" WHILE}, branch, sets_depends},
    {{"Loop", 1, "trip count and condition" WHILE "; it is unrolled"}, loop, sets_depends},
    {{"Scan", 8, "from opset 9; it is unrolled"}, scan, sets_depends},
    {{"SequenceConstruct", 11, "inside the graph"},
     [](const Call& c) -> Values { return c.all(), Values{std::vector<Value>(c.in)}; }},
    {{"SequenceEmpty", 11, "inside the graph"},
     [](const Call& c) -> Values { return c.ignore("dtype"), Values{std::vector<Value>()}; }},
    {{"SequenceAt", 11, ""},
     [](const Call& c) -> Values {
       return {c.list(0)[sequence_index(c, 1, c.list(0).size(), false)]};
     }},
    {{"SequenceInsert", 11, ""}, sequence_insert},
    {{"SequenceErase", 11, ""}, sequence_erase},
    {{"SequenceLength", 11, ""},
     [](const Call& c) -> Values { return {number(int64_t(c.list(0).size()))}; },
     only_shapes},
    {{"ConcatFromSequence", 11, ""}, concat_from},
    {{"SplitToSequence", 11, ""}, split_to},
};
#undef WHILE

}  // namespace

std::span<const Reader> control_readers() { return readers; }

}  // namespace ember::onnx
