// MM-07: invalid models of QLinearMatMul; MM-04: legal ones that look odd; MM-05
// and MM-06: open ones.
#include "cases/negative/rows.h"
#include "cases/operators/q_linear_mat_mul/negative/models.h"

namespace qconform::negative {
namespace {

using enum DataType;
using enum ModelPhase;

struct QLinearMatMulSpec {
  Operand a{DataType::kUint8, {2, 3}};
  Operand a_scale{DataType::kFloat, {}};
  Operand a_zero_point{DataType::kUint8, {}};
  Operand b{DataType::kUint8, {3, 4}};
  Operand b_scale{DataType::kFloat, {}};
  Operand b_zero_point{DataType::kUint8, {}};
  Operand y_scale{DataType::kFloat, {}};
  Operand y_zero_point{DataType::kUint8, {}};
  int missing = -1;  // the place of an input that is left out
  Shape y{2, 4};
};
using QLinearMatMulRow = Row<QLinearMatMulSpec>;

FedModel Build(const QLinearMatMulSpec& spec, int opset_version) {
  ModelBuilder builder("QLinearMatMul", opset_version);
  const struct {
    const char* name;
    const Operand& operand;
    std::span<const int> pattern;
  } operands[] = {
      {"a", spec.a, kWholeNumbers},
      {"a_scale", spec.a_scale, ScalePattern(spec.a_scale)},
      {"a_zero_point", spec.a_zero_point, ZeroPointPattern(spec.a_zero_point)},
      {"b", spec.b, kWholeNumbers},
      {"b_scale", spec.b_scale, ScalePattern(spec.b_scale)},
      {"b_zero_point", spec.b_zero_point, ZeroPointPattern(spec.b_zero_point)},
      {"y_scale", spec.y_scale, ScalePattern(spec.y_scale)},
      {"y_zero_point", spec.y_zero_point, ZeroPointPattern(spec.y_zero_point)}};
  const auto last = std::ssize(operands) - 1;
  for (int i = 0; i <= last; ++i) {
    if (i != spec.missing) {
      builder.AddInput(operands[i].name, operands[i].operand, operands[i].pattern);
    } else if (i != last) {
      builder.AddEmptyInput();
    }
  }
  return builder.Finish({{"y", spec.y_zero_point.TypeInModel(), spec.y}});
}

const std::vector<int> kBoth{10, 21};

const std::vector<QLinearMatMulRow>& ShapeRows() {
  static const std::vector<QLinearMatMulRow> rows{
      {"a_scalar",
       "a is a scalar",
       kBoth,
       kShapeInference,
       {.a = {kUint8, {}}, .y = {4}}},
      {"b_scalar",
       "b is a scalar",
       kBoth,
       kShapeInference,
       {.b = {kUint8, {}}, .y = {2}}},
      {"k_differs",
       "a is [2,3], b is [4,4]: K is 3 and 4",
       kBoth,
       kShapeInference,
       {.b = {kUint8, {4, 4}}}},
      {"k_differs_vectors",
       "a is [3], b is [4]",
       kBoth,
       kShapeInference,
       {.a = {kUint8, {3}}, .b = {kUint8, {4}}, .y = {}}},
      {"k_differs_vector_a",
       "a is [2], b is [3,4]",
       kBoth,
       kShapeInference,
       {.a = {kUint8, {2}}, .y = {4}}},
      {"k_one",
       "a is [2,1], b is [3,4]: K is not broadcast",
       kBoth,
       kShapeInference,
       {.a = {kUint8, {2, 1}}}},
      {"batches_differ",
       "a has a batch of 2, b one of 3",
       kBoth,
       kShapeInference,
       {.a = {kUint8, {2, 2, 3}}, .b = {kUint8, {3, 3, 4}}, .y = {2, 2, 4}}},
      {"a_scale_of_wrong_length",
       "a_scale has 4 elements, a has 2 rows",
       kBoth,
       kLoad,
       {.a_scale = {kFloat, {4}}, .a_zero_point = {kUint8, {4}}}},
      {"a_scale_per_k",
       "a_scale has 3 elements, one for each column of a",
       kBoth,
       kLoad,
       {.a_scale = {kFloat, {3}}, .a_zero_point = {kUint8, {3}}}},
      {"b_scale_of_wrong_length",
       "b_scale has 2 elements, b has 4 columns",
       kBoth,
       kLoad,
       {.b_scale = {kFloat, {2}}, .b_zero_point = {kUint8, {2}}}},
      {"b_scale_per_k",
       "b_scale has 3 elements, one for each row of b",
       kBoth,
       kLoad,
       {.b_scale = {kFloat, {3}}, .b_zero_point = {kUint8, {3}}}},
      {"a_zero_point_of_wrong_length",
       "a_scale has 2 elements, a_zero_point 3",
       kBoth,
       kLoad,
       {.a_scale = {kFloat, {2}}, .a_zero_point = {kUint8, {3}}}},
      {"b_zero_point_of_wrong_length",
       "b_scale has 4 elements, b_zero_point 3",
       kBoth,
       kLoad,
       {.b_scale = {kFloat, {4}}, .b_zero_point = {kUint8, {3}}}},
  };
  return rows;
}

const std::vector<QLinearMatMulRow>& TypeRows() {
  static const std::vector<QLinearMatMulRow> rows{
      {"a_scale_float16",
       "a_scale is FLOAT16, the other scales are FLOAT",
       kBoth,
       kShapeInference,
       {.a_scale = {kFloat16, {}}}},
      {"b_scale_float16",
       "b_scale is FLOAT16, the other scales are FLOAT",
       kBoth,
       kShapeInference,
       {.b_scale = {kFloat16, {}}}},
      {"y_scale_bfloat16",
       "y_scale is BFLOAT16, the other scales are FLOAT",
       kBoth,
       kShapeInference,
       {.y_scale = {kBfloat16, {}}}},
      {"scales_float16",
       "all scales are FLOAT16, which came with 21",
       {10},
       kShapeInference,
       {.a_scale = {kFloat16, {}}, .b_scale = {kFloat16, {}}, .y_scale = {kFloat16, {}}},
       QLinearMatMulSpec{.a_scale = {kFloat16, {}},
                         .b_scale = {kFloat16, {}},
                         .y_scale = {kFloat16, {}}},
       21},
      {"a_zero_point_int8",
       "a is UINT8, a_zero_point is INT8",
       kBoth,
       kShapeInference,
       {.a_zero_point = {kInt8, {}}}},
      {"b_zero_point_int8",
       "b is UINT8, b_zero_point is INT8",
       kBoth,
       kShapeInference,
       {.b_zero_point = {kInt8, {}}}},
      {"y_zero_point_int32",
       "y_zero_point is INT32, which is in no T3",
       kBoth,
       kShapeInference,
       {.y_zero_point = {kInt32, {}}}},
      {"a_int16",
       "a is INT16, which is in no T1",
       kBoth,
       kShapeInference,
       {.a = {kInt16, {2, 3}}, .a_zero_point = {kInt16, {}}}},
  };
  return rows;
}

const std::vector<QLinearMatMulRow>& MissingRows() {
  static const std::vector<QLinearMatMulRow> rows{
      {"no_a", "a is not there", kBoth, kChecker, {.missing = 0}},
      {"no_a_scale", "a_scale is not there", kBoth, kChecker, {.missing = 1}},
      {"no_a_zero_point", "a_zero_point is not there", kBoth, kChecker, {.missing = 2}},
      {"no_b", "b is not there", kBoth, kChecker, {.missing = 3}},
      {"no_b_scale", "b_scale is not there", kBoth, kChecker, {.missing = 4}},
      {"no_b_zero_point", "b_zero_point is not there", kBoth, kChecker, {.missing = 5}},
      {"no_y_scale", "y_scale is not there", kBoth, kChecker, {.missing = 6}},
      {"no_y_zero_point", "y_zero_point is not there", kBoth, kChecker, {.missing = 7}},
  };
  return rows;
}

const std::vector<QLinearMatMulRow>& LegalRows() {
  static const std::vector<QLinearMatMulRow> rows{
      {.name = "legal_scales_of_shape_1",
       .sentence = "all scales and zero points are [1]",
       .opset_versions = kBoth,
       .spec = {.a_scale = {kFloat, {1}},
                .a_zero_point = {kUint8, {1}},
                .b_scale = {kFloat, {1}},
                .b_zero_point = {kUint8, {1}},
                .y_scale = {kFloat, {1}},
                .y_zero_point = {kUint8, {1}}}},
      {.name = "legal_per_row_per_column",
       .sentence = "a_scale is [M], b_scale is [N]",
       .opset_versions = kBoth,
       .spec = {.a_scale = {kFloat, {2}},
                .a_zero_point = {kUint8, {2}},
                .b_scale = {kFloat, {4}},
                .b_zero_point = {kUint8, {4}}}},
      {.name = "legal_square",
       .sentence = "M, K and N are equal: a has rows, b columns",
       .opset_versions = kBoth,
       .spec = {.a = {kUint8, {3, 3}},
                .a_scale = {kFloat, {3}},
                .a_zero_point = {kUint8, {3}},
                .b = {kUint8, {3, 3}},
                .b_scale = {kFloat, {3}},
                .b_zero_point = {kUint8, {3}},
                .y = {3, 3}}},
      {.name = "legal_vectors",
       .sentence = "a and b have rank 1",
       .opset_versions = kBoth,
       .spec = {.a = {kUint8, {3}}, .b = {kUint8, {3}}, .y = {}}},
      {.name = "legal_batches",
       .sentence = "a batch of 1 is broadcast",
       .opset_versions = kBoth,
       .spec = {.a = {kUint8, {2, 2, 3}}, .b = {kUint8, {1, 3, 4}}, .y = {2, 2, 4}}},
      {.name = "legal_k_0",
       .sentence = "K is 0: y is y_zero_point",
       .opset_versions = kBoth,
       .spec = {.a = {kUint8, {2, 0}}, .b = {kUint8, {0, 4}}}},
      {.name = "legal_m_0",
       .sentence = "M is 0: y is empty",
       .opset_versions = kBoth,
       .spec = {.a = {kUint8, {0, 3}}, .y = {0, 4}}},
  };
  return rows;
}

const std::vector<QLinearMatMulRow>& OpenYRows() {
  static const std::vector<QLinearMatMulRow> rows{
      {.name = "open_y_scale_per_row",
       .sentence = "y_scale is [M]",
       .opset_versions = kBoth,
       .spec = {.y_scale = {kFloat, {2}}, .y_zero_point = {kUint8, {2}}}},
  };
  return rows;
}

const std::vector<QLinearMatMulRow>& OpenRows() {
  static const std::vector<QLinearMatMulRow> rows{
      {.name = "open_vector_for_rank_3",
       .sentence = "a has rank 3, a_scale is [M]",
       .opset_versions = kBoth,
       .spec = {.a = {kUint8, {2, 2, 3}},
                .a_scale = {kFloat, {2}},
                .a_zero_point = {kUint8, {2}},
                .y = {2, 2, 4}}},
      {.name = "open_scale_without_batches",
       .sentence = "a is [2,2,3], a_scale is [2,1]",
       .opset_versions = kBoth,
       .spec = {.a = {kUint8, {2, 2, 3}},
                .a_scale = {kFloat, {2, 1}},
                .a_zero_point = {kUint8, {2, 1}},
                .y = {2, 2, 4}}},
      {.name = "open_zero_point_of_shape_1",
       .sentence = "a_scale is a scalar, a_zero_point [1]",
       .opset_versions = kBoth,
       .spec = {.a_zero_point = {kUint8, {1}}}},
      {.name = "open_zero_point_scalar_for_vector_scale",
       .sentence = "b_scale is [N], b_zero_point is a scalar",
       .opset_versions = kBoth,
       .spec = {.b_scale = {kFloat, {4}}}},
  };
  return rows;
}

}  // namespace

}  // namespace qconform::negative

namespace qconform::generators {

std::vector<NegativeModel> MatMulNegativeModels() {
  using namespace negative;  // NOLINT
  std::vector<NegativeModel> models;
  Add("MM-07", ModelKind::kInvalid, ShapeRows(), models);
  Add("MM-07", ModelKind::kInvalid, TypeRows(), models);
  Add("MM-07", ModelKind::kInvalid, MissingRows(), models);
  Add("MM-04", ModelKind::kLegal, LegalRows(), models);
  Add("MM-05", ModelKind::kOpen, OpenYRows(), models);
  Add("MM-06", ModelKind::kOpen, OpenRows(), models);
  return models;
}

}  // namespace qconform::generators
