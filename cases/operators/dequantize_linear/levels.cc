// The frozen lists: which contents each cell is asked at each level.
#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "cases/operators/dequantize_linear/cases.h"
#include "cases/operators/dequantize_linear/products.h"
#include "cases/quantization/covered_sizes.h"

namespace qconform::generators {
namespace {

using Variant = DequantizeLinearVariant;
using OutputDtype = DequantizeLinearVariant::OutputDtype;

bool IsPerTensor(const Cell& cell) {
  return GranularityOf(cell) == ScaleGranularity::kPerTensor;
}

bool HasIntegerX(const Cell& cell) { return IsInteger(cell.types[0]); }

// Which variants a cell has; cells take turns with them.
struct Variants {
  explicit Variants(const Cell& cell)
      : has_output_dtype(DequantizeLinearHasOutputDtype(cell.since_version)),
        needs_output_dtype(NeedsOutputDtype(cell)) {
    turn = static_cast<int>(HashOfTypes(cell).hash() % 1000) + cell.since_version +
           5 * static_cast<int>(GranularityOf(cell));
    if (needs_output_dtype) plain.output_dtype = OutputDtype::kGiven;
  }

  // The k-th way to write output_dtype, beside a zero point of this form.
  Variant With(ZeroPointForm zero_point, int k) const {
    Variant variant = plain;
    variant.zero_point = zero_point;
    if (!has_output_dtype || needs_output_dtype) return variant;
    constexpr OutputDtype kAll[] = {OutputDtype::kAbsent, OutputDtype::kGiven,
                                    OutputDtype::kZero};
    variant.output_dtype = kAll[(turn + k) % 3];
    return variant;
  }
  Variant Present(int k) const { return With(ZeroPointForm::kPresent, k); }
  // Without a zero point, left out in one way and in the other in turn.
  Variant Without(int k) const {
    return With((turn + k) % 2 == 0 ? ZeroPointForm::kAbsent : ZeroPointForm::kEmpty,
                k / 2);
  }
  Variant Mixed(int k) const { return (turn + k) % 3 == 0 ? Without(k / 3) : Present(k); }

  bool has_output_dtype;
  bool needs_output_dtype;
  int turn;
  Variant plain;
};

class List {
 public:
  explicit List(const Cell& cell) : cell_(cell) {}

  // Adds the next `count` indices of a generator: in all variants of a cell each
  // index of a generator is asked once, so that no two contents are alike.
  void Add(const Variant& variant, std::string_view generator, int count = 1) {
    for (int i = 0; i < count; ++i) AddAt(variant, generator, Next(generator));
  }
  // Adds one index, unless it is there.
  void AddAt(const Variant& variant, std::string_view generator, int index) {
    const bool there = std::ranges::any_of(contents_, [&](const ContentName& content) {
      return content.generator == generator && content.index == index;
    });
    if (!there) contents_.push_back({VariantText(cell_, variant), generator, index});
  }

  // Adds a content for each length from 0 to kMostLength.
  void AddSizes(const Variants& variants) {
    constexpr std::array kForms{ZeroPointForm::kPresent, ZeroPointForm::kAbsent,
                                ZeroPointForm::kEmpty};
    constexpr std::array kDtypes{OutputDtype::kAbsent, OutputDtype::kGiven,
                                 OutputDtype::kZero};
    const bool chooses_dtype = variants.has_output_dtype && !variants.needs_output_dtype;
    CoveredSizes sizes(cell_, {static_cast<int>(kForms.size()),
                               chooses_dtype ? static_cast<int>(kDtypes.size()) : 1});
    for (int length = 0; length <= kMostLength; ++length) {
      CoveredSizes::Row row =
          sizes.Next(length, [](const std::vector<int>&) { return true; });
      Variant variant = variants.plain;
      variant.zero_point = kForms[static_cast<size_t>(row.own[0])];
      if (chooses_dtype) variant.output_dtype = kDtypes[static_cast<size_t>(row.own[1])];
      contents_.push_back(
          {VariantText(cell_, variant), "sizes", row.index, std::move(row.levels)});
    }
    if (IsAskedSplitSize(cell_)) {
      contents_.push_back({VariantText(cell_, variants.plain), "sizes", kSplitSize,
                           sizes.LevelsOfOther()});
    }
  }

