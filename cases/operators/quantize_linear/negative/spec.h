// Negative models of QuantizeLinear. Private to this folder.
#ifndef QCONFORM_CASES_OPERATORS_QUANTIZE_LINEAR_NEGATIVE_SPEC_H_
#define QCONFORM_CASES_OPERATORS_QUANTIZE_LINEAR_NEGATIVE_SPEC_H_

#include <optional>
#include <vector>

#include "cases/negative/rows.h"

namespace qconform::negative {

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

FedModel Build(const QuantizeLinearSpec& spec, int opset_version);

using QuantizeLinearRows = Rows<QuantizeLinearSpec>;

// Since_versions of QuantizeLinear: all, and those that have `axis`, blocks and
// `precision`.
inline const std::vector<int> kEvery{10, 13, 19, 21, 23, 24, 25, 28};
inline const std::vector<int> kWithAxis{13, 19, 21, 23, 24, 25, 28};
inline const std::vector<int> kWithBlocks{21, 23, 24, 25, 28};
inline const std::vector<int> kWithPrecision{23, 24, 25, 28};

// The tables that only this operator has, by theme.
void AddQuantizeLinearTypes(std::vector<NegativeModel>& models);
void AddQuantizeLinearAttributes(std::vector<NegativeModel>& models);
void AddQuantizeLinearFeeds(std::vector<NegativeModel>& models);
void AddQuantizeLinearLegal(std::vector<NegativeModel>& models);
void AddQuantizeLinearOpen(std::vector<NegativeModel>& models);

}  // namespace qconform::negative

#endif  // QCONFORM_CASES_OPERATORS_QUANTIZE_LINEAR_NEGATIVE_SPEC_H_
