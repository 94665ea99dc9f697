#include "model/mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "elements/hermite.h"
#include "hawser/error.h"
#include "hawser/mesh.h"
#include "hawser/model.h"
#include "hawser/state.h"
#include "model/flows.h"
#include "model/met_cables.h"
#include "model/model_data.h"
#include "model/route.h"
#include "model/section_joints.h"
#include "model/sections.h"
#include "model/touched_pulleys.h"

namespace hawser {
namespace {

constexpr double same_node = 1e-9;    ///< of the cable's length
constexpr double same_length = 1e-9;  ///< of the cable's length

/// Elements of one section that differ in length by no more than rounding share a run.
bool continues_run(const std::vector<MeshRun>& runs, const MeshRun& next) {
  return !runs.empty() && !next.split && next.section == runs.back().section && !next.flows() &&
         !runs.back().flows() &&
         std::abs(next.element_length - runs.back().element_length) <= 1e-12 * next.element_length;
}

void add_run(std::vector<MeshRun>& runs, const MeshRun& run) {
  if (!continues_run(runs, run)) {
    runs.push_back(run);
    return;
  }
  runs.back().elements += run.elements;
  runs.back().length += run.length;
}

/// The elements beside hand-overs are runs of their own.
void add_flowing(std::vector<MeshRun>& runs, MeshRun run) {
  const double l = run.element_length;
  const int end = run.flow[1];
  if (run.flow[0] >= 0 && run.elements > 1) {
    add_run(runs, {1, l, l, run.section, run.split, {run.flow[0], -1}, run.wraps});
    run.flow[0] = -1, run.split = run.wraps = false, --run.elements;
  }
  if (end >= 0 && run.elements > 1) {
    add_run(runs, {run.elements - 1, l, l * (run.elements - 1), run.section, run.split});
    run.elements = 1, run.split = run.wraps = false;
  }
  run.length = l * run.elements;
  add_run(runs, run);
}

/// Cable runs through all elements of a span with a flow: runs[first] to runs[last], from node to
/// node.
void run_through(const std::vector<double>& s, std::span<const MeshRun> span, size_t from,
                 size_t to, std::vector<MeshRun>& out) {
  const int flow[2] = {span.front().flow[0], span.back().flow[1]};
  const bool running = flow[0] >= 0 || flow[1] >= 0;
  const MeshRun* before = nullptr;
  for (MeshRun run : span) {
    if (running) {
      std::copy_n(flow, 2, run.flow);
      run.running = true;
      run.span[0] = s[from], run.span[1] = s[to];
    }
    const bool goes_on =
        before != nullptr && running && run.section == before->section &&
        std::abs(run.element_length - before->element_length) <= 1e-12 * run.element_length;
    if (goes_on) {
      out.back().elements += run.elements;
      out.back().length += run.length;
    } else {
      out.push_back(run);
    }
    before = &out.back();
  }
}

/// The same with cable that runs through its spans, if it is to.
CableMesh with_running(const Cable& cable, CableMesh mesh) {
  if (cable.mesh != FlowMesh::running || mesh.runs.empty()) return mesh;
  std::vector<MeshRun> runs;
  size_t from = 0, node = 0;  // where the span begins; the last node before a run
  for (size_t first = 0, i = 0; i < mesh.runs.size(); ++i) {
    if (i > 0 && mesh.runs[i].split) from = ++node;
    node += static_cast<size_t>(mesh.runs[i].elements);
    if (i + 1 < mesh.runs.size() && !mesh.runs[i + 1].split) continue;
    run_through(mesh.s, std::span(mesh.runs).subspan(first, i + 1 - first), from, node, runs);
    first = i + 1;
  }
  mesh.runs = std::move(runs);
  return mesh;
}

void check_ends(const ErrorObject& who, const CableMesh& own, const std::vector<double>& s) {
  const double length = own.s.back();
  if ((own.supplied() || s.front() == 0) && std::abs(s.back() - length) <= same_length * length)
    return;
  throw Error(who, fmt::format("nodes from {:.17g} m to {:.17g} m", s.front(), s.back()),
              fmt::format("nodes from 0 to {:.17g} m, the length of the cable", length),
              "Start from Model::mesh() and insert or erase nodes between its ends.");
}

void check_nodes(const Cable& cable, const CableMesh& own, const std::vector<double>& s) {
  const ErrorObject who = ErrorObject("cable", cable.name).at("mesh");
  if (cable.model == CableModel::massless) {
    if (!s.empty())
      throw Error(who, fmt::format("{} nodes", s.size()), "none: a massless cable has no nodes");
    return;
  }
  if (s.size() < 2) throw Error(who, fmt::format("{} nodes", s.size()), "2 or more");
  for (size_t i = 0; i < s.size(); ++i)
    if (!std::isfinite(s[i]))
      throw Error(who, fmt::format("node {} at {} m", i, s[i]), "a finite arc length");
  check_ends(who, own, s);
  const double least = shortest_element * own.s.back();
  for (size_t i = 1; i < s.size(); ++i) {
    const bool second = s[i] == s[i - 1] && !(i > 1 && s[i - 2] == s[i]);
    if (!second && !(s[i] - s[i - 1] >= least))
      throw Error(
          who,
          fmt::format("node {} at {:.9g} m after node {} at {:.9g} m", i, s[i], i - 1, s[i - 1]),
          fmt::format("increasing arc lengths, at least {:.3g} m apart", least));
  }
}

/// Where a mesh has two nodes without an element between them, by the first one.
std::vector<size_t> split_nodes(const std::vector<double>& s, const std::vector<int>& wraps) {
  std::vector<size_t> out;
  for (size_t i = 0; i + 1 < s.size(); ++i)
    if (s[i] == s[i + 1] ||
        std::find(wraps.begin(), wraps.end(), static_cast<int>(i)) != wraps.end())
      out.push_back(i);
  return out;
}

/// The own mesh of a cable that has come off pulleys or run out of hand-overs: what would lie on a
/// pulley is an element between the spans beside it, and what would be handed over goes on.
CableMesh without_lost(const Cable& cable, const CableMesh& own, const CableMesh& mesh) {
  CableMesh out = own;
  const auto let_go = [&](size_t stop) {  // the run after it
    const int flow = flow_after(cable, stop);
    const auto after = std::find_if(out.runs.begin(), out.runs.end(), [&](const MeshRun& run) {
      return run.split && run.flow[0] == flow;
    });
    after->split = after->wraps = false;
    after->flow[0] = (after - 1)->flow[1] = -1;
    return after;
  };
  const std::vector<size_t> stops = pulley_stops(cable);
  for (size_t k = 0; k < std::min(mesh.wraps.size(), out.wraps.size()); ++k) {
    if (mesh.wraps[k] >= 0) continue;
    const auto after = let_go(stops[k]);
    const auto node = static_cast<size_t>(own.wraps[k]);
    const double arc = own.s[node + 1] - own.s[node];
    out.runs.insert(after, {1, arc, arc, after->section});
    out.wraps[k] = -1;
  }
  for (const Mesh::RunOut& gone : mesh.run_outs) {
    const auto stop = static_cast<size_t>(gone.stop);
    if (cable.route[stop].radius > 0) continue;  // as above
    const auto after = let_go(stop);
    int node = 0;  // of two, the first
    for (auto run = out.runs.begin(); run != after; ++run)
      node += run->elements + (run->split ? 1 : 0);
    for (int& wrap : out.wraps) wrap -= wrap > node ? 1 : 0;
    out.s.erase(out.s.begin() + node);
  }
  return out;
}

/// Two nodes at a place where the slope does not jump: the cable is cut there.
bool only_cut(const CableMesh& own, const std::vector<double>& cuts, double s) {
  const std::vector<double> jumps = split_places(own.s);
  return std::binary_search(cuts.begin(), cuts.end(), s) &&
         !std::binary_search(jumps.begin(), jumps.end(), s);
}

/// Where cable is handed over in a mesh, by the first of two nodes; in the order of the route.
std::vector<size_t> hand_over_nodes(const CableMesh& own, const CableMesh& mesh,
                                    const std::vector<double>& cuts) {
  std::vector<double> jumps;  // where slopes do without a hand-over
  size_t node = 0;
  for (const MeshRun& run : own.runs) {
    if (run.split && run.flow[0] < 0) jumps.push_back(own.s[node]);
    node += static_cast<size_t>(run.elements) + (run.split ? 1 : 0);
  }
  std::vector<size_t> out = split_nodes(mesh.s, mesh.wraps);
  std::erase_if(out, [&](size_t i) {
    if (std::find(mesh.wraps.begin(), mesh.wraps.end(), static_cast<int>(i)) != mesh.wraps.end())
      return false;
    return only_cut(own, cuts, mesh.s[i]) ||
           std::find(jumps.begin(), jumps.end(), mesh.s[i]) != jumps.end();
  });
  return out;
}

/// The hand-overs of a cable that flows are in every mesh, in the same order. Joints of sections
/// have two nodes where the slope jumps; they pass hand-overs.
void check_hand_overs(const Cable& cable, const CableMesh& own, const CableMesh& mesh,
                      const std::vector<double>& cuts) {
  const ErrorObject who = ErrorObject("cable", cable.name).at("mesh");
  const std::vector<size_t> have = hand_over_nodes(own, mesh, cuts);
  std::vector<const MeshRun*> kinds = own.splits();
  std::erase_if(kinds, [](const MeshRun* run) { return run->flow[0] < 0; });
  bool fits = have.size() == kinds.size();
  for (size_t k = 0; fits && k < have.size(); ++k)
    fits = kinds[k]->wraps == (std::find(mesh.wraps.begin(), mesh.wraps.end(),
                                         static_cast<int>(have[k])) != mesh.wraps.end());
  if (!fits)
    throw Error(who, fmt::format("{} places with two nodes", have.size()),
                fmt::format("{}, as in Model::mesh()", kinds.size()));
  for (const SectionJoint& joint : section_joints(cable, own.s)) {
    const auto nodes = std::count(mesh.s.begin(), mesh.s.end(), joint.s);
    if (nodes == 0 || nodes >= joint.nodes) continue;
    throw Error(
        who, fmt::format("no two nodes at {:.17g} m, where the slope of the cable jumps", joint.s),
        "two nodes there, as in Model::mesh()", "Insert and erase nodes between such places.");
  }
}

/// Slopes that jump have two nodes in every mesh, so that states can be carried over: at the same
/// places.
void check_splits(const Cable& cable, const CableMesh& own, const CableMesh& mesh,
                  const std::vector<double>& cuts) {
  if (flows(cable)) return check_hand_overs(cable, own, mesh, cuts);
  std::vector<size_t> have = split_nodes(mesh.s, mesh.wraps);
  std::erase_if(have, [&](size_t i) { return only_cut(own, cuts, mesh.s[i]); });
  const std::vector<size_t> places = split_nodes(own.s, own.wraps);
  const std::vector<const MeshRun*> kinds = own.splits();
  const ErrorObject who = ErrorObject("cable", cable.name).at("mesh");
  const auto wraps = [&](size_t k) {
    return std::find(mesh.wraps.begin(), mesh.wraps.end(), static_cast<int>(have[k])) !=
           mesh.wraps.end();
  };
  const std::vector<double> jumps = split_places(own.s);
  const bool still = std::none_of(kinds.begin(), kinds.end(),
                                  [](const MeshRun* run) { return run->flow[0] >= 0; });
  for (const size_t i : have)
    if (still && !std::binary_search(jumps.begin(), jumps.end(), mesh.s[i]))
      throw Error(who,
                  fmt::format("two nodes at {:.17g} m, where the slope of the cable does not jump",
                              mesh.s[i]),
                  "increasing arc lengths", "Insert and erase nodes between such places.");
  for (size_t k = 0; k < places.size(); ++k) {
    const double at = own.s[places[k]];
    if (k < have.size() && wraps(k) == kinds[k]->wraps &&
        (kinds[k]->flow[0] >= 0 || mesh.s[have[k]] == at))
      continue;
    throw Error(
        who, fmt::format("no two nodes at {:.17g} m, where the slope of the cable jumps", at),
        "two nodes there, as in Model::mesh()", "Insert and erase nodes between such places.");
  }
  if (have.size() > places.size())
    throw Error(who, fmt::format("{} places with two nodes", have.size()),
                fmt::format("{}, as in Model::mesh()", places.size()));
}

/// A cut is between two nodes.
void check_cuts(const Cable& cable, const std::vector<double>& s, const std::vector<double>& cuts) {
  const std::vector<double> have = split_places(s);
  for (const double at : cuts)
    if (!std::binary_search(have.begin(), have.end(), at))
      throw Error(ErrorObject("cable", cable.name).at("mesh"),
                  fmt::format("no two nodes at {:.17g} m, where the cable is cut", at),
                  "two nodes there, as with_cut() makes them");
}

/// Stops that are no hand-overs lose nothing, and pulleys are off, too.
void check_run_outs(const Cable& cable, const CableMesh& mesh) {
  const std::vector<size_t> pulleys = pulley_stops(cable);
  int before = 0;
  for (const Mesh::RunOut& gone : mesh.run_outs) {
    const auto stop = static_cast<size_t>(gone.stop);
    const bool fits =
        gone.stop > before && stop < cable.route.size() && flow_before(cable, stop) >= 0;
    before = gone.stop;
    const auto at =
        static_cast<size_t>(std::find(pulleys.begin(), pulleys.end(), stop) - pulleys.begin());
    if (fits && (at == pulleys.size() || (at < mesh.wraps.size() && mesh.wraps[at] < 0))) continue;
    throw Error(ErrorObject("cable", cable.name).at("mesh"),
                fmt::format("a cable that has run out of stop {} of its route", gone.stop),
                "an eyelet, or a pulley that it is off, in the order of the route");
  }
}

/// Sections change at nodes, or at a hand-over, on a pulley or on a winch.
void check_sections(const Cable& cable, const CableMesh& own, const CableMesh& mesh,
                    const std::vector<double>& cuts) {
  if (cable.sections.size() < 2) return;
  const std::vector<double>& s = mesh.s;
  const std::vector<size_t> handed =
      flows(cable) ? hand_over_nodes(own, mesh, cuts) : std::vector<size_t>();
  for (const double at : section_ends(cable, own.s.back())) {
    const double near = 2 * same_place * own.s.back();
    if (std::any_of(s.begin(), s.end(), [&](double node) { return std::abs(node - at) <= near; }))
      continue;
    if (own.supplied() && at < s[1]) continue;
    const auto after = std::upper_bound(s.begin() + 1, s.end() - 1, at);
    const auto end = static_cast<size_t>(after - s.begin());  // of its element, or what lies there
    const auto is_handed = [&](size_t node) {
      return std::find(handed.begin(), handed.end(), node) != handed.end();
    };
    if (is_handed(end) || is_handed(end - 1) || (end > 1 && is_handed(end - 2))) continue;
    throw Error(ErrorObject("cable", cable.name).at("mesh"),
                fmt::format("no node at {:.9g} m, where the section changes", at),
                "a node where sections change", "Insert a node there in the mesh.");
  }
}

}  // namespace

std::vector<double> split_places(const std::vector<double>& s) {
  std::vector<double> out;
  for (size_t i = 1; i < s.size(); ++i)
    if (s[i] == s[i - 1]) out.push_back(s[i]);
  return out;
}

CableMesh own_mesh(const Cable& cable, const Route& route) {
  CableMesh out;
  if (route.empty()) return out;
  out.s = node_arcs(route);
  int nodes = 1;
  for (const RouteSpan& span : route)
    for (const RoutePiece& piece : span.pieces) {
      const MeshRun run{piece.elements, piece.element_length(),         piece.length, piece.section,
                        piece.split,    {piece.flow[0], piece.flow[1]}, piece.arc > 0};
      if (run.wraps) out.wraps.push_back(nodes - 1);
      nodes += piece.elements + (piece.split ? 1 : 0);
      run.flows() ? add_flowing(out.runs, run) : add_run(out.runs, run);
    }
  return with_running(cable, std::move(out));
}

std::vector<const MeshRun*> CableMesh::splits() const {
  std::vector<const MeshRun*> out;
  for (const MeshRun& run : runs)
    if (run.split) out.push_back(&run);
  return out;
}

std::vector<const MeshRun*> CableMesh::ends() const {
  std::vector<const MeshRun*> out;
  for (size_t i = 0; i < runs.size(); ++i)
    if (i + 1 == runs.size() || runs[i + 1].split) out.push_back(&runs[i]);
  return out;
}

std::vector<double> own_arcs(const Cable& cable, const CableMesh& own, const CableMesh& mesh) {
  struct Ends {
    std::vector<size_t> last;      // node at the end of each span
    std::vector<double> from, to;  // of each span [m]
  };
  const auto spans = [](const CableMesh& m) {
    Ends out{{}, {m.s.front()}, {}};
    const std::vector<size_t> nodes = split_nodes(m.s, m.wraps);
    const std::vector<const MeshRun*> kinds = m.splits();
    for (size_t k = 0; k < nodes.size(); ++k) {
      if (kinds[k]->flow[0] < 0) continue;
      out.last.push_back(nodes[k]);
      out.to.push_back(m.s[nodes[k]]);
      out.from.push_back(m.s[nodes[k] + 1]);
    }
    out.last.push_back(m.s.size() - 1);
    out.to.push_back(m.s.back());
    return out;
  };
  const Ends is = spans(mesh), was = spans(without_lost(cable, own, mesh));
  std::vector<double> out;
  for (size_t i = 0, k = 0; i < mesh.s.size(); ++i) {
    const double s = mesh.s[i], part = (s - is.from[k]) / (is.to[k] - is.from[k]);
    const bool unmoved = is.from[k] == was.from[k] && is.to[k] == was.to[k];
    out.push_back(unmoved           ? s
                  : s == is.from[k] ? was.from[k]
                  : s == is.to[k]   ? was.to[k]
                                    : was.from[k] + part * (was.to[k] - was.from[k]));
    if (i == is.last[k] && i + 1 < mesh.s.size()) ++k;
  }
  return out;
}

const std::vector<double>& cuts_of(const Mesh& mesh, size_t cable) {
  static const std::vector<double> none;
  return mesh.cuts.empty() ? none : mesh.cuts[cable];
}

const std::vector<Mesh::RunOut>& run_outs_of(const Mesh& mesh, size_t cable) {
  static const std::vector<Mesh::RunOut> none;
  return mesh.run_outs.empty() ? none : mesh.run_outs[cable];
}

CableMesh given_mesh(const Cable& cable, const CableMesh& whole, const Mesh& mesh, size_t number) {
  const std::vector<double>& s = mesh.s[number];
  const std::vector<double>& cuts = cuts_of(mesh, number);
  // A mesh of cables that lie on no pulley need not say so.
  const std::vector<int> wraps =
      number < mesh.wraps.size() ? mesh.wraps[number] : std::vector<int>();
  CableMesh out{s, {}, wraps, run_outs_of(mesh, number)};
  check_run_outs(cable, out);
  const CableMesh own = without_lost(cable, whole, out);
  check_nodes(cable, own, s);
  if (cable.model != CableModel::massless) check_cuts(cable, s, cuts);
  if (!cuts.empty() && flows(cable) && cable.mesh == FlowMesh::running)
    throw Error(ErrorObject("cable", cable.name), "a cut of a cable that runs through its elements",
                "a cable with nodes of its material", "Use `mesh: material`.");
  if (s == own.s && wraps == own.wraps) {
    out.runs = own.runs;
    return out;
  }
  check_sections(cable, own, out, cuts);
  check_splits(cable, own, out, cuts);
  std::vector<double> lengths;  // of the elements of `own`, by their first nodes
  std::vector<int> sections;
  for (const MeshRun& run : own.runs) {
    if (run.split) lengths.push_back(0), sections.push_back(run.section);
    lengths.insert(lengths.end(), static_cast<size_t>(run.elements), run.element_length);
    sections.insert(sections.end(), static_cast<size_t>(run.elements), run.section);
  }
  const std::vector<size_t> places = split_nodes(s, wraps),
                            handed = hand_over_nodes(own, out, cuts);
  // The hand-overs of the own mesh: the runs after them and before them, and the last.
  std::vector<const MeshRun*> kinds, ends;
  for (size_t i = 0; i < own.runs.size(); ++i) {
    const bool is_last = i + 1 == own.runs.size();
    if (is_last || (own.runs[i + 1].split && own.runs[i + 1].flow[0] >= 0))
      ends.push_back(&own.runs[i]);
    if (own.runs[i].split && own.runs[i].flow[0] >= 0) kinds.push_back(&own.runs[i]);
  }
  size_t place = 0, split = 0;  // the next ones: of the mesh, of hand-overs
  bool second = false, jumps = false;
  for (size_t i = 0; i + 1 < s.size(); ++i) {
    if (place < places.size() && places[place] == i) {
      ++place;
      second = true;
      jumps = split < handed.size() && handed[split] == i;
      split += jumps && split < kinds.size() ? 1 : 0;
      continue;
    }
    MeshRun run;
    run.split = second;
    if (i == 0) run.flow[0] = own.runs.front().flow[0];
    if (second && jumps && !kinds.empty())
      run.flow[0] = kinds[split - 1]->flow[0], run.wraps = kinds[split - 1]->wraps;
    const bool ends_here = split < handed.size() && handed[split] == i + 1;
    if (i + 2 == s.size() || ends_here) run.flow[1] = ends[split]->flow[1];
    second = false;
    const auto after = std::upper_bound(own.s.begin(), own.s.end(), s[i]);
    const bool kept = after != own.s.begin() && *(after - 1) == s[i] && after != own.s.end() &&
                      *after == s[i + 1];
    const double length =
        kept ? lengths[static_cast<size_t>(after - 1 - own.s.begin())] : s[i + 1] - s[i];
    const double middle = (s[i] + s[i + 1]) / 2;
    run.elements = 1;
    run.element_length = run.length = length;
    run.section = flows(cable) ? section_of_element(cable, own.s.back(), s[i], s[i + 1],
                                                    run.flow[0] >= 0, run.flow[1] >= 0)
                               : sections[static_cast<size_t>(locate(own.s, middle).element)];
    add_run(out.runs, run);
  }
  return with_running(cable, std::move(out));
}

MeshSpot locate(const std::vector<double>& s, double at) {
  const auto after = std::upper_bound(s.begin() + 1, s.end() - 1, at);  // the end of its element
  const int element = static_cast<int>(after - s.begin()) - 1;
  const double from = *(after - 1), to = *after, near = same_node * s.back();
  if (at - from <= near) return {element, 0};
  if (to - at <= near) {
    if (after + 1 == s.end()) return {element, 1};
    return {element + (*(after + 1) == to ? 2 : 1), 0};
  }
  return {element, (at - from) / (to - from)};
}

std::vector<MeshSpot> locate_nodes(const std::vector<double>& s, const std::vector<double>& nodes) {
  std::vector<MeshSpot> out;
  for (size_t i = 0; i < nodes.size(); ++i) {
    out.push_back(locate(s, nodes[i]));
    const auto at = static_cast<size_t>(out.back().node());
    const bool twice = out.back().on_node() && at > 0 && s[at] == s[at - 1];
    if (twice && i + 1 < nodes.size() && nodes[i] == nodes[i + 1]) --out.back().element;
  }
  return out;
}

std::vector<NodeStart> lay_on(const std::vector<NodeStart>& nodes, const std::vector<double>& own,
                              const std::vector<double>& s, bool cubic) {
  std::vector<NodeStart> out;
  for (const MeshSpot& spot : locate_nodes(own, s)) {
    if (spot.on_node()) {
      out.push_back(nodes[static_cast<size_t>(spot.node())]);
      continue;
    }
    const auto e = static_cast<size_t>(spot.element);
    const NodeStart &a = nodes[e], &b = nodes[e + 1];
    const double l = own[e + 1] - own[e];
    const Vec3 chord = (b.position - a.position) / l;
    if (!cubic) {
      out.push_back({a.position + (spot.xi * l) * chord, chord});
      continue;
    }
    const auto p = hermite_position(spot.xi);
    const HermitePoint d = hermite_point(spot.xi, 0);
    out.push_back({p[0] * a.position + l * p[1] * a.slope + p[2] * b.position + l * p[3] * b.slope,
                   d.c[0] * chord + d.c[1] * a.slope + d.c[2] * b.slope});
  }
  return out;
}

namespace {

/// Where a cut is made: not so near to a node that a sliver is left.
double place_of_cut(const std::vector<double>& s, double at) {
  constexpr double sliver = 0.2;  ///< of an element
  const auto after = std::upper_bound(s.begin() + 1, s.end() - 1, at);
  const double from = *(after - 1), to = *after, near = sliver * (to - from);
  if (at - from < near) return after - 1 == s.begin() ? from + near : from;
  if (to - at < near) return after + 1 == s.end() ? to - near : to;
  return at;
}

}  // namespace

Mesh with_cut(const Scene& scene, const Mesh& mesh, size_t cable, double s) {
  if (cable >= scene.cables.size())
    throw Error("cut", fmt::format("cable number {}", cable),
                fmt::format("one of {} cables", scene.cables.size()));
  const ErrorObject who = ErrorObject("cable", scene.cables[cable].name).at("cut");
  Mesh out = mesh;
  out.cuts.resize(scene.cables.size());
  std::vector<double>& nodes = out.s[cable];
  std::vector<double>& cuts = out.cuts[cable];
  if (nodes.empty()) {  // massless
    if (!cuts.empty())
      throw Error(who, "a massless cable that is cut already", "one that is whole");
    if (!(s >= 0)) throw Error(who, fmt::format("{:g} m", s), "an arc length on the cable");
    cuts.push_back(s);
    drop_crossings(out, cable);
    return out;
  }
  if (!(s >= nodes.front() && s <= nodes.back()))
    throw Error(who, fmt::format("{:g} m", s),
                fmt::format("{:g} to {:g} m", nodes.front(), nodes.back()));
  const double at = place_of_cut(nodes, s);
  if (std::binary_search(cuts.begin(), cuts.end(), at))
    throw Error(who, fmt::format("{:g} m, where it is cut already", at), "another place");
  const auto count = std::count(nodes.begin(), nodes.end(), at);
  nodes.insert(std::lower_bound(nodes.begin(), nodes.end(), at), static_cast<size_t>(2 - count),
               at);
  cuts.insert(std::lower_bound(cuts.begin(), cuts.end(), at), at);
  return out;
}

Mesh with_cut(const Model& handle, const State& state, size_t cable, double s) {
  const ModelData& model = handle.data();
  if (cable >= model.cables.size() || !flows(model.scene.cables[cable]))
    return with_cut(model.scene, model.mesh, cable, s);
  const Mesh mesh = mesh_at(model, state.q.data());
  const std::vector<double>& nodes = mesh.s[cable];
  const int first = model.cables[cable].first_node;
  const auto handed_over = [&](size_t node) {
    const int n = first + static_cast<int>(node);
    return std::any_of(model.hand_overs.begin(), model.hand_overs.end(), [&](const HandOver& h) {
      return h.node == n || (h.kind != HandOver::Kind::supply && h.node >= 0 && h.node + 1 == n);
    });
  };
  const auto after = std::upper_bound(nodes.begin() + 1, nodes.end() - 1, s);
  const auto end = static_cast<size_t>(after - nodes.begin());
  const auto& wraps = mesh.wraps[cable];
  if (std::find(wraps.begin(), wraps.end(), static_cast<int>(end) - 1) != wraps.end())
    throw Error(ErrorObject("cable", model.scene.cables[cable].name).at("cut"),
                fmt::format("{:g} m, which lies on a pulley", s), "a place on a span",
                fmt::format("Cut it below {:g} m or above {:g} m.", nodes[end - 1], nodes[end]));
  constexpr double apart = 0.21, aside = 1e-5;  // of an element
  const double l = nodes[end] - nodes[end - 1];
  if (handed_over(end - 1)) s = std::max(s, nodes[end - 1] + apart * l);
  if (handed_over(end)) s = std::min(s, nodes[end] - apart * l);
  const std::vector<double> jumps = split_places(model.own_mesh.s[cable]);
  if (std::binary_search(jumps.begin(), jumps.end(), s)) s += aside * l;  // none of those is a cut
  return with_cut(model.scene, mesh, cable, s);
}

Mesh default_mesh(const Scene& given) {
  validate(given);
  const Scene scene = with_touched_pulleys(given);
  Mesh out;
  const std::vector<Route> routes = routes_of(scene);
  for (size_t i = 0; i < routes.size(); ++i) {
    CableMesh own = own_mesh(scene.cables[i], routes[i]);
    out.s.push_back(std::move(own.s));
    out.wraps.push_back(std::move(own.wraps));
  }
  return out;
}

}  // namespace hawser
