// The elements of a cable as a term of the equation of motion: elastic forces, mass, and damping
// that is proportional to the mass; and what they tell of the cable (cable_fields.cpp). ancf and
// np-fem alike (ancf.h): the interpolation is the cubic one of Hermite, of np-fem the linear one.
#pragma once

#include "elements/batch.h"
#include "terms/term.h"

namespace hawser {

class CableElements final : public Term, public Fields {
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
  [[nodiscard]] const Fields* fields() const override { return this; }

  [[nodiscard]] Eigen::Vector3d position(const double* q, int element, double xi) const override;
  [[nodiscard]] Eigen::Vector3d velocity(const double* q, const double* v, int element,
                                         double xi) const override;
  [[nodiscard]] Eigen::Vector3d slope(const double* q, int element, double xi) const override;
  [[nodiscard]] std::array<double, 4> weights(double xi, bool derivative) const override;
  [[nodiscard]] double mass(double length, int i, int j) const override;
  [[nodiscard]] double strain(const Eigen::Vector3d& slope) const override;
  [[nodiscard]] Lanes curvature(const double* q, int pack, double xi) const override;
  void axial(const State& state, int pack, AxialPack& out) const override;
  void strains(const double* q, const StrainsOut& out) const override;
  [[nodiscard]] StiffnessParts stiffness(const double* q, const double* x) const override;
  [[nodiscard]] double energy(const double* q, const double* v, int element) const override;
  [[nodiscard]] std::shared_ptr<const Term> with_stiffness(double EA) const override;

  [[nodiscard]] const AncfBatch& batch() const { return batch_; }

 private:
  AncfBatch batch_;
  AncfBatch alone_;  ///< the same, which stores all of its nodes
  size_t number_;
};

}  // namespace hawser
