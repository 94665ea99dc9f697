#include "report/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "record/solid_mesh.h"
#include "report/diagram.h"

namespace hawser {
namespace {

nlohmann::json pulleys_of(const Scene& scene) {
  nlohmann::json out = nlohmann::json::array();
  for (const Cable& cable : scene.cables)
    for (size_t k = 0; k < cable.route.size(); ++k) {
      const Stop& stop = cable.route[k];
      if (!(stop.radius > 0)) continue;
      const Anchor at = anchor_of(scene, stop.on, stop.axis);
      out.push_back({{"cable", cable.name},
                     {"stop", k},
                     {"body", at.body},
                     {"position", vector_json(at.position)},
                     {"axis", vector_json(at.axis)},
                     {"radius", stop.radius}});
    }
  return out;
}

nlohmann::json joints_of(const Scene& scene) {
  nlohmann::json out = nlohmann::json::array();
  for (const Joint& joint : scene.joints) {
    const Anchor at = anchor_of(scene, joint.first, joint.axis.normalized());
    out.push_back({{"name", joint.name},
                   {"kind", joint_word(joint.kind)},
                   {"body", at.body},
                   {"position", vector_json(at.position)},
                   {"axis", vector_json(at.axis)},
                   {"first", joint.first},
                   {"second", joint.second}});
  }
  return out;
}

nlohmann::json supports_of(const Scene& scene) {
  nlohmann::json out = nlohmann::json::array();
  for (const Support& support : scene.supports) {
    nlohmann::json entry = {{"name", support.name}, {"position", vector_json(support.position)}};
    const Eigen::Quaterniond& q = support.orientation;
    if (support.shape.kind != Solid::Kind::none) {
      entry["solid"] = solid_json(support.shape);
      entry["solid"]["orientation"] = {q.w(), q.x(), q.y(), q.z()};
    }
    out.push_back(std::move(entry));
  }
  return out;
}

/// A winch without a drum is drawn like the pulleys of its cable.
Vec3 axis_of_pulleys(const Cable& cable) {
  for (const Stop& stop : cable.route)
    if (stop.radius > 0) return stop.axis.normalized();
  return Vec3::UnitY();
}

nlohmann::json winches_of(const Scene& scene) {
  nlohmann::json out = nlohmann::json::array();
  for (const Cable& cable : scene.cables)
    for (size_t k = 0; k < cable.route.size(); ++k) {
      if (!has_winch(cable, k)) continue;
      const Stop& stop = cable.route[k];
      const Winch* drum = drum_of(scene, stop);
      const Anchor at = drum != nullptr ? anchor_of(scene, drum->on, drum->axis.normalized())
                                        : anchor_of(scene, stop.on, axis_of_pulleys(cable));
      const bool wide = drum != nullptr && std::isfinite(drum->drum.width);
      out.push_back(
          {{"cable", cable.name},
           {"name", winch_name(cable, k)},
           {"body", at.body},
           {"position", vector_json(stop.kind == Stop::Kind::free ? stop.point : at.position)},
           {"axis", vector_json(at.axis)},
           {"radius", drum != nullptr ? drum->drum.radius : 0},
           {"width", wide ? drum->drum.width : 0}});
    }
  return out;
}

}  // namespace

nlohmann::json vector_json(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

nlohmann::json solid_json(const Solid& solid) {
  nlohmann::json out = {{"shape", name_of(solid.kind)}, {"size", vector_json(solid.size)}};
  if (!solid.mesh) return out;
  for (const Vec3& corner : solid.mesh->corners) out["points"].push_back(vector_json(corner));
  out["faces"] = solid.mesh->faces;
  return out;
}

Anchor anchor_of(const Scene& scene, const std::string& name, const Vec3& axis) {
  const auto on_body = [&](const std::string& body_name, const Vec3& position) -> Anchor {
    for (const Body& body : scene.bodies)
      if (body.name == body_name) return {body_name, position, body.orientation.conjugate() * axis};
    return {};
  };
  for (const Body& body : scene.bodies)
    if (body.name == name) return on_body(name, Vec3::Zero());
  for (const Frame& frame : scene.frames)
    if (frame.name == name) return on_body(frame.body, frame.position);
  for (const Support& support : scene.supports)
    if (support.name == name) return {{}, support.position, axis};
  return {{}, Vec3::Zero(), axis};
}

nlohmann::json drawing_of(const Scene& scene) {
  nlohmann::json ground;
  if (scene.ground)
    ground = {{"height", scene.ground->height},
              {"normal", vector_json(scene.ground->normal.normalized())}};
  return {{"up", vector_json(upwards(scene))}, {"supports", supports_of(scene)},
          {"joints", joints_of(scene)},        {"pulleys", pulleys_of(scene)},
          {"winches", winches_of(scene)},      {"ground", ground},
          {"diagram", diagram_of(scene)}};
}

Vec3 upwards(const Scene& scene) {
  const double g = scene.gravity.norm();
  return g > 0 ? Vec3(-scene.gravity / g) : Vec3(Vec3::UnitZ());
}

std::pair<double, double> diameter_and_strength(const Cable& cable) {
  double diameter = 0, strength = 0;
  for (const SectionPart& part : cable.sections) {
    diameter = std::max(diameter, part.diameter);
    if (part.breaking_load > 0)
      strength = strength > 0 ? std::min(strength, part.breaking_load) : part.breaking_load;
  }
  return {diameter, strength};
}

std::string solve_text(const SolveOptions& s) {
  constexpr const char* methods[] = {"linearized", "mixed", "mixed3", "newton", "spook"};
  constexpr const char* schemes[] = {"backward-euler", "bdf2", "newmark", "hht",
                                     "generalized-alpha"};
  std::string out = methods[static_cast<int>(s.method)];
  if (s.method != Method::mixed3 && s.method != Method::spook)
    out += std::string(" ") + schemes[static_cast<int>(s.scheme)];
  if (s.error_control) return out + fmt::format(", error below {:g} m", s.tolerance);
  return out + fmt::format(", steps of {:g} ms", 1000 * s.step);
}

}  // namespace hawser
