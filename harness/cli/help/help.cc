#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "harness/cli/help/command_text.h"
#include "oracle/base/text.h"

namespace qconform {
namespace {

// Descriptions begin in this column, if the screen is wide enough.
constexpr size_t kColumn = 26;
constexpr size_t kNarrow = 64;

// Returns the words in lines of at most `width` columns; the first begins with `first`,
// the others with `indent`.
std::string Filled(const std::string& text, size_t width, std::string first,
                   const std::string& indent) {
  std::string lines;
  std::string line = std::move(first);
  bool empty = true;  // of words
  for (const std::string& word : Split(text, " ")) {
    if (word.empty()) continue;
    if (!empty && line.size() + 1 + word.size() > width) {
      lines += line + "\n";
      line = indent;
      empty = true;
    }
    line += (empty ? "" : " ") + word;
    empty = false;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return lines + line + "\n";
}

// Where the text of a line such as "  name   what it is" begins: after two blanks, or
// else after the indentation.
size_t HangingIndent(const std::string& line) {
  const size_t start = std::min(line.find_first_not_of(' '), line.size());
  const size_t gap = line.find("  ", start);
  return gap == std::string::npos
             ? start
             : std::min(line.find_first_not_of(' ', gap), line.size());
}

// Returns the text as it is if it fits; otherwise lines that belong together are filled
// anew. Indented lines stay lines of their own.
std::string Reflowed(const std::string& text, size_t width) {
  const std::vector<std::string> lines = Split(text, "\n");
  if (std::ranges::all_of(
          lines, [&](const std::string& line) { return line.size() <= width; })) {
    return text + "\n";
  }
  constexpr size_t kContinues = 12;  // more blanks: the line before goes on
  std::vector<std::string> items;
  bool open = false;  // the last item may go on in the next line
  for (const std::string& line : lines) {
    const size_t blanks = std::min(line.find_first_not_of(' '), line.size());
    const bool joins = open && !line.empty() && !items.empty() &&
                       (blanks >= kContinues || (blanks == 0 && items.back()[0] != ' '));
    if (joins) {
      items.back() += " " + line.substr(blanks);
    } else {
      items.push_back(line);
    }
    open = !line.empty();
  }
  std::string filled;
  for (const std::string& item : items) {
    const size_t hanging = HangingIndent(item);
    if (item.size() <= width) {
      filled += item + "\n";
    } else if (hanging > width / 2) {
      filled +=
          Filled(item, width, std::string(item.find_first_not_of(' '), ' '), "    ");
    } else {
      filled += Filled(item.substr(hanging), width, item.substr(0, hanging),
                       std::string(hanging, ' '));
    }
  }
  return filled;
}

std::string Row(const std::string& name, const std::string& what, size_t width) {
  const size_t column = width < kNarrow ? 8 : kColumn;
  std::string first = "  " + name;
  std::string text;
  if (first.size() + 2 > column) {
    text = Filled(name, width, "  ", "      ");
    if (what.empty()) return text;
    first = "";
  }
  first.resize(column, ' ');
  return text + Filled(what, width, first, std::string(column, ' '));
}

std::string Usage(const CommandText& command, const std::string& path, size_t width) {
  std::string usage;
  if (!command.flags.empty()) usage += " [OPTIONS]";
  for (const FlagText& flag : command.flags) {
    if (!flag.argument) continue;
    const std::string name = flag.names.front() + (flag.repeatable ? "..." : "");
    usage += flag.required ? " " + name : " [" + name + "]";
  }
  if (!command.commands.empty()) usage += " COMMAND";
  return Filled(path + usage, width, "Usage: ", "           ");
}

}  // namespace

std::string InShort(const std::string& what) {
  std::string text = what.substr(0, what.find("\n\n"));
  std::ranges::replace(text, '\n', ' ');
  text = text.substr(0, text.find(". "));
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string NamesOf(const FlagText& flag) {
  return Joined(flag.names, ", ") +
         (flag.argument || flag.type.empty() ? "" : " " + flag.type);
}

std::string WhatOf(const FlagText& flag) {
  std::string what = flag.what;
  const auto add = [&](const std::string& text) {
    what += (what.empty() ? "" : "; ") + text;
  };
  if (!flag.values.empty()) add("one of " + Joined(flag.values, ", "));
  if (!flag.bounds.empty()) add(flag.bounds);
  if (!flag.default_value.empty()) what += " [" + flag.default_value + "]";
  return what;
}

std::string HelpText(const CommandText& command, const std::string& path, int columns) {
  const auto width = static_cast<size_t>(columns);
  std::string text = Reflowed(command.what, width) + "\n" + Usage(command, path, width);
  if (!command.examples.empty()) text += "\nExamples:\n";
  for (const Example& example : command.examples) {
    // A line to type goes on after a backslash.
    std::string line = Filled(example.line, width - 2, "  ", "      ");
    for (size_t end = line.find('\n'); end + 1 < line.size();
         end = line.find('\n', end)) {
      line.replace(end, 1, " \\\n");
      end += 3;
    }
    text += line + Filled(example.what, width, "      ", "      ");
  }
  std::vector<std::string> groups;
  for (const FlagText& flag : command.flags) {
    if (std::ranges::find(groups, flag.group) == groups.end())
      groups.push_back(flag.group);
  }
  std::stable_partition(groups.begin(), groups.end(),
                        [](const auto& g) { return g == "Arguments"; });
  for (const std::string& group : groups) {
    text += "\n" + group + ":\n";
    for (const FlagText& flag : command.flags) {
      if (flag.group == group) text += Row(NamesOf(flag), WhatOf(flag), width);
    }
  }
  if (!command.commands.empty()) text += "\nCommands:\n";
  for (const CommandText& child : command.commands) {
    text += Row(child.name, InShort(child.what), width);
  }
  if (!command.footer.empty()) text += "\n" + Reflowed(command.footer, width);
  return text;
}

}  // namespace qconform
