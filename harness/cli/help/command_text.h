// The commands of a program and their flags as plain data. Help, man page and completion
// are made from it, so that they cannot differ.
#ifndef QCONFORM_HARNESS_CLI_HELP_COMMAND_TEXT_H_
#define QCONFORM_HARNESS_CLI_HELP_COMMAND_TEXT_H_

#include <string>
#include <vector>

namespace qconform {

// What a shell offers for a value.
enum class ValueKind { kText, kFile, kDirectory };

struct FlagText {
  std::vector<std::string> names;  // "-o", "--report"; of an argument its one name
  std::string type;                // of the value, such as FILE; empty: a switch
  std::string what;
  std::string group;          // the heading in the help
  std::string default_value;  // empty: not shown
  std::vector<std::string> values;
  std::string bounds;  // "1 to 1024"; empty: none
  ValueKind kind = ValueKind::kText;
  bool argument = false;  // given by its place, without a name
  bool required = false;
  bool repeatable = false;
};

struct Example {
  std::string line;
  std::string what;
};

struct CommandText {
  std::string name;
  std::string what;  // paragraphs; the first line says it in short
  std::vector<Example> examples;
  std::vector<FlagText> flags;
  std::vector<CommandText> commands;  // without hidden ones
  std::string footer;
};

// Returns what a command or flag does in short: the first sentence.
std::string InShort(const std::string& what);
// Returns what to type for a flag: "-o, --report FILE".
std::string NamesOf(const FlagText& flag);
// Returns all that is to be said about a flag: what it does, its values and its default.
std::string WhatOf(const FlagText& flag);

// Returns the help of a command in lines of at most `width` columns. `path` is what to
// type to get to it, such as "qconform list cells".
std::string HelpText(const CommandText& command, const std::string& path, int width);

// Returns the manual page of the program with all its commands, in roff.
std::string ManPage(const CommandText& program, const std::string& version);

// The shells that CompletionScript knows.
std::vector<std::string> CompletionShells();
// Returns the script that completes the program's command line in that shell.
std::string CompletionScript(const CommandText& program, const std::string& shell);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_HELP_COMMAND_TEXT_H_
