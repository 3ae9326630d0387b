#include "cases/graphs/node_kind.h"

#include <algorithm>
#include <iterator>

namespace qconform {
namespace {

using enum NodeKind;

struct Row {
  std::string_view op_type;
  NodeKind kind;
};

constexpr Row kRows[] = {{"DequantizeLinear", kDequantize},
                         {"QuantizeLinear", kQuantize},
                         {"DynamicQuantizeLinear", kDynamicQuantize},
                         {"MatMulInteger", kIntegerSum},
                         {"ConvInteger", kIntegerSum},
                         {"Cast", kCast},
                         {"Mul", kProduct},
                         {"Add", kSum}};

}  // namespace

NodeKind KindOf(std::string_view op_type) {
  const Row* row = std::ranges::find(kRows, op_type, &Row::op_type);
  return row == std::end(kRows) ? kOther : row->kind;
}

}  // namespace qconform
