// The commands of qconform and their flags: a thin wrapper around CLI11, whose headers
// take longer to compile than any command. Only command_line.cc includes them.
#ifndef QCONFORM_HARNESS_CLI_COMMAND_LINE_H_
#define QCONFORM_HARNESS_CLI_COMMAND_LINE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reports/record/verdict.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace qconform {

// A flag or an argument that a command takes. Each function returns the same flag.
class Flag {
 public:
  explicit Flag(CLI::Option& option) : option_(&option) {}

  // Sets the placeholder of the value in the help, such as FILE.
  Flag& Type(const char* name);
  Flag& Required();
  // Shows the variable's present value as the default.
  Flag& ShowDefault();
  Flag& ShowDefault(const std::string& text);
  // Bounds of the value, both allowed.
  Flag& Between(int low, int high);
  Flag& Between(int64_t low, int64_t high);
  Flag& Between(double low, double high);
  Flag& OneOf(std::vector<std::string> values);
  // The two may not be given together.
  Flag& Excludes(const Flag& other);

 private:
  CLI::Option* option_;
};

// A command, or qconform itself, before the command line is parsed. Copies refer to the
// same command.
class Command {
 public:
  // `chosen` receives the action of the command that the user chose.
  Command(CLI::App& app, std::function<ExitCode()>& chosen)
      : app_(&app), chosen_(&chosen) {}

  Command AddCommand(const std::string& name, const std::string& what);
  // Makes one of its commands mandatory.
  void RequireCommand();
  // Sets the last paragraph of the help; without it that of qconform is used.
  void Footer(const std::string& text);
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
  std::function<ExitCode()>* chosen_;
};

struct ProgramText {
  std::string name;
  std::string description;
  std::string footer;   // of the help
  std::string version;  // what --version prints
};

// Lets `describe` add the commands, parses the command line and runs the chosen command.
// Prints help and errors. Returns the exit code.
ExitCode RunCommandLine(const ProgramText& text, int argc, char** argv,
                        const std::function<void(Command&)>& describe);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_COMMAND_LINE_H_
