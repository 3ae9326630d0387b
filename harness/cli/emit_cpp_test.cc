#include "harness/cli/commands/emit_cpp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <vector>

#include "cases/core/case.h"
#include "cases/lattice/lattice.h"
#include "harness/compare/testing/made_up_operator.h"
#include "harness/core/oracle_model.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

using testing::Contains;
using testing::HasSubstr;

// A case, and what can be asked of it.
struct Asked {
  explicit Asked(const std::string& id)
      : made(*MakeCase(*ParseCaseId(id), 1)),
        oracle(*OracleModel::Create(made.model)),
        inputs(ViewsOf(made.inputs)),
        answer(*oracle.Evaluate(inputs)),
        text(*EmitCpp(id, **ContentAnswers::Create(made.model, inputs))) {}

  OpCase made;
  OracleModel oracle;
  std::vector<TensorView> inputs;
  CaseAnswer answer;
  std::string text;
};

std::string Emit(const std::string& id) { return Asked(id).text; }

// Names and titles are of strangers: no text of theirs becomes code.
TEST(EmitCpp, HostileTexts_StayText) {
  OpCase made =
      *MakeCase(*ParseCaseId("QuantizeLinear/21@21/FLOAT-FLOAT-INT8/per_tensor/inputs/"
                             "saturate=1/ties/0"),
                1);
  const std::string hostile = "x\n#error \\";
  made.model.node.inputs[0] = made.model.inputs[0].name = hostile;
  const std::string text = *EmitCpp(
      "a\n#error \\", **ContentAnswers::Create(made.model, ViewsOf(made.inputs)));
  EXPECT_THAT(text, HasSubstr("// a\\n#error \\.\n"));
  EXPECT_THAT(text, HasSubstr("// x\\n#error \\.: FLOAT"));
}

// The codes that the test accepts, element by element.
std::vector<std::vector<uint32_t>> Accepted(const std::string& text) {
  const size_t check = text.find("  Check(\"y\", outputs[0], ");
  const size_t begin = text.find(", {\n", check) + std::strlen(", {");
  std::istringstream lists(text.substr(begin, text.find("});\n", begin) - begin));
  std::vector<std::vector<uint32_t>> accepted;
  for (char c = 0; lists.get(c);) {
    if (c == '{') accepted.emplace_back();
    if (c < '0' || c > '9') continue;
    lists.unget();
    uint32_t code = 0;
    lists >> code;
    accepted.back().push_back(code);
  }
  return accepted;
}

bool Compiles(const std::string& text) {
  const auto file = std::filesystem::temp_directory_path() /
                    ("qconform_emit_" + std::to_string(getpid()) + ".cc");
  std::ofstream(file) << text;
  const std::string command = std::string(QCONFORM_CXX) +
                              " -std=c++17 -Wall -Wextra -Werror -fsyntax-only " +
                              file.string();
  const bool compiles = std::system(command.c_str()) == 0;
  std::filesystem::remove(file);
  return compiles;
}

constexpr const char* kInt4 =
    "QuantizeLinear/23@23/FLOAT-FLOAT-INT4/blocked/inputs/saturate=1/ties/0";

// The reader needs nothing of ONNX's to see the graph.
TEST(EmitCpp, AGraph_HoldsItsNodes) {
  FedModel fed;
  Tensor x = Tensor::Zeros(DataType::kInt8, {2});
  WriteCode(x.mutable_view(), 0, 0xff);
  Tensor one = Tensor::Zeros(DataType::kFloat, {});
  WriteCode(one.mutable_view(), 0, 0x3f800000);
  fed.model.opset_version = 21;
  fed.model.ir_version = 10;
  fed.model.node = {
      kGraphOpType,
      "",
      {"x", "x_scale"},
      {"y"},
      {},
      {{"DequantizeLinear", "", {"x", "x_scale"}, {"h"}, {{"axis", int64_t{0}}}},
       {"LeakyRelu", "", {"h"}, {"y"}, {{"alpha", 0.1f}}}}};
  fed.model.inputs = {{"x", DataType::kInt8, {2}}};
  fed.model.outputs = {{"y", DataType::kFloat, {2}}};
  fed.model.initializers = {{"x_scale", one}};
  fed.inputs = {x};
  const auto content = ContentAnswers::Create(fed.model, ViewsOf(fed.inputs));
  ASSERT_TRUE(content.ok()) << content.error().message;
  const auto text = EmitCpp("a graph", **content);
  ASSERT_TRUE(text.ok()) << text.error().message;
  EXPECT_THAT(*text, HasSubstr("graph.inputs = {\"x\", \"x_scale\"};"));
  EXPECT_THAT(*text, HasSubstr("node.op_type = \"LeakyRelu\";"));
  EXPECT_THAT(*text, HasSubstr("node.inputs = {\"h\"};"));
  EXPECT_THAT(*text, HasSubstr("node.float_attributes[\"alpha\"] = 0x1.99999ap-4f;"));
  EXPECT_THAT(*text, HasSubstr("Compute(graph, operands)"));
  EXPECT_TRUE(Compiles(*text));
}

