// The fields of winches.
#pragma once

#include "scene/kinds.h"

namespace hawser {

struct DrumText {
  Given<double> radius, cable, width, pitch;
  Given<int> layers{Drum{}.layers};
  Given<bool> nested{Drum{}.nested}, left_hand{Drum{}.left_hand};
};
template <class V>
void describe(V& v, DrumText& d) {
  const QuantityKind positive{quantity::length, Sign::positive};
  v({"radius", "Radius of the surface of the drum.", true}, d.radius, positive);
  v({"cable",
     "Diameter of the cable on the drum; default: that of its section. The centre line of the "
     "first layer is at `radius` plus half of it."},
    d.cable, positive);
  v({"width",
     "Distance between the flanges. Without it the drum has one layer without an end, and the "
     "cable leaves it in one plane."},
    d.width, positive);
  v({"pitch", "Axial distance of neighbouring turns; default: the diameter of the cable."}, d.pitch,
    positive);
  v({"layers", "Largest number of layers."}, d.layers, CountKind{1, 1000});
  v({"nested",
     "Turns lie in the grooves between those of the layer below: layers rise by sqrt(3)/2 of the "
     "diameter. Otherwise by the diameter."},
    d.nested, FlagKind{});
  v({"left_hand",
     "The first layer is wound from the flange on the side of +axis towards -axis; otherwise from "
     "-axis towards +axis."},
    d.left_hand, FlagKind{});
}

struct MotorText {
  Given<TimeFunction> torque, turn_rate, command;
  Given<double> most_torque, stall_torque, no_load_rate;
  Given<TableRows> curve;
};
template <class V>
void describe(V& v, MotorText& m) {
  v({"torque", "Torque of the motor on the drum; positive pays out."}, m.torque,
    FunctionKind{quantity::moment});
  v({"turn_rate", "Prescribed turn rate of the drum; positive pays out."}, m.turn_rate,
    FunctionKind{quantity::angular_velocity});
  v({"most_torque", "With `turn_rate`: largest torque; beyond it the rate is not kept."},
    m.most_torque, QuantityKind{quantity::moment, Sign::positive});
  v({"stall_torque", "Torque at rest, which falls linearly to 0 at `no_load_rate`."},
    m.stall_torque, QuantityKind{quantity::moment, Sign::positive});
  v({"no_load_rate", "With `stall_torque`: turn rate without load."}, m.no_load_rate,
    QuantityKind{quantity::angular_velocity, Sign::positive});
  v({"curve",
     "Rows of turn rate and torque, `[[0 rpm, 5 kN m], [40 rpm, 4 kN m], [60 rpm, 0 N m]]`, linear "
     "between them and constant beyond."},
    m.curve, TableKind{quantity::moment, Over::turn_rate});
  v({"command",
     "With `stall_torque` or `curve`: factor of the torque. 1 pays out, -1 reels in by the same "
     "curve, 0 is off; default: 1."},
    m.command, FunctionKind{quantity::number});
}

struct BrakeText {
  Given<double> torque, delay{0.0}, release_delay{0.0};
  Given<TimeFunction> on{TimeFunction{Signal(1.0), "1"}};
};
template <class V>
void describe(V& v, BrakeText& b) {
  v({"torque", "Largest torque; beyond it the brake slips.", true}, b.torque,
    QuantityKind{quantity::moment, Sign::positive});
  v({"on", "The brake is applied while this is above 0.5."}, b.on, FunctionKind{quantity::number});
  v({"delay", "Time from the command to the torque."}, b.delay,
    QuantityKind{quantity::time, Sign::not_negative});
  v({"release_delay", "Time from the end of the command to the end of the torque."},
    b.release_delay, QuantityKind{quantity::time, Sign::not_negative});
}

struct WinchText {
  Given<std::string> at;
  Given<Eigen::Vector3d> axis;
  Given<DrumText> drum;
  Given<double> wound, turns_kept{0.0}, inertia;
  Given<MotorText> motor;
  Given<BrakeText> brake;
  Given<bool> slack_switch{false};
};
template <class V>
void describe(V& v, WinchText& w) {
  v({"at",
     "Support, body or frame at the middle of the drum. The mass and the inertia of a body contain "
     "those of the drum.",
     true},
    w.at, FrameKind{});
  v({"axis",
     "Initial axis of the drum. The cable leaves the drum about it by the right-hand rule, so that "
     "a positive turn pays out; the opposite axis leads the cable off the other side.",
     true},
    w.axis, DirectionKind{});
  v({"drum", "The drum, and how the cable lies on it.", true}, w.drum, OptionalObjectKind{});
  v({"wound", "Length on the drum at the start, in addition to the `length` of the cable.", true},
    w.wound, QuantityKind{quantity::length, Sign::not_negative});
  v({"turns_kept", "Turns that stay on the drum: there is a stop."}, w.turns_kept,
    QuantityKind{quantity::number, Sign::not_negative});
  v({"inertia", "Moment of inertia about the axis, without the cable, which is added.", true},
    w.inertia, QuantityKind{quantity::moment_of_inertia, Sign::positive});
  v({"motor",
     "What turns the drum: `torque`, `turn_rate`, `stall_torque` with `no_load_rate`, or `curve`."},
    w.motor, OptionalObjectKind{});
  v({"brake", "Holds the drum by friction."}, w.brake, OptionalObjectKind{});
  v({"slack_switch",
     "A cable that goes slack while it is paid out cuts the motor and applies the brake, for "
     "good."},
    w.slack_switch, FlagKind{});
}

}  // namespace hawser
