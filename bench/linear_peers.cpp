#include "bench/linear_peers.h"

#include <dlfcn.h>

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCholesky>
#include <vector>

#include "program_path.h"

namespace hawser {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Permutation = Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int>;

/// The matrix with what a factorization without pivoting needs on its diagonal.
Sparse regularized(const LinearSystem& s) {
  Sparse out = s.matrix;
  for (Eigen::Index i = 0; i < out.outerSize(); ++i) out.coeffRef(i, i) -= s.regularization[i];
  out.makeCompressed();
  return out;
}

/// The functions of QDLDL, with indices of int.
struct Qdldl {
  int (*etree)(int n, const int* Ap, const int* Ai, int* work, int* Lnz, int* tree) = nullptr;
  int (*factor)(int n, const int* Ap, const int* Ai, const double* Ax, int* Lp, int* Li, double* Lx,
                double* D, double* Dinv, const int* Lnz, const int* tree, unsigned char* bwork,
                int* iwork, double* fwork) = nullptr;
  void (*solve)(int n, const int* Lp, const int* Li, const double* Lx, const double* Dinv,
                double* x) = nullptr;
  std::string missing;  ///< why it is not there
};

const Qdldl& qdldl() {
  static const Qdldl loaded = [] {
    Qdldl out;
    const std::string path = (program_folder() / "qdldl/libqdldl.so").string();
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      out.missing = "not measured: bench/fetch-qdldl.sh fetches it";
      return out;
    }
    out.etree = reinterpret_cast<decltype(out.etree)>(dlsym(library, "QDLDL_etree"));
    out.factor = reinterpret_cast<decltype(out.factor)>(dlsym(library, "QDLDL_factor"));
    out.solve = reinterpret_cast<decltype(out.solve)>(dlsym(library, "QDLDL_solve"));
    if (out.etree == nullptr || out.factor == nullptr || out.solve == nullptr)
      out.missing = path + " lacks a function";
    return out;
  }();
  return loaded;
}

/// A matrix in its order of elimination, and the storage of its factors.
struct QdldlFactors {
  Permutation order;
  Sparse upper;
  std::vector<int> tree, Lnz, Lp, Li, iwork;
  std::vector<double> Lx, D, Dinv, fwork;
  std::vector<unsigned char> bwork;

  explicit QdldlFactors(const Sparse& full) {
    const auto n = static_cast<size_t>(full.rows());
    Eigen::AMDOrdering<int>()(full, order);
    Sparse permuted(full.rows(), full.cols());
    permuted = full.twistedBy(order.inverse());
    upper = permuted.triangularView<Eigen::Upper>();
    tree.resize(n), Lnz.resize(n), Lp.resize(n + 1), iwork.resize(3 * n);
    D.resize(n), Dinv.resize(n), fwork.resize(n), bwork.resize(n);
    const int entries = qdldl().etree(rows(), upper.outerIndexPtr(), upper.innerIndexPtr(),
                                      iwork.data(), Lnz.data(), tree.data());
    Li.resize(static_cast<size_t>(entries)), Lx.resize(Li.size());
  }
  [[nodiscard]] int rows() const { return static_cast<int>(upper.rows()); }
  /// False where a pivot is zero.
  bool factor() {
    return qdldl().factor(rows(), upper.outerIndexPtr(), upper.innerIndexPtr(), upper.valuePtr(),
                          Lp.data(), Li.data(), Lx.data(), D.data(), Dinv.data(), Lnz.data(),
                          tree.data(), bwork.data(), iwork.data(), fwork.data()) >= 0;
  }
  void solve(const Eigen::VectorXd& b, Eigen::VectorXd& scratch, Eigen::VectorXd& x) const {
    scratch = order.inverse() * b;
    qdldl().solve(rows(), Lp.data(), Li.data(), Lx.data(), Dinv.data(), scratch.data());
    x = order * scratch;
  }
};

}  // namespace

LinearCost eigen_cost(const LinearSystem& system) {
  LinearCost out;
  out.solver = "Eigen SimplicialLDLT";
  const Sparse matrix = regularized(system);
  using Solver = Eigen::SimplicialLDLT<Sparse, Eigen::Lower, Eigen::AMDOrdering<int>>;
  Solver solver;
  out.analysis = least_seconds([&] { solver.analyzePattern(matrix); });
  out.factor = least_seconds([&] { solver.factorize(matrix); });
  if (solver.info() != Eigen::Success) {
    out.failure = "a pivot is zero";
    return out;
  }
  out.x = system.b;
  out.solve = least_seconds([&] { out.x = solver.solve(system.b); });
  out.entries =
      static_cast<long>(Sparse(solver.matrixL()).nonZeros()) - static_cast<long>(matrix.rows());
  return out;
}

LinearCost qdldl_cost(const LinearSystem& system) {
  LinearCost out;
  out.solver = "QDLDL";
  out.failure = qdldl().missing;
  if (!out.failure.empty()) return out;
  const Sparse matrix = regularized(system);
  out.analysis = least_seconds([&] { const QdldlFactors analysed(matrix); });
  QdldlFactors factors(matrix);
  bool done = true;
  out.factor = least_seconds([&] { done = factors.factor(); });
  if (!done) {
    out.failure = "a pivot is zero";
    return out;
  }
  Eigen::VectorXd scratch = system.b;
  out.x = system.b;
  out.solve = least_seconds([&] { factors.solve(system.b, scratch, out.x); });
  out.entries = static_cast<long>(factors.Li.size());
  return out;
}

}  // namespace hawser
