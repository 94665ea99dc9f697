#include "modes/modal_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "contact/close_grid.h"
#include "contact/contact_term.h"
#include "hawser/error.h"
#include "model/state_table.h"

namespace hawser {
namespace {

/// Above this part of the largest omega^2 no mode is left.
constexpr double beyond_all = 1e3;

/// Cable at rest, or cable that runs through its elements (flow_modes.h): on the mesh of the
/// material a flow is no steady state. The force of a supply by tension has no potential.
void require_still(const ModelData& model, const State& state) {
  for (const HandOver& h : model.hand_overs) {
    const Cable& cable = model.scene.cables[static_cast<size_t>(h.cable)];
    const ErrorObject who("cable", cable.name);
    if (h.kind == HandOver::Kind::supply && cable.tension)
      throw Error(who, "a winch that holds a tension",
                  "a winch with `payout` or `speed`, for modes",
                  "Use `payout: 0 m`: the cable is then held as it is.");
    const double rate = state.v[static_cast<size_t>(model.structure.scalar(h.scalar))];
    if (rate != 0 && cable.mesh != FlowMesh::running)
      throw Error(who, fmt::format("cable that flows at {:.4g} m/s", rate),
                  "cable at rest, or `mesh: running`",
                  "On the mesh of the material a flow is no steady state.");
  }
}

/// It gives the rate of a flow alone: the winch of a cable.
bool drives_flow(const ModelData& model, const RowInfo& row) {
  return row.velocity && row.coordinates.size() == 1 &&
         row.coordinates[0] >= model.structure.node_coordinates();
}

/// What contacts remember, with the parts of cables that are close, all that touches stuck.
std::vector<double> stuck_contacts(const ModelData& model, const State& state) {
  require_pose(state, model, "modes, state");
  std::vector<double> contacts = state.contacts;
  const std::vector<double> still(model.padded(), 0);
  Configuration at(state.now(), state.q.data(), still.data(), state.orientation.data());
  CloseSearch search;
  for (const auto& term : model.terms) {
    at.contacts = contacts.data();
    term->find_pairs(at, 0, false, search, contacts);
  }
  for_contacts(model.terms, [&](const ContactTerm& c) { c.hold(contacts.data()); });
  return contacts;
}

CoupledNodes coupled_nodes(const ModelData& model, const std::vector<double>& contacts) {
  CoupledNodes out{model.structure.pairs, model.structure.pairs.size()};
  if (model.facts.meets) renew_coupled(model.terms, contacts.data(), out);
  return out;
}

/// Flows that are driven are fixed, and their rows off.
SystemStructure held(const ModelData& model, const State& state, const CoupledNodes& coupled) {
  require_still(model, state);
  SystemStructure structure = model.structure;
  structure.pairs = coupled.pairs;
  structure.symmetric = true;
  for (const RowInfo& row : model.rows)
    if (drives_flow(model, row)) structure.fixed.push_back(row.coordinates[0]);
  std::sort(structure.fixed.begin(), structure.fixed.end());
  structure.fixed.erase(std::unique(structure.fixed.begin(), structure.fixed.end()),
                        structure.fixed.end());
  return structure;
}

/// Of M and K by node, joined or not.
SystemStructure without_rows(SystemStructure structure) {
  const int end = structure.node_coordinates();
  structure.scalars = 0;
  std::erase_if(structure.fixed, [end](int c) { return c >= end; });
  structure.shared.clear();
  structure.conditions = 0;
  structure.condition_entries.clear();
  structure.sharing.clear();
  return structure;
}

}  // namespace

ModalSystem::ModalSystem(const ModelData& model, const State& state)
    : model_(model),
      contacts_(stuck_contacts(model, state)),
      coupled_(coupled_nodes(model, contacts_)),
      structure_(held(model, state, coupled_)),
      pattern_(without_rows(structure_)),
      q_(state.q),
      orientation_(state.orientation),
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
  mass_ = matrix(1, 0);
  stiffness_ = matrix(0, 1);
  for (int c = 0; c < coordinates(); ++c)
    if (!free_[static_cast<size_t>(c)] && (structure_.scalars > 0 || diagonal(mass_, c) == 0))
      weightless_.push_back(c);
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
  for (size_t r = 0; r < rows_.size(); ++r) {
    Rows::Entry& row = rows_.plan[r];
    if (row.on && model_.rows[r].velocity) row.E = 0;
    if (!drives_flow(model_, model_.rows[r])) continue;
    row.on = false;
    row.E = 1;
  }
  rows_.write(solver_->sink());
}

