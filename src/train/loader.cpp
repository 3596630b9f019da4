// Datasets, and the loader with its threads.
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <numeric>
#include <thread>

#include "ember/backend.h"
#include "ember/grad.h"
#include "ember/runtime.h"
#include "ember/train.h"
#include "src/nn/numbers.h"

namespace ember::train {

using nn::entry, nn::number, nn::read_count;

namespace {
// The finalizer of splitmix64: each output bit depends on all input bits.
uint64_t mixed(uint64_t v) {
  v += 0x9E3779B97F4A7C15u;
  v = (v ^ v >> 30) * 0xBF58476D1CE4E5B9u;
  v = (v ^ v >> 27) * 0x94D049BB133111EBu;
  return v ^ v >> 31;
}
uint64_t mixed(uint64_t a, uint64_t b, uint64_t c) { return mixed(mixed(mixed(a) ^ b) ^ c); }

struct FunctionDataset : Dataset {
  int64_t count;
  std::function<Tensors(int64_t)> f;
  FunctionDataset(int64_t n, std::function<Tensors(int64_t)> get) : count(n), f(std::move(get)) {}
  int64_t size() const override { return count; }
  Tensors get(int64_t i) const override { return f(i); }
};

// Copies rows of a tensor in memory without recording, so that threads work in parallel.
Tensor rows(const Tensor& x, std::span<const int64_t> indices) {
  Shape shape = x.shape();
  const size_t row = shape[0] ? x.nbytes() / size_t(shape[0]) : 0;
  shape[0] = int64_t(indices.size());
  auto* out = new std::byte[std::max<size_t>(1, row * indices.size())];
  const auto* in = static_cast<const std::byte*>(x.data_ptr());
  for (size_t i = 0; i < indices.size(); ++i) {
    std::memcpy(out + i * row, in + size_t(indices[i]) * row, row);
  }
  return from_buffer(out, x.dtype(), shape, out,
                     [](void* p) { delete[] static_cast<std::byte*>(p); });
}
}  // namespace

Tensors Dataset::batch(std::span<const int64_t> indices) const {
  std::vector<Tensors> columns;
  for (size_t i = 0; i < indices.size(); ++i) {
    Tensors one = get(indices[i]);
    if (i == 0) columns.resize(one.size());
    if (one.size() != columns.size()) {
      throw ValueError("[Dataset] example " + std::to_string(indices[i]) + " has " +
                       std::to_string(one.size()) + " tensors, others " +
                       std::to_string(columns.size()));
    }
    for (size_t k = 0; k < one.size(); ++k) columns[k].push_back(std::move(one[k]));
  }
  Tensors r;
  for (Tensors& c : columns) r.push_back(ops::stack(c));
  return r;
}

TensorDataset::TensorDataset(Tensors tensors) : tensors_(std::move(tensors)) {
  if (tensors_.empty()) throw ValueError("[TensorDataset] needs at least one tensor");
  for (Tensor& t : tensors_) {
    if (t.ndim() == 0) throw ShapeError("[TensorDataset] a 0-d tensor has no rows");
    if (t.shape(0) != tensors_[0].shape(0)) {
      throw ShapeError("[TensorDataset] " + std::to_string(t.shape(0)) + " and " +
                       std::to_string(tensors_[0].shape(0)) + " rows");
    }
    t = t.detach();
    t.data_ptr();
  }
}
Tensors TensorDataset::get(int64_t i) const {
  Tensors r;
  for (const Tensor& t : tensors_) r.push_back(t(i));
  return r;
}
Tensors TensorDataset::batch(std::span<const int64_t> indices) const {
  for (int64_t i : indices) {
    if (i < 0 || i >= size()) {
      throw IndexError("[TensorDataset] row " + std::to_string(i) + " of " +
                       std::to_string(size()));
    }
  }
  Tensors r;
  for (const Tensor& t : tensors_) r.push_back(rows(t, indices));
  return r;
}
std::vector<int64_t> permutation(int64_t n, uint64_t seed, uint64_t stream) {
  std::vector<int64_t> r(static_cast<size_t>(n));
  std::iota(r.begin(), r.end(), int64_t(0));
  for (uint64_t i = uint64_t(n); i > 1; --i) {
    // A uniform number below i: words in the last, incomplete multiple of i are rejected.
    uint64_t word = 0;
    uint64_t tries = 0;
    do word = mixed(seed ^ 0x6f72646572u, stream, i + (tries++ << 40));
    while (word >= UINT64_MAX - UINT64_MAX % i);
    std::swap(r[i - 1], r[word % i]);
  }
  return r;
}
Subset::Subset(DatasetPtr data, std::vector<int64_t> indices)
    : data_(std::move(data)), indices_(std::move(indices)) {
  if (!data_) throw ValueError("[Subset] the dataset is missing");
  const int64_t n = data_->size();
  for (int64_t& i : indices_) {
    if (i < -n || i >= n) {
      throw IndexError("[Subset] example " + std::to_string(i) + " of " + std::to_string(n));
    }
    if (i < 0) i += n;
  }
}
std::vector<int64_t> Subset::at(std::span<const int64_t> places) const {
  std::vector<int64_t> r;
  for (int64_t i : places) r.push_back(indices_.at(size_t(i)));
  return r;
}
std::vector<std::shared_ptr<Subset>> random_split(DatasetPtr data,
                                                  const std::vector<int64_t>& lengths,
                                                  uint64_t seed) {
  if (!data) throw ValueError("[random_split] the dataset is missing");
  const int64_t n = data->size();
  int64_t all = 0;
  for (int64_t length : lengths) {
    if (length < 0 || length > n) {
      throw ValueError("[random_split] a part of " + std::to_string(length) + " of " +
                       std::to_string(n) + " examples");
    }
    all += length;
  }
  if (all != n) {
    throw ValueError("[random_split] the lengths sum to " + std::to_string(all) +
                     ", but there are " + std::to_string(n) + " examples");
  }
  const std::vector<int64_t> order = permutation(n, seed);
  std::vector<std::shared_ptr<Subset>> parts;
  auto first = order.begin();
  for (int64_t length : lengths) {
    parts.push_back(std::make_shared<Subset>(data, std::vector<int64_t>(first, first + length)));
    first += length;
  }
  return parts;
}
DatasetPtr dataset(Tensors tensors) { return std::make_shared<TensorDataset>(std::move(tensors)); }
DatasetPtr dataset(int64_t size, std::function<Tensors(int64_t)> get) {
  return std::make_shared<FunctionDataset>(size, std::move(get));
}

struct DataLoader::Impl {
  DatasetPtr data;
  LoaderOptions options;
  int64_t data_size = 0, batches = 0;
  Position at;
  bool repositioned = false;  // set by seek() or load_state_dict(), cleared by next()
  int rank = 0, ranks = 1;

