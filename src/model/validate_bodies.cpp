#include <fmt/format.h>

#include <cmath>
#include <set>

#include "hawser/error.h"
#include "math/dense.h"
#include "model/frames.h"
#include "model/model_data.h"
#include "model/signals.h"
#include "model/validate.h"

namespace hawser {
namespace {

/// Principal moments a, b, c of a body of positive mass: each at most the sum of the others, since
/// a + b - c is twice the integral of a square. A thin plate meets it with equality.
void validate_inertia(const ErrorObject& who, const Eigen::Matrix3d& inertia) {
  if (!inertia.allFinite())
    throw Error(who.at("inertia"), "a number that is not finite", "finite moments of inertia");
  const double size = inertia.cwiseAbs().maxCoeff();
  if (!((inertia - inertia.transpose()).cwiseAbs().maxCoeff() <= 1e-9 * size))
    throw Error(who.at("inertia"), "a matrix that is not symmetric", "Ixy = Iyx and so on");
  Eigen::Matrix3d scratch = inertia;
  Vec3 p;
  symmetric_eigen(3, scratch.data(), p.data(), nullptr);
  const std::string moments =
      fmt::format("principal moments {:g}, {:g} and {:g} kg m^2", p[0], p[1], p[2]);
  if (!(p[0] > 1e-12 * size))
    throw Error(who.at("inertia"), moments, "all above zero",
                "Use the inertia of its real size: even a thin rod has inertia about its axis.");
  if (!(p[2] <= p[0] + p[1] + 1e-9 * size))
    throw Error(who.at("inertia"), moments,
                fmt::format("the largest at most the sum of the others, {:g} kg m^2", p[0] + p[1]),
                "No distribution of mass has such an inertia.");
}

void validate_body(const Body& b) {
  const ErrorObject who("body", b.name);
  if (b.name.empty()) throw Error("a body", "no name", "a name", "Name every body.");
  require_positive(who.at("mass"), b.mass, "kg");
  validate_inertia(who, b.inertia);
  require_finite(who.at("position"), b.position);
  require_finite(who.at("velocity"), b.velocity);
  require_finite(who.at("angular velocity"), b.angular_velocity);
  const double turn = b.orientation.norm();
  if (!(turn > 0) || !std::isfinite(turn))
    throw Error(who.at("orientation"), fmt::format("a quaternion of length {:g}", turn),
                "a unit quaternion", "Eigen::Quaterniond::Identity() is no rotation.");
}

void validate_frame(const Scene& scene, const Frame& f) {
  const ErrorObject who("frame", f.name);
  if (f.name.empty()) throw Error("a frame", "no name", "a name", "Name every frame.");
  (void)find_frame(scene, f.name, who);  // throws when its body is not there
  require_finite(who.at("position"), f.position);
}

void validate_direction(const ErrorObject& who, const Vec3& direction) {
  require_finite(who, direction);
  if (direction.isZero()) throw Error(who, "[0, 0, 0]", "a direction");
}

void validate_support(const Scene& scene, const Support& s) {
  const ErrorObject who("support", s.name);
  if (s.name.empty()) throw Error("a support", "no name", "a name", "Name every support.");
  require_finite(who.at("position"), s.position);
  for (const Signal& motion : s.motion) require_sound(who.at("motion"), motion);
  if (s.slides) validate_direction(who.at("slides"), *s.slides);
  for (size_t k = 0; k < 3; ++k)
    if (s.slides && std::abs((*s.slides)[static_cast<Eigen::Index>(k)]) > 1e-12 &&
        !s.motion[k].is_constant())
      throw Error(who.at("motion"), "a motion in a direction in which the support slides freely",
                  "a motion perpendicular to `slides`");
  if (!s.turn) return;
  require_sound(who.at("turn"), s.turn->angle);
  validate_direction(who.at("axis"), s.turn->axis);
  if (const double angle = start_value(scene, s.turn->angle); std::abs(angle) > 1e-9)
    throw Error(who.at("turn"), fmt::format("{:g} rad at t = 0", angle), "0 at the start",
                "The angle is measured from the initial direction of the cable.");
}

}  // namespace

void validate_bodies(const Scene& scene) {
  std::set<std::string> names;
  const auto name = [&](const char* kind, const std::string& own) {
    if (!names.insert(own).second)
      throw Error(ErrorObject(kind, own), "the same name twice",
                  "a unique name among supports, bodies and frames");
  };
  for (const Support& s : scene.supports) {
    validate_support(scene, s);
    name("support", s.name);
  }
  for (const Body& b : scene.bodies) {
    validate_body(b);
    name("body", b.name);
  }
  for (const Frame& f : scene.frames) {
    validate_frame(scene, f);
    name("frame", f.name);
  }
  for (const BodyForce& f : scene.body_forces) {
    const ErrorObject who = fmt::format("force on '{}'", f.frame);
    if (find_frame(scene, f.frame, who).body < 0)
      throw Error(who, "a support", "a body or a frame of a body",
                  "A force on a support has no effect.");
    require_finite(who, f.force);
    require_finite(who.at("moment"), f.moment);
    require_sound(who, f.strength);
  }
}

}  // namespace hawser
