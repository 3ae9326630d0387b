// The thresholds of a line as segments.
#include <algorithm>

#include "cases/core/counter_rng.h"
#include "harness/operators/quantize_linear/proofs/line.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"
#include "oracle/operators/quantize_linear/element.h"
#include "oracle/operators/quantize_linear/parameters.h"

namespace qconform::quantize_linear {

std::vector<Segment> SegmentsOf(const QuantizeLinearLine& line,
                                const Thresholds& thresholds) {
  const NumberFormat& format = FormatOf(line.x);
  std::vector<Segment> segments;
  const auto add = [&](uint64_t first, uint64_t last, uint32_t y, Freedom freedom) {
    segments.push_back({.first = first, .last = last, .y = y, .freedom = freedom});
  };
  const uint64_t sign = uint64_t{1} << (format.bits - 1);
  for (const ThresholdInterval& interval : thresholds.intervals) {
    const bool begins_negative = (interval.first & sign) != 0;
    const bool ends_negative = (interval.last & sign) != 0;
    const bool is_integer = format.kind == NumberKind::kInteger;
    if (begins_negative == ends_negative) {
      // Negative floats have descending codes.
      const bool descends = begins_negative && !is_integer;
      add(descends ? interval.last : interval.first,
          descends ? interval.first : interval.last, interval.y, interval.freedom);
      continue;
    }
    const uint64_t most_negative = is_integer ? sign | (sign - 1) : interval.first;
    const uint64_t from = is_integer ? interval.first : sign;
    add(from, most_negative, interval.y, interval.freedom);
    add(0, interval.last, interval.y, interval.freedom);
  }
  if (thresholds.nan) {
    const uint64_t infinity = Infinity(format, false);
    add(infinity + 1, sign - 1, thresholds.nan->code, thresholds.nan->freedom);
    add((sign | infinity) + 1, sign | (sign - 1), thresholds.nan->code,
        thresholds.nan->freedom);
  }
  std::sort(segments.begin(), segments.end(),
            [](const Segment& a, const Segment& b) { return a.first < b.first; });
  return segments;
}

Status SampleSegments(const QuantizeLinearLine& line,
                      const std::vector<Segment>& segments, uint64_t first,
                      uint64_t range, int count, ChunkRecord& record) {
  const QuantizeLinearElement element(
      line.x, line.y_scale, line.y,
      ParametersOf(line.readings, line.since_version, line.x, line.y_scale, line.y,
                   line.precision, line.saturate));
  const PreparedScale scale = element.PrepareScale(line.scale);
  PreparedZeroPoint zero_point;
  if (line.zero_point) zero_point = element.PrepareZeroPoint(*line.zero_point);
  generators::CounterRng rng(
      generators::ContentKey("sweep", first ^ (line.scale << 32), 1));
  for (int i = 0; i < count; ++i) {
    const uint64_t x = first + rng.Next64() % range;
    const Segment& segment = SegmentOf(segments, x);
    ElementAnswer answer;
    element.Evaluate(x, scale, zero_point, answer);
    ++record.oracle_evaluations;
    if (answer.code != segment.y || answer.freedom != segment.freedom) {
      return Error{"thresholds: x = " + CodeToString(line.x, x) +
                   ", y_scale = " + CodeToString(line.y_scale, line.scale) +
                   ": the oracle answers " + CodeToString(line.y, answer.code) +
                   ", its interval " + CodeToString(line.y, segment.y)};
    }
  }
  return Ok();
}

}  // namespace qconform::quantize_linear
