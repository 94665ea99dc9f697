// The description of a scene: plain structs with sound defaults. `Model` validates and compiles it.
// SI units throughout: m, kg, s, N, Pa, rad.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "hawser/section.h"
#include "hawser/signal.h"

namespace hawser {

using Vec3 = Eigen::Vector3d;

/// A cable. At the start it is straight from point to point of its route: start, via, end. Nodes
/// are numbered 0 (start) to `elements` (end); see span_elements for those at the points between.
struct Cable {
  std::string name;
  Section section;
  Vec3 start = Vec3::Zero();  ///< [m]
  Vec3 end = Vec3::UnitX();   ///< [m]
  /// Points between start and end that the cable passes through at the start, straight between
  /// them [m]. They hold nothing: pin the nodes there for that.
  std::vector<Vec3> via;
  double length = 0;  ///< unstretched length [m], shared out over the route; 0: the route's length
  int elements = 10;
  StrainMeasure strain = StrainMeasure::green;
  CurvatureMeasure curvature = CurvatureMeasure::second_derivative;
  int axial_points = 5;          ///< Gauss points for the axial force, 3 to 7; 5 is exact for Green
  int bending_points = 3;        ///< Gauss points for bending, 2 to 7
  Vec3 velocity = Vec3::Zero();  ///< initial velocity of every point [m/s]
  Vec3 angular_velocity = Vec3::Zero();  ///< added: a rotation about `start` [rad/s]
};

/// How many elements each span of a cable's route gets, from the start: via.size() + 1 numbers that
/// add up to `elements`, in proportion to the spans' lengths, at least one each. The node at via[k]
/// is the sum of the first k + 1 of them. Throws Error when the points make no route.
std::vector<int> span_elements(const Cable& cable);

/// A node of a cable. Negative numbers count from the end: -1 is the last node.
struct Place {
  std::string cable;
  int node = 0;
};

/// Holds a node where it is at the start; it may turn freely.
struct Pin {
  Place at;
};

/// Holds a node and the direction of the cable there. The length of the slope r' stays free, so
/// that the cable can stretch up to the clamp.
struct Clamp {
  Place at;
  bool position = true;  ///< false: the direction alone is held, the node may move
};

/// A node's coordinates: position and slope r' (unit tangent when unstretched).
enum class Coordinate { x, y, z, slope_x, slope_y, slope_z };

/// One coordinate of a node follows a function of time [m] (slope: no unit).
struct Motion {
  Place at;
  Coordinate coordinate = Coordinate::x;
  Signal value;
};

/// sum of factor * coordinate = value(t): a general linear condition on one or more nodes. Its
/// multiplier is part of the solution; see Model::rows().
struct LinearCondition {
  struct Term {
    Place at;
    Coordinate coordinate;
    double factor;
  };
  std::string name;
  std::vector<Term> terms;
  Signal value;
};

/// A stiff load enters the tangent of the implicit step; a non-stiff one is evaluated once a step.
enum class Stiffness { stiff, non_stiff };

/// force * strength(t) at a node [N].
struct PointForce {
  Place at;
  Vec3 force = Vec3::Zero();
  Signal strength = 1.0;
};

/// force * strength(t) per unstretched metre over a whole cable [N/m].
struct DistributedForce {
  std::string cable;
  Vec3 force = Vec3::Zero();
  Signal strength = 1.0;
};

/// A moment * strength(t) at a node [N m], fixed in space: slope force (M x r')/|r'|^2.
struct Moment {
  Place at;
  Vec3 moment = Vec3::Zero();
  Signal strength = 1.0;
  Stiffness stiffness = Stiffness::stiff;
};

/// A lump of mass at a node [kg]; it has weight and inertia but no size.
struct PointMass {
  Place at;
  double mass = 0;
};

struct Scene {
  Vec3 gravity{0, 0, -9.81};  ///< [m/s^2]
  std::vector<Cable> cables;
  std::vector<Pin> pins;
  std::vector<Clamp> clamps;
  std::vector<Motion> motions;
  std::vector<LinearCondition> conditions;
  std::vector<PointForce> point_forces;
  std::vector<DistributedForce> distributed_forces;
  std::vector<Moment> moments;
  std::vector<PointMass> point_masses;
};

}  // namespace hawser
