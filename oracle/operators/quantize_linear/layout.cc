#include "oracle/operators/quantize_linear/layout.h"

#include <algorithm>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>

namespace qconform {
namespace {

using Kind = ModelValidity::Kind;
using Granularity = QuantizeLinearLayout::Granularity;

// --- what each since_version has ------------------------------------------------

bool IsOneOf(DataType type, std::initializer_list<DataType> types) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

constexpr int kSinceVersions[] = {10, 13, 19, 21, 23, 24, 25, 28};

// Returns "10, 13 and 19".
std::string SinceVersionsText() {
  std::string text;
  for (const int& version : kSinceVersions) {
    if (&version == std::end(kSinceVersions) - 1) {
      text += " and ";
    } else if (!text.empty()) {
      text += ", ";
    }
    text += std::to_string(version);
  }
  return text;
}

bool AllowsX(int since_version, DataType type) {
  using enum DataType;
  if (since_version < 19) return IsOneOf(type, {kFloat, kInt32});
  return IsOneOf(type, {kFloat, kFloat16, kBfloat16, kInt32});
}

bool AllowsScale(int since_version, DataType type, DataType x) {
  if (since_version < 19) return type == DataType::kFloat;
  if (since_version < 23) return type == x;
  if (type == DataType::kFloat8E8M0) return since_version >= 24;
  return AllowsX(since_version, type);
}

// The output types, and the definition that brought each.
struct OutputType {
  DataType type;
  int since_version;
};
constexpr OutputType kOutputTypes[] = {
    {DataType::kUint8, 10},        {DataType::kInt8, 10},
    {DataType::kFloat8E4M3FN, 19}, {DataType::kFloat8E4M3FNUZ, 19},
    {DataType::kFloat8E5M2, 19},   {DataType::kFloat8E5M2FNUZ, 19},
    {DataType::kUint16, 21},       {DataType::kInt16, 21},
    {DataType::kUint4, 21},        {DataType::kInt4, 21},
    {DataType::kFloat4E2M1, 23},   {DataType::kUint2, 25},
    {DataType::kInt2, 25},         {DataType::kFloat6E2M3, 28},
    {DataType::kFloat6E3M2, 28},
};

bool AllowsY(int since_version, DataType type) {
  const OutputType* row = std::ranges::find(kOutputTypes, type, &OutputType::type);
  return row != std::end(kOutputTypes) && since_version >= row->since_version;
}

// --- the resolution --------------------------------------------------------------

class Resolver {
 public:
  Resolver(const QuantizeLinearProblem& problem, bool has_data)
      : problem_(problem),
        has_data_(has_data),
        x_shape_(problem.x.shape),
        scale_shape_(problem.y_scale.shape),
        rank_(static_cast<int64_t>(problem.x.shape.size())) {}

  QuantizeLinearResolution Run() {
    if (ResolveOperands() && ResolveAttributes() && ResolveTypes() &&
        ResolveZeroPoint()) {
      ResolveGranularity();
    }
    return std::move(resolution_);
  }

 private:
  bool Invalid(std::string reason) {
    resolution_.validation = {Kind::kInvalid, "QL-34", std::move(reason)};
    return false;
  }

  // The first thing that is open names the model; an invalid one outranks it.
  bool Open(std::string clause, std::string reason) {
    ModelValidity& validation = resolution_.validation;
    if (validation.kind == Kind::kValid) {
      validation = {Kind::kOpen, std::move(clause), std::move(reason)};
    }
    return true;
  }
  bool Open(std::string reason) { return Open("QL-33", std::move(reason)); }

  std::string Since() const {
    return "since_version " + std::to_string(problem_.since_version);
  }

