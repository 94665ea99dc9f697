// Cables evaluated another way, for the tests of channels and shapes: Bezier curves instead of
// Hermite ones, normal equations instead of moments.
#pragma once

#include <Eigen/Dense>

#include <random>

#include "hawser/measure.h"
#include "math/quadrature.h"

namespace hawser::reference {

/// A state with all coordinates, rates and axial forces moved at random, different every time.
inline State shaken(const Model& model, const State& start, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> noise(-0.1, 0.1);
  State state = start;
  const auto n = static_cast<size_t>(model.coordinates());
  for (size_t i = 0; i < n; ++i) state.q[i] += noise(random), state.v[i] += noise(random);
  for (double& force : state.axial_force) force += 100 * noise(random);
  return state;
}

/// r, r' and r'' at xi of an element between two nodes, by de Casteljau's construction.
struct Curve {
  Vec3 r, r1, r2;
};
inline Curve curve_at(const std::vector<double>& a, int node, double l, double xi) {
  const auto vec = [&](int i) { return Vec3(Eigen::Map<const Vec3>(a.data() + i)); };
  const Vec3 p0 = vec(6 * node), p3 = vec(6 * node + 6);
  const Vec3 p1 = p0 + l / 3 * vec(6 * node + 3), p2 = p3 - l / 3 * vec(6 * node + 9);
  const auto mix = [xi](const Vec3& x, const Vec3& y) { return Vec3((1 - xi) * x + xi * y); };
  const Vec3 a0 = mix(p0, p1), a1 = mix(p1, p2), a2 = mix(p2, p3);
  const Vec3 b0 = mix(a0, a1), b1 = mix(a1, a2);
  return {mix(b0, b1), 3 * (b1 - b0) / l, 6 * (a2 - 2 * a1 + a0) / (l * l)};
}

/// The weighted least-squares line through an element's axial points, at xi.
inline double fitted(const std::vector<CablePoint>& profile, int points, int element, double xi,
                     double CablePoint::*quantity) {
  const std::vector<GaussPoint> rule = gauss_rule(points);
  Eigen::MatrixXd A(points, 2);
  Eigen::VectorXd b(points);
  for (int g = 0; g < points; ++g) {
    const GaussPoint& gauss = rule[static_cast<size_t>(g)];
    const double root = std::sqrt(gauss.w);
    A.row(g) << root, root * gauss.x;
    b[g] = root * profile[static_cast<size_t>(points * element + g)].*quantity;
  }
  const Eigen::Vector2d line = A.colPivHouseholderQr().solve(b);
  return line[0] + xi * line[1];
}

}  // namespace hawser::reference
