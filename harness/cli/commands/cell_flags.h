// The flags that choose the cells of a command: --profile, --graphs, --operator and
// --cells.
#ifndef QCONFORM_HARNESS_CLI_COMMANDS_CELL_FLAGS_H_
#define QCONFORM_HARNESS_CLI_COMMANDS_CELL_FLAGS_H_

#include <optional>
#include <string>
#include <vector>

#include "cases/profiles/profile.h"
#include "harness/cli/command_line.h"
#include "harness/runner/selection.h"
#include "oracle/base/result.h"
#include "reports/record/record.h"

namespace qconform {

struct CellFlags {
  std::string profile;                 // a name or FILE; empty: none
  bool graphs = false;                 // families of graphs instead of operators
  std::vector<std::string> operators;  // op_types and families; empty: all
  std::vector<std::string> cells;      // patterns; empty: all

  bool Given() const { return graphs || Narrowed(); }
  // Whether some cells are left out, be they of operators or of graphs.
  bool Narrowed() const {
    return !profile.empty() || !operators.empty() || !cells.empty();
  }
};

// Adds --graphs, --operator and --cells, and returns them.
std::vector<Flag> AddCellFlags(Command& command, CellFlags& flags);
// Adds --profile; `help` says what the profile is for.
Flag AddProfileFlag(Command& command, CellFlags& flags, const std::string& help);

struct ChosenCells {
  std::vector<SelectedCell> cells;
  std::vector<std::string> patterns;  // that select them; empty: all of operators
  std::optional<Profile> profile;     // already narrowed

  // Fills in the patterns, the profile and the number of cells.
  void Describe(SelectionRecord& selection) const;
};

// Returns the cells that match every flag that was given. An Error names the flag, or the
// pattern that matches nothing.
Result<ChosenCells> ChooseCells(const CellFlags& flags);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_COMMANDS_CELL_FLAGS_H_
