// summary.json: the report of a run for other programs.
#pragma once

#include <string>

#include "hawser/run.h"

namespace hawser {

/// Indented JSON; numbers that are not finite become null. SI units throughout.
std::string summary_json(const RunReport& report);

}  // namespace hawser
