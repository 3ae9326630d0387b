// QL-30: what looks odd and is legal all the same.
#include "cases/operators/quantize_linear/negative/spec.h"

namespace qconform::negative {
namespace {

using enum DataType;
using enum ModelPhase;

}  // namespace

void AddQuantizeLinearLegal(std::vector<NegativeModel>& models) {
  const QuantizeLinearRows ql_30{"QL-30", ModelKind::kLegal, kNone, models};
  ql_30("legal_no_zero_point", "y_zero_point is not there: y is UINT8", kEvery);
  ql_30("legal_empty_zero_point", "y_zero_point has an empty name", kEvery,
        {.empty_zero_point = true});
  ql_30("legal_output_dtype_of_zero_point", "output_dtype and y_zero_point are both INT8",
        kWithBlocks,
        {.y_zero_point = Operand{kInt8, {}},
         .output_dtype = static_cast<int64_t>(kInt8),
         .y = kInt8});
  ql_30("legal_output_dtype_without_zero_point", "output_dtype alone gives y's type",
        kWithBlocks, {.output_dtype = static_cast<int64_t>(kInt4), .y = kInt4});
  ql_30("legal_float6", "y is FLOAT6E2M3, 7 elements: the last byte is not full", {28},
        {.x = {kFloat, {7}},
         .output_dtype = static_cast<int64_t>(kFloat6E2M3),
         .y = kFloat6E2M3});
  ql_30("legal_output_dtype_0", "output_dtype is 0, as if it were not there", kWithBlocks,
        {.y_zero_point = Operand{kInt8, {}}, .output_dtype = 0, .y = kInt8});
}

}  // namespace qconform::negative
