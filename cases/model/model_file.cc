#include "cases/model/model_file.h"

#include <algorithm>
#include <limits>
#include <set>
#include <system_error>
#include <utility>

#include "cases/model/inference.h"
#include "cases/model/read_proto.h"
#include "cases/model/serialize.h"
#include "cases/model/skeleton.h"
#include "cases/model/tensor_proto.h"
#include "cases/model/text.h"
#include "onnx/common/constants.h"
#include "onnx/onnx_pb.h"
#include "oracle/base/expected.h"
#include "oracle/base/text.h"

namespace qconform {
namespace {

// The most bytes of one constant that is loaded.
constexpr uint64_t kMostConstantBytes = uint64_t{4} << 30;

// Returns ONNX's name of an element type.
std::string TypeName(int64_t number) {
  if (number > 0 && number <= std::numeric_limits<int>::max() &&
      onnx::TensorProto::DataType_IsValid(static_cast<int>(number))) {
    return onnx::TensorProto::DataType_Name(static_cast<int>(number));
  }
  return number == 0 ? "" : "type " + std::to_string(number);
}

DataType TypeOf(int64_t number) {
  return DataTypeFromNumber(number).value_or(DataType::kUndefined);
}

std::string KindOf(const onnx::TypeProto& type) {
  if (type.has_sequence_type()) return "SEQUENCE";
  if (type.has_map_type()) return "MAP";
  if (type.has_optional_type()) return "OPTIONAL";
  if (type.has_sparse_tensor_type()) return "SPARSE_TENSOR";
  return "";
}

FileValue ValueOf(const std::string& name, const onnx::TypeProto& type) {
  FileValue value{.name = name, .type_name = KindOf(type), .shape = {}};
  if (!type.has_tensor_type()) return value;
  const onnx::TypeProto::Tensor& tensor = type.tensor_type();
  value.type = TypeOf(tensor.elem_type());
  value.type_name = TypeName(tensor.elem_type());
  if (!tensor.has_shape()) return value;
  value.shape.emplace();
  bool has_names = false;
  for (const auto& dimension : tensor.shape().dim()) {
    const bool fixed = dimension.has_dim_value() && dimension.dim_value() >= 0;
    value.shape->push_back(fixed ? dimension.dim_value() : -1);
    const bool named = !fixed && CheckText(dimension.dim_param(), "dim_param").ok();
    value.dim_params.push_back(named ? dimension.dim_param() : "");
    has_names = has_names || !value.dim_params.back().empty();
  }
  if (!has_names) value.dim_params.clear();
  return value;
}

// --- subgraphs ------------------------------------------------------------------------

// Adds the names that a graph uses and does not define. `known`: what it sees besides.
void AddCaptured(const onnx::GraphProto& graph, std::set<std::string> known,
                 std::vector<std::string>& captured) {
  for (const auto& input : graph.input()) known.insert(input.name());
  for (const auto& tensor : graph.initializer()) known.insert(tensor.name());
  for (const auto& tensor : graph.sparse_initializer()) {
    known.insert(tensor.values().name());
  }
  for (const auto& node : graph.node()) {
    known.insert(node.output().begin(), node.output().end());
  }
  const auto use = [&](const std::string& name) {
    if (name.empty() || known.contains(name)) return;
    if (std::ranges::find(captured, name) == captured.end()) captured.push_back(name);
  };
  for (const auto& node : graph.node()) {
    for (const std::string& input : node.input()) use(input);
    for (const auto& attribute : node.attribute()) {
      if (attribute.has_g()) AddCaptured(attribute.g(), known, captured);
      for (const auto& subgraph : attribute.graphs()) {
        AddCaptured(subgraph, known, captured);
      }
    }
  }
  for (const auto& output : graph.output()) use(output.name());
}

std::string QualifiedName(const std::string& domain, const std::string& name) {
  return onnx::IsOnnxDomain(domain) ? Printable(name)
                                    : Printable(domain) + "." + Printable(name);
}

void AddNested(const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes,
               const std::string& where, std::vector<NestedNode>& nested);

void AddNestedOf(const onnx::NodeProto& node, std::vector<NestedNode>& nested) {
  const std::string label =
      QualifiedName(node.domain(), node.op_type()) + " " +
      Quoted(!node.name().empty() || node.output().empty() ? node.name()
                                                           : node.output(0));
  for (const auto& attribute : node.attribute()) {
    const std::string where = Printable(attribute.name()) + " of " + label;
    if (attribute.has_g()) AddNested(attribute.g().node(), where, nested);
    for (const auto& subgraph : attribute.graphs()) {
      AddNested(subgraph.node(), where, nested);
    }
  }
}

void AddNested(const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes,
               const std::string& where, std::vector<NestedNode>& nested) {
  for (const onnx::NodeProto& node : nodes) {
    if (!IsConstant(node)) {
      nested.push_back({onnx::IsOnnxDomain(node.domain()) ? "" : Printable(node.domain()),
                        Printable(node.op_type()), Printable(node.name()), where});
    }
    AddNestedOf(node, nested);
  }
}

// --- nodes ----------------------------------------------------------------------------

Result<FileNode> ReadFileNode(const onnx::NodeProto& proto) {
  FileNode read;
  if (Status name = CheckName(proto.op_type(), "the op_type of a node"); !name) {
    return name.error();
  }
  read.node.op_type = proto.op_type();
  if (!onnx::IsOnnxDomain(proto.domain())) read.node.domain = proto.domain();
  if (Status text = CheckText(read.node.domain, "the domain of a node"); !text) {
    return text.error();
  }
  read.name = AsUtf8(proto.name());
  if (!IsPrintableText(read.name)) read.name = Printable(read.name);
  read.node.inputs.assign(proto.input().begin(), proto.input().end());
  read.node.outputs.assign(proto.output().begin(), proto.output().end());
  for (const auto* names : {&read.node.inputs, &read.node.outputs}) {
    for (const std::string& name : *names) {
      const std::string what = "an operand of " + Quoted(proto.op_type());
      if (Status text = CheckText(name, what + ": name"); !text) return text.error();
    }
  }
  std::set<std::string> seen;
  for (const onnx::AttributeProto& attribute : proto.attribute()) {
    Result<Attribute> known = ReadAttribute(attribute);
    if (known && !seen.insert(known->name).second) {
      known = Error{"attribute " + Quoted(attribute.name()) + " is given twice"};
    }
    if (known) {
      read.node.attributes.push_back(*std::move(known));
    } else if (read.unread.empty()) {
      read.unread = known.error().message;
    }
    if (attribute.has_g()) AddCaptured(attribute.g(), {}, read.captured);
    for (const auto& subgraph : attribute.graphs()) {
      AddCaptured(subgraph, {}, read.captured);
    }
  }
  return read;
}

// --- external data
// ----------------------------------------------------------------------

struct ExternalData {
  std::string location;
  uint64_t offset = 0;
  std::optional<uint64_t> length;
};

Result<ExternalData> ReadExternalData(const onnx::TensorProto& proto,
                                      const std::string& what) {
  ExternalData data;
  for (const onnx::StringStringEntryProto& entry : proto.external_data()) {
    if (entry.key() == "location") data.location = entry.value();
    if (entry.key() != "offset" && entry.key() != "length") continue;
    const auto number = ParseNumber<uint64_t>(entry.value());
    if (!number) {
      return Expected(what + ": external_data " + entry.key(), "a number of bytes",
                      Quoted(entry.value()));
    }
    if (entry.key() == "offset") data.offset = *number;
    if (entry.key() == "length") data.length = *number;
  }
  if (data.location.empty()) {
    return Expected(what + ": external_data", "a location", "none");
  }
  return data;
}

// Returns the file that a location names. An Error if it does not lie below `folder`.
Result<std::filesystem::path> ExternalFile(const std::filesystem::path& folder,
                                           const std::string& location,
                                           const std::string& what) {
  const Error outside =
      Expected(what + ": external_data location", "a file below the folder of the model",
               Quoted(location));
  const std::filesystem::path relative(location);
  if (relative.is_absolute() || location.find('\0') != std::string::npos ||
      std::ranges::find(relative, std::filesystem::path("..")) != relative.end()) {
    return outside;
  }
  // Links may lead elsewhere.
  std::error_code code;
  const auto base = std::filesystem::canonical(folder.empty() ? "." : folder, code);
  if (code) return Error{folder.string() + ": " + code.message()};
  auto file = std::filesystem::canonical(base / relative, code);
  if (code) {
    return Error{what + ": " + (base / relative).string() + ": " + code.message()};
  }
  const auto [end, rest] =
      std::mismatch(base.begin(), base.end(), file.begin(), file.end());
  if (end != base.end()) return outside;
  return file;
}

// --- protobuf's wire format
// ---------------------------------------------------------------

void AppendMessage(uint32_t number, std::string_view bytes, std::string& out) {
  AppendVarint(number << 3 | 2, out);
  AppendVarint(bytes.size(), out);
  out += bytes;
}

// Sets a tensor's type and shape; dimensions of -1 are open.
void SetTensorType(int32_t type, const Shape& shape,
                   const std::vector<std::string>& dim_params,
                   onnx::ValueInfoProto& info) {
  onnx::TypeProto::Tensor& tensor = *info.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(type);
  tensor.mutable_shape();
  for (size_t i = 0; i < shape.size(); ++i) {
    auto& dimension = *tensor.mutable_shape()->add_dim();
    if (i < dim_params.size() && !dim_params[i].empty()) {
      dimension.set_dim_param(dim_params[i]);
    } else if (shape[i] >= 0) {
      dimension.set_dim_value(shape[i]);
    }
  }
}

}  // namespace

// --- the state -----------------------------------------------------------------------

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

Status ModelFile::State::Read() {
  if (!proto.has_graph()) {
    return Expected(file.path().string(), "an ONNX model", "a file without a graph");
  }
  if (proto.ir_version() >= 0 && proto.ir_version() <= std::numeric_limits<int>::max()) {
    ir_version = static_cast<int>(proto.ir_version());
  }
  for (Status (State::*read)() : {&State::ReadImports, &State::ReadConstants,
                                  &State::ReadNodes, &State::ReadEdges}) {
    if (Status done = (this->*read)(); !done) {
      return Error{file.path().string() + ": " + done.error().message};
    }
  }
  if (Status order = CheckOrder(); !order) {
    return Error{file.path().string() + ": " + order.error().message};
  }
  ReadTypes();
  return Ok();
}

Status ModelFile::State::ReadImports() {
  for (const onnx::OperatorSetIdProto& import : proto.opset_import()) {
    const std::string domain = onnx::IsOnnxDomain(import.domain()) ? "" : import.domain();
    if (Status text = CheckText(domain, "opset_import: domain"); !text) return text;
    const auto [known, added] = imports.emplace(domain, import.version());
    if (!added && known->second != import.version()) {
      return Expected(
          "opset_import", "one version of domain " + Quoted(domain),
          std::to_string(known->second) + " and " + std::to_string(import.version()));
    }
  }
  std::set<std::pair<std::string, std::string>> seen;
  for (const onnx::FunctionProto& function : proto.functions()) {
    const std::string domain =
        onnx::IsOnnxDomain(function.domain()) ? "" : function.domain();
    functions.push_back(
        {domain, function.name(), static_cast<size_t>(function.node_size())});
    AddNested(function.node(),
              "function " + QualifiedName(function.domain(), function.name()), nested);
  }
  return Ok();
}

Status ModelFile::State::AddConstant(const std::string& name,
                                     const onnx::TensorProto& tensor, Source source) {
  if (Status valid = CheckName(name, "a constant"); !valid) return valid;
  FileConstant constant{.name = name,
                        .type = TypeOf(tensor.data_type()),
                        .type_name = TypeName(tensor.data_type()),
                        .shape = Shape(tensor.dims().begin(), tensor.dims().end())};
  if (tensor.data_location() == onnx::TensorProto::EXTERNAL) {
    for (const auto& entry : tensor.external_data()) {
      if (entry.key() == "location") constant.external_file = AsUtf8(entry.value());
    }
  }
  if (!constant_by_name.emplace(name, constants.size()).second) {
    return Expected("constant " + Quoted(name), "one source", "two");
  }
  constants.push_back(std::move(constant));
  sources.push_back(source);
  return Ok();
}

Status ModelFile::State::ReadConstants() {
  const onnx::GraphProto& graph = proto.graph();
  for (int i = 0; i < graph.initializer_size(); ++i) {
    const onnx::TensorProto& tensor = graph.initializer(i);
    if (Status added = AddConstant(tensor.name(), tensor,
                                   {Source::kInitializer, static_cast<size_t>(i)});
        !added) {
      return added;
    }
  }
  for (int i = 0; i < graph.sparse_initializer_size(); ++i) {
    onnx::TensorProto tensor;
    const onnx::SparseTensorProto& sparse = graph.sparse_initializer(i);
    *tensor.mutable_dims() = sparse.dims();
    tensor.set_data_type(sparse.values().data_type());
    if (Status added = AddConstant(sparse.values().name(), tensor,
                                   {Source::kSparse, static_cast<size_t>(i)});
        !added) {
      return added;
    }
  }
  return Ok();
}

Status ModelFile::State::ReadNodes() {
  const onnx::GraphProto& graph = proto.graph();
  std::set<std::pair<std::string, std::string>> of_functions;
  for (const FileFunction& function : functions) {
    of_functions.insert({function.domain, function.name});
  }
  for (int i = 0; i < graph.node_size(); ++i) {
    const onnx::NodeProto& proto_node = graph.node(i);
    const auto position = static_cast<size_t>(i);
    if (IsConstant(proto_node) && !of_functions.contains({"", proto_node.op_type()})) {
      if (proto_node.output_size() != 1) {
        return Expected("Constant", "1 output", std::to_string(proto_node.output_size()));
      }
      // Texts and sparse values have no type that the project knows.
      const auto tensor = TensorOfConstant(proto_node);
      if (Status added =
              AddConstant(proto_node.output(0), tensor ? *tensor : onnx::TensorProto(),
                          {Source::kNode, position});
          !added) {
        return added;
      }
      continue;
    }
    auto node = ReadFileNode(proto_node);
    if (!node) return node.error();
    node->is_function = of_functions.contains({node->node.domain, node->node.op_type});
    AddNestedOf(proto_node, nested);
    nodes.push_back(*std::move(node));
    positions.push_back(position);
  }
  return Ok();
}

Status ModelFile::State::ReadEdges() {
  for (const auto& input : proto.graph().input()) {
    if (Status name = CheckName(input.name(), "a graph input"); !name) return name;
    if (constant_by_name.contains(input.name())) continue;
    if (std::ranges::find(inputs, input.name()) != inputs.end()) {
      return Expected("graph input " + Quoted(input.name()), "one of that name", "two");
    }
    inputs.push_back(input.name());
  }
  for (const auto& output : proto.graph().output()) {
    if (Status name = CheckName(output.name(), "a graph output"); !name) return name;
    if (output_names.insert(output.name()).second) outputs.push_back(output.name());
  }
  const std::set<std::string> fed(inputs.begin(), inputs.end());
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (const std::string& name : nodes[i].node.outputs) {
      if (name.empty()) continue;
      if (constant_by_name.contains(name) || fed.contains(name) ||
          !producers.emplace(name, i).second) {
        return Expected("value " + Quoted(name), "one source", "two");
      }
    }
    for (const auto* names : {&nodes[i].node.inputs, &nodes[i].captured}) {
      for (const std::string& name : *names) {
        if (name.empty()) continue;
        std::vector<size_t>& all = readers[name];
        if (all.empty() || all.back() != i) all.push_back(i);
      }
    }
  }
  return Ok();
}

