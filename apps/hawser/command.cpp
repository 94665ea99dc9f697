#include "command.h"

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <iostream>
#include <system_error>

#include "hawser/error.h"

namespace hawser {

/// `app` belongs to `own`, or to the command above.
struct Command::Impl {
  std::unique_ptr<CLI::App> own;
  CLI::App* app;
  std::vector<std::unique_ptr<Command>> commands;
  std::shared_ptr<int> exit_code;  ///< one for the whole program
};

Command::Command(std::string name, const std::string& help, const std::string& version)
    : impl_(std::make_unique<Impl>()) {
  impl_->own = std::make_unique<CLI::App>(help, std::move(name));
  impl_->app = impl_->own.get();
  impl_->exit_code = std::make_shared<int>(exit_ok);
  if (!version.empty()) impl_->app->set_version_flag("--version", version);
}

Command::Command(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Command::~Command() = default;

Command& Command::add(const std::string& name, const std::string& help) {
  auto below = std::make_unique<Impl>();
  below->app = impl_->app->add_subcommand(name, help);
  below->exit_code = impl_->exit_code;
  impl_->app->require_subcommand(1);
  impl_->commands.push_back(std::unique_ptr<Command>(new Command(std::move(below))));
  return *impl_->commands.back();
}

void Command::option(const std::string& names, OptionTarget target, const std::string& help,
                     const OptionRules& rules) {
  CLI::App* app = impl_->app;
  CLI::Option* option = std::visit(
      [&](auto* to) -> CLI::Option* {
        if constexpr (std::is_same_v<decltype(to), bool*>)
          return app->add_flag(names, *to, help);
        else
          return app->add_option(names, *to, help);
      },
      target);
  if (!rules.type_name.empty()) option->type_name(rules.type_name);
  if (rules.required) option->required();
  if (rules.show_default) option->capture_default_str();
  if (rules.delimiter != '\0') option->delimiter(rules.delimiter);
  if (rules.one_value) option->allow_extra_args(false);
  if (!rules.one_of.empty()) option->check(CLI::IsMember(rules.one_of));
  if (rules.range) {
    const auto [low, high] = *rules.range;
    if (std::holds_alternative<double*>(target))
      option->check(CLI::Range(low, high));
    else
      option->check(CLI::Range(static_cast<long>(low), static_cast<long>(high)));
  }
  // Not CLI11's excludes(): it lists the others in the help.
  if (!rules.not_with.empty())
    option->check([app, rules](const std::string&) {
      for (const std::string& other : rules.not_with)
        if (app->count(other) > 0) return rules.not_with_reason + other;
      return std::string();
    });
}

void Command::footer(const std::string& text) { impl_->app->footer(text); }

void Command::does(std::function<int()> action) {
  impl_->app->callback([action = std::move(action), code = impl_->exit_code] { *code = action(); });
}

CommandDescription Command::describe() const {
  CommandDescription out;
  out.name = impl_->app->get_name();
  out.help = impl_->app->get_description();
  for (const CLI::Option* option : impl_->app->get_options()) {
    CommandDescription::Option o;
    if (option->get_positional()) o.position_name = option->get_name(true);
    for (const std::string& name : option->get_lnames()) o.names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) o.names.push_back("-" + name);
    o.help = option->get_description();
    o.takes_value = option->get_items_expected_max() > 0;
    out.options.push_back(std::move(o));
  }
  for (const auto& command : impl_->commands) out.commands.push_back(command->describe());
  return out;
}

int Command::run(int argc, const char* const* argv) {
  int code = exit_ok;
  try {
    impl_->app->parse(argc, argv);
    code = *impl_->exit_code;
  } catch (const CLI::ParseError& error) {
    code = impl_->app->exit(error) == 0 ? exit_ok : exit_bad_input;
  }
  std::cout.flush();  // help
  const bool written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good();
  if (code == exit_ok && !written)
    throw WriteError("standard output", std::generic_category().message(errno),
                     "space for the output");
  return code;
}

}  // namespace hawser
