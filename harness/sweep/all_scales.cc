// Both sides of every boundary of y, for every positive scale.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <string>

#include "cases/exhaustive/boundaries.h"
#include "cases/exhaustive/chunks.h"
#include "cases/generators/counter_rng.h"
#include "harness/backends/simd/sweep_kernels.h"
#include "harness/compare/compare.h"
#include "harness/sweep/proofs.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"
#include "oracle/scalar/quantize_linear_element.h"
#include "oracle/scalar/quantize_linear_parameters.h"

namespace qconform {
namespace {

constexpr uint32_t kOne = 0x3F800000;  // the scale 1
constexpr uint32_t kSign = 0x80000000;
constexpr uint32_t kInfinity = 0x7F800000;
constexpr size_t kMostInGroup = 1024;  // boundaries; their x stay in L1
// Pairs of a chunk that the oracle is asked directly.
constexpr int kSample = 4096;

// A boundary by magnitudes of q: y is `inner` nearer to zero, `outer` beyond.
struct Boundary {
  double midpoint = 0;
  ElementAnswer inner, outer;
};

// Boundaries of one sign, for one zero point: the x of a scale are `width` on the
// inner side, then as many on the outer; behind the boundaries on each side lie
// special values, which do not depend on the scale.
struct Group {
  size_t list = 0;  // of zero points
  bool negative = false;
  bool as_before = false;  // the magnitudes are those of the group before
  // All boundaries of the sign, by magnitude; the group has `count` from `begin`.
  std::shared_ptr<const std::vector<Boundary>> side;
  size_t begin = 0;
  size_t count = 0;
  ElementAnswer infinity;  // y of the infinity of this sign
  size_t width = 0;
  std::vector<double> midpoints;       // padded to width
  std::vector<ElementAnswer> answers;  // 2 * width
  std::vector<uint8_t> codes;          // of the answers, as Subject writes them
  struct Special {
    size_t at = 0;
    uint32_t x = 0;
  };
  std::vector<Special> specials;
  size_t inputs = 0;  // of the 2 * width; the others are repetitions
};

struct Question {
  std::vector<QuantizeLinearLine> lists;  // one for each zero point
  std::vector<Group> groups;
  ChunkedRange scales;
  uint64_t inputs_per_scale = 0;
};

void StoreCode(DataType y, uint32_t code, size_t at, std::vector<uint8_t>& codes) {
  if (BitWidth(y) == 16) {
    std::memcpy(codes.data() + 2 * at, &code, 2);
  } else {
    codes[at] = static_cast<uint8_t>(code);
  }
}

// Lays out the x and the expected codes.
void Finish(DataType y, const std::vector<std::pair<uint32_t, ElementAnswer>>& specials,
            Group& group) {
  const size_t n = group.count;
  group.width = (n + (specials.size() + 1) / 2 + 31) / 32 * 32;
  group.midpoints.resize(group.width);
  group.answers.resize(2 * group.width);
  for (size_t i = 0; i < group.width; ++i) {
    const Boundary& boundary = (*group.side)[group.begin + std::min(i, n - 1)];
    group.midpoints[i] = boundary.midpoint;
    group.answers[i] = boundary.inner;
    group.answers[group.width + i] = boundary.outer;
  }
  for (size_t i = 0; i < specials.size(); ++i) {
    const size_t at = i % 2 * group.width + n + i / 2;
    group.specials.push_back({at, specials[i].first});
    group.answers[at] = specials[i].second;
  }
  group.codes.resize(2 * group.width * (BitWidth(y) == 16 ? 2 : 1));
  for (size_t i = 0; i < group.answers.size(); ++i) {
    StoreCode(y, group.answers[i].code, i, group.codes);
  }
  group.inputs = 2 * n + specials.size();
}

ElementAnswer AnswerAt(const Thresholds& thresholds, uint32_t x) {
  const int64_t place = LineOrder(DataType::kFloat, x);
  for (const ThresholdInterval& interval : thresholds.intervals) {
    if (place <= LineOrder(DataType::kFloat, interval.last)) {
      return {.code = interval.y, .freedom = interval.freedom};
    }
  }
  return *thresholds.nan;
}

// Adds the groups of one zero point; boundaries come from x = q, at the scale 1.
Status AddGroups(const QuantizeLinearLine& line, Question& question) {
  QuantizeLinearLine one = line;
  one.scale = kOne;
  const auto thresholds = FindThresholds(one);
  if (!thresholds) return thresholds.error();
  std::vector<Boundary> sides[2];
  const auto& intervals = thresholds->intervals;
  for (size_t i = 0; i + 1 < intervals.size(); ++i) {
    const ThresholdInterval& a = intervals[i];
    const ThresholdInterval& b = intervals[i + 1];
    const auto below = static_cast<uint32_t>(a.last);
    const auto above = static_cast<uint32_t>(b.first);
    const ElementAnswer before{.code = a.y, .freedom = a.freedom};
    const ElementAnswer behind{.code = b.y, .freedom = b.freedom};
    if (below == kSign || above == 0) continue;  // at zero: a special value
    if ((below & ~kSign) == kInfinity || (above & ~kSign) == kInfinity) {
      return Error{"all-scales: infinity has a code of its own, which is no boundary"};
    }
    if ((below & kSign) != 0) {
      sides[1].push_back({-MidpointOf(below, above), behind, before});
    } else {
      sides[0].push_back({MidpointOf(below, above), before, behind});
    }
  }
  std::reverse(sides[1].begin(), sides[1].end());  // by magnitude, both
  const bool is_float = !IsInteger(line.y);
  for (const bool negative : {false, true}) {
    const auto shared =
        std::make_shared<const std::vector<Boundary>>(std::move(sides[negative]));
    const std::vector<Boundary>& side = *shared;
    const uint32_t sign = negative ? kSign : 0;
    for (size_t begin = 0; begin < side.size(); begin += kMostInGroup) {
      const size_t end = std::min(begin + kMostInGroup, side.size());
      Group group;
      group.list = question.lists.size();
      group.negative = negative;
      group.side = shared;
      group.begin = begin;
      group.count = end - begin;
      group.infinity = AnswerAt(*thresholds, sign | kInfinity);
      std::vector<std::pair<uint32_t, ElementAnswer>> specials;
      const auto add = [&](uint32_t x) {
        specials.push_back({x, AnswerAt(*thresholds, x)});
      };
      if (end == side.size()) {
        add(sign | kInfinity);
        // Of an integer target all is said by one side; a zero's sign by none.
        add(is_float ? sign : ~sign & (kSign | kInfinity));
        if (is_float) specials.push_back({0x7FC00000, *thresholds->nan});
      }
      Finish(line.y, specials, group);
      question.inputs_per_scale += group.inputs;
      question.groups.push_back(std::move(group));
    }
  }
  question.lists.push_back(line);
  return Ok();
}

// Whether group i can take over the magnitudes that the group before has made.
void FindRepetitions(Question& question) {
  for (size_t i = 1; i < question.groups.size(); ++i) {
    question.groups[i].as_before =
        question.groups[i].midpoints == question.groups[i - 1].midpoints;
  }
}

class AllScalesWorker : public ChunkWorker {
 public:
  AllScalesWorker(std::shared_ptr<const Question> question,
                  std::vector<std::unique_ptr<Subject>> subjects)
      : question_(std::move(question)), subjects_(std::move(subjects)) {
    size_t widest = 0;
    for (const Group& group : question_->groups) widest = std::max(widest, group.width);
    const size_t rows = subjects_[0]->rows();
    x_.resize(rows * 2 * widest);
    codes_.resize(rows * 2 * widest * 2);
  }

