// Supports: coordinates that follow a given motion b(t),
//
//     Phi = q_c - b(t),     Phi_t = -b',     G = e_c,     no curvature         [m], slopes [-]
//
// Their rows are eliminated: q_c is known, and what the balance of forces leaves open in its row,
//
//     lambda = (M a - Q - G^T lambda of all other rows)_c,
//
// is the reaction (State::fixed_reaction) [N], of slopes [N m].
#pragma once

#include "constraints/constraint.h"

namespace hawser {

class Supports final : public Constraint {
 public:
  explicit Supports(std::vector<HeldCoordinate> held) : held_(std::move(held)) {}

  [[nodiscard]] std::unique_ptr<Constraint> copy(const NodePairs&) const override {
    return std::make_unique<Supports>(*this);
  }
  void visit_signals(const std::function<void(const Signal&)>& use) const override {
    for (const HeldCoordinate& c : held_) use(c.value);
  }
  [[nodiscard]] std::span<const HeldCoordinate> held() const override { return held_; }
  bool evaluate(const RowsAt&, RowValues&) override { return true; }

 private:
  std::vector<HeldCoordinate> held_;
};

}  // namespace hawser
