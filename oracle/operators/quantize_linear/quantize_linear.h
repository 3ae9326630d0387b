// QuantizeLinear, the definition that every other implementation is compared
// with, bit for bit.
//
//   y = saturate(round_half_even(round_P(x / y_scale)) + y_zero_point)      (1)
//
// ONNX QuantizeLinear, since_version 10, 13, 19, 21, 23, 24, 25, 28. Clauses QL-01
// to QL-52, G-01 and G-02: docs/semantics.md and oracle/core/clauses.h.
#ifndef QCONFORM_ORACLE_OPERATORS_QUANTIZE_LINEAR_QUANTIZE_LINEAR_H_
#define QCONFORM_ORACLE_OPERATORS_QUANTIZE_LINEAR_QUANTIZE_LINEAR_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "oracle/base/result.h"
#include "oracle/core/operator.h"
#include "oracle/core/target.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// The definitions of the operator, ascending.
std::span<const int> QuantizeLinearSinceVersions();

// The attributes as the node has them; absent ones have the schema's default.
struct QuantizeLinearAttributes {
  std::optional<int64_t> axis{};  // default 1
  int64_t block_size = 0;
  int64_t saturate = 1;
  int64_t output_dtype = 0;  // a number of TensorProto.DataType
  int64_t precision = 0;     // the same
};

struct QuantizeLinearProblem {
  int since_version = 0;
  TensorView x{};
  TensorView y_scale{};
  std::optional<TensorView> y_zero_point{};
  QuantizeLinearAttributes attributes{};
};

// Which reading of each open parametric clause is followed. The defaults are
// the canonical ones. Names are SEMANTICS' own.
struct QuantizeLinearReadings {
  // QL-02, QL-03, QL-04, QL-06, QL-07, QL-09: how the quotient comes about.
  enum class Quotient : uint8_t {
    kCanonical,
    kF64Division,          // QL-02, QL-03, QL-04, QL-07: P = DOUBLE
    kF32Quotient,          // QL-04, QL-06: P = FLOAT
    kXTypeDivision,        // QL-06, QL-07: P = the type of x
    kUnconvertedOperands,  // QL-03, QL-09: exact quotient, rounded once to P
    // G-01: QL-06 or QL-07 together with QL-09.
    kF32QuotientUnconverted,
    kXTypeDivisionUnconverted,
  };
  using FloatZeroPoint = qconform::FloatZeroPoint;  // QL-24
  Quotient quotient = Quotient::kCanonical;
  FloatZeroPoint float_zero_point = FloatZeroPoint::kCanonical;
  bool zero_point_added = false;  // QL-20a: sign of a zero result is that of q + zp
  // QL-20a: the same where zp is missing, and is +0 then (QL-30). Whoever adds that one
  // adds a zero point that is present: zero_point_added is set as well.
  bool missing_zero_point_added = false;
  // QL-22: the first since 24, the second before; where it is the canonical reading, each
  // is without effect.
  bool fnuz_infinity_nan = false;
  bool fnuz_infinity_largest = false;
  bool zero_sign_dropped = false;  // QL-26, QL-28: formats without NaN give +0 for -0

  friend bool operator==(const QuantizeLinearReadings&,
                         const QuantizeLinearReadings&) = default;
};

// The one number that ReadingSet::code holds; 0 for the canonical readings.
uint64_t EncodeReadings(const QuantizeLinearReadings& readings);
QuantizeLinearReadings DecodeQuantizeLinearReadings(uint64_t code);

// Returns the readings that are not canonical, in the order of the ledger's report. The
// types decide which clause a reading is of.
std::vector<Reading> NamesOf(const QuantizeLinearReadings& readings, int since_version,
                             DataType x, DataType y_scale, DataType y);

// Returns the same spelled: "canonical", "QL-04:f32_quotient+QL-24:zero_point_ignored".
std::string ReadingsName(const QuantizeLinearReadings& readings, int since_version,
                         DataType x, DataType y_scale, DataType y);

// Returns every combination of readings that the clauses allow for these types
// and attributes, the canonical one first (G-01). A reading that is the same
// function as one before it for all operands of these types is left out. `precision` as
// in the node.
std::vector<QuantizeLinearReadings> ReadingCombinations(int since_version, DataType x,
                                                        DataType y_scale, DataType y,
                                                        int64_t precision);

// Returns those that ReadingCombinations leaves out, for models without `precision`. A
// reading that comes together with another one (QL-09) and is the canonical one then is
// among them. Readings that are for other types of x (QL-06, QL-07) are not.
std::vector<ReadingLeftOut> ReadingsLeftOut(int since_version, DataType x,
                                            DataType y_scale, DataType y);

// QL-30 to QL-34: whether the specification defines the model. Open: QL-33; invalid:
// QL-34.
ModelValidity Validate(const QuantizeLinearProblem& problem);

// Returns y. Open models (QL-33) are answered with their plain meaning; an
// Error, citing the clause, where the model is invalid.
Result<Answer> EvaluateQuantizeLinear(const QuantizeLinearProblem& problem,
                                      const QuantizeLinearReadings& readings = {});

}  // namespace qconform

#endif  // QCONFORM_ORACLE_OPERATORS_QUANTIZE_LINEAR_QUANTIZE_LINEAR_H_