  bool CheckBytes(const char* name, const TensorView& tensor) {
    if (tensor.type == DataType::kUndefined) {
      return Invalid(std::string(name) + " has no type: every operand needs one");
    }
    const std::optional<int64_t> count = ElementCount(tensor.shape);
    if (!count) {
      return Invalid(std::string(name) + " has the shape " + ShapeToString(tensor.shape) +
                     ": dimensions must not be negative, nor their product above 2^58");
    }
    const size_t bytes = PackedByteSize(tensor.type, *count);
    if (has_data_ && tensor.data.size() != bytes) {
      return Invalid(std::string(name) + " has " + std::to_string(tensor.data.size()) +
                     " bytes: its type and shape need " + std::to_string(bytes));
    }
    return true;
  }

  bool ResolveOperands() {
    if (std::ranges::find(kSinceVersions, problem_.since_version) ==
        std::end(kSinceVersions)) {
      return Invalid(Since() + " is no definition of QuantizeLinear: there are " +
                     SinceVersionsText());
    }
    return CheckBytes("x", problem_.x) && CheckBytes("y_scale", problem_.y_scale) &&
           (!problem_.y_zero_point || CheckBytes("y_zero_point", *problem_.y_zero_point));
  }

  bool RequireSince(int since_version, bool used, const char* name) {
    if (!used || problem_.since_version >= since_version) return true;
    return Invalid(std::string("attribute ") + name + " does not exist in " + Since() +
                   ": it came with " + std::to_string(since_version));
  }

  bool ResolveAttributes() {
    const QuantizeLinearAttributes& given = problem_.attributes;
    if (!RequireSince(13, given.axis.has_value(), "axis") ||
        !RequireSince(19, given.saturate != 1, "saturate") ||
        !RequireSince(21, given.block_size != 0, "block_size") ||
        !RequireSince(21, given.output_dtype != 0, "output_dtype") ||
        !RequireSince(23, given.precision != 0, "precision")) {
      return false;
    }
    if (given.saturate != 0 && given.saturate != 1) {
      Open("QL-14", "saturate is " + std::to_string(given.saturate) +
                        ": the text knows 0 and 1 alone");
    }
    const std::optional<DataType> precision = DataTypeFromNumber(given.precision);
    if (given.precision != 0 &&
        (!precision || !IsOneOf(*precision, {DataType::kFloat, DataType::kFloat16,
                                             DataType::kBfloat16, DataType::kDouble}))) {
      Open("QL-08",
           "precision is " + std::to_string(given.precision) +
               ": only FLOAT, FLOAT16, BFLOAT16 and DOUBLE have a plain meaning");
    }
    return true;
  }

  bool ResolveTypes() {
    const int since = problem_.since_version;
    const DataType x = problem_.x.type;
    const DataType scale = problem_.y_scale.type;
    if (!AllowsX(since, x)) {
      return Invalid("x has type " + std::string(DataTypeName(x)) +
                     ", which is not in T1 of " + Since());
    }
    if (!AllowsScale(since, scale, x)) {
      std::string right = since < 19 ? "it must be FLOAT"
                          : since < 23
                              ? "it must be that of x, " + std::string(DataTypeName(x))
                              : "it must be in T2";
      return Invalid("y_scale has type " + std::string(DataTypeName(scale)) + " in " +
                     Since() + ": " + right);
    }
    // QL-30.
    DataType& y = resolution_.layout.y;
    y = DataType::kUint8;
    if (problem_.y_zero_point) {
      y = problem_.y_zero_point->type;
      if (!AllowsY(since, y)) {
        return Invalid("y_zero_point has type " + std::string(DataTypeName(y)) +
                       ", which is no output type of " + Since());
      }
    }
    const int64_t number = problem_.attributes.output_dtype;
    if (number == 0) return true;
    const std::optional<DataType> output_dtype = DataTypeFromNumber(number);
    if (!output_dtype || !AllowsY(since, *output_dtype)) {
      return Invalid("output_dtype is " + std::to_string(number) +
                     ", which is no output type of " + Since());
    }
    if (problem_.y_zero_point && *output_dtype != y) {
      return Invalid("output_dtype is " + std::string(DataTypeName(*output_dtype)) +
                     ": with a y_zero_point it must be that one's type, " +
                     std::string(DataTypeName(y)));
    }
    y = *output_dtype;
    return true;
  }

