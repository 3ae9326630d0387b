// The readers of typed text: the values of `explain`, ids of cases, patterns of --cells,
// and the flags --vary, --backend-option and --fail-on.
#include <string>
#include <string_view>
#include <vector>

#include "cases/core/case.h"
#include "harness/cli/commands/commands.h"
#include "harness/cli/commands/question_text.h"
#include "harness/cli/shard/shard.h"
#include "harness/cli/vary/vary.h"
#include "harness/runner/selection.h"
#include "oracle/base/testing/tested_reader.h"
#include "oracle/base/text.h"
#include "reports/diff/diff.h"

namespace qconform {
namespace {

// A tensor as `explain` takes it.
ReadAs ReadTensorText(std::string_view text) {
  const auto tensor = ParseTensorText(std::string(text), DataType::kFloat, "x");
  if (tensor) {
    Require(tensor->data.size() < 1'000'000 + 16 * text.size(), "a tensor is bounded");
  }
  return Outcome(tensor);
}

// The words of `explain`, one a line: an operator, an opset version, settings.
ReadAs ReadQuestionText(std::string_view text) {
  std::vector<std::string> words = Split(text, "\n");
  if (words.size() < 2) return ReadAs::kError;
  const std::string op_type = words[0];
  const int opset_version = ParseNumber<int>(words[1]).value_or(0);
  words.erase(words.begin(), words.begin() + 2);
  return Outcome(ParseQuestion(op_type, opset_version, words));
}

ReadAs ReadCaseId(std::string_view text) {
  const auto key = ParseCaseId(text);
  if (!key) return Outcome(key);
  const auto again = ParseCaseId(CaseId(*key));
  Require(again.ok() && *again == *key, "an id is read as written");
  return ReadAs::kWhole;
}

ReadAs ReadCellPattern(std::string_view text) {
  return Outcome(SelectCells({std::string(text)}));
}

// Flags whose value is read as text; one a line.
ReadAs ReadFlags(std::string_view text) {
  const std::vector<std::string> lines = Split(text, "\n");
  const auto settings = BackendSettings({}, lines);
  Outcome(ParseBackendOptions(lines));
  for (const std::string& line : lines) {
    Outcome(ParseFailOn(line));
    Outcome(ChooseShard(line, [](const char*) { return nullptr; }));
  }
  return Outcome(settings);
}

}  // namespace

std::vector<TestedReader> TestedReaders() {
  using Documents = std::vector<std::string>;
  return {
      {"explain_tensor", ReadTensorText,
       [] {
         return Documents{"2.5",
                          "[1,-0,inf,nan]:FLOAT16",
                          "[[0x01,2],[3,4]]:UINT8",
                          "0x1.4p+1:BFLOAT16",
                          "[[[1e-40]]]",
                          "[]:INT4"};
       },
       true},
      {"explain_question", ReadQuestionText,
       [] {
         return Documents{
             "QuantizeLinear\n21\nx=[2.5,3.5]\ny_scale=1\ny_zero_point=0:INT8\naxis=0",
             "QLinearMatMul\n0\na=[[1,2]]:UINT8\na_scale=1\na_zero_point=0:UINT8\n"
             "b=[[1],[2]]:INT8\nb_scale=1\nb_zero_point=0:INT8\ny_scale=1\n"
             "y_zero_point=0:UINT8"};
       },
       true},
      {"case_id", ReadCaseId,
       [] {
         return Documents{
             "QuantizeLinear/10@12/FLOAT-FLOAT-INT8/per_tensor/inputs/saturate=1/ties/0"};
       },
       true},
      {"cells", ReadCellPattern,
       [] {
         return Documents{"QuantizeLinear", "*/21/*INT8*/*", "graphs.*/21/*"};
       },
       true},
      {"flags", ReadFlags,
       [] {
         return Documents{"opt_level=disable,basic", "threads=1,2\nregressed=1,2"};
       },
       true},
  };
}

}  // namespace qconform
