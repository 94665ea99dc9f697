#include "linear/sparse_kkt.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hawser {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// delta relative to the Schur complement: above the rounding of the conditions' pivots, and small
/// enough for refinement to work on conditions that are nearly dependent.
constexpr double regularization = 1e-12;
/// Below this, relative to the largest, a pivot is taken for rounding, as in the chain solver.
constexpr double smallest_trusted_pivot = 1e-15;
/// A solution is accepted when b - A x is below this part of b...
constexpr double residual_tolerance = 1e-12;
/// ...plus this part of the largest |A| |x|: the rounding of the residual itself. A cable can have
/// |A| |x| a million times |b|, and no solver does better.
constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();
constexpr int refinement_sweeps = 3;
/// A matrix whose LU leaves this part of a right-hand side is singular to working precision...
constexpr double singular_residual = 1e-2;
/// ...and a solution of the LU that leaves this part of b after refinement is none.
constexpr double largest_residual = 1e-6;

}  // namespace

SparseKkt::SparseKkt(const SystemStructure& structure)
    : pattern_(structure),
      matrix_(pattern_.zero),
      work_(pattern_.zero),
      schur_(pattern_.conditions) {
  for (Eigen::VectorXd* v : {&b_, &x_, &r_, &terms_}) v->setZero(pattern_.unknowns);
  if (pattern_.symmetric) {  // the first factorization allocates: let it be that of the identity
    for (const int at : pattern_.diagonal) work_.valuePtr()[at] = 1;
    ldlt_.analyze(work_);
    ldlt_.factor(work_);
  }
  clear();
}

MatrixSink SparseKkt::sink() {
  MatrixSink sink;
  sink.kind = MatrixSink::Kind::sparse;
  sink.values = matrix_.valuePtr();
  sink.element_positions = pattern_.element_positions.data();
  sink.node_positions = pattern_.node_positions.data();
  return sink;
}

void SparseKkt::clear() {
  double* values = matrix_.valuePtr();
  std::fill(values, values + matrix_.nonZeros(), 0.0);
  for (const SparsePattern::ConditionEntry& e : pattern_.condition_entries) {
    values[e.position] += e.factor;
    if (e.mirrored >= 0) values[e.mirrored] += e.factor;
  }
}

/// work_ becomes the assembled matrix with rows and columns of the identity for fixed coordinates.
void SparseKkt::eliminate() {
  double* work = work_.valuePtr();
  std::copy(matrix_.valuePtr(), matrix_.valuePtr() + matrix_.nonZeros(), work);
  for (const int at : pattern_.eliminated) work[at] = 0;
  for (const int row : pattern_.fixed_rows) work[pattern_.diagonal[pattern_.unknown[row]]] = 1;
}

/// delta_k follows g_k diag(H)^-1 g_k^T, at most the number of terms times g_k H^-1 g_k^T for
/// H > 0. A condition on fixed coordinates alone stands alone: any delta will do.
void SparseKkt::regularize() {
  double* work = work_.valuePtr();
  std::fill(schur_.begin(), schur_.end(), 0.0);
  for (const SparsePattern::ConditionEntry& e : pattern_.condition_entries)
    if (e.diagonal >= 0 && work[e.diagonal] != 0)
      schur_[e.condition] += e.factor * e.factor / std::abs(work[e.diagonal]);
  for (int k = 0; k < pattern_.conditions; ++k)
    work[pattern_.diagonal[pattern_.coordinates + k]] =
        schur_[k] > 0 ? -regularization * schur_[k] : -1;
}

FactorStatus SparseKkt::factor() {
  report_ = {};
  report_.residual = -1;
  method_ = Method::none;
  const double* values = matrix_.valuePtr();
  if (!std::all_of(values, values + matrix_.nonZeros(), [](double v) { return std::isfinite(v); }))
    return report_.status = FactorStatus::not_finite;
  eliminate();
  if (pattern_.symmetric && factor_ldlt())
    method_ = Method::ldlt;
  else if (factor_lu())
    method_ = Method::lu;
  else
    report_.status = FactorStatus::singular;
  return report_.status;
}

