#include "reports/report/row_rules.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

#include "oracle/base/text.h"
#include "reports/record/order.h"

namespace qconform {
namespace {

constexpr std::array<std::string_view, 3> kOperandForms = {"inputs", "initializers",
                                                           "parameters"};

class Found {
 public:
  // Adds the sentence unless `right`.
  void Expect(bool right, std::string_view kind, const std::string& sentence) {
    if (!right) found_.push_back({std::string(kind), sentence});
  }
  std::vector<Contradiction> Take() { return std::move(found_); }

 private:
  std::vector<Contradiction> found_;
};

std::string Named(Verdict verdict) { return std::string(VerdictName(verdict)); }

std::string IdOf(const CellRecord& row) {
  return row.op_type + "/" + std::to_string(row.since_version) + "/" +
         Joined(row.types, "-", DataTypeName) + "/" + row.granularity +
         (row.part ? "#" + row.part->name : "");
}

// Whether the case is one of the cell: its id is that of the cell, with an opset_version
// after the since_version, and what follows.
bool IsCaseOf(const CellRecord& row, std::string case_id) {
  const size_t at = case_id.find('@');
  const size_t slash = at == std::string::npos ? at : case_id.find('/', at);
  if (slash != std::string::npos) case_id.erase(at, slash - at);
  return case_id.starts_with(row.cell + "/");
}

void CheckIdentity(const CellRecord& row, const OperatorRecord& record, Found& found) {
  found.Expect(
      row.cell == IdOf(row), "row",
      "its operator, version, types or granularity are not those of its id: they are " +
          IdOf(row));
  found.Expect(row.time_ms >= 0 && row.explain_ms >= 0, "row",
               "expected times of 0 ms or more, got a negative one");
  for (const OpsetRecord& opset : row.opset_versions) {
    found.Expect(opset.opset_version >= row.since_version, "row",
                 "has opset_version " + std::to_string(opset.opset_version) +
                     ", which is before its since_version");
  }
  const int judged_at = row.judged_at_opset_version;
  found.Expect(
      judged_at == 0 || std::any_of(row.opset_versions.begin(), row.opset_versions.end(),
                                    [&](const OpsetRecord& opset) {
                                      return opset.opset_version == judged_at;
                                    }),
      "row",
      "is judged at opset " + std::to_string(judged_at) +
          ", for which it has no verdict");
  for (const FormRecord& form : row.forms) {
    const bool known = std::find(kOperandForms.begin(), kOperandForms.end(), form.form) !=
                       kOperandForms.end();
    found.Expect(
        known && record.Has(form.form), "row",
        "has the operand form '" + form.form + "', which the operator does not have");
  }
  std::set<std::string> tiers;
  for (const FormRecord& form : row.forms) {
    for (const TierRecord& tier : form.tiers) tiers.insert(tier.tier);
  }
  for (const TierCounts& tier : row.tiers) tiers.insert(tier.tier);
  for (const std::string& tier : tiers) {
    found.Expect(IsKnownTier(tier), "row",
                 "has the tier '" + tier + "', which does not exist");
  }
}

void CheckTiers(const CellRecord& row, Found& found) {
  // A case as a whole went wrong, such as one that was answered otherwise when it
  // was asked again.
  const bool failed = std::any_of(
      row.counterexamples.begin(), row.counterexamples.end(),
      [](const Counterexample& example) { return !example.index.has_value(); });
  for (const FormRecord& form : row.forms) {
    for (const TierRecord& tier : form.tiers) {
      int64_t wrong = 0;
      for (const TierCounts& counts : row.tiers) {
        wrong += counts.tier == tier.tier ? counts.mismatches : 0;
      }
      found.Expect(
          tier.verdict != Verdict::kNonconformant || wrong > 0 || failed, "verdict",
          form.form + ", " + tier.tier + " is nonconformant, but no mismatch is counted");
    }
  }
  for (const TierCounts& tier : row.tiers) {
    const auto verdict = TierVerdict(row, tier.tier);
    found.Expect(verdict.has_value(), "verdict",
                 "counts elements of tier " + tier.tier + ", which has no verdict");
    found.Expect(
        tier.mismatches >= 0 && tier.mismatches <= tier.elements && tier.elements >= 0,
        "verdict", "counts more mismatches than elements in tier " + tier.tier);
    found.Expect(tier.mismatches == 0 || (verdict && IsDeviation(*verdict)), "verdict",
                 std::to_string(tier.mismatches) + " elements of tier " + tier.tier +
                     " mismatch, but it is " + (verdict ? Named(*verdict) : "nothing"));
  }
}

void CheckReading(const CellRecord& row, Found& found) {
  bool admissible = false;
  bool partial = false;  // a reading may explain what was answered
  for (const FormRecord& form : row.forms) {
    for (const TierRecord& tier : form.tiers) {
      admissible = admissible || tier.verdict == Verdict::kAdmissible;
      partial = partial || tier.verdict == Verdict::kPartial ||
                tier.verdict == Verdict::kRefusedLegal;
    }
  }
  found.Expect(!admissible || !row.reading.empty(), "verdict",
               "is admissible without a reading");
  found.Expect(row.reading.empty() || admissible || partial || IsDeviation(row.verdict),
               "verdict", "names a reading, but is " + Named(row.verdict));
}

void CheckDeclined(const CellRecord& row, Found& found) {
  const bool counts_fit = row.declined >= 0 && row.refused_legal >= 0 &&
                          row.declined + row.refused_legal <= row.cases;
  found.Expect(counts_fit, "verdict", "declines more cases than there are");
  found.Expect(row.refused_legal == 0 || row.verdict <= Verdict::kRefusedLegal, "verdict",
               "is " + Named(row.verdict) + ", but legal cases were refused");
  const bool shows_declined =
      row.verdict == Verdict::kPartial || row.verdict == Verdict::kUnsupported;
  found.Expect(!shows_declined || row.declined > 0, "verdict",
               "is " + Named(row.verdict) + ", but no case was declined");
  found.Expect(row.verdict != Verdict::kUnsupported || row.declined == row.cases,
               "verdict", "is unsupported, but only some cases were declined");
  found.Expect(row.declined == 0 || row.declined < row.cases ||
                   row.verdict == Verdict::kUnsupported,
               "verdict", "is " + Named(row.verdict) + ", but every case was declined");
}

void CheckVerdict(const CellRecord& row, Found& found) {
  const Verdict derived = CellVerdict(row.forms);
  const bool mistrusted = row.verdict == Verdict::kMistrusted && IsPass(derived);
  const bool error = row.verdict == Verdict::kError && row.forms.empty();
  found.Expect(row.verdict == derived || mistrusted || error, "verdict",
               "is " + Named(row.verdict) + ", but its parts make it " + Named(derived));
  found.Expect(!error || !row.reason.empty(), "verdict",
               "is error, but does not say what failed");
  found.Expect(row.verdict != Verdict::kError || row.forms.empty(), "verdict",
               "is error, but has verdicts of operand forms");
  found.Expect(row.forms.empty() || row.cases > 0, "verdict",
               "is " + Named(row.verdict) + ", but no case was asked");
  found.Expect(row.forms.empty() || !row.opset_versions.empty(), "row",
               "has verdicts, but no opset_versions");
  const bool opset_deviates =
      std::any_of(row.opset_versions.begin(), row.opset_versions.end(),
                  [](const OpsetRecord& opset) { return IsDeviation(opset.verdict); });
  found.Expect(opset_deviates == IsDeviation(derived), "verdict",
               "its verdicts per opset_version do not agree with those per tier");
  const auto passes = [](const VariantRecord& variant) {
    return IsPass(variant.verdict);
  };
  found.Expect(row.variants.empty() ||
                   (!IsPass(derived) && std::ranges::any_of(row.variants, passes) &&
                    !std::ranges::all_of(row.variants, passes)),
               "verdict", "its verdicts per variant do not agree with those per tier");
}

void CheckVaried(const CellRecord& row, Found& found) {
  if (row.varied.empty()) return;
  Verdict worst = row.varied.front().verdict;
  for (const VariedRecord& varied : row.varied) {
    worst = Worst(worst, varied.verdict);
    found.Expect(varied.without.empty() || IsDeviation(varied.verdict), "verdict",
                 "names optimizers that make " + varied.setting + " deviate, but it is " +
                     Named(varied.verdict));
  }
  found.Expect(
      row.verdict == worst, "verdict",
      "is " + Named(row.verdict) + ", but the worst of its settings is " + Named(worst));
}

void CheckEvidence(const CellRecord& row, Found& found) {
  // A cell that refuses legal models shows the first few of them.
  const bool has_evidence =
      IsDeviation(row.verdict) || row.verdict == Verdict::kRefusedLegal;
  found.Expect(!has_evidence || !row.counterexamples.empty(), "counterexample",
               "is " + Named(row.verdict) + " without a counterexample");
  found.Expect(has_evidence || row.counterexamples.empty(), "counterexample",
               "has a counterexample, but is " + Named(row.verdict));
  for (const Counterexample& example : row.counterexamples) {
    found.Expect(
        IsCaseOf(row, example.case_id), "counterexample",
        "shows the case " + example.case_id + ", which does not belong to the cell");
  }
  found.Expect(!row.example || IsCaseOf(row, row.example->case_id), "counterexample",
               "shows a case as an example that does not belong to the cell");
}

// What may become of a model of each kind, crashes and the like apart.
bool CanBe(const NegativeRecord& row) {
  switch (row.result) {
    case NegativeResult::kCrashed:
    case NegativeResult::kTimedOut:
    case NegativeResult::kDeviates:
    case NegativeResult::kError:
      return true;
    case NegativeResult::kRefusedLegal:
    case NegativeResult::kDeclined:
    case NegativeResult::kPass:
      return row.kind == "legal";
    case NegativeResult::kLax:
      return row.kind == "invalid";
    case NegativeResult::kAccepted:
      return row.kind == "open";
    case NegativeResult::kRefused:
      return row.kind != "legal";
  }
  return false;
}

bool HasUnknownVerdict(const CellRecord& row) {
  bool unknown = !IsKnown(row.verdict);
  for (const OpsetRecord& opset : row.opset_versions) {
    unknown = unknown || !IsKnown(opset.verdict);
  }
  for (const FormRecord& form : row.forms) {
    for (const TierRecord& tier : form.tiers) unknown = unknown || !IsKnown(tier.verdict);
  }
  return unknown;
}

Status FirstOf(const std::string& place, const std::string& id,
               const std::vector<Contradiction>& found) {
  if (found.empty()) return Ok();
  return Error{place + ": " + id + ": " + found.front().sentence};
}

}  // namespace

std::vector<Contradiction> ContradictionsIn(const CellRecord& row,
                                            const OperatorRecord& record) {
  Found found;
  CheckIdentity(row, record, found);
  // What a verdict of a later version goes with is not known here.
  if (HasUnknownVerdict(row)) return found.Take();
  CheckVerdict(row, found);
  CheckVaried(row, found);
  CheckTiers(row, found);
  CheckReading(row, found);
  CheckDeclined(row, found);
  CheckEvidence(row, found);
  return found.Take();
}

std::vector<Contradiction> ContradictionsIn(const NegativeRecord& row) {
  Found found;
  constexpr std::array<std::string_view, 3> kKinds = {"invalid", "legal", "open"};
  found.Expect(std::find(kKinds.begin(), kKinds.end(), row.kind) != kKinds.end(), "row",
               "kind: expected invalid, legal or open, got '" + row.kind + "'");
  found.Expect(CanBe(row), "verdict",
               "is " + std::string(NegativeResultName(row.result)) +
                   ", which a model of the kind " + row.kind + " cannot be");
  return found.Take();
}

Status CheckRow(const std::string& place, const CellRecord& row,
                const OperatorRecord& record) {
  return FirstOf(place, row.cell, ContradictionsIn(row, record));
}

Status CheckRow(const std::string& place, const NegativeRecord& row) {
  return FirstOf(place, row.id, ContradictionsIn(row));
}

Status CheckOpsetVersions(const std::string& place, const std::vector<CellRecord>& rows) {
  std::map<std::string, std::set<int>> since;
  for (const CellRecord& row : rows) since[row.op_type].insert(row.since_version);
  for (const CellRecord& row : rows) {
    const std::set<int>& versions = since[row.op_type];
    const auto next = versions.upper_bound(row.since_version);
    if (next == versions.end()) continue;
    for (const OpsetRecord& opset : row.opset_versions) {
      if (opset.opset_version < *next) continue;
      return Error{place + ": " + row.cell + ": has opset_version " +
                   std::to_string(opset.opset_version) + ", which selects " +
                   row.op_type + "-" + std::to_string(*next)};
    }
  }
  return Ok();
}

}  // namespace qconform
