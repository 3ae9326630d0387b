#include "harness/runner/ask/repeats.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "cases/model/attributes.h"
#include "harness/runner/runner.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

// Returns the index of the element that comes to `index` when dimension `dim` of a
// shape is turned by one place.
int64_t Turned(const Shape& shape, size_t dim, int64_t index) {
  int64_t inner = 1;
  for (size_t i = dim + 1; i < shape.size(); ++i) inner *= shape[i];
  const int64_t size = shape[dim];
  const int64_t at = index / inner % size;
  return index + ((at + size - 1) % size - at) * inner;
}

Tensor Turn(const Tensor& tensor, size_t dim) {
  Tensor turned = tensor;
  const int64_t count = ElementCount(tensor.shape).value_or(0);
  for (int64_t i = 0; i < count; ++i) {
    WriteCode(turned.mutable_view(), i,
              ReadCode(tensor.view(), Turned(tensor.shape, dim, i)));
  }
  return turned;
}

// What turns: one dimension of y, and of some operands, by their place in the schema.
struct Plan {
  size_t y_dim = 0;
  std::vector<std::pair<size_t, size_t>> operands;  // place, dimension
};

std::optional<Plan> PlanQuantizeLinear(const OpCase& op_case) {
  const Shape& x = op_case.operands[0].shape;
  const auto rank = static_cast<int64_t>(x.size());
  const int64_t axis = rank == 1 ? 0 : AxisOf(op_case.model.node, x.size());
  const bool blocked = op_case.key.cell.granularity == "blocked";
  for (int64_t dim = rank - 1; dim >= 0; --dim) {
    const auto at = static_cast<size_t>(dim);
    if (x[at] < 2 || (blocked && dim == axis)) continue;
    Plan plan{at, {{0, at}}};
    for (size_t place = 1; place < op_case.operands.size(); ++place) {
      const Tensor& operand = op_case.operands[place];
      if (operand.type == DataType::kUndefined) continue;
      const Shape& shape = operand.shape;
      if (blocked && shape.size() == x.size() && shape[at] == x[at]) {
        plan.operands.emplace_back(place, at);
      } else if (!blocked && shape.size() == 1 && shape[0] == x[at] && dim == axis) {
        plan.operands.emplace_back(place, 0);
      }
    }
    return plan;
  }
  return std::nullopt;
}

std::optional<Plan> PlanQLinearMatMul(const OpCase& op_case) {
  const Shape& a = op_case.operands[0].shape;
  const Shape& b = op_case.operands[3].shape;
  if (a.size() != 2 || b.size() != 2) return std::nullopt;
  const bool columns = b[1] > 1;
  if (!columns && a[0] < 2) return std::nullopt;
  const size_t first = columns ? 3 : 0;
  const int64_t size = columns ? b[1] : a[0];
  Plan plan{columns ? size_t{1} : size_t{0}, {{first, columns ? size_t{1} : size_t{0}}}};
  for (const size_t place : {first + 1, first + 2}) {
    const Shape& shape = op_case.operands[place].shape;
    if (shape.size() == 1 && shape[0] == size) {
      plan.operands.emplace_back(place, 0);
    } else if (shape.size() > 1) {
      return std::nullopt;
    }
  }
  return plan;
}

}  // namespace

RunResult RunModelShifted(Backend& backend, const OpCase& op_case) {
  std::vector<std::vector<std::byte>> buffers;
  std::vector<TensorView> views;
  for (const Tensor& tensor : op_case.inputs) {
    const size_t offset = std::max<size_t>(PackedByteSize(tensor.type, 1), 1);
    std::vector<std::byte>& buffer = buffers.emplace_back(offset);
    buffer.insert(buffer.end(), tensor.data.begin(), tensor.data.end());
    views.push_back({tensor.type, tensor.shape, std::span(buffer).subspan(offset)});
  }
  return RunModel(backend, op_case.model, views);
}

std::optional<MovedCase> MoveByOne(const OpCase& op_case) {
  const bool mat_mul = op_case.key.cell.op_type == "QLinearMatMul";
  const auto plan = mat_mul ? PlanQLinearMatMul(op_case) : PlanQuantizeLinear(op_case);
  if (!plan) return std::nullopt;
  MovedCase moved{op_case.model, op_case.inputs, {}};
  for (const auto& [place, dim] : plan->operands) {
    const std::string& name = op_case.model.node.inputs[place];
    for (size_t i = 0; i < moved.model.inputs.size(); ++i) {
      if (moved.model.inputs[i].name == name)
        moved.inputs[i] = Turn(moved.inputs[i], dim);
    }
    for (Initializer& initializer : moved.model.initializers) {
      if (initializer.name == name) initializer.tensor = Turn(initializer.tensor, dim);
    }
  }
  const Shape y = mat_mul
                      ? Shape{op_case.operands[0].shape[0], op_case.operands[3].shape[1]}
                      : op_case.operands[0].shape;
  const int64_t count = ElementCount(y).value_or(0);
  for (int64_t i = 0; i < count; ++i) moved.source.push_back(Turned(y, plan->y_dim, i));
  return moved;
}

}  // namespace qconform
