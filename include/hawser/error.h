// User errors: bad input, contradictory constraints, invalid options.
#pragma once

#include <concepts>
#include <stdexcept>
#include <string>
#include <vector>

namespace hawser {

/// What an error is about: a named part of a scene, one of its fields, or any text.
struct ErrorObject {
  std::string text;   ///< in messages: "cable 'tether', diameter"
  std::string kind;   ///< "cable", "support", "body", "joint", "frame", "condition"; empty: no part
                      ///< of a scene
  std::string name;   ///< of the part: "tether"
  std::string field;  ///< "diameter"; empty: the whole part

  /// No part of a scene: "gravity", a file.
  template <std::convertible_to<std::string> Text>
  ErrorObject(const Text& any) : text(any) {}
  ErrorObject(std::string of_kind, std::string of_name);
  /// A part that the message names in another way: "clamp of node 0 of cable 'tether'".
  ErrorObject(std::string of_kind, std::string of_name, std::string in_messages);

  /// A field of it.
  [[nodiscard]] ErrorObject at(const std::string& its_field) const;
};

/// Thrown on invalid input. The message states where, what was found, what was expected and how to
/// fix it. Numerical failures are not reported this way: a step returns them as its
/// status.
class Error : public std::runtime_error {
 public:
  /// The parts form one message: "object: found X; expected Y. Remedy."
  Error(ErrorObject object, std::string found, std::string expected, std::string remedy = {});

  [[nodiscard]] const ErrorObject& object() const { return object_; }
  [[nodiscard]] const std::string& where() const { return object_.text; }
  [[nodiscard]] const std::string& found() const { return found_; }
  [[nodiscard]] const std::string& expected() const { return expected_; }
  [[nodiscard]] const std::string& remedy() const { return remedy_; }

 protected:
  /// For derived errors that compose their own message.
  explicit Error(const std::string& message) : std::runtime_error(message), object_("") {}

 private:
  ErrorObject object_;
  std::string found_, expected_, remedy_;
};

/// All errors of a scene file, each with file:line:column, the line, what was found, what was
/// expected and how to fix it.
class SceneError : public Error {
 public:
  explicit SceneError(std::vector<std::string> problems);
  [[nodiscard]] const std::vector<std::string>& problems() const { return problems_; }

 private:
  std::vector<std::string> problems_;
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
