// The rows of the tables of negative models, and what turns a row into models. For the
// operators' folders.
#ifndef QCONFORM_CASES_NEGATIVE_ROWS_H_
#define QCONFORM_CASES_NEGATIVE_ROWS_H_

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cases/negative/negative_model.h"

namespace qconform::negative {

// A tensor. Its elements are `values` (quarters for floats, whole numbers for
// integers), or those of a pattern, in turn, where that is empty.
struct Operand {
  DataType type = DataType::kUndefined;
  Shape shape{};
  std::vector<int> values{};
  // Type and shape in the model if they are others: phase `run`.
  std::optional<DataType> declared_type{};
  std::optional<Shape> declared_shape{};

  DataType TypeInModel() const { return declared_type.value_or(type); }
  const Shape& ShapeInModel() const { return declared_shape ? *declared_shape : shape; }
};

// Patterns. Neighbouring elements differ, so that a wrong index shows in the answer; the
// quotients of data and scales are no ties and few of them saturate.
inline constexpr int kData[] = {-9, 2, 7, 30, 101, -1, 55, 13, -30, 77, 5};
inline constexpr int kWholeNumbers[] = {1, 7, 2, 5, 0, 9, 3};
// By its type: powers of two for FLOAT8E8M0.
std::span<const int> ScalePattern(const Operand& operand);
// By its type: zeros for floats, where others are open.
std::span<const int> ZeroPointPattern(const Operand& operand);

// Builds a model with one node.
class ModelBuilder {
 public:
  ModelBuilder(std::string_view op_type, int opset_version);

  void AddInput(const std::string& name, const Operand& operand,
                std::span<const int> pattern);
  void AddEmptyInput() { fed_.model.node.inputs.emplace_back(); }
  void AddAttribute(const char* name, std::optional<int64_t> value);
  void AddAttributes(const std::vector<Attribute>& attributes);
  FedModel Finish(std::vector<ValueInfo> outputs);

 private:
  FedModel fed_;
};

// The opset_version from which on a model is legal.
struct LegalSince {
  int opset_version = 0;
};

// Whether the linked ONNX has an opset_version.
bool OnnxHas(int opset_version);

// Adds the rows of a table of negative models, but for those of opset_versions that the
// linked ONNX does not have. A Spec is the operands and attributes of
// one model of an operator; FedModel Build(const Spec&, int opset_version) is in its
// namespace.
template <typename Spec>
struct Rows {
  const char* clause;
  ModelKind kind;
  ModelPhase phase;
  std::vector<NegativeModel>& models;  // where they are added

  // A row is asked at each of the opset_versions, which are since_versions of their own.
  void operator()(const char* name, const char* sentence,
                  const std::vector<int>& opset_versions, const Spec& spec = {}) const {
    Add(name, sentence, opset_versions, spec, nullptr, {});
  }
  // The model itself is legal in another opset_version, and means the same there.
  void operator()(const char* name, const char* sentence,
                  const std::vector<int>& opset_versions, const Spec& spec,
                  LegalSince since) const {
    Add(name, sentence, opset_versions, spec, &spec, since);
  }
  // `meaning` is the legal model that means the same, in the row's own opset_version
  // unless another one is given.
  void operator()(const char* name, const char* sentence,
                  const std::vector<int>& opset_versions, const Spec& spec,
                  const Spec& meaning, LegalSince since = {}) const {
    Add(name, sentence, opset_versions, spec, &meaning, since);
  }

 private:
  void Add(const char* name, const char* sentence, const std::vector<int>& opset_versions,
           const Spec& spec, const Spec* meaning, LegalSince since) const {
    for (const int opset_version : opset_versions) {
      if (!OnnxHas(opset_version)) continue;
      NegativeModel& model = models.emplace_back();
      model.clause = clause;
      model.sentence = sentence;
      model.kind = kind;
      model.phase = phase;
      model.question = Build(spec, opset_version);
      model.id = model.question.model.node.op_type + "@" + std::to_string(opset_version) +
                 "/" + name;
      const int meant = since.opset_version == 0 ? opset_version : since.opset_version;
      if (meaning != nullptr && OnnxHas(meant)) model.meaning = Build(*meaning, meant);
    }
  }
};

}  // namespace qconform::negative

#endif  // QCONFORM_CASES_NEGATIVE_ROWS_H_
