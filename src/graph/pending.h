// What recording and evaluation tell each other about work that pends.
#pragma once
#include <span>

#include "src/core/node.h"

namespace ember {

size_t eval_counted(std::span<Node* const> roots);  // eval_nodes, and how many nodes it looked at
void restart_piece();  // an evaluation on this thread: pieces of loops count from here
bool is_tracing();     // this thread only records: see set_tracing

}  // namespace ember
