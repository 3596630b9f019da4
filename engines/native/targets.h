// Which instruction sets the native kernels are compiled for. Include before any Highway header.
#pragma once

#ifdef EMBER_STATIC_DISPATCH  // one target, chosen by the compiler's flags; Highway's library is
                              // not needed
#define HWY_COMPILE_ONLY_STATIC
#else
// Kept: the baseline, SSE4, AVX2, AVX3 (AVX-512) and NEON. Bits 0 to 7 are what x86 has above AVX3,
// 15 to 27 what Arm has above NEON.
#define HWY_DISABLED_TARGETS (0xffLL | HWY_SSSE3 | 0xfff8000LL)
#endif

namespace ember::native {
const char* instruction_set();  // the name of the target the kernels run on, such as "AVX3"
}
