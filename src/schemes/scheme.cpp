#include "schemes/scheme.h"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>

#include "math/dense.h"

namespace hawser {
namespace {

/// Of the step, up to which BDF2 goes on from the last: beyond 1 + sqrt(2) it is unstable.
constexpr double bdf2_growth = 2.4;

SchemeWeights backward_euler(double h) {
  SchemeWeights w;
  w.h = h;
  w.q_v = h;
  w.cq = h * h;
  w.cv = w.cr = w.cg = h;
  w.predictor_a = 0;
  w.error_factor = 0.5;
  w.order = 1;
  return w;
}

/// y1 = y + r^2/(1+2r) (y - y_before) + h (1+r)/(1+2r) y1', r = h/h_before; W&I have r = 1.
SchemeWeights bdf2(double h, double h_before) {
  const double r = h / h_before, back = r * r / (1 + 2 * r), c = h * (1 + r) / (1 + 2 * r);
  SchemeWeights w;
  w.h = h;
  w.q_back = back;
  w.q_v = c;
  w.q_v_back = c * back;
  w.v_back = back;
  w.cq = c * c;
  w.cv = w.cr = w.cg = c;
  w.error_factor = 0.5;
  return w;
}

/// BDF2 with a step before it as the acceleration predicts it: q - h v + h^2 a/2, v - h a.
/// Backward Euler would miss the first forces of a prescribed position whose acceleration jumps.
SchemeWeights bdf2_start(double h) {
  SchemeWeights w = bdf2(h, h);
  w.q_v += h * w.q_back;
  w.q_a = h * w.q_v_back - h * h / 2 * w.q_back;
  w.v_a = h * w.v_back;
  w.q_back = w.q_v_back = w.v_back = 0;
  return w;
}

SchemeWeights newmark(double h, double beta, double gamma) {
  SchemeWeights w;
  w.h = h;
  w.q_v = h;
  w.q_a = h * h * (0.5 - beta);
  w.v_a = h * (1 - gamma);
  w.cq = beta * h * h;
  w.cv = w.cr = w.cg = gamma * h;
  w.error_factor = std::abs(beta - 1.0 / 6) / beta;
  return w;
}

/// One coordinate, in steps of length 1: q, v, a, and q and v one step back.
using OneStep = Eigen::Matrix<double, 5, 5>;
using Row = Eigen::Matrix<double, 1, 5>;

struct Extrapolated {
  Row q, v;  ///< q~ and v~, of the five
};

Extrapolated extrapolated(const SchemeWeights& w) {
  Extrapolated out;
  out.q << 1 + w.q_back, w.q_v + w.q_v_back, w.q_a, -w.q_back, -w.q_v_back;
  out.v << 0, 1 + w.v_back, w.v_a, 0, -w.v_back;
  return out;
}

/// A step whose new acceleration is `a`.
OneStep one_step(const SchemeWeights& w, const Row& a) {
  const Extrapolated x = extrapolated(w);
  OneStep step = OneStep::Zero();
  step.row(0) = x.q + w.cq * a;
  step.row(1) = x.v + w.cv * a;
  step.row(2) = a;
  step(3, 0) = step(4, 1) = 1;
  return step;
}

/// |A^N|^(1/N) for N = 2^squarings: the powers of A grow or decay by its largest eigenvalue.
double spectral_radius(OneStep step) {
  constexpr int squarings = 50;
  double log_radius = 0, power = 1;
  for (int i = 0; i <= squarings; ++i, power *= 2) {
    const double size = step.cwiseAbs().maxCoeff();
    if (size == 0) return 0;
    log_radius += std::log(size) / power;
    step /= size;
    step = (step * step).eval();
  }
  return std::exp(log_radius);
}

/// The eigenvalue next to `guess`, by inverse iteration (Golub & Van Loan, section 7.6).
std::complex<double> eigenvalue_near(const OneStep& step, std::complex<double> guess) {
  using Complex = Eigen::Matrix<std::complex<double>, 5, 5>;
  constexpr int iterations = 20;
  Complex shifted = step.cast<std::complex<double>>() - guess * Complex::Identity();
  std::array<int, 5> exchanges;
  factor_lu(5, shifted.data(), exchanges.data());
  Eigen::Matrix<std::complex<double>, 5, 1> x = Eigen::Matrix<double, 5, 1>(1, 0.3, 0.7, 0.2, 0.4);
  std::complex<double> growth = 1;
  for (int i = 0; i < iterations; ++i) {
    x /= x.norm();
    const Eigen::Matrix<std::complex<double>, 5, 1> before = x;
    solve_lu(5, shifted.data(), exchanges.data(), x.data());
    growth = before.dot(x);
  }
  return guess + 1.0 / growth;
}

}  // namespace

double scheme_acceleration(const SchemeWeights& w, double wanted, double wanted_before, double a) {
  return w.cF == 0 ? wanted : (wanted + w.cF * wanted_before - w.cMa * a) / w.cM;
}

double baumgarte(const SolveOptions& options, double h, double acceleration, double error,
                 double error_rate) {
  const double a2 = options.baumgarte_gain / h,
               a1 = options.baumgarte_rate_gain.value_or(options.baumgarte_gain) / h;
  return acceleration - 2 * a1 * error_rate - a2 * a2 * error;
}

double rigid_amplification(const SolveOptions& options) {
  const SchemeWeights w = scheme_weights(options, options.scheme, 1, 1);
  return spectral_radius(one_step(w, -extrapolated(w).q / w.cq));
}

double feedback_amplification(const SolveOptions& options) {
  const SchemeWeights w = scheme_weights(options, options.scheme, 1, 1);
  const double a2 = options.baumgarte_gain, a1 = options.baumgarte_rate_gain.value_or(a2);
  Row a;
  a << -a2 * a2, -2 * a1, w.cF == 0 ? 0 : -w.cMa / w.cM, 0, 0;
  return spectral_radius(one_step(w, a));
}

double oscillation_error(const SolveOptions& options) {
  constexpr double angle = 0.05;  // omega h, small enough for the leading term
  const SchemeWeights w = scheme_weights(options, options.scheme, 1, 1);
  Row a = -angle * angle * extrapolated(w).q;
  a[0] -= angle * angle * w.cF;
  a[2] -= w.cMa;
  a /= w.cM + angle * angle * w.cq;
  const std::complex<double> exact = std::polar(1.0, angle);
  const std::complex<double> found = eigenvalue_near(one_step(w, a), exact);
  return std::abs(std::log(found / exact)) / std::pow(angle, 1 + w.order);
}

SchemeWeights scheme_weights(const SolveOptions& options, Scheme scheme, double h,
                             double h_before) {
  switch (scheme) {
    case Scheme::backward_euler:
      return backward_euler(h);
    case Scheme::bdf2:
      return h <= bdf2_growth * h_before ? bdf2(h, h_before) : bdf2_start(h);
    case Scheme::newmark:
      return newmark(h, options.newmark_beta, options.newmark_gamma);
    case Scheme::hht: {
      const double alpha = options.hht_alpha;
      SchemeWeights w = newmark(h, (1 - alpha) * (1 - alpha) / 4, 0.5 - alpha);
      w.cM = 1 / (1 + alpha);
      w.cF = -alpha / (1 + alpha);
      return w;
    }
    case Scheme::generalized_alpha: {
      const double rho = options.rho_infinity;
      const double am = (2 * rho - 1) / (rho + 1), af = rho / (rho + 1);
      SchemeWeights w = newmark(h, (1 - am + af) * (1 - am + af) / 4, 0.5 - am + af);
      w.cM = (1 - am) / (1 - af);
      w.cMa = am / (1 - af);
      w.cF = af / (1 - af);
      return w;
    }
  }
  return {};
}

}  // namespace hawser
