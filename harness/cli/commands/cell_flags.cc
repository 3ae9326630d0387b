#include "harness/cli/commands/cell_flags.h"

#include <utility>

namespace qconform {

void AddCellFlags(Command& command, CellFlags& flags) {
  command
      .Add("--cells", flags.cells,
           "Only cells whose id matches GLOB (repeatable), such as '*/21/*-INT4/*'")
      .Type("GLOB");
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

// Returns the profile that --profile names, or the part of it that --cells selects.
Result<Profile> ChooseProfile(const CellFlags& flags) {
  auto profile = FindOrReadProfile(flags.profile, "--profile");
  if (!profile || flags.cells.empty()) return profile;
  const auto patterns = NarrowPatterns(profile->cells, flags.cells, "--cells");
  if (!patterns) return patterns.error();
  const auto part = SelectCells(*patterns);
  if (!part) return part.error();
  const auto whole = SelectCells(profile->cells);
  if (!whole) return whole.error();
  if (part->size() == whole->size()) return profile;
  return PartOfProfile(*profile, *patterns);
}

}  // namespace

Result<ChosenCells> ChooseCells(const CellFlags& flags) {
  ChosenCells chosen;
  chosen.patterns = flags.cells;
  if (!flags.profile.empty()) {
    auto profile = ChooseProfile(flags);
    if (!profile) return profile.error();
    chosen.patterns = profile->cells;
    chosen.profile = *std::move(profile);
  }
  auto cells = SelectCells(chosen.patterns);
  if (!cells) return cells.error();
  chosen.cells = *std::move(cells);
  return chosen;
}

}  // namespace qconform