  Status Run(int64_t chunk, ChunkRecord& record) override {
    const CodeRange range = question_->scales.At(chunk);
    const size_t rows = subjects_[0]->rows();
    std::vector<uint64_t> scales(rows);
    for (uint64_t done = 0; done < range.count; done += rows) {
      scales.resize(static_cast<size_t>(std::min<uint64_t>(rows, range.count - done)));
      for (size_t i = 0; i < scales.size(); ++i) scales[i] = range.first + done + i;
      for (const Group& group : question_->groups) {
        const Status status = RunGroup(group, scales, record);
        if (!status) return status;
      }
    }
    record.evaluations = record.inputs;
    return AskOracle(range, record);
  }

 private:
  static float ScaleOf(uint64_t code) {
    return std::bit_cast<float>(static_cast<uint32_t>(code));
  }

  void FillRow(const Group& group, uint64_t scale, float* x) const {
    if (group.as_before) {
      // The signs of before, the other way or not.
      if (group.negative != last_negative_) simd::FlipSigns(2 * group.width, x);
    } else {
      simd::BesideProducts(ScaleOf(scale), group.midpoints.data(), group.width, x,
                           x + group.width);
      if (group.negative) simd::FlipSigns(2 * group.width, x);
    }
    for (const Group::Special& special : group.specials) {
      std::memcpy(x + special.at, &special.x, sizeof(float));
    }
  }

