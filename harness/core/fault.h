// The catalogue of faults: wrong implementations, planted on purpose. Each is a
// named choice of switches, and declares for every cell, before anything runs,
// what the harness has to say of it.
#ifndef QCONFORM_HARNESS_CORE_FAULT_H_
#define QCONFORM_HARNESS_CORE_FAULT_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cases/lattice/cell.h"
#include "harness/operators/q_linear_mat_mul/fault_switches.h"
#include "harness/operators/quantize_linear/fault_switches.h"

namespace qconform {

struct Declaration {
  enum class Kind : uint8_t {
    kDeviates,    // the cell must not pass
    kAdmissible,  // the cell must pass by the reading, which has to be named
    kEquivalent,  // no case may show a difference, for the reason
  };
  Kind kind = Kind::kDeviates;
  std::string reading{};  // kAdmissible: "QL-24:zero_point_ignored"
  std::string reason{};   // kEquivalent
};
// Returns "deviates", "admissible", "equivalent".
std::string_view DeclarationKindName(Declaration::Kind kind);

// What a declaration is made from.
struct QuantizeLinearFacts {
  int since_version = 0;
  DataType x = DataType::kUndefined;
  DataType y_scale = DataType::kUndefined;
  DataType y = DataType::kUndefined;
  std::string granularity;
  DataType precision =
      DataType::kUndefined;   // P without the attribute; kUndefined: exact
  bool integer = false;       // y
  bool float8 = false;        // y
  bool has_saturate = false;  // the attribute
  bool has_precision = false;
  bool has_blocks = false;
  bool zero_point_may_be_absent = false;
  int y_bits = 0;
};
QuantizeLinearFacts FactsOf(const Cell& cell);

struct MatMulFacts {
  DataType scale = DataType::kUndefined;
  DataType a = DataType::kUndefined;
  DataType b = DataType::kUndefined;
  DataType y = DataType::kUndefined;
  bool per_row = false;
  bool per_column = false;
  bool integer_operands = false;
  bool integer = false;  // y
};
MatMulFacts MatMulFactsOf(const Cell& cell);

struct Fault {
  std::string_view name;
  std::string_view sentence;
  std::string_view
      seen_in{};  // the kind of real implementation that has it; may be empty
  // Without switches for an operator the fault does not touch it.
  std::optional<QuantizeLinearSwitches> quantize_linear{};
  Declaration (*declare)(const QuantizeLinearFacts&) = nullptr;  // null: deviates
  std::optional<QLinearMatMulSwitches> mat_mul{};
  Declaration (*declare_mat_mul)(const MatMulFacts&) = nullptr;
  bool has_state = false;  // an answer depends on the calls before
};

// The faults of backends, the simplest of each stage first.
std::span<const Fault> Faults();

// Returns null where there is none of that name.
const Fault* FindFault(std::string_view name);

Declaration Declare(const Fault& fault, const Cell& cell);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_FAULT_H_