  std::vector<ContentName> Take() { return std::move(contents_); }

 private:
  int Next(std::string_view generator) const {
    int next = 0;
    for (const ContentName& content : contents_) {
      if (content.generator == generator) next = std::max(next, content.index + 1);
    }
    return next;
  }

  const Cell& cell_;
  std::vector<ContentName> contents_;
};

// What the list of a cell depends on beside its types.
struct Facts {
  explicit Facts(const Cell& cell, const Variant& plain) {
    const DequantizeLinearQuestion question(cell, plain, 0, CounterRng(0));
    for (const ProductPair& pair : ProductPairs(question)) {
      const bool is_float =
          pair.a.difference == DataType::kFloat || pair.b.difference == DataType::kFloat;
      const bool has_scale = pair.a.inner != pair.b.inner ||
                             (is_float && pair.a.difference != pair.b.difference &&
                              (pair.a.difference == DataType::kUndefined ||
                               pair.b.difference == DataType::kUndefined));
      own_scale += has_scale ? 1 : 0;
    }
    conversion_range = HasConversionRange(question);
    long_differences = !question.has_integer_x() && BitsOfDifference(question) > 24;
  }

  int own_scale = 0;  // pairs that need a scale of their own
  bool conversion_range = false;
  bool long_differences = false;  // of floats: FLOAT does not hold them all
};

void AddDifferences(const Cell& cell, const Variants& variants, int count, List& list) {
  const char* generator = HasIntegerX(cell) ? "differences" : "zero_points";
  for (int i = 0; i < count; ++i) {
    list.Add(i == 0 ? variants.plain : variants.Present(i), generator);
  }
}

// A few contents, which find most wrong implementations.
std::vector<ContentName> Smoke(const Cell& cell) {
  const Variants variants(cell);
  List list(cell);
  list.Add(variants.plain, "products");
  list.Add(variants.plain, "ties");
  AddDifferences(cell, variants, 1, list);
  list.Add(variants.turn % 2 == 0 ? variants.Present(1) : variants.Without(1), "shapes");
  return list.Take();
}

void AddCodes(const Cell& cell, const Variants& variants, List& list) {
  if (cell.types[0] == DataType::kInt32) return;  // `differences` has INT32 of all kinds
  const int parts = PartsOfCodes(cell.types[0]);
  if (parts == 1) {
    list.Add(variants.plain, "codes");
    list.Add(variants.Without(1), "codes");
    return;
  }
  const int first = FirstPartOfCodes(cell);
  list.AddAt(variants.plain, "codes", first);
  list.AddAt(variants.Without(1), "codes", (first + 1) % parts);
}

// The contents that are about values.
void AddValues(const Cell& cell, const Variants& variants, List& list) {
  const bool per_tensor = IsPerTensor(cell);
  const Facts facts(cell, variants.plain);
  const bool wide = BitWidth(cell.types[0]) >= 16;
  // One scale in a tensor asks less than many: more tensors.
  const int products =
      per_tensor ? std::clamp(2 + facts.own_scale, 3, facts.long_differences ? 10 : 8)
                 : std::clamp(3 + facts.own_scale / 2, wide ? 5 : 3, 5);
  for (int i = 0; i < products; ++i) {
    list.Add(i % 3 == 1 ? variants.Present(i) : variants.plain, "products");
  }
  list.Add(variants.plain, "ties");
  list.Add(variants.Without(0), "ties");
  list.Add(variants.Present(2), "ties", 4);
  AddCodes(cell, variants, list);
  int differences = per_tensor ? 5 : wide ? 3 : 2;
  // The first seven zero points of floats are of every kind.
  if (!HasIntegerX(cell) && per_tensor) {
    differences = std::clamp(FloatZeroPointCount(cell.types[0]), 5, 7);
  }
  AddDifferences(cell, variants, differences, list);
  const int subnormals = HasIntegerX(cell) ? 3 : 2;
  list.Add(variants.plain, "subnormal", per_tensor ? subnormals : 1);
  list.Add(variants.Mixed(0), "range_ends", per_tensor ? 3 : 1);
  if (facts.conversion_range) {
    list.Add(variants.plain, "conversion_range");
    if (per_tensor) list.Add(variants.Mixed(1), "conversion_range", 2);
  }
  const int all = DegenerateScaleCount(cell.types[1]);
  const int degenerate = per_tensor ? std::min(all, HasIntegerX(cell)        ? 11
                                                    : facts.long_differences ? 5
                                                                             : 7)
                                    : 2;
  for (int i = 0; i < degenerate; ++i) list.Add(variants.Mixed(i), "degenerate");
  list.Add(variants.Present(3), "random_bits");
  list.Add(variants.Without(2), "random_bits", 2);
}

// The contents that are about shapes: some that every cell is asked, and some by turns.
void AddShapes(const Cell& cell, const Variants& variants, List& list) {
  const ScaleGranularity granularity = GranularityOf(cell);
  int k = 0;
  const auto add = [&](int index) { list.AddAt(variants.Mixed(k++), "shapes", index); };
  list.AddAt(variants.Present(1), "shapes", 0);
  add(1);
  add(2);
  add(EmptyShape(granularity));
  if (granularity == ScaleGranularity::kPerTensor) {
    add(kRankFive);
    add(kOneElement);
  } else {
    for (const AlwaysShape& always : AlwaysShapes(granularity)) {
      add(always.first + variants.turn / 2 % always.count);
    }
  }
  if (granularity == ScaleGranularity::kPerAxis) add(kAxisOfOne);
  if (granularity == ScaleGranularity::kBlocked) {
    add(kOverlongBlock);
    add(kBlocksOfOne);
    add(kDefaultAxisOfRankThree);
  }
  const int by_turns = granularity == ScaleGranularity::kPerTensor ? 1 : 2;
  constexpr int kApart = 11;  // neighbours in the list are alike
  const int count = ShapeCount(granularity);
  for (int i = 0; i < by_turns; ++i) {
    add((variants.turn + 17 * cell.since_version + kApart * i) % count);
  }
}

// Two long shapes and one of a high rank.
void AddLarge(const Cell& cell, const Variants& variants, List& list) {
  const ScaleGranularity granularity = GranularityOf(cell);
  const auto longs = static_cast<int>(LongShapes(granularity).size());
  const auto high_ranks = static_cast<int>(HighRankShapes(granularity).size());
  const int turn = variants.turn;
  list.AddAt(variants.plain, "large", 2 * (turn % kUsualLongShapes));
  list.AddAt(variants.Mixed(5), "large",
             2 * (kUsualLongShapes + turn % (longs - kUsualLongShapes)));
  list.AddAt(variants.Mixed(6), "large", 2 * (turn % high_ranks) + 1);
}

std::vector<ContentName> Standard(const Cell& cell, bool with_huge) {
  const Variants variants(cell);
  List list(cell);
  AddValues(cell, variants, list);
  AddShapes(cell, variants, list);
  AddLarge(cell, variants, list);
  list.AddSizes(variants);
  if (with_huge) {
    const auto count = static_cast<int>(HugeShapes(GranularityOf(cell)).size());
    for (int i = 0; i < 2; ++i) {
      list.AddAt(variants.plain, "huge", (variants.turn + i) % count);
    }
  }
  return list.Take();
}

}  // namespace

std::vector<ContentName> DequantizeLinearContents(const Cell& cell, Level level) {
  return level == Level::kSmoke ? Smoke(cell)
                                : Standard(cell, level == Level::kExhaustive);
}

}  // namespace qconform::generators
