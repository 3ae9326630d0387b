// A question under construction: x, w and their zero points of one content of an operator
// that convolves 8-bit integers.
#ifndef QCONFORM_CASES_CONVOLUTION_QUESTION_H_
#define QCONFORM_CASES_CONVOLUTION_QUESTION_H_

#include <cstdint>
#include <vector>

#include "cases/convolution/geometry.h"
#include "cases/core/content.h"
#include "cases/core/counter_rng.h"
#include "cases/lattice/cell.h"
#include "oracle/formats/number_format.h"

namespace qconform::generators {

// Whether w has a zero point (and a scale) for each output channel.
inline bool IsPerChannel(const Cell& cell) { return cell.granularity != "per_tensor"; }

// Cells take turns by it with what few of them are asked: from 0 to 3, all four of which
// the cells of a granularity have.
inline int TurnOf(const Cell& cell) {
  const int x = cell.types[0] == DataType::kInt8 ? 1 : 0;
  const int w = cell.types[1] == DataType::kInt8 ? 2 : 0;
  return (x + w + (IsPerChannel(cell) ? 1 : 0)) % 4;
}

// Returns the value of a code of INT8 or UINT8, and the code of the nearest value.
inline int64_t ValueOf(DataType type, uint8_t code) {
  return type == DataType::kInt8 ? static_cast<int8_t>(code) : int64_t{code};
}
uint8_t NearestCode(DataType type, int64_t value);

class ConvolutionQuestion {
 public:
  // The cell's first types are those of x and w.
  ConvolutionQuestion(const Cell& cell, int index, CounterRng rng);

  const Cell& cell;
  const int index;
  const DataType x_type;
  const DataType w_type;
  CounterRng rng;

  // --- what is chosen -------------------------------------------------------
  ConvolutionGeometry geometry;
  std::vector<uint8_t> x;  // codes, row-major
  std::vector<uint8_t> w;
  uint8_t x_zero_point = 0;
  std::vector<uint8_t> w_zero_points;  // one, or one for each output channel
  // A zero point that is left out is 0.
  bool has_x_zero_point = true;
  bool has_w_zero_point = true;

  bool per_channel() const { return IsPerChannel(cell); }

  // Takes the sizes; codes and zero points are 0 until they are set.
  void SetSizes(ConvolutionSizes sizes);

  // --- choosing -------------------------------------------------------------
  // x's zero point is high, low, odd, any, in the middle or 0, in turn; so is w's if it
  // is one. Those of output channels all differ, up to 256 of them.
  void SetZeroPoints(uint32_t turn);
  // The end of x's or w's type that `high` says, or any code.
  uint8_t EndOf(DataType type, bool high) const;
  uint8_t AnyCode() { return static_cast<uint8_t>(rng.Next32()); }
  void FillAny();  // x and w

  // --- sums -----------------------------------------------------------------
  int64_t WZero(int64_t m) const {
    return ValueOf(w_type, w_zero_points[per_channel() ? static_cast<size_t>(m) : 0]);
  }
  // Differences from the zero points; `index` is row-major.
  int64_t XValue(int64_t i) const {
    return ValueOf(x_type, x[static_cast<size_t>(i)]) - ValueOf(x_type, x_zero_point);
  }
  int64_t WValue(int64_t i) const {
    return ValueOf(w_type, w[static_cast<size_t>(i)]) - WZero(i / geometry.terms());
  }
  // The exact sum of products of an output element; padding contributes 0.
  int64_t Sum(int64_t batch, int64_t m, int64_t position) const;
  // Calls visit(batch, m, position) for each output element.
  template <typename Visit>
  void ForEachOutput(const Visit& visit) const {
    for (int64_t n = 0; n < geometry.sizes().batch; ++n) {
      for (int64_t m = 0; m < geometry.m(); ++m) {
        for (int64_t p = 0; p < geometry.positions(); ++p) visit(n, m, p);
      }
    }
  }

  // --- the node -------------------------------------------------------------
  Tensor PackX() const;
  Tensor PackW() const;
  Tensor PackXZeroPoint() const;
  Tensor PackWZeroPoint() const;
  // All attributes, or only those that are needed; in three orders. By the index.
  std::vector<Attribute> Attributes() const;
};

// Returns the tensor with these codes, one byte each.
Tensor PackBytes(DataType type, const Shape& shape, const std::vector<uint8_t>& codes);

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_CONVOLUTION_QUESTION_H_
