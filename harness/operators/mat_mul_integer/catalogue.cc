// The catalogue of MatMulInteger's faults.
#include "harness/core/common_faults.h"
#include "harness/operators/mat_mul_integer/faults.h"

namespace qconform::mat_mul_integer {
namespace {

namespace common = common_faults;

using M = MatMulIntegerSwitches;
using S = MatMulIntegerSideSwitches;
using Kind = FaultySum::Kind;

struct Facts {
  explicit Facts(const Cell& cell)
      : a(cell.types[0]),
        b(cell.types[1]),
        per_row(cell.granularity.starts_with("per_row-")),
        per_column(cell.granularity.ends_with("-per_column")) {}

  DataType a = DataType::kUndefined;
  DataType b = DataType::kUndefined;
  bool per_row = false;
  bool per_column = false;
};

struct Add {
  std::vector<OperatorFault>& faults;

  void operator()(FaultText text, M switches,
                  Declaration (*declare)(const Facts&) = nullptr) const {
    OperatorFault fault{.text = text, .set = switches};
    if (declare != nullptr) {
      fault.declare = [declare](const Cell& cell) { return declare(Facts(cell)); };
    }
    faults.push_back(std::move(fault));
  }
};

Declaration Rows(const Facts& f) {
  if (f.per_row) return Deviates();
  return Equivalent("A has one zero point");
}

Declaration Columns(const Facts& f) {
  if (f.per_column) return Deviates();
  return Equivalent("B has one zero point");
}

Declaration UnsignedA(const Facts& f) {
  if (f.a == DataType::kUint8) return Deviates();
  return Equivalent("it acts on UINT8 A");
}

Declaration UnsignedB(const Facts& f) {
  if (f.b == DataType::kUint8) return Deviates();
  return Equivalent("it acts on UINT8 B");
}

// Mistakes in how products are added.
void AddSums(const Add& add) {
  const auto of = [](Kind kind) { return M{.sum = {.kind = kind}}; };
  add(common::kInt16SaturatingProducts, of(Kind::kPairsSaturate16));
  add(common::kInt16WrappingProducts, of(Kind::kWrap16));
  add(common::kWrappingSubtraction, of(Kind::kWrapDifferences));
  add(common::kInt8SaturatingSubtraction, of(Kind::kSaturateDifferences8));
  add(common::kInt16Accumulator, of(Kind::kSaturate16));
  add({"int16_output", "The sum saturates to INT16.",
       "kernels that store what a quantized layer needs"},
      of(Kind::kOutputSaturates16));
  add(common::kInt24Accumulator, of(Kind::kWrap24));
  add({"int32_saturating_accumulator",
       "The running sum saturates to INT32, though the sum fits."},
      of(Kind::kSaturate32));
  add({"int32_saturating_codes",
       "The running sum of the products of codes saturates to INT32, before zero points "
       "are corrected.",
       "VPDPBUSDS"},
      of(Kind::kCodesSaturate32));
  add({"float_accumulator", "The running sum is rounded to FLOAT.",
       "float matrix products that stand in for integer ones; WebGL"},
      of(Kind::kFloat));
  add({"sum_through_float", "The sum is rounded to FLOAT.", "casts to FLOAT and back"},
      of(Kind::kThroughFloat));
  add({"float16_accumulator", "The running sum is rounded to FLOAT16.",
       "matrix engines in FLOAT16 mode"},
      of(Kind::kFloat16));
  add(common::kBfloat16Accumulator, of(Kind::kBfloat16));
  add(common::kTermTailLost4, {.sum = {.lost_tail = 4}});
  add(common::kTermTailLost16, {.sum = {.lost_tail = 16}});
  add({"k_tail_lost_64", "Products after the last multiple of 64 in K do not count.",
       "tiles of matrix extensions without a tail"},
      {.sum = {.lost_tail = 64}});
  add({"last_term_lost", "The last product does not count.",
       "loops that end one too early"},
      {.sum = {.lost_last = true}});
  add(common::kEmptySumUnwritten, {.empty_unwritten = true});
}

// Mistakes in how zero points are corrected.
void AddZeroPoints(const Add& add) {
  using Z = S::ZeroPoint;
  add(common::kAZeroPointMissing, {.a = {.zero_point = Z::kIgnored}});
  add(common::kBZeroPointMissing, {.b = {.zero_point = Z::kIgnored}});
  add(common::kZeroPointsMissing,
      {.a = {.zero_point = Z::kIgnored}, .b = {.zero_point = Z::kIgnored}});
  add({"a_zero_point_added", "a_zero_point is added.",
       "kernels that want the negated zero point"},
      {.a = {.zero_point = Z::kAdded}});
  add({"b_zero_point_added", "b_zero_point is added.",
       "kernels that want the negated zero point"},
      {.b = {.zero_point = Z::kAdded}});
  add({"zero_points_swapped",
       "The zero point of each operand is subtracted from the other."},
      {.a = {.zero_point = Z::kOfOtherOperand}, .b = {.zero_point = Z::kOfOtherOperand}});
  add({"a_zero_point_for_both", "a_zero_point is subtracted from B, too."},
      {.b = {.zero_point = Z::kOfOtherOperand}});
  add(common::kCrossTermMissing, {.sum = {.no_cross_term = true}});
  add(common::kCrossTermSubtracted, {.sum = {.cross_term_subtracted = true}});
  add({"cross_term_padded_4",
       "The correction by both zero points counts K rounded up to a multiple of 4.",
       "packed operands whose padding is corrected, but not subtracted"},
      {.sum = {.padded_cross_term = 4}});
  add({"cross_term_padded_32",
       "The correction by both zero points counts K rounded up to a multiple of 32.",
       "packed operands whose padding is corrected, but not subtracted"},
      {.sum = {.padded_cross_term = 32}});
  add(common::kTermTailUncorrected8, {.sum = {.uncorrected_tail = 8}});
  add({"column_tail_uncorrected_16",
       "After the last multiple of 16 columns b_zero_point is not subtracted.",
       "a scalar loop after the vectors"},
      {.b = {.zero_point = Z::kIgnored}, .tail_columns = 16});
  add({"row_tail_uncorrected_4",
       "After the last multiple of 4 rows a_zero_point is not subtracted.",
       "a loop over single rows after the tiles"},
      {.a = {.zero_point = Z::kIgnored}, .tail_rows = 4});
  add({"absent_a_zero_point_is_128", "Without a zero point, that of UINT8 A is 128."},
      {.a = {.zero_point = Z::kAbsentIs128}}, [](const Facts& f) {
        if (f.a == DataType::kUint8 && !f.per_row) return Deviates();
        return Equivalent("A has a zero point, or is INT8");
      });
  add({"absent_b_zero_point_is_128", "Without a zero point, that of UINT8 B is 128."},
      {.b = {.zero_point = Z::kAbsentIs128}}, [](const Facts& f) {
        if (f.b == DataType::kUint8 && !f.per_column) return Deviates();
        return Equivalent("B has a zero point, or is INT8");
      });
  add({"a_difference_wraps", "A - a_zero_point wraps to the type of A.",
       "a subtraction before the conversion to INT32"},
      {.a = {.difference = S::Difference::kWraps8}});
  add({"b_difference_wraps", "B - b_zero_point wraps to the type of B.",
       "a subtraction before the conversion to INT32"},
      {.b = {.difference = S::Difference::kWraps8}});
  add({"a_difference_saturates", "A - a_zero_point saturates to the type of A."},
      {.a = {.difference = S::Difference::kSaturates8}});
  add({"b_difference_saturates", "B - b_zero_point saturates to the type of B.",
       "weights that are made symmetric before the product"},
      {.b = {.difference = S::Difference::kSaturates8}});
  add({"a_difference_as_int8", "The differences of UINT8 A wrap to INT8.",
       "engines of signed products only"},
      {.a = {.difference = S::Difference::kUnsignedWrapsInt8}}, UnsignedA);
  add({"b_difference_as_int8", "The differences of UINT8 B wrap to INT8.",
       "engines of signed products only"},
      {.b = {.difference = S::Difference::kUnsignedWrapsInt8}}, UnsignedB);
}

// Mistakes in how codes are read.
void AddCodes(const Add& add) {
  using O = S::OtherSign;
  const std::string_view seen = "one kernel for both types";
  add({"a_sign_confused", "A is read with the other signedness, UINT8 200 as -56.", seen},
      {.a = {.other_sign = O::kOperand}});
  add({"b_sign_confused", "B is read with the other signedness, UINT8 200 as -56.", seen},
      {.b = {.other_sign = O::kOperand}});
  add({"a_zero_point_sign_confused", "a_zero_point is read with the other signedness.",
       seen},
      {.a = {.other_sign = O::kZeroPoint}});
  add({"b_zero_point_sign_confused", "b_zero_point is read with the other signedness.",
       seen},
      {.b = {.other_sign = O::kZeroPoint}});
  add({"all_of_a_sign_confused", "A and a_zero_point are read with the other signedness.",
       seen},
      {.a = {.other_sign = O::kBoth}});
  add({"all_of_b_sign_confused", "B and b_zero_point are read with the other signedness.",
       seen},
      {.b = {.other_sign = O::kBoth}});
  add({"a_moved_without_zero_point",
       "The codes of A are moved by 128 to the other type, and a_zero_point is not.",
       "instructions that want one signedness"},
      {.a = {.moved_by_128 = true}});
  add({"b_moved_without_zero_point",
       "The codes of B are moved by 128 to the other type, and b_zero_point is not.",
       "instructions that want one signedness"},
      {.b = {.moved_by_128 = true}});
  add({"a_transposed", "The memory of A is read as [K, M]."},
      {.a = {.transposed = true}});
  add({"b_transposed", "The memory of B is read as [N, K].",
       "weights that are packed twice"},
      {.b = {.transposed = true}});
  add({"b_transposed_if_square", "A square B is read as its transpose.",
       "layouts that are told by shapes"},
      {.b = {.transposed_if_square = true}});
  add(common::kBMinimumIsMinus127, {.b = {.minimum_is_minus_127 = true}},
      [](const Facts& f) {
        if (f.b == DataType::kInt8) return Deviates();
        return Equivalent("it acts on INT8 B");
      });
}

// Mistakes in which zero point a row or column takes, and which matrices meet.
void AddPlaces(const Add& add) {
  using P = S::Place;
  add(common::kFirstRowZeroPointForAll, {.a = {.place = P::kFirst}}, Rows);
  add({"next_row_zero_point", "Every row takes the zero point after its own."},
      {.a = {.place = P::kNext}}, Rows);
  add({"row_zero_point_by_column", "The zero point of A is chosen by the column of Y."},
      {.a = {.place = P::kByOtherLine}}, Rows);
  add({"row_zero_point_by_term", "The zero point of A is chosen by the index along K.",
       "[M] subtracted from [M, K] as NumPy broadcasts it: ONNX's reference evaluator"},
      {.a = {.place = P::kByTerm}}, Rows);
  add(common::kFirstColumnZeroPointForAll, {.b = {.place = P::kFirst}}, Columns);
  add(common::kNextColumnZeroPoint, {.b = {.place = P::kNext}}, Columns);
  add({"column_zero_point_by_row", "The zero point of B is chosen by the row of Y."},
      {.b = {.place = P::kByOtherLine}}, Columns);
  add({"column_zero_point_by_term",
       "The zero point of B is chosen by the index along K."},
      {.b = {.place = P::kByTerm}}, Columns);
  add({"row_zero_points_of_first_matrix",
       "The rows of all matrices take the zero points of the first one of A."},
      {.a = {.place = P::kOfFirstMatrix}}, Rows);
  add({"column_zero_points_of_first_matrix",
       "The columns of all matrices take the zero points of the first one of B.",
       "kernels that hoist them out of the loop over the batch"},
      {.b = {.place = P::kOfFirstMatrix}}, Columns);
  add({"row_zero_points_by_batch",
       "The zero points of A are counted through the batch of Y, not through A's."},
      {.a = {.place = P::kByBatch}}, Rows);
  add({"column_zero_points_by_batch",
       "The zero points of B are counted through the batch of Y, not through B's."},
      {.b = {.place = P::kByBatch}}, Columns);
  add(common::kFirstBatchForAll, {.batch = M::Batch::kFirst});
  add({"first_matrix_of_a_for_all", "All matrices of Y are made of the first one of A."},
      {.batch = M::Batch::kFirstOfA});
  add({"first_matrix_of_b_for_all", "All matrices of Y are made of the first one of B.",
       "kernels for constant weights"},
      {.batch = M::Batch::kFirstOfB});
  add({"batch_index_modulo",
       "The matrices of an operand are counted modulo their number in place of "
       "broadcasting."},
      {.batch = M::Batch::kModulo});
  add(common::kLastElementUnwritten, {.last_unwritten = true});
  add({"last_row_unwritten", "The last of several rows of a matrix is not written.",
       "tiles of two rows without a tail"},
      {.last_row_unwritten = true});
}

}  // namespace

std::vector<OperatorFault> Catalogue() {
  std::vector<OperatorFault> faults;
  const Add add{faults};
  AddSums(add);
  AddZeroPoints(add);
  AddCodes(add);
  AddPlaces(add);
  faults.push_back({.text = {"b_zero_point_of_previous_call",
                             "All of B takes the first b_zero_point of the call before.",
                             "packed weights that are cached by the wrong key"},
                    .set = M{.b = {.zero_point = S::ZeroPoint::kOfPreviousCall}},
                    .has_state = true});
  return faults;
}

}  // namespace qconform::mat_mul_integer
