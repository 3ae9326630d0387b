// What is known of a float node by its operator alone.
#ifndef QCONFORM_ORACLE_GRAPHS_FLOAT_OPERATORS_H_
#define QCONFORM_ORACLE_GRAPHS_FLOAT_OPERATORS_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "oracle/core/operator.h"

namespace qconform {

// How a float node rounds its elements.
enum class FloatRounding : uint8_t {
  kNone,       // it moves or chooses (GR-03, GR-04)
  kPosition,   // it gives positions, which are exact
  kOperation,  // GR-05
  kSum,        // GR-06
};

FloatRounding RoundsOf(std::string_view op_type);

// Returns the clause that says what the node gives: "GR-03" to "GR-06".
std::string_view ClauseOf(std::string_view op_type);

// The role of an input, by its position in the schema.
OperandRole RoleOf(std::string_view op_type, size_t input);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_GRAPHS_FLOAT_OPERATORS_H_
