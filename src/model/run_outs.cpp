#include "model/run_outs.h"

#include <algorithm>
#include <cmath>

#include "hawser/state.h"
#include "model/flows.h"
#include "model/frames.h"
#include "model/mesh.h"
#include "model/model_data.h"
#include "model/route.h"

namespace hawser {
namespace {

constexpr double worth_a_node = 0.5;  ///< by the length of an element

/// Whether a cable, or a part of it that was cut off, ends at a node, and nothing is there.
bool is_free_end(const ModelData& model, size_t cable, int node) {
  const Cable& c = model.scene.cables[cable];
  const std::vector<double>& s = model.mesh.s[cable];
  const int at = node - model.cables[cable].first_node, last = static_cast<int>(s.size()) - 1;
  const double place = s[static_cast<size_t>(at)];
  const std::vector<double>& cuts = cuts_of(model.mesh, cable);
  const bool cut = std::binary_search(cuts.begin(), cuts.end(), place);
  if (at == 0 ? c.route.front().kind != Stop::Kind::free
              : (at == last ? c.route.back().kind != Stop::Kind::free : !cut))
    return false;
  const auto places = named_places(model.scene);
  const auto own = places.find(c.name);
  return own == places.end() ||
         std::none_of(own->second.all.begin(), own->second.all.end(), [&](const Place& named) {
           return std::abs(arc_of(named, s.back()) - place) <= 2 * same_place * s.back();
         });
}

/// A support that slides holds the cable by rows that do not end.
bool lets_go(const ModelData& model, const HandOver& h) {
  if (h.kind == HandOver::Kind::supply || !h.here()) return false;
  const Cable& cable = model.scene.cables[static_cast<size_t>(h.cable)];
  const Stop& stop = cable.route[static_cast<size_t>(h.stop)];
  if (cable.closed) return false;
  const int support = find_stop(model.scene, stop, ErrorObject("cable", cable.name)).support;
  return support < 0 || !model.scene.supports[static_cast<size_t>(support)].slides;
}

/// Takes the rest out of a mesh, whose nodes are those of the model: the end stays, and of the two
/// nodes of the hand-over at most the one where the cable goes on.
void take_out(const ModelData& model, const HandOver& h, const Rest& rest, bool after, Mesh& out) {
  const auto c = static_cast<size_t>(h.cable);
  std::vector<double>& s = out.s[c];
  const int start = model.cables[c].first_node, first = rest.first - start,
            last = rest.last - start;
  const auto at = [&](int node) { return s[static_cast<size_t>(node)]; };
  const int goes_on = after ? last + 1 : first - 1;
  const bool keeps =
      std::abs(at(goes_on) - at(after ? first : last)) >= worth_a_node * element_length(model, c);
  const int from = after ? first + 1 : (keeps ? first : goes_on),
            to = after ? (keeps ? last : goes_on) : last - 1, count = to - from + 1;
  s.erase(s.begin() + from, s.begin() + to + 1);
  std::vector<int>& wraps = out.wraps[c];
  for (int& wrap : wraps)
    if (wrap > to) wrap -= count;
  const std::vector<size_t> pulleys = pulley_stops(model.scene.cables[c]);
  for (size_t k = 0; k < pulleys.size(); ++k)
    if (pulleys[k] == static_cast<size_t>(h.stop)) wraps[k] = -1;
  out.run_outs.resize(out.s.size());
  std::vector<Mesh::RunOut>& gone = out.run_outs[c];
  const auto before = [](const Mesh::RunOut& a, const Mesh::RunOut& b) { return a.stop < b.stop; };
  const Mesh::RunOut next{h.stop, after};
  gone.insert(std::lower_bound(gone.begin(), gone.end(), next, before), next);
}

}  // namespace

std::optional<Rest> rest_beside(const ModelData& model, const HandOver& h, bool after) {
  if (!lets_go(model, h)) return std::nullopt;
  const auto c = static_cast<size_t>(h.cable);
  const CableSpan& span = model.cables[c];
  Rest rest{span.first_node, h.node};
  if (after) rest = {h.node + 1, span.first_node + span.nodes - 1};
  // Of several parts, the one at the hand-over.
  for (const SplitNode& cut : model.cuts) {
    if (cut.node < rest.first || cut.node >= rest.last) continue;
    if (after)
      rest.last = std::min(rest.last, cut.node);
    else
      rest.first = std::max(rest.first, cut.node + 1);
  }
  for (const HandOver& other : model.hand_overs)
    if (other.cable == h.cable && other.stop != h.stop && other.node >= rest.first &&
        other.node <= rest.last)
      return std::nullopt;
  if (!is_free_end(model, c, after ? rest.last : rest.first)) return std::nullopt;
  return rest;
}

std::optional<Mesh> mesh_run_out(const ModelData& model, const State& state) {
  std::optional<Mesh> out;
  const double* q = state.q.data();
  for (size_t i = model.hand_overs.size(); i-- > 0;) {  // from the end: others keep their numbers
    const HandOver& h = model.hand_overs[i];
    const auto c = static_cast<size_t>(h.cable);
    if (!h.here() || h.kind == HandOver::Kind::supply) continue;
    for (const bool after : {true, false}) {  // where the cable goes on
      const int beside = after ? h.node - 1 : h.node + 1, from = model.cables[c].first_node;
      const double least = shortest_rest * element_length(model, c);
      if (!(material_coordinate(model, c, beside + 1 - from, q) -
                material_coordinate(model, c, beside - from, q) <
            least))
        continue;
      const auto rest = rest_beside(model, h, !after);
      if (!rest) continue;
      const int start = model.cables[c].first_node, elements = rest->last - rest->first;
      const double left = material_coordinate(model, c, rest->last - start, q) -
                          material_coordinate(model, c, rest->first - start, q);
      if (!(left < least * elements)) continue;
      if (!out) out = mesh_at(model, q);
      take_out(model, h, *rest, after, *out);
      break;
    }
  }
  return out;
}

}  // namespace hawser
