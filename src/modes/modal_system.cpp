#include "modes/modal_system.h"

#include <algorithm>
#include <cmath>

#include "contact/contact_term.h"
#include "hawser/error.h"
#include "model/state_table.h"

namespace hawser {
namespace {

/// Above this part of the largest omega^2 no mode is left.
constexpr double beyond_all = 1e3;

SystemStructure held(const ModelData& model) {
  if (model.structure.scalars > 0)
    throw Error("modes", std::to_string(model.structure.scalars) + " scalar unknowns",
                "unknowns of nodes and bodies only");
  SystemStructure structure = model.structure;
  structure.symmetric = true;
  return structure;
}

/// Of M and K by node, joined or not.
SystemStructure without_rows(SystemStructure structure) {
  structure.shared.clear();
  structure.conditions = 0;
  structure.condition_entries.clear();
  structure.sharing.clear();
  return structure;
}

const State& fitting(const ModelData& model, const State& state) {
  require_pose(state, model, "modes, state");
  return state;
}

}  // namespace

ModalSystem::ModalSystem(const ModelData& model, const State& state)
    : model_(model),
      structure_(held(model)),
      pattern_(without_rows(structure_)),
      q_(fitting(model, state).q),
      orientation_(state.orientation),
      contacts_(state.contacts),
      t_(state.t),
      inputs_(state.inputs),
      lambda_(state.multipliers),
      free_(static_cast<size_t>(structure_.coordinates()), 1),
      zero_(model.padded(), 0),
      x_(model.padded() + static_cast<size_t>(structure_.conditions), 0),
      assembler_(model),
      rows_(model),
      // Not the chain solver: it does not refine what it solves, and K - sigma M is indefinite.
      solver_(make_linear_solver(structure_, LinearBackend::sparse)) {
  rows_.at_rest = true;
  for (const int c : structure_.fixed) free_[static_cast<size_t>(c)] = 0;
  for (const int c : pattern_.idle) free_[static_cast<size_t>(c)] = 0;
  for (const auto& [follower, leader] : structure_.shared)
    free_[static_cast<size_t>(follower)] = free_[static_cast<size_t>(leader)];
  hold_rows(state);
  for_contacts(model.terms, [&](const ContactTerm& c) { c.hold(contacts_.data()); });
  mass_ = matrix(1, 0);
  stiffness_ = matrix(0, 1);
  for (int c = 0; c < coordinates(); ++c) {
    const int at = pattern_.place[static_cast<size_t>(c)];
    if (!free_[static_cast<size_t>(c)] && mass_.coeff(at, at) == 0) weightless_.push_back(c);
  }
  find_balance();
  find_scale();
}

/// Small motions are too small for rubbing cables to slip.
void ModalSystem::hold_rows(const State& state) {
  State still = state;
  std::fill(still.activity.begin() + static_cast<ptrdiff_t>(rows_.size()), still.activity.end(), 0);
  rows_.begin(still);
  if (!rows_.set.evaluate(q_.data(), t_, still))
    throw Error("modes", rows_.set.fault, "a state with valid cable routes");
  SchemeWeights w;
  w.cq = w.cr = 1;
  rows_.plan_step(w, still.now(), zero_.data(), lambda_.data());
  for (size_t r = 0; r < rows_.size(); ++r)
    if (rows_.plan[r].on && model_.rows[r].velocity) rows_.plan[r].E = 0;
  rows_.write(solver_->sink());
}

void ModalSystem::assemble(double mass_weight, double stiffness_weight, const MatrixSink& sink) {
  Wanted wanted;
  wanted.b = zero_.data();
  wanted.tangent = Tangent::own;
  wanted.symmetric_part = true;
  wanted.mass_weight = mass_weight;
  wanted.stiffness_weight = stiffness_weight;
  Configuration at({t_, inputs_}, q_.data(), zero_.data(), orientation_.data());
  if (model_.facts.remembers) at.contacts = contacts_.data();
  at.predicted = true;  // the limit of friction is that of what is remembered: none
  assembler_.run(at, wanted, sink);
  if (stiffness_weight != 0 && rows_.any())
    rows_.set.add_curvature(q_.data(), lambda_.data(), -stiffness_weight, sink);
}

ModalSystem::Sparse ModalSystem::matrix(double mass_weight, double stiffness_weight) {
  Sparse out = pattern_.zero;
  assemble(mass_weight, stiffness_weight, pattern_.sink(out.valuePtr()));
  return out;
}

void ModalSystem::times(const Sparse& A, const double* x, double* out) const {
  const auto n = static_cast<size_t>(coordinates());
  Eigen::VectorXd placed(coordinates());
  for (size_t i = 0; i < n; ++i) placed[pattern_.place[i]] = x[i];
  const Eigen::VectorXd product = A.selfadjointView<Eigen::Upper>() * placed;
  for (size_t i = 0; i < n; ++i) out[i] = product[pattern_.place[i]];
}

void ModalSystem::find_balance() {
  std::vector<double> sum = assembler_.force;
  add_row_forces(lambda_, 1, sum.data());
  structure_.gather(sum.data());
  for (size_t i = 0; i < free_.size(); ++i)
    if (free_[i]) unbalanced_ = std::max(unbalanced_, std::abs(sum[i]));
}

/// By Gershgorin's idea, from the diagonals and from what compliant rows add to them.
void ModalSystem::find_scale() {
  const auto of = [this](const Sparse& A, size_t coordinate) {
    const int at = pattern_.place[coordinate];
    return std::abs(A.coeff(at, at));
  };
  for (size_t i = 0; i < free_.size(); ++i)
    if (free_[i]) scale_ = std::max(scale_, of(stiffness_, i) / of(mass_, i));
  for (size_t r = 0; r < rows_.size(); ++r) {
    if (!rows_.plan[r].on || !(rows_.plan[r].E > 0)) continue;
    const RowInfo& row = model_.rows[r];
    const double* g = rows_.set.G.data() + row.first_entry;
    for (const int c : row.coordinates) {
      const double entry = *g++;
      if (const auto i = static_cast<size_t>(c); free_[i])
        scale_ = std::max(scale_, entry * entry / rows_.plan[r].E / of(mass_, i));
    }
  }
  if (!(scale_ > 0)) scale_ = 1;  // nothing but free bodies
}

/// Linear conditions are independent (compile_constraints); rows of joints need not be.
int ModalSystem::motions() {
  if (!rows_.constant()) return below(beyond_all * scale_).value_or(0);
  const auto followers = std::count_if(
      structure_.shared.begin(), structure_.shared.end(),
      [this](const DofMap::Shared& s) { return free_[static_cast<size_t>(s.follower)] != 0; });
  return static_cast<int>(std::count(free_.begin(), free_.end(), 1) - followers) -
         structure_.conditions;
}

bool ModalSystem::factor(double sigma) {
  if (factored_ == sigma) return true;
  factored_.reset();
  solver_->clear();
  assemble(-sigma, 1, solver_->sink());
  if (solver_->factor() != FactorStatus::ok) return false;
  factored_ = sigma;
  return true;
}

std::optional<int> ModalSystem::below(double sigma) {
  if (!factor(sigma) || solver_->report().negative_pivots < 0) return std::nullopt;
  return solver_->report().negative_pivots;
}

bool ModalSystem::solve(const double* b, double* x) {
  std::fill(x_.begin(), x_.end(), 0);
  std::copy_n(b, coordinates(), x_.begin());
  keep_free(x_.data());
  const bool solved = solver_->solve(x_).status == FactorStatus::ok;
  std::copy_n(x_.begin(), coordinates(), x);
  keep_free(x);
  return solved;
}

std::span<const double> ModalSystem::multipliers() const {
  return std::span(x_).subspan(static_cast<size_t>(coordinates()),
                               static_cast<size_t>(structure_.conditions));
}

void ModalSystem::add_row_forces(std::span<const double> mu, double factor, double* out) const {
  rows_.set.add_force(mu.data(), factor, out);
}

void ModalSystem::keep_free(double* x) const {
  for (size_t i = 0; i < free_.size(); ++i)
    if (!free_[i]) x[i] = 0;
}

}  // namespace hawser
