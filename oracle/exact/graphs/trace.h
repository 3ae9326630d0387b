// The formulas of a graph's nodes over real values with their terms, by the judge: how v,
// sum |T_i| and the number of roundings of GR-05 and GR-06 come about.
#ifndef QCONFORM_ORACLE_EXACT_GRAPHS_TRACE_H_
#define QCONFORM_ORACLE_EXACT_GRAPHS_TRACE_H_

#include <functional>
#include <vector>

#include "oracle/exact/format.h"
#include "oracle/exact/graphs/graph.h"
#include "oracle/exact/graphs/reach.h"
#include "oracle/exact/graphs/wires.h"

namespace qconform::exact {

// Terms of a number that nothing has rounded yet.
Terms DataTerms(const mpq_class& v, const Format& format);

// Returns d * s, d an integer or a float, as DequantizeLinear gives it.
Terms DequantizedTerms(const mpq_class& d, const mpq_class& s, const Format& format);

// Returns a Cast's result of an integer (GR-15).
Terms CastTerms(const mpq_class& v, const Format& format);

// Returns one sum of terms in place of a choice: the value that is chosen, with the most
// that each part has that may be chosen.
Terms TermsOf(const Reach& reach, const Format& format);

// Returns the result of an arithmetic node; null: it is no number.
ReachPointer TraceArithmetic(const GraphNode& node, const std::vector<ReachPointer>& x,
                             const Format& format);

// What the operands of a sum have gone through, by operand.
struct SumOperands {
  std::vector<int64_t> roundings;
  std::vector<bool> is_plain;  // all elements
};

// Returns the result of a sum.
Terms TraceSum(const GraphNode& node, const Wire& wire, const SumOperands& operands,
               const std::function<Terms(const Place&)>& terms, const Format& format);

}  // namespace qconform::exact

#endif  // QCONFORM_ORACLE_EXACT_GRAPHS_TRACE_H_
