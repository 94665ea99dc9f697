// Two scenes, number by number.
#pragma once

#include <gtest/gtest.h>

#include "hawser/scene_file.h"

namespace hawser {

inline void expect_same(const Signal& a, const Signal& b) {
  EXPECT_EQ(a.is_constant(), b.is_constant());
  EXPECT_EQ(a.kinks(), b.kinks());
  ASSERT_EQ(a.inputs(), b.inputs());
  std::vector<InputMotion> inputs;  // each with values of its own
  for (size_t k = 0; k < 20; ++k)
    inputs.push_back({0, 0.5 * double(k), 2, 1, -0.3 * double(k), 0.2});
  for (const double t : {0.0, 0.3, 0.75, 1.0, 2.2, 3.9, 50.0}) {
    const Signal::Sample x = a.at({t, inputs}), y = b.at({t, inputs});
    EXPECT_EQ(x.value, y.value) << "t = " << t;
    EXPECT_EQ(x.rate, y.rate) << "t = " << t;
    EXPECT_EQ(x.acceleration, y.acceleration) << "t = " << t;
  }
}

inline void expect_same(const Place& a, const Place& b) {
  EXPECT_EQ(a.cable, b.cable);
  EXPECT_EQ(a.s, b.s);
  EXPECT_EQ(a.is_fraction, b.is_fraction);
}

inline void expect_same(const Drive& a, const Drive& b) {
  EXPECT_EQ(a.kind, b.kind);
  expect_same(a.value, b.value);
  expect_same(a.slip, b.slip);
}

template <class T, class Compare>
void expect_each(const std::vector<T>& a, const std::vector<T>& b, const Compare& compare) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) compare(a[i], b[i]);
}

inline void expect_same(const Damping& a, const Damping& b) {
  EXPECT_EQ(a.viscosity, b.viscosity);
  expect_each(a.relaxations, b.relaxations, [](const Relaxation& x, const Relaxation& y) {
    EXPECT_EQ(x.share, y.share);
    EXPECT_EQ(x.time, y.time);
  });
  EXPECT_EQ(a.fractional.order, b.fractional.order);
  EXPECT_EQ(a.fractional.tau, b.fractional.tau);
  EXPECT_EQ(a.fractional.memory, b.fractional.memory);
  EXPECT_EQ(a.fractional.form, b.fractional.form);
}

inline void expect_same(const Cable& a, const Cable& b) {
  SCOPED_TRACE(a.name);
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.sections[0].EA, b.sections[0].EA);
  EXPECT_EQ(a.sections[0].diameter, b.sections[0].diameter);
  EXPECT_EQ(a.sections[0].drag, b.sections[0].drag);
  EXPECT_EQ(a.sections[0].tangential_drag, b.sections[0].tangential_drag);
  EXPECT_EQ(a.sections[0].EI, b.sections[0].EI);
  EXPECT_EQ(a.sections[0].mass, b.sections[0].mass);
  EXPECT_EQ(a.sections[0].GJ, b.sections[0].GJ);
  EXPECT_EQ(a.sections[0].breaking_load, b.sections[0].breaking_load);
  expect_same(a.sections[0].axial_damping, b.sections[0].axial_damping);
  expect_same(a.sections[0].bending_damping, b.sections[0].bending_damping);
  EXPECT_EQ(a.sections[0].mass_damping, b.sections[0].mass_damping);
  EXPECT_EQ(a.sections[0].diameter, b.sections[0].diameter);
  EXPECT_EQ(a.sections[0].drag, b.sections[0].drag);
  EXPECT_EQ(a.sections[0].tangential_drag, b.sections[0].tangential_drag);
  EXPECT_EQ(a.initial, b.initial);
  EXPECT_EQ(a.length, b.length);
  EXPECT_EQ(a.elements, b.elements);
  EXPECT_EQ(a.strain, b.strain);
  EXPECT_EQ(a.curvature, b.curvature);
  EXPECT_EQ(a.axial_points, b.axial_points);
  EXPECT_EQ(a.bending_points, b.bending_points);
  EXPECT_EQ(a.velocity, b.velocity);
  EXPECT_EQ(a.angular_velocity, b.angular_velocity);
  EXPECT_EQ(a.model, b.model);
  EXPECT_EQ(a.lumped_mass, b.lumped_mass);
  EXPECT_EQ(a.pushes, b.pushes);
  EXPECT_EQ(a.tension_only, b.tension_only);
  expect_same(a.payout, b.payout);
  expect_same(a.drive, b.drive);
  expect_each(a.route, b.route, [](const Stop& x, const Stop& y) {
    EXPECT_EQ(x.kind, y.kind);
    EXPECT_EQ(x.point, y.point);
    EXPECT_EQ(x.on, y.on);
    EXPECT_EQ(x.radius, y.radius);
    EXPECT_EQ(x.axis, y.axis);
    EXPECT_EQ(x.friction, y.friction);
    EXPECT_EQ(x.grip, y.grip);
  });
}

inline void expect_same(const Body& a, const Body& b) {
  SCOPED_TRACE(a.name);
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.mass, b.mass);
  EXPECT_EQ(a.inertia, b.inertia);
  EXPECT_EQ(a.position, b.position);
  EXPECT_EQ(a.orientation.coeffs(), b.orientation.coeffs());
  EXPECT_EQ(a.velocity, b.velocity);
  EXPECT_EQ(a.angular_velocity, b.angular_velocity);
  EXPECT_EQ(a.shape.kind, b.shape.kind);
  EXPECT_EQ(a.shape.size, b.shape.size);
}

