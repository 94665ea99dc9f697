// Bodies, joints, massless cables and what ties them together: what is refused, in which words.
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "hawser/error.h"
#include "model/model_data.h"
#include "scenes.h"

namespace hawser::HAWSER_FILE {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Frame frame(const std::string& name, const std::string& body, const Vec3& position) {
  Frame f;
  f.name = name;
  f.body = body;
  f.position = position;
  return f;
}

Support ground(const std::string& name, const Vec3& position) {
  Support s;
  s.name = name;
  s.position = position;
  return s;
}

Body body(const std::string& name, const Vec3& position) {
  Body b;
  b.name = name;
  b.mass = 2;
  b.inertia = Vec3(1, 2, 2.5).asDiagonal();
  b.position = position;
  return b;
}

Joint named_joint(const std::string& name, JointKind kind, const std::string& a,
                  const std::string& b) {
  Joint j;
  j.name = name;
  j.kind = kind;
  j.first = a;
  j.second = b;
  return j;
}

/// A boom hinged to the ground with a load under it by a massless cable over a point; a tag line
/// of two elements on the load.
Scene sound() {
  Scene s;
  s.bodies = {body("boom", {5, 0, 0}), body("load", {10, 0, -4})};
  s.supports = {ground("base", {0, 0, 0}), ground("peak", {0, 0, 6})};
  s.frames = {frame("boom.foot", "boom", {-5, 0, 0}), frame("boom.tip", "boom", {5, 0, 0}),
              frame("load.hook", "load", {0, 0, 1})};
  s.joints = {named_joint("foot", JointKind::hinge, "base", "boom.foot")};
  Cable hoist;
  hoist.name = "hoist";
  hoist.model = CableModel::massless;
  hoist.sections = {Section{1e6, 0, 0, 0, 0}};
  hoist.route = {Stop::hold("peak"), Stop::over("boom.tip"), Stop::hold("load.hook")};
  Cable tag;
  tag.name = "tag";
  tag.sections = {Section{1e4, 0, 1}};
  tag.route = {Stop::hold("load"), {14, 0, -4}};
  tag.elements = 2;
  s.cables = {hoist, tag};
  return s;
}

/// The text of the error that a change of the sound scene gives.
template <class Change>
std::string refused(const Change& change) {
  Scene scene = sound();
  change(scene);
  try {
    validate(scene);
    return "none";
  } catch (const Error& e) {
    return e.what();
  }
}

TEST(Validate, TakesASoundScene) {
  EXPECT_EQ(refused([](Scene&) {}), "none");
  EXPECT_EQ(refused([](Scene& s) { s.cables.clear(); }), "none") << "bodies alone";
}

TEST(Validate, RefusesBodiesThatCannotBe) {
  const auto mass = [](double m) { return refused([m](Scene& s) { s.bodies[0].mass = m; }); };
  const std::string positive =
      "; expected a finite number above zero. Give the physical value in SI units.";
  EXPECT_EQ(mass(0), "body 'boom', mass: found 0 kg" + positive);
  EXPECT_EQ(mass(-1), "body 'boom', mass: found -1 kg" + positive);
  EXPECT_EQ(mass(nan), "body 'boom', mass: found nan kg" + positive);
  EXPECT_EQ(mass(inf), "body 'boom', mass: found inf kg" + positive);
  EXPECT_EQ(refused([](Scene& s) { s.bodies[1].position.z() = nan; }),
            "body 'load', position: found [10, 0, nan]; expected three finite numbers.");
  EXPECT_EQ(refused([](Scene& s) { s.bodies[1].angular_velocity.x() = inf; }),
            "body 'load', angular velocity: found [inf, 0, 0]; expected three finite numbers.");
  EXPECT_EQ(refused([](Scene& s) { s.bodies[0].orientation.coeffs().setZero(); }),
            "body 'boom', orientation: found a quaternion of length 0; expected a unit quaternion. "
            "Eigen::Quaterniond::Identity() is no rotation.");
  EXPECT_EQ(
      refused([](Scene& s) { s.bodies[1].name = "boom"; }),
      "body 'boom': found the same name twice; expected a unique name among supports, bodies and "
      "frames.");
}

TEST(Validate, RefusesInertiaThatNoMassHas) {
  const auto inertia = [](const Eigen::Matrix3d& i) {
    return refused([&i](Scene& s) { s.bodies[0].inertia = i; });
  };
  const auto diagonal = [&](double x, double y, double z) {
    return inertia(Vec3(x, y, z).asDiagonal());
  };
  EXPECT_EQ(diagonal(1, 2, 3.1),
            "body 'boom', inertia: found principal moments 1, 2 and 3.1 kg m^2; expected the "
            "largest at most the sum of the others, 3 kg m^2. No distribution of mass has such an "
            "inertia.");
  EXPECT_EQ(diagonal(1, 2, 3), "none") << "a plate";
  EXPECT_EQ(diagonal(1, 2, 3 + 1e-9), "none") << "but for rounding";
  EXPECT_EQ(diagonal(0, 1, 1),
            "body 'boom', inertia: found principal moments 0, 1 and 1 kg m^2; expected all above "
            "zero. Use the inertia of its real size: even a thin rod has inertia about its axis.");
  Eigen::Matrix3d turned;
  turned << 2, 1.5, 0, 1.5, 2, 0, 0, 0, 3;  // 0.5, 3.5, 3
  EXPECT_EQ(inertia(turned), "none");
  turned(2, 2) = 2.9;
  EXPECT_NE(inertia(turned).find("principal moments 0.5, 2.9 and 3.5 kg m^2; expected the largest"),
            std::string::npos);
  turned(0, 1) = 1.4;
  EXPECT_EQ(inertia(turned),
            "body 'boom', inertia: found a matrix that is not symmetric; expected Ixy = Iyx and so "
            "on.");
  EXPECT_EQ(diagonal(1, nan, 1),
            "body 'boom', inertia: found a number that is not finite; expected finite moments of "
            "inertia.");
}

TEST(Validate, RefusesFramesOfNothing) {
  EXPECT_EQ(refused([](Scene& s) { s.frames[1].body = "bom"; }),
            "frame 'boom.tip': found unknown body 'bom'; expected a body of the scene. Use a "
            "support for a point of the world.");
  EXPECT_EQ(refused([](Scene& s) { s.frames[2].name = "load"; }),
            "frame 'load': found the same name twice; expected a unique name among supports, "
            "bodies and frames.");
  EXPECT_EQ(refused([](Scene& s) { s.supports[1].name = "load"; }),
            "body 'load': found the same name twice; expected a unique name among supports, "
            "bodies and frames.");
  const auto force = [](const char* name, const Vec3& f) {
    return refused([&](Scene& s) { s.body_forces.push_back({name, f, Vec3::Zero(), 1.0}); });
  };
  EXPECT_EQ(force("load.hook", {1, 0, 0}), "none");
  EXPECT_EQ(force("load.hook", {nan, 0, 0}),
            "force on 'load.hook': found [nan, 0, 0]; expected three finite numbers.");
  EXPECT_EQ(force("peak", {1, 0, 0}),
            "force on 'peak': found a support; expected a body or a frame of a body. A force on a "
            "support has no effect.");
}

/// The error of the scene with another joint.
template <class Change>
std::string refused_joint(JointKind kind, const Change& change) {
  return refused([&](Scene& s) {
    s.joints[0].kind = kind;
    change(s.joints[0]);
  });
}

TEST(Validate, RefusesJointsWithoutEnds) {
  EXPECT_EQ(refused_joint(JointKind::pin, [](Joint& j) { j.second = "boom.foor"; }),
            "joint 'foot': found unknown frame 'boom.foor'; expected one of base, peak, boom.foot, "
            "boom.tip, load.hook, boom, load. Did you mean 'boom.foot'?");
  EXPECT_EQ(refused_joint(JointKind::pin, [](Joint& j) { j.second = "peak"; }),
            "joint 'foot': found 'base' and 'peak', both on the ground; expected at least one "
            "body. The ground needs no joints.");
  EXPECT_EQ(refused_joint(JointKind::pin, [](Joint& j) { j.first = "boom.tip"; }),
            "joint 'foot': found 'boom.tip' and 'boom.foot', both on body 'boom'; expected two "
            "bodies, or a body and the ground.");
  EXPECT_EQ(refused([](Scene& s) { s.joints[0].name = "tag"; }),
            "cable 'tag': found the same name twice; expected a unique name.");
}

TEST(Validate, RefusesLoopsThatDoNotClose) {
  const auto moved = [](double by) {
    return refused([by](Scene& s) { s.supports[0].position = {0, by, 0}; });
  };
  EXPECT_EQ(moved(0.3),
            "joint 'foot': found 'base' at [0, 0.3, 0] m and 'boom.foot' at [0, 0, 0] m: the "
            "frames are 0.3 m apart and the loop cannot close; expected frames that coincide at "
            "the start. Move the body or support of 'boom.foot' by [0, 0.3, 0] m.");
  EXPECT_EQ(moved(1e-9), "none");
  EXPECT_NE(moved(1e-7), "none");
  EXPECT_EQ(refused([](Scene& s) {
              s.supports[0].motion[0] = Signal::sine(1, 1, 0, 2);
              s.supports[0].position = {-2, 0, 0};
            }),
            "none")
      << "the support is where its motion begins";
  EXPECT_EQ(refused_joint(JointKind::distance, [](Joint&) {}),
            "joint 'foot': found 'base' and 'boom.foot' at the same position; expected two "
            "different positions. Use a pin to hold two points together.");
}

TEST(Validate, RefusesAxesWithoutDirection) {
  const auto none = [](Joint& j) { j.axis.setZero(); };
  for (const JointKind kind :
       {JointKind::hinge, JointKind::slider, JointKind::cylinder, JointKind::universal})
    EXPECT_EQ(
        refused_joint(kind, none),
        "joint 'foot', axis: found a vector of length zero; expected a vector of nonzero length. "
        "For example [0, 0, 1].");
  EXPECT_EQ(refused_joint(JointKind::weld, none), "none") << "it has no axis";
  EXPECT_EQ(refused_joint(JointKind::universal,
                          [](Joint& j) {
                            j.axis = {1, 0, 0};
                            j.second_axis = {1, 1, 0};
                          }),
            "joint 'foot', axes: found 45 deg between them; expected 90 deg. Choose a second axis "
            "perpendicular to the first.");
}

TEST(Validate, RefusesDrivesThatAKindDoesNotHave) {
  const auto turn = [](Joint& j) { j.turn = {Drive::Kind::velocity, 1.0, 0.0}; };
  const auto travel = [](Joint& j) { j.travel_limits = {-1, 1}; };
  const std::string remedy = " Use one of these joint types, or remove it.";
  EXPECT_EQ(refused_joint(JointKind::pin, turn),
            "joint 'foot', turn: found a drive of a pin; expected it only for hinge and cylinder." +
                remedy);
  EXPECT_EQ(
      refused_joint(JointKind::slider, turn),
      "joint 'foot', turn: found a drive of a slider; expected it only for hinge and cylinder." +
          remedy);
  EXPECT_EQ(refused_joint(JointKind::hinge, travel),
            "joint 'foot', travel: found limits of a hinge; expected it only for slider, cylinder "
            "and distance." +
                remedy);
  EXPECT_EQ(refused_joint(JointKind::hinge, turn), "none");
  EXPECT_EQ(refused_joint(JointKind::slider, travel), "none");
  EXPECT_EQ(refused_joint(JointKind::cylinder, travel), "none");
}

TEST(Validate, RefusesDrivesAndLimitsThatDoNotFitTheStart) {
  const auto turn = [](Drive drive, Limits limits) {
    return refused_joint(JointKind::hinge, [&](Joint& j) {
      j.turn = drive;
      j.turn_limits = limits;
    });
  };
  const Drive position{Drive::Kind::position, Signal::ramp(0.5, 1, 0, 1), 0.0};
  EXPECT_EQ(turn(position, {}),
            "joint 'foot', turn: found 0.5 rad at t = 0; expected 0 rad, the initial value of the "
            "joint. Start the function at this value.");
  EXPECT_EQ(turn({}, {1, -1}),
            "joint 'foot', turn limits: found from 1 to -1 rad; expected the lower limit first.");
  EXPECT_EQ(turn({}, {0.1, 1}),
            "joint 'foot', turn limits: found from 0.1 to 1 rad; expected a range that contains 0 "
            "rad, the initial value of the joint.");
  EXPECT_EQ(turn({}, {0, 1}), "none");
  EXPECT_EQ(turn({}, {nan, 1}),
            "joint 'foot', turn limits: found from nan to 1 rad; expected the lower limit first.");
  const auto distance = [](double travel, Limits limits) {
    return refused_joint(JointKind::distance, [&](Joint& j) {
      j.first = "peak";  // 6 m from the boom's foot
      j.travel = {Drive::Kind::position, travel, 0.0};
      j.travel_limits = limits;
    });
  };
  EXPECT_EQ(distance(6, {5, 7}), "none");
  EXPECT_EQ(distance(5, {}),
            "joint 'foot', distance: found 5 m at t = 0; expected 6 m, the initial value of the "
            "joint. Start the function at this value.");
  EXPECT_EQ(distance(6, {0, 1}),
            "joint 'foot', distance limits: found from 0 to 1 m; expected a range that contains 6 "
            "m, the initial value of the joint.");
}

TEST(Validate, RefusesNegativeComplianceAndSlip) {
  const std::string zero = "; expected a finite number, zero or above.";
  EXPECT_EQ(refused_joint(JointKind::pin, [](Joint& j) { j.compliance = -1e-9; }),
            "joint 'foot', compliance: found -1e-09 m/N" + zero);
  EXPECT_EQ(refused_joint(JointKind::pin, [](Joint& j) { j.angular_compliance = nan; }),
            "joint 'foot', angular compliance: found nan rad/N/m" + zero);
  const auto slip = [](Drive::Kind kind, const Signal& value) {
    return refused_joint(JointKind::hinge, [&](Joint& j) { j.turn = {kind, 0.0, value}; });
  };
  EXPECT_EQ(slip(Drive::Kind::velocity, -1.0),
            "joint 'foot', turn, slip: found -1 rad/s/N/m" + zero);
  EXPECT_EQ(slip(Drive::Kind::velocity, Signal::ramp(1, -1, 0, 2)),
            "joint 'foot', turn, slip at t = 2 s: found -1 rad/s/N/m" + zero);
  EXPECT_EQ(slip(Drive::Kind::velocity, 1.0), "none");
  EXPECT_EQ(slip(Drive::Kind::position, 1.0),
            "joint 'foot', turn: found a slip with a position; expected a slip with a velocity. "
            "Use `compliance` with a position.");
}

template <class Change>
std::string refused_hoist(const Change& change) {
  return refused([&](Scene& s) { change(s.cables[0]); });
}

TEST(Validate, RefusesStopsThatCannotBe) {
  const auto second = [](auto change) {
    return refused_hoist([&](Cable& c) { change(c.route[1]); });
  };
  EXPECT_EQ(second([](Stop& c) { c.on = "boom.tp"; }),
            "cable 'hoist', route point 2: found unknown frame 'boom.tp'; expected one of base, "
            "peak, boom.foot, boom.tip, load.hook, boom, load. Did you mean 'boom.tip'?");
  EXPECT_EQ(
      second([](Stop& c) { c.radius = -1; }),
      "cable 'hoist', route point 2, radius: found -1 m; expected a finite number, zero or above.");
  EXPECT_EQ(second([](Stop& c) { c.friction = -0.1; }),
            "cable 'hoist', route point 2, friction: found -0.1; expected a finite number, zero or "
            "above.");
  EXPECT_EQ(second([](Stop& c) { c.radius = 0.2; }),
            "cable 'hoist', route point 2: found a pulley without an axis; expected the axis about "
            "which the cable wraps by the right-hand rule. The opposite axis routes the cable over "
            "the other side.");
  EXPECT_EQ(second([](Stop& c) {
              c.radius = 0.2;
              c.axis = {0, 1, 0};
            }),
            "none");
  EXPECT_EQ(refused_hoist([](Cable& c) {
              c.route[2].radius = 0.2;
              c.route[2].axis = {0, 1, 0};
            }),
            "cable 'hoist', route point 3: found a pulley of 0.2 m at an end; expected a point, "
            "radius 0. Use a winch to wind the cable on a drum, or end it at a point.");
  EXPECT_EQ(refused_hoist([](Cable& c) { c.route.resize(1); }),
            "cable 'hoist', route: found 1 stops; expected two or more, including the ends.");
  EXPECT_EQ(refused_hoist([](Cable& c) { c.route[0] = Stop(0, 0, 6); }),
            "cable 'hoist', route point 1: found a point at an end of a massless cable; expected a "
            "support, a body or a frame of a body. A point does not hold the cable.");
  EXPECT_EQ(refused_hoist([](Cable& c) { c.route[1].kind = Stop::Kind::clamp; }),
            "cable 'hoist', route point 2: found a clamp between the ends of a massless cable; "
            "expected boom.tip, over which it slides. To hold it there, use two cables.");
  EXPECT_EQ(refused_hoist([](Cable& c) { c.route[0].friction = 0.1; }),
            "cable 'hoist', route point 1: found a radius, friction or grip where the cable is "
            "held; expected a stop `over`.");
  EXPECT_EQ(refused_hoist([](Cable& c) {
              c.route[1].radius = 0.2;
              c.route[1].axis = Vec3::UnitY();
              c.route[1].bearing_torque = 2;
            }),
            "cable 'hoist', route point 2, bearing torque: found the `bearing_torque` of a pulley "
            "under a massless cable; expected a cable with elements: ancf or np-fem. A massless "
            "cable slides over its pulleys without friction in their bearings.");
  EXPECT_EQ(refused([](Scene& s) { s.supports[1].slides = Vec3::UnitX(); }),
            "cable 'hoist', route point 1: found 'peak', which slides freely; expected a support "
            "that is fixed in every direction. Use a body on a slider joint instead.");
  EXPECT_EQ(refused([](Scene& s) {
              s.frames[2] = frame("load.hook", "load", {0, 0, 4});
            }),
            "cable 'hoist', route points 2 and 3: found 'boom.tip' and 'load.hook' at the same "
            "position; expected two different positions.");
  EXPECT_EQ(refused([](Scene& s) {
              s.cables[1].route = s.cables[0].route;
              s.cables[1].model = CableModel::np_fem;
            }),
            "none");
}

TEST(Validate, RefusesLengthsThatDoNotReach) {
  const auto length = [](double l, const Signal& payout) {
    return refused_hoist([&](Cable& c) {
      c.length = l;
      c.payout = payout;
    });
  };
  // the route is sqrt(136) + 3 = 14.6619 m; with a strain of 20 % 12.2183 m reach
  EXPECT_EQ(length(0, 0.0), "none");
  EXPECT_EQ(length(12.22, 0.0), "none");
  EXPECT_EQ(
      length(12, 0.0),
      "cable 'hoist', length: found 12 m on a route of 14.6619 m, which is too short; expected at "
      "least 12.2183 m, 20 % strain. Increase it, or remove it to use the length of the route.");
  EXPECT_EQ(length(12, 1.0), "none") << "a metre is paid out already";
  EXPECT_EQ(length(15, Signal::ramp(-15, 0, 0, 1)),
            "cable 'hoist', payout: found -15 m at t = 0 with a length of 15 m: no cable is left; "
            "expected more than -15 m. Start it at 0 m.");
  EXPECT_EQ(refused_hoist([](Cable& c) { c.drive.kind = Drive::Kind::position; }),
            "cable 'hoist', drive: found a position; expected a velocity: the rate of its length. "
            "Use `payout` to prescribe the length itself.");
  EXPECT_EQ(refused_hoist([](Cable& c) { c.sections[0].mass = -1; }),
            "cable 'hoist', mass per metre: found -1 kg/m; expected a finite number, zero or "
            "above.");
}

TEST(Validate, RefusesSupportsThatContradict) {
  const auto held = [](auto change) {
    return refused([&](Scene& s) {
      Support end;
      end.name = "end";
      end.position = {14, 0, -4};
      change(end);
      s.supports.push_back(end);
      s.cables[1].route[1] = Stop::hold("end");
    });
  };
  EXPECT_EQ(held([](Support&) {}), "none");
  EXPECT_EQ(held([](Support& s) { s.slides = Vec3::Zero(); }),
            "support 'end', slides: found [0, 0, 0]; expected a direction.");
  EXPECT_EQ(held([](Support& s) {
              s.slides = Vec3(1, 1, 0);
              s.motion[1] = Signal::sine(1, 1);
            }),
            "support 'end', motion: found a motion in a direction in which the support slides "
            "freely; expected a motion perpendicular to `slides`.");
  EXPECT_EQ(held([](Support& s) {
              s.turn = {Vec3::UnitY(), Signal::sine(1, 1, 0, 0.2)};
            }),
            "support 'end', turn: found 0.2 rad at t = 0; expected 0 at the start. The angle is "
            "measured from the initial direction of the cable.");
  EXPECT_EQ(
      held([](Support& s) {
        s.turn = {Vec3::UnitY(), Signal::sine(1, 1)};
      }),
      "cable 'tag', route: found a cable that is free to rotate at 'end'; expected a clamp of "
      "an ancf cable, on which the turn of the support can act.");
  EXPECT_EQ(refused([](Scene& s) { s.supports[0].slides = Vec3::UnitX(); }),
            "joint 'foot': found 'base', which slides freely; expected a support that is fixed in "
            "every direction. Use a body on a slider joint instead.");
}

TEST(Validate, RefusesJunctionsOfNodesThatDoNotMeet) {
  const auto join = [](const Place& other) {
    return refused([&](Scene& s) {
      Cable more = s.cables[1];
      more.name = "more";
      more.route.front() = {12, 0, -4};
      more.route.back() = {12, 3, -4};
      s.cables.push_back(more);
      s.junctions.push_back({nth("tag", 1, 2), other});
    });
  };
  EXPECT_EQ(join(Place::start("more")), "none");
  EXPECT_EQ(join(Place::at("more", 0)), "none");
  EXPECT_EQ(join(nth("more", 1, 2)),
            "junction of 0.5 of the length of cable 'tag' and 0.5 of the length of cable 'more': "
            "found places 1.5 m apart; expected places that coincide at the start. They are at "
            "[12, 0, -4] m and [12, 1.5, -4] m.");
  EXPECT_EQ(join(Place::at("tag", 2)),
            "junction of 0.5 of the length of cable 'tag' and 2 m of cable 'tag': found the same "
            "place twice; expected two places.");
  EXPECT_EQ(join(Place::at("more", 3.1)),
            "junction: found 3.1 m of cable 'more'; expected 0 to 3 m, the cable's length.");
}

TEST(Validate, RefusesPlacesOnMasslessCables) {
  const std::string rest =
      ": found a place on the massless cable 'hoist'; expected a cable with elements: ancf or "
      "np-fem. A massless cable has no nodes; attach it to frames.";
  EXPECT_EQ(refused([](Scene& s) {
              s.point_masses.push_back({Place::start("hoist"), 1});
            }),
            "point mass" + rest);
  EXPECT_EQ(refused([](Scene& s) {
              s.distributed_forces.push_back({"hoist", {1, 0, 0}, 1.0});
            }),
            "distributed force" + rest);
}

TEST(Validate, RefusesDampingThatCannotBe) {
  const auto axial = [](const auto& change) {
    return refused([&](Scene& s) { change(s.cables[1].sections[0].axial_damping); });
  };
  const std::string who = "cable 'tag', axial damping, ";
  const std::string positive =
      "; expected a finite number above zero. Give the physical value in SI units.";
  EXPECT_EQ(axial([](Damping& d) {
              d.viscosity = 1e-3;
              d.relaxations = {{0.1, 2}};
              d.fractional = {0.5, 0.1};
            }),
            "none");
  EXPECT_EQ(axial([](Damping& d) { d.viscosity = -1; }),
            who + "viscosity: found -1 s; expected a finite number, zero or above.");
  EXPECT_EQ(axial([](Damping& d) {
              d.relaxations = {{0, 1}};
            }),
            who + "share of a relaxation: found 0" + positive);
  EXPECT_EQ(axial([](Damping& d) {
              d.relaxations = {{1, nan}};
            }),
            who + "time of a relaxation: found nan s" + positive);
  EXPECT_EQ(axial([](Damping& d) {
              d.fractional = {0.5, inf};
            }),
            who + "tau: found inf s^order; expected a finite number, zero or above.");
  EXPECT_EQ(axial([](Damping& d) {
              d.fractional = {0.5, 1, -2};
            }),
            who + "memory: found -2 s; expected a finite number, zero or above.");
  EXPECT_EQ(axial([](Damping& d) {
              d.fractional = {1, 0.1};
            }),
            who + "order: found 1; expected a number between 0 and 1. Order 1 is a viscosity.");
  EXPECT_EQ(axial([](Damping& d) {
              d.fractional = {nan, 0.1};
            }),
            who + "order: found nan; expected a number between 0 and 1.");
  EXPECT_EQ(axial([](Damping& d) { d.fractional = {0, 0}; }), "none") << "there is none";
}

TEST(Validate, RefusesDampingOfWhatIsNotThere) {
  EXPECT_EQ(refused([](Scene& s) {
              s.cables[1].model = CableModel::np_fem;
              s.cables[1].sections[0].bending_damping.viscosity = 1e-3;
            }),
            "cable 'tag', bending damping: found damping with the model np-fem, which has "
            "no bending; expected none. Use the model ancf, or remove it.");
  EXPECT_EQ(refused([](Scene& s) {
              s.cables[0].sections[0].bending_damping.relaxations = {{1, 1}};
            }),
            "cable 'hoist', bending damping: found damping with the model massless, which "
            "has no bending; expected none. Use the model ancf, or remove it.");
  EXPECT_EQ(refused([](Scene& s) { s.cables[0].sections[0].mass_damping = 0.5; }),
            "cable 'hoist', mass damping: found 0.5 1/s without a mass; expected no mass damping "
            "with the model massless. Use axial damping, or the model np-fem.");
  EXPECT_EQ(refused([](Scene& s) { s.cables[0].sections[0].axial_damping.viscosity = 1e-3; }),
            "none");
}

TEST(Validate, NamesTheObjectOfAnError) {
  const auto object = [](const auto& change) {
    Scene s = sound();
    change(s);
    try {
      validate(s);
    } catch (const Error& error) {
      EXPECT_EQ(error.object().text, error.where());
      return error.object().kind + "/" + error.object().name + "/" + error.object().field;
    }
    return std::string("no error");
  };
  EXPECT_EQ(object([](Scene& s) { s.gravity.x() = nan; }), "//");
  EXPECT_EQ(object([](Scene& s) { s.bodies[1].mass = 0; }), "body/load/mass");
  EXPECT_EQ(object([](Scene& s) { s.joints[0].compliance = -1; }), "joint/foot/compliance");
  EXPECT_EQ(object([](Scene& s) { s.cables[0].sections[0].EA = 0; }), "cable/hoist/EA");
  EXPECT_EQ(object([](Scene& s) { s.cables[0].route[1].radius = -1; }),
            "cable/hoist/route point 2, radius");
  EXPECT_EQ(object([](Scene& s) { s.cables[0].name = "load"; }), "cable/load/");
  EXPECT_EQ(object([](Scene& s) {
              s.point_masses.push_back({Place::start("hoist"), 1});
            }),
            "cable/hoist/");
  EXPECT_EQ(object([](Scene& s) { s.supports[0].position.x() = nan; }), "support/base/position");
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
