// The contents of the cells of QLinearMatMul have these shapes, and each kind of scale
// and zero point wherever it is one value. Some in each cell, the others in a part of
// them.
#include "cases/core/testing/asked.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "cases/core/exact_value.h"
#include "cases/matmul/layout.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"

namespace qconform::generators {
namespace {

using Names = std::set<std::string>;

void AddShapes(const OpCase& made, Names& names) {
  const Shape& a = made.operands[0].shape;
  const Shape& b = made.operands[3].shape;
  const auto batch_of = [](const Shape& shape) {
    return shape.size() < 2 ? Shape{} : Shape(shape.begin(), shape.end() - 2);
  };
  const Shape a_batch = batch_of(a);
  const Shape b_batch = batch_of(b);
  const auto has = [](const Shape& shape, int64_t size) {
    return std::find(shape.begin(), shape.end(), size) != shape.end();
  };
  const int64_t k = a.back();
  if (b.size() > 1 && b.back() == 0) names.insert("N of 0");
  if (a.size() > 1 && a[a.size() - 2] == 0) names.insert("M of 0");
  if (has(a_batch, 0) || has(b_batch, 0)) names.insert("batch of 0");
  if (ElementCount(made.model.outputs[0].shape).value() == 0 || k == 0) return;
  if (a.size() == 1 && b.size() > 2) names.insert("[K] x [..., K, N]");
  if (a.size() > 2 && b.size() == 1) names.insert("[..., M, K] x [K]");
  if (a_batch == Shape{1} && b.size() == 2) names.insert("[1, M, K] x [K, N]");
  if (a_batch.size() == 1 && a_batch[0] > 1 && a[1] > 1 && b.size() == 2) {
    names.insert("[B, S, K] x [K, N]");
  }
  if (a_batch.size() == 1 && a_batch[0] > 1 && a_batch == b_batch) {
    names.insert("[B, M, K] x [B, K, N]");
  }
  if (std::max(a.size(), b.size()) > 4) names.insert("rank above 4");
  if (a.size() == 2 && a[0] == k && k > 1) names.insert("M == K");
  if (a_batch.size() != b_batch.size()) return;
  for (size_t i = 0; i < a_batch.size(); ++i) {
    if (a_batch[i] == 1 && b_batch[i] > 1) names.insert("a broadcasts");
    if (b_batch[i] == 1 && a_batch[i] > 1) names.insert("b broadcasts");
  }
}

// The kinds of MM-20 that an operand of one value is.
void AddKinds(const std::string& operand, const Tensor& tensor, Names& names) {
  const NumberFormat& format = FormatOf(tensor.type);
  const uint64_t code = ReadCode(tensor.view(), 0);
  const ExactValue value = Decode(format, code);
  if (value.value_class == ValueClass::kNan) names.insert(operand + " NaN");
  if (value.value_class == ValueClass::kInfinity) names.insert(operand + " infinite");
  if (value.value_class == ValueClass::kZero) names.insert(operand + " 0");
  if (value.value_class != ValueClass::kFinite) return;
  if (value.negative) names.insert(operand + " negative");
  const uint64_t magnitude = value.negative ? Negated(format, code) : code;
  if (magnitude < SmallestNormal(format)) names.insert(operand + " subnormal");
}

Names AskedOf(const Cell& cell) {
  Names names;
  for (const CaseKey& key : ContentsOf(cell, Level::kStandard)) {
    const Result<OpCase> made = MakeCase(key, kTestSeed);
    EXPECT_TRUE(made.ok()) << CaseId(key);
    if (!made) return names;
    AddShapes(*made, names);
    if (!IsPerRow(cell)) AddKinds("a_scale", made->operands[1], names);
    if (!IsPerColumn(cell)) AddKinds("b_scale", made->operands[4], names);
    AddKinds("y_scale", made->operands[6], names);
    if (IsInteger(cell.types[3])) continue;
    Names of_zero_point;
    AddKinds("y_zero_point", made->operands[7], of_zero_point);
    of_zero_point.erase("y_zero_point 0");
    names.merge(of_zero_point);
  }
  return names;
}

// The share of the cells that can have it in which it has to be asked.
enum class Share : uint8_t { kAll, kHalf, kQuarter };
struct Wanted {
  std::string name;
  Share share = Share::kAll;
  bool (*applies)(const Cell&) = [](const Cell&) { return true; };
};

std::vector<Wanted> AllWanted() {
  constexpr auto kOneA = [](const Cell& cell) { return !IsPerRow(cell); };
  constexpr auto kOneB = [](const Cell& cell) { return !IsPerColumn(cell); };
  constexpr auto kFloatY = [](const Cell& cell) { return !IsInteger(cell.types[3]); };
  constexpr auto kFloatOneA = [](const Cell& cell) {
    return !IsPerRow(cell) && !IsInteger(cell.types[3]);
  };
  constexpr auto kFloatOneB = [](const Cell& cell) {
    return !IsPerColumn(cell) && !IsInteger(cell.types[3]);
  };
  constexpr auto kE5m2Y = [](const Cell& cell) {
    return cell.types[3] == DataType::kFloat8E5M2;
  };
  return {{"[K] x [..., K, N]", Share::kAll, kOneA},
          {"[..., M, K] x [K]", Share::kAll, kOneB},
          {"[1, M, K] x [K, N]"},
          {"[B, S, K] x [K, N]"},
          {"[B, M, K] x [B, K, N]"},
          {"N of 0", Share::kQuarter},
          {"M of 0", Share::kQuarter},
          {"batch of 0", Share::kQuarter},
          {"rank above 4", Share::kQuarter},
          {"M == K", Share::kQuarter, IsPerRow},
          {"a broadcasts", Share::kQuarter},
          {"b broadcasts", Share::kQuarter},
          {"y_scale negative"},
          {"y_scale 0"},
          {"y_scale infinite"},
          {"y_scale subnormal"},
          {"y_scale NaN", Share::kAll, kFloatY},
          {"y_scale NaN", Share::kHalf},
          {"a_scale negative", Share::kAll, kOneA},
          {"a_scale 0", Share::kAll, kOneA},
          {"a_scale infinite", Share::kHalf, kOneA},
          {"a_scale subnormal", Share::kHalf, kOneA},
          {"a_scale NaN", Share::kHalf, kFloatOneA},
          {"b_scale negative", Share::kAll, kOneB},
          {"b_scale 0", Share::kAll, kOneB},
          {"b_scale infinite", Share::kHalf, kOneB},
          {"b_scale subnormal", Share::kHalf, kOneB},
          {"b_scale NaN", Share::kHalf, kFloatOneB},
          {"y_zero_point NaN", Share::kAll, kFloatY},
          {"y_zero_point infinite", Share::kAll, kE5m2Y}};
}

// K around vectors, and M and N of 0 and 1, of what could be answered wrongly.
Names SizesOf(const Cell& cell) {
  Names names;
  for (const CaseKey& key : ContentsOf(cell, Level::kStandard)) {
    const Result<OpCase> made = MakeCase(key, kTestSeed);
    EXPECT_TRUE(made.ok()) << CaseId(key);
    if (!made) return names;
    const Shape& a = made->operands[0].shape;
    const Shape& b = made->operands[3].shape;
    const auto add = [&](const char* name, int64_t size) {
      names.insert(name + std::to_string(size));
    };
    if (a.size() > 1) add("M=", a[a.size() - 2]);
    if (b.size() > 1) add("N=", b.back());
    if (ElementCount(made->model.outputs[0].shape).value() > 0) add("K=", a.back());
  }
  return names;
}

TEST(MatMulAsked, Standard_HasLengthsAroundVectorsInEachCell) {
  constexpr int64_t kTerms[] = {0, 1, 2, 3, 7, 15, 17, 31, 33, 63, 64, 65, 127, 129};
  std::map<std::string, int> cells_of;
  int64_t cells = 0;
  for (const Cell& cell : CellsOf("QLinearMatMul")) {
    const Names names = SizesOf(cell);
    std::string missing;
    for (const int64_t k : kTerms) {
      const std::string name = "K=" + std::to_string(k);
      if (names.count(name) == 0) missing += " " + name;
    }
    for (const char* name : {"M=0", "M=1", "N=0", "N=1"}) {
      if (names.count(name) == 0) missing += std::string(" ") + name;
    }
    EXPECT_EQ(missing, "") << CellId(cell);
    for (const std::string& name : names) ++cells_of[name];
    ++cells;
  }
  EXPECT_GT(cells, 2000);
  // By turns.
  for (const int64_t n : {8, 9, 15, 16, 17, 31, 32, 33}) {
    EXPECT_GE(10 * cells_of["N=" + std::to_string(n)], cells) << "N=" << n;
  }
}

TEST(MatMulAsked, Standard_HasEachShapeAndKindOfScale) {
  const std::vector<Wanted> all = AllWanted();
  std::vector<int> cells(all.size(), 0);
  std::vector<int> asked(all.size(), 0);
  int64_t turn = 0;
  for (const Cell& cell : CellsOf("QLinearMatMul")) {
    if (++turn % 3 != 0) continue;
    const Names names = AskedOf(cell);
    for (size_t i = 0; i < all.size(); ++i) {
      if (!all[i].applies(cell)) continue;
      ++cells[i];
      const bool has = names.count(all[i].name) != 0;
      asked[i] += has ? 1 : 0;
      EXPECT_TRUE(has || all[i].share != Share::kAll)
          << all[i].name << " " << CellId(cell);
    }
  }
  for (size_t i = 0; i < all.size(); ++i) {
    ASSERT_GT(cells[i], 50) << all[i].name;
    // A little below half: which of two it is goes by the hash of the types.
    const int percent = all[i].share == Share::kHalf ? 45 : 25;
    EXPECT_GE(100 * asked[i], percent * cells[i]) << all[i].name;
    RecordProperty(all[i].name,
                   std::to_string(asked[i]) + "/" + std::to_string(cells[i]));
  }
}

}  // namespace
}  // namespace qconform::generators
