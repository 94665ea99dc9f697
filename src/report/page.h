// The scripts of the pages that web/ builds, each as a zlib stream (RFC 1950).
#pragma once

#include <cstddef>

namespace hawser {

extern const unsigned char report_script[];
extern const size_t report_script_size;  ///< 0: built without Node.js
extern const unsigned char live_script[];
extern const size_t live_script_size;  ///< 0: built without Node.js

}  // namespace hawser
