#include "cases/core/case.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cases/core/rounding_boundaries.h"
#include "cases/model/serialize.h"
#include "cases/operators/quantize_linear/cases.h"
#include "oracle/base/text.h"
#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

constexpr uint64_t kSeed = 1;

std::map<int, SinceVersion> VersionsOf(std::string_view op_type) {
  std::map<int, SinceVersion> versions;
  for (const SinceVersion& version : SinceVersions(op_type)) {
    versions[version.since_version] = version;
  }
  return versions;
}

// The generator of rows of covering arrays, which go through all opset_versions.
constexpr std::string_view kSizes = "sizes";

// Calls `visit(cell, keys)` for each cell of all operators.
template <typename Visit>
void ForEachCell(Level level, Visit visit) {
  for (const std::string& op_type : JudgedOperators()) {
    const auto versions = VersionsOf(op_type);
    for (const Cell& cell : CellsOf(op_type)) {
      visit(cell, CasesOf(cell, versions.at(cell.since_version), level));
    }
  }
}

TEST(Case, Id_RoundTripsOverTheLattice) {
  int64_t count = 0;
  std::set<std::string> ids;
  ForEachCell(Level::kStandard, [&](const Cell&, const std::vector<CaseKey>& keys) {
    ids.clear();
    for (const CaseKey& key : keys) {
      const std::string id = CaseId(key);
      EXPECT_TRUE(ids.insert(id).second) << "twice in the list: " << id;
      const Result<CaseKey> parsed = ParseCaseId(id);
      ASSERT_TRUE(parsed.ok()) << parsed.error().message;
      ASSERT_EQ(*parsed, key) << id;
      ++count;
    }
  });
  EXPECT_GT(count, 0);
  RecordProperty("cases", std::to_string(count));
}

