// The commands of qconform and their flags: a thin wrapper around CLI11, whose headers
// take longer to compile than any command. Only command_line.cc includes them.
#ifndef QCONFORM_HARNESS_CLI_COMMAND_LINE_H_
#define QCONFORM_HARNESS_CLI_COMMAND_LINE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/record/verdict.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace qconform {

struct CommandLineState;  // private to command_line.cc

// A flag or an argument that a command takes. Each function returns the same flag.
class Flag {
 public:
  Flag(CLI::Option& option, CommandLineState& state) : option_(&option), state_(&state) {}

  // Sets the placeholder of the value in the help, such as NAME.
  Flag& Type(const char* name);
  // The value names a file that is read; "-" becomes /dev/stdin.
  Flag& Reads(const char* name = "FILE");
  // The value names a file that is written; "-" becomes /dev/stdout, and what the command
  // prints goes to stderr.
  Flag& Writes(const char* name = "FILE");
  // The value names a directory.
  Flag& Directory(const char* name = "DIR");
  Flag& Required();
  // Shows the variable's present value as the default.
  Flag& ShowDefault();
  Flag& ShowDefault(const std::string& text);
  // Bounds of the value, both allowed.
  Flag& Between(int low, int high);
  Flag& Between(int64_t low, int64_t high);
  Flag& Between(double low, double high);
  Flag& OneOf(std::vector<std::string> values);
  // The value may be left out if the flag is the last word or comes before another flag;
  // then it is `value`.
  Flag& ValueOr(const char* value);
  // The two may not be given together.
  Flag& Excludes(const Flag& other);

 private:
  CLI::Option* option_;
  CommandLineState* state_;
};

// A command, or qconform itself, before the command line is parsed. Copies refer to the
// same command.
class Command {
 public:
  Command(CLI::App& app, CommandLineState& state) : app_(&app), state_(&state) {}

  Command AddCommand(const std::string& name, const std::string& what);
  // Makes one of its commands mandatory.
  void RequireCommand();
  // Sets the last paragraph of the help; without it that of qconform is used.
  void Footer(const std::string& text);
  // Adds a command line to the help, with what it does.
  void Example(const std::string& line, const std::string& what);
  // Sets the heading in the help for the flags that are added after it.
  void Group(const char* heading);
  // Leaves the command out of the help.
  void Hide();

  // Adds a flag ("--name"; "-n,--name") or an argument ("name") whose value goes to
  // `value`, which has to live as long as the command: a std::string, int, uint64_t,
  // double, optional uint64_t, or a vector of std::string, int or int64_t. The flag of a
  // vector is repeatable and takes one value each time; the argument of a vector takes
  // all that follow. Empty texts and other flags are rejected as values; integers are
  // decimal.
  template <typename Value>
  Flag Add(const std::string& names, Value& value, const std::string& what = "");
  // Adds a flag that calls `take` with its value.
  Flag Add(const std::string& names, std::function<void(const std::string&)> take,
           const std::string& what);
  // Adds a flag for a number of bytes, such as 512MB (units are powers of 2).
  Flag AddSize(const std::string& names, uint64_t& value, const std::string& what);
  // Adds a flag without a value; "!--no-x" among the names sets false.
  Flag AddSwitch(const std::string& names, bool& value, const std::string& what);
  Flag AddSwitch(const std::string& names, std::optional<bool>& value,
                 const std::string& what);

  // Returns whether the flag was given; valid after parsing.
  bool Given(const std::string& name) const;
  // Sets the action of this command; it returns the exit code.
  void Does(std::function<ExitCode()> action);

 private:
  CLI::App* app_;
  CommandLineState* state_;
};

struct ProgramText {
  std::string name;
  std::string description;
  std::string footer;                                         // of the help
  std::string version;                                        // what --version prints
  std::vector<std::pair<std::string, std::string>> examples;  // lines and what they do
};

// Lets `describe` add the commands, parses the command line and runs the chosen command.
// Prints help and errors. Returns the exit code.
ExitCode RunCommandLine(const ProgramText& text, int argc, char** argv,
                        const std::function<void(Command&)>& describe);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_COMMAND_LINE_H_
