#include "harness/operators/dynamic_quantize_linear/proofs/line.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "cases/exhaustive/chunks.h"
#include "cases/lattice/lattice.h"
#include "harness/core/allows.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"

namespace qconform::dynamic_quantize_linear {
namespace {

constexpr uint64_t kSign = uint64_t{1} << 31;
constexpr uint64_t kBatch = 1 << 16;
constexpr size_t kEnds = 2;  // before the x of a batch: max, min

// The codes of x from 0 to max, and from -0 to min.
uint64_t Positive(const Line& line) { return (line.max & ~kSign) + 1; }
uint64_t Negative(const Line& line) { return (line.min & ~kSign) + 1; }

ChunkedRange Chunks(const Line& line) {
  return {{0, Positive(line) + Negative(line)}, uint64_t{1} << 22};
}

uint64_t CodeAt(const Line& line, uint64_t index) {
  return index < Positive(line) ? index : kSign | (index - Positive(line));
}

StoredCase CaseOf(const Line& line, const std::vector<uint64_t>& x) {
  Tensor tensor =
      Tensor::Zeros(DataType::kFloat, {static_cast<int64_t>(kEnds + x.size())});
  const auto write = [&](size_t at, uint64_t code) {
    WriteCode(tensor.mutable_view(), static_cast<int64_t>(at), code);
  };
  write(0, line.max);
  write(1, line.min);
  for (size_t i = 0; i < x.size(); ++i) write(kEnds + i, x[i]);
  StoredCase made;
  Model& model = made.model;
  model.opset_version = 11;
  model.ir_version = IrVersionFor(11);
  model.node.op_type = "DynamicQuantizeLinear";
  model.node.inputs = {"x"};
  model.node.outputs = {"y", "y_scale", "y_zero_point"};
  model.inputs = {{"x", DataType::kFloat, tensor.shape}};
  model.outputs = {{"y", DataType::kUint8, tensor.shape},
                   {"y_scale", DataType::kFloat, {}},
                   {"y_zero_point", DataType::kUint8, {}}};
  made.inputs.push_back(std::move(tensor));
  return made;
}

Result<std::vector<Answer>> Expected(const Line& line, const StoredCase& asked) {
  return EvaluateDynamicQuantizeLinear(
      {.since_version = 11, .x = asked.inputs.front().view()}, line.readings);
}

class Worker : public ChunkWorker {
 public:
  Worker(const Line& line, std::unique_ptr<ModelAsker> asker)
      : line_(line), asker_(std::move(asker)) {}

  Status Run(int64_t chunk, ChunkRecord& record) override {
    const CodeRange range = Chunks(line_).At(chunk);
    for (uint64_t done = 0; done < range.count; done += kBatch) {
      const uint64_t count = std::min(kBatch, range.count - done);
      std::vector<uint64_t> x(count);
      for (uint64_t i = 0; i < count; ++i) x[i] = CodeAt(line_, range.first + done + i);
      const StoredCase asked = CaseOf(line_, x);
      if (count != prepared_) {
        if (Status made = asker_->Prepare(asked.model); !made) return made;
        prepared_ = count;
      }
      const auto outputs = asker_->Run(ViewsOf(asked.inputs));
      if (!outputs) return outputs.error();
      const auto expected = Expected(line_, asked);
      if (!expected) return expected.error();
      Compare(x, *expected, *outputs, record);
    }
    record.evaluations = record.oracle_evaluations = record.inputs;
    return Ok();
  }

 private:
  // y, then y_scale, then y_zero_point, which each batch has again.
  void Compare(const std::vector<uint64_t>& x, const std::vector<Answer>& expected,
               const std::vector<std::byte>& outputs, ChunkRecord& record) const {
    for (size_t i = 0; i < x.size(); ++i) {
      ++record.inputs;
      Check(x[i], DataType::kUint8, expected[0].elements[kEnds + i],
            static_cast<uint64_t>(outputs[kEnds + i]), record);
    }
    const std::byte* rest = outputs.data() + kEnds + x.size();
    uint32_t scale = 0;
    std::memcpy(&scale, rest, sizeof(scale));
    Check(line_.max, DataType::kFloat, expected[1].elements[0], scale, record);
    Check(line_.max, DataType::kUint8, expected[2].elements[0],
          static_cast<uint64_t>(rest[sizeof(scale)]), record);
  }

