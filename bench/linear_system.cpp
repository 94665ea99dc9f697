#include "bench/linear_system.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "base/clock.h"
#include "integrate/engine.h"
#include "linear/linear_solver.h"

namespace hawser {
namespace {

/// Ends a step once its system is known.
struct Seen {};

/// In place of the solver of an engine: keeps the first matrix it is to factor and the first
/// right-hand side. Every number that an assembly adds has a place of its own.
class SystemRecorder final : public LinearSolver {
 public:
  explicit SystemRecorder(const SystemStructure& structure) : structure_(structure) {
    if (!structure.symmetric || structure.scalars > 0)
      throw std::runtime_error("not a symmetric system of nodes and conditions");
    const auto block = [&](std::vector<int>& positions, int row_node, int column_node, bool lower) {
      for (int j = 0; j < node_size; ++j)
        for (int i = 0; i < node_size; ++i)
          positions.push_back(
              lower && i < j ? -1 : place(node_size * row_node + i, node_size * column_node + j));
    };
    for (int n = 0; n < structure.nodes; ++n) block(nodes_, n, n, true);
    for (const auto& [a, b] : structure.pairs) {
      block(pairs_, b, a, false);
      pairs_.insert(pairs_.end(), 36, -1);
    }
    for (const auto& [a, b] : structure.elements) {
      const auto coordinate = [nodes = std::pair(a, b)](int i) {
        return i < node_size ? node_size * nodes.first + i : node_size * (nodes.second - 1) + i;
      };
      for (int j = 0; j < 2 * node_size; ++j)
        for (int i = j; i < 2 * node_size; ++i)
          elements_.push_back(place(coordinate(i), coordinate(j)));
      elements_.insert(elements_.end(), 66, -1);
    }
    values_.assign(row_.size(), 0);
    for (const auto& e : structure.condition_entries) rows_.push_back(e.factor);
    compliance_.assign(static_cast<size_t>(structure.conditions), 0);
  }

  MatrixSink sink() override {
    MatrixSink out;
    out.values = values_.data();
    out.element_positions = elements_.data();
    out.node_positions = nodes_.data();
    out.pair_positions = pairs_.data();
    out.rows = rows_.data();
    out.compliance = compliance_.data();
    return out;
  }
  void clear() override { std::fill(values_.begin(), values_.end(), 0.0); }
  FactorStatus factor() override { return FactorStatus::ok; }
  const LinearReport& solve(std::span<double> b) override {
    b_.assign(b.begin(), b.begin() + structure_.unknowns());
    structure_.gather(b_.data());
    throw Seen();
  }
  void fixed_rows_times(std::span<const double>, std::span<double> out) const override {
    std::fill(out.begin(), out.end(), 0.0);
  }
  [[nodiscard]] const char* name() const override { return "recorder"; }
  [[nodiscard]] size_t factor_entries() const override { return 0; }

  [[nodiscard]] LinearSystem system() const;
  /// By row of the system.
  [[nodiscard]] std::vector<int> open() const;

 private:
  int place(int row, int column) {
    row_.push_back(structure_.leader(row));
    column_.push_back(structure_.leader(column));
    return static_cast<int>(row_.size()) - 1;
  }

