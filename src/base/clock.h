// Clocks. Only differences of what they show mean something.
#pragma once

namespace hawser {

/// CPU time of this process [s]; it does not see what else the machine does.
double cpu_seconds();
/// Wall time [s].
double wall_seconds();

}  // namespace hawser
