// What searches for an equilibrium, modes and changes of the mesh ask of contacts beyond their
// forces. State::contacts holds what they remember.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "terms/term.h"

namespace hawser {

/// Coordinates, and what contacts remember there.
struct Remembering {
  const double *q, *contacts;
};

class ContactTerm : public Term {
 public:
  /// How far a point moves relative to a surface from one configuration to the other, over the way
  /// that keeps it on its side of it: above 1 it may have passed through.
  [[nodiscard]] virtual double leap(const Configuration& from, const Configuration& to) const = 0;
  /// All that touches sticks, whatever the friction limit: small motions do not reach it. For
  /// configurations with Configuration::predicted, whose limit is that of what is remembered.
  virtual void hold(double* contacts) const = 0;
  /// What is remembered of the same contacts on another mesh, `old` as `from` remembers it, goes
  /// over to points that touch at q, as `contacts` has them from Term::remember().
  virtual void carry(const ContactTerm& from, const Remembering& old, const double* q,
                     double* contacts) const = 0;
  /// Force on a shape in a contact of the scene [N], world axes, at a state as it is.
  [[nodiscard]] virtual Eigen::Vector3d force_on(int /*contact*/, const std::string& /*shape*/,
                                                 const Configuration& /*at*/) const {
    return Eigen::Vector3d::Zero();
  }
};

/// The pairs of nodes for which the matrix has entries: those of the model stay, and contacts add
/// those of what is close (Term::couple). True where they have changed.
bool renew_coupled(const std::vector<std::shared_ptr<const Term>>& terms, const double* contacts,
                   CoupledNodes& coupled);

/// Calls with each contact among the terms of a model.
template <class Call>
void for_contacts(const std::vector<std::shared_ptr<const Term>>& terms, const Call& call) {
  for (const auto& term : terms)
    if (const auto* contact = dynamic_cast<const ContactTerm*>(term.get())) call(*contact);
}

}  // namespace hawser
