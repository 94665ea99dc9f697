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
/// Supports, bodies, frames and the forces on them.
void validate_bodies(const Scene& scene);
/// Contacts of sound cables with sound shapes.
void validate_contacts(const Scene& scene);
/// Joints of sound bodies and frames.
void validate_joints(const Scene& scene);
/// Drives and slips: sound functions, a slip that is never negative and goes with a velocity.
void validate_drive(const Scene& scene, const ErrorObject& who, const Drive& drive,
                    const char* slip_unit);
/// That the name is not that of a support which slides: pulleys and shapes do not.
void require_fixed(const Scene& scene, const std::string& name, const ErrorObject& who);
/// That the name is not that of a support which slides or turns: these hold nodes of cables only.
void require_still(const Scene& scene, const std::string& name, const ErrorObject& who);
/// Sliding joints of sound bodies and cables.
void validate_sliding_joints(const Scene& scene);
/// Winches of sound bodies, and that each has a cable.
void validate_winches(const Scene& scene);
/// The route, payout and drive of a massless cable.
void validate_massless(const Scene& scene, const Cable& cable);
/// The supports that a sound cable with elements is held by.
void validate_holds(const Scene& scene, const Cable& cable);
/// Places on sound cables: they exist, have elements, and meet where they are joined.
void validate_places(const Scene& scene);

}  // namespace hawser
