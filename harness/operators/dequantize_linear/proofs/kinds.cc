// `qconform prove products-line` and `products-plane`.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cases/lattice/lattice.h"
#include "harness/core/operand_text.h"
#include "harness/core/proofs/proof_kind.h"
#include "harness/operators/dequantize_linear/proofs/products.h"
#include "oracle/base/expected.h"

namespace qconform::dequantize_linear {
namespace {

constexpr const char* kOpType = "DequantizeLinear";
constexpr int kFirstWithAxes = 13;

std::vector<FlagInfo> CommonFlags() {
  return {{.name = "types",
           .help = "Types of x, x_scale and y",
           .type = "X-SCALE-Y",
           .is_required = true},
          {.name = "--zero-point",
           .help = "A value of x's type, or 0x and its code; absent: no x_zero_point"},
          {.name = "--since-version",
           .help = "Of DequantizeLinear; the newest if it is not given",
           .form = FlagInfo::Form::kInteger}};
}

// The types of X-SCALE-Y; they are those of a cell, or an Error.
Result<Types> TypesOf(const std::string& text, int since_version) {
  std::vector<DataType> types;
  std::string rest = text + "-";
  for (size_t at; (at = rest.find('-')) != std::string::npos; rest.erase(0, at + 1)) {
    types.push_back(ParseDataType(rest.substr(0, at)).value_or(DataType::kUndefined));
  }
  for (const Cell& cell : CellsOf(kOpType)) {
    if (cell.types != types || cell.since_version != since_version) continue;
    return Types{since_version, types[0], types[1], types[2]};
  }
  return Expected("types",
                  "X-SCALE-Y of DequantizeLinear of since_version " +
                      std::to_string(since_version) + ", such as INT8-FLOAT-FLOAT",
                  "'" + text + "'", "'qconform list cells --ids' prints them");
}

Result<Products> ProductsOf(const FlagValues& values) {
  int since_version = values.at("--since-version").integer;
  if (since_version == 0)
    since_version = qconform::SinceVersions(kOpType).back().since_version;
  if (since_version < kFirstWithAxes) {
    return Expected("--since-version", "13 or newer", std::to_string(since_version));
  }
  const auto types = TypesOf(values.at("types").text, since_version);
  if (!types) return types.error();
  Products products{.types = *types};
  if (const std::string& text = values.at("--zero-point").text; !text.empty()) {
    const auto code = ParseOperand(types->x, text, "--zero-point");
    if (!code) return code.error();
    products.zero_point = *code;
  }
  return products;
}

class Task : public ProofTask {
 public:
  using Prover = Result<Proof> (*)(const Products& products, MakeModelAsker make_asker);

  Task(Products products, Prover prove, MakeModelAsker make_asker)
      : products_(products), prove_(prove), make_asker_(std::move(make_asker)) {}

  Result<Proof> Prove() const override { return prove_(products_, make_asker_); }
  DataType x() const override { return products_.types.x; }
  DataType y() const override { return products_.types.y; }
  std::string reading() const override { return ReadingOf(products_); }
  std::vector<std::unique_ptr<ProofTask>> OtherReadings() const override {
    std::vector<std::unique_ptr<ProofTask>> others;
    for (const Products& other : dequantize_linear::OtherReadings(products_)) {
      others.push_back(std::make_unique<Task>(other, prove_, make_asker_));
    }
    return others;
  }
  bool Explains(const SweepMismatch& mismatch) const override {
    return dequantize_linear::Explains(products_, mismatch);
  }
  StoredCase CaseOf(const SweepMismatch& mismatch) const override {
    return MismatchCase(products_, mismatch);
  }

 private:
  Products products_;
  Prover prove_;
  MakeModelAsker make_asker_;
};

class LineKind : public ProofKind {
 public:
  std::string_view name() const override { return "products-line"; }
  std::string_view help() const override {
    return "DequantizeLinear: one code of x, or each, by all scales";
  }
  std::string_view example_reading() const override { return "DQ-10:zero_sign_dropped"; }
  std::vector<FlagInfo> flags() const override {
    std::vector<FlagInfo> flags = CommonFlags();
    flags.push_back(
        {.name = "--x",
         .help = "A value of x's type, or 0x and its code; absent: each code"});
    return flags;
  }
  Result<std::unique_ptr<ProofTask>> Make(const FlagValues& values,
                                          const ProofSubject& subject) const override {
    auto products = ProductsOf(values);
    if (!products) return products.error();
    if (const std::string& text = values.at("--x").text; !text.empty()) {
      const auto code = ParseOperand(products->types.x, text, "--x");
      if (!code) return code.error();
      products->x = *code;
    }
    return std::unique_ptr<ProofTask>(
        std::make_unique<Task>(*products, ProveLines, subject.make_asker));
  }
};

class PlaneKind : public ProofKind {
 public:
  std::string_view name() const override { return "products-plane"; }
  std::string_view help() const override {
    return "DequantizeLinear: all x by all scales of 16 bits";
  }
  std::string_view example_reading() const override { return "DQ-03:f32_product"; }
  std::vector<FlagInfo> flags() const override { return CommonFlags(); }
  Result<std::unique_ptr<ProofTask>> Make(const FlagValues& values,
                                          const ProofSubject& subject) const override {
    const auto products = ProductsOf(values);
    if (!products) return products.error();
    return std::unique_ptr<ProofTask>(
        std::make_unique<Task>(*products, ProvePlane, subject.make_asker));
  }
};

}  // namespace

const ProofKinds& GetProofKinds();
const ProofKinds& GetProofKinds() {
  static const LineKind line;
  static const PlaneKind plane;
  static const ProofKinds kinds{&line, &plane};
  return kinds;
}

}  // namespace qconform::dequantize_linear
