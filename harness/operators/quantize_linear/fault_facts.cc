#include "harness/operators/quantize_linear/fault_facts.h"

#include "oracle/operators/quantize_linear/parameters.h"

namespace qconform {

QuantizeLinearFacts::QuantizeLinearFacts(const Cell& cell)
    : since_version(cell.since_version),
      x(cell.types[0]),
      y_scale(cell.types[1]),
      y(cell.types[2]),
      per_tensor(cell.granularity == "per_tensor"),
      blocked(cell.granularity == "blocked"),
      precision(ParametersOf({}, since_version, x, y_scale, y, 0, 1).precision),
      integer(IsInteger(y)),
      float8(IsFloat8(y)),
      float6(IsFloatingPoint(y) && BitWidth(y) == 6),
      has_precision(since_version >= 23),
      y_bits(BitWidth(y)) {}

}  // namespace qconform
