#include "harness/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "harness/cli/commands/commands.h"
#include "harness/cli/commands/screen.h"
#include "harness/cli/help/command_text.h"
#include "harness/cli/print/print.h"
#include "harness/cli/progress/progress.h"
#include "oracle/base/expected.h"
#include "oracle/base/shortage.h"
#include "oracle/base/text.h"
#include "reports/record/verdict.h"

namespace qconform {

// What is known of the command line besides what CLI11 keeps.
struct CommandLineState {
  std::function<ExitCode()> action;  // of the command that the user chose
  bool takes_stdout = false;         // a file that is written is "-"
  struct OfOption {
    std::string type;    // as it was given; empty: by the kind of the variable
    std::string bounds;  // "1 to 1024"
    std::vector<std::string> values;
    ValueKind kind = ValueKind::kText;
    std::string left_out;  // the value if none is given; empty: one must be
  };
  std::map<const CLI::Option*, OfOption> options;
  std::map<const CLI::App*, std::vector<Example>> examples;
};

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
  state_->options[option_].type = name;
  return *this;
}

Flag& Flag::Reads(const char* name) {
  state_->options[option_].kind = ValueKind::kFile;
  option_->transform(CLI::Validator(
      [](std::string& text) {
        if (text == "-") text = "/dev/stdin";
        return std::string();
      },
      ""));
  return Type(name);
}

Flag& Flag::Writes(const char* name) {
  state_->options[option_].kind = ValueKind::kFile;
  option_->transform(CLI::Validator(
      [state = state_](std::string& text) {
        if (text == "-") {
          state->takes_stdout = true;
          text = "/dev/stdout";
        }
        return std::string();
      },
      ""));
  return Type(name);
}

Flag& Flag::Directory(const char* name) {
  state_->options[option_].kind = ValueKind::kDirectory;
  return Type(name);
}

Flag& Flag::ValueOr(const char* value) {
  state_->options[option_].left_out = value;
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
  state_->options[option_].bounds = std::to_string(low) + " to " + std::to_string(high);
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
  std::snprintf(expected, sizeof expected, "%g to %g", low, high);
  state_->options[option_].bounds = expected;
  return *this;
}

Flag& Flag::OneOf(std::vector<std::string> values) {
  const std::string expected = "one of " + Joined(values, ", ");
  state_->options[option_].values = values;
  AddCheck(option_, CLI::IsMember(std::move(values)), expected);
  return *this;
}

Flag& Flag::Excludes(const Flag& other) {
  option_->excludes(other.option_);
  return *this;
}

Command Command::AddCommand(const std::string& name, const std::string& what) {
  CLI::App* const command = app_->add_subcommand(name, what);
  command->option_defaults()->group("Options");
  return {*command, *state_};
}

void Command::RequireCommand() { app_->require_subcommand(1); }

void Command::Footer(const std::string& text) { app_->footer(text); }

void Command::Example(const std::string& line, const std::string& what) {
  state_->examples[app_].push_back({line, what});
}

void Command::Group(const char* heading) { app_->option_defaults()->group(heading); }

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
  return Flag(*option, *state_);
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
  return Flag(*app_->add_option_function<std::string>(names, take, what)->check(IsValue),
              *state_);
}

Flag Command::AddSize(const std::string& names, uint64_t& value,
                      const std::string& what) {
  return Flag(
      *app_->add_option(names, value, what)->transform(CLI::Validator(MakeBytes, "")),
      *state_);
}

Flag Command::AddSwitch(const std::string& names, bool& value, const std::string& what) {
  return Flag(*app_->add_flag(names, value, what), *state_);
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
                  what),
              *state_);
}

bool Command::Given(const std::string& name) const { return app_->count(name) > 0; }

