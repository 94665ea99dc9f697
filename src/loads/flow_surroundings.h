// What surrounds the elements through which cable flows: forces f over e at the velocities w of the
// material (elements/flow.h), on the flows by their columns, D1 e . f and D2 e . f. The same
// columns make the matrix of the flows from that of the element.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "elements/flow_elements.h"
#include "loads/added_mass.h"

namespace hawser {

/// A run of flowing elements and what surrounds them.
struct SurroundedFlow {
  std::shared_ptr<const FlowElements> elements;
  Surroundings surroundings;  ///< of any length
};

class FlowSurroundings final : public Term {
 public:
  FlowSurroundings(std::vector<SurroundedFlow> runs, bool stiff)
      : runs_(std::move(runs)), stiff_(stiff) {}

  [[nodiscard]] Facts facts() const override;
  void add(const Configuration& at, const Wanted& wanted, const Sums& sums) const override;
  void add_lossy(const Configuration& at, double* scratch, double* out) const override;
  void add_energy(const EnergyState& at, EnergyParts& out) const override;

 private:
  std::vector<SurroundedFlow> runs_;
  bool stiff_;
};

/// Added mass (added_mass.h) with the velocities and accelerations of the material: M_a (T a + c)
/// on e, by the columns on the flows. It acts by virtual work: nothing of it crosses an end.
class FlowAddedMass final : public Term {
 public:
  explicit FlowAddedMass(std::vector<SurroundedFlow> runs) : runs_(std::move(runs)) {}

  [[nodiscard]] Facts facts() const override { return added_mass_facts(); }
  void add(const Configuration& at, const Wanted& wanted, const Sums& sums) const override;
  void add_mass_times(const double* q, const double* b, double* out) const override;
  void add_lossy(const Configuration& at, double* scratch, double* out) const override;
  void add_energy(const EnergyState& at, EnergyParts& out) const override;

 private:
  std::vector<SurroundedFlow> runs_;
};

}  // namespace hawser
