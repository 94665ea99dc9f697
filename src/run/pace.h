// Wall time, looked at so rarely that it costs a run nothing.
#pragma once

#include "base/clock.h"

namespace hawser {

/// Says when `every` seconds of wall time have passed. It is asked after every step and looks at
/// the clock after a number of them, which it keeps near a tenth of `every`.
class Pace {
 public:
  /// `every` [s]; 0: always due.
  explicit Pace(double every, double (*clock)() = wall_seconds);

  bool due();

 private:
  double every_;
  double (*clock_)();
  double last_due_, last_look_;
  long stride_ = 1;  ///< questions between two looks
  long left_ = 1;    ///< questions until the next look
};

}  // namespace hawser
