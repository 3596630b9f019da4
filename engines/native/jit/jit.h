// Code written at run time: a run of elementwise instructions becomes one loop that keeps its
// values in registers. It gives the bits that the instructions would give one after the other.
#pragma once
#include "engines/native/plan/plan.h"

namespace ember::native {

bool generates();  // whether this processor is one that we write code for
size_t generate_runs(
    Program&);  // replaces what can be, and says how many functions (exp and the like) that was

}  // namespace ember::native
