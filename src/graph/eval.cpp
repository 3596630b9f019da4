// Evaluates nodes: sorts them, looks up or compiles the slice, runs it and stores the values. A
// slice is a piece of the graph that is compiled and run at once, not the op. Nothing here recurses
// over the graph.
#include <algorithm>
#include <bit>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "ember/runtime.h"
#include "src/core/counters.h"
#include "src/graph/compile.h"
#include "src/graph/gradient.h"
#include "src/graph/pending.h"

namespace ember {
namespace {

struct State {
  uint8_t engine = 0;
  std::vector<uintptr_t> stack;
  std::vector<Item> items;
  std::vector<uint32_t> leaves, outputs;  // which items these are
  std::vector<Node*> foreign;             // pending nodes of another engine, to be evaluated first
  std::vector<uint64_t> key;              // the structure as words
  std::vector<Param> params;
  std::vector<Value> in, out;
  std::vector<Node*> dying;
};

// Takes the value of one output from its node with several outputs, if that is evaluated.
bool pick_output(Node& n) {
  if (n.op != OpId::output) return false;
  Node& tuple = *n.inputs[0];
  if (!tuple.value.load(std::memory_order_relaxed)) return false;
  Value v = tuple.extra->values[size_t(n.scalar.u)];
  retain(v.storage);
  publish(n, std::move(v));
  return true;
}

struct KeyWriter : FieldVisitor {
  std::vector<uint64_t>& key;
  explicit KeyWriter(std::vector<uint64_t>& k) : key(k) {}
  void field(const char*, int64_t v) override { key.push_back(uint64_t(v)); }
  void field(const char*, double v) override { key.push_back(std::bit_cast<uint64_t>(v)); }
  void field(const char*, const Ints& v) override {
    key.push_back(v.size());
    for (int64_t i : v) key.push_back(uint64_t(i));
  }
};

void describe_attrs(const Node& n, State& st) {
  KeyWriter w(st.key);
  if (n.op == OpId::slice || n.op == OpId::slice_update) {
    const auto& a = n.attrs.as<SliceAttr>();
    for (int64_t v : a.starts) st.params.push_back({.i = v});
    w.field("steps", a.steps);
  } else {
    n.attrs.visit(w);
  }
}

// Decides which values are stored, once all uses are counted.
void find_outputs(State& st, bool kept) {
  auto& s = st.items;
  // Of kept nodes, the values that gradient rules read are stored; others are recomputed if needed.
  if (kept) {
    for (Item& i : s) {
      if (i.leaf || !i.node->kept) continue;
      const uint8_t reads = gradient_reads(*i.node);
      if (reads & reads_y) i.needed = true;
      for (size_t k = 0; k < i.node->inputs.size(); ++k) {
        // bit 6 stands for all further inputs
        if ((reads >> std::min<size_t>(k, 6) & 1) && i.node->inputs[k]->op != OpId::scalar) {
          s[i.node->inputs[k]->index].needed = true;
        }
      }
    }
  }
  for (uint32_t k = 0; k < s.size(); ++k) {
    Item& i = s[k];
    if (i.leaf) {
      st.leaves.push_back(k);
    } else if (i.needed || i.node->refs.load(std::memory_order_relaxed) > i.uses) {
      i.output = true;
      st.outputs.push_back(k);
    }
  }
  // Nodes that stay recorded after this evaluation hold their inputs, whose memory cannot be
  // donated.
  if (kept) {
    for (size_t k = s.size(); k--;) {
      const Item& i = s[k];
      if (!i.leaf && (i.node->kept || (i.held && !i.output))) {
        for (Node* in : i.node->inputs) {
          if (in->op != OpId::scalar) s[in->index].held = true;
        }
      }
    }
  }
}

// Sorts the pending nodes topologically and writes the structure key in the same pass. A node's
// `index` is valid only if the item at that index is the node, so it needs no reset. Leaf buffers,
// scalars and the starts of slices are parameters and not in the key. A scalar is a new parameter
// each time it is read: whether two readers share its node must not decide what is compiled.
void order(std::span<Node* const> roots, State& st) {
  auto& s = st.items;
  auto& stack = st.stack;
  auto& key = st.key;
  s.clear();
  stack.clear();
  st.leaves.clear();
  st.outputs.clear();
  st.foreign.clear();
  key.clear();
  st.params.clear();
  bool kept = false;
  const Shape* last_shape = nullptr;
  const Node* last_node = roots[0];
  const auto seen = [&](Node* n) { return n->index < s.size() && s[n->index].node == n; };
  const uint8_t engine = st.engine = roots[0]->engine;
  // Entries are node pointers; the low bit says that the inputs have been pushed.
  for (size_t i = roots.size(); i--;) stack.push_back(uintptr_t(roots[i]));
  while (!stack.empty()) {
    const uintptr_t e = stack.back();
    Node* n = reinterpret_cast<Node*>(e & ~uintptr_t(1));
    bool leaf = true;
    if (!(e & 1)) {
      if (seen(n)) {
        stack.pop_back();
        continue;
      }
      if (n->pending() && n->op == OpId::leaf) {
        throw StateError("a placeholder has no value until its program runs");
      }
      if (n->pending() && !pick_output(*n)) {
        if (n->engine != engine) {
          st.foreign.push_back(n);
        } else {
          leaf = false;
          stack.back() |= 1;
          for (size_t i = n->inputs.size(); i--;) {
            if (n->inputs[i]->op != OpId::scalar && !seen(n->inputs[i])) {
              stack.push_back(uintptr_t(n->inputs[i]));
            }
          }
          // Inputs first; a node that waits for none is placed now.
          if (stack.back() != (e | 1)) continue;
        }
      }
    } else {
      leaf = false;
    }
    stack.pop_back();
    n->index = uint32_t(s.size());
    s.push_back({n, 0, leaf, false, false, false});
    const bool same = last_shape && *last_shape == n->shape;
    const bool strided = leaf && is_strided(*n, engine);
    const std::span<Node* const> inputs = n->inputs;
    key.push_back(uint64_t(leaf ? OpId::leaf : n->op) | uint64_t(n->dtype) << 16 |
                  uint64_t(same) << 24 | uint64_t(strided) << 25 | uint64_t(n->shape.size()) << 32 |
                  uint64_t(inputs.size()) << 40);
    if (!same) {
      for (int64_t d : *(last_shape = &n->shape)) key.push_back(uint64_t(d));
    }
    if (leaf) {
      if (strided) {
        for (int64_t d : n->extra->strides) key.push_back(uint64_t(d));
      }
      continue;
    }
    last_node = n;
    kept |= n->kept;
    const auto key_of_input = [&](Node* in) -> uint64_t {
      if (in->op != OpId::scalar) {
        ++s[in->index].uses;
        return in->index;
      }
      st.params.push_back(in->scalar);
      return ~uint32_t(in->dtype);  // never taken for an index
    };
    for (size_t i = 0; i < inputs.size(); i += 2) {  // two to a word
      const uint64_t first = key_of_input(inputs[i]);
      key.push_back(i + 1 < inputs.size() ? first | key_of_input(inputs[i + 1]) << 32 : first);
    }
    if (n->op == OpId::output) key.push_back(n->scalar.u);
    if (n->attrs) describe_attrs(*n, st);
  }
  find_outputs(st, kept);
  for (uint32_t k : st.outputs) key.push_back(uint64_t(1) << 63 | k);
  key.push_back(uint64_t(engine) | uint64_t(last_node->device.kind) << 8 |
                uint64_t(last_node->device.index) << 16);
}

uint64_t hash_of(const std::vector<uint64_t>& key) {
  uint64_t a = key.size();
  uint64_t b = 0;  // two lanes, to overlap the multiplies
  const auto mix = [](uint64_t h, uint64_t w) {
    return (std::rotl(h, 23) ^ w) * 0x9E3779B97F4A7C15u;
  };
  size_t i = 0;
  for (; i + 2 <= key.size(); i += 2) {
    a = mix(a, key[i]);
    b = mix(b, key[i + 1]);
  }
  if (i < key.size()) a = mix(a, key[i]);
  return a ^ std::rotl(b, 32);
}

// The cache of compiled slices by structure key, bounded in entries and in words of keys; the least
// recently used is evicted.
class Cache {
 public:
  Compiled* find(uint64_t hash, const std::vector<uint64_t>& key) {
    auto it = map_.find(hash);
    if (it == map_.end() || it->second.key != key) return nullptr;
    it->second.used = ++clock_;
    return it->second.compiled.get();
  }
  Compiled* insert(uint64_t hash, const std::vector<uint64_t>& key, std::unique_ptr<Compiled> c) {
    while (!map_.empty() && (map_.size() >= max_entries || words_ + key.size() > max_words)) {
      auto oldest = map_.begin();
      for (auto it = map_.begin(); it != map_.end(); ++it) {
        if (it->second.used < oldest->second.used) oldest = it;
      }
      words_ -= oldest->second.key.size();
      map_.erase(oldest);
    }
    Entry& e = map_[hash];
    words_ += key.size() - e.key.size();
    e = {key, std::move(c), ++clock_};
    return e.compiled.get();
  }

