// Initializers: PyTorch's functions that fill a tensor (xavier_uniform_), and Ember ML's that
// create one (glorot_uniform).
#include "ember/nn/init.h"

#include "python/src/nn/module.h"

namespace ember::python {
namespace {

using namespace nn;
using nb::arg;

struct Name {
  const char* own;
  const char* in_place;
};
// make(shape, dtype, numbers...), bound under the names that create a tensor and those that fill
// one.
template <class... N, class F, class... A>
void initializer(nb::module_& m, std::initializer_list<Name> names, const char* doc, F make,
                 const A&... numbers) {
  for (const Name& n : names) {
    if (n.own) {
      m.def(
          n.own,
          [make](const Ints& shape, N... n, std::optional<DType> dtype,
                 std::optional<std::string_view> device) {
            const Tensor t = make(shape, dtype.value_or(default_float()), n...);
            return device ? t.to_device(Device(*device)) : t;
          },
          arg("shape"), numbers..., arg("dtype") = nb::none(), arg("device") = nb::none(), doc);
    }
    if (n.in_place) {
      m.def(
          n.in_place,
          [make](nb::handle tensor, N... n) {
            if (!is_tensor(tensor.ptr())) {
              throw DTypeError("[init] a tensor is needed, not " +
                               std::string(Py_TYPE(tensor.ptr())->tp_name));
            }
            const Tensor& t = tensor_of(tensor.ptr());
            rebind(tensor.ptr(), make(t.shape(), t.dtype(), n...).to_device(t.device()));
            return nb::borrow(tensor);
          },
          arg("tensor"), numbers..., doc);
    }
  }
}

init::KaimingOptions kaiming(double a, std::string_view mode, std::string_view nonlinearity,
                             DType dtype) {
  if (mode != "fan_in" && mode != "fan_out") {
    throw ValueError("[init] mode must be fan_in or fan_out, not '" + std::string(mode) + "'");
  }
  return {.slope = a,
          .fan_out = mode == "fan_out",
          .gain = init::gain(nonlinearity, a),
          .dtype = dtype};
}

}  // namespace

void add_init(nb::module_& nn) {
  nb::module_ m = nn.def_submodule("init", "First values of parameters.");
  const auto constant = [](const Shape& s, DType t, double v) { return init::constant(s, v, t); };
  const auto uniform = [](const Shape& s, DType t, double low, double high) {
    return init::uniform(s, low, high, t);
  };
  const auto normal = [](const Shape& s, DType t, double mean, double std) {
    return init::normal(s, mean, std, t);
  };
  const auto gain = arg("gain") = 1.0;
  const auto mean = arg("mean") = 0.0;
  const auto std = arg("std") = 1.0;
  initializer(m, {{"zeros", "zeros_"}}, "Zeros.",
              [](const Shape& s, DType t) { return init::zeros(s, t); });
  initializer(m, {{"ones", "ones_"}}, "Ones.",
              [](const Shape& s, DType t) { return init::ones(s, t); });
  initializer<double>(m, {{nullptr, "constant_"}}, "One value.", constant, arg("val"));
  initializer<double>(m, {{"constant", nullptr}}, "One value.", constant, arg("value"));
  initializer<double, double>(m, {{"uniform", "uniform_"}}, "Uniform between a and b.", uniform,
                              arg("a") = 0.0, arg("b") = 1.0);
  initializer<double, double>(m, {{"random_uniform", nullptr}},
                              "Uniform between minval and maxval.", uniform, arg("minval") = 0.0,
                              arg("maxval") = 1.0);
  initializer<double, double>(m, {{"normal", "normal_"}}, "Normal.", normal, mean, std);
  initializer<double, double>(m, {{"random_normal", nullptr}}, "Normal.", normal, mean,
                              arg("stddev") = 1.0);
  initializer<double, double, double, double>(
      m, {{"truncated_normal", "trunc_normal_"}}, "Normal, truncated to [a, b].",
      [](const Shape& s, DType t, double mean, double std, double a, double b) {
        return init::truncated_normal(s, mean, std, a, b, t);
      },
      mean, std, arg("a") = -2.0, arg("b") = 2.0);
  initializer<double>(
      m, {{"orthogonal", "orthogonal_"}}, "A matrix with orthogonal rows or columns, times gain.",
      [](const Shape& s, DType t, double gain) { return init::orthogonal(s, gain, t); }, gain);
  initializer<double>(
      m, {{"xavier_uniform", "xavier_uniform_"}, {"glorot_uniform", "glorot_uniform_"}},
      "Uniform with variance gain^2 2 / (fan_in + fan_out).",
      [](const Shape& s, DType t, double gain) { return init::xavier_uniform(s, gain, t); }, gain);
  initializer<double>(
      m, {{"xavier_normal", "xavier_normal_"}, {"glorot_normal", "glorot_normal_"}},
      "Normal with variance gain^2 2 / (fan_in + fan_out).",
      [](const Shape& s, DType t, double gain) { return init::xavier_normal(s, gain, t); }, gain);
  using S = std::string_view;
  const auto a = arg("a") = 0.0;
  const auto mode = arg("mode") = "fan_in";
  const auto nonlinearity = arg("nonlinearity") = "leaky_relu";
  initializer<double, S, S>(
      m, {{"kaiming_uniform", "kaiming_uniform_"}, {"he_uniform", "he_uniform_"}},
      "Uniform with variance gain^2 / fan; a is the slope of the leaky relu after the layer.",
      [](const Shape& s, DType t, double a, S mode, S f) {
        return init::kaiming_uniform(s, kaiming(a, mode, f, t));
      },
      a, mode, nonlinearity);
  initializer<double, S, S>(
      m, {{"kaiming_normal", "kaiming_normal_"}, {"he_normal", "he_normal_"}},
      "Normal with variance gain^2 / fan; a is the slope of the leaky relu after the layer.",
      [](const Shape& s, DType t, double a, S mode, S f) {
        return init::kaiming_normal(s, kaiming(a, mode, f, t));
      },
      a, mode, nonlinearity);
  initializer(m, {{"lecun_uniform", "lecun_uniform_"}}, "Uniform with variance 1 / fan_in.",
              [](const Shape& s, DType t) { return init::lecun_uniform(s, t); });
  initializer(m, {{"lecun_normal", "lecun_normal_"}},
              "Normal with variance 1 / fan_in, truncated at two standard deviations.",
              [](const Shape& s, DType t) { return init::lecun_normal(s, t); });
  m.def(
      "calculate_gain",
      [](S nonlinearity, double param) { return init::gain(nonlinearity, param); },
      arg("nonlinearity"), arg("param") = 0.01,
      "The gain that preserves the variance after an activation.");
}

}  // namespace ember::python
