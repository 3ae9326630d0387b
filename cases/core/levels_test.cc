// Makes every case of a level: sizes, soundness, speed.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <iostream>
#include <map>
#include <span>

#include "cases/core/case.h"
#include "cases/core/operator_cases.h"
#include "cases/model/serialize.h"
#include "oracle/core/operator.h"
#include "oracle/tensor/tensor.h"

namespace qconform {
namespace {

constexpr uint64_t kSeed = 1;
// Of a content of an operator with many cells; those with few may have larger ones.
constexpr int64_t kMostElements = 4096;
// Of `sizes`, a few cells: what kernels cut into parts.
constexpr int64_t kMostSplitElements = 66'049;
constexpr size_t kManyCells = 400;
constexpr int64_t kMostProducts = 2'100'000;
constexpr int64_t kMostProductsOfSizes = 1'300'000;

// Calls `visit(key, case)` once for each content of a level, in the form
// `initializers` where every second content is concerned.
template <typename Visit>
void ForEachContent(std::string_view op_type, Level level, Visit visit) {
  std::map<int, SinceVersion> versions;
  for (const SinceVersion& version : SinceVersions(op_type)) {
    versions[version.since_version] = version;
  }
  const bool has_parameters = FindOperatorCases(op_type)->has_parameters;
  int64_t turn = 0;
  for (const Cell& cell : CellsOf(op_type)) {
    std::string last;
    for (const CaseKey& key : CasesOf(cell, versions.at(cell.since_version), level)) {
      std::string content = ContentId(key);
      if (content == last) continue;
      last = std::move(content);
      CaseKey asked = key;
      if (++turn % 2 == 0 && has_parameters) asked.form = OperandForm::kInitializers;
      const Result<OpCase> made = MakeCase(asked, kSeed);
      ASSERT_TRUE(made.ok()) << made.error().message;
      visit(asked, *made);
    }
  }
}

struct Totals {
  int64_t contents = 0;
  int64_t elements = 0;  // of y
  int64_t largest = 0;
  int64_t products = 0;  // of QLinearMatMul
};

Totals Count(std::string_view op_type, Level level) {
  Totals totals;
  std::string cell;
  int64_t of_cell = 0;
  int64_t of_sizes = 0;  // which are asked once
  std::map<std::string, int> of_generator;
  const auto share =
      static_cast<int64_t>(std::max<size_t>(kManyCells / CellsOf(op_type).size(), 1));
  ForEachContent(op_type, level, [&](const CaseKey& key, const OpCase& made) {
    const int64_t elements = ElementCount(made.model.outputs[0].shape).value();
    const int64_t split = key.generator == "sizes" ? kMostSplitElements : 0;
    EXPECT_LE(elements, std::max(split, kMostElements * share)) << CaseId(key);
    ++totals.contents;
    totals.elements += elements;
    totals.largest = std::max(totals.largest, elements);
    if (op_type != "QLinearMatMul") return;
    if (cell != CellId(key.cell)) {
      cell = CellId(key.cell);
      of_cell = 0;
      of_sizes = 0;
      of_generator.clear();
    }
    const int64_t products = elements * made.operands[0].shape.back();
    totals.products += products;
    if (key.generator == "sizes") {
      of_sizes += products;
      EXPECT_LE(of_sizes, kMostProductsOfSizes) << cell;
      return;
    }
    // `parameters` is asked the first, third, ... of each generator.
    of_cell += (of_generator[key.generator]++ % 2 == 0 ? 3 : 2) * products;
    EXPECT_LE(of_cell, kMostProducts) << cell;
  });
  return totals;
}

TEST(Levels, SizesAndSpeed) {
  for (const std::string& op_type : JudgedOperators()) {
    for (const Level level : {Level::kSmoke, Level::kStandard}) {
      const std::clock_t start = std::clock();  // processor time
      const Totals totals = Count(op_type, level);
      const std::clock_t spent = std::clock() - start;
      EXPECT_GT(totals.contents, 0);
      const int64_t ms = static_cast<int64_t>(spent) * 1000 / CLOCKS_PER_SEC;
      std::cout << op_type << " " << LevelName(level) << ": " << totals.contents
                << " contents, " << totals.elements << " elements, at most "
                << totals.largest << " in one, " << totals.products << " products; " << ms
                << " ms, " << ms * 1000000 / std::max<int64_t>(totals.elements, 1)
                << " ns per element\n";
    }
  }
}

TEST(Levels, Operands_AgreeWithTheModel) {
  const auto check = [](const CaseKey& key, const OpCase& made) {
    ASSERT_EQ(made.inputs.size(), made.model.inputs.size()) << CaseId(key);
    for (size_t i = 0; i < made.inputs.size(); ++i) {
      const Tensor& tensor = made.inputs[i];
      EXPECT_EQ(tensor.type, made.model.inputs[i].type);
      EXPECT_EQ(tensor.shape, made.model.inputs[i].shape);
      EXPECT_EQ(tensor.data.size(),
                PackedByteSize(tensor.type, ElementCount(tensor.shape).value()));
    }
  };
  for (const std::string& op_type : JudgedOperators()) {
    ForEachContent(op_type, Level::kSmoke, check);
  }
}

TEST(Levels, Models_PassTheCheckerAndShapeInference) {
  int64_t checked = 0;
  const auto check = [&](const CaseKey& key, const OpCase& made) {
    const Status status = CheckModel(SerializeModel(made.model));
    EXPECT_TRUE(status.ok()) << CaseId(key) << ": " << status.error().message;
    ++checked;
  };
  for (const std::string& op_type : JudgedOperators()) {
    ForEachContent(op_type, Level::kSmoke, check);
    // Standard: a sample that goes through all places of the list. (The longest
    // operands are left out: the checker copies them.)
    int64_t turn = 0;
    ForEachContent(op_type, Level::kStandard,
                   [&](const CaseKey& key, const OpCase& made) {
                     if (++turn % 17 == 0 && key.generator != "overflow")
                       check(key, made);
                   });
  }
  EXPECT_GT(checked, 2 * 2148);
}

// How many products make one element of y: the last axis of x, or all of a kernel but its
// output channels. A matrix of weights has y's last axis.
int64_t TermsOf(std::string_view op_type, const OpCase& made) {
  const std::span<const OperandInfo> operands = FindOperator(op_type)->operands();
  const auto info = std::ranges::find(operands, OperandRole::kWeight, &OperandInfo::role);
  const Shape& weights =
      made.operands[static_cast<size_t>(info - operands.begin())].shape;
  const bool is_kernel =
      weights.size() > 2 && weights.back() != made.model.outputs[0].shape.back();
  return is_kernel ? *ElementCount(weights) / weights.front()
                   : made.operands[0].shape.back();
}

// Beyond standard: x, or the products of one y, that no kernel does in one part.
TEST(Levels, Exhaustive_AddsTensorsThatAreCutIntoParts) {
  constexpr int64_t kManyElements = 128 * 1024;
  constexpr int64_t kManyProducts = 150'000;
  for (const std::string& op_type : JudgedOperators()) {
    const SinceVersion any{.since_version = 0, .opset_versions = {0}};
    std::map<Shape, int> shapes;  // of y
    size_t turn = 0;
    const std::vector<Cell> cells = CellsOf(op_type);
    const size_t forms = OperandFormsOf(op_type).size();
    for (const Cell& cell : cells) {
      const auto keys = CasesOf(cell, any, Level::kExhaustive);
      const auto of_standard = CasesOf(cell, any, Level::kStandard);
      // Two contents; only the first one is asked in the third form, if there is one.
      const size_t more = forms == 3 ? 5 : 2 * forms;
      if (FindOperatorCases(op_type)->cells) {  // graphs are asked nothing more
        EXPECT_EQ(keys, of_standard) << CellId(cell);
        continue;
      }
      ASSERT_EQ(keys.size(), of_standard.size() + more) << CellId(cell);
      ASSERT_TRUE(std::equal(of_standard.begin(), of_standard.end(), keys.begin()));
      if (++turn % 41 != 0 && cells.size() > 400) continue;
      for (size_t i = of_standard.size(); i < keys.size(); ++i) {
        CaseKey key = keys[i];
        if (key.form != OperandForm::kInputs) continue;
        key.opset_version = cell.since_version;
        const Result<OpCase> made = MakeCase(key, kSeed);
        ASSERT_TRUE(made.ok()) << made.error().message;
        const Shape& y = made->model.outputs[0].shape;
        const int64_t elements = ElementCount(y).value();
        ++shapes[y];
        if (!FindOperatorCases(op_type)->has_weights) {
          EXPECT_GE(elements, kManyElements) << CaseId(key);
        } else {
          EXPECT_GE(elements * TermsOf(op_type, *made), kManyProducts) << CaseId(key);
        }
      }
    }
    if (FindOperatorCases(op_type)->cells) continue;
    EXPECT_GE(shapes.size(), std::min<size_t>(8, 2 * cells.size())) << op_type;
  }
}

}  // namespace
}  // namespace qconform
