#include "linear/node_rows.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <utility>

namespace hawser {
namespace {

/// Below this part of a row's largest entry what is left of the row is rounding.
constexpr double dependent = 1e-11;

std::vector<double> free_coordinates(const SystemStructure& s) {
  std::vector<double> free(static_cast<size_t>(s.node_coordinates()), 1);
  for (const int c : s.fixed)
    if (c < s.node_coordinates()) free[static_cast<size_t>(c)] = 0;
  for (const DofMap::Shared& shared : s.shared)
    if (shared.follower < s.node_coordinates()) free[static_cast<size_t>(shared.follower)] = 0;
  return free;
}

/// y -= a x
void subtract_multiple(double a, const double* __restrict x, double* __restrict y) {
  for (int c = 0; c < node_size; ++c) y[c] -= a * x[c];
}

}  // namespace

std::vector<char> NodeRows::eligible(const SystemStructure& s) {
  std::vector<char> out = s.rigid;
  out.resize(static_cast<size_t>(s.conditions));
  std::vector<int> node(out.size(), -1);
  const std::vector<double> free = free_coordinates(s);
  for (const auto& e : s.condition_entries) {
    const auto r = static_cast<size_t>(e.row);
    const int n = e.coordinate / node_size;
    if (e.coordinate >= s.node_coordinates() || free[static_cast<size_t>(e.coordinate)] == 0 ||
        s.is_narrow(n) || (node[r] >= 0 && node[r] != n))
      out[r] = 0;
    node[r] = n;
  }
  std::map<int, int> room;  // by node
  for (size_t r = 0; r < out.size(); ++r) {
    if (node[r] < 0) out[r] = 0;
    if (!out[r]) continue;
    const double* own = free.data() + static_cast<ptrdiff_t>(node_size) * node[r];
    const auto [left, first] = room.try_emplace(node[r], 0);
    if (first) left->second = static_cast<int>(std::count(own, own + node_size, 1.0));
    if (left->second-- <= 0) out[r] = 0;
  }
  return out;
}

NodeRows::NodeRows(const SystemStructure& s, std::vector<int>& held)
    : coordinates_(s.coordinates()),
      forces_(static_cast<size_t>(s.conditions)),
      free_at_all_(free_coordinates(s)),
      compliance_(static_cast<size_t>(s.conditions)) {
  free_ = free_at_all_;
  std::map<int, std::vector<size_t>> entries;  // by node, in order
  for (size_t i = 0; i < s.condition_entries.size(); ++i) {
    entries[s.condition_entries[i].coordinate / node_size].push_back(i);
    values_.push_back(s.condition_entries[i].factor);
  }
  size_t rows = 0;
  std::vector<int> slaves;
  for (const auto& [node, of_node] : entries) {
    Group group;
    group.node = node;
    group.first_entry = entries_.size();
    group.entries = of_node.size();
    group.first = rows;
    for (const size_t i : of_node) {
      const auto& e = s.condition_entries[i];
      int* const end = group.row + group.rows;
      int* const at = std::find(group.row, end, e.row);
      if (at == end) {
        assert(group.rows < node_size);
        *end = e.row;
        ++group.rows;
      }
      entries_.push_back({static_cast<int>(at - group.row), e.coordinate % node_size, i});
    }
    for (int i = 0, c = node_size * node; i < group.rows; ++c)  // any that are free, for now
      if (free_[static_cast<size_t>(c)] != 0) slaves.push_back(c), ++i;
    rows += static_cast<size_t>(group.rows);
    groups_.push_back(group);
  }
  assert(rows == static_cast<size_t>(s.conditions));
  held.insert(held.end(), slaves.begin(), slaves.end());
  std::sort(held.begin(), held.end());
  for (const int c : slaves)
    places_.push_back(
        static_cast<size_t>(std::lower_bound(held.begin(), held.end(), c) - held.begin()));
}

bool NodeRows::finite() const {
  return std::all_of(values_.begin(), values_.end(), [](double v) { return std::isfinite(v); });
}

/// Gauss and Jordan: each row in turn takes the coordinate where it is largest.
bool NodeRows::reduce_rows(Group& group) {
  double largest[node_size];
  for (int i = 0; i < group.rows; ++i) {
    std::fill_n(group.S[i], node_size, 0.0);
    std::fill_n(group.inverse[i], node_size, 0.0);
    group.inverse[i][i] = 1;
  }
  for (size_t k = group.first_entry; k < group.first_entry + group.entries; ++k)
    group.S[entries_[k].row][entries_[k].column] += values_[entries_[k].value];
  for (int i = 0; i < group.rows; ++i) {
    largest[i] = 0;
    for (const double entry : group.S[i]) largest[i] = std::max(largest[i], std::abs(entry));
  }
  for (int i = 0; i < group.rows; ++i) {
    double* row = group.S[i];
    int best = 0;
    for (int c = 1; c < node_size; ++c)
      if (std::abs(row[c]) > std::abs(row[best])) best = c;
    if (!(std::abs(row[best]) > dependent * largest[i])) return false;  // NaN neither
    group.slave[i] = best;
    const double inverse = 1 / row[best];
    for (int c = 0; c < node_size; ++c) row[c] *= inverse, group.inverse[i][c] *= inverse;
    for (int j = 0; j < group.rows; ++j) {
      const double factor = group.S[j][best];
      if (j == i || factor == 0) continue;
      subtract_multiple(factor, row, group.S[j]);
      subtract_multiple(factor, group.inverse[i], group.inverse[j]);
      group.S[j][best] = 0;
    }
  }
  for (int i = 0; i < group.rows; ++i) {
    double* row = group.S[i];
    for (int j = 0; j < group.rows; ++j) row[group.slave[j]] = 0;
    group.alone[i] = std::all_of(row, row + node_size, [](double entry) { return entry == 0; });
  }
  return true;
}

bool NodeRows::choose(HeldRows& held) {
  for (Group& group : groups_) {
    if (!reduce_rows(group)) return false;
    const auto own = static_cast<size_t>(node_size) * static_cast<size_t>(group.node);
    for (size_t c = own; c < own + node_size; ++c) free_[c] = free_at_all_[c];
    for (int i = 0; i < group.rows; ++i) {
      assert(compliance_[static_cast<size_t>(group.row[i])] == 0);
      const auto k = group.first + static_cast<size_t>(i);
      forces_[k].coordinate = static_cast<int>(own) + group.slave[i];
      held.move(places_[k], forces_[k].coordinate);
      free_[static_cast<size_t>(forces_[k].coordinate)] = 0;
    }
  }
  return true;
}

/// A row of x_s over the node before, with its own T.
void NodeRows::before(const Group& group, const Group* left, const double* entry,
                      double out[6]) const {
  const double* free = free_.data() + static_cast<ptrdiff_t>(node_size) * (group.node - 1);
  for (int c = 0; c < node_size; ++c) out[c] = free[c] * entry[c];
  if (!left || left->node != group.node - 1) return;
  for (int i = 0; i < left->rows; ++i)
    if (!left->alone[i]) subtract_multiple(entry[left->slave[i]], left->S[i], out);
}

/// A -= x y^T, columns `stride` apart, as far as y is not zero.
static void subtract_product(const double* __restrict x, const double* __restrict y,
                             double* __restrict A, int stride) {
  for (int j = 0; j < node_size; ++j) {
    if (y[j] == 0) continue;
    for (int i = 0; i < node_size; ++i) A[stride * j + i] -= x[i] * y[j];
  }
}

void NodeRows::transform(double* panels, const HeldRows& held) {
  const int nodes = coordinates_ / node_size;
  for (size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    const double* free = free_.data() + static_cast<ptrdiff_t>(node_size) * group.node;
    double* own = panels + static_cast<ptrdiff_t>(panel_size) * group.node;
    for (int i = 0; i < group.rows; ++i) {
      if (group.alone[i]) continue;
      const double* entry = held.entries(places_[group.first + static_cast<size_t>(i)]);
      const double* S = group.S[i];
      double w[node_size], beside[node_size];
      for (int c = 0; c < node_size; ++c) w[c] = free[c] * entry[node_size + c];
      for (int j = 0; j < group.rows; ++j)
        if (!group.alone[j])
          subtract_multiple(entry[node_size + group.slave[j]] / 2, group.S[j], w);
      subtract_product(w, S, own, panel_rows);  // what is above the diagonal is not looked at
      subtract_product(S, w, own, panel_rows);
      if (group.node + 1 < nodes) {
        for (int c = 0; c < node_size; ++c)
          beside[c] = free[node_size + c] * entry[2 * node_size + c];
        subtract_product(beside, S, own + node_size, panel_rows);
      }
      if (group.node > 0) {
        before(group, g > 0 ? &groups_[g - 1] : nullptr, entry, beside);
        subtract_product(S, beside, own - panel_size + node_size, panel_rows);
      }
    }
  }
}

void NodeRows::begin(const double* b, HeldRows& held) {
  const double* c = b + coordinates_;
  const bool all_zero = std::all_of(c, c + forces_.size(), [](double value) { return value == 0; });
  for (const Group& group : groups_)
    for (int i = 0; i < group.rows; ++i) {
      const auto k = group.first + static_cast<size_t>(i);
      double t = 0;
      for (int j = 0; !all_zero && j < group.rows; ++j) t += group.inverse[i][j] * c[group.row[j]];
      forces_[k].force = b[forces_[k].coordinate];
      forces_[k].value = t;
      held.know(places_[k], t);
    }
}

void NodeRows::reduce(double* b) const {
  for (const Group& group : groups_) {
    double* own = b + static_cast<ptrdiff_t>(node_size) * group.node;
    for (int i = 0; i < group.rows; ++i) {
      const double force = std::exchange(own[group.slave[i]], 0);
      if (!group.alone[i]) subtract_multiple(force, group.S[i], own);
    }
  }
}

void NodeRows::finish(double* x, const HeldRows& held) const {
  double* lambda = x + coordinates_;
  for (const Group& group : groups_) {
    double* own = x + static_cast<ptrdiff_t>(node_size) * group.node;
    for (int i = 0; i < group.rows; ++i) {
      if (group.alone[i]) continue;
      double sum = 0;
      for (int c = 0; c < node_size; ++c) sum += group.S[i][c] * own[c];
      own[group.slave[i]] -= sum;
    }
  }
  for (const Group& group : groups_) {  // now that all x are known
    for (int j = 0; j < group.rows; ++j) lambda[group.row[j]] = 0;
    for (int i = 0; i < group.rows; ++i) {
      const auto k = group.first + static_cast<size_t>(i);
      const double left = forces_[k].force - held.times(places_[k], x);
      for (int j = 0; j < group.rows; ++j) lambda[group.row[j]] += group.inverse[i][j] * left;
    }
  }
}

}  // namespace hawser
