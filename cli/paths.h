#pragma once
#include <string>

namespace ember::cli {

std::string library_folder();  // where libember lies
std::string share_folder();    // where its data files lie: ../share/ember from there

}  // namespace ember::cli
