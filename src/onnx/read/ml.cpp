// ai.onnx.ml: scaling, encoding, linear models and support-vector machines.
#include "src/onnx/read/ml.h"

#include <cmath>

#include "src/graph/graph.h"
#include "src/ops/layouts.h"

namespace ember::onnx {

void check_table(const Call&, const Tensor& x) {
  if (x.ndim() != 2) {
    throw ShapeError("the input must be [samples, features], not " + to_string(x.shape()));
  }
}

Tensor array_of(const std::vector<double>& numbers, DType dtype) {
  return cast_to(array(numbers), dtype);
}

namespace {

// A softmax over the nonzero scores.
Tensor softmax_of_nonzero(const Tensor& scores) {
  const Tensor zero = ops::equal(scores, 0.0);
  const Tensor none = cast_to(Tensor(-INFINITY), scores.dtype());
  const Tensor y = ops::softmax(ops::where(zero, none, scores), -1);
  return ops::where(zero, ops::zeros_like(scores), y);
}

}  // namespace

Tensor post_transform(const Call& c, const std::string& name, const Tensor& scores) {
  if (name == "NONE") return scores;
  if (name == "LOGISTIC") return ops::sigmoid(scores);
  if (name == "SOFTMAX") return ops::softmax(scores, -1);
  if (name == "SOFTMAX_ZERO") return softmax_of_nonzero(scores);
  if (name == "PROBIT") return ops::erfinv(scores * 2.0 - 1.0) * std::sqrt(2.0);
  c.refuse("the post_transform '" + name.substr(0, 40) + "'");
}

Labels::Labels(const Call& c, const char* integers, const char* strings_name) {
  const std::vector<std::string> names = c.strings(strings_name);
  Ints found = c.list_of(integers).value_or(Ints());
  strings = !names.empty();
  if (strings) found.clear();
  for (const std::string& s : names) found.push_back(c.string_index(s));
  values = array(std::span<const int64_t>(found), {int64_t(found.size())});
}
Value Labels::at(const Tensor& places) const { return {ops::take(values, places, 0), strings}; }

namespace {

// ---- Columns ----
Tensor row(const Call& c, const char* name) { return array_of(c.floats(name), DType::float32); }

Values scaler(const Call& c) {
  const Tensor x = cast_to(c.x(0), DType::float32);
  const Tensor offset = row(c, "offset");
  const Tensor scale = row(c, "scale");
  if (!offset.size() || !scale.size()) throw ValueError("offset and scale are missing");
  return {(x - offset) * scale};
}

Values normalizer(const Call& c) {
  const std::string norm = c.s("norm", "MAX");
  one_of("norm", norm, {"MAX", "L1", "L2"});
  const Tensor x = cast_to(c.x(0), DType::float32);
  const Tensor length = norm == "MAX"  ? ops::max(x, -1, true)
                        : norm == "L1" ? ops::sum(ops::abs(x), -1, true)
                                       : ops::reduce_l2(x, -1, true);
  return {ops::where(ops::equal(length, 0.0), x, x / length)};
}

Values imputer(const Call& c) {
  const Tensor& x = c.x(0);
  const bool real = is_float(x.dtype());
  const std::vector<double> floats = c.floats("imputed_value_floats");
  const Ints integers = c.list_of("imputed_value_int64s").value_or(Ints());
  const double replaced_float = c.f("replaced_value_float", 0);
  const int64_t replaced_integer = c.i("replaced_value_int64", 0);
  const size_t n = real ? floats.size() : integers.size();
  if (n != 1 && (x.ndim() < 1 || n != size_t(x.shape(-1)))) {
    throw ShapeError(std::to_string(n) + " imputed values for an input of shape " +
                     to_string(x.shape()));
  }
  const Tensor value =
      real ? array_of(floats, x.dtype())
           : cast_to(array(std::span<const int64_t>(integers), {int64_t(n)}), x.dtype());
  const Tensor missing = !real                        ? ops::equal(x, replaced_integer)
                         : std::isnan(replaced_float) ? ops::isnan(x)
                                                      : ops::equal(x, replaced_float);
  return {ops::where(missing, value, x)};
}

Values binarizer(const Call& c) {
  const Tensor& x = c.x(0);
  return {cast_to(ops::greater(x, cast_to(Tensor(c.f("threshold", 0)), x.dtype())), x.dtype())};
}

Values extract_columns(const Call& c) {
  const Tensor x = c.x(0).ndim() == 1 ? ops::expand_dims(c.x(0), {0}) : c.x(0);
  if (!is_integer(c.x(1).dtype())) {
    throw DTypeError("indices must be integers, not " + std::string(name(c.x(1).dtype())));
  }
  return {ops::take(x, ops::flatten(cast_to(c.x(1), DType::int64)), x.ndim() - 1)};
}

Values vectorize_features(const Call& c) {
  const Ints sizes = c.list_of("inputdimensions").value_or(Ints());
  Tensors parts;
  for (const Tensor& x : c.all()) {
    const Tensor flat = x.ndim() == 1 ? ops::expand_dims(x, {1}) : x;
    check_table(c, flat);
    const int64_t size = parts.size() < sizes.size() ? sizes[parts.size()] : flat.shape(1);
    if (size != flat.shape(1)) {
      throw ShapeError("input " + std::to_string(parts.size()) + " has " +
                       std::to_string(flat.shape(1)) + " features, not " + std::to_string(size));
    }
    parts.push_back(cast_to(flat, DType::float32));
  }
  return {ops::concat(parts, 1)};
}

// ---- Tables of keys and values ----
struct Keys {
  Value values;
  explicit operator bool() const { return values.defined() && values.tensor.size(); }
};
// A list attribute of the node, whose name ends with its type.
Keys list_of(const Call& c, const std::string& name) {
  if (const auto* a = c.attribute(name + "_tensor", proto::Attribute::tensor); a && !a->t.empty()) {
    return {c.recorder.source.tensors.at(&a->t[0])};
  }
  const std::vector<double> floats = c.floats(name + "_floats");
  if (!floats.empty()) return {array_of(floats, DType::float32)};
  const Labels labels(c, (name + "_int64s").c_str(), (name + "_strings").c_str());
  return {{labels.values, labels.strings}};
}

// The index of each element of x among the keys, and whether it was found.
struct Lookup {
  Tensor place, found;
  Lookup(const Tensor& x, const Tensor& keys) {
    const Tensor each = ops::expand_dims(x, {-1});
    Tensor same = ops::equal(each, keys);
    if (is_float(x.dtype())) {
      same = ops::logical_or(same, ops::logical_and(ops::isnan(each), ops::isnan(keys)));
    }
    place = ops::argmax(cast_to(same, DType::int32), -1);
    found = ops::any(same, -1);
  }
};

Values look_up(const Call& c, const Value& keys, const Value& values, const Value& otherwise) {
  const Tensor& x = c.x(0);
  if (c.in[0].strings != keys.strings) {
    throw DTypeError(keys.strings ? "it takes strings" : "it takes numbers");
  }
  if (keys.tensor.size() != values.tensor.size()) {
    throw ValueError(std::to_string(keys.tensor.size()) + " keys for " +
                     std::to_string(values.tensor.size()) + " values");
  }
  const Lookup at(x, ops::flatten(cast_to(keys.tensor, x.dtype())));
  const Tensor found = ops::take(ops::flatten(values.tensor), at.place, 0);
  return {{ops::where(at.found, found, cast_to(ops::reshape(otherwise.tensor, {}), found.dtype())),
           values.strings}};
}

// The default for keys that are not found: a string, integer or float, like the values.
Value default_of(const Call& c, const Value& values) {
  const std::string text = c.s("default_string", unknown_string);
  const int64_t integer = c.i("default_int64", -1);
  const double real = c.f("default_float", -0.0);
  if (const auto* a = c.attribute("default_tensor", proto::Attribute::tensor); a && !a->t.empty()) {
    return c.recorder.source.tensors.at(&a->t[0]);
  }
  if (values.strings) return {ops::full({}, c.string_index(text), DType::int64), true};
  return is_float(values.tensor.dtype()) ? Value(ops::full({}, real, values.tensor.dtype()))
                                         : Value(ops::full({}, integer, values.tensor.dtype()));
}

Values label_encoder(const Call& c) {
  // Version 1.
  if (const std::vector<std::string> classes = c.strings("classes_strings"); !classes.empty()) {
    const Labels labels(c, "", "classes_strings");
    const Value places(ops::arange(0, double(classes.size()), 1, DType::int64));
    const Value words(labels.values, true);
    const bool encode = c.in[0].strings;
    return look_up(c, encode ? words : places, encode ? places : words,
                   default_of(c, encode ? places : words));
  }
  const Keys keys = list_of(c, "keys");
  const Keys values = list_of(c, "values");
  if (!keys || !values) throw ValueError("keys and values are missing");
  return look_up(c, keys.values, values.values, default_of(c, values.values));
}
Values category_mapper(const Call& c) {
  const Labels words(c, "", "cats_strings");
  const Labels numbers(c, "cats_int64s", "");
  const bool encode = c.in[0].strings;
  const Value texts(words.values, true);
  const Value places(numbers.values);
  return look_up(c, encode ? texts : places, encode ? places : texts,
                 default_of(c, encode ? places : texts));
}

// An unknown category has zeros, even where the model forbids it (zeros=0).
Values one_hot_encoder(const Call& c) {
  const Labels categories(c, "cats_int64s", "cats_strings");
  c.ignore("zeros");
  if (c.in[0].strings != categories.strings) {
    throw DTypeError(categories.strings ? "it takes strings" : "it takes numbers");
  }
  const Tensor x = cast_to(c.x(0), DType::int64);
  return {cast_to(ops::equal(ops::expand_dims(x, {-1}), categories.values), DType::float32)};
}

// ---- Linear models ----
// Coefficients are rows, one per score.
Tensor linear_scores(const Call& c) {
  const Tensor x =
      cast_to(c.x(0).ndim() == 1 ? ops::expand_dims(c.x(0), {0}) : c.x(0), DType::float32);
  check_table(c, x);
  const Tensor coefficients = row(c, "coefficients");
  const Tensor intercepts = row(c, "intercepts");
  const int64_t features = x.shape(1);
  if (features < 1 || !coefficients.size() || coefficients.size() % features) {
    throw ShapeError(std::to_string(coefficients.size()) + " coefficients for " +
                     std::to_string(features) + " features");
  }
  const Tensor y =
      ops::matmul(x, ops::matrix_transpose(ops::reshape(coefficients, {-1, features})));
  return intercepts.size() ? y + intercepts : y;
}

Values linear_regressor(const Call& c) {
  const int64_t targets = c.i("targets", 1);
  const Tensor y = linear_scores(c);
  if (y.shape(1) != targets) {
    throw ShapeError("coefficients for " + std::to_string(y.shape(1)) + " targets, not " +
                     std::to_string(targets));
  }
  return {post_transform(c, c.s("post_transform", "NONE"), y)};
}

// With one score for two classes, the score is the second class's.
Values linear_classifier(const Call& c) {
  const Labels labels(c, "classlabels_ints", "classlabels_strings");
  const std::string transform = c.s("post_transform", "NONE");
  c.ignore("multi_class");
  const Tensor scores = linear_scores(c);
  if (scores.shape(1) == 1 && labels.count() == 2) {
    const Tensor positive = ops::greater(ops::squeeze(scores, 1), 0.0);
    const Tensor both = transform == "LOGISTIC" ? ops::sigmoid(ops::concat({-scores, scores}, 1))
                        : transform == "NONE"
                            ? ops::concat({1.0 - scores, scores}, 1)
                            : post_transform(c, transform, ops::concat({-scores, scores}, 1));
    return {labels.at(cast_to(positive, DType::int64)), both};
  }
  if (labels.count() != scores.shape(1)) {
    throw ShapeError(std::to_string(labels.count()) + " labels for " +
                     std::to_string(scores.shape(1)) + " scores");
  }
  return {labels.at(ops::argmax(scores, 1)), post_transform(c, transform, scores)};
}

// ---- Support vectors ----
Tensor kernel(const Call& c, const Tensor& x, const Tensor& vectors) {
  const std::string type = c.s("kernel_type", "LINEAR");
  const std::vector<double> p = c.floats("kernel_params");  // gamma, coef0, degree
  one_of("kernel_type", type, {"LINEAR", "POLY", "RBF", "SIGMOID"});
  if (type != "LINEAR" && p.size() != 3) {
    throw ValueError("kernel_params must be three numbers, not " + std::to_string(p.size()));
  }
  const Tensor products = ops::matmul(x, ops::matrix_transpose(vectors));
  if (type == "LINEAR") return products;
  if (type == "POLY") return ops::pow(products * p[0] + p[1], p[2]);
  if (type == "SIGMOID") return ops::tanh(products * p[0] + p[1]);
  const Tensor apart = ops::expand_dims(x, {1}) - ops::expand_dims(vectors, {0});
  return ops::exp(ops::sum(ops::square(apart), 2) * -p[0]);
}

Values svm_regressor(const Call& c) {
  const Tensor x = cast_to(c.x(0), DType::float32);
  check_table(c, x);
  const int64_t supports = c.i("n_supports", 0);
  const Tensor vectors = row(c, "support_vectors");
  const Tensor coefficients = row(c, "coefficients");
  const Tensor rho = row(c, "rho");
  if (rho.size() != 1) {
    throw ValueError("rho must be one number, not " + std::to_string(rho.size()));
  }
  Tensor y;
  if (supports > 0) {
    if (vectors.size() != supports * x.shape(1) || coefficients.size() != supports) {
      throw ShapeError(std::to_string(supports) + " support vectors with " +
                       std::to_string(x.shape(1)) + " features do not match the coefficients");
    }
    y = ops::matmul(kernel(c, x, ops::reshape(vectors, {supports, -1})),
                    ops::reshape(coefficients, {-1, 1}));
  } else {
    y = kernel(c, x, ops::reshape(coefficients, {1, -1}));
  }
  y = y + rho;
  if (c.flag("one_class")) {
    y = ops::where(ops::greater(y, 0.0), ops::ones_like(y), -ops::ones_like(y));
  }
  return {post_transform(c, c.s("post_transform", "NONE"), y)};
}

#define ML "ai.onnx.ml"
const Reader readers[] = {
    {{"ArrayFeatureExtractor", 1, "", ML}, extract_columns, moves_strings},
    {{"Binarizer", 1, "", ML}, binarizer},
    {{"CategoryMapper", 1, "", ML}, category_mapper, strings},
    {{"FeatureVectorizer", 1, "", ML}, vectorize_features},
    {{"Imputer", 1, "", ML}, imputer},
    {{"LabelEncoder", 1, "", ML}, label_encoder, strings},
    {{"LinearClassifier", 1, "", ML}, linear_classifier},
    {{"LinearRegressor", 1, "", ML}, linear_regressor},
    {{"Normalizer", 1, "", ML}, normalizer},
    {{"OneHotEncoder", 1, "a category that is not listed gives zeros", ML},
     one_hot_encoder,
     strings},
    {{"Scaler", 1, "", ML}, scaler},
    {{"SVMRegressor", 1, "", ML}, svm_regressor},
    {{"ZipMap", 1, "gives its input, a column for each class", ML},
     [](const Call& c) -> Values {
       return c.ignore("classlabels_int64s"), c.ignore("classlabels_strings"), Values{c.x(0)};
     }},
};
#undef ML

}  // namespace

std::span<const Reader> ml_readers() { return readers; }

}  // namespace ember::onnx
