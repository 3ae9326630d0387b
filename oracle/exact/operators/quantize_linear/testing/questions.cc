#include "oracle/exact/operators/quantize_linear/testing/questions.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "oracle/exact/scale_layout.h"

namespace qconform::agreement {
namespace {

using exact::Codes;
using exact::Format;
using exact::QuantizeLinearInput;
using exact::Type;
using exact::Value;

std::vector<int> XTypes(int since_version) {
  if (since_version < 19) return {exact::kFloat, exact::kInt32};
  return {exact::kFloat, exact::kInt32, exact::kFloat16, exact::kBfloat16};
}

// Empty: x and y_scale share one type.
std::vector<int> ScaleTypes(int since_version) {
  if (since_version < 19) return {exact::kFloat};
  if (since_version < 23) return {};
  std::vector<int> types = {exact::kFloat, exact::kInt32, exact::kFloat16,
                            exact::kBfloat16};
  if (since_version >= 24) types.push_back(exact::kFloat8E8M0);
  return types;
}

std::vector<int> YTypes(int since_version) {
  std::vector<int> types = {exact::kUint8, exact::kInt8};
  const auto add = [&](int since, std::initializer_list<int> more) {
    if (since_version >= since) types.insert(types.end(), more);
  };
  add(19, {exact::kFloat8E4M3FN, exact::kFloat8E4M3FNUZ, exact::kFloat8E5M2,
           exact::kFloat8E5M2FNUZ});
  add(21, {exact::kUint16, exact::kInt16, exact::kUint4, exact::kInt4});
  add(23, {exact::kFloat4E2M1});
  add(25, {exact::kUint2, exact::kInt2});
  add(28, {exact::kFloat6E2M3, exact::kFloat6E3M2});
  return types;
}

std::optional<int64_t> RandomPrecision(Random& random) {
  if (random.OneIn(2)) return std::nullopt;
  return random.Pick<int64_t>(
      {exact::kFloat, exact::kFloat16, exact::kBfloat16, exact::kDouble});
}

// P for the choice of x; it need not be right to be interesting.
int LikelyPrecision(const QuantizeLinearInput& input) {
  if (input.precision != 0) return static_cast<int>(input.precision);
  const Format& scale = exact::GetFormat(input.y_scale.type);
  if (scale.has_infinity) return scale.type;
  return exact::GetFormat(input.x.type).has_infinity ? input.x.type
                                                     : static_cast<int>(exact::kFloat);
}

uint64_t RandomX(const QuantizeLinearInput& input, const Format& target,
                 const Value& scale, const Value& zero_point, Random& random) {
  const Format& format = exact::GetFormat(input.x.type);
  if (!scale.IsNumber() || !zero_point.IsNumber() || random.OneIn(6)) {
    return RandomCode(format, random);
  }
  if (target.has_negative_zero && random.OneIn(24)) {  // -0, and what rounds to it
    if (format.set == Format::Set::kIntegers) return 0;
    return random.Pick<uint64_t>({uint64_t{1} << (format.bits - 1),
                                  CodeNear(format, -scale.number / 1048576, 2, random)});
  }
  if (random.OneIn(8)) {  // the ends of P's range
    const Format& p = exact::GetFormat(LikelyPrecision(input));
    const mpq_class normal = p.smallest_normal;
    const mpq_class smallest = normal / exact::PowerOfTwo(p.precision - 1);
    const mpq_class q = random.Pick<mpq_class>(
        {p.highest, mpq_class(p.highest * (1 + exact::PowerOfTwo(-p.precision - 1))),
         normal, smallest, mpq_class(smallest / 2), mpq_class(smallest * 3 / 2)});
    return CodeNear(format, scale.number * q, 1, random);
  }
  // A boundary of the target, where q is near it, or where q + zp is; or of
  // the exact middle of two values of P next to a boundary (double rounding).
  mpq_class q = RandomBoundary(target, random);
  if (random.OneIn(2)) q -= zero_point.number;
  if (random.OneIn(4)) {
    const Format& p = exact::GetFormat(LikelyPrecision(input));
    q *= 1 + exact::PowerOfTwo(-p.precision) * (random.OneIn(2) ? 1 : -1);
  }
  return CodeNear(format, scale.number * q, random.OneIn(2) ? 0 : 2, random);
}

// A positive scale. Of integer ones some are the quotient of an x and a boundary,
// or next to it, where a rounded scale answers otherwise than an exact one.
uint64_t RandomScale(const QuantizeLinearCell& cell, Random& random) {
  const Format& format = exact::GetFormat(cell.y_scale);
  const uint64_t code = RandomCode(format, random);
  if (format.set == Format::Set::kPowersOfTwo) return code;
  if (format.set == Format::Set::kFloats) {
    return code & ((uint64_t{1} << (format.bits - 1)) - 1);
  }
  mpq_class value = abs(exact::ValueOf(format, code).number);
  if (random.OneIn(2)) {
    const Format& x_format = exact::GetFormat(cell.x);
    const Value x = exact::ValueOf(x_format, RandomCode(x_format, random));
    const mpq_class boundary = RandomBoundary(exact::GetFormat(cell.y), random);
    if (x.IsNumber()) value = abs(x.number / boundary) + random.Between(-2, 2);
  }
  return exact::CodeOf(format, Value::Number(std::clamp<mpq_class>(
                                   exact::RoundHalfEven(value), 1, format.highest)));
}

Codes RandomZeroPoint(int type, const std::vector<int64_t>& shape, Random& random) {
  const Format& format = exact::GetFormat(type);
  Codes codes{type, shape, {}};
  const bool all_zero = random.OneIn(4);
  for (size_t i = 0; i < CountOf(shape); ++i) {
    uint64_t code = all_zero ? 0 : RandomCode(format, random);
    const bool is_float = format.set == Format::Set::kFloats;
    if (!all_zero && random.OneIn(4)) {
      code = random.Pick<uint64_t>({exact::CodeOf(format, Value::Number(format.lowest)),
                                    exact::CodeOf(format, Value::Number(format.highest)),
                                    is_float ? uint64_t{1} << (format.bits - 1) : 0});
    }
    codes.codes.push_back(code);
  }
  return codes;
}

}  // namespace

std::vector<QuantizeLinearCell> QuantizeLinearCells() {
  std::vector<QuantizeLinearCell> cells;
  for (int since_version : {10, 13, 19, 21, 23, 24, 25, 28}) {
    const int granularities = since_version < 13 ? 1 : since_version < 21 ? 2 : 3;
    for (int x : XTypes(since_version)) {
      std::vector<int> scales = ScaleTypes(since_version);
      if (scales.empty()) scales = {x};
      for (int y_scale : scales) {
        for (int y : YTypes(since_version)) {
          for (int g = 0; g < granularities; ++g) {
            cells.push_back({since_version, x, y_scale, y, static_cast<Granularity>(g)});
          }
        }
      }
    }
  }
  return cells;
}

QuantizeLinearInput MakeQuestion(const QuantizeLinearCell& cell, Random& random) {
  QuantizeLinearInput input;
  input.since_version = cell.since_version;
  input.x.type = cell.x;
  input.y_scale.type = cell.y_scale;
  const Layout layout = RandomLayout(cell.granularity, cell.since_version, random);
  input.x.shape = layout.shape;
  input.y_scale.shape = layout.scale_shape;
  input.axis = layout.axis;
  input.block_size = layout.block_size;
  if (cell.since_version >= 19) input.saturate = random.OneIn(2) ? 1 : 0;
  if (cell.since_version >= 23) input.precision = RandomPrecision(random).value_or(0);

  const Format& scale_format = exact::GetFormat(cell.y_scale);
  for (size_t i = 0; i < CountOf(input.y_scale.shape); ++i) {
    // Scales that are not positive have a tier of their own: few.
    input.y_scale.codes.push_back(random.OneIn(16) ? RandomCode(scale_format, random)
                                                   : RandomScale(cell, random));
  }

  const Format& target = exact::GetFormat(cell.y);
  const bool needs_zero_point = cell.since_version < 21 && cell.y != exact::kUint8;
  if (needs_zero_point || !random.OneIn(4)) {
    std::vector<int64_t> shape = input.y_scale.shape;
    if (shape.size() == 1 && random.OneIn(16)) shape.clear();  // QL-33
    input.y_zero_point = RandomZeroPoint(cell.y, shape, random);
    if (cell.since_version >= 21 && random.OneIn(4)) input.output_dtype = cell.y;
  } else if (cell.y != exact::kUint8 || (cell.since_version >= 21 && random.OneIn(2))) {
    input.output_dtype = cell.y;
  }

  input.x.codes.resize(CountOf(input.x.shape));
  const std::vector<size_t> scale_index = exact::ScaleIndices(
      input.x.shape, input.y_scale.shape, input.axis, input.block_size);
  for (size_t i = 0; i < input.x.codes.size(); ++i) {
    const Value scale = exact::ValueOf(scale_format, input.y_scale.codes[scale_index[i]]);
    Value zero_point;
    if (input.y_zero_point) {
      const std::vector<uint64_t>& codes = input.y_zero_point->codes;
      zero_point = exact::ValueOf(target, codes[codes.size() == 1 ? 0 : scale_index[i]]);
    }
    input.x.codes[i] = RandomX(input, target, scale, zero_point, random);
  }
  return input;
}

std::string ToString(const QuantizeLinearInput& input) {
  std::ostringstream out;
  out << "since_version " << input.since_version << ", axis " << input.axis
      << ", block_size " << input.block_size << ", saturate " << input.saturate
      << ", output_dtype " << input.output_dtype << ", precision " << input.precision
      << "\n  x " << ToString(input.x) << "\n  y_scale " << ToString(input.y_scale)
      << "\n  y_zero_point "
      << (input.y_zero_point ? ToString(*input.y_zero_point) : "absent");
  return out.str();
}

OracleProblem::OracleProblem(const QuantizeLinearInput& input)
    : x_(Pack(input.x)), y_scale_(Pack(input.y_scale)) {
  problem_.since_version = input.since_version;
  problem_.x = x_.view();
  problem_.y_scale = y_scale_.view();
  if (input.y_zero_point) {
    y_zero_point_ = Pack(*input.y_zero_point);
    problem_.y_zero_point = y_zero_point_.view();
  }
  // Of default value as good as absent, so that both forms are asked.
  if (input.axis != 1) problem_.attributes.axis = input.axis;
  problem_.attributes.block_size = input.block_size;
  problem_.attributes.saturate = input.saturate;
  problem_.attributes.output_dtype = input.output_dtype;
  problem_.attributes.precision = input.precision;
}

exact::QuantizeLinearReadings JudgeReadings(const QuantizeLinearReadings& readings) {
  using Quotient = QuantizeLinearReadings::Quotient;
  using exact::DivisionPrecision;
  exact::QuantizeLinearReadings judge;
  switch (readings.quotient) {
    case Quotient::kCanonical:
      break;
    case Quotient::kF64Division:
      judge.division = DivisionPrecision::kF64Division;
      break;
    case Quotient::kF32Quotient:
      judge.division = DivisionPrecision::kF32Quotient;
      break;
    case Quotient::kXTypeDivision:
      judge.division = DivisionPrecision::kXTypeDivision;
      break;
    case Quotient::kUnconvertedOperands:
      judge.unconverted_operands = true;
      break;
    case Quotient::kF32QuotientUnconverted:
      judge.division = DivisionPrecision::kF32Quotient;
      judge.unconverted_operands = true;
      break;
    case Quotient::kXTypeDivisionUnconverted:
      judge.division = DivisionPrecision::kXTypeDivision;
      judge.unconverted_operands = true;
      break;
  }
  judge.target.float_zero_point = JudgeFloatZeroPoint(readings.float_zero_point);
  if (readings.missing_zero_point_added) {
    judge.target.zero_point_of_zero = exact::ZeroPointOfZero::kAlwaysAdded;
  } else if (readings.zero_point_added) {
    judge.target.zero_point_of_zero = exact::ZeroPointOfZero::kAddedWherePresent;
  }
  // Only the one that is not canonical in its since_version is ever asked for.
  judge.target.other_fnuz_infinity =
      readings.fnuz_infinity_nan || readings.fnuz_infinity_largest;
  judge.target.zero_sign_dropped = readings.zero_sign_dropped;
  return judge;
}

}  // namespace qconform::agreement
