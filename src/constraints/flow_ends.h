// The flows of cable that winches prescribe: p = -payout(t), a coordinate that is eliminated as
// those of supports are, or its rate, G v + Phi_t = p. + speed = 0. And the elements beside
// hand-overs, which must not vanish: where one would within a step, the run stops. Before free ends
// steps become shorter instead, until the end has run out of the hand-over (model/run_outs.h).
#pragma once

#include <string>

#include "constraints/constraint.h"

namespace hawser {

class FlowEnds final : public Constraint {
 public:
  /// An element beside a hand-over: p of its ends, constant or a coordinate.
  struct Border {
    double base[2] = {0, 0};       ///< [m]
    int coordinate[2] = {-1, -1};  ///< added to it; -1: none
    double least = 0;              ///< the shortest it may be [m]
    std::string owner;             ///< "cable 'hoist' beside 'ring'"
    bool free = false;             ///< its other end is free, and runs out
    bool goes_on = false;          ///< the cable goes on beyond its other end
  };

  struct Rate {
    int row;
    Signal speed;  ///< [m/s]
  };

  /// `idle`: rows that never act.
  FlowEnds(std::vector<HeldCoordinate> held, std::vector<Rate> rates, std::vector<Border> borders,
           std::vector<int> idle)
      : held_(std::move(held)),
        rates_(std::move(rates)),
        borders_(std::move(borders)),
        idle_(std::move(idle)) {}

  [[nodiscard]] std::unique_ptr<Constraint> copy(const NodePairs&) const override {
    return std::make_unique<FlowEnds>(*this);
  }
  void visit_signals(const std::function<void(const Signal&)>& use) const override {
    for (const HeldCoordinate& c : held_) use(c.value);
    for (const Rate& r : rates_) use(r.speed);
  }
  [[nodiscard]] std::span<const HeldCoordinate> held() const override { return held_; }
  bool evaluate(const RowsAt& at, RowValues& out) override;
  [[nodiscard]] double time_left(const State& state) const override;
  [[nodiscard]] std::string ending(const double* q, const double* v, double h,
                                   const Poses& poses) const override;

 private:
  std::vector<HeldCoordinate> held_;
  std::vector<Rate> rates_;
  std::vector<Border> borders_;
  std::vector<int> idle_;
};

}  // namespace hawser
