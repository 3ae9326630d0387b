// What declarations of wrong graphs have in common. Private to this folder.
#ifndef QCONFORM_HARNESS_GRAPHS_DECLARE_H_
#define QCONFORM_HARNESS_GRAPHS_DECLARE_H_

#include <string>
#include <string_view>
#include <vector>

#include "harness/graphs/catalogue.h"
#include "harness/graphs/nodes.h"
#include "oracle/formats/number_format.h"

namespace qconform::graphs {

// Deviates where the graph has one of these nodes.
inline DeclareGraph HasOneOf(std::vector<std::string_view> op_types) {
  return [op_types = std::move(op_types)](const GraphFacts& f) {
    for (const std::string_view op_type : op_types) {
      if (f.Has(op_type)) return Deviates();
    }
    std::string reason = "the graph has no ";
    for (size_t i = 0; i < op_types.size(); ++i) {
      reason += (i == 0 ? "" : i + 1 == op_types.size() ? " or " : ", ");
      reason += op_types[i];
    }
    return Equivalent(reason);
  };
}

inline bool IsUnsigned(DataType type) {
  return IsInteger(type) && !FormatOf(type).is_signed;
}

// Declares as `then` does, unless `first` is not kDeviates.
inline DeclareGraph Both(DeclareGraph first, DeclareGraph then) {
  return [first = std::move(first), then = std::move(then)](const GraphFacts& f) {
    Declaration declared = first(f);
    return declared.kind == Declaration::Kind::kDeviates ? then(f) : declared;
  };
}

// Indices depend on the order of values only.
inline Declaration GivesValues(const GraphFacts& f) {
  return f.Has("ArgMax") || f.Has("ArgMin")
             ? Equivalent("the order of values, and with it the index, is the same")
             : Deviates();
}

inline Declaration ManyScales(const GraphFacts& f) {
  return f.granularity == "per_tensor" ? Equivalent("there is one scale") : Deviates();
}

// The zero points of floats are 0.
inline Declaration IntegerResult(const GraphFacts& f) {
  if (f.result == DataType::kUndefined) return Equivalent("nothing is quantized");
  return IsInteger(f.result) ? Deviates() : Equivalent("the result has float codes");
}

inline Declaration IntegerOperand(const GraphFacts& f) {
  if (f.operand == DataType::kUndefined || !f.Has("DequantizeLinear")) {
    return Equivalent("no operand is dequantized");
  }
  return IsInteger(f.operand) ? Deviates() : Equivalent("the operand has float codes");
}

inline Declaration UnsignedOperand(const GraphFacts& f) {
  const Declaration declared = IntegerOperand(f);
  if (declared.kind != Declaration::Kind::kDeviates) return declared;
  return IsUnsigned(f.operand) ? Deviates() : Equivalent("the codes are signed");
}

// A FLOAT bias is asked with scales that are positive powers of two, and such that the
// result holds every sum.
inline Declaration Inexact(const GraphFacts& f) {
  return f.has_float_operand
             ? Equivalent("every scale is a positive power of two, nothing is rounded")
             : Deviates();
}

inline bool SumsUp(const GraphFacts& f) { return f.weights != DataType::kUndefined; }

// Scales of the result; those of sums are per tensor.
inline Declaration ManyScalesOfResult(const GraphFacts& f) {
  if (f.result == DataType::kUndefined) return Equivalent("nothing is quantized");
  return SumsUp(f) ? Equivalent("the result has one scale") : ManyScales(f);
}

inline Declaration Requantizes(const GraphFacts& f) {
  for (size_t i = 0; i < f.nodes.size(); ++i) {
    if (f.nodes[i] != "DequantizeLinear") continue;
    for (size_t j = i + 1; j < f.nodes.size(); ++j) {
      const std::string& node = f.nodes[j];
      if (node == "QuantizeLinear") return Deviates();
      if (!IsMover(node) && !IsChooser(node)) break;
    }
  }
  return Equivalent("nothing is requantized");
}

}  // namespace qconform::graphs

#endif  // QCONFORM_HARNESS_GRAPHS_DECLARE_H_
