#include "oracle/exact/operators/dequantize_linear/testing/questions.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <sstream>
#include <utility>

#include "oracle/exact/scale_layout.h"

namespace qconform::agreement {
namespace {

using exact::Codes;
using exact::DequantizeLinearInput;
using exact::Format;
using exact::Value;

std::vector<int> XTypes(int since_version) {
  std::vector<int> types = {exact::kInt8, exact::kUint8, exact::kInt32};
  const auto add = [&](int since, std::initializer_list<int> more) {
    if (since_version >= since) types.insert(types.end(), more);
  };
  add(19, {exact::kFloat8E4M3FN, exact::kFloat8E4M3FNUZ, exact::kFloat8E5M2,
           exact::kFloat8E5M2FNUZ});
  add(21, {exact::kInt16, exact::kUint16, exact::kInt4, exact::kUint4});
  add(23, {exact::kFloat4E2M1});
  add(25, {exact::kUint2, exact::kInt2});
  add(28, {exact::kFloat6E2M3, exact::kFloat6E3M2});
  return types;
}

std::vector<int> ScaleTypes(int since_version) {
  std::vector<int> types = {exact::kFloat};
  if (since_version >= 19) {
    types.insert(types.end(), {exact::kFloat16, exact::kBfloat16});
  }
  if (since_version >= 24) types.push_back(exact::kFloat8E8M0);
  return types;
}

std::vector<int> YTypes(int since_version, int x_scale) {
  if (since_version < 23) return {x_scale};
  return {exact::kFloat, exact::kFloat16, exact::kBfloat16};
}

// A number of y's type, or the middle of two: moderate ones, both ends of the range.
mpq_class RandomProduct(const Format& p, Random& random) {
  const int64_t steps = int64_t{1} << p.precision;
  const mpq_class significand(random.Between(steps, 2 * steps - 1), steps);
  const int64_t exponent = random.Below(6) > 1 ? random.Between(-8, 12)
                           : random.OneIn(2)
                               ? random.Between(p.min_exponent - 12, p.min_exponent + 1)
                               : exact::FloorLog2(p.highest);
  return significand * exact::PowerOfTwo(static_cast<int>(exponent));
}

// A scale by which this difference comes to a product of RandomProduct, or next to it.
uint64_t RandomScale(const Format& scale, const Format& p, const Value& difference,
                     Random& random) {
  if (random.OneIn(16)) return RandomCode(scale, random);
  const uint64_t sign_bit =
      scale.set == Format::Set::kFloats ? uint64_t{1} << (scale.bits - 1) : 0;
  if (scale.set == Format::Set::kPowersOfTwo || !difference.IsNumber() ||
      difference.IsZero() || random.OneIn(3)) {
    return RandomCode(scale, random) & ~sign_bit;
  }
  const mpq_class wanted = RandomProduct(p, random) / abs(difference.number);
  const uint64_t code = CodeNear(scale, wanted, random.OneIn(2) ? 0 : 1, random);
  return random.OneIn(16) ? code : code & ~sign_bit;
}

Value DifferenceOf(const Value& x, const Value& zero_point) {
  if (!x.IsNumber() || !zero_point.IsNumber()) return Value::Nan();
  return Value::Number(x.number - zero_point.number);
}

enum class ZeroPoints : uint8_t { kAbsent, kZero, kAny };

ZeroPoints RandomZeroPoints(int x, Random& random) {
  if (random.OneIn(4)) return ZeroPoints::kAbsent;
  // Those of INT32 are free, those of floats have readings of their own.
  const bool is_usual =
      exact::GetFormat(x).set == Format::Set::kIntegers && x != exact::kInt32;
  const bool any = is_usual ? !random.OneIn(8) : random.OneIn(x == exact::kInt32 ? 8 : 2);
  return any ? ZeroPoints::kAny : ZeroPoints::kZero;
}

uint64_t RandomZeroPoint(const Format& format, ZeroPoints kind, Random& random) {
  const uint64_t negative_zero =
      format.has_negative_zero ? uint64_t{1} << (format.bits - 1) : 0;
  if (kind == ZeroPoints::kZero) return random.OneIn(2) ? negative_zero : 0;
  if (random.OneIn(4)) {
    return random.Pick<uint64_t>({exact::CodeOf(format, Value::Number(format.lowest)),
                                  exact::CodeOf(format, Value::Number(format.highest)),
                                  negative_zero});
  }
  return RandomCode(format, random);
}

// Applies one reading of the oracle's to the judge's steps.
bool Apply(const Reading& reading, exact::DequantizeLinearReadings& judge) {
  const std::string& name = reading.name;
  using Difference = exact::DequantizeLinearReadings::Difference;
  using Product = exact::DequantizeLinearReadings::Product;
  const auto steps = [&](bool difference_in_p, bool scale_in_p) {
    judge.difference_in_p = difference_in_p;
    judge.scale_in_p = scale_in_p;
  };
  if (reading.clause == "DQ-08" && name == "difference_in_p") {
    judge.difference_in_p = true;  // whatever becomes of the scale
  } else if (reading.clause == "DQ-05" && name == "scale_in_p") {
    judge.scale_in_p = true;  // whatever becomes of x
  } else if (name == "unconverted_operands") {
    steps(false, false);
  } else if (name == "operands_in_p") {
    steps(true, true);
  } else if (name == "scale_in_p") {
    steps(false, true);
  } else if (name == "difference_in_p") {
    steps(true, false);
  } else if (name == "f32_product") {
    judge.product = Product::kInFloat;
  } else if (name == "f64_product") {
    judge.difference = Difference::kExact;
    judge.product = Product::kInDouble;
  } else if (name == "exact_product") {
    judge.difference = Difference::kExact;
  } else if (name == "x_in_p") {
    judge.difference = Difference::kExact;
    judge.difference_in_p = true;
  } else if (name == "difference_in_float") {
    judge.difference = Difference::kInFloat;
  } else if (name == "zero_point_ignored") {
    judge.difference = Difference::kZeroPointIgnored;
  } else if (name == "difference_in_x_type") {
    judge.difference = Difference::kInXTypeSaturating;
  } else if (name == "difference_in_x_type_overflowing") {
    judge.difference = Difference::kInXType;
  } else if (name == "zero_sign_dropped") {
    judge.zero_sign_dropped = true;
  } else {
    return false;
  }
  return true;
}

}  // namespace

std::vector<DequantizeLinearCell> DequantizeLinearCells() {
  std::vector<DequantizeLinearCell> cells;
  for (int since_version : {10, 13, 19, 21, 23, 24, 25, 28}) {
    const int granularities = since_version < 13 ? 1 : since_version < 21 ? 2 : 3;
    for (int x : XTypes(since_version)) {
      for (int x_scale : ScaleTypes(since_version)) {
        for (int y : YTypes(since_version, x_scale)) {
          for (int g = 0; g < granularities; ++g) {
            cells.push_back({since_version, x, x_scale, y, static_cast<Granularity>(g)});
          }
        }
      }
    }
  }
  return cells;
}

DequantizeLinearInput MakeQuestion(const DequantizeLinearCell& cell, Random& random) {
  const Format& x_format = exact::GetFormat(cell.x);
  const Format& scale_format = exact::GetFormat(cell.x_scale);
  const Format& p = exact::GetFormat(cell.y);
  const Layout layout = RandomLayout(cell.granularity, cell.since_version, random);
  DequantizeLinearInput input;
  input.since_version = cell.since_version;
  input.axis = layout.axis;
  input.block_size = layout.block_size;
  if (cell.y != cell.x_scale || (cell.since_version >= 23 && random.OneIn(2))) {
    input.output_dtype = cell.y;
  }
  const ZeroPoints kind = RandomZeroPoints(cell.x, random);
  const size_t scales = CountOf(layout.scale_shape);
  std::vector<Value> zero_points(scales, Value::Zero(false));
  if (kind != ZeroPoints::kAbsent) {
    input.x_zero_point = Codes{cell.x, layout.scale_shape, {}};
    const bool is_vector = layout.scale_shape.size() == 1;
    const bool one = is_vector && scales > 0 && random.OneIn(16);  // DQ-14
    if (one) input.x_zero_point->shape.clear();
    for (size_t i = 0; i < (one ? 1 : scales); ++i) {
      const uint64_t code = RandomZeroPoint(x_format, kind, random);
      input.x_zero_point->codes.push_back(code);
      zero_points[i] = exact::ValueOf(x_format, code);
    }
    if (one) std::fill(zero_points.begin(), zero_points.end(), zero_points.front());
  }
  // Each scale has a code of x in view.
  std::vector<uint64_t> in_view;
  input.x_scale = {cell.x_scale, layout.scale_shape, {}};
  for (size_t i = 0; i < scales; ++i) {
    in_view.push_back(RandomCode(x_format, random));
    const Value difference =
        DifferenceOf(exact::ValueOf(x_format, in_view.back()), zero_points[i]);
    input.x_scale.codes.push_back(RandomScale(scale_format, p, difference, random));
  }
  input.x = {cell.x, layout.shape, std::vector<uint64_t>(CountOf(layout.shape))};
  const std::vector<size_t> scale_index = exact::ScaleIndices(
      layout.shape, layout.scale_shape, layout.axis, layout.block_size);
  for (size_t i = 0; i < input.x.codes.size(); ++i) {
    const Value& zero_point = zero_points[scale_index[i]];
    const bool equal = zero_point.IsNumber() && random.OneIn(8);
    input.x.codes[i] = equal             ? exact::CodeOf(x_format, zero_point)
                       : random.OneIn(2) ? in_view[scale_index[i]]
                                         : RandomCode(x_format, random);
  }
  return input;
}

std::vector<uint64_t> BoundaryScales(int x, int x_scale, int y, size_t count,
                                     Random& random) {
  const Format& x_format = exact::GetFormat(x);
  const Format& format = exact::GetFormat(x_scale);
  const Format& p = exact::GetFormat(y);
  std::vector<uint64_t> all;
  const auto add = [&](uint64_t code) {
    if (std::find(all.begin(), all.end(), code) == all.end()) all.push_back(code);
  };
  if (format.set == Format::Set::kPowersOfTwo) {
    for (uint64_t code : {127, 0, 255, 254, 1, 102, 103, 112, 113, 142, 143, 126, 128}) {
      add(code);
    }
  } else {
    const uint64_t sign = uint64_t{1} << (format.bits - 1);
    const uint64_t normal = exact::CodeOf(format, Value::Number(format.smallest_normal));
    const uint64_t one = exact::CodeOf(format, Value::Number(1));
    for (uint64_t code :
         {one + 1, uint64_t{0}, sign, one + sign, normal, normal - 1, uint64_t{1},
          format.highest_rank, format.highest_rank + 1, format.highest_rank + 2, one - 1,
          sign + 1, sign + format.highest_rank + 1, one}) {
      add(code);
    }
    // The ends of y's range and of its conversion.
    for (const mpq_class& v :
         {p.smallest_normal, mpq_class(p.smallest_normal * (1 - exact::PowerOfTwo(-9))),
          exact::PowerOfTwo(p.min_exponent - p.precision), mpq_class(p.highest / 255),
          mpq_class(p.highest / 65535), p.highest}) {
      add(exact::Round(format, Value::Number(v), exact::Overflow::kSaturate));
    }
  }
  // A fixed number of tries: the codes are at most that many others.
  for (size_t i = 0; i < 4 * count; ++i) {
    const Value value = exact::ValueOf(x_format, RandomCode(x_format, random));
    add(RandomScale(format, p, value.IsNumber() ? value : Value::Number(3), random));
  }
  // Those that are asked differ from call to call.
  for (size_t i = 0; i < std::min(count, all.size()); ++i) {
    std::swap(all[i], all[i + random.Below(all.size() - i)]);
  }
  if (all.size() > count) all.resize(count);
  return all;
}

std::string ToString(const DequantizeLinearInput& input) {
  std::ostringstream out;
  out << "since_version " << input.since_version << ", axis " << input.axis
      << ", block_size " << input.block_size << ", output_dtype " << input.output_dtype
      << "\n  x " << ToString(input.x) << "\n  x_scale " << ToString(input.x_scale)
      << "\n  x_zero_point "
      << (input.x_zero_point ? ToString(*input.x_zero_point) : "absent");
  return out.str();
}

DequantizeLinearProblem::DequantizeLinearProblem(const DequantizeLinearInput& input) {
  tensors_ = {Pack(input.x), Pack(input.x_scale)};
  if (input.x_zero_point) tensors_.push_back(Pack(*input.x_zero_point));
  for (const Tensor& tensor : tensors_) operands_.emplace_back(tensor.view());
  std::vector<Attribute> attributes;
  // Of default value as good as absent, so that both forms are asked.
  if (input.axis != 1) attributes.push_back({"axis", input.axis});
  if (input.block_size != 0) attributes.push_back({"block_size", input.block_size});
  if (input.output_dtype != 0) attributes.push_back({"output_dtype", input.output_dtype});
  auto bound = FindOperator("DequantizeLinear")->Bind(attributes, input.since_version);
  if (bound.ok()) bound_ = std::move(*bound);
}

std::vector<ReadingSet> DequantizeLinearProblem::Readings() const {
  if (bound_ == nullptr) return {};
  auto readings = bound_->Readings(operands_);
  return readings.ok() ? *std::move(readings) : std::vector<ReadingSet>();
}

std::string DequantizeLinearProblem::Difference(const exact::Answer& judge,
                                                const ReadingSet& readings) const {
  if (bound_ == nullptr) return "the oracle does not bind the node";
  const auto answers = bound_->Evaluate(operands_, readings);
  if (!answers.ok()) return "the oracle refuses: " + answers.error().message;
  return agreement::Difference(judge, answers->front());
}

exact::DequantizeLinearReadings JudgeReadings(const ReadingSet& readings,
                                              const DequantizeLinearCell& cell) {
  exact::DequantizeLinearReadings judge =
      exact::CanonicalReadings(cell.since_version, cell.x, cell.x_scale, cell.y);
  for (const Reading& reading : readings.readings) {
    if (Apply(reading, judge)) continue;
    std::fprintf(stderr, "the judge does not know the reading %s\n",
                 reading.name.c_str());
    std::abort();
  }
  return judge;
}

}  // namespace qconform::agreement
