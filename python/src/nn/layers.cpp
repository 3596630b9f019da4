// Linear, embedding, dropout, and the activations.
#include "ember/nn/layers.h"

#include "ember/nn/activations.h"
#include "python/src/nn/layer.h"

namespace ember::python {

void add_layers(nb::module_& m) {
  using namespace nn;
  layer<Linear>(m, "Linear", "x @ weight.T + bias, over the last axis.", in<int64_t>("in_features"),
                in<int64_t>("out_features"), in("bias", true));
  layer<Embedding>(
      m, "Embedding",
      "Rows of a table by integer index. Row padding_idx starts as zeros and receives no gradient.",
      in<int64_t>("num_embeddings"), in<int64_t>("embedding_dim"),
      EMBER_OPTIONS(EmbeddingOptions, padding_idx));
  layer<Dropout>(
      m, "Dropout",
      "In training, sets elements to 0 with probability p and scales the others to keep the mean.",
      in("p", 0.5));
  layer<Flatten>(m, "Flatten", "Flattens the axes from start_dim to end_dim into one.",
                 in<int64_t>("start_dim", 1), in<int64_t>("end_dim", -1));
  layer<Identity>(m, "Identity", "The input itself.");

  layer<ReLU>(m, "ReLU", "max(x, 0).");
  layer<ReLU6>(m, "ReLU6", "x clamped to [0, 6].");
  layer<Sigmoid>(m, "Sigmoid", "1 / (1 + exp(-x)).");
  layer<LogSigmoid>(m, "LogSigmoid", "log(sigmoid(x)).");
  layer<Hardsigmoid>(m, "Hardsigmoid", "x / 6 + 1 / 2, clamped to [0, 1].");
  layer<Tanh>(m, "Tanh", "tanh(x).");
  layer<LeCunTanh>(m, "LeCunTanh", "1.7159 tanh(2 x / 3).");
  layer<SiLU>(m, "SiLU", "x sigmoid(x).");
  layer<SELU>(m, "SELU", "The scaled exponential linear unit, which is self-normalizing.");
  layer<Mish>(m, "Mish", "x tanh(softplus(x)).");
  layer<Hardswish>(m, "Hardswish", "x times hardsigmoid(x).");
  layer<Softsign>(m, "Softsign", "x / (1 + |x|).");
  layer<Softmax>(m, "Softmax", "exp(x) / sum(exp(x)) along dim.", in<int64_t>("dim", -1));
  layer<LogSoftmax>(m, "LogSoftmax", "The logarithm of softmax along dim.", in<int64_t>("dim", -1));
  layer<GLU>(m, "GLU", "The first half along dim times the sigmoid of the second half.",
             in<int64_t>("dim", -1));
  layer<Softplus>(m, "Softplus", "log(1 + exp(beta x)) / beta.", in("beta", 1.0));
  layer<ELU>(m, "ELU", "x, and alpha (exp(x) - 1) below 0.", in("alpha", 1.0));
  layer<CELU>(m, "CELU", "x, and alpha (exp(x / alpha) - 1) below 0.", in("alpha", 1.0));
  layer<LeakyReLU>(m, "LeakyReLU", "x, and negative_slope x below 0.", in("negative_slope", 0.01));
  layer<GELU>(m, "GELU",
              "x * Phi(x), with Phi the normal distribution function; approximate is none or tanh.",
              in("approximate", "none"));
  layer<PReLU>(
      m, "PReLU",
      "x, and a learned slope times x below 0: one for all, or one for each channel (axis 1).",
      in<int64_t>("num_parameters", 1), in("init", 0.25));

  m.def(
      "get_activation",
      [](std::string_view name) {
        return nb::cpp_function([f = get_activation(name)](const Tensor& x) { return f(x); },
                                nb::arg("x"));
      },
      nb::arg("name"), "The activation with a name such as 'relu', as a function of one tensor.");
}

}  // namespace ember::python
