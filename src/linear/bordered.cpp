#include "linear/bordered.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "linear/block_tridiagonal.h"
#include "linear/chain_lu.h"
#include "math/dense.h"

namespace hawser {
namespace {

/// The nodes and, of the conditions, the `kept` ones.
SystemStructure without_border(const SystemStructure& s, const std::vector<int>& kept) {
  SystemStructure out = s;
  const int end = s.node_coordinates();
  out.scalars = 0;
  std::erase_if(out.fixed, [end](int c) { return c >= end; });
  out.conditions = static_cast<int>(kept.size());
  out.condition_entries.clear();
  out.sharing.clear();
  out.rigid.clear();
  std::vector<int> number(static_cast<size_t>(s.conditions), -1);
  for (size_t k = 0; k < kept.size(); ++k) {
    const auto row = static_cast<size_t>(kept[k]);
    number[row] = static_cast<int>(k);
    if (!s.sharing.empty()) out.sharing.push_back(s.sharing[row]);
    if (!s.rigid.empty()) out.rigid.push_back(s.rigid[row]);
  }
  for (SystemStructure::Entry e : s.condition_entries) {
    e.row = number[static_cast<size_t>(e.row)];
    if (e.row >= 0 && e.coordinate < end) out.condition_entries.push_back(e);
  }
  return out;
}

/// Without the elements after those of cables that join a node to the next one and are the only
/// ones to do so, as the arcs of pulleys: a chain has room for them.
SystemStructure without_bridges(SystemStructure s) {
  if (s.chain_elements == 0) return s;
  std::vector<char> joined(static_cast<size_t>(s.nodes), 0);
  const auto first = s.elements.begin() + s.chain_elements;
  std::for_each(s.elements.begin(), first,
                [&](const auto& e) { joined[static_cast<size_t>(e.first)] = 1; });
  s.elements.erase(std::remove_if(first, s.elements.end(),
                                  [&](const auto& e) {
                                    return e.second == e.first + 1 &&
                                           !std::exchange(joined[static_cast<size_t>(e.first)], 1);
                                  }),
                   s.elements.end());
  return s;
}

CoordinateRange common(CoordinateRange a, CoordinateRange b) {
  return {std::max(a.first, b.first), std::min(a.last, b.last)};
}

double product(const double* y, const double* z, CoordinateRange over) {
  const auto n = std::max(0, over.last - over.first);
  return Eigen::Map<const Eigen::VectorXd>(y + over.first, n)
      .dot(Eigen::Map<const Eigen::VectorXd>(z + over.first, n));
}

double* column(Eigen::MatrixXd& of, size_t k) {
  return of.col(static_cast<Eigen::Index>(k)).data();
}

}  // namespace

Bordered::Bordered(const SystemStructure& structure, LinearBackend choice)
    : nodes_size_(structure.node_coordinates()),
      scalars_(structure.scalars),
      symmetric_nodes_(structure.symmetric),
      inner_(make_inner(structure, choice)),
      name_(std::string(inner_->name()) + ", bordered") {
  const auto is_fixed = [&](int c) {
    return std::binary_search(structure.fixed.begin(), structure.fixed.end(), c);
  };
  for (int i = 0; i < scalars_; ++i) (is_fixed(structure.scalar(i)) ? fixed_ : free_).push_back(i);
  find_known(structure);
  const auto size = static_cast<size_t>(nodes_size_) + kept_.size(),
             borders = static_cast<size_t>(scalars_) + bordering_.size(),
             unknowns = free_.size() + bordering_.size();
  const auto n = static_cast<Eigen::Index>(unknowns);
  B_.setZero(static_cast<Eigen::Index>(size), static_cast<Eigen::Index>(borders));
  Ct_ = B_;
  F_.setZero(scalars_, scalars_);
  filled_.assign(borders, {static_cast<int>(size), 0});
  columns_ = free_;
  for (size_t k = 0; k < bordering_.size(); ++k) columns_.push_back(scalars_ + static_cast<int>(k));
  on_fixed_.setZero(static_cast<Eigen::Index>(bordering_.size()),
                    static_cast<Eigen::Index>(fixed_.size()));
  find_places(structure);
  compliance_.assign(static_cast<size_t>(structure.conditions), 0);
  reach_.resize(unknowns);
  symmetric_.assign(unknowns, 1);
  Z_.setZero(static_cast<Eigen::Index>(size), n);
  Y_ = Z_;
  schur_.setZero(n, n);
  lu_ = signs_ = schur_;
  scale_.setOnes(n);
  exchanges_.resize(unknowns);
  s_.setZero(scalars_);
  c_.setZero(n);
  x_.assign(size, 0);
}

/// Divides the conditions, and makes the solver of A with its part of them.
std::unique_ptr<LinearSolver> Bordered::make_inner(const SystemStructure& structure,
                                                   LinearBackend choice) {
  const auto conditions = static_cast<size_t>(structure.conditions);
  std::vector<char> on_nodes(conditions, 0), on_scalars = on_nodes;
  for (const auto& e : structure.condition_entries)
    (e.coordinate < nodes_size_ ? on_nodes : on_scalars)[static_cast<size_t>(e.row)] = 1;
  SystemStructure nodes = without_bridges(without_border(structure, {}));
  nodes.symmetric = true;
  const bool chain =
      choice != LinearBackend::sparse && nodes.is_chain() &&
      std::find(structure.narrow.begin(), structure.narrow.end(), 1) == structure.narrow.end();
  std::vector<char> taken = on_nodes;
  if (chain) taken = NodeRows::eligible(structure);
  if (chain && !structure.symmetric) taken.assign(conditions, 0);
  for (size_t r = 0; r < conditions; ++r) {
    if (!on_nodes[r] && !on_scalars[r])
      empty_.push_back(static_cast<int>(r));
    else
      (taken[r] ? kept_ : bordering_).push_back(static_cast<int>(r));
  }
  const SystemStructure inner = without_border(structure, kept_);
  if (!chain || (choice == LinearBackend::chain && !structure.symmetric))
    return make_linear_solver(inner, choice);
  if (!structure.symmetric) return std::make_unique<ChainLu>(inner);
  return std::make_unique<BlockTridiagonal>(inner);
}

void Bordered::find_places(const SystemStructure& structure) {
  const auto index = [](const std::vector<int>& of, int value) {
    const auto at = std::lower_bound(of.begin(), of.end(), value);
    return at != of.end() && *at == value ? static_cast<int>(at - of.begin()) : -1;
  };
  const auto fill = [&](int row, int column) {
    CoordinateRange& range = filled_[static_cast<size_t>(column)];
    range = {std::min(range.first, row), std::max(range.last, row + 1)};
    places_.push_back({Place::To::column, row, column});
  };
  for (const auto& e : structure.condition_entries) {
    rows_.push_back(e.factor);
    const int scalar = e.coordinate - nodes_size_, kept = index(kept_, e.row),
              border = index(bordering_, e.row);
    if (kept >= 0 && scalar < 0)
      places_.push_back({});
    else if (kept >= 0)
      fill(nodes_size_ + kept, scalar);
    else if (scalar < 0)
      fill(e.coordinate, scalars_ + border);
    else if (const int free = index(free_, scalar); free >= 0)
      places_.push_back({Place::To::small, static_cast<int>(free_.size()) + border, free});
    else
      places_.push_back({Place::To::known, border, index(fixed_, scalar)});
    Place& last = places_.back();
    last.again = std::any_of(places_.begin(), places_.end() - 1, [&](const Place& p) {
      return p.to == last.to && p.row == last.row && p.column == last.column;
    });
  }
}

/// Of the nodes.
void Bordered::find_known(const SystemStructure& structure) {
  const std::vector<int>& fixed = structure.fixed;
  while (fixed_nodes_ < fixed.size() && fixed[fixed_nodes_] < nodes_size_) ++fixed_nodes_;
  for (size_t k = 0; k < fixed_nodes_; ++k)
    known_.push_back({fixed[k], fixed[k], static_cast<int>(k), 0});
  for (const auto& [follower, leader] : structure.shared) {
    const auto at = std::lower_bound(fixed.begin(), fixed.end(), leader);
    if (at != fixed.end() && *at == leader)
      known_.push_back({follower, leader, static_cast<int>(at - fixed.begin()), 0});
  }
}

MatrixSink Bordered::sink() {
  MatrixSink sink = inner_->sink();
  if (!rows_.empty()) sink.rows = rows_.data();
  if (!compliance_.empty()) sink.compliance = compliance_.data();
  sink.border_columns = B_.data();
  sink.border_rows = Ct_.data();
  sink.corner = F_.data();
  sink.border_length = static_cast<int>(B_.rows());
  sink.scalars = scalars_;
  sink.border_range = filled_.data();
  return sink;
}

void Bordered::clear() {
  inner_->clear();
  for (size_t k = 0; k < static_cast<size_t>(scalars_); ++k)
    for (Eigen::MatrixXd* m : {&B_, &Ct_})
      if (filled_[k].last > filled_[k].first)
        std::fill(column(*m, k) + filled_[k].first, column(*m, k) + filled_[k].last, 0.0);
  F_.setZero();
}

/// Of all conditions, but for what goes to schur_.
void Bordered::write_conditions() {
  if (rows_.empty()) return;
  const MatrixSink inner = inner_->sink();
  for (size_t k = 0; k < kept_.size(); ++k)
    inner.compliance[k] = compliance_[static_cast<size_t>(kept_[k])];
  double* next = inner.rows;
  for (size_t i = 0; i < places_.size(); ++i) {
    const Place& p = places_[i];
    if (p.to == Place::To::inner) {
      *next++ = rows_[i];
    } else if (p.to == Place::To::column) {
      double& entry = B_(p.row, p.column);
      entry = p.again ? entry + rows_[i] : rows_[i];
      Ct_(p.row, p.column) = entry;
    } else if (p.to == Place::To::known) {
      double& entry = on_fixed_(p.row, p.column);
      entry = p.again ? entry + rows_[i] : rows_[i];
    }
  }
}

/// A column of the border as far as it reaches. What is known does not follow.
void Bordered::load_column(const Eigen::MatrixXd& border, size_t k, Eigen::MatrixXd& out) {
  double* to = column(out, k);
  const double* from = border.col(columns_[k]).data();
  const CoordinateRange filled = filled_[static_cast<size_t>(columns_[k])];
  std::fill(to + reach_[k].first, to + filled.first, 0.0);
  std::copy(from + filled.first, from + filled.last, to + filled.first);
  std::fill(to + filled.last, to + reach_[k].last, 0.0);
  for (const Known& known : known_)
    if (known.coordinate >= filled.first && known.coordinate < filled.last)
      to[known.coordinate] = 0;
}

/// Y_ and Z_, of the matrix that the solver of the nodes has factored.
void Bordered::factor_border() {
  const auto size = static_cast<size_t>(B_.rows());
  for (size_t k = 0; k < columns_.size(); ++k) {
    const CoordinateRange filled = filled_[static_cast<size_t>(columns_[k])];
    reach_[k] = {0, 0};
    if (!(filled.last > filled.first)) continue;
    reach_[k] = inner_->reach(filled);
    reach_[k].last = std::min(reach_[k].last, static_cast<int>(size));
    const std::span y(column(Y_, k), size), z(column(Z_, k), size);
    load_column(Ct_, k, Y_);
    inner_->down_column(y, reach_[k]);
    const double *b = B_.col(columns_[k]).data(), *c = Ct_.col(columns_[k]).data();
    symmetric_[k] = std::equal(b + filled.first, b + filled.last, c + filled.first);
    if (symmetric_[k]) {
      std::copy(y.begin() + reach_[k].first, y.begin() + reach_[k].last,
                z.begin() + reach_[k].first);
    } else {
      load_column(B_, k, Z_);
      inner_->down_column(z, reach_[k]);
    }
    take_report(inner_->middle_column(z, reach_[k]));
  }
}

/// The equations of the free scalars and of the multipliers beside them, from Y_ and Z_.
void Bordered::fill_small() {
  schur_.setZero();
  const auto free = static_cast<Eigen::Index>(free_.size()), n = schur_.rows();
  for (Eigen::Index j = 0; j < free; ++j)
    for (Eigen::Index i = 0; i < free; ++i)
      schur_(i, j) = F_(free_[static_cast<size_t>(i)], free_[static_cast<size_t>(j)]);
  for (size_t k = 0; k < bordering_.size(); ++k) {
    const auto at = free + static_cast<Eigen::Index>(k);
    schur_(at, at) = -compliance_[static_cast<size_t>(bordering_[k])];
  }
  for (size_t i = 0; i < places_.size(); ++i) {
    const Place& p = places_[i];
    if (p.to != Place::To::small) continue;
    schur_(p.row, p.column) += rows_[i];
    schur_(p.column, p.row) += rows_[i];
  }
  for (Eigen::Index j = 0; j < n; ++j)
    for (Eigen::Index i = j; i < n; ++i) {
      const auto a = static_cast<size_t>(i), b = static_cast<size_t>(j);
      const CoordinateRange over = common(reach_[a], reach_[b]);
      const double below = product(column(Y_, a), column(Z_, b), over);
      schur_(i, j) -= below;
      if (i == j) continue;
      const bool same = symmetric_nodes_ && symmetric_[a] && symmetric_[b];
      schur_(j, i) -= same ? below : product(column(Y_, b), column(Z_, a), over);
    }
}

FactorStatus Bordered::factor() {
  write_conditions();
  inner_->probing = probing;
  inner_->counting = counting;
  inner_->factor();
  report_ = inner_->report();
  if (report_.status != FactorStatus::ok) return report_.status;
  for (const int row : empty_)
    if (!(std::abs(compliance_[static_cast<size_t>(row)]) > 0))
      return report_.status = FactorStatus::singular;
  if (schur_.size() == 0) return report_.status;
  factor_border();
  fill_small();
  if (!schur_.allFinite()) return report_.status = FactorStatus::not_finite;
  lu_ = schur_;
  if (!bordering_.empty()) {
    for (Eigen::Index i = 0; i < scale_.size(); ++i)
      scale_[i] = schur_(i, i) == 0 ? 1 : 1 / std::sqrt(std::abs(schur_(i, i)));
    for (Eigen::Index j = 0; j < scale_.size(); ++j)
      for (Eigen::Index i = 0; i < scale_.size(); ++i) lu_(i, j) *= scale_[i] * scale_[j];
  }
  if (!(factor_lu(static_cast<int>(lu_.rows()), lu_.data(), exchanges_.data()) > 1e-15))
    return report_.status = FactorStatus::singular;
  if (counting && report_.negative_pivots >= 0) {
    signs_ = schur_;
    report_.negative_pivots += negative_pivots(static_cast<int>(signs_.rows()), signs_.data()) -
                               static_cast<int>(bordering_.size());
  }
  return report_.status;
}

void Bordered::take_report(const LinearReport& inner) {
  report_.residual = inner.residual;
  report_.used_lu = inner.used_lu;
  if (inner.status != FactorStatus::ok) report_.status = inner.status;
}

/// What is known goes from the right-hand sides x of A and c_ of the border.
void Bordered::start(std::span<const double> b, std::span<double> x) {
  const double* conditions = b.data() + nodes_size_ + scalars_;
  for (Known& k : known_) k.value = x[static_cast<size_t>(k.leader)];
  for (size_t i = 0; i < columns_.size(); ++i) {
    double& c = c_[static_cast<Eigen::Index>(i)];
    if (i < free_.size()) {
      c = s_[free_[i]];
      for (const int j : fixed_) c -= F_(free_[i], j) * s_[j];
    } else {
      const size_t row = i - free_.size();
      c = conditions[bordering_[row]];
      for (size_t j = 0; j < fixed_.size(); ++j)
        c -=
            on_fixed_(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(j)) * s_[fixed_[j]];
    }
    const double* of = Ct_.col(columns_[i]).data();
    for (const Known& k : known_) c -= of[k.coordinate] * k.value;
  }
  for (const int i : fixed_) {
    if (s_[i] == 0) continue;
    const CoordinateRange filled = filled_[static_cast<size_t>(i)];
    for (int c = filled.first; c < filled.last; ++c) x[static_cast<size_t>(c)] -= s_[i] * B_(c, i);
    for (const Known& k : known_) x[static_cast<size_t>(k.coordinate)] = k.value;
  }
}

/// c_ becomes the solution of the border, and x what it leaves to up().
void Bordered::solve_border(std::span<double> x) {
  const std::span<HeldForce> held = inner_->held_forces();
  for (size_t k = 0; k < columns_.size(); ++k) {
    double& c = c_[static_cast<Eigen::Index>(k)];
    c -= product(column(Y_, k), x.data(), reach_[k]);
    const double* of = Ct_.col(columns_[k]).data();
    for (const HeldForce& f : held) c -= of[f.coordinate] * f.value;
  }
  if (schur_.size() > 0) {
    if (!bordering_.empty()) c_.array() *= scale_.array();
    solve_lu(static_cast<int>(schur_.rows()), lu_.data(), exchanges_.data(), c_.data());
    if (!bordering_.empty()) c_.array() *= scale_.array();
  }
  for (size_t k = 0; k < columns_.size(); ++k) {
    const double s = c_[static_cast<Eigen::Index>(k)], *z = column(Z_, k);
    const int n = reach_[k].last - reach_[k].first;
    Eigen::Map<Eigen::VectorXd>(x.data() + reach_[k].first, n) -=
        s * Eigen::Map<const Eigen::VectorXd>(z + reach_[k].first, n);
    const double* of = B_.col(columns_[k]).data();
    for (HeldForce& f : held) f.force -= s * of[f.coordinate];
  }
}

const LinearReport& Bordered::solve(std::span<double> b) {
  const auto nodes = static_cast<size_t>(nodes_size_), scalars = static_cast<size_t>(scalars_);
  std::copy_n(b.begin() + nodes_size_, scalars_, s_.begin());
  double* conditions = b.data() + nodes + scalars;
  if (!kept_.empty()) std::copy_n(b.begin(), nodes, x_.begin());
  for (size_t k = 0; k < kept_.size(); ++k) x_[nodes + k] = conditions[kept_[k]];
  const std::span<double> x = kept_.empty() ? b.first(nodes) : std::span(x_);
  start(b, x);
  const CoordinateRange all{0, static_cast<int>(x.size())};
  inner_->down(x, all);
  take_report(inner_->middle(x, all));
  solve_border(x);
  inner_->up(x);
  for (size_t k = 0; k < free_.size(); ++k) s_[free_[k]] = c_[static_cast<Eigen::Index>(k)];
  std::copy_n(s_.begin(), scalars_, b.begin() + nodes_size_);
  for (size_t k = 0; k < bordering_.size(); ++k)
    conditions[bordering_[k]] = c_[static_cast<Eigen::Index>(free_.size() + k)];
  for (const int row : empty_) conditions[row] /= -compliance_[static_cast<size_t>(row)];
  if (!kept_.empty()) std::copy_n(x_.begin(), nodes, b.begin());
  for (size_t k = 0; k < kept_.size(); ++k) conditions[kept_[k]] = x_[nodes + k];
  return report_;
}

void Bordered::change_to_lu() {
  inner_->change_to_lu();
  report_.used_lu = inner_->report().used_lu;
}

void Bordered::fixed_rows_times(std::span<const double> x, std::span<double> out) const {
  const double* s = x.data() + nodes_size_;
  inner_->fixed_rows_times(x, out.first(fixed_nodes_));
  for (int i = 0; i < scalars_; ++i)
    for (const Known& k : known_) out[static_cast<size_t>(k.place)] += B_(k.coordinate, i) * s[i];
  const Eigen::Map<const Eigen::VectorXd> nodes(x.data(), nodes_size_), of_scalars(s, scalars_);
  for (size_t k = 0; k < fixed_.size(); ++k)
    out[fixed_nodes_ + k] =
        Ct_.col(fixed_[k]).head(nodes_size_).dot(nodes) + F_.row(fixed_[k]).dot(of_scalars);
}

}  // namespace hawser
