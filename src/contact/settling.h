// Whether the contacts that a pass has used are those of its result.
#pragma once

#include <cmath>

#include "contact/bristle.h"

namespace hawser {

class Settling {
 public:
  /// A point as a pass has used it, and as it is at the result; its weight; how it has moved
  /// between, in the axes of the surface. `limit`: normal force of the friction limit, where it
  /// rubs.
  void add(const Contact3& used, const Contact3& now, double limit, double weight, bool rubs,
           const ContactMotion& moved);

  /// The result is beyond a surface: it is never settled.
  void reject() { differs_ = HUGE_VAL; }

  /// Where the contact set at the result, open, stuck or slipping and to which side, differs from
  /// the one used, all of it; else the change of the friction limit, 5 % of all normal forces
  /// counting as kink_max of the mixed solve. A point that differs by next to nothing counts as
  /// settled. Where the set is the same, the force may differ from the linear one by as much.
  [[nodiscard]] double left_out() const;

 private:
  double largest_ = 0, differs_ = 0, bent_ = 0, pushes_ = 0, change_ = 0;
};

}  // namespace hawser