  Status RunGroup(const Group& group, const std::vector<uint64_t>& scales,
                  ChunkRecord& record) {
    const size_t columns = 2 * group.width;
    const size_t row_bytes = group.codes.size();
    for (size_t i = 0; i < scales.size(); ++i) {
      FillRow(group, scales[i], x_.data() + i * columns);
    }
    last_negative_ = group.negative;
    Subject& subject = *subjects_[group.list];
    const Status status = subject.RunRows(scales, x_.data(), columns, codes_.data());
    if (!status) return status;
    for (size_t i = 0; i < scales.size(); ++i) {
      const uint8_t* codes = codes_.data() + i * row_bytes;
      if (std::memcmp(codes, group.codes.data(), row_bytes) != 0) {
        const float* x = x_.data() + i * columns;
        if (!MatchesBeyondRange(group, scales[i], x, codes)) {
          CompareRow(group, scales[i], x, codes, record);
        }
      }
      record.inputs += group.inputs;
    }
    return Ok();
  }

  // Returns how many boundaries of the group's sign lie at or below a magnitude.
  static size_t Passed(const Group& group, uint64_t scale, uint32_t magnitude) {
    const auto& side = *group.side;
    const auto passed =
        std::partition_point(side.begin(), side.end(), [&](const Boundary& boundary) {
          const auto code = static_cast<uint32_t>(scale);
          return BesideOf(code, boundary.midpoint).above <= magnitude;
        });
    return static_cast<size_t>(passed - side.begin());
  }

  static ElementAnswer Behind(const Group& group, size_t passed) {
    return passed == 0 ? (*group.side)[0].inner : (*group.side)[passed - 1].outer;
  }

  // The answer for the x at `at`. Where FLOATs are too coarse or too few for the
  // scale, x lies beyond several boundaries, or not beyond its own.
  static ElementAnswer Expected(const Group& group, uint64_t scale, const float* x,
                                size_t at) {
    if (at % group.width >= group.count) return group.answers[at];
    const uint32_t magnitude = std::bit_cast<uint32_t>(x[at]) & ~kSign;
    if (magnitude == kInfinity) return group.infinity;
    return Behind(group, Passed(group, scale, magnitude));
  }

  // Returns whether the codes are right for a scale that drives x to infinity.
  bool MatchesBeyondRange(const Group& group, uint64_t scale, const float* x,
                          const uint8_t* codes) {
    const float* outer = x + group.width;
    if (!std::isinf(outer[group.count - 1])) return false;
    const auto reached = static_cast<size_t>(
        std::partition_point(outer, outer + group.count,
                             [](float value) { return !std::isinf(value); }) -
        outer);
    row_ = group.codes;
    const DataType y = question_->lists[group.list].y;
    const ElementAnswer last = Behind(group, Passed(group, scale, kInfinity - 1));
    for (size_t i = reached; i < group.width; ++i) {
      StoreCode(y, last.code, i, row_);
      StoreCode(y, group.infinity.code, group.width + i, row_);
    }
    for (const Group::Special& special : group.specials) {
      StoreCode(y, group.answers[special.at].code, special.at, row_);
    }
    return std::memcmp(codes, row_.data(), row_.size()) == 0;
  }

