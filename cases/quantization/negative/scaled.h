// Negative models that operators with a scale and a zero point have in common: the
// tables, by theme, and the rows that an operator builds its models from.
#ifndef QCONFORM_CASES_QUANTIZATION_NEGATIVE_SCALED_H_
#define QCONFORM_CASES_QUANTIZATION_NEGATIVE_SCALED_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cases/negative/rows.h"

namespace qconform::negative {

// An operand without its type: the operator has one for all rows.
struct ScaledOperand {
  Shape shape{};
  std::vector<int> values{};
  std::optional<Shape> declared_shape{};

  Operand OfType(DataType type) const {
    return {
        .type = type, .shape = shape, .values = values, .declared_shape = declared_shape};
  }
};

// One model. The defaults are a legal model of every since_version.
struct ScaledSpec {
  ScaledOperand x{{2, 3}};
  ScaledOperand scale{};
  std::optional<ScaledOperand> zero_point{};
  std::optional<int64_t> axis{};
  std::optional<int64_t> block_size{};
};

// What the tables ask of an operator.
struct ScaledOperator {
  FedModel (*build)(const ScaledSpec& spec, int opset_version);
  // Names of operands, for sentences.
  std::string_view scale;
  std::string_view zero_point;
  // Since_versions: all, those before and from which on there is an axis, and those with
  // blocks.
  std::vector<int> every;
  std::vector<int> without_axis;
  std::vector<int> with_axis;
  std::vector<int> with_blocks;
  // Those in which x of rank 1 may have a scale for each element, those in which this is
  // open, and those in which it is open whether x of rank 1 may have blocks.
  std::vector<int> rank_one_axis;
  std::vector<int> rank_one_open;
  std::vector<int> rank_one_blocks_open;
  // Clauses.
  const char* invalid;
  const char* legal_shapes;
  const char* legal_axes;
  const char* open_mixed_shapes;  // scale and zero point have different shapes
  const char* open_shapes;        // other shapes
};

// What Rows builds models from.
struct ScaledModel {
  const ScaledOperator* op = nullptr;
  ScaledSpec spec{};
};
inline FedModel Build(const ScaledModel& model, int opset_version) {
  return model.op->build(model.spec, opset_version);
}

// Rows of an operator. "{scale}" and "{zero_point}" in a sentence stand for its names.
class ScaledRows {
 public:
  ScaledRows(const ScaledOperator& op, const char* clause, ModelKind kind,
             ModelPhase phase, std::vector<NegativeModel>& models)
      : op_(op), rows_{clause, kind, phase, models} {}

  // As Rows' operators.
  void operator()(const char* name, std::string_view sentence,
                  const std::vector<int>& opset_versions,
                  const ScaledSpec& spec = {}) const {
    rows_(name, Named(sentence).c_str(), opset_versions, {&op_, spec});
  }
  void operator()(const char* name, std::string_view sentence,
                  const std::vector<int>& opset_versions, const ScaledSpec& spec,
                  LegalSince since) const {
    rows_(name, Named(sentence).c_str(), opset_versions, {&op_, spec}, since);
  }
  void operator()(const char* name, std::string_view sentence,
                  const std::vector<int>& opset_versions, const ScaledSpec& spec,
                  const ScaledSpec& meaning, LegalSince since = {}) const {
    rows_(name, Named(sentence).c_str(), opset_versions, {&op_, spec},
          ScaledModel{&op_, meaning}, since);
  }

 private:
  std::string Named(std::string_view sentence) const;

  const ScaledOperator& op_;
  Rows<ScaledModel> rows_;
};

// The tables.
void AddScaledShapes(const ScaledOperator& op, std::vector<NegativeModel>& models);
void AddScaledBlocks(const ScaledOperator& op, std::vector<NegativeModel>& models);
void AddScaledFeeds(const ScaledOperator& op, std::vector<NegativeModel>& models);
void AddScaledLegal(const ScaledOperator& op, std::vector<NegativeModel>& models);
void AddScaledOpen(const ScaledOperator& op, std::vector<NegativeModel>& models);

}  // namespace qconform::negative

#endif  // QCONFORM_CASES_QUANTIZATION_NEGATIVE_SCALED_H_
