// Laws of damping from free decays.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fit/law_parameters.h"
#include "fit/least_squares.h"
#include "fit/oscillation.h"
#include "hawser/error.h"
#include "sections/viscosity.h"

namespace hawser {
namespace {

using Complex = std::complex<double>;
constexpr Eigen::Index own_numbers = 4;  ///< numbers of each decay: log omega0, a, b, offset

/// d factor/ds.
Complex factor_slope(const Damping& d, Complex s) {
  Complex out = d.viscosity;
  for (const Relaxation& r : d.relaxations) {
    const Complex q = 1.0 + s * r.time;
    out += r.share * r.time / (q * q);
  }
  if (d.fractional.tau > 0)
    out += d.fractional.tau * d.fractional.order * std::pow(s, d.fractional.order - 1);
  return out;
}

/// The root of lambda^2 + omega0^2 factor(lambda) above the real axis, by Newton from `near`; not
/// finite where there is none.
Complex complex_frequency(const Damping& law, double omega0, Complex near) {
  Complex s = near;
  for (int i = 0; i < 60; ++i) {
    const Complex f = s * s + omega0 * omega0 * complex_factor(law, s);
    const Complex step = f / (2.0 * s + omega0 * omega0 * factor_slope(law, s));
    s -= step;
    if (std::abs(step) < 1e-14 * std::abs(s)) break;
  }
  const Complex f = s * s + omega0 * omega0 * complex_factor(law, s);
  if (!(s.imag() > 0) || !(std::abs(f) < 1e-9 * std::norm(s))) return {NAN, NAN};
  return s;
}

/// All decays under one law.
class DecayFit {
 public:
  DecayFit(const std::vector<Decay>& decays, const FitOptions& options)
      : decays_(decays), law_(options) {
    for (const Decay& d : decays) found_.push_back(find_oscillation(d));
    for (const Decay& d : decays) rows_ += static_cast<Eigen::Index>(d.time.size());
  }

  [[nodiscard]] DampingFit run() const {
    require_enough();
    const Residuals residuals = [this](const Eigen::VectorXd& p, Eigen::VectorXd& r) {
      Eigen::Index row = 0;
      for (size_t k = 0; k < decays_.size(); ++k) {
        const Oscillation o = oscillation(p, k);
        const Decay& d = decays_[k];
        for (size_t i = 0; i < d.time.size(); ++i)
          r(row++) = (o.at(d.time[i] - d.time.front()) - d.value[i]) / scale(k);
      }
    };
    const LeastSquares minimum = least_squares(residuals, rows_, start());
    if (!minimum.converged)
      throw Error(decays_.front().name, "decays that this law cannot fit",
                  "decays of one section with one law", "Try another law (--law) or more terms.");
    DampingFit fit;
    fit.damping = law_.damping(minimum.parameters);
    report(minimum, transforms(), law_.count(), fit);
    for (size_t k = 0; k < decays_.size(); ++k) {
      const Oscillation o = oscillation(minimum.parameters, k);
      fit.fitted.emplace_back();
      for (const double t : decays_[k].time)
        fit.fitted.back().push_back(o.at(t - decays_[k].time.front()));
    }
    if (decays_.size() == 1) fit.residual *= scale(0);
    return fit;
  }

 private:
  /// Each decay tells how fast it decays, which is one number about the law; its frequency goes
  /// into omega0.
  void require_enough() const {
    std::vector<double> frequencies;
    for (const Oscillation& o : found_) frequencies.push_back(o.lambda.imag());
    std::sort(frequencies.begin(), frequencies.end());
    Eigen::Index n = 1;
    for (size_t k = 1; k < frequencies.size(); ++k)
      if (frequencies[k] > 1.05 * frequencies[k - 1]) ++n;
    if (n >= law_.count()) return;
    std::string names;
    for (const Transform& t : law_.transforms()) names += (names.empty() ? "" : ", ") + t.name;
    throw Error(decays_.front().name,
                fmt::format("decays of {} {} for the {} parameters {}", n,
                            n == 1 ? "frequency" : "frequencies", law_.count(), names),
                "as many frequencies, at least 5 % apart, as parameters: each determines one",
                "Use more files, fix the order (--order) or the times (--times), or fit "
                "kelvin-voigt.");
  }

  /// By what residuals of a decay are divided: amplitudes of different files weigh the same.
  [[nodiscard]] double scale(size_t k) const { return std::hypot(found_[k].a, found_[k].b); }

  [[nodiscard]] Eigen::Index first_of(size_t k) const {
    return law_.count() + own_numbers * static_cast<Eigen::Index>(k);
  }

  [[nodiscard]] Oscillation oscillation(const Eigen::VectorXd& p, size_t k) const {
    const Eigen::Index i = first_of(k);
    Oscillation o;
    o.lambda = complex_frequency(law_.damping(p), std::exp(p(i)), found_[k].lambda);
    o.a = p(i + 1), o.b = p(i + 2), o.offset = p(i + 3);
    return o;
  }

  [[nodiscard]] Eigen::VectorXd start() const {
    std::vector<Complex> lambdas;
    std::vector<double> angles;
    for (const Oscillation& o : found_) {
      lambdas.push_back(o.lambda);
      angles.push_back(std::arg(-o.lambda * o.lambda));  // that of the factor, whatever omega0
    }
    Eigen::VectorXd p(law_.count() + own_numbers * static_cast<Eigen::Index>(decays_.size()));
    p.head(law_.count()) = law_.start(lambdas, angles);
    const Damping law = law_.damping(p);
    for (size_t k = 0; k < found_.size(); ++k) {
      const Oscillation& o = found_[k];
      const double omega0 = std::abs(o.lambda) / std::sqrt(std::abs(complex_factor(law, o.lambda)));
      p.segment(first_of(k), own_numbers) << std::log(omega0), o.a, o.b, o.offset;
    }
    return p;
  }

  [[nodiscard]] std::vector<Transform> transforms() const {
    std::vector<Transform> out = law_.transforms();
    for (size_t k = 0; k < decays_.size(); ++k) {
      const std::string of = decays_.size() == 1 ? "" : fmt::format(" {}", k + 1);
      using Kind = Transform::Kind;
      out.push_back({"omega0" + of, "rad/s", Kind::log});
      out.push_back({"cosine" + of, decays_[k].unit, Kind::plain});
      out.push_back({"sine" + of, decays_[k].unit, Kind::plain});
      out.push_back({"offset" + of, decays_[k].unit, Kind::plain});
    }
    return out;
  }

  const std::vector<Decay>& decays_;
  LawParameters law_;
  std::vector<Oscillation> found_;
  Eigen::Index rows_ = 0;
};

}  // namespace

DampingFit fit_decays(const std::vector<Decay>& decays, const FitOptions& options) {
  if (decays.empty()) throw Error("fit", "no decay", "one or more");
  return DecayFit(decays, options).run();
}

}  // namespace hawser
