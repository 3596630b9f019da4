// An engine made of kernels, for libraries that run one op at a time. Inside a slice values stay
// the library's own arrays; they become Ember's values at its edges only.
#pragma once
#include "ember/engine.h"
#include "ember/runtime.h"

namespace ember {

// What a kernel gets: its node, its inputs, the parameters of the slice.
template <class Array> struct Call {
  const SliceNode& node;
  std::span<Array* const> in;
  std::span<const Param> params;
  uint32_t fresh;  // bit i: input i was made inside this slice and nobody reads it after this call,
                   // so its memory may be reused
  const Slice& slice;

  size_t size() const { return in.size(); }
  const Array& operator[](size_t i) const { return *in[i]; }
  template <class T> const T& attr() const { return node.attrs.as<T>(); }
  int64_t start(size_t axis) const { return params[node.param + axis].i; }  // slice, slice_update
  // the node an input came from: its dtype and shape
  const SliceNode& from(size_t i) const { return slice.nodes[node.in[i]]; }
};

template <class Array> struct Kernel {
  Array (*one)(const Call<Array>&) = nullptr;
  std::vector<Array> (*many)(const Call<Array>&) = nullptr;  // ops with several outputs
};

// Library is a class with
//   using Array
//   Kernel<Array> kernel(const SliceNode&, const Slice&)            asked once per node, when the
//   slice is compiled Array lend(const Value&, const SliceNode& leaf)                 an input as
//   an array, without a copy where that can be void scalar(Array& slot, Param, DType) a 0-d array;
//   slot may hold the one of the last run void finish(std::span<Array* const> outputs) computes
//   them, if the library is lazy itself Value take(Array&&, DType, const Shape&) an output as a
//   value that the caller owns
//   [[noreturn]] void translate()                                   inside a catch block: the
//   library's error as one of Ember's
template <class Library> class Nodewise final : public Executable {
 public:
  using Array = typename Library::Array;

  Nodewise(const Slice& s, Library library) : slice_(s), library_(std::move(library)) {
    const size_t n = slice_.nodes.size();
    slots_.resize(n);
    std::vector<uint32_t> last(
        n);  // of a slot: the step that reads it last, counted from 1; 0: none does
    std::vector<bool> made(n, false);
    for (uint32_t i = 0; i < n; ++i) {
      const SliceNode& node = slice_.nodes[i];
      if (node.op ==
          OpId::output) {  // no step: it names a place that the op with several outputs fills
        slots_[i] = slots_[node.in[0]] + node.param;
        continue;
      }
      slots_[i] = uint32_t(env_.size());
      env_.resize(env_.size() + std::max<size_t>(1, node.outputs.size()));
      last.resize(std::max(last.size(), env_.size()));
      made.resize(last.size(), false);
      if (node.op == OpId::scalar) scalars_.push_back(i);
      if (node.op == OpId::leaf || node.op == OpId::scalar) continue;
      Step step{library_.kernel(node, slice_), i, uint32_t(reads_.size()), 0, {}};
      for (uint32_t k : node.in) {
        reads_.push_back(slots_[k]);
        last[slots_[k]] = uint32_t(steps_.size() + 1);
      }
      for (size_t k = 0; k < std::max<size_t>(1, node.outputs.size()); ++k) {
        made[slots_[i] + k] = true;
      }
      steps_.push_back(std::move(step));
    }
    for (uint32_t o : slice_.outputs) last[slots_[o]] = ~0u;
    for (size_t k = 0; k < steps_.size(); ++k) {
      Step& step = steps_[k];
      const SliceNode& node = slice_.nodes[step.node];
      for (size_t i = 0; i < node.in.size(); ++i) {
        const uint32_t slot = reads_[step.reads + i];
        if (last[slot] != k + 1 || !made[slot]) continue;
        if (i < 32) step.fresh |= 1u << i;
        step.dead.push_back(slot);
      }
      for (size_t i = 0; i < std::max<size_t>(1, node.outputs.size()); ++i) {
        if (last[slots_[step.node] + i] == 0) step.dead.push_back(uint32_t(slots_[step.node] + i));
      }
    }
  }

  void run(std::span<const Value> in, std::span<Value> out,
           std::span<const Param> params) override {
    struct Clear {  // what a run leaves behind is dropped at its end; scalars stay for the next
      Nodewise& n;
      ~Clear() {
        for (uint32_t i : n.slice_.inputs) n.env_[n.slots_[i]] = n.nothing_;
        if (n.failed_) {
          for (auto& a : n.env_) a = n.nothing_;
        }
      }
    } clear{*this};
    failed_ = true;
    try {
      for (size_t i = 0; i < in.size(); ++i) {
        env_[slots_[slice_.inputs[i]]] = library_.lend(in[i], slice_.nodes[slice_.inputs[i]]);
      }
      for (uint32_t i : scalars_) {
        library_.scalar(env_[slots_[i]], params[slice_.nodes[i].param], slice_.nodes[i].dtype);
      }
    } catch (...) {
      translated({});
    }
    for (const Step& step : steps_) {
      poll();
      const SliceNode& node = slice_.nodes[step.node];
      args_.clear();
      for (size_t k = 0; k < node.in.size(); ++k) args_.push_back(&env_[reads_[step.reads + k]]);
      const Call<Array> call{node, args_, params, step.fresh, slice_};
      try {
        if (step.kernel.one) {
          env_[slots_[step.node]] = step.kernel.one(call);
        } else {
          std::vector<Array> results = step.kernel.many(call);
          for (size_t k = 0; k < results.size(); ++k) {
            env_[slots_[step.node] + k] = std::move(results[k]);
          }
        }
      } catch (...) {
        translated(name(node.op));
      }
      for (uint32_t slot : step.dead) env_[slot] = nothing_;
    }
    args_.clear();
    for (uint32_t o : slice_.outputs) args_.push_back(&env_[slots_[o]]);
    size_t done = 0;
    try {
      library_.finish(args_);
      for (; done < out.size(); ++done) {
        const SliceNode& node = slice_.nodes[slice_.outputs[done]];
        out[done] = library_.take(Array(*args_[done]), node.dtype,
                                  node.shape);  // a copy: one place may be two outputs
      }
      for (Array* a : args_) *a = nothing_;
    } catch (...) {
      while (done-- > 0) drop(std::exchange(out[done], Value()).storage);
      translated(steps_.size() == 1 ? name(slice_.nodes[steps_[0].node].op) : std::string_view());
    }
    failed_ = false;
  }

 private:
  struct Step {
    Kernel<Array> kernel;
    uint32_t node, reads, fresh;  // reads: where its inputs' slots begin
    std::vector<uint32_t> dead;   // slots that nobody reads any more
  };
  [[noreturn]] void translated(std::string_view op) {
    try {
      library_.translate();
    } catch (const Error&) {
      if (op.empty()) throw;
      rethrow_for(op);
    }
    throw StateError("an error that was not translated");
  }

  Slice slice_;
  Library library_;
  std::vector<uint32_t> slots_;  // per node: its first slot
  std::vector<uint32_t> reads_, scalars_;
  std::vector<Step> steps_;
  std::vector<Array> env_;
  std::vector<Array*> args_;
  const Array nothing_ = Array();
  bool failed_ = false;
};

}  // namespace ember
