#include "harness/operators/mat_mul_integer/fault_model.h"

#include <algorithm>
#include <any>
#include <cstddef>
#include <span>
#include <utility>

#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

using Switches = MatMulIntegerSwitches;
using Side = MatMulIntegerSideSwitches;

constexpr uint32_t kUnwrittenCode = 0x5A5A5A5A;  // what backends fill Y with before a run

std::vector<int16_t> ValuesOf(const TensorView& tensor) {
  const NumberFormat& format = FormatOf(tensor.type);
  std::vector<int16_t> values;
  for (const uint64_t code : ReadCodes(tensor)) {
    values.push_back(static_cast<int16_t>(ToInteger(format, code)));
  }
  return values;
}

struct SideNames {
  std::string_view zero_point;
  bool by_row = true;
};

DecodedIntegerSide DecodeSide(const TensorView& operand,
                              const std::optional<TensorView>& zero_point,
                              const MatMulStack& stack, const SideNames& names) {
  DecodedIntegerSide side;
  side.type = operand.type;
  side.lines = names.by_row ? stack.rows : stack.columns;
  const int64_t terms = names.by_row ? stack.columns : stack.rows;
  const std::vector<int16_t> values = ValuesOf(operand);
  side.values.reserve(values.size());
  for (int64_t matrix = 0; matrix < stack.matrices; ++matrix) {
    for (int64_t line = 0; line < side.lines; ++line) {
      for (int64_t k = 0; k < terms; ++k) {
        const int64_t row = names.by_row ? line : k;
        const int64_t column = names.by_row ? k : line;
        side.values.push_back(values[static_cast<size_t>(
            (matrix * stack.rows + row) * stack.columns + column)]);
      }
    }
  }
  side.has_zero_point = zero_point.has_value();
  if (zero_point) {
    side.zero_points = ValuesOf(*zero_point);
    const MatMulLines lines{&stack, names.by_row, operand.shape.size() == 1};
    side.zero_point_of_line =
        FitLines(names.zero_point, zero_point->shape, lines).indices;
  }
  if (side.zero_points.empty()) side.zero_points = {0};  // of no lines
  return side;
}

int16_t WithOtherSign(int16_t value, DataType type) {
  return type == DataType::kUint8 ? static_cast<int8_t>(value)
                                  : static_cast<uint8_t>(value);
}

int16_t Narrowed(int64_t difference, DataType type, Side::Difference mistake) {
  const bool is_unsigned = type == DataType::kUint8;
  switch (mistake) {
    case Side::Difference::kExact:
      break;
    case Side::Difference::kWraps8:
      return is_unsigned ? static_cast<int16_t>(static_cast<uint8_t>(difference))
                         : static_cast<int16_t>(static_cast<int8_t>(difference));
    case Side::Difference::kSaturates8:
      return static_cast<int16_t>(is_unsigned
                                      ? std::clamp<int64_t>(difference, 0, 255)
                                      : std::clamp<int64_t>(difference, -128, 127));
    case Side::Difference::kUnsignedWrapsInt8:
      if (is_unsigned) return static_cast<int8_t>(difference);
      break;
  }
  return static_cast<int16_t>(difference);
}

// Which element of Y, and which matrices it is made of.
struct Place {
  int64_t row = 0;
  int64_t column = 0;
  int64_t y_matrix = 0;
  int64_t a_matrix = 0;
  int64_t b_matrix = 0;
};

// A line of one operand with its zero points.
struct Line {
  const DecodedIntegerSide& side;
  const Side& switches;
  int64_t matrix = 0;
  int64_t line = 0;
  int64_t other_line = 0;
  int64_t y_matrix = 0;
};

class Evaluation {
 public:
  Evaluation(const DecodedMatMulInteger& decoded, const Switches& switches,
             const FaultState& state)
      : d_(decoded), s_(switches), state_(state) {}

  Place PlaceOf(int64_t index) const {
    const MatMulStack& y = d_.layout.y;
    Place place;
    place.column = index % y.columns;
    place.row = index / y.columns % y.rows;
    place.y_matrix = index / y.columns / y.rows;
    const auto matrix = static_cast<size_t>(place.y_matrix);
    const int64_t right_a = d_.layout.a_matrix[matrix];
    const int64_t right_b = d_.layout.b_matrix[matrix];
    place.a_matrix = right_a;
    place.b_matrix = right_b;
    switch (s_.batch) {
      case Switches::Batch::kRight:
        break;
      case Switches::Batch::kFirst:
        place.a_matrix = place.b_matrix = 0;
        break;
      case Switches::Batch::kFirstOfA:
        place.a_matrix = 0;
        break;
      case Switches::Batch::kFirstOfB:
        place.b_matrix = 0;
        break;
      case Switches::Batch::kModulo:
        place.a_matrix = place.y_matrix % d_.layout.a.matrices;
        place.b_matrix = place.y_matrix % d_.layout.b.matrices;
        break;
    }
    return place;
  }

