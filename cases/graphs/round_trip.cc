// Graphs of QuantizeLinear and DequantizeLinear with nothing between them.
#include <numeric>

#include "cases/graphs/makers.h"
#include "cases/graphs/question.h"
#include "oracle/formats/codes.h"

namespace qconform::generators {
namespace {

struct PairPlace {
  Shape shape;          // of x
  Shape scale_shape{};  // {}: per tensor
  std::optional<int64_t> axis{};
  int64_t block_size = 0;
};

PairPlace PlaceOf(const GraphQuestion& question) {
  const int64_t elements = question.plan.elements;
  if (question.blocked()) {
    // The last block is shorter than the others.
    const int64_t rows = elements >= 64 ? 7 : 3;
    const int64_t others = elements >= 64 ? elements / 7 | 1 : 7;
    const int64_t block_size = (others - 1) / 2;
    if (question.index % 2 == 1) return {{others, rows}, {3, rows}, 0, block_size};
    return {{rows, others}, {rows, 3}, 1, block_size};
  }
  if (question.per_axis()) {
    const int64_t channels = elements >= 64 ? 5 : 3;
    const int64_t others = elements >= 64 ? elements / 5 : 5;
    switch (question.index % 3) {
      case 0:
        return {{channels, others}, {channels}, 0};
      case 1:
        return {{others, channels}, {channels}, 1};
      default:
        return {{1, channels, others}, {channels}, -2};
    }
  }
  if (elements == 0) return {{3, 3, 5}};
  return question.index % 2 == 0 ? PairPlace{{elements}} : PairPlace{{1, elements}};
}

void Lay(const PairPlace& place, Parameters& parameters) {
  parameters.shape = place.scale_shape;
  parameters.axis = place.axis;
  parameters.block_size = place.block_size;
}

std::vector<int64_t> AllChannels(int64_t count) {
  std::vector<int64_t> channels(static_cast<size_t>(count));
  std::iota(channels.begin(), channels.end(), int64_t{0});
  return channels;
}

// Adds DequantizeLinear of codes one of which has a value that `aim` returns.
std::string DequantizeCodes(GraphQuestion& question, const PairPlace& place,
                            DataType type, const Parameters& parameters,
                            ExactValue& aim) {
  Tensor codes = question.Codes(type, place.shape, parameters);
  const int64_t at = question.rng.Below(static_cast<uint32_t>(Elements(place.shape)));
  aim = question.ValueOf(parameters, ReadCode(codes.view(), at));
  return question.Dequantize("x", std::move(codes), parameters);
}

// Makes quotients of twice the range of codes: those of one sign are codes only because
// the zero point is added.
void ReachBeyondRange(const GraphQuestion& question, const Parameters& x, Parameters& y) {
  const NumberFormat& format = FormatOf(y.scale_type);
  const int exponents =
      LargestExponent(FormatOf(x.type)) - LargestExponent(FormatOf(y.type)) - 2;
  for (size_t i = 0; i < y.scales.size(); ++i) {
    const ExactValue scale = Decode(format, x.scales[i]);
    y.scales[i] = RoundNearest(format, Multiply(scale, Dyadic(1, exponents)));
    if (question.has_negative_result()) y.scales[i] = Negated(format, y.scales[i]);
  }
}

}  // namespace

void MakeRoundTrip(GraphQuestion& question) {
  const auto [type, scale] = std::pair(question.cell.types[0], question.cell.types[1]);
  const PairPlace place = PlaceOf(question);
  const int64_t channels = Elements(place.scale_shape);
  Parameters parameters = question.First(type, scale, channels);
  Lay(place, parameters);
  question.Feed("x", question.Floats(scale, place.shape, parameters));
  question.Quantize("x", "codes", parameters);
  if (question.plan.scales == Scales::kLastBit) {
    // A DequantizeLinear with parameters of its own: the pair is none.
    Parameters other = question.Last(type, scale, GraphQuestion::Magnitude(parameters),
                                     &parameters, {}, AllChannels(channels));
    Lay(place, other);
    question.FeedParameters("y", other);
    question.DequantizeWith("codes", "y", other, "y");
  } else {
    question.DequantizeWith("codes", "codes", parameters, "y");
  }
  question.Return("y", scale, place.shape);
}

void MakeRequantization(GraphQuestion& question) {
  const std::vector<DataType>& types = question.cell.types;
  const PairPlace place = PlaceOf(question);
  const int64_t channels = Elements(place.scale_shape);
  Parameters x = question.First(types[0], types[1], channels);
  Lay(place, x);
  ExactValue aim;
  const std::string value = DequantizeCodes(question, place, types[0], x, aim);
  Parameters y = question.Last(types[2], types[1], GraphQuestion::Magnitude(x), &x, aim,
                               AllChannels(channels));
  Lay(place, y);
  if (question.folds()) ReachBeyondRange(question, x, y);
  question.Quantize(value, "y", y);
  question.Return("y", types[2], place.shape);
}

void MakeTwoReaders(GraphQuestion& question) {
  const std::vector<DataType>& types = question.cell.types;
  const PairPlace place = PlaceOf(question);
  const Parameters x = question.First(types[0], types[1]);
  ExactValue aim;
  const std::string value = DequantizeCodes(question, place, types[0], x, aim);
  for (const char* name : {"y0", "y1"}) {
    const Parameters y =
        question.Last(types[2], types[1], GraphQuestion::Magnitude(x), &x, aim);
    question.Quantize(value, name, y);
    question.Return(name, types[2], place.shape);
  }
}

void MakeTwoPairs(GraphQuestion& question) {
  const std::vector<DataType>& types = question.cell.types;
  const DataType scale = types[1];
  const PairPlace place = PlaceOf(question);
  const Parameters first = question.First(types[0], scale);
  const NumberFormat& format = FormatOf(types[0]);
  const uint64_t any = question.rng.Next32() & ((uint64_t{1} << format.bits) - 1);
  const Parameters second =
      question.Last(types[2], scale, GraphQuestion::Magnitude(first), &first,
                    question.ValueOf(first, any));
  question.Feed("x", question.Floats(scale, place.shape, first));
  question.Quantize("x", "first", first);
  question.DequantizeWith("first", "first", first, "first_dequantized");
  question.Quantize("first_dequantized", "second", second);
  question.DequantizeWith("second", "second", second, "y");
  question.Return("y", scale, place.shape);
}

}  // namespace qconform::generators