// The nodes need not be sorted, but there is no cycle among them.
Status ModelFile::State::CheckOrder() const {
  std::vector<size_t> waits(nodes.size());  // for so many producers
  std::vector<size_t> ready;
  for (size_t i = 0; i < nodes.size(); ++i) {
    std::set<std::string> names(nodes[i].node.inputs.begin(), nodes[i].node.inputs.end());
    names.insert(nodes[i].captured.begin(), nodes[i].captured.end());
    for (const std::string& name : names) waits[i] += producers.count(name);
    if (waits[i] == 0) ready.push_back(i);
  }
  size_t done = 0;
  while (!ready.empty()) {
    const size_t node = ready.back();
    ready.pop_back();
    ++done;
    for (const std::string& output : nodes[node].node.outputs) {
      const auto found = readers.find(output);
      if (output.empty() || found == readers.end()) continue;
      for (const size_t reader : found->second) {
        if (--waits[reader] == 0) ready.push_back(reader);
      }
    }
  }
  if (done == nodes.size()) return Ok();
  const auto stuck = std::ranges::find_if(waits, [](size_t n) { return n > 0; });
  const FileNode& node = nodes[static_cast<size_t>(stuck - waits.begin())];
  return Expected("graph", "an order in which each node follows its inputs",
                  "a cycle with " + node.node.op_type + " " + Quoted(node.name));
}

