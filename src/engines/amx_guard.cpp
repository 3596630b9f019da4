// Detects incomplete AMX with CPUID.
#include "src/engines/amx_guard.h"

#include <cstdlib>
#include <initializer_list>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

namespace ember {
namespace {

#if defined(__x86_64__) || defined(__i386__)
bool half_hidden() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return false;
  constexpr unsigned bf16 = 1u << 22;
  constexpr unsigned tile = 1u << 24;
  constexpr unsigned int8 = 1u << 25;
  if (!(d & (bf16 | tile | int8))) return false;  // the processor does not report AMX
  const bool claimed_whole = d & tile;
  a = b = c = d = 0;
  // Leaf 0x1D, palette 1: the upper half of EBX is the number of tiles, the lower half of ECX the
  // rows of a tile.
  const bool described =
      __get_cpuid_count(0x1D, 1, &a, &b, &c, &d) && (b >> 16) >= 8 && (c & 0xFFFF) >= 16;
  return !(claimed_whole && described);
}
#else
bool half_hidden() { return false; }
#endif

}  // namespace

void guard_amx() {
  static const bool done = [] {
    if (half_hidden()) {
      for (const char* name : {"ONEDNN_MAX_CPU_ISA", "DNNL_MAX_CPU_ISA"}) {
        setenv(name, "AVX512_CORE_BF16", 0);
      }
    }
    return true;
  }();
  static_cast<void>(done);
}

}  // namespace ember
