#include "contact/close_grid.h"

#include <algorithm>
#include <cmath>

namespace hawser {
namespace {

/// Cells in blocks of 4 x 4 x 4, the cells of a block side by side: who walks along the buckets
/// meets the same boxes again while they are in the cache. Blocks by large primes (Teschner et al.
/// 2003).
size_t bucket_of(const std::array<std::int32_t, 3>& cell, size_t blocks) {
  std::uint64_t h = static_cast<std::uint64_t>(cell[0] >> 2) * 73856093ULL ^
                    static_cast<std::uint64_t>(cell[1] >> 2) * 19349663ULL ^
                    static_cast<std::uint64_t>(cell[2] >> 2) * 83492791ULL;
  h ^= h >> 17;
  const auto within = static_cast<size_t>((cell[0] & 3) + 4 * (cell[1] & 3) + 16 * (cell[2] & 3));
  return 64 * (static_cast<size_t>(h) & (blocks - 1)) + within;
}

template <class Call>
void for_cells(const Eigen::AlignedBox3d& box, double edge, const Call& call) {
  const auto low = cell_of(box.min(), edge), high = cell_of(box.max(), edge);
  for (auto x = low[0]; x <= high[0]; ++x)
    for (auto y = low[1]; y <= high[1]; ++y)
      for (auto z = low[2]; z <= high[2]; ++z) call(std::array{x, y, z});
}

}  // namespace

double fill_grid(CloseSearch& search) {
  constexpr double of_mean = 1.6, of_largest = 0.05;
  double sum = 0, largest = 0, reach = 0;
  for (const auto& box : search.boxes) {
    const double size = box.sizes().maxCoeff();
    sum += size;
    largest = std::max(largest, size);
    reach = std::max({reach, box.min().cwiseAbs().maxCoeff(), box.max().cwiseAbs().maxCoeff()});
  }
  const auto count = static_cast<double>(search.boxes.size());
  // A box that is far larger than the others overlaps many cells, and numbers of cells are whole.
  const double edge =
      std::max({of_mean * sum / std::max(count, 1.0), of_largest * largest, 1e-9 * reach, 1e-12});
  size_t blocks = 1;
  while (64 * blocks < 2 * search.boxes.size()) blocks *= 2;
  search.begins.assign(64 * blocks + 1, 0);
  for (const auto& box : search.boxes)
    for_cells(box, edge, [&](const auto& cell) { ++search.begins[bucket_of(cell, blocks)]; });
  int end = 0;
  for (int& begin : search.begins) {
    end += begin;
    begin = end;
  }
  search.entries.resize(static_cast<size_t>(end));
  for (size_t i = search.boxes.size(); i-- > 0;)
    for_cells(search.boxes[i], edge, [&](const auto& cell) {
      search.entries[static_cast<size_t>(--search.begins[bucket_of(cell, blocks)])] = {
          cell, static_cast<int>(i)};
    });
  return edge;
}

}  // namespace hawser
