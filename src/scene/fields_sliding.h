// The fields of sliding joints.
#pragma once

#include <array>
#include <string>

#include "scene/kinds.h"

namespace hawser {

struct SlidingJointText {
  Given<std::string> cable, body;
  Given<double> friction{0.0};
  Given<std::array<double, 2>> stops;
  Given<bool> leaves{false};
};
template <class V>
void describe(V& v, SlidingJointText& j) {
  v({"cable", "The cable along which it slides: ancf or np-fem.", true}, j.cable,
    NameKind{"cables"});
  v({"body",
     "The body or frame of a body that slides. It starts on the cable; with `initial: static` it "
     "is moved there.",
     true},
    j.body, FrameKind{});
  v({"friction", "Coulomb friction coefficient."}, j.friction,
    QuantityKind{quantity::number, Sign::not_negative});
  v({"stops",
     "Where it is stopped, by unstretched arc length from the start of the cable; default: at both "
     "ends of the cable."},
    j.stops, PairKind{quantity::length, "first", "last", Sign::not_negative});
  v({"leaves", "Beyond a stop the body leaves the cable and moves on freely."}, j.leaves,
    FlagKind{});
}

}  // namespace hawser
