// Completion scripts for shells, made from the program's own commands and options.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "commands.h"
#include "hawser/error.h"

namespace hawser {
namespace {

/// A command as completion sees it, with its whole path.
struct PathCommand {
  std::string path;  ///< "hawser bench step"
  CommandDescription command;

  [[nodiscard]] bool takes_scene() const {
    return std::any_of(command.options.begin(), command.options.end(),
                       [](const auto& o) { return o.position_name == "scene"; });
  }
};

/// The first sentence or line of a help text, safe inside single quotes.
std::string short_help(const std::string& help) {
  std::string out = help.substr(0, help.find_first_of("\n;"));
  out.erase(std::remove_if(out.begin(), out.end(),
                           [](char c) { return c == '\'' || c == '[' || c == ']' || c == ':'; }),
            out.end());
  return out;
}

void collect(const CommandDescription& command, const std::string& path,
             std::vector<PathCommand>& out) {
  out.push_back({path, command});
  for (const CommandDescription& sub : command.commands) collect(sub, path + " " + sub.name, out);
}

std::string bash_script(const std::vector<PathCommand>& commands) {
  std::string cases;
  std::string paths;
  for (const PathCommand& c : commands) {
    std::string words, with_value;
    for (const CommandDescription& sub : c.command.commands) words += sub.name + " ";
    for (const CommandDescription::Option& o : c.command.options)
      for (const std::string& name : o.names) {
        words += name + " ";
        if (o.takes_value) with_value += name + " ";
      }
    paths += fmt::format("'{}' ", c.path);
    cases +=
        fmt::format("    '{}')\n      words='{}'\n      values='{}'\n", c.path, words, with_value);
    if (c.takes_scene()) cases += "      words+=$(hawser scenes --names 2>/dev/null)\n";
    cases += "      ;;\n";
  }
  return fmt::format(
      R"(# Completion of hawser for bash. Load it with: source <(hawser completion bash)
_hawser() {{
  local path=hawser word words values paths=({})
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    [[ " ${{paths[*]@Q}} " == *" '$path $word' "* ]] && path+=" $word"
  done
  case $path in
{}  esac
  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
  compopt -o filenames 2>/dev/null
  if [[ " $values " == *" $before "* ]]; then
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current"
      [[ $current == -* ]] || compgen -f -- "$current")
  fi
}}
complete -F _hawser hawser
)",
      paths, cases);
}

std::string zsh_script(const std::vector<PathCommand>& commands) {
  std::string cases, paths;
  for (const PathCommand& c : commands) {
    paths += fmt::format("'{}' ", c.path);
    cases += fmt::format("    '{}')\n      commands=(", c.path);
    for (const CommandDescription& sub : c.command.commands)
      cases += fmt::format("'{}:{}' ", sub.name, short_help(sub.help));
    cases += ")\n      options=(";
    for (const CommandDescription::Option& o : c.command.options)
      for (const std::string& name : o.names)
        cases += fmt::format("'{}[{}]{}' ", name, short_help(o.help),
                             o.takes_value ? ":value:_files" : "");
    cases += ")\n";
    if (c.takes_scene()) cases += "      scenes=(${(f)\"$(hawser scenes --names 2>/dev/null)\"})\n";
    cases += "      ;;\n";
  }
  return fmt::format(R"(#compdef hawser
# Completion of hawser for zsh. Load it with: source <(hawser completion zsh)
_hawser() {{
  local path_so_far=hawser word
  local -a paths=({}) commands options scenes
  for word in ${{words[2,CURRENT-1]}}; do
    (( ${{paths[(Ie)$path_so_far $word]}} )) && path_so_far+=" $word"
  done
  case $path_so_far in
{}  esac
  (( $#commands )) && _describe command commands
  (( $#scenes )) && _describe scene scenes
  _arguments -s $options '*:file:_files'
}}
compdef _hawser hawser
)",
                     paths, cases);
}

/// fish asks each line's condition: the commands typed so far, and none of those that go deeper.
std::string fish_script(const std::vector<PathCommand>& commands) {
  std::string out =
      "# Completion of hawser for fish. Load it with: hawser completion fish | source\n";
  for (const PathCommand& c : commands) {
    std::string when;
    for (size_t at = c.path.find(' '); at != std::string::npos; at = c.path.find(' ', at + 1)) {
      const size_t end = c.path.find(' ', at + 1);
      when += (when.empty() ? "" : "; and ") + std::string("__fish_seen_subcommand_from ") +
              c.path.substr(at + 1, end == std::string::npos ? end : end - at - 1);
    }
    std::string deeper;
    for (const CommandDescription& sub : c.command.commands) deeper += " " + sub.name;
    if (!deeper.empty())
      when +=
          (when.empty() ? "" : "; and ") + std::string("not __fish_seen_subcommand_from") + deeper;
    const std::string line = fmt::format("complete -c hawser -n '{}'", when);
    for (const CommandDescription& sub : c.command.commands)
      out += fmt::format("{} -f -a {} -d '{}'\n", line, sub.name, short_help(sub.help));
    for (const CommandDescription::Option& o : c.command.options) {
      std::string names;
      for (const std::string& name : o.names)
        names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      out += fmt::format("{}{}{} -d '{}'\n", line, names, o.takes_value ? " -r" : "",
                         short_help(o.help));
    }
    if (c.takes_scene()) out += line + " -a '(hawser scenes --names 2>/dev/null)' -d scene\n";
  }
  return out;
}

}  // namespace

void add_completion_command(Command& program) {
  Command& completion =
      program.add("completion", "Print a completion script for bash, zsh or fish");
  const auto shell = std::make_shared<std::string>();
  completion.option("shell", shell.get(), "bash, zsh or fish",
                    {.required = true, .one_of = {"bash", "zsh", "fish"}});
  completion.footer("For bash, add this line to ~/.bashrc: source <(hawser completion bash)");
  completion.does([&program, shell] {
    std::vector<PathCommand> commands;
    collect(program.describe(), "hawser", commands);
    const std::string script = *shell == "bash"  ? bash_script(commands)
                               : *shell == "zsh" ? zsh_script(commands)
                                                 : fish_script(commands);
    std::fputs(script.c_str(), stdout);
    return exit_ok;
  });
}

}  // namespace hawser
