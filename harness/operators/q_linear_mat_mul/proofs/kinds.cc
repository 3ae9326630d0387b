// `qconform prove accumulators`.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/core/operand_text.h"
#include "harness/core/proofs/proof_kind.h"
#include "harness/operators/q_linear_mat_mul/proofs/accumulators.h"
#include "oracle/base/expected.h"
#include "oracle/formats/number_format.h"

namespace qconform::q_linear_mat_mul {
namespace {

Result<QLinearMatMulSums> SumsOf(const FlagValues& values) {
  QLinearMatMulSums sums;
  const std::string& type = values.at("--y").text;
  const auto y = ParseDataType(type);
  if (!y || (*y != DataType::kUint8 && *y != DataType::kInt8 && !IsFloat8(*y))) {
    return Expected("--y", "UINT8, INT8 or a float8 type", "'" + type + "'");
  }
  sums.y = *y;
  for (const auto& [name, code] :
       {std::pair("--a-scale", &sums.a_scale), std::pair("--b-scale", &sums.b_scale),
        std::pair("--y-scale", &sums.y_scale)}) {
    const auto parsed = ParseOperand(sums.scale, values.at(name).text, name);
    if (!parsed) return parsed.error();
    *code = *parsed;
  }
  if (const std::string& text = values.at("--zero-point").text; !text.empty()) {
    const auto parsed = ParseOperand(sums.y, text, "--zero-point");
    if (!parsed) return parsed.error();
    sums.y_zero_point = *parsed;
  }
  return sums;
}

class AccumulatorsTask : public ProofTask {
 public:
  AccumulatorsTask(const QLinearMatMulSums& sums, ProofSubject subject)
      : sums_(sums), subject_(std::move(subject)) {}

  Result<Proof> Prove() const override {
    return subject_.kernel_target
               ? ProveAccumulators(sums_, *subject_.kernel_target)
               : ProveAccumulatorBoundaries(sums_, subject_.make_asker);
  }
  DataType x() const override { return DataType::kInt32; }
  DataType y() const override { return sums_.y; }
  std::string reading() const override { return ReadingOf(sums_); }
  std::vector<std::unique_ptr<ProofTask>> OtherReadings() const override {
    std::vector<std::unique_ptr<ProofTask>> others;
    for (const QLinearMatMulSums& sums : q_linear_mat_mul::OtherReadings(sums_)) {
      others.push_back(std::make_unique<AccumulatorsTask>(sums, subject_));
    }
    return others;
  }
  bool Explains(const SweepMismatch& mismatch) const override {
    return q_linear_mat_mul::Explains(sums_, mismatch);
  }
  std::string advice() const override {
    return "qconform run and replay tell whether they lie within the bound of MM-02";
  }
  StoredCase CaseOf(const SweepMismatch& mismatch) const override {
    return MismatchCase(sums_, mismatch);
  }

 private:
  QLinearMatMulSums sums_;
  ProofSubject subject_;
};

class AccumulatorsKind : public ProofKind {
 public:
  std::string_view name() const override { return "accumulators"; }
  std::string_view help() const override {
    return "All 2^32 sums through QLinearMatMul's requantization";
  }
  std::vector<FlagInfo> flags() const override {
    return {{.name = "--a-scale",
             .help = "FLOAT values, or 0x and their codes",
             .initial = {.text = "1"},
             .shows_initial = true},
            {.name = "--b-scale",
             .help = "",
             .initial = {.text = "1"},
             .shows_initial = true},
            {.name = "--y-scale",
             .help = "",
             .initial = {.text = "1"},
             .shows_initial = true},
            {.name = "--y",
             .help = "Type of y",
             .initial = {.text = "UINT8"},
             .shows_initial = true},
            {.name = "--zero-point", .help = "Of y; 0 if it is not given"}};
  }
  std::string_view example_reading() const override {
    return "MM-02:f32_multiplier_ab_first";
  }
  Result<std::unique_ptr<ProofTask>> Make(const FlagValues& values,
                                          const ProofSubject& subject) const override {
    const auto sums = SumsOf(values);
    if (!sums) return sums.error();
    return std::unique_ptr<ProofTask>(std::make_unique<AccumulatorsTask>(*sums, subject));
  }
};

}  // namespace

const ProofKinds& GetProofKinds() {
  static const AccumulatorsKind accumulators;
  static const ProofKinds kinds{&accumulators};
  return kinds;
}

}  // namespace qconform::q_linear_mat_mul
