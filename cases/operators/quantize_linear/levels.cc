// The frozen lists: which contents each cell is asked at each level.
#include <algorithm>
#include <array>
#include <concepts>
#include <span>
#include <utility>

#include "cases/operators/quantize_linear/cases.h"
#include "cases/quantization/covered_sizes.h"

namespace qconform::generators {
namespace {

using Variant = QuantizeLinearVariant;
using ZeroPoint = ZeroPointForm;

// Shapes of a cell that are not fixed, at most.
constexpr int kOthersOfCell = 4;

struct Variants;

class List {
 public:
  explicit List(const Cell& cell) : cell_(cell) {}

  // Adds the next `count` indices of a generator: in all variants of a cell each
  // index of a generator is asked once, so that no two contents are alike.
  void Add(const Variant& variant, std::string_view generator, int count = 1) {
    for (int i = 0; i < count; ++i) {
      contents_.push_back({VariantText(cell_, variant), generator, Next(generator)});
    }
  }

  // Adds `count` shapes: the fixed ones first, then some that differ from cell to cell.
  void AddShapes(const Variant& variant, int count) {
    AddShapes([&](int) { return variant; }, count);
  }

  // The same, in the variant that `variant_of` has for the n-th shape of the cell.
  template <typename VariantOf>
  requires std::invocable<VariantOf, int>
  void AddShapes(const VariantOf& variant_of, int count) {
    const int fixed = FixedShapes(cell_);
    const int others = ShapeCount(GranularityOf(cell_)) - fixed;
    // Types start somewhere in the list; each since_version continues after the others.
    const auto start = static_cast<int>(Hash() % static_cast<uint64_t>(others));
    int before = 0;
    for (const int since : {13, 19, 21, 23, 24, 25, 28}) {
      before += cell_.since_version >= since ? kOthersOfCell : 0;
    }
    for (int i = 0; i < count; ++i) {
      const int next = Next("shapes");
      constexpr int kApart = 11;  // neighbours in the list are alike
      const int place = start + kApart * (before + next);
      const int index = next < fixed ? next : fixed + place % others;
      contents_.push_back({VariantText(cell_, variant_of(next)), "shapes", index});
    }
  }

  // Adds `count` contents from `first` on, those that are not there.
  void AddFrom(const Variant& variant, std::string_view generator, int first,
               int count = 1) {
    for (int i = first; i < first + count; ++i) {
      const ContentName content{VariantText(cell_, variant), generator, i};
      if (std::find(contents_.begin(), contents_.end(), content) == contents_.end()) {
        contents_.push_back(content);
      }
    }
  }

  // Two long shapes and one of a high rank: cells of equal types go through them. A long
  // one is of the variant `mixed`, and one of the others of `other`.
  void AddLarge(const Variant& mixed, const Variant& other) {
    const int turn = Turn();
    const ScaleGranularity granularity = GranularityOf(cell_);
    const auto longs = static_cast<int>(LongShapes(granularity).size());
    const auto high_ranks = static_cast<int>(HighRankShapes(granularity).size());
    const int usual = kUsualLongShapes;
    const int indices[] = {2 * (turn % usual), 2 * (usual + turn % (longs - usual)),
                           2 * (turn % high_ranks) + 1};
    Variant variants[3];
    variants[turn % 2] = mixed;
    variants[turn / 2 % 2 == 0 ? 2 : 1 - turn % 2] = other;
    for (int i = 0; i < 3; ++i) AddFrom(variants[i], "large", indices[i]);
  }

  // Two shapes that are next to each other: cells of equal types go through them.
  void AddHuge() {
    const auto count = static_cast<int>(HugeShapes(GranularityOf(cell_)).size());
    const int turn = Turn();
    for (int i = 0; i < 2; ++i) AddFrom({}, "huge", (turn + i) % count);
  }

  // Adds a content for each length from 0 to kMostLength.
  void AddSizes(const Variants& variants);

  bool HasConversionRange(const Variant& variant) const {
    return generators::HasConversionRange(
        QuantizeLinearQuestion(cell_, variant, 0, CounterRng(0)));
  }

