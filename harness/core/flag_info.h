// Flags of commands as data: what an operator's own flags are, without a parser.
#ifndef QCONFORM_HARNESS_CORE_FLAG_INFO_H_
#define QCONFORM_HARNESS_CORE_FLAG_INFO_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace qconform {

// What a flag was given, or holds if it is not.
struct FlagValue {
  std::string text{};
  int integer = 0;
  bool is_set = false;  // a switch
  // Of repeatable flags.
  std::vector<std::string> texts{};
  std::vector<int64_t> integers{};
};
using FlagValues = std::map<std::string, FlagValue>;  // by the flag's name

// A flag, or an argument: then its name has no dashes.
struct FlagInfo {
  enum class Form : uint8_t { kText, kTexts, kInteger, kIntegers, kSwitch };
  std::string name;
  std::string help;
  Form form = Form::kText;
  std::string type{};   // stands for the value in the help
  FlagValue initial{};  // its value if none is given
  bool shows_initial = false;
  bool is_required = false;
  std::optional<std::pair<int64_t, int64_t>> bounds{};  // of integers, both allowed
  std::string excludes{};  // the name of a flag before this one
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_FLAG_INFO_H_
