#include <fmt/format.h>

#include "hawser/error.h"
#include "model/frames.h"
#include "model/model_data.h"
#include "model/validate.h"

namespace hawser {

void validate_sliding_joints(const Scene& scene) {
  for (const SlidingJoint& joint : scene.sliding_joints) {
    if (joint.name.empty())
      throw Error("a sliding joint", "no name", "a name", "Name every joint.");
    const ErrorObject who("sliding joint", joint.name);
    const Cable& cable =
        scene.cables[static_cast<size_t>(find_cable(scene, joint.cable, who.at("cable")))];
    if (cable.model == CableModel::massless)
      throw Error(who.at("cable"), fmt::format("the massless cable '{}'", cable.name),
                  "a cable with elements: ancf or np-fem",
                  "Lead a massless cable through a frame of the body with `through`.");
    if (cable.closed)
      throw Error(who.at("cable"), fmt::format("the closed cable '{}'", cable.name),
                  "a cable with two ends");
    if (find_frame(scene, joint.body, who.at("body")).body < 0)
      throw Error(who.at("body"), fmt::format("the support '{}'", joint.body), "a body",
                  "Lead the cable through the support with `through` in its route.");
    require_not_negative(who.at("friction"), joint.friction, "");
    const Limits& stops = joint.stops;
    if (!(stops.lowest < stops.highest))
      throw Error(who.at("stops"), fmt::format("from {:g} to {:g} m", stops.lowest, stops.highest),
                  "the one nearer to the start of the cable first");
  }
}

}  // namespace hawser