/// False when a pivot cannot be trusted. Inertia is that of H + G^T G / delta: negative pivots
/// beyond the conditions' own are those of H on the motions the conditions allow, in any order.
bool SparseKkt::factor_ldlt() {
  regularize();
  ldlt_.factor(work_);
  double smallest = std::numeric_limits<double>::infinity(), largest = 0;
  int negative = -pattern_.conditions;
  for (int row = 0; row < pattern_.unknowns; ++row) {
    const double pivot = ldlt_.pivots()[row], size = std::abs(pivot);
    if (!(size > 0) || !std::isfinite(size)) {  // Eigen stops here: the rest is of an older matrix
      report_.pivot_node = node_of(row);
      report_.smallest_pivot = 0;
      report_.negative_pivots = -1;
      return false;
    }
    negative += pivot < 0;
    if (pattern_.kind[row] != Kind::coordinate) continue;
    if (size < smallest) smallest = size, report_.pivot_node = node_of(row);
    largest = std::max(largest, size);
  }
  report_.negative_pivots = negative;
  report_.smallest_pivot = largest > 0 ? smallest / largest : 1;
  return report_.smallest_pivot > smallest_trusted_pivot;
}

int SparseKkt::node_of(int row) const {
  return pattern_.kind[row] == Kind::condition ? -1 : pattern_.unknown[row] / node_size;
}

/// Eigen's info() is not set by every failure; m_factorizationIsOk is.
bool SparseKkt::Lu::factor(const Sparse& full) {
  if (!analyzed) analyzePattern(full);
  analyzed = true;
  factorize(full);
  return m_factorizationIsOk;
}

/// The diagonal of U, which Eigen keeps in the supernodes of L.
double SparseKkt::Lu::pivot(Eigen::Index column) const {
  for (SCMatrix::InnerIterator it(m_Lstore, column); it; ++it)
    if (it.row() == column) return it.value();
  return 0;
}

/// Of the matrix without delta; pivoting copes with the zeros.
bool SparseKkt::factor_lu() {
  report_.used_lu = pattern_.symmetric;
  for (int k = pattern_.coordinates; k < pattern_.unknowns; ++k)
    work_.valuePtr()[pattern_.diagonal[k]] = 0;
  const bool done =
      pattern_.symmetric ? lu_.factor(work_.selfadjointView<Eigen::Upper>()) : lu_.factor(work_);
  if (done && !pattern_.symmetric) report_lu_pivots();
  return done && probe_lu();
}

void SparseKkt::change_to_lu() {
  if (method_ == Method::ldlt && factor_lu()) method_ = Method::lu;
}

void SparseKkt::report_lu_pivots() {
  double smallest = std::numeric_limits<double>::infinity(), largest = 0;
  for (int row = 0; row < pattern_.unknowns; ++row) {
    if (pattern_.kind[row] != Kind::coordinate) continue;
    const double size = std::abs(lu_.pivot(lu_.colsPermutation().indices()[row]));
    if (size < smallest) smallest = size, report_.pivot_node = node_of(row);
    largest = std::max(largest, size);
  }
  report_.smallest_pivot = largest > 0 ? smallest / largest : 1;
  report_.negative_pivots = -1;  // row exchanges hide the inertia
}

/// Solves for a rough right-hand side of the matrix's own size. The pivots of an LU tell little
/// about singularity when rows differ in unit; a solution that fails its equations does.
bool SparseKkt::probe_lu() {
  const auto& kind = pattern_.kind;
  double scale = 0;
  for (int column = 0; column < pattern_.unknowns; ++column)
    for (Sparse::InnerIterator it(work_, column); it; ++it)
      if (kind[it.row()] == Kind::coordinate && kind[column] == Kind::coordinate)
        scale = std::max(scale, std::abs(it.value()));
  for (int row = 0; row < pattern_.unknowns; ++row) {
    const double rough = 1.5 + std::sin(row);
    b_[row] = kind[row] == Kind::fixed ? 0 : kind[row] == Kind::condition ? rough : scale * rough;
  }
  const Size b = size_of(b_);
  x_ = lu_.solve(b_);
  find_residual();
  const Size r = size_of(r_);
  return r.coordinates <= singular_residual * b.coordinates &&
         r.conditions <= singular_residual * b.conditions;
}

