// Both sides of every boundary of y, for every positive scale.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <memory>
#include <span>
#include <string>

#include "cases/core/counter_rng.h"
#include "harness/backends/simd/quantize_linear/loops/sweep_kernels.h"
#include "harness/core/allows.h"
#include "harness/operators/quantize_linear/proofs/boundaries.h"
#include "harness/operators/quantize_linear/proofs/boundary_inputs.h"
#include "harness/operators/quantize_linear/proofs/chunks.h"
#include "harness/operators/quantize_linear/proofs/line.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"
#include "oracle/operators/quantize_linear/element.h"
#include "oracle/operators/quantize_linear/parameters.h"

namespace qconform::quantize_linear {
namespace {

constexpr uint32_t kSign = 0x80000000;
constexpr uint32_t kInfinity = 0x7F800000;
// Pairs of a chunk that the oracle is asked directly.
constexpr int kSampledScales = 4096;
// x of several rows, which share L1 with codes and midpoints.
constexpr size_t kMatchedAtOnce = 4096;

class AllScalesWorker : public ChunkWorker {
 public:
  AllScalesWorker(std::shared_ptr<const BoundaryInputs> inputs,
                  std::vector<std::unique_ptr<Subject>> subjects)
      : inputs_(std::move(inputs)), subjects_(std::move(subjects)) {
    size_t widest = 0;
    const std::vector<BoundaryGroup>& groups = inputs_->groups;
    for (size_t i = 0; i < groups.size(); ++i) {
      widest = std::max(widest, groups[i].width);
      can_match_ = can_match_ && subjects_[groups[i].list]->CanMatchRows(Columns(i));
      repeats_.push_back(i > 0 && groups[i].midpoints == groups[i - 1].midpoints);
    }
    rows_ = can_match_ ? std::max<size_t>(kMatchedAtOnce / (2 * widest), 1)
                       : subjects_[0]->rows();
    x_.resize((can_match_ ? 1 : rows_) * 2 * widest);
    codes_.resize(x_.size() * 2);
    if (can_match_) magnitudes_.resize(rows_ * 2 * widest);
  }

