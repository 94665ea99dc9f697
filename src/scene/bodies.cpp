#include "scene/bodies.h"

#include <fmt/format.h>

#include "hawser/polyhedron.h"

namespace hawser {
namespace {

class BodyBuilder {
 public:
  BodyBuilder(ReadContext& context, const Named<BodyText>::Entry& entry)
      : c_(context), t_(entry.value), at_(entry.at), path_("bodies." + entry.name) {
    body_.name = entry.name;
  }

  Body build() {
    body_.position = *t_.position;
    body_.velocity = *t_.velocity;
    body_.angular_velocity = *t_.angular_velocity;
    if (t_.shape.given) body_.shape = read_shape(c_, t_.shape, path_);
    if (t_.orientation.given) body_.orientation = read_orientation(c_, t_.orientation, path_);
    set_mass();
    set_inertia();
    return body_;
  }

 private:
  void problem(const std::string& found, const std::string& expected) {
    c_.problems.add(at_, path_, found, expected);
  }

  void set_mass() {
    if (t_.mass.given == t_.density.given)
      problem(t_.mass.given ? "both `mass` and `density`" : "no `mass`",
              "`mass`, or `density` with a `shape`");
    else if (t_.mass.given)
      body_.mass = *t_.mass;
    else if (!t_.shape.given)
      problem("`density` without a `shape`", "`mass`, or a `shape` with the `density`");
    else
      body_.mass = *t_.density * body_.shape.volume();
  }

  void set_inertia() {
    if (t_.inertia.given) {
      const std::vector<double>& i = *t_.inertia;
      body_.inertia.diagonal() = Vec3(i[0], i[1], i[2]);
      if (i.size() == 6) {
        body_.inertia(0, 1) = body_.inertia(1, 0) = i[3];
        body_.inertia(0, 2) = body_.inertia(2, 0) = i[4];
        body_.inertia(1, 2) = body_.inertia(2, 1) = i[5];
      }
    } else if (t_.shape.given) {
      body_.inertia = body_.shape.inertia(body_.mass);
    } else {
      problem("neither `inertia` nor `shape`", "one of them, for the moment of inertia");
    }
  }

  ReadContext& c_;
  const BodyText& t_;
  Mark at_;
  std::string path_;
  Body body_;
};

class JointBuilder {
 public:
  JointBuilder(ReadContext& context, const Named<JointText>::Entry& entry)
      : c_(context), t_(entry.value), at_(entry.at), path_("joints." + entry.name) {
    joint_.name = entry.name;
  }

  Joint build(const Scene& scene) {
    joint_.kind = *t_.kind;
    joint_.first = (*t_.between)[0];
    joint_.second = (*t_.between)[1];
    for (size_t k = 0; k < 2; ++k) {
      const std::string path = fmt::format("{}.between[{}]", path_, k);
      check_still(c_, scene, (*t_.between)[k], {c_.places.at(path), path});
    }
    const bool universal = joint_.kind == JointKind::universal;
    const bool straight = joint_.kind == JointKind::hinge || joint_.kind == JointKind::slider ||
                          joint_.kind == JointKind::cylinder;
    set_axis(t_.axis, "axis", straight || universal, "hinge, slider, cylinder and universal",
             joint_.axis);
    set_axis(t_.second_axis, "second_axis", universal, "universal", joint_.second_axis);
    joint_.turn = drive("turn", t_.turn, t_.turn_rate);
    joint_.travel = drive("travel", t_.travel, t_.travel_rate);
    set_slip();
    if (t_.turn_limits.given) joint_.turn_limits = {(*t_.turn_limits)[0], (*t_.turn_limits)[1]};
    if (t_.travel_limits.given)
      joint_.travel_limits = {(*t_.travel_limits)[0], (*t_.travel_limits)[1]};
    joint_.compliance = *t_.compliance;
    joint_.angular_compliance = *t_.angular_compliance;
    return joint_;
  }

