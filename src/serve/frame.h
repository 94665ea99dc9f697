// Frames of a live run, as docs/theory/live.md describes them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hawser/record.h"
#include "serve/live_run.h"

namespace hawser {

struct FrameHead {
  uint32_t layout = 0, number = 0;
  bool paused = false;
};

/// The greatest of something along the cables.
struct Greatest {
  double value = 0, s = 0;  ///< s: arc length [m]
  int cable = -1;           ///< none
};

/// Samples a run for its pages.
class FrameMaker {
 public:
  explicit FrameMaker(const LiveRun& run);

  /// Looks at the state. Does not allocate.
  void look(const LiveRun& run);
  /// The frame of the last look, without channels; its subscription is 0.
  [[nodiscard]] std::string frame(const LiveRun& run, const FrameHead& head) const;
  [[nodiscard]] const Shapes& shapes() const { return shapes_; }
  [[nodiscard]] Greatest tension() const;
  /// Of tension / breaking load, of cables that have one.
  [[nodiscard]] Greatest utilisation() const;

 private:
  template <class Value>
  Greatest greatest(const Value& value) const;

  Vec3 up_;
  std::vector<double> strength_;  ///< by cable [N]; 0: unknown
  Shapes shapes_;
};

/// A frame with what only one page gets: whether time has jumped for it, and its channels.
std::string addressed(const std::string& frame, bool jumped, uint32_t subscription,
                      const std::vector<double>& values);

}  // namespace hawser