  // Whether the mistakes act on an element: it may be one of a tail only.
  bool ActsOn(const Place& place) const {
    const MatMulStack& y = d_.layout.y;
    const auto is_in_tail = [](int64_t at, int64_t size, int multiple) {
      return multiple == 0 || at >= size - size % multiple;
    };
    return is_in_tail(place.row, y.rows, s_.tail_rows) &&
           is_in_tail(place.column, y.columns, s_.tail_columns);
  }

  MatMulIntegerTrace Trace(const Place& place) {
    const Line a{d_.a, s_.a, place.a_matrix, place.row, place.column, place.y_matrix};
    const Line b{d_.b, s_.b, place.b_matrix, place.column, place.row, place.y_matrix};
    MatMulIntegerTrace trace;
    trace.a_zero_point = ZeroPointOf(a, b, 0);
    trace.b_zero_point = ZeroPointOf(b, a, 0);
    FaultyTerms terms;
    terms.a_zero_point = trace.a_zero_point;
    terms.b_zero_point = trace.b_zero_point;
    terms.a_is_signed = d_.a.type == DataType::kInt8;
    terms.b_is_signed = d_.b.type == DataType::kInt8;
    terms.a = FactorsOf(a, b, terms.a_zero_point, a_);
    terms.b = FactorsOf(b, a, terms.b_zero_point, b_);
    trace.sum = SumOf(terms, s_.sum);
    return trace;
  }

 private:
  int64_t terms() const { return d_.layout.terms(); }

  // The index of the zero point that term k of a line takes.
  size_t IndexOf(const Line& line, int64_t k) const {
    const auto last = static_cast<int64_t>(line.side.zero_points.size()) - 1;
    const int64_t own_line = line.matrix * line.side.lines + line.line;
    const int64_t right = IndexOfLine(line.side.zero_point_of_line, own_line);
    if (last == 0) return 0;
    const int64_t first = right - line.line;  // of the line's matrix
    const auto at = [&](int64_t index) {
      return static_cast<size_t>(std::clamp<int64_t>(index, 0, last));
    };
    switch (line.switches.place) {
      case Side::Place::kRight:
        break;
      case Side::Place::kFirst:
        return 0;
      case Side::Place::kNext:
        return at(right + 1);
      case Side::Place::kByOtherLine:
        return at(first + std::min(line.other_line, line.side.lines - 1));
      case Side::Place::kByTerm:
        return at(first + k % line.side.lines);
      case Side::Place::kOfFirstMatrix:
        return at(line.line);
      case Side::Place::kByBatch:
        // A vector is that of all matrices.
        if (last < line.side.lines) break;
        return at(line.y_matrix * line.side.lines + line.line);
    }
    return at(right);
  }

  int64_t OwnZeroPointOf(const Line& line, int64_t k) const {
    const int16_t value = line.side.zero_points[IndexOf(line, k)];
    const auto& other = line.switches.other_sign;
    const bool confuses =
        other == Side::OtherSign::kZeroPoint || other == Side::OtherSign::kBoth;
    return confuses ? WithOtherSign(value, line.side.type) : value;
  }

  int64_t ZeroPointOf(const Line& line, const Line& other, int64_t k) const {
    switch (line.switches.zero_point) {
      case Side::ZeroPoint::kSubtracted:
        break;
      case Side::ZeroPoint::kIgnored:
        return 0;
      case Side::ZeroPoint::kAdded:
        return -OwnZeroPointOf(line, k);
      case Side::ZeroPoint::kOfOtherOperand:
        return OwnZeroPointOf(other, k);
      case Side::ZeroPoint::kOfPreviousCall: {
        const auto* previous = std::any_cast<int64_t>(&state_.memory);
        return previous == nullptr ? OwnZeroPointOf(line, k) : *previous;
      }
      case Side::ZeroPoint::kAbsentIs128:
        if (!line.side.has_zero_point && line.side.type == DataType::kUint8) return 128;
        break;
    }
    return OwnZeroPointOf(line, k);
  }

  // The factors of a line as the kernel reads them. `zero_point` is that of the first
  // one; it becomes 0 if it is subtracted here. `made` keeps factors that differ from the
  // operand's.
  std::span<const int16_t> FactorsOf(const Line& line, const Line& other,
                                     int64_t& zero_point,
                                     std::vector<int16_t>& made) const {
    const Side& s = line.switches;
    const auto count = static_cast<size_t>(terms());
    const size_t base =
        static_cast<size_t>(line.matrix * line.side.lines + line.line) * count;
    const bool by_term = s.place == Side::Place::kByTerm;
    const bool narrows = s.difference != Side::Difference::kExact;
    const bool confuses = s.other_sign == Side::OtherSign::kOperand ||
                          s.other_sign == Side::OtherSign::kBoth;
    const bool transposes =
        s.transposed || (s.transposed_if_square && line.side.lines == terms());
    const bool clips = s.minimum_is_minus_127 && line.side.type == DataType::kInt8;
    if (!by_term && !narrows && !confuses && !s.moved_by_128 && !transposes && !clips) {
      return std::span(line.side.values).subspan(base, count);
    }
    made.clear();
    for (int64_t k = 0; k < terms(); ++k) {
      int16_t value = transposes ? TransposedValue(line, k)
                                 : line.side.values[base + static_cast<size_t>(k)];
      if (clips && value == -128) value = -127;
      if (confuses) value = WithOtherSign(value, line.side.type);
      if (s.moved_by_128) {
        value = static_cast<int16_t>(value +
                                     (line.side.type == DataType::kUint8 ? -128 : 128));
      }
      if (by_term || narrows) {
        const int64_t zero = by_term ? ZeroPointOf(line, other, k) : zero_point;
        value = Narrowed(value - zero, line.side.type, s.difference);
      }
      made.push_back(value);
    }
    if (by_term || narrows) zero_point = 0;
    return made;
  }

