// From typed operands to the right answer, and to who gives another one: explain.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "cases/corpus/stored_case.h"
#include "cases/node_tests/node_tests.h"
#include "testing/cli_folder.h"
#include "testing/run_tool.h"

namespace qconform {
namespace {

class Explain : public CliFolder {};

const std::string kTie =
    "explain QuantizeLinear --opset 21 x=2.5 y_scale=1 y_zero_point=1:UINT8 ";

TEST_F(Explain, ATie_IsWorkedThrough) {
  const Ran ran = RunTool(kTie);
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(Has(ran.output, "\ny = 0x03 (3)\n")) << ran.output;
  EXPECT_TRUE(Has(ran.output, "rounded, ties to even         2\n")) << ran.output;
  EXPECT_TRUE(Has(ran.output, "No admissible reading")) << ran.output;
}

TEST_F(Explain, AWrongAnswer_HasAllItsModels) {
  const Ran ran = RunTool(kTie + "--actual 4");
  EXPECT_EQ(ran.exit_code, 1) << ran.output;
  EXPECT_TRUE(Has(ran.output, "  ties_away: ")) << ran.output;
  EXPECT_TRUE(Has(ran.output, "  zero_point_before_rounding: ")) << ran.output;
  EXPECT_FALSE(Has(ran.output, "  truncates: ")) << ran.output;
}

TEST_F(Explain, AnAnswerOfNoModel_SaysSo) {
  const Ran ran = RunTool(kTie + "--actual 77");
  EXPECT_EQ(ran.exit_code, 1) << ran.output;
  EXPECT_TRUE(Has(ran.output, "No named wrong model gives it.")) << ran.output;
}

TEST_F(Explain, TheRightAnswer_Passes) {
  const Ran ran = RunTool(kTie + "--actual 0x3");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(Has(ran.output, "\nactual:\n  y = 0x03 (3)\n  right\n")) << ran.output;
}

TEST_F(Explain, AnOpenClause_ListsItsReadings) {
  const Ran ran = RunTool(
      "explain QuantizeLinear --opset 25 x=-0 y_scale=1 y_zero_point=0:FLOAT4E2M1 "
      "--actual 0x0");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(Has(ran.output, "\ny = 0x8 (-0)\n")) << ran.output;
  EXPECT_TRUE(Has(ran.output, "  QL-20a:zero_point_added\n    y = 0x0 (0)\n"))
      << ran.output;
  EXPECT_TRUE(Has(ran.output, "  admissible: QL-20a:zero_point_added\n")) << ran.output;
}

TEST_F(Explain, AFreeElement_TakesAnyAnswer) {
  const Ran ran =
      RunTool("explain QuantizeLinear x=nan y_scale=1 y_zero_point=0:UINT8 --actual 200");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(Has(ran.output, "y[0] may have any code (QL-12: open)\n")) << ran.output;
  EXPECT_FALSE(Has(ran.output, "No admissible reading")) << ran.output;
  const Ran nan =
      RunTool("explain QuantizeLinear x=nan y_scale=1 y_zero_point=0:FLOAT8E5M2");
  EXPECT_TRUE(Has(nan.output, "y[0] may be any NaN\n")) << nan.output;
  EXPECT_FALSE(Has(nan.output, "No admissible reading")) << nan.output;
  const Ran many = RunTool(
      "explain QuantizeLinear 'x=[nan,nan,nan,nan,nan,nan,nan,nan,nan,nan,nan,nan,nan]' "
      "y_scale=1 y_zero_point=0:UINT8");
  EXPECT_TRUE(Has(many.output, "  and 1 more\n")) << many.output;
}

TEST_F(Explain, Backends_AnswerEachByItself) {
  const Ran ran = RunTool(kTie + "--backend oracle --backend faulty:ties_away");
  EXPECT_EQ(ran.exit_code, 1) << ran.output;
  EXPECT_TRUE(Has(ran.output, "\noracle")) << ran.output;
  EXPECT_TRUE(Has(ran.output, "\nfaulty:ties_away")) << ran.output;
  EXPECT_TRUE(Has(ran.output, "  y = 0x03 (3)\n  right\n")) << ran.output;
  EXPECT_TRUE(Has(ran.output, "  y = 0x04 (4)\n  deviates")) << ran.output;
}

TEST_F(Explain, ListsAndAttributes_AreOfTheModel) {
  const Ran ran = RunTool(
      "explain QuantizeLinear 'x=[[1,2],[3,4]]' 'y_scale=[1,0.5]' axis=-1 "
      "output_dtype=INT8 --element 3 --opset 23");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(Has(ran.output, "FLOAT[2,2]")) << ran.output;
  EXPECT_TRUE(Has(ran.output, "axis = -1\n")) << ran.output;
  EXPECT_TRUE(Has(ran.output, "output_dtype = 3 (INT8)\n")) << ran.output;
  EXPECT_TRUE(Has(ran.output, "y = [0x01 (1), 0x04 (4), 0x03 (3), 0x08 (8)]"))
      << ran.output;
  EXPECT_TRUE(Has(ran.output, "y[3]:")) << ran.output;
}

TEST_F(Explain, HexadecimalFloats_AreNumbers) {
  const Ran ran = RunTool(
      "explain QuantizeLinear 'x=[0x1.4p+1,-0x1.4p+1]' y_scale=0x1p-1 "
      "y_zero_point=0:INT8");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(Has(ran.output, "y = [0x05 (5), 0xfb (-5)]")) << ran.output;
}

TEST_F(Explain, OverflowByCarry_IsANamedModel) {
  const struct {
    const char* x;
    const char* type;
    const char* actual;
  } kRows[] = {
      // 464.1 and 497 are NaN in this model too.
      {"[464.1,480,495.9,496,-480,inf]", "FLOAT8E4M3FN",
       "[0x7f,0x7e,0x7e,0x7f,0xfe,0x7f]"},
      {"[60000,61440,65535,65536,-61440,inf]", "FLOAT8E5M2",
       "[0x7b,0x7f,0x7f,0x7c,0xff,0x7c]"},
  };
  for (const auto& row : kRows) {
    const Ran ran = RunTool("explain QuantizeLinear --opset 21 'x=" + std::string(row.x) +
                            "' y_scale=1 saturate=0 y_zero_point=0:" + row.type +
                            " --actual '" + row.actual + "'");
    EXPECT_EQ(ran.exit_code, 1) << ran.output;
    EXPECT_TRUE(Has(ran.output,
                    "Named wrong models that give it:\n    "
                    "overflow_by_carry: "))
        << ran.output;
  }
}

TEST_F(Explain, AnotherOperator_IsExplainedToo) {
  const Ran ran = RunTool(
      "explain QLinearMatMul 'a=[[1,2]]:UINT8' a_scale=0.5 a_zero_point=0:UINT8 "
      "'b=[[3],[4]]:UINT8' b_scale=1 b_zero_point=0:UINT8 y_scale=1 "
      "y_zero_point=0:UINT8 --actual '[[5]]'");
  EXPECT_EQ(ran.exit_code, 1) << ran.output;
  EXPECT_TRUE(Has(ran.output, "y = [0x06 (6)]")) << ran.output;  // 5.5, a tie
}

TEST_F(Explain, BadInput_IsOneErrorEach) {
  const auto error = [](const std::string& arguments) {
    const Ran ran = RunTool("explain " + arguments);
    EXPECT_EQ(ran.exit_code, 2) << arguments << "\n" << ran.output;
    return ran.output;
  };
  EXPECT_TRUE(Has(error("Foo x=1"), "operator: expected one of "));
  EXPECT_TRUE(Has(error("QuantizeLinear x=1"), "y_scale: expected a value, got none"));
  EXPECT_TRUE(Has(error("QuantizeLinear x=1 y_scale=1 z=3"), "got 'z'"));
  EXPECT_TRUE(Has(error("QuantizeLinear x=1 y_scale=1 y_zero_point=1"),
                  "y_zero_point: expected a value with its type, such as 1:UINT8"));
  EXPECT_TRUE(Has(error("QuantizeLinear x=1:FOO y_scale=1"), "got 'FOO'"));
  EXPECT_TRUE(Has(error("QuantizeLinear 'x=[[1,2],[3]]' y_scale=1"),
                  "x: expected lists of one length, 2, got one of 1"));
  EXPECT_TRUE(Has(error("QuantizeLinear 'x=[1,[2]]' y_scale=1"),
                  "x: expected a number, got '[2]]'"));
  EXPECT_TRUE(Has(error("QuantizeLinear 'x=[[1],2]' y_scale=1"), "expected a list"));
  EXPECT_TRUE(Has(error("QuantizeLinear 'x=[1' y_scale=1"),
                  "x: expected ']', got the end of '[1'"));
  EXPECT_TRUE(Has(error("QuantizeLinear x=1 x=2 y_scale=1"), "x: expected one value"));
  EXPECT_TRUE(Has(error("QuantizeLinear x=1:DOUBLE y_scale=1"), "x has type DOUBLE"));
  EXPECT_TRUE(Has(error("QuantizeLinear x=1 y_scale=1 --element 3"),
                  "--element: expected an element below 1, got 3"));
  EXPECT_TRUE(Has(error("QuantizeLinear x=1 y_scale=1 --actual '[1]'"),
                  "--actual: expected UINT8[] as y, got UINT8[1]"));
  EXPECT_TRUE(Has(error("QuantizeLinear --opset 9 x=1 y_scale=1"),
                  "--opset: expected 10 or newer (QuantizeLinear), got 9"));
  EXPECT_TRUE(Has(error("QuantizeLinear x=1 y_scale=1 precision=FLOAT99"),
                  "precision: expected the name of a data type, such as FLOAT16, or its "
                  "integer, got 'FLOAT99'"));
  // Other attributes hold no types.
  EXPECT_TRUE(Has(error("QuantizeLinear x=1 y_scale=1 axis=FLOAT16"), "axis"));
}

TEST_F(Explain, EmittedForms_AreTheCase) {
  const Ran json = RunTool(kTie + "--emit json");
  ASSERT_EQ(json.exit_code, 0) << json.output;
  const auto stored = ParseStoredCase(json.output, "stdout");
  ASSERT_TRUE(stored.ok()) << stored.error().message;
  EXPECT_EQ(stored->model.node.inputs,
            (std::vector<std::string>{"x", "y_scale", "y_zero_point"}));

  const Ran onnx = RunTool(kTie + "--emit onnx --output " + Path("node"));
  ASSERT_EQ(onnx.exit_code, 0) << onnx.output;
  const auto tests =
      ReadNodeTests(Path("node"), std::vector<std::string>{"QuantizeLinear"});
  ASSERT_TRUE(tests.ok()) << tests.error().message;
  ASSERT_EQ(tests->tests.size(), 1u);
  EXPECT_EQ(tests->tests[0].data_sets[0].outputs[0].data,
            std::vector<std::byte>{std::byte{3}});
  EXPECT_EQ(RunTool(kTie + "--emit onnx --output " + Path("node")).exit_code, 2);

  const Ran python = RunTool(kTie + "--emit python");
  EXPECT_TRUE(Has(python.output, "helper.make_node(\"QuantizeLinear\", "))
      << python.output;
  EXPECT_TRUE(Has(python.output, "y: UINT8[], codes 0x03 (3)")) << python.output;
  EXPECT_TRUE(Has(python.output, "\ncast_to = {}\n")) << python.output;
  const Ran free = RunTool(
      "explain QuantizeLinear 'x=[nan,-2.5]' y_scale=1 y_zero_point=0:INT8 --opset 13 "
      "--emit python");
  EXPECT_TRUE(
      Has(free.output, "y: INT8[2], codes 0x80 (-128) (any code is right) 0xfe (-2)\n"))
      << free.output;
  // onnxruntime returns no types that numpy lacks.
  const struct {
    const char* type;
    const char* cast_to;
  } kCasts[] = {{"FLOAT8E4M3FN", "FLOAT"}, {"FLOAT8E5M2", "FLOAT"}, {"INT4", "INT32"}};
  for (const auto& [type, cast_to] : kCasts) {
    const Ran cast = RunTool(
        "explain QuantizeLinear --opset 21 x=1 y_scale=1 --emit python "
        "y_zero_point=0:" +
        std::string(type));
    EXPECT_TRUE(
        Has(cast.output, "\nexpected = [\"y: " + std::string(type) + "[], codes 0x"))
        << cast.output;
    EXPECT_TRUE(Has(cast.output,
                    "\ncast_to = {\"y\": TensorProto." + std::string(cast_to) + "}\n"))
        << cast.output;
  }
  const Ran nowhere = RunTool(kTie + "--emit onnx --output /proc/foo");
  EXPECT_EQ(nowhere.exit_code, 2) << nowhere.output;
  EXPECT_TRUE(Has(nowhere.output, "/proc/foo/test_quantizelinear_case: cannot create it"))
      << nowhere.output;
  EXPECT_FALSE(Has(nowhere.output, ".partial")) << nowhere.output;
  const Ran cpp = RunTool(kTie + "--emit cpp");
  EXPECT_TRUE(Has(cpp.output, "TEST(QconformCase, QuantizeLinear_as_typed)"))
      << cpp.output;
}

TEST_F(Explain, CommaWithoutAValue_IsAnError) {
  const struct {
    const char* arguments;
    const char* words;
  } kRows[] = {
      {"x=[1,2,] y_scale=1 y_zero_point=0:INT8",
       "x: expected a value after ',', got ']'"},
      {"x=[1,,2] y_scale=1 y_zero_point=0:INT8", "x: expected "},
      {"x=[,1] y_scale=1 y_zero_point=0:INT8", "x: expected "},
      {"x=[1] y_scale=1 axis=[1,2,]", "axis: expected integers, as in [1,2]"},
      {"x=[1] y_scale=1 axis=[,]", "axis: expected integers, as in [1,2]"},
  };
  for (const auto& row : kRows) {
    const Ran ran = RunTool("explain QuantizeLinear " + std::string(row.arguments));
    EXPECT_EQ(ran.exit_code, 2) << row.arguments << ran.output;
    EXPECT_TRUE(Has(ran.output, row.words)) << row.arguments << ran.output;
  }
}

TEST_F(Explain, OptionsOfABackend_AreTakenAndVaried) {
  const std::string simd = kTie + "--backend simd ";
  const Ran one = RunTool(simd + "--backend-option threads=2");
  EXPECT_EQ(one.exit_code, 0) << one.output;
  const Ran both = RunTool(simd + "--vary threads=1,2");
  EXPECT_EQ(both.exit_code, 0) << both.output;
  EXPECT_TRUE(Has(both.output, " at threads=1:\n")) << both.output;
  EXPECT_TRUE(Has(both.output, " at threads=2:\n")) << both.output;
  const struct {
    std::string arguments;
    const char* words;
  } kRows[] = {
      {simd + "--backend-option speed=9", "speed"},
      {simd + "--backend-option threads", "KEY=VALUE"},
      {simd + "--vary threads", "--vary: expected KEY=VALUE,VALUE,..., got 'threads'"},
      {simd + "--emit cpp", "--backend excludes --emit"},
      {kTie + "--backend-option threads=2",
       "--backend-option: expected --backend too, which names the backend to ask, got no "
       "--backend"},
      {kTie + "--vary threads=1,2", "--vary: expected --backend too"},
  };
  for (const auto& row : kRows) {
    const Ran ran = RunTool(row.arguments);
    EXPECT_EQ(ran.exit_code, 2) << row.arguments << ran.output;
    EXPECT_TRUE(Has(ran.output, row.words)) << row.arguments << ran.output;
  }
}

}  // namespace
}  // namespace qconform
