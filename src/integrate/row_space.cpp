#include "integrate/row_space.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

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
  next_ = z_;
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
  const Scaled s = scaled(acting_only);
  if (s.A.size() == 0) return Values::Zero(0);
  return Eigen::SelfAdjointEigenSolver<Matrix>(s.A, Eigen::EigenvaluesOnly).eigenvalues();
}

RowSpace::Excited RowSpace::excited(const std::array<double, most>& speed, double omega,
                                    double force) const {
  Excited out;
  const Scaled s = scaled(true);
  const Eigen::Index n = s.A.rows();
  if (n == 0) return out;
  const Eigen::SelfAdjointEigenSolver<Matrix> modes(s.A);
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
    const double w = std::sqrt(std::max(0.0, modes.eigenvalues()[j]));
    if (!(w > omega)) continue;
    const auto shape = modes.eigenvectors().col(j);
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

void RowSpace::find_peaks(double step) {
  double quickest = 0;
  for (size_t i = 0; i < size_; ++i) {
    rows_[i].peak = rows_[i].force;
    if (!(W(i, i) > 0)) continue;
    double sum = 0, decay = 0;  // bounds of the largest eigenvalues
    for (size_t j = 0; j < size_; ++j) {
      sum += std::abs(W(i, j)) / rows_[j].compliance;
      decay += std::abs(W(i, j)) / rows_[j].compliance * rows_[j].viscosity;
    }
    quickest = std::max({quickest, std::sqrt(sum), decay});
  }
  if (!(quickest > 0)) return;
  const double dt = 2 * std::numbers::pi / (steps_a_period * quickest);
  const double span = step + looks_ahead * std::numbers::pi / slowest();
  const int steps = static_cast<int>(std::min<double>(most_steps, std::ceil(span / dt)));
  const auto acceleration = [&](std::vector<double>& out) {
    for (size_t i = 0; i < size_; ++i) {
      Row& r = rows_[i];
      r.force = -(r.y + r.viscosity * r.rate) / r.compliance;
      if (r.one_sided) r.force = r.y > 0 ? 0 : std::max(0.0, r.force);
      r.peak = std::max(r.peak, r.force);
    }
    for (size_t i = 0; i < size_; ++i) {
      out[i] = rows_[i].free;
      for (size_t j = 0; j < size_; ++j) out[i] += W(i, j) * rows_[j].force;
    }
  };
  acceleration(z_);
  for (size_t i = 0; i < size_; ++i) {
    Row& r = rows_[i];
    r.speed = std::sqrt(std::max(0.0, r.rate * r.rate - 2 * z_[i] * std::max(0.0, r.y)));
  }
  for (int k = 0; k < steps; ++k) {
    for (size_t i = 0; i < size_; ++i) {
      rows_[i].rate += dt / 2 * z_[i];
      rows_[i].y += dt * rows_[i].rate;
    }
    acceleration(next_);
    for (size_t i = 0; i < size_; ++i) rows_[i].rate += dt / 2 * next_[i];
    z_.swap(next_);
  }
}

}  // namespace hawser
