// What became of findings from one report to the next: for the diff of two reports, and
// for the history of several. Private to reports.
#ifndef QCONFORM_REPORTS_DIFF_FINDING_CHANGES_H_
#define QCONFORM_REPORTS_DIFF_FINDING_CHANGES_H_

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "reports/diff/diff.h"
#include "reports/record/finding.h"

namespace qconform {

using FindingChanges = std::map<FindingId, FindingChange>;

// Says what became of the findings of a cell that changed in these ways.
void AddToFindings(std::span<const ChangeKind> kinds,
                   const std::vector<FindingId>& before,
                   const std::vector<FindingId>& after, FindingChanges* changes);

// Returns the findings that changed, of most cells first, and counts the others.
std::vector<FindingChange> ThoseThatChanged(FindingChanges changes, int64_t* unchanged);

// Returns "new", "gone", "renamed" if another diagnosis stands in its place, or what its
// cells and elements came to: "fixed wholly", "fixed in part", "worse", "changed".
std::string FindingState(const FindingChange& change);

// Returns "cells 40 -> 30, wrong elements 17 997 -> 322; of its cells 12 fixed".
std::string FindingSentence(const FindingChange& change);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_DIFF_FINDING_CHANGES_H_
