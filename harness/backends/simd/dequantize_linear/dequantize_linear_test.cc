// The kernels of every target that this CPU runs, against the oracle: all types, all
// granularities, all tails, alignments and ways to write y; and what is around a call.

#include "harness/backends/simd/dequantize_linear/dequantize_linear.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "harness/backends/simd/core/targets.h"
#include "harness/backends/simd/core/testing/at_end_of_page.h"
#include "harness/backends/simd/core/testing/random.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"
#include "oracle/operators/dequantize_linear/dequantize_linear.h"

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace qconform::simd {
namespace {

struct Types {
  int since_version = 28;
  DataType x = DataType::kUint8;
  DataType scale = DataType::kFloat;
  DataType y = DataType::kFloat;
};

std::vector<Types> AllTypes(int since_version) {
  using enum DataType;
  std::vector<DataType> xs = {kUint8, kInt8, kInt32};
  std::vector<DataType> scales = {kFloat};
  if (since_version >= 19) {
    xs.insert(xs.end(), {kFloat8E4M3FN, kFloat8E4M3FNUZ, kFloat8E5M2, kFloat8E5M2FNUZ});
    scales.insert(scales.end(), {kFloat16, kBfloat16});
  }
  if (since_version >= 21) xs.insert(xs.end(), {kUint16, kInt16, kUint4, kInt4});
  if (since_version >= 23) xs.push_back(kFloat4E2M1);
  if (since_version >= 24) scales.push_back(kFloat8E8M0);
  if (since_version >= 25) xs.insert(xs.end(), {kUint2, kInt2});
  if (since_version >= 28) xs.insert(xs.end(), {kFloat6E2M3, kFloat6E3M2});
  std::vector<Types> all;
  for (const DataType x : xs) {
    for (const DataType scale : scales) {
      for (const DataType y : {kFloat, kFloat16, kBfloat16}) {
        if (since_version >= 23 || y == scale)
          all.push_back({since_version, x, scale, y});
      }
    }
  }
  return all;
}

struct Layout {
  Shape x;
  Shape scale;
  int64_t axis = 1;
  int64_t block_size = 0;
  bool zero_point = true;
};

struct Question {
  Types types;
  Layout layout;
  Tensor x;
  Tensor scale;
  std::optional<Tensor> zero_point;

  DequantizeLinearAttributes Attributes() const {
    DequantizeLinearAttributes attributes;
    if (types.since_version >= 13) attributes.axis = layout.axis;
    attributes.block_size = layout.block_size;
    if (types.since_version >= 23) {
      attributes.output_dtype = static_cast<int64_t>(types.y);
    }
    return attributes;
  }
  Result<Answer> Expected() const {
    const auto given = Attributes();
    dequantize_linear::Problem problem;
    problem.since_version = types.since_version;
    problem.x = x.view();
    problem.x_scale = scale.view();
    if (zero_point) problem.x_zero_point = zero_point->view();
    problem.attributes = {given.axis, given.block_size, given.output_dtype};
    return dequantize_linear::EvaluateDequantizeLinear(problem);
  }
  std::string Name() const {
    std::ostringstream out;
    out << types.since_version << ' ' << DataTypeName(types.x) << ShapeToString(x.shape)
        << ' ' << DataTypeName(types.scale) << ShapeToString(scale.shape) << ' '
        << DataTypeName(types.y) << " axis=" << layout.axis
        << " block_size=" << layout.block_size
        << " zero_point=" << zero_point.has_value();
    return out.str();
  }
};

uint64_t AllOnes(DataType type) { return (uint64_t{1} << BitWidth(type)) - 1; }

// Half of them ordinary: signs, and exponents around 1. The others have any bits, or such
// as lie at the ends of the exponents.
uint64_t ScaleCode(DataType type, Random& random) {
  const NumberFormat& format = FormatOf(type);
  const uint64_t any = random.Next() & AllOnes(type);
  const int64_t kind = random.Below(8);
  if (format.kind == NumberKind::kPowerOfTwo) {
    return kind < 6 ? 117 + any % 20 : kind == 6 ? any : (any % 3 + 254) % 256;
  }
  const uint64_t mantissa = any & ((uint64_t{1} << format.mantissa_bits) - 1);
  const uint64_t sign = kind == 0 ? uint64_t{1} << (format.bits - 1) : 0;
  const auto bias = static_cast<uint64_t>(format.exponent_bias);
  const uint64_t fields = (uint64_t{1} << format.exponent_bits) - 1;
  if (kind < 5) return sign | (bias - 6 + any % 12) << format.mantissa_bits | mantissa;
  if (kind == 5) return any;
  const uint64_t edges[] = {0, 1, fields - 1, fields};
  return (any & ~(AllOnes(type) >> 1)) | edges[random.Below(4)] << format.mantissa_bits |
         (kind == 6              ? mantissa
          : random.Below(2) == 0 ? 0
                                 : mantissa);
}

Question Make(const Types& types, const Layout& layout, Random& random) {
  Question q{types, layout, Tensor::Zeros(types.x, layout.x),
             Tensor::Zeros(types.scale, layout.scale), std::nullopt};
  const auto fill = [&](Tensor& tensor, auto code) {
    const int64_t count = *ElementCount(tensor.shape);
    for (int64_t i = 0; i < count; ++i) WriteCode(tensor.mutable_view(), i, code());
  };
  fill(q.x, [&] {
    const uint64_t code = random.Next() & AllOnes(types.x);
    return types.x == DataType::kInt32 ? (code & 0xFFFFFFFF) >> random.Below(32) : code;
  });
  fill(q.scale, [&] { return ScaleCode(types.scale, random); });
  if (layout.zero_point) {
    q.zero_point = Tensor::Zeros(types.x, layout.scale);
    // Other zero points than 0 are free with INT32 (DQ-06).
    if (types.x != DataType::kInt32) {
      fill(*q.zero_point,
           [&] { return random.Below(4) == 0 ? 0 : random.Next() & AllOnes(types.x); });
    }
  }
  return q;
}

// Returns "" where y is the oracle's, else what differs first. y lies between guard
// bytes.
std::string Difference(const Question& q, const Answer& expected, const Target& target,
                       size_t offset, int threads, Stores stores,
                       const TensorView* guarded_x = nullptr,
                       const TensorView* guarded_scale = nullptr,
                       const TensorView* guarded_zero_point = nullptr) {
  constexpr size_t kGuard = 64;
  constexpr auto kUnwritten = std::byte{0xA5};
  std::vector<std::byte> x(q.x.data.size() + offset);
  std::copy(q.x.data.begin(), q.x.data.end(),
            x.begin() + static_cast<std::ptrdiff_t>(offset));
  const TensorView x_view{q.types.x, q.x.shape, std::span(x).subspan(offset)};
  std::optional<TensorView> zero_point;
  if (q.zero_point) zero_point = q.zero_point->view();
  if (zero_point && guarded_zero_point != nullptr) zero_point = *guarded_zero_point;
  const auto resolved = ResolveDequantizeLinear(
      q.types.since_version, q.Attributes(), guarded_x != nullptr ? *guarded_x : x_view,
      guarded_scale != nullptr ? *guarded_scale : q.scale.view(), zero_point);
  if (const auto* refusal = std::get_if<Refusal>(&resolved)) {
    return q.Name() + ": refused: " + refusal->reason;
  }
  const auto& args = std::get<DequantizeLinearArgs>(resolved);
  if (args.output_dtype != q.types.y) return q.Name() + ": wrong output type";

  const size_t bytes =
      PackedByteSize(q.types.y, static_cast<int64_t>(expected.elements.size()));
  std::vector<std::byte> room(bytes + 3 * kGuard + offset, kUnwritten);
  const size_t to_line = (0 - reinterpret_cast<uintptr_t>(room.data())) % kGuard;
  const std::span y(room.data() + to_line, bytes + 2 * kGuard + offset);
  const MutableTensorView y_view{q.types.y, q.x.shape, y.subspan(kGuard + offset, bytes)};
  const Status status = DequantizeLinear(
      args, y_view, {.target = target.bit, .threads = threads, .stores = stores});
  if (!status) return q.Name() + ": " + status.error().message;
  for (size_t i = 0; i < y.size(); ++i) {
    const bool inside = i >= kGuard + offset && i < kGuard + offset + bytes;
    if (!inside && y[i] != kUnwritten) return q.Name() + ": wrote out of bounds";
  }
  const TensorView result{q.types.y, q.x.shape, y_view.data};
  for (size_t i = 0; i < expected.elements.size(); ++i) {
    const auto index = static_cast<int64_t>(i);
    const uint64_t actual = ReadCode(result, index);
    const ElementAnswer& answer = expected.elements[i];
    if (actual == answer.code || answer.freedom == Freedom::kAnyCode) continue;
    if (answer.freedom == Freedom::kAnyNan &&
        Decode(FormatOf(q.types.y), actual).value_class == ValueClass::kNan) {
      continue;
    }
    std::ostringstream out;
    out << q.Name() << " target=" << target.name << " offset=" << offset
        << " stores=" << static_cast<int>(stores) << "\n  y[" << i << "]: expected "
        << CodeToString(q.types.y, answer.code) << " actual "
        << CodeToString(q.types.y, actual)
        << "  x=" << CodeToString(q.types.x, ReadCode(q.x.view(), index));
    if (q.scale.shape.empty()) {
      out << " scale=" << CodeToString(q.types.scale, ReadCode(q.scale.view(), 0));
      if (q.zero_point) {
        out << " zero_point="
            << CodeToString(q.types.x, ReadCode(q.zero_point->view(), 0));
      }
    }
    return out.str();
  }
  return "";
}

// Asks every target; at most a few failures, so that the log stays readable.
class Judge {
 public:
  void Ask(const Question& q, size_t offset = 0, int threads = 1) {
    const Result<Answer> expected = q.Expected();
    ASSERT_TRUE(expected) << q.Name() << ": " << expected.error().message;
    for (const Target& target : SupportedTargets()) {
      for (const Stores stores : {Stores::kCached, Stores::kStreamed}) {
        const auto difference = Difference(q, *expected, target, offset, threads, stores);
        if (!difference.empty() && ++failures_ <= 10) ADD_FAILURE() << difference;
      }
    }
    elements_ += static_cast<int64_t>(expected->elements.size());
  }
  int64_t elements() const { return elements_; }
  int failures() const { return failures_; }

 private:
  int64_t elements_ = 0;
  int failures_ = 0;
};

TEST(DequantizeLinear, EveryTypeAndGranularity_IsTheOracles) {
  const std::vector<Layout> layouts = {
      {{5, 67}, {}, 1, 0, false},       {{5, 67}, {}, 1, 0, true},
      {{5, 71}, {71}, -1, 0, true},     {{2, 3, 37}, {37}, -1, 0, false},
      {{2, 3, 67}, {3}, 1, 0, true},    {{2, 70}, {2, 3}, 1, 32, true},
      {{3, 64}, {3, 2}, 1, 32, false},  {{3, 7, 5}, {3, 3, 5}, 1, 3, true},
      {{5, 131}, {2, 131}, 0, 3, true}, {{4, 21}, {4, 11}, 1, 2, true},
  };
  Random random(1);
  Judge judge;
  size_t cells = 0;
  for (const int since_version : {10, 13, 19, 21, 23, 24, 25, 28}) {
    for (const Types& types : AllTypes(since_version)) {
      for (const Layout& layout : layouts) {
        if (since_version < 21 && layout.block_size != 0) continue;
        if (since_version < 13 && !layout.scale.empty()) continue;
        // What 23 to 25 mean is a part of what 28 means: that is asked in full.
        const bool in_full = since_version == 28 || since_version == 21;
        if (++cells % layouts.size() != 0 && !in_full) continue;
        judge.Ask(Make(types, layout, random));
      }
    }
  }
  EXPECT_GT(judge.elements(), 500'000);
  EXPECT_EQ(judge.failures(), 0);
}

TEST(DequantizeLinear, EveryCodeByManyScales_IsTheOracles) {
  Random random(2);
  Judge judge;
  for (const int since_version : {21, 28}) {
    for (const Types& types : AllTypes(since_version)) {
      const int bits = BitWidth(types.x);
      if (bits > 8) continue;
      // A row has every code; its scale and zero point are its own.
      const int64_t codes = int64_t{1} << bits;
      const int64_t rows = 4096 / codes;
      Question q = Make(types, {{rows, codes}, {rows}, 0, 0, true}, random);
      for (int64_t i = 0; i < rows * codes; ++i) {
        WriteCode(q.x.mutable_view(), i, static_cast<uint64_t>(i % codes));
      }
      judge.Ask(q);
    }
  }
  EXPECT_EQ(judge.failures(), 0);
}

TEST(DequantizeLinear, EveryTailAndAlignment_IsTheOracles) {
  using enum DataType;
  const std::vector<Types> variants = {
      {28, kUint8, kFloat, kFloat},        {28, kInt4, kFloat, kFloat16},
      {28, kUint2, kBfloat16, kBfloat16},  {28, kFloat6E2M3, kFloat, kFloat},
      {28, kFloat8E5M2, kFloat16, kFloat}, {28, kInt16, kFloat16, kFloat16},
      {21, kUint16, kFloat16, kFloat16},   {28, kInt32, kFloat, kBfloat16}};
  Random random(3);
  Judge judge;
  for (const Types& types : variants) {
    for (int64_t n = 1; n <= 140; ++n) {
      judge.Ask(Make(types, {{n}, {}, 0, 0, true}, random), static_cast<size_t>(n % 7));
      judge.Ask(Make(types, {{3, n}, {3}, 0, 0, true}, random),
                static_cast<size_t>(n % 5));
      judge.Ask(Make(types, {{3, n}, {n}, 1, 0, true}, random),
                static_cast<size_t>(n % 3));
      if (n % 4 != 1) continue;
      judge.Ask(Make(types, {{2, n}, {2, (n + 6) / 7}, 1, 7, true}, random));
      judge.Ask(Make(types, {{2, n}, {2, (n + 15) / 16}, 1, 16, true}, random));
      judge.Ask(Make(types, {{7, n}, {3, n}, 0, 3, true}, random));
    }
  }
  EXPECT_EQ(judge.failures(), 0);
}

TEST(DequantizeLinear, LongRowsAndRuns_AreTheOracles) {
  using enum DataType;
  const std::vector<Layout> layouts = {
      {{9001}, {}, 0, 0, true},          {{3, 9001}, {9001}, 1, 0, true},
      {{3, 5001}, {3}, 0, 0, true},      {{5, 4100}, {2, 4100}, 0, 3, true},
      {{1700, 5}, {5}, 1, 0, true},      {{2, 7000}, {2, 219}, 1, 32, true},
      {{3, 3, 1000}, {3}, 1, 0, true},   {{40, 200, 2}, {40, 67, 2}, 1, 3, false},
      {{2, 9000}, {2, 3}, 1, 4000, true}};
  Random random(4);
  Judge judge;
  for (const Types& types :
       {Types{28, kInt8, kFloat, kFloat}, Types{28, kUint4, kFloat16, kFloat},
        Types{28, kFloat6E3M2, kFloat, kFloat16},
        Types{28, kFloat8E4M3FN, kFloat16, kFloat16},
        Types{28, kUint16, kFloat8E8M0, kBfloat16}, Types{28, kInt2, kFloat, kFloat},
        Types{28, kUint8, kFloat16, kFloat16}, Types{28, kInt8, kBfloat16, kBfloat16},
        Types{28, kInt4, kFloat, kFloat16}, Types{28, kUint2, kFloat, kBfloat16},
        Types{28, kFloat4E2M1, kFloat8E8M0, kFloat16}}) {
    for (const Layout& layout : layouts) {
      judge.Ask(Make(types, layout, random), 4);
      judge.Ask(Make(types, layout, random), 0, 2);
    }
  }
  EXPECT_EQ(judge.failures(), 0);
}

// So long that kernels stream y themselves.
TEST(DequantizeLinear, RunsThatAreStreamedDirectly_AreTheOracles) {
  using enum DataType;
  Random random(8);
  Judge judge;
  for (const DataType x : {kUint8, kInt16, kFloat8E5M2}) {
    judge.Ask(Make({28, x, kFloat, kFloat}, {{70001}, {}, 0, 0, true}, random), 4, 2);
    judge.Ask(Make({28, x, kFloat, kFloat}, {{2, 40001}, {2}, 0, 0, false}, random), 1);
    judge.Ask(Make({28, x, kFloat, kFloat}, {{2, 40003}, {2}, 0, 0, true}, random));
  }
  EXPECT_EQ(judge.failures(), 0);
}

TEST(DequantizeLinear, ManyThreads_GiveTheSameBits) {
  using enum DataType;
  Random random(5);
  Judge judge;
  for (const DataType x : {kUint8, kInt2, kFloat6E3M2, kInt16}) {
    judge.Ask(Make({28, x, kFloat, kFloat}, {{3, 33333}, {}, 1, 0, true}, random), 0, 5);
    judge.Ask(
        Make({28, x, kFloat, kFloat16}, {{3, 33333}, {3, 1042}, 1, 32, true}, random), 0,
        3);
    judge.Ask(Make({28, x, kFloat, kFloat}, {{33333, 3}, {3}, 1, 0, true}, random), 0, 4);
    judge.Ask(Make({28, x, kFloat, kBfloat16}, {{20, 5000}, {5000}, 1, 0, true}, random),
              0, 2);
  }
  EXPECT_EQ(judge.failures(), 0);
}

#if defined(__unix__)
TEST(DequantizeLinear, OperandsAtTheEndOfAPage_AreNotReadBeyond) {
  using enum DataType;
  std::vector<Layout> layouts = {
      {{5, 37}, {37}, 1, 0, true},    {{5, 37}, {5}, 0, 0, true},
      {{3, 70}, {3, 3}, 1, 32, true}, {{9, 40}, {9, 5}, 1, 8, true},
      {{35, 9}, {5, 9}, 0, 8, true},  {{3, 1088}, {1088}, 1, 0, true}};
  for (int64_t n = 1; n <= 140; ++n) layouts.push_back({{n}, {}, 0, 0, true});
  Random random(6);
  for (const Types& types :
       {Types{28, kUint8, kFloat, kFloat}, Types{28, kInt4, kFloat16, kFloat16},
        Types{28, kInt2, kBfloat16, kFloat}, Types{28, kFloat6E2M3, kFloat, kBfloat16},
        Types{28, kFloat8E5M2, kFloat, kFloat}, Types{21, kInt16, kFloat16, kFloat16},
        Types{28, kInt32, kFloat8E8M0, kFloat}}) {
    for (const Layout& layout : layouts) {
      const Question q = Make(types, layout, random);
      const AtEndOfPage x(q.x.data), scale(q.scale.data), zero_point(q.zero_point->data);
      const TensorView x_view{types.x, q.x.shape, x.data()};
      const TensorView scale_view{types.scale, q.scale.shape, scale.data()};
      const TensorView zero_point_view{types.x, q.scale.shape, zero_point.data()};
      const Result<Answer> expected = q.Expected();
      ASSERT_TRUE(expected);
      for (const Target& target : SupportedTargets()) {
        for (const Stores stores : {Stores::kCached, Stores::kStreamed}) {
          ASSERT_EQ(Difference(q, *expected, target, 0, 1, stores, &x_view, &scale_view,
                               &zero_point_view),
                    "");
        }
      }
    }
  }
}
#endif

#if defined(__SSE2__)
TEST(DequantizeLinear, CallersFloatingPointModes_AreWithoutEffectAndKept) {
  using enum DataType;
  Random random(7);
  const unsigned saved = _mm_getcsr();
  constexpr unsigned kFlushAndRoundUp = 0x1F80 | 0x8000 | 0x0040 | 0x4000;
  for (const Types& types : {Types{28, kFloat8E5M2, kFloat, kFloat},
                             Types{21, kInt16, kBfloat16, kBfloat16}}) {
    const Question q = Make(types, {{3, 700}, {3}, 0, 0, true}, random);
    const Result<Answer> expected = q.Expected();
    ASSERT_TRUE(expected);
    for (const Target& target : SupportedTargets()) {
      _mm_setcsr(kFlushAndRoundUp);
      const auto difference = Difference(q, *expected, target, 0, 1, Stores::kCached);
      const unsigned after = _mm_getcsr();
      _mm_setcsr(saved);
      EXPECT_EQ(difference, "");
      EXPECT_EQ(after & 0xFFC0u, kFlushAndRoundUp);
    }
  }
}
#endif

TEST(DequantizeLinear, InvalidModels_AreRefusedByTheirClause) {
  using enum DataType;
  const auto refused = [](int since_version, Tensor x, Tensor scale,
                          std::optional<Tensor> zero_point,
                          const DequantizeLinearAttributes& attributes) -> std::string {
    std::optional<TensorView> view;
    if (zero_point) view = zero_point->view();
    const auto resolved =
        ResolveDequantizeLinear(since_version, attributes, x.view(), scale.view(), view);
    const auto* refusal = std::get_if<Refusal>(&resolved);
    return refusal == nullptr ? "" : refusal->clause;
  };
  const auto of = [](DataType type, Shape shape) {
    return Tensor::Zeros(type, std::move(shape));
  };
  const DequantizeLinearAttributes none;
  EXPECT_EQ(refused(25, of(kUint8, {4}), of(kFloat, {}), std::nullopt, none), "");
  EXPECT_EQ(refused(25, of(kFloat, {4}), of(kFloat, {}), std::nullopt, none), "DQ-36");
  EXPECT_EQ(refused(25, of(kFloat6E2M3, {4}), of(kFloat, {}), std::nullopt, none),
            "DQ-36");
  EXPECT_EQ(refused(13, of(kUint8, {4}), of(kFloat16, {}), std::nullopt, none), "DQ-36");
  EXPECT_EQ(refused(25, of(kUint8, {4}), of(kFloat, {}), of(kInt8, {}), none), "DQ-36");
  EXPECT_EQ(refused(25, of(kUint8, {2, 4}), of(kFloat, {3}), std::nullopt, none),
            "DQ-36");
  EXPECT_EQ(refused(25, of(kUint8, {2, 4}), of(kFloat, {4}), of(kUint8, {2}), none),
            "DQ-36");
  EXPECT_EQ(refused(25, of(kUint8, {2, 4}), of(kFloat, {2, 2}), std::nullopt, none),
            "DQ-36");
  EXPECT_EQ(refused(10, of(kUint8, {4}), of(kFloat, {}), std::nullopt, {.axis = 0}),
            "DQ-36");
  EXPECT_EQ(refused(21, of(kUint8, {4}), of(kFloat, {}), std::nullopt,
                    {.axis = {}, .output_dtype = 1}),
            "DQ-36");
  EXPECT_EQ(refused(25, of(kUint8, {4}), of(kFloat8E8M0, {}), std::nullopt, none),
            "DQ-31");
  EXPECT_EQ(refused(25, of(kUint8, {4}), of(kFloat, {}), std::nullopt,
                    {.axis = {}, .output_dtype = 11}),
            "DQ-32");
}

TEST(DequantizeLinear, ArgumentsThatContradictEachOther_AreAnErrorWithNothingWritten) {
  const Tensor x = Tensor::Zeros(DataType::kUint8, {4});
  const Tensor scale = Tensor::Zeros(DataType::kFloat, {});
  std::vector<std::byte> y(16, std::byte{0x5A});
  const auto before = y;
  DequantizeLinearArgs args{.x = x.view(), .x_scale = scale.view(), .x_zero_point = {}};
  const auto fails = [&](const MutableTensorView& view, int64_t target = 0) {
    return !DequantizeLinear(args, view, {.target = target}) && y == before;
  };
  const std::span all(y);
  EXPECT_TRUE(fails({DataType::kFloat, x.shape, all.first(15)}));
  EXPECT_TRUE(fails({DataType::kFloat16, x.shape, all.first(8)}));
  EXPECT_TRUE(fails({DataType::kFloat, x.shape, all}, 12345));
  args.x_scale = {DataType::kFloat, scale.shape, all.first(4)};
  EXPECT_TRUE(fails({DataType::kFloat, x.shape, all}));
  args.x_scale = scale.view();
  args.x.data = args.x.data.first(3);
  EXPECT_TRUE(fails({DataType::kFloat, x.shape, all}));
}

}  // namespace
}  // namespace qconform::simd
