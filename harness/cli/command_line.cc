#include "harness/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

#include "harness/cli/commands/commands.h"
#include "reports/record/verdict.h"

namespace qconform {
namespace {

// Each of these returns what is wrong, or nothing.

std::string IsValue(const std::string& text) {
  if (text.starts_with("--")) return "'" + text + "' is a flag; a value is needed";
  return text.empty() ? "'' is empty; a value is needed" : "";
}

// CLI11 clamps what is too large, takes -1 for 2^64 - 1 and reads 010 as octal.
template <typename Integer>
std::string MakeDecimal(std::string& text) {
  if (std::is_unsigned_v<Integer> && text.starts_with('-')) {
    return text + " is negative; 0 or more is needed";
  }
  Integer value = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stopped != end) {
    return "'" + text + "' is no decimal integer from " +
           std::to_string(std::numeric_limits<Integer>::min()) + " to " +
           std::to_string(std::numeric_limits<Integer>::max());
  }
  text = std::to_string(value);
  return "";
}

// A decimal number and then, maybe, a unit that CLI11 knows.
std::string MakeBytes(std::string& text) {
  if (text.starts_with('-')) return text + " is negative; 0 or more is needed";
  uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [unit, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc()) {
    return "'" + text + "' is no number of bytes, such as 512MB, below 2^64";
  }
  if (value == 0) return "0 bytes are too few; a number such as 512MB is needed";
  text = std::to_string(value) + std::string(unit, end);
  static const CLI::AsSizeValue kUnits(false);
  return kUnits(text);
}

CLI::Option* Checked(CLI::Option* option, std::string (*check)(std::string&)) {
  option->transform(CLI::Validator(check, ""));
  return option;
}

CLI::Option* Checked(CLI::Option* option, std::string (*check)(const std::string&)) {
  return option->check(check);
}

// A flag would take what follows its value too, the command's arguments among it.
CLI::Option* OneValueEach(CLI::Option* option) {
  return option->get_positional() ? option : option->allow_extra_args(false);
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
  const CLI::Range range(low, high);
  option_->check(
      [=](const std::string& text) {
        double value = 0;
        // NaN is within every range of CLI11.
        if (CLI::detail::lexical_cast(text, value) && std::isnan(value)) {
          return "'" + text + "' is not a " + range.get_description();
        }
        return range(text);
      },
      range.get_description());
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

Command Command::AddCommand(const std::string& name, const std::string& what) {
  return {*app_->add_subcommand(name, what), *chosen_};
}

void Command::RequireCommand() { app_->require_subcommand(1); }

void Command::Footer(const std::string& text) { app_->footer(text); }

void Command::Hide() { app_->group(""); }

Flag Command::Add(const std::string& names, std::string& value, const std::string& what) {
  return Flag(*Checked(app_->add_option(names, value, what), IsValue));
}

Flag Command::Add(const std::string& names, std::vector<std::string>& value,
                  const std::string& what) {
  return Flag(*OneValueEach(Checked(app_->add_option(names, value, what), IsValue)));
}

Flag Command::Add(const std::string& names, int& value, const std::string& what) {
  return Flag(*Checked(app_->add_option(names, value, what), MakeDecimal<int>));
}

Flag Command::Add(const std::string& names, std::vector<int>& value,
                  const std::string& what) {
  return Flag(
      *OneValueEach(Checked(app_->add_option(names, value, what), MakeDecimal<int>)));
}

Flag Command::Add(const std::string& names, std::vector<int64_t>& value,
                  const std::string& what) {
  return Flag(
      *OneValueEach(Checked(app_->add_option(names, value, what), MakeDecimal<int64_t>)));
}

Flag Command::Add(const std::string& names, uint64_t& value, const std::string& what) {
  return Flag(*Checked(app_->add_option(names, value, what), MakeDecimal<uint64_t>));
}

Flag Command::Add(const std::string& names, std::optional<uint64_t>& value,
                  const std::string& what) {
  return Flag(*Checked(app_->add_option(names, value, what), MakeDecimal<uint64_t>));
}

Flag Command::Add(const std::string& names, double& value, const std::string& what) {
  return Flag(*app_->add_option(names, value, what));
}

Flag Command::Add(const std::string& names, std::function<void(const std::string&)> take,
                  const std::string& what) {
  return Flag(
      *Checked(app_->add_option_function<std::string>(names, take, what), IsValue));
}

Flag Command::AddSize(const std::string& names, uint64_t& value,
                      const std::string& what) {
  return Flag(*Checked(app_->add_option(names, value, what), MakeBytes));
}

Flag Command::AddSwitch(const std::string& names, bool& value, const std::string& what) {
  return Flag(*app_->add_flag(names, value, what));
}

Flag Command::AddSwitch(const std::string& names, std::optional<bool>& value,
                        const std::string& what) {
  // Given the optional itself, CLI11 sets it to false where the flag is not given.
  return Flag(*app_->add_flag_function(
      names,
      [&value, names](int64_t count) {
        if (count == 0) {
          throw CLI::ValidationError(names.substr(0, names.find(',')),
                                     "and its opposite are given; one of both is right");
        }
        value = count > 0;
      },
      what));
}

bool Command::Given(const std::string& name) const { return app_->count(name) > 0; }

void Command::Does(std::function<int()> action) {
  // Callbacks run while CLI11 parses: the action comes after that.
  app_->callback([action = std::move(action), chosen = chosen_] { *chosen = action; });
}

namespace {

// CLI11 would ask for a subcommand without saying what it was given instead. Looks at
// the leading words of the command line, as far as commands are asked for.
std::optional<Error> FindUnknownCommand(const CLI::App* app, int argc, char** argv) {
  std::string path;
  for (int i = 1; i < argc && argv[i][0] != '-'; ++i) {
    const std::string given = argv[i];
    const CLI::App* chosen = nullptr;
    std::string names;
    for (const CLI::App* command : app->get_subcommands(nullptr)) {
      if (command->get_name() == given) chosen = command;
      if (command->get_group().empty()) continue;  // for children of this program
      names += (names.empty() ? "" : ", ") + command->get_name();
    }
    if (names.empty()) return std::nullopt;
    path += (path.empty() ? "" : " ") + given;
    if (chosen == nullptr) {
      return Error{"there is no command '" + path + "'; there are " + names};
    }
    app = chosen;
  }
  return std::nullopt;
}

// CLI11 would ask for a subcommand here as well.
std::optional<Error> FindUnknownFlag(int argc, char** argv) {
  const std::string first = argc > 1 ? argv[1] : "";
  if (!first.starts_with("-") || first == "-h" || first == "--help" ||
      first == "--version") {
    return std::nullopt;
  }
  return Error{"'" + first +
               "' is no flag of qconform itself; a command comes first, and "
               "'qconform --help' prints them"};
}

// CLI11 would take the next word as the value of '--flag='.
std::optional<Error> FindFlagWithoutValue(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--") break;  // what follows are no flags
    if (!word.starts_with("--") || word.find('=') != word.size() - 1) continue;
    return Error{word + ": nothing stands behind the '='; a value is needed"};
  }
  return std::nullopt;
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
  const auto unknown = FindUnknownCommand(&app, argc, argv);
  if (unknown) return Fail(*unknown);
  const auto unknown_flag = FindUnknownFlag(argc, argv);
  if (unknown_flag) return Fail(*unknown_flag);
  const auto without_value = FindFlagWithoutValue(argc, argv);
  if (without_value) return Fail(*without_value);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // CLI11 has codes of its own; ours are 0 (help, version) and 2 (bad usage).
    return app.exit(error) == 0 ? 0 : static_cast<int>(ExitCode::kBadInput);
  }
  try {
    return chosen();
  } catch (const std::bad_alloc&) {
    return Fail({"there is not enough memory for that"});
  } catch (const std::exception& error) {
    return Fail(
        {std::string("internal error, which is a fault of qconform's: ") + error.what()});
  }
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
