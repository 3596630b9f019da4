// The folders of the installation.
#pragma once
#include <string>

namespace ember::cli {

std::string library_folder();  // the folder of libember
std::string share_folder();    // the folder of its data files: ../share/ember from there
std::string program(const std::string& name);  // a program installed with it: ../bin from there

}  // namespace ember::cli
