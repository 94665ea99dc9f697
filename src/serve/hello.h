// The description of a live run that a page gets before its frames (docs/theory/live.md).
#pragma once

#include <string>

#include "serve/frame.h"

namespace hawser {

/// What a hello says beside the run itself.
struct HelloFacts {
  uint32_t layout = 0;
  std::string reason;     ///< "open", "reload", "reset", "cut"
  std::string text;       ///< of the scene file
  bool editable = false;  ///< the scene file can be written
};

/// As JSON.
std::string hello_text(const LiveRun& run, const FrameMaker& frames, const HelloFacts& facts);

}  // namespace hawser
