#include "linear/dissection.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>

namespace hawser {
namespace {

/// Sets of nodes that are not halved any more.
constexpr int smallest_set = 4;
/// Each half has at least this part of the nodes.
constexpr double least_part = 0.3;

class Dissection {
 public:
  explicit Dissection(const Graph& graph)
      : graph_(graph),
        set_(static_cast<size_t>(graph.size()), 0),
        side_(static_cast<size_t>(graph.size()), 0),
        distance_{std::vector<int>(static_cast<size_t>(graph.size())),
                  std::vector<int>(static_cast<size_t>(graph.size()))},
        key_(static_cast<size_t>(graph.size())) {}

  std::vector<int> order() {
    std::vector<int> all(static_cast<size_t>(graph_.size()));
    std::iota(all.begin(), all.end(), 0);
    dissect(std::move(all));
    std::reverse(order_.begin(), order_.end());
    return std::move(order_);
  }

 private:
  enum Side : char { first, second, between };

  [[nodiscard]] bool within(int node) const { return set_[static_cast<size_t>(node)] == mark_; }
  template <class Use>
  void for_neighbours(int node, const Use& use) const {
    for (int k = graph_.begin[static_cast<size_t>(node)];
         k < graph_.begin[static_cast<size_t>(node) + 1]; ++k)
      use(graph_.neighbours[static_cast<size_t>(k)]);
  }

  /// Appends what is eliminated last first: order_ is reversed in the end. Sets wait on a stack.
  void dissect(std::vector<int> all) {
    std::vector<std::vector<int>> open;
    open.push_back(std::move(all));
    while (!open.empty()) {
      const std::vector<int> set = std::move(open.back());
      open.pop_back();
      ++mark_;
      for (const int node : set) set_[static_cast<size_t>(node)] = mark_;
      if (static_cast<int>(set.size()) <= smallest_set) {
        order_.insert(order_.end(), set.begin(), set.end());
        continue;
      }
      if (std::vector<int> part = reached(set, set.front(), distance_[0]);
          part.size() < set.size()) {
        std::vector<int> rest;
        for (const int node : set)
          if (distance_[0][static_cast<size_t>(node)] < 0) rest.push_back(node);
        std::sort(part.begin(), part.end());
        open.push_back(std::move(part));
        open.push_back(std::move(rest));
        continue;
      }
      halve(set, open);
    }
  }

  /// The nodes of the set that are connected with one, nearest first, and their distances from it;
  /// -1: not connected.
  std::vector<int> reached(const std::vector<int>& set, int from, std::vector<int>& distance) {
    for (const int node : set) distance[static_cast<size_t>(node)] = -1;
    std::vector<int> found = {from};
    distance[static_cast<size_t>(from)] = 0;
    for (size_t k = 0; k < found.size(); ++k)
      for_neighbours(found[k], [&](int next) {
        int& d = distance[static_cast<size_t>(next)];
        if (!within(next) || d >= 0) return;
        d = distance[static_cast<size_t>(found[k])] + 1;
        found.push_back(next);
      });
    return found;
  }

  /// By the best of four coordinates: distances from two corners, their sum and difference.
  void halve(const std::vector<int>& set, std::vector<std::vector<int>>& open) {
    const int opposite = reached(set, set.front(), distance_[0]).back();
    const int corner = reached(set, opposite, distance_[0]).back();
    reached(set, corner, distance_[1]);
    for (const int node : set)
      key_[static_cast<size_t>(node)] = std::min(distance_[0][static_cast<size_t>(node)],
                                                 distance_[1][static_cast<size_t>(node)]);
    const auto farthest = [&] {
      return *std::max_element(set.begin(), set.end(), [&](int a, int b) {
        return key_[static_cast<size_t>(a)] < key_[static_cast<size_t>(b)];
      });
    };
    // On a rectangle all nodes between the two corners are as far from both; what is also far from
    // one of these is a third corner.
    reached(set, farthest(), distance_[1]);
    for (const int node : set)
      key_[static_cast<size_t>(node)] += distance_[1][static_cast<size_t>(node)];
    reached(set, farthest(), distance_[1]);
    reached(set, corner, distance_[0]);
    std::vector<int> sorted = set, best;
    size_t fewest = set.size() + 1;
    for (const auto& [u, w] : {std::pair{1, 1}, {1, -1}, {1, 0}, {0, 1}}) {
      for (const int node : set)
        key_[static_cast<size_t>(node)] = u * distance_[0][static_cast<size_t>(node)] +
                                          w * distance_[1][static_cast<size_t>(node)];
      std::sort(sorted.begin(), sorted.end(), [&](int a, int b) {
        return std::pair(key_[static_cast<size_t>(a)], a) <
               std::pair(key_[static_cast<size_t>(b)], b);
      });
      const size_t separator = separate(sorted);
      if (separator >= fewest) continue;
      fewest = separator;
      best.assign(set.size(), 0);
      for (size_t k = 0; k < set.size(); ++k) best[k] = side_[static_cast<size_t>(set[k])];
    }
    std::vector<int> parts[2];
    for (size_t k = 0; k < set.size(); ++k)
      if (best[k] == between)
        order_.push_back(set[k]);
      else
        parts[best[k]].push_back(set[k]);
    for (std::vector<int>& part : parts)
      if (!part.empty()) open.push_back(std::move(part));
  }