/// x_ from nothing but the known values, r_ the right-hand side they leave.
void SparseKkt::start(std::span<const double> b) {
  for (int i = 0; i < pattern_.unknowns; ++i) b_[pattern_.place[i]] = b[i];
  x_.setZero();
  bool at_rest = true;
  for (const int row : pattern_.fixed_rows) {
    x_[row] = b_[row];
    at_rest = at_rest && b_[row] == 0;
  }
  r_ = b_;
  if (!at_rest) find_residual();
  rhs_ = size_of(r_);
}

/// r_ = b - A x with the matrix as assembled, zero in the rows of fixed coordinates; terms_.
void SparseKkt::find_residual() {
  r_ = b_;
  terms_.setZero();
  const int *outer = matrix_.outerIndexPtr(), *inner = matrix_.innerIndexPtr();
  const double* values = matrix_.valuePtr();
  for (int j = 0; j < pattern_.unknowns; ++j) {
    const double x = x_[j];
    int end = outer[j + 1];
    double sum = 0, size = 0;  // of the mirrored column
    if (pattern_.symmetric) {
      --end;  // the diagonal comes last
      for (int p = outer[j]; p < end; ++p) {
        const double term = values[p] * x_[inner[p]];
        sum += term;
        size += std::abs(term);
      }
      sum += values[end] * x;
      size += std::abs(values[end] * x);
    }
    for (int p = outer[j]; p < end; ++p) {
      const double term = values[p] * x;
      r_[inner[p]] -= term;
      terms_[inner[p]] += std::abs(term);
    }
    r_[j] -= sum;
    terms_[j] += size;
  }
  for (const int row : pattern_.fixed_rows) r_[row] = 0;
}

SparseKkt::Size SparseKkt::size_of(const Eigen::VectorXd& v) const {
  Size size;
  for (int row = 0; row < pattern_.unknowns; ++row) {
    if (pattern_.kind[row] == Kind::fixed) continue;
    double& largest = pattern_.kind[row] == Kind::condition ? size.conditions : size.coordinates;
    if (!(std::abs(v[row]) <= largest)) largest = std::abs(v[row]);
    if (std::isnan(largest)) return {nan, nan};  // a later comparison would lose it
  }
  return size;
}

/// x_ += (factored matrix)^-1 r_.
void SparseKkt::improve() {
  if (method_ == Method::ldlt) {
    ldlt_.matrixL().solveInPlace(r_);
    r_.array() /= ldlt_.pivots().array();
    ldlt_.matrixU().solveInPlace(r_);
    x_ += r_;
  } else {
    x_ += lu_.solve(r_);
  }
}

/// Solves and refines; false when the residual stays too large.
bool SparseKkt::refine() {
  for (int sweep = 0; sweep <= refinement_sweeps; ++sweep) {
    improve();
    find_residual();
    const Size r = size_of(r_), terms = size_of(terms_);
    report_.residual = rhs_.largest() > 0 ? r.largest() / rhs_.largest() : r.largest();
    if (r.coordinates <= residual_tolerance * rhs_.coordinates + rounding * terms.coordinates &&
        r.conditions <= residual_tolerance * rhs_.conditions + rounding * terms.conditions)
      return true;
  }
  return false;
}

void SparseKkt::solve(std::span<double> b) {
  start(b);
  if (method_ != Method::none) {
    report_.status = FactorStatus::ok;
    bool done = refine();
    const bool finite = std::isfinite(rhs_.largest());
    if (!done && finite && method_ == Method::ldlt) {
      change_to_lu();
      if (method_ == Method::lu) {
        start(b);
        done = refine();
      }
    }
    if (!finite)
      report_.status = FactorStatus::not_finite;
    else if (!done && !(method_ == Method::lu && report_.residual <= largest_residual))
      report_.status = FactorStatus::singular;
  }
  const bool solved = method_ != Method::none && report_.status == FactorStatus::ok;
  for (int i = 0; i < pattern_.unknowns; ++i) {
    const int row = pattern_.place[i];
    if (pattern_.kind[row] != Kind::fixed) b[i] = solved ? x_[row] : nan;
  }
}

void SparseKkt::fixed_rows_times(std::span<const double> x, std::span<double> out) const {
  std::fill_n(out.begin(), pattern_.fixed_rows.size(), 0.0);
  for (const SparsePattern::FixedEntry& e : pattern_.fixed_entries)
    out[e.which] += matrix_.valuePtr()[e.position] * x[e.coordinate];
}

}  // namespace hawser
