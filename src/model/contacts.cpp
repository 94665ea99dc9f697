// Contacts as compiled. Unless a scene gives the stiffness, it is the largest of
//
//     T/(R da), da = R/1000      a cable of tension T wraps the radius R
//     w/(d/100)                  a cable of weight w per metre and diameter d lies on it
//     4 m v^2/r^2                a cable of mass m per metre and radius r hits it with the speed v
//
// with what can be said of T and v before the run: the tension at the start, or the weights and
// forces that the cable carries; the speed at the start and that of a fall over the gap, of a cable
// that nothing holds that of the farthest fall. Where cables touch each other, those on top press
// and hit with the lowest: w and m are multiplied by the height of the pile (pile_height). Edges of
// boxes and meshes have no radius: there
//
//     2 T/(b d/10)               a cable of tension T is bent around the edge at one point, which
//                                stands for the length b
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "contact/restitution.h"
#include "hawser/error.h"
#include "math/rotation.h"
#include "model/contacts.h"
#include "model/frames.h"
#include "model/touched_pulleys.h"

namespace hawser {

int body_of(const Scene& scene, const std::string& name) {
  for (size_t i = 0; i < scene.bodies.size(); ++i)
    if (scene.bodies[i].name == name) return static_cast<int>(i);
  return -1;
}

bool breaks_away(const Contact& contact) {
  return contact.kinetic_friction.value_or(contact.friction) < contact.friction;
}

ContactLaw law_of(const Contact& contact, double stiffness, double swing) {
  const double damping =
      contact.restitution > 0 ? damping_of(contact.restitution) / swing : contact.damping_time;
  return {{stiffness, damping},
          contact.friction,
          contact.kinetic_friction.value_or(contact.friction),
          breaks_away(contact) ? 2 / swing : 0,
          contact.friction_law == FrictionLaw::hollars ? contact.transition_speed : 0,
          contact.restitution > 0 ? swing : 0};
}

static bool is_driven(const Support& support) {
  return support.turn || std::any_of(support.motion.begin(), support.motion.end(),
                                     [](const Signal& motion) { return !motion.is_constant(); });
}

TouchedShape touched_shape(const ModelData& model, const std::string& name) {
  TouchedShape out;
  out.name = name;
  if (name == "ground") {
    const Vec3 normal = model.scene.ground->normal.normalized();
    out.origin = model.scene.ground->height * normal;
    out.axes = turn_between(Vec3::UnitZ(), normal).toRotationMatrix();
    return out;
  }
  if (const int body = body_of(model.scene, name); body >= 0) {
    out.body = static_cast<size_t>(body);
    out.node = model.mechanism.bodies[out.body].node;
    out.surface = *surface_of(model.scene.bodies[out.body].shape);
    return out;
  }
  const auto at = std::find_if(model.scene.supports.begin(), model.scene.supports.end(),
                               [&](const Support& s) { return s.name == name; });
  out.surface = *surface_of(at->shape);
  out.origin = at->position;
  out.axes = at->orientation.normalized().toRotationMatrix();
  out.motion = at->motion;
  if (at->turn) {
    out.turn_axis = at->turn->axis.normalized();
    out.turn = at->turn->angle;
  }
  out.driven = is_driven(*at);
  return out;
}

TouchedShape touched_pulley(const ModelData& model, const Stop& pulley, double cable_radius) {
  TouchedShape out;
  out.name = pulley.on;
  const FrameRef frame = find_stop(model.scene, pulley, "pulley");
  const double radius = pulley.radius - cable_radius;
  out.surface = {Surface::Kind::cylinder, {radius, touched_width * radius, 0}};
  const Eigen::Matrix3d upright =
      turn_between(Vec3::UnitZ(), pulley.axis.normalized()).toRotationMatrix();
  if (frame.body >= 0) {
    out.body = static_cast<size_t>(frame.body);
    out.node = model.mechanism.bodies[out.body].node;
    const Eigen::Quaterniond& start = model.mechanism.orientation[out.body];
    out.surface.place = {frame.position, start.conjugate().toRotationMatrix() * upright};
    return out;
  }
  out.origin = frame.position;
  out.axes = upright;
  const Support& support = model.scene.supports[static_cast<size_t>(frame.support)];
  out.motion = support.motion;
  if (support.turn) {
    out.turn_axis = support.turn->axis.normalized();
    out.turn = support.turn->angle;
  }
  out.driven = is_driven(support);
  return out;
}

namespace {

/// The term whose fields are those.
std::shared_ptr<const FlowElements> flow_of(const ModelData& model, const Fields& part) {
  if (!part.run.flows) return nullptr;
  const auto at = std::find(model.fields.begin(), model.fields.end(), &part);
  return std::static_pointer_cast<const FlowElements>(
      model.terms[static_cast<size_t>(at - model.fields.begin())]);
}

TouchPoint touch_point(const Fields& part, double xi) {
  return {xi, part.weights(xi, false), part.weights(xi, true)};
}

TouchingRun run_of(const ModelData& model, const Fields& part, int points) {
  const ElementRun& run = part.run;
  TouchingRun out;
  out.flow = flow_of(model, part);
  out.cable = run.cable;
  out.first_node = run.first_node;
  out.elements = run.elements;
  out.first_element = run.first_element;
  out.arc_start = run.arc_start;
  out.mass = model.section_of(run).mass;
  out.radius = model.section_of(run).diameter / 2;
  if (model.scene.cables[static_cast<size_t>(run.cable)].lumped_mass) {
    // Forces between the masses would throw up what lies beside the one that lands.
    out.spacing = run.length / 2;
    out.points = {touch_point(part, 0), touch_point(part, 1)};
    return out;
  }
  out.spacing = run.length / points;
  for (int k = 0; k < points; ++k) out.points.push_back(touch_point(part, (k + 0.5) / points));
  return out;
}

/// Nothing holds the cable: all of it falls on what is below it.
bool falls_freely(const ModelData& model, int cable) {
  if (model.scene.gravity.isZero()) return false;
  const CableSpan& span = model.cables[static_cast<size_t>(cable)];
  for (const Hold& hold : model.holds)
    if (hold.cable == cable && hold.node >= 0) return false;
  for (const auto& [follower, leader] : model.structure.shared)
    for (const int c : {follower, leader})
      if (const int node = c / node_size - span.first_node; node >= 0 && node < span.nodes)
        return false;
  return true;
}

/// The points of a run at the start against a shape.
class StartPlaces {
 public:
  StartPlaces(const ModelData& model, const TouchingRun& run, const TouchedShape& shape)
      : model_(model), run_(run), shape_(shape), centre_(shape.origin), axes_(shape.axes) {
    if (shape.node >= 0) {
      centre_ = model.scene.bodies[shape.body].position;
      axes_ = model.scene.bodies[shape.body].orientation.normalized().toRotationMatrix();
    } else {
      for (int k = 0; k < 3; ++k)
        centre_[k] += shape.motion[static_cast<size_t>(k)].at(model.start()).value;
    }
  }
  [[nodiscard]] double gap(const Vec3& x) const {
    return nearest(shape_.surface, axes_.transpose() * (x - centre_), 0).distance - run_.radius;
  }
  template <class Call>
  void for_points(const Call& call) const {
    for (int e = 0; e < run_.elements; ++e)
      for (const TouchPoint& p : run_.points) {
        Vec3 x = Vec3::Zero();
        for (int k = 0; k < 4; ++k)
          x += p.n[static_cast<size_t>(k)] *
               Eigen::Map<const Vec3>(model_.q0.data() + node_size * (run_.first_node + e) + 3 * k);
        call(x);
      }
  }
  /// How far a point falls until it is on the shape; 0: it does not fall on it.
  [[nodiscard]] double fall(const Vec3& x) const {
    constexpr int most = 200;
    const Vec3 down = model_.scene.gravity.normalized();
    double way = 0, before = HUGE_VAL;
    for (int i = 0; i < most; ++i) {
      const double left = gap(x + way * down);
      if (left < 1e-3 * (way + run_.radius)) return way + std::max(left, 0.0);
      if (left > before) return 0;
      before = left;
      way += left;
    }
    return 0;
  }

