// The rows of the tables of negative models, and what turns a row into models.
// Private to this folder.
#ifndef QCONFORM_CASES_NEGATIVE_ROWS_H_
#define QCONFORM_CASES_NEGATIVE_ROWS_H_

#include <optional>
#include <string>
#include <vector>

#include "cases/negative/negative_model.h"

namespace qconform::negative {

// A tensor. Its elements are `values` (quarters for floats, whole numbers for
// integers), or a pattern of the operand's own where that is empty.
struct Operand {
  DataType type = DataType::kUndefined;
  Shape shape{};
  std::vector<int> values{};
  // What the model says of it, where that is something else: phase `run`.
  std::optional<DataType> declared_type{};
  std::optional<Shape> declared_shape{};
};

// The defaults are a legal model of every since_version.
struct QuantizeLinearSpec {
  Operand x{DataType::kFloat, {2, 3}};
  Operand y_scale{DataType::kFloat, {}};
  std::optional<Operand> y_zero_point{};
  bool empty_zero_point = false;  // left out by an empty name
  std::optional<int64_t> axis{};
  std::optional<int64_t> block_size{};
  std::optional<int64_t> saturate{};
  std::optional<int64_t> output_dtype{};
  std::optional<int64_t> precision{};
  DataType y = DataType::kUint8;
};

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
using QuantizeLinearRow = Row<QuantizeLinearSpec>;
using QLinearMatMulRow = Row<QLinearMatMulSpec>;

// Since_versions of QuantizeLinear: all, and those that have `axis`, blocks and
// `precision`.
inline const std::vector<int> kEvery{10, 13, 19, 21, 23, 24, 25};
inline const std::vector<int> kWithAxis{13, 19, 21, 23, 24, 25};
inline const std::vector<int> kWithBlocks{21, 23, 24, 25};
inline const std::vector<int> kWithPrecision{23, 24, 25};

// Appends the models of the rows.
void Add(const char* clause, ModelKind kind, const std::vector<QuantizeLinearRow>& rows,
         std::vector<NegativeModel>& models);
void Add(const char* clause, ModelKind kind, const std::vector<QLinearMatMulRow>& rows,
         std::vector<NegativeModel>& models);

// The tables, by theme.
void AddQuantizeLinearShapes(std::vector<NegativeModel>& models);
void AddQuantizeLinearBlocks(std::vector<NegativeModel>& models);
void AddQuantizeLinearTypes(std::vector<NegativeModel>& models);
void AddQuantizeLinearAttributes(std::vector<NegativeModel>& models);
void AddQuantizeLinearFeeds(std::vector<NegativeModel>& models);
void AddQuantizeLinearLegal(std::vector<NegativeModel>& models);
void AddQuantizeLinearOpen(std::vector<NegativeModel>& models);
void AddQLinearMatMulInvalid(std::vector<NegativeModel>& models);
void AddQLinearMatMulOthers(std::vector<NegativeModel>& models);

}  // namespace qconform::negative

#endif  // QCONFORM_CASES_NEGATIVE_ROWS_H_