  const SystemStructure structure_;
  std::vector<int> row_, column_;  ///< by place
  std::vector<int> nodes_, pairs_, elements_;
  std::vector<double> values_, rows_, compliance_, b_;
};

std::vector<int> SystemRecorder::open() const {
  std::vector<int> out;
  for (int u = 0; u < structure_.unknowns(); ++u)
    if (u >= structure_.coordinates() ||
        (structure_.is_unknown(u) && structure_.leader(u) == u &&
         !std::binary_search(structure_.fixed.begin(), structure_.fixed.end(), u)))
      out.push_back(u);
  return out;
}

LinearSystem SystemRecorder::system() const {
  const int n = structure_.unknowns(), coordinates = structure_.coordinates();
  std::vector<Eigen::Triplet<double>> entries;
  const auto add = [&](int row, int column, double value) {
    entries.emplace_back(row, column, value);
    if (row != column) entries.emplace_back(column, row, value);
  };
  for (size_t k = 0; k < row_.size(); ++k) add(row_[k], column_[k], values_[k]);
  for (size_t k = 0; k < rows_.size(); ++k)
    add(coordinates + structure_.condition_entries[k].row,
        structure_.condition_entries[k].coordinate, rows_[k]);
  for (int k = 0; k < structure_.conditions; ++k)
    add(coordinates + k, coordinates + k, -compliance_[static_cast<size_t>(k)]);
  Eigen::SparseMatrix<double> all(n, n);
  all.setFromTriplets(entries.begin(), entries.end());

  Eigen::VectorXd known = Eigen::VectorXd::Zero(n);
  for (const int c : structure_.fixed) known[c] = b_[static_cast<size_t>(c)];
  const Eigen::VectorXd from_known = all * known;
  const std::vector<int> rows = open();
  std::vector<int> place(static_cast<size_t>(n), -1);
  for (size_t i = 0; i < rows.size(); ++i)
    place[static_cast<size_t>(rows[i])] = static_cast<int>(i);

  LinearSystem out;
  const auto size = static_cast<Eigen::Index>(rows.size());
  out.conditions = structure_.conditions;
  out.b.resize(size);
  out.regularization.setZero(size);
  entries.clear();
  for (const int column : rows)
    for (Eigen::SparseMatrix<double>::InnerIterator it(all, column); it; ++it)
      if (place[static_cast<size_t>(it.row())] >= 0)
        entries.emplace_back(place[static_cast<size_t>(it.row())],
                             place[static_cast<size_t>(column)], it.value());
  out.matrix.resize(size, size);
  out.matrix.setFromTriplets(entries.begin(), entries.end());
  const Eigen::VectorXd diagonal = out.matrix.diagonal();
  for (Eigen::Index i = 0; i < size; ++i) {
    const int u = rows[static_cast<size_t>(i)];
    out.b[i] = b_[static_cast<size_t>(u)] - from_known[u];
    if (u < coordinates || diagonal[i] != 0) continue;
    double schur = 0;  // g diag(H)^-1 g^T
    for (Eigen::SparseMatrix<double>::InnerIterator it(out.matrix, i); it; ++it)
      if (diagonal[it.row()] > 0) schur += it.value() * it.value() / diagonal[it.row()];
    const double delta = 1e-10 * (schur > 0 ? schur : 1);
    // Rows that may repeat each other have this compliance in our solver, too (sparse_kkt.cpp).
    const auto k = static_cast<size_t>(u - coordinates);
    if (k < structure_.sharing.size() && structure_.sharing[k] != 0)
      out.matrix.coeffRef(i, i) = -delta;
    else
      out.regularization[i] = delta;
  }
  return out;
}

/// Around the solver of an engine: times the first matrix and the first right-hand side.
class Stopwatch final : public LinearSolver {
 public:
  Stopwatch(std::unique_ptr<LinearSolver> inner, const SystemStructure& structure)
      : structure_(structure), inner_(std::move(inner)) {
    cost.solver = inner_->name();
    cost.analysis =
        least_seconds([&] { make_linear_solver(structure_, LinearBackend::automatic); });
  }

