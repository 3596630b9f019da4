// The onnxruntime engine: writes a slice as an ONNX model, which becomes a session. Inputs and
// outputs are Ember's memory.
#include <mutex>
#include <unordered_map>

#include "ember/runtime.h"
#include "engines/onnxruntime/session.h"
#include "engines/onnxruntime/views.h"

namespace ember::ort {
namespace {

constexpr size_t external_size = 1024;  // larger constants are not copied into the model

// The open models of earlier slices, and their sessions while they are in use.
class OpenModels {
 public:
  // Null at the first call for a model, because a session for one slice is faster; then the session
  // that all slices with this model share.
  std::shared_ptr<Session> again(const Slice& s, onnx::Written w, Device d) {
    const std::lock_guard lock(mutex_);
    const std::string key = to_string(d) + w.model;
    const auto found = sessions_.find(key);
    if (found != sessions_.end()) return session(found->second, s, std::move(w), d);
    if (sessions_.size() >= 1000) sessions_.clear();
    sessions_.emplace(key, std::weak_ptr<Session>());
    return nullptr;
  }
  std::shared_ptr<Session> get(const Slice& s, onnx::Written w, Device d) {
    const std::lock_guard lock(mutex_);
    std::weak_ptr<Session>& place = sessions_[to_string(d) + w.model];
    return session(place, s, std::move(w), d);
  }

 private:
  static std::shared_ptr<Session> session(std::weak_ptr<Session>& place, const Slice& s,
                                          onnx::Written w, Device d) {
    std::shared_ptr<Session> r = place.lock();
    if (!r) place = r = std::make_shared<Session>(s, std::move(w), d);
    return r;
  }
  std::mutex mutex_;
  std::unordered_map<std::string, std::weak_ptr<Session>> sessions_;
};
OpenModels& open_models() {
  static OpenModels& m = *new OpenModels;
  return m;
}

// A session with this slice's memory bound to it.
class Bound {
 public:
  Bound(const Part& p, std::shared_ptr<Session> session, std::vector<onnx::Feed> feeds)
      : session_(std::move(session)), feeds_(std::move(feeds)) {
    OrtIoBinding* b = nullptr;
    check(api().CreateIoBinding(session_->session.get(), &b));
    binding_.reset(b);
    const auto type = [&](uint32_t i) {
      return Type{p.slice.nodes[i].dtype, p.slice.nodes[i].shape};
    };
    for (uint32_t k : session_->written.inputs) {
      in_.push_back({.input = p.inputs[k], .type = type(p.slice.inputs[k])});
    }
    for (uint32_t i : p.slice.outputs) out_.push_back({.type = type(i)});
    for (const onnx::Feed& f : feeds_) {
      numbers_.emplace_back(std::max<size_t>(1, f.scalar ? 1 : f.numbers.size()));
      fed_.push_back(tensor(numbers_.back().data(), f.dtype, f.shape));
      check(api().BindInput(b, f.name.c_str(), fed_.back().get()));
    }
  }

  void run(std::span<const Value> in, std::span<Value> out, std::span<const Param> params) {
    struct Packed {  // contiguous copies of strided inputs, during the run
      std::vector<Storage*> list;
      ~Packed() {
        for (Storage* s : list) drop(s);
      }
    } packed;
    for (size_t i = 0; i < in_.size(); ++i) {
      Slot& slot = in_[i];
      const Value& v = in[slot.input.place];
      std::byte* data = v.storage->data;
      if (slot.input.dense) {
        data += v.offset * int64_t(size_of(slot.type.dtype));
      } else if (v.strided) {
        packed.list.push_back(pack(v, slot.type));
        data = packed.list.back()->data;
        count_copy();
      }
      if (bind(slot, data)) {
        check(
            api().BindInput(binding_.get(), session_->written.names[i].c_str(), slot.value.get()));
      }
    }
    for (size_t i = 0; i < feeds_.size(); ++i) fill(feeds_[i], numbers_[i], params);
    size_t made = 0;
    try {
      for (; made < out_.size(); ++made) {
        Slot& slot = out_[made];
        out[made] = {.storage =
                         allocate(size_t(size_of(slot.type.shape)) * size_of(slot.type.dtype))};
        if (bind(slot, out[made].storage->data)) {
          check(api().BindOutput(binding_.get(), session_->written.outputs[made].c_str(),
                                 slot.value.get()));
        }
      }
      check(api().RunWithBinding(session_->session.get(), nullptr, binding_.get()));
    } catch (...) {
      for (Value& v : out) {
        if (v.storage) drop(std::exchange(v, Value()).storage);
      }
      throw;
    }
  }

 private:
  struct Slot {
    Part::Input input = {};
    Type type;
    void* data = nullptr;  // the memory of the value below
    Owned<OrtValue> value;
  };
  // Whether the slot needs binding. Ember's allocator often returns the memory that is bound
  // already.
  static bool bind(Slot& slot, std::byte* data) {
    static std::byte nothing[64];
    if (!data) data = nothing;
    if (slot.data == data) return false;
    slot.value = tensor(data, slot.type.dtype, slot.type.shape);
    slot.data = data;
    return true;
  }
  static void fill(const onnx::Feed& f, std::vector<int64_t>& to, std::span<const Param> params) {
    if (!f.scalar) {
      for (size_t i = 0; i < f.numbers.size(); ++i) to[i] = f.numbers[i](params);
      return;
    }
    store(params[*f.scalar], f.dtype, to.data());
  }

