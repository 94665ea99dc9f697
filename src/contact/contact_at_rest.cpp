// What searches for an equilibrium and modes ask of the contact of cables.
//
// Searches for an equilibrium and relaxation take steps of any length. A point that moves no
// farther than its gap and half the way to the middle of a shape is still on its side of it
// afterwards, and the contact sees it there.
#include <algorithm>

#include "contact/cable_contact.h"
#include "contact/shape_pose.h"
#include "contact/touched_element.h"

namespace hawser {

double CableContact::leap(const Configuration& from, const Configuration& to) const {
  double most = 0;
  for (const TouchingPair& pair : touching_.pairs) {
    const TouchingRun& run = touching_.runs[static_cast<size_t>(pair.run)];
    const TouchedShape& shape = touching_.shapes[static_cast<size_t>(pair.shape)];
    if (shape.surface.kind == Surface::Kind::plane) continue;  // it has no other side
    const double into = (run.radius + shape.surface.half_thickness()) / 2;
    const ShapePose before(shape, from, from.q, from.v), after(shape, to, to.q, to.v);
    for (int e = 0; e < run.elements; ++e) {
      const TouchedElement there(run, e, from.q, from.v), here(run, e, to.q, to.v);
      for (const TouchPoint& p : run.points) {
        const Eigen::Vector3d was = before.place(there.place(p)), is = after.place(here.place(p));
        const double gap = nearest(shape.surface, was, 0).distance - run.radius;
        most = std::max(most, (is - was).norm() / (std::max(gap, 0.0) + into));
      }
    }
  }
  return most;
}

void CableContact::hold(double* contacts) const {
  for (int i = Tally::size; i < size_; i += Bristle::size) {
    Bristle bristle = Bristle::read(contacts + i);
    bristle.hold();
    bristle.write(contacts + i);
  }
}

}  // namespace hawser
