// The parts of validate() (model_data.h). All throw Error.
#pragma once

#include <string>

#include "hawser/error.h"
#include "hawser/scene.h"

namespace hawser {

void require_positive(const ErrorObject& where, double value, const char* unit);
void require_not_negative(const ErrorObject& where, double value, const char* unit);
void require_sound(const ErrorObject& where, const Signal& signal);

/// Inputs, and that functions of time use them well: the first to be checked.
void validate_inputs(const Scene& scene);
/// Bodies, frames and the forces on them.
void validate_bodies(const Scene& scene);
/// Joints of sound bodies and frames.
void validate_joints(const Scene& scene);
/// Drives and slips: sound functions, a slip that is never negative and goes with a velocity.
void validate_drive(const Scene& scene, const ErrorObject& who, const Drive& drive,
                    const char* slip_unit);
/// The route of a massless cable over sound frames.
void validate_contacts(const Scene& scene, const Cable& cable);
/// Attachments and junctions of sound cables, and that nothing asks for nodes of massless ones.
void validate_places(const Scene& scene);

}  // namespace hawser
