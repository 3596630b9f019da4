// Recurrent networks and their cells, with PyTorch's equations, gate order and parameter names.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "ember/nn/module.h"

namespace ember::nn {

struct RecurrentOptions {
  int64_t num_layers = 1;
  bool bias = true,
       batch_first = false;  // batch_first: [batch, steps, features], else [steps, batch, features]
  double dropout = 0;        // between layers, while training
  bool bidirectional = false;
  std::string nonlinearity = "tanh";  // of an RNN: tanh or relu
};
// output: the last layer's hidden states, with both directions concatenated. hidden, cell: [layers
// * directions, batch, hidden] after the last step. Without a batch axis in the input, the results
// have none.
struct RecurrentOutput {
  Tensor output, hidden;
};
struct LSTMOutput {
  Tensor output, hidden, cell;
};

// Parameters weight_ih_l0 [gates * hidden, input], weight_hh_l0 [gates * hidden, hidden],
// bias_ih_l0, bias_hh_l0, and *_reverse.
class EMBER_API Recurrent : public Module {
 public:
  Tensor forward(const Tensor& x) override { return run(x, {}, {}).output; }  // the output only
  std::string kind() const override { return kind_; }
  std::string details() const override;

 protected:
  Recurrent(const char* kind, int64_t gates, int64_t input_size, int64_t hidden_size,
            const RecurrentOptions& options);
  LSTMOutput run(const Tensor& x, const Tensor& hidden, const Tensor& cell) const;

 private:
  // One layer in one direction.
  struct Line {
    Parameter weight_ih, weight_hh, bias_ih, bias_hh;
  };
  const char* kind_;
  int64_t gates_, input_, hidden_;
  RecurrentOptions o_;
  std::vector<std::unique_ptr<Line>> lines_;
};

class EMBER_API RNN : public Recurrent {
 public:
  RNN(int64_t input_size, int64_t hidden_size, const RecurrentOptions& options = {})
      : Recurrent("RNN", 1, input_size, hidden_size, options) {}
  RecurrentOutput operator()(const Tensor& x, const Tensor& hidden = {}) const;
};
class EMBER_API GRU : public Recurrent {  // gates r, z, n
 public:
  GRU(int64_t input_size, int64_t hidden_size, const RecurrentOptions& options = {})
      : Recurrent("GRU", 3, input_size, hidden_size, options) {}
  RecurrentOutput operator()(const Tensor& x, const Tensor& hidden = {}) const;
};
class EMBER_API LSTM : public Recurrent {  // gates i, f, g, o
 public:
  LSTM(int64_t input_size, int64_t hidden_size, const RecurrentOptions& options = {})
      : Recurrent("LSTM", 4, input_size, hidden_size, options) {}
  LSTMOutput operator()(const Tensor& x, const Tensor& hidden = {}, const Tensor& cell = {}) const;
};

// One step: x [batch, input], states [batch, hidden]. Undefined states are zeros.
class EMBER_API RecurrentCell : public Module {
 public:
  std::string kind() const override { return kind_; }
  std::string details() const override;
  int64_t input_size() const { return weight_ih.shape()[1]; }
  int64_t hidden_size() const { return weight_hh.shape()[1]; }
  Parameter weight_ih;
  Parameter weight_hh;
  Parameter bias_ih;
  Parameter bias_hh;

 protected:
  RecurrentCell(const char* kind, int64_t gates, int64_t input_size, int64_t hidden_size,
                bool bias);
  Tensor state(const Tensor& x, const Tensor& given) const;
  const char* kind_;
};
class EMBER_API RNNCell : public RecurrentCell {
 public:
  RNNCell(int64_t input_size, int64_t hidden_size, bool bias = true,
          std::string nonlinearity = "tanh");
  Tensor operator()(const Tensor& x, const Tensor& hidden = {}) const;
  Tensor forward(const Tensor& x) override { return (*this)(x); }

 private:
  std::string nonlinearity_;
};
class EMBER_API GRUCell : public RecurrentCell {
 public:
  GRUCell(int64_t input_size, int64_t hidden_size, bool bias = true)
      : RecurrentCell("GRUCell", 3, input_size, hidden_size, bias) {}
  Tensor operator()(const Tensor& x, const Tensor& hidden = {}) const;
  Tensor forward(const Tensor& x) override { return (*this)(x); }
};
struct LSTMState {
  Tensor hidden, cell;
};
class EMBER_API LSTMCell : public RecurrentCell {
 public:
  LSTMCell(int64_t input_size, int64_t hidden_size, bool bias = true)
      : RecurrentCell("LSTMCell", 4, input_size, hidden_size, bias) {}
  LSTMState operator()(const Tensor& x, const LSTMState& state = {}) const;
  Tensor forward(const Tensor& x) override { return (*this)(x).hidden; }
};

}  // namespace ember::nn
