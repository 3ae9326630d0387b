#include "harness/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "harness/cli/commands.h"
#include "reports/verdict.h"

namespace qconform {
namespace {

// CLI11 takes -1 for 2^64 - 1. Returns what is wrong.
std::string IsNotNegative(const std::string& text) {
  return text.starts_with('-') ? text + " is negative; 0 or more is needed" : "";
}

}  // namespace

Flag& Flag::Type(const char* name) {
  option_->type_name(name);
  return *this;
}

Flag& Flag::Required() {
  option_->required();
  return *this;
}

Flag& Flag::ShowDefault() {
  option_->capture_default_str();
  return *this;
}

Flag& Flag::ShowDefault(const std::string& text) {
  option_->default_str(text);
  return *this;
}

Flag& Flag::Between(int low, int high) { return Between(int64_t{low}, int64_t{high}); }

Flag& Flag::Between(int64_t low, int64_t high) {
  option_->check(CLI::Range(low, high));
  return *this;
}

Flag& Flag::Between(double low, double high) {
  option_->check(CLI::Range(low, high));
  return *this;
}

Flag& Flag::OneOf(std::vector<std::string> values) {
  option_->check(CLI::IsMember(std::move(values)));
  return *this;
}

Flag& Flag::Excludes(const Flag& other) {
  option_->excludes(other.option_);
  return *this;
}

Flag& Flag::OneValueEach() {
  option_->allow_extra_args(false);
  return *this;
}

Command Command::AddCommand(const std::string& name, const std::string& what) {
  return {*app_->add_subcommand(name, what), *chosen_};
}

void Command::RequireCommand() { app_->require_subcommand(1); }

void Command::Footer(const std::string& text) { app_->footer(text); }

void Command::Hide() { app_->group(""); }

Flag Command::Add(const std::string& names, std::string& value, const std::string& what) {
  return Flag(*app_->add_option(names, value, what));
}

Flag Command::Add(const std::string& names, std::vector<std::string>& value,
                  const std::string& what) {
  return Flag(*app_->add_option(names, value, what));
}

Flag Command::Add(const std::string& names, int& value, const std::string& what) {
  return Flag(*app_->add_option(names, value, what));
}

Flag Command::Add(const std::string& names, std::vector<int>& value,
                  const std::string& what) {
  return Flag(*app_->add_option(names, value, what));
}

Flag Command::Add(const std::string& names, std::vector<int64_t>& value,
                  const std::string& what) {
  return Flag(*app_->add_option(names, value, what));
}

Flag Command::Add(const std::string& names, uint64_t& value, const std::string& what) {
  return Flag(*app_->add_option(names, value, what)->check(IsNotNegative));
}

Flag Command::Add(const std::string& names, std::optional<uint64_t>& value,
                  const std::string& what) {
  return Flag(*app_->add_option(names, value, what)->check(IsNotNegative));
}

Flag Command::Add(const std::string& names, double& value, const std::string& what) {
  return Flag(*app_->add_option(names, value, what));
}

Flag Command::Add(const std::string& names, std::function<void(const std::string&)> take,
                  const std::string& what) {
  return Flag(*app_->add_option_function<std::string>(names, take, what));
}

Flag Command::AddSize(const std::string& names, uint64_t& value,
                      const std::string& what) {
  CLI::Option* option = app_->add_option(names, value, what);
  option->transform(CLI::AsSizeValue(false));
  return Flag(*option);
}

Flag Command::AddSwitch(const std::string& names, bool& value, const std::string& what) {
  return Flag(*app_->add_flag(names, value, what));
}

Flag Command::AddSwitch(const std::string& names, std::optional<bool>& value,
                        const std::string& what) {
  return Flag(*app_->add_flag(names, value, what));
}

bool Command::Given(const std::string& name) const { return app_->count(name) > 0; }

void Command::Does(std::function<int()> action) {
  // Callbacks run while CLI11 parses: the action comes after that.
  app_->callback([action = std::move(action), chosen = chosen_] { *chosen = action; });
}

namespace {

// CLI11 would ask for a subcommand without saying what it was given instead.
std::optional<Error> FindUnknownCommand(const CLI::App& app, const std::string& given) {
  std::string names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    if (command->get_name() == given) return std::nullopt;
    if (command->get_group().empty()) continue;  // for children of this program
    names += (names.empty() ? "" : ", ") + command->get_name();
  }
  return Error{"there is no command '" + given + "'; there are " + names};
}

int ParseAndRun(const ProgramText& text, int argc, char** argv,
                const std::function<void(Command&)>& describe) {
  CLI::App app(text.description, text.name);
  app.footer(text.footer);
  app.set_version_flag("--version", text.version);
  std::function<int()> chosen;
  Command program(app, chosen);
  program.RequireCommand();
  describe(program);
  if (argc > 1 && argv[1][0] != '-') {
    const auto unknown = FindUnknownCommand(app, argv[1]);
    if (unknown) return Fail(*unknown);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // CLI11 has codes of its own; ours are 0 (help, version) and 2 (bad usage).
    return app.exit(error) == 0 ? 0 : static_cast<int>(ExitCode::kBadInput);
  }
  return chosen();
}

}  // namespace

int RunCommandLine(const ProgramText& text, int argc, char** argv,
                   const std::function<void(Command&)>& describe) {
  const int code = ParseAndRun(text, argc, argv, describe);
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  if (errno == EPIPE) return code;  // a reader that had enough, and SIGPIPE ignored
  // The error of a write before this one may be known no more.
  return Fail({std::string("stdout: ") +
               (errno == 0 ? "not all could be written" : std::strerror(errno))});
}

}  // namespace qconform
