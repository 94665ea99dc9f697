// Bodies with their frames, and the joints between them.
#pragma once

#include "scene/supports.h"

namespace hawser {

/// Adds the bodies of the text and their frames, "BODY.FRAME", to the scene.
void add_bodies(ReadContext& context, const SceneText& text, Scene& scene);

/// The shape and the orientation of a body or a support at `path`.
Solid read_shape(ReadContext& context, const Given<ShapeText>& text, const std::string& path);
Eigen::Quaterniond read_orientation(ReadContext& context, const Given<OrientationText>& text,
                                    const std::string& path);

/// Adds the joints of the text to a scene that has its bodies.
void add_joints(ReadContext& context, const SceneText& text, Scene& scene);

}  // namespace hawser
