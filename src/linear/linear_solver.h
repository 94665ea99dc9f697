// The linear system of a step, behind one interface:
//
//     [ H   G^T ] [ x      ]   [ r ]      H = wM M + wK K over all coordinates (DofMap),
//     [ G   -E  ] [ lambda ] = [ c ]      G the rows of conditions and constraints,
//                                         E = diag(compliance) >= 0
//
// Coordinates on the `fixed` list are eliminated: their x is known before the solve. Analyze once
// (construction), then for every new matrix: clear, let the assembler write through the sink,
// factor, solve as often as needed. Rows and compliance stay until they are written anew; where
// they alone change, factor again without clear.
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/aligned.h"
#include "base/workers.h"
#include "hawser/options.h"
#include "linear/sink.h"
#include "linear/structure.h"

namespace hawser {

enum class FactorStatus { ok, singular, not_finite };

/// How the last factorization and solution went.
struct LinearReport {
  FactorStatus status = FactorStatus::ok;
  double smallest_pivot = 0;  ///< by size, relative to the largest
  int negative_pivots = 0;    ///< of H alone (the conditions' own are not counted)
  int pivot_node = -1;        ///< node of the smallest pivot, -1 when unknown
  double residual = 0;        ///< max |b - A x| / max |b| of the last solve, where checked, else -1
  bool used_lu = false;       ///< the general LU stood in for the symmetric factorization
};

/// A coordinate that a row holds (node_rows.h).
struct HeldForce {
  int coordinate = 0;
  double force = 0;  ///< r
  double value = 0;  ///< of x where all others are zero
};

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;
  virtual MatrixSink sink() = 0;
  /// Ready for a new matrix.
  virtual void clear() = 0;
  virtual FactorStatus factor() = 0;
  /// b -> solution, in place, and how it went; size at least unknowns(). On entry b holds r at the
  /// free coordinates (on followers, it adds to that of their leaders), the known x at the fixed
  /// ones, then c; on return x everywhere, then lambda.
  virtual const LinearReport& solve(std::span<double> b) = 0;
  /// The parts of solve(), for those who add a border: x = up(middle(down(b))), and
  /// y . A^-1 b = down(y) . middle(down(b)). A vector that is zero outside of a range is zero
  /// outside of reach(range) after down(), and middle() need not look further. Here all is in the
  /// middle.
  [[nodiscard]] virtual CoordinateRange reach(CoordinateRange /*of*/) const {
    return {0, std::numeric_limits<int>::max()};
  }
  virtual void down(std::span<double> /*b*/, CoordinateRange /*reach*/) {}
  virtual const LinearReport& middle(std::span<double> b, CoordinateRange /*reach*/) {
    return solve(b);
  }
  /// down() of a column of the border, which is zero at what is known: nothing of it is remembered.
  virtual void down_column(std::span<double> b, CoordinateRange reach) { down(b, reach); }
  /// middle() of one; it need not be checked where solutions with the same factors are.
  virtual const LinearReport& middle_column(std::span<double> b, CoordinateRange reach) {
    return middle(b, reach);
  }
  virtual void up(std::span<double> /*x*/) {}
  /// Of the last down(): forces from which up() finds multipliers, and values that x has beside
  /// what middle() leaves. Those who add a border take its part from both.
  virtual std::span<HeldForce> held_forces() { return {}; }
  /// Does at once what solve() does when the symmetric factorization fails it: goes on with an LU.
  virtual void change_to_lu() {}
  /// The rows of H that elimination took away, times x: out[i] = (H x) at fixed[i].
  virtual void fixed_rows_times(std::span<const double> x, std::span<double> out) const = 0;
  [[nodiscard]] virtual const char* name() const = 0;
  /// Numbers kept of L, the diagonal of ones left out: what an order of elimination costs.
  [[nodiscard]] virtual size_t factor_entries() const = 0;
  /// Multiplications of a factorization that several workers can share; 0: none.
  [[nodiscard]] virtual double shared_work() const { return 0; }
  /// Work is shared by these from now on; the numbers do not change by it.
  virtual void use(Workers& workers) { workers_ = &workers; }
  [[nodiscard]] const LinearReport& report() const { return report_; }

  /// An LU counts as singular when it cannot solve for a rough right-hand side. False: it is taken
  /// as it is, for those that ask little of directions without stiffness.
  bool probing = true;
  /// Whether LinearReport::negative_pivots are asked for; steps do not.
  bool counting = true;

 protected:
  LinearReport report_;
  Workers* workers_ = &one_worker();
};

/// The chain solver where the structure allows it; else the sparse one, chains eliminated from it
/// where that is possible; with a border around it where there are scalars. A choice that cannot be
/// honoured throws.
std::unique_ptr<LinearSolver> make_linear_solver(const SystemStructure& structure,
                                                 LinearBackend choice);

}  // namespace hawser
