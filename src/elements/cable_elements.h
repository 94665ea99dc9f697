// The elements of a cable as a term of the equation of motion: elastic forces, mass, and damping
// that is proportional to the mass. ancf and np-fem alike (ancf.h).
#pragma once

#include "elements/batch.h"
#include "terms/term.h"

namespace hawser {

class CableElements final : public Term {
 public:
  /// `number` of the batch among all.
  CableElements(const AncfBatch& batch, size_t number);

  [[nodiscard]] Facts facts() const override;
  void add(const Configuration& at, const Wanted& wanted, const Sums& sums) const override;
  void add_mass_times(const double* q, const double* b, double* out) const override;
  void add_lossy(const Configuration& at, double* scratch, double* out) const override;
  void add_energy(const EnergyState& at, EnergyParts& out) const override;
  void update_axial(AxialUpdate& update) const override;
  void set_scales(double* arm, double* size) const override;
  [[nodiscard]] double turn(const double* q, const double* motion) const override;

 private:
  AncfBatch batch_;
  AncfBatch alone_;  ///< the same, which stores all of its nodes
  size_t number_;
};

}  // namespace hawser
