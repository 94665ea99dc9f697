#include "assembly/assembler.h"

#include <algorithm>

namespace hawser {
namespace {

constexpr int most_shares = 16;      ///< enough for eight threads
constexpr int smallest_share = 500;  ///< elements: some ten microseconds

}  // namespace

Assembler::Assembler(const ModelData& model)
    : force(model.padded()),
      inertia(model.padded()),
      axial_star(static_cast<size_t>(model.point_size)),
      strain_r(3 * static_cast<size_t>(model.point_size)),
      model_(model) {
  for (const auto& term : model.terms) facts_.push_back(term->facts());
  find_shares();
  if (!model.facts.stiff) non_stiff_.assign(model.padded(), 0);
  non_stiff_lossy_ = non_stiff_;
  if (model.facts.lossy) scratch_.assign(model.padded(), 0);
}

/// Shares end where the elements before touch no node of those after: at the end of a cable of
/// which the last pack of four elements stores no node past it.
void Assembler::find_shares() {
  const auto& fields = model_.fields;
  int all = 0, done = 0;
  for (const Fields* part : fields) all += part->run.elements;
  const int size = std::max(smallest_share, (all + most_shares - 1) / most_shares);
  shares_.push_back(0);
  for (size_t i = 0; i + 1 < fields.size(); ++i) {
    const ElementRun& run = fields[i]->run;
    done += run.elements;
    const int after = run.first_node + run.elements + 1;
    if (done < size || fields[i + 1]->run.first_node < after || run.takes_along ||
        run.first_node + 4 * run.packs() > after)
      continue;
    shares_.push_back(i + 1);
    done = 0;
  }
  shares_.push_back(fields.size());
}

/// Of the terms of elements, which come first. `apart`: those of different nodes write to different
/// places.
template <class Call>
void Assembler::for_stored(bool apart, const Call& call) const {
  Workers& workers = apart ? *workers_ : one_worker();
  workers.share(static_cast<int>(shares_.size()) - 1, [&](int share) {
    const auto k = static_cast<size_t>(share);
    for (size_t i = shares_[k]; i < shares_[k + 1]; ++i) call(*model_.terms[i]);
  });
}

void Assembler::keep_points(Wanted& wanted) {
  wanted.axial_star = axial_star.data();
  wanted.strain_r = strain_r.data();
}

/// Before the elements of cables, which add to flows.
void Assembler::clear_scalars(std::vector<double>& sum) const {
  std::fill_n(sum.begin() + model_.structure.node_coordinates(), model_.structure.scalars, 0);
}

/// Other nodes, which elements may have written to when they store those of cables.
void Assembler::clear_rest(std::vector<double>& sum) const {
  std::fill(sum.begin() + model_.stored, sum.begin() + model_.structure.node_coordinates(), 0);
  std::fill(sum.begin() + model_.structure.coordinates(), sum.end(), 0);
}

void Assembler::run(const Configuration& at, const Wanted& wanted, const MatrixSink& sink) {
  const Sums sums{force.data(), inertia.data(), sink};
  const size_t stored = model_.fields.size(), terms = model_.terms.size();
  clear_scalars(force);
  clear_scalars(inertia);
  for_stored(!wanted.matrix() || sink.panel_nodes > 0,
             [&](const Term& term) { term.add(at, wanted, sums); });
  clear_rest(force);
  clear_rest(inertia);
  if (renew_non_stiff) {
    std::fill(non_stiff_.begin(), non_stiff_.end(), 0);
    std::fill(non_stiff_lossy_.begin(), non_stiff_lossy_.end(), 0);
  }
  Wanted once = wanted;  // of terms that are not stiff
  once.symmetric_part = wanted.symmetric_part || wanted.non_stiff_tangent;
  if (!once.symmetric_part) once.tangent = Tangent::none;
  const Sums kept{non_stiff_.data(), inertia.data(), sink};
  for (size_t i = stored; i < terms; ++i)
    if (facts_[i].stiff)
      model_.terms[i]->add(at, wanted, sums);
    else if (renew_non_stiff) {
      model_.terms[i]->add(at.once(), once, kept);
      if (facts_[i].lossy)
        model_.terms[i]->add_lossy(at.once(), scratch_.data(), non_stiff_lossy_.data());
    }
  for (size_t i = 0; i < non_stiff_.size(); ++i) force[i] += non_stiff_[i];
}

void Assembler::mass_times(const double* q, const double* b) {
  const size_t stored = model_.fields.size(), terms = model_.terms.size();
  clear_scalars(inertia);
  for_stored(true, [&](const Term& term) { term.add_mass_times(q, b, inertia.data()); });
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
    if (facts_[i].lossy && facts_[i].stiff) model_.terms[i]->add_lossy(at, scratch_.data(), out);
  if (non_stiff_lossy_.empty()) return;
  const auto n = static_cast<size_t>(model_.structure.coordinates());
  for (size_t i = 0; i < n; ++i) out[i] += non_stiff_lossy_[i];
}

}  // namespace hawser
