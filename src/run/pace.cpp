#include "run/pace.h"

#include <algorithm>

namespace hawser {

Pace::Pace(double every, double (*clock)()) : every_(every), clock_(clock) {
  last_due_ = last_look_ = clock();
}

bool Pace::due() {
  if (every_ <= 0) return true;
  if (--left_ > 0) return false;
  const double now = clock_(), passed = now - last_look_;
  // Grow slowly, shrink at once: steps that suddenly take long must not delay the next look.
  const double wanted = every_ / 10 * static_cast<double>(stride_);
  const double most = 2 * static_cast<double>(stride_);
  stride_ = passed > 0 ? static_cast<long>(std::clamp(wanted / passed, 1.0, most))
                       : static_cast<long>(most);
  left_ = stride_;
  last_look_ = now;
  if (now - last_due_ < every_) return false;
  last_due_ = now;
  return true;
}

}  // namespace hawser
