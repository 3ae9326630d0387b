#include "reports/diff/finding_changes.h"

#include <algorithm>
#include <set>
#include <utility>

#include "oracle/base/text.h"
#include "reports/record/evidence.h"

namespace qconform {
namespace {

// Of the kinds of a cell, those that may be about a finding of one of the reports, or
// both.
bool IsAbout(ChangeKind kind, bool in_before, bool in_after) {
  switch (kind) {
    case ChangeKind::kFixed:
    case ChangeKind::kNoLongerSupported:
    case ChangeKind::kNoLongerAsked:
      return in_before;
    case ChangeKind::kRegressed:
    case ChangeKind::kNewlySupportedWrong:
    case ChangeKind::kNewlyAsked:
      return in_after;
    case ChangeKind::kNewlySupportedRight:
      return false;
    case ChangeKind::kJudgedOtherwise:
    case ChangeKind::kOtherAnswers:
    case ChangeKind::kOtherWords:
      return true;
  }
  return true;
}

std::string FromTo(int64_t before, int64_t after) {
  if (before == after) return GroupedDigits(after);
  return GroupedDigits(before) + " -> " + GroupedDigits(after);
}

}  // namespace

void AddToFindings(std::span<const ChangeKind> kinds,
                   const std::vector<FindingId>& before,
                   const std::vector<FindingId>& after, FindingChanges* changes) {
  const auto has = [](const std::vector<FindingId>& ids, const FindingId& id) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
  };
  std::set<FindingId> all(before.begin(), before.end());
  all.insert(after.begin(), after.end());
  for (const FindingId& id : all) {
    for (const ChangeKind kind : kinds) {
      if (IsAbout(kind, has(before, id), has(after, id))) ++(*changes)[id].cells[kind];
    }
  }
  for (const FindingId& old_id : before) {
    for (const FindingId& new_id : after) {
      if (has(after, old_id) || has(before, new_id) || !new_id.IsOtherNameOf(old_id)) {
        continue;
      }
      (*changes)[old_id].replaced_by.insert(new_id.Text());
      (*changes)[new_id].replaces.insert(old_id.Text());
    }
  }
}

std::vector<FindingChange> ThoseThatChanged(FindingChanges changes, int64_t* unchanged) {
  std::vector<FindingChange> changed;
  for (auto& [id, change] : changes) {
    change.finding = id.Text();
    // Other words for its cells' answers are no change of the finding.
    const bool words =
        change.cells.size() == 1 && change.cells.contains(ChangeKind::kOtherWords);
    const bool same = (change.cells.empty() || words) && change.replaced_by.empty() &&
                      change.replaces.empty() &&
                      change.cells_before == change.cells_after &&
                      change.elements_before == change.elements_after;
    if (same) {
      ++*unchanged;
    } else {
      changed.push_back(std::move(change));
    }
  }
  std::stable_sort(changed.begin(), changed.end(),
                   [](const FindingChange& a, const FindingChange& b) {
                     return std::max(a.cells_before, a.cells_after) >
                            std::max(b.cells_before, b.cells_after);
                   });
  return changed;
}

std::string FindingState(const FindingChange& change) {
  if (change.cells_before == 0) return change.replaces.empty() ? "new" : "renamed";
  if (change.cells_after == 0) {
    const bool fixed = change.cells.contains(ChangeKind::kFixed) &&
                       change.cells.at(ChangeKind::kFixed) == change.cells_before;
    if (fixed) return "fixed wholly";
    return change.replaced_by.empty() ? "gone" : "renamed";
  }
  const bool fixed = change.cells.contains(ChangeKind::kFixed);
  const bool worse = change.cells.contains(ChangeKind::kRegressed) ||
                     change.cells.contains(ChangeKind::kNewlySupportedWrong);
  const bool less = change.cells_after <= change.cells_before &&
                    change.elements_after <= change.elements_before;
  const bool more = change.cells_after >= change.cells_before &&
                    change.elements_after >= change.elements_before;
  if (fixed && !worse && less) return "fixed in part";
  return worse && !fixed && more ? "worse" : "changed";
}

std::string FindingSentence(const FindingChange& change) {
  std::string text = "cells " + FromTo(change.cells_before, change.cells_after);
  if (change.elements_before > 0 || change.elements_after > 0) {
    text += ", wrong elements " + FromTo(change.elements_before, change.elements_after);
  }
  std::string kinds;
  for (const auto& [kind, count] : change.cells) {
    kinds += (kinds.empty() ? "; of its cells " : "; ") + GroupedDigits(count) + " " +
             std::string(ChangeKindWords(kind));
  }
  text += kinds;
  if (!change.replaced_by.empty()) text += "; now " + Joined(change.replaced_by, ", ");
  if (!change.replaces.empty()) text += "; was " + Joined(change.replaces, ", ");
  return text;
}

}  // namespace qconform