void ModelFile::State::ReadTypes() {
  prepared = proto;
  PrepareForInference(prepared);
  checker = CheckerMessage(prepared);
  InferTypes(prepared);
  ImplyTypes(prepared);
  // The declared types first: inference adds to them.
  ForEachType(prepared, [&](const std::string& name, const onnx::TypeProto& type) {
    if (name.empty() || (values.contains(name) && values[name].shape)) return;
    values[name] = ValueOf(name, type);
  });
  for (const FileConstant& constant : constants) {
    values[constant.name] = {constant.name, constant.type, constant.type_name,
                             constant.shape};
  }
  for (const auto* names : {&inputs, &outputs}) {
    for (const std::string& name : *names) values[name].name = name;
  }
  for (const FileNode& node : nodes) {
    for (const std::string& name : node.node.outputs) {
      if (!name.empty()) values[name].name = name;
    }
  }
}

Result<onnx::TensorProto> ModelFile::State::TensorOf(size_t constant) const {
  const Source& source = sources[constant];
  const std::string what = "constant " + Quoted(constants[constant].name);
  if (source.kind == Source::kSparse) {
    return Expected(what, "a dense tensor", "a sparse one");
  }
  if (source.kind == Source::kInitializer) {
    const onnx::TensorProto& small =
        proto.graph().initializer(static_cast<int>(source.index));
    if (!IsWithoutData(small) || small.data_location() == onnx::TensorProto::EXTERNAL) {
      return small;
    }
    const auto bytes = BytesOf(skeleton.initializers[source.index]);
    if (!bytes) return bytes.error();
    onnx::TensorProto tensor;
    if (!ParseQuietly(*bytes, tensor)) {
      return Expected(what, "a TensorProto of less than 2 GiB", "bytes that are none");
    }
    return tensor;
  }
  const auto bytes = BytesOf(skeleton.nodes[source.index]);
  if (!bytes) return bytes.error();
  onnx::NodeProto node;
  if (!ParseQuietly(*bytes, node)) {
    return Expected(what, "a NodeProto of less than 2 GiB", "bytes that are none");
  }
  return TensorOfConstant(node);
}

