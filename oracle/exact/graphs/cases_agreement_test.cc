// Oracle and judge agree on what the families of graphs are asked at level standard: on
// all of it, or on as many elements of each family as QCONFORM_JUDGE_CASES says.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cases/core/case.h"
#include "cases/core/operator_cases.h"
#include "cases/lattice/lattice.h"
#include "oracle/base/node.h"
#include "oracle/exact/graphs/testing/graph_comparison.h"
#include "oracle/exact/graphs/testing/graph_problem.h"
#include "oracle/exact/graphs/testing/graph_questions.h"

namespace qconform {
namespace {

constexpr uint64_t kSeed = 1;

agreement::GraphQuestion QuestionOf(const OpCase& made) {
  agreement::GraphQuestion question;
  question.opset = made.key.opset_version;
  std::vector<int> since_versions;
  for (const Node& node : made.model.node.body) {
    since_versions.push_back(agreement::SinceVersionOf(node.op_type, question.opset));
  }
  question.graph = agreement::JudgeGraph(made.model.node, since_versions);
  for (size_t i = 0; i < made.operands.size(); ++i) {
    question.inputs[made.model.node.inputs[i]] =
        agreement::Unpack(made.operands[i].view());
  }
  return question;
}

TEST(GraphCasesAgreement, AllContentsOfTheFamilies) {
  const int64_t wanted = agreement::CaseCount(4'000);
  int64_t differences = 0;
  for (const OperatorCases* family : AllOperatorCases()) {
    if (!IsGraphFamily(family->op_type)) continue;
    std::vector<CaseKey> keys;
    for (const SinceVersion& version : SinceVersions(family->op_type)) {
      for (const Cell& cell : CellsOf(family->op_type)) {
        if (cell.since_version != version.since_version) continue;
        for (CaseKey& key : ContentsOf(cell, version, Level::kStandard)) {
          keys.push_back(std::move(key));
        }
      }
    }
    agreement::Tally tally;
    // Far ones follow each other, so that a part of them is of all cells.
    constexpr size_t kStride = 1009;  // a prime
    const auto count = static_cast<int64_t>(keys.size());
    agreement::InParallel(count, [&](int64_t turn) {
      if (tally.elements >= wanted) return;
      agreement::Random random(static_cast<uint64_t>(turn));
      const CaseKey& key = keys[static_cast<size_t>(turn) * kStride % keys.size()];
      const Result<OpCase> made = MakeCase(key, kSeed);
      if (!made.ok()) return tally.AddRefusal(made.error().message);
      agreement::AskBoth(QuestionOf(*made), random, tally);
    });
    tally.Print(std::string(family->op_type).c_str());
    differences += tally.Wrong();
    EXPECT_LE(tally.AtBounds(), tally.bounds / 20) << family->op_type;
  }
  EXPECT_EQ(differences, 0);
}

}  // namespace
}  // namespace qconform
