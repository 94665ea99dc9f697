// The known name that a misspelt one was meant to be.
#pragma once

#include <string>
#include <vector>

namespace hawser {

/// The known word fewest slips away from `word` (a letter more, less or changed, two neighbours
/// swapped; case does not count), the first of equals; empty when none is near: more slips than a
/// third of the longer word's letters, rounded up.
std::string nearest(const std::string& word, const std::vector<std::string>& known);

}  // namespace hawser
