// Symmetric positive definite matrices of a small band width.
#pragma once

#include <vector>

namespace hawser {

/// Lower triangle by diagonals: entry (i, i - k) for k = 0 ... width.
class BandMatrix {
 public:
  BandMatrix(int size, int width)
      : size_(size),
        width_(width),
        a_(static_cast<size_t>(size) * (static_cast<size_t>(width) + 1)) {}

  [[nodiscard]] int size() const { return size_; }
  /// Entry (i, j), i >= j >= i - width.
  double& at(int i, int j) {
    return a_[static_cast<size_t>(i) * static_cast<size_t>(width_ + 1) +
              static_cast<size_t>(i - j)];
  }

  /// L D L^T in place.
  void factor() {
    for (int j = 0; j < size_; ++j)
      for (int i = j; i < size_ && i <= j + width_; ++i) {
        double sum = at(i, j);
        for (int k = i - width_ > 0 ? i - width_ : 0; k < j; ++k)
          sum -= at(i, k) * at(j, k) * at(k, k);
        at(i, j) = i == j ? sum : sum / at(j, j);
      }
  }
  /// After factor(): x in place.
  void solve(std::vector<double>& x) {
    const auto number = [&x](int i) -> double& { return x[static_cast<size_t>(i)]; };
    for (int i = 0; i < size_; ++i)
      for (int k = i - width_ > 0 ? i - width_ : 0; k < i; ++k) number(i) -= at(i, k) * number(k);
    for (int i = 0; i < size_; ++i) number(i) /= at(i, i);
    for (int i = size_ - 1; i >= 0; --i)
      for (int k = i + 1; k < size_ && k <= i + width_; ++k) number(i) -= at(k, i) * number(k);
  }

 private:
  int size_, width_;
  std::vector<double> a_;
};

}  // namespace hawser