  bool ResolveZeroPoint() {
    if (!problem_.y_zero_point) return true;
    const std::span<const int64_t> shape = problem_.y_zero_point->shape;
    if (std::ranges::equal(shape, scale_shape_)) return true;
    const std::string shapes = "y_zero_point has shape " + ShapeToString(shape) +
                               ", y_scale " + ShapeToString(scale_shape_);
    resolution_.layout.zero_point_is_scalar = true;
    const bool one = shape.size() == 1 && shape[0] == 1;
    if (scale_shape_.empty() && one)
      return Open(shapes + ": the text asks for equal shapes");
    if (shape.empty() && scale_shape_.size() == 1) {
      return Open(shapes + ": the text asks for equal shapes");
    }
    return Invalid(shapes + ": they must be equal");
  }

  // --- granularity -----------------------------------------------------------------

  // The axis as the node means it, the default included; may be out of range.
  int64_t Axis() const { return problem_.attributes.axis.value_or(1); }
  bool AxisInRange() const { return -rank_ <= Axis() && Axis() < rank_; }
  int64_t AxisFromFront() const { return Axis() < 0 ? Axis() + rank_ : Axis(); }

  std::string AxisOutOfRange() const {
    return "axis is " + std::to_string(Axis()) + ": for x of rank " +
           std::to_string(rank_) + " it must be in [" + std::to_string(-rank_) + ", " +
           std::to_string(rank_ - 1) + "]";
  }

  bool PerTensor() {
    resolution_.layout.granularity = Granularity::kPerTensor;
    resolution_.layout.inner = *ElementCount(x_shape_);
    return true;
  }

  void SplitAround(int64_t axis) {
    QuantizeLinearLayout& layout = resolution_.layout;
    const auto place = static_cast<size_t>(axis);
    layout.axis_of_x = place;
    layout.axis = x_shape_[place];
    // Dimensions of 0 make the count 0 in either factor; both stay in range
    // because the count of all dimensions was.
    for (size_t i = 0; i < place; ++i) layout.outer *= x_shape_[i];
    for (size_t i = place + 1; i < x_shape_.size(); ++i) layout.inner *= x_shape_[i];
  }

  bool PerAxis(int64_t axis) {
    resolution_.layout.granularity = Granularity::kPerAxis;
    SplitAround(axis);
    return true;
  }

  bool Blocked(int64_t axis, int64_t block) {
    QuantizeLinearLayout& layout = resolution_.layout;
    layout.granularity = Granularity::kBlocked;
    SplitAround(axis);
    layout.block = block;
    layout.blocks =
        scale_shape_[static_cast<size_t>(scale_shape_.size() == 1 ? 0 : axis)];
    return true;
  }

  bool ResolveGranularity() {
    if (scale_shape_.empty()) return ResolveScalar();
    if (scale_shape_.size() == 1) return ResolveVector();
    return ResolveBlocked();
  }

  bool ResolveScalar() {
    const int64_t block = problem_.attributes.block_size;
    if (problem_.attributes.axis && !AxisInRange()) {
      Open(AxisOutOfRange() + "; a scalar y_scale does not use it");
    }
    if (block != 0) {
      Open("block_size is " + std::to_string(block) +
           ", y_scale is a scalar: blocks need a " + "y_scale of x's rank");
    }
    return PerTensor();
  }

