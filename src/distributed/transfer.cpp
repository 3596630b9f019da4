// Point-to-point transfers.
#include <algorithm>

#include "ember/ops.h"
#include "src/core/node.h"
#include "src/distributed/process.h"

namespace ember::distributed {
namespace {

// Each message of a pair has its own three tags, so that messages can be waited for in any order.
// In checked mode, both sides first exchange their requests.
constexpr int sender_asks = 0, receiver_asks = 1, data_comes = 2, tags = 3,
              messages = 10000;  // all tags are below MPI's guaranteed upper bound, 32767
int first_tag(uint32_t message) { return int(message % messages) * tags; }

struct Transfer {
  Group::Impl* g;
  Signature mine, theirs;
  int peer, tag;
  bool sending;
  std::byte* data;
  int64_t size, at = 0;
  Handle greeting = 0, answer = 0, request = 0;
  int stage = 0;

  bool over(Handle& request_of) {
    const Mpi& m = process()->mpi;
    if (!request_of) return true;
    int flag = 0;
    m.check(m.Test(&request_of, &flag, m.ignore_status), sending ? "send" : "recv");
    if (flag) request_of = 0;
    return flag;
  }
  void next(DType t) {
    const Mpi& m = process()->mpi;
    const int n = int(std::min(max_count, size - at));
    std::byte* from = data + size_t(at) * size_of(t);
    const Handle type = m.types[int(t)];
    if (sending) {
      m.check(m.Isend(from, n, type, peer, tag + data_comes, g->comm, &request), "send");
    } else {
      m.check(m.Irecv(from, n, type, peer, tag + data_comes, g->comm, &request), "recv");
    }
    at += n;
  }
  bool advance(DType t) {
    Process& p = *process();
    const Mpi& m = p.mpi;
    if (stage == 0 && p.checked) {
      const int out = sending ? sender_asks : receiver_asks;
      const int in = sending ? receiver_asks : sender_asks;
      m.check(m.Isend(&mine, sizeof mine, m.byte, peer, tag + out, g->comm, &greeting), "send");
      m.check(m.Irecv(&theirs, sizeof theirs, m.byte, peer, tag + in, g->comm, &answer), "recv");
      stage = 1;
    }
    if (stage <= 1) {
      if (const bool sent = over(greeting), came = over(answer); !sent || !came) return false;
      if (p.checked) {
        need_same_type(mine, theirs, [&] {
          return "[" + std::string(name(mine.call)) + "] the ranks disagree: rank " +
                 std::to_string(g->rank) + " calls " + describe(mine) + ", rank " +
                 std::to_string(peer) + " " + describe(theirs);
        });
      }
      stage = 2;
      next(t);
    }
    while (over(request)) {
      if (at >= size) return true;
      next(t);
    }
    return false;
  }
};

Work start_transfer(std::shared_ptr<Task> task, Transfer transfer) {
  const DType t = task->type.dtype;
  task->advance = [state = std::make_shared<Transfer>(transfer), t](Task&) {
    return state->advance(t);
  };
  process()->keep(task);
  return Work(std::move(task));
}

void need_other(const char* what, int r, const Group& g) {
  need_rank(what, r, g);
  if (r == g.rank()) {
    throw ValueError("[" + std::string(what) + "] rank " + std::to_string(r) +
                     " is this rank itself");
  }
}

}  // namespace

Work Group::send_async(const Tensor& x, int to) const {
  need_other("send", to, *this);
  auto task = task_for(*this, Call::send, x, {x.dtype(), x.shape()});
  std::byte* data = static_cast<std::byte*>(const_cast<void*>(task->in.data_ptr()));
  const int tag = first_tag(impl_->sent[size_t(to)]++);
  return start_transfer(task, {.g = impl(),
                               .mine = signature(Call::send, x),
                               .peer = to,
                               .tag = tag,
                               .sending = true,
                               .data = data,
                               .size = x.size()});
}
Work Group::recv_async(DType dtype, const Shape& shape, int from) const {
  need_other("recv", from, *this);
  const Type type{dtype, shape};
  auto task = task_for(*this, Call::recv, {}, type);
  task->out = allocate_for(type);
  const Tensor any = ops::zeros({});
  task->engine = any.node()->engine;
  task->device = any.device();
  Signature s = signature(Call::recv, ops::broadcast_to(ops::zeros({}, type.dtype), type.shape));
  const int tag = first_tag(impl_->received[size_t(from)]++);
  const int64_t n = size_of(std::span<const int64_t>(type.shape));
  return start_transfer(task, {.g = impl(),
                               .mine = s,
                               .peer = from,
                               .tag = tag,
                               .sending = false,
                               .data = task->out->data,
                               .size = n});
}

}  // namespace ember::distributed
