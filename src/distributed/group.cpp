// The operations of groups. Each one checks and evaluates its arguments and gives a task to the
// process.
#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

#include "ember/backend.h"
#include "ember/ops.h"
#include "src/core/convert.h"
#include "src/core/node.h"
#include "src/distributed/nccl.h"
#include "src/distributed/process.h"

namespace ember::distributed {

std::string_view name(Reduce r) {
  constexpr std::string_view names[] = {"sum", "mean", "max", "min", "prod"};
  return names[int(r)];
}
Reduce parse_reduce(std::string_view text) {
  for (int i = 0; i < 5; ++i) {
    if (name(Reduce(i)) == text) return Reduce(i);
  }
  throw ValueError("[distributed] the reduction must be sum, mean, max, min or prod, not '" +
                   std::string(text) + "'");
}
namespace {

int count_of(int64_t n, const char* what) {
  if (n > std::numeric_limits<int>::max()) {
    throw ValueError("[" + std::string(what) +
                     "] more than 2147483647 elements at once: split the tensor");
  }
  return int(n);
}

// ---- Reductions ----
bool is_half(DType t) { return t == DType::float16 || t == DType::bfloat16; }

void check_reducible(const char* what, DType t, Reduce op) {
  const auto fail = [&](const char* hint) {
    throw DTypeError("[" + std::string(what) + "] " + std::string(name(op)) +
                     " is not defined for " + std::string(name(t)) + hint);
  };
  if (t == DType::bool_ && (op == Reduce::sum || op == Reduce::mean)) {
    fail(": max is any, min is all");
  }
  if (op == Reduce::mean && !is_inexact(t)) fail(": cast it to a float first");
  if (is_complex(t) && (op == Reduce::max || op == Reduce::min)) fail("");
}

// Finishes n reduced elements in place: divides for mean, wraps int4.
void finish_reduction(void* data, int64_t n, DType t, Reduce op, int ranks) {
  if (op == Reduce::mean)
    visit_dtype(t, [&]<class T>(T) {
      if constexpr (std::is_floating_point_v<T> || requires { typename T::value_type; })
        for (int64_t i = 0; i < n; ++i)
          static_cast<T*>(data)[i] /= typename std::conditional<
              std::is_same_v<T, std::complex<float>>, float,
              std::conditional_t<std::is_floating_point_v<T>, T, double>>::type(ranks);
    });
  if (t == DType::int4) {
    for (int8_t *p = static_cast<int8_t*>(data), *end = p + n; p < end; ++p) {
      *p = int8_t(uint8_t(*p) << 4) >> 4;
    }
  }
  if (t == DType::uint4) {
    for (uint8_t *p = static_cast<uint8_t*>(data), *end = p + n; p < end; ++p) *p &= 15;
  }
}

void all_reduce_into(Group::Impl& g, const void* in, void* out, int64_t n, DType t, Reduce op) {
  const Mpi& m = process()->mpi;
  if (is_half(t)) {
    std::vector<float> wide(static_cast<size_t>(n));
    convert(wide.data(), DType::float32, in, t, wide.size());
    all_reduce_into(g, m.in_place, wide.data(), n, DType::float32, op);
    convert(out, t, wide.data(), DType::float32, wide.size());
    return;
  }
  const Reduce how = t == DType::bool_ && op == Reduce::prod ? Reduce::min : op;
  const size_t element = size_of(t);
  for (int64_t at = 0; at < n; at += max_count) {
    const void* from =
        in == m.in_place ? in : static_cast<const std::byte*>(in) + size_t(at) * element;
    m.check(m.Allreduce(from, static_cast<std::byte*>(out) + size_t(at) * element,
                        int(std::min(max_count, n - at)), m.types[int(t)], m.ops[int(how)], g.comm),
            "all_reduce");
  }
  finish_reduction(out, n, t, op, g.size);
}

void reduce_scatter_into(Group::Impl& g, const void* in, void* out, const std::vector<int>& counts,
                         DType t, Reduce op) {
  const Mpi& m = process()->mpi;
  const int64_t n = std::accumulate(counts.begin(), counts.end(), int64_t(0));
  const int64_t mine = counts[size_t(g.rank)];
  if (is_half(t)) {
    std::vector<float> wide(static_cast<size_t>(n));
    std::vector<float> part(static_cast<size_t>(mine));
    convert(wide.data(), DType::float32, in, t, wide.size());
    reduce_scatter_into(g, wide.data(), part.data(), counts, DType::float32, op);
    convert(out, t, part.data(), DType::float32, part.size());
    return;
  }
  const Reduce how = t == DType::bool_ && op == Reduce::prod ? Reduce::min : op;
  m.check(m.Reduce_scatter(in, out, counts.data(), m.types[int(t)], m.ops[int(how)], g.comm),
          "reduce_scatter");
  finish_reduction(out, mine, t, op, g.size);
}

// ---- Tasks ----
// NCCL rounds 16-bit floats at each step of a reduction, so they are widened before and rounded
// once after it.
Tensor widen_for_reduction(const Tensor& x, DType* narrow) {
  *narrow = x.dtype();
  return is_half(x.dtype()) && x.device().kind == Device::cuda ? x.astype(DType::float32) : x;
}
void need_axis(const char* what, const Tensor& x) {
  if (x.ndim() == 0) {
    throw ShapeError("[" + std::string(what) + "] a 0-d tensor has no axis to split");
  }
}

Work ready(const Tensor& x) {
  auto task = std::make_shared<Task>();
  if (x.defined()) task->result = x.eval().detach();
  task->finished = true;
  return Work(task);
}

Work begin(std::shared_ptr<Task> task, bool here) {
  process()->carry_out(task, here);
  return Work(std::move(task));
}

bool on_gpu(const Task& t) {
  const Storage* s = t.in.node()->value.load();  // a scalar has none
  return s && s->device.kind == Device::cuda;
}
// Created collectively on first use; MPI carries the handshake.
Nccl& nccl_of(Group::Impl& g, const Task& t) {
  if (!g.nccl) {
    g.nccl = std::make_shared<Nccl>(t.in.node()->value.load()->device.index, g.rank, g.size,
                                    [&](void* bytes, int n) {
                                      const Mpi& m = process()->mpi;
                                      m.check(m.Bcast(bytes, n, m.byte, 0, g.comm), "distributed");
                                    });
  }
  g.nccl->begin(t);
  return *g.nccl;
}

Work start_barrier(const Group& group, bool here) {
  Group::Impl* g = group.impl();
  if (!g) return ready({});
  auto task = task_for(group, Call::barrier, {}, {});
  task->run = [g](Task&) {
    Process& p = *process();
    p.agree(*g, {.call = Call::barrier});
    p.mpi.check(p.mpi.Barrier(g->comm), "barrier");
  };
  return begin(std::move(task), here);
}

Work start_broadcast(const Group& group, const Tensor& x, int root, bool here) {
  need_rank("broadcast", root, group);
  Group::Impl* g = group.impl();
  if (!g) return ready(x);
  auto task = task_for(group, Call::broadcast, x, {x.dtype(), x.shape()});
  const Signature s = signature(Call::broadcast, x, {}, root);
  if (on_gpu(*task)) {
    task->run = [g, s, root](Task& t) {
      process()->agree(*g, s);
      nccl_of(*g, t).broadcast(t, root);
    };
  } else {
    const bool mine = root == g->rank;
    const void* data = task->in.data_ptr();
    if (!mine) task->out = allocate_for(task->type);
    task->run = [g, s, root, mine, data](Task& t) {
      Process& p = *process();
      p.agree(*g, s);
      // MPI does not write to the root's.
      std::byte* at = mine ? static_cast<std::byte*>(const_cast<void*>(data)) : t.out->data;
      const int64_t n = t.in.size();
      for (int64_t i = 0; i < n; i += max_count) {
        p.mpi.check(
            p.mpi.Bcast(at + size_t(i) * size_of(t.type.dtype), int(std::min(max_count, n - i)),
                        p.mpi.types[int(t.type.dtype)], root, g->comm),
            "broadcast");
      }
      if (mine) t.result = t.in;
    };
  }
  return begin(std::move(task), here);
}

Work start_all_reduce(const Group& group, const Tensor& given, Reduce op, bool here) {
  check_reducible("all_reduce", given.dtype(), op);
  Group::Impl* g = group.impl();
  if (!g) return ready(given);
  DType narrow;
  const Tensor x = widen_for_reduction(given, &narrow);
  auto task = task_for(group, Call::all_reduce, x, {x.dtype(), x.shape()});
  task->as = narrow;
  const Signature s = signature(Call::all_reduce, x, op);
  if (on_gpu(*task)) {
    task->run = [g, s, op](Task& t) {
      process()->agree(*g, s);
      nccl_of(*g, t).all_reduce(t, op);
    };
  } else {
    const void* data = task->in.data_ptr();
    task->out = allocate_for(task->type);
    task->run = [g, s, op, data](Task& t) {
      process()->agree(*g, s);
      all_reduce_into(*g, data, t.out->data, t.in.size(), t.type.dtype, op);
    };
  }
  return begin(std::move(task), here);
}

Work start_all_gather(const Group& group, const Tensor& given, bool here) {
  const Tensor x = given.ndim() ? given : ops::reshape(given, {1});
  Group::Impl* g = group.impl();
  if (!g) return ready(x);
  auto task = task_for(group, Call::all_gather, x, {x.dtype(), x.shape()});
  Signature s = signature(Call::all_gather, x);
  s.shape[0] = -1;
  const bool gpu = on_gpu(*task);
  const void* data = gpu ? nullptr : task->in.data_ptr();
  task->run = [g, s, data, gpu](Task& t) {
    Process& p = *process();
    p.agree(*g, s);
    // First gathers the lengths.
    std::vector<int64_t> lengths(static_cast<size_t>(g->size));
    const int64_t mine = t.type.shape[0];
    p.mpi.check(p.mpi.Allgather(&mine, 1, p.mpi.word, lengths.data(), 1, p.mpi.word, g->comm),
                "all_gather");
    const int64_t all = std::accumulate(lengths.begin(), lengths.end(), int64_t(0));
    Shape row = t.type.shape;
    row[0] = 1;
    const int64_t width = size_of(std::span<const int64_t>(row));
    t.type.shape[0] = all;
    if (gpu) return nccl_of(*g, t).all_gather(t, lengths, width);
    t.out = allocate_for(t.type);
    std::vector<int> counts;
    std::vector<int> starts;
    int64_t at = 0;
    for (int64_t n : lengths) {
      counts.push_back(count_of(n * width, "all_gather"));
      starts.push_back(count_of(at, "all_gather"));
      at += n * width;
    }
    const Handle type = p.mpi.types[int(t.type.dtype)];
    p.mpi.check(p.mpi.Allgatherv(data, counts[size_t(g->rank)], type, t.out->data, counts.data(),
                                 starts.data(), type, g->comm),
                "all_gather");
  };
  return begin(std::move(task), here);
}

Work start_reduce_scatter(const Group& group, const Tensor& given, Reduce op, bool here) {
  check_reducible("reduce_scatter", given.dtype(), op);
  need_axis("reduce_scatter", given);
  Group::Impl* g = group.impl();
  if (!g) return ready(given);
  DType narrow;
  const Tensor x = widen_for_reduction(given, &narrow);
  Type type{x.dtype(), x.shape()};
  const int64_t rows = x.shape(0);
  const int64_t width = rows ? x.size() / rows : 0;
  std::vector<int> counts;
  for (int r = 0; r < g->size; ++r) {
    const Span part = share(rows, r, g->size);
    counts.push_back(count_of((part.last - part.first) * width, "reduce_scatter"));
    if (r == g->rank) type.shape[0] = part.last - part.first;
  }
  auto task = task_for(group, Call::reduce_scatter, x, type);
  task->as = narrow;
  const Signature s = signature(Call::reduce_scatter, x, op);
  if (on_gpu(*task)) {
    task->run = [g, s, op, counts](Task& t) {
      process()->agree(*g, s);
      nccl_of(*g, t).reduce_scatter(t, counts, op);
    };
  } else {
    const void* data = task->in.data_ptr();
    task->out = allocate_for(task->type);
    task->run = [g, s, op, counts, data](Task& t) {
      process()->agree(*g, s);
      reduce_scatter_into(*g, data, t.out->data, counts, t.type.dtype, op);
    };
  }
  return begin(std::move(task), here);
}

Work start_all_to_all(const Group& group, const Tensor& x, bool here) {
  need_axis("all_to_all", x);
  if (x.shape(0) % group.size() != 0) {
    throw ShapeError("[all_to_all] axis 0 of " + to_string(x.shape()) +
                     " cannot be divided among " + std::to_string(group.size()) + " ranks");
  }
  Group::Impl* g = group.impl();
  if (!g) return ready(x);
  auto task = task_for(group, Call::all_to_all, x, {x.dtype(), x.shape()});
  const Signature s = signature(Call::all_to_all, x);
  const int count = count_of(x.size() / g->size, "all_to_all");
  if (on_gpu(*task)) {
    task->run = [g, s, count](Task& t) {
      process()->agree(*g, s);
      nccl_of(*g, t).all_to_all(t, count);
    };
  } else {
    const void* data = task->in.data_ptr();
    task->out = allocate_for(task->type);
    task->run = [g, s, count, data](Task& t) {
      Process& p = *process();
      p.agree(*g, s);
      const Handle type = p.mpi.types[int(t.type.dtype)];
      p.mpi.check(p.mpi.Alltoall(data, count, type, t.out->data, count, type, g->comm),
                  "all_to_all");
    };
  }
  return begin(std::move(task), here);
}

}  // namespace

void need_rank(const char* what, int r, const Group& g) {
  if (r < 0 || r >= g.size()) {
    throw ValueError("[" + std::string(what) + "] invalid rank " + std::to_string(r) +
                     " in a group of " + std::to_string(g.size()));
  }
}
std::shared_ptr<Task> task_for(const Group& group, Call call, const Tensor& x, Type type) {
  if (process()->ended()) throw StateError("[" + std::string(name(call)) + "] the group has ended");
  auto task = std::make_shared<Task>();
  task->group = group;
  task->what = name(call);
  task->type = std::move(type);
  if (!x.defined()) return task;
  x.eval();
  task->in = x.detach();
  task->engine = x.node()->engine;
  task->device = x.device();
  return task;
}
Storage* allocate_for(const Type& t) {
  check_size(t.shape, t.dtype);
  return allocate(size_t(size_of(std::span<const int64_t>(t.shape))) * size_of(t.dtype));
}

Tensor Work::wait() const {
  if (!task_) throw StateError("[Work] no operation was started");
  Task& t = *task_;
  if (!t.finished) process()->wait(t);
  std::lock_guard lock(t.taking);
  if (t.error) std::rethrow_exception(t.error);
  if (t.out && !t.result.defined()) {
    Tensor r = make_leaf(t.type, {.storage = std::exchange(t.out, nullptr)});
    r.node()->engine = t.engine;
    if (t.device != r.device()) r = r.to_device(t.device);
    t.result = t.as && *t.as != r.dtype() ? r.astype(*t.as) : r;
  }
  t.in = {};
  return t.result;
}
bool Work::done() const {
  if (!task_) throw StateError("[Work] no operation was started");
  return task_->finished || process()->done(*task_);
}

int Group::rank() const { return impl_ ? impl_->rank : 0; }
int Group::size() const { return impl_ ? impl_->size : 1; }
std::string Group::transport() const { return impl_ ? process()->mpi.version : "none"; }

Group Group::split(int color, int key) const {
  if (!impl_) return {};
  auto r = std::make_shared<Impl>();
  auto task = task_for(*this, Call::split, {}, {});
  task->run = [g = impl(), color, key, r](Task&) {
    Process& p = *process();
    p.agree(*g, {.call = Call::split});
    constexpr int none = -32766;  // in both ABIs
    p.mpi.check(p.mpi.Comm_split(g->comm, color < 0 ? none : color, key, &r->comm), "split");
    if (color < 0) return;
    p.mpi.check(p.mpi.Comm_set_errhandler(r->comm, p.mpi.errors_return), "split");
    p.mpi.check(p.mpi.Comm_rank(r->comm, &r->rank), "split");
    p.mpi.check(p.mpi.Comm_size(r->comm, &r->size), "split");
    r->sent.resize(size_t(r->size));
    r->received.resize(size_t(r->size));
  };
  begin(std::move(task), true).wait();
  return color < 0 ? Group() : Group(r);
}

void Group::barrier() const { start_barrier(*this, true).wait(); }
Tensor Group::broadcast(const Tensor& x, int root) const {
  return start_broadcast(*this, x, root, true).wait();
}
Tensor Group::all_reduce(const Tensor& x, Reduce op) const {
  return start_all_reduce(*this, x, op, true).wait();
}
Tensor Group::all_gather(const Tensor& x) const { return start_all_gather(*this, x, true).wait(); }
Tensor Group::reduce_scatter(const Tensor& x, Reduce op) const {
  return start_reduce_scatter(*this, x, op, true).wait();
}
Tensor Group::all_to_all(const Tensor& x) const { return start_all_to_all(*this, x, true).wait(); }
void Group::send(const Tensor& x, int to) const { send_async(x, to).wait(); }
Tensor Group::recv(DType dtype, const Shape& shape, int from) const {
  return recv_async(dtype, shape, from).wait();
}

Work Group::barrier_async() const { return start_barrier(*this, false); }
Work Group::broadcast_async(const Tensor& x, int root) const {
  return start_broadcast(*this, x, root, false);
}
Work Group::all_reduce_async(const Tensor& x, Reduce op) const {
  return start_all_reduce(*this, x, op, false);
}
Work Group::all_gather_async(const Tensor& x) const { return start_all_gather(*this, x, false); }
Work Group::reduce_scatter_async(const Tensor& x, Reduce op) const {
  return start_reduce_scatter(*this, x, op, false);
}
Work Group::all_to_all_async(const Tensor& x) const { return start_all_to_all(*this, x, false); }
std::vector<std::string> Group::all_gather_bytes(const std::string& bytes) const {
  if (!impl_) return {bytes};
  Group::Impl* g = impl();
  const auto result = std::make_shared<std::vector<std::string>>(static_cast<size_t>(g->size));
  auto task = task_for(*this, Call::exchange, {}, {});
  task->run = [g, bytes, result](Task&) {
    Process& p = *process();
    std::vector<std::string>& all = *result;
    p.agree(*g, {.call = Call::exchange});
    std::vector<int> counts(all.size());
    std::vector<int> starts(all.size());
    const int n = count_of(int64_t(bytes.size()), "exchange");
    p.mpi.check(
        p.mpi.Allgather(&n, sizeof n, p.mpi.byte, counts.data(), sizeof n, p.mpi.byte, g->comm),
        "exchange");
    int64_t sum = 0;
    for (size_t i = 0; i < all.size(); ++i) {
      starts[i] = count_of(sum, "exchange");
      sum += counts[i];
    }
    std::string joined(size_t(count_of(sum, "exchange")), 0);
    p.mpi.check(p.mpi.Allgatherv(bytes.data(), n, p.mpi.byte, joined.data(), counts.data(),
                                 starts.data(), p.mpi.byte, g->comm),
                "exchange");
    for (size_t i = 0; i < all.size(); ++i) {
      all[i] = joined.substr(size_t(starts[i]), size_t(counts[i]));
    }
  };
  begin(std::move(task), true).wait();
  return *result;
}
std::string Group::broadcast_bytes(const std::string& bytes, int root) const {
  need_rank("broadcast", root, *this);
  return all_gather_bytes(root == rank() ? bytes : "")[size_t(root)];
}

}  // namespace ember::distributed
