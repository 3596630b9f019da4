// Convolution, pooling and normalization layers.
#include "ember/nn/norm.h"
#include "python/src/nn/layer.h"

namespace ember::python {
namespace {

using namespace nn;

// Accepts PyTorch's padding names 'same' and 'valid', whose amounts depend on the window.
template <int N, class L> void spell_padding() {
  Class& c = class_of<L>();
  c.make = [make = c.make](PyObject* self, nb::list& values) {
    constexpr size_t kernel = 2;
    constexpr size_t stride = 3;
    constexpr size_t padding = 4;
    constexpr size_t dilation = 5;
    nb::list numbers = nb::list(values);
    if (PyUnicode_Check(nb::handle(values[padding]).ptr())) {
      const std::string me = "[" + class_of<L>().name + "] ";
      const std::string word = nb::cast<std::string>(values[padding]);
      if (word != "same" && word != "valid") {
        throw ValueError(me + "padding is an integer, integers, 'same' or 'valid', not '" + word +
                         "'");
      }
      const auto at = [&](size_t i, size_t axis) {
        const Ints v = nb::cast<Ints>(values[i]);
        return v.size() == 1 ? v[0] : axis < v.size() ? v[axis] : 1;
      };
      Ints sizes;
      for (size_t axis = 0; axis < N; ++axis) {
        const int64_t all = word == "same" ? at(dilation, axis) * (at(kernel, axis) - 1) : 0;
        if (all % 2) {
          throw ValueError(me + "padding='same' needs a window of odd length, not " +
                           std::to_string(at(kernel, axis)));
        }
        if (word == "same" && at(stride, axis) != 1) {
          throw ValueError(me + "padding='same' needs stride 1");
        }
        sizes.push_back(all / 2);
      }
      numbers[padding] = nb::cast(sizes);
    }
    make(self, numbers);
  };
}

template <int N> void windows(nb::module_& m) {
  const auto name = [](const char* kind) { return kind + std::to_string(N) + "d"; };
  layer<Conv<N>>(m, name("Conv"),
                 "Cross-correlation of [batch, in_channels, ...] with learned windows. padding: "
                 "sizes, 'same' or 'valid'.",
                 in<int64_t>("in_channels"), in<int64_t>("out_channels"),
                 in<Extents>("kernel_size"),
                 EMBER_OPTIONS(ConvOptions, stride, padding, dilation, groups, bias));
  spell_padding<N, Conv<N>>();
  layer<ConvTranspose<N>>(
      m, name("ConvTranspose"),
      "The transposed convolution: the gradient of a convolution with respect to its input.",
      in<int64_t>("in_channels"), in<int64_t>("out_channels"), in<Extents>("kernel_size"),
      EMBER_OPTIONS(ConvTransposeOptions, stride, padding, output_padding, groups, bias, dilation));
  layer<MaxPool<N>>(m, name("MaxPool"),
                    "The largest value in each window; stride: by default the window's size.",
                    in<Extents>("kernel_size"),
                    EMBER_OPTIONS(MaxPoolOptions, stride, padding, dilation, ceil_mode));
  layer<AvgPool<N>>(m, name("AvgPool"),
                    "The mean of each window; stride: by default the window's size.",
                    in<Extents>("kernel_size"),
                    EMBER_OPTIONS(AvgPoolOptions, stride, padding, ceil_mode, count_include_pad));
  layer<AdaptivePool<N, false>>(m, name("AdaptiveAvgPool"), "Means of windows, to a given size.",
                                in<Extents>("output_size"));
  layer<AdaptivePool<N, true>>(m, name("AdaptiveMaxPool"),
                               "Largest values of windows, to a given size.",
                               in<Extents>("output_size"));
  layer<BatchNorm<N>>(m, name("BatchNorm"),
                      "Each channel (axis 1) normalized over all other axes; while not training, "
                      "by the running statistics.",
                      in<int64_t>("num_features"),
                      EMBER_OPTIONS(BatchNormOptions, eps, momentum, affine, track_running_stats));
  layer<InstanceNorm<N>>(
      m, name("InstanceNorm"), "Each channel of each sample normalized.",
      in<int64_t>("num_features"),
      EMBER_OPTIONS(InstanceNormOptions, eps, momentum, affine, track_running_stats));
}

}  // namespace

void add_windows(nb::module_& m) {
  windows<1>(m);
  windows<2>(m);
  windows<3>(m);
  layer<GlobalAvgPool>(m, "GlobalAvgPool", "The mean over everything behind the channels.");
  layer<GlobalMaxPool>(m, "GlobalMaxPool", "The largest value of everything behind the channels.");
  layer<LayerNorm>(m, "LayerNorm", "Normalized over the last axes, which have this shape.",
                   in<Extents>("normalized_shape"),
                   EMBER_OPTIONS(LayerNormOptions, eps, elementwise_affine, bias));
  layer<RMSNorm>(
      m, "RMSNorm",
      "Divided by the root of the mean square over the last axes; eps: the dtype's when None.",
      in<Extents>("normalized_shape"), EMBER_OPTIONS(RMSNormOptions, eps, elementwise_affine));
  layer<GroupNorm>(m, "GroupNorm", "Groups of channels (axis 1) of each sample normalized.",
                   in<int64_t>("num_groups"), in<int64_t>("num_channels"),
                   EMBER_OPTIONS(GroupNormOptions, eps, affine));
}

}  // namespace ember::python
