#include "harness/operators/q_linear_mat_mul/proofs/accumulators.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <string>

#include "cases/core/counter_rng.h"
#include "cases/exhaustive/chunks.h"
#include "cases/lattice/lattice.h"
#include "harness/backends/simd/core/fill_codes.h"
#include "harness/backends/simd/core/fp_environment.h"
#include "harness/backends/simd/core/targets.h"
#include "harness/backends/simd/matmul/sums_function.h"
#include "harness/core/allows.h"
#include "harness/core/proofs/segments.h"
#include "oracle/formats/codes.h"

namespace qconform::q_linear_mat_mul {
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
  SumsWorker(const QLinearMatMulSums& question,
             std::shared_ptr<const std::vector<Segment>> segments,
             simd::SumsFunction function)
      : question_(question),
        segments_(std::move(segments)),
        function_(std::move(function)) {}

  Status Run(int64_t chunk, ChunkRecord& record) override {
    const simd::DefaultFpEnvironment environment;
    const CodeRange range = AccumulatorChunks().At(chunk);
    const SweepMismatch where{.zero_point = question_.y_zero_point};
    for (uint64_t done = 0; done < range.count; done += kBatch) {
      const auto n = static_cast<size_t>(std::min<uint64_t>(kBatch, range.count - done));
      const uint64_t first = range.first + done;
      simd::FillCodes(static_cast<uint32_t>(first), n, sums_);
      function_(reinterpret_cast<const int32_t*>(sums_), n, codes_);
      CompareWithSegments(question_.y, where, *segments_, first, n, codes_, record);
    }
    record.evaluations = record.inputs;
    generators::CounterRng rng(generators::ContentKey("accumulators", range.first, 1));
    for (int i = 0; i < kSampledSums; ++i) {
      const uint64_t code = range.first + rng.Next64() % range.count;
      const ElementAnswer answer =
          AnswerForSum(question_, static_cast<int32_t>(static_cast<uint32_t>(code)));
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
  const QLinearMatMulSums question_;
  const std::shared_ptr<const std::vector<Segment>> segments_;
  simd::SumsFunction function_;
  alignas(64) uint32_t sums_[kBatch];
  alignas(64) uint8_t codes_[kBatch];
};

// |sum| = 127 * (a_0 + a_1 + ...) + a_last, with 0 <= a <= 255.
constexpr uint32_t kWeight = 127;
constexpr uint32_t kMostPerStep = 255 * kWeight;

uint32_t Magnitude(int32_t sum) {
  const auto bits = static_cast<uint32_t>(sum);
  return sum < 0 ? 0u - bits : bits;
}

size_t DepthOf(uint32_t magnitude) {
  return (magnitude + kMostPerStep - 1) / kMostPerStep + 1;
}

// A product whose row i has the sum sums[i]: in column 0 if it is not negative,
// else in column 1.
StoredCase SumsCase(const QLinearMatMulSums& question, std::span<const int32_t> sums) {
  size_t k = 1;
  for (const int32_t sum : sums) k = std::max(k, DepthOf(Magnitude(sum)));
  const auto m = static_cast<int64_t>(sums.size());
  const auto depth = static_cast<int64_t>(k);
  Tensor a = Tensor::Zeros(DataType::kUint8, {m, depth});
  Tensor b = Tensor::Zeros(DataType::kInt8, {depth, 2});
  for (size_t i = 0; i < sums.size(); ++i) {
    const uint32_t magnitude = Magnitude(sums[i]);
    uint32_t steps = magnitude / kWeight;
    for (size_t at = 0; steps > 0; ++at) {
      const uint32_t step = std::min(steps, 255u);
      a.data[i * k + at] = static_cast<std::byte>(step);
      steps -= step;
    }
    a.data[i * k + k - 1] = static_cast<std::byte>(magnitude % kWeight);
  }
  for (size_t at = 0; at < k; ++at) {
    const int weight = at + 1 < k ? static_cast<int>(kWeight) : 1;
    b.data[2 * at] = static_cast<std::byte>(weight);
    b.data[2 * at + 1] = static_cast<std::byte>(-weight);
  }
  StoredCase made;
  Model& model = made.model;
  model.opset_version = 21;
  model.ir_version = IrVersionFor(21);
  model.node.op_type = "QLinearMatMul";
  model.node.outputs = {"y"};
  const auto add = [&](const char* name, Tensor tensor) {
    model.node.inputs.push_back(name);
    model.inputs.push_back({name, tensor.type, tensor.shape});
    made.inputs.push_back(std::move(tensor));
  };
  const auto scalar = [](DataType type, uint64_t code) {
    Tensor tensor = Tensor::Zeros(type, {});
    std::memcpy(tensor.data.data(), &code, tensor.data.size());
    return tensor;
  };
  add("a", std::move(a));
  add("a_scale", scalar(question.scale, question.a_scale));
  add("a_zero_point", scalar(DataType::kUint8, 0));
  add("b", std::move(b));
  add("b_scale", scalar(question.scale, question.b_scale));
  add("b_zero_point", scalar(DataType::kInt8, 0));
  add("y_scale", scalar(question.scale, question.y_scale));
  add("y_zero_point", scalar(question.y, question.y_zero_point));
  model.outputs.push_back({"y", question.y, {m, 2}});
  return made;
}

// One chunk for each piece of the list.
class SumsModelWorker : public ChunkWorker {
 public:
  SumsModelWorker(const QLinearMatMulSums& question,
                  std::shared_ptr<const std::vector<Segment>> segments,
                  std::shared_ptr<const std::vector<std::vector<int32_t>>> pieces,
                  std::unique_ptr<ModelAsker> asker)
      : question_(question),
        segments_(std::move(segments)),
        pieces_(std::move(pieces)),
        asker_(std::move(asker)) {}

  Status Run(int64_t chunk, ChunkRecord& record) override {
    const std::vector<int32_t>& sums = (*pieces_)[static_cast<size_t>(chunk)];
    const StoredCase asked = SumsCase(question_, sums);
    if (const Status made = asker_->Prepare(asked.model); !made) return made;
    std::vector<TensorView> inputs;
    for (const Tensor& input : asked.inputs) inputs.push_back(input.view());
    const auto codes = asker_->Run(inputs);
    if (!codes) return codes.error();
    const SweepMismatch where{.zero_point = question_.y_zero_point};
    for (size_t i = 0; i < sums.size(); ++i) {
      const std::byte* code = codes->data() + 2 * i + (sums[i] < 0 ? 1 : 0);
      CompareWithSegments(question_.y, where, *segments_, static_cast<uint32_t>(sums[i]),
                          1, code, record);
    }
    record.evaluations = record.inputs;
    return Ok();
  }

 private:
  const QLinearMatMulSums question_;
  const std::shared_ptr<const std::vector<Segment>> segments_;
  const std::shared_ptr<const std::vector<std::vector<int32_t>>> pieces_;
  const std::unique_ptr<ModelAsker> asker_;
};

// Both sides of each boundary and the ends, in pieces of bounded size.
std::vector<std::vector<int32_t>> BoundaryPieces(
    const std::vector<SumInterval>& intervals) {
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
    const size_t depth = DepthOf(Magnitude(sum));
    if (pieces.empty() || (pieces.back().size() + 1) * depth > kMostBytes) {
      pieces.emplace_back();
    }
    pieces.back().push_back(sum);
  }
  return pieces;
}

Proof Describe(const QLinearMatMulSums& sums, size_t intervals) {
  Proof proof;
  proof.kind = "accumulators";
  const auto scale = [&](uint64_t code) { return CodeToString(sums.scale, code); };
  proof.question = {{"operator", "QLinearMatMul"},
                    {"a_scale", scale(sums.a_scale)},
                    {"b_scale", scale(sums.b_scale)},
                    {"y_scale", scale(sums.y_scale)},
                    {"y", std::string(DataTypeName(sums.y))},
                    {"y_zero_point", CodeToString(sums.y, sums.y_zero_point)},
                    {"intervals", std::to_string(intervals)}};
  proof.assumed = {
      "the specified answer is monotone in the sum (docs/proofs.md): sums between two "
      "that the oracle gives one answer have that answer"};
  const std::string reading = ReadingOf(sums);
  if (!reading.empty()) proof.question.push_back({"reading", reading});
  proof.plan.identity = IdentityOf(proof);
  return proof;
}

}  // namespace

