// torch behind a C interface, as a separate module: the tests open it if torch is installed, and
// compare. Every function returns null or an error message.
#include <ATen/ATen.h>
#include <torch/nn/utils/clip_grad.h>
#include <torch/optim.h>
#include <torch/optim/schedulers/reduce_on_plateau_scheduler.h>
#include <torch/optim/schedulers/step_lr.h>

#include <map>
#include <sstream>
#include <string>

namespace {

using Options = std::map<std::string, double>;

Options parse(const char* text) {  // "lr=0.1 momentum=0.9"
  Options r;
  std::istringstream in(text);
  for (std::string word; in >> word;) {
    r[word.substr(0, word.find('='))] = std::stod(word.substr(word.find('=') + 1));
  }
  return r;
}
// Passes a flag or number of the options to its setter, if it is given.
#define SET(name) \
  if (auto it = o.find(#name); it != o.end()) r.name(it->second);
#define SET_FLAG(name) \
  if (auto it = o.find(#name); it != o.end()) r.name(it->second != 0);
template <class R> void set_betas(R& r, const Options& o) {
  auto betas = r.betas();
  if (auto it = o.find("beta1"); it != o.end()) std::get<0>(betas) = it->second;
  if (auto it = o.find("beta2"); it != o.end()) std::get<1>(betas) = it->second;
  r.betas(betas);
}

std::unique_ptr<torch::optim::Optimizer> make(const std::string& name, const Options& o,
                                              std::vector<at::Tensor> p) {
  using namespace torch::optim;
  const double lr = o.at("lr");
  if (name == "SGD") {
    SGDOptions r(lr);
    SET(momentum)
    SET(dampening)
    SET(weight_decay) SET_FLAG(nesterov) return std::make_unique<SGD>(std::move(p), r);
  }
  if (name == "Adam") {
    AdamOptions r(lr);
    SET(eps) SET(weight_decay) SET_FLAG(amsgrad) set_betas(r, o);
    return std::make_unique<Adam>(std::move(p), r);
  }
  if (name == "AdamW") {
    AdamWOptions r(lr);
    SET(eps) SET(weight_decay) SET_FLAG(amsgrad) set_betas(r, o);
    return std::make_unique<AdamW>(std::move(p), r);
  }
  if (name == "RMSprop") {
    RMSpropOptions r(lr);
    SET(alpha)
    SET(eps)
    SET(weight_decay)
    SET(momentum) SET_FLAG(centered) return std::make_unique<RMSprop>(std::move(p), r);
  }
  if (name == "Adagrad") {
    AdagradOptions r(lr);
    SET(lr_decay)
    SET(weight_decay)
    SET(initial_accumulator_value) SET(eps) return std::make_unique<Adagrad>(std::move(p), r);
  }
  throw std::runtime_error("torch has no C++ optimizer " + name);
}

at::Tensor take(const double* data, at::IntArrayRef shape) {
  return at::from_blob(const_cast<double*>(data), shape, at::kDouble).clone();
}

template <class F> const char* guarded(F f) {
  static std::string message;
  try {
    f();
    return nullptr;
  } catch (const std::exception& e) {
    message = e.what();
    return message.c_str();
  }
}

at::Tensor loss_of(const std::string& name, const Options& o, const at::Tensor& p,
                   const at::Tensor& t, const at::Tensor& classes, int64_t reduction) {
  const auto option = [&](const char* key, double v) { return o.count(key) ? o.at(key) : v; };
  if (name == "mse_loss") return at::mse_loss(p, t, reduction);
  if (name == "mae_loss") return at::l1_loss(p, t, reduction);
  if (name == "huber_loss") return at::huber_loss(p, t, reduction, option("delta", 1));
  if (name == "binary_cross_entropy") return at::binary_cross_entropy(p, t, {}, reduction);
  if (name == "binary_cross_entropy_logits") {
    return at::binary_cross_entropy_with_logits(p, t, {}, {}, reduction);
  }
  if (name == "categorical_cross_entropy_logits") {
    return at::cross_entropy_loss(p, t, {}, reduction);
  }
  if (name == "sparse_categorical_cross_entropy_logits") {
    return at::cross_entropy_loss(p, classes, {}, reduction);
  }
  if (name == "nll_loss") return at::nll_loss(p, classes, {}, reduction);
  if (name == "kl_div_loss") return at::kl_div(p, t, reduction);
  if (name == "cosine_embedding_loss") {
    return at::cosine_embedding_loss(p, t, classes, option("margin", 0), reduction);
  }
  if (name == "cosine_similarity") return at::cosine_similarity(p, t, -1);
  throw std::runtime_error("no loss " + name);
}

}  // namespace

// A two-layer tanh network in float64 with mse; weights: [hidden, in], [hidden], [out, hidden],
// [out], concatenated. out receives all of them after each step; clip_norm 0 disables clipping.
extern "C" __attribute__((visibility("default"))) const char* oracle_optimize(
    const char* name, const char* options, const int64_t* sizes, const double* x, const double* y,
    const double* weights, int64_t steps, double clip_norm, double* out) {
  return guarded([&] {
    const int64_t n = sizes[0];
    const int64_t in = sizes[1];
    const int64_t hidden = sizes[2];
    const int64_t outputs = sizes[3];
    std::vector<at::Tensor> p;
    for (const std::vector<int64_t>& shape :
         {std::vector<int64_t>{hidden, in}, {hidden}, {outputs, hidden}, {outputs}}) {
      p.push_back(take(weights, shape).requires_grad_(true));
      weights += p.back().numel();
    }
    const at::Tensor input = take(x, {n, in});
    const at::Tensor target = take(y, {n, outputs});
    const auto optimizer = make(name, parse(options), p);
    for (int64_t s = 0; s < steps; ++s) {
      optimizer->zero_grad();
      const at::Tensor h = at::tanh(at::linear(input, p[0], p[1]));
      at::mse_loss(at::linear(h, p[2], p[3]), target).backward();
      if (clip_norm > 0) torch::nn::utils::clip_grad_norm_(p, clip_norm);
      optimizer->step();
      for (const at::Tensor& t : p) {
        const at::Tensor dense = t.detach().contiguous();
        out = std::copy_n(dense.data_ptr<double>(), dense.numel(), out);
      }
    }
  });
}

extern "C" __attribute__((visibility("default"))) const char* oracle_schedule(
    const char* name, const char* options, double lr, int64_t steps, const double* metrics,
    double* rates) {
  return guarded([&] {
    const Options o = parse(options);
    torch::optim::SGD optimizer({at::zeros({1}).requires_grad_(true)},
                                torch::optim::SGDOptions(lr));
    const auto rate = [&] { return optimizer.param_groups()[0].options().get_lr(); };
    if (std::string(name) == "StepLR") {
      torch::optim::StepLR s(optimizer, unsigned(o.at("step_size")), o.at("gamma"));
      for (int64_t i = 0; i < steps; ++i) {
        s.step();
        rates[i] = rate();
      }
    } else {
      using Plateau = torch::optim::ReduceLROnPlateauScheduler;
      Plateau s(optimizer, o.at("max") != 0 ? Plateau::max : Plateau::min, float(o.at("factor")),
                int(o.at("patience")), o.at("threshold"),
                o.at("absolute") != 0 ? Plateau::abs : Plateau::rel, int(o.at("cooldown")));
      for (int64_t i = 0; i < steps; ++i) {
        s.step(float(metrics[i]));
        rates[i] = rate();
      }
    }
  });
}

// Value and gradient with respect to the prediction, of the sum if reduction is none. reduction: 0
// none, 1 mean, 2 sum.
extern "C" __attribute__((visibility("default"))) const char* oracle_loss(
    const char* name, const char* options, int64_t rows, int64_t columns, const double* p,
    const double* t, const int64_t* classes, int64_t reduction, double* value, double* gradient) {
  return guarded([&] {
    const at::Tensor prediction = take(p, {rows, columns}).requires_grad_(true);
    const at::Tensor target = take(t, {rows, columns});
    const at::Tensor index =
        at::from_blob(const_cast<int64_t*>(classes), {rows}, at::kLong).clone();
    const at::Tensor loss = loss_of(name, parse(options), prediction, target, index, reduction);
    loss.sum().backward();
    const at::Tensor flat = loss.detach().contiguous();
    const at::Tensor g = prediction.grad().contiguous();
    std::copy_n(flat.data_ptr<double>(), flat.numel(), value);
    std::copy_n(g.data_ptr<double>(), g.numel(), gradient);
  });
}

extern "C" __attribute__((visibility("default"))) const char* oracle_ctc(
    int64_t steps, int64_t batch, int64_t classes, int64_t length, const double* log_p,
    const int64_t* targets, const int64_t* input_lengths, const int64_t* target_lengths,
    int64_t reduction, double* value, double* gradient) {
  return guarded([&] {
    const auto whole = [](const int64_t* data, at::IntArrayRef shape) {
      return at::from_blob(const_cast<int64_t*>(data), shape, at::kLong).clone();
    };
    const at::Tensor logits = take(log_p, {steps, batch, classes}).requires_grad_(true);
    const at::Tensor loss =
        at::ctc_loss(at::log_softmax(logits, -1), whole(targets, {batch, length}),
                     whole(input_lengths, {batch}), whole(target_lengths, {batch}), 0, reduction);
    loss.sum().backward();
    const at::Tensor flat = loss.detach().contiguous();
    const at::Tensor g = logits.grad().contiguous();
    std::copy_n(flat.data_ptr<double>(), flat.numel(), value);
    std::copy_n(g.data_ptr<double>(), g.numel(), gradient);
  });
}
