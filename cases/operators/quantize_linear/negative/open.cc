// QL-08 and QL-14: attributes with which the text lets a backend accept or refuse.
#include "cases/operators/quantize_linear/negative/spec.h"

namespace qconform::negative {
namespace {

using enum DataType;
using enum ModelPhase;

}  // namespace

void AddQuantizeLinearOpen(std::vector<NegativeModel>& models) {
  const QuantizeLinearRows ql_08{"QL-08", ModelKind::kOpen, kNone, models};
  ql_08("open_precision_int32", "precision is INT32", kWithPrecision,
        {.precision = static_cast<int64_t>(kInt32)});
  ql_08("open_precision_no_type", "precision is 999, which is no type", kWithPrecision,
        {.precision = 999});

  const QuantizeLinearRows ql_14{"QL-14", ModelKind::kOpen, kNone, models};
  ql_14("open_saturate_2", "saturate is 2", {19, 21, 23, 24, 25, 28}, {.saturate = 2});
  ql_14("open_saturate_negative", "saturate is -1", {19, 21, 23, 24, 25, 28},
        {.saturate = -1});
}

}  // namespace qconform::negative
