#include "linear/sparse_kkt.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>

namespace hawser {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// delta, the smallest pivot of a condition, relative to the Schur complement: above its rounding,
/// and small enough for refinement to work on conditions that are nearly dependent.
constexpr double regularization = 1e-12;
/// Compliance of rows that may repeat each other, relative to the same: far above rounding, so that
/// what such rows leave for the last of them is a pivot, and far below what shows in a motion.
constexpr double sharing_compliance = 1e-10;
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
      sharing_([&] {
        std::vector<char> sharing = structure.sharing;
        sharing.resize(structure.conditions);
        return sharing;
      }()),
      compliance_(structure.conditions),
      matrix_(pattern_.zero),
      ldlt_(pattern_.zero, pattern_.symmetric ? pattern_.open : 0),
      schur_(structure.conditions),
      inverse_diagonal_(pattern_.condition_diagonals_of_h.size()) {
  assert(structure.sharing.empty() || structure.sharing.size() == sharing_.size());
  for (const auto& e : structure.condition_entries) rows_.push_back(e.factor);
  for (Eigen::VectorXd* v : {&b_, &x_}) v->setZero(pattern_.open);
  for (Eigen::VectorXd* v : {&r_, &terms_}) v->setZero(pattern_.unknowns);
}

MatrixSink SparseKkt::sink() {
  MatrixSink sink = pattern_.sink(matrix_.valuePtr());
  sink.rows = rows_.data();
  sink.compliance = compliance_.data();
  return sink;
}

void SparseKkt::clear() {
  double* values = matrix_.valuePtr();
  std::fill(values, values + matrix_.nonZeros(), 0.0);
}

/// Writes G and -E into the matrix, and finds schur_ = g diag(H)^-1 g^T of the rows that need it:
/// at most the number of terms times g H^-1 g^T for H > 0.
void SparseKkt::place_conditions() {
  double* values = matrix_.valuePtr();
  for (size_t i = 0; i < inverse_diagonal_.size(); ++i) {
    const double entry = values[pattern_.condition_diagonals_of_h[i]];
    inverse_diagonal_[i] = entry != 0 ? 1 / std::abs(entry) : 0;
  }
  const SparsePattern::ConditionEntry* entries = pattern_.condition_entries.data();
  for (int k = 0; k < pattern_.conditions; ++k) {
    const int first = pattern_.condition_begins[k], last = pattern_.condition_begins[k + 1];
    for (int i = first; i < last; ++i) {
      const SparsePattern::ConditionEntry& e = entries[i];
      values[e.position] = e.repeats ? values[e.position] + rows_[i] : rows_[i];
      if (e.mirrored >= 0) values[e.mirrored] = values[e.position];
    }
    double schur = 0;
    if (compliance_[k] == 0 || sharing_[k])
      for (int i = first; i < last; ++i)
        if (const int at = entries[i].diagonal; at >= 0)
          schur += rows_[i] * rows_[i] * inverse_diagonal_[static_cast<size_t>(at)];
    schur_[k] = schur;
    assert(!(compliance_[k] < 0));
    values[pattern_.condition_diagonals[k]] =
        -(compliance_[k] + (sharing_[k] ? sharing_compliance * schur : 0));
  }
}

/// Adding one to the exponent's last bit carries into the sign only where the exponent is full: a
/// loop over integers that compilers turn into one over vectors.
bool SparseKkt::is_finite() const {
  constexpr std::uint64_t exponent = 0x7ff0000000000000, last = 0x0010000000000000;
  const double* values = matrix_.valuePtr();
  std::uint64_t carried = 0;
  for (Eigen::Index k = 0, n = matrix_.nonZeros(); k < n; ++k)
    carried |= (std::bit_cast<std::uint64_t>(values[k]) & exponent) + last;
  return (carried >> 63) == 0;
}

FactorStatus SparseKkt::factor() {
  report_ = {};
  report_.residual = -1;
  method_ = Method::none;
  place_conditions();
  if (!is_finite()) return report_.status = FactorStatus::not_finite;
  if (pattern_.symmetric && factor_ldlt())
    method_ = Method::ldlt;
  else if (factor_lu())
    method_ = Method::lu;
  else
    report_.status = FactorStatus::singular;
  return report_.status;
}

/// False when a pivot cannot be trusted. Inertia is that of H + G^T E^-1 G, E -> 0 where there is
/// none: negative pivots beyond the conditions' own are those of H on the motions the conditions
/// allow, in any order.
bool SparseKkt::factor_ldlt() {
  for (int k = 0; k < pattern_.conditions; ++k) {
    const bool rigid = matrix_.valuePtr()[pattern_.condition_diagonals[k]] == 0;
    const double delta = schur_[k] > 0 ? regularization * schur_[k] : 1;  // 1: it stands alone
    ldlt_.set_floor(pattern_.condition_places[k], rigid ? delta : 0);
  }
  ldlt_.factor(matrix_.valuePtr(), *workers_);
  double smallest = std::numeric_limits<double>::infinity(), largest = 0;
  int negative = -pattern_.conditions, smallest_row = -1;
  for (int row = 0; row < pattern_.open; ++row) {
    const double pivot = ldlt_.pivots()[row], size = std::abs(pivot);
    if (!(size > 0) || !std::isfinite(size)) {
      report_.pivot_node = node_of(row);
      report_.smallest_pivot = 0;
      report_.negative_pivots = -1;
      return false;
    }
    negative += pivot < 0;
    if (pattern_.is_condition[row]) continue;
    if (size < smallest) smallest = size, smallest_row = row;
    largest = std::max(largest, size);
  }
  if (smallest_row >= 0) report_.pivot_node = node_of(smallest_row);
  report_.negative_pivots = negative;
  report_.smallest_pivot = largest > 0 ? smallest / largest : 1;
  return report_.smallest_pivot > smallest_trusted_pivot;
}

int SparseKkt::node_of(int row) const {
  return pattern_.is_condition[row] ? -1 : pattern_.unknown[row] / node_size;
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

/// Of the true matrix; pivoting copes with the zeros.
bool SparseKkt::factor_lu() {
  report_.used_lu = pattern_.symmetric;
  const Sparse open = matrix_.topLeftCorner(pattern_.open, pattern_.open);
  const bool done =
      pattern_.symmetric ? lu_.factor(open.selfadjointView<Eigen::Upper>()) : lu_.factor(open);
  if (done && !pattern_.symmetric) report_lu_pivots();
  return done && (!probing || probe_lu());
}

void SparseKkt::change_to_lu() {
  if (method_ == Method::ldlt && factor_lu()) method_ = Method::lu;
}

void SparseKkt::report_lu_pivots() {
  double smallest = std::numeric_limits<double>::infinity(), largest = 0;
  for (int row = 0; row < pattern_.open; ++row) {
    if (pattern_.is_condition[row]) continue;
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
  const auto& is_condition = pattern_.is_condition;
  double scale = 0;
  for (int column = 0; column < pattern_.open; ++column)
    for (Sparse::InnerIterator it(matrix_, column); it; ++it)
      if (it.row() < pattern_.open && !is_condition[it.row()] && !is_condition[column])
        scale = std::max(scale, std::abs(it.value()));
  for (int row = 0; row < pattern_.open; ++row) {
    const double rough = 1.5 + std::sin(row);
    b_[row] = is_condition[row] ? rough : scale * rough;
  }
  const Size b = size_of(b_);
  x_ = lu_.solve(b_);
  find_residual();
  const Size r = size_of(r_);
  return r.coordinates <= singular_residual * b.coordinates &&
         r.conditions <= singular_residual * b.conditions;
}

/// b_: the right-hand side that the known values leave.
void SparseKkt::start(std::span<const double> b) {
  for (int row = 0; row < pattern_.open; ++row) b_[row] = b[pattern_.unknown[row]];
  for (const auto& [follower, leader] : pattern_.shared)
    if (const int row = pattern_.place[leader]; row < pattern_.open) b_[row] += b[follower];
  for (int row = pattern_.open; row < pattern_.unknowns; ++row) {
    const double known = b[pattern_.unknown[row]];
    if (known == 0) continue;
    for (Sparse::InnerIterator it(matrix_, row); it && it.row() < pattern_.open; ++it)
      b_[it.row()] -= it.value() * known;
  }
  rhs_ = size_of(b_);
}

/// y += the sum of product(entry, x) over the columns from first to before last.
template <class Product>
void SparseKkt::add_columns(int first, int last, const Product& product, double* y) const {
  const int *outer = matrix_.outerIndexPtr(), *inner = matrix_.innerIndexPtr();
  const double *values = matrix_.valuePtr(), *x = x_.data();
  for (int j = first; j < last; ++j) {
    int end = outer[j + 1];
    if (pattern_.symmetric) {
      --end;  // the diagonal comes last
      double sum = product(values[end], x[j]);
      for (int p = outer[j]; p < end; ++p) {
        sum += product(values[p], x[inner[p]]);
        y[inner[p]] += product(values[p], x[j]);
      }
      y[j] += sum;
    } else {
      for (int p = outer[j]; p < end; ++p) y[inner[p]] += product(values[p], x[j]);
    }
  }
}

/// Over every row that is not fixed. The rows of a subtree's columns are its own, and what adds to
/// a row comes in ascending order of columns: the subtrees at the same time, then the others.
template <class Product>
void SparseKkt::add_products(const Product& product, Eigen::VectorXd& out) const {
  double* y = out.data();
  if (!pattern_.symmetric) return add_columns(0, pattern_.open, product, y);
  const LdltBranches& branches = ldlt_.branches();
  const auto add_branch = [&](int branch) {
    for (const auto& [first, last] : branches.columns(branch)) add_columns(first, last, product, y);
  };
  workers_->share(branches.subtrees(), add_branch);
  for (int branch = branches.subtrees(); branch < branches.count(); ++branch) add_branch(branch);
}

/// r_ = b - A x with the matrix as assembled.
void SparseKkt::find_residual() {
  r_.head(pattern_.open) = b_;
  add_products([](double a, double x) { return -a * x; }, r_);
}

/// terms_ = |A| |x|.
void SparseKkt::find_terms() {
  terms_.setZero();
  add_products([](double a, double x) { return std::abs(a * x); }, terms_);
}

/// The largest of those of the diagonal, which are cheap: the largest of all is not smaller.
SparseKkt::Size SparseKkt::diagonal_terms() const {
  const int* outer = matrix_.outerIndexPtr();
  double largest[2] = {0, 0};
  for (int row = 0; row < pattern_.open; ++row) {
    double& kind = largest[pattern_.is_condition[row]];
    kind = std::max(kind, std::abs(matrix_.valuePtr()[outer[row + 1] - 1] * x_[row]));
  }
  return {largest[0], largest[1]};
}

/// Residual that is accepted, `terms` being the largest |A| |x|.
SparseKkt::Size SparseKkt::allowed(const Size& terms) const {
  return {residual_tolerance * rhs_.coordinates + rounding * terms.coordinates,
          residual_tolerance * rhs_.conditions + rounding * terms.conditions};
}

/// Numbers compare as their bits do when the sign is off, and NaN above all.
SparseKkt::Size SparseKkt::size_of(const Eigen::VectorXd& v) const {
  std::uint64_t largest[2] = {0, 0};
  for (int row = 0; row < pattern_.open; ++row) {
    std::uint64_t& kind = largest[pattern_.is_condition[row]];
    kind = std::max(kind, std::bit_cast<std::uint64_t>(v[row]) & 0x7fffffffffffffff);
  }
  const Size size{std::bit_cast<double>(largest[0]), std::bit_cast<double>(largest[1])};
  if (std::isnan(size.coordinates + size.conditions)) return {nan, nan};
  return size;
}

/// v <- (factored matrix)^-1 v over the rows that are not fixed.
void SparseKkt::invert(Eigen::VectorXd& v) {
  if (method_ == Method::ldlt)
    ldlt_.solve(v.data(), *workers_);
  else
    v.head(pattern_.open) = lu_.solve(v.head(pattern_.open)).eval();
}

/// Solves and refines; false when the residual stays too large. What rounding allows is asked for
/// only where the right-hand side does not allow enough.
bool SparseKkt::refine() {
  x_ = b_;
  invert(x_);
  for (int sweep = 0;; ++sweep) {
    find_residual();
    const Size r = size_of(r_);
    report_.residual = rhs_.largest() > 0 ? r.largest() / rhs_.largest() : r.largest();
    if (r.within(allowed({}))) return true;
    if (pattern_.symmetric && r.within(allowed(diagonal_terms()))) return true;
    find_terms();
    if (r.within(allowed(size_of(terms_)))) return true;
    if (sweep == refinement_sweeps) return false;
    invert(r_);
    x_ += r_.head(pattern_.open);
  }
}

const LinearReport& SparseKkt::solve(std::span<double> b) {
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
  for (int row = 0; row < pattern_.open; ++row) b[pattern_.unknown[row]] = solved ? x_[row] : nan;
  for (const int c : pattern_.idle) b[c] = 0;
  for (const auto& [follower, leader] : pattern_.shared) b[follower] = b[leader];
  return report_;
}

void SparseKkt::fixed_rows_times(std::span<const double> x, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  for (const SparsePattern::FixedEntry& e : pattern_.fixed_entries)
    out[e.which] += matrix_.valuePtr()[e.position] * x[e.coordinate];
}

}  // namespace hawser
