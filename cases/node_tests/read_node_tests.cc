#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "cases/model/serialize.h"
#include "cases/model/text.h"
#include "cases/node_tests/disputed.h"
#include "cases/node_tests/files.h"
#include "cases/node_tests/node_tests.h"
#include "oracle/base/expected.h"
#include "oracle/base/sha256.h"
#include "oracle/base/text.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kModelFile = "model.onnx";

// Returns the names in `directory` that begin with `prefix`, sorted; names that differ
// only in a number at the end are sorted by it. An unreadable directory counts as empty.
std::vector<std::string> NamesIn(const fs::path& directory, std::string_view prefix) {
  std::vector<std::string> names;
  std::error_code code;
  for (fs::directory_iterator it(directory, code), end; !code && it != end;
       it.increment(code)) {
    std::string name = it->path().filename().string();
    if (name.starts_with(prefix)) names.push_back(std::move(name));
  }
  const auto stem = [](const std::string& name) {
    return name.substr(0, name.find_last_not_of("0123456789") + 1);
  };
  std::sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
    if (stem(a) == stem(b) && a.size() != b.size()) return a.size() < b.size();
    return a < b;
  });
  return names;
}

// Returns the folders below `directory` that are called test_*.
std::vector<std::string> TestFoldersIn(const fs::path& directory) {
  std::vector<std::string> names = NamesIn(directory, "test_");
  std::erase_if(names, [&](const std::string& name) {
    std::error_code code;
    return !fs::is_directory(directory / name, code);
  });
  return names;
}

// Reads KIND_0.pb, KIND_1.pb, ... of a data set: one for each of `infos`.
Status ReadTensors(const fs::path& folder, const std::string& kind,
                   const std::vector<ValueInfo>& infos, std::vector<Tensor>& tensors,
                   std::vector<std::string>* digests) {
  const std::string set = folder.filename().string();
  for (size_t i = 0; i < infos.size(); ++i) {
    const std::string file = kind + "_" + std::to_string(i) + ".pb";
    const std::string name = set + "/" + file;
    std::error_code code;
    if (!fs::exists(folder / file, code)) {
      return Error{name + ": is missing; the model has " + std::to_string(infos.size()) +
                   " " + kind + "s"};
    }
    const Result<std::string> bytes = ReadSmallFile(folder / file);
    if (!bytes) return bytes.error();
    Result<Tensor> tensor = ParseTensor(*bytes);
    if (!tensor) return Error{name + ": " + tensor.error().message};
    if (Status status = CheckAgainst(infos[i], *tensor, name); !status) return status;
    tensors.push_back(std::move(*tensor));
    if (digests != nullptr) digests->push_back(Sha256Hex(*bytes));
  }
  std::vector<std::string> files = NamesIn(folder, kind + "_");
  std::erase_if(files, [](const std::string& name) { return !name.ends_with(".pb"); });
  if (files.size() != infos.size()) {
    return Error{set + ": has " + std::to_string(files.size()) + " files " + kind +
                 "_*.pb, but the model has " + std::to_string(infos.size()) + " " + kind +
                 "s"};
  }
  return Ok();
}

Result<DataSet> ReadDataSet(const fs::path& folder, const std::string& test_name,
                            const Model& model) {
  DataSet set;
  set.name = folder.filename().string();
  if (Status status = ReadTensors(folder, "input", model.inputs, set.inputs, nullptr);
      !status) {
    return status.error();
  }
  if (Status status =
          ReadTensors(folder, "output", model.outputs, set.outputs, &set.output_sha256);
      !status) {
    return status.error();
  }
  for (const std::string& digest : set.output_sha256) {
    if (set.disputed.empty()) set.disputed = DisputedReason(test_name, digest);
  }
  return set;
}

// Reads the rest of a test whose operator is judged.
Result<NodeTest> ReadNodeTest(const fs::path& folder, const std::string& bytes) {
  NodeTest test;
  test.name = folder.filename().string();
  test.directory = folder.string();
  Result<Model> model = ParseModel(bytes);
  if (!model) return Error{std::string(kModelFile) + ": " + model.error().message};
  test.model = std::move(*model);
  test.model_sha256 = Sha256Hex(bytes);
  test.checked = CheckModel(bytes);
  for (const std::string& name : NamesIn(folder, "test_data_set_")) {
    Result<DataSet> set = ReadDataSet(folder / name, test.name, test.model);
    if (!set) return set.error();
    test.data_sets.push_back(std::move(*set));
  }
  if (test.data_sets.empty()) {
    return Expected("test_data_set_0", "a folder with input_0.pb, ..., output_0.pb",
                    "nothing");
  }
  return test;
}

// Returns "2 to 8 nodes", the sizes of graphs that are read.
std::string SizesOfGraphs() {
  return "2 to " + std::to_string(kMostGraphNodes) + " nodes";
}