  /// Halves a sorted set near its middle, where the key changes; the nodes of one half with a
  /// neighbour in the other separate them. Returns how many these are.
  size_t separate(const std::vector<int>& sorted) {
    const size_t n = sorted.size(),
                 least = static_cast<size_t>(least_part * static_cast<double>(n));
    size_t cut = n / 2;
    for (size_t off = 0; off < n / 2 - least; ++off) {
      const auto changes = [&](size_t at) {
        return key_[static_cast<size_t>(sorted[at])] != key_[static_cast<size_t>(sorted[at - 1])];
      };
      if (n / 2 > off && changes(n / 2 - off)) {
        cut = n / 2 - off;
        break;
      }
      if (n / 2 + off < n && changes(n / 2 + off)) {
        cut = n / 2 + off;
        break;
      }
    }
    for (size_t k = 0; k < n; ++k) side_[static_cast<size_t>(sorted[k])] = k < cut ? first : second;
    size_t touching[2] = {0, 0};
    const auto touches = [&](int node) {
      const char own = side_[static_cast<size_t>(node)];
      bool found = false;
      for_neighbours(node, [&](int next) {
        found = found || (within(next) && side_[static_cast<size_t>(next)] != own &&
                          side_[static_cast<size_t>(next)] != between);
      });
      return found;
    };
    for (const int node : sorted)
      touching[static_cast<size_t>(side_[static_cast<size_t>(node)])] += touches(node);
    const char of = touching[0] <= touching[1] ? first : second;
    for (const int node : sorted)
      if (side_[static_cast<size_t>(node)] == of && touches(node))
        side_[static_cast<size_t>(node)] = between;
    return std::min(touching[0], touching[1]);
  }

  const Graph& graph_;
  std::vector<int> set_;  ///< by node: the set it was in last
  int mark_ = 0;
  std::vector<char> side_;
  std::vector<int> distance_[2], key_;
  std::vector<int> order_;
};

}  // namespace

std::vector<int> nested_dissection(const Graph& graph) { return Dissection(graph).order(); }

double factor_work(const Graph& graph, const std::vector<int>& order,
                   const std::vector<int>& unknowns) {
  const auto n = static_cast<size_t>(graph.size());
  std::vector<int> place(n);
  for (size_t k = 0; k < n; ++k) place[static_cast<size_t>(order[k])] = static_cast<int>(k);
  std::vector<std::vector<int>> below(n);  // by place: the places that its elimination touches
  std::vector<int> merged;
  double work = 0;
  for (size_t k = 0; k < n; ++k) {
    const auto node = static_cast<size_t>(order[k]);
    std::vector<int> own;
    for (int i = graph.begin[node]; i < graph.begin[node + 1]; ++i)
      if (const int at = place[static_cast<size_t>(graph.neighbours[static_cast<size_t>(i)])];
          at > static_cast<int>(k))
        own.push_back(at);
    std::sort(own.begin(), own.end());
    merged.clear();
    std::set_union(own.begin(), own.end(), below[k].begin(), below[k].end(),
                   std::back_inserter(merged));
    double rows = 0;
    for (const int at : merged)
      rows += unknowns[static_cast<size_t>(order[static_cast<size_t>(at)])];
    const double width = unknowns[node];
    work += width * rows * (rows + width) / 2 + width * width * width / 6;
    if (!merged.empty()) {
      std::vector<int>& parent = below[static_cast<size_t>(merged.front())];
      std::vector<int> next;
      std::set_union(merged.begin() + 1, merged.end(), parent.begin(), parent.end(),
                     std::back_inserter(next));
      parent = std::move(next);
    }
    std::vector<int>().swap(below[k]);
  }
  return work;
}

}  // namespace hawser
