#include "cases/model/model_file.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "cases/model/inference.h"
#include "cases/model/model_file_state.h"
#include "cases/model/tensor_proto.h"
#include "oracle/base/expected.h"

namespace qconform {

ModelFile::ModelFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
ModelFile::ModelFile(ModelFile&&) noexcept = default;
ModelFile& ModelFile::operator=(ModelFile&&) noexcept = default;
ModelFile::~ModelFile() = default;

Result<ModelFile> ModelFile::Open(const std::filesystem::path& path) {
  auto file = SeekableFile::Open(path);
  if (!file) return file.error();
  auto skeleton = ReadSkeleton(*file, kSmallBytes);
  if (!skeleton) return skeleton.error();
  auto state = std::make_unique<State>(
      State{.file = *std::move(file), .skeleton = *std::move(skeleton), .proto = {}});
  const bool parsed = ParseQuietly(state->skeleton.bytes, state->proto);
  state->skeleton.bytes = {};
  const onnx::GraphProto& graph = state->proto.graph();
  // Protobuf merges messages that are there twice, in ways that nobody means.
  if (!parsed || graph.node_size() != std::ssize(state->skeleton.nodes) ||
      graph.initializer_size() != std::ssize(state->skeleton.initializers) ||
      state->proto.functions_size() != std::ssize(state->skeleton.functions)) {
    return Expected(path.string(), "an ONNX model",
                    "bytes that protobuf cannot read (truncated, or another kind of "
                    "file)");
  }
  if (Status read = state->Read(); !read) return read.error();
  return ModelFile(std::move(state));
}

const std::filesystem::path& ModelFile::path() const { return state_->file.path(); }
int ModelFile::ir_version() const { return state_->ir_version; }
const std::map<std::string, int64_t>& ModelFile::opset_imports() const {
  return state_->imports;
}
int ModelFile::opset_version() const {
  const auto own = state_->imports.find("");
  if (own == state_->imports.end() || own->second < 1 ||
      own->second > std::numeric_limits<int>::max()) {
    return 0;
  }
  return static_cast<int>(own->second);
}
const std::vector<FileNode>& ModelFile::nodes() const { return state_->nodes; }
const std::vector<std::string>& ModelFile::inputs() const { return state_->inputs; }
const std::vector<std::string>& ModelFile::outputs() const { return state_->outputs; }
const std::vector<FileConstant>& ModelFile::constants() const {
  return state_->constants;
}
const std::vector<FileFunction>& ModelFile::functions() const {
  return state_->functions;
}
size_t ModelFile::constant_nodes() const {
  return static_cast<size_t>(
      std::ranges::count(state_->sources, State::Source::kNode, &State::Source::kind));
}
const std::vector<NestedNode>& ModelFile::nested() const { return state_->nested; }
const std::string& ModelFile::checker() const { return state_->checker; }

const FileValue* ModelFile::FindValue(std::string_view name) const {
  const auto found = state_->values.find(name);
  return found == state_->values.end() ? nullptr : &found->second;
}

const FileConstant* ModelFile::FindConstant(std::string_view name) const {
  const auto found = state_->constant_by_name.find(name);
  return found == state_->constant_by_name.end() ? nullptr
                                                 : &state_->constants[found->second];
}

std::optional<size_t> ModelFile::ProducerOf(std::string_view name) const {
  const auto found = state_->producers.find(name);
  if (found == state_->producers.end()) return std::nullopt;
  return found->second;
}

std::span<const size_t> ModelFile::ReadersOf(std::string_view name) const {
  const auto found = state_->readers.find(name);
  if (found == state_->readers.end()) return {};
  return found->second;
}

bool ModelFile::IsOutput(std::string_view name) const {
  return state_->output_names.contains(name);
}

const KnownShapes& ModelFile::ShapesWith(const Sizes& sizes) const {
  if (!state_->with_sizes || state_->with_sizes->first != sizes) {
    state_->with_sizes.emplace(sizes, InferWith(state_->prepared, sizes));
  }
  return state_->with_sizes->second;
}

Sizes ModelFile::ChooseSizes(std::map<std::string, int64_t> named) const {
  Sizes best{.named = std::move(named)};
  if (!HasOpenDimensions(state_->prepared)) return best;
  int64_t most = -1;
  for (const int64_t other : {1, 2, 8, 32, 64, 128, 256}) {
    Sizes sizes = best;
    sizes.other = other;
    const KnownShapes& known = ShapesWith(sizes);
    const int64_t count = std::ranges::count_if(known.shapes, [](const auto& value) {
      return std::ranges::find(value.second, 0) == value.second.end();
    });
    if (count <= most) continue;
    most = count;
    best = sizes;
    if (count >= std::ssize(state_->values)) break;
  }
  return best;
}

}  // namespace qconform
