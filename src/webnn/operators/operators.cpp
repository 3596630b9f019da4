// The rows of all operators, and the checks of every call.
#include <cmath>

#include "src/webnn/operators/operator.h"

namespace ember::webnn {
namespace {

std::vector<std::string_view> words(std::string_view text, char by) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const size_t end = std::min(text.find(by), text.size());
    if (end) out.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

constexpr std::pair<std::string_view, ParamType> type_names[] = {
    {"operand", ParamType::operand},  {"operands", ParamType::operands},
    {"bool", ParamType::boolean},     {"u32", ParamType::u32},
    {"u32~", ParamType::wrapped_u32}, {"i32", ParamType::i32},
    {"u32s", ParamType::u32s},        {"u32s~", ParamType::wrapped_u32s},
    {"f64", ParamType::f64},          {"f32s", ParamType::f32s},
    {"number", ParamType::number},    {"dtype", ParamType::data_type},
    {"splits", ParamType::splits}};

std::vector<Param> params_of(std::string_view text) {
  std::vector<Param> out;
  for (std::string_view w : words(text, ' ')) {
    const size_t colon = w.find(':');
    Param p{std::string(w.substr(0, colon))};
    if (colon != w.npos) {
      std::string_view type = w.substr(colon + 1);
      if (type.find('|') != type.npos) {
        p.type = type.front() == '[' ? ParamType::choices : ParamType::choice;
        if (type.front() == '[') type = type.substr(1, type.size() - 2);
        for (std::string_view c : words(type, '|')) p.choices.emplace_back(c);
      } else {
        p.type = std::find_if(std::begin(type_names), std::end(type_names), [&](const auto& t) {
                   return t.first == type;
                 })->second;
      }
    }
    out.push_back(std::move(p));
  }
  return out;
}

// Named sets of dtypes, in the order of the specification's lists.
void add_types(std::vector<DType>& to, std::string_view name) {
  constexpr std::pair<std::string_view, DType> one[] = {
      {"f32", DType::float32}, {"f16", DType::float16}, {"i32", DType::int32},
      {"u32", DType::uint32},  {"i64", DType::int64},   {"u64", DType::uint64},
      {"i8", DType::int8},     {"u8", DType::uint8},    {"i4", DType::int4},
      {"u4", DType::uint4}};
  for (const auto& [n, t] : one) {
    const bool in = name == n || name == "any" || (name == "float" && is_float(t)) ||
                    (name == "number" && size_of(t) && t != DType::int4 && t != DType::uint4) ||
                    (name == "signed" &&
                     (is_float(t) || t == DType::int32 || t == DType::int64 || t == DType::int8));
    if (in && std::find(to.begin(), to.end(), t) == to.end()) to.push_back(t);
  }
}

std::vector<TensorLimit> limits_of(std::string_view text) {
  std::vector<TensorLimit> out;
  for (std::string_view w : words(text, ' ')) {
    const size_t colon = w.find(':');
    const size_t at = w.find('@');
    TensorLimit l{std::string(w.substr(0, colon))};
    const std::string_view types = w.substr(colon + 1, at - colon - 1);
    const std::string_view ranks = w.substr(at + 1);
    const auto same =
        std::find_if(out.begin(), out.end(), [&](const TensorLimit& o) { return o.name == types; });
    if (same != out.end()) {
      l.dataTypes = same->dataTypes;
      l.same_as = same->name;
    } else {
      for (std::string_view t : words(types, '/')) add_types(l.dataTypes, t);
    }
    const auto number = [](std::string_view s) { return uint32_t(std::stoul(std::string(s))); };
    if (ranks == "any") {
      l.min_rank = 0;
      l.max_rank = max_rank;
    } else {
      const size_t dash = ranks.find('-');
      l.min_rank = number(ranks.substr(0, dash));
      const std::string_view high = dash == ranks.npos ? ranks : ranks.substr(dash + 1);
      l.max_rank = high == "any" ? max_rank : number(high);
    }
    out.push_back(std::move(l));
  }
  return out;
}

const std::vector<Operator>& table() {
  static const auto& t = *[] {
    auto* all = new std::vector<Operator>;
    for (auto rows : {elementwise_operators(), movement_operators(), indexing_operators(),
                      reduction_operators(), window_operators(), normalization_operators(),
                      product_operators(), recurrent_operators()}) {
      for (const RowText& r : rows) {
        all->push_back({r.name, params_of(r.params), params_of(r.options), limits_of(r.limits),
                        r.several, r.build});
      }
    }
    std::sort(all->begin(), all->end(),
              [](const Operator& a, const Operator& b) { return a.name < b.name; });
    return all;
  }();
  return t;
}

std::string names_of(const std::vector<DType>& types) {
  std::string s;
  for (DType t : types) s += (s.empty() ? "" : ", ") + std::string(ember::name(t));
  return s;
}

void check_operand(const BuilderState& b, const TensorLimit* limit, const Operator& op,
                   std::span<const Arg> args, const Options& options, const std::string& name,
                   const MLOperand& o) {
  if (!o.defined()) throw ValueError("'" + name + "' is not an operand");
  if (o.state().builder != b.id) throw ValueError("'" + name + "' belongs to another builder");
  if (!limit) return;
  const std::string is = ember::to_string(Type{o.dataType(), shape_of(o.shape())});
  if (std::find(limit->dataTypes.begin(), limit->dataTypes.end(), o.dataType()) ==
      limit->dataTypes.end()) {
    throw DTypeError("'" + name + "' is " + is + ", must be one of " + names_of(limit->dataTypes));
  }
  if (!limit->same_as.empty()) {
    const Call c{const_cast<BuilderState&>(b), op, args, options};
    if (const Arg& other = c.at(limit->same_as);
        std::holds_alternative<MLOperand>(other) && std::get<MLOperand>(other).defined() &&
        std::get<MLOperand>(other).dataType() != o.dataType()) {
      throw DTypeError("'" + name + "' is " + is + ", must have the dtype of '" + limit->same_as +
                       "', " + std::string(ember::name(std::get<MLOperand>(other).dataType())));
    }
  }
  if (o.shape().size() < limit->min_rank || o.shape().size() > limit->max_rank) {
    throw ShapeError(
        "'" + name + "' is " + is + ", must have " + std::to_string(limit->min_rank) +
        (limit->min_rank == limit->max_rank ? "" : " to " + std::to_string(limit->max_rank)) +
        " dimensions");
  }
}

[[noreturn]] void wrong(const Param& p, const char* wanted) {
  throw DTypeError("'" + p.name + "' must be " + wanted);
}

void check_integer(const Param& p, const Arg& a, int64_t low, int64_t high) {
  const auto* n = std::get_if<MLNumber>(&a);
  const double v = n ? to_double(*n) : NAN;
  if (!(v >= double(low) && v <= double(high)) || v != std::floor(v)) {
    wrong(p, low ? "an integer of 32 bits" : "an integer from 0 to 4294967295");
  }
}

void check_arg(const BuilderState& b, const Operator& op, std::span<const Arg> args,
               const Options& options, const Param& p, const Arg& a) {
  const auto limit = std::find_if(op.limits.begin(), op.limits.end(),
                                  [&](const TensorLimit& l) { return l.name == p.name; });
  const TensorLimit* l = limit == op.limits.end() ? nullptr : &*limit;
  const auto list = [&]() -> const std::vector<Arg>& {
    if (!std::holds_alternative<std::vector<Arg>>(a)) wrong(p, "a list");
    return std::get<std::vector<Arg>>(a);
  };
  const auto choice = [&](const Arg& v) {
    const auto* s = std::get_if<std::string>(&v);
    if (s && std::find(p.choices.begin(), p.choices.end(), *s) != p.choices.end()) return;
    std::string all;
    for (const std::string& c : p.choices) all += (all.empty() ? "" : ", ") + c;
    throw ValueError("'" + p.name + "' must be one of " + all + (s ? ", not '" + *s + "'" : ""));
  };
  switch (p.type) {
    case ParamType::operand:
      if (!std::holds_alternative<MLOperand>(a)) wrong(p, "an operand");
      return check_operand(b, l, op, args, options, p.name, std::get<MLOperand>(a));
    case ParamType::operands:
      for (const Arg& e : list()) {
        if (!std::holds_alternative<MLOperand>(e)) wrong(p, "a list of operands");
        check_operand(b, l, op, args, options, p.name, std::get<MLOperand>(e));
      }
      return;
    case ParamType::boolean:
      if (!std::holds_alternative<bool>(a)) wrong(p, "true or false");
      return;
    case ParamType::u32:
    case ParamType::wrapped_u32: return check_integer(p, a, 0, UINT32_MAX);
    case ParamType::i32: return check_integer(p, a, INT32_MIN, INT32_MAX);
    case ParamType::u32s:
    case ParamType::wrapped_u32s:
      for (const Arg& e : list()) check_integer(p, e, 0, UINT32_MAX);
      return;
    case ParamType::splits:
      if (!std::holds_alternative<std::vector<Arg>>(a)) return check_integer(p, a, 0, UINT32_MAX);
      for (const Arg& e : list()) check_integer(p, e, 0, UINT32_MAX);
      return;
    case ParamType::f64:
      if (!std::holds_alternative<MLNumber>(a) ||
          !std::isfinite(to_double(std::get<MLNumber>(a)))) {
        wrong(p, "a finite number");
      }
      return;
    case ParamType::f32s:
      for (const Arg& e : list()) {
        if (!std::holds_alternative<MLNumber>(e) ||
            !std::isfinite(float(to_double(std::get<MLNumber>(e))))) {
          wrong(p, "a list of finite numbers");
        }
      }
      return;
    case ParamType::number:
      if (!std::holds_alternative<MLNumber>(a)) wrong(p, "a number");
      return;
    case ParamType::data_type:
      if (!std::holds_alternative<DType>(a) ||
          std::find(data_types().begin(), data_types().end(), std::get<DType>(a)) ==
              data_types().end()) {
        wrong(p, "a data type");
      }
      return;
    case ParamType::choice: return choice(a);
    case ParamType::choices:
      for (const Arg& e : list()) choice(e);
  }
}

const Arg nothing;

}  // namespace

std::span<const Operator> operators() { return table(); }
const Operator* find_operator(std::string_view name) {
  const auto& t = table();
  const auto at = std::lower_bound(
      t.begin(), t.end(), name, [](const Operator& o, std::string_view n) { return o.name < n; });
  return at != t.end() && at->name == name ? &*at : nullptr;
}

void check_call(const BuilderState& b, const Operator& op, std::span<const Arg> args,
                const Options& options) {
  if (args.size() != op.params.size()) {
    throw DTypeError("takes " + std::to_string(op.params.size()) + " arguments, " +
                     std::to_string(args.size()) + " were given");
  }
  for (size_t i = 0; i < args.size(); ++i) check_arg(b, op, args, options, op.params[i], args[i]);
  for (const auto& [name, a] : options) {
    if (name == "label") {
      if (!std::holds_alternative<std::string>(a)) throw DTypeError("'label' must be a string");
      continue;
    }
    const auto p = std::find_if(op.options.begin(), op.options.end(),
                                [&](const Param& o) { return o.name == name; });
    if (p == op.options.end()) throw ValueError("unknown option '" + name + "'");
    if (a.given()) check_arg(b, op, args, options, *p, a);
  }
}

const Arg& Call::at(std::string_view name) const {
  for (size_t i = 0; i < op.params.size(); ++i) {
    if (op.params[i].name == name) return args[i];
  }
  const auto it = options.find(name);
  return it == options.end() ? nothing : it->second;
}
const MLOperand& Call::operand(std::string_view name) const {
  return std::get<MLOperand>(at(name));
}
const std::vector<Arg>& Call::list(std::string_view name) const {
  return std::get<std::vector<Arg>>(at(name));
}
const MLNumber& Call::number(std::string_view name) const { return std::get<MLNumber>(at(name)); }
uint32_t Call::u32(std::string_view name, uint32_t otherwise) const {
  return has(name) ? uint32_t(to_double(number(name))) : otherwise;
}
int32_t Call::i32(std::string_view name, int32_t otherwise) const {
  return has(name) ? int32_t(to_double(number(name))) : otherwise;
}
double Call::f64(std::string_view name, double otherwise) const {
  return has(name) ? to_double(number(name)) : otherwise;
}
bool Call::flag(std::string_view name, bool otherwise) const {
  return has(name) ? std::get<bool>(at(name)) : otherwise;
}
DType Call::dtype(std::string_view name, DType otherwise) const {
  return has(name) ? std::get<DType>(at(name)) : otherwise;
}
std::string Call::text(std::string_view name) const {
  if (has(name)) return std::get<std::string>(at(name));
  return std::find_if(op.options.begin(), op.options.end(),
                      [&](const Param& p) { return p.name == name; })
      ->choices[0];
}
Dimensions Call::u32s(std::string_view name, const Dimensions& otherwise) const {
  if (!has(name)) return otherwise;
  Dimensions d;
  for (const Arg& e : list(name)) d.push_back(uint32_t(to_double(std::get<MLNumber>(e))));
  return d;
}

Dimensions broadcast(const Dimensions& a, const Dimensions& b) {
  Dimensions out(std::max(a.size(), b.size()));
  for (size_t i = 0; i < out.size(); ++i) {
    const uint32_t x = i < a.size() ? a[a.size() - 1 - i] : 1;
    const uint32_t y = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (x != y && x != 1 && y != 1) {
      throw ShapeError("the shapes " + ember::to_string(shape_of(a)) + " and " +
                       ember::to_string(shape_of(b)) + " are not compatible");
    }
    out[out.size() - 1 - i] = std::max(x, y);
  }
  return out;
}
bool broadcasts_to(const Dimensions& from, const Dimensions& to) {
  if (from.size() > to.size()) return false;
  for (size_t i = 0; i < from.size(); ++i) {
    if (const uint32_t d = from[from.size() - 1 - i]; d != 1 && d != to[to.size() - 1 - i]) {
      return false;
    }
  }
  return true;
}

}  // namespace ember::webnn
