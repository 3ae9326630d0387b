// QL-34 at run time: the model is legal as it is declared, the types that it is fed are
// not.
#include "cases/operators/quantize_linear/negative/spec.h"

namespace qconform::negative {
namespace {

using enum DataType;
using enum ModelPhase;

Operand FedAs(DataType type, DataType declared) {
  return {.type = type, .shape = {}, .values = {}, .declared_type = declared};
}

}  // namespace

void AddQuantizeLinearFeeds(std::vector<NegativeModel>& models) {
  const QuantizeLinearRows add{"QL-34", ModelKind::kInvalid, kRun, models};
  add("fed_x_double", "x is declared as FLOAT and fed as DOUBLE", kEvery,
      {.x = FedAs(kDouble, kFloat)});
  add("fed_scale_double", "y_scale is declared as FLOAT and fed as DOUBLE", kEvery,
      {.y_scale = FedAs(kDouble, kFloat)});
  add("fed_zero_point_int32", "y_zero_point is declared as INT8 and fed as INT32", kEvery,
      {.y_zero_point = FedAs(kInt32, kInt8), .y = kInt8});
}

}  // namespace qconform::negative