// --- the interface ---------------------------------------------------------------------

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

Result<Tensor> ModelFile::LoadConstant(std::string_view name) const {
  const auto found = state_->constant_by_name.find(name);
  const std::string what = "constant " + Quoted(name);
  if (found == state_->constant_by_name.end()) {
    return Expected(what, "a constant of the model", "no constant");
  }
  auto proto = state_->TensorOf(found->second);
  if (!proto) return proto.error();
  if (proto->data_location() != onnx::TensorProto::EXTERNAL) {
    return ReadTensorProto(*proto, what);
  }
  const auto data = ReadExternalData(*proto, what);
  if (!data) return data.error();
  const auto type = ReadDataType(proto->data_type(), what);
  if (!type) return type.error();
  Tensor tensor{*type, Shape(proto->dims().begin(), proto->dims().end()), {}};
  const auto count = ReadElementCount(tensor.shape, what);
  if (!count) return count.error();
  const uint64_t size = PackedByteSize(*type, *count);
  if (size > kMostConstantBytes) {
    return Expected(what, "at most 4 GiB", std::to_string(size) + " bytes");
  }
  if (data->length && *data->length != size) {
    return Expected(what + ": external_data length", std::to_string(size) + " bytes",
                    std::to_string(*data->length));
  }
  const auto path = ExternalFile(this->path().parent_path(), data->location, what);
  if (!path) return path.error();
  const auto file = SeekableFile::Open(*path);
  if (!file) return file.error();
  const auto bytes = file->Read(data->offset, size);
  if (!bytes) return Error{what + ": " + bytes.error().message};
  const auto view = std::as_bytes(std::span(*bytes));
  tensor.data.assign(view.begin(), view.end());
  if (!tensor.data.empty()) tensor.data.back() &= LastByteMask(*type, *count);
  return tensor;
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

Result<std::string> ModelFile::ExtractBytes(std::span<const size_t> nodes,
                                            std::span<const ValueInfo> inputs,
                                            std::span<const std::string> outputs) const {
  constexpr uint64_t kMostModelBytes = (uint64_t{1} << 31) - 1;
  const Error too_long = Expected("the nodes of " + path().string(),
                                  "a model of less than 2 GiB", "a longer one");
  std::set<std::string, std::less<>> known{""};
  for (const ValueInfo& input : inputs) known.insert(input.name);
  for (const size_t node : nodes) {
    const auto& names = state_->nodes[node].node.outputs;
    known.insert(names.begin(), names.end());
  }

  // (1) The constants: nodes go first, initializers behind the nodes.
  std::string graph;
  std::string initializers;
  for (const size_t node : nodes) {
    const FileNode& read = state_->nodes[node];
    for (const auto* names : {&read.node.inputs, &read.captured}) {
      for (const std::string& name : *names) {
        if (!known.insert(name).second) continue;
        const auto constant = state_->constant_by_name.find(name);
        if (constant == state_->constant_by_name.end()) {
          return Expected(
              "value " + Quoted(name),
              "an input, a constant or the output of a node that is extracted",
              "another value");
        }
        const State::Source& source = state_->sources[constant->second];
        std::string external;
        if (!state_->constants[constant->second].external_file.empty()) {
          const auto tensor = LoadConstant(name);
          if (!tensor) return tensor.error();
          external = SerializeTensor(*tensor, name);
        }
        const bool is_node = source.kind == State::Source::kNode;
        if (!external.empty()) {
          AppendMessage(5, external, initializers);
        } else {
          const auto& places = is_node ? state_->skeleton.nodes
                               : source.kind == State::Source::kSparse
                                   ? state_->skeleton.sparse_initializers
                                   : state_->skeleton.initializers;
          const auto bytes = state_->BytesOf(places[source.index]);
          if (!bytes) return bytes.error();
          const uint32_t number = is_node                                 ? 1
                                  : source.kind == State::Source::kSparse ? 15
                                                                          : 5;
          AppendMessage(number, *bytes, is_node ? graph : initializers);
        }
        if (graph.size() + initializers.size() > kMostModelBytes) return too_long;
      }
    }
  }

  // (2) The nodes.
  for (const size_t node : nodes) {
    const auto bytes = state_->BytesOf(state_->skeleton.nodes[state_->positions[node]]);
    if (!bytes) return bytes.error();
    AppendMessage(1, *bytes, graph);
  }
  AppendMessage(2, "qconform", graph);
  graph += initializers;

  // (3) The inputs and outputs, with the types that are known.
  std::map<std::string, const onnx::TypeProto*> types;
  ForEachType(state_->prepared,
              [&](const std::string& name, const onnx::TypeProto& type) {
                types.emplace(name, &type);
              });
  // Returns false if nothing is known of the value.
  const auto set_type = [&](onnx::ValueInfoProto& info) {
    if (const auto type = types.find(info.name()); type != types.end()) {
      *info.mutable_type() = *type->second;
      return true;
    }
    const FileConstant* constant = FindConstant(info.name());
    if (constant == nullptr) return false;
    SetTensorType(static_cast<int32_t>(constant->type), constant->shape, {}, info);
    return constant->type != DataType::kUndefined;
  };
  for (const ValueInfo& input : inputs) {
    onnx::ValueInfoProto info;
    info.set_name(input.name);
    if (input.type != DataType::kUndefined) {
      SetTensorType(static_cast<int32_t>(input.type), input.shape, input.dim_params,
                    info);
    } else if (!set_type(info)) {
      return Expected("value " + Quoted(input.name), "a type that is known", "none");
    }
    AppendMessage(11, info.SerializeAsString(), graph);
  }
  for (const std::string& name : outputs) {
    onnx::ValueInfoProto info;
    info.set_name(name);
    set_type(info);
    AppendMessage(12, info.SerializeAsString(), graph);
  }
  if (graph.size() > kMostModelBytes) return too_long;

  // (4) The model around it.
  onnx::ModelProto model;
  model.set_ir_version(state_->proto.ir_version());
  model.set_producer_name("qconform");
  *model.mutable_opset_import() = state_->proto.opset_import();
  std::string bytes = model.SerializeAsString();
  for (const Place& place : state_->skeleton.functions) {
    const auto function = state_->BytesOf(place);
    if (!function) return function.error();
    AppendMessage(25, *function, bytes);
  }
  AppendMessage(7, graph, bytes);
  if (bytes.size() > kMostModelBytes) return too_long;
  return bytes;
}

}  // namespace qconform
