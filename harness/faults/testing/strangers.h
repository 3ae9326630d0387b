// Faults that are in no catalogue: one narrow place in which an implementation goes
// wrong, such as a tail of one length, a rank with one axis or a range of quotients.
// What they answer there does not matter: the cases must lead there. Of tests.
#ifndef QCONFORM_HARNESS_FAULTS_TESTING_STRANGERS_H_
#define QCONFORM_HARNESS_FAULTS_TESTING_STRANGERS_H_

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/faults/matrix_cell.h"
#include "harness/operators/q_linear_mat_mul/faults.h"
#include "harness/operators/quantize_linear/faults.h"
#include "oracle/formats/number_format.h"

namespace qconform {

double ToDouble(const ExactValue& value);
bool IsPowerOfTwo(double v);

// One element of QuantizeLinear.
struct Element {
  const DecodedQuantizeLinear& d;
  const OpCase& asked;
  const ElementAnswer& answer;
  int64_t index, count;
  int64_t o, i, j;
  double x, scale, zero_point, q;

  bool last() const { return index == count - 1; }
  int64_t rank() const { return static_cast<int64_t>(d.places.shape.size()); }
  bool Has(std::string_view attribute) const { return Find(attribute) != nullptr; }
  const int64_t* Find(std::string_view name) const {
    for (const Attribute& attribute : asked.model.node.attributes) {
      if (attribute.name == name) return std::get_if<int64_t>(&attribute.value);
    }
    return nullptr;
  }
  bool zero_point_present() const {
    const auto& inputs = asked.model.node.inputs;
    return inputs.size() == 3 && !inputs[2].empty();
  }
  bool tie() const { return (answer.features & kFeatureTie) != 0; }
  double scale_at(size_t at) const { return ToDouble(d.scales[at]); }
  double zero_point_at(size_t at) const { return ToDouble(d.zero_points[at]); }
};

// One element of QLinearMatMul.
struct MatElement {
  const DecodedMatMul& d;
  const OpCase& asked;
  const ElementAnswer& answer;
  int64_t matrix, row, column;
  double sum, a_scale, b_scale, a_zero_point, b_zero_point, y_zero_point;

  int64_t rows() const { return d.layout.y.rows; }
  int64_t columns() const { return d.layout.y.columns; }
  int64_t k() const { return d.terms; }
  double y_scale() const { return ToDouble(d.y_scales[0]); }
  bool last_column() const { return column == columns() - 1; }
  bool last_row() const { return row == rows() - 1; }
  size_t a_rank() const { return asked.operands[0].shape.size(); }
  size_t b_rank() const { return asked.operands[3].shape.size(); }
};

using Applies = std::function<bool(const Cell&)>;
struct Stranger {
  std::string name;
  Applies applies;
  std::function<bool(const Element&)> where{};
  std::function<bool(const MatElement&)> mat_where{};
  bool everywhere = false;  // each cell that it is for catches it
};

// Which cells a stranger is for.
bool Integer(const Cell& cell);  // the output
Applies Any();
Applies Ints();
Applies Of(std::string_view granularity);
Applies Many();  // scales
Applies FloatScales();
Applies FloatX();

std::vector<Stranger> QuantizeLinearStrangers();
std::vector<Stranger> TogetherStrangers();  // of QuantizeLinear
std::vector<Stranger> MatMulStrangers();
std::vector<Stranger> LargeStrangers();   // of both operators
std::vector<Stranger> LengthStrangers();  // of both operators, caught everywhere

}  // namespace qconform

#endif  // QCONFORM_HARNESS_FAULTS_TESTING_STRANGERS_H_
