// The families of graphs that have cells (cases/graphs), as the operators' tables list
// them. What a graph of a family means follows from its nodes (graph.h).
#ifndef QCONFORM_ORACLE_GRAPHS_FAMILIES_H_
#define QCONFORM_ORACLE_GRAPHS_FAMILIES_H_

#include <string_view>

namespace qconform {

// What the op_type of every family begins with.
inline constexpr std::string_view kGraphFamilyPrefix = "graphs.";

inline bool IsGraphFamily(std::string_view op_type) {
  return op_type.starts_with(kGraphFamilyPrefix);
}

}  // namespace qconform

#endif  // QCONFORM_ORACLE_GRAPHS_FAMILIES_H_
