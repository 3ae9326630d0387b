#include "cases/operators/quantize_linear/testing/wrong_models.h"

#include <algorithm>

namespace qconform::generators {
namespace {

using Q = Recipe::Quotient;
using R = Recipe::Rounding;

// Where things lie, with room for mistakes.
struct Places {
  explicit Places(const Setting& setting, int64_t axis_in, int64_t block_in)
      : block(block_in) {
    for (size_t i = 0; i < setting.shape.size(); ++i) {
      const auto at = static_cast<int64_t>(i);
      (at < axis_in ? outer : at == axis_in ? extent : inner) *= setting.shape[i];
    }
    blocks = (extent + block - 1) / std::max<int64_t>(block, 1);
    blocked = setting.granularity == QuantizeLinearGranularity::kBlocked;
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

}  // namespace qconform::generators
