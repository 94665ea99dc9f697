// Channels of one column, as laws and controllers read them.
#pragma once

#include <string>
#include <vector>

#include "hawser/record.h"

namespace hawser {

/// A channel. Throws Error if it is unknown or has several columns.
Channels one_column(const Model& model, const std::string& channel);

}  // namespace hawser
