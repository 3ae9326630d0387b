// The contents of MatMulInteger's cells have these lengths, shapes and zero points, and a
// kernel that is wrong in one place is seen in each cell.
#include "cases/core/testing/asked.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "cases/matmul/layout.h"
#include "cases/operators/mat_mul_integer/cases.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"

namespace qconform::generators {
namespace {

using Names = std::set<std::string>;

std::vector<OpCase> CasesAt(const Cell& cell, Level level) {
  std::vector<OpCase> all;
  for (const CaseKey& key : ContentsOf(cell, level)) {
    auto made = MakeCase(key, kTestSeed);
    EXPECT_TRUE(made.ok()) << CaseId(key);
    if (made) all.push_back(*std::move(made));
  }
  return all;
}

int64_t RowsOf(const OpCase& made) {
  const Shape& a = made.operands[0].shape;
  return a.size() < 2 ? 1 : a[a.size() - 2];
}

int64_t ColumnsOf(const OpCase& made) {
  const Shape& b = made.operands[1].shape;
  return b.size() < 2 ? 1 : b.back();
}

int64_t TermsOf(const OpCase& made) { return made.operands[0].shape.back(); }

bool IsEmpty(const OpCase& made) {
  return ElementCount(made.model.outputs[0].shape).value() == 0;
}

TEST(MatMulIntegerAsked, Standard_HasEachLengthOfK) {
  for (const Cell& cell : CellsOf("MatMulInteger")) {
    std::set<int64_t> lengths;
    for (const OpCase& made : CasesAt(cell, Level::kStandard)) {
      if (!IsEmpty(made)) lengths.insert(TermsOf(made));
    }
    std::set<int64_t> long_remainders;
    for (const int64_t length : lengths) {
      if (length >= 128) long_remainders.insert(length % 64);
    }
    for (int64_t k = 0; k <= 64; ++k) {
      EXPECT_TRUE(lengths.contains(k)) << k << " " << CellId(cell);
      EXPECT_TRUE(k == 64 || long_remainders.contains(k)) << k << " " << CellId(cell);
    }
    for (const int64_t block : {256, 512, 768, 1024, 2048, 4096}) {
      for (const int64_t k : {block - 1, block, block + 1}) {
        EXPECT_TRUE(lengths.contains(k)) << k << " " << CellId(cell);
      }
    }
    EXPECT_GT(*lengths.rbegin(), 100'000) << CellId(cell);
  }
}

// Of the rows and columns that tiles leave.
TEST(MatMulIntegerAsked, Standard_HasEachNumberOfRowsAndColumns) {
  for (const Cell& cell : CellsOf("MatMulInteger")) {
    std::set<int64_t> rows;
    std::set<int64_t> columns;
    for (const OpCase& made : CasesAt(cell, Level::kStandard)) {
      if (TermsOf(made) < 4) continue;
      rows.insert(RowsOf(made));
      columns.insert(ColumnsOf(made));
    }
    for (int64_t n = 1; n <= 66; ++n) {
      EXPECT_TRUE(n > 34 || rows.contains(n)) << n << " rows " << CellId(cell);
      EXPECT_TRUE(columns.contains(n)) << n << " columns " << CellId(cell);
    }
  }
}

void AddShape(const OpCase& made, Names& names) {
  const Shape& a = made.operands[0].shape;
  const Shape& b = made.operands[1].shape;
  const Shape& y = made.model.outputs[0].shape;
  const auto batch_of = [](const Shape& shape) {
    return shape.size() < 2 ? Shape{} : Shape(shape.begin(), shape.end() - 2);
  };
  const Shape a_batch = batch_of(a);
  const Shape b_batch = batch_of(b);
  const int64_t rows = RowsOf(made);
  const int64_t columns = ColumnsOf(made);
  const int64_t terms = TermsOf(made);
  if (columns == 0) names.insert("N = 0");
  if (rows == 0) names.insert("M = 0");
  if (std::ranges::count(a_batch, 0) + std::ranges::count(b_batch, 0) > 0) {
    names.insert("batch of 0");
  }
  if (IsEmpty(made)) return;
  if (terms == 0) names.insert("K = 0");
  if (a.size() == 1 && b.size() == 1) names.insert("[K] x [K]");
  if (a.size() == 1 && b.size() > 2) names.insert("[K] x [..., K, N]");
  if (a.size() > 2 && b.size() == 1) names.insert("[..., M, K] x [K]");
  if (a.size() >= 2 && b.size() >= 2) {
    if (rows == 1) names.insert("M = 1");
    if (columns == 1) names.insert("N = 1");
    if (rows > 1 && rows == terms && terms == columns) names.insert("M = K = N");
    if (rows > 1 && rows == terms && terms != columns) names.insert("M = K");
    if (terms > 1 && terms == columns && rows != terms) names.insert("K = N");
    if (rows > 1 && rows == columns && rows != terms) names.insert("M = N");
  }
  if (!a_batch.empty() && b.size() == 2) names.insert("batches of A");
  if (!b_batch.empty() && a.size() == 2) names.insert("batches of B");
  if (a_batch.size() > b_batch.size() && !b_batch.empty()) names.insert("A has more");
  if (b_batch.size() > a_batch.size() && !a_batch.empty()) names.insert("B has more");
  if (a_batch == b_batch && !a_batch.empty()) names.insert("equal batches");
  if (y.size() >= 6) names.insert("rank 6");
  for (size_t back = 1; back <= std::min(a_batch.size(), b_batch.size()); ++back) {
    const int64_t of_a = a_batch[a_batch.size() - back];
    const int64_t of_b = b_batch[b_batch.size() - back];
    if (of_a == 1 && of_b > 1) names.insert("A broadcasts");
    if (of_b == 1 && of_a > 1) names.insert("B broadcasts");
  }
  if (!a_batch.empty() && a_batch.back() == rows && rows == terms && rows > 1) {
    names.insert("batch = M = K");
  }
}

TEST(MatMulIntegerAsked, Standard_HasEachShapeInEachCell) {
  const Names of_all = {"N = 0",        "M = 0",        "batch of 0",    "K = 0",
                        "M = 1",        "N = 1",        "M = K = N",     "M = K",
                        "K = N",        "M = N",        "batches of A",  "batches of B",
                        "A has more",   "B has more",   "equal batches", "rank 6",
                        "A broadcasts", "B broadcasts", "batch = M = K"};
  for (const Cell& cell : CellsOf("MatMulInteger")) {
    Names names;
    for (const OpCase& made : CasesAt(cell, Level::kStandard)) AddShape(made, names);
    Names wanted = of_all;
    if (!IsPerRow(cell)) wanted.insert("[K] x [..., K, N]");
    if (!IsPerColumn(cell)) wanted.insert("[..., M, K] x [K]");
    if (!IsPerRow(cell) && !IsPerColumn(cell)) wanted.insert("[K] x [K]");
    for (const std::string& name : wanted) {
      EXPECT_TRUE(names.contains(name)) << name << " " << CellId(cell);
    }
  }
}

// How a zero point is written, and what it is like.
void AddZeroPoint(const OpCase& made, size_t operand, Names& names) {
  const Tensor& zero_point = made.operands[operand];
  const std::string name = operand == 2 ? "a: " : "b: ";
  if (zero_point.type == DataType::kUndefined) {
    const bool is_named = made.model.node.inputs.size() > operand;
    names.insert(name + (is_named ? "empty name" : "absent"));
    return;
  }
  const size_t rank = zero_point.shape.size();
  const bool is_vector =
      operand == 2 ? IsPerRow(made.key.cell) : IsPerColumn(made.key.cell);
  if (!is_vector) {
    names.insert(name + (rank == 0 ? "[]" : "[1]"));
  } else {
    names.insert(name + (rank == 1 ? "vector" : rank == 2 ? "matrix" : "with batches"));
  }
  const NumberFormat& format = FormatOf(zero_point.type);
  const auto codes = ReadCodes(zero_point.view());
  const auto add = [&](int64_t value, const char* kind) {
    const bool has = std::ranges::any_of(
        codes, [&](uint64_t code) { return ToInteger(format, code) == value; });
    if (has) names.insert(name + kind);
  };
  add(IntegerMin(format), "lowest");
  add(IntegerMax(format), "highest");
  add(0, "0");
  add(1, "1");
  add(format.is_signed ? -1 : 128, "-1 or 128");
  if (codes.size() < 3) return;
  const bool first = codes.front() != 0;
  const bool last = codes.back() != 0;
  const auto others =
      std::ranges::count_if(codes, [](uint64_t code) { return code != 0; });
  if (!first && others > 0) names.insert(name + "only the first is 0");
  if (others == 1 && last) names.insert(name + "only the last is not 0");
  if (!first && !last && others > 0) names.insert(name + "0 at both ends");
  if (std::ranges::count(codes, codes[0]) == std::ssize(codes) && first) {
    names.insert(name + "all equal");
  }
}

TEST(MatMulIntegerAsked, Standard_HasEachZeroPointInEachCell) {
  for (const Cell& cell : CellsOf("MatMulInteger")) {
    Names names;
    for (const OpCase& made : CasesAt(cell, Level::kStandard)) {
      if (IsEmpty(made)) continue;
      AddZeroPoint(made, 2, names);
      AddZeroPoint(made, 3, names);
    }
    Names wanted;
    for (const std::string name : {"a: ", "b: "}) {
      for (const char* kind : {"lowest", "highest", "0", "1", "-1 or 128"}) {
        wanted.insert(name + kind);
      }
      if (name == "a: " ? IsPerRow(cell) : IsPerColumn(cell)) {
        for (const char* kind :
             {"vector", "matrix", "with batches", "only the first is 0",
              "only the last is not 0", "0 at both ends", "all equal"}) {
          wanted.insert(name + kind);
        }
      } else {
        wanted.insert({name + "[]", name + "[1]", name + "empty name"});
      }
    }
    if (!IsPerColumn(cell)) wanted.insert("b: absent");
    if (!IsPerRow(cell) && !IsPerColumn(cell)) wanted.insert("a: absent");
    for (const std::string& name : wanted) {
      EXPECT_TRUE(names.contains(name)) << name << " " << CellId(cell);
    }
  }
}

TEST(MatMulIntegerAsked, Standard_HasEveryCodeOfAAndBInEachCell) {
  for (const Cell& cell : CellsOf("MatMulInteger")) {
    std::set<uint64_t> a;
    std::set<uint64_t> b;
    for (const OpCase& made : CasesAt(cell, Level::kStandard)) {
      if (made.key.generator != "zero_points") continue;
      for (const uint64_t code : ReadCodes(made.operands[0].view())) a.insert(code);
      for (const uint64_t code : ReadCodes(made.operands[1].view())) b.insert(code);
    }
    EXPECT_EQ(a.size(), 256u) << CellId(cell);
    EXPECT_EQ(b.size(), 256u) << CellId(cell);
  }
}

TEST(MatMulIntegerVariant, Text_IsReadBackAndOthersAreErrors) {
  for (const Cell& cell : CellsOf("MatMulInteger")) {
    int read = 0;
    for (const char* a : {"short", "full", "empty", "absent"}) {
      for (const char* b : {"short", "full", "empty", "absent"}) {
        const std::string text = std::string("a=") + a + ",b=" + b;
        const auto variant = ParseMatMulIntegerVariant(cell, text);
        if (!variant) continue;
        EXPECT_EQ(VariantText(*variant), text);
        ++read;
      }
    }
    const int of_a = IsPerRow(cell) ? 2 : 3;
    const int of_b = IsPerColumn(cell) ? 2 : 4;
    const int without_both = of_a == 3 && of_b == 4 ? 1 : 0;
    EXPECT_EQ(read, of_a * of_b + without_both) << CellId(cell);
    for (const char* text : {"", "plain", "a=short", "a=short,b=", "a=short,b=none",
                             "b=short,a=short", "a=short,b=short,"}) {
      EXPECT_FALSE(ParseMatMulIntegerVariant(cell, text).ok()) << text;
    }
  }
}

}  // namespace
}  // namespace qconform::generators
