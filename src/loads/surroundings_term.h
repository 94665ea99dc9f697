// What surrounds the elements of all cables, as a term of the equation of motion.
#pragma once

#include <utility>
#include <vector>

#include "loads/surroundings.h"
#include "terms/term.h"

namespace hawser {

/// The ground, the fluid or both: one walk over the elements.
class SurroundingsTerm final : public Term {
 public:
  explicit SurroundingsTerm(std::vector<SurroundedElements> runs, bool stiff = true)
      : runs_(std::move(runs)), stiff_(stiff) {}

  [[nodiscard]] Facts facts() const override;
  void add(const Configuration& at, const Wanted& wanted, const Sums& sums) const override;
  void add_lossy(const Configuration& at, double* scratch, double* out) const override;
  void add_energy(const EnergyState& at, EnergyParts& out) const override;
  [[nodiscard]] double left_out(const Configuration& at) const override;

 private:
  std::vector<SurroundedElements> runs_;
  bool stiff_;
};

}  // namespace hawser
