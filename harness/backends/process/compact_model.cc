#include "harness/backends/process/compact_model.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <variant>
#include <vector>

#include "oracle/base/expected.h"

namespace qconform {
namespace {

// Writes parts to a text, or reads them from one in the same order. After a read beyond
// the end all parts are zero or empty and is_done() is false.
class Coder {
 public:
  explicit Coder(std::string& target) : target_(&target) {}
  explicit Coder(std::string_view source) : source_(source) {}

  // Returns whether all that there was has been read.
  bool is_done() const { return ok_ && source_.empty(); }

  template <typename... Parts>
  void operator()(Parts&... parts) {
    (Code(parts), ...);
  }

 private:
  bool reads() const { return target_ == nullptr; }

  void Bytes(void* data, size_t size) {
    if (!reads()) {
      target_->append(static_cast<const char*>(data), size);
      return;
    }
    ok_ = ok_ && size <= source_.size();
    if (!ok_ || size == 0) return;
    std::memcpy(data, source_.data(), size);
    source_.remove_prefix(size);
  }

  template <typename T>
  void Number(T& value) {
    auto number = static_cast<int64_t>(value);
    Bytes(&number, sizeof number);
    if (reads()) value = static_cast<T>(ok_ ? number : 0);
  }

  // The number of items, which take at least one byte each.
  template <typename Items>
  void Size(Items& items) {
    uint64_t size = items.size();
    Number(size);
    if (!reads()) return;
    ok_ = ok_ && size <= source_.size();
    items.resize(ok_ ? size : 0);
  }

  void Code(int& value) { Number(value); }
  void Code(int64_t& value) { Number(value); }
  void Code(DataType& value) { Number(value); }
  void Code(float& value) { Bytes(&value, sizeof value); }
  void Code(std::string& text) {
    Size(text);
    Bytes(text.data(), text.size());
  }
  void Code(std::vector<std::byte>& bytes) {
    Size(bytes);
    Bytes(bytes.data(), bytes.size());
  }
  template <typename T>
  void Code(std::vector<T>& items) {
    Size(items);
    for (T& item : items) Code(item);
  }
  void Code(AttributeValue& value) {
    size_t kind = value.index();
    Number(kind);
    if (reads()) {
      const AttributeValue kinds[] = {int64_t{0}, 0.0f, std::string(),
                                      std::vector<int64_t>()};
      ok_ = ok_ && kind < std::size(kinds);
      value = kinds[ok_ ? kind : 0];
    }
    std::visit([this](auto& one) { Code(one); }, value);
  }
  void Code(Attribute& attribute) { (*this)(attribute.name, attribute.value); }
  // Without its body, whose nodes have none.
  void Code(Node& node) {
    (*this)(node.op_type, node.domain, node.inputs, node.outputs, node.attributes);
  }
  void Code(ValueInfo& info) {
    (*this)(info.name, info.type, info.shape, info.dim_params);
  }
  void Code(Initializer& initializer) {
    Tensor& tensor = initializer.tensor;
    (*this)(initializer.name, tensor.type, tensor.shape, tensor.data);
  }

  std::string* target_ = nullptr;
  std::string_view source_{};
  bool ok_ = true;
};

// Returns whether all that there was has been read.
bool CodeModel(Coder coder, Model& model) {
  coder(model.opset_version, model.ir_version, model.node, model.node.body, model.inputs,
        model.outputs, model.initializers);
  return coder.is_done();
}

}  // namespace

std::string EncodeCompactModel(const Model& model) {
  std::string bytes;
  CodeModel(Coder(bytes), const_cast<Model&>(model));  // which writing does not change
  return bytes;
}

Result<Model> DecodeCompactModel(std::string_view bytes) {
  Model model;
  if (CodeModel(Coder(bytes), model)) return model;
  return Expected("model", "this program's own compact form", "other bytes");
}

}  // namespace qconform
