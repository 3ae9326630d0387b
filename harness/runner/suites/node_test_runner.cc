#include "harness/runner/suites/node_test_runner.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <span>
#include <system_error>
#include <utility>
#include <variant>

#include "harness/backends/run_model.h"
#include "harness/compare/compare.h"
#include "harness/compare/standing.h"
#include "harness/core/oracle_model.h"
#include "harness/runner/selection.h"
#include "oracle/base/expected.h"
#include "oracle/base/sha256.h"
#include "oracle/formats/codes.h"
#include "oracle/graphs/graph.h"

namespace qconform {
namespace {

struct DataSetVerdict {
  NodeVerdict verdict = NodeVerdict::kPass;
  std::string reason;
};

NodeVerdict Worse(NodeVerdict a, NodeVerdict b) { return std::min(a, b); }

// Describes outputs that the specification does not allow.
std::string Difference(const CaseAnswer& expected, const Standing& standing) {
  if (!standing.invalid_output.empty()) return standing.invalid_output;
  const Mismatch& first = *standing.first;
  const auto at = static_cast<size_t>(first.index);
  const DataType type = expected.TypeOf(at);
  return std::to_string(standing.unexplained) + " of " +
         std::to_string(expected.elements.size()) + " elements, first " +
         expected.NameOf(at) + ": the oracle has " +
         CodeToString(type, first.expected.code) + ", here it is " +
         CodeToString(type, first.actual);
}

DataSetVerdict RunDataSet(Backend& backend, const Model& model, const DataSet& data) {
  if (!data.disputed.empty()) return {NodeVerdict::kDisputed, data.disputed};
  const auto oracle = OracleModel::Create(model);
  if (!oracle) return {NodeVerdict::kError, oracle.error().message};
  const std::vector<TensorView> inputs = ViewsOf(data.inputs);
  // If the model's own definition is not judged, the expected output shows whether it
  // means the same here. If it does not, that is not counted against the backend.
  const auto with_note = [&](const std::string& text) {
    return oracle->note().empty() ? text : oracle->note() + "; " + text;
  };
  const auto validity = oracle->Validate(inputs);
  if (!validity) return {NodeVerdict::kError, with_note(validity.error().message)};
  if (validity->kind == ModelValidity::Kind::kInvalid) {
    return {oracle->note().empty() ? NodeVerdict::kError : NodeVerdict::kDisputed,
            with_note(validity->clause + ": " + validity->reason)};
  }
  auto evaluated = oracle->Evaluate(inputs);
  if (!evaluated) return {NodeVerdict::kError, with_note(evaluated.error().message)};
  const auto answer = std::make_shared<const CaseAnswer>(*std::move(evaluated));
  const auto content = ContentAnswers::Create(model, inputs, answer);
  const auto golden = StandingOf(content, data.outputs);
  if (!golden) return {NodeVerdict::kError, golden.error().message};
  if (!golden->allowed()) {
    return {NodeVerdict::kDisputed, with_note("no reading gives the expected output: " +
                                              Difference(*answer, *golden))};
  }
  auto asked = RunModel(backend, model, inputs);
  if (!asked) return {NodeVerdict::kError, asked.error().message};
  const RunResult result = Settled(*answer, *std::move(asked));
  if (const auto* declined = std::get_if<Unsupported>(&result)) {
    return {NodeVerdict::kUnsupported, declined->Words()};
  }
  if (const auto* refused = std::get_if<Refused>(&result)) {
    return {NodeVerdict::kRefusedLegal, RefusedWords(*refused)};
  }
  if (const auto* error = std::get_if<BackendError>(&result)) {
    return {NodeVerdict::kDeviates, error->text};
  }
  const auto standing = StandingOf(content, std::get<Outputs>(result));
  if (!standing) return {NodeVerdict::kError, standing.error().message};
  if (!standing->allowed()) {
    return {NodeVerdict::kDeviates, with_note(Difference(*answer, *standing))};
  }
  std::string note = oracle->note();
  if (!golden->readings.empty()) {
    note += (note.empty() ? "" : "; ") +
            ("the expected output follows " + golden->ReadingNames());
  }
  if (!standing->readings.empty()) {
    note +=
        (note.empty() ? "" : "; ") + ("the backend follows " + standing->ReadingNames());
  }
  return {NodeVerdict::kPass, note};
}

// Names model and outputs, so that two releases' tests can be told apart.
std::string DigestOf(const NodeTest& test) {
  std::string text = test.model_sha256;
  for (const DataSet& data : test.data_sets) {
    for (const std::string& digest : data.output_sha256) text += " " + digest;
  }
  return Sha256Hex(std::as_bytes(std::span(text)));
}

// The last names of a path, `count` of them or all.
std::string LastNames(const std::filesystem::path& path, size_t count) {
  const std::vector<std::filesystem::path> names(path.begin(), path.end());
  std::filesystem::path last;
  for (size_t i = names.size() - std::min(count, names.size()); i < names.size(); ++i) {
    last /= names[i];
  }
  return last.string();
}

// Returns a name for each directory: the last name of its path, or the last names that
// distinguish it from the others.
std::vector<std::string> ReleasesOf(const std::vector<std::string>& directories) {
  std::vector<std::filesystem::path> paths;
  for (const std::string& directory : directories) {
    std::error_code code;
    auto path = std::filesystem::absolute(directory, code).lexically_normal();
    if (path.filename().empty() && path.has_relative_path()) path = path.parent_path();
    paths.push_back(std::move(path));
  }
  std::vector<std::string> releases;
  for (const auto& path : paths) {
    size_t names = 1;
    const auto is_shared = [&](const std::filesystem::path& other) {
      return other != path && LastNames(other, names) == LastNames(path, names);
    };
    while (std::any_of(paths.begin(), paths.end(), is_shared)) ++names;
    releases.push_back(LastNames(path, names));
  }
  return releases;
}

}  // namespace

Result<FoundNodeTests> FindNodeTests(const std::vector<std::string>& directories) {
  const std::vector<std::string> operators = OperatorsInUse();
  const std::vector<std::string> families = FamiliesInUse();
  const std::vector<std::string> releases = ReleasesOf(directories);
  std::map<std::string, std::string> folders;  // to the directory that has it
  FoundNodeTests found;
  for (size_t i = 0; i < directories.size(); ++i) {
    auto read = ReadNodeTests(directories[i], operators, [](const std::string& op_type) {
      Node node;
      node.op_type = op_type;
      return IsGraphNode(node);
    });
    if (!read) return read.error();
    std::vector<FoundNodeTest> here;
    for (NodeTest& test : read->tests) {
      std::error_code code;
      const auto folder = std::filesystem::canonical(test.directory, code).string();
      const auto [known, added] = folders.emplace(folder, directories[i]);
      if (!added) {
        return Expected(
            "--node-tests", "each folder of tests once",
            test.name + " in both " + directories[i] + " and " + known->second);
      }
      // Another program's graph may have any name.
      if (std::string& op_type = test.model.node.op_type;
          IsGraphFamily(op_type) && std::ranges::count(families, op_type) == 0) {
        op_type = kGraphOpType;
      }
      std::string name = test.name;
      here.push_back({releases[i], std::move(test), std::move(name)});
    }
    for (BrokenNodeTest& broken : read->broken) {
      here.push_back(
          {releases[i], Error{std::move(broken.message)}, std::move(broken.name)});
    }
    std::sort(
        here.begin(), here.end(),
        [](const FoundNodeTest& a, const FoundNodeTest& b) { return a.name < b.name; });
    std::move(here.begin(), here.end(), std::back_inserter(found.tests));
    found.skipped += static_cast<int64_t>(read->skipped.size());
    for (const SkippedNodeTest& skipped : read->skipped) {
      if (std::ranges::find_first_of(skipped.operators, operators) ==
          skipped.operators.end()) {
        continue;
      }
      found.skipped_graphs.push_back(skipped.name + ": " + skipped.reason);
    }
  }
  return found;
}

NodeTestRecord RunNodeTest(Backend& backend, const FoundNodeTest& found) {
  NodeTestRecord record;
  record.name = found.name;
  record.release = found.release;
  if (!found.test) {
    record.verdict = NodeVerdict::kError;
    record.reason = found.test.error().message;
    return record;
  }
  const NodeTest& test = *found.test;
  record.op_type = test.model.node.op_type;
  record.opset_version = test.model.opset_version;
  record.digest = DigestOf(test);
  record.verdict = NodeVerdict::kPass;
  for (const DataSet& data : test.data_sets) {
    DataSetVerdict verdict = RunDataSet(backend, test.model, data);
    const bool worse = Worse(verdict.verdict, record.verdict) != record.verdict;
    if (worse || (record.reason.empty() && !verdict.reason.empty())) {
      record.reason = data.name + ": " + verdict.reason;
    }
    record.verdict = Worse(verdict.verdict, record.verdict);
  }
  return record;
}

}  // namespace qconform
