#include "harness/backends/process/compact_model.h"

#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "oracle/base/expected.h"

namespace qconform {
namespace {

class Writer {
 public:
  void Number(int64_t value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void Text(std::string_view text) {
    Number(static_cast<int64_t>(text.size()));
    bytes_.append(text);
  }
  void Numbers(const std::vector<int64_t>& values) {
    Number(static_cast<int64_t>(values.size()));
    for (const int64_t value : values) Number(value);
  }
  void Value(const AttributeValue& value) {
    Number(static_cast<int64_t>(value.index()));
    if (const auto* i = std::get_if<int64_t>(&value)) Number(*i);
    if (const auto* s = std::get_if<std::string>(&value)) Text(*s);
    if (const auto* ints = std::get_if<std::vector<int64_t>>(&value)) Numbers(*ints);
    if (const auto* f = std::get_if<float>(&value)) {
      bytes_.append(reinterpret_cast<const char*>(f), sizeof *f);
    }
  }
  void Info(const ValueInfo& info) {
    Text(info.name);
    Number(static_cast<int64_t>(info.type));
    Numbers(info.shape);
    Number(static_cast<int64_t>(info.dim_params.size()));
    for (const std::string& name : info.dim_params) Text(name);
  }
  std::string Take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// After a read beyond the end all values are zero and ok() is false.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  bool ok() const { return ok_; }
  bool at_end() const { return bytes_.empty(); }

  int64_t Number() {
    int64_t value = 0;
    const std::string_view bytes = Bytes(sizeof value);
    if (!bytes.empty()) std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  // Reads the number of items that take at least one byte each.
  size_t Count() {
    const auto count = static_cast<uint64_t>(Number());
    if (count > bytes_.size()) ok_ = false;
    return ok_ ? count : 0;
  }
  std::string Text() { return std::string(Bytes(Count())); }
  std::string_view Bytes(size_t size) {
    if (size > bytes_.size()) ok_ = false;
    if (!ok_) return {};
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }
  std::vector<int64_t> Numbers() {
    std::vector<int64_t> values(Count());
    for (int64_t& value : values) value = Number();
    return values;
  }
  AttributeValue Value() {
    switch (Number()) {
      case 0:
        return Number();
      case 1: {
        float value = 0;
        const std::string_view bytes = Bytes(sizeof value);
        if (!bytes.empty()) std::memcpy(&value, bytes.data(), sizeof value);
        return value;
      }
      case 2:
        return Text();
      case 3:
        return Numbers();
      default:
        ok_ = false;
        return int64_t{0};
    }
  }
  ValueInfo Info() {
    ValueInfo info;
    info.name = Text();
    info.type = static_cast<DataType>(Number());
    info.shape = Numbers();
    info.dim_params.resize(Count());
    for (std::string& name : info.dim_params) name = Text();
    return info;
  }

 private:
  std::string_view bytes_;
  bool ok_ = true;
};

}  // namespace

std::string EncodeCompactModel(const Model& model) {
  Writer writer;
  writer.Number(model.opset_version);
  writer.Number(model.ir_version);
  writer.Text(model.node.op_type);
  writer.Text(model.node.domain);
  for (const auto* names : {&model.node.inputs, &model.node.outputs}) {
    writer.Number(static_cast<int64_t>(names->size()));
    for (const std::string& name : *names) writer.Text(name);
  }
  writer.Number(static_cast<int64_t>(model.node.attributes.size()));
  for (const Attribute& attribute : model.node.attributes) {
    writer.Text(attribute.name);
    writer.Value(attribute.value);
  }
  for (const auto* infos : {&model.inputs, &model.outputs}) {
    writer.Number(static_cast<int64_t>(infos->size()));
    for (const ValueInfo& info : *infos) writer.Info(info);
  }
  writer.Number(static_cast<int64_t>(model.initializers.size()));
  for (const Initializer& initializer : model.initializers) {
    writer.Info({initializer.name, initializer.tensor.type, initializer.tensor.shape});
    const auto& data = initializer.tensor.data;
    writer.Text({reinterpret_cast<const char*>(data.data()), data.size()});
  }
  return writer.Take();
}

Result<Model> DecodeCompactModel(std::string_view bytes) {
  Reader reader(bytes);
  Model model;
  model.opset_version = static_cast<int>(reader.Number());
  model.ir_version = static_cast<int>(reader.Number());
  model.node.op_type = reader.Text();
  model.node.domain = reader.Text();
  for (auto* names : {&model.node.inputs, &model.node.outputs}) {
    names->resize(reader.Count());
    for (std::string& name : *names) name = reader.Text();
  }
  model.node.attributes.resize(reader.Count());
  for (Attribute& attribute : model.node.attributes) {
    attribute.name = reader.Text();
    attribute.value = reader.Value();
  }
  for (auto* infos : {&model.inputs, &model.outputs}) {
    infos->resize(reader.Count());
    for (ValueInfo& info : *infos) info = reader.Info();
  }
  model.initializers.resize(reader.Count());
  for (Initializer& initializer : model.initializers) {
    ValueInfo info = reader.Info();
    initializer.name = std::move(info.name);
    initializer.tensor.type = info.type;
    initializer.tensor.shape = std::move(info.shape);
    const std::string_view data = reader.Bytes(reader.Count());
    const auto as_bytes = std::as_bytes(std::span(data));
    initializer.tensor.data.assign(as_bytes.begin(), as_bytes.end());
  }
  if (!reader.ok() || !reader.at_end()) {
    return Expected("model", "this program's own compact form", "other bytes");
  }
  return model;
}

}  // namespace qconform
