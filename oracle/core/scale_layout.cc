#include "oracle/core/scale_layout.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "oracle/formats/codes.h"

namespace qconform {
namespace {

using Granularity = ScaleLayout::Granularity;

constexpr size_t kX = 0;
constexpr size_t kScale = 1;
constexpr size_t kZeroPoint = 2;

class Resolver {
 public:
  Resolver(const ScaleRules& rules, const ScaledOperands& operands,
           std::optional<int64_t> axis, int64_t block_size, Validation& validation,
           ScaleLayout& layout)
      : rules_(rules),
        operands_(operands),
        x_(rules.names.x),
        scale_(rules.names.scale),
        axis_(axis),
        block_size_(block_size),
        x_shape_(operands.x.shape),
        scale_shape_(operands.scale.shape),
        rank_(std::ssize(operands.x.shape)),
        validation_(validation),
        layout_(layout) {}

  bool Run() { return ResolveZeroPoint() && ResolveGranularity(); }

 private:
  bool Invalid(std::string reason) { return validation_.Invalid(std::move(reason)); }
  bool Open(std::string reason) {
    return validation_.Open(rules_.open_clause, std::move(reason));
  }

  // The blocks that cover that many elements. Precondition: block_size is positive.
  int64_t BlocksOf(int64_t size) const {
    return size / block_size_ + (size % block_size_ != 0 ? 1 : 0);
  }

  bool ResolveZeroPoint() {
    if (!operands_.zero_point) return true;
    const std::span<const int64_t> shape = operands_.zero_point->shape;
    if (std::ranges::equal(shape, scale_shape_)) return true;
    const std::string shapes = std::string(rules_.names.zero_point) + " has shape " +
                               ShapeToString(shape) + ", " + scale_ + " " +
                               ShapeToString(scale_shape_);
    layout_.zero_point_is_scalar = true;
    const bool one = shape.size() == 1 && shape[0] == 1;
    const bool scale_is_vector = scale_shape_.size() == 1;
    if ((scale_shape_.empty() && one) || (shape.empty() && scale_is_vector)) {
      return validation_.Open(rules_.zero_point_shape_clause,
                              shapes + ": the text asks for equal shapes");
    }
    return Invalid(shapes + ": they must be equal");
  }

  // --- granularity -----------------------------------------------------------------

  // The axis as the node means it, the default included; may be out of range.
  int64_t Axis() const { return axis_.value_or(1); }
  bool AxisInRange() const { return -rank_ <= Axis() && Axis() < rank_; }
  int64_t AxisFromFront() const { return Axis() < 0 ? Axis() + rank_ : Axis(); }

  std::string AxisOutOfRange() const {
    return "axis is " + std::to_string(Axis()) + ": for " + x_ + " of rank " +
           std::to_string(rank_) + " it must be in [" + std::to_string(-rank_) + ", " +
           std::to_string(rank_ - 1) + "]";
  }

  bool PerTensor() {
    layout_.granularity = Granularity::kPerTensor;
    layout_.inner = *ElementCount(x_shape_);
    return true;
  }

  void SplitAround(int64_t axis) {
    const auto place = static_cast<size_t>(axis);
    layout_.axis_of_x = place;
    layout_.axis = x_shape_[place];
    // Dimensions of 0 make the count 0 in either factor; both stay in range
    // because the count of all dimensions was.
    for (size_t i = 0; i < place; ++i) layout_.outer *= x_shape_[i];
    for (size_t i = place + 1; i < x_shape_.size(); ++i) layout_.inner *= x_shape_[i];
  }

  bool PerAxis(int64_t axis) {
    layout_.granularity = Granularity::kPerAxis;
    SplitAround(axis);
    return true;
  }

  bool Blocked(int64_t axis) {
    layout_.granularity = Granularity::kBlocked;
    SplitAround(axis);
    layout_.block = block_size_;
    layout_.blocks =
        scale_shape_[static_cast<size_t>(scale_shape_.size() == 1 ? 0 : axis)];
    return true;
  }

  bool ResolveGranularity() {
    if (scale_shape_.empty()) return ResolveScalar();
    if (scale_shape_.size() == 1) return ResolveVector();
    return ResolveBlocked();
  }

