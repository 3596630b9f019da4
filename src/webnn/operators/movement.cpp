// Operators that move elements.
#include <numeric>

#include "src/webnn/operators/operator.h"

namespace ember::webnn {

namespace {

Results concat(Call& c) {
  const std::vector<Arg>& inputs = c.list("inputs");
  if (inputs.empty() || inputs.size() > max_tensors) {
    throw ValueError("takes 1 to " + std::to_string(max_tensors) + " inputs, not " +
                     std::to_string(inputs.size()));
  }
  const MLOperand& first = std::get<MLOperand>(inputs[0]);
  const uint32_t axis = axis_of(c, "axis", first.shape().size());
  Tensors tensors;
  Ints sizes = ints(first.shape());
  sizes[axis] = 0;
  for (const Arg& a : inputs) {
    const MLOperand& x = std::get<MLOperand>(a);
    if (x.dataType() != first.dataType()) {
      throw DTypeError("the inputs must have one dtype, not " +
                       std::string(name(first.dataType())) + " and " +
                       std::string(name(x.dataType())));
    }
    Dimensions alike = x.shape();
    if (alike.size() == sizes.size()) {
      sizes[axis] += alike[axis];
      alike[axis] = first.shape()[axis];
    }
    if (alike != first.shape()) {
      throw ShapeError("the inputs may differ along axis " + std::to_string(axis) +
                       " only: " + text(first.shape()) + " and " + text(x.shape()));
    }
    tensors.push_back(x.state().tensor);
  }
  dimensions(first.dataType(), sizes);
  return {c.result(ops::concat(tensors, axis))};
}

Results expand(Call& c) {
  const Dimensions to = dimensions(c.operand("input").dataType(), ints(c.u32s("newShape")));
  if (!broadcasts_to(c.shape("input"), to)) {
    throw ShapeError("the input's shape " + text(c.shape("input")) + " does not broadcast to " +
                     text(to));
  }
  return {c.result(ops::broadcast_to(c.tensor("input"), shape_of(to)))};
}

Results reshape(Call& c) {
  const Dimensions to = dimensions(c.operand("input").dataType(), ints(c.u32s("newShape")));
  const auto count = [](const Dimensions& d) {
    return std::accumulate(d.begin(), d.end(), uint64_t(1), std::multiplies<>());
  };
  if (count(to) != count(c.shape("input"))) {
    throw ShapeError("the input's shape " + text(c.shape("input")) + " and " + text(to) +
                     " have different numbers of elements");
  }
  return {c.result(ops::reshape(c.tensor("input"), shape_of(to)))};
}

Results pad(Call& c) {
  const Tensor x = c.tensor("input");
  const Dimensions low = c.u32s("beginningPadding");
  const Dimensions high = c.u32s("endingPadding");
  const std::string mode = c.text("mode");
  Ints sizes;
  Ints widths;
  need_length("beginningPadding", low.size(), size_t(x.ndim()));
  need_length("endingPadding", high.size(), size_t(x.ndim()));
  for (size_t d = 0; d < low.size(); ++d) {
    const int64_t n = x.shape()[d];
    if (mode == "reflection" && (low[d] >= n || high[d] >= n)) {
      throw ValueError("an axis of " + std::to_string(n) + " elements cannot be continued by " +
                       std::to_string(std::max(low[d], high[d])) + " of its reflection");
    }
    widths.push_back(low[d]);
    widths.push_back(high[d]);
    sizes.push_back(n + low[d] + high[d]);
  }
  dimensions(x.dtype(), sizes);
  if (low.empty()) return {c.result(ops::positive(x))};
  return {c.result(ops::pad(x, widths, mode == "reflection" ? "reflect" : mode,
                            c.has("value") ? scalar(c.number("value"), x.dtype()) : Tensor(0)))};
}

Results slice(Call& c) {
  const Tensor x = c.tensor("input");
  const size_t rank = size_t(x.ndim());
  const Dimensions starts = c.u32s("starts");
  const Dimensions sizes = c.u32s("sizes");
  const Dimensions strides = c.u32s("strides", Dimensions(rank, 1));
  need_length("starts", starts.size(), rank);
  need_length("sizes", sizes.size(), rank);
  need_length("strides", strides.size(), rank);
  Ints stops;
  for (size_t d = 0; d < rank; ++d) {
    stops.push_back(int64_t(starts[d]) + sizes[d]);
    if (sizes[d] == 0) throw ValueError("a size is 0");
    if (stops[d] > x.shape()[d]) {
      throw ShapeError(std::to_string(sizes[d]) + " elements from " + std::to_string(starts[d]) +
                       " on are more than axis " + std::to_string(d) + " of " +
                       std::to_string(x.shape()[d]) + " has");
    }
    // The specification allows longer strides, but its tests do not.
    if (strides[d] == 0 || strides[d] > sizes[d]) {
      throw ValueError("stride " + std::to_string(strides[d]) + " for " + std::to_string(sizes[d]) +
                       " elements");
    }
  }
  return {c.result(ops::slice(x, ints(starts), stops, ints(strides)))};
}

Results split(Call& c) {
  const Tensor x = c.tensor("input");
  const uint32_t axis = axis_of(c, "axis", size_t(x.ndim()));
  const int64_t n = x.shape()[axis];
  Ints positions;
  const auto count = [](size_t parts) {
    if (parts < 1 || parts > max_tensors) {
      throw ValueError("'splits' must be 1 to " + std::to_string(max_tensors) + " parts, not " +
                       std::to_string(parts));
    }
  };
  if (std::holds_alternative<std::vector<Arg>>(c.at("splits"))) {
    const Dimensions sizes = c.u32s("splits");
    count(sizes.size());
    int64_t end = 0;
    for (uint32_t s : sizes) {
      if (s == 0) throw ValueError("a part of 0 elements");
      positions.push_back(end += s);
    }
    if (end != n) {
      throw ShapeError("the parts have " + std::to_string(end) + " elements, axis " +
                       std::to_string(axis) + " has " + std::to_string(n));
    }
  } else {
    const uint32_t parts = c.u32("splits");
    count(parts);
    if (n % parts) {
      throw ShapeError("axis " + std::to_string(axis) + " of " + std::to_string(n) +
                       " elements has no " + std::to_string(parts) + " equal parts");
    }
    for (int64_t i = 1; i <= parts; ++i) positions.push_back(n / parts * i);
  }
  positions.pop_back();
  Results r;
  for (Tensor& t : ops::split(x, positions, axis)) r.push_back(c.result(std::move(t)));
  return r;
}

Results tile(Call& c) {
  const Tensor x = c.tensor("input");
  const Dimensions repetitions = c.u32s("repetitions");
  need_length("repetitions", repetitions.size(), size_t(x.ndim()));
  Ints sizes;
  for (size_t d = 0; d < repetitions.size(); ++d) sizes.push_back(x.shape()[d] * repetitions[d]);
  dimensions(x.dtype(), sizes);
  return {c.result(ops::tile(x, ints(repetitions)))};
}

Results transpose(Call& c) {
  const Tensor x = c.tensor("input");
  if (!c.has("permutation")) return {c.result(ops::transpose(x))};
  const Dimensions order = axes_of(c, "permutation", size_t(x.ndim()));
  need_length("permutation", order.size(), size_t(x.ndim()));
  return {c.result(ops::transpose(x, ints(order)))};
}

const RowText rows[] = {
    {"concat", "inputs:operands axis:u32", "", "inputs:any@1-8 output:inputs@1-8", concat},
    {"expand", "input newShape:u32s", "", "input:any@any output:input@any", expand},
    {"pad", "input beginningPadding:u32s endingPadding:u32s",
     "mode:constant|edge|reflection value:number", "input:any@any output:input@any", pad},
    {"reshape", "input newShape:u32s", "", "input:any@any output:input@any", reshape},
    {"reverse", "input", "axes:u32s", "input:any@any output:input@any",
     [](Call& c) -> Results {
       return {c.result(
           ops::flip(c.tensor("input"), ints(axes_of(c, "axes", c.shape("input").size()))))};
     }},
    {"slice", "input starts:u32s sizes:u32s", "strides:u32s", "input:any@any output:input@any",
     slice},
    {"split", "input splits:splits", "axis:u32", "input:any@1-8 outputs:input@1-8", split, true},
    {"tile", "input repetitions:u32s~", "", "input:any@any output:input@any", tile},
    {"transpose", "input", "permutation:u32s", "input:any@any output:input@any", transpose},
    {"triangular", "input", "upper:bool diagonal:i32", "input:any@2-8 output:input@2-8",
     [](Call& c) -> Results {
       return {c.result((c.flag("upper", true) ? ops::triu : ops::tril)(c.tensor("input"),
                                                                        c.i32("diagonal", 0)))};
     }},
};

}  // namespace

std::span<const RowText> movement_operators() { return rows; }

}  // namespace ember::webnn
