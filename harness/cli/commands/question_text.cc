#include "harness/cli/commands/question_text.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "cases/core/case.h"
#include "cases/lattice/lattice.h"
#include "cases/model/serialize.h"
#include "harness/runner/selection.h"
#include "harness/runner/suites/node_test_runner.h"
#include "oracle/base/expected.h"
#include "oracle/base/file.h"
#include "oracle/base/text.h"

namespace qconform {

Result<FedModel> ParseQuestion(const std::string& op_type, int opset_version,
                               std::span<const std::string> settings) {
  auto fed = ReadQuestion(op_type, opset_version, settings);
  if (!fed) return fed.error();
  fed->model.ir_version = IrVersionFor(fed->model.opset_version);
  if (const Status checked = CheckModel(SerializeModel(fed->model)); !checked) {
    return Error{op_type + ": the model is invalid: " + checked.error().message};
  }
  return fed;
}

bool IsStoredCase(const std::string& text) {
  std::error_code ignored;
  return text.ends_with(".json") || std::filesystem::exists(text, ignored);
}

Result<StoredCase> ReadStoredCase(const std::string& file) {
  const auto bytes = ReadFile(file);
  if (!bytes) return bytes.error();
  auto stored = ParseStoredCase(*bytes, file);
  if (!stored) return stored.error();
  const std::string& op_type = stored->model.node.op_type;
  const std::vector<std::string> families = FamiliesInUse();
  if (IsGraphFamily(op_type) && std::ranges::count(families, op_type) == 0) {
    return Expected(file + ": op_type",
                    std::string(kGraphOpType) + " or one of " + Joined(families, ", "),
                    "'" + op_type + "'");
  }
  return stored;
}

namespace {

// Returns the folder of a node test, which may be named by its model; "" for other files.
std::string NodeTestFolder(const std::string& text) {
  std::error_code ignored;
  if (std::filesystem::is_directory(text, ignored)) return text;
  if (!text.ends_with(".onnx")) return "";
  const std::string folder = std::filesystem::path(text).parent_path().string();
  return folder.empty() ? "." : folder;
}

// Reads the model of a node test and the inputs of its first data set.
Result<FedModel> ReadNodeTest(const std::string& folder) {
  auto found = FindNodeTests({folder});
  if (!found) return found.error();
  if (found->tests.size() != 1) {
    return Expected(folder, "the folder of one node test of judged operators",
                    !found->tests.empty()
                        ? std::to_string(found->tests.size()) + " of them"
                    : found->skipped_graphs.empty() ? "none"
                                                    : found->skipped_graphs.front());
  }
  Result<NodeTest>& test = found->tests.front().test;
  if (!test) return test.error();
  if (!test->checked) {
    return Error{folder + ": the model is invalid: " + test->checked.error().message};
  }
  if (test->data_sets.empty()) {
    return Expected(folder, "test_data_set_0, which has the inputs", "no data set");
  }
  return FedModel{std::move(test->model), std::move(test->data_sets.front().inputs)};
}

}  // namespace

Result<FedModel> FindQuestion(const std::string& text, uint64_t seed) {
  if (const std::string folder = NodeTestFolder(text); !folder.empty()) {
    auto question = ReadNodeTest(folder);
    if (question || folder == text) return question;
    return Expected(text, "the model of a node test", question.error().message);
  }
  if (IsStoredCase(text)) {
    auto stored = ReadStoredCase(text);
    if (!stored) return stored.error();
    // A misspelt attribute would change the case without notice.
    if (const Status checked = CheckModel(SerializeModel(stored->model)); !checked) {
      return Error{text + ": the model is invalid: " + checked.error().message};
    }
    return FedModel(std::move(*stored));
  }
  const auto key = ParseCaseId(text);
  if (!key) return key.error();
  auto question = MakeCase(*key, seed);
  if (!question) return question.error();
  return FedModel(*std::move(question));
}

}  // namespace qconform