  MatrixSink sink() override { return inner_->sink(); }
  void clear() override { inner_->clear(); }
  FactorStatus factor() override {
    // Chains are factored in place: the matrix is put back before each time.
    const MatrixSink at = inner_->sink();
    const std::vector<double> panels(at.panels, at.panels + panel_size * at.panel_nodes);
    const std::vector<double> values(at.values, at.values + at.value_count);
    const auto put_back = [&] {
      inner_->clear();
      std::copy(panels.begin(), panels.end(), at.panels);
      std::copy(values.begin(), values.end(), at.values);
    };
    FactorStatus status = FactorStatus::ok;
    cost.factor = -least_seconds(put_back);
    cost.factor += least_seconds([&] {
      put_back();
      status = inner_->factor();
    });
    if (status != FactorStatus::ok) throw std::runtime_error("the matrix is singular");
    return status;
  }
  const LinearReport& solve(std::span<double> b) override {
    std::vector<double> x(b.begin(), b.end());
    cost.solve = least_seconds([&] {
      std::copy(b.begin(), b.end(), x.begin());
      inner_->solve(x);
    });
    cost.x = Eigen::Map<const Eigen::VectorXd>(x.data(), structure_.unknowns());
    cost.entries = static_cast<long>(inner_->factor_entries());
    throw Seen();
  }
  void fixed_rows_times(std::span<const double> x, std::span<double> out) const override {
    inner_->fixed_rows_times(x, out);
  }
  [[nodiscard]] const char* name() const override { return inner_->name(); }
  [[nodiscard]] size_t factor_entries() const override { return inner_->factor_entries(); }

  LinearCost cost;

 private:
  const SystemStructure structure_;
  std::unique_ptr<LinearSolver> inner_;
};

/// The step that `engine` begins, up to its first solution.
void begin_step(Engine& engine, const State& from) {
  State state = from;
  engine.resume(state, {});
  try {
    engine.step(state, HUGE_VAL);
  } catch (const Seen&) {
    return;
  }
  throw std::runtime_error("the step solves nothing");
}

}  // namespace

double least_seconds(const std::function<void()>& work) {
  constexpr double window = 1e-3, budget = 0.2;  // [s]
  double least = HUGE_VAL, spent = 0;
  long times = 1;
  for (int windows = 0; windows < 20 && spent < budget;) {
    const double start = cpu_seconds();
    for (long i = 0; i < times; ++i) work();
    const double taken = cpu_seconds() - start;
    spent += taken;
    least = std::min(least, taken / static_cast<double>(times));
    if (taken < window)
      times *= 2;
    else
      ++windows;
  }
  return least;
}

double LinearSystem::residual(const Eigen::VectorXd& x) const {
  Eigen::VectorXd r = b, size = b.cwiseAbs();
  for (Eigen::Index j = 0; j < matrix.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator it(matrix, j); it; ++it) {
      r[it.row()] -= it.value() * x[j];
      size[it.row()] += std::abs(it.value() * x[j]);
    }
  const auto share = [&](Eigen::Index first, Eigen::Index count) {
    const double all = count > 0 ? size.segment(first, count).maxCoeff() : 0;
    return all > 0 ? r.segment(first, count).cwiseAbs().maxCoeff() / all : 0;
  };
  const Eigen::Index coordinates = r.size() - conditions;
  return std::max(share(0, coordinates), share(coordinates, conditions));
}

LinearSystem linear_system_of(SceneFile file, long steps) {
  file.solve.method = Method::mixed;
  file.solve.error_control = false;
  const Model model = compile(file);
  Engine engine(model, file.solve);
  State state = engine.start();
  for (long i = 0; i < steps; ++i)
    if (engine.step(state, HUGE_VAL) != Status::ok)
      throw std::runtime_error(engine.failure.message());
  const SystemStructure& structure = engine.model.structure;
  auto owned = std::make_unique<SystemRecorder>(structure);
  const SystemRecorder& recorder = *owned;
  std::unique_ptr<LinearSolver> solver = std::exchange(engine.solver, std::move(owned));
  begin_step(engine, state);
  LinearSystem out = recorder.system();
  const std::vector<int> open = recorder.open();

  auto stopwatch = std::make_unique<Stopwatch>(std::move(solver), structure);
  const Stopwatch& watched = *stopwatch;
  engine.solver = std::move(stopwatch);
  begin_step(engine, state);
  out.ours = watched.cost;
  out.ours.x = watched.cost.x(open);
  return out;
}

}  // namespace hawser
