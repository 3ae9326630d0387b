#include "harness/cli/emit_cpp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

#include "cases/generators/case.h"
#include "harness/backends/operands.h"
#include "harness/compare/oracle_model.h"

namespace qconform {
namespace {

using testing::HasSubstr;

std::string Emit(const std::string& id) {
  const auto key = ParseCaseId(id);
  EXPECT_TRUE(key.ok()) << key.error().message;
  const auto made = MakeCase(*key, 1);
  EXPECT_TRUE(made.ok());
  const auto oracle = OracleModel::Create(made->model);
  const std::vector<TensorView> inputs = ViewsOf(made->inputs);
  const auto answer = oracle->Evaluate(inputs);
  EXPECT_TRUE(answer.ok());
  const auto text = EmitCpp(id, made->model, made->inputs, *answer);
  EXPECT_TRUE(text.ok());
  return *text;
}

constexpr const char* kInt4 =
    "QuantizeLinear/21@21/FLOAT-FLOAT-INT4/blocked/inputs/saturate=1/ties/0";

TEST(EmitCpp, ACase_HoldsItsOperandsAndAttributes) {
  const std::string text = Emit(kInt4);
  EXPECT_THAT(text, HasSubstr("node.opset_version = 21;"));
  EXPECT_THAT(text, HasSubstr("node.attributes[\"block_size\"] ="));
  EXPECT_THAT(text, HasSubstr("// y_scale: FLOAT["));
  EXPECT_THAT(text, HasSubstr("const size_t bits = 4;"));
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
