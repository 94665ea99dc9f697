// Gu et al. 2023, Figs. 3, 4, 6 and 7.
#pragma once

#include "bench/report.h"

namespace hawser {

/// Adds what the figures show: damping against its parameters, convergence with elements.
void add_gu_figures(BenchReport& report);

}  // namespace hawser
