#include "harness/requantization/accumulators.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <string>
#include <utility>

#include "cases/core/counter_rng.h"
#include "cases/exhaustive/chunks.h"
#include "harness/backends/simd/core/fill_codes.h"
#include "harness/backends/simd/core/fp_environment.h"
#include "harness/backends/simd/core/targets.h"
#include "harness/backends/simd/matmul/sums_function.h"
#include "harness/core/allows.h"
#include "harness/core/operand_text.h"
#include "harness/core/proofs/segments.h"
#include "oracle/base/expected.h"
#include "oracle/formats/codes.h"

namespace qconform::requantization {
namespace {

constexpr size_t kBatch = 1536;     // whole tiles
constexpr int kSampledSums = 1024;  // of each chunk

ChunkedRange AccumulatorChunks() { return {{0, uint64_t{1} << 32}, uint64_t{1} << 24}; }

// In the order of codes: sums from 0 up, then the negative ones.
std::vector<Segment> SegmentsOfSums(const std::vector<SumInterval>& intervals) {
  std::vector<Segment> segments;
  for (const bool negative : {false, true}) {
    for (const SumInterval& interval : intervals) {
      if ((interval.first < 0) != negative) continue;
      segments.push_back({.first = static_cast<uint32_t>(interval.first),
                          .last = static_cast<uint32_t>(interval.last),
                          .y = interval.y,
                          .freedom = interval.freedom,
                          .zero_sign_is_free = interval.zero_sign_is_free});
    }
  }
  return segments;
}

class SumsWorker : public ChunkWorker {
 public:
  SumsWorker(const AccumulatorsQuestion& question,
             std::shared_ptr<const std::vector<Segment>> segments,
             simd::SumsFunction function)
      : question_(question),
        segments_(std::move(segments)),
        function_(std::move(function)) {}

  Status Run(int64_t chunk, ChunkRecord& record) override {
    const simd::DefaultFpEnvironment environment;
    const CodeRange range = AccumulatorChunks().At(chunk);
    const SweepMismatch where{.zero_point = question_.sums.y_zero_point};
    for (uint64_t done = 0; done < range.count; done += kBatch) {
      const auto n = static_cast<size_t>(std::min<uint64_t>(kBatch, range.count - done));
      const uint64_t first = range.first + done;
      simd::FillCodes(static_cast<uint32_t>(first), n, sums_);
      function_(reinterpret_cast<const int32_t*>(sums_), n, codes_);
      CompareWithSegments(question_.sums.y, where, *segments_, first, n, codes_, record);
    }
    record.evaluations = record.inputs;
    generators::CounterRng rng(generators::ContentKey("accumulators", range.first, 1));
    for (int i = 0; i < kSampledSums; ++i) {
      const uint64_t code = range.first + rng.Next64() % range.count;
      const ElementAnswer answer =
          AnswerForSum(question_.sums, static_cast<int32_t>(static_cast<uint32_t>(code)));
      ++record.oracle_evaluations;
      if (answer.code != SegmentOf(*segments_, code).y) {
        return Error{"accumulators: the oracle's answer for the sum " +
                     CodeToString(DataType::kInt32, code) +
                     " is not that of its interval"};
      }
    }
    return Ok();
  }

 private:
  const AccumulatorsQuestion question_;
  const std::shared_ptr<const std::vector<Segment>> segments_;
  simd::SumsFunction function_;
  alignas(64) uint32_t sums_[kBatch];
  alignas(64) uint8_t codes_[kBatch];
};

uint32_t Magnitude(int32_t sum) {
  const auto bits = static_cast<uint32_t>(sum);
  return sum < 0 ? 0u - bits : bits;
}

// One chunk for each piece of the list.
class SumsModelWorker : public ChunkWorker {
 public:
  SumsModelWorker(const AccumulatorsQuestion& question,
                  std::shared_ptr<const std::vector<Segment>> segments,
                  std::shared_ptr<const std::vector<std::vector<int32_t>>> pieces,
                  std::unique_ptr<ModelAsker> asker)
      : question_(question),
        segments_(std::move(segments)),
        pieces_(std::move(pieces)),
        asker_(std::move(asker)) {}

