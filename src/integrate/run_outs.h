// A change of mesh where free ends have run out of eyelets and off pulleys (model/run_outs.h). What
// was left before the hand-over, and of a pulley what lay on it, is put straight behind the point
// where the cable goes on, with its slope g and, of a pulley, with its velocity w:
//
//     r = r_B + (p - p_B) g_B,     w = w_B + (p - p_B) w'_B
//
// as cable is that a hand-over has turned round. Cable keeps its strain in this. Of an eyelet next
// to nothing is left: velocities are those that it had, projected as where nodes are dropped, which
// keeps the momentum.
#pragma once

#include <vector>

#include "model/model_data.h"
#include "model/run_outs.h"

namespace hawser {

class RunOuts {
 public:
  RunOuts(const ModelData& from, const ModelData& to);

  [[nodiscard]] bool any() const { return !changes_.empty(); }
  /// Positions of the old model with the rests behind their hand-overs.
  [[nodiscard]] std::vector<double> straight(std::vector<double> q) const;
  /// The same of velocities of its material, or of accelerations; `q` as it was.
  void lead(const std::vector<double>& q, std::vector<double>& material) const;
  /// Their flows are at rest.
  void stop_flows(std::vector<double>& rates) const;
  /// What held the cable there does not act any more.
  void finish(State& state) const;

 private:
  struct Change {
    const HandOver* was;
    Rest rest;
    int goes_on, next;  ///< node where the cable goes on, and the one beyond it
    bool straight;      ///< np-fem
  };
  [[nodiscard]] double material(const Change& change, int node, const double* q) const;
  /// The derivative along the cable where it goes on.
  [[nodiscard]] Vec3 slope(const Change& change, const double* q, const double* field) const;

  const ModelData &from_, &to_;
  std::vector<Change> changes_;
};

}  // namespace hawser