void ModalSystem::assemble(double mass_weight, double stiffness_weight, const MatrixSink& sink) {
  Wanted wanted;
  wanted.b = zero_.data();
  wanted.tangent = Tangent::own;
  wanted.symmetric_part = true;
  wanted.mass_weight = mass_weight;
  wanted.stiffness_weight = stiffness_weight;
  wanted.coupled = &coupled_;
  Configuration at({t_, inputs_}, q_.data(), zero_.data(), orientation_.data());
  if (model_.facts.remembers) {
    at.contacts = contacts_.data();
    at.q_start = q_.data();
  }
  at.predicted = true;  // the limit of friction is that of what is remembered: none
  assembler_.run(at, wanted, sink);
  if (stiffness_weight != 0 && rows_.any())
    rows_.set.add_curvature(q_.data(), lambda_.data(), -stiffness_weight, sink);
}

ModalSystem::Matrix ModalSystem::matrix(double mass_weight, double stiffness_weight) {
  const int nodes = structure_.node_coordinates(), scalars = structure_.scalars;
  Matrix out{pattern_.zero, Eigen::MatrixXd::Zero(nodes, scalars),
             Eigen::MatrixXd::Zero(scalars, scalars)};
  Eigen::MatrixXd rows = out.border;
  MatrixSink sink = pattern_.sink(out.nodes.valuePtr());
  sink.border_columns = out.border.data();
  sink.border_rows = rows.data();
  sink.corner = out.corner.data();
  sink.border_length = nodes;
  sink.scalars = scalars;
  assemble(mass_weight, stiffness_weight, sink);
  return out;
}

double ModalSystem::diagonal(const Matrix& A, int coordinate) const {
  const int scalar = coordinate - structure_.node_coordinates();
  if (scalar >= 0) return A.corner(scalar, scalar);
  const int at = pattern_.place[static_cast<size_t>(coordinate)];
  return A.nodes.coeff(at, at);
}

void ModalSystem::times(const Matrix& A, const double* x, double* out) const {
  const int n = structure_.node_coordinates(), scalars = structure_.scalars;
  const Eigen::Map<const Eigen::VectorXd> nodes(x, n), flows(x + n, scalars);
  Eigen::VectorXd placed(n);
  for (int i = 0; i < n; ++i) placed[pattern_.place[static_cast<size_t>(i)]] = x[i];
  const Eigen::VectorXd product = A.nodes.selfadjointView<Eigen::Upper>() * placed;
  const Eigen::VectorXd beside = A.border * flows,
                        on_flows = A.border.transpose() * nodes + A.corner * flows;
  for (int i = 0; i < n; ++i) out[i] = product[pattern_.place[static_cast<size_t>(i)]] + beside[i];
  std::copy_n(on_flows.data(), scalars, out + n);
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
  const auto of = [this](const Matrix& A, size_t coordinate) {
    return std::abs(diagonal(A, static_cast<int>(coordinate)));
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
  const auto off = std::count_if(model_.rows.begin(), model_.rows.end(),
                                 [this](const RowInfo& row) { return drives_flow(model_, row); });
  return static_cast<int>(std::count(free_.begin(), free_.end(), 1) - followers + off) -
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