  Status Run(int64_t chunk, ChunkRecord& record) override {
    const std::vector<int32_t>& sums = (*pieces_)[static_cast<size_t>(chunk)];
    const StoredCase asked = question_.op->model(question_.sums, sums);
    if (const Status made = asker_->Prepare(asked.model); !made) return made;
    std::vector<TensorView> inputs;
    for (const Tensor& input : asked.inputs) inputs.push_back(input.view());
    const auto codes = asker_->Run(inputs);
    if (!codes) return codes.error();
    const SweepMismatch where{.zero_point = question_.sums.y_zero_point};
    for (size_t i = 0; i < sums.size(); ++i) {
      const std::byte* code = codes->data() + question_.op->place(i, sums[i]);
      CompareWithSegments(question_.sums.y, where, *segments_,
                          static_cast<uint32_t>(sums[i]), 1, code, record);
    }
    record.evaluations = record.inputs;
    return Ok();
  }

 private:
  const AccumulatorsQuestion question_;
  const std::shared_ptr<const std::vector<Segment>> segments_;
  const std::shared_ptr<const std::vector<std::vector<int32_t>>> pieces_;
  const std::unique_ptr<ModelAsker> asker_;
};

// Both sides of each boundary and the ends, in pieces of bounded size.
std::vector<std::vector<int32_t>> BoundaryPieces(
    const AccumulatorsOperator& op, const std::vector<SumInterval>& intervals) {
  std::vector<int32_t> sums;
  for (const SumInterval& interval : intervals) {
    sums.push_back(interval.first);
    if (interval.last != interval.first) sums.push_back(interval.last);
  }
  std::sort(sums.begin(), sums.end(), [](int32_t a, int32_t b) {
    return std::pair(Magnitude(a), a) < std::pair(Magnitude(b), b);
  });
  constexpr size_t kMostBytes = size_t{1} << 24;
  std::vector<std::vector<int32_t>> pieces;
  for (const int32_t sum : sums) {
    const size_t depth = op.depth(Magnitude(sum));
    if (pieces.empty() || (pieces.back().size() + 1) * depth > kMostBytes) {
      pieces.emplace_back();
    }
    pieces.back().push_back(sum);
  }
  return pieces;
}

Proof Describe(const AccumulatorsQuestion& question, size_t intervals) {
  const RequantizedSums& sums = question.sums;
  const AccumulatorsOperator& op = *question.op;
  Proof proof;
  proof.kind = op.kind;
  const auto scale = [&](uint64_t code) { return CodeToString(sums.scale, code); };
  proof.question = {{"operator", std::string(op.op_type)},
                    {std::string(op.a_scale), scale(sums.a_scale)},
                    {std::string(op.b_scale), scale(sums.b_scale)},
                    {std::string(op.y_scale), scale(sums.y_scale)},
                    {"y", std::string(DataTypeName(sums.y))},
                    {"y_zero_point", CodeToString(sums.y, sums.y_zero_point)},
                    {"intervals", std::to_string(intervals)}};
  proof.assumed = {
      "the specified answer is monotone in the sum (docs/proofs.md): sums between two "
      "that the oracle gives one answer have that answer"};
  if (!question.reading.empty()) proof.question.push_back({"reading", question.reading});
  proof.plan.identity = IdentityOf(proof);
  return proof;
}

StoredCase MismatchCase(const AccumulatorsQuestion& question,
                        const SweepMismatch& mismatch) {
  const auto sum = static_cast<int32_t>(static_cast<uint32_t>(mismatch.x));
  const DataType y = question.sums.y;
  StoredCase made = question.op->model(question.sums, {&sum, 1});
  made.why = "found by a sweep: the sum " + std::to_string(sum) + ", expected " +
             CodeToString(y, mismatch.expected) + ", answered " +
             CodeToString(y, mismatch.actual);
  return made;
}

class AccumulatorsTask : public ProofTask {
 public:
  AccumulatorsTask(AccumulatorsQuestion question, ProofSubject subject)
      : question_(std::move(question)), subject_(std::move(subject)) {}

