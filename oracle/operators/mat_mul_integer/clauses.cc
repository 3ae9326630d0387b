#include "oracle/operators/mat_mul_integer/clauses.h"

namespace qconform::mat_mul_integer {

std::vector<Clause> AllClauses() {
  const std::vector<int> since{10};
  return {
      {.id = "MI-01",
       .text = "Y = (A - a_zero_point) x (B - b_zero_point). Differences, products and "
               "sums are exact: neither a difference nor a product wraps in the type of "
               "its operands. A zero point that is absent is 0. Shapes are "
               "numpy.matmul's: batch dimensions broadcast, and a 1-D operand has no row "
               "or no column in Y.",
       .source = "description: \"Matrix product that behaves like numpy.matmul\", \"The "
                 "production MUST never overflow\"; inputs a_zero_point, b_zero_point: "
                 "\"It's optional and default value is 0\"",
       .since_versions = since,
       .tests = {"MatMulInteger.TwoMatrices", "MatMulInteger.AllTypes_AtTheirEnds",
                 "MatMulInteger.ShapesAreNumpyMatmuls"}},
      {.id = "MI-02",
       .kind = ClauseKind::kFree,
       .text = "An exact sum outside INT32: the oracle answers it modulo 2^32, two's "
               "complement. Free within the tier `accumulator_overflow`; the report says "
               "which was seen: modulo, saturating, other.",
       .source = "description: \"The accumulation may overflow if and only if in 32 "
                 "bits\"",
       .since_versions = since,
       .tests = {"MatMulInteger.SumsBeyondInt32_AreModuloAndFree",
                 "MatMulIntegerOperator.AccumulatorsAreKnown"},
       .tier = Tier::kAccumulatorOverflow},
      {.id = "MI-03",
       .text = "Inside INT32 no intermediate saturates or rounds: sums of pairs of "
               "products that saturate in 16 bits are a deviation "
               "(`int16_saturating_products`).",
       .source = "description: \"The accumulation may overflow if and only if in 32 "
                 "bits\"",
       .since_versions = since,
       .tests = {"MatMulInteger.PairsOfProducts_NeedMoreThan16Bits"}},
      {.id = "MI-04",
       .text = "a_zero_point: a scalar or [1] for all of A; [M] or [M,1] by row of a 2-D "
               "A, [...,M,1] of an N-D A. b_zero_point: a scalar or [1] for all of B; "
               "[N] or [1,N] by column of a 2-D B, [...,1,N] of an N-D B. Also where M = "
               "K or N = K: A always has rows, B always columns.",
       .source = "inputs a_zero_point (\"an M element vector\", \"[D1, D2, M, 1]\") and "
                 "b_zero_point (\"an N element vector\", \"[D1, D2, 1, N]\"); [1] for a "
                 "scalar as ONNX's node test has it",
       .since_versions = since,
       .tests = {"MatMulInteger.ZeroPointsByRowAndByColumn",
                 "MatMulIntegerModels.Mi04AndMi08_AreLegal"}},
      {.id = "MI-05",
       .kind = ClauseKind::kFree,
       .text = "Other zero points that broadcast to their operand: a vector [M] or [N] "
               "for an operand of rank above 2, batch dimensions that are missing or 1, "
               "one value of a higher rank. Accepted with the plain meaning, by rows and "
               "columns, or refused. Zero points that broadcast otherwise ([1,K], [M,K], "
               "a vector for a 1-D operand) have no stated meaning: every Y is free.",
       .source = "inputs a_zero_point and b_zero_point: \"could be a scalar or N-D "
                 "tensor\"; the examples are 2-D and N-D",
       .since_versions = since,
       .tests = {"MatMulIntegerModels.Mi05_IsOpenAndAnswered",
                 "MatMulIntegerModels.ZeroPointsByOtherThanLines_LeaveYFree"}},
      {.id = "MI-06",
       .text = "K = 0 gives 0, whatever the zero points are. An M, N or batch dimension "
               "of 0 gives an empty Y. A zero point that is left out by an empty name is "
               "absent.",
       .source = "numpy.matmul's rules; ONNX's rule for optional inputs",
       .since_versions = since,
       .tests = {"MatMulInteger.EmptyDimensions_GiveZeroOrNothing",
                 "MatMulInteger.AbsentZeroPoints_AreZero"}},
      {.id = "MI-07",
       .text = "Invalid models: an operand of rank 0, K that does not match, batches "
               "that do not broadcast, operands that are not INT8 or UINT8, a zero point "
               "of another type than its operand, or of a shape that does not broadcast "
               "to it, or an attribute. A backend may refuse them, or be lax; it must "
               "not crash.",
       .source = "type constraints T1 and T2; numpy.matmul's rules; the schema has no "
                 "attribute",
       .since_versions = since,
       .tests = {"MatMulIntegerModels.Mi07_IsInvalidAndRefused",
                 "MatMulIntegerModels.HugeDimensionsNextToZeros_AreRefused",
                 "MatMulIntegerOperator.Attributes_AreInvalid"}},
      {.id = "MI-08",
       .text = "A zero point [D1,...,M,1] or [D1,...,1,N] carries the batch dimensions "
               "of its own operand, also where these broadcast in the product. A 1-D "
               "operand has one zero point.",
       .source =
           "inputs a_zero_point and b_zero_point: \"If the input is N-D tensor with "
           "shape [D1, D2, M, K] then zero point tensor may have shape [D1, D2, M, "
           "1]\"",
       .since_versions = since,
       .tests = {"MatMulInteger.ZeroPointsOfBatchesThatBroadcast",
                 "MatMulIntegerModels.Mi04AndMi08_AreLegal"}},
  };
}

}  // namespace qconform::mat_mul_integer
