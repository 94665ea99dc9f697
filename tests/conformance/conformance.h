// Suites that every element must pass. An element comes in as a small adapter:
//
//     struct Adapter {
//       std::vector<Block> blocks() const;                  // what its coordinates are, in order;
//                                                           // the first half is the first node's
//       template <class T> T energy(const T* x) const;      // U [J], written from its definition
//       template <class T> void gradient(const T* x, T* g) const;  // dU/dx, from the kernel
//       MatrixXd tangent(const VectorXd& x) const;          // d2U/dx2, from the kernel
//     };
//
// T is double or Dual. The energy is the reference: write it without the kernel's formulas.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "math/dual.h"

namespace hawser {
// The kernels' templates look for sqrt where they are defined: include this before them.
inline double sqrt(double x) { return std::sqrt(x); }
}  // namespace hawser

namespace hawser::conformance {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

/// How a block of coordinates answers to a rigid motion.
enum class Block {
  position,   ///< three numbers: turns and moves
  direction,  ///< three numbers: turns
  scalar      ///< one number: stays
};

inline constexpr double derivative_tolerance = 1e-9;  ///< relative, against dual numbers
inline constexpr double round_off = 1e-14;            ///< of a coordinate, relative

inline double largest(const MatrixXd& m) { return m.size() ? m.cwiseAbs().maxCoeff() : 0.0; }

/// |found - expected| <= tolerance in every entry; NaN fails.
inline void expect_near(const MatrixXd& found, const MatrixXd& expected, double tolerance,
                        const std::string& what) {
  ASSERT_EQ(found.rows(), expected.rows()) << what;
  ASSERT_EQ(found.cols(), expected.cols()) << what;
  Eigen::Index row = 0, column = 0;
  if (found.size() == 0) return;
  const MatrixXd error = (found - expected).cwiseAbs();
  const bool finite = error.allFinite();
  const double worst = finite ? error.maxCoeff(&row, &column) : 0.0;
  EXPECT_TRUE(finite && worst <= tolerance)
      << what << ": entry (" << row << ", " << column << ") is " << found(row, column) << ", not "
      << expected(row, column) << "; off by " << error(row, column) << ", allowed " << tolerance;
}

inline int width(Block block) { return block == Block::scalar ? 1 : 3; }

template <class Adapter>
int size_of(const Adapter& element) {
  int size = 0;
  for (const Block block : element.blocks()) size += width(block);
  return size;
}

template <class Adapter>
VectorXd gradient_of(const Adapter& element, const VectorXd& x) {
  VectorXd g(x.size());
  element.gradient(x.data(), g.data());
  return g;
}

/// x as dual numbers with the slope along coordinate i.
inline std::vector<Dual> along(const VectorXd& x, Eigen::Index i) {
  std::vector<Dual> out(x.begin(), x.end());
  out[static_cast<size_t>(i)].slope = 1;
  return out;
}

/// What round-off in the coordinates may do to the gradient.
template <class Adapter>
double gradient_floor(const Adapter& element, const VectorXd& x) {
  return round_off * largest(element.tangent(x)) * std::max(1.0, largest(x));
}

/// dU/dx of the kernel against dual numbers through the energy.
template <class Adapter>
void expect_force_from_energy(const Adapter& element, const VectorXd& x) {
  VectorXd slopes(x.size());
  for (Eigen::Index i = 0; i < x.size(); ++i) slopes[i] = element.energy(along(x, i).data()).slope;
  const double tolerance = derivative_tolerance * largest(slopes) + gradient_floor(element, x);
  expect_near(gradient_of(element, x), slopes, tolerance, "force against energy");
}

/// The Jacobian of any function of dual numbers, f(const Dual* x, Dual* out), out of n entries.
template <class Function>
MatrixXd dual_jacobian(const VectorXd& x, Eigen::Index n, Function&& f) {
  MatrixXd jacobian(n, x.size());
  std::vector<Dual> out(static_cast<size_t>(n));
  for (Eigen::Index j = 0; j < x.size(); ++j) {
    f(along(x, j).data(), out.data());
    for (Eigen::Index i = 0; i < n; ++i) jacobian(i, j) = out[static_cast<size_t>(i)].slope;
  }
  return jacobian;
}

/// d2U/dx2 of the kernel against dual numbers through its gradient.
template <class Adapter>
void expect_tangent_from_force(const Adapter& element, const VectorXd& x) {
  const MatrixXd slopes = dual_jacobian(
      x, x.size(), [&element](const Dual* at, Dual* out) { element.gradient(at, out); });
  expect_near(element.tangent(x), slopes, derivative_tolerance * largest(slopes),
              "tangent against force");
}

inline void expect_symmetric(const MatrixXd& tangent) {
  expect_near(tangent, tangent.transpose(), 1e-13 * largest(tangent), "tangent by its transpose");
}

/// Turned by R and moved by `shift`. A gradient transforms as coordinates that do not move.
inline VectorXd moved(const std::vector<Block>& blocks, const VectorXd& x, const Matrix3d& R,
                      const Vector3d& shift) {
  VectorXd out = x;
  Eigen::Index at = 0;
  for (const Block block : blocks) {
    if (block != Block::scalar) out.segment<3>(at) = R * x.segment<3>(at);
    if (block == Block::position) out.segment<3>(at) += shift;
    at += width(block);
  }
  return out;
}

/// Energy and forces go with a rigid motion: the same energy, the same forces turned.
template <class Adapter>
void expect_rigid_invariance(const Adapter& element, const VectorXd& x, const Matrix3d& R,
                             const Vector3d& shift) {
  const VectorXd y = moved(element.blocks(), x, R, shift);
  const double energy = element.energy(x.data());
  const VectorXd g = gradient_of(element, x);
  const double floor = gradient_floor(element, y);
  EXPECT_NEAR(element.energy(y.data()), energy, 1e-11 * std::abs(energy) + floor);
  expect_near(gradient_of(element, y), moved(element.blocks(), g, R, Vector3d::Zero()),
              1e-11 * largest(g) + 10 * floor, "force in a turned frame");
}

/// A straight chain of equal elements of unstretched length l, every slope `stretch` long: the
/// two end positions carry -+ `force` along it, and nothing else is out of balance.
template <class Adapter>
void expect_patch(const Adapter& element, double l, int elements, const Vector3d& direction,
                  double stretch, double force) {
  const std::vector<Block> blocks = element.blocks();
  const Eigen::Index size = size_of(element), node_size = size / 2;
  const auto node = [&](int i, VectorXd& out, Eigen::Index at) {
    for (size_t b = 0; b < blocks.size() / 2; ++b) {
      if (blocks[b] == Block::position) out.segment<3>(at) = i * l * stretch * direction;
      if (blocks[b] == Block::direction) out.segment<3>(at) = stretch * direction;
      if (blocks[b] == Block::scalar) out[at] = i * l;
      at += width(blocks[b]);
    }
  };
  VectorXd total = VectorXd::Zero(node_size * (elements + 1)), expected = total, x(size);
  double stiffness = 0;
  for (int e = 0; e < elements; ++e) {
    node(e, x, 0);
    node(e + 1, x, node_size);
    total.segment(node_size * e, size) += gradient_of(element, x);
    stiffness = std::max(stiffness, largest(element.tangent(x)));
  }
  ASSERT_EQ(blocks[0], Block::position) << "a node's coordinates start with its position";
  expected.head<3>() = -force * direction;
  expected.segment<3>(node_size * elements) = force * direction;
  for (Eigen::Index b = 0, at = 0; b < static_cast<Eigen::Index>(blocks.size()) / 2; ++b) {
    const Block block = blocks[static_cast<size_t>(b)];
    if (block == Block::scalar)  // a material coordinate feels its own force at the ends
      for (const Eigen::Index end : {at, node_size * elements + at}) expected[end] = total[end];
    at += width(block);
  }
  const double reach = std::max(1.0, elements * l * stretch);
  expect_near(total, expected, 1e-12 * std::abs(force) + 10 * round_off * stiffness * reach,
              "uniformly stretched chain");
}

/// Seeded random numbers.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double operator()() { return uniform_(engine_); }  ///< in [-1, 1]
  Vector3d vector() {
    const double x = (*this)(), y = (*this)();
    return {x, y, (*this)()};
  }
  Vector3d direction() {
    Vector3d v = vector();
    while (v.norm() < 0.1) v = vector();
    return v.normalized();
  }
  Matrix3d rotation() { return Eigen::AngleAxisd(3 * (*this)(), direction()).toRotationMatrix(); }

 private:
  std::mt19937 engine_;
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

}  // namespace hawser::conformance
