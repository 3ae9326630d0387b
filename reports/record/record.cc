#include "reports/record/record.h"

#include <algorithm>

#include "oracle/base/sha256.h"
#include "oracle/base/text.h"

namespace qconform {
namespace {

bool UnsupportedThroughout(const FormRecord& form) {
  return std::all_of(form.tiers.begin(), form.tiers.end(), [](const TierRecord& tier) {
    return tier.verdict == Verdict::kUnsupported;
  });
}

// The worst verdict over the tiers that `wanted` picks, leaving out the forms
// that are unsupported throughout where another one is not.
template <typename Wanted>
std::optional<Verdict> WorstOf(const std::vector<FormRecord>& forms, Wanted wanted) {
  const bool any_supported =
      !std::all_of(forms.begin(), forms.end(), UnsupportedThroughout);
  std::optional<Verdict> worst;
  for (const FormRecord& form : forms) {
    if (any_supported && UnsupportedThroughout(form)) continue;
    for (const TierRecord& tier : form.tiers) {
      if (wanted(tier)) worst = Worst(worst.value_or(tier.verdict), tier.verdict);
    }
  }
  return worst;
}

}  // namespace

std::string LibraryDigest(const std::map<std::string, std::string>& details) {
  const auto found = details.find(kLibraryDetail);
  const bool known = found != details.end() && IsSha256Hex(found->second);
  return known ? found->second : "";
}

void AddMachine(MachineRecord& machine, const MachineRecord& other) {
  if (other != machine) machine.cpu_model = "several";
  if (other.cpu_features != machine.cpu_features) machine.cpu_features.clear();
}

std::string WithoutFolder(const std::string& backend) {
  for (const std::string kind : {"plugin:", "py:"}) {
    if (!backend.starts_with(kind)) continue;
    // After the module of py: come its class and options, which may have slashes too.
    const size_t end =
        kind == "py:" ? backend.find_first_of(":,", kind.size()) : std::string::npos;
    const size_t slash = backend.rfind('/', end);
    if (slash != std::string::npos) return kind + backend.substr(slash + 1);
  }
  return backend;
}

std::string BoundOnlyTier::Text() const {
  return tier + ": explained by a bound only; each element also follows " +
         Joined(readings, " or ");
}

std::string Observation::Text() const {
  std::string text = clause + " " + input_class + ":";
  if (!behaviours.empty()) text += " " + Joined(behaviours, ", ");
  if (!varies_with.empty()) text += "; varies with " + Joined(varies_with, ", ");
  return text;
}

int64_t CellRecord::elements() const {
  int64_t sum = 0;
  for (const TierCounts& tier : tiers) sum += tier.elements;
  return sum;
}

const VariedRecord* CellRecord::judged_setting() const {
  const VariedRecord* worst = nullptr;
  for (const VariedRecord& at : varied) {
    if (worst == nullptr || at.verdict <= worst->verdict) worst = &at;
  }
  return worst;
}

int64_t CellRecord::mismatches() const {
  int64_t sum = 0;
  for (const TierCounts& tier : tiers) sum += tier.mismatches;
  return sum;
}

Verdict CellVerdict(const std::vector<FormRecord>& forms) {
  return WorstOf(forms, [](const TierRecord&) { return true; })
      .value_or(Verdict::kUntested);
}

std::optional<Verdict> TierVerdict(const CellRecord& cell, std::string_view tier) {
  return WorstOf(cell.forms,
                 [tier](const TierRecord& record) { return record.tier == tier; });
}

}  // namespace qconform
