#pragma once
#include <string>

namespace ember::cli {

std::string library_folder();  // where libember lies
std::string share_folder();    // where its data files lie: ../share/ember from there
std::string program(const std::string& name);  // a program installed with it: ../bin from there

}  // namespace ember::cli