 private:
  void set_axis(const Given<Eigen::Vector3d>& text, const char* key, bool needed, const char* kinds,
                Vec3& axis) {
    if (text.given) axis = *text;
    if (needed && !text.given)
      c_.problems.add(at_, path_, fmt::format("no `{}`", key),
                      fmt::format("`{}: ...` (x, y, z or a vector)", key));
    if (!needed && text.given)
      c_.problems.add(text.at, path_ + "." + key, "an axis, which this joint type does not have",
                      fmt::format("an axis only for {}", kinds));
  }

  Drive drive(const std::string& key, const Given<TimeFunction>& position,
              const Given<TimeFunction>& rate) {
    if (position.given && rate.given)
      c_.problems.add(rate.at, path_, fmt::format("both `{}` and `{}_rate`", key, key),
                      "one of them");
    if (position.given) return {Drive::Kind::position, position->signal, 0.0};
    if (rate.given) return {Drive::Kind::velocity, rate->signal, 0.0};
    return {};
  }

  void set_slip() {
    if (!t_.slip.given) return;
    const int rates = t_.turn_rate.given + t_.travel_rate.given;
    if (rates != 1)
      c_.problems.add(t_.slip.at, path_ + ".slip",
                      rates == 0 ? "a slip without a rate" : "a slip with two rates",
                      "a slip with exactly one of `turn_rate` and `travel_rate`");
    (t_.turn_rate.given ? joint_.turn : joint_.travel).slip = t_.slip->signal;
  }

  ReadContext& c_;
  const JointText& t_;
  Mark at_;
  std::string path_;
  Joint joint_;
};

}  // namespace

Solid read_shape(ReadContext& c, const Given<ShapeText>& text, const std::string& path) {
  const ShapeText& s = *text;
  const int kinds = s.box.given + s.sphere.given + s.cylinder.given + s.capsule.given +
                    s.plate.given + s.mesh.given;
  if (kinds != 1) {
    c.problems.add(text.at, path + ".shape",
                   kinds == 0 ? "no shape" : fmt::format("{} shapes in one", kinds),
                   "exactly one of box, sphere, cylinder, capsule, plate, mesh");
    return {};
  }
  if (s.box.given) return {Solid::Kind::box, *s.box};
  if (s.sphere.given) return {Solid::Kind::sphere, {*s.sphere, 0, 0}};
  if (s.cylinder.given)
    return {Solid::Kind::cylinder, {*s.cylinder->radius, *s.cylinder->length, 0}};
  if (s.mesh.given) return s.mesh->file.value ? solid_of(*s.mesh->file, *s.mesh->scale) : Solid{};
  if (s.capsule.given) return {Solid::Kind::capsule, {*s.capsule->radius, *s.capsule->length, 0}};
  return {Solid::Kind::plate, {(*s.plate)[0], (*s.plate)[1], 0}};
}

Eigen::Quaterniond read_orientation(ReadContext& c, const Given<OrientationText>& text,
                                    const std::string& path) {
  const OrientationText& o = *text;
  const bool turned = o.axis.given && o.angle.given && !o.quaternion.given;
  const bool quaternion = o.quaternion.given && !o.axis.given && !o.angle.given;
  if (turned) return Eigen::Quaterniond(Eigen::AngleAxisd(*o.angle, *o.axis));
  if (quaternion) return *o.quaternion;
  c.problems.add(text.at, path + ".orientation",
                 o.quaternion.given ? "`quaternion` together with `axis` or `angle`"
                 : o.axis.given     ? "no `angle`"
                                    : "no `axis`",
                 "`axis` and `angle`, or `quaternion`");
  return Eigen::Quaterniond::Identity();
}

void add_bodies(ReadContext& c, const SceneText& text, Scene& scene) {
  for (const auto& entry : text.bodies.entries) {
    scene.bodies.push_back(BodyBuilder(c, entry).build());
    if (!entry.value.frames.given) continue;
    for (const NamedPoint& p : *entry.value.frames) {
      Frame frame;
      frame.name = entry.name + "." + p.name;
      frame.body = entry.name;
      frame.position = p.point;
      scene.frames.push_back(std::move(frame));
    }
  }
}

void add_joints(ReadContext& c, const SceneText& text, Scene& scene) {
  for (const auto& entry : text.joints.entries)
    scene.joints.push_back(JointBuilder(c, entry).build(scene));
}

}  // namespace hawser