  std::shared_ptr<Session> session_;
  std::vector<onnx::Feed> feeds_;
  Owned<OrtIoBinding> binding_;
  std::vector<Slot> in_, out_;
  std::vector<std::vector<int64_t>> numbers_;
  std::vector<Owned<OrtValue>> fed_;
};

// At most two sessions. In the first one scalars and slice starts are constants, because they
// nearly always stay the same. If they change, or if the graph was seen with other extents, an open
// session is used, which all such slices share.
class Sessions {
 public:
  Sessions(Part p, Device d) : part_(std::move(p)), slice_(part_.slice), device_(d) {
    for (const SliceNode& n : slice_.nodes) {
      const size_t count = n.op == OpId::scalar ? 1
                           : n.op == OpId::slice || n.op == OpId::slice_update
                               ? n.attrs.as<SliceAttr>().steps.size()
                               : 0;
      for (size_t k = 0; k < count; ++k) used_.push_back(n.param + uint32_t(k));
      constants_ |= n.constant != nullptr;
    }
  }
  void run(std::span<const Value> in, std::span<Value> out, std::span<const Param> params) {
    if (!fixed_ && !open_) start(params);
    if (!open_ && !same(params)) {
      onnx::Written w = written({.open = true});
      std::vector<onnx::Feed> feeds = w.feeds;
      auto session = constants_ ? std::make_shared<Session>(slice_, std::move(w), device_)
                                : open_models().get(slice_, std::move(w), device_);
      open_ = std::make_unique<Bound>(part_, std::move(session), std::move(feeds));
    }
    (fixed_ && same(params) ? fixed_ : open_)->run(in, out, params);
  }

 private:
  onnx::Written written(onnx::Writing how) const {
    how.style = onnx::Style::exact;
    how.external_bytes = external_size;
    how.location = "constants";
    return onnx::write(slice_, how);
  }
  void start(std::span<const Param> params) {
    if (!constants_) {
      onnx::Written w = written({.open = true});
      std::vector<onnx::Feed> feeds = w.feeds;
      if (auto session = open_models().again(slice_, std::move(w), device_)) {
        open_ = std::make_unique<Bound>(part_, std::move(session), std::move(feeds));
        return;
      }
    }
    auto session = std::make_shared<Session>(slice_, written({.params = params}), device_);
    fixed_ = std::make_unique<Bound>(part_, std::move(session), std::vector<onnx::Feed>());
    for (uint32_t p : used_) params_.push_back(params[p].u);
  }
  bool same(std::span<const Param> params) const {
    for (size_t i = 0; i < params_.size(); ++i) {
      if (params[used_[i]].u != params_[i]) return false;
    }
    return true;
  }

  const Part part_;
  const Slice& slice_;
  Device device_;
  bool constants_ = false;
  std::vector<uint32_t> used_;    // parameters that the slice reads
  std::vector<uint64_t> params_;  // their values in fixed_
  std::unique_ptr<Bound> fixed_, open_;
};

class Run final : public Executable {
 public:
  Run(const Slice& s, Device d) {
    std::vector<uint32_t> computed;
    for (uint32_t k = 0; k < s.outputs.size(); ++k) {
      if (auto v = find_view(s, s.outputs[k])) {
        views_.push_back({k, std::move(*v), s.nodes[s.outputs[k]]});
      } else {
        computed.push_back(s.outputs[k]);
        places_.push_back(k);
      }
    }
    if (!computed.empty()) sessions_.emplace(part_for(s, computed), d);
  }
  void run(std::span<const Value> in, std::span<Value> out,
           std::span<const Param> params) override {
    poll();
    if (views_.empty()) return sessions_->run(in, out, params);
    std::vector<Value> results(places_.size());
    if (sessions_) sessions_->run(in, results, params);
    try {
      for (const Shown& v : views_) out[v.output] = v.view.of(in[v.view.input], v.node, params);
    } catch (...) {
      for (std::span<Value> list : {std::span<Value>(results), out}) {
        for (Value& v : list) {
          if (v.storage) drop(std::exchange(v, Value()).storage);
        }
      }
      throw;
    }
    for (size_t i = 0; i < results.size(); ++i) out[places_[i]] = std::move(results[i]);
  }

 private:
  struct Shown {
    uint32_t output;
    View view;
    SliceNode node;
  };
  std::vector<Shown> views_;
  std::optional<Sessions> sessions_;  // of all outputs that are not views
  std::vector<uint32_t> places_;      // the indices of these outputs
};

class OrtEngine final : public Engine {
 public:
  OrtEngine() { api(); }
  std::string_view name() const override { return "onnxruntime"; }
  std::string version() const override { return ort::version(); }
  std::vector<Device> devices() const override { return ort::devices(); }
  bool survives_fork() const override { return false; }
  // The time to create a session grows with the square of its nodes.
  size_t longest_slice() const override { return 1024; }
  void clear_cache() override { shrink_arena(); }
  Support supports(const SliceNode& n, const Slice& s) const override {
    return onnx::can_write(n, s, onnx::Style::exact);
  }
  std::unique_ptr<Executable> compile(const Slice& s, Device d) override {
    const std::vector<Device> all = devices();
    if (std::none_of(all.begin(), all.end(), [&](Device x) { return x.kind == d.kind; })) {
      throw DeviceError("the onnxruntime engine has no device " + to_string(d));
    }
    return std::make_unique<Run>(s, d);
  }
  std::vector<std::pair<std::string, std::string>> facts() const override {
    std::vector<std::pair<std::string, std::string>> r;
    if (threads()) r.emplace_back("threads", std::to_string(threads()));
    return r;
  }
};

}  // namespace
}  // namespace ember::ort

EMBER_ENGINE(ember::ort::OrtEngine)
