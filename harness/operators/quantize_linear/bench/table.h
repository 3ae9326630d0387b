// QuantizeLinear's results as a JSON document.
#ifndef QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_BENCH_TABLE_H_
#define QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_BENCH_TABLE_H_

#include <string>
#include <string_view>
#include <vector>

#include "harness/operators/quantize_linear/bench/measure.h"

namespace qconform::quantize_linear {

// `broken`: BrokenBounds, if rows are held to bounds.
std::string QuantizeBenchText(const std::vector<QuantizeBenchResult>& results,
                              std::vector<std::string> broken, std::string_view target,
                              std::string_view peer);

}  // namespace qconform::quantize_linear

#endif  // QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_BENCH_TABLE_H_