  void CompareRow(const Group& group, uint64_t scale, const float* x,
                  const uint8_t* codes, ChunkRecord& record) const {
    const QuantizeLinearLine& line = question_->lists[group.list];
    const size_t n = group.count;
    for (size_t at = 0; at < 2 * group.width; ++at) {
      const bool special =
          std::any_of(group.specials.begin(), group.specials.end(),
                      [&](const Group::Special& s) { return s.at == at; });
      if (at % group.width >= n && !special) continue;  // a repetition
      uint64_t actual = 0;
      if (BitWidth(line.y) == 16) {
        std::memcpy(&actual, codes + 2 * at, 2);
      } else {
        actual = codes[at];
      }
      const ElementAnswer expected = Expected(group, scale, x, at);
      if (Allows(line.y, expected, actual)) continue;
      ++record.mismatches;
      if (record.first.size() == kMismatchesKept) continue;
      record.first.push_back({.x = std::bit_cast<uint32_t>(x[at]),
                              .scale = scale,
                              .zero_point = line.zero_point.value_or(0),
                              .expected = expected.code,
                              .actual = actual});
    }
  }

  // Confirms a sample of the expected codes, both sides of the boundaries.
  Status AskOracle(const CodeRange& range, ChunkRecord& record) {
    std::vector<QuantizeLinearElement> elements;
    for (const QuantizeLinearLine& line : question_->lists) {
      elements.emplace_back(
          line.x, line.y_scale, line.y,
          ParametersOf(line.readings, line.since_version, line.x, line.y_scale, line.y,
                       line.precision, line.saturate));
    }
    generators::CounterRng rng(generators::ContentKey("all-scales", range.first, 1));
    constexpr int kPerGroup = 16;
    for (int asked = 0; asked < kSample; asked += kPerGroup) {
      // Both ends of the chunk are among the scales.
      const uint64_t at = asked == 0           ? 0
                          : asked == kPerGroup ? range.count - 1
                                               : rng.Next64() % range.count;
      const uint64_t scale_code = range.first + at;
      const Group& group =
          question_->groups[rng.Below(static_cast<uint32_t>(question_->groups.size()))];
      const QuantizeLinearLine& line = question_->lists[group.list];
      const QuantizeLinearElement& element = elements[group.list];
      simd::BesideProducts(ScaleOf(scale_code), group.midpoints.data(), group.width,
                           x_.data(), x_.data() + group.width);
      if (group.negative) simd::FlipSigns(2 * group.width, x_.data());
      const PreparedScale scale = element.PrepareScale(scale_code);
      PreparedZeroPoint zero_point;
      if (line.zero_point) zero_point = element.PrepareZeroPoint(*line.zero_point);
      for (int i = 0; i < kPerGroup; ++i) {
        const size_t side = static_cast<size_t>(i % 2) * group.width;
        const size_t index = side + rng.Below(static_cast<uint32_t>(group.count));
        ElementAnswer answer;
        const auto x = std::bit_cast<uint32_t>(x_[index]);
        element.Evaluate(x, scale, zero_point, answer);
        ++record.oracle_evaluations;
        const ElementAnswer expected = Expected(group, scale_code, x_.data(), index);
        if (answer.code != expected.code || answer.freedom != expected.freedom) {
          return Error{"all-scales: x = " + CodeToString(line.x, x) +
                       ", y_scale = " + CodeToString(line.y_scale, scale_code) +
                       ": the oracle answers " + CodeToString(line.y, answer.code) +
                       ", the boundary says " + CodeToString(line.y, expected.code)};
        }
      }
    }
    return Ok();
  }

