// The rows of massless cables (Servin & Lacoursiere). Every run between stops that hold the cable
// has Phi = L(t) - l(q), so that lambda is its tension. With torsional stiffness a cable has
// Phi = Omega besides, the angle by which it is twisted along its route: the sum over its straight
// parts of what one stop turns about the part's direction t relative to the other,
//
//     Omega' = sum t . (omega_to - omega_from)
//
// (Servin & Lacoursiere's Euler angle depends on the frame). A stop turns the bend of the cable
// along with its body, so that what turns as a whole is not twisted. Omega and the angles at
// pulleys go on from those of the state. The lengths of segments and their derivatives: segment.h.
#pragma once

#include <array>
#include <span>

#include "constraints/constraint.h"
#include "constraints/crossings.h"
#include "constraints/segment.h"

namespace hawser {

class RouteRows final : public Constraint {
 public:
  explicit RouteRows(std::vector<RouteData> routes, std::vector<CrossingData> crossings = {},
                     std::vector<CrossingGroup> groups = {});
  RouteRows(const RouteRows&) = delete;
  RouteRows& operator=(const RouteRows&) = delete;

  [[nodiscard]] std::unique_ptr<Constraint> copy(const NodePairs& pairs) const override;
  void visit_signals(const std::function<void(const Signal&)>& use) const override;
  /// Of a route, from stop to stop, at the last evaluation.
  [[nodiscard]] std::span<const Segment> segments(size_t route) const {
    return std::span(segments_).subspan(first_segment_[route], routes_[route].stops.size() - 1);
  }

  /// Where a stop is; a drum, where the cable leaves or reaches it at that angle: `wound` is then
  /// of the groove.
  static void lay(const StopData& stop, const double* q, const Poses& poses, double angle,
                  Groove& out, Groove::Wound& wound);

  /// The ways of all routes, without their rows; false when one cannot be found.
  bool span_all(const RowsAt& at, RowValues& out);
  /// How the cable lies on the shape that it meets at a stop, at the last evaluation, and where the
  /// centre of that is in the world.
  struct Bent {
    Bend bend;
    Vec3 centre = Vec3::Zero();          ///< [m]
    Matrix3 axes = Matrix3::Identity();  ///< of the body or support
    Vec3 offset = Vec3::Zero();          ///< the centre from that of its body, world axes [m]
    bool held = false;                   ///< it is on a body
    [[nodiscard]] Vec3 point(double share) const { return centre + axes * bend.point(share); }
  };
  [[nodiscard]] const Bent& bent(size_t route, size_t stop) const {
    return bent_[first_segment_[route] + route + stop];
  }

  /// How two cables lie on each other, at the last evaluation.
  [[nodiscard]] const Crossed& crossed(size_t crossing) const { return crossed_[crossing]; }
  [[nodiscard]] Vec3 velocity_of_crossing(size_t crossing, const double* v) const {
    return crossed_[crossing].velocity + moved_crossing(crossing, v);
  }

  bool evaluate(const RowsAt& at, RowValues& out) override;
  void add_curvature(const double* q, const Poses& poses, const double* lambda, double weight,
                     const MatrixSink& sink) const override;
  /// A cable of given speed that pulls is as long as its way.
  void start(const RowValues& values, State& state) const override;
  double accept(const TakenStep& step, State& state) const override;
  [[nodiscard]] double turned(const double* d) const override;
  [[nodiscard]] double reach(double force) const override;
  [[nodiscard]] std::string ending(const double* q, const double* v, double h,
                                   const Poses& poses) const override;

 private:
  bool span_route(size_t number, const RowsAt& at, RowValues& out);
  bool span_segments(size_t number, const RowsAt& at, RowValues& out);
  bool span_bent(size_t number, const RowsAt& at, RowValues& out);
  bool bend_all(size_t number, const RowsAt& at, double& change);
  void lay_bend(const StopData& stop, size_t at, const RowsAt& state);
  void move_bend(size_t at, const Vec3& in, const Vec3& out);
  /// Where segments reach a stop and leave it: of most the same.
  [[nodiscard]] const Groove& leaving(const StopData& stop, size_t at) const {
    return stop.bend.any() ? leaving_[at] : grooves_[at];
  }
  [[nodiscard]] std::string off_end(const RouteData& route, size_t at, const StopData& stop) const;
  bool span_drum(const StopData& from, const StopData& to, const RowsAt& at, size_t segment,
                 size_t first);
  bool evaluate_route(size_t number, const RowsAt& at, RowValues& out);
  double evaluate_run(size_t number, const RunData& run, const RowsAt& at, double& drift,
                      RowValues& out) const;
  void evaluate_cut(size_t number, const RowsAt& at, RowValues& out);
  void evaluate_twist(size_t number, const RowsAt& at, RowValues& out) const;
  void find_wraps(size_t number, RowValues& out) const;
  [[nodiscard]] std::string met(const RouteData& route, size_t stop) const;
  [[nodiscard]] Vec3 velocity_of(const StopData& stop, const double* v, const Poses& poses) const;

  // --- crossings (crossings.h), of a group of cables ---
  [[nodiscard]] Vec3 moved_crossing(size_t crossing, const double* d) const;
  void join_groups();
  bool settle_all(const RowsAt& at, RowValues& out);
  bool settle(size_t number, const RowsAt& at, RowValues& out);
  bool look(const CrossingGroup& group, CrossedGroup& joined, const RowsAt& at, RowValues& out);
  void add_kinks(CrossedGroup& joined) const;
  void note_sides(const RowsAt& at, RowValues& out);
  void share_out(size_t number, const RowsAt& at, RowValues& out);
  void add_crossing_curvature(size_t number, const Poses& poses, const double* lambda,
                              double weight, const MatrixSink& sink) const;
  [[nodiscard]] double length_of(size_t number, const RunData& run) const;
  [[nodiscard]] std::string crossing_ends(const RouteData& route, size_t stop) const;
  [[nodiscard]] std::string winding_crossing() const;

  static void add_drum_curvature(const RouteData& route, const RunData& run, const double* q,
                                 double w, const MatrixSink& sink);
  static void keep_length(const RouteData& route, const TakenStep& step, State& state);
  static double slip(const RouteData& route, const TakenStep& step, State& state);

  std::vector<RouteData> routes_;
  std::vector<Groove> grooves_;            ///< of all routes, stop after stop
  std::vector<Groove> leaving_;            ///< of all routes, stop after stop: of bends
  std::vector<Bent> bent_;                 ///< the same
  std::vector<std::array<Vec3, 2>> last_;  ///< the same: where it was in the round before [m]
  std::vector<Groove::Wound> wound_;       ///< of all routes, stop after stop: of drums
  std::vector<Segment> segments_;          ///< of all routes, stop after stop
  std::vector<size_t> first_segment_;      ///< by route
  std::vector<int> pair_;                  ///< by segment, among the pairs
  std::vector<CrossingData> crossings_;
  std::vector<CrossingGroup> groups_;
  std::vector<Crossed> crossed_;      ///< by crossing
  std::vector<CrossedGroup> joined_;  ///< by group
};

}  // namespace hawser
