// The lists of the levels are frozen, and so are the contents of the ids.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "cases/core/case.h"
#include "cases/core/counter_rng.h"
#include "cases/core/levels.h"
#include "cases/core/operator_cases.h"

namespace qconform {
namespace {

std::string Hex(uint64_t value) {
  char text[19];
  std::snprintf(text, sizeof text, "0x%016llx", static_cast<unsigned long long>(value));
  return text;
}

TEST(Frozen, Levels_HaveTheirDigests) {
  for (const OperatorCases* cases : AllOperatorCases()) {
    const std::string_view op_type = cases->op_type;
    const std::span<const FrozenLevels> frozen = FrozenLevelsOf(op_type);
    ASSERT_FALSE(frozen.empty()) << op_type;
    for (size_t entry = 0; entry < frozen.size(); ++entry) {
      for (const Level level : kAllLevels) {
        EXPECT_EQ(Hex(LevelDigest(op_type, level, entry)),
                  Hex(frozen[entry].digests[static_cast<size_t>(level)]))
            << "The list of " << op_type << " at level " << LevelName(level)
            << ", up to opset_version " << frozen[entry].opset_version
            << ", has changed. If that is meant, put the first digest into "
               "OperatorCases::frozen_levels and say in the commit what is asked now and "
               "was not before.";
      }
    }
    // No definition is left out.
    if (const auto versions = SinceVersions(op_type); !versions.empty()) {
      EXPECT_LE(versions.back().since_version, frozen.back().opset_version) << op_type;
    }
  }
}

// Returns the digest of operands and attributes of a content.
uint64_t ContentDigest(const OpCase& made) {
  generators::Fnv1a64 hash;
  for (const Tensor& operand : made.operands) {
    hash.Number(static_cast<uint64_t>(operand.type), 4);
    hash.Number(operand.shape.size());
    for (const int64_t dimension : operand.shape) {
      hash.Number(static_cast<uint64_t>(dimension));
    }
    for (const std::byte byte : operand.data) hash.Byte(static_cast<uint8_t>(byte));
  }
  for (const std::string& name : made.model.node.inputs) hash.Text(name + "\n");
  for (const Attribute& attribute : made.model.node.attributes) {
    hash.Text(attribute.name + "=");
    hash.Number(static_cast<uint64_t>(std::get<int64_t>(attribute.value)));
  }
  return hash.hash();
}

// Every 1009th content of the level standard, all in one digest: the same with
// every compiler, on every machine.
// Of the definitions after one opset_version, up to another.
std::string DigestOfContents(std::string_view op_type, int after, int last) {
  generators::Fnv1a64 hash;
  int64_t turn = 0;
  int64_t taken = 0;
  const SinceVersion any{.since_version = 0, .opset_versions = {0}};
  for (const Cell& cell : CellsOf(op_type)) {
    if (cell.since_version <= after || cell.since_version > last) continue;
    for (CaseKey key : CasesOf(cell, any, Level::kStandard)) {
      if (key.form != OperandForm::kInputs || ++turn % 1009 != 0) continue;
      key.opset_version = cell.since_version;
      const Result<OpCase> made = MakeCase(key, 1);
      EXPECT_TRUE(made.ok()) << CaseId(key);
      if (!made) return "";
      hash.Number(ContentDigest(*made));
      ++taken;
    }
  }
  EXPECT_GT(taken, 25);
  return Hex(hash.hash());
}

TEST(Frozen, Contents_HaveTheirDigests) {
  constexpr std::string_view kChanged =
      "Contents of equal ids have changed: the generators that did need a higher "
      "version (GeneratorInfo), and this digest needs to be the first one.";
  EXPECT_EQ(DigestOfContents("QuantizeLinear", 0, 25), "0xf993d1d7e6415abf") << kChanged;
  EXPECT_EQ(DigestOfContents("QLinearMatMul", 0, 25), "0xaadc57c25585f6bb") << kChanged;
  if (NewestOpsetVersion() < 28) return;
  EXPECT_EQ(DigestOfContents("QuantizeLinear", 25, 28), "0x0280f3a32453198c") << kChanged;
}

}  // namespace
}  // namespace qconform
