#include "record/one_column.h"

#include <fmt/format.h>

#include "hawser/error.h"

namespace hawser {

Channels one_column(const Model& model, const std::string& channel) {
  Channels found(model, {channel});
  if (found.columns().size() == 1) return found;
  throw Error(fmt::format("channel '{}'", channel),
              fmt::format("{} columns", found.columns().size()), "one",
              fmt::format("Use one of them, such as '{}'.", found.columns().front().name));
}

}  // namespace hawser