void Command::Does(std::function<ExitCode()> action) {
  // Callbacks run while CLI11 parses: the action comes after that.
  app_->callback(
      [action = std::move(action), state = state_] { state->action = action; });
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
std::vector<std::string> WithoutHelpCommand(std::vector<std::string> words) {
  if (words.size() < 2 || words[1] != "help") return words;
  if (words.size() > 2 && words[2].starts_with("-")) return words;
  words.erase(words.begin() + 1);
  words.push_back("--help");
  return words;
}

// Returns the words that choose a command: "qconform list cells".
std::string PathOf(const CLI::App& app) {
  std::string path = app.get_name();
  for (const CLI::App* parent = app.get_parent(); parent != nullptr;
       parent = parent->get_parent()) {
    path = parent->get_name() + " " + path;
  }
  return path;
}

// Returns the command that the leading words choose.
const CLI::App* ChosenCommand(const CLI::App* app,
                              const std::vector<std::string>& words) {
  for (size_t i = 1; i < words.size(); ++i) {
    const auto commands = app->get_subcommands(nullptr);
    const auto next = std::ranges::find(commands, words[i], &CLI::App::get_name);
    if (next == commands.end()) break;
    app = *next;
  }
  return app;
}

// Returns the words with the values of flags that may be left out.
std::vector<std::string> WithLeftOutValues(const CLI::App& app,
                                           const std::vector<std::string>& words,
                                           const CommandLineState& state) {
  const CLI::App* const command = ChosenCommand(&app, words);
  std::vector<std::string> filled;
  for (size_t i = 0; i < words.size(); ++i) {
    filled.push_back(words[i]);
    const bool alone =
        i + 1 == words.size() || (words[i + 1].starts_with("-") && words[i + 1] != "-");
    if (!alone || !words[i].starts_with("-")) continue;
    for (const CLI::Option* option : command->get_options()) {
      const auto known = state.options.find(option);
      if (known == state.options.end() || known->second.left_out.empty()) continue;
      if (option->check_name(words[i])) filled.push_back(known->second.left_out);
    }
  }
  return filled;
}

// Returns an error of CLI11 in the words of this program.
Error BadUsage(const CLI::ParseError& error, const CLI::App* command,
               const CommandLineState& state) {
  const std::string said = error.what();
  const std::string path = PathOf(*command);
  if (const size_t end = said.find(" is required"); end != std::string::npos) {
    const std::string name = said.substr(0, end);
    const CLI::Option* const option = command->get_option_no_throw(name);
    if (option == nullptr) {
      std::vector<std::string> names;
      for (const CLI::App* child : command->get_subcommands(nullptr)) {
        if (!child->get_group().empty()) names.push_back(child->get_name());
      }
      return Expected("command", "one of " + Joined(names, ", "), "nothing",
                      "'" + path + " --help' explains them");
    }
    const auto known = state.options.find(option);
    const bool typed = known != state.options.end() && !known->second.type.empty();
    const bool listed = known != state.options.end() && !known->second.values.empty();
    return Expected(name,
                    listed  ? "one of " + Joined(known->second.values, ", ")
                    : typed ? known->second.type
                            : "a value",
                    "nothing");
  }
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)) {
    const std::string words = said.substr(std::min(said.size(), said.find(": ") + 2));
    // CLI11 joins all words that are left over, the value of an unknown option before it.
    const size_t option = (" " + words).find(" -");
    if (option == std::string::npos) {
      return Expected("argument", "no more", "'" + words + "'");
    }
    const std::string name = words.substr(option, words.find(' ', option) - option);
    return Expected("option", "one of '" + path + " --help'", "'" + name + "'");
  }
  return Error{said};
}

// Returns what CLI11 and this program know about an option.
FlagText DescribeOption(const CLI::Option& option, const CommandLineState& state) {
  FlagText flag;
  flag.argument = option.get_positional();
  if (flag.argument) {
    flag.names.push_back(option.get_name(true));
  } else {
    for (const std::string& name : option.get_snames()) flag.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) flag.names.push_back("--" + name);
  }
  // A flag of CLI11 has no items.
  const bool takes_value = option.get_items_expected_max() > 0;
  if (takes_value) {
    const std::string type = option.get_type_name();
    flag.type = type.find("INT") != std::string::npos     ? "N"
                : type.find("FLOAT") != std::string::npos ? "NUMBER"
                                                          : "NAME";
  }
  flag.what = option.get_description();
  flag.group = flag.argument ? "Arguments" : option.get_group();
  flag.default_value = option.get_default_str();
  flag.required = option.get_required();
  flag.repeatable = option.get_items_expected_max() > 1 ||
                    (takes_value &&
                     option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll);
  if (const auto known = state.options.find(&option); known != state.options.end()) {
    if (!known->second.type.empty()) flag.type = known->second.type;
    flag.bounds = known->second.bounds;
    flag.values = known->second.values;
    flag.kind = known->second.kind;
    if (!known->second.left_out.empty()) flag.type = "[" + flag.type + "]";
  }
  return flag;
}

