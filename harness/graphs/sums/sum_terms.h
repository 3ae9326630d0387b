// Sums of products of codes, term by term: what wrong sums have in common with the inputs
// that show them.
#ifndef QCONFORM_HARNESS_GRAPHS_SUMS_SUM_TERMS_H_
#define QCONFORM_HARNESS_GRAPHS_SUMS_SUM_TERMS_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/graphs/numbers.h"
#include "harness/graphs/workspace.h"
#include "oracle/base/result.h"
#include "oracle/graphs/wiring.h"

namespace qconform::graphs {

// The positions of the inputs of a sum.
inline constexpr size_t kOperandInput = 0;
inline constexpr size_t kWeightsInput = 1;
inline constexpr size_t kBiasInput = 2;

bool IsSumAt(const Workspace& graph, size_t step);
bool HasBias(const Workspace& graph, size_t step);

// Returns the DequantizeLinear that gives an input at once.
std::optional<size_t> GivenBy(const Workspace& graph, size_t step, size_t position);

// Returns the codes that a DequantizeLinear gives an input of.
// Precondition: GivenBy returns one.
SharedTensor CodesOf(const Workspace& graph, size_t step, size_t position);

// Returns the bits of the integer codes of both operands of a sum together; 0: it is none
// of such.
int BitsOfOperands(const Workspace& graph, size_t step);

// The terms of a sum as integers, by operand.
struct Terms {
  WiredOutput wired;
  std::vector<Number> codes[2];  // less the zero points
  std::vector<Number> zeros[2];  // the zero points, one for each code
  std::vector<Number> scales[2];
  Number alpha = 1;
  Number beta = 1;
};

// Returns the names of the inputs of both DequantizeLinear, and of the bias; "" for what
// is left out. Precondition: BitsOfOperands is not 0.
std::vector<std::string> InputsOfSum(const Workspace& graph, size_t step);

// Returns the terms of a sum of what `a` and `b` dequantize. `inputs`: both dequantized
// operands, then those of InputsOfSum.
Result<Terms> TermsOf(const GraphStep& sum, const GraphStep& a, const GraphStep& b,
                      std::span<const SharedTensor> inputs);

// Returns the product of both codes at `at` of terms.wired.sources, less the zero points.
Number ProductAt(const Terms& terms, size_t at);

// Returns the product of both scales of each term of element `i`. An Error if it varies.
Result<Number> UnitOf(const Terms& terms, size_t i);

}  // namespace qconform::graphs

#endif  // QCONFORM_HARNESS_GRAPHS_SUMS_SUM_TERMS_H_
