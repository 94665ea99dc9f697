// More rows of `hawser bench contact`: cables at rest on things, bodies that touch.
#pragma once

#include "bench/report.h"

namespace hawser {

void add_contact_statics(BenchReport& report);
void add_touching_bodies(BenchReport& report);

}  // namespace hawser
