#include "reports/record/negative_record.h"

#include <algorithm>
#include <tuple>

namespace qconform {
namespace {

constexpr std::array<NegativeResult, kNegativeResultCount> kResults{
    NegativeResult::kCrashed, NegativeResult::kTimedOut,     NegativeResult::kDeviates,
    NegativeResult::kError,   NegativeResult::kRefusedLegal, NegativeResult::kDeclined,
    NegativeResult::kLax,     NegativeResult::kAccepted,     NegativeResult::kRefused,
    NegativeResult::kPass};
constexpr std::array<std::string_view, kNegativeResultCount> kNames{
    "crashed",  "timed_out", "deviates", "error",   "refused_legal",
    "declined", "lax",       "accepted", "refused", "pass"};

}  // namespace

std::span<const NegativeResult> AllNegativeResults() { return kResults; }

std::string_view NegativeResultName(NegativeResult result) {
  return kNames[static_cast<size_t>(result)];
}

std::optional<NegativeResult> ParseNegativeResult(std::string_view name) {
  for (const NegativeResult result : kResults) {
    if (NegativeResultName(result) == name) return result;
  }
  return std::nullopt;
}

bool IsDeviation(NegativeResult result) { return result <= NegativeResult::kDeviates; }

void SortNegative(std::vector<NegativeRecord>* records) {
  std::sort(records->begin(), records->end(),
            [](const NegativeRecord& a, const NegativeRecord& b) {
              return std::tie(a.op_type, a.opset_version, a.id) <
                     std::tie(b.op_type, b.opset_version, b.id);
            });
}

bool AnyDeviates(const std::vector<NegativeRecord>& records) {
  return std::any_of(records.begin(), records.end(), [](const NegativeRecord& record) {
    return IsDeviation(record.result);
  });
}

std::vector<std::string> NegativeCounts(const std::vector<NegativeRecord>& records) {
  std::array<int64_t, kNegativeResultCount> counts{};
  for (const NegativeRecord& record : records) {
    ++counts[static_cast<size_t>(record.result)];
  }
  std::vector<std::string> texts;
  for (const NegativeResult result : kResults) {
    const int64_t count = counts[static_cast<size_t>(result)];
    if (count == 0) continue;
    texts.push_back(std::to_string(count) + " " +
                    std::string(NegativeResultName(result)));
  }
  return texts;
}

}  // namespace qconform