  bool ResolveScalar() {
    if (axis_ && !AxisInRange()) {
      Open(AxisOutOfRange() + "; a scalar " + scale_ + " does not use it");
    }
    if (block_size_ != 0) {
      Open("block_size is " + std::to_string(block_size_) + ", " + scale_ +
           " is a scalar: blocks need a " + scale_ + " of " + x_ + "'s rank");
    }
    return PerTensor();
  }

  bool ResolveVector() {
    const int64_t length = scale_shape_[0];
    if (block_size_ < 0) {
      Open("block_size is " + std::to_string(block_size_) + ": it must not be negative");
    }
    if (!rules_.has_axis) {
      Open(scale_ + " has shape " + ShapeToString(scale_shape_) + ": " +
           validation_.since() + " knows scalars alone");
    }
    if (rank_ == 1) return ResolveVectorOverVector(length);
    const bool in_range = rank_ > 0 && AxisInRange();
    if (in_range && length == x_shape_[static_cast<size_t>(AxisFromFront())]) {
      if (block_size_ > 0) {
        Open("block_size is " + std::to_string(block_size_) + ", " + scale_ +
             " is 1-D: blocks need a " + scale_ + " of " + x_ + "'s rank");
      }
      return PerAxis(AxisFromFront());
    }
    if (length == 1) {
      Open(scale_ + " has shape [1]: per tensor takes a scalar");
      return PerTensor();
    }
    if (rank_ > 0 && !AxisInRange()) return Invalid(AxisOutOfRange());
    if (rank_ == 0) {
      return Invalid(scale_ + " has shape " + ShapeToString(scale_shape_) + ", " + x_ +
                     " is a scalar: " + scale_ + " must be one too");
    }
    return Invalid(scale_ + " has shape " + ShapeToString(scale_shape_) + ": per axis " +
                   std::to_string(Axis()) + " its length must be " +
                   std::to_string(x_shape_[static_cast<size_t>(AxisFromFront())]));
  }

  // Both 1-D.
  bool ResolveVectorOverVector(int64_t length) {
    const int64_t size = x_shape_[0];
    const std::string shapes = x_ + " has shape " + ShapeToString(x_shape_) + ", " +
                               scale_ + " " + ShapeToString(scale_shape_);
    if (block_size_ > 0) {
      const int64_t needed = BlocksOf(size);
      const std::string sizes =
          shapes + " and block_size is " + std::to_string(block_size_);
      const std::string needs = ": there must be " + std::to_string(needed) + " scales";
      if (rules_.rank_1_is_per_tensor) {
        Open(sizes + ": per tensor is applied for rank 1");
      } else if (!AxisInRange()) {
        Open(AxisOutOfRange());
      } else if (length != needed) {
        Open(sizes + needs);
      }
      if (length == size) return PerAxis(0);
      if (length >= needed && length > 0) return Blocked(0);
      if (length == 1) return PerTensor();
      return Invalid(sizes + needs);
    }
    if (length == size) {
      if (rules_.rank_1_is_per_tensor) {
        Open(shapes + ": per tensor is applied for rank 1");
      } else if (!AxisInRange()) {
        Open(AxisOutOfRange());
      }
      return PerAxis(0);
    }
    if (length == 1) {
      Open(shapes + ": per tensor takes a scalar");
      return PerTensor();
    }
    return Invalid(shapes + ": " + scale_ + " must be a scalar, or as long as " + x_);
  }

