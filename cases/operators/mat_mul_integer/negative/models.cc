// MI-07: invalid models of MatMulInteger; MI-04, MI-06, MI-08: legal ones that look odd;
// MI-05: open ones.
#include "cases/operators/mat_mul_integer/negative/models.h"

#include <optional>

#include "cases/negative/rows.h"

namespace qconform::negative {
namespace {

using enum DataType;
using enum ModelPhase;

struct MatMulIntegerSpec {
  Operand a{DataType::kUint8, {2, 3}};
  Operand b{DataType::kUint8, {3, 4}};
  std::optional<Operand> a_zero_point{};
  std::optional<Operand> b_zero_point{};
  Shape y{2, 4};
  int inputs = 4;                  // the node's inputs end after this many
  int missing = -1;                // the place of an operand whose name is empty
  std::optional<int64_t> alpha{};  // an attribute that the operator does not have
};

constexpr int kZeroPoints[] = {3, 1, 4, 2, 5};

FedModel Build(const MatMulIntegerSpec& spec, int opset_version) {
  ModelBuilder builder("MatMulInteger", opset_version);
  const auto add = [&](int place, const char* name, const std::optional<Operand>& operand,
                       std::span<const int> pattern) {
    if (place >= spec.inputs) return;
    if (place == spec.missing || !operand) return builder.AddEmptyInput();
    builder.AddInput(name, *operand, pattern);
  };
  add(0, "A", spec.a, kWholeNumbers);
  add(1, "B", spec.b, kWholeNumbers);
  add(2, "a_zero_point", spec.a_zero_point, kZeroPoints);
  add(3, "b_zero_point", spec.b_zero_point, kZeroPoints);
  builder.AddAttribute("alpha", spec.alpha);
  return builder.Finish({{"Y", DataType::kInt32, spec.y}});
}

using MatMulIntegerRows = Rows<MatMulIntegerSpec>;

const std::vector<int> kOnly{10};

Operand FedAs(DataType type, DataType declared) {
  return {.type = type, .shape = {}, .values = {}, .declared_type = declared};
}

void AddShapes(std::vector<NegativeModel>& models) {
  const MatMulIntegerRows inference{"MI-07", ModelKind::kInvalid, kShapeInference,
                                    models};
  inference("a_scalar", "A is a scalar", kOnly, {.a = {kUint8, {}}, .y = {4}});
  inference("b_scalar", "B is a scalar", kOnly, {.b = {kUint8, {}}, .y = {2}});
  inference("k_differs", "A is [2,3], B is [4,4]: K is 3 and 4", kOnly,
            {.b = {kUint8, {4, 4}}});
  inference("k_differs_vectors", "A is [3], B is [4]", kOnly,
            {.a = {kUint8, {3}}, .b = {kUint8, {4}}, .y = {}});
  inference("k_differs_vector_a", "A is [2], B is [3,4]", kOnly,
            {.a = {kUint8, {2}}, .y = {4}});
  inference("k_one", "A is [2,1], B is [3,4]: K is not broadcast", kOnly,
            {.a = {kUint8, {2, 1}}});
  inference("batches_differ", "A has a batch of 2, B one of 3", kOnly,
            {.a = {kUint8, {2, 2, 3}}, .b = {kUint8, {3, 3, 4}}, .y = {2, 2, 4}});

  const MatMulIntegerRows load{"MI-07", ModelKind::kInvalid, kLoad, models};
  load("a_zero_point_of_wrong_length", "a_zero_point has 4 elements, A has 2 rows", kOnly,
       {.a_zero_point = Operand{kUint8, {4}}});
  load("a_zero_point_rows_too_many", "a_zero_point is [3,1], A has 2 rows", kOnly,
       {.a_zero_point = Operand{kUint8, {3, 1}}});
  load("b_zero_point_of_wrong_length", "b_zero_point has 2 elements, B has 4 columns",
       kOnly, {.b_zero_point = Operand{kUint8, {2}}});
  load("b_zero_point_per_k", "b_zero_point has 3 elements, one for each row of B", kOnly,
       {.b_zero_point = Operand{kUint8, {3}}});
  load("b_zero_point_columns_too_few", "b_zero_point is [1,3], B has 4 columns", kOnly,
       {.b_zero_point = Operand{kUint8, {1, 3}}});
  load("a_zero_point_batches_differ", "A is [2,2,3], a_zero_point is [3,2,1]", kOnly,
       {.a = {kUint8, {2, 2, 3}},
        .a_zero_point = Operand{kUint8, {3, 2, 1}},
        .y = {2, 2, 4}});
}

void AddTypes(std::vector<NegativeModel>& models) {
  const MatMulIntegerRows inference{"MI-07", ModelKind::kInvalid, kShapeInference,
                                    models};
  inference("a_zero_point_int8", "A is UINT8, a_zero_point is INT8: both are T1", kOnly,
            {.a_zero_point = Operand{kInt8, {}}});
  inference("b_zero_point_int8", "B is UINT8, b_zero_point is INT8: both are T2", kOnly,
            {.b_zero_point = Operand{kInt8, {}}});
  inference("a_zero_point_int32", "a_zero_point is INT32, which is in no T1", kOnly,
            {.a_zero_point = Operand{kInt32, {}}});
  inference("a_int16", "A is INT16, which is in no T1", kOnly, {.a = {kInt16, {2, 3}}});
  inference("b_int32", "B is INT32, which is in no T2", kOnly, {.b = {kInt32, {3, 4}}});
  inference("a_float", "A is FLOAT, which is in no T1", kOnly, {.a = {kFloat, {2, 3}}});

  const MatMulIntegerRows checker{"MI-07", ModelKind::kInvalid, kChecker, models};
  checker("no_a", "A is not there", kOnly, {.missing = 0});
  checker("no_b", "B is not there", kOnly, {.missing = 1});
  checker("one_input", "the node has no B", kOnly, {.inputs = 1});
  checker("attribute_alpha", "alpha is an attribute of other operators", kOnly,
          {.alpha = 1});

  const MatMulIntegerRows run{"MI-07", ModelKind::kInvalid, kRun, models};
  run("fed_a_int8", "A and its zero point are declared as UINT8, A is fed as INT8", kOnly,
      {.a = {.type = kInt8, .shape = {2, 3}, .declared_type = kUint8},
       .a_zero_point = Operand{kUint8, {}}});
  run("fed_a_zero_point_int8", "a_zero_point is declared as UINT8 and fed as INT8", kOnly,
      {.a_zero_point = FedAs(kInt8, kUint8)});
  run("fed_k_differs", "B is declared as [3,4] and fed as [2,4]", kOnly,
      {.b = {.type = kUint8, .shape = {2, 4}, .declared_shape = Shape{3, 4}}});
}

void AddLegal(std::vector<NegativeModel>& models) {
  const MatMulIntegerRows mi_04{"MI-04", ModelKind::kLegal, kNone, models};
  mi_04("legal_zero_points_of_shape_1", "both zero points are [1]", kOnly,
        {.a_zero_point = Operand{kUint8, {1}}, .b_zero_point = Operand{kUint8, {1}}});
  mi_04("legal_per_row_per_column", "a_zero_point is [M], b_zero_point is [N]", kOnly,
        {.a_zero_point = Operand{kUint8, {2}}, .b_zero_point = Operand{kUint8, {4}}});
  mi_04(
      "legal_column_and_row", "a_zero_point is [M,1], b_zero_point is [1,N]", kOnly,
      {.a_zero_point = Operand{kUint8, {2, 1}}, .b_zero_point = Operand{kUint8, {1, 4}}});
  mi_04("legal_square", "M, K and N are equal: A has rows, B columns", kOnly,
        {.a = {kUint8, {3, 3}},
         .b = {kUint8, {3, 3}},
         .a_zero_point = Operand{kUint8, {3}},
         .b_zero_point = Operand{kUint8, {3}},
         .y = {3, 3}});
  mi_04("legal_one_row", "M is 1, and a_zero_point is [M]", kOnly,
        {.a = {kUint8, {1, 3}}, .a_zero_point = Operand{kUint8, {1}}, .y = {1, 4}});
  mi_04("legal_types_differ", "A is INT8, B is UINT8", kOnly,
        {.a = {kInt8, {2, 3}}, .a_zero_point = Operand{kInt8, {}}});

  const MatMulIntegerRows mi_06{"MI-06", ModelKind::kLegal, kNone, models};
  mi_06("legal_no_zero_points", "the node has two inputs", kOnly, {.inputs = 2});
  mi_06("legal_empty_names", "both zero points have empty names", kOnly, {});
  mi_06("legal_only_b_zero_point", "a_zero_point has an empty name", kOnly,
        {.b_zero_point = Operand{kUint8, {}}});
  mi_06("legal_only_a_zero_point", "the node has three inputs", kOnly,
        {.a_zero_point = Operand{kUint8, {}}, .inputs = 3});
  mi_06("legal_k_0", "K is 0: Y is 0", kOnly,
        {.a = {kUint8, {2, 0}},
         .b = {kUint8, {0, 4}},
         .a_zero_point = Operand{kUint8, {}},
         .b_zero_point = Operand{kUint8, {}}});
  mi_06("legal_m_0", "M is 0: Y is empty", kOnly, {.a = {kUint8, {0, 3}}, .y = {0, 4}});
  mi_06("legal_m_0_vector", "M is 0, and a_zero_point is [M]", kOnly,
        {.a = {kUint8, {0, 3}}, .a_zero_point = Operand{kUint8, {0}}, .y = {0, 4}});

  const MatMulIntegerRows mi_08{"MI-08", ModelKind::kLegal, kNone, models};
  mi_08("legal_vectors", "A and B have rank 1", kOnly,
        {.a = {kUint8, {3}},
         .b = {kUint8, {3}},
         .a_zero_point = Operand{kUint8, {}},
         .b_zero_point = Operand{kUint8, {}},
         .y = {}});
  mi_08("legal_batches", "a batch of 1 is broadcast, and so is its zero point", kOnly,
        {.a = {kUint8, {2, 2, 3}},
         .b = {kUint8, {1, 3, 4}},
         .a_zero_point = Operand{kUint8, {2, 2, 1}},
         .b_zero_point = Operand{kUint8, {1, 1, 4}},
         .y = {2, 2, 4}});
}

void AddOpen(std::vector<NegativeModel>& models) {
  const MatMulIntegerRows mi_05{"MI-05", ModelKind::kOpen, kNone, models};
  mi_05("open_vector_for_rank_3", "A has rank 3, a_zero_point is [M]", kOnly,
        {.a = {kUint8, {2, 2, 3}}, .a_zero_point = Operand{kUint8, {2}}, .y = {2, 2, 4}});
  mi_05("open_column_vector_for_rank_3", "B has rank 3, b_zero_point is [N]", kOnly,
        {.b = {kUint8, {2, 3, 4}}, .b_zero_point = Operand{kUint8, {4}}, .y = {2, 2, 4}});
  mi_05("open_zero_point_without_batches", "A is [2,2,3], a_zero_point is [2,1]", kOnly,
        {.a = {kUint8, {2, 2, 3}},
         .a_zero_point = Operand{kUint8, {2, 1}},
         .y = {2, 2, 4}});
  mi_05("open_zero_point_of_one_batch", "B is [2,3,4], b_zero_point is [1,1,4]", kOnly,
        {.b = {kUint8, {2, 3, 4}},
         .b_zero_point = Operand{kUint8, {1, 1, 4}},
         .y = {2, 2, 4}});
  mi_05("open_one_value_of_rank_2", "a_zero_point is [1,1]", kOnly,
        {.a_zero_point = Operand{kUint8, {1, 1}}});
  mi_05("open_zero_point_by_terms", "a_zero_point is [1,K]", kOnly,
        {.a_zero_point = Operand{kUint8, {1, 3}}});
  mi_05("open_zero_point_per_k", "a_zero_point has 3 elements, one for each column of A",
        kOnly, {.a_zero_point = Operand{kUint8, {3}}});
  mi_05("open_zero_point_by_terms_of_b", "b_zero_point is [K,1]", kOnly,
        {.b_zero_point = Operand{kUint8, {3, 1}}});
  mi_05("open_zero_point_by_elements", "a_zero_point is [M,K]", kOnly,
        {.a_zero_point = Operand{kUint8, {2, 3}}});
  mi_05("open_vector_for_vector", "A is [3], and so is a_zero_point", kOnly,
        {.a = {kUint8, {3}}, .a_zero_point = Operand{kUint8, {3}}, .y = {4}});
}

}  // namespace
}  // namespace qconform::negative

namespace qconform::generators {

std::vector<NegativeModel> MatMulIntegerNegativeModels() {
  std::vector<NegativeModel> models;
  negative::AddShapes(models);
  negative::AddTypes(models);
  negative::AddLegal(models);
  negative::AddOpen(models);
  return models;
}

}  // namespace qconform::generators
