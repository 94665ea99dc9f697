// Where the terms of the equation of motion are evaluated.
#pragma once

#include <Eigen/Geometry>

#include "hawser/input.h"
#include "math/rotation.h"

namespace hawser {

/// Made in one piece; nothing in it is null, unless it says so. Arrays by coordinate are padded
/// (linear/structure.h). Loads are functions of its instant.
struct Configuration : Instant {
  const double* q;            ///< coordinates
  const double* v;            ///< velocities that go with q
  const double* orientation;  ///< of the bodies as the step began: unit quaternions w x y z

  /// Where forces that depend on the velocity are linearized: (q, v), or in a step whose base is
  /// the current state the predicted end of the step.
  const double *q_ahead, *v_ahead;
  const double* v_spin;              ///< velocities of the gyroscopic torques
  const double* v_once;              ///< velocities of forces that are not stiff: v, or in a step
                                     ///< whose base is the current state that state's own
  const double* contacts = nullptr;  ///< State::contacts as the step began; null: nothing has
                                     ///< touched before, and there is no friction
  const double* q_start = nullptr;   ///< coordinates as the step began; null: none does
  bool predicted = false;  ///< (q_ahead, v_ahead) is a prediction, not the result of a solve
  bool at_rest = false;    ///< of a search for rest, in which nothing slides

  Configuration(const Instant& now, const double* coordinates, const double* velocities,
                const double* orientations)
      : Instant(now),
        q(coordinates),
        v(velocities),
        orientation(orientations),
        q_ahead(q),
        v_ahead(v),
        v_spin(v),
        v_once(v) {}

  /// As terms that are not stiff see it.
  [[nodiscard]] Configuration once() const {
    Configuration out = *this;
    out.v = out.v_ahead = v_once;
    out.q_ahead = q;
    return out;
  }

  /// Of a body, whose rotation vector since the step began is at coordinate `theta`.
  [[nodiscard]] Eigen::Matrix3d rotation(size_t body, int theta) const {
    const double* o = orientation + 4 * body;
    return (Eigen::Quaterniond(o[0], o[1], o[2], o[3]) *
            turn_by(Eigen::Map<const Eigen::Vector3d>(q + theta)))
        .toRotationMatrix();
  }
};

}  // namespace hawser
