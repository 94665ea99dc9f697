#include "modes/mode_search.h"

#include <Spectra/SymGEigsShiftSolver.h>
#include <algorithm>
#include <cmath>
#include <exception>

namespace hawser {
namespace {

constexpr double search_tolerance = 1e-10;  ///< of the residual, by the eigenvalue of the operator
constexpr int most_rounds = 6;              ///< of looking for what is missing
constexpr int most_restarts = 300;
constexpr double margin = 1e-6;  ///< modes nearer to the end of a range than this do not count
/// s of the lowest modes by the scale, where nothing is free.
constexpr double first_part = 1e-9;
/// Where something is, it is looked for from this part of the scale up...
constexpr double lowest_part = 1e-13;
/// ...to within 10^(13/2^halvings) of the last mode wanted.
constexpr int halvings = 5;

/// M by the whole mass: with it vectors of norm 1 have entries of order 1, as Spectra's bounds ask.
/// It is definite: what does not move counts as well, or it would grow without bound where the
/// vectors are more than the motions.
struct MassOperator {
  using Scalar = double;
  const ModalSystem& system;
  double mass;

  [[nodiscard]] Eigen::Index rows() const { return system.coordinates(); }
  [[nodiscard]] Eigen::Index cols() const { return rows(); }
  void perform_op(const double* x, double* y) const {
    system.mass_times(x, y);
    Eigen::Map<Eigen::VectorXd>(y, rows()) /= mass;
    for (const int c : system.weightless()) y[c] += x[c];
  }
};

/// mass * size * (K - sigma M)^-1 without the modes found, so that the largest eigenvalue of its
/// product with the other is of order 1.
struct InverseOperator {
  using Scalar = double;
  ModalSystem& system;
  double mass;
  double size;
  Eigen::MatrixXd found, found_mass;  ///< shapes x, and M x
  bool solved = true;

