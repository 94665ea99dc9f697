// The rows of sliding joints (Sugiyama, Escalona and Shabana 2003; Wu et al. 2022, eq. 13): a point
// x_b of a body lies on the curve r(s) of a cable (cable_curve.h). The place s is a scalar unknown
// without inertia. Three rows, and rows over s alone:
//
//     meet       x_b - r(s) = 0          lambda: force on the body; the equation of s, which has no
//                                        mass, is -r' . lambda + friction + stops = 0
//     friction   s' = 0                  |lambda| <= mu |r'| |lambda_n|
//     stops      s - lowest >= 0,  highest - s >= 0
//     park       s' = 0                  only once the body has left the cable
//
//     G = [ I and the body's turn,  -N_i(s),  -r' ]
//     sum lambda Phi_qq:   s, s: -lambda . r''     s, c_i: -N_i' lambda     and that of x_b
//
// lambda_n, the part of the force across the cable, is that of the last step. At an element border
// r'' jumps; the rows and G do not. Once s lies beyond a stop of a joint that may leave the cable,
// the rows of `meet` are switched off for good, and `park` on.
#pragma once

#include "constraints/cable_curve.h"
#include "constraints/constraint.h"

namespace hawser {

struct SlideData {
  std::string name;  ///< of the joint
  CableCurve curve;
  PointOn point;                   ///< of the body
  int scalar = 0, coordinate = 0;  ///< of s
  int meet = 0;                    ///< the first of three rows
  int hold = -1;                   ///< row of friction; -1: none
  int low = -1, high = -1;         ///< rows of the stops
  int park = -1;
  double friction = 0;
  double lowest = 0, highest = 0;  ///< [m]
  bool leaves = false;

  /// Force on the body [N].
  [[nodiscard]] Vec3 force(const State& state) const {
    return Eigen::Map<const Vec3>(state.multipliers.data() + meet);
  }
  [[nodiscard]] bool has_left(const State& state) const {
    return state.activity[static_cast<size_t>(meet)] == 0;
  }
};

class SlideRows final : public Constraint {
 public:
  explicit SlideRows(std::vector<SlideData> joints) : joints_(std::move(joints)) {
    bends_.assign(joints_.size(), 0);
  }

  [[nodiscard]] std::unique_ptr<Constraint> copy(const NodePairs&) const override {
    return std::make_unique<SlideRows>(*this);
  }
  bool evaluate(const RowsAt& at, RowValues& out) override;
  void add_curvature(const double* q, const Poses& poses, const double* lambda, double weight,
                     const MatrixSink& sink) const override;
  void start(const RowValues& values, State& state) const override;
  double accept(const TakenStep& step, State& state) const override;
  [[nodiscard]] double turned(const double* d) const override;

 private:
  static void meet(const SlideData& joint, const CableCurve::Weights& weights,
                   const CableCurve::Point& on, const RowsAt& at, RowValues& out);

  std::vector<SlideData> joints_;
  std::vector<double> bends_;  ///< by joint, as last evaluated: turn of the cable by s [1/m]
};

}  // namespace hawser
