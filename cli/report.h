// The HTML report of a training demo.
#pragma once
#include <string>

#include "cli/digits.h"

namespace ember::cli {

// A self-contained page: the table, the curves, sample predictions.
std::string html_report(const std::vector<Run>& runs, const Digits& data,
                        const std::vector<double>& differences);

}  // namespace ember::cli
