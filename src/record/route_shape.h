// The shape of a massless cable: straight from stop to stop, along the groove of every pulley.
#pragma once

#include <vector>

#include "hawser/record.h"
#include "record/mechanism_now.h"

namespace hawser {

/// A point at every stop; on a pulley between the ends, and on a shape that it lies on, an arc of
/// evenly spaced ones. An end that is
/// wound on a drum is shown up to where it touches it. The arrays keep their size.
class RouteShape {
 public:
  /// `arc`: steps along a pulley.
  RouteShape(const ModelData& model, const RouteData& route, int arc);

  /// With s as the cable lies at the start; of a cable that lies on shapes fill() sets it.
  [[nodiscard]] Shape empty(const MechanismNow& start) const;
  void fill(const MechanismNow& now, Shape& out) const;

 private:
  struct Point {
    Vec3 position, velocity;
    double tension, strain, curvature;
  };
  /// Calls `use(point)` for all points, from the start.
  template <class Use>
  void walk(const MechanismNow& now, const Use& use) const;

  /// Unstretched arc length of the points.
  void measure(const MechanismNow& now, std::vector<double>& s) const;
  [[nodiscard]] size_t points() const;
  /// Its points slide along it.
  [[nodiscard]] bool changes() const;

  const RouteData& route_;
  int arc_;
  std::vector<FrameRef> stops_;
};

}  // namespace hawser
