// The frozen lists: which contents each cell is asked at each level.
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "cases/core/covered_sums.h"
#include "cases/matmul/covered_sizes.h"
#include "cases/matmul/sizes.h"
#include "cases/operators/mat_mul_integer/cases.h"

namespace qconform::generators {
namespace {

using Variant = MatMulIntegerVariant;
using Form = MatMulIntegerVariant::Form;

class List {
 public:
  explicit List(const Cell& cell)
      : cell_(cell), turn_(static_cast<int>(HashOfTypes(cell).hash() % 1000)) {}

  int turn() const { return turn_; }

  // Adds contents whose zero points are there, or are left out by turns.
  void Add(std::string_view generator, int first, int count = 1) {
    for (int i = first; i < first + count; ++i) {
      contents_.push_back({VariantText(Any(i)), generator, i});
    }
  }
  void AddPresent(std::string_view generator, int first, int count = 1) {
    for (int i = first; i < first + count; ++i) {
      contents_.push_back({VariantText(Present(i)), generator, i});
    }
  }
  // Zero points that need not be there are not.
  void AddLeftOut(std::string_view generator, int index) {
    Variant variant = Present(index);
    if (!IsPerColumn(cell_)) variant.b = Form::kAbsent;
    if (!IsPerRow(cell_)) {
      variant.a = variant.b == Form::kAbsent ? Form::kAbsent : Form::kEmpty;
    }
    contents_.push_back({VariantText(variant), generator, index});
  }
  // Zero points are [..., M, 1] and [..., 1, N]: only these go with batches.
  void AddFull(std::string_view generator, int first, int count = 1) {
    for (int i = first; i < first + count; ++i) {
      contents_.push_back({VariantText({Form::kFull, Form::kFull}), generator, i});
    }
  }
  // Adds a listed shape. A 1-D operand has a scalar zero point, or none (MI-08).
  void AddShape(int index) {
    constexpr MatMulForms kFull{VectorForm::kFull, VectorForm::kFull};
    CounterRng rng(0);
    const MatMulSizes sizes = ListedMatMulSizes(cell_, kFull, index, rng);
    Variant variant = Any(index);
    if (!sizes.a_batch.empty() && IsPerRow(cell_)) variant.a = Form::kFull;
    if (!sizes.b_batch.empty() && IsPerColumn(cell_)) variant.b = Form::kFull;
    if (sizes.a_is_vector && variant.a == Form::kFull) variant.a = Form::kShort;
    if (sizes.b_is_vector && variant.b == Form::kFull) variant.b = Form::kShort;
    contents_.push_back({VariantText(variant), "shapes", index});
  }

  // Adds the rows of a covering array, and larger products.
  void AddSizes() {
    constexpr std::array kForms{Form::kShort, Form::kFull, Form::kEmpty, Form::kAbsent};
    constexpr auto kCount = static_cast<int>(kForms.size());
    CoveredMatMuls sizes(cell_, {kCount, kCount});
    const auto allows = [&](const std::vector<int>& own, const MatMulBatches& batches) {
      const auto is = [&](int level, Form form) {
        return level != kFreeLevel && kForms[static_cast<size_t>(level)] == form;
      };
      const auto is_left_out = [&](int level) {
        return is(level, Form::kEmpty) || is(level, Form::kAbsent);
      };
      if (IsPerRow(cell_)) {
        if (batches.a_is_vector || is_left_out(own[0])) return false;
        if (batches.of_a && is(own[0], Form::kShort)) return false;
      }
      if (IsPerColumn(cell_)) {
        if (batches.b_is_vector || is_left_out(own[1])) return false;
        if (batches.of_b && is(own[1], Form::kShort)) return false;
        if (is(own[0], Form::kAbsent)) return false;
      }
      // A 1-D operand has a scalar zero point, or none (MI-08).
      if (batches.a_is_vector && is(own[0], Form::kFull)) return false;
      if (batches.b_is_vector && is(own[1], Form::kFull)) return false;
      // Inputs that end before a_zero_point have no b_zero_point.
      return !is(own[0], Form::kAbsent) || own[1] == kFreeLevel ||
             is(own[1], Form::kAbsent);
    };
    for (int place = 0; place < kCoveredSums; ++place) {
      if (!IsCoveredIn(cell_, place)) continue;
      CoveredMatMuls::Row row = sizes.Next(place, allows);
      const Variant variant{kForms[static_cast<size_t>(row.own[0])],
                            kForms[static_cast<size_t>(row.own[1])]};
      contents_.push_back(
          {VariantText(variant), "sizes", row.index, std::move(row.levels)});
    }
    AddFull("sizes", kFirstLargeProduct, kLargeProducts);
    AddFull("sizes", kSplitProduct);
  }

