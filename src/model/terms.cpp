// The terms of a scene: a new kind is added to the list in compile_terms().
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "elements/point_mass.h"
#include "elements/pulley_arc.h"
#include "elements/splice.h"
#include "hawser/error.h"
#include "loads/added_mass.h"
#include "loads/applied.h"
#include "loads/flow_loads.h"
#include "loads/flow_surroundings.h"
#include "loads/gravity.h"
#include "loads/hand.h"
#include "loads/surroundings_term.h"
#include "math/quadrature.h"
#include "model/along.h"
#include "model/frames.h"
#include "model/mesh.h"
#include "model/model_data.h"
#include "model/pulleys.h"

namespace hawser {
namespace {

using Pattern = std::vector<std::pair<int, double>>;  ///< coordinate, force

/// Adds the generalized force of a uniform load [N/m] on an element.
void add_uniform_load(const ElementRun& run, int element, const Vec3& f, Pattern& pattern) {
  for (int k = 0; k < 3; ++k)
    for (int block = 0; block < 4; ++block)
      if (run.load[block] != 0)
        pattern.emplace_back(node_size * (run.first_node + element) + 3 * block + k,
                             f[k] * run.load[block]);
}
void add_uniform_load(const ElementRun& run, const Vec3& f, Pattern& pattern) {
  for (int e = 0; e < run.elements; ++e) add_uniform_load(run, e, f, pattern);
}

std::vector<LumpedMass> point_masses(const ModelData& model) {
  std::vector<LumpedMass> out;
  for (const PointMass& m : model.scene.point_masses)
    out.push_back({find_node(model, m.at, "point mass"), m.mass});
  return out;
}

/// Where slopes jump and both sides resist bending; each couples its nodes as an element does.
std::vector<Splice> splices(ModelData& model) {
  std::vector<Splice> out;
  for (size_t i = 0; i < model.routes.size(); ++i) {
    const std::vector<SectionPart>& sections = model.scene.cables[i].sections;
    const auto side = [&](const RoutePiece& piece) {
      const Section& section = sections[static_cast<size_t>(piece.section)];
      return SplicedSide{section.EA, section.EI, piece.element_length()};
    };
    const std::vector<double> places = split_places(model.own_mesh.s[i]);
    const CableSpan& cable = model.cables[i];
    auto place = places.begin();
    const RoutePiece* before = nullptr;
    for (const RouteSpan& span : model.routes[i])
      for (const RoutePiece& piece : span.pieces) {
        if (piece.split && !(piece.arc > 0)) {
          const double at = *place++;
          const auto split =
              std::find_if(model.splits.begin(), model.splits.end(), [&](const SplitNode& other) {
                const int node = other.node - cable.first_node;
                return !other.flows && node >= 0 && node < cable.nodes &&
                       model.mesh.s[i][static_cast<size_t>(node)] == at;
              });
          const double stiffness = split == model.splits.end() || piece.flow[0] >= 0
                                       ? 0
                                       : splice_stiffness(side(*before), side(piece));
          const int element = static_cast<int>(model.structure.elements.size());
          if (stiffness > 0) {
            out.push_back({split->node, element, stiffness});
            model.structure.elements.emplace_back(split->node, split->node + 1);
          }
        }
        before = &piece;
      }
  }
  return out;
}

/// Weight less buoyancy.
std::vector<double> gravity_load(const ModelData& model, const std::vector<LumpedMass>& masses) {
  const Scene& scene = model.scene;
  std::vector<double> out(static_cast<size_t>(model.structure.node_coordinates()), 0);
  const auto add = [&](const Pattern& pattern) {
    for (const auto& [c, f] : pattern) out[static_cast<size_t>(c)] += f;
  };
  const auto add_weight = [&](int node, double mass) {
    for (int k = 0; k < 3; ++k)
      out[static_cast<size_t>(node_size * node + k)] += mass * scene.gravity[k];
  };
  Pattern weight, buoyancy;
  for (const Fields* part : model.fields)
    if (!part->run.flows)
      add_uniform_load(part->run, model.section_of(part->run).mass * scene.gravity, weight);
  add(weight);
  for (const LumpedMass& m : masses) add_weight(m.node, m.mass);
  for (const BodyData& b : model.mechanism.bodies) add_weight(b.node, b.mass);
  if (!scene.fluid) return out;
  for (const Fields* part : model.fields) {
    if (part->run.flows) continue;
    const double d = model.section_of(part->run).diameter, area = std::numbers::pi * d * d / 4;
    add_uniform_load(part->run, -scene.fluid->density * area * scene.gravity, buoyancy);
  }
  add(buoyancy);
  return out;
}

/// A part of an element, by xi.
struct ElementPart {
  double from = 0, to = 1;

