#pragma once
#include <string>

namespace ember {

// Opens the libraries that a plug-in needs and does not ship, so that the plug-in itself then finds
// them open. They are named by libember_<engine>.needs in its folder, one to a line: deps/...
// beside the plug-in, others inside a Python package folder. EngineError says what was looked for,
// and where.
void open_vendor_libraries(const std::string& folder, const std::string& engine);

}  // namespace ember
