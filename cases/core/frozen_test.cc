// The lists of the levels are frozen, and so are the contents of the ids.
#include <gtest/gtest.h>

#include <bit>
#include <cstdio>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

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

// Adds the names of a node's inputs, and its attributes.
void AddNode(const Node& node, generators::Fnv1a64& hash) {
  for (const std::string& name : node.inputs) hash.Text(name + "\n");
  for (const Attribute& attribute : node.attributes) {
    hash.Text(attribute.name + "=");
    std::visit(
        [&](const auto& value) {
          using Value = std::decay_t<decltype(value)>;
          if constexpr (std::is_same_v<Value, int64_t>) {
            hash.Number(static_cast<uint64_t>(value));
          } else if constexpr (std::is_same_v<Value, float>) {
            hash.Number(std::bit_cast<uint32_t>(value), 4);
          } else if constexpr (std::is_same_v<Value, std::string>) {
            hash.Text(value + "\n");
          } else {
            for (const int64_t number : value) hash.Number(static_cast<uint64_t>(number));
          }
        },
        attribute.value);
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
  AddNode(made.model.node, hash);
  for (const Node& node : made.model.node.body) {  // of a graph
    hash.Text(node.op_type + "\n");
    AddNode(node, hash);
    for (const std::string& name : node.outputs) hash.Text(name + "\n");
  }
  return hash.hash();
}

// The keys of the contents that an operator's definitions after one opset_version, up to
// another, are asked at the level standard.
std::vector<CaseKey> Contents(std::string_view op_type, int after, int last) {
  std::vector<CaseKey> contents;
  const SinceVersion any{.since_version = 0, .opset_versions = {0}};
  for (const Cell& cell : CellsOf(op_type)) {
    if (cell.since_version <= after || cell.since_version > last) continue;
    for (CaseKey& key : CasesOf(cell, any, Level::kStandard)) {
      if (key.form != OperandForm::kInputs) continue;
      key.opset_version = cell.since_version;
      contents.push_back(std::move(key));
    }
  }
  return contents;
}

// Every 1009th of them, all in one digest: the same with every compiler, on every
// machine. Operators with few contents have the first of these steps that takes more
// than 25.
uint64_t DigestOfContents(std::string_view op_type, int after, int last) {
  const std::vector<CaseKey> contents = Contents(op_type, after, last);
  size_t step = 1;
  for (const size_t candidate : {11, 101, 1009}) {
    if (contents.size() / candidate > 25) step = candidate;
  }
  generators::Fnv1a64 hash;
  for (size_t i = step - 1; i < contents.size(); i += step) {
    const Result<OpCase> made = MakeCase(contents[i], 1);
    EXPECT_TRUE(made.ok()) << CaseId(contents[i]);
    if (!made) return 0;
    hash.Number(ContentDigest(*made));
  }
  return hash.hash();
}

TEST(Frozen, Contents_HaveTheirDigests) {
  for (const OperatorCases* cases : AllOperatorCases()) {
    int after = 0;
    for (const FrozenLevels& frozen : FrozenLevelsOf(cases->op_type)) {
      EXPECT_EQ(Hex(DigestOfContents(cases->op_type, after, frozen.opset_version)),
                Hex(frozen.contents))
          << "Contents of equal ids of " << cases->op_type << ", up to opset_version "
          << frozen.opset_version
          << ", have changed. The generators that did need a higher version "
             "(GeneratorInfo), and FrozenLevels::contents needs to be the first digest.";
      after = frozen.opset_version;
    }
  }
}

}  // namespace
}  // namespace qconform
