// The bearings of pulleys that turn on their mounts by phi (elements/winch.h) [rad], [N m]: one row
// for each that has friction,
//
//     phi' = 0,     |lambda| <= torque of the bearing
//
// beyond which it slips (complementarity/rows.h). Their nodes have two more coordinates, which are
// held.
#pragma once

#include <utility>
#include <vector>

#include "constraints/constraint.h"

namespace hawser {

struct BearingData {
  int coordinate = 0;  ///< of phi
  int row = 0;
  double torque = 0;
};

class WheelRows final : public Constraint {
 public:
  WheelRows(std::vector<BearingData> bearings, std::vector<HeldCoordinate> held)
      : bearings_(std::move(bearings)), held_(std::move(held)) {}

  [[nodiscard]] std::unique_ptr<Constraint> copy(const NodePairs&) const override {
    return std::make_unique<WheelRows>(*this);
  }
  [[nodiscard]] std::span<const HeldCoordinate> held() const override { return held_; }
  bool evaluate(const RowsAt& at, RowValues& out) override {
    for (const BearingData& bearing : bearings_) {
      const auto row = static_cast<size_t>(bearing.row);
      out.phi[row] = at.q[bearing.coordinate];
      out.rate[row] = 0;
      out.G[static_cast<size_t>(at.rows[row].first_entry)] = 1;
      out.limit[row] = bearing.torque;
    }
    return true;
  }

 private:
  std::vector<BearingData> bearings_;
  std::vector<HeldCoordinate> held_;
};

}  // namespace hawser
