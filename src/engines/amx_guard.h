// Keeps oneDNN, in any library, from using AMX where a virtual machine hides a part of it.
#pragma once

namespace ember {

// Sets ONEDNN_MAX_CPU_ISA and DNNL_MAX_CPU_ISA, unless they are set, if the processor reports AMX
// without usable tiles: bf16 products would end in SIGILL. Must be called before any engine is
// loaded; later calls do nothing.
void guard_amx();

}  // namespace ember
