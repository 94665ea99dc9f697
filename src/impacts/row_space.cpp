#include "impacts/row_space.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "math/dense.h"

namespace hawser {
namespace {

constexpr double steps_a_period = 40;
constexpr int most_steps = 2000;
constexpr double looks_ahead = 1.2;  ///< half periods of the slowest oscillation

}  // namespace

void RowSpace::reserve(size_t rows) {
  rows_.resize(std::min(rows, most));
  W_.assign(rows_.size() * rows_.size(), 0);
  z_.assign(rows_.size(), 0);
}

double RowSpace::own(size_t i) const {
  return std::sqrt(std::max(0.0, W(i, i)) / rows_[i].compliance);
}

RowSpace::Scaled RowSpace::scaled(bool acting_only) const {
  Scaled out;
  Eigen::Index n = 0;
  for (size_t i = 0; i < size_; ++i)
    if (rows_[i].acts || !acting_only) out.rows[static_cast<size_t>(n++)] = i;
  out.A.resize(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) {
      const size_t r = out.rows[static_cast<size_t>(i)], c = out.rows[static_cast<size_t>(j)];
      out.A(i, j) = (W(r, c) + W(c, r)) / 2 / std::sqrt(rows_[r].compliance * rows_[c].compliance);
    }
  if (!out.A.allFinite()) out.A.resize(0, 0);
  return out;
}

RowSpace::Values RowSpace::eigenvalues(bool acting_only) const {
  Scaled s = scaled(acting_only);
  Values values(s.A.rows());
  symmetric_eigen(static_cast<int>(values.size()), s.A.data(), values.data(), nullptr);
  return values;
}

RowSpace::Excited RowSpace::excited(const std::array<double, most>& speed, double omega,
                                    double force) const {
  Excited out;
  Scaled s = scaled(true);
  const Eigen::Index n = s.A.rows();
  Values squares(n);
  Matrix shapes(n, n);
  symmetric_eigen(static_cast<int>(n), s.A.data(), squares.data(), shapes.data());
  Values rate(n), second(n), root(n);  // of y/sqrt(eps)
  for (Eigen::Index i = 0; i < n; ++i) {
    const size_t r = s.rows[static_cast<size_t>(i)];
    root[i] = std::sqrt(rows_[r].compliance);
    double y2 = rows_[r].free;
    for (size_t j = 0; j < size_; ++j) y2 += W(r, j) * rows_[j].force;
    rate[i] = speed[r] / root[i];
    second[i] = y2 / root[i];
  }
  for (Eigen::Index j = 0; j < n; ++j) {
    const double w = std::sqrt(std::max(0.0, squares[j]));
    if (!(w > omega)) continue;
    const auto shape = shapes.col(j);
    const double amplitude = std::hypot(shape.dot(rate) / w, shape.dot(second) / (w * w));
    const double change = (shape.array().abs() / root.array()).maxCoeff() * amplitude;
    if (!(change > force)) continue;
    out.fastest = w;
    if (out.slowest == 0) out.slowest = w;
    for (Eigen::Index i = 0; i < n; ++i)
      out.rise[s.rows[static_cast<size_t>(i)]] += std::abs(shape[i]) * amplitude / root[i];
  }
  return out;
}

double RowSpace::fastest() const {
  const Values values = eigenvalues(true);
  return values.size() == 0 ? 0 : std::sqrt(std::max(0.0, values[values.size() - 1]));
}

/// Of what can move at all: rows that repeat each other have no oscillation of their own.
double RowSpace::slowest() const {
  constexpr double none = 1e-9;  // of the largest
  const Values values = eigenvalues(false);
  for (const double value : values)
    if (value > none * values[values.size() - 1]) return std::sqrt(value);
  return 0;
}

/// Forces of the rows, the largest so far, and the second rates that they cause.
void RowSpace::evaluate() {
  for (size_t i = 0; i < size_; ++i) {
    Row& r = rows_[i];
    r.force = -(r.y + r.viscosity * r.rate) / r.compliance;
    if (r.one_sided) r.force = r.y > 0 ? 0 : std::max(0.0, r.force);
    r.peak = std::max(r.peak, r.force);
  }
  for (size_t i = 0; i < size_; ++i) {
    z_[i] = rows_[i].free;
    for (size_t j = 0; j < size_; ++j) z_[i] += W(i, j) * rows_[j].force;
  }
}

/// Half a step of the rates, with dashpots at its end: (I + dt/2 W tau/eps) y' = y' + dt/2 (b - W
/// y/eps). On a light hook they are thousands of times as quick as the oscillations.
void RowSpace::implicit_half(double dt) {
  const auto n = static_cast<Eigen::Index>(size_);
  Matrix A = Matrix::Identity(n, n);
  Values rate(n);
  for (size_t i = 0; i < size_; ++i) {
    double second = rows_[i].free;
    for (size_t j = 0; j < size_; ++j) {
      const Row& r = rows_[j];
      if (r.one_sided && r.y > 0) continue;
      second -= W(i, j) * r.y / r.compliance;
      A(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) +=
          dt / 2 * W(i, j) * r.viscosity / r.compliance;
    }
    rate[static_cast<Eigen::Index>(i)] = rows_[i].rate + dt / 2 * second;
  }
  std::array<int, most> exchanges;
  factor_lu(static_cast<int>(n), A.data(), exchanges.data());
  solve_lu(static_cast<int>(n), A.data(), exchanges.data(), rate.data());
  for (size_t i = 0; i < size_; ++i) rows_[i].rate = rate[static_cast<Eigen::Index>(i)];
}

/// A step of Verlet's (1967). The largest force of a dashpot is that with which it comes taut.
void RowSpace::advance(double dt) {
  for (size_t i = 0; i < size_; ++i) {
    Row& r = rows_[i];
    const bool slack = r.one_sided && r.y > 0;
    r.rate += dt / 2 * z_[i];
    r.y += dt * r.rate;
    if (slack && r.y <= 0) r.peak = std::max(r.peak, -r.viscosity * r.rate / r.compliance);
  }
  implicit_half(dt);
  evaluate();
}

void RowSpace::find_peaks(double step) {
  double quickest = 0;
  for (size_t i = 0; i < size_; ++i) {
    rows_[i].peak = rows_[i].force;
    double sum = 0;  // a bound of the largest eigenvalue
    for (size_t j = 0; j < size_; ++j) sum += std::abs(W(i, j)) / rows_[j].compliance;
    quickest = std::max(quickest, std::sqrt(sum));
  }
  const double slow = slowest();
  if (!(quickest > 0 && slow > 0)) return;
  const double dt = 2 * std::numbers::pi / (steps_a_period * quickest);
  const double span = step + looks_ahead * std::numbers::pi / slow;
  const int steps = static_cast<int>(std::min<double>(most_steps, std::ceil(span / dt)));
  evaluate();
  for (size_t i = 0; i < size_; ++i) {
    Row& r = rows_[i];
    r.speed = std::sqrt(std::max(0.0, r.rate * r.rate - 2 * z_[i] * std::max(0.0, r.y)));
  }
  for (int k = 0; k < steps; ++k) advance(dt);
}

}  // namespace hawser
