#include "run/contact_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "contact/body_contact.h"
#include "model/met_cables.h"

namespace hawser {
namespace {

/// Stiffness of a contact times the square of the step over the mass, beyond which steps do not
/// settle: docs/theory/contact.md.
constexpr double most_stiff = 2.5e5;

/// Calls with what touches, of the contacts of a kind.
template <class Kind, class Call>
void for_kind(const ModelData& model, const Call& call) {
  for (const auto& term : model.terms)
    if (const auto* contact = dynamic_cast<const Kind*>(term.get())) call(contact->touching());
}

void stiff_contacts(const ModelData& model, double step, std::vector<std::string>& out) {
  for_kind<CableContact>(model, [&](const Touching& all) {
    for (const TouchingPair& pair : all.pairs) {
      const TouchingRun& run = all.runs[static_cast<size_t>(pair.run)];
      const double k = pair.law.normal.stiffness, most = most_stiff * run.mass / (step * step);
      if (!(k > most)) continue;
      out.push_back(fmt::format(
          "the contact of cable '{}' with '{}' has a stiffness of {:.3g} N/m^2, more than steps of "
          "{:.3g} s resolve: many steps will be divided. Use a `stiffness` of {:.2g} or less, or "
          "steps of {:.2g} s or less",
          model.scene.cables[static_cast<size_t>(run.cable)].name,
          all.shapes[static_cast<size_t>(pair.shape)].name, k, step, most,
          step * std::sqrt(most / k)));
      return;  // one is enough
    }
  });
}

/// All nodes of a cable that nothing holds are on one line along gravity.
bool falls_upright(const ModelData& model, int cable) {
  const CableSpan& span = model.cables[static_cast<size_t>(cable)];
  const auto& route = model.scene.cables[static_cast<size_t>(cable)].route;
  if (model.scene.gravity.isZero() || std::any_of(route.begin(), route.end(), [](const Stop& stop) {
        return stop.kind != Stop::Kind::free;
      }))
    return false;
  const auto node = [&](int i) {
    return Eigen::Map<const Vec3>(model.q0.data() + node_size * (span.first_node + i));
  };
  const Vec3 down = model.scene.gravity.normalized();
  double aside = 0, length = 0;
  for (int i = 1; i < span.nodes; ++i) {
    const Vec3 from = node(i) - node(0);
    aside = std::max(aside, from.cross(down).norm());
    length = std::max(length, from.norm());
  }
  return aside < 1e-9 * length;
}

/// Nothing tells such a cable which way to fold where it lands.
void upright_cables(const ModelData& model, std::vector<std::string>& out) {
  for_kind<CableContact>(model, [&](const Touching& all) {
    for (const TouchingPair& pair : all.pairs) {
      const int cable = all.runs[static_cast<size_t>(pair.run)].cable;
      if (!falls_upright(model, cable)) continue;
      out.push_back(fmt::format(
          "cable '{}' falls exactly upright on '{}': nothing tells it which way to fold. It stands "
          "there as a rod, or its elements shrink to a point and the run stops. Let it lean: one "
          "micrometre at one end is enough",
          model.scene.cables[static_cast<size_t>(cable)].name,
          all.shapes[static_cast<size_t>(pair.shape)].name));
      return;  // one is enough
    }
  });
}

/// True where a cable is held at a body or support, or at one of its frames.
bool is_held_at(const Cable& cable, const std::string& name) {
  return std::any_of(cable.route.begin(), cable.route.end(), [&](const Stop& stop) {
    return stop.kind != Stop::Kind::free && (stop.on == name || stop.on.rfind(name + ".", 0) == 0);
  });
}

/// The body or support of a frame.
std::string owner_of(const Scene& scene, const std::string& frame) {
  for (const Frame& f : scene.frames)
    if (f.name == frame) return f.body;
  return frame;
}

/// True where a body slides along a cable.
bool slides_on(const Scene& scene, const Cable& cable, const std::string& body) {
  return std::any_of(scene.sliding_joints.begin(), scene.sliding_joints.end(),
                     [&](const SlidingJoint& joint) {
                       return joint.cable == cable.name && owner_of(scene, joint.body) == body;
                     });
}

void joined_bodies(const Scene& scene, const Contact& contact, std::vector<std::string>& out) {
  if (!contact.cables.empty()) return;
  const auto named = [&](const std::string& name) {
    return std::count(contact.shapes.begin(), contact.shapes.end(), name) > 0;
  };
  for (const Joint& joint : scene.joints) {
    const std::string a = owner_of(scene, joint.first), b = owner_of(scene, joint.second);
    if (a != b && named(a) && named(b))
      out.push_back(fmt::format(
          "contact '{}': '{}' and '{}' touch and are joined by '{}': where their shapes overlap, "
          "contact and joint act against each other. Leave the pair out of `between`",
          contact.name, a, b, joint.name));
  }
}

void joined_contacts(const Scene& scene, std::vector<std::string>& out) {
  for (const Contact& contact : scene.contacts) {
    joined_bodies(scene, contact, out);
    for (const Cable& cable : scene.cables) {
      if (std::count(contact.cables.begin(), contact.cables.end(), cable.name) == 0) continue;
      for (const std::string& name : contact.shapes)
        if (is_held_at(cable, name) || slides_on(scene, cable, name))
          out.push_back(fmt::format(
              "contact '{}': cable '{}' is held at '{}', whose shape it touches, or slides on it: "
              "there "
              "contact and joint act against each other. Hold it outside of the shape, or leave "
              "one of the two out of `between`",
              contact.name, cable.name, name));
    }
  }
}

void stiff_bodies(const ModelData& model, double step, std::vector<std::string>& out) {
  for_kind<BodyContact>(model, [&](const TouchingSolids& all) {
    for (const SolidPair& pair : all.pairs) {
      const double most = most_stiff * pair.mass / (step * step);
      if (!(pair.law.normal.stiffness > most)) continue;
      out.push_back(fmt::format(
          "the contact of '{}' with '{}' is stiffer than steps of {:.3g} s resolve: many steps "
          "will be divided. Use steps of {:.2g} s or less",
          all.shapes[static_cast<size_t>(pair.a)].placed.name,
          all.shapes[static_cast<size_t>(pair.b)].placed.name, step,
          step * std::sqrt(most / pair.law.normal.stiffness)));
      return;  // one is enough
    }
  });
}

/// Impacts last for half a swing; beyond this share of a radian in a step rebounds are too low.
void short_impacts(const ModelData& model, double step, std::vector<std::string>& out) {
  constexpr double most = 0.1;
  double fastest = 0;
  const auto see = [&](const auto& all) {
    for (const auto& pair : all.pairs) fastest = std::max(fastest, pair.law.swing);
  };
  for_kind<CableContact>(model, see);
  for_kind<BodyContact>(model, see);
  if (fastest * step > most)
    out.push_back(
        fmt::format("impacts last for {:.2g} s, too short for steps of {:.3g} s: things rebound "
                    "less than by their `restitution`. Use steps of {:.2g} s or less",
                    M_PI / fastest, step, most / fastest));
}

/// Cables that lie on pulleys (touched_pulleys.h) follow the circle by their elements.
void long_elements(const ModelData& model, std::vector<std::string>& out) {
  constexpr double share = 0.2;  // of the radius: docs/theory/contact.md
  for (const Contact& contact : model.scene.contacts)
    for (const Stop& pulley : contact.pulleys) {
      const int cable = find_cable(model.scene, contact.cables.front(), "contact");
      double longest = 0;
      for (const Fields* part : model.fields_of(cable))
        longest = std::max(longest, part->run.length);
      if (!(longest > 1.01 * share * pulley.radius)) continue;
      out.push_back(fmt::format(
          "cable '{}' lies on the pulley '{}' of {:g} m with elements of {:.3g} m: forces there "
          "are "
          "off by more than 0.2 %. Use {} or more `elements`, or `pulleys: flow`",
          contact.cables.front(), pulley.on, pulley.radius, longest,
          static_cast<int>(std::ceil(model.scene.cables[static_cast<size_t>(cable)].elements *
                                     longest / (share * pulley.radius)))));
    }
}

/// Massless cables meet each other where their centre lines do.
void thick_strings(const Scene& scene, std::vector<std::string>& out) {
  for (const auto& [a, b] : meeting_massless(scene)) {
    double apart = 0;
    for (const int c : {a, b}) {
      double most = 0;
      for (const Section& section : scene.cables[static_cast<size_t>(c)].sections)
        most = std::max(most, section.diameter / 2);
      apart += most;
    }
    if (apart > 0)
      out.push_back(
          fmt::format("massless cables '{}' and '{}' meet each other as lines without thickness, "
                      "{:.3g} m later "
                      "than their diameters would have it",
                      scene.cables[static_cast<size_t>(a)].name,
                      scene.cables[static_cast<size_t>(b)].name, apart));
  }
}

}  // namespace

void contact_warnings(const ModelData& model, double step, std::vector<std::string>& out) {
  stiff_contacts(model, step, out);
  stiff_bodies(model, step, out);
  short_impacts(model, step, out);
  upright_cables(model, out);
  joined_contacts(model.scene, out);
  long_elements(model, out);
  thick_strings(model.scene, out);
}

}  // namespace hawser