  // The same, up to a number of contents that leaves room for the rest.
  void AddWhereThereIsRoom(const Variant& variant, std::string_view generator,
                           int count) {
    constexpr size_t kMostContents = 29;
    for (int i = 0; i < count && contents_.size() < kMostContents; ++i) {
      Add(variant, generator);
    }
  }

  std::vector<ContentName> Take() { return std::move(contents_); }

 private:
  uint64_t Hash() const { return HashOfTypes(cell_).hash(); }
  // Which of the shapes that cells take turns with.
  int Turn() const { return static_cast<int>(Hash() % 1000) + cell_.since_version; }

  int Next(std::string_view generator) {
    int next = 0;
    for (const ContentName& content : contents_)
      next += content.generator == generator ? 1 : 0;
    return next;
  }

  const Cell& cell_;
  std::vector<ContentName> contents_;
};

bool IsPerTensor(const Cell& cell) {
  return GranularityOf(cell) == ScaleGranularity::kPerTensor;
}

// Which variants a cell has. Kernels have paths for attributes and operands together, so
// most contents are of one that combines several; cells take turns with them.
struct Variants {
  explicit Variants(const Cell& cell)
      : saturate(HasSaturate(cell.since_version)),
        output_dtype(HasOutputDtype(cell.since_version)),
        zero_point(output_dtype || OutputType(cell) == DataType::kUint8),
        precision(HasPrecision(cell.since_version)) {
    const uint64_t hash = HashOfTypes(cell).hash();
    const int place = cell.since_version + 5 * static_cast<int>(GranularityOf(cell));
    turn = static_cast<int>(hash % 1000) + place;
    precision_turn = static_cast<int>(hash / 1000 % 1000) + place / 2;
    // Where y is not UINT8, output_dtype says so in place of the zero point. Where it is,
    // one of the two has it.
    const bool says_type = OutputType(cell) != DataType::kUint8;
    absent = {.zero_point = ZeroPoint::kAbsent,
              .output_dtype = output_dtype && (says_type || turn % 2 == 0)};
    empty = {.zero_point = ZeroPoint::kEmpty,
             .output_dtype = output_dtype && (says_type || turn % 2 == 1)};
    if (!zero_point) absent = empty = {};
    both = {.output_dtype = output_dtype};
    unsaturated = {.saturate = saturate ? 0 : 1};
  }

  // The same with the k-th `precision`, where there is one.
  Variant Precise(Variant variant, int k) const {
    const auto all = Precisions();
    if (precision) {
      variant.precision = all[static_cast<size_t>(precision_turn + k) % all.size()];
    }
    return variant;
  }
  Variant Unsaturated(Variant variant) const {
    variant.saturate = unsaturated.saturate;
    return variant;
  }
  // The k-th without y_zero_point: with `precision`, and saturate=0 in turn.
  Variant MixedAbsent(int k) const {
    const Variant variant = Precise((turn + k) / 2 % 2 == 0 ? absent : empty, k);
    return (turn + k) / 4 % 2 == 0 ? Unsaturated(variant) : variant;
  }
  // The k-th of those with y_zero_point.
  Variant MixedPresent(int k) const {
    const Variant variant = Precise(both, k);
    return (turn + k) / 2 % 2 == 0 ? Unsaturated(variant) : variant;
  }
  Variant Mixed(int k) const {
    return (turn + k) % 2 == 0 ? MixedAbsent(k) : MixedPresent(k);
  }
  // A place of a list has either kind in turn, and every other place has the same.
  Variant PlainOrMixed(int k) const {
    return (turn + k) % 2 == 0 ? Variant{} : Mixed(k / 2);
  }

