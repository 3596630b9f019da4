// The engines of this process, by number. Nodes name their engine by it (src/graph/graph.h).
#pragma once
#include <string_view>
#include <vector>

#include "src/graph/graph.h"

namespace ember {

// The engine's first device. cpu for an engine that is not loaded.
Device default_device(int engine);

// Throws DeviceError, which lists the engine's devices, unless d is one of them.
void check_device(int engine, Device d);

// Names of the engines that Ember brings, then of other plug-ins in the engine folders.
std::vector<std::string> engine_names();

}  // namespace ember
