#include "modes/flow_modes.h"

#include <Spectra/LinAlg/UpperHessenbergEigen.h>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <complex>
#include <stdexcept>

#include "elements/flow_elements.h"

namespace hawser {
namespace {

using Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;

/// What velocities add to the forces, by differences.
class ByVelocity {
 public:
  ByVelocity(const ModelData& model, const State& at, const std::vector<double>& velocities)
      : model_(model),
        state_(at),
        q_(at.q),
        v_(velocities),
        rest_(model.padded(), 0),
        assembler_(model) {}

  /// -dQ/dv over the coordinates that move.
  Sparse damping(const ModalSystem& system) {
    constexpr double step = 1e-3;
    return columns(system, [&](size_t c, double sign) {
      v_[c] += sign * step;
      VectorXd out = force(v_);
      v_[c] -= sign * step;
      return VectorXd(out / (2 * step));
    });
  }
  /// -d(Q(q, v) - Q(q, 0))/dq.
  Sparse stiffness(const ModalSystem& system) {
    constexpr double step = 1e-4;
    return columns(system, [&](size_t c, double sign) {
      const double was = q_[c];
      q_[c] += sign * step;
      VectorXd out = force(v_);
      out -= force(rest_);
      q_[c] = was;
      return VectorXd(out / (2 * step));
    });
  }

 private:
  VectorXd force(const std::vector<double>& v) {
    Wanted wanted;
    wanted.b = rest_.data();
    Configuration at(state_.now(), q_.data(), v.data(), state_.orientation.data());
    if (model_.facts.remembers) at.contacts = state_.contacts.data();
    assembler_.run(at, wanted, {});
    return Eigen::Map<const VectorXd>(assembler_.force.data(), model_.structure.coordinates());
  }
  template <class Part>
  Sparse columns(const ModalSystem& system, const Part& part) {
    const int n = system.coordinates();
    std::vector<double> unit(static_cast<size_t>(n), 1);
    system.keep_free(unit.data());
    std::vector<Eigen::Triplet<double>> entries;
    for (int c = 0; c < n; ++c) {
      if (unit[static_cast<size_t>(c)] == 0) continue;
      const VectorXd column = part(static_cast<size_t>(c), -1) - part(static_cast<size_t>(c), 1);
      for (int i = 0; i < n; ++i)
        if (column[i] != 0) entries.emplace_back(i, c, column[i]);
    }
    Sparse out(n, n);
    out.setFromTriplets(entries.begin(), entries.end());
    return out;
  }

  const ModelData& model_;
  const State& state_;
  std::vector<double> q_, v_, rest_;
  Assembler assembler_;
};

/// (x, y) -> (-(K + Kc)^-1 (C x + M y/s), s x): eigenvalues s/lambda.
struct RunningInverse {
  ModalSystem& system;
  Sparse C, Kc;
  double scale;  ///< s [rad/s]
  mutable bool solved = true;

  [[nodiscard]] Eigen::Index half() const { return system.coordinates(); }
  [[nodiscard]] Eigen::Index rows() const { return 2 * half(); }

  /// (K + Kc) x = b.
  [[nodiscard]] VectorXd stiffness_solve(const VectorXd& b) const {
    constexpr int most = 2000;
    constexpr double small = 1e-13;
    VectorXd x = VectorXd::Zero(half()), next(half()), right(half());
    for (int i = 0; i < most; ++i) {
      right = b - Kc * x;
      if (!system.solve(right.data(), next.data())) break;
      const double change = (next - x).norm(), size = next.norm();
      x.swap(next);
      if (!std::isfinite(size)) break;
      if (change <= small * size) return x;
    }
    solved = false;
    return VectorXd::Zero(half());
  }
  [[nodiscard]] VectorXd times(const VectorXd& in) const {
    const VectorXd x = in.head(half()), y = in.tail(half());
    VectorXd My(half()), out(rows());
    system.mass_times(y.data(), My.data());
    out.head(half()) = stiffness_solve(-scale * (C * x) - My);
    out.tail(half()) = scale * scale * x;
    return out;
  }
};

/// Krylov's space of two vectors: straight cables swing alike in two directions.
struct KrylovSpace {
  Eigen::MatrixXd V, H;  ///< orthonormal columns; V^T A V

