#include "hawser/error.h"

namespace hawser {

Error::Error(const std::string& where, const std::string& found, const std::string& expected,
             const std::string& remedy)
    : std::runtime_error(where + ": found " + found + "; expected " + expected + "." +
                         (remedy.empty() ? "" : " " + remedy)) {}

}  // namespace hawser
