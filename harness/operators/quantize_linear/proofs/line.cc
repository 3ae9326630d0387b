// Lines and planes.
#include "harness/operators/quantize_linear/proofs/line.h"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstring>
#include <memory>
#include <span>
#include <string>

#include "harness/backends/simd/core/fill_codes.h"
#include "harness/operators/quantize_linear/proofs/chunks.h"
#include "oracle/formats/codes.h"

namespace qconform::quantize_linear {
namespace {

// Inputs of each chunk, or scale of a plane, that the oracle is asked directly.
constexpr int kLineSample = 1024;
constexpr int kPlaneSample = 4;

SweepMismatch WhereOf(const QuantizeLinearLine& line) {
  return {.scale = line.scale, .zero_point = line.zero_point.value_or(0)};
}

size_t CodeBytes(DataType y) { return BitWidth(y) == 16 ? 2 : 1; }

// Consecutive codes of x.
class CodeBuffer {
 public:
  CodeBuffer(DataType x, size_t most) : bytes_(BitWidth(x) / 8), data_(most) {}

  // Fills `place` or, if that is null, memory of its own.
  const void* Fill(uint64_t first, size_t n, void* place = nullptr) {
    if (place == nullptr) place = data_.data();
    if (bytes_ == 4) {
      simd::FillCodes(static_cast<uint32_t>(first), n, static_cast<uint32_t*>(place));
    } else {
      auto* codes = static_cast<uint16_t*>(place);
      for (size_t i = 0; i < n; ++i) codes[i] = static_cast<uint16_t>(first + i);
    }
    return place;
  }

 private:
  int bytes_;
  std::vector<uint32_t> data_;
};

class LineWorker : public ChunkWorker {
 public:
  LineWorker(const QuantizeLinearLine& line,
             std::shared_ptr<const std::vector<Segment>> segments,
             std::unique_ptr<Subject> subject)
      : line_(line),
        segments_(std::move(segments)),
        subject_(std::move(subject)),
        x_(line.x, subject_->batch()),
        codes_(subject_->batch() * CodeBytes(line.y)) {
    const size_t batch = subject_->batch();
    if (!std::has_single_bit(batch) || !subject_->CanMatchRows(batch)) return;
    for (uint32_t i = 0; i < batch; ++i) low_.push_back(std::bit_cast<float>(i));
    scales_.fill(std::bit_cast<float>(static_cast<uint32_t>(line.scale)));
  }

  Status Run(int64_t chunk, ChunkRecord& record) override {
    const CodeRange range = LineChunks(line_.x).At(chunk);
    if (Status status = subject_->SetScale(line_.scale); !status) return status;
    for (uint64_t done = 0; done < range.count;) {
      const auto n =
          static_cast<size_t>(std::min<uint64_t>(subject_->batch(), range.count - done));
      const uint64_t first = range.first + done;
      if (const uint64_t matched = MatchedInSegment(first, range.count - done)) {
        record.inputs += matched;
        done += matched;
        continue;
      }
      const Status status =
          subject_->Run(x_.Fill(first, n, subject_->PlaceFor(n)), n, codes_.data());
      if (!status) return status;
      CompareWithSegments(line_.y, WhereOf(line_), *segments_, first, n, codes_.data(),
                          record);
      done += n;
    }
    record.evaluations = record.inputs;
    return SampleSegments(line_, *segments_, range.first, range.count, kLineSample,
                          record);
  }

 private:
  // Returns how many x from `first` on, of `n`, are known to give their segment's
  // code, by a comparison where the codes are made.
  uint64_t MatchedInSegment(uint64_t first, uint64_t n) {
    const size_t columns = low_.size();
    if (columns == 0 || first % columns != 0) return 0;
    const Segment& segment = SegmentOf(*segments_, first);
    const uint64_t within = std::min(n, segment.last - first + 1) / columns;
    const auto rows = static_cast<size_t>(std::min<uint64_t>(within, scales_.size()));
    if (rows == 0 || segment.freedom == Freedom::kAnyCode) return 0;
    if (expected_of_ != &segment) {
      expected_of_ = &segment;
      expected_.assign(columns * CodeBytes(line_.y), 0);
      for (size_t i = 0; i < expected_.size(); i += CodeBytes(line_.y)) {
        std::memcpy(expected_.data() + i, &segment.y, CodeBytes(line_.y));
      }
    }
    // A row's first code has the upper bits of all its codes, and no other.
    for (size_t i = 0; i < rows; ++i) {
      upper_[i] = static_cast<uint32_t>(first + i * columns);
    }
    return columns * subject_->MatchRows({.scales = std::span(scales_).first(rows),
                                          .flipped = std::span(upper_).first(rows),
                                          .x = low_.data(),
                                          .stride = 0,
                                          .columns = columns,
                                          .codes = expected_.data()});
  }