 private:
  const ModelData& model_;
  const TouchingRun& run_;
  const TouchedShape& shape_;
  Vec3 centre_;
  Eigen::Matrix3d axes_;
};

/// The least gap at the start, and the place of it; and how far the cable falls on the shape.
struct StartGap {
  double gap = HUGE_VAL;
  Vec3 at = Vec3::Zero();
  double fall = 0;
};
StartGap start_gap(const ModelData& model, const TouchingRun& run, const TouchedShape& shape) {
  const StartPlaces places(model, run, shape);
  StartGap out;
  places.for_points([&](const Vec3& x) {
    if (const double gap = places.gap(x); gap < out.gap) {
      out.gap = gap;
      out.at = x;
    }
  });
  out.fall = std::max(out.gap, 0.0);
  if (falls_freely(model, run.cable))
    places.for_points([&](const Vec3& x) { out.fall = std::max(out.fall, places.fall(x)); });
  return out;
}

double mass_of(const ModelData& model, int cable) {
  double out = 0;
  for (const Fields* part : model.fields_of(cable))
    out += model.section_of(part->run).mass * part->run.whole_length();
  return out;
}

/// How many cables may lie on top of each other where they touch each other: of n in a pile that is
/// as wide as high, the root of n.
double pile_height(const ModelData& model, int cable) {
  const std::string& name = model.scene.cables[static_cast<size_t>(cable)].name;
  std::set<int> all{cable};
  for (const Contact& contact : model.scene.contacts) {
    const auto& cables = contact.cables;
    if (!contact.shapes.empty() || std::find(cables.begin(), cables.end(), name) == cables.end())
      continue;
    for (const std::string& other : cables)
      all.insert(find_cable(model.scene, other, ErrorObject("contact", contact.name)));
  }
  double sum = 0;
  for (const int other : all) sum += mass_of(model, other);
  return std::sqrt(sum / mass_of(model, cable));
}

/// How fast a shape moves, as far as the scene tells [m/s].
double speed_of(const ModelData& model, const TouchedShape& shape) {
  if (shape.node >= 0) return model.scene.bodies[shape.body].velocity.norm();
  if (!shape.driven) return 0;
  double out = 0;
  for (double t = 1e-3; t < 1e4; t *= 1.25) {
    Vec3 rate;
    for (int k = 0; k < 3; ++k)
      rate[k] = shape.motion[static_cast<size_t>(k)].at({t, model.inputs}).rate;
    out = std::max(out, rate.norm());
  }
  return out;
}

double stiffness_for(const ModelData& model, const Fields& part, const TouchingRun& run,
                     const TouchedShape& shape, double fall) {
  const Section& section = model.section_of(part.run);
  const Cable& cable = model.scene.cables[static_cast<size_t>(part.run.cable)];
  const double g = pull_of(model.scene), r = section.diameter / 2,
               R = shape.surface.wrap_radius() + r;
  double out = 0;
  const double T = tension_of(model, part.run.cable);
  if (shape.surface.wrap_radius() > 0) out = T / (R * 1e-3 * R);
  // A cable without a diameter is as thick as it were of steel.
  const double d = r > 0 ? 2 * r : std::sqrt(4 * section.mass / (7850 * M_PI));
  if (shape.surface.has_edges()) out = std::max(out, 2 * T / (run.spacing * 0.1 * d));
  const double mass = section.mass * pile_height(model, part.run.cable);
  out = std::max(out, mass * g / (0.01 * d));
  double speed = cable.velocity.norm() + cable.angular_velocity.norm() * model.extent;
  speed += speed_of(model, shape);
  const double square = speed * speed + 2 * g * fall;
  return std::max(out, 16 * mass * square / (d * d));
}

/// Throws where a cable starts deep in a shape: more than a cable that wraps it or lies on it
/// sinks, and than the middle of a straight element between two nodes on it.
void require_apart(const ModelData& model, const Contact& contact, const TouchingRun& run,
                   bool curved, const TouchedShape& shape, const StartGap& least) {
  const double R = shape.surface.wrap_radius(), size = R > 0 ? R : run.spacing;
  const double l = run.spacing * static_cast<double>(run.points.size());
  const double chord = curved || !(R > 0) ? 0 : l * l / (8 * R);
  const double most = std::max(1.01 * run.radius, 5e-3 * size) + chord;
  if (!(-least.gap > most)) return;
  throw Error(ErrorObject("contact", contact.name),
              fmt::format("cable '{}' starts {:.3g} m deep in '{}', at [{:.4g}, {:.4g}, {:.4g}]",
                          model.scene.cables[static_cast<size_t>(run.cable)].name, -least.gap,
                          shape.name, least.at.x(), least.at.y(), least.at.z()),
              "a cable that starts outside of what it touches",
              "Route it around the shape with more points, or start it elsewhere.");
}

/// Where the runs of a contact's cables stand among the fields of the model.
template <class Call>
void for_parts(const ModelData& model, const Contact& contact, const Call& call) {
  for (const std::string& name : contact.cables)
    for (const Fields* part :
         model.fields_of(find_cable(model.scene, name, ErrorObject("contact", contact.name))))
      call(*part);
}

}  // namespace

double pull_of(const Scene& scene) {
  constexpr double least = 1;
  const double g = scene.gravity.norm();
  if (g >= least) return g;
  double out = least;
  for (const Body& body : scene.bodies) {
    double force = 0;
    for (const BodyForce& f : scene.body_forces)
      if (f.frame == body.name || f.frame.starts_with(body.name + ".")) force += f.force.norm();
    out = std::max(out, force / body.mass);
  }
  for (const Cable& cable : scene.cables) {
    double force = 0, mass = 0;
    for (const PointForce& f : scene.point_forces)
      if (f.at.cable == cable.name) force += f.force.norm();
    for (const Section& section : cable.sections) mass = std::max(mass, section.mass);
    for (const DistributedForce& f : scene.distributed_forces)
      if (f.cable == cable.name) out = std::max(out, f.force.norm() / mass);
    if (cable.length > 0) out = std::max(out, force / (mass * cable.length));
  }
  return out;
}

double tension_of(const ModelData& model, int cable) {
  const Cable& of = model.scene.cables[static_cast<size_t>(cable)];
  const double g = model.scene.gravity.norm();
  double start = 0, load = 0;
  for (const Fields* part : model.fields_of(cable)) {
    const ElementRun& run = part->run;
    load += g * model.section_of(run).mass * run.whole_length();
    for (int e = 0; e < run.elements; ++e)
      start = std::max(start, run.EA * part->strain(part->slope(model.q0.data(), e, 0.5)));
  }
  const std::string& name = of.name;
  for (const PointMass& m : model.scene.point_masses)
    if (m.at.cable == name) load += g * m.mass;
  for (const PointForce& f : model.scene.point_forces)
    if (f.at.cable == name) load += f.force.norm();
  for (const Hold& hold : model.holds)
    if (hold.cable == cable && hold.at.body >= 0)
      load += g * model.scene.bodies[static_cast<size_t>(hold.at.body)].mass;
  const auto add_carried = [&](const Stop& pulley) {
    const int body = find_stop(model.scene, pulley, "pulley").body;
    if (body >= 0) load += g * model.scene.bodies[static_cast<size_t>(body)].mass;
  };
  for (const Stop& stop : of.route)
    if (stop.kind == Stop::Kind::over && of.pulleys == PulleyMeeting::flow) add_carried(stop);
  for (const Contact& contact : model.scene.contacts)
    for (const Stop& pulley : contact.pulleys)
      if (contact.cables.front() == name) add_carried(pulley);
  return std::max(start, load);
}

void couple_contacts(ModelData& model) {
  auto& pairs = model.structure.pairs;
  for (const Contact& contact : model.scene.contacts) {
    const auto couple_all = [&](int body) {
      if (body < 0) return;
      const int node = model.mechanism.bodies[static_cast<size_t>(body)].node;
      for_parts(model, contact, [&](const Fields& part) {
        for (int i = 0; i <= part.run.elements; ++i)
          pairs.emplace_back(part.run.first_node + i, node);
      });
    };
    for (const std::string& name : contact.shapes) couple_all(body_of(model.scene, name));
    for (const Stop& pulley : contact.pulleys)
      couple_all(find_stop(model.scene, pulley, "pulley").body);
  }
  couple_bodies(model);
  if (model.scene.contacts.empty()) return;
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

namespace {

/// What cables touch, as it is compiled.
class TouchingLists {
 public:
  explicit TouchingLists(const ModelData& model)
      : model_(model), stiffness_(model.mesh.contact_stiffness), first_mesh_(stiffness_.empty()) {}

  [[nodiscard]] const Touching& touching() const { return out_; }
  [[nodiscard]] const std::vector<double>& stiffness() const { return stiffness_; }

  void add(const Contact& contact, const TouchedShape& shape) {
    out_.shapes.push_back(shape);
    for_cables(contact, [&](const Fields& part) { add_run(contact, part); });
  }
  /// Every section lies in a groove of its own.
  void add(const Contact& contact, const Stop& pulley) {
    for_cables(contact, [&](const Fields& part) {
      const double radius = model_.section_of(part.run).diameter / 2;
      out_.shapes.push_back(touched_pulley(model_, pulley, radius));
      add_run(contact, part);
    });
  }

 private:
  template <class Call>
  void for_cables(const Contact& contact, const Call& call) {
    for (const std::string& name : contact.cables) {
      const int cable = find_cable(model_.scene, name, ErrorObject("contact", contact.name));
      const size_t sections = model_.scene.cables[static_cast<size_t>(cable)].sections.size();
      if (first_mesh_) stiffness_.resize(next_ + sections, contact.stiffness);
      if (stiffness_.size() < next_ + sections)
        throw Error("mesh", fmt::format("stiffness of {} contacts", stiffness_.size()),
                    "one for each contact, shape, cable and section");
      const size_t first = out_.pairs.size();
      for (const Fields* part : model_.fields_of(cable)) call(*part);
      for (size_t i = first; i < out_.pairs.size(); ++i) set_law(contact, out_.pairs[i]);
      next_ += sections;
    }
  }
  /// Touches the last shape.
  void add_run(const Contact& contact, const Fields& part) {
    const TouchedShape& shape = out_.shapes.back();
    const TouchingRun run = run_of(model_, part, contact.points);
    if (first_mesh_) begin(contact, part, run);
    TouchingPair pair;
    pair.run = static_cast<int>(out_.runs.size());
    pair.shape = static_cast<int>(out_.shapes.size()) - 1;
    pair.contact = number_of(model_, contact);
    const auto& pairs = model_.structure.pairs;
    if (shape.node >= 0)
      for (int i = 0; i <= run.elements; ++i) {
        const std::pair both(run.first_node + i, shape.node);
        pair.pairs.push_back(
            static_cast<int>(std::lower_bound(pairs.begin(), pairs.end(), both) - pairs.begin()));
      }
    out_.pairs.push_back(std::move(pair));
    out_.runs.push_back(run);
    number_.push_back(next_ + static_cast<size_t>(part.run.section));
  }
  /// What the start says of it.
  void begin(const Contact& contact, const Fields& part, const TouchingRun& run) {
    const TouchedShape& shape = out_.shapes.back();
    const StartGap least = start_gap(model_, run, shape);
    // A search for rest lifts a cable out of a plane, which has no other side.
    if (model_.scene.initial != Initial::rest || shape.surface.kind != Surface::Kind::plane)
      require_apart(model_, contact, run, part.run.curved, shape, least);
    double& k = stiffness_[next_ + static_cast<size_t>(part.run.section)];
    if (!(contact.stiffness > 0))
      k = std::max(k, stiffness_for(model_, part, run, shape, least.fall));
  }
  void set_law(const Contact& contact, TouchingPair& pair) const {
    const auto run = static_cast<size_t>(pair.run);
    const double k = stiffness_[number_[run]];
    pair.law = law_of(contact, k, std::sqrt(k / out_.runs[run].mass));
  }

  const ModelData& model_;
  Touching out_;
  std::vector<double> stiffness_;  ///< Mesh::contact_stiffness
  bool first_mesh_;
  size_t next_ = 0;             ///< of the stiffnesses
  std::vector<size_t> number_;  ///< by run: of its stiffness
};

void add_cable_contacts(ModelData& model) {
  TouchingLists lists(model);
  for (const Contact& contact : model.scene.contacts) {
    for (const std::string& name : contact.shapes) lists.add(contact, touched_shape(model, name));
    for (const Stop& pulley : contact.pulleys) lists.add(contact, pulley);
  }
  if (lists.touching().pairs.empty()) return;
  model.mesh.contact_stiffness = lists.stiffness();
  auto term = std::make_shared<CableContact>(lists.touching());
  model.contacts = term->remembered();
  model.terms.push_back(term);
  model.facts.combine(term->facts());
}

}  // namespace

void add_contact_term(ModelData& model) {
  add_cable_contacts(model);
  add_body_contacts(model);
}

}  // namespace hawser
