// DYN-10: invalid models of DynamicQuantizeLinear; DYN-08, DYN-09: legal ones that look
// odd; DYN-07: x without elements, of which the text says nothing.
#include "cases/operators/dynamic_quantize_linear/negative/models.h"

#include <optional>

#include "cases/negative/rows.h"

namespace qconform::negative::dynamic_quantize_linear {
namespace {

using enum DataType;
using enum ModelPhase;

// What Rows builds models from.
struct Spec {
  std::optional<Operand> x{Operand{DataType::kFloat, {2, 3}}};
  bool has_input = true;
  std::optional<int64_t> axis{};  // attributes of QuantizeLinear
  std::optional<int64_t> saturate{};
};

FedModel Build(const Spec& spec, int opset_version) {
  ModelBuilder builder("DynamicQuantizeLinear", opset_version);
  if (spec.x) {
    builder.AddInput("x", *spec.x, kData);
  } else if (spec.has_input) {
    builder.AddEmptyInput();
  }
  builder.AddAttribute("axis", spec.axis);
  builder.AddAttribute("saturate", spec.saturate);
  const Shape x_shape = spec.x ? spec.x->ShapeInModel() : Shape{};
  return builder.Finish({{"y", DataType::kUint8, x_shape},
                         {"y_scale", DataType::kFloat, {}},
                         {"y_zero_point", DataType::kUint8, {}}});
}

const std::vector<int> kOnly{11};

void AddInvalid(std::vector<NegativeModel>& models) {
  const Rows<Spec> inference{"DYN-10", ModelKind::kInvalid, kShapeInference, models};
  const auto of_x = [](DataType type) { return Spec{.x = Operand{type, {2, 3}}}; };
  inference("x_float16", "x is FLOAT16, which is in no T1", kOnly, of_x(kFloat16));
  inference("x_bfloat16", "x is BFLOAT16, which is in no T1", kOnly, of_x(kBfloat16));
  inference("x_double", "x is DOUBLE, which is in no T1", kOnly, of_x(kDouble));
  inference("x_int32", "x is INT32, which is in no T1", kOnly, of_x(kInt32));

  const Rows<Spec> checker{"DYN-10", ModelKind::kInvalid, kChecker, models};
  checker("no_x", "x has an empty name", kOnly, {.x = {}});
  checker("no_inputs", "the node has no inputs", kOnly, {.x = {}, .has_input = false});
  checker("axis", "axis is an attribute of QuantizeLinear", kOnly, {.axis = 1});
  checker("saturate", "saturate is an attribute of QuantizeLinear", kOnly,
          {.saturate = 1});

  const Rows<Spec> run{"DYN-10", ModelKind::kInvalid, kRun, models};
  run("fed_x_double", "x is declared as FLOAT and fed as DOUBLE", kOnly,
      {.x = Operand{.type = kDouble, .shape = {2, 3}, .declared_type = kFloat}});
}

void AddLegal(std::vector<NegativeModel>& models) {
  const Rows<Spec> dyn_08{"DYN-08", ModelKind::kLegal, kNone, models};
  dyn_08("legal_scalar", "x has rank 0", kOnly, {.x = Operand{kFloat, {}, {12}}});
  dyn_08("legal_rank_8", "x has rank 8", kOnly,
         {.x = Operand{kFloat, {1, 2, 1, 1, 2, 1, 1, 3}}});
  const Rows<Spec> dyn_09{"DYN-09", ModelKind::kLegal, kNone, models};
  dyn_09("legal_one_element", "x is [1]", kOnly, {.x = Operand{kFloat, {1}, {-12}}});
  dyn_09("legal_positive", "x has one sign", kOnly,
         {.x = Operand{kFloat, {2, 3}, {400, 410, 420}}});
}

void AddOpen(std::vector<NegativeModel>& models) {
  const Rows<Spec> dyn_07{"DYN-07", ModelKind::kOpen, kNone, models};
  dyn_07("open_no_elements", "x is [2,0,3]", kOnly, {.x = Operand{kFloat, {2, 0, 3}}});
}

}  // namespace
}  // namespace qconform::negative::dynamic_quantize_linear

namespace qconform::generators {

std::vector<NegativeModel> DynamicQuantizeNegativeModels() {
  using namespace negative::dynamic_quantize_linear;  // NOLINT
  std::vector<NegativeModel> models;
  AddInvalid(models);
  AddLegal(models);
  AddOpen(models);
  return models;
}

}  // namespace qconform::generators
