// What elements of a graph may be, gathered from the combinations of what their operands
// may be (GR-02).
#ifndef QCONFORM_ORACLE_EXACT_GRAPHS_POSSIBLE_H_
#define QCONFORM_ORACLE_EXACT_GRAPHS_POSSIBLE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "oracle/exact/format.h"
#include "oracle/exact/graphs/compose.h"

namespace qconform::exact {

using GraphOperands = std::vector<std::optional<GraphTensor>>;

// More combinations of possible operands than these are not followed (GR-02).
inline constexpr size_t kMostCombinations = 4096;

bool IsFloat(int type);
// Returns the code of -0. Precondition: the type has one.
uint64_t MinusZero(int type);
bool IsZeroCode(int type, uint64_t code);

// Gathers what an element may be. The first code that is added is the canonical one.
class Gathering {
 public:
  void Add(uint64_t code) {
    if (is_empty_) result_.code = code;
    is_empty_ = false;
    codes_.insert(code);
  }
  void AddAnyNan(uint64_t code) {
    if (is_empty_) result_.code = code;
    is_empty_ = false;
    result_.any_nan = true;
  }
  void AddAnyCode(uint64_t code) {
    if (is_empty_) result_.code = code;
    is_empty_ = false;
    result_.any_code = true;
  }
  void AddTier(Tier tier) { result_.tier = std::max(result_.tier, tier); }
  // Precondition: something was added.
  GraphElement Result(int type) &&;

 private:
  GraphElement result_;
  std::set<uint64_t> codes_;
  bool is_empty_ = true;
};

// Any code of a narrow type is one of a finite set (GR-02).
bool IsFinite(int type, const GraphElement& element);

// Returns all codes that stand for what an element may be; one stands for all NaN.
// Precondition: they are finite.
std::vector<uint64_t> Representatives(int type, const GraphElement& element);

// Adds a rounded result, with the freedom that float nodes leave.
void AddRounded(const Format& format, const Value& exact, bool zero_is_free,
                Gathering& to);

}  // namespace qconform::exact

#endif  // QCONFORM_ORACLE_EXACT_GRAPHS_POSSIBLE_H_