  /// What a distributed force acts on: whole elements where nothing flows, which has nodes at its
  /// ends.
  static ElementPart loaded(const DistributedForce& f, double start, double length) {
    const double from = f.from > 0 ? f.from : -HUGE_VAL;  // cable paid out is before 0
    ElementPart out{std::max(0.0, (from - start) / length), std::min(1.0, (f.to - start) / length)};
    constexpr double rounding = 1e-6;
    if (out.from < rounding) out.from = 0;
    if (out.to > 1 - rounding) out.to = 1;
    return out;
  }
  [[nodiscard]] bool none() const { return !(to - from > 1e-6); }
  [[nodiscard]] bool whole() const { return from == 0 && to == 1; }
};

/// Where the parts of a part of an element end over which a profile is smooth, by xi.
std::vector<double> smooth_parts(const Profile& along, double start, double length,
                                 const ElementPart& of) {
  std::vector<double> out{of.from};
  for (const double s : along.kinks()) {
    const double xi = (s - start) / length;
    if (xi > out.back() && xi < of.to) out.push_back(xi);
  }
  out.push_back(of.to);
  return out;
}

/// At every quadrature point of an element the strength there times the shape functions; constant
/// ones, and those of a load without a profile, go to `constant`. Five points are exact for a
/// table, whose parts are cubic at most.
void add_varying_load(const Fields& part, int element, const DistributedForce& f,
                      const ElementPart& of, std::vector<TimedLoad>& out, Pattern& constant) {
  static const std::vector<GaussPoint> rule = gauss_rule(5);
  const double l = part.run.length, start = part.run.arc_start + element * l;
  const std::vector<double> ends = smooth_parts(f.along, start, l, of);
  const auto add = [&](double xi, double weight) {
    const Signal strength = f.along ? f.along(start + l * xi) : Signal(1.0);
    if (const std::string fault = strength.fault(); !fault.empty())
      throw Error(ErrorObject("cable", f.cable, "distributed force on '" + f.cable + "'"),
                  fmt::format("{} at s = {:g} m", fault, start + l * xi),
                  "a valid function of time");
    const double factor = strength.is_constant() ? strength.at({0, {}}).value : 1;
    const std::array<double, 4> n = part.weights(xi, false);
    Pattern pattern;
    for (int k = 0; k < 3; ++k)
      for (int block = 0; block < 4; ++block)
        if (f.force[k] != 0 && n[static_cast<size_t>(block)] != 0)
          pattern.emplace_back(node_size * (part.run.first_node + element) + 3 * block + k,
                               factor * weight * n[static_cast<size_t>(block)] * f.force[k]);
    if (strength.is_constant())
      constant.insert(constant.end(), pattern.begin(), pattern.end());
    else
      out.push_back({strength, std::move(pattern)});
  };
  for (size_t i = 0; i + 1 < ends.size(); ++i)
    for (const GaussPoint& p : rule)
      add(ends[i] + (ends[i + 1] - ends[i]) * p.x, l * (ends[i + 1] - ends[i]) * p.w);
}

void add_distributed(const ModelData& model, const DistributedForce& f,
                     std::vector<TimedLoad>& out) {
  Pattern pattern;
  for (const Fields* part :
       model.fields_of(find_cable(model.scene, f.cable, "distributed force"))) {
    const ElementRun& run = part->run;
    if (run.flows) continue;
    for (int e = 0; e < run.elements; ++e) {
      const auto of = ElementPart::loaded(f, run.arc_start + e * run.length, run.length);
      if (of.none()) continue;
      if (f.along || !of.whole())
        add_varying_load(*part, e, f, of, out, pattern);
      else
        add_uniform_load(run, e, f.force, pattern);
    }
  }
  out.push_back({f.along ? Signal(1.0) : f.strength, std::move(pattern)});
}

std::vector<TimedLoad> applied_forces(const ModelData& model) {
  const Scene& scene = model.scene;
  std::vector<TimedLoad> out;
  for (const PointForce& f : scene.point_forces) {
    const int c = node_size * find_node(model, f.at, "point force");
    out.push_back({f.strength, {{c, f.force.x()}, {c + 1, f.force.y()}, {c + 2, f.force.z()}}});
  }
  for (const DistributedForce& f : scene.distributed_forces) add_distributed(model, f, out);
  return out;
}

/// What acts from the start of a cable on acts on what is paid out of it, too.
std::vector<FlowLoad> flow_loads(const ModelData& model) {
  std::vector<FlowLoad> out;
  for (const DistributedForce& f : model.scene.distributed_forces) {
    const int cable = find_cable(model.scene, f.cable, "distributed force");
    const CableSpan& span = model.cables[static_cast<size_t>(cable)];
    for (int i = span.first_run; i < span.first_run + span.runs; ++i) {
      const auto run = static_cast<size_t>(i);
      if (!model.fields[run]->run.flows) continue;
      out.push_back({std::static_pointer_cast<const FlowElements>(model.terms[run]), f.force,
                     f.strength, f.along, f.from > 0 ? f.from : -HUGE_VAL, f.to});
    }
  }
  return out;
}

std::vector<MomentLoad> applied_moments(const ModelData& model, Stiffness stiffness) {
  std::vector<MomentLoad> out;
  for (const Moment& m : model.scene.moments) {
    const int node = slope_node(model, find_node(model, m.at, "moment"));
    require_slope(model, m.at, "moment");
    if (m.stiffness == stiffness) out.push_back({node, m.moment, m.strength});
  }
  return out;
}

std::vector<BodyLoad> body_forces(const ModelData& model) {
  std::vector<BodyLoad> out;
  for (const BodyForce& f : model.scene.body_forces) {
    const FrameRef frame = find_frame(model.scene, f.frame, "force on '" + f.frame + "'");
    if (frame.body < 0)
      throw Error("force on '" + f.frame + "'", "a support", "a body or a frame of a body",
                  "A force on a support has no effect.");
    const auto body = static_cast<size_t>(frame.body);
    out.push_back(
        {body, model.mechanism.bodies[body].node, frame.position, f.force, f.moment, f.strength});
  }
  return out;
}

/// The ground is a shape of a contact with this cable, which has a law of its own.
bool touches_ground(const Scene& scene, int cable) {
  const std::string& name = scene.cables[static_cast<size_t>(cable)].name;
  return std::any_of(scene.contacts.begin(), scene.contacts.end(), [&](const Contact& c) {
    return std::count(c.cables.begin(), c.cables.end(), name) > 0 &&
           std::count(c.shapes.begin(), c.shapes.end(), "ground") > 0;
  });
}

/// What is around the elements of a run and is stiff or not.
Surroundings surroundings_of(const ModelData& model, const ElementRun& run, bool stiff) {
  const Scene& scene = model.scene;
  Surroundings s(run.length, run.curved);
  if (scene.ground && scene.ground->non_stiff != stiff && !touches_ground(scene, run.cable))
    s.set_ground(*scene.ground);
  if (scene.fluid && scene.fluid->non_stiff != stiff) {
    const Section& section = model.section_of(run);
    const double half = scene.fluid->density * section.diameter / 2;
    Eigen::Map<Vec3>(s.flow) = scene.fluid->velocity;
    s.drag = {half * section.drag, half * std::numbers::pi * section.tangential_drag};
  }
  return s;
}

/// What moves with the elements of a run.
Surroundings added_mass_of(const ModelData& model, const ElementRun& run) {
  const Scene& scene = model.scene;
  Surroundings s(run.length, run.curved);
  if (!scene.fluid) return s;
  const Section& section = model.section_of(run);
  const double area = std::numbers::pi * section.diameter * section.diameter / 4;
  s.added_mass = scene.fluid->density * area * section.added_mass;
  return s;
}

/// The elements of all cables, and those through which cable flows.
struct Surrounded {
  std::vector<SurroundedElements> elements;
  std::vector<SurroundedFlow> flows;
};

/// Those around which `of(run)` has what `any` asks for.
template <class Of, class Any>
Surrounded surrounded(const ModelData& model, const Of& of, const Any& any) {
  Surrounded out;
  if (!model.scene.ground && !model.scene.fluid) return out;
  for (size_t i = 0; i < model.fields.size(); ++i) {
    const ElementRun& run = model.fields[i]->run;
    const Surroundings s = of(run);
    if (!any(s)) continue;
    if (run.flows)
      out.flows.push_back({std::static_pointer_cast<const FlowElements>(model.terms[i]), s});
    else
      out.elements.push_back({run.first_node, run.elements, run.first_element, s});
  }
  return out;
}

HandPlaces hand_places(const ModelData& model) {
  HandPlaces out;
  out.first_input = model.scene.inputs.size() - hand_inputs;
  for (const BodyData& body : model.mechanism.bodies) out.bodies.push_back(body.node);
  for (size_t i = 0; i < model.cables.size(); ++i)
    out.cables.push_back({model.cables[i].first_node, model.mesh.s[i]});
  return out;
}

/// A term of what there is, if anything.
template <class Kind, class Data, class... More>
void add(ModelData& model, Data data, More... more) {
  if (!data.empty()) model.terms.push_back(std::make_shared<Kind>(std::move(data), more...));
}

void add_surroundings(ModelData& model) {
  for (const bool stiff : {true, false}) {
    const Surrounded around = surrounded(
        model, [&](const ElementRun& run) { return surroundings_of(model, run, stiff); },
        [](const Surroundings& s) { return s.pushes_or_drags(); });
    add<SurroundingsTerm>(model, around.elements, stiff);
    add<FlowSurroundings>(model, around.flows, stiff);
  }
  const Surrounded moving = surrounded(
      model, [&](const ElementRun& run) { return added_mass_of(model, run); },
      [](const Surroundings& s) { return s.added_mass > 0; });
  add<AddedMass>(model, moving.elements);
  add<FlowAddedMass>(model, moving.flows);
}

}  // namespace

void change_stiffness(ModelData& model, const std::vector<double>& EA) {
  for (size_t i = 0; i < EA.size(); ++i) {
    model.terms[i] = model.fields[i]->with_stiffness(EA[i]);
    model.fields[i] = model.terms[i]->fields();
  }
}

void compile_terms(ModelData& model) {
  const std::vector<LumpedMass> masses = point_masses(model);
  for (const LumpedMass& m : masses) model.total_mass += m.mass;
  add<PointMasses>(model, masses);
  add<Splices>(model, splices(model));
  add<RigidBodies>(model, model.mechanism.bodies);
  add<AppliedMoments>(model, applied_moments(model, Stiffness::stiff), true);
  add<AppliedMoments>(model, applied_moments(model, Stiffness::non_stiff), false);
  add<Gravity>(model, gravity_load(model, masses));
  add<AppliedForces>(model, applied_forces(model));
  add<FlowLoads>(model, flow_loads(model));
  add<BodyForces>(model, body_forces(model));
  add_surroundings(model);
  add<PlaneSupports>(model, supported_runs(model));
  add<SlidingFriction>(model, sliding_runs(model), true);
  add<SupplyTensions>(model, supply_tensions(model));
  add<PulleyArcs>(model, pulley_arcs(model), model.structure.scalar(0));
  if (model.scene.hand) model.terms.push_back(std::make_shared<HandPull>(hand_places(model)));
  for (const auto& guest : model.guests) model.terms.push_back(guest->term(model));
  for (const auto& term : model.terms) model.facts.combine(term->facts());
  model.structure.symmetric = model.facts.symmetric;
}

}  // namespace hawser
