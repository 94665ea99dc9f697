// Fields by coordinate on another mesh.
#include <algorithm>
#include <array>

#include "math/band.h"
#include "model/transfer.h"

namespace hawser {

/// Bodies, nodes and scalars of guests.
void MeshTransfer::copy_rest(const double* from, double* to) const {
  std::copy(from + from_.stored, from + from_.structure.scalar(0), to + to_.stored);
  for (size_t k = 0; k < numbers_.scalars.size(); ++k)
    if (numbers_.scalars[k] >= 0)
      to[to_.structure.scalar(static_cast<int>(k))] =
          from[from_.structure.scalar(numbers_.scalars[k])];
}

/// The values of a field at the nodes of the new mesh.
void MeshTransfer::evaluate(const CableMaps& maps, const double* from, double* to) const {
  const double* first = from + node_size * maps.from.first_node;
  double* out = to + node_size * maps.to.first_node;
  for (const MeshSpot& spot : locate_nodes(*maps.from.s, *maps.to.s)) {
    const double* p = first + node_size * (spot.on_node() ? spot.node() : spot.element);
    if (spot.on_node()) {
      std::copy_n(p, node_size, out);
    } else {
      for (int t = 0; t < maps.from.width(); ++t) {
        const auto w = maps.from.part(spot.element).weights(spot.xi, t == 1);
        for (int k = 0; k < 3; ++k)
          out[3 * t + k] = w[0] * p[k] + w[1] * p[3 + k] + w[2] * p[6 + k] + w[3] * p[9 + k];
      }
    }
    out += node_size;
  }
}

/// One direction of a field at the nodes of both meshes; `first`: of the cable's first node.
std::vector<double> MeshTransfer::refine(const CableMaps& maps, const double* first,
                                         int direction) {
  const int width = maps.from.width();
  std::vector<double> out;
  for (const MeshSpot& spot : maps.in_from)
    for (int t = 0; t < width; ++t) {
      const double* p =
          first + node_size * (spot.on_node() ? spot.node() : spot.element) + direction;
      if (spot.on_node()) {
        out.push_back(p[3 * t]);
        continue;
      }
      const auto w = maps.from.part(spot.element).weights(spot.xi, t == 1);
      out.push_back(w[0] * p[0] + w[1] * p[3] + w[2] * p[6] + w[3] * p[9]);
    }
  return out;
}

/// P^T M_u of a field at the nodes of both meshes.
std::vector<double> MeshTransfer::restrict_joint(const CableMaps& maps,
                                                 const std::vector<double>& field, const Sums& sums,
                                                 bool as_is) {
  const int width = maps.from.width(), step = 3 - width;  // unknowns of an element: 4 or 2
  std::vector<double> momentum(field.size(), 0);
  for (size_t e = 0; e + 1 < maps.joint.size(); ++e) {
    if (maps.gap(e) && maps.gap_after(e)) continue;
    bool lay = maps.gap(e);  // on a pulley
    // A joint passes a hand-over: cable that counts as another section keeps its velocity.
    if (!lay && !maps.gap_after(e) && !as_is)
      lay = maps.from.part(maps.in_from[e].element).run.section !=
            maps.to.part(maps.in_to[e].element).run.section;
    const Fields& like =
        lay ? maps.to.part(maps.in_to[e].element) : maps.from.part(maps.in_from[e].element);
    const bool whole = !lay && maps.in_from[e].on_node() && maps.in_from[e + 1].on_node();
    const double l = whole ? like.run.length : maps.joint[e + 1] - maps.joint[e];
    const size_t at = static_cast<size_t>(width) * e;
    for (int i = 0; i < 2 * width; ++i)
      for (int j = 0; j < 2 * width; ++j)
        momentum[at + static_cast<size_t>(i)] +=
            like.mass(l, step * i, step * j) * field[at + static_cast<size_t>(j)];
  }
  std::vector<double> out(static_cast<size_t>(width * maps.to.nodes()), 0);
  for (size_t n = 0; n < maps.joint.size(); ++n) {
    const MeshSpot& spot = maps.in_to[n];
    if (sums.total) *sums.total += momentum[static_cast<size_t>(width) * n];
    for (int t = 0; t < width; ++t) {
      const size_t i = static_cast<size_t>(width) * n + static_cast<size_t>(t);
      const double p = momentum[i];
      if (sums.square) *sums.square += p * field[i];
      if (spot.on_node()) {
        out[static_cast<size_t>(width * spot.node() + t)] += p;
        continue;
      }
      const auto w = maps.to.part(spot.element).weights(spot.xi, t == 1);
      for (int j = 0; j < 2 * width; ++j)
        out[static_cast<size_t>(width * spot.element + j)] += w[static_cast<size_t>(step * j)] * p;
    }
  }
  return out;
}

void MeshTransfer::project(const CableMaps& maps, const double* from, double* to) const {
  evaluate(maps, from, to);  // what is held stays as it is
  const int width = maps.to.width(), step = 3 - width, n = width * maps.to.nodes();
  double* out = to + node_size * maps.to.first_node;
  const auto at = [&](int unknown, int k) {
    return node_size * (unknown / width) + 3 * (unknown % width) + k;
  };
  const auto for_mass = [&](const auto& use) {
    for (int e = 0; e + 1 < maps.to.nodes(); ++e) {
      if (!maps.to.has_part(e)) continue;
      const Fields& part = maps.to.part(e);
      for (int i = 0; i < 2 * width; ++i)
        for (int j = 0; j < 2 * width; ++j)
          use(width * e + i, width * e + j, part.mass(part.run.length, step * i, step * j));
    }
  };
  double squares[2] = {0, 0};  // v^T M v, of the old field and of the new one with its momentum
  std::vector<double> with_momentum(static_cast<size_t>(node_size * maps.to.nodes()));
  for (int k = 0; k < 3; ++k) {
    const auto held = [&](int i) { return maps.held[static_cast<size_t>(at(i, k))] != 0; };
    double total = 0;
    const std::vector<double> field = refine(maps, from + node_size * maps.from.first_node, k);
    std::vector<double> x = restrict_joint(maps, field, {&total, &squares[0]}, false);
    std::vector<double> mass(static_cast<size_t>(n), 0);  // M_new 1: momentum of the unknowns
    BandMatrix matrix(n, 2 * width - 1);
    for_mass([&](int row, int column, double m) {
      if (column % width == 0) mass[static_cast<size_t>(row)] += m;
      if (held(row)) return;
      if (held(column))
        x[static_cast<size_t>(row)] -= m * out[at(column, k)];
      else if (row >= column)
        matrix.at(row, column) += m;
    });
    std::vector<double> even = mass;  // what a momentum spread over the unknowns changes
    for (int i = 0; i < n; ++i) {
      if (!held(i)) continue;
      matrix.at(i, i) = 1;
      x[static_cast<size_t>(i)] = out[at(i, k)];
      even[static_cast<size_t>(i)] = 0;
    }
    matrix.factor();
    matrix.solve(x);
    matrix.solve(even);
    double effect = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      total -= mass[i] * x[i];
      effect += mass[i] * even[i];
    }
    for (int i = 0; i < n; ++i) {
      const auto u = static_cast<size_t>(i);
      if (!held(i)) out[at(i, k)] = x[u];
      x[u] += effect > 0 ? total / effect * even[u] : 0;
      with_momentum[static_cast<size_t>(at(i, k))] = held(i) ? out[at(i, k)] : x[u];
    }
    for_mass([&](int row, int column, double m) {
      squares[1] += m * x[static_cast<size_t>(row)] * x[static_cast<size_t>(column)];
    });
  }
  // What a short span beside a hand-over lacks would set the others moving.
  constexpr double little = 1e-3;
  bool spans = false;
  for (int e = 0; e + 1 < maps.to.nodes(); ++e) spans |= !maps.to.has_part(e);
  if (!spans || squares[1] <= (1 + little) * squares[0])
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < 3; ++k) out[at(i, k)] = with_momentum[static_cast<size_t>(at(i, k))];
}

