// Supports: where they are, how they move, and what may use them.
#pragma once

#include "hawser/scene_file.h"
#include "scene/fields.h"
#include "scene/values.h"

namespace hawser {

/// Adds the supports of the text with their motions to the scene; checks these against each other.
void add_supports(ReadContext& context, const SceneText& text, Scene& scene);

/// Where in the file a name is used: a stop of a route, or a joint.
struct UsedAt {
  const Mark& at;
  const std::string& path;
};
/// A problem where the name is that of a support which slides: pulleys and shapes do not.
void check_fixed(ReadContext& context, const Scene& scene, const std::string& name, UsedAt used);
/// A problem where the name is that of a support which slides or turns: joints and massless cables
/// cannot use it.
void check_still(ReadContext& context, const Scene& scene, const std::string& name, UsedAt used);
/// A problem where a stop names a support that turns and does not clamp a cable with a direction.
void check_turned(ReadContext& context, const Scene& scene, const Stop& stop, bool bends,
                  UsedAt used);
/// The supports that no route and no joint uses.
std::vector<std::string> idle_supports(const Scene& scene);

}  // namespace hawser
