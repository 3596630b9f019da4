// Compiles runs of elementwise instructions: a run becomes one loop that keeps its values in
// registers. Results have the same bits as those of the interpreter.
#pragma once
#include "engines/native/plan/plan.h"

namespace ember::native {

bool generates();                // whether there is code for this processor
size_t generate_runs(Program&);  // returns the number of functions (exp and the like) in the runs

}  // namespace ember::native