CommandText DescribeCommand(const CLI::App& app, const CommandLineState& state) {
  CommandText command;
  command.name = app.get_name();
  command.what = app.get_description();
  if (const auto found = state.examples.find(&app); found != state.examples.end()) {
    command.examples = found->second;
  }
  std::vector<const CLI::Option*> options = app.get_options();
  // What every command has comes last.
  std::stable_partition(options.begin(), options.end(), [&](const CLI::Option* option) {
    return option != app.get_help_ptr();
  });
  for (const CLI::Option* option : options) {
    if (!option->get_group().empty()) {
      command.flags.push_back(DescribeOption(*option, state));
    }
  }
  for (const CLI::App* child : app.get_subcommands(nullptr)) {
    if (!child->get_group().empty()) {
      command.commands.push_back(DescribeCommand(*child, state));
    }
  }
  command.footer = app.get_footer();
  return command;
}

// The help of CLI11 in the words of HelpText.
class Formatter : public CLI::FormatterBase {
 public:
  Formatter(const CommandLineState& state, int width) : state_(state), width_(width) {}

  std::string make_help(const CLI::App* app, std::string /*name*/,
                        CLI::AppFormatMode /*mode*/) const override {
    return HelpText(DescribeCommand(*app, state_), PathOf(*app), width_);
  }

 private:
  const CommandLineState& state_;
  int width_;
};

// Adds the commands about the commands: help and completion.
void AddHelpCommands(const CLI::App& app, Command& program, const std::string& version,
                     const CommandLineState& state, bool& man, std::string& shell) {
  Command help = program.AddCommand(
      "help",
      "Show the help of a command: qconform help COMMAND\n"
      "'qconform help list cells' is the same as 'qconform list cells --help'.");
  help.AddSwitch("--man", man, "Print the manual page, in roff");
  help.Example("qconform help run", "What 'run' does, and all its flags");
  help.Example("qconform help --man | man -l -", "Read the manual page");
  help.Footer("Exit codes: 0 success; 2 bad usage.");
  help.Does([&app, &state, version] {
    PrintDocument(ManPage(DescribeCommand(app, state), version));
    return ExitCode::kPass;
  });
  Command completion = program.AddCommand(
      "completion", "Print a script that completes the commands and flags in a shell");
  completion.Add("shell", shell, "The shell").Required().OneOf(CompletionShells());
  completion.Example("source <(qconform completion bash)", "In bash, for this session");
  completion.Example("qconform completion zsh > ~/.zfunc/_qconform",
                     "In zsh, where ~/.zfunc is in $fpath");
  completion.Example(
      "qconform completion fish > ~/.config/fish/completions/qconform.fish", "In fish");
  completion.Footer("Exit codes: 0 success; 2 bad usage.");
  completion.Does([&app, &state, &shell] {
    const CommandText text = DescribeCommand(app, state);
    PrintDocument(CompletionScript(text, shell));
    return ExitCode::kPass;
  });
}

ExitCode ParseAndRun(const ProgramText& text, int given, char** givens,
                     const std::function<void(Command&)>& describe) {
  CommandLineState state;
  CLI::App app(text.description, text.name);
  app.option_defaults()->group("Options");
  app.formatter(std::make_shared<Formatter>(state, std::min(80, TerminalColumns())));
  app.set_help_flag("-h,--help", "Print this help");
  app.footer(text.footer);
  app.set_version_flag("--version", text.version, "Print the version");
  Command program(app, state);
  for (const auto& [line, what] : text.examples) program.Example(line, what);
  program.RequireCommand();
  describe(program);
  bool man = false;
  std::string shell;
  AddHelpCommands(app, program, text.version, state, man, shell);
  std::vector<std::string> rewritten = WithLeftOutValues(
      app, WithoutHelpCommand(std::vector<std::string>(givens, givens + given)), state);
  std::vector<char*> pointers;
  for (std::string& word : rewritten) pointers.push_back(word.data());
  const int argc = static_cast<int>(pointers.size());
  char** const argv = pointers.data();
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
    if (error.get_exit_code() == 0) {
      app.exit(error);
      return ExitCode::kPass;
    }
    return Fail(BadUsage(error, ChosenCommand(&app, rewritten), state));
  }
  if (state.takes_stdout) {
    if (const Status moved = PrintToStderr(); !moved) return Fail(moved.error());
  }
  try {
    return state.action();
  } catch (const std::exception& error) {
    if (const auto shortage = CaughtShortage()) return Fail({*shortage});
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
