#include "hawser/inspect.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "model/model_data.h"

namespace hawser {
namespace {

// The highest frequencies of one free element: over all cubics u on an element of length l,
//
//     omega^2 = EA/m max int u'^2 / int u^2 (axial),   EI/m max int u''^2 / int u^2 (bending),
//
// which Hermite's cubics with consistent mass have exactly. With x in [-1, 1], l = 2, even and odd
// u part, and Legendre's P_k are orthogonal:
//
//   axial    even: u = P2, int u'^2 = 6, int u^2 = 2/5: 15.   Odd: u = a P1 + b P3 with
//            int u'^2 = 2 a^2 + 4 a b + 12 b^2 and int u^2 = 2/3 a^2 + 2/7 b^2, so that
//            k^2 - 45 k + 105 = 0, k = (45 + sqrt(1605))/2 = 42.5. Times l^2 = 4.
//   bending  even: u = P2, int u''^2 = 18: 45.   Odd: u = P3, int u''^2 = 150, int u^2 = 2/7: 525.
//            Times l^4 = 16; the 720 and 8400 of the beam element.
const double axial_factor = 90 + 2 * std::sqrt(1605.0);  ///< omega^2 l^2 m/EA
constexpr double bending_factor = 8400;                  ///< omega^2 l^4 m/EI

/// The same of a straight element: ends that move against each other, 2 EA/l on the mass of each.
/// Consistent that is (1/3 - 1/6) m l, lumped m l/2.
double straight_axial_factor(bool lumped_mass) { return lumped_mass ? 4 : 12; }

int fixed_between(const ModelData& model, int first_node, int end_node) {
  return static_cast<int>(std::count_if(
      model.structure.fixed.begin(), model.structure.fixed.end(),
      [=](int c) { return c >= node_size * first_node && c < node_size * end_node; }));
}

CableInspection inspect_cable(const ModelData& model, int index) {
  const CableSpan& span = model.cables[static_cast<size_t>(index)];
  const Cable& cable = model.scene.cables[static_cast<size_t>(index)];
  CableInspection out;
  out.cable = cable.name;
  if (cable.model == CableModel::massless) return out;
  out.elements = span.elements;
  const bool straight = cable.model == CableModel::np_fem;
  out.coordinates = straight ? 3 * span.nodes  // two nodes at a place share a position
                             : node_size * span.nodes - 3 * (span.nodes - span.elements - 1);
  out.fixed_coordinates = fixed_between(model, span.first_node, span.first_node + span.nodes);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  out.shortest_element = out.element_wave_time = out.axial_period = out.bending_period = infinity;
  const double turn = 2 * std::numbers::pi;
  const double factor = straight ? straight_axial_factor(cable.lumped_mass) : axial_factor;
  for (const Fields* part : model.fields_of(index)) {
    const Section& section = model.section_of(part->run);
    const double l = part->run.length, speed = std::sqrt(section.EA / section.mass);
    out.length += part->run.whole_length();
    out.shortest_element = std::min(out.shortest_element, l);
    out.longest_element = std::max(out.longest_element, l);
    out.axial_wave_speed = std::max(out.axial_wave_speed, speed);
    out.element_wave_time = std::min(out.element_wave_time, l / speed);
    out.cable_wave_time += part->run.whole_length() / speed;
    out.axial_period =
        std::min(out.axial_period, turn * l * std::sqrt(section.mass / (factor * section.EA)));
    if (section.EI > 0 && !straight)
      out.bending_period =
          std::min(out.bending_period,
                   turn * l * l * std::sqrt(section.mass / (bending_factor * section.EI)));
  }
  return out;
}

void inspect_route(const ModelData& model, const RouteData& route, Inspection& out) {
  CableInspection& seen = out.cables[static_cast<size_t>(route.cable)];
  seen.runs = static_cast<int>(route.runs.size());
  for (const RunData& run : route.runs) seen.length += run.free_length;
  const Cable& cable = model.scene.cables[static_cast<size_t>(route.cable)];
  for (size_t i = 0; i < route.stops.size(); ++i) {
    const StopData& stop = route.stops[i];
    if (stop.wrap < 0 || stop.drum.winding) continue;
    const auto at = static_cast<size_t>(stop.wrap);
    out.pulleys.push_back({cable.name, cable.route[static_cast<size_t>(stop.number)].on,
                           stop.radius, model.mechanism.wrap[at + 1] - model.mechanism.wrap[at]});
  }
}

}  // namespace

SupportUse support_use(const ModelData& model, size_t support) {
  SupportUse out;
  for (const Hold& held : model.holds) {
    if (held.at.support != static_cast<int>(support)) continue;
    out.frame |= held.node < 0;
    if (held.node >= 0) out.nodes.push_back(held.node);
    out.clamps |= held.direction;
  }
  const std::string& name = model.scene.supports[support].name;
  for (const Joint& j : model.scene.joints) out.frame |= j.first == name || j.second == name;
  for (const Cable& c : model.scene.cables)
    for (const Stop& stop : c.route)
      out.frame |=
          (c.model == CableModel::massless || stop.radius > 0 || stop.kind == Stop::Kind::wind) &&
          mount_of(model.scene, stop, ErrorObject("cable", c.name)) == name;
  for (const Contact& contact : model.scene.contacts)
    for (const std::string& cable : contact.cables)
      out.frame |=
          std::count(contact.shapes.begin(), contact.shapes.end(), name) > 0 &&
          model.scene.cables[static_cast<size_t>(find_cable(model.scene, cable, "contact"))]
                  .model == CableModel::massless;
  return out;
}

Inspection inspect(const Model& handle) {
  const ModelData& model = handle.data();
  Inspection out;
  for (size_t i = 0; i < model.cables.size(); ++i)
    out.cables.push_back(inspect_cable(model, static_cast<int>(i)));
  for (const RouteData& route : model.mechanism.routes) inspect_route(model, route, out);
  for (const ArcData& arc : model.mechanism.arcs) {
    if (!(arc.radius > 0)) continue;
    const Cable& cable = model.scene.cables[static_cast<size_t>(arc.cable)];
    out.pulleys.push_back(
        {cable.name, cable.route[static_cast<size_t>(arc.stop)].on, arc.radius, arc.angle});
  }
  for (size_t i = 0; i < model.scene.supports.size(); ++i) {
    const SupportUse use = support_use(model, i);
    out.supports.push_back(
        {model.scene.supports[i].name, static_cast<int>(use.nodes.size()), use.clamps});
  }
  for (int c = 0; c < model.structure.coordinates(); ++c)
    out.coordinates += model.structure.is_unknown(c);
  out.coordinates -= static_cast<int>(model.structure.shared.size());
  out.fixed_coordinates = static_cast<int>(model.structure.fixed.size());
  out.conditions = model.structure.conditions;
  return out;
}

}  // namespace hawser
