#include "cases/core/prepared_formats.h"

#include <vector>

namespace qconform::generators {
namespace {

// Nothing is ever rounded to FLOAT8E8M0 (QL-07): its rounders are never used,
// and stand for those of another type.
const NumberFormat& Roundable(const NumberFormat& format) {
  return format.kind == NumberKind::kPowerOfTwo ? FormatOf(DataType::kUint8) : format;
}

Rounder MakeRounder(const NumberFormat& format, RoundingMode mode,
                    OverflowPolicy policy) {
  const NumberFormat& roundable = Roundable(format);
  const bool integer = roundable.kind == NumberKind::kInteger;
  return Rounder(roundable, mode, integer ? OverflowPolicy::kSaturate : policy);
}

}  // namespace

PreparedFormat::PreparedFormat(const NumberFormat& format)
    : decode(format),
      nearest(MakeRounder(format, RoundingMode::kNearestEven, OverflowPolicy::kSaturate)),
      away(MakeRounder(format, RoundingMode::kNearestAway, OverflowPolicy::kSaturate)),
      toward_zero(
          MakeRounder(format, RoundingMode::kTowardZero, OverflowPolicy::kSaturate)),
      to_precision(MakeRounder(format, RoundingMode::kNearestEven,
                               OverflowPolicy::kNonSaturating)),
      to_precision_toward_zero(
          MakeRounder(format, RoundingMode::kTowardZero, OverflowPolicy::kNonSaturating)),
      is_float(format.kind == NumberKind::kFloat),
      code_mask(format.bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << format.bits) - 1) {
  switch (format.kind) {
    case NumberKind::kFloat:
      sign_bit = uint64_t{1} << (format.bits - 1);
      high = static_cast<int64_t>(format.has_infinity ? Infinity(format, false)
                                                      : LargestFinite(format));
      low = -high;
      break;
    case NumberKind::kInteger:
      low = IntegerMin(format);
      high = IntegerMax(format);
      break;
    case NumberKind::kPowerOfTwo:
      high = static_cast<int64_t>(LargestFinite(format));
      break;
  }
}

const PreparedFormat& Prepared(const NumberFormat& format) {
  // By the number of the type; numbers that no type has get some format.
  static const auto all = [] {
    std::vector<PreparedFormat> table;
    for (const DataType type : AllDataTypes()) {
      const auto number = static_cast<size_t>(type);
      while (table.size() <= number) table.emplace_back(FormatOf(type));
      table[number] = PreparedFormat(FormatOf(type));
    }
    return table;
  }();
  return all[static_cast<size_t>(format.type)];
}

}  // namespace qconform::generators
