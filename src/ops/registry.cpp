// All rows, by number and by name; aliases; the dynamic call.
#include <array>
#include <unordered_map>

#include "src/ops/rows.h"

namespace ember {
namespace {

// Other names of the same ops: NumPy's, Ember ML's, WebNN's.
constexpr Alias alias_table[] = {
    {"absolute", "abs"},
    {"arccos", "acos"},
    {"arccosh", "acosh"},
    {"arcsin", "asin"},
    {"arcsinh", "asinh"},
    {"arctan", "atan"},
    {"arctan2", "atan2"},
    {"arctanh", "atanh"},
    {"array", "asarray"},
    {"amax", "max"},
    {"amin", "min"},
    {"bitwise_count", "popcount"},
    {"bitwise_not", "bitwise_invert"},
    {"cast", "astype"},
    {"clamp", "clip"},
    {"concatenate", "concat"},
    {"conjugate", "conj"},
    {"convert_to_tensor", "asarray"},
    {"count_ones", "popcount"},
    {"degrees", "rad2deg"},
    {"div", "divide"},
    {"expand", "broadcast_to"},
    {"floordiv", "floor_divide"},
    {"floor_div", "floor_divide"},
    {"gather_elements", "take_along_axis"},
    {"identity", "positive"},
    {"invert", "bitwise_invert"},
    {"left_shift", "bitwise_left_shift"},
    {"lookup", "embedding"},
    {"mod", "remainder"},
    {"mul", "multiply"},
    {"nanstdev", "nanstd"},
    {"neg", "negative"},
    {"permute", "permute_dims"},
    {"power", "pow"},
    {"radians", "deg2rad"},
    {"ravel", "flatten"},
    {"reduce_all", "all"},
    {"reduce_any", "any"},
    {"reduce_logsumexp", "logsumexp"},
    {"reduce_max", "max"},
    {"reduce_mean", "mean"},
    {"reduce_min", "min"},
    {"reduce_prod", "prod"},
    {"reduce_std", "std"},
    {"reduce_sum", "sum"},
    {"reduce_var", "var"},
    {"resample2d", "resample"},
    {"right_shift", "bitwise_right_shift"},
    {"shift_left", "bitwise_left_shift"},
    {"shift_right", "bitwise_right_shift"},
    {"sub", "subtract"},
    {"swish", "silu"},
    {"true_divide", "divide"},
    {"unique", "unique_values"},
    {"hann", "hann_window"},
    {"random_choice", "choice"},
    {"random_shuffle", "shuffle"},
    {"multinomial", "random_multinomial"},
    {"mean_squared_error", "mse_loss"},
    {"mean_absolute_error", "mae_loss"},
    {"attention", "scaled_dot_product_attention"},
    {"interpolate", "resample"},
    {"stdev", "std"},
    {"mse", "mse_loss"},
    {"set_seed", "seed"},
    {"split_tensor", "split"},
    {"tensor_sort", "sort"},
    {"tensor_var", "var"},
    // NumPy's
    {"fabs", "abs"},
    {"rint", "round"},
    {"around", "round"},
    {"fix", "trunc"},
    {"row_stack", "vstack"},
    // torch's
    {"bmm", "matmul"},
    {"cat", "concat"},
    {"clone", "copy"},
    {"dim", "ndim"},
    {"eq", "equal"},
    {"ge", "greater_equal"},
    {"gt", "greater"},
    {"le", "less_equal"},
    {"lt", "less"},
    {"manual_seed", "seed"},
    {"mm", "matmul"},
    {"movedim", "moveaxis"},
    {"mv", "matmul"},
    {"ne", "not_equal"},
    {"numel", "size"},
    {"repeat_interleave", "repeat"},
    {"swapdims", "swapaxes"},
    {"unbind", "unstack"},
    {"unsqueeze", "expand_dims"},
    {"view", "reshape"},
    {"inverse", "inv"},
    {"l1_loss", "mae_loss"},
    {"nelement", "size"},
    {"take_along_dim", "take_along_axis"},
    // SciPy's and JAX's
    {"expit", "sigmoid"},
    {"gammaln", "lgamma"},
    {"hard_tanh", "hardtanh"},
    {"hard_swish", "hardswish"},
    {"log_sigmoid", "logsigmoid"},
};

std::string kind_of(const Arg& a) {
  static constexpr const char* kinds[] = {"None",    "a bool",           "an integer",
                                          "a float", "a complex number", "a string",
                                          "a dtype", "a tensor",         "a list"};
  return kinds[a.index()];
}

Arg literal(std::string_view s) {
  if (s == "None") return {};
  if (s == "True" || s == "False") return s == "True";
  if (!s.empty() && (s[0] == '"' || s[0] == '\'')) return std::string(s.substr(1, s.size() - 2));
  if (!s.empty() && s[0] == '[') {
    std::vector<Arg> list;
    s = s.substr(1, s.size() - 2);
    while (!s.empty()) {
      const size_t end = std::min(s.find(','), s.size());
      list.push_back(literal(s.substr(0, end)));
      s.remove_prefix(std::min(s.size(), end + 1));
      while (!s.empty() && s[0] == ' ') s.remove_prefix(1);
    }
    return list;
  }
  if (s == "float") return {};  // the binder asks for the default dtype at each call
  if (auto d = parse_dtype(s)) return *d;
  const std::string text(s);
  if (text.find_first_of(".e") != std::string::npos) return std::stod(text);
  return int64_t(std::stoll(text));
}

// The fields of "x, axis=None, **options", with the types of the C++ function.
std::vector<Field> parse_fields(const Row& r) {
  std::vector<Field> all;
  if (!r.call) return all;
  std::vector<std::vector<Field>> parameters = r.call.fields();
  size_t n = 0;
  std::string_view s = r.args;
  s = s.substr(0, s.find(" -> "));
  while (!s.empty() && n < parameters.size()) {
    size_t end = 0;
    for (int depth = 0; end < s.size() && (depth || s[end] != ','); ++end) {
      depth += s[end] == '[' ? 1 : s[end] == ']' ? -1 : 0;
    }
    std::string_view one = s.substr(0, end);
    s.remove_prefix(std::min(s.size(), end + 1));
    while (!s.empty() && s[0] == ' ') s.remove_prefix(1);
    std::vector<Field>& fields = parameters[n++];
    if (!one.starts_with("**")) {
      Field& f = fields[0];
      f.variadic = one.starts_with('*');
      if (f.variadic) one.remove_prefix(1);
      const size_t equals = one.find('=');
      f.name = one.substr(0, equals);
      if (equals != std::string_view::npos) {
        f.fallback = one.substr(equals + 1);
        f.value = literal(f.fallback);
      }
    }
    std::ranges::move(fields, std::back_inserter(all));
  }
  if (!s.empty() || n != parameters.size() || all.size() > Arguments::max_fields) {
    throw StateError(std::string(r.name) + ": the row's args do not fit the function");
  }
  return all;
}
std::vector<std::string> parse_results(const Row& r) {
  std::vector<std::string> names;
  std::string_view s = r.args;
  for (size_t at = s.find(" -> "); at != std::string_view::npos; at = s.find(", ")) {
    s.remove_prefix(at + (s[at] == ',' ? 2 : 4));
    names.emplace_back(s.substr(0, s.find(',')));
  }
  return names;
}

struct Table {
  std::array<const Row*, size_t(OpId::count)> by_id{};
  std::unordered_map<std::string_view, const Row*> by_name;
  std::vector<const Row*> all;
  std::vector<Row> owned;
};

const Table& table() {
  static const Table& t = *[] {
    auto* t = new Table;
    const std::pair<const char*, std::span<const Row>> families[] = {
        {"creation", creation_rows()},       {"elementwise", elementwise_rows()},
        {"reductions", reduction_rows()},    {"order", order_rows()},
        {"statistics", statistics_rows()},   {"movement", movement_rows()},
        {"indexing", indexing_rows()},       {"linear algebra", linalg_rows()},
        {"signal", signal_rows()},           {"activations", activation_rows()},
        {"convolution", convolution_rows()}, {"normalization", normalization_rows()},
        {"recurrent", recurrent_rows()},     {"losses", loss_rows()},
        {"random", random_rows()},           {"waves", wave_rows()},
        {"inspection", inspection_rows()}};
    size_t n = 0;
    for (const auto& f : families) n += f.second.size();
    t->owned.reserve(n);
    for (const auto& [family, rows] : families) {
      for (const Row& r : rows) {
        t->owned.push_back(r);
        Row& row = t->owned.back();
        row.family = family;
        row.fields = parse_fields(row);
        row.results = parse_results(row);
        if (row.id != OpId::leaf) {
          if (t->by_id[size_t(row.id)]) throw StateError("two rows for " + std::string(row.name));
          t->by_id[size_t(row.id)] = &row;
        }
        if (row.call && !t->by_name.emplace(row.name, &row).second) {
          throw StateError("two ops are called " + std::string(row.name));
        }
        if (row.call) t->all.push_back(&row);
      }
    }
    // Nodes that are not ops have a row without traits.
    static constexpr Row value{.name = "value", .args = "", .doc = "A value."};
    for (OpId op : {OpId::leaf, OpId::scalar, OpId::output}) t->by_id[size_t(op)] = &value;
    for (const Alias& a : alias_table) {
      const auto it = t->by_name.find(a.target);
      if (it != t->by_name.end()) t->by_name.emplace(a.name, it->second);
    }
    return t;
  }();
  return t;
}

}  // namespace

// Separate, because row() is called for every op.
[[gnu::cold, gnu::noinline]] static void no_row(OpId id) {
  throw StateError("no row for " + std::string(name(id)));
}
const Row& row(OpId id) {
  static const auto& by_id = table().by_id;
  const Row* r = by_id[size_t(id)];
  if (!r) no_row(id);
  return *r;
}
const Row* find_row(std::string_view name) {
  const auto it = table().by_name.find(name);
  return it == table().by_name.end() ? nullptr : it->second;
}
std::span<const Row* const> all_rows() { return table().all; }
std::span<const Alias> aliases() { return alias_table; }

namespace binder {

std::string text(double v) {
  char s[32];
  std::snprintf(s, sizeof s, "%g", v);
  return s;
}

void mismatch(const Field& f, const char* wanted, const Arg& given) {
  throw DTypeError("argument '" + f.name + "' must be " + wanted + ", not " + kind_of(given));
}
const Arg& missing(const Field& f) {
  static const Arg empty = std::vector<Arg>();
  if (f.variadic) return empty;
  throw DTypeError("argument '" + f.name + "' is missing");
}

Tensor From<Tensor>::get(const Field& f, const Arg& a) {
  if (auto* t = std::get_if<Tensor>(&a)) return *t;
  if (auto* v = std::get_if<bool>(&a)) return Tensor(*v);
  if (auto* v = std::get_if<int64_t>(&a)) return Tensor(*v);
  if (auto* v = std::get_if<double>(&a)) return Tensor(*v);
  if (auto* v = std::get_if<std::complex<double>>(&a)) return Tensor(*v);
  mismatch(f, "a tensor", a);
}
bool From<bool>::get(const Field& f, const Arg& a) {
  if (auto* v = std::get_if<bool>(&a)) return *v;
  mismatch(f, "a bool", a);
}
int64_t From<int64_t>::get(const Field& f, const Arg& a) {
  if (auto* v = std::get_if<int64_t>(&a)) return *v;
  mismatch(f, "an integer", a);
}
double From<double>::get(const Field& f, const Arg& a) {
  if (auto* v = std::get_if<double>(&a)) return *v;
  if (auto* v = std::get_if<int64_t>(&a)) return double(*v);
  mismatch(f, "a number", a);
}
std::string From<std::string>::get(const Field& f, const Arg& a) {
  if (auto* v = std::get_if<std::string>(&a)) return *v;
  if (auto* v = std::get_if<int64_t>(&a)) return std::to_string(*v);  // matrix_norm's ord
  mismatch(f, "a string", a);
}
DType From<DType>::get(const Field& f, const Arg& a) {
  if (auto* v = std::get_if<DType>(&a)) return *v;
  if (auto* v = std::get_if<std::string>(&a)) {
    if (auto t = parse_dtype(*v)) return *t;
  }
  mismatch(f, "a dtype", a);
}
Ints From<Ints>::get(const Field& f, const Arg& a) {
  if (auto* v = std::get_if<int64_t>(&a)) return {*v};
  const auto* list = std::get_if<std::vector<Arg>>(&a);
  if (!list) mismatch(f, "a list of integers", a);
  Ints r;
  for (const Arg& e : *list) r.push_back(From<int64_t>::get(f, e));
  return r;
}
}  // namespace binder

namespace {

// The arguments of a C++ caller.
class Values final : public Arguments {
 public:
  Values(const Row& row, std::vector<Arg> positional, Kwargs keywords)
      : fields_(row.fields), values_(row.fields.size()) {
    const auto signed_as = [&] { return ": (" + signature(row) + ")"; };
    for (size_t i = 0; i < positional.size(); ++i) {
      if (i == fields_.size()) {
        throw DTypeError("takes " + std::to_string(i) + " arguments, not " +
                         std::to_string(positional.size()) + signed_as());
      }
      if (fields_[i].variadic) {
        const auto rest = std::make_move_iterator(positional.begin() + ptrdiff_t(i));
        put(i, unpack_variadic({rest, std::make_move_iterator(positional.end())}));
        break;
      }
      put(i, std::move(positional[i]));
    }
    for (auto& [name, value] : keywords) {
      const auto field = std::ranges::find(fields_, name, &Field::name);
      if (field == fields_.end()) {
        throw DTypeError("has no argument '" + name + "'" + signed_as());
      }
      const size_t i = size_t(field - fields_.begin());
      if (is_given(i)) throw DTypeError("argument '" + name + "' is given twice");
      put(i, std::move(value));
    }
  }
  Tensor tensor(size_t i) override { return as<Tensor>(i); }
  Tensors tensors(size_t i) override { return as<Tensors>(i); }
  bool boolean(size_t i) override { return as<bool>(i); }
  int64_t integer(size_t i) override { return as<int64_t>(i); }
  double number(size_t i) override { return as<double>(i); }
  Ints integers(size_t i) override { return as<Ints>(i); }
  DType dtype(size_t i) override { return as<DType>(i); }
  Arg value(size_t i) override { return std::move(values_[i]); }

