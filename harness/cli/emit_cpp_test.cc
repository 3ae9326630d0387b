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
#include "harness/core/oracle_model.h"

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

constexpr const char* kInt4 =
    "QuantizeLinear/23@23/FLOAT-FLOAT-INT4/blocked/inputs/saturate=1/ties/0";

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
        EXPECT_THAT(codes, Contains(answer->bounds[i].low)) << id << Spell(choice);
        EXPECT_THAT(codes, Contains(answer->bounds[i].high)) << id << Spell(choice);
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

TEST(EmitCpp, ACase_Compiles) {
  const auto file = std::filesystem::temp_directory_path() /
                    ("qconform_emit_" + std::to_string(getpid()) + ".cc");
  std::ofstream(file) << Emit(kInt4);
  const std::string command = std::string(QCONFORM_CXX) +
                              " -std=c++17 -Wall -Wextra -Werror -fsyntax-only " +
                              file.string();
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace qconform
