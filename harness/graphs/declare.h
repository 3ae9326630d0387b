// What declarations of wrong graphs have in common. Private to this folder.
#ifndef QCONFORM_HARNESS_GRAPHS_DECLARE_H_
#define QCONFORM_HARNESS_GRAPHS_DECLARE_H_

#include <string>
#include <string_view>
#include <vector>

#include "harness/graphs/catalogue.h"
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

inline Declaration ManyScales(const GraphFacts& f) {
  return f.granularity == "per_tensor" ? Equivalent("there is one scale") : Deviates();
}

inline Declaration IntegerOutput(const GraphFacts& f) {
  if (f.EndsWith("QuantizeLinear") && IsInteger(f.output())) return Deviates();
  return Equivalent("the graph does not end with integer codes");
}

}  // namespace qconform::graphs

#endif  // QCONFORM_HARNESS_GRAPHS_DECLARE_H_
