// What elements of a composition may be besides their canonical codes (GR-02).
#ifndef QCONFORM_ORACLE_GRAPHS_CODE_SETS_H_
#define QCONFORM_ORACLE_GRAPHS_CODE_SETS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>

#include "oracle/core/answer.h"
#include "oracle/graphs/composition.h"
#include "oracle/graphs/wiring.h"

namespace qconform {

// More combinations of operands' codes than this are not tried, and more codes are not
// kept: the element is free.
inline constexpr size_t kMostCombinedCodes = 4096;

// Whether other codes than the canonical one may be meant.
bool IsSet(const ElementAnswer& element);
bool HasSets(const ComposedValue& value);

// The tier of an element, and the last of those of all elements.
Tier TierOf(const ComposedValue& value, int64_t index);
Tier LastTier(const ComposedValue& value);

// The codes that an element may have; nothing: any, and they are too many.
std::optional<CodeSet> PossibleCodes(const ComposedValue& value, int64_t index);

// What an element may be by all that its operands may be.
class CodeUnion {
 public:
  explicit CodeUnion(DataType type) : type_(type) {}

  void Add(const ElementAnswer& element, uint64_t code) {
    if (element.freedom == Freedom::kAnyCode || element.freedom == Freedom::kSameCode) {
      any_ = true;
      return;
    }
    codes_.insert(code);
    zero_sign_is_free_ = zero_sign_is_free_ || element.zero_sign_is_free;
    any_ = any_ || codes_.size() > kMostCombinedCodes;
  }
  void AddAny() { any_ = true; }
  bool is_any() const { return any_; }

  // Gives the element the freedom that follows.
  void Put(int64_t index, ComposedValue& value) const;

 private:
  DataType type_;
  std::set<uint64_t> codes_;
  bool any_ = false;
  bool zero_sign_is_free_ = false;
};

// Calls `visit` with each wired element that an element is made of.
template <typename Visit>
inline void ForEachSource(const Wiring& wiring, size_t output, size_t index,
                          const Visit& visit) {
  const WiredOutput& wired = wiring.outputs[output];
  for (size_t s = wired.first[index]; s < wired.first[index + 1]; ++s) {
    visit(wired.sources[s]);
  }
  if (!wired.bias.empty()) visit(wired.bias[index]);
  if (wiring.low) visit(*wiring.low);
  if (wiring.high) visit(*wiring.high);
}

}  // namespace qconform

#endif  // QCONFORM_ORACLE_GRAPHS_CODE_SETS_H_