  Result<Proof> Prove() const override {
    return subject_.kernel_target
               ? ProveAccumulators(question_, *subject_.kernel_target)
               : ProveAccumulatorBoundaries(question_, subject_.make_asker);
  }
  DataType x() const override { return DataType::kInt32; }
  DataType y() const override { return question_.sums.y; }
  std::string reading() const override { return question_.reading; }
  std::vector<std::unique_ptr<ProofTask>> OtherReadings() const override {
    std::vector<std::unique_ptr<ProofTask>> others;
    const RequantizedSums& sums = question_.sums;
    for (const NamedReading& reading : question_.op->readings(sums.scale, sums.y)) {
      if (reading.name.empty()) continue;
      others.push_back(
          std::make_unique<AccumulatorsTask>(By(question_, reading), subject_));
    }
    return others;
  }
  bool Explains(const SweepMismatch& mismatch) const override {
    const auto sum = static_cast<int32_t>(static_cast<uint32_t>(mismatch.x));
    return Allows(question_.sums.y, AnswerForSum(question_.sums, sum), mismatch.actual);
  }
  std::string advice() const override { return std::string(question_.op->advice); }
  StoredCase CaseOf(const SweepMismatch& mismatch) const override {
    return MismatchCase(question_, mismatch);
  }

 private:
  AccumulatorsQuestion question_;
  ProofSubject subject_;
};

// "--a-scale" for "a_scale".
std::string FlagOf(std::string_view name) {
  std::string flag = "--" + std::string(name);
  std::ranges::replace(flag, '_', '-');
  return flag;
}

}  // namespace

Result<Proof> ProveAccumulators(const AccumulatorsQuestion& question,
                                const std::string& target) {
  const RequantizedSums& sums = question.sums;
  const auto found =
      target.empty() ? simd::FindTarget(int64_t{0}) : simd::FindTarget(target);
  if (!found) return found.error();
  if (sums.scale != DataType::kFloat) {
    return Error{std::string(question.op->kind) + ": scales of type " +
                 std::string(DataTypeName(sums.scale)) + ": FLOAT is needed"};
  }
  const auto make = [sums, bit = found->bit] {
    const auto scale = [](uint64_t code) {
      return std::bit_cast<float>(static_cast<uint32_t>(code));
    };
    return simd::SumsFunction::Of(scale(sums.a_scale), scale(sums.b_scale),
                                  scale(sums.y_scale), sums.y,
                                  static_cast<uint8_t>(sums.y_zero_point), bit);
  };
  const auto probe = make();
  if (!probe) return probe.error();
  const std::vector<SumInterval> intervals = FindSumThresholds(sums);
  const auto segments =
      std::make_shared<const std::vector<Segment>>(SegmentsOfSums(intervals));
  Proof proof = Describe(question, intervals.size());
  proof.ran = "the requantization stage of the kernels for " + std::string(found->name) +
              " (requantize-inl.h), way: " + probe->way();
  proof.inputs = "all 2^32 sums C of type INT32";
  proof.expected_inputs = uint64_t{1} << 32;
  proof.assumed.push_back(
      "products, and their sums modulo 2^32, are judged by qconform run");
  proof.plan.chunks = AccumulatorChunks().chunks();
  proof.plan.make_worker = [question, segments,
                            make]() -> Result<std::unique_ptr<ChunkWorker>> {
    auto function = make();
    if (!function) return function.error();
    return std::unique_ptr<ChunkWorker>(
        std::make_unique<SumsWorker>(question, segments, *std::move(function)));
  };
  return proof;
}

Result<Proof> ProveAccumulatorBoundaries(const AccumulatorsQuestion& question,
                                         const MakeModelAsker& make_asker) {
  const std::vector<SumInterval> intervals = FindSumThresholds(question.sums);
  const auto segments =
      std::make_shared<const std::vector<Segment>>(SegmentsOfSums(intervals));
  const auto pieces = std::make_shared<const std::vector<std::vector<int32_t>>>(
      BoundaryPieces(*question.op, intervals));
  Proof proof = Describe(question, intervals.size());
  proof.ran = "models of one node, whose operands add up to the sums";
  proof.inputs = "both sides of every boundary between sums, and both ends of INT32";
  for (const auto& piece : *pieces) proof.expected_inputs += piece.size();
  proof.assumed.push_back("what is asked is monotone in the sum");
  proof.plan.chunks = static_cast<int64_t>(pieces->size());
  proof.plan.make_worker = [question, segments, pieces,
                            make_asker]() -> Result<std::unique_ptr<ChunkWorker>> {
    return std::unique_ptr<ChunkWorker>(
        std::make_unique<SumsModelWorker>(question, segments, pieces, make_asker()));
  };
  return proof;
}

AccumulatorsQuestion By(const AccumulatorsQuestion& question,
                        const NamedReading& reading) {
  AccumulatorsQuestion by = question;
  by.reading = reading.name;
  by.sums.requantization = reading.requantization;
  by.sums.target = reading.target;
  return by;
}

AccumulatorsKind::AccumulatorsKind(const AccumulatorsOperator& op)
    : op_(op),
      a_flag_(FlagOf(op.a_scale)),
      b_flag_(FlagOf(op.b_scale)),
      y_flag_(FlagOf(op.y_scale)) {}

std::vector<FlagInfo> AccumulatorsKind::flags() const {
  return {{.name = a_flag_,
           .help = "FLOAT values, or 0x and their codes",
           .initial = {.text = "1"},
           .shows_initial = true},
          {.name = b_flag_, .help = "", .initial = {.text = "1"}, .shows_initial = true},
          {.name = y_flag_, .help = "", .initial = {.text = "1"}, .shows_initial = true},
          {.name = "--y",
           .help = "Type of y",
           .initial = {.text = "UINT8"},
           .shows_initial = true},
          {.name = "--zero-point", .help = "Of y; 0 if it is not given"}};
}

Result<AccumulatorsQuestion> AccumulatorsKind::Ask(const FlagValues& values) const {
  AccumulatorsQuestion question{.op = &op_};
  RequantizedSums& sums = question.sums;
  const std::string& type = values.at("--y").text;
  const auto y = ParseDataType(type);
  if (!y || !op_.allows_y(*y)) {
    return Expected("--y", std::string(op_.y_types), "'" + type + "'");
  }
  sums.y = *y;
  for (const auto& [name, code] :
       {std::pair(&a_flag_, &sums.a_scale), std::pair(&b_flag_, &sums.b_scale),
        std::pair(&y_flag_, &sums.y_scale)}) {
    const auto parsed = ParseOperand(sums.scale, values.at(*name).text, *name);
    if (!parsed) return parsed.error();
    *code = *parsed;
  }
  if (const std::string& text = values.at("--zero-point").text; !text.empty()) {
    const auto parsed = ParseOperand(sums.y, text, "--zero-point");
    if (!parsed) return parsed.error();
    sums.y_zero_point = *parsed;
  }
  return By(question, op_.readings(sums.scale, sums.y).front());
}

Result<std::unique_ptr<ProofTask>> AccumulatorsKind::Make(
    const FlagValues& values, const ProofSubject& subject) const {
  auto question = Ask(values);
  if (!question) return question.error();
  return std::unique_ptr<ProofTask>(
      std::make_unique<AccumulatorsTask>(*std::move(question), subject));
}

}  // namespace qconform::requantization
