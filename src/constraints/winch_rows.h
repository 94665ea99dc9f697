// The rows of winches over the turn theta of their drums (elements/winch.h) [rad], [N m]:
//
//     hold        theta' = 0,                |lambda| <= torque of the brake, 0 while it is off
//     rate        theta' - w(t) = 0,         |lambda| <= most_torque; without power 0
//     full        theta - (W0 - W_full) >= 0
//     empty       (W0 - 2 pi kept) - theta >= 0
//
// W = W0 - theta is the angle over which the cable is wound, as far as the drum has turned it. A
// winch has two inputs (State::inputs) besides those of the scene. Its power is 1, and 0 once a
// slack cable has been paid out with a slack switch: the motor is cut and the brake applied. Its
// brake is what the brake was told last, and when: the torque follows after the delay. Steps end
// there (jump_after); within one that cannot, the limit of the brake is its mean over the step.
#pragma once

#include "constraints/constraint.h"

namespace hawser {

struct WinchRowData {
  std::string name;
  int coordinate = 0;
  double start = 0;  ///< W0 [rad]
  size_t power = 0, brake = 0;
  Brake brake_data;  ///< none: a torque of 0
  bool slack_switch = false;
  int cable_row = -1;  ///< of the run at the drum; -1: no cable
  int hold = -1;       ///< rows; -1: none
  int rate = -1, full = -1, empty = -1;
  Signal turn_rate = 0.0;      ///< of `rate` [rad/s]
  double most_torque = 0;      ///< of `rate` [N m]
  Signal command = 0.0;        ///< of the motor, for its kinks
  double least = 0, most = 0;  ///< theta at the stops [rad]
};

class WinchRows final : public Constraint {
 public:
  WinchRows(std::vector<WinchRowData> winches, std::vector<HeldCoordinate> held)
      : winches_(std::move(winches)), held_(std::move(held)) {}

  [[nodiscard]] std::unique_ptr<Constraint> copy(const NodePairs&) const override {
    return std::make_unique<WinchRows>(*this);
  }
  void visit_signals(const std::function<void(const Signal&)>& use) const override;
  [[nodiscard]] std::span<const HeldCoordinate> held() const override { return held_; }
  bool evaluate(const RowsAt& at, RowValues& out) override;
  double accept(const TakenStep& step, State& state) const override;
  [[nodiscard]] double jump_after(const State& state, double time) const override;
  /// A motor of any torque that turns its drum against a stop.
  [[nodiscard]] std::string ending(const double* q, const double* v, double h,
                                   const Poses& poses) const override;

 private:
  std::vector<WinchRowData> winches_;
  std::vector<HeldCoordinate> held_;  ///< coordinates of the drums' nodes that are none
};

}  // namespace hawser
