#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "cases/model/serialize.h"
#include "cases/node_tests/files.h"
#include "cases/node_tests/node_tests.h"
#include "oracle/base/expected.h"
#include "oracle/base/sha256.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDataSet = "test_data_set_0";

// Accepts no name that leaves the directory, is hidden, or needs quoting in a shell.
bool IsTestName(std::string_view name) {
  constexpr size_t kLongest = 200;  // file systems allow 255, and ours gets a suffix
  return name.starts_with("test_") && name.size() <= kLongest &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                  (c >= '0' && c <= '9') ||
                  std::string_view("_.,=-").find(c) != std::string_view::npos;
         });
}

struct File {
  std::string path;  // below the test's folder
  std::string bytes;
};

// Appends KIND_0.pb, KIND_1.pb, ...
Status AppendTensors(const std::string& kind, const std::vector<ValueInfo>& infos,
                     std::span<const Tensor> tensors, TensorField field,
                     std::vector<File>& files) {
  if (tensors.size() != infos.size()) {
    return Expected(kind + "s", std::to_string(infos.size()) + ", as the model has",
                    std::to_string(tensors.size()));
  }
  for (size_t i = 0; i < infos.size(); ++i) {
    const std::string path =
        std::string(kDataSet) + "/" + kind + "_" + std::to_string(i) + ".pb";
    if (Status status = CheckAgainst(infos[i], tensors[i], path); !status) return status;
    files.push_back({path, SerializeTensor(tensors[i], infos[i].name, field)});
  }
  return Ok();
}

}  // namespace

Result<std::vector<WrittenFile>> WriteNodeTest(std::string_view directory,
                                               std::string_view name, const Model& model,
                                               std::span<const Tensor> inputs,
                                               std::span<const Tensor> outputs,
                                               TensorField field) {
  if (!IsTestName(name)) {
    return Expected("name of a node test",
                    "test_ and letters, digits, _.,=- (at most 200)",
                    "'" + std::string(name) + "'");
  }
  std::vector<File> files{{"model.onnx", SerializeModel(model)}};
  if (Status status = AppendTensors("input", model.inputs, inputs, field, files);
      !status) {
    return Error{std::string(name) + ": " + status.error().message};
  }
  if (Status status = AppendTensors("output", model.outputs, outputs, field, files);
      !status) {
    return Error{std::string(name) + ": " + status.error().message};
  }

  const fs::path final_folder = fs::path(directory) / name;
  std::error_code code;
  if (fs::exists(fs::symlink_status(final_folder, code))) {
    return Error{final_folder.string() + ": is there already"};
  }
  // Written next to its place and then renamed, so that nobody ever finds half a test.
  // The dot keeps it from being read as a test.
  const fs::path partial = fs::path(directory) / ("." + std::string(name) + ".partial");
  const auto give_up = [&](const std::string& message) {
    std::error_code ignored;
    // By name: to list a directory takes a descriptor, which there may not be.
    for (const File& file : files) fs::remove(partial / file.path, ignored);
    fs::remove(partial / kDataSet, ignored);
    fs::remove(partial, ignored);
    return Error{message};
  };
  fs::remove_all(partial, code);  // of a run that was killed
  fs::create_directories(partial / kDataSet, code);
  if (code) {
    return give_up(final_folder.string() + ": cannot create it: " + code.message());
  }
  std::vector<WrittenFile> written;
  for (const File& file : files) {
    if (Status status = WriteFile(partial / file.path, file.bytes); !status) {
      return give_up(status.error().message);
    }
    written.push_back({std::string(name) + "/" + file.path, Sha256Hex(file.bytes)});
  }
  fs::rename(partial, final_folder, code);
  if (code) return give_up(final_folder.string() + ": " + code.message());
  return written;
}

}  // namespace qconform
