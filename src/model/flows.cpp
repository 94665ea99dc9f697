#include "model/flows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "constraints/flow_ends.h"
#include "elements/flow_elements.h"
#include "hawser/error.h"
#include "model/mesh.h"
#include "model/model_data.h"
#include "model/route.h"
#include "model/run_outs.h"
#include "model/section_joints.h"
#include "model/sections.h"
#include "model/signals.h"
#include "model/tangents.h"
#include "model/validate.h"

namespace hawser {
namespace {

/// p at the start of a cable that is paid out.
Signal supplied_from(const Signal& payout) {
  return Signal::of_inputs(
      [payout](const Instant& now) {
        const Signal::Sample paid = payout.at(now);
        return Signal::Sample{-paid.value, -paid.rate, -paid.acceleration};
      },
      payout.inputs(), payout.kinks());
}

/// The flow at a node of a cable, as a coordinate; -1: there is none.
int flow_coordinate(const ModelData& model, int node) {
  for (const HandOver& h : model.hand_overs) {
    if (!h.here()) continue;
    if (h.node == node) return model.structure.scalar(h.scalar);
    if (h.kind != HandOver::Kind::supply && h.node + 1 == node)
      return model.structure.scalar(h.leaving);
  }
  return -1;
}

/// The elements of a cable through which it flows, with their places among its nodes.
template <class Call>
void for_flowing(const ModelData& model, size_t cable, const Call& call) {
  const CableSpan& span = model.cables[cable];
  for (int i = span.first_run; i < span.first_run + span.runs; ++i) {
    const auto run = static_cast<size_t>(i);
    if (model.fields[run]->run.flows)
      call(static_cast<const FlowElements&>(*model.terms[run]),
           static_cast<size_t>(model.fields[run]->run.first_node - span.first_node));
  }
}

/// The last node of the span of a cable that begins with this one, or the first of that which ends
/// with it.
int other_end(const ModelData& model, size_t cable, int node, bool begins) {
  const CableSpan& span = model.cables[cable];
  int out = begins ? span.first_node + span.nodes - 1 : span.first_node;
  for (const HandOver& h : model.hand_overs) {
    if (h.cable != static_cast<int>(cable) || h.node < 0 || h.kind == HandOver::Kind::supply)
      continue;
    if (begins && h.node > node) return h.node;
    if (!begins && h.node + 1 < node) out = h.node + 1;
  }
  return out;
}

/// Whether the elements on both sides of a node may become one: joints of sections pass
/// (section_joints.h).
bool goes_on(const ModelData& model, size_t c, int node) {
  const CableSpan& span = model.cables[c];
  const int at = node - span.first_node;
  if (at <= 0 || at + 1 >= span.nodes) return false;
  const std::vector<double>& s = model.mesh.s[c];
  const auto i = static_cast<size_t>(at);
  if (flow_coordinate(model, node) >= 0) return false;
  const std::vector<SectionJoint> joints =
      section_joints(model.scene.cables[c], model.own_mesh.s[c]);
  const bool joint = std::any_of(joints.begin(), joints.end(), [&](const SectionJoint& one) {
    return std::abs(one.s - s[i]) <= 2 * same_place * s.back();
  });
  if (!joint && (s[i] == s[i - 1] || s[i] == s[i + 1])) return false;
  const std::vector<double> kept = kept_places(model, c, false);
  return std::none_of(kept.begin(), kept.end(), [&](double place) {
    return std::abs(place - s[i]) <= 2 * same_place * s.back();
  });
}

/// The elements beside a hand-over; where cable runs through them, their spans.
void add_borders(const ModelData& model, const HandOver& h, std::vector<FlowEnds::Border>& out) {
  const auto c = static_cast<size_t>(h.cable);
  const Cable& cable = model.scene.cables[c];
  const int first = model.cables[c].first_node;
  const bool supply = h.kind == HandOver::Kind::supply;
  const bool running = cable.mesh == FlowMesh::running;
  for (const bool after : {false, true}) {
    if (!after && h.node == first) continue;
    int ends[2] = {h.node - 1, h.node};
    if (after) ends[0] = supply ? h.node : h.node + 1, ends[1] = ends[0] + 1;
    if (running) ends[after ? 1 : 0] = other_end(model, c, ends[after ? 0 : 1], after);
    FlowEnds::Border border;
    border.owner = fmt::format("cable '{}' beside '{}'", cable.name,
                               cable.route[static_cast<size_t>(h.stop)].text());
    const auto rest = rest_beside(model, h, after);
    border.free = rest && (after ? rest->last == ends[1] : rest->first == ends[0]);
    border.least = (border.free ? shortest_rest : shortest_beside) * element_length(model, c) *
                   (ends[1] - ends[0]);
    const int beyond = after ? ends[1] : ends[0];
    border.goes_on = goes_on(model, c, beyond);
    for (const int end : {0, 1}) {
      border.coordinate[end] = flow_coordinate(model, ends[end]);
      if (border.coordinate[end] < 0)
        border.base[end] = model.mesh.s[c][static_cast<size_t>(ends[end] - first)];
    }
    out.push_back(std::move(border));
  }
}

void refuse(const ErrorObject& who, const char* found, const char* remedy) {
  throw Error(who, fmt::format("{} on a cable that slides or is paid out", found),
              "a cable whose ends and places stay", remedy);
}

}  // namespace

bool is_wound(const Cable& cable) {
  return cable.model != CableModel::massless && !cable.route.empty() &&
         cable.route.front().kind == Stop::Kind::wind;
}

bool is_supplied(const Cable& cable) {
  return cable.model != CableModel::massless &&
         (is_wound(cable) || !cable.payout.is_constant() || cable.drive.kind != Drive::Kind::none ||
          cable.tension);
}

bool flows(const Cable& cable) {
  for (size_t k = 0; k < cable.route.size(); ++k)
    if (flow_after(cable, k) >= 0) return true;
  return false;
}

bool grips(const Stop& stop) { return stop.grip || (stop.inertia > 0 && !(stop.friction > 0)); }
bool rubs(const Stop& stop) { return stop.friction > 0 || grips(stop); }
bool has_two_flows(const Stop& stop) { return stop.radius > 0 || rubs(stop); }

std::vector<size_t> pulley_stops(const Cable& cable) {
  std::vector<size_t> out;
  for (size_t k = 0; k < cable.route.size(); ++k)
    if (cable.model != CableModel::massless && cable.route[k].radius > 0) out.push_back(k);
  return out;
}

int flow_before(const Cable& cable, size_t stop) {
  if (cable.model == CableModel::massless || cable.route[stop].kind != Stop::Kind::over) return -1;
  int before = is_supplied(cable) ? 1 : 0;
  for (size_t k = 1; k < stop; ++k)
    if (cable.route[k].kind == Stop::Kind::over) before += has_two_flows(cable.route[k]) ? 2 : 1;
  return before;
}

int flow_after(const Cable& cable, size_t stop) {
  if (stop == 0) return is_supplied(cable) ? 0 : -1;
  const int before = flow_before(cable, stop);
  return before >= 0 && has_two_flows(cable.route[stop]) ? before + 1 : before;
}

/// The winch of a cable with mass.
static void validate_supply(const Scene& scene, const Cable& cable, const ErrorObject& who) {
  const int ways = (cable.payout.is_constant() ? 0 : 1) +
                   (cable.drive.kind != Drive::Kind::none ? 1 : 0) + (cable.tension ? 1 : 0);
  if (ways > 1) throw Error(who, "a payout, a speed or a tension beside another", "one of them");
  if (ways > 0 && is_wound(cable))
    throw Error(who, "`payout`, `speed` or `tension` on a cable that a winch pays out",
                "one of them", "Drive the motor of the winch.");
  require_sound(who.at("payout"), cable.payout);
  if (cable.tension) require_sound(who.at("tension"), *cable.tension);
  if (cable.drive.kind == Drive::Kind::position)
    throw Error(who.at("drive"), "a position", "a velocity: the rate of its length",
                "Use `payout` to prescribe the length itself.");
  validate_drive(scene, who.at("drive"), cable.drive, "m/s/N");
  if (const double paid = start_value(scene, cable.payout); paid != 0)
    throw Error(who.at("payout"), fmt::format("{:g} m at t = 0", paid), "0 m at t = 0",
                "Add it to `length` instead.");
  if (cable.route.front().kind == Stop::Kind::free)
    throw Error(who.at("payout"), "a free end that cable is paid out from",
                "a support, a body or a frame at the start of the route");
}

/// Between hand-overs its nodes are not those of the material: nothing can be at one of them.
static void validate_running(const Scene& scene, const Cable& cable, const ErrorObject& who) {
  if (cable.model != CableModel::ancf)
    throw Error(who.at("mesh"), "`running` of a cable of straight elements", "the model ancf",
                "Use `mesh: material`.");
  for (size_t k = 1; k + 1 < cable.route.size(); ++k)
    if (cable.route[k].kind != Stop::Kind::over)
      throw Error(who.at("mesh"),
                  fmt::format("`running` of a cable that is led over '{}'", cable.route[k].text()),
                  "a route of hand-overs, `through` and `over`, between its ends",
                  "Use `mesh: material`.");
  const auto places = named_places(scene);
  const auto own = places.find(cable.name);
  if (own == places.end()) return;
  const double length = route_length(scene, cable);
  for (const Place& place : own->second.all) {
    const double s = arc_of(place, length);
    if (s > same_place * length && s < (1 - same_place) * length)
      throw Error(who.at("mesh"),
                  fmt::format("`running` of a cable with something at {}", place.text()),
                  "loads, masses and junctions at its ends alone",
                  "Cable runs through its nodes. Use `mesh: material`.");
  }
}

/// Sections are joined within spans at the start, and pass hand-overs one by one.
static void validate_joints_of_sections(const Scene& scene, const Cable& cable,
                                        const ErrorObject& who) {
  if (cable.mesh == FlowMesh::running)
    throw Error(who.at("sections"), "several sections of a cable that runs through its elements",
                "one section, or `mesh: material`");
  const double length = route_length(scene, cable);
  const std::vector<double> ends = section_ends(cable, length);
  const double least = shortest_section *
                       (cable.element_length > 0 ? cable.element_length : length / cable.elements);
  for (size_t k = 1; k < ends.size(); ++k)
    if (!(ends[k] - ends[k - 1] >= least))
      throw Error(who.at("sections"), fmt::format("a section of {:g} m", ends[k] - ends[k - 1]),
                  fmt::format("at least {:g} m, a tenth of an element", least),
                  "Joints of sections pass eyelets, pulleys and winches one by one.");
  double arc = 0;
  const Route route = route_of(scene, cable, {});
  for (size_t k = 0; k < route.size(); ++k) {
    const double lies = route[k].pieces.front().arc, margin = same_place * length;
    for (const double s : ends)
      if (k > 0 && s >= arc - margin && s <= arc + lies + margin && flow_after(cable, k) >= 0)
        throw Error(
            who.at("sections"),
            fmt::format("sections that are joined at {:g} m, on '{}'", s, cable.route[k].text()),
            "joints between the stops of the route", "Change the length of a section.");
    arc += lies + route[k].length;
  }
}

/// A length with a digit too few stretches the cable beyond any rope.
static void validate_start_length(const Scene& scene, const Cable& cable, const ErrorObject& who) {
  constexpr double longest = 2;  // by the unstretched length
  const double stated = stated_length(cable);
  if (stated == 0 || is_wound(cable)) return;
  double way = 0;
  for (const TangentSpan& span : tangent_spans(scene, cable))
    way += (span.to - span.from).norm() + span.arc;
  if (way > longest * stated)
    throw Error(who.at("length"),
                fmt::format("{:g} m on a route of {:g} m, which is too short", stated, way),
                fmt::format("at least {:g} m, 100 % strain", way / longest),
                "Increase it, or remove it to use the length of the route.");
}

void validate_flow(const Scene& scene, const Cable& cable) {
  const ErrorObject who("cable", cable.name);
  if (is_supplied(cable) || !cable.payout.is(0)) validate_supply(scene, cable, who);
  if (!(cable.element_length >= 0) || !std::isfinite(cable.element_length))
    throw Error(who.at("element length"), fmt::format("{} m", cable.element_length),
                "a number above zero, or 0 for the length divided by the elements");
  if (!flows(cable) && cable.mesh == FlowMesh::running)
    throw Error(who.at("mesh"), "`running` of a cable that does not flow",
                "a cable that slides through its route or is paid out", "Remove it.");
  if (!flows(cable)) return;
  validate_start_length(scene, cable, who);
  if (cable.mesh == FlowMesh::running) validate_running(scene, cable, who);
  if (cable.sections.size() > 1) validate_joints_of_sections(scene, cable, who);
  if (cable.model == CableModel::ancf && cable.curvature != CurvatureMeasure::second_derivative)
    refuse(who.at("curvature"), "another curvature measure", "Use `curvature: second_derivative`.");
  const Initial shape = cable.initial.value_or(scene.initial);
  const bool wraps =
      is_wound(cable) || std::any_of(cable.route.begin(), cable.route.end(),
                                     [](const Stop& stop) { return stop.radius > 0; });
  if (wraps && (shape == Initial::catenary || shape == Initial::points))
    throw Error(who.at("initial"),
                shape == Initial::points ? "a curve over pulleys or off a drum"
                                         : "a catenary over pulleys or off a drum",
                "straight, or the whole scene in static equilibrium",
                "The cable starts tangent to its pulleys and drums.");
}

void start_flows(ModelData& model) {
  for (const HandOver& h : model.hand_overs) {
    if (!h.here()) continue;
    const auto c = static_cast<size_t>(h.cable);
    const auto node = static_cast<size_t>(h.node - model.cables[c].first_node);
    const auto at = static_cast<size_t>(model.structure.scalar(h.scalar));
    model.q0[at] = model.mesh.s[c][node];
    const Cable& cable = model.scene.cables[c];
    if (h.kind == HandOver::Kind::supply)
      model.v0[at] =
          -(cable.drive.kind == Drive::Kind::velocity ? cable.drive.value.at(model.start()).value
                                                      : cable.payout.at(model.start()).rate);
    if (h.leaving != h.scalar)
      model.q0[static_cast<size_t>(model.structure.scalar(h.leaving))] = model.mesh.s[c][node + 1];
  }
  // Nodes through which cable runs stay where it moves on with its own velocity.
  const std::vector<double> material = model.v0;
  for (size_t c = 0; c < model.cables.size(); ++c)
    if (model.scene.cables[c].mesh == FlowMesh::running)
      for_flowing(model, c, [&](const FlowElements& part, size_t) {
        part.add_convected({model.q0.data(), material.data()}, -1, model.v0.data());
      });
}

void compile_flows(ModelData& model) {
  if (model.hand_overs.empty()) return;
  std::vector<HeldCoordinate> held;
  std::vector<FlowEnds::Rate> rates;
  std::vector<FlowEnds::Border> borders;
  for (const HandOver& h : model.hand_overs) {
    if (!h.here()) continue;
    add_borders(model, h, borders);
    if (h.kind != HandOver::Kind::supply) continue;
    const Cable& cable = model.scene.cables[static_cast<size_t>(h.cable)];
    const int at = model.structure.scalar(h.scalar);
    const std::string owner = fmt::format("the winch of cable '{}'", cable.name);
    if (!cable.payout.is_constant())
      held.push_back({at, supplied_from(cable.payout), ErrorObject("cable", cable.name, owner)});
    if (cable.drive.kind != Drive::Kind::velocity) continue;
    RowInfo info;
    info.owner = owner;
    info.velocity = true;
    info.slip = cable.drive.slip;
    rates.push_back({add_row(model, std::move(info), {at}), cable.drive.value});
  }
  model.constraints.push_back(std::make_shared<FlowEnds>(
      std::move(held), std::move(rates), std::move(borders), model.mechanism.idle_rows));
}

std::vector<double> kept_places(const ModelData& model, size_t cable, bool joints) {
  std::vector<double> out;
  const Cable& c = model.scene.cables[cable];
  double arc = 0;
  for (size_t k = 0; k < c.route.size(); ++k) {
    const bool shapes_only = c.route[k].kind == Stop::Kind::free && k > 0 && k + 1 < c.route.size();
    if (flow_after(c, k) < 0 && !shapes_only) out.push_back(arc);
    if (k < model.routes[cable].size()) arc += model.routes[cable][k].length;
    if (k + 1 < model.routes[cable].size()) arc += model.routes[cable][k + 1].pieces.front().arc;
  }
  if (c.sections.size() > 1 && joints)
    for (const double end : section_ends(c, arc)) out.push_back(end);
  const auto places = named_places(model.scene);
  if (const auto own = places.find(c.name); own != places.end())
    for (const Place& place : own->second.all) out.push_back(arc_of(place, arc));
  return out;
}

std::vector<SupplyTension> supply_tensions(const ModelData& model) {
  std::vector<SupplyTension> out;
  for (const HandOver& h : model.hand_overs) {
    const Cable& cable = model.scene.cables[static_cast<size_t>(h.cable)];
    if (h.kind != HandOver::Kind::supply || !(cable.tension || is_wound(cable))) continue;
    const auto run = static_cast<size_t>(model.cables[static_cast<size_t>(h.cable)].first_run);
    out.push_back({cable.tension.value_or(0.0),
                   std::static_pointer_cast<const FlowElements>(model.terms[run])});
  }
  return out;
}

double element_length(const ModelData& model, size_t cable) {
  const Cable& c = model.scene.cables[cable];
  return c.element_length > 0 ? c.element_length : model.own_mesh.s[cable].back() / c.elements;
}

double material_coordinate(const ModelData& model, size_t cable, int node, const double* q) {
  double out = model.mesh.s[cable][static_cast<size_t>(node)];
  for_flowing(model, cable, [&](const FlowElements& part, size_t first) {
    const int at = node - static_cast<int>(first);
    if (at >= 0 && at <= part.run.elements) out = part.material(q, at);
  });
  return out;
}

std::vector<FlowSpeed> flow_speeds(const ModelData& model, const State& state) {
  std::vector<FlowSpeed> out;
  for (size_t c = 0; c < model.cables.size(); ++c)
    for_flowing(model, c, [&](const FlowElements& part, size_t) {
      AxialPack axial;
      part.axial(state, 0, axial);
      double rate = 0;
      for (const int node : {0, part.run.elements})
        rate = std::max(rate, std::abs(part.rate(state.v.data(), node)));
      const double stretch = axial.stretch[0][0], tension = std::max(0.0, axial.tension[0][0]);
      out.push_back(
          {c, stretch * rate, std::sqrt(tension * stretch / model.section_of(part.run).mass)});
    });
  return out;
}

Vec3 flow_gravity(const Scene& scene, const Section& section) {
  if (!scene.fluid) return scene.gravity;
  const double area = std::numbers::pi * section.diameter * section.diameter / 4;
  return (1 - scene.fluid->density * area / section.mass) * scene.gravity;
}

Mesh mesh_at(const ModelData& model, const double* q) {
  Mesh out = model.mesh;
  for (size_t c = 0; c < model.cables.size(); ++c)
    for_flowing(model, c, [&](const FlowElements& part, size_t first) {
      for (int i = 0; i <= part.run.elements; ++i)
        out.s[c][first + static_cast<size_t>(i)] = part.material(q, i);
    });
  for (const HandOver& h : model.hand_overs) {
    if (!h.here()) continue;
    std::vector<double>& s = out.s[static_cast<size_t>(h.cable)];
    const auto node =
        static_cast<size_t>(h.node - model.cables[static_cast<size_t>(h.cable)].first_node);
    s[node] = q[model.structure.scalar(h.scalar)];
    if (h.kind == HandOver::Kind::eyelet) s[node + 1] = s[node];
    if (h.kind == HandOver::Kind::pulley) s[node + 1] = q[model.structure.scalar(h.leaving)];
    if (h.kind == HandOver::Kind::pulley && !(s[node + 1] - s[node] > shortest_element * s.back()))
      s[node] = s[node + 1] = (s[node] + s[node + 1]) / 2;  // nothing lies on it
  }
  return out;
}

std::shared_ptr<const ModelData> at_mesh(const ModelData& model, const Mesh& mesh) {
  return compile(model.scene, model.guests, &mesh);
}

}  // namespace hawser
