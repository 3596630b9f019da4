// Groups of processes and strategies: the submodule _core.distributed.
#include "ember/distributed.h"

#include "python/src/nn/module.h"
#include "python/src/train/training.h"

namespace ember::python {
namespace {

using nb::arg;
using namespace distributed;

// The result of a call or, with async_op, a handle to wait for it.
template <class Now, class Later> nb::object result(bool async_op, Now now, Later later) {
  if (async_op) return nb::cast(later());
  if constexpr (std::is_void_v<decltype(now())>) {
    return now(), nb::none();
  } else {
    return object(now());
  }
}

void add_group(nb::module_& m) {
  nb::class_<Work>(m, "Work", "A running operation.")
      .def(
          "wait",
          [](const Work& w) -> nb::object {
            const Tensor t = w.wait();
            return t.defined() ? object(t) : nb::none();
          },
          "Waits for the operation and returns its result or raises its error.")
      .def("done", &Work::done, "Whether the operation has finished.");

  nb::class_<Group>(m, "Group",
                    "A group of processes; a new one contains only this process.\n\n"
                    "All ranks of a group call the same operations in the same order. With "
                    "async_op=True a call begins the operation and returns a Work.")
      .def(nb::init<>())
      .def_prop_ro("rank", &Group::rank, "The rank of this process, counted from 0.")
      .def_prop_ro("size", &Group::size, "The number of processes.")
      .def_prop_ro("transport", &Group::transport, "The MPI library and its version, or none.")
      .def("split", &Group::split, arg("color"), arg("key") = 0,
           "Those that give the same color, ordered by key and then by rank. A negative color: "
           "this process alone.")
      .def(
          "barrier",
          [](const Group& g, bool later) {
            return result(later, [&] { g.barrier(); }, [&] { return g.barrier_async(); });
          },
          nb::kw_only(), arg("async_op") = false, "Waits for all ranks.")
      .def(
          "broadcast",
          [](const Group& g, const Tensor& x, int root, bool later) {
            return result(
                later, [&] { return g.broadcast(x, root); },
                [&] { return g.broadcast_async(x, root); });
          },
          arg("x"), arg("root") = 0, nb::kw_only(), arg("async_op") = false,
          "The root's tensor on all ranks; x has its shape and dtype on each.")
      .def(
          "all_reduce",
          [](const Group& g, const Tensor& x, const std::string& op, bool later) {
            const Reduce r = parse_reduce(op);
            return result(
                later, [&] { return g.all_reduce(x, r); },
                [&] { return g.all_reduce_async(x, r); });
          },
          arg("x"), arg("op") = "sum", nb::kw_only(), arg("async_op") = false,
          "sum, mean, max, min or prod over the ranks, on all of them.")
      .def(
          "all_gather",
          [](const Group& g, const Tensor& x, bool later) {
            return result(
                later, [&] { return g.all_gather(x); }, [&] { return g.all_gather_async(x); });
          },
          arg("x"), nb::kw_only(), arg("async_op") = false,
          "The tensors of all ranks concatenated along axis 0, where their lengths may differ.")
      .def(
          "reduce_scatter",
          [](const Group& g, const Tensor& x, const std::string& op, bool later) {
            const Reduce r = parse_reduce(op);
            return result(
                later, [&] { return g.reduce_scatter(x, r); },
                [&] { return g.reduce_scatter_async(x, r); });
          },
          arg("x"), arg("op") = "sum", nb::kw_only(), arg("async_op") = false,
          "This rank's rows of the reduction, as given by share().")
      .def(
          "all_to_all",
          [](const Group& g, const Tensor& x, bool later) {
            return result(
                later, [&] { return g.all_to_all(x); }, [&] { return g.all_to_all_async(x); });
          },
          arg("x"), nb::kw_only(), arg("async_op") = false,
          "Sends part i of axis 0 to rank i and returns the received parts in the order of ranks.")
      .def(
          "send",
          [](const Group& g, const Tensor& x, int to, bool later) {
            return result(later, [&] { g.send(x, to); }, [&] { return g.send_async(x, to); });
          },
          arg("x"), arg("to"), nb::kw_only(), arg("async_op") = false,
          "Sends a tensor to a rank, which calls recv.")
      .def(
          "recv",
          [](const Group& g, const Ints& shape, DType dtype, int from, bool later) {
            return result(
                later, [&] { return g.recv(dtype, shape, from); },
                [&] { return g.recv_async(dtype, shape, from); });
          },
          arg("shape"), arg("dtype"), arg("source"), nb::kw_only(), arg("async_op") = false,
          "Receives a tensor from a rank, which calls send.");
}

void add_processes(nb::module_& m) {
  m.def(
      "init",
      [](std::optional<bool> checked, std::optional<double> timeout) {
        return init({.checked = checked, .timeout = timeout});
      },
      arg("checked") = nb::none(), arg("timeout") = nb::none(),
      "All processes that mpirun, srun or `ember launch` started; this one alone otherwise. Later "
      "calls give the same group.\n\n"
      "checked: ranks that disagree raise an error instead of hanging (yes, unless "
      "EMBER_DISTRIBUTED_CHECKED=0). timeout: seconds after which an\n"
      "operation that waits for another rank ends the process (EMBER_DISTRIBUTED_TIMEOUT, or "
      "300).");
  m.def("world", &world, "The group of init(); before it, a group of this process.");
  m.def("is_initialized", &is_initialized);
  m.def("abort", &abort, arg("message"), arg("status") = 1, "Ends all processes with a message.");
  m.def(
      "share",
      [](int64_t n, int rank, int size) {
        if (n < 0 || size < 1 || rank < 0 || rank >= size) {
          throw ValueError("[share] invalid rank " + std::to_string(rank) + " of " +
                           std::to_string(size));
        }
        const Span s = share(n, rank, size);
        return std::pair(s.first, s.last);
      },
      arg("n"), arg("rank"), arg("size"),
      "The half-open range of the n rows that belong to a rank.");
  m.def("all_reduce_sum", &all_reduce_sum, arg("x"), arg("group"),
        "A differentiable sum over the ranks.");
}

void add_strategies(nb::module_& m) {
  nb::class_<Strategy>(m, "Strategy", "A training strategy; the base trains on this process.")
      .def(nb::init<>())
      .def_rw("num_devices", &Strategy::num_devices, "The number of parts of a batch.")
      .def("distribute", &Strategy::distribute, arg("batch"),
           "Parts along axis 0, one for each device, longer ones first.")
      .def_prop_ro("group", &Strategy::group)
      .def("prepare", &Strategy::prepare, arg("model"), arg("optimizer"),
           "Called once before the first step.")
      .def(
          "reduce",
          [](Strategy& s, nb::handle parameters) {
            s.reduce(parameters_of("reduce", parameters), {});
          },
          arg("parameters"), "Sums the gradients over the ranks.")
      .def(
          "step", [](Strategy& s, nn::Optimizer& optimizer) { return s.step(optimizer, {}); },
          arg("optimizer"), "The optimizer's step.");
  nb::class_<DataParallelStrategy, Strategy>(
      m, "DataParallelStrategy",
      "Each rank has the whole model and processes a part of each batch: Trainer(..., "
      "strategy=DataParallelStrategy()).\n\n"
      "Weights are rank 0's at first; gradients are summed over ranks in pieces of bucket_bytes, "
      "weighted by examples. shard_optimizer: each\n"
      "rank has the optimizer's state of some of the parameters; sharded_checkpoints: and saves it "
      "to a file of its own.")
      .def(
          "__init__",
          [](DataParallelStrategy* p, std::optional<Group> group, size_t bucket_bytes,
             bool synchronize_batch_norm, bool shard_optimizer, bool sharded_checkpoints) {
            new (p) DataParallelStrategy({.group = group ? *group : init(),
                                          .bucket_bytes = bucket_bytes,
                                          .synchronize_batch_norm = synchronize_batch_norm,
                                          .shard_optimizer = shard_optimizer,
                                          .sharded_checkpoints = sharded_checkpoints});
          },
          arg("group") = nb::none(), nb::kw_only(), arg("bucket_bytes") = size_t(25) << 20,
          arg("synchronize_batch_norm") = false, arg("shard_optimizer") = false,
          arg("sharded_checkpoints") = false);
}

}  // namespace

void add_distributed(nb::module_& m) {
  add_group(m);
  add_processes(m);
  add_strategies(m);
}

}  // namespace ember::python
