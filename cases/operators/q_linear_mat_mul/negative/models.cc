// MM-07: invalid models of QLinearMatMul; MM-04: legal ones that look odd; MM-05
// and MM-06: open ones.
#include "cases/operators/q_linear_mat_mul/negative/models.h"

#include "cases/negative/rows.h"

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
using QLinearMatMulRows = Rows<QLinearMatMulSpec>;

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

}  // namespace
}  // namespace qconform::negative

namespace qconform::generators {

std::vector<NegativeModel> MatMulNegativeModels() {
  using namespace negative;  // NOLINT
  std::vector<NegativeModel> models;
  const QLinearMatMulRows inference{"MM-07", ModelKind::kInvalid, kShapeInference,
                                    models};
  inference("a_scalar", "a is a scalar", kBoth, {.a = {kUint8, {}}, .y = {4}});
  inference("b_scalar", "b is a scalar", kBoth, {.b = {kUint8, {}}, .y = {2}});
  inference("k_differs", "a is [2,3], b is [4,4]: K is 3 and 4", kBoth,
            {.b = {kUint8, {4, 4}}});
  inference("k_differs_vectors", "a is [3], b is [4]", kBoth,
            {.a = {kUint8, {3}}, .b = {kUint8, {4}}, .y = {}});
  inference("k_differs_vector_a", "a is [2], b is [3,4]", kBoth,
            {.a = {kUint8, {2}}, .y = {4}});
  inference("k_one", "a is [2,1], b is [3,4]: K is not broadcast", kBoth,
            {.a = {kUint8, {2, 1}}});
  inference("batches_differ", "a has a batch of 2, b one of 3", kBoth,
            {.a = {kUint8, {2, 2, 3}}, .b = {kUint8, {3, 3, 4}}, .y = {2, 2, 4}});

  const QLinearMatMulRows load{"MM-07", ModelKind::kInvalid, kLoad, models};
  load("a_scale_of_wrong_length", "a_scale has 4 elements, a has 2 rows", kBoth,
       {.a_scale = {kFloat, {4}}, .a_zero_point = {kUint8, {4}}});
  load("a_scale_per_k", "a_scale has 3 elements, one for each column of a", kBoth,
       {.a_scale = {kFloat, {3}}, .a_zero_point = {kUint8, {3}}});
  load("b_scale_of_wrong_length", "b_scale has 2 elements, b has 4 columns", kBoth,
       {.b_scale = {kFloat, {2}}, .b_zero_point = {kUint8, {2}}});
  load("b_scale_per_k", "b_scale has 3 elements, one for each row of b", kBoth,
       {.b_scale = {kFloat, {3}}, .b_zero_point = {kUint8, {3}}});
  load("a_zero_point_of_wrong_length", "a_scale has 2 elements, a_zero_point 3", kBoth,
       {.a_scale = {kFloat, {2}}, .a_zero_point = {kUint8, {3}}});
  load("b_zero_point_of_wrong_length", "b_scale has 4 elements, b_zero_point 3", kBoth,
       {.b_scale = {kFloat, {4}}, .b_zero_point = {kUint8, {3}}});

  inference("a_scale_float16", "a_scale is FLOAT16, the other scales are FLOAT", kBoth,
            {.a_scale = {kFloat16, {}}});
  inference("b_scale_float16", "b_scale is FLOAT16, the other scales are FLOAT", kBoth,
            {.b_scale = {kFloat16, {}}});
  inference("y_scale_bfloat16", "y_scale is BFLOAT16, the other scales are FLOAT", kBoth,
            {.y_scale = {kBfloat16, {}}});
  inference(
      "scales_float16", "all scales are FLOAT16, which came with 21", {10},
      {.a_scale = {kFloat16, {}}, .b_scale = {kFloat16, {}}, .y_scale = {kFloat16, {}}},
      LegalSince{21});
  inference("a_zero_point_int8", "a is UINT8, a_zero_point is INT8", kBoth,
            {.a_zero_point = {kInt8, {}}});
  inference("b_zero_point_int8", "b is UINT8, b_zero_point is INT8", kBoth,
            {.b_zero_point = {kInt8, {}}});
  inference("y_zero_point_int32", "y_zero_point is INT32, which is in no T3", kBoth,
            {.y_zero_point = {kInt32, {}}});
  inference("a_int16", "a is INT16, which is in no T1", kBoth,
            {.a = {kInt16, {2, 3}}, .a_zero_point = {kInt16, {}}});

  const QLinearMatMulRows checker{"MM-07", ModelKind::kInvalid, kChecker, models};
  checker("no_a", "a is not there", kBoth, {.missing = 0});
  checker("no_a_scale", "a_scale is not there", kBoth, {.missing = 1});
  checker("no_a_zero_point", "a_zero_point is not there", kBoth, {.missing = 2});
  checker("no_b", "b is not there", kBoth, {.missing = 3});
  checker("no_b_scale", "b_scale is not there", kBoth, {.missing = 4});
  checker("no_b_zero_point", "b_zero_point is not there", kBoth, {.missing = 5});
  checker("no_y_scale", "y_scale is not there", kBoth, {.missing = 6});
  checker("no_y_zero_point", "y_zero_point is not there", kBoth, {.missing = 7});

  const QLinearMatMulRows mm_04{"MM-04", ModelKind::kLegal, kNone, models};
  mm_04("legal_scales_of_shape_1", "all scales and zero points are [1]", kBoth,
        {.a_scale = {kFloat, {1}},
         .a_zero_point = {kUint8, {1}},
         .b_scale = {kFloat, {1}},
         .b_zero_point = {kUint8, {1}},
         .y_scale = {kFloat, {1}},
         .y_zero_point = {kUint8, {1}}});
  mm_04("legal_per_row_per_column", "a_scale is [M], b_scale is [N]", kBoth,
        {.a_scale = {kFloat, {2}},
         .a_zero_point = {kUint8, {2}},
         .b_scale = {kFloat, {4}},
         .b_zero_point = {kUint8, {4}}});
  mm_04("legal_square", "M, K and N are equal: a has rows, b columns", kBoth,
        {.a = {kUint8, {3, 3}},
         .a_scale = {kFloat, {3}},
         .a_zero_point = {kUint8, {3}},
         .b = {kUint8, {3, 3}},
         .b_scale = {kFloat, {3}},
         .b_zero_point = {kUint8, {3}},
         .y = {3, 3}});
  mm_04("legal_vectors", "a and b have rank 1", kBoth,
        {.a = {kUint8, {3}}, .b = {kUint8, {3}}, .y = {}});
  mm_04("legal_batches", "a batch of 1 is broadcast", kBoth,
        {.a = {kUint8, {2, 2, 3}}, .b = {kUint8, {1, 3, 4}}, .y = {2, 2, 4}});
  mm_04("legal_k_0", "K is 0: y is y_zero_point", kBoth,
        {.a = {kUint8, {2, 0}}, .b = {kUint8, {0, 4}}});
  mm_04("legal_m_0", "M is 0: y is empty", kBoth, {.a = {kUint8, {0, 3}}, .y = {0, 4}});

  const QLinearMatMulRows mm_05{"MM-05", ModelKind::kOpen, kNone, models};
  mm_05("open_y_scale_per_row", "y_scale is [M]", kBoth,
        {.y_scale = {kFloat, {2}}, .y_zero_point = {kUint8, {2}}});

  const QLinearMatMulRows mm_06{"MM-06", ModelKind::kOpen, kNone, models};
  mm_06("open_vector_for_rank_3", "a has rank 3, a_scale is [M]", kBoth,
        {.a = {kUint8, {2, 2, 3}},
         .a_scale = {kFloat, {2}},
         .a_zero_point = {kUint8, {2}},
         .y = {2, 2, 4}});
  mm_06("open_scale_without_batches", "a is [2,2,3], a_scale is [2,1]", kBoth,
        {.a = {kUint8, {2, 2, 3}},
         .a_scale = {kFloat, {2, 1}},
         .a_zero_point = {kUint8, {2, 1}},
         .y = {2, 2, 4}});
  mm_06("open_zero_point_of_shape_1", "a_scale is a scalar, a_zero_point [1]", kBoth,
        {.a_zero_point = {kUint8, {1}}});
  mm_06("open_zero_point_scalar_for_vector_scale",
        "b_scale is [N], b_zero_point is a scalar", kBoth, {.b_scale = {kFloat, {4}}});
  return models;
}

}  // namespace qconform::generators
