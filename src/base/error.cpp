#include "hawser/error.h"

namespace hawser {
namespace {

std::string message(const std::string& where, const std::string& found, const std::string& expected,
                    const std::string& remedy) {
  return where + ": found " + found + "; expected " + expected + "." +
         (remedy.empty() ? "" : " " + remedy);
}

}  // namespace

Error::Error(std::string where, std::string found, std::string expected, std::string remedy)
    : std::runtime_error(message(where, found, expected, remedy)),
      where_(std::move(where)),
      found_(std::move(found)),
      expected_(std::move(expected)),
      remedy_(std::move(remedy)) {}

}  // namespace hawser
