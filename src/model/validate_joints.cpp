#include <fmt/format.h>

#include <cmath>
#include <set>

#include "hawser/error.h"
#include "model/frames.h"
#include "model/model_data.h"
#include "model/signals.h"
#include "model/validate.h"

namespace hawser {
namespace {

const char* kind_name(JointKind kind) {
  constexpr const char* names[] = {"pin",      "weld",      "hinge",   "slider",
                                   "cylinder", "universal", "distance"};
  return names[static_cast<size_t>(kind)];
}

Vec3 direction(const ErrorObject& where, const Vec3& axis) {
  require_finite(where, axis);
  if (!(axis.norm() > 0))
    throw Error(where, "a vector of length zero", "a vector of nonzero length",
                "For example [0, 0, 1].");
  return axis.normalized();
}

class JointCheck {
 public:
  JointCheck(const Scene& scene, const Joint& joint)
      : scene_(scene),
        j_(joint),
        who_("joint", joint.name),
        first_(find_frame(scene, joint.first, who_)),
        second_(find_frame(scene, joint.second, who_)),
        a_(frame_start(scene, first_)),
        b_(frame_start(scene, second_)),
        size_(a_.norm() + b_.norm() + first_.position.norm() + second_.position.norm()) {
    for (const std::string& name : {j_.first, j_.second}) require_still(scene, name, who_);
    if (first_.body != second_.body) return;
    if (first_.body < 0)
      throw Error(who_, fmt::format("'{}' and '{}', both on the ground", j_.first, j_.second),
                  "at least one body", "The ground needs no joints.");
    throw Error(who_,
                fmt::format("'{}' and '{}', both on body '{}'", j_.first, j_.second,
                            scene.bodies[static_cast<size_t>(first_.body)].name),
                "two bodies, or a body and the ground");
  }

  void run() const {
    axes();
    if (j_.kind == JointKind::distance)
      apart();
    else
      meet();
    const bool turns = j_.kind == JointKind::hinge || j_.kind == JointKind::cylinder;
    const bool distance = j_.kind == JointKind::distance;
    const bool travels = j_.kind == JointKind::slider || j_.kind == JointKind::cylinder || distance;
    freedom({"turn", "rad", "rad/s/N/m", turns, "hinge and cylinder", 0, 1}, j_.turn,
            j_.turn_limits);
    freedom({distance ? "distance" : "travel", "m", "m/s/N", travels,
             "slider, cylinder and distance", distance ? (b_ - a_).norm() : 0, size_},
            j_.travel, j_.travel_limits);
    require_not_negative(who_.at("compliance"), j_.compliance, "m/N");
    require_not_negative(who_.at("angular compliance"), j_.angular_compliance, "rad/N/m");
  }

 private:
  static constexpr double tolerance = 1e-9;  // of where things start, by their size

  /// What a drive or limits act on.
  struct Freedom {
    const char *name, *unit, *slip_unit;
    bool has;           ///< the kind of joint has it
    const char* kinds;  ///< that have it
    double start, size;
  };

  void axes() const {
    const bool needs = j_.kind == JointKind::hinge || j_.kind == JointKind::slider ||
                       j_.kind == JointKind::cylinder || j_.kind == JointKind::universal;
    if (!needs) return;
    const Vec3 axis = direction(who_.at("axis"), j_.axis);
    if (j_.kind != JointKind::universal) return;
    const double cosine = axis.dot(direction(who_.at("second axis"), j_.second_axis));
    if (!(std::abs(cosine) <= tolerance))
      throw Error(who_.at("axes"),
                  fmt::format("{:.4g} deg between them",
                              std::acos(std::min(1.0, std::abs(cosine))) * 180 / EIGEN_PI),
                  "90 deg", "Choose a second axis perpendicular to the first.");
  }

