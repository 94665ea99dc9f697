// Completion scripts for shells, made from the program's own commands and options.
#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "hawser/error.h"

namespace hawser {
namespace {

struct Option {
  std::vector<std::string> names;  ///< "--until", "-o"
  std::string help;
  bool takes_value = false;
};

/// A command as completion sees it.
struct Command {
  std::string path;  ///< "hawser bench step"
  std::string help;
  std::vector<const CLI::App*> subcommands;
  std::vector<Option> options;
  bool takes_scene = false;
};

/// The first sentence or line of a help text, safe inside single quotes.
std::string short_help(const std::string& help) {
  std::string out = help.substr(0, help.find_first_of("\n;"));
  out.erase(std::remove_if(out.begin(), out.end(),
                           [](char c) { return c == '\'' || c == '[' || c == ']' || c == ':'; }),
            out.end());
  return out;
}

Command command_of(const CLI::App& app, const std::string& path) {
  Command out;
  out.path = path;
  out.help = short_help(app.get_description());
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    out.subcommands.push_back(sub);
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional() && option->get_name(true) == "scene") out.takes_scene = true;
    Option o;
    for (const std::string& name : option->get_lnames()) o.names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) o.names.push_back("-" + name);
    o.help = short_help(option->get_description());
    o.takes_value = option->get_items_expected_max() > 0;
    if (!o.names.empty()) out.options.push_back(o);
  }
  return out;
}

void collect(const CLI::App& app, const std::string& path, std::vector<Command>& out) {
  out.push_back(command_of(app, path));
  const std::vector<const CLI::App*> subcommands = out.back().subcommands;
  for (const CLI::App* sub : subcommands) collect(*sub, path + " " + sub->get_name(), out);
}

std::string bash_script(const std::vector<Command>& commands) {
  std::string cases;
  std::string paths;
  for (const Command& c : commands) {
    std::string words, with_value;
    for (const CLI::App* sub : c.subcommands) words += sub->get_name() + " ";
    for (const Option& o : c.options)
      for (const std::string& name : o.names) {
        words += name + " ";
        if (o.takes_value) with_value += name + " ";
      }
    paths += fmt::format("'{}' ", c.path);
    cases +=
        fmt::format("    '{}')\n      words='{}'\n      values='{}'\n", c.path, words, with_value);
    if (c.takes_scene) cases += "      words+=$(hawser scenes --names 2>/dev/null)\n";
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

std::string zsh_script(const std::vector<Command>& commands) {
  std::string cases, paths;
  for (const Command& c : commands) {
    paths += fmt::format("'{}' ", c.path);
    cases += fmt::format("    '{}')\n      commands=(", c.path);
    for (const CLI::App* sub : c.subcommands)
      cases += fmt::format("'{}:{}' ", sub->get_name(), short_help(sub->get_description()));
    cases += ")\n      options=(";
    for (const Option& o : c.options)
      for (const std::string& name : o.names)
        cases += fmt::format("'{}[{}]{}' ", name, o.help, o.takes_value ? ":value:_files" : "");
    cases += ")\n";
    if (c.takes_scene) cases += "      scenes=(${(f)\"$(hawser scenes --names 2>/dev/null)\"})\n";
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
std::string fish_script(const std::vector<Command>& commands) {
  std::string out =
      "# Completion of hawser for fish. Load it with: hawser completion fish | source\n";
  for (const Command& c : commands) {
    std::string when;
    for (size_t at = c.path.find(' '); at != std::string::npos; at = c.path.find(' ', at + 1)) {
      const size_t end = c.path.find(' ', at + 1);
      when += (when.empty() ? "" : "; and ") + std::string("__fish_seen_subcommand_from ") +
              c.path.substr(at + 1, end == std::string::npos ? end : end - at - 1);
    }
    std::string deeper;
    for (const CLI::App* sub : c.subcommands) deeper += " " + sub->get_name();
    if (!deeper.empty())
      when +=
          (when.empty() ? "" : "; and ") + std::string("not __fish_seen_subcommand_from") + deeper;
    const std::string line = fmt::format("complete -c hawser -n '{}'", when);
    for (const CLI::App* sub : c.subcommands)
      out += fmt::format("{} -f -a {} -d '{}'\n", line, sub->get_name(),
                         short_help(sub->get_description()));
    for (const Option& o : c.options) {
      std::string names;
      for (const std::string& name : o.names)
        names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      out += fmt::format("{}{}{} -d '{}'\n", line, names, o.takes_value ? " -r" : "", o.help);
    }
    if (c.takes_scene) out += line + " -a '(hawser scenes --names 2>/dev/null)' -d scene\n";
  }
  return out;
}

}  // namespace

void add_completion_command(CLI::App& app) {
  CLI::App* completion =
      app.add_subcommand("completion", "Print a completion script for bash, zsh or fish");
  const auto shell = std::make_shared<std::string>();
  completion->add_option("shell", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  completion->footer("For bash, add this line to ~/.bashrc: source <(hawser completion bash)");
  completion->callback([&app, shell] {
    std::vector<Command> commands;
    collect(app, "hawser", commands);
    const std::string script = *shell == "bash"  ? bash_script(commands)
                               : *shell == "zsh" ? zsh_script(commands)
                                                 : fish_script(commands);
    std::fputs(script.c_str(), stdout);
  });
}

}  // namespace hawser
