// Judges how a cell changed between two reports: for the diff, and for the page that
// shows two reports. Private to reports.
#ifndef QCONFORM_REPORTS_DIFF_DIFF_CELL_H_
#define QCONFORM_REPORTS_DIFF_DIFF_CELL_H_

#include <optional>
#include <string>
#include <vector>

#include "oracle/base/codec.h"
#include "reports/diff/diff.h"

namespace qconform {

// Collects sentences about differences.
class Differences {
 public:
  void Check(const std::string& what, const std::string& before,
             const std::string& after);
  void Check(const std::string& what, int64_t before, int64_t after);
  void CheckMembers(const std::string& what, const Json& before, const Json& after);
  std::vector<std::string> Take() { return std::move(sentences_); }

 private:
  std::vector<std::string> sentences_;
};

// Facts that two runs have in common.
struct Circumstances {
  bool same_questions = true;  // the same suite, level and seed
  bool same_backend = true;    // as far as is known
  // One report is of version 1.x, in which `invalid_output` also meant `failed`.
  bool failed_is_invalid_output = false;
  // One report is older than 2.1, in which `unsupported` and `partial` also meant
  // `refused_legal`.
  bool refused_legal_is_declined = false;
};

// Returns what a step from one verdict of a cell to another is, if no more is known of
// its rows; nothing if they are the same.
std::optional<ChangeKind> KindOfStep(Verdict before, Verdict after);

// Returns the change between two rows of a cell, of which one may be null; nothing
// if they are the same. Swapped rows give the mirrored kinds.
std::optional<CellChange> JudgeChange(const CellRecord* before, const CellRecord* after,
                                      const Circumstances& circumstances);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_DIFF_DIFF_CELL_H_