  const std::shared_ptr<const Question> question_;
  const std::vector<std::unique_ptr<Subject>> subjects_;
  std::vector<float> x_;
  std::vector<uint8_t> codes_;
  std::vector<uint8_t> row_;
  bool last_negative_ = false;
};

}  // namespace

Result<Proof> ProveAllScales(const QuantizeLinearLine& line, std::optional<int> binade,
                             const SourceOf& source) {
  if (line.x != DataType::kFloat || line.y_scale != DataType::kFloat ||
      line.precision != 0) {
    return Error{"all-scales: x has type " + std::string(DataTypeName(line.x)) +
                 " and y_scale " + std::string(DataTypeName(line.y_scale)) +
                 ": both must be FLOAT, without precision"};
  }
  const auto question = std::make_shared<Question>();
  question->scales = binade ? BinadeChunks(line.y, *binade) : AllScalesChunks(line.y);
  Proof proof;
  std::vector<SubjectSource> sources;
  std::string zero_points;
  const NumberFormat& format = FormatOf(line.y);
  std::vector<std::optional<uint64_t>> lists{line.zero_point};
  if (IsInteger(line.y)) {
    const uint64_t mask = (uint64_t{1} << format.bits) - 1;
    lists = {static_cast<uint64_t>(IntegerMin(format)) & mask,
             static_cast<uint64_t>(IntegerMax(format)) & mask};
  }
  for (const auto& zero_point : lists) {
    QuantizeLinearLine one = line;
    one.zero_point = zero_point;
    const Status added = AddGroups(one, *question);
    if (!added) return added.error();
    auto made = source(one);
    if (!made) return made.error();
    sources.push_back(*std::move(made));
    if (zero_point) {
      zero_points +=
          (zero_points.empty() ? "" : ", ") + ValueToString(line.y, *zero_point);
    }
  }
  FindRepetitions(*question);

  QuantizeLinearLine described = line;
  described.zero_point.reset();
  proof.kind = "all-scales";
  proof.ran = sources[0].ran;
  proof.question = DescribeLine(described);
  if (!zero_points.empty()) proof.question.push_back({"y_zero_point", zero_points});
  const std::string scales =
      binade ? "all 2^23 scales of [2^" + std::to_string(*binade) + ", 2^" +
                   std::to_string(*binade + 1) + ")"
             : "all " + std::to_string(question->scales.range.count) +
                   " positive finite FLOAT scales, subnormals included";
  proof.question.push_back({"scales", scales});
  proof.question.push_back(
      {"inputs_per_scale", std::to_string(question->inputs_per_scale)});
  proof.inputs =
      "both sides of every boundary of y, both signs, and special values, for " + scales;
  proof.expected_inputs = question->scales.range.count * question->inputs_per_scale;
  proof.assumed = {
      "what is asked is monotone in x for each scale: then the x between two boundaries "
      "have the code of both ends, and this covers all 2^32 x (docs/proofs.md)",
      "x beside a boundary is the exact product of scale and midpoint, rounded down and "
      "up (docs/proofs.md); the oracle confirms a sample of each chunk"};
  if (IsInteger(line.y)) {
    proof.assumed.push_back(
        "other zero points shift the same boundaries: they are added to integers");
  }
  std::string name = "all-scales QuantizeLinear-" + std::to_string(line.since_version) +
                     " " + std::string(DataTypeName(line.y)) + " saturate " +
                     std::to_string(line.saturate) + " " + scales;
  proof.plan.identity = std::move(name);
  proof.plan.chunks = question->scales.chunks();
  proof.plan.make_worker = [question, sources]() -> Result<std::unique_ptr<ChunkWorker>> {
    std::vector<std::unique_ptr<Subject>> subjects;
    for (const SubjectSource& one : sources) {
      auto subject = one.make();
      if (!subject) return subject.error();
      subjects.push_back(*std::move(subject));
    }
    return std::unique_ptr<ChunkWorker>(
        std::make_unique<AllScalesWorker>(question, std::move(subjects)));
  };
  return proof;
}

}  // namespace qconform
