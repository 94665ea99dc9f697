// Which of many boxes overlap: a grid of cubes, hashed (Teschner et al. 2003). The effort is
// proportional to the number of boxes as long as they are of like size and not all in one place.
#pragma once

#include <Eigen/Geometry>

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace hawser {

/// Scratch of searches: kept, so that the next one takes no memory.
struct CloseSearch {
  std::vector<Eigen::AlignedBox3d> boxes;  ///< in
  std::vector<std::pair<int, int>> pairs;  ///< out: that overlap, each once, smaller number first

  // --- of find_overlaps() ---
  struct Entry {
    std::array<std::int32_t, 3> cell;
    int box;
  };
  std::vector<Entry> entries;  ///< sorted by bucket
  std::vector<int> begins;     ///< by bucket, and the end
  std::vector<double> kept;    ///< for who searches
};

/// `boxes` -> `pairs`, not in order. `wanted(i, j)` tells whether a pair is of interest.
template <class Wanted>
void find_overlaps(CloseSearch& search, const Wanted& wanted);

/// Sorts the boxes into the cells that they overlap; returns the edge of a cell.
double fill_grid(CloseSearch& search);

inline std::array<std::int32_t, 3> cell_of(const Eigen::Vector3d& x, double edge) {
  return {static_cast<std::int32_t>(std::floor(x.x() / edge)),
          static_cast<std::int32_t>(std::floor(x.y() / edge)),
          static_cast<std::int32_t>(std::floor(x.z() / edge))};
}

template <class Wanted>
void find_overlaps(CloseSearch& search, const Wanted& wanted) {
  search.pairs.clear();
  const double edge = fill_grid(search);
  const auto& boxes = search.boxes;
  for (size_t bucket = 0; bucket + 1 < search.begins.size(); ++bucket)
    for (int i = search.begins[bucket]; i < search.begins[bucket + 1]; ++i)
      for (int j = search.begins[bucket]; j < i; ++j) {
        const auto& p = search.entries[static_cast<size_t>(i)];
        const auto& o = search.entries[static_cast<size_t>(j)];
        if (p.cell != o.cell || p.box == o.box) continue;
        const auto &a = boxes[static_cast<size_t>(p.box)], &b = boxes[static_cast<size_t>(o.box)];
        if (!a.intersects(b)) continue;
        // Of all cells that both are in, the lowest one reports them.
        if (p.cell != cell_of(a.min().cwiseMax(b.min()), edge)) continue;
        const int low = std::min(p.box, o.box), high = std::max(p.box, o.box);
        if (wanted(low, high)) search.pairs.emplace_back(low, high);
      }
}

}  // namespace hawser
