// QuantizeLinear's share of cases/generators/case.h.
#ifndef QCONFORM_CASES_GENERATORS_QUANTIZE_LINEAR_CASES_H_
#define QCONFORM_CASES_GENERATORS_QUANTIZE_LINEAR_CASES_H_

#include <span>
#include <string>
#include <vector>

#include "cases/generators/case.h"
#include "cases/generators/content.h"
#include "cases/generators/quantize_linear_question.h"

namespace qconform {

// A generator fills in layout, channels and x of a question.
struct QuantizeLinearGenerator {
  GeneratorInfo info;
  void (*fill)(QuantizeLinearQuestion&);
};

// In the order in which a cell's list has them.
std::span<const QuantizeLinearGenerator> QuantizeLinearGenerators();

// The generators, one or more to a file.
void FillSpecials(QuantizeLinearQuestion& question);
void FillTies(QuantizeLinearQuestion& question);
void FillShapes(QuantizeLinearQuestion& question);

// Returns the contents that a cell is asked at a level, in the order of its list.
std::vector<ContentName> QuantizeLinearContents(const Cell& cell, Level level);

// Returns node, operands and attributes of a content. Precondition: the key's
// cell is one of the lattice, its generator is QuantizeLinear's.
Result<Content> MakeQuantizeLinearContent(const CaseKey& key, uint64_t seed);

}  // namespace qconform

#endif  // QCONFORM_CASES_GENERATORS_QUANTIZE_LINEAR_CASES_H_