  static void Check(uint64_t x, DataType type, const ElementAnswer& answer,
                    uint64_t actual, ChunkRecord& record) {
    if (answer.freedom == Freedom::kAnyCode) ++record.free;
    if (Allows(type, answer, actual)) return;
    ++record.mismatches;
    if (record.first.size() == kMismatchesKept) return;
    record.first.push_back({.x = x, .expected = answer.code, .actual = actual});
  }

  const Line line_;
  const std::unique_ptr<ModelAsker> asker_;
  uint64_t prepared_ = 0;  // x of the model
};

}  // namespace

Result<Proof> ProveLine(const Line& line, MakeModelAsker make_asker) {
  const NumberFormat& format = FormatOf(DataType::kFloat);
  const ExactValue max = Decode(format, line.max);
  const ExactValue min = Decode(format, line.min);
  const auto is_finite = [](const ExactValue& value) {
    return value.value_class == ValueClass::kZero ||
           value.value_class == ValueClass::kFinite;
  };
  const bool is_range = (max.value_class == ValueClass::kZero || !max.negative) &&
                        (min.value_class == ValueClass::kZero || min.negative);
  if (!is_finite(max) || !is_finite(min) || !is_range) {
    return Error{"dynamic-line: the range from " +
                 CodeToString(DataType::kFloat, line.min) + " to " +
                 CodeToString(DataType::kFloat, line.max) +
                 ": expected finite ends, --min at most 0 and --max at least 0"};
  }
  Proof proof;
  proof.kind = "dynamic-line";
  proof.question = {{"operator", "DynamicQuantizeLinear"},
                    {"max", CodeToString(DataType::kFloat, line.max)},
                    {"min", CodeToString(DataType::kFloat, line.min)}};
  if (const std::string reading = ReadingOf(line); !reading.empty()) {
    proof.question.push_back({"reading", reading});
  }
  proof.ran = "models of one node, with x fed; each has the ends of the range";
  proof.inputs = "all FLOAT x from min to max";
  proof.assumed = {"the oracle is asked every input; nothing is assumed of its answers"};
  proof.expected_inputs = Chunks(line).range.count;
  proof.plan.identity = IdentityOf(proof);
  proof.plan.chunks = Chunks(line).chunks();
  proof.plan.make_worker = [line, make_asker]() -> Result<std::unique_ptr<ChunkWorker>> {
    return std::unique_ptr<ChunkWorker>(std::make_unique<Worker>(line, make_asker()));
  };
  return proof;
}

std::vector<Line> OtherReadings(const Line& line) {
  std::vector<Line> others;
  for (const Readings& readings : ReadingCombinations()) {
    if (readings == Readings()) continue;
    others.push_back(line);
    others.back().readings = readings;
  }
  return others;
}

bool Explains(const Line& line, const SweepMismatch& mismatch) {
  const auto expected = Expected(line, CaseOf(line, {mismatch.x}));
  if (!expected) return false;
  // A mismatch does not say of which output it is. Codes above 255 are scales.
  const auto allows = [&](size_t output, size_t index) {
    const Answer& answer = (*expected)[output];
    return Allows(answer.type, answer.elements[index], mismatch.actual);
  };
  if (mismatch.actual > 255 || mismatch.expected > 255) return allows(1, 0);
  return allows(0, kEnds) || allows(2, 0);
}

std::string ReadingOf(const Line& line) {
  if (line.readings == Readings()) return "";
  return Spell(NamesOf(line.readings));
}

StoredCase MismatchCase(const Line& line, const SweepMismatch& mismatch) {
  StoredCase made = CaseOf(line, {mismatch.x});
  made.why = "found by a sweep: expected " + std::to_string(mismatch.expected) +
             ", answered " + std::to_string(mismatch.actual);
  return made;
}

}  // namespace qconform::dynamic_quantize_linear