// Returns why a model with these nodes is not read, or an empty text if it is.
std::string WhyNotRead(std::span<const std::string> nodes,
                       std::span<const std::string> op_types,
                       IsGraphNodeOf is_graph_node) {
  const auto is_one = [&](const std::string& node) {
    return std::ranges::find(op_types, node) != op_types.end();
  };
  if (nodes.empty()) return "has no node";
  if (nodes.size() == 1) {
    return is_one(nodes.front()) ? "" : Quoted(nodes.front()) + " is not judged";
  }
  const std::string has = "has " + std::to_string(nodes.size()) + " nodes; ";
  if (is_graph_node == nullptr) return has + "graphs are not read";
  if (nodes.size() > kMostGraphNodes) {
    return has + "graphs of " + SizesOfGraphs() + " are read";
  }
  const auto other = std::ranges::find_if_not(nodes, is_graph_node);
  if (other != nodes.end()) return Quoted(*other) + " is not judged in graphs";
  return std::ranges::any_of(nodes, is_one) ? "" : "no node quantizes or dequantizes";
}

// Names the first folders that are not read, each with the reason.
std::string SkippedText(std::span<const SkippedNodeTest> skipped) {
  constexpr size_t kMost = 3;
  std::string text = skipped.size() == 1 ? "the 1 folder is of other operators"
                                         : "the " + std::to_string(skipped.size()) +
                                               " folders are of other operators";
  text += " or graphs: ";
  const size_t shown = std::min(skipped.size(), kMost);
  text += Joined(skipped.first(shown), "; ",
                 [](const SkippedNodeTest& one) { return one.name + ": " + one.reason; });
  if (shown < skipped.size()) {
    text += "; and " + std::to_string(skipped.size() - shown) + " more";
  }
  return text;
}

// Reads one folder into the list where it belongs.
void ReadFolder(const fs::path& folder, std::span<const std::string> op_types,
                IsGraphNodeOf is_graph_node, NodeTests& tests) {
  const std::string name = folder.filename().string();
  if (!IsUtf8(name)) {  // reports are JSON and cannot contain it
    tests.broken.push_back(
        {Printable(name), Printable(name) + ": the name is not UTF-8"});
    return;
  }
  const auto broken = [&](const Error& error) {
    const std::string message = error.message.starts_with(folder.string())
                                    ? error.message
                                    : (folder / "").string() + error.message;
    tests.broken.push_back({name, message});
  };
  const Result<std::string> bytes = ReadSmallFile(folder / kModelFile);
  if (!bytes) return broken(bytes.error());
  Result<std::vector<std::string>> operators = OperatorsOf(*bytes);
  if (!operators) {
    return broken(Error{std::string(kModelFile) + ": " + operators.error().message});
  }
  std::string reason = WhyNotRead(*operators, op_types, is_graph_node);
  if (!reason.empty()) {
    tests.skipped.push_back({name, std::move(*operators), std::move(reason)});
    return;
  }
  Result<NodeTest> test = ReadNodeTest(folder, *bytes);
  if (!test) return broken(test.error());
  tests.tests.push_back(std::move(*test));
}

// Returns the first of the known layouts that has test folders.
std::optional<fs::path> FindTestFolders(const fs::path& directory) {
  for (const char* below : {"", "node", "data/node", "test/data/node",
                            "backend/test/data/node", "onnx/backend/test/data/node"}) {
    fs::path candidate = *below == '\0' ? directory : directory / below;
    if (!TestFoldersIn(candidate).empty()) return candidate;
  }
  return std::nullopt;
}

}  // namespace

Result<NodeTests> ReadNodeTests(std::string_view directory,
                                std::span<const std::string> op_types,
                                IsGraphNodeOf is_graph_node) {
  // A slash at the end would make the last name empty.
  const std::string given(directory);
  fs::path root = fs::path(given).lexically_normal();
  if (!root.has_filename()) root = root.parent_path();
  std::error_code code;
  if (!fs::exists(root, code)) return Error{given + ": is missing"};
  if (!fs::is_directory(root, code)) return Error{given + ": is not a directory"};
  fs::directory_iterator readable(root, code);
  if (code) return Error{given + ": " + code.message()};

  NodeTests tests;
  if (fs::exists(root / kModelFile, code)) {
    tests.directory = root.parent_path().string();
    ReadFolder(root, op_types, is_graph_node, tests);
  } else if (const std::optional<fs::path> found = FindTestFolders(root)) {
    tests.directory = found->string();
    for (const std::string& name : TestFoldersIn(*found)) {
      ReadFolder(*found / name, op_types, is_graph_node, tests);
    }
  }
  if (tests.tests.empty() && tests.broken.empty()) {
    const std::string others = tests.skipped.empty()
                                   ? "no folder test_*/model.onnx lies there"
                                   : SkippedText(tests.skipped);
    const std::string graphs =
        is_graph_node == nullptr
            ? ""
            : ", or of graphs of " + SizesOfGraphs() + ", one of which is of these";
    return Error{given + ": 0 node tests found of " + Joined(op_types, ", ") + graphs +
                 "; " + others};
  }
  return tests;
}

}  // namespace qconform
