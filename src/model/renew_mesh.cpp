// Elements beside hand-overs divide and merge (docs/theory/flow.md). They merge early: a short
// element beside an outlet pumps waves as long as elements. Cables come off pulleys and land on
// them (pulleys.h), and free ends run out of hand-overs (run_outs.h). Massless cables lie on shapes
// that they meet (meetings.h), and become cables with elements while they are slack (fidelity.h).
#include <algorithm>
#include <array>
#include <cmath>

#include "hawser/model.h"
#include "hawser/state.h"
#include "model/fidelity.h"
#include "model/flows.h"
#include "model/meetings.h"
#include "model/model_data.h"
#include "model/pulleys.h"
#include "model/route.h"
#include "model/run_outs.h"
#include "model/section_joints.h"
#include "model/sections.h"

namespace hawser {
namespace {

constexpr double longest_border = 2, shortest_border = 0.8;  ///< by the length of an element
constexpr double several_steps = 5;   ///< in which an element beside a hand-over must not vanish
constexpr double shorter_half = 0.3;  ///< by the length of two straight elements
/// The same of elements that cable runs through, of which half then go.
constexpr double shortest_running = 0.5;

/// The nodes of a cable between two hand-overs or ends.
struct FlowSpan {
  std::vector<double> s;         ///< [m]
  bool flows[2];                 ///< at its ends
  double nominal;                ///< length of an element [m]
  double fast[2];                ///< what a few steps take from its ends [m]
  std::span<const double> kept;  ///< where there must be nodes [m]
  bool straight;                 ///< np-fem
  bool running;                  ///< cable runs through it

  /// One change of all elements of a span that cable runs through; false: none is due.
  bool renew_running() {
    if (!running || !(flows[0] || flows[1])) return false;
    const size_t n = s.size() - 1;
    const double from = s.front(), length = s.back() - from, l = length / static_cast<double>(n);
    if (!(l > longest_border * nominal) && (n == 1 || !(l < shortest_running * nominal)))
      return false;
    const size_t next = l > nominal ? 2 * n : (n + 1) / 2;
    std::vector<double> even{from};
    for (size_t i = 1; i < next; ++i)
      even.push_back(from + length * static_cast<double>(i) / static_cast<double>(next));
    even.push_back(s.back());
    s = std::move(even);
    return true;
  }

  /// One change of the element at one of its ends; false: none is due.
  bool renew(int end) {
    if (!flows[end] || running) return false;
    const size_t n = s.size(), inner = end == 0 ? 1 : n - 2;
    const double a = s[end == 0 ? 0 : n - 2], b = s[end == 0 ? 1 : n - 1], l = b - a;
    const double least = std::max(shortest_border * nominal, fast[end]),
                 most = std::max(longest_border * nominal, 2.5 * fast[end]);
    if (l > most) {
      const double at = n == 2 && flows[1 - end] ? (a + b) / 2
                        : end == 0               ? b - nominal
                                                 : a + nominal;
      s.insert(s.begin() + (end == 0 ? 1 : static_cast<long>(n) - 1), at);
      return true;
    }
    if (l >= least || !may_go(inner)) return false;
    const double before = s[inner - 1], after = s[inner + 1];
    if (straight && n == 3 &&
        after - before > std::max(shortest_border * nominal, 2 * fast[end])) {  // one cannot bend
      if (l >= std::max(shorter_half * (after - before), fast[end])) return false;
      s[inner] = (before + after) / 2;
    } else if (after - before > most)
      s[inner] = (before + after) / 2;
    else
      s.erase(s.begin() + static_cast<long>(inner));
    return true;
  }

