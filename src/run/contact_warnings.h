// What of the contacts of a scene can hardly be meant or computed.
#pragma once

#include <string>
#include <vector>

#include "model/model_data.h"

namespace hawser {

/// `step`: of the run [s].
void contact_warnings(const ModelData& model, double step, std::vector<std::string>& out);

}  // namespace hawser
