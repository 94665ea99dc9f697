#include "scene/sliding.h"

namespace hawser {

void add_sliding_joints(const SceneText& text, Scene& scene) {
  for (const auto& entry : text.sliding_joints.entries) {
    const SlidingJointText& t = entry.value;
    SlidingJoint joint;
    joint.name = entry.name;
    joint.cable = *t.cable;
    joint.body = *t.body;
    joint.friction = *t.friction;
    if (t.stops.given) joint.stops = {(*t.stops)[0], (*t.stops)[1]};
    joint.leaves = *t.leaves;
    scene.sliding_joints.push_back(std::move(joint));
  }
}

}  // namespace hawser
