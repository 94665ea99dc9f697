// Rows of `hawser bench contact` about cables that touch each other, and benches of many of them.
#pragma once

#include "bench/report.h"

namespace hawser {

void add_cable_rows(BenchReport& report);

/// The search for close parts, 1,000 to 100,000 elements, and 200 ropes dropped in a heap.
BenchReport bench_contact_heap();

}  // namespace hawser
