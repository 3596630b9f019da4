// Strategies: how the ranks train one model together.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "ember/nn/norm.h"
#include "ember/ops.h"
#include "src/distributed/process.h"
#include "src/graph/gradient.h"

namespace ember::distributed {

using nn::Parameter;
using namespace ops;

Tensor all_reduce_sum(const Tensor& x, const Group& group) {
  const Tensor y = group.all_reduce(x.detach());
  if (!grad_enabled() || !x.requires_grad()) return y;
  return with_gradient(y, {x},
                       [group](const Tensor& g) { return Gradients{all_reduce_sum(g, group)}; });
}

void synchronize_batch_norm(nn::Module& model, const Group& group) {
  for (const auto& [name, m] : model.named_modules()) {
    if (auto* norm = dynamic_cast<nn::RunningNorm*>(m);
        norm && norm->kind().starts_with("BatchNorm")) {
      norm->across = [group](const Tensor& sums) { return all_reduce_sum(sums, group); };
    }
  }
}

std::vector<Tensor> Strategy::distribute(const Tensor& batch) const {
  if (num_devices < 1) throw ValueError("[distribute] " + std::to_string(num_devices) + " devices");
  if (batch.ndim() == 0) throw ShapeError("[distribute] a 0-d tensor is not a batch");
  std::vector<Tensor> parts;
  for (int64_t d = 0; d < num_devices; ++d) {
    const Span rows = share(batch.shape(0), int(d), int(num_devices));
    parts.push_back(batch(slice(rows.first, rows.last)));
  }
  return parts;
}

DataParallelStrategy::DataParallelStrategy(DataParallelOptions options)
    : options_(std::move(options)) {
  num_devices = options_.group.size();
  if (options_.bucket_bytes == 0) {
    throw ValueError("[DataParallelStrategy] bucket_bytes must be positive");
  }
}

void DataParallelStrategy::prepare(nn::Module& model, nn::Optimizer& optimizer) {
  const Group& g = options_.group;
  // Distributes the first rank's weights and buffers, and random states that are derived from the
  // first rank's and differ between ranks.
  nn::StateDict state = model.state_dict();
  for (auto& [name, t] : state) t = g.broadcast(t);
  model.load_state_dict(state);
  RandomState random = get_random_state();
  std::memcpy(
      &random,
      g.broadcast_bytes(std::string(reinterpret_cast<const char*>(&random), sizeof random)).data(),
      sizeof random);
  set_random_state({random.key + uint64_t(g.rank()) * 0x9E3779B97F4A7C15u, random.counter});
  if (options_.synchronize_batch_norm && g.size() > 1) synchronize_batch_norm(model, g);

  // Greedy balancing: the largest parameter first, each to the rank with the least so far.
  const std::vector<Parameter> parameters = optimizer.parameters();
  owners_.assign(parameters.size(), 0);
  std::vector<size_t> order(parameters.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return parameters[a].size() > parameters[b].size(); });
  std::vector<int64_t> load(size_t(g.size()));
  for (size_t i : order) {
    const auto least = std::min_element(load.begin(), load.end());
    owners_[i] = int(least - load.begin());
    *least += parameters[i].size();
  }
}