  bool ResolveVector() {
    const int64_t length = scale_shape_[0];
    const int64_t block = problem_.attributes.block_size;
    if (block < 0) {
      Open("block_size is " + std::to_string(block) + ": it must not be negative");
    }
    if (problem_.since_version < 13) {
      Open("y_scale has shape " + ShapeToString(scale_shape_) +
           ": since_version 10 knows " + "scalars alone");
    }
    if (rank_ == 1) return ResolveVectorOverVector(length, block);
    const bool in_range = rank_ > 0 && AxisInRange();
    if (in_range && length == x_shape_[static_cast<size_t>(AxisFromFront())]) {
      if (block > 0) {
        Open("block_size is " + std::to_string(block) +
             ", y_scale is 1-D: blocks need a " + "y_scale of x's rank");
      }
      return PerAxis(AxisFromFront());
    }
    if (length == 1) {
      Open("y_scale has shape [1]: per tensor takes a scalar");
      return PerTensor();
    }
    if (rank_ > 0 && !AxisInRange()) return Invalid(AxisOutOfRange());
    if (rank_ == 0) {
      return Invalid("y_scale has shape " + ShapeToString(scale_shape_) +
                     ", x is a scalar: y_scale must be one too");
    }
    return Invalid("y_scale has shape " + ShapeToString(scale_shape_) + ": per axis " +
                   std::to_string(Axis()) + " its length must be " +
                   std::to_string(x_shape_[static_cast<size_t>(AxisFromFront())]));
  }

  // x and y_scale both 1-D.
  bool ResolveVectorOverVector(int64_t length, int64_t block) {
    const int64_t size = x_shape_[0];
    const std::string shapes = "x has shape " + ShapeToString(x_shape_) + ", y_scale " +
                               ShapeToString(scale_shape_);
    if (block > 0) {
      const int64_t needed = size / block + (size % block != 0 ? 1 : 0);
      Open(shapes + " and block_size is " + std::to_string(block) +
           ": per tensor is applied for rank 1");
      if (length == size) return PerAxis(0);
      if (length >= needed && length > 0) return Blocked(0, block);
      if (length == 1) return PerTensor();
      return Invalid(shapes + " and block_size is " + std::to_string(block) +
                     ": there must be " + std::to_string(needed) + " scales");
    }
    if (length == size) {
      // QL-32: legal where the text of the version speaks of the axis of any rank.
      if (problem_.since_version >= 21) {
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
    return Invalid(shapes + ": y_scale must be a scalar, or as long as x");
  }

  bool ResolveBlocked() {
    const std::string shapes = "y_scale has shape " + ShapeToString(scale_shape_) +
                               ", x " + ShapeToString(x_shape_);
    const int64_t block = problem_.attributes.block_size;
    if (problem_.since_version < 21) {
      return Invalid(shapes + ": in " + Since() + " y_scale is a scalar or 1-D");
    }
    if (std::ssize(scale_shape_) != rank_) {
      return Invalid(shapes + ": a blocked y_scale must have x's rank");
    }
    if (block <= 0) {
      return Invalid(shapes + ", block_size is " + std::to_string(block) +
                     ": a blocked y_scale needs a positive one");
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
    const int64_t needed = size / block + (size % block != 0 ? 1 : 0);
    if (blocks < needed) {
      return Invalid(shapes + ", block_size is " + std::to_string(block) + ": axis " +
                     std::to_string(axis) + " needs " + std::to_string(needed) +
                     " scales");
    }
    if (blocks > needed) {
      Open(shapes + ", block_size is " + std::to_string(block) + ": axis " +
           std::to_string(axis) + " uses " + std::to_string(needed) + " scales only");
    }
    return Blocked(axis, block);
  }

  const QuantizeLinearProblem& problem_;
  const bool has_data_;
  const std::span<const int64_t> x_shape_;
  const std::span<const int64_t> scale_shape_;
  const int64_t rank_;
  QuantizeLinearResolution resolution_;
};

}  // namespace

std::span<const int> QuantizeLinearSinceVersions() { return kSinceVersions; }

QuantizeLinearResolution Resolve(const QuantizeLinearProblem& problem) {
  return Resolver(problem, /*has_data=*/true).Run();
}

QuantizeLinearResolution ResolveWithoutData(const QuantizeLinearProblem& problem) {
  return Resolver(problem, /*has_data=*/false).Run();
}

ModelValidity Validate(const QuantizeLinearProblem& problem) {
  return Resolve(problem).validation;
}

}  // namespace qconform
