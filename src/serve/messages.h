// Texts of the server to its pages (docs/theory/live.md).
#pragma once

#include <string>
#include <vector>

#include "hawser/error.h"
#include "hawser/record.h"
#include "serve/frame.h"
#include "serve/pacer.h"

namespace hawser {

/// What a status says beside the run itself.
struct StatusFacts {
  bool paused = false;
  double speed = 1;
  double real_time_factor = 0, step_time = 0;  ///< step_time: wall time of a step [s]
  bool keeps_up = true;
  size_t pages = 0;
};
std::string status_text(const LiveRun& run, const FrameMaker& frames, const StatusFacts& facts);

/// Errors of a scene file, one by one; `file`: where they have no place.
std::vector<std::string> problems_of(const Error& error);
/// An empty list: all is mended.
std::string problem_text(const std::vector<std::string>& problems, const std::string& file);

std::string subscribed_text(uint32_t id, const std::vector<Column>& columns);
std::string refused_text(const std::string& request, const std::string& message);
std::string edited_text(const std::string& path, const std::string& value);

}  // namespace hawser
