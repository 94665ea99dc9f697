// What pages ask for (docs/theory/live.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "serve/live_run.h"

namespace hawser {

struct PageRequest {
  enum class Kind {
    play,
    pause,
    step,
    reset,
    speed,
    input,
    subscribe,
    seen,
    pull,
    release,
    cut,
    edit
  };
  Kind kind = Kind::play;
  std::string name;                   ///< of the kind, for answers
  std::string subject;                ///< input, cut: name; edit: path
  std::string text;                   ///< edit: new value
  double value = 0;                   ///< speed, input, cut
  long steps = 0;                     ///< step
  uint32_t id = 0;                    ///< subscribe; seen: number of a frame
  std::vector<std::string> channels;  ///< subscribe
  PullOrder pull{};
};

/// Throws Error for anything that is no request.
PageRequest read_request(std::string_view text);

}  // namespace hawser
