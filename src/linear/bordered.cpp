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
  for (const int c : structure.fixed)
    if (c < nodes_size_) fixed_nodes_.push_back(c);
  for (const auto& e : entries_) rows_.push_back(e.factor);
  find_lonely(structure.conditions);
  const int size = nodes_size_ + structure.conditions;
  B_.setZero(size, scalars_);
  Ct_ = B_;
  F_.setZero(scalars_, scalars_);
  const auto free = static_cast<Eigen::Index>(free_.size()),
             n = free + static_cast<Eigen::Index>(lonely_.size());
  Z_.setZero(size, free);
  schur_.setZero(n, n);
  lu_ = signs_ = schur_;
  exchanges_.resize(static_cast<size_t>(n));
  eigenvalues_.setZero(n);
  s_.setZero(scalars_);
  c_.setZero(n);
  x_.assign(static_cast<size_t>(size), 0);
  known_.assign(fixed_nodes_.size(), 0);
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
  return sink;
}

void Bordered::clear() {
  inner_->clear();
  B_.setZero();
  Ct_.setZero();
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

/// The equations of the free scalars and of the multipliers beside them, from Z_.
void Bordered::fill_small() {
  schur_.setZero();
  for (size_t j = 0; j < free_.size(); ++j)
    for (size_t i = 0; i < free_.size(); ++i)
      schur_(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
          F_(free_[i], free_[j]) - Ct_.col(free_[i]).dot(Z_.col(static_cast<Eigen::Index>(j)));
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
  for (size_t j = 0; j < free_.size(); ++j) {
    auto z = Z_.col(static_cast<Eigen::Index>(j));
    z = B_.col(free_[j]);
    for (const int c : fixed_nodes_) z[c] = 0;  // they do not follow
    solve_inner({z.data(), static_cast<size_t>(z.size())});
  }
  fill_small();
  if (!schur_.allFinite()) return report_.status = FactorStatus::not_finite;
  const auto n = static_cast<int>(schur_.rows());
  lu_ = schur_;
  if (!(factor_lu(n, lu_.data(), exchanges_.data()) > 1e-15))
    return report_.status = FactorStatus::singular;
  if (report_.negative_pivots >= 0) {
    signs_ = schur_;
    symmetric_eigen(n, signs_.data(), eigenvalues_.data(), nullptr);
    report_.negative_pivots += static_cast<int>((eigenvalues_.array() < 0).count()) -
                               static_cast<int>(lonely_.size());  // counted in A already
  }
  return report_.status;
}

void Bordered::solve_inner(std::span<double> b) {
  const LinearReport& inner = inner_->solve(b);
  report_.residual = inner.residual;
  report_.used_lu = inner.used_lu;
  if (inner.status != FactorStatus::ok) report_.status = inner.status;
}

/// b into x_ and, of the free scalars, c_: scalars stand between the nodes and the conditions.
void Bordered::split(std::span<const double> b) {
  const auto first = b.begin(), scalars = first + nodes_size_;
  std::copy(first, scalars, x_.begin());
  std::copy_n(scalars + scalars_, x_.size() - static_cast<size_t>(nodes_size_),
              x_.begin() + nodes_size_);
  for (int i = 0; i < scalars_; ++i) s_[i] = scalars[i];
}

const LinearReport& Bordered::solve(std::span<double> b) {
  split(b);
  Eigen::Map<Eigen::VectorXd> x(x_.data(), static_cast<Eigen::Index>(x_.size()));
  for (size_t i = 0; i < free_.size(); ++i) c_[static_cast<Eigen::Index>(i)] = s_[free_[i]];
  for (size_t k = 0; k < lonely_.size(); ++k) {
    double& asked = x[nodes_size_ + lonely_[k].row];
    c_[static_cast<Eigen::Index>(free_.size() + k)] = asked;
    asked = 0;
  }
  if (!fixed_.empty()) {
    for (size_t k = 0; k < fixed_nodes_.size(); ++k) known_[k] = x[fixed_nodes_[k]];
    for (const int i : fixed_) x -= s_[i] * B_.col(i);
    for (size_t k = 0; k < fixed_nodes_.size(); ++k) x[fixed_nodes_[k]] = known_[k];
  }
  solve_inner(x_);
  for (size_t k = 0; k < free_.size(); ++k) {
    const int i = free_[k];
    double& c = c_[static_cast<Eigen::Index>(k)];
    c -= Ct_.col(i).dot(x);
    for (const int j : fixed_) c -= F_(i, j) * s_[j];
  }
  if (schur_.size() > 0) {
    solve_lu(static_cast<int>(schur_.rows()), lu_.data(), exchanges_.data(), c_.data());
    x.noalias() -= Z_ * c_.head(static_cast<Eigen::Index>(free_.size()));
  }
  for (size_t k = 0; k < lonely_.size(); ++k)
    x[nodes_size_ + lonely_[k].row] = c_[static_cast<Eigen::Index>(free_.size() + k)];
  for (size_t k = 0; k < free_.size(); ++k) s_[free_[k]] = c_[static_cast<Eigen::Index>(k)];
  std::copy_n(x_.begin(), nodes_size_, b.begin());
  std::copy_n(s_.begin(), scalars_, b.begin() + nodes_size_);
  std::copy(x_.begin() + nodes_size_, x_.end(), b.begin() + nodes_size_ + scalars_);
  return report_;
}

void Bordered::change_to_lu() {
  inner_->change_to_lu();
  report_.used_lu = inner_->report().used_lu;
}

void Bordered::fixed_rows_times(std::span<const double> x, std::span<double> out) const {
  std::copy_n(x.begin(), nodes_size_, x_.begin());
  const Eigen::Map<const Eigen::VectorXd> nodes(x.data(), nodes_size_);
  const Eigen::Map<const Eigen::VectorXd> s(x.data() + nodes_size_, scalars_);
  inner_->fixed_rows_times(x_, out.first(fixed_nodes_.size()));
  for (size_t k = 0; k < fixed_nodes_.size(); ++k) out[k] += B_.row(fixed_nodes_[k]).dot(s);
  for (size_t k = 0; k < fixed_.size(); ++k)
    out[fixed_nodes_.size() + k] =
        Ct_.col(fixed_[k]).head(nodes_size_).dot(nodes) + F_.row(fixed_[k]).dot(s);
}

}  // namespace hawser
