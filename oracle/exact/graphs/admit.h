// What is admissible besides the composition, by the judge: `fused_arithmetic` and
// `reduced_precision` of GR-05, `float_sum` and `reduced_precision_accumulation` of
// GR-06, `fused_requantization` of GR-13, and their ends as codes.
#ifndef QCONFORM_ORACLE_EXACT_GRAPHS_ADMIT_H_
#define QCONFORM_ORACLE_EXACT_GRAPHS_ADMIT_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "oracle/exact/graphs/compose.h"
#include "oracle/exact/graphs/graph.h"
#include "oracle/exact/graphs/reach.h"

namespace qconform::exact {

// Codes in the order of their values, both ends included; +0 and -0 are one value.
struct AdmittedElement {
  uint64_t low = 0;
  uint64_t high = 0;
  uint64_t wider_low = 0;
  uint64_t wider_high = 0;
  // GR-17: the bits of the codes that a QuantizeLinear inside of the graph may have
  // given; then the four codes are not used.
  bool is_set = false;
  GraphElement possible{};
  GraphElement wider{};
  // GR-19: any code.
  bool is_free = false;
};

// The strongest clause that a value's bounds come from.
enum class Section : uint8_t {
  kBits,         // movers and choosers of data, or of what one node dequantized
  kRequantized,  // GR-13
  kArithmetic,   // GR-05
  kSum,          // GR-06
};

struct AdmittedTensor {
  Section section = Section::kBits;
  std::vector<AdmittedElement> elements;  // row-major
};

// Returns it for each output of the graph. `values` is what Compose gives for these
// readings.
std::vector<AdmittedTensor> Admit(const Graph& graph, const GraphValues& values,
                                  const std::vector<NodeReadings>& readings = {});

}  // namespace qconform::exact

#endif  // QCONFORM_ORACLE_EXACT_GRAPHS_ADMIT_H_
