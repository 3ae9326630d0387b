// QuantizeLinear, by the judge: rational arithmetic, one element at a time.
//
//   y = saturate(round_half_even(round_P(x / y_scale)) + y_zero_point)
//
// Clauses QL-01 to QL-40, G-01 and G-02 of docs/semantics.md. Models are not
// validated; open ones (QL-33) get their plain meaning.
#ifndef QCONFORM_ORACLE_EXACT_OPERATORS_QUANTIZE_LINEAR_QUANTIZE_LINEAR_H_
#define QCONFORM_ORACLE_EXACT_OPERATORS_QUANTIZE_LINEAR_QUANTIZE_LINEAR_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "oracle/exact/answer.h"
#include "oracle/exact/target.h"

namespace qconform::exact {

struct QuantizeLinearInput {
  int since_version = 0;
  Codes x;
  Codes y_scale;
  std::optional<Codes> y_zero_point;
  int64_t axis = 1;
  int64_t block_size = 0;
  int64_t saturate = 1;
  int64_t output_dtype = 0;
  int64_t precision = 0;
};

// The precision P of the division, where a clause leaves it open.
enum class DivisionPrecision : uint8_t {
  kCanonical,
  kF64Division,    // QL-02, QL-03, QL-04, QL-07: DOUBLE
  kF32Quotient,    // QL-04, QL-06: FLOAT
  kXTypeDivision,  // QL-06, QL-07: the type of x
};

struct QuantizeLinearReadings {
  DivisionPrecision division = DivisionPrecision::kCanonical;
  // QL-03, QL-09: the exact quotient of the operands as they are, rounded once
  // to P. Combines with `division` (G-01).
  bool unconverted_operands = false;
  TargetReadings target = {};

  friend bool operator==(const QuantizeLinearReadings&,
                         const QuantizeLinearReadings&) = default;
};

// A precision P that a clause admits for the division.
struct Division {
  DivisionPrecision name = DivisionPrecision::kCanonical;
  const Format* p = nullptr;  // null: the quotient stays exact (QL-06)
  // Does P lack a number of the operand's type?
  bool rounds_x = false;
  bool rounds_y_scale = false;
};

// Returns every P that the clauses admit for these types (numbers of
// TensorProto.DataType) and this `precision`, the canonical one first.
std::vector<Division> Divisions(int since_version, int x, int y_scale, int64_t precision);

// Returns all combinations that the clauses allow for these types and this
// `precision`, the canonical one first (G-01). Readings that cannot apply to the
// types are left out; two of the rest may still be one function.
std::vector<QuantizeLinearReadings> AllowedReadings(int since_version, int x, int y_scale,
                                                    int y, int64_t precision);

// Returns the type of y (QL-30).
int OutputType(const QuantizeLinearInput& input);

// Returns y. The tier of an element does not follow the reading: it belongs to
// the question, and is the last of those that any admitted P gives (G-02).
// Preconditions: the types are those of the since_version; the reading's P is
// one of Divisions; x has as many codes
// as its shape says; y_scale is a scalar, [1], [D_axis] (1 for rank-1 x means
// axis 0) or a blocked scale; y_zero_point's shape is y_scale's or one element.
Answer QuantizeLinear(const QuantizeLinearInput& input,
                      const QuantizeLinearReadings& readings = {});

}  // namespace qconform::exact

#endif  // QCONFORM_ORACLE_EXACT_OPERATORS_QUANTIZE_LINEAR_QUANTIZE_LINEAR_H_
