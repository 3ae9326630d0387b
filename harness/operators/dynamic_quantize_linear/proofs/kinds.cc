// `qconform prove dynamic-line`.
#include <memory>
#include <string>
#include <utility>

#include "harness/core/operand_text.h"
#include "harness/core/proofs/proof_kind.h"
#include "harness/operators/dynamic_quantize_linear/proofs/line.h"

namespace qconform::dynamic_quantize_linear {
namespace {

class Task : public ProofTask {
 public:
  Task(const Line& line, MakeModelAsker make_asker)
      : line_(line), make_asker_(std::move(make_asker)) {}

  Result<Proof> Prove() const override { return ProveLine(line_, make_asker_); }
  DataType x() const override { return DataType::kFloat; }
  // y's codes, and those of y_scale.
  DataType y() const override { return DataType::kInt32; }
  std::string reading() const override { return ReadingOf(line_); }
  std::vector<std::unique_ptr<ProofTask>> OtherReadings() const override {
    std::vector<std::unique_ptr<ProofTask>> others;
    for (const Line& other : dynamic_quantize_linear::OtherReadings(line_)) {
      others.push_back(std::make_unique<Task>(other, make_asker_));
    }
    return others;
  }
  bool Explains(const SweepMismatch& mismatch) const override {
    return dynamic_quantize_linear::Explains(line_, mismatch);
  }
  StoredCase CaseOf(const SweepMismatch& mismatch) const override {
    return MismatchCase(line_, mismatch);
  }

 private:
  Line line_;
  MakeModelAsker make_asker_;
};

class LineKind : public ProofKind {
 public:
  std::string_view name() const override { return "dynamic-line"; }
  std::string_view help() const override {
    return "DynamicQuantizeLinear: all x of one range";
  }
  std::string_view example_reading() const override { return "DYN-01:fused_range"; }
  std::vector<FlagInfo> flags() const override {
    return {{.name = "--max",
             .help = "The largest x, or 0: a FLOAT value, or 0x and its code",
             .is_required = true},
            {.name = "--min",
             .help = "The smallest x, or 0",
             .initial = {.text = "0"},
             .shows_initial = true}};
  }
  Result<std::unique_ptr<ProofTask>> Make(const FlagValues& values,
                                          const ProofSubject& subject) const override {
    Line line;
    for (const auto& [name, code] :
         {std::pair("--max", &line.max), std::pair("--min", &line.min)}) {
      const auto parsed = ParseOperand(DataType::kFloat, values.at(name).text, name);
      if (!parsed) return parsed.error();
      *code = *parsed;
    }
    return std::unique_ptr<ProofTask>(std::make_unique<Task>(line, subject.make_asker));
  }
};

}  // namespace

const ProofKinds& GetProofKinds();
const ProofKinds& GetProofKinds() {
  static const LineKind line;
  static const ProofKinds kinds{&line};
  return kinds;
}

}  // namespace qconform::dynamic_quantize_linear
