// The fields of scene files, continued: loads, and what each of them becomes in the scene. A new
// kind of load is a key of LoadText and an entry of load_kinds.
#pragma once

#include <array>

#include "hawser/scene.h"
#include "scene/kinds.h"

namespace hawser {

inline constexpr WordKind<Stiffness> stiffness_words{
    {{"stiff", Stiffness::stiff, "included in the tangent of the step"},
     {"non-stiff", Stiffness::non_stiff, "evaluated once per step: cheaper"}}};

struct LoadText {
  Given<PlaceOn> at;
  Given<std::string> on;
  Given<double> from, to;
  Given<std::array<TimeFunction, 3>> force, force_per_length, moment;
  Given<double> mass;
  Given<Stiffness> stiffness{Stiffness::stiff};
};
template <class V>
void describe(V& v, LoadText& l) {
  v({"at",
     "A point of a cable, `tether@end`, `tether@0.5`, `tether@3 m`; for force and moment also a "
     "body or a frame of a body, `load.hook`."},
    l.at, PlaceKind{true});
  v({"on", "A cable, for force_per_length."}, l.on, NameKind{"cables"});
  v({"from",
     "Start of the part of the cable that force_per_length acts on, as arc length; default: 0."},
    l.from, QuantityKind{quantity::length, Sign::not_negative});
  v({"to", "End of that part; default: the end of the cable."}, l.to,
    QuantityKind{quantity::length, Sign::positive});
  v({"force", "Force at a point; each component may be a function of time."}, l.force,
    VectorFunctionKind{quantity::force});
  v({"force_per_length",
     "Force per unstretched length over a cable or a part of it. Expressions may use the arc "
     "length `s`: `2 N/m * sin(pi * s / 10 m)`; after `/` write it in parentheses, `1 N / (s)`. "
     "Tables may be over `s`."},
    l.force_per_length, VectorFunctionKind{quantity::force_per_length, true});
  v({"moment", "Moment at a point, fixed in space."}, l.moment,
    VectorFunctionKind{quantity::moment});
  v({"stiffness", "How a moment is treated in the step."}, l.stiffness, stiffness_words);
  v({"mass", "Point mass, with weight and inertia."}, l.mass,
    QuantityKind{quantity::mass, Sign::positive});
}

/// Constant components together, each other one with its function of time.
template <class Add>
void for_components(const std::array<TimeFunction, 3>& parts, const Add& add) {
  Vec3 constant = Vec3::Zero();
  for (int k = 0; k < 3; ++k) {
    const Signal& s = parts[static_cast<size_t>(k)].signal;
    if (s.is_constant())
      constant[k] = s.at({0, {}}).value;
    else
      add(Vec3::Unit(k), s);
  }
  if (constant != Vec3::Zero()) add(constant, Signal(1.0));
}

/// A force per length over a part of a cable, whose strength may be a function of the arc length.
inline void add_force_per_length(const LoadText& l, DistributedForce part, Scene& scene) {
  std::array<TimeFunction, 3> rest = *l.force_per_length;
  for (int k = 0; k < 3; ++k) {
    TimeFunction& component = rest[static_cast<size_t>(k)];
    if (!component.along) continue;
    DistributedForce one = part;
    one.force = Vec3::Unit(k);
    one.along = component.along;
    scene.distributed_forces.push_back(std::move(one));
    component = {};
  }
  for_components(rest, [&](const Vec3& f, const Signal& strength) {
    part.force = f;
    part.strength = strength;
    scene.distributed_forces.push_back(part);
  });
}

/// A kind of load: the key that gives it, and what it becomes where it may act; null: not there.
struct LoadKind {
  const char* key;
  const Mark* (*given)(const LoadText&);  ///< where; null: it is not
  void (*at_cable)(const LoadText&, const Place&, Scene&) = nullptr;
  void (*at_body)(const LoadText&, const std::string& frame, Scene&) = nullptr;
  void (*along)(const LoadText&, DistributedForce part, Scene&) = nullptr;
  const char* instead_on_body = "";  ///< remedy, where it does not act on bodies
};

template <auto member>
const Mark* where(const LoadText& l) {
  return (l.*member).given ? &(l.*member).at : nullptr;
}

inline constexpr LoadKind load_kinds[] = {
    {"force", where<&LoadText::force>,
     [](const LoadText& l, const Place& at, Scene& scene) {
       for_components(*l.force, [&](const Vec3& f, const Signal& strength) {
         scene.point_forces.push_back({at, f, strength});
       });
     },
     [](const LoadText& l, const std::string& frame, Scene& scene) {
       for_components(*l.force, [&](const Vec3& f, const Signal& strength) {
         scene.body_forces.push_back({frame, f, Vec3::Zero(), strength});
       });
     }},
    {"force_per_length", where<&LoadText::force_per_length>, nullptr, nullptr,
     add_force_per_length},
    {"moment", where<&LoadText::moment>,
     [](const LoadText& l, const Place& at, Scene& scene) {
       for_components(*l.moment, [&](const Vec3& m, const Signal& strength) {
         scene.moments.push_back({at, m, strength, *l.stiffness});
       });
     },
     [](const LoadText& l, const std::string& frame, Scene& scene) {
       for_components(*l.moment, [&](const Vec3& m, const Signal& strength) {
         scene.body_forces.push_back({frame, Vec3::Zero(), m, strength});
       });
     }},
    {"mass", where<&LoadText::mass>,
     [](const LoadText& l, const Place& at, Scene& scene) {
       scene.point_masses.push_back({at, *l.mass});
     },
     nullptr, nullptr, "Increase the mass of the body, or weld another body to it."}};

}  // namespace hawser