  void meet() const {
    const double gap = (b_ - a_).norm();
    if (!(gap <= tolerance * size_))
      throw Error(
          who_,
          fmt::format("'{}' at [{:.6g}, {:.6g}, {:.6g}] m and '{}' at [{:.6g}, {:.6g}, "
                      "{:.6g}] m: the frames are {:.4g} m apart and the loop cannot close",
                      j_.first, a_.x(), a_.y(), a_.z(), j_.second, b_.x(), b_.y(), b_.z(), gap),
          "frames that coincide at the start",
          fmt::format("Move the body or support of '{}' by [{:.6g}, {:.6g}, {:.6g}] m.", j_.second,
                      a_.x() - b_.x(), a_.y() - b_.y(), a_.z() - b_.z()));
  }

  void apart() const {
    if (!((b_ - a_).norm() > tolerance * size_))
      throw Error(who_, fmt::format("'{}' and '{}' at the same position", j_.first, j_.second),
                  "two different positions", "Use a pin to hold two points together.");
  }

  void freedom(const Freedom& f, const Drive& drive, const Limits& limits) const {
    const ErrorObject where = who_.at(f.name);
    const bool limited = std::isfinite(limits.lowest) || std::isfinite(limits.highest);
    if (!f.has && (drive.kind != Drive::Kind::none || limited))
      throw Error(where,
                  fmt::format("{} of a {}", drive.kind != Drive::Kind::none ? "a drive" : "limits",
                              kind_name(j_.kind)),
                  fmt::format("it only for {}", f.kinds),
                  "Use one of these joint types, or remove it.");
    validate_drive(scene_, where, drive, f.slip_unit);
    if (drive.kind == Drive::Kind::position) {
      const double begins = start_value(scene_, drive.value);
      if (!(std::abs(begins - f.start) <= tolerance * f.size))
        throw Error(where, fmt::format("{:g} {} at t = 0", begins, f.unit),
                    fmt::format("{:g} {}, the initial value of the joint", f.start, f.unit),
                    "Start the function at this value.");
    }
    if (!(limits.lowest <= limits.highest))
      throw Error(who_.at(fmt::format("{} limits", f.name)),
                  fmt::format("from {:g} to {:g} {}", limits.lowest, limits.highest, f.unit),
                  "the lower limit first");
    if (!(f.start >= limits.lowest - tolerance * f.size &&
          f.start <= limits.highest + tolerance * f.size))
      throw Error(who_.at(fmt::format("{} limits", f.name)),
                  fmt::format("from {:g} to {:g} {}", limits.lowest, limits.highest, f.unit),
                  fmt::format("a range that contains {:g} {}, the initial value of the joint",
                              f.start, f.unit));
  }

  const Scene& scene_;
  const Joint& j_;
  ErrorObject who_;
  FrameRef first_, second_;
  Vec3 a_, b_;   // at the start [m]
  double size_;  // of the numbers that make them [m]
};

}  // namespace

void validate_drive(const Scene& scene, const ErrorObject& who, const Drive& drive,
                    const char* slip_unit) {
  const std::vector<InputMotion> inputs = initial_inputs(scene);
  require_sound(who, drive.value);
  require_sound(who.at("slip"), drive.slip);
  if (drive.kind == Drive::Kind::position && !drive.slip.same_as(0.0))
    throw Error(who, "a slip with a position", "a slip with a velocity",
                "Use `compliance` with a position.");
  require_not_negative(who.at("slip"), drive.slip.at({0, inputs}).value, slip_unit);
  for (const double t : drive.slip.kinks())
    require_not_negative(who.at(fmt::format("slip at t = {:g} s", t)),
                         drive.slip.at({t, inputs}).value, slip_unit);
}

void validate_joints(const Scene& scene) {
  for (const Joint& j : scene.joints) {
    if (j.name.empty()) throw Error("a joint", "no name", "a name", "Name every joint.");
    JointCheck(scene, j).run();
  }
}

}  // namespace hawser
