#include "harness/backends/simd/limits/instruction_loop.h"

#include <cstring>
#include <string>

#include "harness/backends/simd/core/instruction_limit.h"
#include "harness/backends/simd/core/targets.h"
#include "harness/backends/simd/limits/clock.h"

namespace qconform::simd {

Result<InstructionLoop> InstructionLoop::Of(int64_t target, const Tensor& x, DataType y) {
  const auto found = FindTarget(target);
  if (!found) return found.error();
  InstructionLoop loop;
  loop.function_ = InstructionLimit(found->bit, x.type, y);
  static_assert(kElements == kInstructionLimitElements);
  const size_t size = kElements * static_cast<size_t>(BitWidth(x.type)) / 8;
  if (loop.function_ == nullptr || x.data.size() < size) {
    return Error{"no limit of instructions for " + std::string(DataTypeName(x.type)) +
                 " to " + std::string(DataTypeName(y)) + " and " +
                 std::to_string(x.data.size()) + " bytes of x"};
  }
  std::memcpy(loop.x_->bytes.data(), x.data.data(), size);
  return loop;
}

double InstructionLoop::Time() {
  constexpr int kCalls = 100;
  const auto call = [&] { function_(x_->bytes.data(), 1, y_->bytes.data()); };
  for (int i = 0; i < 5; ++i) call();  // into the first cache
  const double start = ThreadSeconds();
  for (int i = 0; i < kCalls; ++i) call();
  return (ThreadSeconds() - start) / (kCalls * double{kElements});
}

}  // namespace qconform::simd
