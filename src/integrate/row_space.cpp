#include "integrate/row_space.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace hawser {
namespace {

constexpr int eigen_rounds = 40;
constexpr double steps_a_period = 40;
constexpr int most_steps = 2000;
constexpr double looks_ahead = 1.2;  ///< half periods of the slowest row

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

double RowSpace::fastest() {
  double most_own = 0, value = 0;
  for (size_t i = 0; i < size_; ++i) {
    z_[i] = rows_[i].acts ? own(i) : 0;
    most_own = std::max(most_own, z_[i]);
  }
  if (size_ < 2 || most_own == 0) return most_own;
  for (int round = 0; round < eigen_rounds; ++round) {  // the power method
    double norm = 0;
    for (size_t i = 0; i < size_; ++i) norm += z_[i] * z_[i];
    norm = std::sqrt(norm);
    if (!(norm > 0)) break;
    for (size_t i = 0; i < size_; ++i) {
      next_[i] = 0;
      for (size_t j = 0; rows_[i].acts && j < size_; ++j)
        if (rows_[j].acts) next_[i] += W(i, j) / rows_[j].compliance * (z_[j] / norm);
    }
    value = 0;
    for (size_t i = 0; i < size_; ++i) value += next_[i] * next_[i];
    value = std::sqrt(value);
    z_.swap(next_);
  }
  return std::max(most_own, std::sqrt(value));
}

void RowSpace::find_peaks() {
  double quickest = 0, slowest = HUGE_VAL;
  for (size_t i = 0; i < size_; ++i) {
    rows_[i].peak = rows_[i].force;
    if (!(W(i, i) > 0)) continue;
    double sum = 0, decay = 0;  // bounds of the largest eigenvalues
    for (size_t j = 0; j < size_; ++j) {
      sum += std::abs(W(i, j)) / rows_[j].compliance;
      decay += std::abs(W(i, j)) / rows_[j].compliance * rows_[j].viscosity;
    }
    quickest = std::max({quickest, std::sqrt(sum), decay});
    slowest = std::min(slowest, own(i));
  }
  if (!(quickest > 0)) return;
  const double dt = 2 * std::numbers::pi / (steps_a_period * quickest);
  const double span = looks_ahead * std::numbers::pi / slowest;
  const int steps = static_cast<int>(std::min<double>(most_steps, std::ceil(span / dt)));
  const auto acceleration = [&](std::vector<double>& out) {
    for (size_t i = 0; i < size_; ++i) {
      Row& r = rows_[i];
      r.force = -(r.y + r.viscosity * r.rate) / r.compliance;
      if (r.one_sided) r.force = std::max(0.0, r.force);
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
