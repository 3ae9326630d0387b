// Shapes, axes and blocks, with values that a wrong index would confuse.
#include "cases/generators/quantize_linear_cases.h"
#include "cases/generators/quantize_linear_values.h"

namespace qconform::generators {
namespace {

// Lengths around vector lengths of 2 to 128 lanes.
constexpr int64_t kLengths[] = {127, 129, 257, 7, 3, 1,   65, 31, 17,
                                33,  63,  15,  9, 5, 255, 2,  191};

struct AxisShape {
  Shape shape;
  int64_t axis;
  AxisForm form;
  int64_t block_size;  // blocked only
};

int64_t Length(int index, CounterRng& rng) {
  constexpr int kCount = static_cast<int>(std::size(kLengths));
  if (index < kCount) return kLengths[index];
  const int64_t power = int64_t{1} << rng.Between(1, 8);
  return power * (rng.OneIn(3) ? 2 : 1) + rng.Between(-1, 1);
}

ScaleLayout PerTensorShape(int index, CounterRng& rng) {
  switch (index) {
    case 0:
      return PerTensorLayout({Length(0, rng)});
    case 1:
      return PerTensorLayout({});
    case 2:
      return PerTensorLayout({3, 43});
    case 3:
      return PerTensorLayout({2, 0, 3});
    case 4:
      return PerTensorLayout({5, 3, 1, 7, 3});
    case 5:
      return PerTensorLayout({1, 3, 1, 5, 1, 3, 1, 7});
    case 6:
      return PerTensorLayout({3, 3, 3});
    case 7:
      return PerTensorLayout({7, 3, 3, 3});
    case 8:
      return PerTensorLayout({0});
    case 9:
      return PerTensorLayout({1});
    default:
      return PerTensorLayout({Length(index - 9, rng)});
  }
}

// Square shapes come first: with them a wrong default axis goes unnoticed by
// everything but the values.
AxisShape PerAxisShape(int index, bool rank_one, CounterRng& rng) {
  switch (index) {
    case 0:
      return {{11, 11}, 1, AxisForm::kDefault, 0};
    case 1:
      return {{5, 5, 5}, 1, AxisForm::kDefault, 0};
    case 2:
      return {{3, 129}, 0, AxisForm::kPositive, 0};
    case 3:
      return {{5, 65}, 1, AxisForm::kNegative, 0};
    case 4:
      return {{2, 3, 2, 3, 2}, 3, AxisForm::kPositive, 0};
    case 5:
      return {{1, 2, 1, 3, 2, 1, 3, 1}, 6, AxisForm::kNegative, 0};
    case 6:
      return {{5, 1}, 1, AxisForm::kDefault, 0};
    case 7:
      return {{0, 5}, 1, AxisForm::kDefault, 0};
    case 8:
      if (rank_one) return {{129}, 0, AxisForm::kPositive, 0};
      return {{3, 0}, 1, AxisForm::kPositive, 0};
    case 9:
      if (rank_one) return {{31}, 0, AxisForm::kNegative, 0};
      return {{4, 4, 4, 4}, 1, AxisForm::kDefault, 0};
    case 10:
      return {{4, 4, 4}, 1, AxisForm::kNegative, 0};
    case 11:
      return {{7, 2, 9}, 0, AxisForm::kNegative, 0};
    default:
      break;
  }
  const int64_t length = Length(index - 12, rng);
  const int64_t other = rng.Between(1, 4);
  if (rng.OneIn(2)) return {{other, length}, 1, AxisForm::kDefault, 0};
  return {{length, other}, 0, AxisForm::kNegative, 0};
}

AxisShape BlockedShape(int index, CounterRng& rng) {
  switch (index) {
    case 0:
      return {{9, 9}, 1, AxisForm::kDefault, 2};
    case 1:
      return {{5, 5, 5}, 1, AxisForm::kDefault, 3};
    case 2:
      return {{3, 129}, 1, AxisForm::kPositive, 32};
    case 3:
      return {{65, 3}, 0, AxisForm::kPositive, 16};
    case 4:
      return {{3, 67}, 1, AxisForm::kNegative, 33};
    case 5:
      return {{1, 2, 1, 3, 2, 1, 5, 1}, 6, AxisForm::kNegative, 2};
    case 6:
      return {{5, 9}, 1, AxisForm::kDefault, 1};
    case 7:
      return {{5, 9}, 1, AxisForm::kDefault, 9};
    case 8:
      return {{9, 5}, 0, AxisForm::kNegative, 100};
    case 9:
      return {{0, 5}, 1, AxisForm::kDefault, 2};
    case 10:
      return {{3, 0}, 1, AxisForm::kPositive, 2};
    case 11:
      return {{4, 4, 4}, 1, AxisForm::kNegative, 3};
    case 12:
      return {{7, 2, 9}, 0, AxisForm::kNegative, 3};
    case 13:
      return {{3, 7, 5, 2}, 1, AxisForm::kDefault, 4};
    default:
      break;
  }
  const int64_t length = Length(index - 14, rng);
  const int64_t other = rng.Between(1, 4);
  const int64_t block_size = rng.Between(1, length + 1);
  if (rng.OneIn(2)) return {{other, length}, 1, AxisForm::kDefault, block_size};
  return {{length, other}, 0, AxisForm::kNegative, block_size};
}

ScaleLayout ShapeOf(const QuantizeLinearQuestion& question, CounterRng& rng) {
  if (question.cell.granularity == Granularity::kPerTensor) {
    return PerTensorShape(question.index, rng);
  }
  if (question.cell.granularity == Granularity::kPerAxis) {
    // Rank 1 per axis is open where blocks exist (QL-32, QL-33).
    const bool rank_one = !HasOutputDtype(question.cell.since_version);
    AxisShape chosen = PerAxisShape(question.index, rank_one, rng);
    return PerAxisLayout(std::move(chosen.shape), chosen.axis, chosen.form);
  }
  AxisShape chosen = BlockedShape(question.index, rng);
  return BlockedLayout(std::move(chosen.shape), chosen.axis, chosen.form,
                       chosen.block_size);
}

}  // namespace

void FillShapes(QuantizeLinearQuestion& question) {
  constexpr ScaleFamily kScales[] = {ScaleFamily::kFull, ScaleFamily::kFewBits};
  constexpr ZeroPointFamily kZeroPoints[] = {ZeroPointFamily::kAny,
                                             ZeroPointFamily::kOdd};
  question.SetLayout(ShapeOf(question, question.rng));
  question.SetChannels(kScales, question.PlainZeroPoints(kZeroPoints));
  for (int64_t i = 0; i < question.layout.element_count; ++i) {
    question.x_codes[static_cast<size_t>(i)] =
        static_cast<uint32_t>(SpreadX(question, question.ChannelOf(i)));
  }
}

}  // namespace qconform::generators
