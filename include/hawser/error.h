// User errors: bad input, contradictory constraints, invalid options.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace hawser {

/// Thrown on invalid input. The message states where, what was found, what was expected and how to
/// fix it. Numerical failures are not reported this way: a step returns them as its
/// status.
class Error : public std::runtime_error {
 public:
  /// `where` names the object ("cable 'tether', diameter"). The parts form one message:
  /// "where: found X; expected Y. Remedy."
  Error(std::string where, std::string found, std::string expected, std::string remedy = {});

  [[nodiscard]] const std::string& where() const { return where_; }
  [[nodiscard]] const std::string& found() const { return found_; }
  [[nodiscard]] const std::string& expected() const { return expected_; }
  [[nodiscard]] const std::string& remedy() const { return remedy_; }

 protected:
  /// For derived errors that compose their own message.
  explicit Error(const std::string& message) : std::runtime_error(message) {}

 private:
  std::string where_, found_, expected_, remedy_;
};

/// Writing a file failed: full disk, file size limit, device error. The input itself is valid, so
/// commands report a failure rather than bad input.
class WriteError : public Error {
 public:
  using Error::Error;
};

/// The known name closest to a misspelt one, for a remedy ("Did you mean 'tension'?"). Letters
/// added, omitted or changed and swapped neighbours count, case does not; the first of equals.
/// Empty if there is none with at most a third of its letters (rounded up) in error.
std::string nearest_name(const std::string& name, const std::vector<std::string>& known);

}  // namespace hawser