  std::vector<ContentName> Take() { return std::move(contents_); }

 private:
  Variant Present(int k) const {
    const auto form = [](int turn) { return turn % 2 == 0 ? Form::kShort : Form::kFull; };
    return {form(turn_ + k), form(turn_ + k / 2)};
  }

  // Through all forms of both, where zero points are per tensor.
  Variant Any(int k) const {
    constexpr std::array kOfA{Form::kShort, Form::kFull, Form::kEmpty, Form::kShort,
                              Form::kFull};
    constexpr std::array kOfB{Form::kShort, Form::kFull,  Form::kShort, Form::kAbsent,
                              Form::kFull,  Form::kEmpty, Form::kShort};
    const auto turn = static_cast<size_t>(turn_ + k);
    Variant variant = Present(k);
    if (!IsPerRow(cell_)) variant.a = kOfA[turn % kOfA.size()];
    if (!IsPerColumn(cell_)) variant.b = kOfB[turn % kOfB.size()];
    if (variant.a == Form::kEmpty && variant.b == Form::kAbsent && turn % 2 == 0) {
      variant.a = Form::kAbsent;
    }
    return variant;
  }

  const Cell& cell_;
  int turn_;
  std::vector<ContentName> contents_;
};

// A few contents, which find most wrong implementations.
void AddSmoke(List& list) {
  const int turn = list.turn();
  list.AddPresent("lengths", 63);
  list.Add("lengths", kSecondRoundOfLengths + 16 + turn % 48);
  list.AddPresent("lengths", kFirstLongLength + turn % 64);
  list.AddLeftOut("lengths", kThirdRoundOfLengths + 1 + turn % 64);
  list.AddPresent("pairs", 0, 2);
  list.AddPresent("zero_points", 9);  // high and high, or ends
  list.AddPresent("zero_points", 3 + turn % 5);
  list.AddPresent("squares", 0);
  list.AddFull("squares", 4);
  list.AddShape(kFirstBatches);  // both operands broadcast
  list.AddShape(kFirstBatchesOfB + turn % kMatMulBatchesOfB);
  list.AddShape(kFirstEmptyN + turn % (2 * kMatMulEmpty));
  list.AddPresent("wide_sums", turn % 2);
}

void AddStandard(List& list) {
  list.AddPresent("lengths", 0, kSecondRoundOfLengths);
  list.Add("lengths", kSecondRoundOfLengths, 2 * kFirstVeryLongLength);
  list.AddPresent("pairs", 0, kIntegerPairs);
  list.Add("pairs", kIntegerPairs, kIntegerPairs);
  list.AddPresent("zero_points", 0, kIntegerZeroPoints);
  for (int i = 0; i < kIntegerSquares; ++i) {
    if (i % 6 < 4) {
      list.AddPresent("squares", i);
    } else {
      list.AddFull("squares", i);
    }
  }
  for (int i = 0; i < kFirstBatchesOfB + kMatMulBatchesOfB; ++i) list.AddShape(i);
  list.AddPresent("wide_sums", 0, 4);
  list.Add("wide_sums", 4, 2);
  list.AddPresent("overflow", 0, 2);
  list.AddPresent("partial_sums", 0, kIntegerPartialSums);
  for (int i = 0; i < 3; ++i) {
    list.AddFull("tiles", (list.turn() + 5 * i) % kIntegerTiles);
  }
  list.Add("random", 0, 6);
  list.AddSizes();
}

}  // namespace

std::vector<ContentName> MatMulIntegerContents(const Cell& cell, Level level) {
  List list(cell);
  if (level == Level::kSmoke) {
    AddSmoke(list);
  } else {
    AddStandard(list);
  }
  if (level == Level::kExhaustive) {
    const int turn = list.turn() + (IsPerRow(cell) ? 1 : 0) + (IsPerColumn(cell) ? 2 : 0);
    list.AddFull("huge", 2 * (turn % (kIntegerHuge / 2)), 2);
  }
  return list.Take();
}

}  // namespace qconform::generators
