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
#include <vector>

#include "harness/cli/commands/commands.h"
#include "oracle/base/expected.h"
#include "oracle/base/text.h"
#include "reports/record/verdict.h"

namespace qconform {
namespace {

// Each of these returns what is wrong, or nothing.

std::string IsValue(const std::string& text) {
  if (text.starts_with("--")) return "expected a value, got the flag '" + text + "'";
  return text.empty() ? "expected a value, got an empty text" : "";
}

// CLI11 clamps what is too large, takes -1 for 2^64 - 1 and reads 010 as octal.
template <typename Integer>
std::string MakeDecimal(std::string& text) {
  const auto value = ParseNumber<Integer>(text);
  if (!value) {
    return "expected a decimal integer from " +
           std::to_string(std::numeric_limits<Integer>::min()) + " to " +
           std::to_string(std::numeric_limits<Integer>::max()) + ", got '" + text + "'";
  }
  text = std::to_string(*value);
  return "";
}

// A decimal number and then, maybe, a unit that CLI11 knows.
std::string MakeBytes(std::string& text) {
  uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [unit, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || value == 0) {
    return "expected a number of bytes from 1 to 2^64 - 1, such as 512MB, got '" + text +
           "'";
  }
  text = std::to_string(value) + std::string(unit, end);
  static const CLI::AsSizeValue kUnits(false);
  return kUnits(text);
}

// The same check as CLI11's, in the words of this program.
void AddCheck(CLI::Option* option, const CLI::Validator& check,
              const std::string& expected) {
  option->check(
      [=](const std::string& text) {
        return check(text).empty() ? "" : "expected " + expected + ", got '" + text + "'";
      },
      check.get_description());
}

// What one value of a flag is.
template <typename Value>
struct One {
  using Type = Value;
  static constexpr bool kVector = false;
};
template <typename Value>
struct One<std::optional<Value>> : One<Value> {};
template <typename Value>
struct One<std::vector<Value>> : One<Value> {
  static constexpr bool kVector = true;
};

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
  AddCheck(option_, CLI::Range(low, high),
           "a number from " + std::to_string(low) + " to " + std::to_string(high));
  return *this;
}

Flag& Flag::Between(double low, double high) {
  const CLI::Range range(low, high);
  // NaN is within every range of CLI11.
  const CLI::Validator check(
      [=](std::string& text) {
        double value = 0;
        const bool is_nan = CLI::detail::lexical_cast(text, value) && std::isnan(value);
        return is_nan ? std::string("NaN") : range(text);
      },
      range.get_description());
  char expected[80];
  std::snprintf(expected, sizeof expected, "a number from %g to %g", low, high);
  AddCheck(option_, check, expected);
  return *this;
}

Flag& Flag::OneOf(std::vector<std::string> values) {
  const std::string expected = "one of " + Joined(values, ", ");
  AddCheck(option_, CLI::IsMember(std::move(values)), expected);
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

template <typename Value>
Flag Command::Add(const std::string& names, Value& value, const std::string& what) {
  using Type = typename One<Value>::Type;
  CLI::Option* const option = app_->add_option(names, value, what);
  if constexpr (std::is_same_v<Type, std::string>) option->check(IsValue);
  if constexpr (std::is_integral_v<Type>) {
    option->transform(CLI::Validator(MakeDecimal<Type>, ""));
  }
  // A flag would take what follows its value too, the command's arguments among it.
  if (One<Value>::kVector && !option->get_positional()) option->allow_extra_args(false);
  return Flag(*option);
}

template Flag Command::Add(const std::string&, std::string&, const std::string&);
template Flag Command::Add(const std::string&, std::vector<std::string>&,
                           const std::string&);
template Flag Command::Add(const std::string&, int&, const std::string&);
template Flag Command::Add(const std::string&, std::vector<int>&, const std::string&);
template Flag Command::Add(const std::string&, std::vector<int64_t>&, const std::string&);
template Flag Command::Add(const std::string&, uint64_t&, const std::string&);
template Flag Command::Add(const std::string&, std::optional<uint64_t>&,
                           const std::string&);
template Flag Command::Add(const std::string&, double&, const std::string&);

Flag Command::Add(const std::string& names, std::function<void(const std::string&)> take,
                  const std::string& what) {
  return Flag(*app_->add_option_function<std::string>(names, take, what)->check(IsValue));
}

Flag Command::AddSize(const std::string& names, uint64_t& value,
                      const std::string& what) {
  return Flag(
      *app_->add_option(names, value, what)->transform(CLI::Validator(MakeBytes, "")));
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
                                     "expected it or its opposite, got both");
        }
        value = count > 0;
      },
      what));
}

bool Command::Given(const std::string& name) const { return app_->count(name) > 0; }

void Command::Does(std::function<ExitCode()> action) {
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
      return Expected("command", "one of " + names, "'" + path + "'");
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
  return Expected("qconform", "a command first", "'" + first + "'",
                  "'qconform --help' lists the commands");
}

// CLI11 would take the next word as the value of '--flag='.
std::optional<Error> FindFlagWithoutValue(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--") break;  // what follows are no flags
    if (!word.starts_with("--") || word.find('=') != word.size() - 1) continue;
    return Expected(word, "a value after '='", "nothing");
  }
  return std::nullopt;
}

// Returns the words of 'qconform help COMMAND...' as those of 'qconform COMMAND...
// --help', and all others as they are.
std::vector<char*> WithoutHelpCommand(int argc, char** argv) {
  static char help[] = "--help";
  std::vector<char*> words(argv, argv + argc);
  if (argc > 1 && std::strcmp(argv[1], "help") == 0) {
    words.erase(words.begin() + 1);
    words.push_back(help);
  }
  return words;
}

ExitCode ParseAndRun(const ProgramText& text, int given, char** words,
                     const std::function<void(Command&)>& describe) {
  std::vector<char*> rewritten = WithoutHelpCommand(given, words);
  const int argc = static_cast<int>(rewritten.size());
  char** const argv = rewritten.data();
  CLI::App app(text.description, text.name);
  app.footer(text.footer);
  app.set_version_flag("--version", text.version);
  std::function<ExitCode()> chosen;
  Command program(app, chosen);
  program.RequireCommand();
  describe(program);
  // Only for the list of commands: its words are rewritten above.
  program.AddCommand("help", "Show the help of a command: qconform help COMMAND");
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
    return app.exit(error) == 0 ? ExitCode::kPass : ExitCode::kBadInput;
  }
  try {
    return chosen();
  } catch (const std::bad_alloc&) {
    return Fail({"not enough memory"});
  } catch (const std::exception& error) {
    return Fail({std::string("internal error, a bug in qconform: ") + error.what()});
  }
}

}  // namespace

ExitCode RunCommandLine(const ProgramText& text, int argc, char** argv,
                        const std::function<void(Command&)>& describe) {
  const ExitCode code = ParseAndRun(text, argc, argv, describe);
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  if (errno == 0) {
    // An earlier write failed, and its error number is lost: another one fails alike.
    std::fputc('\n', stdout);
    std::fflush(stdout);
  }
  if (errno == EPIPE) return code;  // a reader that had enough, and SIGPIPE ignored
  return Fail({std::string("stdout: ") +
               (errno == 0 ? "could not be written completely" : std::strerror(errno))});
}

}  // namespace qconform