  [[nodiscard]] Eigen::Index rows() const { return system.coordinates(); }
  [[nodiscard]] Eigen::Index cols() const { return rows(); }
  void set_shift(double /*sigma*/) {}  // it is factored
  void perform_op(const double* b, double* x) {
    Eigen::Map<Eigen::VectorXd> out(x, rows());
    if (solved) solved = system.solve(b, x);
    if (!solved) out.setZero();
    out *= mass * size;
    out -= found * (found_mass.transpose() * out);
  }
};

using Lanczos =
    Spectra::SymGEigsShiftSolver<InverseOperator, MassOperator, Spectra::GEigsMode::ShiftInvert>;

double norm(const MassOperator& M, const Eigen::VectorXd& x) {
  Eigen::VectorXd product(x.size());
  M.perform_op(x.data(), product.data());
  return std::sqrt(x.dot(product));
}

/// Of |omega^2 - sigma| nearest to zero, roughly: by three steps of inverse iteration.
double nearest_size(const MassOperator& M, InverseOperator& inverse) {
  Eigen::VectorXd x(M.rows()), product(M.rows());
  for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = 1.5 + std::sin(static_cast<double>(i));
  double size = 1;
  for (int k = 0; k < 4; ++k) {
    x /= norm(M, x);
    M.perform_op(x.data(), product.data());
    inverse.perform_op(product.data(), x.data());
    size = norm(M, x);
  }
  return size > 0 ? 1 / size : 1;
}

double whole_mass(const ModalSystem& system) {
  Eigen::VectorXd x = Eigen::VectorXd::Zero(system.coordinates()), product(x.size());
  for (Eigen::Index i = 0; i < system.node_coordinates(); i += node_size) x[i] = 1;
  system.mass_times(x.data(), product.data());
  return x.dot(product);
}

/// The rows' forces come with the solution for M x, which is x/(omega^2 - sigma).
void add_multipliers(ModalSystem& system, double sigma, FoundMode& mode) {
  Eigen::VectorXd product(mode.shape.size());
  system.mass_times(mode.shape.data(), product.data());
  const Eigen::VectorXd b = product;
  system.solve(b.data(), product.data());
  for (const double mu : system.multipliers())
    mode.multipliers.push_back((mode.omega_squared - sigma) * mu);
}

/// Adds up to `count` modes nearest to the shift that are not among those found.
void add_modes(ModalSystem& system, int count, ModeSearch& search) {
  const double mass = whole_mass(system);
  const MassOperator M{system, mass};
  InverseOperator inverse{system, mass, 1, {}, {}};
  const auto have = static_cast<Eigen::Index>(search.modes.size());
  inverse.found.resize(system.coordinates(), have);
  inverse.found_mass.resize(system.coordinates(), have);
  for (Eigen::Index i = 0; i < have; ++i) {
    inverse.found.col(i) = search.modes[static_cast<size_t>(i)].shape;
    system.mass_times(inverse.found.col(i).data(), inverse.found_mass.col(i).data());
  }
  inverse.size = nearest_size(M, inverse);
  const Eigen::Index wanted = std::min<Eigen::Index>(count, M.rows() - 1);
  const Eigen::Index basis = std::min(M.rows(), std::max<Eigen::Index>(2 * wanted + 10, 30));
  MassOperator B = M;
  Lanczos lanczos(inverse, B, wanted, basis, 0.0);
  // Beside flows over pulleys M is singular where the rows hold the nodes: if vectors are wanted
  // for all motions, rounding may make one of them without mass.
  try {
    lanczos.init();
    lanczos.compute(Spectra::SortRule::LargestMagn, most_restarts, search_tolerance,
                    Spectra::SortRule::SmallestAlge);
    search.solved = inverse.solved;
  } catch (const std::exception&) {
    search.solved = false;
  }
  if (!inverse.solved) return;
  const Eigen::VectorXd values = lanczos.eigenvalues();
  const Eigen::MatrixXd shapes = lanczos.eigenvectors();
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    const double omega_squared = search.shift + inverse.size * values[i];
    if (!std::isfinite(omega_squared) || std::abs(omega_squared) > 1e4 * system.scale()) continue;
    search.modes.push_back({omega_squared, shapes.col(i) / std::sqrt(mass), {}, {}});
    add_multipliers(system, search.shift, search.modes.back());
  }
}

/// Whether K + s M, which is factored, has a mode with omega^2 of the size of s or below.
bool something_free(ModalSystem& system, double s) {
  const double mass = whole_mass(system);
  InverseOperator inverse{system, mass, 1, {}, {}};
  inverse.found.resize(system.coordinates(), 0);
  inverse.found_mass.resize(system.coordinates(), 0);
  return nearest_size({system, mass}, inverse) < 4 * s;
}

/// -s with s > 0 such that K + s M is positive definite. Where something is free (omega = 0), of
/// the size of the last mode wanted: then both are of one size in the operator. With joints and
/// massless cables too, for rows that may repeat each other yield by what H gives way.
double shift_of_lowest(ModalSystem& system, int count) {
  const auto definite = [&](double s) {
    while (s < 1e3 * system.scale() && system.below(-s).value_or(1) != 0) s *= 100;
    return s;
  };
  if (system.rows().constant()) {
    const double first = first_part * system.scale(), s = definite(first);
    if (s > first || !something_free(system, s)) return -s;
  }
  double low = std::log10(lowest_part * system.scale()), high = std::log10(system.scale());
  for (int i = 0; i < halvings; ++i) {
    const double middle = (low + high) / 2;
    const std::optional<int> below = system.below(std::pow(10, middle));
    (below && *below >= count ? high : low) = middle;
  }
  return -definite(std::pow(10, low));
}

/// sigma, moved off a mode that it may have hit.
double shift_near(ModalSystem& system, double sigma) {
  const double tiny = lowest_part * system.scale();
  for (double moved = sigma + tiny, by = 1e-8; by < 1e-2; by *= 10) {
    if (system.factor(moved)) return moved;
    moved = sigma + by * (sigma + tiny);
  }
  return sigma * 1.01;
}

/// How many modes of the range that the first `count` span were not found; none: cannot be told.
std::optional<int> missing(ModalSystem& system, const ModeSearch& search, size_t count,
                           bool lowest) {
  if (search.modes.size() < count) return static_cast<int>(count - search.modes.size());
  double reach = 0;
  for (size_t i = 0; i < count; ++i)
    reach = std::max(reach, std::abs(search.modes[i].omega_squared - search.shift));
  const double low = search.shift - reach * (1 - margin),
               high = search.shift + reach * (1 - margin);
  const std::optional<int> to_high = system.below(high);
  const std::optional<int> to_low = lowest ? std::optional<int>(0) : system.below(low);
  if (!to_high || !to_low) return std::nullopt;
  const auto inside =
      std::count_if(search.modes.begin(), search.modes.end(), [&](const FoundMode& m) {
        return (lowest || m.omega_squared > low) && m.omega_squared < high;
      });
  return std::max(0, *to_high - *to_low - static_cast<int>(inside));
}

}  // namespace

ModeSearch search_modes(ModalSystem& system, int count, std::optional<double> near) {
  ModeSearch search;
  search.shift = near ? shift_near(system, *near) : shift_of_lowest(system, count);
  const auto wanted = static_cast<size_t>(count);
  const auto distance = [&](const FoundMode& m) {
    return std::abs(m.omega_squared - search.shift);
  };
  std::optional<int> lacking = count;
  for (int round = 0; round < most_rounds && lacking.value_or(0) > 0; ++round) {
    if (!system.factor(search.shift)) search.solved = false;
    if (search.solved) add_modes(system, *lacking, search);
    if (!search.solved) return search;
    std::sort(search.modes.begin(), search.modes.end(),
              [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
    lacking = missing(system, search, wanted, !near);
  }
  search.complete = lacking == 0;
  if (search.modes.size() > wanted) search.modes.resize(wanted);
  std::sort(search.modes.begin(), search.modes.end(),
            [](const auto& a, const auto& b) { return a.omega_squared < b.omega_squared; });
  return search;
}

}  // namespace hawser