TEST(EmitCpp, ACase_HoldsItsOperandsAndAttributes) {
  const std::string text = Emit(kInt4);
  EXPECT_THAT(text, HasSubstr("node.opset_version = 23;"));
  EXPECT_THAT(text, HasSubstr("node.attributes[\"block_size\"] ="));
  EXPECT_THAT(text, HasSubstr("// y_scale: FLOAT["));
  EXPECT_THAT(text, HasSubstr("}, 4, {\n"));
}

// Whoever divides FLOAT16 in FLOAT before 23, or sums float8 in FLOAT, is admissible.
TEST(EmitCpp, WhatAReadingOrABoundAllows_IsAccepted) {
  for (const char* id :
       {"QuantizeLinear/21@21/FLOAT16-FLOAT16-UINT8/per_tensor/inputs/saturate=1/"
        "nan_neighbours/0",
        "QLinearMatMul/21@25/FLOAT-FLOAT8E4M3FN-FLOAT8E4M3FN-FLOAT8E4M3FN/"
        "per_tensor-per_tensor/inputs/vectors=short/readings/0"}) {
    const Asked asked(id);
    const auto accepted = Accepted(asked.text);
    ASSERT_EQ(accepted.size(), asked.answer.elements.size()) << id;
    int several = 0;
    for (const auto& codes : accepted) {
      EXPECT_LT(codes.size(), 128u) << id;
      several += codes.size() > 1 ? 1 : 0;
    }
    EXPECT_GT(several, 0) << id;
    const auto choices = asked.oracle.Readings(asked.inputs);
    ASSERT_TRUE(choices.ok());
    for (const ReadingSet& choice : *choices) {
      const auto answer = asked.oracle.Evaluate(asked.inputs, choice);
      ASSERT_TRUE(answer.ok());
      for (size_t i = 0; i < accepted.size(); ++i) {
        const std::vector<uint32_t>& codes = accepted[i];
        if (codes.empty()) continue;
        EXPECT_EQ(codes.front(), asked.answer.elements[i].code) << id;
        EXPECT_THAT(codes, Contains(answer->elements[i].code)) << id << Spell(choice);
        if (!choice.is_bounded()) continue;
        EXPECT_THAT(codes, Contains(answer->bounds[i]->low)) << id << Spell(choice);
        EXPECT_THAT(codes, Contains(answer->bounds[i]->high)) << id << Spell(choice);
      }
    }
  }
}

TEST(EmitCpp, WhatIsNotOpen_HasOneCode) {
  int visited = 0;
  for (const auto& codes : Accepted(Emit(kInt4))) {
    EXPECT_EQ(codes.size(), 1u);
    ++visited;
  }
  EXPECT_GT(visited, 10);
}

// A FLOAT has too many codes to look at each: any NaN, a zero of any sign, and all values
// from -2^-149 to 1 by a derived bound.
TEST(EmitCpp, AFloatOutput_HasRangesOfCodes) {
  const ReadingSet bounded{
      {{"C-1", "bounded"}}, ReadingSet::Kind::kBounded, /*code=*/1, 0};
  const MadeUpOperator op({.evaluate =
                               [](const Operands&, const ReadingSet& readings) {
                                 Answer y{DataType::kFloat, {3}, {}};
                                 y.elements = {
                                     {.code = 0x7fc00000, .freedom = Freedom::kAnyNan},
                                     {.code = 0x80000000, .zero_sign_is_free = true},
                                     {.code = 0x3f800000}};
                                 if (!readings.is_bounded()) return std::vector{y};
                                 for (const ElementAnswer& element : y.elements) {
                                   y.bounds.push_back({element.code, element.code,
                                                       element.code, element.code});
                                 }
                                 y.bounds[2].low = 0x80000001;
                                 return std::vector{y};
                               },
                           .readings = {{}, bounded}});
  Model model;
  const Tensor x = Tensor::Zeros(DataType::kUint8, {1});
  const std::string text = *EmitCpp("made up", *op.Ask(model, x));
  EXPECT_THAT(text, HasSubstr("CheckRanges(\"y\", outputs[0], 1, {3}, 32, {\n      "
                              "{{2143289344, 2143289344}, {2139095041, 2143289343}, "
                              "{2143289345, 2147483647}, {4286578689, 4294967295}}, "
                              "{{2147483648, 2147483648}, {0, 0}}, "
                              "{{1065353216, 1065353216}, {0, 1065353215}, "
                              "{2147483648, 2147483649}},});"));
  EXPECT_TRUE(Compiles(text));
}

TEST(EmitCpp, SixBits_HaveCodesBelow64) {
  if (NewestOpsetVersion() < 28) GTEST_SKIP() << "the linked ONNX has no opset 28";
  const std::string text = Emit(
      "QuantizeLinear/28@28/FLOAT-FLOAT-FLOAT6E3M2/blocked/inputs/saturate=1/ties/0");
  EXPECT_THAT(text, HasSubstr("// y: FLOAT6E3M2["));
  EXPECT_THAT(text, HasSubstr("}, 6, {\n"));
  int visited = 0;
  for (const auto& codes : Accepted(text)) {
    ASSERT_FALSE(codes.empty());
    for (const uint32_t code : codes) EXPECT_LT(code, 64u);
    ++visited;
  }
  EXPECT_GT(visited, 10);
}

TEST(EmitCpp, ACase_Compiles) { EXPECT_TRUE(Compiles(Emit(kInt4))); }

}  // namespace
}  // namespace qconform