  KrylovSpace(const RunningInverse& A, int size) {
    constexpr double rounding_of_space = 1e-11;
    V.setZero(A.rows(), size);
    H.setZero(size, size);
    int known = 0;
    const auto add = [&](VectorXd w, int column) {
      const double whole = w.norm();
      for (int again = 0; again < 2; ++again)  // twice is enough
        for (int i = 0; i < known; ++i) {
          const double part = V.col(i).dot(w);
          if (column >= 0) H(i, column) += part;
          w -= part * V.col(i);
        }
      const double rest = w.norm();
      if (known == size || !(rest > rounding_of_space * whole)) return;
      if (column >= 0) H(known, column) = rest;
      V.col(known++) = w / rest;
    };
    for (const double phase : {0.3, 1.7}) {
      VectorXd start = VectorXd::Zero(A.rows());
      for (Eigen::Index i = 0; i < A.half(); ++i)
        start[i] = std::sin(phase + 2.3 * static_cast<double>(i));
      A.system.keep_free(start.data());
      add(A.times(start), -1);
    }
    int column = 0;
    for (; column < known && A.solved; ++column) add(A.times(V.col(column)), column);
    V.conservativeResize(Eigen::NoChange, known);
    H.conservativeResize(known, known);
  }
};

/// Eigenvalues and vectors of a matrix. Eigen's solver would do this alone, but takes a quarter of
/// a minute to compile.
struct RitzPairs {
  Eigen::VectorXcd values;
  Eigen::MatrixXd real, imag;  ///< of the vectors, by column
  bool found = false;

  explicit RitzPairs(Eigen::MatrixXd H) {
    if (H.rows() == 0) return;
    const Eigen::MatrixXd Q = to_hessenberg(H);
    try {
      Spectra::UpperHessenbergEigen<double> solver(H);
      values = solver.eigenvalues();
      const Eigen::MatrixXcd reduced = solver.eigenvectors();
      real = reduced.real(), imag = reduced.imag();
      for (Eigen::MatrixXd* part : {&real, &imag})
        for (Eigen::Index i = 0; i < part->cols(); ++i) {
          const VectorXd column = part->col(i);
          part->col(i) = Q * column;
        }
      found = true;
    } catch (const std::runtime_error&) {  // the iteration did not converge
    }
  }

