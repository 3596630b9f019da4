// Keeps oneDNN, wherever it is linked in, from using AMX where a virtual machine hides half of it.
#pragma once

namespace ember {

// Sets ONEDNN_MAX_CPU_ISA and DNNL_MAX_CPU_ISA (those that are unset) when the processor claims AMX
// but describes no usable tiles: bf16 products would die with SIGILL. To be called before any
// engine is loaded. Does its work once.
void guard_amx();

}  // namespace ember
