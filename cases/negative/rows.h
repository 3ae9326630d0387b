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
  FedModel Finish(std::vector<ValueInfo> outputs);

 private:
  FedModel fed_;
};

// A row of a table. A Spec is the operands and attributes of one model of an operator;
// FedModel Build(const Spec&, int opset_version) is in its namespace.
template <typename Spec>
struct Row {
  const char* name;
  const char* sentence;
  // The opset_versions that it is asked at; each is a since_version of its own.
  std::vector<int> opset_versions;
  ModelPhase phase = ModelPhase::kNone;
  Spec spec{};
  // The legal model that means the same, and its opset_version (0: the row's).
  std::optional<Spec> meaning{};
  int meaning_opset_version = 0;
};

// Whether the linked ONNX has an opset_version.
bool OnnxHas(int opset_version);

// Appends the models of the rows, but for those of opset_versions that the linked ONNX
// does not have.
template <typename Spec>
void Add(const char* clause, ModelKind kind, const std::vector<Row<Spec>>& rows,
         std::vector<NegativeModel>& models) {
  for (const Row<Spec>& row : rows) {
    for (const int opset_version : row.opset_versions) {
      if (!OnnxHas(opset_version)) continue;
      NegativeModel model{.id = {},
                          .clause = clause,
                          .sentence = row.sentence,
                          .kind = kind,
                          .phase = row.phase,
                          .question = Build(row.spec, opset_version),
                          .meaning = {}};
      model.id = model.question.model.node.op_type + "@" + std::to_string(opset_version) +
                 "/" + row.name;
      const int meant =
          row.meaning_opset_version == 0 ? opset_version : row.meaning_opset_version;
      if (row.meaning && OnnxHas(meant)) {
        model.meaning = Build(*row.meaning, meant);
      }
      models.push_back(std::move(model));
    }
  }
}

}  // namespace qconform::negative

#endif  // QCONFORM_CASES_NEGATIVE_ROWS_H_
