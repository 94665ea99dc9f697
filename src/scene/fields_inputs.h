// The fields of inputs (fields.h).
#pragma once

#include "scene/kinds.h"

namespace hawser {

struct FeedbackText {
  Given<std::vector<NamedChannel>> channels;
  Given<std::string> law;
};
template <class V>
void describe(V& v, FeedbackText& f) {
  v({"channels", "Names for channels of one column, for use in the law: `{z: load.position.z}`.",
     true},
    f.channels, ChannelsKind{});
  v({"law",
     "Value of the input: an expression in these names, t and variables. It is evaluated at the "
     "start and after every step.",
     true},
    f.law, TextKind{});
}

struct InputText {
  Given<FreeQuantity> value, from, to;
  Given<double> smoothing{0.0};
  Given<FeedbackText> feedback;
};
template <class V>
void describe(V& v, InputText& i) {
  v({"value", "Initial value; its unit is that of the input.", true}, i.value, FreeQuantityKind{});
  v({"from", "Lower limit; lower settings are clamped to it."}, i.from, FreeQuantityKind{});
  v({"to", "Upper limit; higher settings are clamped to it."}, i.to, FreeQuantityKind{});
  v({"smoothing",
     "Time with which the value follows its settings, so that rate and acceleration are "
     "continuous; 0: it jumps. An input that prescribes a position needs it."},
    i.smoothing, QuantityKind{quantity::time, Sign::not_negative});
  v({"feedback", "Law by which the scene sets the input itself."}, i.feedback,
    OptionalObjectKind{});
}

}  // namespace hawser
