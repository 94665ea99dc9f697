#include "math/dense.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

namespace hawser {

template <class T>
double factor_lu(int n, T* a, int* exchanges) {
  double smallest = HUGE_VAL, largest = 0;
  for (int k = 0; k < n; ++k) {
    T* column = a + n * k;
    int best = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(column[i]) > std::abs(column[best])) best = i;
    exchanges[k] = best;
    const double pivot = std::abs(column[best]);
    if (!(pivot > 0 && std::isfinite(pivot))) return 0;
    smallest = std::min(smallest, pivot);
    largest = std::max(largest, pivot);
    for (int j = 0; best != k && j < n; ++j) std::swap(a[n * j + k], a[n * j + best]);
    for (int i = k + 1; i < n; ++i) column[i] /= column[k];
    for (int j = k + 1; j < n; ++j)
      for (int i = k + 1; i < n; ++i) a[n * j + i] -= column[i] * a[n * j + k];
  }
  return n == 0 ? 1 : smallest / largest;
}

template <class T>
void solve_lu(int n, const T* lu, const int* exchanges, T* b) {
  for (int k = 0; k < n; ++k) std::swap(b[k], b[exchanges[k]]);
  for (int k = 0; k < n; ++k)
    for (int i = k + 1; i < n; ++i) b[i] -= lu[n * k + i] * b[k];
  for (int k = n - 1; k >= 0; --k) {
    b[k] /= lu[n * k + k];
    for (int i = 0; i < k; ++i) b[i] -= lu[n * k + i] * b[k];
  }
}

template double factor_lu(int, double*, int*);
template double factor_lu(int, std::complex<double>*, int*);
template void solve_lu(int, const double*, const int*, double*);
template void solve_lu(int, const std::complex<double>*, const int*, std::complex<double>*);

namespace {

/// Exchanges rows and columns p <= q, of the lower triangle.
void exchange(int n, double* a, int p, int q) {
  if (p == q) return;
  const auto at = [&](int i, int j) -> double& { return i >= j ? a[n * j + i] : a[n * i + j]; };
  std::swap(at(p, p), at(q, q));
  for (int i = 0; i < n; ++i)
    if (i != p && i != q) std::swap(at(i, p), at(i, q));
}

}  // namespace

int negative_pivots(int n, double* a) {
  constexpr double enough = 0.64;  // of the largest entry beside the diagonal
  int negative = 0;
  for (int k = 0; k < n;) {
    int p = k, row = k, col = k;
    double beside = 0;
    for (int j = k; j < n; ++j) {
      if (std::abs(a[n * j + j]) > std::abs(a[n * p + p])) p = j;
      for (int i = j + 1; i < n; ++i)
        if (std::abs(a[n * j + i]) > beside) beside = std::abs(a[n * j + i]), row = i, col = j;
    }
    const double d = a[n * p + p];
    if (std::abs(d) >= enough * beside) {
      if (d == 0) break;
      exchange(n, a, k, p);
      negative += d < 0;
      for (int j = k + 1; j < n; ++j)
        for (int i = j; i < n; ++i) a[n * j + i] -= a[n * k + i] * a[n * k + j] / d;
      ++k;
      continue;
    }
    exchange(n, a, k, col);  // two columns, whose determinant is negative
    exchange(n, a, k + 1, row == k ? col : row);
    ++negative;
    const double x = a[n * k + k], y = a[n * k + k + 1], z = a[n * (k + 1) + k + 1],
                 inverse = 1 / (x * z - y * y);
    for (int j = k + 2; j < n; ++j) {
      const double u = a[n * k + j], v = a[n * (k + 1) + j];
      const double f = (z * u - y * v) * inverse, g = (x * v - y * u) * inverse;
      for (int i = j; i < n; ++i) a[n * j + i] -= f * a[n * k + i] + g * a[n * (k + 1) + i];
    }
    k += 2;
  }
  return negative;
}

namespace {

constexpr int most_sweeps = 50;  // six or so are enough

/// Turns columns p and q of an n x n matrix by the angle whose cosine and sine are given.
void turn_columns(int n, double* a, int p, int q, double c, double s) {
  for (int i = 0; i < n; ++i) {
    const double x = a[n * p + i], y = a[n * q + i];
    a[n * p + i] = c * x - s * y;
    a[n * q + i] = s * x + c * y;
  }
}

void turn_rows(int n, double* a, int p, int q, double c, double s) {
  for (int i = 0; i < n; ++i) {
    const double x = a[n * i + p], y = a[n * i + q];
    a[n * i + p] = c * x - s * y;
    a[n * i + q] = s * x + c * y;
  }
}

/// One rotation for every entry above the diagonal that is more than rounding; false: there is
/// none.
bool sweep(int n, double* a, double* vectors) {
  bool any = false;
  for (int p = 0; p < n; ++p)
    for (int q = p + 1; q < n; ++q) {
      const double x = a[n * p + p], y = a[n * q + q], z = a[n * q + p];
      if (!(std::abs(z) > std::numeric_limits<double>::epsilon() * std::sqrt(std::abs(x * y))))
        continue;
      any = true;
      const double tau = (y - x) / (2 * z);
      const double t = std::copysign(1 / (std::abs(tau) + std::hypot(1, tau)), tau);
      const double c = 1 / std::hypot(1, t), s = t * c;
      turn_columns(n, a, p, q, c, s);
      turn_rows(n, a, p, q, c, s);
      a[n * q + p] = a[n * p + q] = 0;
      if (vectors) turn_columns(n, vectors, p, q, c, s);
    }
  return any;
}

}  // namespace

void symmetric_eigen(int n, double* a, double* values, double* vectors) {
  if (vectors)
    for (int i = 0; i < n * n; ++i) vectors[i] = i % (n + 1) == 0;
  for (int i = 0; i < most_sweeps && sweep(n, a, vectors); ++i) {
  }
  for (int i = 0; i < n; ++i) values[i] = a[n * i + i];
  for (int i = 0; i < n; ++i) {  // by selection: n is small
    const int least = static_cast<int>(std::min_element(values + i, values + n) - values);
    std::swap(values[i], values[least]);
    if (vectors && least != i)
      std::swap_ranges(vectors + n * i, vectors + n * (i + 1), vectors + n * least);
  }
}

}  // namespace hawser