 private:
  static constexpr size_t max_entries = 512, max_words = size_t(1) << 22;
  struct Entry {
    std::vector<uint64_t> key;
    std::unique_ptr<Compiled> compiled;
    uint64_t used = 0;
  };
  std::unordered_map<uint64_t, Entry> map_;  // of keys with equal hashes, the last one stays
  uint64_t clock_ = 0;
  size_t words_ = 0;
};
Cache& cache() {
  static Cache& c = *new Cache;
  return c;
}

// Stores the values, then drops the inputs from the last to the first, so that nodes which only the
// slice held are freed one level at a time.
void publish_all(State& st) {
  size_t k = 0;
  for (uint32_t i : st.outputs) {
    Node& n = *st.items[i].node;
    if (n.extra && !n.extra->types.empty()) {
      n.extra->values.assign(n.extra->types.size(), Value());
      for (Value& v : n.extra->values) v = std::move(st.out[k++]);
      retain(n.extra->values[0].storage);  // the node's own value is a second reference
      n.value.store(n.extra->values[0].storage, std::memory_order_release);
    } else {
      publish(n, std::move(st.out[k++]));
    }
  }
  // Dropped at the end, because a drop may free nodes that other items refer to.
  st.dying.clear();
  for (size_t i = st.outputs.size(); i--;) {
    Node& n = *st.items[st.outputs[i]].node;
    if (n.kept) continue;
    auto inputs = std::move(n.inputs);
    for (Node* in : inputs) st.dying.push_back(in);
  }
  for (Node* n : st.dying) drop_node(n);
}

// The values of the leaves, in order, borrowed from the nodes.
void collect_inputs(State& st) {
  st.in.clear();
  for (uint32_t k : st.leaves) {
    const Item& i = st.items[k];
    Node& n = *i.node;
    Storage* s = n.value.load(std::memory_order_acquire);
    Value v;
    v.storage = is_away(n, st.engine) ? host_copy(n) : s;
    if (is_strided(n, st.engine)) {
      v.offset = n.extra->offset;
      v.strides = n.extra->strides;
      v.strided = true;
    }
    v.donated = !i.held && !n.requires_grad && n.refs.load(std::memory_order_acquire) == i.uses &&
                s->refs.load(std::memory_order_acquire) == 1 && s->writable && s->padded;
    st.in.push_back(std::move(v));
  }
}

// Whether running a slice takes microseconds.
bool is_short(const State& st) {
  constexpr size_t most_items = 64;
  constexpr int64_t most_elements = 4096;
  if (st.engine != native_engine || st.items.size() > most_items) return false;
  return std::ranges::all_of(st.items, [](const Item& i) { return i.node->size <= most_elements; });
}

// Runs what order() prepared in st. A structure is compiled once, then run with these leaves,
// scalars and starts of slices.
void run_slice(State& st) {
  if (st.outputs.empty()) return;
  if (forked_away(st.engine)) {
    throw EngineError(
        "engine '" + std::string(engine_name(st.engine)) +
        "' has threads, which a forked child does not inherit: start a new process instead");
  }
  const uint64_t hash = hash_of(st.key);
  Compiled* c = cache().find(hash, st.key);
  if (c) {
    tally().cache_hits.fetch_add(1, std::memory_order_relaxed);
  } else {
    tally().compiled.fetch_add(1, std::memory_order_relaxed);
    c = cache().insert(hash, st.key, compile(st.items, st.params.size()));
  }
  collect_inputs(st);
  size_t outputs = 0;
  for (uint32_t k : st.outputs) {
    const Node& n = *st.items[k].node;
    outputs += n.extra && !n.extra->types.empty() ? n.extra->types.size() : 1;
  }
  st.out.assign(outputs, Value());
  tally().evaluations.fetch_add(1, std::memory_order_relaxed);
  if (watching()) watch(*c);
  // The scalars of expanded bodies are numbered after the slice's own.
  st.params.insert(st.params.end(), c->constants.begin(), c->constants.end());
  run(*c, st.in, st.out, st.params);
  publish_all(st);
}

// The short path for one elementwise op over values of its own shape and scalars, without sorting
// or a plan. Writes in place into an input that nobody else reads.
bool eval_one(Node& n) {
  if (watching() || n.op == OpId::output || n.kept || n.size > 1 << 15) return false;
  if (!has_trait(n.op, t_elementwise) || n.op == OpId::cast) return false;
  for (Node* m : n.inputs) {
    if (m->pending()) return false;
  }
  const TileFn fn = engine(n.engine).quick(n.op, n.inputs[n.inputs.size() - 1]->dtype);
  if (!fn) return false;
  alignas(64) std::byte line[3][64];
  const void* p[3] = {};
  unsigned lines = 0;
  Storage* donor = nullptr;
  for (size_t k = 0; k < n.inputs.size(); ++k) {
    Node& m = *n.inputs[k];
    if (m.op == OpId::scalar) {
      fill_line(line[k], m.scalar, m.dtype);
      p[k] = line[k];
      lines |= 1u << k;
      continue;
    }
    Storage* s = m.value.load(std::memory_order_acquire);
    if (m.shape != n.shape || m.extra || !s->padded || m.engine != n.engine) return false;
    p[k] = s->data;
    if (m.dtype == n.dtype && s->writable && m.refs.load(std::memory_order_acquire) == 1 &&
        s->refs.load(std::memory_order_acquire) == 1) {
      donor = s;
    }
  }
  if (donor) retain(donor);
  Storage* out = donor ? donor : allocate(size_t(n.size) * size_of(n.dtype));
  fn(out->data, p[0], p[1], p[2], lines, size_t(n.size));
  tally().evaluations.fetch_add(1, std::memory_order_relaxed);
  n.value.store(out, std::memory_order_release);
  auto inputs = std::move(n.inputs);
  for (Node* in : inputs) drop_node(in);
  return true;
}

}  // namespace

std::recursive_mutex& eval_mutex() {
  static auto& m = *new std::recursive_mutex;
  return m;
}

void publish(Node& n, Value&& v) {
  if (v.strided || on_device(v.storage)) extra_of(n);
  if (v.strided) {
    n.extra->offset = v.offset;
    n.extra->strides = std::move(v.strides);
    n.extra->strided = true;
  }
  n.value.store(v.storage, std::memory_order_release);
}

void eval_nodes(std::span<Node* const> roots) { eval_counted(roots); }
size_t eval_counted(std::span<Node* const> roots) {
  bool any = false;
  for (Node* n : roots) any |= n->pending();
  if (!any) return 0;
  restart_piece();
  // Another language's lock is kept for what takes no longer than letting go of it and taking it
  // again, some 80 ns. A thread that has it never blocks on the mutex.
  std::optional<Waiting> others_run;  // ends after the mutex is unlocked
  std::unique_lock lock(eval_mutex(), std::try_to_lock);
  if (!lock) {
    others_run.emplace();
    lock.lock();
  }
  if (roots.size() == 1 && (!roots[0]->pending() || eval_one(*roots[0]))) return 1;
  size_t seen = 0;
  static State& spare = *new State;
  static bool busy = false;  // an engine may evaluate while it compiles
  std::optional<State> own;
  State& st = busy ? own.emplace() : spare;
  const bool before = std::exchange(busy, true);
  struct Reset {
    bool& b;
    bool v;
    ~Reset() { b = v; }
  } reset{busy, before};
  // A set holds nodes of one engine. Nodes of another engine that they read are evaluated first;
  // their handles are held, since an evaluation in between may evaluate and drop them.
  struct Set {
    Small<Node*, 4> nodes;
    std::vector<Tensor> held;
  };
  Set now;
  std::vector<Set> waiting;
  for (Node* n : roots) {
    if (!n->pending()) continue;
    const auto takes = [&](const Set& t) {
      return t.nodes.empty() || t.nodes[0]->engine == n->engine;
    };
    Set* to = takes(now) ? &now : nullptr;
    for (Set& t : waiting) {
      if (!to && takes(t)) to = &t;
    }
    (to ? *to : waiting.emplace_back()).nodes.push_back(n);
  }
  for (;;) {
    Small<Node*, 4> pending;
    for (Node* n : now.nodes) {
      if (n->pending()) pending.push_back(n);
    }
    if (!pending.empty()) {
      order({pending.data(), pending.size()}, st);
      if (!st.foreign.empty()) {
        waiting.push_back(std::exchange(now, {}));
        for (Node* n : st.foreign) {
          if (n->engine != st.foreign[0]->engine) continue;
          retain_node(n);
          now.held.push_back(Tensor(n));
          now.nodes.push_back(n);
        }
        continue;
      }
      if (!others_run && !is_short(st)) others_run.emplace();
      run_slice(st);
      seen += st.items.size();
    }
    if (waiting.empty()) return seen;
    now = std::move(waiting.back());
    waiting.pop_back();
  }
}

void release_tape(std::span<Node* const> nodes) {
  const Waiting waiting_for_the_lock;
  std::lock_guard lock(eval_mutex());
  for (Node* n : nodes) {
    n->kept = false;
    if (n->pending() || !n->tracked) continue;
    auto inputs = std::move(n->inputs);
    for (Node* in : inputs) drop_node(in);
  }
}

void eval(std::span<const Tensor> ts) {
  Small<Node*, 8> roots;
  for (const Tensor& t : ts) {
    if (!t.defined()) throw ValueError("[eval] a tensor is undefined");
    roots.push_back(t.node());
  }
  if (!roots.empty()) eval_nodes({roots.data(), roots.size()});
  forget_pending();
}

}  // namespace ember
