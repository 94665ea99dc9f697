// Bodies, joints and massless cables as compiled: where they are among nodes and rows.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "constraints/arc_rows.h"
#include "constraints/drum_ends.h"
#include "constraints/row_data.h"
#include "constraints/slide_rows.h"
#include "constraints/winch_rows.h"
#include "elements/rigid_body.h"
#include "elements/winch.h"
#include "hawser/scene.h"

namespace hawser {

/// Consecutive rows of the model.
struct RowRange {
  int first = 0, count = 0;
};

struct Mechanism {
  std::vector<BodyData> bodies;
  std::vector<Eigen::Quaterniond> orientation;  ///< at the start, by body
  std::vector<std::array<Signal, 3>> motions;   ///< of supports
  std::vector<WorldTurn> turns;
  std::vector<AngleData> angles;  ///< of the joints that turn about an axis
  std::vector<RouteData> routes;
  std::vector<CrossingData> crossings;  ///< as in Mesh
  std::vector<CrossingGroup> crossing_groups;
  std::vector<ArcData> arcs;  ///< of cables with mass on pulleys, and through eyelets with friction
  std::vector<RowRange> pulleys;         ///< by arc: all rows of that pulley
  std::vector<WinchData> winches;        ///< by winch of the scene
  std::vector<WinchRowData> winch_rows;  ///< by winch of the scene
  std::vector<WinchData> wheels;         ///< pulleys that cables with mass turn (HandOver::wheel)
  std::vector<DrumEndData> drum_ends;    ///< of cables with mass
  std::vector<SlideData> slides;         ///< by sliding joint of the scene
  std::vector<double> wrap;              ///< State::wrap at the start
  std::vector<double> bends;             ///< State::bends as they were found
  std::vector<double> run_length;        ///< State::run_length at the start
  std::vector<RowRange> joints;          ///< by joint of the scene
  std::vector<int> idle_rows;            ///< of holds without a node: they never act
  std::vector<RowRange> attachments;     ///< by hold of the model; of supports none
};

}  // namespace hawser
