// Code written at run time: a run of elementwise instructions becomes one loop that keeps its values in registers. It gives the bits
// that the instructions would give one after the other.
#pragma once
#include "engines/native/plan.h"

namespace ember::native {

bool generates();              // whether this processor is one that we write code for
void generate_runs(Program&);  // replaces what can be

}  // namespace ember::native
