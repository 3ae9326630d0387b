// The list of models that no input tells apart: what is computed is what the page lists,
// and no case, nor any FLOAT16 x where that is finite, contradicts it.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "cases/core/case.h"
#include "harness/backends/faulty/decode.h"
#include "harness/core/oracle_model.h"
#include "harness/diagnosis/diagnosis.h"
#include "harness/operators/quantize_linear/faults.h"
#include "harness/runner/selection.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

using quantize_linear::HoldsEveryThreshold;

// The models that a rule could concern: others are equal to nothing but themselves.
std::vector<const Fault*> Candidates() {
  std::vector<const Fault*> faults;
  for (const Fault& fault : Faults()) {
    const FaultSet* set = fault.SetFor("QuantizeLinear");
    if (set == nullptr || fault.has_state) continue;
    const auto& s = set->As<QuantizeLinearSwitches>();
    const bool quotient =
        s.quotient != QuantizeLinearSwitches::Quotient::kCanonical || s.default_precision;
    const bool range = s.overflow == QuantizeLinearSwitches::Overflow::kThroughInt16 ||
                       s.order == QuantizeLinearSwitches::Order::kAfterClamp;
    const bool toward_zero =
        s.rounding == QuantizeLinearSwitches::Rounding::kTowardZero && s.tail_lanes == 0;
    if (quotient || range || toward_zero) faults.push_back(&fault);
  }
  return faults;
}

// One cell of each choice of types of each definition.
std::vector<Cell> CellsOfAllTypes() {
  std::vector<Cell> cells;
  std::set<std::tuple<int, std::vector<DataType>>> seen;
  const auto selected = SelectCells({"QuantizeLinear/*"});
  for (const SelectedCell& one : *selected) {
    if (seen.emplace(one.cell.since_version, one.cell.types).second)
      cells.push_back(one.cell);
  }
  return cells;
}

bool BothDeviate(const Cell& cell, const Fault& a, const Fault& b) {
  return Declare(a, cell).kind != Declaration::Kind::kEquivalent &&
         Declare(b, cell).kind != Declaration::Kind::kEquivalent;
}

std::string PageText() {
  std::ifstream file(std::string(QCONFORM_SOURCE_DIR) + "/docs/planted_faults.md");
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Indistinguishable, Page_ListsWhatIsProved) {
  const std::vector<const Fault*> faults = Candidates();
  std::map<std::pair<std::string, std::string>, std::pair<std::set<std::string>, int>>
      pairs;
  for (const Cell& cell : CellsOfAllTypes()) {
    for (size_t i = 0; i < faults.size(); ++i) {
      for (size_t j = i + 1; j < faults.size(); ++j) {
        if (!BothDeviate(cell, *faults[i], *faults[j])) continue;
        const std::string why = WhyIndistinguishable(cell, *faults[i], *faults[j]);
        if (why.empty()) continue;
        auto& [rules, count] =
            pairs[{std::string(faults[i]->name), std::string(faults[j]->name)}];
        for (size_t at = 0; at < why.size();) {
          const size_t end = std::min(why.find('+', at), why.size());
          rules.insert(why.substr(at, end - at));
          at = end + 1;
        }
        ++count;
      }
    }
  }
  const std::string page = PageText();
  std::set<std::string> rows;
  for (const auto& [names, found] : pairs) {
    std::string rules;
    for (const std::string& rule : found.first)
      rules += (rules.empty() ? "" : ", ") + rule;
    const std::string row = "| `" + names.first + "` | `" + names.second + "` | " +
                            rules + " | " + std::to_string(found.second) + " |\n";
    EXPECT_NE(page.find(row), std::string::npos) << "the page lacks " << row;
    rows.insert(row);
  }
  EXPECT_GT(rows.size(), 3u);
  // And nothing else.
  const size_t head = page.find("| model | from | rules | choices of types |");
  ASSERT_NE(head, std::string::npos);
  const size_t end = page.find("\n\n", head);
  size_t line = page.find('\n', page.find('\n', head) + 1) + 1;
  while (line < end) {
    const size_t next = page.find('\n', line) + 1;
    EXPECT_TRUE(rows.contains(page.substr(line, next - line)))
        << "is not proved: " << page.substr(line, next - line);
    line = next;
  }
}

// Codes of two models for one case; whether they are the same.
bool Agree(const DecodedCase& decoded, const Fault& a, const Fault& b,
           const CaseAnswer& answer) {
  FaultState state_a;
  FaultState state_b;
  const auto codes_a = decoded.CodesOf(a, state_a);
  const auto codes_b = decoded.CodesOf(b, state_b);
  for (size_t i = 0; i < codes_a.size(); ++i) {
    if (codes_a[i] == codes_b[i]) continue;
    const NumberFormat& y = FormatOf(answer.TypeOf(i));
    if (IsNan(y, codes_a[i]) && IsNan(y, codes_b[i])) continue;
    if (answer.elements[i].freedom != Freedom::kNone) continue;
    return false;
  }
  return true;
}

