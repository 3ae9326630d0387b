// The oracle's answer: for each element of an output its canonical code, the freedom
// of an implementation, and the kind of question.
#ifndef QCONFORM_ORACLE_CORE_ANSWER_H_
#define QCONFORM_ORACLE_CORE_ANSWER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/base/result.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// Named relaxations of bit equality. The only others are
// ElementAnswer::zero_sign_is_free and Answer::bounds.
enum class Freedom : uint8_t {
  kNone,      // the canonical bits (readings are judged separately)
  kAnyNan,    // any NaN code of the output format
  kAnyCode,   // any code at all
  kSameCode,  // the code that Answer::same_code_as was given, which may be any
  kOneOf,     // one of the codes in Answer::one_of; if one of them is NaN, any NaN
};

// Tiers separate contested inputs from `regular` (G-02). An element belongs to
// the last of these that applies.
enum class Tier : uint8_t {
  kRegular,
  kSubnormal,
  kConversionRange,
  kDegenerateScale,
  kAccumulatorOverflow,
};
inline constexpr int kTierCount = 5;

// Returns "regular", "subnormal", "conversion_range", "degenerate_scale",
// "accumulator_overflow".
std::string_view TierName(Tier tier);

// Features that the coverage counts; bits of ElementAnswer::features.
enum Feature : uint16_t {
  kFeatureTie = 1 << 0,      // the exact value lies halfway between two codes
  kFeatureNearTie = 1 << 1,  // within 2^-16 of the distance of two codes of a tie, no tie
  kFeatureSaturatedLow = 1 << 2,
  kFeatureSaturatedHigh = 1 << 3,
  kFeatureInexact = 1 << 4,          // rounding to the output's type changed the value
  kFeatureQuotientRounded = 1 << 5,  // rounding to an inner type changed the quotient
  kFeatureNan = 1 << 6,              // the value to be rounded is NaN
  kFeatureInfinity = 1 << 7,
  kFeatureZeroResult = 1 << 8,
  kFeatureSubnormalResult = 1 << 9,  // a float target's subnormal
  kFeatureZeroPoint = 1 << 10,       // a zero point other than zero took part
};

// Types of outputs have at most this many bits, because codes of all elements are kept
// with this many: twice that would cost every cell memory that no operator needs yet.
// OracleModel::Evaluate returns an Error for a wider type.
inline constexpr int kMostCodeBits = 32;

struct ElementAnswer {
  uint32_t code = 0;
  Freedom freedom = Freedom::kNone;
  Tier tier = Tier::kRegular;
  uint16_t features = 0;
  // A zero of the other sign is admissible too. Set only if `code` is a zero.
  bool zero_sign_is_free = false;
};

// The codes that an element may have by a reading of which only the possible intermediate
// values are known, such as a sum of values that leaves the range of its type.
struct ArisingCodes {
  bool nan = false;  // any NaN of the output's type; any code if that is an integer
  bool finite = false;
  uint32_t low = 0;  // of finite values; in the order of their values
  uint32_t high = 0;
  bool plus_infinity = false;
  bool minus_infinity = false;
  uint32_t plus_infinity_code = 0;
  uint32_t minus_infinity_code = 0;

  // Whether `code` is one of them.
  bool Hold(DataType type, uint64_t code) const;
};

// The codes between `low` and `high` in the order of their values, both
// included; +0 and -0 are one value.
struct CodeBounds {
  uint32_t low = 0;
  uint32_t high = 0;
  // The same for readings of ReadingSet::Kind::kWider.
  uint32_t wider_low = 0;
  uint32_t wider_high = 0;
  ArisingCodes arising{};  // in addition to these
};

// Returns whether `code` lies between `low` and `high` in that order. Bounds of
// NaN hold every NaN, and nothing else; other bounds hold none.
bool IsWithin(DataType type, uint64_t code, uint64_t low, uint64_t high);

// An element of one of an operator's outputs.
struct OutputElement {
  size_t output = 0;  // position in the schema
  int64_t index = 0;  // row-major
};

struct Answer {
  DataType type = DataType::kUndefined;
  Shape shape;
  std::vector<ElementAnswer> elements;  // row-major
  // One for each element if the ReadingSet was bounded; otherwise empty.
  std::vector<CodeBounds> bounds{};
  // Set if an element is kSameCode: a free element of another output, of the same type.
  // No other answer of the operator names another one.
  std::optional<OutputElement> same_code_as{};
  // Of the elements that are kOneOf, by their index: their codes, ascending.
  std::map<int64_t, std::vector<uint32_t>> one_of{};
};

// Returns the answers of an operator with one output.
Result<std::vector<Answer>> AnswersOf(Result<Answer> answer);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_CORE_ANSWER_H_