  // State shared by the threads. Batches of the epoch at.epoch are numbered; a thread takes the
  // next number while it is not too far ahead. Datasets may run another language's code: its lock
  // may be next_to_make while this mutex is held, never the other way round (use Waiting first).
  std::mutex mutex;
  std::condition_variable work, ready;
  std::vector<std::thread> threads;
  std::string backend;
  // The next batch to make and the next one to return.
  int64_t epoch = -1, next_to_make = 0, next_to_return = 0;
  bool stop = false;
  std::shared_ptr<const EpochPlan> plan_now;  // of the epoch `planned`
  int64_t planned = -1;
  struct Result {
    Batch batch;
    std::exception_ptr error;
  };
  std::map<int64_t, Result> ready_batches;

  EpochPlan make_plan(int64_t e) const {
    EpochPlan plan;
    if (options.batch_sampler) {
      for (const std::vector<int64_t>& batch : options.batch_sampler(e)) {
        plan.order.insert(plan.order.end(), batch.begin(), batch.end());
        plan.ends.push_back(int64_t(plan.order.size()));
      }
      return plan;
    }
    if (options.sampler) {
      plan.order = options.sampler(e);
    } else if (options.shuffle) {
      plan.order = permutation(data_size, options.seed, uint64_t(e));
    } else {
      plan.order.resize(size_t(data_size));
      std::iota(plan.order.begin(), plan.order.end(), int64_t(0));
    }
    const int64_t n = int64_t(plan.order.size());
    for (int64_t end = options.batch_size; end <= n; end += options.batch_size) {
      plan.ends.push_back(end);
    }
    if (n % options.batch_size && !options.drop_last) plan.ends.push_back(n);
    return plan;
  }
  void check(const EpochPlan& plan) const {
    for (int64_t i : plan.order) {
      if (i < 0 || i >= data_size) {
        throw IndexError("[DataLoader] the sampler gave example " + std::to_string(i) + " of " +
                         std::to_string(data_size));
      }
    }
    int64_t first = 0;
    for (int64_t end : plan.ends) {
      if (end < first || end > int64_t(plan.order.size())) {
        throw ValueError("[DataLoader] the batches of an epoch overlap");
      }
      first = end;
    }
  }
  void set_plan(std::shared_ptr<const EpochPlan> plan, int64_t e) {
    const Waiting for_the_threads;
    std::lock_guard lock(mutex);
    epoch = -1;  // the threads wait until fetch sets it
    plan_now = std::move(plan);
    planned = e;
  }
  // The plan of an epoch. It is cached, because a sampler may return different orders for the same
  // epoch.
  std::shared_ptr<const EpochPlan> plan(int64_t e) {
    if (planned == e && plan_now) return plan_now;
    auto fresh = std::make_shared<EpochPlan>(make_plan(e));
    check(*fresh);
    if (e != 0 && int64_t(fresh->ends.size()) != batches) {
      throw ValueError("[DataLoader] the sampler gave " + std::to_string(fresh->ends.size()) +
                       " batches in epoch " + std::to_string(e) + ", " + std::to_string(batches) +
                       " before");
    }
    set_plan(std::move(fresh), e);
    return plan_now;
  }

