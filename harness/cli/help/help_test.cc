// The help of every command, the manual page and the completion: made of the same table.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "../testing/cli_folder.h"
#include "../testing/run_tool.h"
#include "harness/cli/help/command_text.h"
#include "oracle/base/text.h"

namespace qconform {
namespace {

class Help : public CliFolder {
 protected:
  static std::string Of(const std::string& command) {
    return RunTool(command + " --help").output;
  }

  // The commands below this one, as words; "" is the program.
  static std::vector<std::string> Commands(const std::string& above = "") {
    std::vector<std::string> commands{above};
    std::istringstream lines(Of(above));
    bool listed = false;
    for (std::string line; std::getline(lines, line);) {
      if (line == "Commands:") listed = true;
      if (line.empty()) listed = false;
      if (!listed || !line.starts_with("  ") || line[2] == ' ') continue;
      const std::string name = line.substr(2, line.find(' ', 2) - 2);
      const auto below = Commands(above.empty() ? name : above + " " + name);
      commands.insert(commands.end(), below.begin(), below.end());
    }
    return commands;
  }

  // The flags in the help of a command.
  static std::set<std::string> Flags(const std::string& command) {
    std::set<std::string> flags;
    std::istringstream lines(Of(command));
    bool usage = true;  // and examples
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with(" ") && line.ends_with(":")) usage = line == "Examples:";
      if (usage || !line.starts_with("  -")) continue;
      std::istringstream words(line);
      for (std::string word; words >> word && word.starts_with("-");) {
        const bool last = !word.ends_with(',');
        flags.insert(last ? word : word.substr(0, word.size() - 1));
        if (last) break;
      }
    }
    return flags;
  }

  static bool Exists(const std::string& program) {
    return RunTool("--version > /dev/null; command -v " + program).exit_code == 0;
  }
};

TEST_F(Help, Lines_FitEightyColumns_AndCommandsHaveExamples) {
  const std::vector<std::string> commands = Commands();
  EXPECT_GT(commands.size(), 20u);
  for (const std::string& command : commands) {
    const std::string help = Of(command);
    EXPECT_TRUE(Has(help, "\nExamples:\n  qconform ") ||
                Has(help, "\nExamples:\n  source "))
        << command << help;
    EXPECT_TRUE(Has(help, "\nUsage: qconform")) << command;
    EXPECT_TRUE(Has(help, "Exit codes: ")) << command;
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(line.size(), 80u) << command << ": " << line;
      EXPECT_FALSE(line.ends_with(' ')) << command << ": " << line;
    }
  }
}

TEST_F(Help, FollowsANarrowTerminal) {
  if (!Exists("script")) GTEST_SKIP() << "there is no script";
  const Ran ran = RunTool("--version > /dev/null; script -qec 'stty cols 50; " +
                          std::string(QCONFORM_TOOL) + " diff --help' /dev/null");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  std::istringstream lines(ran.output);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 51u) << line;  // with its carriage return
  }
  EXPECT_TRUE(Has(ran.output, "newly_supported_wrong *")) << ran.output;
}

TEST_F(Help, Completion_HasEveryFlagAndCommand) {
  const std::string bash = RunTool("completion bash").output;
  const std::string zsh = RunTool("completion zsh").output;
  const std::string fish = RunTool("completion fish").output;
  for (const std::string& command : Commands()) {
    const std::string last = command.substr(command.rfind(' ') + 1);
    for (const std::string* script : {&bash, &zsh, &fish}) {
      EXPECT_TRUE(Has(*script, last)) << command;
    }
    const size_t at = bash.find("    '" + command + "')\n      words=");
    ASSERT_NE(at, std::string::npos) << command;
    const std::string words = bash.substr(at, bash.find(";;", at) - at);
    const std::set<std::string> flags = Flags(command);
    EXPECT_TRUE(flags.contains("--help")) << command;
    for (const std::string& flag : flags) {
      EXPECT_TRUE(Has(words + " ", flag + " ") || Has(words, flag + "'"))
          << command << flag;
      EXPECT_TRUE(Has(zsh, "'" + flag + "[") || Has(zsh, "'*" + flag + "[")) << flag;
      const std::string name = flag.starts_with("--") ? " -l " + flag.substr(2) + " "
                                                      : " -s " + flag.substr(1) + " ";
      EXPECT_TRUE(Has(fish, name)) << flag;
    }
  }
  EXPECT_EQ(RunTool("completion tcsh").exit_code, 2);
}

