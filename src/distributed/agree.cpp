// The comparison of the ranks' requests before a collective operation.
#include <algorithm>

#include "src/distributed/process.h"

namespace ember::distributed {

std::string_view name(Call c) {
  constexpr std::string_view names[] = {"barrier",
                                        "broadcast",
                                        "all_reduce",
                                        "all_gather",
                                        "reduce_scatter",
                                        "all_to_all",
                                        "send",
                                        "recv",
                                        "split",
                                        "an exchange of bytes",
                                        "the end of the program"};
  return names[int(c)];
}

std::string describe(const Signature& s) {
  std::string r(name(s.call));
  if (s.reduce >= 0) r += "(" + std::string(name(Reduce(s.reduce))) + ")";
  if (s.root >= 0) r += " from rank " + std::to_string(s.root);
  if (s.dtype < 0) return r;
  r += " of " + std::string(name(DType(s.dtype))) + "[";
  for (int i = 0; i < std::min(s.ndim, 8); ++i) {
    r += (i ? ", " : "") + (s.shape[i] < 0 ? std::string("any") : std::to_string(s.shape[i]));
  }
  return r + (s.ndim > 8 ? ", ...]" : "]");
}

Signature signature(Call call, const Tensor& x, std::optional<Reduce> op, int root) {
  Signature s{.call = call,
              .reduce = op ? int32_t(*op) : -1,
              .dtype = int32_t(x.dtype()),
              .root = root,
              .ndim = int32_t(x.ndim())};
  for (size_t i = 0; i < x.shape().size(); ++i) {
    if (i < 8) {
      s.shape[i] = x.shape()[i];
    } else {
      s.shape[7] = s.shape[7] * 1000003 + x.shape()[i];
    }
  }
  return s;
}

namespace {

uint64_t hash_of(const Signature& s) {
  uint64_t h = 0xcbf29ce484222325u;
  const auto mix = [&](uint64_t v) {
    h = (h ^ v) * 0x9E3779B97F4A7C15u;
    h ^= h >> 29;
  };
  mix(s.sequence);
  mix(uint64_t(s.call));
  mix(uint64_t(s.reduce));
  mix(uint64_t(s.dtype));
  mix(uint64_t(s.root));
  mix(uint64_t(s.ndim));
  for (int64_t d : s.shape) mix(uint64_t(d));
  return h;
}

}  // namespace

void Process::agree(Group::Impl& g, Signature mine) {
  mine.sequence = g.sequence++;
  mine.rank = g.rank;
  if (!checked) return;
  uint64_t ends[2] = {hash_of(mine), ~hash_of(mine)};
  mpi.check(mpi.Allreduce(mpi.in_place, ends, 2, mpi.word, mpi.ops[int(Reduce::max)], g.comm),
            "agree");
  if (ends[0] == ~ends[1]) return;
  std::vector<Signature> all(static_cast<size_t>(g.size));
  mpi.check(mpi.Allgather(&mine, sizeof mine, mpi.byte, all.data(), sizeof mine, mpi.byte, g.comm),
            "agree");
  const Signature& one = all[0];
  const Signature& other = *std::find_if(
      all.begin(), all.end(), [&](const Signature& s) { return hash_of(s) != hash_of(one); });
  const std::string text = "[" + std::string(name(mine.call)) +
                           "] the ranks disagree about operation " + std::to_string(mine.sequence) +
                           ": rank 0 calls " + describe(one) + ", rank " +
                           std::to_string(other.rank) + " " + describe(other);
  if (one.call != other.call || one.sequence != other.sequence) throw StateError(text);
  need_same_type(one, other, [&] { return text; });
  throw ValueError(text);
}

}  // namespace ember::distributed
