// Gu et al. 2023, Figs. 3, 4, 6, 7 and 11.
#pragma once

#include "bench/report.h"

namespace hawser {

/// Adds what the figures show: damping against its parameters, convergence with elements.
void add_gu_figures(BenchReport& report);

/// Adds the wire that is strung over two sheaves and released (section 6.3).
void add_gu_release(BenchReport& report);

}  // namespace hawser