  // The element that has the place of term k, if the operand is laid out the other way.
  int16_t TransposedValue(const Line& line, int64_t k) const {
    const int64_t lines = line.side.lines;
    const bool by_row = &line.side == &d_.a;
    // A [M, K] is read as [K, M], and B [K, N] as [N, K].
    const int64_t place = by_row ? k * lines + line.line : line.line * terms() + k;
    const int64_t own_line = by_row ? place / terms() : place % lines;
    const int64_t own_term = by_row ? place % terms() : place / lines;
    return line.side.values[static_cast<size_t>(
        (line.matrix * lines + own_line) * terms() + own_term)];
  }

  const DecodedMatMulInteger& d_;
  const Switches& s_;
  const FaultState& state_;
  std::vector<int16_t> a_;
  std::vector<int16_t> b_;
};

// Without the switches of what is not written.
Switches ArithmeticOf(Switches switches) {
  switches.empty_unwritten = false;
  switches.last_unwritten = false;
  switches.last_row_unwritten = false;
  return switches;
}

// What a later call takes in place of its own zero point: that of the operand with the
// mistake.
int64_t FirstZeroPoint(const DecodedMatMulInteger& decoded, const Switches& switches) {
  const bool is_a = switches.a.zero_point == Side::ZeroPoint::kOfPreviousCall;
  return (is_a ? decoded.a : decoded.b).zero_points.front();
}

}  // namespace

Result<DecodedMatMulInteger> DecodeMatMulInteger(const Operands& operands) {
  const auto operand = [&](size_t place) {
    return place < operands.size() ? operands[place] : std::optional<TensorView>();
  };
  const auto a = operand(0);
  const auto b = operand(1);
  if (!a || !b) return Error{"MatMulInteger: expected A and B"};
  Validation validation("MI-07", 10, true);
  const auto layout = ResolveMatMul("A", a->shape, "B", b->shape, validation);
  if (!layout) return Error{"MI-07: " + validation.validity().reason};
  DecodedMatMulInteger decoded;
  decoded.layout = *layout;
  decoded.a = DecodeSide(*a, operand(2), layout->a, {"a_zero_point", true});
  decoded.b = DecodeSide(*b, operand(3), layout->b, {"b_zero_point", false});
  return decoded;
}

std::vector<uint32_t> EvaluateWithSwitches(const DecodedMatMulInteger& decoded,
                                           const std::vector<uint32_t>& canonical,
                                           const MatMulIntegerSwitches& switches,
                                           FaultState& state) {
  std::vector<uint32_t> codes = canonical;
  const MatMulStack& y = decoded.layout.y;
  if (ArithmeticOf(switches) != Switches{}) {
    Evaluation evaluation(decoded, switches, state);
    for (size_t i = 0; i < codes.size(); ++i) {
      const Place place = evaluation.PlaceOf(static_cast<int64_t>(i));
      if (!evaluation.ActsOn(place)) continue;
      codes[i] = static_cast<uint32_t>(evaluation.Trace(place).sum);
    }
    ++state.calls;
    state.memory = FirstZeroPoint(decoded, switches);
  }
  if (switches.empty_unwritten && decoded.layout.terms() == 0) {
    std::ranges::fill(codes, kUnwrittenCode);
  }
  if (switches.last_row_unwritten && y.rows > 1) {
    for (size_t i = 0; i < codes.size(); ++i) {
      const int64_t row = static_cast<int64_t>(i) / y.columns % y.rows;
      if (row + 1 == y.rows) codes[i] = kUnwrittenCode;
    }
  }
  if (switches.last_unwritten && !codes.empty()) codes.back() = kUnwrittenCode;
  return codes;
}

MatMulIntegerTrace TraceElement(const DecodedMatMulInteger& decoded,
                                const MatMulIntegerSwitches& switches, int64_t index) {
  const FaultState state;
  Evaluation evaluation(decoded, switches, state);
  const Place place = evaluation.PlaceOf(index);
  if (evaluation.ActsOn(place)) return evaluation.Trace(place);
  const Switches none;
  return Evaluation(decoded, none, state).Trace(place);
}

}  // namespace qconform