  const QuantizeLinearLine line_;
  const std::shared_ptr<const std::vector<Segment>> segments_;
  const std::unique_ptr<Subject> subject_;
  CodeBuffer x_;
  std::vector<uint8_t> codes_;
  // If rows can be matched: the codes from 0 on, the bits of each row that differ from
  // them, and a row of a segment's code.
  std::vector<float> low_;
  std::array<float, 64> scales_{};
  std::array<uint32_t, 64> upper_{};
  std::vector<uint8_t> expected_;
  const Segment* expected_of_ = nullptr;
};

class PlaneWorker : public ChunkWorker {
 public:
  PlaneWorker(const QuantizeLinearLine& line, std::unique_ptr<Subject> subject)
      : line_(line),
        subject_(std::move(subject)),
        x_(line.x, kCodes),
        codes_(kCodes * CodeBytes(line.y)) {}

  Status Run(int64_t chunk, ChunkRecord& record) override {
    const CodeRange scales = PlaneChunks().At(chunk);
    const void* const own = x_.Fill(0, kCodes);
    for (uint64_t i = 0; i < scales.count; ++i) {
      line_.scale = scales.first + i;
      const auto thresholds = FindThresholds(line_);
      if (!thresholds) return thresholds.error();
      const std::vector<Segment> segments = SegmentsOf(line_, *thresholds);
      if (Status status = subject_->SetScale(line_.scale); !status) return status;
      // Memory that is lent has to be filled anew each time.
      void* const lent = subject_->PlaceFor(kCodes);
      const void* x = lent == nullptr ? own : x_.Fill(0, kCodes, lent);
      const Status status = subject_->Run(x, kCodes, codes_.data());
      if (!status) return status;
      CompareWithSegments(line_.y, WhereOf(line_), segments, 0, kCodes, codes_.data(),
                          record);
      const Status sampled =
          SampleSegments(line_, segments, 0, kCodes, kPlaneSample, record);
      if (!sampled) return sampled;
    }
    record.evaluations = record.inputs;
    return Ok();
  }

 private:
  static constexpr size_t kCodes = 1 << 16;