  Status Run(int64_t chunk, ChunkRecord& record) override {
    const CodeRange range = ScalesOf(*inputs_, chunk);
    std::vector<uint64_t> scales(rows_);
    for (uint64_t done = 0; done < range.count; done += scales.size()) {
      scales.resize(static_cast<size_t>(std::min<uint64_t>(rows_, range.count - done)));
      for (size_t i = 0; i < scales.size(); ++i) scales[i] = range.first + done + i;
      for (size_t i = 0; i < inputs_->groups.size(); ++i) {
        const Status status = can_match_ ? MatchGroup(i, scales, record)
                                         : RunGroup(inputs_->groups[i], scales, record);
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
  size_t Columns(size_t group) const { return 2 * inputs_->groups[group].width; }

  // Compares rows where the codes are made; RunGroup looks into those that differ.
  Status MatchGroup(size_t index, const std::vector<uint64_t>& scales,
                    ChunkRecord& record) {
    const BoundaryGroup& group = inputs_->groups[index];
    const size_t columns = Columns(index);
    const uint32_t flipped = group.negative ? kSign : 0;
    const auto row = [&](size_t i) { return magnitudes_.data() + i * columns; };
    std::vector<float>& values = scale_values_;
    values.resize(scales.size());
    flipped_.assign(scales.size(), flipped);
    for (size_t i = 0; i < scales.size(); ++i) {
      values[i] = ScaleOf(scales[i]);
      if (!repeats_[index]) {
        simd::BesideProducts(values[i], group.midpoints.data(), group.width, row(i),
                             row(i) + group.width);
      }
      for (const BoundaryGroup::Special& special : group.specials) {
        const uint32_t magnitude = special.x ^ flipped;
        std::memcpy(row(i) + special.at, &magnitude, sizeof(float));
      }
    }
    for (size_t done = 0; done < scales.size();) {
      const std::vector<uint8_t>* codes = &group.codes;
      const size_t reached = Reached(group, row(done));
      size_t last = done + 1;
      // With no boundary reached the answer still depends on the scale.
      while (reached > 0 && last < scales.size() && Reaches(group, row(last), reached)) {
        ++last;
      }
      if (reached < group.count) {
        codes = &CodesBeyondRange(group, scales[done], reached);
      }
      const size_t matched = subjects_[group.list]->MatchRows(
          {.scales = std::span(values).subspan(done, last - done),
           .flipped = std::span(flipped_).subspan(done, last - done),
           .x = row(done),
           .stride = columns,
           .columns = columns,
           .codes = codes->data()});
      record.inputs += matched * group.inputs;
      done += matched;
      if (done == last) continue;
      const Status status = RunGroup(group, {scales.data() + done, 1}, record);
      if (!status) return status;
      ++done;
    }
    return Ok();
  }

  void FillRow(const BoundaryGroup& group, uint64_t scale, float* x) const {
    simd::BesideProducts(ScaleOf(scale), group.midpoints.data(), group.width, x,
                         x + group.width);
    if (group.negative) simd::FlipSigns(2 * group.width, x);
    for (const BoundaryGroup::Special& special : group.specials) {
      std::memcpy(x + special.at, &special.x, sizeof(float));
    }
  }

  Status RunGroup(const BoundaryGroup& group, std::span<const uint64_t> scales,
                  ChunkRecord& record) {
    const size_t columns = 2 * group.width;
    const size_t row_bytes = group.codes.size();
    for (size_t i = 0; i < scales.size(); ++i) {
      FillRow(group, scales[i], x_.data() + i * columns);
    }
    Subject& subject = *subjects_[group.list];
    const Status status = subject.RunRows(scales, x_.data(), columns, codes_.data());
    if (!status) return status;
    for (size_t i = 0; i < scales.size(); ++i) {
      const float* x = x_.data() + i * columns;
      const uint8_t* codes = codes_.data() + i * row_bytes;
      const size_t reached = Reached(group, x);
      const std::vector<uint8_t>& expected =
          reached == group.count ? group.codes
                                 : CodesBeyondRange(group, scales[i], reached);
      if (std::memcmp(codes, expected.data(), row_bytes) != 0) {
        CompareRow(group, scales[i], x, codes, record);
      }
      record.inputs += group.inputs;
    }
    return Ok();
  }

  // Returns how many boundaries of the group have a finite x on their outer side.
  static size_t Reached(const BoundaryGroup& group, const float* x) {
    const float* outer = x + group.width;
    if (!std::isinf(outer[group.count - 1])) return group.count;
    return static_cast<size_t>(
        std::partition_point(outer, outer + group.count,
                             [](float value) { return !std::isinf(value); }) -
        outer);
  }
  // Whether there are `reached` of them. Precondition: reached > 0.
  static bool Reaches(const BoundaryGroup& group, const float* x, size_t reached) {
    const float* outer = x + group.width;
    return !std::isinf(outer[reached - 1]) &&
           (reached == group.count || std::isinf(outer[reached]));
  }

  // Returns how many boundaries of the group's sign lie at or below a magnitude.
  static size_t Passed(const BoundaryGroup& group, uint64_t scale, uint32_t magnitude) {
    const auto& side = *group.side;
    const auto passed =
        std::partition_point(side.begin(), side.end(), [&](const Boundary& boundary) {
          const auto code = static_cast<uint32_t>(scale);
          return BesideOf(code, boundary.midpoint).above <= magnitude;
        });
    return static_cast<size_t>(passed - side.begin());
  }

  static ElementAnswer Behind(const BoundaryGroup& group, size_t passed) {
    return passed == 0 ? (*group.side)[0].inner : (*group.side)[passed - 1].outer;
  }

  // The answer for the x at `at`. If FLOATs are too coarse or too few for the
  // scale, x lies beyond several boundaries, or not beyond its own.
  static ElementAnswer Expected(const BoundaryGroup& group, uint64_t scale,
                                const float* x, size_t at) {
    if (at % group.width >= group.count) return group.answers[at];
    const uint32_t magnitude = std::bit_cast<uint32_t>(x[at]) & ~kSign;
    if (magnitude == kInfinity) return group.infinity;
    return Behind(group, Passed(group, scale, magnitude));
  }

  // The codes of a row whose scale drives the x beyond the boundaries from `reached`
  // on to infinity, and the x before them to the largest finite FLOAT.
  const std::vector<uint8_t>& CodesBeyondRange(const BoundaryGroup& group, uint64_t scale,
                                               size_t reached) {
    const size_t passed =
        reached > 0 ? group.begin + reached : Passed(group, scale, kInfinity - 1);
    if (beyond_.group == &group && beyond_.reached == reached &&
        beyond_.passed == passed) {
      return beyond_.codes;
    }
    beyond_ = {&group, reached, passed, group.codes};
    const DataType y = inputs_->lists[group.list].y;
    const uint32_t last = Behind(group, passed).code;
    for (size_t i = reached; i < group.width; ++i) {
      StoreCode(y, last, i, beyond_.codes);
      StoreCode(y, group.infinity.code, group.width + i, beyond_.codes);
    }
    for (const BoundaryGroup::Special& special : group.specials) {
      StoreCode(y, group.answers[special.at].code, special.at, beyond_.codes);
    }
    return beyond_.codes;
  }

  void CompareRow(const BoundaryGroup& group, uint64_t scale, const float* x,
                  const uint8_t* codes, ChunkRecord& record) const {
    const QuantizeLinearLine& line = inputs_->lists[group.list];
    const size_t n = group.count;
    for (size_t at = 0; at < 2 * group.width; ++at) {
      const bool special =
          std::any_of(group.specials.begin(), group.specials.end(),
                      [&](const BoundaryGroup::Special& s) { return s.at == at; });
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
    for (const QuantizeLinearLine& line : inputs_->lists) {
      elements.emplace_back(
          line.x, line.y_scale, line.y,
          ParametersOf(line.readings, line.since_version, line.x, line.y_scale, line.y,
                       line.precision, line.saturate));
    }
    generators::CounterRng rng(generators::ContentKey("all-scales", range.first, 1));
    constexpr int kPerGroup = 16;
    for (int asked = 0; asked < kSampledScales; asked += kPerGroup) {
      // Both ends of the chunk are among the scales.
      const uint64_t at = asked == 0           ? 0
                          : asked == kPerGroup ? range.count - 1
                                               : rng.Next64() % range.count;
      const uint64_t scale_code = range.first + at;
      const BoundaryGroup& group =
          inputs_->groups[rng.Below(static_cast<uint32_t>(inputs_->groups.size()))];
      const QuantizeLinearLine& line = inputs_->lists[group.list];
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

  const std::shared_ptr<const BoundaryInputs> inputs_;
  const std::vector<std::unique_ptr<Subject>> subjects_;
  bool can_match_ = true;
  std::vector<bool> repeats_;  // of each group: the magnitudes are those before
  size_t rows_ = 1;            // at once
  std::vector<float> x_;
  std::vector<uint8_t> codes_;
  std::vector<float> magnitudes_;
  std::vector<float> scale_values_;
  std::vector<uint32_t> flipped_;
  struct {
    const BoundaryGroup* group = nullptr;
    size_t reached = 0;
    size_t passed = 0;
    std::vector<uint8_t> codes;
  } beyond_;
};

}  // namespace

Result<Proof> ProveAllScales(const QuantizeLinearLine& line,
                             const std::vector<int>& binades, const SourceOf& source) {
  if (line.x != DataType::kFloat || line.y_scale != DataType::kFloat ||
      line.precision != 0) {
    return Error{"all-scales: x has type " + std::string(DataTypeName(line.x)) +
                 " and y_scale " + std::string(DataTypeName(line.y_scale)) +
                 ": both must be FLOAT, without precision"};
  }
  if (line.readings.quotient != QuantizeLinearReadings::Quotient::kCanonical) {
    return Error{"all-scales: the boundaries are those of quotients in FLOAT, not of " +
                 ReadingOf(line) + "; prove line goes by that reading"};
  }
  const auto inputs = std::make_shared<BoundaryInputs>();
  for (const int binade : binades) {
    inputs->scales.push_back(BinadeChunks(line.y, binade));
  }
  if (binades.empty()) inputs->scales = {AllScalesChunks(line.y)};
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
    const Status added = AddGroups(one, *inputs);
    if (!added) return added.error();
    auto made = source(one);
    if (!made) return made.error();
    sources.push_back(*std::move(made));
    if (zero_point) {
      zero_points +=
          (zero_points.empty() ? "" : ", ") + ValueToString(line.y, *zero_point);
    }
  }

  QuantizeLinearLine described = line;
  described.zero_point.reset();
  proof.kind = "all-scales";
  proof.ran = sources[0].ran;
  proof.question = DescribeLine(described);
  if (!zero_points.empty()) proof.question.push_back({"y_zero_point", zero_points});
  std::string scales;
  for (const int binade : binades) {
    scales += (scales.empty() ? "all 2^23 scales of [2^" : " and [2^") +
              std::to_string(binade) + ", 2^" + std::to_string(binade + 1) + ")";
  }
  if (binades.empty()) {
    scales = "all " + std::to_string(ScaleCount(*inputs)) +
             " positive finite FLOAT scales, subnormals included";
  }
  proof.question.push_back({"scales", scales});
  proof.question.push_back(
      {"inputs_per_scale", std::to_string(inputs->inputs_per_scale)});
  proof.inputs =
      "both sides of every boundary of y, both signs, and special values, for " + scales;
  proof.expected_inputs = ScaleCount(*inputs) * inputs->inputs_per_scale;
  proof.assumed = {
      "what is asked is monotone in x for each scale: then the x between two boundaries "
      "have the code of both ends, and this covers all 2^32 x (docs/proofs.md)",
      "x beside a boundary is the exact product of scale and midpoint, rounded down and "
      "up (docs/proofs.md); the oracle confirms a sample of each chunk"};
  if (IsInteger(line.y)) {
    proof.assumed.push_back(
        "other zero points shift the same boundaries: they are added to integers");
  }
  proof.plan.identity = IdentityOf(proof);
  proof.plan.chunks = ChunkCount(*inputs);
  proof.plan.make_worker = [inputs, sources]() -> Result<std::unique_ptr<ChunkWorker>> {
    std::vector<std::unique_ptr<Subject>> subjects;
    for (const SubjectSource& one : sources) {
      auto subject = one.make();
      if (!subject) return subject.error();
      subjects.push_back(*std::move(subject));
    }
    return std::unique_ptr<ChunkWorker>(
        std::make_unique<AllScalesWorker>(inputs, std::move(subjects)));
  };
  return proof;
}

}  // namespace qconform::quantize_linear