  Result make(const EpochPlan& plan, int64_t e, int64_t b) const {
    Result m;
    try {
      const no_grad off;
      const int64_t first = b ? plan.ends[size_t(b - 1)] : 0;
      const int64_t last = plan.ends[size_t(b)];
      const distributed::Span mine = distributed::share(last - first, rank, ranks);
      const std::span<const int64_t> indices(plan.order.data() + first + mine.first,
                                             size_t(mine.last - mine.first));
      Generator generator(mixed(options.seed, uint64_t(e), uint64_t(b) + (uint64_t(rank) << 40)));
      const with_generator scope(generator);
      m.batch = data->collate(indices);
      eval(m.batch);
    } catch (...) {
      m.error = std::current_exception();
    }
    return m;
  }

  void run() {
    const with_backend scope(backend);
    std::unique_lock lock(mutex);
    for (;;) {
      work.wait(lock, [&] {
        return stop ||
               (epoch >= 0 && next_to_make < batches &&
                next_to_make < next_to_return + int64_t(options.workers) * options.prefetch);
      });
      if (stop) return;
      const int64_t e = epoch;
      const int64_t b = next_to_make++;
      const auto plan = plan_now;
      lock.unlock();
      Result m = make(*plan, e, b);
      lock.lock();
      if (e != epoch || b < next_to_return) continue;  // the loader has been moved since
      ready_batches[b] = std::move(m);
      ready.notify_all();
    }
  }
  void end_threads() {
    if (threads.empty()) return;
    const Waiting for_the_threads;
    {
      std::lock_guard lock(mutex);
      stop = true;
    }
    work.notify_all();
    for (std::thread& t : threads) t.join();
    threads.clear();
    ready_batches.clear();
    stop = false;
    epoch = -1;
  }
  Batch fetch() {
    if (options.workers <= 0) {
      const auto plan_here = plan(at.epoch);
      Result m = make(*plan_here, at.epoch, at.batch);
      if (m.error) std::rethrow_exception(m.error);
      return std::move(m.batch);
    }
    // Batches belong to the current engine of the calling thread.
    if (threads.empty() || backend != get_backend()) {
      end_threads();
      backend = get_backend();
      for (int i = 0; i < options.workers; ++i) threads.emplace_back([this] { run(); });
    }
    plan(at.epoch);
    const Waiting for_a_batch;
    std::unique_lock lock(mutex);
    if (epoch != at.epoch || at.batch != next_to_return) {
      epoch = at.epoch;
      next_to_make = next_to_return = at.batch;
      ready_batches.clear();
    }
    work.notify_all();
    while (!ready.wait_for(lock, std::chrono::milliseconds(50),
                           [&] { return ready_batches.contains(at.batch); })) {
      poll();
    }
    Result m = std::move(ready_batches.extract(at.batch).mapped());
    ++next_to_return;
    work.notify_all();
    if (m.error) std::rethrow_exception(m.error);  // a repeated request makes the batch again
    return std::move(m.batch);
  }
};

DataLoader::DataLoader(DatasetPtr data, LoaderOptions options) : impl_(std::make_unique<Impl>()) {
  if (!data) throw ValueError("[DataLoader] the dataset is missing");
  if (options.batch_size < 1) {
    throw ValueError("[DataLoader] batch_size must be positive, not " +
                     std::to_string(options.batch_size));
  }
  if (options.workers < 0 || options.workers > 256) {
    throw ValueError("[DataLoader] " + std::to_string(options.workers) + " workers");
  }
  if (options.prefetch < 1) {
    throw ValueError("[DataLoader] prefetch must be positive, not " +
                     std::to_string(options.prefetch));
  }
  if (options.sampler && options.shuffle) {
    throw ValueError("[DataLoader] sampler and shuffle cannot be combined");
  }
  if (options.batch_sampler && (options.sampler || options.shuffle || options.drop_last)) {
    throw ValueError(
        "[DataLoader] batch_sampler cannot be combined with sampler, shuffle or drop_last");
  }
  const int64_t n = data->size();
  if (n < 0) throw ValueError("[DataLoader] a dataset of " + std::to_string(n) + " examples");
  impl_->data = std::move(data);
  impl_->options = std::move(options);
  impl_->data_size = n;
  impl_->batches = int64_t(impl_->plan(0)->ends.size());
}
DataLoader::~DataLoader() { rest(); }
void DataLoader::rest() { impl_->end_threads(); }
int64_t DataLoader::size() const { return impl_->batches; }
int64_t DataLoader::examples() const {
  const auto plan = impl_->plan(impl_->at.epoch);
  return plan->ends.empty() ? 0 : plan->ends.back();
}
const LoaderOptions& DataLoader::options() const { return impl_->options; }
std::vector<int64_t> DataLoader::order(int64_t epoch) const {
  return epoch == impl_->planned ? impl_->plan_now->order : impl_->make_plan(epoch).order;
}
void DataLoader::share(int rank, int ranks) {
  if (ranks < 1 || rank < 0 || rank >= ranks) {
    throw ValueError("[DataLoader] invalid rank " + std::to_string(rank) + " of " +
                     std::to_string(ranks));
  }
  if (rank == impl_->rank && ranks == impl_->ranks) return;
  rest();
  impl_->rank = rank;
  impl_->ranks = ranks;
}
int64_t DataLoader::rows(int64_t batch) const {
  const auto plan = impl_->plan(impl_->at.epoch);
  return plan->ends.at(size_t(batch)) - (batch ? plan->ends[size_t(batch - 1)] : 0);
}
Position DataLoader::position() const { return impl_->at; }
void DataLoader::seek(Position p) {
  if (p.epoch < 0 || p.batch < 0 || p.batch > size()) {
    throw IndexError("[DataLoader] invalid batch " + std::to_string(p.batch) + " of epoch " +
                     std::to_string(p.epoch));
  }
  impl_->at = p;
  impl_->repositioned = true;
}
Position DataLoader::start() {
  Position& at = impl_->at;
  if (!impl_->repositioned && at.batch) at = {at.epoch + 1, 0};
  return at;
}
std::optional<Batch> DataLoader::next() {
  impl_->repositioned = false;
  if (done()) {
    impl_->at = {impl_->at.epoch + 1, 0};
    return {};
  }
  Batch r = impl_->fetch();
  ++impl_->at.batch;
  return r;
}
StateDict DataLoader::state_dict() const {
  const Impl& i = *impl_;
  StateDict s = {
      {"epoch", number(i.at.epoch)},     {"batch", number(i.at.batch)},
      {"examples", number(i.data_size)}, {"batch_size", number(i.options.batch_size)},
      {"seed", number(i.options.seed)},  {"shuffle", number(int64_t(i.options.shuffle))}};
  if (i.options.sampler || i.options.batch_sampler) {  // another process may draw a different order
    const auto plan = impl_->plan(i.at.epoch);
    s["order"] = array(plan->order);
    s["ends"] = array(plan->ends);
  }
  return s;
}
void DataLoader::load_state_dict(const StateDict& s) {
  const StateDict ours = state_dict();
  for (const char* key : {"examples", "batch_size", "seed", "shuffle"}) {
    if (const std::string then = to_string(entry(s, key)), now = to_string(ours.at(key));
        then != now) {
      throw ValueError("[DataLoader] the saved position is from a loader whose " +
                       std::string(key) + " was " + then + ", not " + now);
    }
  }
  const bool sampled = impl_->options.sampler || impl_->options.batch_sampler;
  if (sampled != s.contains("order")) {
    throw ValueError(std::string("[DataLoader] the saved position is from a loader ") +
                     (sampled ? "without" : "with") + " a sampler");
  }
  const Position p{read_count(entry(s, "epoch"), "epoch"), read_count(entry(s, "batch"), "batch")};
  if (!sampled) return seek(p);
  auto plan = std::make_shared<EpochPlan>(
      EpochPlan{entry(s, "order").to_vector<int64_t>(), entry(s, "ends").to_vector<int64_t>()});
  impl_->check(*plan);
  if (int64_t(plan->ends.size()) != size()) {
    throw ValueError("[DataLoader] the saved position is from a loader with " +
                     std::to_string(plan->ends.size()) + " batches, not " + std::to_string(size()));
  }
  seek(p);
  impl_->set_plan(std::move(plan), p.epoch);
}

}  // namespace ember::train
