// In place of the pages where Node.js is missing.
#include "report/page.h"

namespace hawser {

const unsigned char report_script[1] = {0};
const size_t report_script_size = 0;
const unsigned char live_script[1] = {0};
const size_t live_script_size = 0;

}  // namespace hawser