 private:
  void put(size_t i, Arg value) {
    set_given(i, value.none());
    values_[i] = std::move(value);
  }
  template <class T> T as(size_t i) const { return binder::From<T>::get(fields_[i], values_[i]); }
  const std::vector<Field>& fields_;
  std::vector<Arg> values_;  // one for each field
};

}  // namespace

std::vector<Arg> unpack_variadic(std::vector<Arg> positional) {
  if (positional.size() == 1) {
    if (auto* list = std::get_if<std::vector<Arg>>(&positional[0])) {
      const bool nested = list->empty() || std::holds_alternative<Tensor>(list->front()) ||
                          std::holds_alternative<std::vector<Arg>>(list->front());
      if (nested) return std::move(*list);
    }
  }
  return positional;
}
Arg call(const Row& row, Arguments& arguments) {
  try {
    return row.call.call(row, arguments);
  } catch (const Error&) {
    rethrow_for(row.name);
  }
}
Arg call(std::string_view op, std::vector<Arg> args, Kwargs kwargs) {
  const Row* r = find_row(op);
  if (!r) throw ValueError("unknown op '" + std::string(op.substr(0, 60)) + "'");
  try {
    Values values(*r, std::move(args), std::move(kwargs));
    return r->call.call(*r, values);
  } catch (const Error&) {
    rethrow_for(r->name);
  }
}
std::string signature(const Row& r) {
  std::string s;
  for (const Field& f : r.fields) {
    s += (s.empty() ? "" : ", ") + std::string(f.variadic ? "*" : "") + f.name +
         (f.fallback.empty() ? "" : "=" + f.fallback);
  }
  const size_t results = std::string_view(r.args).find(" -> ");
  return results == std::string_view::npos ? s : s + (r.args + results);
}

// ---- helpers of the families ----
int64_t normal_axis(int64_t axis, int64_t ndim) {
  if (axis < -ndim || axis >= ndim) {
    throw IndexError("axis " + std::to_string(axis) + " is out of range for " +
                     std::to_string(ndim) + " dimensions");
  }
  return axis < 0 ? axis + ndim : axis;
}
Ints normal_axes(const Ints& axes, int64_t ndim) {
  Ints r;
  for (int64_t a : axes) {
    const int64_t n = normal_axis(a, ndim);
    if (std::find(r.begin(), r.end(), n) != r.end()) {
      throw ValueError("axis " + std::to_string(a) + " appears twice");
    }
    r.push_back(n);
  }
  return r;
}
Ints normal_axes(const Axes& axes, int64_t ndim) {
  Ints r;
  if (!axes) {
    for (int64_t i = 0; i < ndim; ++i) r.push_back(i);
  } else if (axes->size() == 1) {
    r.push_back(normal_axis(axes->front(), ndim));
  } else {
    r = normal_axes(*axes, ndim);
    std::sort(r.begin(), r.end());
  }
  return r;
}
Shape reduced_shape(const Shape& s, const Ints& axes, bool keepdims) {
  Shape r;
  size_t k = 0;
  for (size_t i = 0; i < s.size(); ++i) {
    if (k < axes.size() && axes[k] == int64_t(i)) {
      ++k;
      if (keepdims) r.push_back(1);
    } else {
      r.push_back(s[i]);
    }
  }
  return r;
}
DType float_of(DType t) { return is_inexact(t) ? t : default_float(); }
Tensor to_float(const Tensor& x) { return cast_to(x, float_of(x.dtype())); }
Tensor widen(const Tensor& x) {
  return x.dtype() == DType::float16 || x.dtype() == DType::bfloat16 ? cast_to(x, DType::float32)
                                                                     : x;
}
Tensor to_index(const Tensor& x) {
  if (!is_integer(x.dtype())) {
    throw DTypeError("indices must be integers, not " + std::string(name(x.dtype())));
  }
  if (x.dtype() != DType::uint64) return cast_to(x, DType::int64);
  return cast_to(ops::minimum(x, make_scalar({.i = INT64_MAX}, DType::uint64)),
                 DType::int64);  // never to become negative
}
Tensor like(const Tensor& x, double v) { return cast_to(Tensor(v), x.dtype()); }
Tensor root(const Tensor& x) { return apply_to(OpId::sqrt, ZeroSubgradient(), x); }

}  // namespace ember
