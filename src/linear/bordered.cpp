#include "linear/bordered.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/dense.h"

namespace hawser {
namespace {

SystemStructure without_scalars(SystemStructure s) {
  const int end = s.node_coordinates();
  s.scalars = 0;
  std::erase_if(s.fixed, [end](int c) { return c >= end; });
  std::erase_if(s.condition_entries,
                [end](const SystemStructure::Entry& e) { return e.coordinate >= end; });
  return s;
}

}  // namespace

Bordered::Bordered(const SystemStructure& structure, LinearBackend choice)
    : nodes_size_(structure.node_coordinates()),
      scalars_(structure.scalars),
      entries_(structure.condition_entries),
      inner_(make_linear_solver(without_scalars(structure), choice)),
      name_(std::string(inner_->name()) + ", bordered") {
  const auto is_fixed = [&](int c) {
    return std::binary_search(structure.fixed.begin(), structure.fixed.end(), c);
  };
  for (int i = 0; i < scalars_; ++i) (is_fixed(structure.scalar(i)) ? fixed_ : free_).push_back(i);
  find_known(structure);
  for (const auto& e : entries_) rows_.push_back(e.factor);
  find_lonely(structure.conditions);
  const int size = nodes_size_ + structure.conditions;
  B_.setZero(size, scalars_);
  Ct_ = B_;
  F_.setZero(scalars_, scalars_);
  filled_ = has_conditions() ? CoordinateRange{nodes_size_, size} : CoordinateRange{size, 0};
  const auto free = static_cast<Eigen::Index>(free_.size()),
             n = free + static_cast<Eigen::Index>(lonely_.size());
  Z_.setZero(size, free);
  Y_ = Z_;
  schur_.setZero(n, n);
  lu_ = signs_ = schur_;
  exchanges_.resize(static_cast<size_t>(n));
  eigenvalues_.setZero(n);
  s_.setZero(scalars_);
  c_.setZero(n);
  x_.assign(static_cast<size_t>(size), 0);
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

void Bordered::find_lonely(int conditions) {
  std::vector<char> on_nodes(static_cast<size_t>(conditions), 0), on_scalars = on_nodes;
  for (const auto& e : entries_)
    (e.coordinate < nodes_size_ ? on_nodes : on_scalars)[static_cast<size_t>(e.row)] = 1;
  for (int r = 0; r < conditions; ++r)
    if (on_scalars[static_cast<size_t>(r)] && !on_nodes[static_cast<size_t>(r)])
      lonely_.push_back({r});
}

MatrixSink Bordered::sink() {
  MatrixSink sink = inner_->sink();
  if (!rows_.empty()) sink.rows = rows_.data();
  sink.border_columns = B_.data();
  sink.border_rows = Ct_.data();
  sink.corner = F_.data();
  sink.border_length = static_cast<int>(B_.rows());
  sink.scalars = scalars_;
  sink.border_range = &filled_;
  return sink;
}

void Bordered::clear() {
  inner_->clear();
  if (filled_.last > filled_.first) {
    B_.middleRows(filled_.first, filled_.last - filled_.first).setZero();
    Ct_.middleRows(filled_.first, filled_.last - filled_.first).setZero();
  }
  F_.setZero();
}

/// Entries of conditions go to the solver of the nodes, those on scalars to the border.
void Bordered::place_conditions() {
  double* to = inner_->sink().rows;
  const auto conditions = B_.rows() - nodes_size_;
  B_.bottomRows(conditions).setZero();
  Ct_.bottomRows(conditions).setZero();
  for (size_t i = 0; i < entries_.size(); ++i) {
    const auto& e = entries_[i];
    if (e.coordinate < nodes_size_) {
      *to++ = rows_[i];
      continue;
    }
    if (std::any_of(lonely_.begin(), lonely_.end(),
                    [&](const Lonely& l) { return l.row == e.row; }))
      continue;
    B_(nodes_size_ + e.row, e.coordinate - nodes_size_) += rows_[i];
    Ct_(nodes_size_ + e.row, e.coordinate - nodes_size_) += rows_[i];
  }
}

/// A column of the border as far as it reaches. What is known does not follow.
void Bordered::load_column(const Eigen::MatrixXd& border, size_t j, Eigen::MatrixXd& out) {
  double* to = out.col(static_cast<Eigen::Index>(j)).data();
  const double* from = border.col(free_[j]).data();
  std::fill(to + reach_.first, to + filled_.first, 0.0);
  std::copy(from + filled_.first, from + filled_.last, to + filled_.first);
  std::fill(to + filled_.last, to + reach_.last, 0.0);
  for (const Known& k : known_) to[k.coordinate] = 0;
}

/// Y_ and Z_, of the matrix that the solver of the nodes has factored.
void Bordered::factor_border() {
  reach_ = {0, 0};
  if (!(filled_.last > filled_.first)) return;
  reach_ = inner_->reach(filled_);
  reach_.last = std::min(reach_.last, static_cast<int>(B_.rows()));
  const auto column = [&](Eigen::MatrixXd& of, size_t j) {
    return std::span(of.col(static_cast<Eigen::Index>(j)).data(), static_cast<size_t>(of.rows()));
  };
  for (size_t j = 0; j < free_.size(); ++j) {
    load_column(Ct_, j, Y_);
    inner_->down(column(Y_, j), reach_);
    const double *b = B_.col(free_[j]).data(), *c = Ct_.col(free_[j]).data();
    const auto z = column(Z_, j), y = column(Y_, j);
    if (std::equal(b + filled_.first, b + filled_.last, c + filled_.first)) {
      std::copy(y.begin() + reach_.first, y.begin() + reach_.last, z.begin() + reach_.first);
    } else {
      load_column(B_, j, Z_);
      inner_->down(z, reach_);
    }
    solve_middle(z, reach_);
  }
}

/// The equations of the free scalars and of the multipliers beside them, from Y_ and Z_.
void Bordered::fill_small() {
  schur_.setZero();
  const auto n = reach_.last - reach_.first;
  for (size_t j = 0; j < free_.size(); ++j)
    for (size_t i = 0; i < free_.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(i), column = static_cast<Eigen::Index>(j);
      schur_(row, column) =
          F_(free_[i], free_[j]) -
          Y_.col(row).segment(reach_.first, n).dot(Z_.col(column).segment(reach_.first, n));
    }
  for (size_t k = 0; k < lonely_.size(); ++k) {
    const auto at = static_cast<Eigen::Index>(free_.size() + k);
    schur_(at, at) = -lonely_[k].compliance;
    for (size_t i = 0; i < free_.size(); ++i)
      for (size_t e = 0; e < entries_.size(); ++e)
        if (entries_[e].row == lonely_[k].row && entries_[e].coordinate == nodes_size_ + free_[i]) {
          schur_(at, static_cast<Eigen::Index>(i)) += rows_[e];
          schur_(static_cast<Eigen::Index>(i), at) += rows_[e];
        }
  }
}

int Bordered::negative_eigenvalues() {
  if (schur_.rows() == 1) return schur_(0, 0) < 0 ? 1 : 0;
  signs_ = schur_;
  symmetric_eigen(static_cast<int>(schur_.rows()), signs_.data(), eigenvalues_.data(), nullptr);
  return static_cast<int>((eigenvalues_.array() < 0).count());
}

FactorStatus Bordered::factor() {
  if (!entries_.empty()) place_conditions();
  double* compliance = inner_->sink().compliance;
  for (Lonely& l : lonely_) {
    l.compliance = compliance[l.row];
    compliance[l.row] = 1;
  }
  inner_->probing = probing;
  inner_->factor();
  for (const Lonely& l : lonely_) compliance[l.row] = l.compliance;
  report_ = inner_->report();
  if (report_.status != FactorStatus::ok || schur_.size() == 0) return report_.status;
  factor_border();
  fill_small();
  if (!schur_.allFinite()) return report_.status = FactorStatus::not_finite;
  lu_ = schur_;
  if (!(factor_lu(static_cast<int>(lu_.rows()), lu_.data(), exchanges_.data()) > 1e-15))
    return report_.status = FactorStatus::singular;
  if (report_.negative_pivots >= 0)
    report_.negative_pivots +=
        negative_eigenvalues() - static_cast<int>(lonely_.size());  // counted in A already
  return report_.status;
}

void Bordered::solve_middle(std::span<double> b, CoordinateRange reach) {
  const LinearReport& inner = inner_->middle(b, reach);
  report_.residual = inner.residual;
  report_.used_lu = inner.used_lu;
  if (inner.status != FactorStatus::ok) report_.status = inner.status;
}

/// b into x_: scalars stand between the nodes and the conditions.
void Bordered::split(std::span<const double> b) {
  const auto first = b.begin(), scalars = first + nodes_size_;
  std::copy(first, scalars, x_.begin());
  std::copy_n(scalars + scalars_, x_.size() - static_cast<size_t>(nodes_size_),
              x_.begin() + nodes_size_);
}

/// What is known goes from the right-hand sides x and, of the free scalars, c_.
void Bordered::start(std::span<double> x) {
  for (size_t k = 0; k < lonely_.size(); ++k) {
    double& asked = x[static_cast<size_t>(nodes_size_ + lonely_[k].row)];
    c_[static_cast<Eigen::Index>(free_.size() + k)] = asked;
    asked = 0;
  }
  for (Known& k : known_) k.value = x[static_cast<size_t>(k.leader)];
  for (size_t i = 0; i < free_.size(); ++i) {
    double& c = c_[static_cast<Eigen::Index>(i)];
    c = s_[free_[i]];
    for (const int j : fixed_) c -= F_(free_[i], j) * s_[j];
    for (const Known& k : known_) c -= Ct_(k.coordinate, free_[i]) * k.value;
  }
  for (const int i : fixed_) {
    if (s_[i] == 0) continue;
    for (int c = filled_.first; c < filled_.last; ++c)
      x[static_cast<size_t>(c)] -= s_[i] * B_(c, i);
    for (const Known& k : known_) x[static_cast<size_t>(k.coordinate)] = k.value;
  }
}

const LinearReport& Bordered::solve(std::span<double> b) {
  for (int i = 0; i < scalars_; ++i) s_[i] = b[static_cast<size_t>(nodes_size_ + i)];
  if (has_conditions()) split(b);
  const std::span<double> x =
      has_conditions() ? std::span(x_) : b.first(static_cast<size_t>(nodes_size_));
  start(x);
  const CoordinateRange all{0, static_cast<int>(x.size())};
  inner_->down(x, all);
  solve_middle(x, all);
  const auto n = reach_.last - reach_.first;
  Eigen::Map<Eigen::VectorXd> reached(x.data() + reach_.first, n);
  for (Eigen::Index k = 0; k < Y_.cols(); ++k)
    c_[k] -= Y_.col(k).segment(reach_.first, n).dot(reached);
  if (schur_.size() > 0)
    solve_lu(static_cast<int>(schur_.rows()), lu_.data(), exchanges_.data(), c_.data());
  for (Eigen::Index k = 0; k < Z_.cols(); ++k)
    reached -= c_[k] * Z_.col(k).segment(reach_.first, n);
  inner_->up(x);
  for (size_t k = 0; k < lonely_.size(); ++k)
    x[static_cast<size_t>(nodes_size_ + lonely_[k].row)] =
        c_[static_cast<Eigen::Index>(free_.size() + k)];
  for (size_t k = 0; k < free_.size(); ++k) s_[free_[k]] = c_[static_cast<Eigen::Index>(k)];
  std::copy_n(s_.begin(), scalars_, b.begin() + nodes_size_);
  if (!has_conditions()) return report_;
  std::copy_n(x_.begin(), nodes_size_, b.begin());
  std::copy(x_.begin() + nodes_size_, x_.end(), b.begin() + nodes_size_ + scalars_);
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
