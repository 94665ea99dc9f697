// What cables and joints attach to: supports, bodies and frames of bodies, by name.
#pragma once

#include <string>

#include "hawser/error.h"
#include "hawser/scene.h"

namespace hawser {

struct FrameRef {
  int body = -1;     ///< index in Scene::bodies; -1: on the ground
  int support = -1;  ///< index in Scene::supports; -1: on a body, or a point that stands still
  Vec3 position =
      Vec3::Zero();  ///< from the body's centre, body axes; on the ground world axes [m]
};

/// Throws Error, from `who`, when there is none of that name.
FrameRef find_frame(const Scene& scene, const std::string& name, const ErrorObject& who);
/// Where a stop of a route is.
FrameRef find_stop(const Scene& scene, const Stop& stop, const ErrorObject& who);

/// The number of a winch; throws Error, from `who`, when there is none of that name.
int find_winch(const Scene& scene, const std::string& name, const ErrorObject& who);
/// The support, body or frame that a stop is on; of a winch what it is mounted on.
const std::string& mount_of(const Scene& scene, const Stop& stop, const ErrorObject& who);

/// Where it is at t = 0 [m].
Vec3 frame_start(const Scene& scene, const FrameRef& frame);

/// A support whose position changes in time.
bool moves(const Support& support);
/// A support that turns the directions of the cables clamped there.
bool turns(const Support& support);

}  // namespace hawser
