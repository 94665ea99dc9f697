// A shape to start from where the one given leads nowhere: slack cables as arcs that bow down, none
// of them crushed or folded. Nodes that something else holds stay where they are.
#include <set>

#include "math/catenary.h"
#include "model/sections.h"
#include "statics/static_search.h"

namespace hawser {
namespace {

/// Nodes of cables that a support or a row holds.
std::set<int> held_nodes(const ModelData& model) {
  std::set<int> out;
  for (const int c : model.structure.fixed)
    if (c % node_size < 3) out.insert(c / node_size);
  for (const RowInfo& row : model.rows)
    for (const int c : row.coordinates) out.insert(c / node_size);
  return out;
}

/// Unstretched length up to each node of a cable [m].
std::vector<double> lengths_to(const ModelData& model, int cable) {
  std::vector<double> out{0};
  const int first = model.cables[static_cast<size_t>(cable)].first_node;
  for (const Fields* part : model.fields_of(cable)) {
    if (part->run.first_node - first == static_cast<int>(out.size())) out.push_back(out.back());
    for (int e = 0; e < part->run.elements; ++e) out.push_back(out.back() + part->run.length);
  }
  return out;
}

void place(State& state, int node, const Vec3& position, const Vec3& slope) {
  double* q = state.q.data() + node_size * node;
  Eigen::Map<Vec3>{q} = position;
  Eigen::Map<Vec3>{q + 3} = slope;
}

}  // namespace

State StaticSearch::bowed() const {
  State out = start_;
  const std::set<int> held = held_nodes(model);
  for (size_t i = 0; i < model.cables.size(); ++i) {
    const CableSpan& span = model.cables[i];
    if (span.elements == 0) continue;
    const std::vector<double> s = lengths_to(model, static_cast<int>(i));
    int from = 0;
    for (int to = 1; to < span.nodes; ++to) {
      if (to + 1 < span.nodes && !held.contains(span.first_node + to)) continue;
      CatenaryProblem p;
      p.from = start_.position(span.first_node + from);
      p.to = start_.position(span.first_node + to);
      p.length = s[static_cast<size_t>(to)] - s[static_cast<size_t>(from)];
      p.law = {mean_section(model.scene.cables[i], s.back()).EA, StrainMeasure::engineering};
      if (!model.scene.gravity.isZero()) p.side = model.scene.gravity;
      const Catenary arc = solve_catenary(p);
      for (int n = from; n <= to; ++n) {
        const double at = s[static_cast<size_t>(n)] - s[static_cast<size_t>(from)];
        const bool end = n == from || n == to;
        const int node = span.first_node + n;
        const Vec3 slope = model.structure.is_narrow(node)
                               ? Vec3(start_.q.data() + node_size * node + 3)
                               : arc.slope(at);
        place(out, node, end ? start_.position(node) : arc.position(at), slope);
      }
      from = to;
    }
  }
  model.structure.spread(out.q.data());
  for (const int c : model.structure.fixed)  // supports are met, directions that they hold too
    out.q[static_cast<size_t>(c)] = start_.q[static_cast<size_t>(c)];
  out.axial_force_valid = false;
  return out;
}

}  // namespace hawser