  bool ResolveBlocked() {
    const std::string shapes = scale_ + " has shape " + ShapeToString(scale_shape_) +
                               ", " + x_ + " " + ShapeToString(x_shape_);
    if (!rules_.has_blocks) {
      return Invalid(shapes + ": in " + validation_.since() + " " + scale_ +
                     " is a scalar or 1-D");
    }
    if (std::ssize(scale_shape_) != rank_) {
      return Invalid(shapes + ": a blocked " + scale_ + " must have " + x_ + "'s rank");
    }
    if (block_size_ <= 0) {
      return Invalid(shapes + ", block_size is " + std::to_string(block_size_) +
                     ": a blocked " + scale_ + " needs a positive one");
    }
    if (!AxisInRange()) return Invalid(AxisOutOfRange());
    const int64_t axis = AxisFromFront();
    for (int64_t i = 0; i < rank_; ++i) {
      const auto place = static_cast<size_t>(i);
      if (i != axis && scale_shape_[place] != x_shape_[place]) {
        return Invalid(shapes + ": they must be equal but for axis " +
                       std::to_string(axis));
      }
    }
    const int64_t size = x_shape_[static_cast<size_t>(axis)];
    const int64_t blocks = scale_shape_[static_cast<size_t>(axis)];
    const int64_t needed = BlocksOf(size);
    if (blocks < needed) {
      return Invalid(shapes + ", block_size is " + std::to_string(block_size_) +
                     ": axis " + std::to_string(axis) + " needs " +
                     std::to_string(needed) + " scales");
    }
    if (blocks > needed) {
      Open(shapes + ", block_size is " + std::to_string(block_size_) + ": axis " +
           std::to_string(axis) + " uses " + std::to_string(needed) + " scales only");
    }
    return Blocked(axis);
  }

  const ScaleRules& rules_;
  const ScaledOperands& operands_;
  const std::string x_;
  const std::string scale_;
  const std::optional<int64_t> axis_;
  const int64_t block_size_;
  const std::span<const int64_t> x_shape_;
  const std::span<const int64_t> scale_shape_;
  const int64_t rank_;
  Validation& validation_;
  ScaleLayout& layout_;
};

// Adds the axes of a scale or zero point, but for those of size 1.
void AddParameter(const ScaleLayout& layout, size_t operand,
                  std::span<const int64_t> shape, Dimensions& dimensions) {
  if (layout.granularity == Granularity::kPerTensor) return;
  const bool is_blocked = layout.granularity == Granularity::kBlocked;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    const size_t of_x = is_blocked ? axis : layout.axis_of_x;
    const bool counts_blocks = is_blocked && of_x == layout.axis_of_x;
    if (shape[axis] == 1 && !is_blocked) continue;
    dimensions[of_x].operands.push_back(
        {operand, axis, counts_blocks ? layout.block : 1});
  }
}

}  // namespace

bool ResolveScales(const ScaleRules& rules, const ScaledOperands& operands,
                   std::optional<int64_t> axis, int64_t block_size,
                   Validation& validation, ScaleLayout& layout) {
  return Resolver(rules, operands, axis, block_size, validation, layout).Run();
}

std::vector<ElementOperand> OperandsOfScaledElement(const ScaledNames& names,
                                                    const ScaledOperands& operands,
                                                    const ScaleLayout& layout,
                                                    int64_t index) {
  const int64_t line = index / layout.inner;
  const int64_t scale_index =
      layout.ScaleIndex(line / layout.axis, line % layout.axis, index % layout.inner);
  std::vector<ElementOperand> elements;
  const auto add = [&](std::string_view name, const TensorView& tensor, int64_t at) {
    elements.push_back({std::string(name), tensor.type, ReadCode(tensor, at)});
  };
  add(names.x, operands.x, index);
  add(names.scale, operands.scale, scale_index);
  if (operands.zero_point) {
    add(names.zero_point, *operands.zero_point,
        layout.zero_point_is_scalar ? 0 : scale_index);
  }
  return elements;
}

std::vector<Tensor> IsolateScaledElement(const std::vector<ElementOperand>& elements) {
  std::vector<Tensor> isolated;
  for (const ElementOperand& element : elements) {
    isolated.push_back(
        Tensor::Zeros(element.type, isolated.empty() ? Shape{1} : Shape{}));
    WriteCode(isolated.back().mutable_view(), 0, element.code);
  }
  return isolated;
}

Dimensions DimensionsOfScaled(const ScaledOperands& operands, const ScaleLayout& layout) {
  Dimensions dimensions;
  for (size_t axis = 0; axis < operands.x.shape.size(); ++axis) {
    dimensions.push_back({.name = "x_" + std::to_string(axis),
                          .size = operands.x.shape[axis],
                          .operands = {{kX, axis}},
                          .outputs = {{0, axis}}});
  }
  AddParameter(layout, kScale, operands.scale.shape, dimensions);
  if (operands.zero_point && !layout.zero_point_is_scalar) {
    AddParameter(layout, kZeroPoint, operands.zero_point->shape, dimensions);
  }
  return dimensions;
}

}  // namespace qconform
