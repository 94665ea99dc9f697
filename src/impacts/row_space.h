// What compliant rows do to each other for the short while of an impact, everything else held as it
// is:
//
//     y'' = b + W lambda,   lambda = -(y + tau y')/eps (one-sided rows: not below 0),
//     W = G M^-1 G^T
//
// M with the rigid rows, so that a block on a pin has the mass of what hangs from it. The fastest
// oscillation is the root of the largest eigenvalue of W diag(1/eps).
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace hawser {

class RowSpace {
 public:
  /// Rows that it holds at most; more are left out.
  static constexpr size_t most = 32;

  void reserve(size_t rows);
  void clear() { size_ = 0; }
  [[nodiscard]] size_t size() const { return size_; }
  [[nodiscard]] bool full() const { return size_ == rows_.size(); }

  struct Row {
    size_t row = 0;  ///< of the mechanism
    bool one_sided = true;
    double y = 0, rate = 0;  ///< Phi [m], its rate [m/s]
    double compliance = 0;   ///< [m/N]
    double viscosity = 0;    ///< over stiffness [s]
    double free = 0;         ///< b: second rate of Phi without forces of these rows [m/s^2]
    double force = 0;        ///< lambda [N]
    double peak = 0;         ///< largest lambda of the impact [N]
    double speed = 0;        ///< at take-up [m/s]
    bool acts = false;
  };
  void add(const Row& row) { rows_[size_++] = row; }
  [[nodiscard]] Row& row(size_t i) { return rows_[i]; }
  [[nodiscard]] const Row& row(size_t i) const { return rows_[i]; }
  [[nodiscard]] double& W(size_t i, size_t j) { return W_[i * rows_.size() + j]; }
  [[nodiscard]] double W(size_t i, size_t j) const { return W_[i * rows_.size() + j]; }

  /// Oscillation of one row with all others slack [rad/s].
  [[nodiscard]] double own(size_t i) const;
  /// The same, or the decay of what is damped above critical, if that is quicker [rad/s].
  [[nodiscard]] double quickest(size_t i) const {
    return std::max(own(i), own(i) * own(i) * rows_[i].viscosity);
  }
  /// Fastest oscillation of the rows that act together [rad/s].
  [[nodiscard]] double fastest() const;
  /// Into Row::peak: of impacts that begin within a step [s].
  void find_peaks(double step);

  /// What the rows that act do together: oscillations with the row forces that go with them.
  /// `speed` by row: what its rate has jumped by [m/s]; it is balanced but for that.
  struct Excited {
    double fastest = 0, slowest = 0;  ///< of those that matter [rad/s]; 0: none does
    std::array<double, most> rise{};  ///< by row: largest change of its force [N]
  };
  /// Those faster than `omega` [rad/s] that change a force by more than `force` [N].
  [[nodiscard]] Excited excited(const std::array<double, most>& speed, double omega,
                                double force) const;

 private:
  using Values = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, most, 1>;
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, most, most>;
  /// Rows of a kind, and D^(1/2) W D^(1/2) of them, D = diag(1/eps).
  struct Scaled {
    std::array<size_t, most> rows{};
    Matrix A;
  };
  [[nodiscard]] Scaled scaled(bool acting_only) const;
  [[nodiscard]] Values eigenvalues(bool acting_only) const;
  [[nodiscard]] double slowest() const;
  void evaluate();
  void implicit_half(double dt);
  void advance(double dt);

  size_t size_ = 0;
  std::vector<Row> rows_;
  std::vector<double> W_;
  std::vector<double> z_;  ///< by row: second rate [m/s^2]
};

}  // namespace hawser