 private:
  /// Nothing needs a node there.
  [[nodiscard]] bool may_go(size_t node) const {
    if (node == 0 || node + 1 == s.size()) return false;
    const double at = s[node];
    if (s[node - 1] == at || s[node + 1] == at) return false;
    return std::none_of(kept.begin(), kept.end(), [&](double place) {
      return std::abs(place - at) <= 2 * same_place * s.back();
    });
  }
};

/// What a few steps take from the elements before and after a hand-over [m].
std::array<double, 2> taken_soon(const ModelData& model, const State& state, const HandOver& h) {
  const auto way = [&](int scalar) {
    return several_steps * state.h_before *
           state.v[static_cast<size_t>(model.structure.scalar(scalar))];
  };
  return {std::max(0.0, -way(h.scalar)), std::max(0.0, way(h.leaving))};
}

/// By hand-over.
using TakenSoon = std::vector<std::array<double, 2>>;

TakenSoon taken_soon(const ModelData& model, const State& state) {
  TakenSoon out;
  for (const HandOver& h : model.hand_overs) out.push_back(taken_soon(model, state, h));
  return out;
}

/// The same nodes, divided where cable is handed over.
std::vector<FlowSpan> spans_of(const ModelData& model, const TakenSoon& soon, size_t cable,
                               const std::vector<double>& s, std::span<const double> kept) {
  const double nominal = element_length(model, cable);
  const bool straight = model.scene.cables[cable].model == CableModel::np_fem;
  const bool running = model.scene.cables[cable].mesh == FlowMesh::running;
  std::vector<FlowSpan> out;
  size_t first = 0;
  bool flows = false;
  double fast = 0;  // at the start of the span
  for (size_t i = 0; i < model.hand_overs.size(); ++i) {
    const HandOver& h = model.hand_overs[i];
    if (h.cable != static_cast<int>(cable) || !h.here()) continue;
    if (h.kind == HandOver::Kind::supply) {
      flows = true;
      fast = soon[i][1];
      continue;
    }
    const auto end = static_cast<size_t>(h.node - model.cables[cable].first_node) + 1;
    out.push_back({{s.begin() + static_cast<long>(first), s.begin() + static_cast<long>(end)},
                   {flows, true},
                   nominal,
                   {fast, soon[i][0]},
                   kept,
                   straight,
                   running});
    first = end;
    flows = true;
    fast = soon[i][1];
  }
  out.push_back({{s.begin() + static_cast<long>(first), s.end()},
                 {flows, false},
                 nominal,
                 {fast, 0},
                 kept,
                 straight,
                 running});
  return out;
}

/// Whether an element beside a hand-over is too long or too short.
bool any_due(const ModelData& model, const State& state) {
  const double* q = state.q.data();
  for (const HandOver& h : model.hand_overs) {
    if (!h.here()) continue;
    const std::array<double, 2> soon = taken_soon(model, state, h);
    const auto c = static_cast<size_t>(h.cable);
    const int node = h.node - model.cables[c].first_node;
    const double nominal = element_length(model, c);
    const double shortest =
        model.scene.cables[c].mesh == FlowMesh::running ? shortest_running : shortest_border;
    for (const int from : {node - 1, h.kind == HandOver::Kind::supply ? node : node + 1}) {
      if (from < 0) continue;
      const double l =
          material_coordinate(model, c, from + 1, q) - material_coordinate(model, c, from, q);
      if (l > longest_border * nominal || l < shortest * nominal || l < soon[from >= node ? 1 : 0])
        return true;
    }
  }
  return false;
}

/// The mesh, whose nodes are those of the model, with elements beside hand-overs divided and
/// merged. True where any were.
bool renew_borders(const ModelData& model, const TakenSoon& soon, Mesh& out) {
  bool changed = false;
  for (size_t c = 0; c < model.cables.size(); ++c) {
    if (!flows(model.scene.cables[c])) continue;
    const std::vector<double> kept = kept_places(model, c);
    std::vector<double> nodes;
    std::vector<int> last;  // node of each span
    for (FlowSpan& span : spans_of(model, soon, c, out.s[c], kept)) {
      while (span.renew_running() || span.renew(0) || span.renew(1)) changed = true;
      nodes.insert(nodes.end(), span.s.begin(), span.s.end());
      last.push_back(static_cast<int>(nodes.size()) - 1);
    }
    out.s[c] = std::move(nodes);
    out.wraps[c].clear();
    size_t span = 0;
    for (const HandOver& h : model.hand_overs) {
      if (h.cable != static_cast<int>(c) || h.kind == HandOver::Kind::supply) continue;
      if (h.kind == HandOver::Kind::pulley) out.wraps[c].push_back(last[span]);
      const Stop& stop = model.scene.cables[c].route[static_cast<size_t>(h.stop)];
      if (!h.here() && stop.radius > 0) out.wraps[c].push_back(-1);
      if (h.here()) ++span;
    }
  }
  return changed;
}

/// Sections that are joined, on a cable that flows.
bool any_joints(const ModelData& model) {
  return std::any_of(model.hand_overs.begin(), model.hand_overs.end(), [&](const HandOver& h) {
    return model.scene.cables[static_cast<size_t>(h.cable)].sections.size() > 1;
  });
}

/// Of cables with elements.
std::optional<Mesh> renewed_elements(const ModelData& model, const State& state) {
  if (std::optional<Mesh> out = mesh_run_out(model, state)) {
    restore_joints(model, *out);
    return out;
  }
  if (std::optional<Mesh> out = mesh_off_pulleys(model, state)) {
    const TakenSoon soon = taken_soon(model, state);
    restore_joints(model, *out);
    if (any_joints(model)) pass_joints(*at_mesh(model, *out), soon, *out);
    renew_borders(*at_mesh(model, *out), soon, *out);
    return out;
  }
  if (any_joints(model)) {
    Mesh out = mesh_at(model, state.q.data());
    const TakenSoon soon = taken_soon(model, state);
    if (pass_joints(model, soon, out)) {
      renew_borders(*at_mesh(model, out), soon, out);
      return out;
    }
  }
  if (!any_due(model, state)) return std::nullopt;
  Mesh out = mesh_at(model, state.q.data());
  if (!renew_borders(model, taken_soon(model, state), out)) return std::nullopt;
  return out;
}

}  // namespace

std::optional<Mesh> renewed_mesh(const Model& handle, const State& state) {
  const ModelData& model = handle.data();
  std::optional<Mesh> out = renewed_elements(model, state);
  if (auto ways = met_ways(model, state)) {
    if (!out) out = mesh_at(model, state.q.data());
    out->bends = std::move(ways->bends);
    out->crossings = std::move(ways->crossings);
  }
  if (!out) out = mesh_at_fidelity(model, state);
  return out;
}

}  // namespace hawser
