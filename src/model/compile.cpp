#include <fmt/format.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <optional>

#include "elements/cable_elements.h"
#include "elements/flow_elements.h"
#include "hawser/error.h"
#include "hawser/model.h"
#include "model/fidelity.h"
#include "model/flows.h"
#include "model/frames.h"
#include "model/mesh.h"
#include "model/model_data.h"
#include "model/sections.h"
#include "model/shape.h"
#include "model/signals.h"
#include "model/touched_pulleys.h"

namespace hawser {

int find_cable(const Scene& scene, const std::string& name, const ErrorObject& who) {
  for (size_t i = 0; i < scene.cables.size(); ++i)
    if (scene.cables[i].name == name) return static_cast<int>(i);
  std::string known;
  for (const Cable& c : scene.cables) known += (known.empty() ? "'" : ", '") + c.name + "'";
  throw Error(who, fmt::format("unknown cable '{}'", name), "one of " + known);
}

int find_node(const ModelData& model, const Place& place, const ErrorObject& who) {
  const int cable = find_cable(model.scene, place.cable, who);
  const std::vector<double>& nodes = model.mesh.s[static_cast<size_t>(cable)];
  if (nodes.empty())
    throw Error(ErrorObject("cable", place.cable, who.text),
                fmt::format("a place on the massless cable '{}'", place.cable),
                "a cable with elements: ancf or np-fem");
  return node_at(model, cable, arc_of(place, nodes.back()), who);
}

int node_at(const ModelData& model, int cable, double s, const ErrorObject& who) {
  const std::vector<double>& nodes = model.mesh.s[static_cast<size_t>(cable)];
  const auto after = std::lower_bound(nodes.begin() + 1, nodes.end() - 1, s);
  const auto nearest = s - *(after - 1) < *after - s ? after - 1 : after;
  if (!(std::abs(*nearest - s) <= 2 * same_place * nodes.back())) {  // rounding
    const std::string& name = model.scene.cables[static_cast<size_t>(cable)].name;
    for (const HandOver& h : model.hand_overs)  // two nodes, with what lies on the pulley between
      if (h.cable == cable && h.here() &&
          model.cables[static_cast<size_t>(cable)].first_node + (after - nodes.begin()) ==
              h.node + 1)
        throw Error(ErrorObject("cable", name, who.text),
                    fmt::format("a place at {:.9g} m of cable '{}', on the pulley '{}'", s, name,
                                model.scene.cables[static_cast<size_t>(cable)]
                                    .route[static_cast<size_t>(h.stop)]
                                    .on),
                    fmt::format("a place up to {:.9g} m or from {:.9g} m on", *(after - 1), *after),
                    "A cable that flows has no nodes on a pulley.");
    throw Error(ErrorObject("cable", name, who.text),
                fmt::format("no node of the mesh at {:.9g} m of cable '{}'", s, name),
                "a node at every place that the scene names", "Insert a node there in the mesh.");
  }
  const auto first = std::lower_bound(nodes.begin(), nearest, *nearest);  // of two
  return model.cables[static_cast<size_t>(cable)].first_node +
         static_cast<int>(first - nodes.begin());
}

int slope_node(const ModelData& model, int node) {
  for (const SplitNode& split : model.splits) {
    const auto run = static_cast<size_t>(split.run);
    if (split.node == node && model.fields[run - 1]->run.EI == 0 && model.fields[run]->run.EI > 0)
      return node + 1;
  }
  return node;
}

int add_node(ModelData& model, bool narrow) {
  model.structure.narrow.push_back(narrow);
  model.structure.nodes = ++model.nodes;
  return model.nodes - 1;
}

int add_scalar(ModelData& model) { return model.structure.scalars++; }

void couple(ModelData& model, int a, int b) {
  const std::pair pair(std::min(a, b), std::max(a, b));
  auto& pairs = model.structure.pairs;
  if (std::find(pairs.begin(), pairs.end(), pair) == pairs.end()) pairs.push_back(pair);
}

int add_row(ModelData& model, RowInfo info, std::vector<int> coordinates) {
  info.coordinates = std::move(coordinates);
  info.first_entry = model.entries;
  const int row = static_cast<int>(model.rows.size());
  if (info.limited) model.limited.push_back(row);
  if (!info.velocity && (info.compliance != 0 || info.EA != 0)) model.elastic.push_back(row);
  model.entries += static_cast<int>(info.coordinates.size());
  model.rows.push_back(std::move(info));
  return row;
}

void require_slope(const ModelData& model, const Place& place, const ErrorObject& who) {
  if (!model.structure.is_narrow(find_node(model, place, who))) return;
  throw Error(ErrorObject("cable", place.cable, who.text),
              fmt::format("a direction at {}, whose model is np-fem", place.text()),
              "an ancf cable, which has a direction",
              "Use the model ancf for this cable, or constrain and load positions only.");
}

namespace {

void find_inputs(ModelData& model) {
  model.inputs = initial_inputs(model.scene);
  model.rate_inputs.assign(model.inputs.size(), 0);
  for (const Input& input : model.scene.inputs) model.has_feedback |= input.feedback.has_value();
  visit_signals(model.scene, [&](SignalUse use, const Signal& signal, const auto&) {
    if (use == SignalUse::rate || use == SignalUse::slip)
      for (const size_t k : signal.inputs()) model.rate_inputs[k] = 1;
  });
}

AncfBatch make_batch(const ModelData& model, const Cable& c, const CableSpan& span,
                     const MeshRun& run) {
  AncfBatch batch;
  const Section& section = c.sections[static_cast<size_t>(run.section)];
  if (c.model == CableModel::np_fem) {
    batch.parameters = np_fem_parameters(run.element_length, section.EA, section.mass,
                                         c.lumped_mass, c.tension_only);
    batch.strain = StrainMeasure::engineering;
  } else {
    batch.parameters = ancf_parameters(run.element_length, {section.EA, section.EI}, section.mass,
                                       c.axial_points, c.bending_points);
    batch.strain = c.strain;
    batch.curvature = c.curvature;
  }
  batch.parameters.mass_damping = section.mass_damping;
  batch.first_node = span.first_node + span.nodes - 1;
  batch.first_element = span.first_element + span.elements;
  batch.elements = run.elements;
  batch.continues = span.runs > 0 && !run.split;
  batch.cable = static_cast<int>(model.cables.size());
  batch.section = run.section;
  return batch;
}

/// A run of elements, and the flows at its ends.
struct LaidRun {
  AncfBatch batch;
  int flow[2];     ///< scalars; -1: none
  bool wraps;      ///< the cable lies on a pulley before it
  bool running;    ///< cable runs through it
  double span[2];  ///< running: where its span begins and ends [m]
};

/// A node of a span through which cable runs: between its ends in proportion.
FlowNode running_node(const LaidRun& laid, double s) {
  const double w = (s - laid.span[0]) / (laid.span[1] - laid.span[0]), share[2] = {1 - w, w};
  FlowNode out;
  out.inner = s != laid.span[0] && s != laid.span[1];
  for (const int end : {0, 1}) {
    if (share[end] == 0) continue;
    if (laid.flow[end] < 0) {
      out.base += share[end] * laid.span[end];
    } else if (out.scalar < 0) {
      out.scalar = laid.flow[end], out.share = share[end];
    } else {
      out.other = laid.flow[end], out.other_share = share[end];
    }
  }
  return out;
}

/// A joint of sections that is at an eyelet: cable of one section before it, of another after it.
void join_at_eyelets(const ModelData& model, const std::vector<LaidRun>& runs, size_t i,
                     FlowBatch& out) {
  const LaidRun& laid = runs[i];
  const auto cable = static_cast<size_t>(laid.batch.cable);
  const Cable& c = model.scene.cables[cable];
  if (c.sections.size() < 2) return;
  const auto other = [&](size_t k) {
    return runs[k].batch.cable == laid.batch.cable && runs[k].batch.section != laid.batch.section;
  };
  const std::vector<double> ends = section_ends(c, model.mesh.s[cable].back());
  const auto join = [&](FlowNode& node, int section) {
    node.beyond = FlowNode::Beyond::open;
    node.joined = true;
    node.joint = ends[static_cast<size_t>(section)];
  };
  const int section = laid.batch.section;
  if (laid.flow[0] >= 0 && !laid.wraps && i > 0 && other(i - 1))
    join(out.nodes.front(), section - 1);
  if (laid.flow[1] >= 0 && i + 1 < runs.size() && !runs[i + 1].wraps && other(i + 1))
    join(out.nodes.back(), section);
}

/// Weight less buoyancy acts on the elements themselves: their length is a coordinate.
FlowBatch flow_batch(const ModelData& model, const std::vector<LaidRun>& runs, size_t i) {
  const LaidRun& laid = runs[i];
  const AncfBatch& ancf = laid.batch;
  const Scene& scene = model.scene;
  const auto cable = static_cast<size_t>(ancf.cable);
  const Section& section = scene.cables[cable].sections[static_cast<size_t>(ancf.section)];
  FlowBatch out;
  out.ancf = ancf;
  const Vec3 gravity = flow_gravity(scene, section);
  const AncfParameters& element = ancf.parameters;
  out.parameters =
      element.slopes
          ? flow_parameters({section.EA, section.EI}, section.mass, gravity.data(),
                            element.axial_points, element.bending_points)
          : straight_flow_parameters(section.EA, section.mass, gravity.data(),
                                     scene.cables[cable].lumped_mass, element.tension_only);
  const int first = ancf.first_node - model.cables[cable].first_node;
  for (int k = 0; k <= ancf.elements; ++k) {
    FlowNode& node = out.nodes.emplace_back();
    const int flow = k == 0 ? laid.flow[0] : k == ancf.elements ? laid.flow[1] : -1;
    const double s = model.mesh.s[cable][static_cast<size_t>(first + k)];
    if (laid.running)
      node = running_node(laid, s);
    else if (flow >= 0)
      node.scalar = flow;
    else
      node.base = s;
    if (first + k == 0) node.beyond = FlowNode::Beyond::drive;
  }
  join_at_eyelets(model, runs, i, out);
  out.first_scalar_at = model.structure.scalar(0);
  out.stores = true;
  out.running = laid.running;
  return out;
}

/// Whether the cable is cut where a run begins.
bool is_cut(const ModelData& model, const AncfBatch& batch) {
  const auto c = static_cast<size_t>(batch.cable);
  const double s =
      model.mesh.s[c][static_cast<size_t>(batch.first_node - model.cables[c].first_node)];
  const std::vector<double>& cuts = cuts_of(model.mesh, c);
  return std::binary_search(cuts.begin(), cuts.end(), s);
}

/// The runs become the first terms of the model.
void add_elements(ModelData& model, std::vector<LaidRun>& runs) {
  FlowElements* flow_before = nullptr;
  for (size_t i = 0; i < runs.size(); ++i) {
    AncfBatch& batch = runs[i].batch;
    if (i > 0 && batch.cable == runs[i - 1].batch.cable) {
      const AncfBatch& before = runs[i - 1].batch;
      batch.arc_start = before.arc_start + before.elements * before.parameters.length;
      if (runs[i].wraps) {
        const auto& s = model.mesh.s[static_cast<size_t>(batch.cable)];
        batch.arc_start = s[static_cast<size_t>(
            batch.first_node - model.cables[static_cast<size_t>(batch.cable)].first_node)];
      } else if (!batch.continues) {
        const SplitNode pair{batch.first_node - 1, static_cast<int>(i), runs[i].flow[0] >= 0};
        (is_cut(model, batch) ? model.cuts : model.splits).push_back(pair);
      }
    } else {
      batch.arc_start = model.mesh.s[static_cast<size_t>(batch.cable)].front();
    }
    batch.point_offset = model.point_size;
    model.point_size += batch.point_size();
    batch.bending_offset = model.bending_size;
    model.bending_size += batch.bending_size();
    batch.guards = i + 1 == runs.size() && model.structure.scalars > 0;
    if (runs[i].flow[0] >= 0 || runs[i].flow[1] >= 0) {
      auto term = std::make_shared<FlowElements>(flow_batch(model, runs, i), i);
      if (flow_before) flow_before->take_along(*term);
      flow_before = term.get();
      model.terms.push_back(std::move(term));
    } else {
      flow_before = nullptr;
      model.terms.push_back(std::make_shared<CableElements>(batch, i));
    }
    model.fields.push_back(model.terms.back()->fields());
  }
}

/// The scalars of the flows of a cable, whose nodes come next.
std::vector<int> add_hand_overs(ModelData& model, const Cable& c, const CableMesh& mesh) {
  std::vector<int> scalars;
  const std::vector<size_t> pulleys = pulley_stops(c);
  using How = HandOver::Kind;
  const auto lost = [&](size_t stop) -> std::optional<How> {
    for (const Mesh::RunOut& gone : mesh.run_outs)
      if (gone.stop == static_cast<int>(stop)) return How::out;
    const auto at =
        static_cast<size_t>(std::find(pulleys.begin(), pulleys.end(), stop) - pulleys.begin());
    if (at < pulleys.size() && mesh.wraps[at] < 0) return How::off;
    return std::nullopt;
  };
  const auto add = [&](HandOver::Kind kind, size_t stop, int node) {
    HandOver h{kind, static_cast<int>(model.cables.size()), static_cast<int>(stop), node};
    h.scalar = h.leaving = add_scalar(model);
    scalars.push_back(h.scalar);
    if (kind != HandOver::Kind::supply && has_two_flows(c.route[stop]))
      scalars.push_back(h.leaving = add_scalar(model));
    model.hand_overs.push_back(h);
  };
  if (is_supplied(c)) add(HandOver::Kind::supply, 0, model.nodes);
  int node = model.nodes;
  size_t stop = 0;
  const auto next_stop = [&] {  // where it is handed over, after those that it has lost
    while (++stop < c.route.size()) {
      const std::optional<How> how = lost(stop);
      if (flow_after(c, stop) >= 0 && !how) return;
      if (how) add(*how, stop, -1);
    }
  };
  for (const MeshRun& run : mesh.runs) {
    if (run.split && run.flow[0] >= 0) {
      next_stop();
      add(run.wraps ? HandOver::Kind::pulley : HandOver::Kind::eyelet, stop, node);
    }
    node += run.elements + (run.split ? 1 : 0);
  }
  next_stop();
  return scalars;
}

/// The nodes of a cable, and its elements as batches.
void lay_nodes(ModelData& model, const Cable& c, const CableMesh& mesh,
               std::vector<LaidRun>& batches) {
  const std::vector<int> flows = add_hand_overs(model, c, mesh);
  const auto scalar = [&](int flow) { return flow < 0 ? -1 : flows[static_cast<size_t>(flow)]; };
  CableSpan span{model.nodes,
                 1,
                 0,
                 static_cast<int>(model.structure.elements.size()),
                 static_cast<int>(batches.size()),
                 0};
  for (const MeshRun& run : mesh.runs) {
    span.nodes += run.split ? 1 : 0;
    batches.push_back({make_batch(model, c, span, run),
                       {scalar(run.flow[0]), scalar(run.flow[1])},
                       run.wraps,
                       run.running,
                       {run.span[0], run.span[1]}});
    const int first = batches.back().batch.first_node;
    for (int e = 0; e < run.elements; ++e)
      model.structure.elements.emplace_back(first + e, first + e + 1);
    ++span.runs;
    span.elements += run.elements;
    span.nodes += run.elements;
    model.total_mass += c.sections[static_cast<size_t>(run.section)].mass * run.length;
    model.total_length += run.length;
  }
  for (int i = 0; i < span.nodes; ++i) add_node(model, c.model == CableModel::np_fem);
  model.cables.push_back(span);
}

/// The nodes of all cables, of the scene's own mesh or of a given one.
std::vector<LaidRun> lay_cables(ModelData& model, const Mesh* given) {
  const std::vector<Cable>& cables = model.scene.cables;
  if (given != nullptr && given->s.size() != cables.size())
    throw Error("mesh", fmt::format("{} cables", given->s.size()),
                fmt::format("{}, as in the scene", cables.size()));
  if (given != nullptr && !given->cuts.empty() && given->cuts.size() != cables.size())
    throw Error("mesh", fmt::format("cuts of {} cables", given->cuts.size()),
                fmt::format("{}, as in the scene, or none", cables.size()));
  if (given != nullptr && !given->bends.empty() && given->bends.size() != cables.size())
    throw Error("mesh", fmt::format("bends of {} cables", given->bends.size()),
                fmt::format("{}, as in the scene, or none", cables.size()));
  if (given != nullptr && !given->run_outs.empty() && given->run_outs.size() != cables.size())
    throw Error("mesh", fmt::format("ends of {} cables that have run out", given->run_outs.size()),
                fmt::format("{}, as in the scene, or none", cables.size()));
  if (given != nullptr) model.mesh.cuts = given->cuts;
  if (given != nullptr) model.mesh.run_outs = given->run_outs;
  if (given != nullptr) model.mesh.bends = given->bends;
  if (given != nullptr) model.mesh.crossings = given->crossings;
  if (given != nullptr) model.mesh.contact_stiffness = given->contact_stiffness;
  std::vector<LaidRun> batches;
  model.routes = routes_of(model.scene);
  for (size_t i = 0; i < cables.size(); ++i) {
    const CableMesh own = own_mesh(cables[i], model.routes[i]);
    const CableMesh mesh = given != nullptr ? given_mesh(cables[i], own, *given, i) : own;
    if (cables[i].model == CableModel::massless)  // no nodes of its own
      model.cables.push_back({model.nodes, 0, 0, static_cast<int>(model.structure.elements.size()),
                              static_cast<int>(batches.size()), 0});
    else
      lay_nodes(model, cables[i], mesh, batches);
    model.own_mesh.s.push_back(own.s);
    model.own_mesh.wraps.push_back(own.wraps);
    model.mesh.s.push_back(mesh.s);
    model.mesh.wraps.push_back(mesh.wraps);
    model.laid_at.push_back(mesh.s.empty() ? mesh.s : own_arcs(cables[i], own, mesh));
  }
  model.stored = node_size * model.nodes;
  model.structure.chain_nodes = model.nodes;
  model.structure.chain_elements = static_cast<int>(model.structure.elements.size());
  return batches;
}

/// The node that a stop holds: cable flows through hand-overs, and others are at their arc length.
int held_node(const ModelData& model, int cable, size_t stop, double s, const ErrorObject& who) {
  for (const HandOver& h : model.hand_overs)
    if (h.cable == cable && h.stop == static_cast<int>(stop)) return h.node;
  return node_at(model, cable, s, who);
}

/// The stops that hold nodes.
void find_holds(ModelData& model) {
  for (size_t i = 0; i < model.cables.size(); ++i) {
    const Cable& c = model.scene.cables[i];
    if (c.model == CableModel::massless) continue;
    const ErrorObject who("cable", c.name);
    double s = 0;
    for (size_t k = 0; k < c.route.size(); ++k) {
      const Stop& stop = c.route[k];
      if (stop.kind != Stop::Kind::free && stop.kind != Stop::Kind::wind && !(stop.radius > 0)) {
        const int node = held_node(model, static_cast<int>(i), k, s, who);
        model.holds.push_back({static_cast<int>(i), static_cast<int>(k), node,
                               node < 0 ? -1 : slope_node(model, node),
                               find_frame(model.scene, stop.on, who),
                               stop.kind == Stop::Kind::clamp && c.model == CableModel::ancf});
      }
      if (k < model.routes[i].size()) s += model.routes[i][k].length;
      if (k + 1 < model.routes[i].size()) s += model.routes[i][k + 1].pieces.front().arc;
    }
  }
}

void set_node(ModelData& model, const Cable& c, int node, const NodeStart& start,
              const Vec3& origin) {
  const Vec3& r = start.position;
  const Vec3 slope = c.model == CableModel::np_fem ? Vec3(Vec3::Zero()) : start.slope;
  const Vec3 v = c.velocity + c.angular_velocity.cross(r - origin);
  const Vec3 dv = c.angular_velocity.cross(slope);
  const auto at = static_cast<size_t>(node_size * node);
  for (int k = 0; k < 3; ++k) {
    const auto j = static_cast<size_t>(k);
    model.q0[at + j] = r[k];
    model.q0[at + 3 + j] = slope[k];
    model.v0[at + j] = v[k];
    model.v0[at + 3 + j] = dv[k];
  }
}

void set_start(ModelData& model) {
  model.q0.assign(model.padded(), 0);
  model.v0.assign(model.padded(), 0);
  for (size_t i = 0; i < model.cables.size(); ++i) {
    const Cable& c = model.scene.cables[i];
    if (c.model == CableModel::massless) continue;
    std::vector<NodeStart> nodes = lay_cable(model.scene, c, model.routes[i]);
    if (model.mesh.s[i] != model.own_mesh.s[i])
      nodes = lay_on(nodes, model.own_mesh.s[i], model.laid_at[i], c.model == CableModel::ancf);
    int node = model.cables[i].first_node;
    for (const NodeStart& start : nodes)
      set_node(model, c, node++, start, model.routes[i].front().from);
  }
}

/// What is eliminated, the pattern of G, and the times at which prescribed rates jump.
void finish_rows(ModelData& model) {
  SystemStructure& s = model.structure;
  std::sort(s.pairs.begin(), s.pairs.end());
  s.conditions = static_cast<int>(model.rows.size());
  for (size_t r = 0; r < model.rows.size(); ++r) {
    RowInfo& row = model.rows[r];
    for (int& c : row.coordinates) c = s.leader(c);
    s.sharing.push_back(row.sharing);
    s.rigid.push_back(row.rigid() && !row.sharing);
    for (size_t i = 0; i < row.coordinates.size(); ++i)
      s.condition_entries.push_back(
          {static_cast<int>(r), row.coordinates[i], row.constant() ? row.factors[i] : 1.0});
  }
  const auto add = [&](const Signal& signal) {
    model.kinks.insert(model.kinks.end(), signal.kinks().begin(), signal.kinks().end());
  };
  for (const auto& constraint : model.constraints) {
    constraint->visit_signals(add);
    for (const HeldCoordinate& held : constraint->held()) s.fixed.push_back(held.coordinate);
  }
  std::sort(s.fixed.begin(), s.fixed.end());
  for (const auto& motion : model.mechanism.motions)
    for (const Signal& signal : motion) add(signal);
  for (const WorldTurn& turn : model.mechanism.turns) add(turn.angle);
  for (const RowInfo& row : model.rows) add(row.slip);
  for (const Support& support : model.scene.supports) {
    if (support.shape.kind == Solid::Kind::none) continue;
    for (const Signal& motion : support.motion) add(motion);
    if (support.turn) add(support.turn->angle);
  }
  std::sort(model.kinks.begin(), model.kinks.end());
  model.kinks.erase(std::unique(model.kinks.begin(), model.kinks.end()), model.kinks.end());
}

/// The diagonal of the box around all nodes and frames, and what joints and massless cables are on.
void find_extent(ModelData& model) {
  Eigen::AlignedBox3d box;
  for (int node = 0; node < model.nodes; ++node)
    if (!is_drum(model, node))
      box.extend(Vec3(Eigen::Map<const Vec3>(model.q0.data() + node_size * node)));
  const auto extend = [&](const FrameRef& frame) { box.extend(frame_start(model.scene, frame)); };
  for (const Frame& f : model.scene.frames) extend(find_frame(model.scene, f.name, "frame"));
  for (const Joint& j : model.scene.joints)
    for (const std::string& name : {j.first, j.second})
      extend(find_frame(model.scene, name, ErrorObject("joint", j.name)));
  for (const Cable& c : model.scene.cables)
    if (c.model == CableModel::massless)
      for (const Stop& stop : c.route)
        extend(find_stop(model.scene, stop, ErrorObject("cable", c.name)));
  if (!box.isEmpty()) model.extent = box.diagonal().norm();
}

}  // namespace

std::shared_ptr<const ModelData> compile(Scene scene, const Guests& guests, const Mesh* mesh) {
  scene = at_fidelity(std::move(scene), mesh);
  validate(scene);
  auto model = std::make_shared<ModelData>();
  model->scene = with_touched_pulleys(std::move(scene));
  model->guests = guests;
  find_inputs(*model);
  std::vector<LaidRun> runs = lay_cables(*model, mesh);
  for (const auto& guest : guests) guest->declare(*model);
  lay_winches(*model);
  lay_wheels(*model);
  lay_bodies(*model);
  lay_sliding_joints(*model);
  add_elements(*model, runs);
  find_holds(*model);
  set_start(*model);
  start_bodies(*model);
  start_flows(*model);
  start_sliding_joints(*model);
  for (const auto& guest : guests) guest->start(*model);
  find_extent(*model);
  compile_terms(*model);
  compile_constraints(*model);
  compile_mechanism(*model);
  compile_flows(*model);
  constrain_sliding_joints(*model);
  for (const auto& guest : guests)
    if (auto constraint = guest->constrain(*model)) model->constraints.push_back(constraint);
  couple_contacts(*model);
  finish_rows(*model);
  add_contact_term(*model);
  add_meeting_term(*model);
  add_winch_term(*model);
  return model;
}

Model::Model(Scene scene) : data_(compile(std::move(scene))) {}
Model::Model(Scene scene, const Mesh& mesh) : data_(compile(std::move(scene), {}, &mesh)) {}

const Scene& Model::scene() const { return data_->scene; }
const Mesh& Model::mesh() const { return data_->mesh; }
int Model::nodes() const { return data_->nodes; }
int Model::coordinates() const { return data_->structure.coordinates(); }
int Model::elements() const { return data_->structure.chain_elements; }
int Model::cable(const std::string& name) const { return find_cable(data_->scene, name, "cable"); }
int Model::node(const Place& place) const { return find_node(*data_, place, "place"); }
int Model::first_node(int cable) const {
  return data_->cables.at(static_cast<size_t>(cable)).first_node;
}

}  // namespace hawser
