// The rows of joints, attachments and massless cables at a configuration:
//
//     Phi(q, t),   Phi_t at fixed q,   G = dPhi/dq over velocities (world axes; angular velocities
//     in body axes),   and sum lambda Phi_qq
//
// A massless cable has for every run Phi = L(t) - l(q), so that lambda is its tension, and with
// torsional stiffness Phi = Omega, the angle by which it is twisted along its route: the sum over
// its straight parts of what one stop turns about the part's direction t relative to the other,
// Omega' = sum t . (omega_to - omega_from) (Servin & Lacoursiere's Euler angle depends on the
// frame). Omega and the angles of joints and pulleys go on from those of the state.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "constraints/segment.h"
#include "hawser/state.h"
#include "linear/sink.h"
#include "model/model_data.h"

namespace hawser {

/// Rotation of every body at a configuration: R = R_n exp(theta).
void find_rotations(const ModelData& model, const double* q, const std::vector<double>& orientation,
                    std::vector<Matrix3>& out);

class ConstraintSet {
 public:
  explicit ConstraintSet(const ModelData& model);

  /// At q, which lies within a step that began at `state` (or is its own). False when a cable's
  /// route has no tangent or nothing is left of the cable: `fault` says which.
  /// `ahead`: functions of time are those of t, carried on by that long [s] as if nothing jumped.
  bool evaluate(const double* q, double t, const State& state, double ahead = 0);

  std::vector<double> phi, rate;   ///< by row: Phi and Phi_t
  std::vector<double> G;           ///< by entry (RowInfo::first_entry)
  std::vector<Matrix3> rotation;   ///< by body
  std::vector<double> wrap;        ///< angles as in State::wrap, at q
  std::vector<double> twist;       ///< as State::twist, at q
  std::vector<double> run_span;    ///< by run: its length l [m]
  std::vector<double> run_left;    ///< by run: length of the cable there, unstretched [m]
  std::vector<double> wrap_angle;  ///< by rub: angle over which the cable lies on it [rad]
  std::string fault;

  /// Adds weight * sum lambda Phi_qq to the matrix; lambda by row. Of the last evaluation.
  void add_curvature(const double* q, const double* lambda, double weight,
                     const MatrixSink& sink) const;
  /// out += factor * G^T lambda, over coordinates.
  void add_force(const double* lambda, double factor, double* out) const;
  /// Angles of joints after a small motion d from the last evaluation, as in State::wrap.
  void turn_angles(const double* d, std::vector<double>& wrap_of) const;
  /// Largest angle by which a small motion d turns a part of a massless cable [rad].
  [[nodiscard]] double turned(const double* d) const;
  /// True when two stops of a massless cable meet within h at the velocities v, seen from the last
  /// evaluation: `fault` names them.
  [[nodiscard]] bool meeting(const double* v, double h);
  /// G v of a row.
  [[nodiscard]] double times(int row, const double* v) const;
  /// Of a route, from stop to stop, at the last evaluation.
  [[nodiscard]] std::span<const Segment> segments(size_t route) const {
    return std::span(segments_).subspan(first_segment_[route],
                                        model_.mechanism.routes[route].stops.size() - 1);
  }
  /// Where a stop of a cable is in the last evaluation, at q.
  void lay(const StopData& stop, const double* q, Groove& out) const;

 private:
  [[nodiscard]] Operand point(const PointOn& at, const double* q) const;
  [[nodiscard]] Operand direction(const DirectionOn& at, const double* q) const;
  [[nodiscard]] Signal::Sample sample(const Signal& signal, double t) const;
  void evaluate_angle(const AngleData& angle, const double* q, const State& state);
  void evaluate_part(const PartRow& part, const double* q, double t);
  bool span_route(const RouteData& route, Segment* segments, const double* q, const State& state);
  bool evaluate_route(const RouteData& route, const double* q, double t, const State& state);
  void evaluate_twist(size_t number, const RouteData& route, const double* q, const State& state);
  void slide_over(size_t number, const RouteData& route);
  void say_met(const RouteData& route, size_t stop);
  [[nodiscard]] Vec3 velocity_of(const StopData& stop, const double* v) const;  ///< [m/s]
  void add_to_row(int row, int node, const Vec3& force, const Vec3& torque);
  static void add_blocks(int a, int b, int pair, const PartCurvature& k, const MatrixSink& sink);

  [[nodiscard]] int pair(int a, int b) const;

  const ModelData& model_;
  double ahead_ = 0;  ///< of the evaluation under way [s]
  struct Ground {
    Vec3 displacement = Vec3::Zero(), velocity = Vec3::Zero();
  };
  std::vector<Ground> ground_;  ///< by motion, at t
  struct Turned {
    Matrix3 rotation = Matrix3::Identity();
    Vec3 rate = Vec3::Zero();  ///< angular velocity
  };
  std::vector<Turned> turns_;                  ///< of the world, at t
  std::vector<Groove> grooves_;                ///< of the route looked at
  std::vector<Segment> segments_;              ///< of all routes, stop after stop
  std::vector<size_t> first_segment_;          ///< by route
  std::vector<int> part_pair_, segment_pair_;  ///< in SystemStructure::pairs; -1: none
};

}  // namespace hawser
