// The dimensions of an operator's problem, with the axes of operands and outputs that
// have their sizes. Shrinking, moving elements, named dimensions, tails and partial
// blocks are derived from them.
//
// Oracle, judge and kernels never compute with these: each has its own index
// arithmetic, so that one error cannot pass on all sides.
#ifndef QCONFORM_ORACLE_CORE_DIMENSIONS_H_
#define QCONFORM_ORACLE_CORE_DIMENSIONS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace qconform {

// One axis of one tensor.
struct AxisPlace {
  size_t tensor = 0;  // position of the operand in the schema, or of the output
  size_t axis = 0;    // from the front
  int64_t block = 1;  // elements along the dimension per element along the axis

  friend bool operator==(const AxisPlace&, const AxisPlace&) = default;
};

struct Dimension {
  std::string name;  // unique in the problem, valid as ONNX's dim_param: "d0", "M", "K"
  int64_t size = 0;
  bool is_summed = false;  // no output has it
  // Rows of a matrix product. Backends have other code for one row, for few and for many,
  // and may follow other readings there (G-01). Reports call their number M; it is the
  // product of several dimensions.
  bool is_rows = false;
  // It can neither be cut nor turned, because attributes or other dimensions depend on
  // its size or order: an axis along which windows slide, or the channels of several
  // groups. It may have only operands, or only outputs.
  bool is_whole = false;
  std::vector<AxisPlace> operands;
  std::vector<AxisPlace> outputs;
};

// Axes that belong to no dimension have the size 1 and are broadcast.
using Dimensions = std::vector<Dimension>;

// Whether the dimension is that of an axis of an operand.
inline bool HasAxis(const Dimension& dimension, size_t operand, size_t axis) {
  return std::ranges::any_of(dimension.operands, [&](const AxisPlace& place) {
    return place.tensor == operand && place.axis == axis;
  });
}

// Returns the size of that axis.
inline int64_t SizeAt(const Dimension& dimension, const AxisPlace& place) {
  return dimension.size / place.block + (dimension.size % place.block != 0 ? 1 : 0);
}

}  // namespace qconform

#endif  // QCONFORM_ORACLE_CORE_DIMENSIONS_H_
