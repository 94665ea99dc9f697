#include "contact/settling.h"

#include <algorithm>
#include <cmath>

namespace hawser {

void Settling::add(const Contact3& used, const Contact3& now, double limit, double weight,
                   bool rubs, const ContactMotion& moved) {
  largest_ = std::max({largest_, weight * now.push, weight * used.push});
  pushes_ += weight * now.push;
  if (rubs) change_ += weight * std::abs(now.push - limit);
  const bool turned_round =
      used.grip == Grip::slips && !used.by_speed && used.traction.dot(now.traction) < 0;
  const bool same = used.grip == now.grip && !turned_round;
  const Eigen::Vector3d linear =
      used.force() - used.stiffness * moved.y - used.damping() * moved.rate;
  // A secant lags behind a speed that grows: to a fifth of what others may differ by.
  const double counts = used.by_speed ? 5 : 1;
  double& most = same ? bent_ : differs_;
  most = std::max(most, counts * weight * (now.force() - linear).norm());
}

double Settling::left_out() const {
  constexpr double negligible = 1e-3, limit_share = 0.02 / 0.05;
  if (!(largest_ > 0)) return differs_ > 0 ? 1 : 0;
  if (differs_ > negligible * largest_) return 1;
  return limit_share * std::max(change_ / pushes_, bent_ / largest_);
}

}  // namespace hawser
