// Belts, ropes on edges and a rider on a rope in `hawser bench contact`.
#pragma once

#include "bench/report.h"

namespace hawser {

/// The belt at four loads, just below its capacity and beyond it.
void add_belt_rows(BenchReport& report);

/// Ropes that hang over the edge of a table, just below and above what friction holds.
void add_edge_rows(BenchReport& report);

/// A rider slides along a light rope.
void add_zip_line(BenchReport& report);

}  // namespace hawser
