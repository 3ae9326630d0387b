// The frozen lists: which contents each cell is asked at each level.
#include <algorithm>

#include "cases/generators/quantize_linear_cases.h"

namespace qconform::generators {
namespace {

using Variant = QuantizeLinearVariant;
using ZeroPoint = QuantizeLinearVariant::ZeroPoint;

// Shapes of a cell that are not fixed, at most.
constexpr int kOthersOfCell = 4;

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
    const int fixed = FixedShapes(cell_);
    const int others = ShapeCount(cell_.granularity) - fixed;
    // Types start somewhere in the list; each since_version goes on behind the others.
    const auto start = static_cast<int>(Hash() % static_cast<uint64_t>(others));
    int before = 0;
    for (const int since : {13, 19, 21, 23, 24, 25}) {
      before += cell_.since_version >= since ? kOthersOfCell : 0;
    }
    for (int i = 0; i < count; ++i) {
      const int next = Next("shapes");
      constexpr int kApart = 11;  // neighbours in the list are alike
      const int place = start + kApart * (before + next);
      const int index = next < fixed ? next : fixed + place % others;
      contents_.push_back({VariantText(cell_, variant), "shapes", index});
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

  // Two long shapes and one of a high rank: cells of equal types go through them. One of
  // the three is of another variant.
  void AddLarge(const Variant& other) {
    const int turn = Turn();
    const int longs = LargeShapes(cell_.granularity, false);
    const int high_ranks = LargeShapes(cell_.granularity, true);
    const int usual = kUsualLargeShapes;
    const int indices[] = {2 * (turn % usual), 2 * (usual + turn % (longs - usual)),
                           2 * (turn % high_ranks) + 1};
    for (int i = 0; i < 3; ++i) {
      AddFrom(turn % 3 == i ? other : Variant{}, "large", indices[i]);
    }
  }

  // Two shapes that are next to each other: cells of equal types go through them.
  void AddHuge() {
    const int count = HugeShapeCount(cell_.granularity);
    const int turn = Turn();
    for (int i = 0; i < 2; ++i) AddFrom({}, "huge", (turn + i) % count);
  }

  bool HasConversionRange(const Variant& variant) const {
    return generators::HasConversionRange(
        QuantizeLinearQuestion(cell_, variant, 0, CounterRng(0)));
  }

  // The same, up to a number of contents that leaves room for those behind.
  void AddWhereThereIsRoom(const Variant& variant, std::string_view generator,
                           int count) {
    constexpr size_t kMostContents = 30;
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

// Which variants a cell has.
struct Variants {
  explicit Variants(const Cell& cell)
      : saturate(HasSaturate(cell.since_version)),
        output_dtype(HasOutputDtype(cell.since_version)),
        zero_point(output_dtype || OutputType(cell) == DataType::kUint8),
        precision(HasPrecision(cell.since_version)) {
    // Where y is not UINT8, output_dtype says so in place of the zero point.
    const bool told = output_dtype && OutputType(cell) != DataType::kUint8;
    absent = {.zero_point = ZeroPoint::kAbsent, .output_dtype = told};
    empty = {.zero_point = ZeroPoint::kEmpty, .output_dtype = told};
    if (!zero_point) absent = empty = {};
    both = {.output_dtype = output_dtype};
    unsaturated = {.saturate = saturate ? 0 : 1};
  }

  bool saturate;
  bool output_dtype;
  bool zero_point;
  bool precision;
  Variant absent;       // no y_zero_point; the plain variant where that is not legal
  Variant empty;        // the same, by an empty name
  Variant both;         // output_dtype beside y_zero_point
  Variant unsaturated;  // saturate=0
};

// A few contents: those that tell most wrong implementations.
std::vector<ContentName> Smoke(const Cell& cell) {
  const Variants variants(cell);
  List list(cell);
  list.Add({}, "ties");
  list.Add({}, "quotient");
  list.Add(IsFloat8(OutputType(cell)) ? variants.unsaturated : variants.absent,
           "saturation");
  list.AddShapes({}, 1);
  return list.Take();
}

// More of the same where the kill matrix had survivors: one scale in a tensor tells
// few quotients apart, and narrow types few at all.
void AddForFaults(const Cell& cell, const Variants& variants, List& list) {
  const DataType x = cell.types[0];
  const DataType scale = cell.types[1];
  const bool per_tensor = cell.granularity == Granularity::kPerTensor;
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
  if (x == DataType::kFloat && scale == DataType::kFloat16)
    list.AddWhereThereIsRoom({}, "subnormal", 2);
  if (x == DataType::kFloat16 && scale == DataType::kInt32 &&
      IsFloat8(OutputType(cell))) {
    list.AddWhereThereIsRoom({}, "saturation", 2);
  }
}

// What one scale and one zero point for a tensor leave out of the lists of degenerate
// scales and of zero points of floats, and shapes that every cell is asked.
void AddRestOfLists(const Cell& cell, List& list) {
  if (cell.granularity == Granularity::kBlocked) {
    list.AddFrom({}, "shapes", kOverlongBlock);
    list.AddFrom({}, "shapes", kBlocksOfOne);
  }
  if (cell.granularity != Granularity::kPerTensor) return;
  const NumberFormat& scale = FormatOf(cell.types[1]);
  if (scale.kind == NumberKind::kInteger) list.AddFrom({}, "degenerate", 4);
  if (scale.kind == NumberKind::kFloat) list.AddFrom({}, "degenerate", 4, 6);
  if (IsFloatingPoint(OutputType(cell))) list.AddFrom({}, "zero_points", 4, 3);
  if (IsFloat8(OutputType(cell))) list.AddFrom({}, "shapes", kScalar);
  list.AddFrom({}, "shapes", kOneElement);
  // A product with a reciprocal in FLOAT misses few ties of FLOAT16.
  if (cell.types[0] == DataType::kFloat16 && cell.types[1] == DataType::kFloat16) {
    list.Add({}, "ties", 2);
  }
}

std::vector<ContentName> Standard(const Cell& cell, bool with_huge) {
  const Variants variants(cell);
  const bool per_tensor = cell.granularity == Granularity::kPerTensor;
  const bool float8 = IsFloat8(OutputType(cell));
  List list(cell);
  // One scale in a tensor asks less than many: more tensors.
  list.Add({}, "ties", float8 ? 2 : per_tensor ? 4 : 3);
  // Few INT32 tell one conversion from another where y has few codes.
  const bool coarse = float8 && per_tensor && cell.types[0] == DataType::kInt32;
  list.Add({}, "quotient", float8 && !coarse ? 1 : 2);
  list.Add({}, "saturation", float8 ? 1 : 2);
  // Quotients of a given P may be those of a kernel of its own (QL-24).
  const bool by_precision = variants.precision && IsFloatingPoint(OutputType(cell));
  list.Add({}, "zero_points", by_precision ? 1 : 2);
  if (by_precision) list.Add({.precision = DataType::kFloat}, "zero_points");
  list.Add({}, "specials");
  list.Add({}, "subnormal", per_tensor && !variants.precision ? 2 : 1);
  if (HasNearTies(cell)) list.Add({}, "near_ties");
  if (list.HasConversionRange({})) list.Add({}, "conversion_range");
  list.Add({}, "degenerate", per_tensor ? (float8 ? 3 : 4) : 1);
  list.Add({}, "random_bits");
  list.Add({}, "nan_neighbours");
  list.Add(variants.absent, "random_scaled");
  list.Add(variants.empty, "ties");

  list.Add(variants.unsaturated, "specials");
  if (float8) {
    list.Add(variants.unsaturated, "ties", per_tensor ? 1 : 2);
    list.Add(variants.unsaturated, "saturation", 2);
    list.Add(variants.unsaturated, "zero_points");
    list.Add(variants.unsaturated, "degenerate");
    list.Add(variants.unsaturated, "random_scaled");
    list.AddShapes(variants.unsaturated, 1);
  }

  if (variants.precision) {
    for (const DataType precision : Precisions())
      list.Add({.precision = precision}, "quotient");
    // FLOAT16 is the one P with a range of its own.
    const Variant half{.precision = DataType::kFloat16};
    if (QuotientType(cell, {}) != DataType::kFloat16) list.Add(half, "subnormal");
    if (!list.HasConversionRange({}) && list.HasConversionRange(half)) {
      list.Add(half, "conversion_range");
    }
  }

  list.AddShapes({}, per_tensor ? (coarse ? 1 : float8 ? 2 : 4) : (float8 ? 3 : 8));
  list.AddShapes(variants.both, 1);
  if (!float8) list.AddShapes(variants.absent, 1);
  AddForFaults(cell, variants, list);
  list.AddLarge(float8 && cell.types[0] != DataType::kFloat16 ? variants.unsaturated
                                                              : variants.absent);
  list.AddFrom({}, "range_ends", 0, per_tensor ? 2 : 1);
  AddRestOfLists(cell, list);
  if (with_huge) list.AddHuge();
  return list.Take();
}

}  // namespace

std::vector<ContentName> QuantizeLinearContents(const Cell& cell, Level level) {
  return level == Level::kSmoke ? Smoke(cell)
                                : Standard(cell, level == Level::kExhaustive);
}

}  // namespace qconform::generators
