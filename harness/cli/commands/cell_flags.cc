#include "harness/cli/commands/cell_flags.h"

#include <algorithm>
#include <utility>

#include "oracle/base/expected.h"
#include "oracle/base/text.h"

namespace qconform {

std::vector<Flag> AddCellFlags(Command& command, CellFlags& flags) {
  Flag graphs = command.AddSwitch(
      "--graphs", flags.graphs,
      "Cells of small graphs instead of operators; so do --operator and --cells that "
      "begin with graphs");
  Flag operators =
      command.Add("--operator", flags.operators,
                  "Only cells of this operator or family of graphs (repeatable)");
  operators.Type("OP_TYPE");
  Flag cells = command.Add(
      "--cells", flags.cells,
      "Only cells whose id matches GLOB (repeatable), such as '*/21/*-INT4/*'");
  cells.Type("GLOB");
  return {graphs, operators, cells};
}

Flag AddProfileFlag(Command& command, CellFlags& flags, const std::string& help) {
  return command.Add("--profile", flags.profile, help).Type("NAME|FILE");
}

void ChosenCells::Describe(SelectionRecord& selection) const {
  selection.cell_patterns = patterns;
  if (profile) selection.profile = SelectionName(*profile);
  selection.cells = static_cast<int64_t>(cells.size());
}

namespace {

// Returns the patterns of the operators; an Error if one of them is not judged.
Result<std::vector<std::string>> OperatorPatterns(
    const std::vector<std::string>& operators) {
  const std::vector<std::string> known = OperatorsAndFamilies();
  std::vector<std::string> patterns;
  for (const std::string& op_type : operators) {
    if (std::ranges::find(known, op_type) == known.end()) {
      return Expected("--operator", "one of " + Joined(known, ", "), "'" + op_type + "'");
    }
    patterns.push_back(op_type + "/*");
  }
  return patterns;
}

// Returns those of `patterns` (all cells if there are none) that `narrower` leaves.
Result<std::vector<std::string>> Narrow(const std::vector<std::string>& patterns,
                                        const std::vector<std::string>& narrower,
                                        const std::string& flag) {
  if (narrower.empty()) return patterns;
  if (patterns.empty()) return narrower;
  return NarrowPatterns(patterns, narrower, flag);
}

}  // namespace

Result<ChosenCells> ChooseCells(const CellFlags& flags) {
  ChosenCells chosen;
  std::vector<std::string> whole;
  if (!flags.profile.empty()) {
    auto profile = FindOrReadProfile(flags.profile, "--profile");
    if (!profile) return profile.error();
    whole = profile->cells;
    chosen.profile = *std::move(profile);
  }
  if (flags.graphs) {
    if (FamiliesInUse().empty()) {
      return Expected("--graphs", "a family of graphs that is judged", "none");
    }
    auto graphs = Narrow(whole, {std::string(kGraphCells)}, "--graphs");
    if (!graphs) return graphs.error();
    whole = *std::move(graphs);
  }
  const auto operators = OperatorPatterns(flags.operators);
  if (!operators) return operators.error();
  const auto narrowed = Narrow(whole, *operators, "--operator");
  if (!narrowed) return narrowed.error();
  auto patterns = Narrow(*narrowed, flags.cells, "--cells");
  if (!patterns) return patterns.error();
  auto cells = SelectCells(*patterns);
  if (!cells) {
    // The flag is what the reader can find.
    constexpr std::string_view kThing = "cell pattern:";
    const std::string& message = cells.error().message;
    if (chosen.profile || !message.starts_with(kThing)) return cells.error();
    return Error{"--cells:" + message.substr(kThing.size())};
  }
  if (chosen.profile) {
    const auto all = SelectCells(chosen.profile->cells);
    if (!all) return all.error();
    if (all->size() != cells->size()) {
      chosen.profile = PartOfProfile(*chosen.profile, *patterns);
    }
    *patterns = chosen.profile->cells;
  }
  chosen.patterns = *std::move(patterns);
  chosen.cells = *std::move(cells);
  return chosen;
}

}  // namespace qconform
