// Errors of the user's making: bad input, contradictory constraints, impossible options.
#pragma once

#include <stdexcept>
#include <string>

namespace hawser {

/// Thrown for input Hawser cannot honour. The message says where, what was found, what was
/// expected and how to mend it. Numerical failures are not errors of this kind: a step returns
/// them.
class Error : public std::runtime_error {
 public:
  /// `where` names the thing ("cable 'tether', diameter"); the three parts make one message:
  /// "where: found X; expected Y. Remedy."
  Error(const std::string& where, const std::string& found, const std::string& expected,
        const std::string& remedy = {});
};

}  // namespace hawser
