// The result of one negative model: a model that is invalid, one that is legal
// although it looks odd, or one of which the text leaves open which it is.
//
// A backend that accepts an invalid model is `lax`, which is never a deviation: the
// text forbids the model, but does not oblige a backend to notice.
#ifndef QCONFORM_REPORTS_RECORD_NEGATIVE_RECORD_H_
#define QCONFORM_REPORTS_RECORD_NEGATIVE_RECORD_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace qconform {

// Worst first; the first three are deviations.
enum class NegativeResult : uint8_t {
  kCrashed,
  kTimedOut,
  kDeviates,      // a legal model failed or was answered wrongly, or memory was overrun
  kError,         // the harness could not judge it; not counted
  kRefusedLegal,  // a legal model was refused as invalid
  kDeclined,      // a legal model was declined
  kLax,           // an invalid model was accepted
  kAccepted,      // an open model was accepted
  kRefused,       // an invalid or open model was refused
  kPass,          // a legal model was answered rightly
};
inline constexpr int kNegativeResultCount = 10;

std::span<const NegativeResult> AllNegativeResults();
// "crashed", "timed_out", "deviates", "error", "refused_legal", "declined", "lax", ...
std::string_view NegativeResultName(NegativeResult result);
std::optional<NegativeResult> ParseNegativeResult(std::string_view name);
bool IsDeviation(NegativeResult result);

struct NegativeRecord {
  std::string id;
  std::string kind;  // "invalid", "legal", "open"
  std::string clause;
  std::string op_type;
  int opset_version = 0;
  std::string phase;  // in which it can be noticed: "checker", ..., "none"
  NegativeResult result = NegativeResult::kRefused;
  std::string text;  // the backend's message, or its answer

  friend bool operator==(const NegativeRecord&, const NegativeRecord&) = default;
};

// By operator, opset_version, then id.
void SortNegative(std::vector<NegativeRecord>* records);

bool AnyDeviates(const std::vector<NegativeRecord>& records);

// Returns "12 lax", "150 refused", ...: results that occur, worst first.
std::vector<std::string> NegativeCounts(const std::vector<NegativeRecord>& records);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_RECORD_NEGATIVE_RECORD_H_