TEST_F(Help, Completion_WorksInBash) {
  if (!Exists("bash")) GTEST_SKIP() << "there is no bash";
  const auto complete = [&](const std::vector<std::string>& words) {
    const std::string line =
        Joined(words, " ", [](const std::string& word) { return "'" + word + "'"; });
    return RunTool("--version > /dev/null; bash -c \"source <(" +
                   std::string(QCONFORM_TOOL) + " completion bash); COMP_WORDS=(" + line +
                   "); COMP_CWORD=" + std::to_string(words.size() - 1) +
                   "; _qconform; printf '%s\\n' \\\"\\${COMPREPLY[@]}\\\"\"")
        .output;
  };
  EXPECT_EQ(complete({"qconform", "repl"}), "replay\n");
  EXPECT_EQ(complete({"qconform", "list", "ca"}), "cases\n");
  EXPECT_EQ(complete({"qconform", "run", "--lev"}), "--level\n");
  EXPECT_EQ(complete({"qconform", "run", "--level", "s"}), "smoke\nstandard\n");
  EXPECT_EQ(complete({"qconform", "list", "schema", "f"}), "faults\n");
  EXPECT_TRUE(Has(complete({"qconform", "run", "-"}), "--fail-fast\n"));
}

TEST_F(Help, Scripts_HaveNoSyntaxErrors) {
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    const Ran script = RunTool("completion " + shell + " > " + Path(shell) + " #");
    EXPECT_EQ(script.exit_code, 0);
    if (!Exists(shell)) continue;
    const Ran checked = RunTool("--version > /dev/null; " + shell + " -n " + Path(shell));
    EXPECT_EQ(checked.exit_code, 0) << shell << checked.output;
  }
}

TEST_F(Help, ManualPage_HasEveryFlag) {
  const std::string page = RunTool("help --man").output;
  EXPECT_TRUE(page.starts_with(".TH QCONFORM 1 ")) << page.substr(0, 100);
  for (const std::string& command : Commands()) {
    for (std::string flag : Flags(command)) {
      for (size_t at = 0; (at = flag.find('-', at)) != std::string::npos; at += 2) {
        flag.insert(at, "\\");
      }
      if (!command.empty()) {
        EXPECT_TRUE(Has(page, flag)) << command << flag;
      }
    }
  }
  if (!Exists("groff")) GTEST_SKIP() << "there is no groff";
  const Ran read = RunTool("help --man | groff -man -Tutf8 -ww");
  EXPECT_EQ(read.exit_code, 0) << read.output;
  EXPECT_FALSE(Has(read.output, "warning")) << read.output.substr(0, 500);
}

TEST(HelpText, WrapsWithHangingIndents) {
  CommandText command;
  command.name = "do";
  command.what = "Does it.";
  command.examples = {{"qconform do --flag VALUE --other OTHER_VALUE", "Do it once"}};
  command.flags = {{.names = {"-f", "--flag"},
                    .type = "VALUE",
                    .what = "One two three four five six seven eight nine",
                    .group = "Options",
                    .default_value = "7",
                    .values = {},
                    .bounds = "1 to 9"}};
  command.footer =
      "A line that is too long for this width, so it is wrapped.\n"
      "  item   what it means, at some length, with a hanging indent";
  EXPECT_EQ(HelpText(command, "qconform do", 40),
            "Does it.\n"
            "\n"
            "Usage: qconform do [OPTIONS]\n"
            "\n"
            "Examples:\n"
            "  qconform do --flag VALUE --other \\\n"
            "      OTHER_VALUE\n"
            "      Do it once\n"
            "\n"
            "Options:\n"
            "  -f, --flag VALUE\n"
            "        One two three four five six\n"
            "        seven eight nine; 1 to 9 [7]\n"
            "\n"
            "A line that is too long for this width,\n"
            "so it is wrapped.\n"
            "  item   what it means, at some length,\n"
            "         with a hanging indent\n");
}

}  // namespace
}  // namespace qconform
