// Values as reports show them: of codes, and of worked steps.
#ifndef QCONFORM_HARNESS_CORE_VALUE_TEXT_H_
#define QCONFORM_HARNESS_CORE_VALUE_TEXT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "oracle/core/operator.h"
#include "oracle/formats/number_format.h"
#include "reports/record/record.h"

namespace qconform {

// What a report shows of a code, and of what an element is computed of.
ValueRecord ShownValue(DataType type, uint64_t code);
std::vector<OperandRecord> ShownOperands(const std::vector<ElementOperand>& operands);

// Returns the value in decimal: "-158.5". A distance from a tie that FLOAT16 and FLOAT do
// not show is written out: "0.5 + 1.2e-12".
std::string ValueText(const Unrounded& value);
std::string ValueText(const ExactValue& value);

// Returns a value that was rounded to a type: "0xc31e8000 (-158.5)"; if `format` is null
// or does not hold the value, only the value.
std::string TypedText(const NumberFormat* format, const Unrounded& value);

// Returns a code and its value: "0x7c (124)".
std::string CodeText(DataType type, uint64_t code);

// Returns an integer of a trace, "-" if there is none. Traces hold integers of 48 bits.
// If one lies at their ends, the value that was rounded, which was infinite or lay
// beyond.
std::string RoundedText(const std::optional<int64_t>& rounded, const Unrounded& value);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_VALUE_TEXT_H_
