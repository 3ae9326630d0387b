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

}  // namespace

Status FindOptimizers(const std::vector<VariedRecord>& all, OptimizerSwitches& optimizers,
                      const AskCell& ask, VariedRecord& varied) {
  const auto is_right = [](const VariedRecord& other) { return IsRight(other.verdict); };
  if (!IsDeviation(varied.verdict) || std::ranges::none_of(all, is_right)) return Ok();
  const auto names = optimizers.AllNames();
  if (!names) {
    varied.not_found = "optimizers not searched: " + names.error().message;
    return Ok();
  }
  const Passes passes = [&](const Names& off) -> Result<bool> {
    auto backend = optimizers.Without(off);
    if (!backend) return backend.error();
    auto record = ask(**backend);
    if (!record) return record.error();
    return record->has_value() && IsRight((*record)->verdict);
  };
  // One optimizer is mostly to blame at each setting that applies it.
  for (const VariedRecord& other : all) {
    if (other.without.size() != 1 || !IsIn(other.without[0], *names)) continue;
    const auto passed = passes(other.without);
    if (!passed) return passed.error();
    if (!*passed) continue;
    varied.without = other.without;
    return Ok();
  }
  const auto found = FindMinimalSet(*names, optimizers.alone(), passes);
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
