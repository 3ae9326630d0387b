#include "harness/runner/vary/variation.h"

#include <algorithm>
#include <utility>

#include "reports/record/verdict.h"

namespace qconform {
namespace {

// Whether what was answered is right, be it all or enough of it or not.
bool IsRight(Verdict verdict) {
  return IsPass(verdict) || verdict == Verdict::kPartial ||
         verdict == Verdict::kMistrusted;
}

bool IsIn(const std::string& name, const Names& names) {
  return std::ranges::find(names, name) != names.end();
}

// Adds the cases of the counterexamples. Returns whether any is new.
bool AddCases(const CellRecord& record, std::vector<std::string>& cases) {
  const size_t before = cases.size();
  for (const Counterexample& example : record.counterexamples) {
    if (!IsIn(example.case_id, cases)) cases.push_back(example.case_id);
  }
  return cases.size() > before;
}

// Looks for the optimizers of one cell at one setting.
class Search {
 public:
  Search(const Variation& at, const CellQuestions& ask, const CellRecord& record)
      : at_(at), ask_(ask) {
    AddCases(record, cases_);
  }

  // Checks that the cases show the deviation by themselves, and forgets them if not.
  Status CheckCases() {
    if (cases_.empty()) return Ok();
    const auto right = ask_.cases(*at_.backend, cases_);
    if (!right) return right.error();
    if (*right) cases_.clear();
    return Ok();
  }

  // Returns the smallest set of these names without which the cell is right, or nothing;
  // each of the first `alone` is tried by itself.
  Result<std::optional<Names>> Find(const Names& names, size_t alone) {
    while (!cases_.empty()) {
      auto found = FindMinimalSet(names, alone, [&](const Names& off) -> Result<bool> {
        auto backend = at_.optimizers->Without(off);
        if (!backend) return backend.error();
        return ask_.cases(**backend, cases_);
      });
      if (!found || !*found) return found;
      const auto right = IsCellRight(**found);
      if (!right) return right.error();
      if (*right) return found;
      if (!new_cases_) break;
    }
    return FindMinimalSet(names, alone,
                          [&](const Names& off) { return IsCellRight(off); });
  }

 private:
  // Whether the whole cell is right without these optimizers. If it is not, its
  // counterexamples join the cases.
  Result<bool> IsCellRight(const Names& off) {
    new_cases_ = false;
    auto backend = at_.optimizers->Without(off);
    if (!backend) return backend.error();
    if (!cases_.empty()) {
      const auto right = ask_.cases(**backend, cases_);
      if (!right) return right.error();
      if (!*right) return false;
    }
    const auto record = ask_.cell(**backend);
    if (!record) return record.error();
    if (!record->has_value()) return false;  // stopped
    if (IsRight((*record)->verdict)) return true;
    new_cases_ = !cases_.empty() && AddCases(**record, cases_);
    return false;
  }

  const Variation& at_;
  const CellQuestions& ask_;
  // The ids of cases that deviate; empty: only the whole cell decides.
  std::vector<std::string> cases_;
  bool new_cases_ = false;
};

}  // namespace

Status FindOptimizers(const std::vector<VariedRecord>& all, const Variation& at,
                      const CellQuestions& ask, const CellRecord& record,
                      VariedRecord& varied) {
  const auto is_right = [](const VariedRecord& other) { return IsRight(other.verdict); };
  if (!IsDeviation(varied.verdict) || std::ranges::none_of(all, is_right)) return Ok();
  const auto names = at.optimizers->AllNames();
  if (!names) {
    varied.not_found = "optimizers not searched: " + names.error().message;
    return Ok();
  }
  Search search(at, ask, record);
  if (const Status checked = search.CheckCases(); !checked) return checked;
  // Mostly the same optimizers are to blame at each setting that applies them.
  for (const VariedRecord& other : all) {
    const auto is_name = [&](const std::string& name) { return IsIn(name, *names); };
    if (other.without.empty() || !std::ranges::all_of(other.without, is_name)) continue;
    const auto found = search.Find(other.without, 0);
    if (!found) return found.error();
    if (!*found) continue;
    varied.without = **found;
    return Ok();
  }
  const auto found = search.Find(*names, at.optimizers->alone());
  if (!found) return found.error();
  if (*found) {
    varied.without = **found;
  } else {
    varied.not_found = "deviates with all " + std::to_string(names->size()) +
                       " optimizers switched off by name";
  }
  return Ok();
}

CellRecord Combine(std::vector<CellRecord> records, std::vector<VariedRecord> varied) {
  size_t worst = 0;
  double time_ms = 0;
  double explain_ms = 0;
  for (size_t i = 0; i < records.size(); ++i) {
    if (records[i].verdict <= records[worst].verdict) worst = i;
    time_ms += records[i].time_ms;
    explain_ms += records[i].explain_ms;
  }
  CellRecord record = std::move(records[worst]);
  record.time_ms = time_ms;
  record.explain_ms = explain_ms;
  record.varied = std::move(varied);
  return record;
}

}  // namespace qconform
