// Bodies, joints and massless cables as the engine sees them: nodes and rows.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "constraints/row_data.h"
#include "elements/rigid_body.h"
#include "hawser/scene.h"

namespace hawser {

/// A clamp that turns: the two directions across the cable at the start, and their rows.
struct TurningClamp {
  int node = 0, turn = 0;
  std::array<Vec3, 2> across;
  int first_row = 0;
};

struct Mechanism {
  std::vector<BodyData> bodies;
  std::vector<Eigen::Quaterniond> orientation;  ///< at the start, by body
  std::vector<std::array<Signal, 3>> motions;   ///< of places on the ground
  std::vector<WorldTurn> turns;
  std::vector<TurningClamp> clamps;
  std::vector<RowInfo> rows;
  std::vector<PartRow> parts;
  std::vector<AngleData> angles;  ///< of the joints that turn about an axis
  std::vector<RouteData> routes;
  int entries = 0;                 ///< of G
  int rubs = 0;                    ///< stops of massless cables between runs
  std::vector<double> wrap;        ///< State::wrap at the start
  std::vector<double> run_length;  ///< State::run_length at the start
  struct JointRows {
    int first = 0, count = 0;  ///< among rows
  };
  std::vector<JointRows> joints;       ///< by joint of the scene
  std::vector<JointRows> attachments;  ///< by attachment of the scene
};

/// Compliance of a row: of a cable that is paid out it follows its length [m/N, rad/(N m)].
double compliance_at(const Mechanism& mechanism, size_t row, const Instant& now);

}  // namespace hawser
