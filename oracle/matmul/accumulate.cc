#include "oracle/matmul/accumulate.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>
#include <vector>

#include "oracle/formats/codes.h"
#include "oracle/formats/prepared.h"

namespace qconform {
namespace {

// The exponent of the last place of the smallest values: every finite value of
// the format is a multiple of 2^that.
int UnitExponent(const NumberFormat& format) {
  return Decode(format, SmallestPositive(format)).exponent;
}

// A finite value in units of 2^exponent. Those of float8 have at most 33 bits.
int64_t InUnits(const ExactValue& value, int exponent) {
  if (value.value_class != ValueClass::kFinite) return 0;
  const auto magnitude =
      static_cast<int64_t>(value.significand << (value.exponent - exponent));
  return value.negative ? -magnitude : magnitude;
}

// What each of an operand's 256 codes stands for.
struct CodeTable {
  DataType type;
  std::array<ExactValue, 256> values;
  std::array<int64_t, 256> units;  // of UnitExponent
};

// Precondition: a type that `a` and `b` may have.
const CodeTable& TableOf(DataType type) {
  static const std::vector<CodeTable> tables = [] {
    std::vector<CodeTable> made;
    for (const DataType each :
         {DataType::kUint8, DataType::kInt8, DataType::kFloat8E4M3FN,
          DataType::kFloat8E4M3FNUZ, DataType::kFloat8E5M2, DataType::kFloat8E5M2FNUZ}) {
      CodeTable& table = made.emplace_back();
      table.type = each;
      const Decoder decode(FormatOf(each));
      for (size_t code = 0; code < 256; ++code) {
        table.values[code] = decode(code);
        table.units[code] = InUnits(table.values[code], UnitExponent(FormatOf(each)));
      }
    }
    return made;
  }();
  return *std::find_if(tables.begin(), tables.end(),
                       [type](const CodeTable& table) { return table.type == type; });
}

bool IsSpecial(const ExactValue& value) {
  return value.value_class == ValueClass::kInfinity ||
         value.value_class == ValueClass::kNan;
}

// The class of a - zp, and its sign in `negative`.
ValueClass ClassOfDifference(const ExactValue& a, const ExactValue& zero_point,
                             bool& negative) {
  ExactValue minus = zero_point;
  minus.negative = !minus.negative;
  const Unrounded difference = Add(ToUnrounded(a), minus);
  negative = difference.negative;
  return difference.value_class;
}

template <typename Sum, bool kWithMagnitude>
void Dot(const int64_t* a, const int64_t* b, int64_t count, Accumulated& result) {
  Sum sum = 0;
  Sum magnitude = 0;
  for (int64_t k = 0; k < count; ++k) {
    const Sum product = static_cast<Sum>(a[k]) * b[k];
    sum += product;
    if constexpr (kWithMagnitude) magnitude += product < 0 ? -product : product;
  }
  result.units = sum;
  result.magnitude = static_cast<Uint128>(magnitude);
}

}  // namespace

MatMulOperand::MatMulOperand(const TensorView& tensor, const MatMulStack& stack,
                             bool by_row, const std::optional<TensorView>& zero_point,
                             const LineIndices& zero_point_lines)
    : terms_(by_row ? stack.columns : stack.rows), is_integer_(IsInteger(tensor.type)) {
  const NumberFormat& format = FormatOf(tensor.type);
  const CodeTable& table = TableOf(tensor.type);
  exponent_ = UnitExponent(format);
  const int64_t lines = by_row ? stack.rows : stack.columns;
  const auto count = static_cast<size_t>(*ElementCount(tensor.shape));
  units_.resize(count);
  has_zero_point_.resize(static_cast<size_t>(stack.matrices * lines));
  is_special_line_.resize(has_zero_point_.size());

  for (int64_t matrix = 0; matrix < stack.matrices; ++matrix) {
    for (int64_t at = 0; at < lines; ++at) {
      const auto line = static_cast<size_t>(matrix * lines + at);
      const int64_t zero_index =
          IndexOfLine(zero_point_lines, static_cast<int64_t>(line));
      const uint64_t zero_code = zero_point ? ReadCode(*zero_point, zero_index) : 0;
      const ExactValue& zero = table.values[zero_code];
      const int64_t zero_units = table.units[zero_code];
      const bool zero_is_special = IsSpecial(zero);
      has_zero_point_[line] = zero.value_class != ValueClass::kZero;
      for (int64_t k = 0; k < terms_; ++k) {
        const int64_t row = by_row ? at : k;
        const int64_t column = by_row ? k : at;
        const int64_t index = (matrix * stack.rows + row) * stack.columns + column;
        const auto code = static_cast<size_t>(tensor.data[static_cast<size_t>(index)]);
        const ExactValue& value = table.values[code];
        const size_t place = line * static_cast<size_t>(terms_) + static_cast<size_t>(k);
        if (zero_is_special || IsSpecial(value)) {
          bool negative = false;
          is_special_line_[line] = 1;
          if (classes_.empty()) classes_.resize(count, ValueClass::kFinite);
          classes_[place] = ClassOfDifference(value, zero, negative);
          units_[place] = negative ? -1 : 1;  // the sign of an infinity
          continue;
        }
        units_[place] = table.units[code] - zero_units;
        AddMagnitude(units_[place]);
      }
    }
  }
  digits_ = static_cast<int>(std::bit_width(static_cast<uint64_t>(largest_)));
}

MatMulOperand::MatMulOperand(std::vector<int64_t> differences, int64_t terms,
                             std::vector<uint8_t> has_zero_point)
    : terms_(terms),
      is_integer_(true),
      units_(std::move(differences)),
      has_zero_point_(std::move(has_zero_point)),
      is_special_line_(has_zero_point_.size()) {
  for (const int64_t units : units_) AddMagnitude(units);
  digits_ = static_cast<int>(std::bit_width(static_cast<uint64_t>(largest_)));
}

void MatMulOperand::AddMagnitude(int64_t units) {
  const int64_t magnitude = units < 0 ? -units : units;
  largest_ = std::max(largest_, magnitude);
  if (magnitude != 0 && (smallest_ == 0 || magnitude < smallest_)) smallest_ = magnitude;
}

ExactValue MatMulOperand::OfUnits(int64_t units) const {
  if (units == 0) return {};
  return {.value_class = ValueClass::kFinite,
          .negative = units < 0,
          .significand = static_cast<uint64_t>(units < 0 ? -units : units),
          .exponent = exponent_};
}

ExactValue MatMulOperand::ValueAt(int64_t line, int64_t k) const {
  const auto place = static_cast<size_t>(line * terms_ + k);
  const int64_t units = units_[place];
  if (is_special_line_[static_cast<size_t>(line)] != 0) {
    const ValueClass value_class = classes_[place];
    if (value_class == ValueClass::kInfinity || value_class == ValueClass::kNan) {
      return {.value_class = value_class, .negative = units < 0};
    }
  }
  return OfUnits(units);
}

MatMulAccumulator::MatMulAccumulator(const MatMulOperand& a, const MatMulOperand& b,
                                     bool with_magnitude)
    : a_(&a),
      b_(&b),
      with_magnitude_(with_magnitude),
      fits_64_(a.digits_ + b.digits_ +
                   static_cast<int>(std::bit_width(static_cast<uint64_t>(a.terms_))) <=
               62) {}

Accumulated MatMulAccumulator::operator()(int64_t a_line, int64_t b_line) const {
  const size_t a_first = static_cast<size_t>(a_line) * static_cast<size_t>(a_->terms_);
  const size_t b_first = static_cast<size_t>(b_line) * static_cast<size_t>(b_->terms_);
  const int64_t* a = a_->units_.data() + a_first;
  const int64_t* b = b_->units_.data() + b_first;
  const bool a_special = a_->is_special_line_[static_cast<size_t>(a_line)] != 0;
  const bool b_special = b_->is_special_line_[static_cast<size_t>(b_line)] != 0;
  if (a_special || b_special) {
    return AccumulateSpecial(a, a_special ? a_->classes_.data() + a_first : nullptr, b,
                             b_special ? b_->classes_.data() + b_first : nullptr);
  }
  Accumulated result{.exponent = a_->exponent_ + b_->exponent_};
  if (fits_64_) {
    with_magnitude_ ? Dot<int64_t, true>(a, b, a_->terms_, result)
                    : Dot<int64_t, false>(a, b, a_->terms_, result);
  } else {
    with_magnitude_ ? Dot<Int128, true>(a, b, a_->terms_, result)
                    : Dot<Int128, false>(a, b, a_->terms_, result);
  }
  result.value_class = result.units == 0 ? ValueClass::kZero : ValueClass::kFinite;
  return result;
}

// A NaN product, Inf * 0, or infinities of both signs give NaN; else any
// infinite product decides.
Accumulated MatMulAccumulator::AccumulateSpecial(const int64_t* a,
                                                 const ValueClass* a_classes,
                                                 const int64_t* b,
                                                 const ValueClass* b_classes) const {
  bool positive = false;
  bool negative = false;
  bool nan = false;
  for (int64_t k = 0; k < a_->terms_; ++k) {
    const ValueClass x = a_classes ? a_classes[k] : ValueClass::kFinite;
    const ValueClass y = b_classes ? b_classes[k] : ValueClass::kFinite;
    const bool infinite = x == ValueClass::kInfinity || y == ValueClass::kInfinity;
    // A finite zero is 0 units; special values are never.
    nan = nan || x == ValueClass::kNan || y == ValueClass::kNan ||
          (infinite && (a[k] == 0 || b[k] == 0));
    if (infinite) ((a[k] < 0) != (b[k] < 0) ? negative : positive) = true;
  }
  if (nan || (positive && negative)) return {.value_class = ValueClass::kNan};
  return {.value_class = ValueClass::kInfinity, .negative = negative};
}

}  // namespace qconform
