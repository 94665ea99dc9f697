// More rows of `hawser bench contact`.
#pragma once

#include "bench/report.h"

namespace hawser {

BenchRow touch_row(std::string name, std::string quantity, std::string unit, double ours,
                   double reference, double tolerance, Tolerance kind, std::string source);

}  // namespace hawser
