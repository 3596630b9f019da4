// Opens the libraries that engines need.
#pragma once
#include <string>

namespace ember {

// Opens the libraries that a plug-in needs and does not ship, so that the dynamic loader finds them
// already open. libember_<engine>.needs in its folder lists them, one per line: deps/... is next to
// the plug-in, the others are in a Python package folder. EngineError says which files were tried.
void open_vendor_libraries(const std::string& folder, const std::string& engine);

}  // namespace ember