 private:
  /// H <- Q^T H Q with zeros below the first subdiagonal, by reflections; returns Q. Golub & Van
  /// Loan 2013, algorithm 7.4.2.
  static Eigen::MatrixXd to_hessenberg(Eigen::MatrixXd& H) {
    const Eigen::Index n = H.rows();
    Eigen::MatrixXd Q = Eigen::MatrixXd::Identity(n, n);
    for (Eigen::Index k = 0; k + 2 < n; ++k) {
      const Eigen::Index rest = n - k - 1;
      VectorXd u = H.col(k).tail(rest);
      u[0] += u[0] < 0 ? -u.norm() : u.norm();
      const double size = u.squaredNorm() / 2;
      if (!(size > 0)) continue;
      for (Eigen::Index j = k; j < n; ++j)
        H.col(j).tail(rest) -= (u.dot(H.col(j).tail(rest)) / size) * u;
      for (Eigen::MatrixXd* by : {&H, &Q}) {
        const VectorXd w = by->rightCols(rest) * u / size;
        for (Eigen::Index j = 0; j < rest; ++j) by->col(k + 1 + j) -= u[j] * w;
      }
      H.col(k).tail(rest - 1).setZero();
    }
    return Q;
  }
};

/// The real shape of a complex one: turned so that most of its kinetic energy is in its real part.
VectorXd real_shape(const ModalSystem& system, const VectorXd& a, const VectorXd& b) {
  VectorXd Ma(a.size()), Mb(a.size());
  system.mass_times(a.data(), Ma.data());
  system.mass_times(b.data(), Mb.data());
  const double angle = -std::atan2(2 * a.dot(Mb), a.dot(Ma) - b.dot(Mb)) / 2;
  VectorXd x = std::cos(angle) * a - std::sin(angle) * b, Mx(a.size());
  system.mass_times(x.data(), Mx.data());
  return x / std::sqrt(x.dot(Mx));
}

}  // namespace

std::vector<double> steady_flow(const ModelData& model, const State& at) {
  std::vector<double> out(model.padded(), 0);
  bool any = false;
  for (const HandOver& h : model.hand_overs) {
    const auto c = static_cast<size_t>(h.cable);
    const Cable& cable = model.scene.cables[c];
    if (h.kind != HandOver::Kind::supply || cable.mesh != FlowMesh::running) continue;
    const double rate =
        -(cable.drive.kind == Drive::Kind::velocity ? cable.drive.value.at(at.now()).value
                                                    : cable.payout.at(at.now()).rate);
    if (rate == 0) continue;
    any = true;
    for (const HandOver& other : model.hand_overs)
      if (other.cable == h.cable) {
        for (const int scalar : {other.scalar, other.leaving})
          out[static_cast<size_t>(model.structure.scalar(scalar))] = rate;
        if (other.wheel < 0) continue;
        const WinchData& wheel = model.mechanism.wheels[static_cast<size_t>(other.wheel)];
        out[static_cast<size_t>(wheel.coordinate())] = -rate / wheel.radius;
      }
    const CableSpan& span = model.cables[c];
    for (int i = span.first_run; i < span.first_run + span.runs; ++i) {
      const auto& part = static_cast<const FlowElements&>(*model.terms[static_cast<size_t>(i)]);
      for (int node = 0; part.run.flows && node <= part.run.elements; ++node)
        for (int k = 0; k < 3; ++k) {  // r. = p. g less what the material runs with
          const auto r = static_cast<size_t>(node_size * (part.run.first_node + node) + k);
          out[r] = (part.rate(out.data(), node) - rate) * at.q[r + 3];
        }
    }
  }
  if (!any) out.clear();
  return out;
}

ModeSearch search_running_modes(ModalSystem& system, const ModelData& model, const State& at,
                                const std::vector<double>& velocities, int count) {
  constexpr double settled = 1e-8;  // residual of an eigenvalue
  ModeSearch out;
  const ModeSearch still = search_modes(system, 1, {});
  out.solved =
      still.solved && !still.modes.empty() && still.modes[0].omega_squared > 0 && system.factor(0);
  if (!out.solved) return out;
  ByVelocity forces(model, at, velocities);
  RunningInverse inverse{system, forces.damping(system), forces.stiffness(system),
                         std::sqrt(still.modes[0].omega_squared)};
  const KrylovSpace space(inverse, std::min(2 * system.motions(), 12 * count + 40));
  const RitzPairs ritz(space.H);
  out.solved = inverse.solved && ritz.found;
  if (!out.solved) return out;
  out.complete = true;
  std::vector<Eigen::Index> order(static_cast<size_t>(space.H.rows()));
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Eigen::Index>(i);
  std::sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) {
    return std::abs(ritz.values[a]) > std::abs(ritz.values[b]);
  });
  for (const Eigen::Index i : order) {
    if (static_cast<int>(out.modes.size()) == count) break;
    const std::complex<double> value = ritz.values[i];
    if (value.imag() > 0 || (value.imag() == 0 && value.real() < 0)) continue;
    const VectorXd re = space.V * ritz.real.col(i), im = space.V * ritz.imag.col(i);
    const double a = value.real(), b = value.imag();
    const double left = std::hypot((inverse.times(re) - a * re + b * im).norm(),
                                   (inverse.times(im) - b * re - a * im).norm());
    if (!(left <= settled * std::abs(value) * std::hypot(re.norm(), im.norm()))) {
      out.complete = false;
      continue;
    }
    FoundMode mode;
    mode.lambda = inverse.scale / value;
    mode.omega_squared = value.imag() == 0 ? -std::norm(*mode.lambda) : std::norm(*mode.lambda);
    mode.shape = real_shape(system, re.head(inverse.half()), im.head(inverse.half()));
    mode.multipliers.assign(model.rows.size(), 0);
    out.modes.push_back(std::move(mode));
  }
  std::sort(out.modes.begin(), out.modes.end(), [](const FoundMode& a, const FoundMode& b) {
    return a.omega_squared < b.omega_squared;
  });
  return out;
}

}  // namespace hawser
