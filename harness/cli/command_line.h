// The commands of qconform and their flags: a thin face of CLI11, whose headers take
// longer to compile than any command. Only command_line.cc reads them.
#ifndef QCONFORM_HARNESS_CLI_COMMAND_LINE_H_
#define QCONFORM_HARNESS_CLI_COMMAND_LINE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace qconform {

// A flag or an argument that a command takes. Each function returns the same flag.
class Flag {
 public:
  explicit Flag(CLI::Option& option) : option_(&option) {}

  // What stands for the value in the help, such as FILE.
  Flag& Type(const char* name);
  Flag& Required();
  // The help shows what the variable holds now.
  Flag& ShowDefault();
  Flag& ShowDefault(const std::string& text);
  // Bounds of the value, both allowed.
  Flag& Between(int low, int high);
  Flag& Between(int64_t low, int64_t high);
  Flag& Between(double low, double high);
  Flag& OneOf(std::vector<std::string> values);
  // The other may not be given beside this one.
  Flag& Excludes(const Flag& other);

 private:
  CLI::Option* option_;
};

// A command, or qconform itself, while it is described: before the command line is
// parsed. A handle: copies are the same command.
class Command {
 public:
  // `chosen` is where the chosen command's action goes.
  Command(CLI::App& app, std::function<int()>& chosen) : app_(&app), chosen_(&chosen) {}

  Command AddCommand(const std::string& name, const std::string& what);
  // One of its commands has to be given.
  void RequireCommand();
  // Ends the help, instead of what ends that of qconform.
  void Footer(const std::string& text);
  // The help does not tell of it.
  void Hide();

  // Adds a flag ("--name"; "-n,--name") or an argument ("name") whose value goes to
  // `value`, which has to live as long as the command. A vector's flag is repeatable
  // and takes one value each time; a vector's argument takes all that follow. An empty
  // text is no value, nor is another flag; integers are decimal.
  Flag Add(const std::string& names, std::string& value, const std::string& what = "");
  Flag Add(const std::string& names, std::vector<std::string>& value,
           const std::string& what);
  Flag Add(const std::string& names, int& value, const std::string& what);
  Flag Add(const std::string& names, std::vector<int>& value, const std::string& what);
  Flag Add(const std::string& names, std::vector<int64_t>& value,
           const std::string& what);
  Flag Add(const std::string& names, uint64_t& value, const std::string& what);
  Flag Add(const std::string& names, std::optional<uint64_t>& value,
           const std::string& what);
  Flag Add(const std::string& names, double& value, const std::string& what);
  // A flag whose value `take` is called with.
  Flag Add(const std::string& names, std::function<void(const std::string&)> take,
           const std::string& what);
  // A number of bytes, such as 512MB (units are powers of 2).
  Flag AddSize(const std::string& names, uint64_t& value, const std::string& what);
  // A flag without a value; "!--no-x" among the names sets false.
  Flag AddSwitch(const std::string& names, bool& value, const std::string& what);
  Flag AddSwitch(const std::string& names, std::optional<bool>& value,
                 const std::string& what);

  // True, after parsing, where the flag was given.
  bool Given(const std::string& name) const;
  // What runs if this command is chosen; it returns the exit code.
  void Does(std::function<int()> action);

 private:
  CLI::App* app_;
  std::function<int()>* chosen_;
};

struct ProgramText {
  std::string name;
  std::string description;
  std::string footer;   // of the help
  std::string version;  // what --version prints
};

// Describes the program by `describe`, parses the command line and runs the chosen
// command. Returns the exit code; help and mistakes are printed.
int RunCommandLine(const ProgramText& text, int argc, char** argv,
                   const std::function<void(Command&)>& describe);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_COMMAND_LINE_H_