void DataParallelStrategy::reduce(const std::vector<Parameter>& parameters, const Tensors& also) {
  const Group& g = options_.group;
  if (g.size() == 1) return;
  const no_grad off;
  struct Bucket {
    std::vector<size_t> members;
    Tensor flat;
    Work work;
    size_t bytes = 0;
  };
  std::vector<Bucket> buckets;  // gradients of the last layers are available first
  for (size_t i = parameters.size(); i--;) {
    const Parameter& p = parameters[i];
    if (!p.trainable()) continue;
    const size_t bytes = p.value().nbytes();
    if (buckets.empty() || buckets.back().bytes + bytes > options_.bucket_bytes ||
        parameters[buckets.back().members[0]].dtype() != p.dtype()) {
      buckets.emplace_back();
    }
    buckets.back().members.push_back(i);
    buckets.back().bytes += bytes;
  }
  if (buckets.empty()) return;
  // A gradient that no rank has stays undefined; one that only some ranks have is zero on the
  // others. Which rank has which gradients is sent with the last bucket.
  std::vector<float> has;
  for (size_t i = 0; i < parameters.size(); ++i) has.push_back(parameters[i].grad().defined());
  for (size_t b = 0; b < buckets.size(); ++b) {
    Bucket& k = buckets[b];
    Tensors parts;
    const DType t = parameters[k.members[0]].dtype();
    for (size_t i : k.members) {
      const Tensor grad = parameters[i].grad();
      parts.push_back(grad.defined() ? flatten(grad.astype(t)) : zeros({parameters[i].size()}, t));
    }
    const bool last = b + 1 == buckets.size();
    if (last) parts.push_back(array(has).astype(t));
    k.flat = parts.size() == 1 ? parts[0] : concat(parts);
    Tensors list{k.flat};
    if (last) list.insert(list.end(), also.begin(), also.end());
    std::erase_if(list, [](const Tensor& x) { return x.evaluated(); });
    if (!list.empty()) eval(list);
    if (buckets.size() > 1) {
      k.work = g.all_reduce_async(k.flat);
    } else {
      k.flat = g.all_reduce(k.flat);
    }
  }
  for (Bucket& k : buckets) {
    if (buckets.size() > 1) k.flat = k.work.wait();
  }
  const Tensor& tail = buckets.back().flat;
  const int64_t n = int64_t(parameters.size());
  const std::vector<double> anyone =
      tail(slice(tail.size() - n, tail.size())).astype(DType::float64).to_vector<double>();
  for (const Bucket& k : buckets) {
    int64_t at = 0;
    for (size_t i : k.members) {
      const int64_t size = parameters[i].size();
      Tensor handle = parameters[i].value();
      handle.set_grad(anyone[i] > 0 ? k.flat(slice(at, at + size)).reshape(parameters[i].shape())
                                    : Tensor());
      at += size;
    }
  }
}

bool DataParallelStrategy::step(nn::Optimizer& optimizer, const nn::StepOptions& options) {
  const Group& g = options_.group;
  if (!shards_state()) return optimizer.step(options);
  // Each rank updates the parameters whose state it stores, and receives the others from their
  // ranks.
  std::vector<Parameter> parameters = optimizer.parameters();
  std::vector<bool> moved;
  for (size_t i = 0; i < parameters.size(); ++i) {
    moved.push_back(parameters[i].trainable() && parameters[i].grad().defined());
    if (owners_[i] != g.rank()) parameters[i].zero_grad();
  }
  if (!optimizer.step(options)) return false;
  const no_grad off;
  for (int t = 0; t < dtype_count; ++t) {
    const auto concerns = [&](size_t i) { return moved[i] && parameters[i].dtype() == DType(t); };
    Tensors mine;
    bool any = false;
    for (size_t i = 0; i < parameters.size(); ++i) {
      any |= concerns(i);
      if (concerns(i) && owners_[i] == g.rank()) {
        mine.push_back(flatten(parameters[i].value().detach()));
      }
    }
    if (!any) continue;
    const Tensor all = g.all_gather(mine.empty() ? zeros({0}, DType(t)) : concat(mine));
    int64_t at = 0;
    Tensors fresh;
    for (int r = 0; r < g.size(); ++r) {
      for (size_t i = 0; i < parameters.size(); ++i) {
        if (!concerns(i) || owners_[i] != r) continue;
        const int64_t size = parameters[i].size();
        if (r != g.rank()) {
          const bool trainable = parameters[i].trainable();
          parameters[i].assign(all(slice(at, at + size)).reshape(parameters[i].shape()));
          parameters[i].set_trainable(trainable);
          fresh.push_back(parameters[i].value());
        }
        at += size;
      }
    }
    if (!fresh.empty()) eval(fresh);
  }
  return true;
}

nn::StateDict DataParallelStrategy::own(const nn::StateDict& state) const {
  if (!shards_state()) return state;
  nn::StateDict r;
  for (const auto& [key, t] : state) {
    if (key.starts_with("state.")) {
      const size_t i = size_t(std::strtoull(key.c_str() + 6, nullptr, 10));
      if (i < owners_.size() && owners_[i] != options_.group.rank()) continue;
    }
    r.emplace(key, t);
  }
  return r;
}

}  // namespace ember::distributed
