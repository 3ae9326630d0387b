// The tensors that the judge takes, and its answers.
#ifndef QCONFORM_ORACLE_EXACT_ANSWER_H_
#define QCONFORM_ORACLE_EXACT_ANSWER_H_

#include <cstdint>
#include <vector>

#include "oracle/exact/value.h"

namespace qconform::exact {

// One code per element, row-major, never packed.
struct Codes {
  int type = 0;  // a number of TensorProto.DataType
  std::vector<int64_t> shape;
  std::vector<uint64_t> codes;
};

// The freedom of an implementation in an element.
enum class Freedom : uint8_t {
  kNone,
  kAnyNan,    // any NaN code (QL-23)
  kAnyZero,   // zero of either sign (MM-12)
  kAnyCode,   // QL-12, QL-26, QL-28, MM-01b
  kSameCode,  // the code that a free element of another output was given (DYN-06)
};

// G-02. If several apply, the last one counts.
enum class Tier : uint8_t {
  kRegular,
  kSubnormal,
  kConversionRange,
  kDegenerateScale,
  kAccumulatorOverflow,
};

struct Element {
  uint64_t code = 0;
  Freedom freedom = Freedom::kNone;
  Tier tier = Tier::kRegular;
};

struct Answer {
  int type = 0;
  std::vector<int64_t> shape;
  std::vector<Element> elements;
};

}  // namespace qconform::exact

#endif  // QCONFORM_ORACLE_EXACT_ANSWER_H_
