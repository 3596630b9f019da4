// The caching allocator and the node pool. Free blocks keep their pages, because a page fault costs
// more than the arithmetic on a page.
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cstdlib>
#include <mutex>
#include <new>

#include "ember/backend.h"
#include "src/core/available.h"
#include "src/core/counters.h"
#include "src/core/fork.h"
#include "src/core/node.h"
#include "src/graph/graph.h"

namespace ember {
namespace {

constexpr size_t huge_page = size_t(1) << 21;
// Smaller blocks are cached per thread, larger blocks for all threads.
constexpr size_t small_limit = size_t(1) << 16;
// The most that a thread caches in small blocks. It bounds the cache of a thread that only frees
// blocks of other threads.
constexpr size_t max_thread_cache = size_t(1) << 25;
constexpr int buckets = 256;

// The first bytes of a free block, after its header.
struct Link {
  Link* next;
};
Storage* block_of(Link* l) {
  return reinterpret_cast<Storage*>(reinterpret_cast<std::byte*>(l) - sizeof(Storage));
}

// Size classes: four per power of two.
struct SizeClass {
  size_t bytes;
  uint16_t bucket;
};
SizeClass size_class(size_t bytes) {
  // 64 extra bytes: kernels read whole vectors, even from views that do not start on a vector
  // boundary.
  bytes = (bytes + sizeof(Storage) + 63) / 64 * 64 + 64;
  const size_t step = std::bit_floor(bytes) / 4;
  const size_t units = (bytes + step - 1) / step;
  return {units * step, uint16_t(size_t(std::countr_zero(step)) * 4 + units - 4)};
}

std::atomic<size_t> used{0}, cached{0}, peak{0};
void count_used(size_t bytes) {
  const size_t now = used.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  for (size_t p = peak.load(std::memory_order_relaxed);
       now > p && !peak.compare_exchange_weak(p, now, std::memory_order_relaxed);) {}
}

// Large free blocks, shared by all threads. Never destroyed, because tensors may outlive static
// destruction.
struct Shared {
  std::mutex mutex;
  std::array<Link*, buckets> free{};
};
Shared& shared() {
  static Shared& s = *new Shared;
  return s;
}

// Small free blocks and nodes of one thread.
struct ThreadCache {
  std::array<Link*, buckets> free{};
  Link* nodes = nullptr;
  size_t node_count = 0, bytes = 0;
  bool dead = false;
  void release();  // called when the thread ends
};
// Free nodes of threads that ended or that have too many of them.
struct FreeNodes {
  std::mutex mutex;
  Link* nodes = nullptr;
};
FreeNodes& free_nodes() {
  static FreeNodes& s = *new FreeNodes;
  return s;
}
void ThreadCache::release() {
  for (Link*& list : free) {
    while (Link* l = list) {
      list = l->next;
      std::free(block_of(l));
    }
  }
  std::lock_guard lock(free_nodes().mutex);
  while (Link* l = nodes) {
    nodes = l->next;
    l->next = free_nodes().nodes;
    free_nodes().nodes = l;
  }
}
// A pointer in static thread storage, because recording reads it several times per op.
constinit thread_local ThreadCache* current_cache __attribute__((tls_model("initial-exec"))) =
    nullptr;
// Used by tensors that are destroyed during thread exit: it caches nothing.
ThreadCache& exited_thread_cache() {
  static ThreadCache& n = *[] {
    auto* l = new ThreadCache;
    l->dead = true;
    return l;
  }();
  return n;
}
[[gnu::noinline]] ThreadCache& create_thread_cache() {
  // On the heap, because static thread storage is scarce in a library that is loaded late.
  static thread_local struct Owner {
    ThreadCache* p = new ThreadCache;
    ~Owner() {
      current_cache = &exited_thread_cache();
      p->release();
      delete p;
    }
  } own;
  return *(current_cache = own.p);
}
ThreadCache& thread_cache() { return current_cache ? *current_cache : create_thread_cache(); }

// Whether a block may be requested from the system, which overcommits and kills a process that
// touches too much. Counts memory that is allocated but not yet touched, because blocks that fit
// one by one may not fit together. Checked once per `interval` bytes.
bool can_allocate(size_t bytes) {
  constexpr size_t interval = size_t(1) << 26;
  static std::atomic<size_t> requested{0};
  if (requested.fetch_add(bytes, std::memory_order_relaxed) + bytes < interval) return true;
  const AvailableMemory memory = available_memory();
  const size_t allocated =
      used.load(std::memory_order_relaxed) + cached.load(std::memory_order_relaxed);
  if (bytes > memory.free ||
      allocated + bytes > memory.free + std::min(allocated, memory.resident)) {
    return false;
  }
  requested.store(0, std::memory_order_relaxed);
  return true;
}

void* raw_block(size_t bytes) {
  const bool big = bytes >= huge_page / 2;
  const size_t align = big ? huge_page : 64;
  const size_t total = (bytes + align - 1) / align * align;
  void* p = can_allocate(total) ? std::aligned_alloc(align, total) : nullptr;
  if (p && big) madvise(p, bytes, MADV_HUGEPAGE);
  return p;
}

void release_cached() {
  std::array<Link*, buckets> taken;
  {
    std::lock_guard lock(shared().mutex);
    taken = std::exchange(shared().free, {});
    cached.store(0, std::memory_order_relaxed);
  }
  for (Link* l : taken) {
    while (l) std::free(block_of(std::exchange(l, l->next)));
  }
}

void recycle(Storage* s) {
  const size_t bytes = s->bytes;
  const uint16_t b = s->bucket;
  const size_t whole = size_class(bytes).bytes;
  used.fetch_sub(bytes, std::memory_order_relaxed);
  Link* l = reinterpret_cast<Link*>(s->data);
  ThreadCache& mine = thread_cache();
  if (whole < small_limit) {
    if (mine.dead || mine.bytes > max_thread_cache) return std::free(s);
    l->next = mine.free[b];
    mine.free[b] = l;
    mine.bytes += whole;
    return;
  }
  cached.fetch_add(whole, std::memory_order_relaxed);
  {
    std::lock_guard lock(shared().mutex);
    l->next = shared().free[b];
    shared().free[b] = l;
  }
  if (cached.load(std::memory_order_relaxed) > physical_memory() / 2) release_cached();
}

[[noreturn]] void out_of_memory(size_t bytes) {
  throw MemoryError("cannot allocate " + std::to_string(bytes) + " bytes: Ember holds " +
                    std::to_string(used.load()) + ", the machine has " +
                    std::to_string(available_memory().free) + " of " +
                    std::to_string(physical_memory()) + " left");
}

void release_adopted(Storage* s) {
  auto f = reinterpret_cast<void (*)(void*)>(s->spare[0]);
  if (f) f(s->owner);
  delete s;
}

}  // namespace

Storage* allocate(size_t bytes) {
  if (bytes > physical_memory()) out_of_memory(bytes);
  const auto [whole, bucket] = size_class(bytes);
  void* p = nullptr;
  if (ThreadCache& mine = thread_cache(); whole < small_limit) {
    if (Link* l = mine.free[bucket]) {
      mine.free[bucket] = l->next;
      p = block_of(l);
      mine.bytes -= whole;
    }
  } else {
    std::lock_guard lock(shared().mutex);
    if (Link* l = shared().free[bucket]) {
      shared().free[bucket] = l->next;
      p = block_of(l);
      cached.fetch_sub(whole, std::memory_order_relaxed);
    }
  }
  if (!p) {
    tally().allocations.fetch_add(1, std::memory_order_relaxed);
    p = raw_block(whole);
    if (!p) {
      release_cached();
      p = raw_block(whole);
    }
    if (!p) out_of_memory(bytes);
  }
  Storage* s = new (p) Storage;
  s->bucket = bucket;
  s->padded = true;
  s->data = reinterpret_cast<std::byte*>(p) + sizeof(Storage);
  s->release = recycle;
  s->bytes = bytes;
  count_used(bytes);
  return s;
}

void lock_allocator() {
  shared().mutex.lock();
  free_nodes().mutex.lock();
}
void unlock_allocator() {
  free_nodes().mutex.unlock();
  shared().mutex.unlock();
}

void drop(Storage* s) {
  if (s && (s->refs.load(std::memory_order_acquire) == 1 ||
            s->refs.fetch_sub(1, std::memory_order_acq_rel) == 1)) {
    s->release(s);
  }
}

Storage* adopt(void* data, size_t bytes, void* owner, void (*release)(void*)) {
  Storage* s = new Storage;
  s->data = static_cast<std::byte*>(data);
  s->bytes = bytes;
  s->owner = owner;
  s->writable = false;
  s->spare[0] = reinterpret_cast<size_t>(release);
  s->release = release_adopted;
  return s;
}

namespace memory {
EMBER_API void reset_peak() { peak.store(used.load()); }
}  // namespace memory
MemoryStats memory_stats() { return {used.load(), cached.load(), peak.load()}; }

void clear_cache() {
  clear_engine_caches();
  release_cached();
}

// ---- nodes ----
Node* new_node() {
  ThreadCache& mine = thread_cache();
  if (mine.dead) {
    void* p = raw_block(sizeof(Node));
    if (!p) throw MemoryError("out of memory for graph nodes");
    return new (p) Node;
  }
  if (!mine.nodes) {
    std::lock_guard lock(free_nodes().mutex);
    if (free_nodes().nodes) {
      for (int i = 0; i < 4096 && free_nodes().nodes; ++i) {
        Link* l = free_nodes().nodes;
        free_nodes().nodes = l->next;
        l->next = mine.nodes;
        mine.nodes = l;
        ++mine.node_count;
      }
    } else {
      constexpr size_t n = huge_page / sizeof(Node);
      char* slab = static_cast<char*>(raw_block(huge_page));
      if (!slab) throw MemoryError("out of memory for graph nodes");
      for (size_t i = n; i--;) {
        Link* l = reinterpret_cast<Link*>(slab + i * sizeof(Node));
        l->next = mine.nodes;
        mine.nodes = l;
      }
      mine.node_count += n;
    }
  }
  Link* l = mine.nodes;
  mine.nodes = l->next;
  --mine.node_count;
  return new (l) Node;
}

static void free_node(Node* n) {
  n->~Node();
  Link* l = reinterpret_cast<Link*>(n);
  ThreadCache& mine = thread_cache();
  // This thread frees nodes of other threads: return them to all.
  if (mine.dead || mine.node_count > (size_t(1) << 20)) {
    std::lock_guard lock(free_nodes().mutex);
    l->next = free_nodes().nodes;
    free_nodes().nodes = l;
    return;
  }
  l->next = mine.nodes;
  mine.nodes = l;
  ++mine.node_count;
}

// Iterative, so that any depth is possible without a stack or an allocation: dead nodes are linked
// through `size`, which is no longer read.
void destroy(Node* n) {
  for (Node* dead = nullptr;;) {
    if (Storage* s = n->value.load(std::memory_order_relaxed)) drop(s);
    delete n->extra;
    for (Node* in : n->inputs) {
      if (in->refs.load(std::memory_order_acquire) == 1 ||
          in->refs.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        in->size = reinterpret_cast<int64_t>(std::exchange(dead, in));
      }
    }
    free_node(n);
    if (!dead) return;
    n = dead;
    dead = reinterpret_cast<Node*>(n->size);
  }
}

void retain(Node* n) { retain_node(n); }
void drop(Node* n) { drop_node(n); }

}  // namespace ember
