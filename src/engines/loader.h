// Finds engine plug-ins, opens them and checks that they compute.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ember/engine.h"

namespace ember {

// Whether a plug-in may have this name: 1 to 32 of a-z, 0-9 and _. Names come from users and
// files, so nothing else, in particular no path, is looked up.
bool is_engine_name(std::string_view name);

// Names of the plug-ins in the engine folders, in no particular order, possibly repeated.
std::vector<std::string> find_plugins();

// Opens libember_<name>.so from the first engine folder that has it, and checks a known answer.
// Throws EngineError with the reason if it is missing, cannot be opened, or computes wrongly.
std::unique_ptr<Engine> open_engine(const std::string& name);

}  // namespace ember
