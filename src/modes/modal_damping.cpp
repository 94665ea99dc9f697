#include "modes/modal_damping.h"

#include <cmath>

#include "sections/viscosity.h"

namespace hawser {
namespace {

using Complex = std::complex<double>;

constexpr int growths = 64;     ///< parts in which the damping is raised
constexpr int iterations = 60;  ///< of Newton's method in each of them
constexpr double tolerance = 1e-13;
constexpr double difference = 1e-6;  ///< of the derivative, by the size of lambda

/// The left side of the equation at a share of the damping.
Complex left_side(const ModalDamping& mode, double share, Complex s) {
  Complex sum = s * s + share * mode.mass_damping * s + mode.omega_squared;
  for (const DampedStiffness& law : mode.laws)
    sum += share * law.stiffness * (complex_factor(*law.damping, s) - 1.0);
  return sum;
}

/// Newton's method with a central difference: the left side is analytic off the negative axis.
bool find_root(const ModalDamping& mode, double share, Complex& s) {
  for (int i = 0; i < iterations; ++i) {
    const double step = difference * std::abs(s);
    const Complex slope =
        (left_side(mode, share, s + step) - left_side(mode, share, s - step)) / (2 * step);
    if (slope == 0.0) return false;
    const Complex change = left_side(mode, share, s) / slope;
    s -= change;
    if (!std::isfinite(s.real()) || !std::isfinite(s.imag())) return false;
    if (std::abs(change) <= tolerance * std::abs(s)) return true;
  }
  return false;
}

}  // namespace

DampedRoot damped_root(const ModalDamping& mode) {
  DampedRoot root;
  root.lambda = Complex(0, std::sqrt(mode.omega_squared));
  // Where two roots meet on the real axis an iteration may stall; the next share is past it.
  for (int k = 1; k <= growths; ++k) {
    Complex trial = root.lambda;
    root.found = find_root(mode, static_cast<double>(k) / growths, trial);
    if (root.found) root.lambda = trial;
  }
  const double size = std::abs(root.lambda);
  root.overdamped = std::abs(root.lambda.imag()) <= 1e-7 * size;
  root.lambda = {root.lambda.real(), root.overdamped ? 0 : std::abs(root.lambda.imag())};
  return root;
}

}  // namespace hawser
