// Pulleys that a cable has come off between two meshes, and those that it has landed on
// (model/pulleys.h). What comes off has no wrap: both nodes of the pulley are the same point of the
// cable, but for what the last step went too far. They become one, and velocities, whose slopes may
// differ on both sides, are projected as where nodes are dropped (model/transfer.h). What lands is
// laid on the circle; its velocities are projected when the next step begins, as at an impact
// without rebound.
#pragma once

#include <vector>

#include "constraints/poses.h"
#include "model/model_data.h"

namespace hawser {

class PulleyChanges {
 public:
  /// Models of one scene.
  PulleyChanges(const ModelData& from, const ModelData& to);

  /// Whether a cable has just landed there, by the arcs of the new model.
  [[nodiscard]] bool lands_on(size_t arc) const;
  [[nodiscard]] bool any() const { return !off_.empty() || !landed_.empty(); }
  [[nodiscard]] bool any_landed() const { return !landed_.empty(); }
  /// Arcs of the old model that a cable goes on without: joined().
  [[nodiscard]] std::vector<const ArcData*> joined_arcs() const;

  /// Positions by coordinate of the old model: both nodes of a pulley that the cable comes off
  /// become the one between them, where tangents at both meet.
  [[nodiscard]] std::vector<double> joined(std::vector<double> q) const;
  /// Rates and accelerations, by coordinate of the new model: flows that come to rest or begin.
  void stop_flows(std::vector<double>& rates) const;
  /// Flows of what lands.
  void start_flows(std::vector<double>& q) const;
  /// Positions, angles and lengths of what lands. Straight elements beside it touch the circle
  /// elsewhere (touch_again.h).
  void land(const Poses& poses, State& state) const;
  /// All forces of the rows that change: the next step begins with balanced forces.
  void finish(State& state) const;

 private:
  struct Change {
    const ArcData *was, *is;
  };
  void land(const ArcData& arc, const Poses& poses, State& state) const;

  const ModelData& to_;
  std::vector<Change> off_, landed_;
};

}  // namespace hawser
