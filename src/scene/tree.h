// One tree out of a file, the files it includes and what the command line sets.
#pragma once

#include "scene/values.h"

namespace hawser {

/// The tree of a scene: includes merged, sets applied. Problems go to `problems`.
Node assemble_tree(const std::string& text, const std::string& name,
                   const std::vector<std::string>& sets, const FileLoader& load, Problems& problems,
                   const DocumentLimits& limits);

/// Evaluates `variables`, in whatever order they use each other, into context.variables.
void read_variables(ReadContext& context, const Node& root);

}  // namespace hawser
