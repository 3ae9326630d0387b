// `integer_sum` of GR-06, by the judge: exact sums of integer codes, then a
// requantization by one of the readings of MM-02.
#ifndef QCONFORM_ORACLE_EXACT_GRAPHS_INTEGER_SUM_H_
#define QCONFORM_ORACLE_EXACT_GRAPHS_INTEGER_SUM_H_

#include <optional>
#include <string>

#include "oracle/exact/graphs/compose.h"
#include "oracle/exact/graphs/graph.h"
#include "oracle/exact/requantization.h"

namespace qconform::exact {

// Returns the value of an output that a QuantizeLinear gives behind MatMul, Gemm or Conv,
// with a Relu in between or none. Nothing where a scale varies along the sum, an operand
// is no dequantized integer, or a bias or factor does not allow it (GR-19). `values` is
// what Compose gives.
std::optional<GraphTensor> IntegerSum(const Graph& graph, const GraphValues& values,
                                      const std::string& output,
                                      const RequantizationReadings& readings);

}  // namespace qconform::exact

#endif  // QCONFORM_ORACLE_EXACT_GRAPHS_INTEGER_SUM_H_
