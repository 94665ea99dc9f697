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
  /// `where` names the thing ("cable 'tether', diameter"); the parts make one message:
  /// "where: found X; expected Y. Remedy."
  Error(std::string where, std::string found, std::string expected, std::string remedy = {});

  [[nodiscard]] const std::string& where() const { return where_; }
  [[nodiscard]] const std::string& found() const { return found_; }
  [[nodiscard]] const std::string& expected() const { return expected_; }
  [[nodiscard]] const std::string& remedy() const { return remedy_; }

 protected:
  /// For errors that make their message themselves.
  explicit Error(const std::string& message) : std::runtime_error(message) {}

 private:
  std::string where_, found_, expected_, remedy_;
};

/// The system did not take what Hawser wrote: a full disk, a limit on the size of files, a device
/// that failed. What was asked for is sound, so commands report a failure, not bad input.
class WriteError : public Error {
 public:
  using Error::Error;
};

}  // namespace hawser