std::vector<double> MeshTransfer::positions(const std::vector<double>& q) const {
  std::vector<double> out(to_.padded(), 0);
  copy_rest(q.data(), out.data());
  for (const CableMaps& maps : cables_)
    if (maps.from.s != nullptr) evaluate(maps, q.data(), out.data());
  return out;
}

std::vector<double> MeshTransfer::velocities(const std::vector<double>& v) const {
  std::vector<double> out(to_.padded(), 0);
  copy_rest(v.data(), out.data());
  for (const CableMaps& maps : cables_) {
    if (maps.from.s == nullptr) continue;
    maps.drops ? project(maps, v.data(), out.data()) : evaluate(maps, v.data(), out.data());
  }
  return out;
}

std::vector<double> MeshTransfer::positions_before(const std::vector<double>& q,
                                                   const std::vector<double>& q_before) const {
  std::vector<double> out = positions(q_before);
  std::vector<double> motion(q.size());
  for (size_t i = 0; i < q.size(); ++i) motion[i] = q[i] - q_before[i];
  const std::vector<double> now = positions(q), moved = velocities(motion);
  for (const CableMaps& maps : cables_) {
    if (!maps.drops) continue;
    const auto first = static_cast<size_t>(node_size * maps.to.first_node);
    for (size_t i = first; i < first + maps.held.size(); ++i) out[i] = now[i] - moved[i];
  }
  return out;
}

void MeshTransfer::forces(const double* from, double* to) const {
  copy_rest(from, to);
  for (const CableMaps& maps : cables_) {
    if (maps.from.s == nullptr) continue;
    const double* in = from + node_size * maps.from.first_node;
    double* out = to + node_size * maps.to.first_node;
    std::fill_n(out, maps.held.size(), 0);
    if (!maps.changes) {
      std::copy_n(in, maps.held.size(), out);
      continue;
    }
    const int width = maps.from.width(), step = 3 - width, n = width * maps.from.nodes();
    BandMatrix matrix(n, 2 * width - 1);
    for (int e = 0; e + 1 < maps.from.nodes(); ++e) {
      if (!maps.from.has_part(e)) continue;
      const Fields& part = maps.from.part(e);
      for (int i = 0; i < 2 * width; ++i)
        for (int j = 0; j <= i; ++j)
          matrix.at(width * e + i, width * e + j) += part.mass(part.run.length, step * i, step * j);
    }
    matrix.factor();
    std::vector<double> field(static_cast<size_t>(node_size * maps.from.nodes()), 0);
    for (int k = 0; k < 3; ++k) {
      const auto at = [&](int unknown) {
        return node_size * (unknown / width) + 3 * (unknown % width) + k;
      };
      std::vector<double> x;
      for (int i = 0; i < n; ++i) x.push_back(in[at(i)]);
      matrix.solve(x);
      for (int i = 0; i < n; ++i) field[static_cast<size_t>(at(i))] = x[static_cast<size_t>(i)];
      const std::vector<double> next =
          restrict_joint(maps, refine(maps, field.data(), k), {}, true);
      for (int i = 0; i < width * maps.to.nodes(); ++i) out[at(i)] = next[static_cast<size_t>(i)];
    }
  }
}

}  // namespace hawser