inline void expect_same(const Frame& a, const Frame& b) {
  SCOPED_TRACE(a.name);
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.body, b.body);
  EXPECT_EQ(a.position, b.position);
}

inline void expect_same(const Support& a, const Support& b) {
  SCOPED_TRACE(a.name);
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.position, b.position);
  for (size_t k = 0; k < 3; ++k) expect_same(a.motion[k], b.motion[k]);
  EXPECT_EQ(a.slides, b.slides);
  ASSERT_EQ(a.turn.has_value(), b.turn.has_value());
  if (!a.turn) return;
  EXPECT_EQ(a.turn->axis, b.turn->axis);
  expect_same(a.turn->angle, b.turn->angle);
}

inline void expect_same(const Joint& a, const Joint& b) {
  SCOPED_TRACE(a.name);
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.first, b.first);
  EXPECT_EQ(a.second, b.second);
  EXPECT_EQ(a.axis, b.axis);
  EXPECT_EQ(a.second_axis, b.second_axis);
  expect_same(a.travel, b.travel);
  expect_same(a.turn, b.turn);
  EXPECT_EQ(a.travel_limits.lowest, b.travel_limits.lowest);
  EXPECT_EQ(a.travel_limits.highest, b.travel_limits.highest);
  EXPECT_EQ(a.turn_limits.lowest, b.turn_limits.lowest);
  EXPECT_EQ(a.turn_limits.highest, b.turn_limits.highest);
  EXPECT_EQ(a.compliance, b.compliance);
  EXPECT_EQ(a.angular_compliance, b.angular_compliance);
}

inline void expect_same(const LinearCondition& a, const LinearCondition& b) {
  EXPECT_EQ(a.name, b.name);
  expect_same(a.value, b.value);
  expect_each(a.terms, b.terms, [](const auto& x, const auto& y) {
    expect_same(x.at, y.at);
    EXPECT_EQ(x.coordinate, y.coordinate);
    EXPECT_EQ(x.factor, y.factor);
  });
}

inline void expect_same(const Input& a, const Input& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.unit, b.unit);
  EXPECT_EQ(a.value, b.value);
  EXPECT_EQ(a.from, b.from);
  EXPECT_EQ(a.to, b.to);
  EXPECT_EQ(a.smoothing, b.smoothing);
  ASSERT_EQ(a.feedback.has_value(), b.feedback.has_value());
  if (!a.feedback) return;
  EXPECT_EQ(a.feedback->law, b.feedback->law);
  expect_each(a.feedback->channels, b.feedback->channels, [](const auto& x, const auto& y) {
    EXPECT_EQ(x.name, y.name);
    EXPECT_EQ(x.channel, y.channel);
  });
}

inline void expect_same(const Scene& a, const Scene& b) {
  EXPECT_EQ(a.gravity, b.gravity);
  expect_each(a.inputs, b.inputs, [](const auto& x, const auto& y) { expect_same(x, y); });
  ASSERT_EQ(a.ground.has_value(), b.ground.has_value());
  if (a.ground) {
    EXPECT_EQ(a.ground->height, b.ground->height);
    EXPECT_EQ(a.ground->normal, b.ground->normal);
    EXPECT_EQ(a.ground->stiffness, b.ground->stiffness);
    EXPECT_EQ(a.ground->damping, b.ground->damping);
  }
  ASSERT_EQ(a.fluid.has_value(), b.fluid.has_value());
  if (a.fluid) {
    EXPECT_EQ(a.fluid->density, b.fluid->density);
    EXPECT_EQ(a.fluid->velocity, b.fluid->velocity);
  }
  EXPECT_EQ(a.initial, b.initial);
  expect_each(a.supports, b.supports, [](const auto& x, const auto& y) { expect_same(x, y); });
  expect_each(a.bodies, b.bodies, [](const auto& x, const auto& y) { expect_same(x, y); });
  expect_each(a.frames, b.frames, [](const auto& x, const auto& y) { expect_same(x, y); });
  expect_each(a.joints, b.joints, [](const auto& x, const auto& y) { expect_same(x, y); });
  expect_each(a.junctions, b.junctions, [](const auto& x, const auto& y) {
    expect_same(x.first, y.first);
    expect_same(x.second, y.second);
  });
  expect_each(a.body_forces, b.body_forces, [](const auto& x, const auto& y) {
    EXPECT_EQ(x.frame, y.frame);
    EXPECT_EQ(x.force, y.force);
    EXPECT_EQ(x.moment, y.moment);
    expect_same(x.strength, y.strength);
  });
  expect_each(a.cables, b.cables, [](const auto& x, const auto& y) { expect_same(x, y); });
  expect_each(a.conditions, b.conditions, [](const auto& x, const auto& y) { expect_same(x, y); });
  expect_each(a.point_forces, b.point_forces, [](const auto& x, const auto& y) {
    expect_same(x.at, y.at);
    EXPECT_EQ(x.force, y.force);
    expect_same(x.strength, y.strength);
  });
  expect_each(a.distributed_forces, b.distributed_forces, [](const auto& x, const auto& y) {
    EXPECT_EQ(x.cable, y.cable);
    EXPECT_EQ(x.force, y.force);
    expect_same(x.strength, y.strength);
  });
  expect_each(a.moments, b.moments, [](const auto& x, const auto& y) {
    expect_same(x.at, y.at);
    EXPECT_EQ(x.moment, y.moment);
    EXPECT_EQ(x.stiffness, y.stiffness);
    expect_same(x.strength, y.strength);
  });
  expect_each(a.point_masses, b.point_masses, [](const auto& x, const auto& y) {
    expect_same(x.at, y.at);
    EXPECT_EQ(x.mass, y.mass);
  });
}

}  // namespace hawser
