#include "cases/generators/wrong_models.h"

#include <algorithm>

#include "cases/generators/exact_value.h"
#include "cases/generators/quantize_linear_variant.h"
#include "oracle/formats/codes.h"

namespace qconform::generators {
namespace {

using Q = Recipe::Quotient;
using R = Recipe::Rounding;

const NumberFormat& Float() { return FormatOf(DataType::kFloat); }

bool Finite(const ExactValue& v) { return v.value_class == ValueClass::kFinite; }

ExactValue RoundedTo(const NumberFormat& format, const Unrounded& value,
                     RoundingMode mode = RoundingMode::kNearestEven) {
  return Decode(format, Round(format, value, mode, OverflowPolicy::kNonSaturating));
}

ExactValue Converted(const NumberFormat& format, const ExactValue& value,
                     RoundingMode mode = RoundingMode::kNearestEven) {
  return Finite(value) ? RoundedTo(format, ToUnrounded(value), mode) : value;
}

void Flush(const NumberFormat& format, ExactValue& value) {
  if (Finite(value) && format.kind == NumberKind::kFloat &&
      FloorLog2(value) < SmallestExponent(format)) {
    value = {.negative = value.negative};
  }
}

Unrounded Exact(const ExactValue& value) { return ToUnrounded(value); }

Unrounded DivideIn(const NumberFormat* p, const ExactValue& x, const ExactValue& s) {
  if (p == nullptr) return Divide(x, s);
  return Exact(RoundedTo(*p, Divide(Converted(*p, x), Converted(*p, s))));
}

Unrounded ReciprocalIn(const NumberFormat& p, const ExactValue& x, const ExactValue& s) {
  const ExactValue reciprocal = RoundedTo(p, Divide(Dyadic(1, 0), Converted(p, s)));
  return Exact(RoundedTo(p, Multiply(Converted(p, x), reciprocal)));
}

Unrounded QuotientOf(const Setting& setting, const Recipe& recipe, ExactValue x,
                     ExactValue s) {
  const NumberFormat* p = recipe.default_precision ? setting.default_p : setting.p;
  if (recipe.absolute_scale) s.negative = false;
  if (recipe.zero_scale_is_one && s.value_class == ValueClass::kZero) s = Dyadic(1, 0);
  if (recipe.flush_x) {
    Flush(*setting.x, x);
    if (p != nullptr) Flush(*p, x = Converted(*p, x));
  }
  if (recipe.flush_scale) {
    Flush(*setting.scale, s);
    if (p != nullptr) Flush(*p, s = Converted(*p, s));
  }
  const auto in_p = [&](const Unrounded& value,
                        RoundingMode mode = RoundingMode::kNearestEven) {
    return p == nullptr ? value : Exact(RoundedTo(*p, value, mode));
  };
  Unrounded q;
  switch (recipe.quotient) {
    case Q::kCanonical:
      q = DivideIn(p, x, s);
      break;
    case Q::kExact:
      q = Divide(x, s);
      break;
    case Q::kConvertedExact:
      q = p == nullptr ? Divide(x, s) : Divide(Converted(*p, x), Converted(*p, s));
      break;
    case Q::kUnconverted:
      q = in_p(Divide(x, s));
      break;
    case Q::kReciprocal:
      q = ReciprocalIn(p == nullptr ? Float() : *p, x, s);
      break;
    case Q::kDivisionIn:
      q = DivideIn(recipe.type, x, s);
      break;
    case Q::kReciprocalIn:
      q = ReciprocalIn(*recipe.type, x, s);
      break;
    case Q::kTruncated:
      q = p == nullptr ? Divide(x, s)
                       : in_p(Divide(Converted(*p, x), Converted(*p, s)),
                              RoundingMode::kTowardZero);
      break;
    case Q::kTruncatedConversion:
      q = p == nullptr ? Divide(x, s)
                       : in_p(Divide(Converted(*p, x, RoundingMode::kTowardZero),
                                     Converted(*p, s, RoundingMode::kTowardZero)));
      break;
    case Q::kThrough:
      q = Exact(RoundedTo(*recipe.type, DivideIn(p, x, s)));
      break;
    case Q::kIntegerDivision: {
      q = Divide(x, s);
      const NumberFormat wide{
          .kind = NumberKind::kInteger, .bits = 60, .is_signed = true};
      if (setting.x->kind == NumberKind::kInteger &&
          setting.scale->kind == NumberKind::kInteger &&
          q.value_class == ValueClass::kFinite) {
        q = Exact(Decode(
            wide, Round(wide, q, RoundingMode::kTowardZero, OverflowPolicy::kSaturate)));
      }
      break;
    }
  }
  if (recipe.flush_quotient && p != nullptr && q.value_class == ValueClass::kFinite) {
    ExactValue value = RoundedTo(*p, q);
    Flush(*p, value);
    q = Exact(value);
  }
  return q;
}

constexpr NumberFormat kWide{.kind = NumberKind::kInteger, .bits = 62, .is_signed = true};

int64_t ToWide(const Unrounded& value, R rounding) {
  const auto round = [&](RoundingMode mode) {
    return ToInteger(kWide, Round(kWide, value, mode, OverflowPolicy::kSaturate));
  };
  switch (rounding) {
    case R::kEven:
      return round(RoundingMode::kNearestEven);
    case R::kAway:
      return round(RoundingMode::kNearestAway);
    case R::kZero:
      return round(RoundingMode::kTowardZero);
    case R::kDown:
      return round(RoundingMode::kDown);
    case R::kUp:
      return round(RoundingMode::kUp);
    case R::kHalfUp:
    case R::kHalfDown:
      break;
  }
  // Away from zero on one side, towards it on the other.
  const bool outward = value.negative == (rounding == R::kHalfDown);
  if (outward) return round(RoundingMode::kNearestAway);
  const int64_t away = round(RoundingMode::kNearestAway);
  const int64_t even = round(RoundingMode::kNearestEven);
  const int64_t zero = round(RoundingMode::kTowardZero);
  const int64_t up = round(value.negative ? RoundingMode::kDown : RoundingMode::kUp);
  // A tie is where even and away differ, or where both are even's own choice.
  Unrounded twice = value;
  ++twice.exponent;
  const bool tie =
      zero != up && ToInteger(kWide, Round(kWide, twice, RoundingMode::kDown,
                                           OverflowPolicy::kSaturate)) ==
                        ToInteger(kWide, Round(kWide, twice, RoundingMode::kUp,
                                               OverflowPolicy::kSaturate));
  return tie ? zero : away != even ? even : away;
}

uint64_t IntegerResult(const Setting& setting, const Recipe& recipe, const Unrounded& q,
                       const ExactValue& zero_point) {
  using O = Recipe::Overflow;
  const NumberFormat& y = *setting.y;
  const int64_t low = IntegerMin(y);
  const int64_t high = IntegerMax(y);
  int64_t zp = 0;
  if (Finite(zero_point)) {
    zp = static_cast<int64_t>(zero_point.significand << zero_point.exponent);
    if (zero_point.negative) zp = -zp;
  }
  const uint64_t mask = (uint64_t{1} << y.bits) - 1;
  if (q.value_class == ValueClass::kNan) return static_cast<uint64_t>(low) & mask;
  if (recipe.overflow == O::kInfinityIsZero && q.value_class == ValueClass::kInfinity) {
    return IntegerCode(y, zp);
  }
  int64_t value = 0;
  switch (recipe.order) {
    case Recipe::Order::kBeforeExact:
      value = ToWide(Add(q, zero_point), recipe.rounding);
      break;
    case Recipe::Order::kBeforeInP:
      value =
          ToWide(setting.p == nullptr ? Add(q, zero_point)
                                      : Exact(RoundedTo(*setting.p, Add(q, zero_point))),
                 recipe.rounding);
      break;
    case Recipe::Order::kClampFirst:
      value = std::clamp(ToWide(q, recipe.rounding), low, high) + zp;
      break;
    case Recipe::Order::kIgnored:
      value = ToWide(q, recipe.rounding);
      break;
    case Recipe::Order::kAfter: {
      int64_t rounded = ToWide(q, recipe.rounding);
      if (recipe.overflow == O::kInt32Min &&
          (rounded > INT32_MAX || rounded < INT32_MIN)) {
        rounded = INT32_MIN;
      }
      if (recipe.overflow == O::kThroughInt16) {
        rounded = std::clamp<int64_t>(rounded, INT16_MIN, INT16_MAX);
      }
      value = rounded + zp;
      if (recipe.overflow == O::kWrapInt32) value = static_cast<int32_t>(value);
      break;
    }
  }
  if (recipe.overflow == O::kThroughInt16)
    value = std::clamp<int64_t>(value, INT16_MIN, INT16_MAX);
  if (recipe.overflow == O::kWrap) return static_cast<uint64_t>(value) & mask;
  if (recipe.overflow == O::kNarrowRange && y.is_signed) value = std::max(value, low + 1);
  return IntegerCode(y, value);
}

uint64_t FloatRound(const NumberFormat& y, const Unrounded& value, R rounding,
                    OverflowPolicy policy) {
  RoundingMode mode = RoundingMode::kNearestEven;
  switch (rounding) {
    case R::kEven:
      break;
    case R::kAway:
    case R::kHalfUp:
      mode = RoundingMode::kNearestAway;
      break;
    case R::kHalfDown:
    case R::kZero:
      mode = RoundingMode::kTowardZero;
      break;
    case R::kDown:
      mode = RoundingMode::kDown;
      break;
    case R::kUp:
      mode = RoundingMode::kUp;
      break;
  }
  return Round(y, value, mode, policy);
}

uint64_t FloatResult(const Setting& setting, const Recipe& recipe, Unrounded q,
                     const ExactValue& zero_point) {
  const NumberFormat& y = *setting.y;
  const bool float8 = IsFloat8(y.type);
  const bool saturate = !float8 || setting.saturate != recipe.other_saturate;
  const auto policy =
      saturate ? OverflowPolicy::kSaturate : OverflowPolicy::kNonSaturating;
  if (recipe.nan_is_zero && q.value_class == ValueClass::kNan) return 0;
  const bool add = zero_point.value_class != ValueClass::kZero;
  if (recipe.order == Recipe::Order::kBeforeInP && setting.p != nullptr) {
    q = add ? Exact(RoundedTo(*setting.p, Add(q, zero_point))) : q;
  } else if (recipe.order == Recipe::Order::kClampFirst) {
    if (add)
      q = Add(Exact(Decode(y, Round(y, q, RoundingMode::kNearestEven, policy))),
              zero_point);
  } else if (recipe.order != Recipe::Order::kIgnored && add) {
    q = Add(q, zero_point);
  }
  if (recipe.infinity_is_nan && q.value_class == ValueClass::kInfinity && float8) {
    return CanonicalNan(y);
  }
  if (recipe.early_overflow && !saturate && q.value_class == ValueClass::kFinite) {
    const Unrounded rest = Add(q, [&] {
      ExactValue end = Decode(y, LargestFinite(y));
      end.negative = !q.negative;
      return end;
    }());
    if (rest.value_class == ValueClass::kFinite && rest.negative == q.negative) {
      q.value_class = ValueClass::kInfinity;
    }
  }
  uint64_t code = FloatRound(y, q, recipe.rounding, policy);
  const uint64_t sign = uint64_t{1} << (y.bits - 1);
  if (recipe.flush_result && IsSubnormal(y, code))
    code = y.has_negative_zero ? code & sign : 0;
  if (recipe.drop_zero_sign && (code & ~sign) == 0 && y.has_negative_zero) code = 0;
  if (recipe.negative_zero_code && code == 0 && q.negative) code = sign;
  if (recipe.saturate_to_infinity && y.has_infinity &&
      (code & ~sign) == LargestFinite(y) && q.value_class == ValueClass::kInfinity) {
    code = Infinity(y, q.negative);
  }
  return code;
}

uint64_t CodeFor(const Setting& setting, const Recipe& recipe, const ExactValue& x,
                 size_t scale, size_t zero_point) {
  const Unrounded q = QuotientOf(setting, recipe, x, setting.scales[scale]);
  const ExactValue& zp = setting.zero_points[zero_point];
  return setting.y->kind == NumberKind::kInteger ? IntegerResult(setting, recipe, q, zp)
                                                 : FloatResult(setting, recipe, q, zp);
}

// Where things lie, with room for mistakes.
struct Places {
  explicit Places(const Setting& setting, int64_t axis_in, int64_t block_in)
      : block(block_in) {
    for (size_t i = 0; i < setting.shape.size(); ++i) {
      const auto at = static_cast<int64_t>(i);
      (at < axis_in ? outer : at == axis_in ? extent : inner) *= setting.shape[i];
    }
    blocks = (extent + block - 1) / std::max<int64_t>(block, 1);
    blocked = setting.granularity == Granularity::kBlocked;
    count = static_cast<int64_t>(setting.scales.size());
  }
  size_t Of(int64_t index) const {
    if (count <= 1) return 0;
    const int64_t j = index % inner;
    const int64_t i = index / inner % extent;
    const int64_t o = index / inner / extent;
    const int64_t at =
        blocked ? (o * blocks + std::min(i / block, blocks - 1)) * inner + j : i;
    return static_cast<size_t>(std::clamp<int64_t>(at, 0, count - 1));
  }
  int64_t outer = 1, extent = 1, inner = 1, block = 1, blocks = 1, count = 1;
  bool blocked = false;
};

Places PlacesOf(const Setting& setting) {
  return Places(setting, setting.axis, setting.block);
}

std::vector<uint64_t> EvaluateAt(const Setting& setting, const Recipe& recipe,
                                 const std::function<size_t(int64_t)>& scale_of,
                                 const std::function<size_t(int64_t)>& zero_point_of) {
  std::vector<uint64_t> codes;
  for (size_t i = 0; i < setting.x_values.size(); ++i) {
    const auto index = static_cast<int64_t>(i);
    codes.push_back(CodeFor(setting, recipe, setting.x_values[i], scale_of(index),
                            zero_point_of(index)));
  }
  return codes;
}

WrongModel FromRecipe(std::string name, Recipe recipe) {
  return {std::move(name), [recipe](const Setting& s) { return Evaluate(s, recipe); }};
}

// A model whose scales, or zero points, or both, come from another place.
WrongModel FromPlace(
    std::string name, bool scales, bool zero_points,
    std::function<size_t(const Setting&, const Places&, int64_t)> wrong) {
  return {std::move(name), [=](const Setting& s) {
            const Places right = PlacesOf(s);
            const auto at = [&](bool use, int64_t i) {
              const size_t where = use ? wrong(s, right, i) : right.Of(i);
              return std::min(where, s.scales.size() - 1);
            };
            return EvaluateAt(
                s, {}, [&](int64_t i) { return at(scales, i); },
                [&](int64_t i) { return at(zero_points, i); });
          }};
}

WrongModel FromCodes(std::string name,
                     std::function<void(const Setting&, std::vector<uint64_t>&)> spoil) {
  return {std::move(name), [=](const Setting& s) {
            std::vector<uint64_t> codes = Evaluate(s, {});
            spoil(s, codes);
            return codes;
          }};
}

// The last partial vector goes another way.
WrongModel FromTail(std::string name, size_t lanes, Recipe recipe) {
  return {std::move(name), [=](const Setting& s) {
            std::vector<uint64_t> codes = Evaluate(s, {});
            const std::vector<uint64_t> tail = Evaluate(s, recipe);
            for (size_t i = codes.size() / lanes * lanes; i < codes.size(); ++i)
              codes[i] = tail[i];
            return codes;
          }};
}

int64_t PerByte(const Setting& s) { return s.y->bits < 8 ? 8 / s.y->bits : 1; }

std::vector<WrongModel> MakeModels() {
  using O = Recipe::Order;
  using V = Recipe::Overflow;
  const NumberFormat* f32 = &FormatOf(DataType::kFloat);
  const NumberFormat* f16 = &FormatOf(DataType::kFloat16);
  const NumberFormat* bf16 = &FormatOf(DataType::kBfloat16);
  const NumberFormat* f64 = &FormatOf(DataType::kDouble);
  std::vector<WrongModel> all;
  const auto add = [&](std::string name, Recipe recipe) {
    all.push_back(FromRecipe(std::move(name), recipe));
  };
  add("rounding.away", {.rounding = R::kAway});
  add("rounding.half_up", {.rounding = R::kHalfUp});
  add("rounding.half_down", {.rounding = R::kHalfDown});
  add("rounding.zero", {.rounding = R::kZero});
  add("rounding.down", {.rounding = R::kDown});
  add("rounding.up", {.rounding = R::kUp});
  add("order.zero_point_before_rounding", {.order = O::kBeforeExact});
  add("order.zero_point_in_p", {.order = O::kBeforeInP});
  add("order.clamp_before_zero_point", {.order = O::kClampFirst});
  add("order.zero_point_ignored", {.order = O::kIgnored});
  add("quotient.exact", {.quotient = Q::kExact});
  add("quotient.converted_exact", {.quotient = Q::kConvertedExact});
  add("quotient.unconverted", {.quotient = Q::kUnconverted});
  add("quotient.reciprocal", {.quotient = Q::kReciprocal});
  add("quotient.truncated", {.quotient = Q::kTruncated});
  add("quotient.truncated_conversion", {.quotient = Q::kTruncatedConversion});
  add("quotient.integer_division", {.quotient = Q::kIntegerDivision});
  for (const NumberFormat* type : {f32, f16, bf16, f64}) {
    const std::string name(DataTypeName(type->type));
    add("quotient.division_" + name, {.quotient = Q::kDivisionIn, .type = type});
    add("quotient.through_" + name, {.quotient = Q::kThrough, .type = type});
  }
  add("quotient.reciprocal_FLOAT", {.quotient = Q::kReciprocalIn, .type = f32});
  add("precision.ignored", {.default_precision = true});
  add("flush.x", {.flush_x = true});
  add("flush.scale", {.flush_scale = true});
  add("flush.quotient", {.flush_quotient = true});
  add("scale.absolute", {.absolute_scale = true});
  add("scale.zero_is_one", {.zero_scale_is_one = true});
  add("overflow.int32_min", {.overflow = V::kInt32Min});
  add("overflow.wrap_int32", {.overflow = V::kWrapInt32});
  add("overflow.wrap", {.overflow = V::kWrap});
  add("overflow.through_int16", {.overflow = V::kThroughInt16});
  add("overflow.narrow_range", {.overflow = V::kNarrowRange});
  add("overflow.infinity_is_zero", {.overflow = V::kInfinityIsZero});
  add("float.flush_result", {.flush_result = true});
  add("float.other_saturate", {.other_saturate = true});
  add("float.early_overflow", {.early_overflow = true});
  add("float.negative_zero_code", {.negative_zero_code = true});
  add("float.drop_zero_sign", {.drop_zero_sign = true});
  add("float.nan_is_zero", {.nan_is_zero = true});
  add("float.infinity_is_nan", {.infinity_is_nan = true});
  add("float.saturate_to_infinity", {.saturate_to_infinity = true});

  all.push_back(
      FromPlace("place.first", true, true,
                [](const Setting&, const Places&, int64_t) { return size_t{0}; }));
  all.push_back(
      FromPlace("place.first_zero_point", false, true,
                [](const Setting&, const Places&, int64_t) { return size_t{0}; }));
  all.push_back(
      FromPlace("place.next_scale", true, false,
                [](const Setting&, const Places& p, int64_t i) { return p.Of(i) + 1; }));
  all.push_back(
      FromPlace("place.next_zero_point", false, true,
                [](const Setting&, const Places& p, int64_t i) { return p.Of(i) + 1; }));
  all.push_back(FromPlace("place.last_of_group", true, true,
                          [](const Setting& s, const Places& p, int64_t i) {
                            const int64_t group = std::max<int64_t>(PerByte(s), 2);
                            return p.Of(i / group * group);
                          }));
  all.push_back(FromPlace("place.default_axis_zero", true, true,
                          [](const Setting& s, const Places& p, int64_t i) {
                            return s.default_axis ? Places(s, 0, s.block).Of(i) : p.Of(i);
                          }));
  all.push_back(FromPlace("place.default_axis_last", true, true,
                          [](const Setting& s, const Places& p, int64_t i) {
                            return s.default_axis ? Places(s, s.rank - 1, s.block).Of(i)
                                                  : p.Of(i);
                          }));
  all.push_back(FromPlace("place.mirrored_axis", true, true,
                          [](const Setting& s, const Places&, int64_t i) {
                            return Places(s, s.rank - 1 - s.axis, s.block).Of(i);
                          }));
  all.push_back(FromPlace("place.inner_ignored", true, true,
                          [](const Setting&, const Places& p, int64_t i) {
                            return static_cast<size_t>(i % p.count);
                          }));
  all.push_back(FromPlace("place.block_one_longer", true, true,
                          [](const Setting& s, const Places& p, int64_t i) {
                            if (!p.blocked) return p.Of(i);
                            Places wrong(s, s.axis, s.block + 1);
                            wrong.blocks = p.blocks;
                            return wrong.Of(i);
                          }));
  all.push_back(FromPlace("place.ragged_block_takes_previous", true, true,
                          [](const Setting&, const Places& p, int64_t i) {
                            if (!p.blocked || p.extent % p.block == 0 || p.blocks < 2)
                              return p.Of(i);
                            const int64_t at = i / p.inner % p.extent;
                            if (at / p.block != p.blocks - 1) return p.Of(i);
                            return p.Of(i - (at - (p.blocks - 2) * p.block) * p.inner);
                          }));
  all.push_back(FromPlace("place.block_divides_evenly", true, true,
                          [](const Setting& s, const Places& p, int64_t i) {
                            if (!p.blocked || p.blocks == 0) return p.Of(i);
                            Places wrong(s, s.axis,
                                         std::max<int64_t>(p.extent / p.blocks, 1));
                            wrong.blocks = p.blocks;
                            return wrong.Of(i);
                          }));

  all.push_back(
      FromCodes("packing.swapped", [](const Setting& s, std::vector<uint64_t>& codes) {
        const auto group = static_cast<size_t>(PerByte(s));
        for (size_t i = 0; i + group <= codes.size(); i += group) {
          std::reverse(codes.begin() + static_cast<std::ptrdiff_t>(i),
                       codes.begin() + static_cast<std::ptrdiff_t>(i + group));
        }
      }));
  all.push_back(FromCodes(
      "packing.last_odd_lost", [](const Setting& s, std::vector<uint64_t>& codes) {
        const auto group = static_cast<size_t>(PerByte(s));
        for (size_t i = codes.size() / group * group; i < codes.size(); ++i) codes[i] = 0;
      }));
  all.push_back(FromCodes(
      "nan.spoils_neighbour", [](const Setting& s, std::vector<uint64_t>& codes) {
        for (size_t i = 0; i + 1 < codes.size(); ++i) {
          const size_t group = std::max<size_t>(static_cast<size_t>(PerByte(s)), 2);
          if (i / group != (i + 1) / group) continue;
          if (s.x_values[i].value_class == ValueClass::kNan) codes[i + 1] = 0;
        }
      }));
  for (const size_t lanes : {2u, 4u, 8u, 16u, 32u, 64u, 128u}) {
    all.push_back(
        FromTail("tail.zero_" + std::to_string(lanes), lanes, {.rounding = R::kZero}));
    all.push_back(
        FromTail("tail.away_" + std::to_string(lanes), lanes, {.rounding = R::kAway}));
    all.push_back(FromTail("tail.reciprocal_" + std::to_string(lanes), lanes,
                           {.quotient = Q::kReciprocal}));
  }
  return all;
}

}  // namespace

std::vector<uint64_t> Evaluate(const Setting& setting, const Recipe& recipe) {
  const Places places = PlacesOf(setting);
  const auto of = [&](int64_t i) { return places.Of(i); };
  return EvaluateAt(setting, recipe, of, of);
}

const std::vector<WrongModel>& WrongModels() {
  static const std::vector<WrongModel> all = MakeModels();
  return all;
}

Setting Unpack(const OpCase& made) {
  Setting setting;
  const Cell& cell = made.key.cell;
  setting.x = &FormatOf(cell.types[0]);
  setting.scale = &FormatOf(cell.types[1]);
  setting.y = &FormatOf(cell.types[2]);
  setting.granularity = cell.granularity;
  QuantizeLinearVariant variant =
      ParseQuantizeLinearVariant(cell, made.key.variant).value();
  const auto format = [](DataType type) {
    return type == DataType::kUndefined ? nullptr : &FormatOf(type);
  };
  setting.p = format(QuotientType(cell, variant));
  setting.saturate = variant.saturate != 0;
  variant.precision = DataType::kUndefined;
  setting.default_p = format(QuotientType(cell, variant));
  const Tensor& x = made.operands[0];
  setting.shape = x.shape;
  setting.rank = static_cast<int64_t>(x.shape.size());
  for (int64_t i = 0; i < ElementCount(x.shape).value(); ++i) {
    setting.x_codes.push_back(ReadCode(x.view(), i));
    setting.x_values.push_back(Decode(*setting.x, setting.x_codes.back()));
  }
  for (int64_t i = 0; i < ElementCount(made.operands[1].shape).value(); ++i) {
    setting.scales.push_back(
        Decode(*setting.scale, ReadCode(made.operands[1].view(), i)));
    const bool present = made.operands[2].type != DataType::kUndefined;
    setting.zero_points.push_back(
        present ? Decode(*setting.y, ReadCode(made.operands[2].view(), i))
                : ExactValue{});
  }
  setting.axis = 1;
  setting.default_axis = true;
  for (const Attribute& attribute : made.model.node.attributes) {
    const int64_t value = std::get<int64_t>(attribute.value);
    if (attribute.name == "axis") {
      setting.axis = value < 0 ? value + setting.rank : value;
      setting.default_axis = false;
    }
    if (attribute.name == "block_size" && value > 0) setting.block = value;
  }
  return setting;
}

}  // namespace qconform::generators