Result<Proof> ProveAccumulators(const QLinearMatMulSums& sums,
                                const std::string& target) {
  const auto found =
      target.empty() ? simd::FindTarget(int64_t{0}) : simd::FindTarget(target);
  if (!found) return found.error();
  if (sums.scale != DataType::kFloat) {
    return Error{"accumulators: scales of type " + std::string(DataTypeName(sums.scale)) +
                 ": FLOAT is needed"};
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
  Proof proof = Describe(sums, intervals.size());
  proof.ran = "the requantization stage of the kernels for " + std::string(found->name) +
              " (q_linear_mat_mul_requantize-inl.h), way: " + probe->way();
  proof.inputs = "all 2^32 sums C of type INT32";
  proof.expected_inputs = uint64_t{1} << 32;
  proof.assumed.push_back(
      "products, and their sums modulo 2^32, are judged by qconform run");
  proof.plan.chunks = AccumulatorChunks().chunks();
  proof.plan.make_worker = [sums, segments,
                            make]() -> Result<std::unique_ptr<ChunkWorker>> {
    auto function = make();
    if (!function) return function.error();
    return std::unique_ptr<ChunkWorker>(
        std::make_unique<SumsWorker>(sums, segments, *std::move(function)));
  };
  return proof;
}

Result<Proof> ProveAccumulatorBoundaries(const QLinearMatMulSums& sums,
                                         const MakeModelAsker& make_asker) {
  const std::vector<SumInterval> intervals = FindSumThresholds(sums);
  const auto segments =
      std::make_shared<const std::vector<Segment>>(SegmentsOfSums(intervals));
  const auto pieces = std::make_shared<const std::vector<std::vector<int32_t>>>(
      BoundaryPieces(intervals));
  Proof proof = Describe(sums, intervals.size());
  proof.ran = "models of one node, whose operands add up to the sums";
  proof.inputs = "both sides of every boundary between sums, and both ends of INT32";
  for (const auto& piece : *pieces) proof.expected_inputs += piece.size();
  proof.assumed.push_back("what is asked is monotone in the sum");
  proof.plan.chunks = static_cast<int64_t>(pieces->size());
  proof.plan.make_worker = [sums, segments, pieces,
                            make_asker]() -> Result<std::unique_ptr<ChunkWorker>> {
    return std::unique_ptr<ChunkWorker>(
        std::make_unique<SumsModelWorker>(sums, segments, pieces, make_asker()));
  };
  return proof;
}

StoredCase MismatchCase(const QLinearMatMulSums& sums, const SweepMismatch& mismatch) {
  const auto sum = static_cast<int32_t>(static_cast<uint32_t>(mismatch.x));
  StoredCase made = SumsCase(sums, {&sum, 1});
  made.why = "found by a sweep: the sum " + std::to_string(sum) + ", expected " +
             CodeToString(sums.y, mismatch.expected) + ", answered " +
             CodeToString(sums.y, mismatch.actual);
  return made;
}

std::vector<QLinearMatMulSums> OtherReadings(const QLinearMatMulSums& sums) {
  std::vector<QLinearMatMulSums> others;
  for (const QLinearMatMulReadings& readings : ReadingCombinations(sums.scale, sums.y)) {
    if (readings == QLinearMatMulReadings()) continue;
    others.push_back(sums);
    others.back().readings = readings;
  }
  return others;
}

bool Explains(const QLinearMatMulSums& sums, const SweepMismatch& mismatch) {
  const auto sum = static_cast<int32_t>(static_cast<uint32_t>(mismatch.x));
  return Allows(sums.y, AnswerForSum(sums, sum), mismatch.actual);
}

std::string ReadingOf(const QLinearMatMulSums& sums) {
  if (sums.readings == QLinearMatMulReadings()) return "";
  return ReadingsName(sums.readings);
}

}  // namespace qconform::q_linear_mat_mul
