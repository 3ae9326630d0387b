#include "harness/backends/simd/matmul/sums_function.h"

#include <algorithm>
#include <cstring>

#include "harness/backends/simd/core/targets.h"
#include "harness/backends/simd/matmul/codes.h"
#include "harness/backends/simd/matmul/job.h"
#include "harness/backends/simd/matmul/kernels.h"
#include "harness/backends/simd/matmul/panels.h"

namespace qconform::simd {

struct SumsFunction::State {
  MatMulJob job;
  std::unique_ptr<const CodePlan> plan;
  Products products;
  int64_t repaired = 0;
  Repairs repairs;
  alignas(64) int32_t sums[kMaxRows * kMaxColumns] = {};
  alignas(64) float factors[kMaxColumns] = {};
  int32_t zeros[kMaxRows] = {};
};

SumsFunction::SumsFunction(std::unique_ptr<State> state) : state_(std::move(state)) {}
SumsFunction::SumsFunction(SumsFunction&&) noexcept = default;
SumsFunction::~SumsFunction() = default;

Result<SumsFunction> SumsFunction::Of(float a_scale, float b_scale, float y_scale,
                                      DataType y, uint8_t y_zero_point, int64_t target) {
  if (y != DataType::kUint8 && y != DataType::kInt8 && !IsFloat8(y)) {
    return Error{"y of type " + std::string(DataTypeName(y)) +
                 ": UINT8, INT8 or a float8 is needed"};
  }
  const auto found = FindTarget(target);
  if (!found) return found.error();
  auto state = std::make_unique<State>();
  MatMulJob& job = state->job;
  job.a_scale = {a_scale};
  job.b_scale = {b_scale};
  job.y_scale = y_scale;
  job.y_type = y;
  job.y_zero_point = y_zero_point;
  job.a_zero_point = {0};
  job.b_zero_point = {0};
  state->plan = std::make_unique<const CodePlan>(job, found->bit);
  state->products = ProductsOf(found->bit, /*dot_product=*/true);
  state->repairs = {state->plan.get(), 0, 0, &state->repaired};
  FillColumnFactors(*state->plan, 0, kMaxColumns, state->factors);
  return SumsFunction(std::move(state));
}

void SumsFunction::operator()(const int32_t* sums, size_t n, uint8_t* codes) {
  State& s = *state_;
  const CodePlan& plan = *s.plan;
  // Tiles as the library has them: rows of a panel's width.
  for (size_t done = 0; done < n;) {
    const size_t rows = std::min((n - done + kMaxColumns - 1) / kMaxColumns, kMaxRows);
    const size_t count = std::min(n - done, rows * kMaxColumns);
    std::memcpy(s.sums, sums + done, count * sizeof(int32_t));
    if (plan.path == CodePath::kFused) {
      const bool whole = count == rows * kMaxColumns;
      uint8_t rest[kMaxRows * kMaxColumns];
      TileArgs tile;
      tile.c = s.sums;
      tile.rows = rows;
      tile.columns = kMaxColumns;
      tile.row_a = s.zeros;
      tile.row_term = s.zeros;
      tile.column_a = s.zeros;
      tile.column_b = s.zeros;
      tile.column_factor = s.factors;
      tile.zero_point = static_cast<int32_t>(plan.zero_point);
      tile.fixed_point = FixedPoint(plan.multiplier, tile.zero_point, plan.smallest);
      tile.y = whole ? codes + done : rest;
      tile.y_stride = kMaxColumns;
      tile.repairs = &s.repairs;
      if (s.products.multiply_to_codes != nullptr) {
        // No steps: what becomes codes is `init`.
        s.products.multiply_to_codes({.rows = rows,
                                      .width = kMaxColumns,
                                      .steps = 0,
                                      .init = s.sums,
                                      .init_stride = kMaxColumns,
                                      .c = s.sums},
                                     tile, plan.multiplier, /*tiles=*/1);
      } else {
        plan.kernels->requantize[static_cast<int>(Correction::kSums)]
                                [static_cast<int>(plan.multiplier)](tile);
      }
      if (!whole) std::memcpy(codes + done, rest, count);
    } else {
      for (size_t row = 0; row < rows; ++row) {
        const size_t width = std::min(count - row * kMaxColumns, kMaxColumns);
        WriteCodes(plan, s.repairs, row, 0, width, s.sums + row * kMaxColumns, s.factors,
                   codes + done + row * kMaxColumns);
      }
    }
    done += count;
  }
}

std::string SumsFunction::way() const {
  switch (state_->plan->path) {
    case CodePath::kFused:
      return "fused";
    case CodePath::kEnclosed:
      return "enclosed";
    case CodePath::kFloat:
      return "float";
    case CodePath::kSums:  // Of takes no INT32 y
    case CodePath::kExact:
      break;
  }
  return "exact";
}

int64_t SumsFunction::repaired() const { return state_->repaired; }

}  // namespace qconform::simd
