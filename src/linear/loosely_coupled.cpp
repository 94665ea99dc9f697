#include "linear/loosely_coupled.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hawser {
namespace {

/// Of the error in the norm of the matrix, by that of the solution.
constexpr double iteration_tolerance = 1e-9;
constexpr int most_iterations = 300;

SystemStructure without_loose(SystemStructure structure) {
  structure.pairs.resize(structure.first_loose);
  return structure;
}

double dot(const std::vector<double>& a, const std::vector<double>& b, size_t n) {
  using Vector = Eigen::Map<const Eigen::VectorXd>;
  const auto size = static_cast<Eigen::Index>(n);
  return Vector(a.data(), size).dot(Vector(b.data(), size));
}

}  // namespace

LooselyCoupled::LooselyCoupled(const SystemStructure& structure, LinearBackend choice)
    : pairs_(structure.pairs.begin() + static_cast<long>(structure.first_loose),
             structure.pairs.end()),
      first_loose_(static_cast<int>(structure.first_loose)),
      fixed_(structure.fixed),
      unknowns_(static_cast<size_t>(structure.unknowns())),
      coordinates_(static_cast<size_t>(structure.coordinates())),
      inner_(make_linear_solver(without_loose(structure), choice)),
      name_(std::string(inner_->name()) + ", conjugate gradients"),
      values_(36 * pairs_.size()) {
  blocks_.reserve(4 * pairs_.size());
  for (auto* v : {&x_, &r_, &z_, &p_, &Ap_, &Pp_}) v->assign(unknowns_ + padding, 0);
  product_.assign(coordinates_, 0);
}

MatrixSink LooselyCoupled::sink() {
  MatrixSink sink = inner_->sink();
  sink.loose = values_.data();
  sink.first_loose = first_loose_;
  return sink;
}

void LooselyCoupled::clear() {
  std::fill(values_.begin(), values_.end(), 0);
  inner_->clear();
}

/// Of the blocks the parts of three by three that are not zero: np-fem nodes have a position alone.
FactorStatus LooselyCoupled::factor() {
  blocks_.clear();
  for (size_t i = 0; i < pairs_.size(); ++i)
    for (int part = 0; part < 4; ++part) {
      const int row = 3 * (part % 2), column = 3 * (part / 2);
      Block block{node_size * pairs_[i].second + row, node_size * pairs_[i].first + column,
                  Eigen::Map<const Eigen::Matrix3d, 0, Eigen::OuterStride<node_size>>(
                      values_.data() + 36 * i + static_cast<size_t>(node_size * column + row))};
      if ((block.K.array() != 0).any()) blocks_.push_back(block);
    }
  const FactorStatus status = inner_->factor();
  report_ = inner_->report();
  return status;
}

/// out += P x.
void LooselyCoupled::multiply(const double* x, double* out) const {
  using Eigen::Map, Eigen::Vector3d;
  for (const Block& b : blocks_) {
    Map<Vector3d>(out + b.row) += b.K * Map<const Vector3d>(x + b.column);
    Map<Vector3d>(out + b.column) += b.K.transpose() * Map<const Vector3d>(x + b.row);
  }
}

const LinearReport& LooselyCoupled::solve(std::span<double> b) {
  const size_t n = unknowns_;
  const auto free_products = [&](const std::vector<double>& x, std::vector<double>& out) {
    std::fill(out.begin(), out.end(), 0);
    multiply(x.data(), out.data());
    for (const int c : fixed_) out[static_cast<size_t>(c)] = 0;
  };
  const auto precondition = [&] {
    z_ = r_;
    return inner_->solve(z_).status == FactorStatus::ok;
  };
  std::copy_n(b.begin(), n, Ap_.begin());
  for (const int c : fixed_) Ap_[static_cast<size_t>(c)] = 0;  // the rest: b by itself
  std::copy_n(b.begin(), n, x_.begin());
  bool sound = inner_->solve(x_).status == FactorStatus::ok;
  // x^T A x of the free unknowns, by which errors are measured.
  const double size = std::abs(dot(Ap_, x_, coordinates_));
  free_products(x_, r_);
  for (double& r : r_) r = -r;
  sound = sound && precondition();
  double rest = dot(r_, z_, coordinates_);
  p_ = z_;
  Ap_ = r_;
  for (iterations_ = 0; sound && rest > iteration_tolerance * iteration_tolerance * size;
       ++iterations_) {
    free_products(p_, Pp_);
    for (size_t i = 0; i < n; ++i) Pp_[i] += Ap_[i];
    const double curvature = dot(p_, Pp_, coordinates_);
    if (iterations_ == most_iterations || !(curvature > 0)) {
      sound = false;
      break;
    }
    const double share = rest / curvature;
    for (size_t i = 0; i < n; ++i) x_[i] += share * p_[i];
    for (size_t i = 0; i < coordinates_; ++i) r_[i] -= share * Pp_[i];
    sound = precondition();
    const double next = dot(r_, z_, coordinates_), turn = next / rest;
    rest = next;
    for (size_t i = 0; i < n; ++i) {
      p_[i] = z_[i] + turn * p_[i];
      Ap_[i] = r_[i] + turn * Ap_[i];
    }
  }
  report_ = inner_->report();
  if (!sound || !std::isfinite(rest)) {
    report_.status = FactorStatus::singular;
    std::fill(x_.begin(), x_.end(), std::numeric_limits<double>::quiet_NaN());
  }
  std::copy_n(x_.begin(), n, b.begin());
  return report_;
}

void LooselyCoupled::fixed_rows_times(std::span<const double> x, std::span<double> out) const {
  inner_->fixed_rows_times(x, out);
  std::fill(product_.begin(), product_.end(), 0);
  multiply(x.data(), product_.data());
  for (size_t k = 0; k < fixed_.size(); ++k) out[k] += product_[static_cast<size_t>(fixed_[k])];
}

}  // namespace hawser
