// Frames: the named places on bodies and on the ground.
#pragma once

#include <string>

#include "hawser/error.h"
#include "hawser/scene.h"

namespace hawser {

struct FrameRef {
  int body = -1;   ///< index in Scene::bodies; -1: on the ground
  int frame = -1;  ///< index in Scene::frames; -1: a body's centre of mass
  Vec3 position =
      Vec3::Zero();  ///< from the body's centre, body axes; on the ground world axes [m]
};

/// Throws Error, from `who`, when there is none of that name.
FrameRef find_frame(const Scene& scene, const std::string& name, const ErrorObject& who);

/// Where it is at t = 0 [m].
Vec3 frame_start(const Scene& scene, const FrameRef& frame);

}  // namespace hawser
