// Added mass of cables in a fluid: the inertia term of Morison et al. (1950) on a cable with the
// acceleration a in a fluid whose velocity is constant,
//
//     f = -m_a P a,     m_a = rho C_a pi d^2/4  [kg/m],     P = I - t t^T,     t = r'/|r'|
//
// per unstretched metre, across the cable alone. It is a mass matrix that depends on the direction
// of the cable, M_a = int n m_a P n^T ds, evaluated where a step is predicted to end. How it
// changes within a step is left out of the tangent: it is not stiff.
//
// The kinetic energy v . M_a v/2 changes by v . M_a a + v . M_a' v/2. The last is no work of f: the
// fluid exchanges it with a cable that turns while it moves along itself. It is accounted for as
// work (add_lossy), of the force per metre
//
//     m_a P' v/2 = -m_a (t' (t . v) + t (t' . v))/2,     t' = P v'/|r'|,   v' = dv/ds
#pragma once

#include <utility>
#include <vector>

#include "loads/surroundings.h"
#include "terms/term.h"

namespace hawser {

Facts added_mass_facts();

/// Of one element: adds M_a(q) b; `block`, unless null: weight M_a, 12 x 12 by columns, written.
void add_added_mass(const Surroundings& s, const double* q, const double* b, double weight,
                    double product[12], double* block);
/// Adds M_a' v/2.
void add_turning_mass(const Surroundings& s, const double* q, const double* v, double out[12]);

class AddedMass final : public Term {
 public:
  explicit AddedMass(std::vector<SurroundedElements> runs) : runs_(std::move(runs)) {}

  [[nodiscard]] Facts facts() const override { return added_mass_facts(); }
  void add(const Configuration& at, const Wanted& wanted, const Sums& sums) const override;
  void add_mass_times(const double* q, const double* b, double* out) const override;
  void add_lossy(const Configuration& at, double* scratch, double* out) const override;
  void add_energy(const EnergyState& at, EnergyParts& out) const override;

 private:
  std::vector<SurroundedElements> runs_;
};

}  // namespace hawser