TEST(Indistinguishable, NoCaseTellsThemApart) {
  const std::vector<const Fault*> faults = Candidates();
  int64_t attacked = 0;
  int turn = 0;
  for (const Cell& cell : CellsOfAllTypes()) {
    if (++turn % 9 != 0) continue;
    std::vector<std::pair<const Fault*, const Fault*>> pairs;
    for (size_t i = 0; i < faults.size(); ++i) {
      for (size_t j = i + 1; j < faults.size(); ++j) {
        if (!WhyIndistinguishable(cell, *faults[i], *faults[j]).empty()) {
          pairs.emplace_back(faults[i], faults[j]);
        }
      }
    }
    if (pairs.empty()) continue;
    const SelectedCell selected = (*SelectCells({CellId(cell)}))[0];
    for (const CaseKey& key : CasesOf(cell, selected.versions, Level::kStandard)) {
      if (key.form != OperandForm::kInputs) continue;
      const auto op_case = MakeCase(key, 77);
      ASSERT_TRUE(op_case.ok());
      const std::vector<TensorView> views = ViewsOf(op_case->inputs);
      const auto answer = OracleModel::Create(op_case->model)->Evaluate(views);
      const auto decoded = DecodeCase(op_case->model, cell.since_version, views, *answer);
      for (const auto& [a, b] : pairs) {
        EXPECT_TRUE(Agree(**decoded, *a, *b, *answer))
            << a->name << " and " << b->name << " in " << CaseId(key);
        attacked += static_cast<int64_t>(answer->elements.size());
      }
    }
  }
  EXPECT_GT(attacked, 1'000'000);
}

// Every FLOAT16 x over scales of all kinds: the exact quotient and the one that FLOAT
// holds give one code.
TEST(Indistinguishable, EveryFloat16X_AgreesWithTheExactQuotient) {
  const Fault& exact = *FindFault("exact_quotient");
  const Fault& rounded = *FindFault("float_division");
  const Cell cell =
      (*SelectCells({"QuantizeLinear/25/FLOAT16-FLOAT16-UINT8/per_tensor"}))[0].cell;
  ASSERT_NE(WhyIndistinguishable(cell, exact, rounded), "");
  Model model{.opset_version = 25,
              .ir_version = 11,
              .node = {},
              .inputs = {},
              .outputs = {},
              .initializers = {}};
  model.node.op_type = "QuantizeLinear";
  model.node.inputs = {"x", "y_scale", "y_zero_point"};
  model.node.outputs = {"y"};
  constexpr int64_t kCount = 65536;
  Tensor x{DataType::kFloat16, {kCount}, std::vector<std::byte>(2 * kCount)};
  for (int64_t i = 0; i < kCount; ++i) {
    WriteCode(x.mutable_view(), i, static_cast<uint64_t>(i));
  }
  Tensor scale{DataType::kFloat16, {}, std::vector<std::byte>(2)};
  Tensor zero_point{DataType::kUint8, {}, std::vector<std::byte>(1)};
  int64_t visited = 0;
  for (uint64_t code = 0x0001; code < 0x7C00; code += 0x0281) {  // 50 scales
    WriteCode(scale.mutable_view(), 0, code);
    WriteCode(zero_point.mutable_view(), 0, code & 0xFF);
    const std::vector<TensorView> views{x.view(), scale.view(), zero_point.view()};
    model.inputs = {{"x", x.type, x.shape},
                    {"y_scale", scale.type, scale.shape},
                    {"y_zero_point", zero_point.type, zero_point.shape}};
    const auto answer = OracleModel::Create(model)->Evaluate(views);
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    const auto decoded = DecodeCase(model, 25, views, *answer);
    ASSERT_TRUE(decoded.ok());
    ASSERT_TRUE(Agree(**decoded, exact, rounded, *answer)) << "scale " << code;
    visited += kCount;
  }
  EXPECT_EQ(visited, 50 * kCount);
}

// The rule has a limit: FLOAT does not hold what two FLOAT operands divide into.
TEST(Indistinguishable, TypesWithTooFewDigits_AreNotClaimed) {
  using enum DataType;
  EXPECT_TRUE(HoldsEveryThreshold(kDouble, kFloat, kFloat, kInt8));
  EXPECT_TRUE(HoldsEveryThreshold(kFloat, kFloat, kFloat16, kUint8));
  EXPECT_FALSE(HoldsEveryThreshold(kFloat, kFloat, kFloat, kUint8));
  EXPECT_FALSE(HoldsEveryThreshold(kFloat16, kFloat16, kFloat16, kInt2));
  EXPECT_FALSE(HoldsEveryThreshold(kFloat16, kFloat16, kFloat8E8M0, kInt16));
  EXPECT_FALSE(HoldsEveryThreshold(kDouble, kFloat, kFloat, kFloat8E5M2));
}

}  // namespace
}  // namespace qconform