  bool saturate;
  bool output_dtype;
  bool zero_point;
  bool precision;
  int turn;
  int precision_turn;
  Variant absent;       // no y_zero_point; the plain variant where that is not legal
  Variant empty;        // the same, by an empty name
  Variant both;         // output_dtype beside y_zero_point
  Variant unsaturated;  // saturate=0
};

void List::AddSizes(const Variants& variants) {
  enum Own : size_t { kSaturate, kPrecision, kZeroPoint, kOutputDtype };
  constexpr std::array kForms{ZeroPoint::kPresent, ZeroPoint::kAbsent, ZeroPoint::kEmpty};
  const std::span<const DataType> precisions = Precisions();
  const auto all_precisions = static_cast<int>(precisions.size()) + 1;
  CoveredSizes sizes(cell_,
                     {variants.saturate ? 2 : 1, variants.precision ? all_precisions : 1,
                      variants.zero_point ? static_cast<int>(kForms.size()) : 1,
                      variants.output_dtype ? 2 : 1});
  // Without a zero point and output_dtype y is UINT8 (QL-30).
  const bool says_type = OutputType(cell_) != DataType::kUint8;
  for (int length = 0; length <= kMostLength; ++length) {
    CoveredSizes::Row row = sizes.Next(length, [&](const std::vector<int>& own) {
      return !says_type || own[kZeroPoint] <= 0 || own[kOutputDtype] != 0;
    });
    Variant variant{.saturate = 1 - row.own[kSaturate],
                    .zero_point = kForms[static_cast<size_t>(row.own[kZeroPoint])],
                    .output_dtype = row.own[kOutputDtype] == 1};
    if (row.own[kPrecision] > 0) {
      variant.precision = precisions[static_cast<size_t>(row.own[kPrecision]) - 1];
    }
    contents_.push_back(
        {VariantText(cell_, variant), "sizes", row.index, std::move(row.levels)});
  }
  if (IsAskedSplitSize(cell_)) {
    contents_.push_back(
        {VariantText(cell_, {}), "sizes", kSplitSize, sizes.LevelsOfOther()});
  }
}

// Whether elements of y cross bytes: those of 6 bits do.
bool CrossesBytes(const Cell& cell) {
  const int bits = BitWidth(OutputType(cell));
  return bits < 8 && 8 % bits != 0;
}

// A few contents, which find most wrong implementations.
std::vector<ContentName> Smoke(const Cell& cell) {
  const Variants variants(cell);
  const bool crosses_bytes = CrossesBytes(cell);
  List list(cell);
  list.Add({}, "ties");
  list.Add({}, "quotient");
  if (crosses_bytes) {
    // saturate=0 has no effect on 6 bits (QL-27).
    list.Add(variants.Unsaturated(variants.absent), "saturation");
  } else {
    list.Add(HasNan(OutputType(cell)) ? variants.unsaturated : variants.absent,
             "saturation");
  }
  list.AddShapes({}, 1);
  if (!crosses_bytes) return list.Take();
  list.Add({}, "zero_points");
  // Without a zero point, -0 has one reading less (QL-20a).
  list.Add(variants.absent, "specials");
  for (const int64_t remainder : {1, 2, 3}) {
    // Twice: the last element of one may be zero.
    const int shape = ShapeThatLeaves(GranularityOf(cell), remainder);
    list.AddFrom({}, "shapes", shape);
    list.AddFrom(variants.both, "shapes", shape);
  }
  return list.Take();
}

// Few quotients of FLOAT16 lie next to the boundaries of such a short significand.
bool IsShort(const Cell& cell) {
  return IsPerTensor(cell) && cell.types[0] == DataType::kFloat16 &&
         cell.types[1] != DataType::kFloat16 &&
         OutputType(cell) == DataType::kFloat8E5M2 && HasPrecision(cell.since_version);
}

// More of the same where the kill matrix had survivors: one scale in a tensor separates
// few quotients, and narrow types separate hardly any.
void AddForFaults(const Cell& cell, const Variants& variants, List& list) {
  const DataType x = cell.types[0];
  const DataType scale = cell.types[1];
  const bool per_tensor = IsPerTensor(cell);
  if (per_tensor && scale != DataType::kFloat) {
    const bool short_x = x == DataType::kBfloat16;
    list.AddWhereThereIsRoom({}, "quotient", short_x ? 5 : 2);
    if (variants.precision && short_x) {
      list.AddWhereThereIsRoom({.precision = DataType::kFloat16}, "quotient", 2);
    }
  }
  if (per_tensor && x == DataType::kInt32 && BitWidth(OutputType(cell)) < 8) {
    list.AddWhereThereIsRoom({}, "quotient", 2);
  }
  // Scales of INT32 are often such that no tail of `subnormal` has anything to round.
  if (per_tensor && x == DataType::kInt32 && BitWidth(OutputType(cell)) >= 8 &&
      !variants.precision) {
    list.AddWhereThereIsRoom({}, "quotient", 1);
  }
  if (IsShort(cell)) {
    const bool exact = scale != DataType::kFloat;
    list.Add(exact ? variants.unsaturated : Variant{}, exact ? "saturation" : "quotient");
  }
  // Few of them differ by how they are converted over a power of two.
  if (per_tensor && x == DataType::kInt32 && scale == DataType::kFloat8E8M0 &&
      BitWidth(OutputType(cell)) == 8) {
    list.Add({}, "quotient", 2);
  }
  if (x == DataType::kFloat && scale == DataType::kFloat16)
    list.AddWhereThereIsRoom({}, "subnormal", 2);
  if (x == DataType::kFloat16 && scale == DataType::kInt32 && HasNan(OutputType(cell))) {
    list.AddWhereThereIsRoom({}, "saturation", 2);
  }
}

// Per tensor each content has one of the scales, in one of the variants: those that are
// alike (QL-40) in both kinds.
Variant DegenerateVariant(const Cell& cell, const Variants& variants, int index) {
  // The one that is subnormal: in a narrow P it is 0.
  if (index == 2 && FormatOf(cell.types[1]).kind == NumberKind::kFloat) return {};
  const Variant variant = variants.PlainOrMixed(index + index / 5);
  return HasNan(OutputType(cell)) && index == 3 ? variants.Unsaturated(variant) : variant;
}

// With P FLOAT16 a wider quotient of these types shows only in the smallest sums, and so
// only by chance, which no fault can declare.
Variant FloatZeroPointVariant(const Cell& cell, Variant variant) {
  const DataType rare[] = {DataType::kBfloat16, DataType::kFloat8E8M0,
                           DataType::kFloat8E5M2};
  if (variant.precision == DataType::kFloat16 && std::ranges::equal(cell.types, rare)) {
    variant.precision = DataType::kBfloat16;
  }
  return variant;
}

Variant ScalarVariant(const Variants& variants) {
  const int turn = variants.turn % 4;
  if (turn == 0) return {};
  return turn == 1 ? variants.MixedPresent(4) : variants.MixedAbsent(4);
}

// Shapes that every cell is asked: as models have them, and as kernels forget.
void AddShapesOfAll(const Cell& cell, const Variants& variants, List& list) {
  const int turn = variants.turn / 2;
  list.AddFrom(
      variants.turn % 4 == 3 ? variants.MixedPresent(3) : variants.MixedAbsent(3),
      "shapes", EmptyShape(GranularityOf(cell)));
  if (IsPerTensor(cell)) return;
  const std::span<const AlwaysShape> all = AlwaysShapes(GranularityOf(cell));
  for (size_t i = 0; i < all.size(); ++i) {
    const int at = static_cast<int>(i);
    list.AddFrom(variants.PlainOrMixed(at + 1), "shapes",
                 all[i].first + (turn + at) % all[i].count);
  }
}

// The degenerate scales and zero points of floats that one scale and zero point for a
// tensor left out of the lists above, and the shapes that every cell is asked.
void AddRestOfLists(const Cell& cell, const Variants& variants, List& list) {
  AddShapesOfAll(cell, variants, list);
  if (GranularityOf(cell) == ScaleGranularity::kBlocked) {
    list.AddFrom({}, "shapes", kOverlongBlock);
    list.AddFrom({}, "shapes", kBlocksOfOne);
  }
  if (GranularityOf(cell) == ScaleGranularity::kPerAxis) {
    list.AddFrom({}, "shapes", kAxisOfOne);
  }
  if (CrossesBytes(cell)) {
    // Per tensor, zero points that none of the lists above has: -0 and the largest. Else
    // numbers of them that do not fill three bytes.
    list.AddFrom({}, "zero_points", 2, IsPerTensor(cell) ? 2 : 4);
  }
  if (!IsPerTensor(cell)) return;
  if (IsInteger(OutputType(cell))) {
    list.AddFrom(variants.PlainOrMixed(5), "shapes", kRankFive);
  }
  const NumberFormat& scale = FormatOf(cell.types[1]);
  int scales = 0;
  if (scale.kind == NumberKind::kInteger) scales = 5;
  if (scale.kind == NumberKind::kFloat) scales = 10;
  for (int i = 4; i < scales; ++i) {
    list.AddFrom(DegenerateVariant(cell, variants, i), "degenerate", i);
  }
  if (IsFloatingPoint(OutputType(cell))) {
    for (int i = 4; i < 7; ++i) {
      const Variant variant =
          FloatZeroPointVariant(cell, variants.Unsaturated(variants.Precise({}, i)));
      list.AddFrom((variants.turn + i) % 3 == 0 ? Variant{} : variant, "zero_points", i);
    }
  }
  if (HasNan(OutputType(cell))) list.AddFrom(ScalarVariant(variants), "shapes", kScalar);
  list.AddFrom(variants.turn / 2 % 2 == 0 ? variants.MixedAbsent(1) : Variant{}, "shapes",
               kOneElement);
  // A product with a reciprocal in FLOAT misses few ties of FLOAT16.
  if (cell.types[0] == DataType::kFloat16 && cell.types[1] == DataType::kFloat16) {
    list.Add({}, "ties", 2);
  }
}

// Other granularities have all degenerate scales in one content.
void AddDegenerate(const Cell& cell, const Variants& variants, List& list) {
  if (IsPerTensor(cell)) {
    for (int i = 0; i < 4; ++i)
      list.Add(DegenerateVariant(cell, variants, i), "degenerate");
    return;
  }
  list.Add({}, "degenerate");
  if (!variants.saturate) {
    if (variants.zero_point) list.Add(variants.absent, "degenerate");
    return;
  }
  list.Add(variants.MixedAbsent(2), "degenerate");
  const Variant present = variants.MixedPresent(5);
  list.Add(HasNan(OutputType(cell)) ? variants.Unsaturated(present) : present,
           "degenerate");
}

// Few INT32 separate two conversions if y has few codes.
bool IsCoarse(const Cell& cell) {
  return HasNan(OutputType(cell)) && IsPerTensor(cell) &&
         cell.types[0] == DataType::kInt32;
}

// The contents that every cell is asked, mostly in the plain variant.
void AddPlain(const Cell& cell, const Variants& variants, List& list) {
  const bool per_tensor = IsPerTensor(cell);
  const bool float8 = HasNan(OutputType(cell));
  // One scale in a tensor asks less than many: more tensors.
  const int ties_of_integers = per_tensor ? 4 : 3;
  list.Add({}, "ties", float8 ? 2 : ties_of_integers);
  list.Add({}, "quotient", float8 && !IsCoarse(cell) ? 1 : 2);
  list.Add({}, "saturation", float8 ? 1 : 2);
  // Quotients of a given P may be those of a kernel of its own (QL-24).
  const bool by_precision = variants.precision && IsFloatingPoint(OutputType(cell));
  list.Add({}, "zero_points", by_precision ? 1 : 2);
  if (by_precision) {
    list.Add(FloatZeroPointVariant(cell, variants.Precise({}, 0)), "zero_points");
  }
  list.Add({}, "specials");
  list.Add({}, "subnormal", per_tensor && !variants.precision ? 2 : 1);
  if (HasNearTies(cell)) {
    // As `precision` has it, or as an open clause allows (QL-04).
    list.Add({.precision = variants.precision ? DataType::kDouble : DataType::kUndefined},
             "near_ties");
  }
  if (list.HasConversionRange({})) list.Add({}, "conversion_range");
  AddDegenerate(cell, variants, list);
  list.Add({}, "random_bits");
}

// Values in variants that the cells take turns with.
void AddByTurn(const Variants& variants, List& list) {
  list.Add(variants.PlainOrMixed(2), "nan_neighbours");
  list.Add(
      variants.turn % 2 == 0 ? variants.absent : variants.Precise(variants.absent, 1),
      "random_scaled");
  list.Add(variants.empty, "ties");
  const Variant mixed =
      variants.turn % 3 == 0 ? variants.MixedPresent(0) : variants.MixedAbsent(0);
  list.Add(variants.Unsaturated(mixed), "specials");
}

// By turns plain, with output_dtype, and with `precision` as well.
Variant UnsaturatedZeroPointVariant(const Cell& cell, const Variants& variants) {
  switch (variants.turn % 3) {
    case 0:
      return variants.Unsaturated({});
    case 1:
      return variants.Unsaturated(variants.both);
    default:
      return variants.Unsaturated(
          FloatZeroPointVariant(cell, variants.Precise(variants.both, 1)));
  }
}

// For float8: what saturate=0 is asked.
void AddUnsaturated(const Cell& cell, const Variants& variants, List& list) {
  list.Add(variants.unsaturated, "ties", IsPerTensor(cell) ? 1 : 2);
  list.Add(variants.Unsaturated(variants.absent), "saturation");
  list.Add(variants.Unsaturated(variants.Precise(variants.both, 2)), "saturation");
  list.Add(UnsaturatedZeroPointVariant(cell, variants), "zero_points");
  list.Add(variants.unsaturated, "random_scaled");
  list.AddShapes(variants.Unsaturated(variants.PlainOrMixed(0)), 1);
}

// For cells with `precision`: quotients in each P.
void AddPrecise(const Cell& cell, const Variants& variants, List& list) {
  // Where there are axes, each P comes to their default in turn.
  const int first = IsPerTensor(cell) ? 0 : variants.precision_turn;
  for (int i = 0; i < 4; ++i) {
    list.Add({.precision = Precisions()[static_cast<size_t>(first + i) % 4]}, "quotient");
  }
  // FLOAT16 is the one P with a range of its own.
  const Variant half{.precision = DataType::kFloat16};
  if (QuotientType(cell, {}) != DataType::kFloat16) list.Add(half, "subnormal");
  if (!list.HasConversionRange({}) && list.HasConversionRange(half)) {
    list.Add(half, "conversion_range");
  }
}

// How many shapes by turns. Per tensor floats have more of the rest.
int ShapesByTurn(const Cell& cell) {
  const DataType y = OutputType(cell);
  if (!IsPerTensor(cell)) return HasNan(y) ? 3 : 8;
  if (HasNan(y)) return IsCoarse(cell) || IsShort(cell) ? 0 : 1;
  return IsInteger(y) ? 4 : 3;
}

void AddShapesByTurn(const Cell& cell, const Variants& variants, List& list) {
  const bool float8 = HasNan(OutputType(cell));
  const auto variant_of = [&](int n) {
    if (IsPerTensor(cell) && n == kScalar && !float8) return ScalarVariant(variants);
    if (n == 0) return Variant{};
    // The second leaves the axis to its default.
    return n == 1 ? variants.Mixed(1) : variants.PlainOrMixed(n);
  };
  list.AddShapes(variant_of, ShapesByTurn(cell));
  list.AddShapes(variants.both, 1);
  if (!float8) list.AddShapes(variants.absent, 1);
}

std::vector<ContentName> Standard(const Cell& cell, bool with_huge) {
  const Variants variants(cell);
  const bool float8 = HasNan(OutputType(cell));
  List list(cell);
  AddPlain(cell, variants, list);
  AddByTurn(variants, list);
  if (float8) AddUnsaturated(cell, variants, list);
  if (variants.precision) AddPrecise(cell, variants, list);
  AddShapesByTurn(cell, variants, list);
  AddForFaults(cell, variants, list);
  const bool large_unsaturated = float8 && cell.types[0] != DataType::kFloat16;
  list.AddLarge(variants.Mixed(3),
                large_unsaturated ? variants.unsaturated : variants.absent);
  list.AddFrom({}, "range_ends", 0, IsPerTensor(cell) ? 2 : 1);
  AddRestOfLists(cell, variants, list);
  list.AddSizes(variants);
  if (with_huge) list.AddHuge();
  return list.Take();
}

}  // namespace

std::vector<ContentName> QuantizeLinearContents(const Cell& cell, Level level) {
  return level == Level::kSmoke ? Smoke(cell)
                                : Standard(cell, level == Level::kExhaustive);
}

}  // namespace qconform::generators
