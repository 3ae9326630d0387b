// What a ModelFile keeps of its file. Private to this folder.
#ifndef QCONFORM_CASES_MODEL_MODEL_FILE_STATE_H_
#define QCONFORM_CASES_MODEL_MODEL_FILE_STATE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cases/model/model_file.h"
#include "cases/model/skeleton.h"
#include "onnx/onnx_pb.h"
#include "oracle/base/result.h"

namespace qconform {

struct ModelFile::State {
  // Where a constant comes from.
  struct Source {
    enum Kind : uint8_t { kInitializer, kSparse, kNode } kind = kInitializer;
    size_t index = 0;  // among those of the kind in the file
  };

  SeekableFile file;
  Skeleton skeleton;            // its bytes are dropped
  onnx::ModelProto proto;       // of the skeleton
  onnx::ModelProto prepared{};  // with inferred types
  int ir_version = 0;
  std::map<std::string, int64_t> imports{};
  std::vector<FileNode> nodes{};
  std::vector<size_t> positions{};  // of the nodes in the file
  std::vector<std::string> inputs{};
  std::vector<std::string> outputs{};
  std::vector<FileConstant> constants{};
  std::vector<Source> sources{};  // of the constants
  std::vector<FileFunction> functions{};
  std::vector<NestedNode> nested{};
  std::string checker{};
  std::map<std::string, FileValue, std::less<>> values{};
  std::map<std::string, size_t, std::less<>> constant_by_name{};
  std::map<std::string, size_t, std::less<>> producers{};
  std::map<std::string, std::vector<size_t>, std::less<>> readers{};
  std::set<std::string, std::less<>> output_names{};
  std::optional<std::pair<Sizes, KnownShapes>> with_sizes{};

  Status Read();
  Status ReadImports();
  Status ReadConstants();
  Status ReadNodes();
  Status ReadEdges();
  Status CheckOrder() const;
  void ReadTypes();

  Status AddConstant(const std::string& name, const onnx::TensorProto& tensor,
                     Source source);
  // Returns the whole message of a constant, with its data if it lies in this file.
  Result<onnx::TensorProto> TensorOf(size_t constant) const;
  Result<std::string> BytesOf(Place place) const {
    return file.Read(place.offset, place.size);
  }
};

}  // namespace qconform

#endif  // QCONFORM_CASES_MODEL_MODEL_FILE_STATE_H_
