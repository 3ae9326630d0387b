#include "harness/core/fault.h"

#include "harness/core/catalogue.h"
#include "oracle/formats/number_format.h"
#include "oracle/operators/quantize_linear/parameters.h"

namespace qconform {

std::string_view DeclarationKindName(Declaration::Kind kind) {
  switch (kind) {
    case Declaration::Kind::kDeviates:
      return "deviates";
    case Declaration::Kind::kAdmissible:
      return "admissible";
    case Declaration::Kind::kEquivalent:
      return "equivalent";
  }
  return "";
}

QuantizeLinearFacts FactsOf(const Cell& cell) {
  QuantizeLinearFacts facts;
  facts.since_version = cell.since_version;
  facts.x = cell.types[0];
  facts.y_scale = cell.types[1];
  facts.y = cell.types[2];
  facts.granularity = cell.granularity;
  facts.precision =
      ParametersOf({}, cell.since_version, facts.x, facts.y_scale, facts.y, 0, 1)
          .precision;
  facts.integer = IsInteger(facts.y);
  facts.float8 = IsFloat8(facts.y);
  facts.has_saturate = cell.since_version >= 19;
  facts.has_precision = cell.since_version >= 23;
  facts.has_blocks = cell.since_version >= 21;
  facts.zero_point_may_be_absent = facts.has_blocks || facts.y == DataType::kUint8;
  facts.y_bits = BitWidth(facts.y);
  return facts;
}

MatMulFacts MatMulFactsOf(const Cell& cell) {
  MatMulFacts facts;
  // The definition of opset 10 has FLOAT scales alone, and all cells name them.
  facts.scale = cell.types[0];
  facts.a = cell.types[1];
  facts.b = cell.types[2];
  facts.y = cell.types[3];
  facts.per_row = cell.granularity.starts_with("per_row-");
  facts.per_column = cell.granularity.ends_with("-per_column");
  facts.integer_operands = IsInteger(facts.a) && IsInteger(facts.b);
  facts.integer = IsInteger(facts.y);
  return facts;
}

std::span<const Fault> Faults() {
  static const std::vector<Fault> all = [] {
    std::vector<Fault> faults;
    AddArithmeticFaults(faults);
    AddFloatFaults(faults);
    AddLayoutFaults(faults);
    AddMatMulFaults(faults);
    return faults;
  }();
  return all;
}

const Fault* FindFault(std::string_view name) {
  for (const Fault& fault : Faults()) {
    if (fault.name == name) return &fault;
  }
  return nullptr;
}

Declaration Declare(const Fault& fault, const Cell& cell) {
  if (cell.op_type == "QuantizeLinear") {
    if (!fault.quantize_linear) return Equivalent("it does not touch QuantizeLinear");
    if (fault.declare == nullptr) return {};
    return fault.declare(FactsOf(cell));
  }
  if (!fault.mat_mul) return Equivalent("it does not touch QLinearMatMul");
  if (fault.declare_mat_mul == nullptr) return {};
  return fault.declare_mat_mul(MatMulFactsOf(cell));
}

}  // namespace qconform
