// Small dense systems, column by column, without allocation. Eigen's decompositions would do, but
// each takes g++ about ten seconds in every file that uses one.
#pragma once

namespace hawser {

/// L U with row exchanges of `a` (n x n), in place; T is double or std::complex<double>. Returns
/// the smallest pivot over the largest; 0: singular or not finite.
template <class T>
double factor_lu(int n, T* a, int* exchanges);

/// b -> a^-1 b, with what factor_lu has left.
template <class T>
void solve_lu(int n, const T* lu, const int* exchanges, T* b);

/// How many eigenvalues of a symmetric matrix (n x n, destroyed; its lower triangle counts) are
/// negative, by pivots of one and two columns (Bunch & Parlett 1971).
int negative_pivots(int n, double* a);

/// Eigenvalues of a symmetric matrix (n x n, destroyed), ascending, by Jacobi's method (Golub & Van
/// Loan, Matrix Computations, section 8.5). `vectors` (n x n), unless null: the eigenvectors, of
/// length 1.
void symmetric_eigen(int n, double* a, double* values, double* vectors);

}  // namespace hawser
