// Models at the border of what the specification defines: invalid ones, which a
// backend should refuse (QL-34, MM-07), legal ones that look odd and must be
// accepted (QL-30 to QL-32, MM-04), and open ones, where either is right (QL-08,
// QL-14, QL-33, MM-05, MM-06).
//
// No answer of ours is in here. Where a backend accepts an invalid model, its
// answer is compared with that of a legal model that means the same by plain
// broadcasting, if there is one.
#ifndef QCONFORM_CASES_NEGATIVE_NEGATIVE_MODEL_H_
#define QCONFORM_CASES_NEGATIVE_NEGATIVE_MODEL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cases/model/model.h"

namespace qconform {

enum class ModelKind : uint8_t { kInvalid, kLegal, kOpen };
std::string_view ModelKindName(ModelKind kind);  // "invalid", "legal", "open"

// The earliest phase in which the mistake can be seen.
enum class ModelPhase : uint8_t {
  kNone,            // legal, or open and accepted by ONNX's own tools
  kChecker,         // ONNX's checker refuses the model
  kShapeInference,  // ONNX's strict shape inference does
  kLoad,            // neither does, but the model's own types and shapes show it
  kRun,             // only the tensors that are fed show it
};
// "none", "checker", "shape_inference", "load", "run"
std::string_view ModelPhaseName(ModelPhase phase);

struct NegativeModel {
  std::string id;  // stable: "QuantizeLinear@13/axis_above_range"
  std::string clause;
  std::string sentence;  // why it is odd
  ModelKind kind = ModelKind::kInvalid;
  ModelPhase phase = ModelPhase::kNone;
  FedModel question;
  std::optional<FedModel> meaning;  // invalid models only
};

// Returns all of them, always in the same order.
std::vector<NegativeModel> NegativeModels();

}  // namespace qconform

#endif  // QCONFORM_CASES_NEGATIVE_NEGATIVE_MODEL_H_