TEST(Case, List_KeepsItsLimits) {
  for (const Level level : {Level::kSmoke, Level::kStandard}) {
    ForEachCell(level, [&](const Cell& cell, const std::vector<CaseKey>& keys) {
      std::map<int, int> by_opset;
      int sizes = 0;
      for (const CaseKey& key : keys) {
        ++(key.generator == kSizes ? sizes : by_opset[key.opset_version]);
      }
      ASSERT_FALSE(keys.empty()) << CellId(cell);
      const bool smoke = level == Level::kSmoke;
      const int forms = static_cast<int>(OperandFormsOf(cell.op_type).size());
      // Elements of 6 bits cross bytes, which has questions of its own.
      const int smoke_contents = BitWidth(OutputType(cell)) == 6 ? 11 : 4;
      // Where an operator has few cells, each is asked more.
      const auto cells = static_cast<int>(CellsOf(cell.op_type).size());
      const int most = smoke ? std::max(smoke_contents * forms, 800 / cells)
                             : std::max(112, 25'000 / cells);
      EXPECT_LE(sizes, smoke ? 0 : std::max(103, 2'500 / cells)) << CellId(cell);
      const int newest = by_opset.rbegin()->first;
      int second_lists = 0;
      for (const auto& [opset, count] : by_opset) {
        if (opset == newest) {
          EXPECT_LE(count, most) << CellId(cell);
        } else if (count != (smoke ? 1 : std::min(forms, 2))) {
          EXPECT_FALSE(smoke) << CellId(cell);
          EXPECT_GT(count, by_opset[newest] / 2) << CellId(cell);
          ++second_lists;
        }
      }
      EXPECT_LE(second_lists, 1) << CellId(cell);
    });
  }
}

// ONNX's checker and shape inference accept the models of what the lattice calls legal.
TEST(Case, ModelsOfEveryCellAtEveryOpsetVersion_AreAccepted) {
  int visited = 0;
  for (const std::string& op_type : JudgedOperators()) {
    const auto versions = VersionsOf(op_type);
    for (const Cell& cell : CellsOf(op_type)) {
      const SinceVersion& version = versions.at(cell.since_version);
      for (const int opset_version : version.opset_versions) {
        CaseKey key = CasesOf(cell, version, Level::kSmoke).front();
        key.opset_version = opset_version;
        const Result<OpCase> made = MakeCase(key, kSeed);
        ASSERT_TRUE(made.ok()) << made.error().message;
        const Status status = CheckModel(SerializeModel(made->model));
        ASSERT_TRUE(status.ok()) << CaseId(key) << ": " << status.error().message;
        ++visited;
      }
    }
  }
  EXPECT_GE(visited, 2148 + 2624);
}

// The same questions, with the whole of them at another opset_version.
TEST(Case, List_IsAsLongAtAnyOpsetVersion) {
  for (const std::string& op_type : JudgedOperators()) {
    for (const SinceVersion& versions : SinceVersions(op_type)) {
      const Cell* first = nullptr;
      const std::vector<Cell> cells = CellsOf(op_type);
      for (const Cell& cell : cells) {
        if (!first && cell.since_version == versions.since_version) first = &cell;
      }
      ASSERT_NE(first, nullptr);
      for (const Level level : {Level::kSmoke, Level::kStandard}) {
        const auto newest = CasesOf(*first, versions, level);
        EXPECT_EQ(CasesOf(*first, versions, level, versions.opset_versions.back()),
                  newest);
        EXPECT_EQ(CasesOf(*first, versions, level, 1), newest);
        std::set<std::pair<std::string, OperandForm>> whole;
        for (const CaseKey& key : newest) {
          if (key.opset_version != versions.opset_versions.back()) continue;
          if (key.generator == kSizes) continue;
          whole.emplace(ContentId(key), key.form);
        }
        for (const int at : versions.opset_versions) {
          const auto keys = CasesOf(*first, versions, level, at);
          EXPECT_EQ(keys.size(), newest.size());
          std::set<std::pair<std::string, OperandForm>> asked;
          for (const CaseKey& key : keys) {
            if (key.opset_version != at || key.generator == kSizes) continue;
            asked.emplace(ContentId(key), key.form);
          }
          EXPECT_EQ(asked, whole) << op_type << " " << at;
        }
      }
    }
  }
}

// At its newest opset_version a cell is asked this, in all operand forms: no kind of
// question is left out of a cell that has it.
TEST(Case, Standard_AsksEachCellEveryKindOfQuestion) {
  const std::set<std::string> of_quantize_linear = {
      "ties",      "quotient",   "saturation",  "zero_points", "specials",
      "subnormal", "degenerate", "random_bits", "shapes"};
  const std::set<std::string> unsaturated = {"ties",        "saturation", "specials",
                                             "zero_points", "degenerate", "random_scaled",
                                             "shapes"};
  const std::set<std::string> of_mat_mul = {"shapes",     "boundaries", "readings",
                                            "saturation", "extremes",   "zero_points",
                                            "degenerate"};
  int64_t visited = 0;
  ForEachCell(Level::kStandard, [&](const Cell& cell, const std::vector<CaseKey>& keys) {
    const bool quantize_linear = cell.op_type == "QuantizeLinear";
    const int since = cell.since_version;
    int newest = 0;
    for (const CaseKey& key : keys) newest = std::max(newest, key.opset_version);
    std::map<std::string, std::set<OperandForm>> asked;
    std::string variants;
    for (const CaseKey& key : keys) {
      if (key.opset_version != newest) continue;
      asked[key.generator].insert(key.form);
      asked[key.variant + " " + key.generator].insert(key.form);
      asked[key.variant.substr(0, key.variant.find(',')) + " " + key.generator].insert(
          key.form);
      if (key.variant.find("precision=") != std::string::npos) {
        asked["precision " + key.generator].insert(key.form);
      }
      if (key.variant.find("zp=") != std::string::npos) {
        asked["no zero point " + key.generator].insert(key.form);
      }
      variants += key.variant + "\n";
    }
    std::set<std::string> wanted;
    if (quantize_linear) {
      wanted = {"random_scaled", "nan_neighbours"};
      for (const std::string& one : of_quantize_linear)
        wanted.insert("saturate=1 " + one);
      if (generators::HasNearTies(cell)) wanted.insert("near_ties");
      if (since >= 19) wanted.insert("saturate=0 specials");
      // Attributes and operands that are there, or not, apart from what a cell is about.
      if (since >= 23) {
        for (const char* one : {"quotient", "specials", "degenerate", "shapes", "large"})
          wanted.insert(std::string("precision ") + one);
      }
      if (since >= 23 && IsFloatingPoint(OutputType(cell))) {
        wanted.insert("precision zero_points");
      }
      if (since >= 21) {
        for (const char* one : {"random_scaled", "ties", "degenerate", "shapes"})
          wanted.insert(std::string("no zero point ") + one);
      }
      for (const std::string& one : unsaturated) {
        if (IsFloat8(OutputType(cell))) wanted.insert("saturate=0 " + one);
      }
    } else if (cell.op_type == "QLinearMatMul") {
      wanted = of_mat_mul;
      const bool integers = IsInteger(cell.types[1]) && IsInteger(cell.types[2]);
      wanted.insert(integers ? "overflow" : "specials");
    }
    for (const std::string& generator : wanted) {
      EXPECT_EQ(asked[generator].size(), OperandFormsOf(cell.op_type).size())
          << generator << " of " << CellId(cell);
    }
    std::vector<const char*> texts;
    if (quantize_linear) {
      texts.push_back("saturate=1\n");
      if (since >= 19) texts.push_back("saturate=0");
      if (since >= 21) texts.push_back(",output_dtype=");
      if (since >= 21 || OutputType(cell) == DataType::kUint8) {
        texts.insert(texts.end(), {",zp=absent", ",zp=empty"});
      }
      if (since >= 23) {
        texts.insert(texts.end(), {"precision=FLOAT\n", "precision=FLOAT16\n",
                                   "precision=BFLOAT16\n", "precision=DOUBLE\n"});
      }
    }
    for (const char* text : texts) {
      EXPECT_NE(variants.find(text), std::string::npos) << text << " of " << CellId(cell);
    }
    // Other operators have tests of their own, in their folders.
    visited += wanted.empty() ? 0 : 1;
  });
  EXPECT_GE(visited, 2148 + 2624);
}

double ValueOf(const ExactValue& value) {
  if (value.value_class != ValueClass::kFinite) return 0;
  const double magnitude =
      std::ldexp(static_cast<double>(value.significand), value.exponent);
  return value.negative ? -magnitude : magnitude;
}

// The points where rounding changes its mind, two beyond each end of the range included.
TEST(RoundingBoundaries, LieHalfwayBetweenNeighbours_InOrder) {
  const ExactValue none;
  for (const DataType type : {DataType::kInt8, DataType::kUint4, DataType::kUint16}) {
    const auto& boundaries = generators::RoundingBoundaries::Of(type);
    const auto least = static_cast<double>(IntegerMin(FormatOf(type)));
    const auto most = static_cast<double>(IntegerMax(FormatOf(type)));
    ASSERT_EQ(boundaries.count(), static_cast<int64_t>(most - least) + 6);
    for (int64_t i = 0; i < boundaries.count(); ++i) {
      ASSERT_EQ(ValueOf(boundaries.At(i, none)), least - 2.5 + static_cast<double>(i));
    }
  }
  const std::pair<DataType, std::vector<double>> floats[] = {
      // The largest positive ones: of the last two codes, and beyond.
      {DataType::kFloat8E4M3FN, {432, 464, 496}},
      {DataType::kFloat8E5M2, {53248, 61440, 69632}},
      {DataType::kFloat8E4M3FNUZ, {232, 248, 264}},
      {DataType::kFloat4E2M1, {5, 7, 9}}};
  for (const auto& [type, ends] : floats) {
    const auto& boundaries = generators::RoundingBoundaries::Of(type);
    const auto largest = static_cast<int64_t>(LargestFinite(FormatOf(type)));
    const int64_t count = boundaries.count();
    ASSERT_EQ(count, 2 * (largest + 2)) << DataTypeName(type);
    for (int64_t i = 0; i < count; ++i) {
      const double value = ValueOf(boundaries.At(i, none));
      EXPECT_EQ(ValueOf(boundaries.At(count - 1 - i, none)), -value);
      if (i > 0) {
        EXPECT_GT(value, ValueOf(boundaries.At(i - 1, none)));
      }
    }
    for (int64_t i = 0; i < 3; ++i) {
      EXPECT_EQ(ValueOf(boundaries.At(count - 3 + i, none)), ends[static_cast<size_t>(i)])
          << DataTypeName(type);
    }
  }
}

TEST(Case, EqualContents_StandNextToEachOther) {
  ForEachCell(Level::kStandard, [&](const Cell&, const std::vector<CaseKey>& keys) {
    std::set<std::string> seen;
    std::string last;
    for (const CaseKey& key : keys) {
      std::string content = ContentId(key);
      if (content == last) continue;
      EXPECT_TRUE(seen.insert(content).second) << content;
      last = std::move(content);
    }
  });
}

CaseKey KeyOf(std::string_view id) {
  const Result<CaseKey> key = ParseCaseId(id);
  EXPECT_TRUE(key.ok()) << (key.ok() ? "" : key.error().message);
  return key.ok() ? *key : CaseKey{};
}

TEST(Case, Content_IsTheSameInBothFormsAndAllOpsets) {
  const CaseKey inputs =
      KeyOf("QuantizeLinear/21@22/FLOAT-FLOAT-INT4/blocked/inputs/saturate=1/ties/1");
  CaseKey initializers = inputs;
  initializers.form = OperandForm::kInitializers;
  initializers.opset_version = 21;
  EXPECT_EQ(ContentId(inputs), ContentId(initializers));
  const Result<OpCase> first = MakeCase(inputs, kSeed);
  const Result<OpCase> second = MakeCase(initializers, kSeed);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(first->operands, second->operands);
  EXPECT_EQ(first->model.node, second->model.node);
  EXPECT_EQ(first->inputs.size(), 3u);
  EXPECT_TRUE(first->model.initializers.empty());
  EXPECT_EQ(second->inputs.size(), 1u);
  ASSERT_EQ(second->model.initializers.size(), 2u);
  EXPECT_EQ(second->model.initializers[0].tensor, second->operands[1]);
}

TEST(Case, OperandForms_OfMatMul_HaveTheirConstants) {
  const CaseKey inputs = KeyOf(
      "QLinearMatMul/21@22/FLOAT-INT8-INT8-INT8/per_tensor-per_tensor/inputs/"
      "vectors=full/boundaries/1");
  const std::vector<std::string> fed[] = {{"a", "a_scale", "a_zero_point", "b", "b_scale",
                                           "b_zero_point", "y_scale", "y_zero_point"},
                                          {"a"},
                                          {"a", "b"}};
  for (const OperandForm form : OperandFormsOf("QLinearMatMul")) {
    CaseKey key = inputs;
    key.form = form;
    const Result<OpCase> made = MakeCase(key, kSeed);
    ASSERT_TRUE(made.ok()) << made.error().message;
    std::vector<std::string> names;
    for (const ValueInfo& input : made->model.inputs) names.push_back(input.name);
    EXPECT_EQ(names, fed[static_cast<size_t>(form)]);
    EXPECT_EQ(made->inputs.size() + made->model.initializers.size(), 8u);
    EXPECT_EQ(made->operands, MakeCase(inputs, kSeed)->operands);
  }
  CaseKey other =
      KeyOf("QuantizeLinear/13@13/FLOAT-FLOAT-UINT8/per_axis/inputs/saturate=1/ties/1");
  other.form = OperandForm::kParameters;
  const Result<OpCase> refused = MakeCase(other, kSeed);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("got 'parameters'"), std::string::npos)
      << refused.error().message;
}

TEST(Case, Content_DependsOnSeedAndIndex) {
  const CaseKey key =
      KeyOf("QuantizeLinear/13@13/FLOAT-FLOAT-UINT8/per_axis/inputs/saturate=1/ties/1");
  CaseKey other = key;
  other.index = 7;
  EXPECT_EQ(MakeCase(key, 1)->operands, MakeCase(key, 1)->operands);
  EXPECT_NE(MakeCase(key, 1)->operands, MakeCase(key, 2)->operands);
  EXPECT_NE(MakeCase(key, 1)->operands, MakeCase(other, 1)->operands);
}

TEST(Case, ParseCaseId_NamesTheWrongPart) {
  const std::string good =
      "QuantizeLinear/21@22/FLOAT-FLOAT-INT8/per_axis/inputs/saturate=1/ties/1";
  ASSERT_TRUE(ParseCaseId(good).ok());
  struct Row {
    std::string from, to, named;
  };
  const Row rows[] = {
      {"QuantizeLinear", "Quantise",
       ": operator: expected one of " + Joined(JudgedOperators(), ", ") +
           ", got 'Quantise'"},
      {"21@22", "21",
       ": version: expected since_version@opset_version such as 21@22, "
       "got '21'"},
      {"21@22", "021@22", "got '021@22'"},
      {"21@22", "21@23",
       ": opset_version of since_version 21: expected one of 21, 22, got 23"},
      {"21@22", "20@22",
       ": cell: expected one of the lattice, got "
       "'QuantizeLinear/20/FLOAT-FLOAT-INT8/per_axis'; 'qconform list cells --ids'"},
      {"FLOAT-FLOAT", "FLOAT-FLOAT32",
       ": type: expected ONNX's name of a type such as UINT8, got 'FLOAT32'"},
      {"FLOAT-FLOAT", "FLOAT-FLOAT16", ": cell: expected one of the lattice"},
      {"per_axis", "per_channel",
       ": granularity: expected one of per_tensor, per_axis, blocked, got "
       "'per_channel'"},
      {"inputs", "input",
       ": operand form: expected one of inputs, initializers, got "
       "'input'"},
      {"inputs", "parameters",
       ": operand form: expected one of inputs, initializers, got 'parameters'"},
      {"saturate=1", "saturate=2",
       "/saturate=2/ties/1': variant of QuantizeLinear/21/FLOAT-FLOAT-INT8/per_axis: "
       "expected saturate=0 or saturate=1 at first, got 'saturate=2'"},
      {"saturate=1", "saturate=1,precision=FLOAT", "expected no precision"},
      {"saturate=1", "saturate=1,zp=none", "expected zp=absent or zp=empty"},
      {"saturate=1", "saturate=1,zp=absent", "y is UINT8"},
      {"saturate=1", "saturate=1,output_dtype=UINT8", "the cell's output type"},
      {"saturate=1", "saturate=1,output_dtype=INT8,zp=absent", "in this order"},
      {"ties", "tie", ": generator: expected one of ties, quotient, "},
      {"ties/1", "ties/-1", ": index: expected a number from 0 to 999999, got "},
      {"ties/1", "ties/01", "got '01'"},
      {"ties/1", "ties/1000000", ": index: expected a number from 0 to 999999"},
      {"ties/1", "ties", ": expected 8 parts"},
      {"ties/1", "ties/1/2", "got 9"},
  };
  for (const Row& row : rows) {
    std::string bad = good;
    bad.replace(bad.find(row.from), row.from.size(), row.to);
    const Result<CaseKey> parsed = ParseCaseId(bad);
    ASSERT_FALSE(parsed.ok()) << bad;
    EXPECT_NE(parsed.error().message.find(row.named), std::string::npos)
        << parsed.error().message;
  }
}

TEST(Case, MakeCase_RejectsKeysThatNameNothing) {
  CaseKey key =
      KeyOf("QuantizeLinear/10@12/FLOAT-FLOAT-UINT8/per_tensor/inputs/saturate=1/ties/0");
  EXPECT_TRUE(MakeCase(key, kSeed).ok());
  CaseKey bad = key;
  bad.cell.types[1] = DataType::kFloat16;
  EXPECT_FALSE(MakeCase(bad, kSeed).ok());
  bad = key;
  bad.opset_version = 13;
  EXPECT_FALSE(MakeCase(bad, kSeed).ok());
  bad = key;
  bad.variant = "saturate=0";
  EXPECT_FALSE(MakeCase(bad, kSeed).ok());
  bad = key;
  bad.generator = "unknown";
  EXPECT_FALSE(MakeCase(bad, kSeed).ok());
  bad = key;
  bad.index = -1;
  EXPECT_FALSE(MakeCase(bad, kSeed).ok());
}

}  // namespace
}  // namespace qconform
