// `qconform prove integer-products` and `integer-pairs`.
#include <memory>
#include <string>
#include <utility>

#include "harness/core/operand_text.h"
#include "harness/core/proofs/proof_kind.h"
#include "harness/operators/mat_mul_integer/proofs/sums.h"
#include "oracle/base/expected.h"

namespace qconform::mat_mul_integer {
namespace {

FlagInfo TypesFlag() {
  return {
      .name = "types", .help = "Types of A and B", .type = "A-B", .is_required = true};
}

Result<Sums> SumsOf(const FlagValues& values) {
  const std::string& text = values.at("types").text;
  const size_t dash = text.find('-');
  const auto type = [&](const std::string& name) {
    const auto parsed = ParseDataType(name);
    const bool is_right =
        parsed && (*parsed == DataType::kInt8 || *parsed == DataType::kUint8);
    return is_right ? *parsed : DataType::kUndefined;
  };
  Sums sums;
  if (dash != std::string::npos) {
    sums.a = type(text.substr(0, dash));
    sums.b = type(text.substr(dash + 1));
  }
  if (sums.a == DataType::kUndefined || sums.b == DataType::kUndefined) {
    return Expected("types", "A-B of INT8 and UINT8, such as UINT8-INT8",
                    "'" + text + "'");
  }
  return sums;
}

class Task : public ProofTask {
 public:
  using Prover = Result<Proof> (*)(const Sums& sums, MakeModelAsker make_asker);
  using MakeCase = StoredCase (*)(const Sums& sums, const SweepMismatch& mismatch);

  Task(const Sums& sums, Prover prove, MakeCase make_case, MakeModelAsker make_asker)
      : sums_(sums),
        prove_(prove),
        make_case_(make_case),
        make_asker_(std::move(make_asker)) {}

  Result<Proof> Prove() const override { return prove_(sums_, make_asker_); }
  // Two codes of A.
  DataType x() const override { return DataType::kUint16; }
  DataType y() const override { return DataType::kInt32; }
  std::string reading() const override { return ""; }
  std::vector<std::unique_ptr<ProofTask>> OtherReadings() const override { return {}; }
  bool Explains(const SweepMismatch&) const override { return false; }
  StoredCase CaseOf(const SweepMismatch& mismatch) const override {
    return make_case_(sums_, mismatch);
  }

 private:
  Sums sums_;
  Prover prove_;
  MakeCase make_case_;
  MakeModelAsker make_asker_;
};

class ProductsKind : public ProofKind {
 public:
  std::string_view name() const override { return "integer-products"; }
  std::string_view help() const override {
    return "MatMulInteger: all products of differences, 2^32";
  }
  std::string_view example_reading() const override { return ""; }
  std::vector<FlagInfo> flags() const override { return {TypesFlag()}; }
  Result<std::unique_ptr<ProofTask>> Make(const FlagValues& values,
                                          const ProofSubject& subject) const override {
    const auto sums = SumsOf(values);
    if (!sums) return sums.error();
    return std::unique_ptr<ProofTask>(
        std::make_unique<Task>(*sums, ProveProducts, ProductsCase, subject.make_asker));
  }
};

class PairsKind : public ProofKind {
 public:
  std::string_view name() const override { return "integer-pairs"; }
  std::string_view help() const override {
    return "MatMulInteger: all sums of two products, 2^32";
  }
  std::string_view example_reading() const override { return ""; }
  std::vector<FlagInfo> flags() const override {
    return {TypesFlag(),
            {.name = "--a-zero-point", .help = "Of A; 0 if it is not given"},
            {.name = "--b-zero-point", .help = "Of B; 0 if it is not given"}};
  }
  Result<std::unique_ptr<ProofTask>> Make(const FlagValues& values,
                                          const ProofSubject& subject) const override {
    auto sums = SumsOf(values);
    if (!sums) return sums.error();
    for (const auto& [name, type, code] :
         {std::tuple("--a-zero-point", sums->a, &sums->a_zero_point),
          std::tuple("--b-zero-point", sums->b, &sums->b_zero_point)}) {
      const std::string& text = values.at(name).text;
      if (text.empty()) continue;
      const auto parsed = ParseOperand(type, text, name);
      if (!parsed) return parsed.error();
      *code = *parsed;
    }
    return std::unique_ptr<ProofTask>(
        std::make_unique<Task>(*sums, ProvePairs, PairsCase, subject.make_asker));
  }
};

}  // namespace

const ProofKinds& GetProofKinds();
const ProofKinds& GetProofKinds() {
  static const ProductsKind products;
  static const PairsKind pairs;
  static const ProofKinds kinds{&products, &pairs};
  return kinds;
}

}  // namespace qconform::mat_mul_integer
