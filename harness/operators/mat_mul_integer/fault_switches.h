// Mistakes of MatMulInteger as switches of one evaluation.
#ifndef QCONFORM_HARNESS_OPERATORS_MAT_MUL_INTEGER_FAULT_SWITCHES_H_
#define QCONFORM_HARNESS_OPERATORS_MAT_MUL_INTEGER_FAULT_SWITCHES_H_

#include <cstdint>

#include "harness/matmul/faulty_sum.h"

namespace qconform {

// Mistakes with one operand; its lines are the rows of A or the columns of B.
struct MatMulIntegerSideSwitches {
  // What is read with the other signedness: UINT8 200 as -56, INT8 -56 as 200.
  enum class OtherSign : uint8_t { kNothing, kOperand, kZeroPoint, kBoth };
  enum class ZeroPoint : uint8_t {
    kSubtracted,
    kIgnored,
    kAdded,
    kOfOtherOperand,
    kOfPreviousCall,  // the first one of the call before
    kAbsentIs128,     // UINT8 without a zero point
  };
  enum class Place : uint8_t {
    kRight,
    kFirst,
    kNext,
    kByOtherLine,    // rows by the column, columns by the row
    kByTerm,         // modulo K's index
    kOfFirstMatrix,  // that of the line in the first matrix of the operand
    kByBatch,        // counted through the matrices of Y
  };
  enum class Difference : uint8_t {
    kExact,
    kWraps8,            // to the type of the operand
    kSaturates8,        // to the type of the operand
    kUnsignedWrapsInt8  // differences of UINT8 are read as INT8
  };
  OtherSign other_sign = OtherSign::kNothing;
  bool moved_by_128 = false;  // codes change their type without their zero points
  ZeroPoint zero_point = ZeroPoint::kSubtracted;
  Place place = Place::kRight;
  Difference difference = Difference::kExact;
  bool transposed = false;  // its memory is read in the other order
  bool transposed_if_square = false;
  bool minimum_is_minus_127 = false;  // of INT8

  friend bool operator==(const MatMulIntegerSideSwitches&,
                         const MatMulIntegerSideSwitches&) = default;
};

struct MatMulIntegerSwitches {
  enum class Batch : uint8_t {
    kRight,
    kFirst,     // every matrix of Y is made of the first ones
    kFirstOfA,  // of the first one of A,
    kFirstOfB,  // of B
    kModulo,    // of those whose index is Y's, modulo their number
  };
  MatMulIntegerSideSwitches a{};
  MatMulIntegerSideSwitches b{};
  FaultySum sum{};
  Batch batch = Batch::kRight;
  bool empty_unwritten = false;     // K = 0: Y keeps what lay there
  bool last_unwritten = false;      // the last element keeps it
  bool last_row_unwritten = false;  // the last row of each matrix, if it has several
  // The other mistakes act only after the last multiple of this many rows or columns.
  int tail_rows = 0;
  int tail_columns = 0;

  friend bool operator==(const MatMulIntegerSwitches&,
                         const MatMulIntegerSwitches&) = default;
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_OPERATORS_MAT_MUL_INTEGER_FAULT_SWITCHES_H_
