// Decoders and rounders of all data types, made once: a generator decodes and
// rounds millions of codes.
#ifndef QCONFORM_CASES_CORE_PREPARED_FORMATS_H_
#define QCONFORM_CASES_CORE_PREPARED_FORMATS_H_

#include <cstdint>

#include "oracle/formats/number_format.h"
#include "oracle/formats/prepared.h"

namespace qconform::generators {

struct PreparedFormat {
  explicit PreparedFormat(const NumberFormat& format);

  Decoder decode;
  // Nearest even; what lies beyond the range becomes the largest finite value.
  Rounder nearest;
  // The same for y, with any rounding.
  Rounder away;
  Rounder toward_zero;
  // SEMANTICS' round_P: nearest even, overflow to infinity (integers saturate).
  Rounder to_precision;
  Rounder to_precision_toward_zero;
  // Codes in the order of their values. Floats: magnitudes up to infinity.
  bool is_float = false;
  uint64_t sign_bit = 0;
  int64_t low = 0;
  int64_t high = 0;
  uint64_t code_mask = 0;
};

// Precondition: a format of FormatOf.
const PreparedFormat& Prepared(const NumberFormat& format);

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_CORE_PREPARED_FORMATS_H_
