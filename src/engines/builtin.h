// Engines inside libember: null (no data, for tests) and checked (compares every result with
// native).
#pragma once
#include "ember/engine.h"

namespace ember {

std::unique_ptr<Engine> make_null_engine();
std::unique_ptr<Engine> make_checked_engine(std::unique_ptr<Engine>);
int count_supported(
    const Engine&);  // how many graph ops it takes itself, asked with small float32 operands

}  // namespace ember
