#pragma once

namespace hawser {

/// Of Hawser: "0.1.0". Defined in a file that CMake writes.
const char* program_version();

}  // namespace hawser
