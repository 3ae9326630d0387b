// Negative models of DequantizeLinear. Private to this folder.
#ifndef QCONFORM_CASES_OPERATORS_DEQUANTIZE_LINEAR_NEGATIVE_SPEC_H_
#define QCONFORM_CASES_OPERATORS_DEQUANTIZE_LINEAR_NEGATIVE_SPEC_H_

#include <optional>
#include <vector>

#include "cases/negative/rows.h"

namespace qconform::negative::dequantize_linear {

// The defaults are a legal model of every since_version.
struct Spec {
  Operand x{DataType::kInt8, {2, 3}};
  Operand x_scale{DataType::kFloat, {}};
  std::optional<Operand> x_zero_point{};
  bool empty_zero_point = false;  // left out by an empty name
  std::optional<int64_t> axis{};
  std::optional<int64_t> block_size{};
  std::optional<int64_t> output_dtype{};
  std::optional<int64_t> saturate{};
  std::optional<int64_t> precision{};
  DataType y = DataType::kFloat;
};

// The number of a type, as output_dtype has it.
constexpr auto Number(DataType type) { return static_cast<int64_t>(type); }

FedModel Build(const Spec& spec, int opset_version);

using SpecRows = Rows<Spec>;

// Since_versions of DequantizeLinear: all, and those that have `axis`, blocks and
// `output_dtype`.
inline const std::vector<int> kEvery{10, 13, 19, 21, 23, 24, 25, 28};
inline const std::vector<int> kWithAxis{13, 19, 21, 23, 24, 25, 28};
inline const std::vector<int> kWithBlocks{21, 23, 24, 25, 28};
inline const std::vector<int> kWithOutputDtype{23, 24, 25, 28};

// The tables that only this operator has, by theme.
void AddTypes(std::vector<NegativeModel>& models);
void AddAttributes(std::vector<NegativeModel>& models);
void AddFeeds(std::vector<NegativeModel>& models);
void AddLegal(std::vector<NegativeModel>& models);
void AddOpen(std::vector<NegativeModel>& models);

}  // namespace qconform::negative::dequantize_linear

#endif  // QCONFORM_CASES_OPERATORS_DEQUANTIZE_LINEAR_NEGATIVE_SPEC_H_
