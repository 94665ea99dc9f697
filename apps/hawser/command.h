// Commands, options and arguments of a program. One file (command.cpp) reads the library behind
// them; every other file declares what it takes by the plain types here.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace hawser {

enum ExitCode {
  exit_ok = 0,
  exit_failed = 1,     ///< a run stopped early, an expectation or a tolerance was missed
  exit_bad_input = 2,  ///< nothing was run
  exit_signal = 128,   ///< plus the number of the signal that stopped a run: Ctrl-C gives 130
};

/// Where the value of an option goes; it must live as long as the command.
using OptionTarget = std::variant<bool*, int*, long*, unsigned*, double*, std::string*,
                                  std::vector<int>*, std::vector<std::string>*>;

/// What an option accepts and how the help shows it.
struct OptionRules {
  std::string type_name{};  ///< in the help; empty: by the type of the target
  bool required = false;
  bool show_default = false;          ///< in the help
  bool one_value = false;             ///< of a vector: one value each time the option is given
  char delimiter = '\0';              ///< of a vector: separates values within an argument
  std::vector<std::string> one_of{};  ///< the words it may be; empty: any
  std::optional<std::array<double, 2>> range{};
  std::vector<std::string> not_with{};  ///< names of options that cannot be given beside it
  std::string not_with_reason{};        ///< begins the message when one of them is
};

/// What a command takes, for completion.
struct CommandDescription {
  struct Option {
    std::vector<std::string> names;  ///< "--until", "-o"; empty: given by its position
    std::string position_name;       ///< "scene"
    std::string help;
    bool takes_value = false;
  };
  std::string name, help;
  std::vector<Option> options;
  std::vector<CommandDescription> commands;
};

/// A command of a program, or the program itself.
class Command {
 public:
  /// The program.
  Command(std::string name, const std::string& help, const std::string& version);
  ~Command();
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  /// A command below this one. One of them must then be given.
  Command& add(const std::string& name, const std::string& help);

  /// `names`: "-o,--output", or a word without a dash for an argument given by its position. A
  /// bool target makes a flag.
  void option(const std::string& names, OptionTarget target, const std::string& help,
              const OptionRules& rules = {});

  /// Printed below the help.
  void footer(const std::string& text);

  /// What the command does; returns the exit code.
  void does(std::function<int()> action);

  [[nodiscard]] CommandDescription describe() const;

  /// Parses the command line, does what it says and returns the exit code. Prints help and
  /// mistakes of the command line; what actions throw passes through. Output that the system does
  /// not take, on a full disk for example, is a WriteError.
  int run(int argc, const char* const* argv);

 private:
  struct Impl;
  explicit Command(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace hawser
