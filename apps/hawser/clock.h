// CPU time of this process.
#pragma once

namespace hawser {

/// [s]; differences of it do not see what else the machine does.
double cpu_seconds();

}  // namespace hawser