  QuantizeLinearLine line_;
  const std::unique_ptr<Subject> subject_;
  CodeBuffer x_;
  std::vector<uint8_t> codes_;
};

const char* const kFromThresholds =
    "for one scale the specified answer is monotone in x (docs/proofs.md): x between two "
    "that the oracle gives one answer have that answer; a sample of them is asked all "
    "the same";
const char* const kInnerOnly =
    "what runs is the inner function, codes of less than 8 bits one to a byte and, where "
    "it "
    "packs them itself, packed: other packing, layout of scales and threads are judged "
    "by qconform run";

}  // namespace

std::vector<std::pair<std::string, std::string>> DescribeLine(
    const QuantizeLinearLine& line) {
  std::vector<std::pair<std::string, std::string>> question = {
      {"operator", "QuantizeLinear"},
      {"since_version", std::to_string(line.since_version)},
      {"x", std::string(DataTypeName(line.x))},
      {"y_scale", std::string(DataTypeName(line.y_scale))},
      {"y", std::string(DataTypeName(line.y))}};
  if (line.zero_point) {
    question.push_back({"y_zero_point", CodeToString(line.y, *line.zero_point)});
  }
  if (IsFloat8(line.y)) question.push_back({"saturate", std::to_string(line.saturate)});
  if (line.precision != 0) {
    question.push_back({"precision", std::to_string(line.precision)});
  }
  const std::string reading = ReadingOf(line);
  if (!reading.empty()) question.push_back({"reading", reading});
  return question;
}

Result<Proof> ProveLine(const QuantizeLinearLine& line, const SubjectSource& source) {
  const auto thresholds = FindThresholds(line);
  if (!thresholds) return thresholds.error();
  const auto segments =
      std::make_shared<const std::vector<Segment>>(SegmentsOf(line, *thresholds));
  Proof proof;
  proof.kind = "line";
  proof.ran = source.ran;
  proof.question = DescribeLine(line);
  const std::string scale = CodeToString(line.y_scale, line.scale);
  proof.question.push_back({"scale", scale});
  proof.question.push_back({"intervals", std::to_string(thresholds->intervals.size())});
  proof.inputs = "all 2^" + std::to_string(BitWidth(line.x)) + " codes of x, of type " +
                 std::string(DataTypeName(line.x)) + ", by the scale " + scale;
  proof.expected_inputs = uint64_t{1} << BitWidth(line.x);
  proof.assumed = {kFromThresholds};
  if (source.inner) proof.assumed.push_back(kInnerOnly);
  proof.plan.identity = IdentityOf(proof);
  proof.plan.chunks = LineChunks(line.x).chunks();
  proof.plan.make_worker = [line, segments,
                            source]() -> Result<std::unique_ptr<ChunkWorker>> {
    auto subject = source.make();
    if (!subject) return subject.error();
    return std::unique_ptr<ChunkWorker>(
        std::make_unique<LineWorker>(line, segments, *std::move(subject)));
  };
  return proof;
}

Result<Proof> ProvePlane(const QuantizeLinearLine& line, const SubjectSource& source) {
  if (BitWidth(line.x) != 16 || BitWidth(line.y_scale) != 16) {
    return Error{"plane: x has type " + std::string(DataTypeName(line.x)) +
                 " and y_scale " + std::string(DataTypeName(line.y_scale)) +
                 ": both must be FLOAT16 or BFLOAT16"};
  }
  Proof proof;
  proof.kind = "plane";
  proof.ran = source.ran;
  proof.question = DescribeLine(line);
  proof.inputs = "all 2^16 codes of x by all 2^16 codes of y_scale";
  proof.expected_inputs = uint64_t{1} << 32;
  proof.assumed = {kFromThresholds};
  if (source.inner) proof.assumed.push_back(kInnerOnly);
  proof.plan.identity = IdentityOf(proof);
  proof.plan.chunks = PlaneChunks().chunks();
  proof.plan.make_worker = [line, source]() -> Result<std::unique_ptr<ChunkWorker>> {
    auto subject = source.make();
    if (!subject) return subject.error();
    return std::unique_ptr<ChunkWorker>(
        std::make_unique<PlaneWorker>(line, *std::move(subject)));
  };
  return proof;
}

StoredCase MismatchCase(const QuantizeLinearLine& line, const SweepMismatch& mismatch) {
  QuantizeLinearLine one = line;
  one.scale = mismatch.scale;
  if (line.zero_point || mismatch.zero_point != 0) one.zero_point = mismatch.zero_point;
  StoredCase made = LineCase(one, {&one.scale, 1}, 1,
                             {reinterpret_cast<const std::byte*>(&mismatch.x),
                              static_cast<size_t>(BitWidth(line.x)) / 8});
  made.why = "found by a sweep: expected " + CodeToString(line.y, mismatch.expected) +
             ", answered " + CodeToString(line.y, mismatch.actual);
  return made;
}

Result<double> TimeKernelAlone(const QuantizeLinearLine& line,
                               const SubjectSource& source,
                               const std::atomic<bool>& stop) {
  const auto subject = source.make();
  if (!subject) return subject.error();
  if (Status status = (*subject)->SetScale(line.scale); !status) return status.error();
  const size_t batch = (*subject)->batch();
  CodeBuffer x(line.x, batch);
  std::vector<uint8_t> codes(batch * 2);
  const void* buffer = x.Fill(uint64_t{0x3F800000} >> (32 - BitWidth(line.x)), batch);
  const auto start = std::chrono::steady_clock::now();
  for (uint64_t done = 0; done < uint64_t{1} << BitWidth(line.x); done += batch) {
    if (stop) return Error{"interrupted: the kernel was not timed"};
    const Status status = (*subject)->RunAlone(buffer, batch, codes.data());
    if (!status) return status.error();
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace qconform::quantize_linear
