#include <functional>
#include <string>
#include <vector>

#include "harness/cli/help/command_text.h"
#include "oracle/base/text.h"
#include "reports/show/terminal_text.h"

namespace qconform {
namespace {

// Calls `visit` with each command and the words that choose it: "" for the program
// itself, "list", "list cells", ...
void Visit(const CommandText& command, const std::string& path,
           const std::function<void(const CommandText&, const std::string&)>& visit) {
  visit(command, path);
  for (const CommandText& child : command.commands) {
    Visit(child, path.empty() ? child.name : path + " " + child.name, visit);
  }
}

// The words that may follow: flags, subcommands, and the values of arguments.
std::vector<std::string> WordsOf(const CommandText& command) {
  std::vector<std::string> words;
  for (const CommandText& child : command.commands) words.push_back(child.name);
  for (const FlagText& flag : command.flags) {
    const std::vector<std::string>& more = flag.argument ? flag.values : flag.names;
    words.insert(words.end(), more.begin(), more.end());
  }
  return words;
}

bool TakesFiles(const CommandText& command) {
  for (const FlagText& flag : command.flags) {
    if (flag.argument && flag.kind != ValueKind::kText) return true;
  }
  return false;
}

std::string Bash(const CommandText& program) {
  std::string paths;
  std::string words;
  std::string values;
  Visit(program, "", [&](const CommandText& command, const std::string& path) {
    for (const CommandText& child : command.commands) {
      paths += "    " + ShellQuoted((path.empty() ? "" : path + " ") + child.name) +
               ") path=\"$next\" ;;\n";
    }
    words += "    " + ShellQuoted(path) +
             ")\n      words=" + ShellQuoted(Joined(WordsOf(command), " ")) + "\n" +
             (TakesFiles(command) ? "      files=1\n" : "") + "      ;;\n";
    for (const FlagText& flag : command.flags) {
      if (flag.argument || flag.type.empty()) continue;
      const std::string patterns = Joined(flag.names, "|", [&](const std::string& name) {
        return ShellQuoted(path + " " + name);
      });
      const std::string action =
          !flag.values.empty()
              ? "COMPREPLY=($(compgen -W " + ShellQuoted(Joined(flag.values, " ")) +
                    " -- \"$current\"))"
          : flag.kind == ValueKind::kDirectory
              ? "COMPREPLY=($(compgen -d -- \"$current\"))"
          : flag.kind == ValueKind::kFile ? "COMPREPLY=($(compgen -f -- \"$current\"))"
                                          : "COMPREPLY=()";
      values += "    " + patterns + ") " + action + "; return ;;\n";
    }
  });
  return "# Completion of qconform for bash: source this file.\n"
         "_qconform() {\n"
         "  local current=\"${COMP_WORDS[COMP_CWORD]}\" path='' next words='' files=''\n"
         "  local previous=\"${COMP_WORDS[COMP_CWORD-1]}\" i\n"
         "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
         "    next=\"${path:+$path }${COMP_WORDS[i]}\"\n"
         "    case \"$next\" in\n" +
         paths +
         "    esac\n"
         "  done\n"
         "  case \"$path $previous\" in\n" +
         values +
         "  esac\n"
         "  case \"$path\" in\n" +
         words +
         "  esac\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "  if [[ -n $files && $current != -* ]]; then\n"
         "    COMPREPLY+=($(compgen -f -- \"$current\"))\n"
         "  fi\n"
         "}\n"
         "complete -o filenames -F _qconform qconform\n";
}

std::string Zsh(const CommandText& program) {
  // Within the description of _arguments brackets and colons have a meaning.
  const auto escaped = [](const std::string& text) {
    std::string out;
    for (const char c : text) {
      if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
      out += c;
    }
    return out;
  };
  std::string functions;
  Visit(program, "", [&](const CommandText& command, const std::string& path) {
    std::string name = "_qconform";
    for (const std::string& word : Split(path, " ")) {
      if (!word.empty()) name += "__" + word;
    }
    std::string text = name + "() {\n";
    std::string arguments;
    for (const FlagText& flag : command.flags) {
      const std::string action = !flag.values.empty()
                                     ? "(" + Joined(flag.values, " ") + ")"
                                 : flag.kind == ValueKind::kDirectory ? "_files -/"
                                 : flag.kind == ValueKind::kFile      ? "_files"
                                                                      : " ";
      if (flag.argument) {
        arguments +=
            " \\\n    " + ShellQuoted(std::string(flag.repeatable ? "*" : "") + ":" +
                                      escaped(flag.names.front()) + ":" + action);
        continue;
      }
      for (const std::string& flag_name : flag.names) {
        std::string spec = (flag.repeatable ? "*" : "") + flag_name + "[" +
                           escaped(InShort(flag.what)) + "]";
        if (!flag.type.empty()) spec += ":" + escaped(flag.type) + ":" + action;
        arguments += " \\\n    " + ShellQuoted(spec);
      }
    }
    if (command.commands.empty()) {
      functions += text + "  _arguments -s" + arguments + "\n}\n";
      return;
    }
    std::string list;
    std::string cases;
    for (const CommandText& child : command.commands) {
      list += " \\\n    " + ShellQuoted(escaped(child.name) + ":" + InShort(child.what));
      cases += "    " + child.name + ") " + name + "__" + child.name + " ;;\n";
    }
    functions += text + "  local state line\n  local -a commands\n  commands=(" + list +
                 ")\n  _arguments -C" + arguments +
                 " \\\n    '1: :->command' '*:: :->rest'\n  case $state in\n"
                 "  command) _describe command commands ;;\n  rest) case $line[1] in\n" +
                 cases + "    esac ;;\n  esac\n}\n";
  });
  return "#compdef qconform\n# Completion of qconform for zsh: a file _qconform in "
         "$fpath."
         "\n" +
         functions +
         "if [[ $funcstack[1] == _qconform ]]; then\n  _qconform \"$@\"\nelse\n"
         "  compdef _qconform qconform\nfi\n";
}

std::string Fish(const CommandText& program) {
  std::string text =
      "# Completion of qconform for fish: a file qconform.fish in its completions.\n"
      "complete -c qconform -f\n";
  Visit(program, "", [&](const CommandText& command, const std::string& path) {
    std::string condition;
    if (path.empty()) {
      condition = "__fish_use_subcommand";
    } else {
      for (const std::string& word : Split(path, " ")) {
        condition += (condition.empty() ? "" : "; and ") +
                     std::string("__fish_seen_subcommand_from ") + word;
      }
    }
    std::string of_commands = condition;
    if (!path.empty() && !command.commands.empty()) {
      of_commands += "; and not __fish_seen_subcommand_from " +
                     Joined(command.commands, " ",
                            [](const CommandText& child) { return child.name; });
    }
    for (const CommandText& child : command.commands) {
      text += "complete -c qconform -n " + ShellQuoted(of_commands) + " -a " +
              child.name + " -d " + ShellQuoted(InShort(child.what)) + "\n";
    }
    for (const FlagText& flag : command.flags) {
      std::string line = "complete -c qconform -n " + ShellQuoted(condition);
      if (flag.argument) {
        if (flag.values.empty() && flag.kind == ValueKind::kText) continue;
        line +=
            flag.values.empty() ? " -F" : " -a " + ShellQuoted(Joined(flag.values, " "));
        text += line + "\n";
        continue;
      }
      for (const std::string& name : flag.names) {
        line +=
            name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      }
      if (!flag.type.empty()) {
        line += flag.kind == ValueKind::kText ? " -x" : " -r -F";
        if (!flag.values.empty()) line += " -a " + ShellQuoted(Joined(flag.values, " "));
      }
      text += line + " -d " + ShellQuoted(InShort(flag.what)) + "\n";
    }
  });
  return text;
}

}  // namespace

std::vector<std::string> CompletionShells() { return {"bash", "fish", "zsh"}; }

std::string CompletionScript(const CommandText& program, const std::string& shell) {
  if (shell == "zsh") return Zsh(program);
  return shell == "fish" ? Fish(program) : Bash(program);
}

}  // namespace qconform
