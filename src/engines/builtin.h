// Engines inside libember, and what an engine supports.
#pragma once
#include <memory>

#include "ember/engine.h"

namespace ember {

std::unique_ptr<Engine> make_null_engine();
std::unique_ptr<Engine> make_checked_engine(std::unique_ptr<Engine>);

// The number of graph ops that the engine computes itself, asked with small float32 operands.
int count_supported(const Engine&);

}  // namespace ember
