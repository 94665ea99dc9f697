#include "assembly/assembler.h"

#include <algorithm>

namespace hawser {

Assembler::Assembler(const ModelData& model)
    : force(model.padded()),
      inertia(model.padded()),
      axial_star(static_cast<size_t>(model.point_size)),
      strain_r(3 * static_cast<size_t>(model.point_size)),
      model_(model) {
  for (const auto& term : model.terms) facts_.push_back(term->facts());
  if (!model.facts.stiff) non_stiff_.assign(model.padded(), 0);
  if (model.facts.by_velocity) scratch_.assign(model.padded(), 0);
}

void Assembler::keep_points(Wanted& wanted) {
  wanted.axial_star = axial_star.data();
  wanted.strain_r = strain_r.data();
}

/// Beyond the nodes of cables, which elements store, and may have written to.
void Assembler::clear_rest(std::vector<double>& sum) const {
  std::fill(sum.begin() + model_.stored, sum.end(), 0);
}

void Assembler::run(const Configuration& at, const Wanted& wanted, const MatrixSink& sink) {
  const Sums sums{force.data(), inertia.data(), sink};
  const size_t stored = model_.fields.size(), terms = model_.terms.size();
  for (size_t i = 0; i < stored; ++i) model_.terms[i]->add(at, wanted, sums);
  clear_rest(force);
  clear_rest(inertia);
  if (renew_non_stiff) std::fill(non_stiff_.begin(), non_stiff_.end(), 0);
  Wanted once = wanted;  // of terms that are not stiff
  if (!wanted.symmetric_part) once.tangent = Tangent::none;
  const Sums kept{non_stiff_.data(), inertia.data(), sink};
  for (size_t i = stored; i < terms; ++i)
    if (facts_[i].stiff)
      model_.terms[i]->add(at, wanted, sums);
    else if (renew_non_stiff)
      model_.terms[i]->add(at, once, kept);
  for (size_t i = 0; i < non_stiff_.size(); ++i) force[i] += non_stiff_[i];
}

void Assembler::mass_times(const double* q, const double* b) {
  const size_t stored = model_.fields.size(), terms = model_.terms.size();
  for (size_t i = 0; i < stored; ++i) model_.terms[i]->add_mass_times(q, b, inertia.data());
  clear_rest(inertia);
  for (size_t i = stored; i < terms; ++i) model_.terms[i]->add_mass_times(q, b, inertia.data());
}

void Assembler::add_loads(const Configuration& at, double factor, bool Facts::*kind,
                          double* out) const {
  Wanted wanted;
  wanted.load_factor = factor;
  for (size_t i = 0; i < facts_.size(); ++i)
    if (facts_[i].*kind) model_.terms[i]->add(at, wanted, {out, nullptr, {}});
}

void Assembler::add_loads(const Configuration& at, double factor, double* out) const {
  add_loads(at, factor, &Facts::load, out);
}

void Assembler::add_supplied_loads(const Configuration& at, double factor, double* out) const {
  add_loads(at, factor, &Facts::supplies, out);
}

void Assembler::add_lossy(const Configuration& at, double* out) {
  for (size_t i = 0; i < facts_.size(); ++i)
    if (facts_[i].by_velocity) model_.terms[i]->add_lossy(at, scratch_.data(), out);
}

}  // namespace hawser
