#include "harness/cli/operator_flags.h"

#include <map>
#include <string>

namespace qconform {
namespace {

Flag AddOne(Command& command, const FlagInfo& flag, FlagValue& value) {
  switch (flag.form) {
    case FlagInfo::Form::kTexts:
      return command.Add(flag.name, value.texts, flag.help);
    case FlagInfo::Form::kInteger:
      return command.Add(flag.name, value.integer, flag.help);
    case FlagInfo::Form::kIntegers:
      return command.Add(flag.name, value.integers, flag.help);
    case FlagInfo::Form::kSwitch:
      return command.AddSwitch(flag.name, value.is_set, flag.help);
    case FlagInfo::Form::kText:
      break;
  }
  return command.Add(flag.name, value.text, flag.help);
}

}  // namespace

void AddOperatorFlags(Command& command, const std::vector<FlagInfo>& flags,
                      FlagValues& values) {
  std::map<std::string, Flag> added;
  for (const FlagInfo& flag : flags) {
    FlagValue& value = values[flag.name] = flag.initial;
    Flag one = AddOne(command, flag, value);
    if (flag.bounds) one.Between(flag.bounds->first, flag.bounds->second);
    if (!flag.type.empty()) one.Type(flag.type.c_str());
    if (flag.is_required) one.Required();
    if (flag.shows_initial) one.ShowDefault();
    if (!flag.excludes.empty()) one.Excludes(added.at(flag.excludes));
    added.emplace(flag.name, one);
  }
}

}  // namespace qconform
