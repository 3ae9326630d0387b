#include "harness/backends/registry/simd_prepared.h"

#include <utility>

namespace qconform {
namespace {

// What the kernel must leave as it was.
constexpr std::byte kGuard{0xC5};
// What y holds before a kernel writes it: an element that stays unwritten shows
// as a wrong answer in all but one of 256 cases.
constexpr std::byte kPoison{0x5A};

}  // namespace

GuardedOutput::GuardedOutput(DataType type, Shape shape)
    : type_(type),
      shape_(std::move(shape)),
      buffer_(PackedByteSize(type, ElementCount(shape_).value()) + 2 * kGuardBytes,
              kGuard) {
  std::ranges::fill(bytes(), kPoison);
}

RunResult GuardedOutput::Take() {
  const auto intact = [](std::byte byte) { return byte == kGuard; };
  if (!std::all_of(buffer_.begin(), buffer_.begin() + kGuardBytes, intact) ||
      !std::all_of(buffer_.end() - kGuardBytes, buffer_.end(), intact)) {
    return BackendError{BackendError::Kind::kInvalidOutput, "wrote outside of y"};
  }
  const auto y = bytes();
  Outputs outputs;
  outputs.push_back(
      {type_, std::move(shape_), std::vector<std::byte>(y.begin(), y.end())});
  return outputs;
}

RunResult ToRunResult(const simd::Refusal& refusal) {
  const std::string text = refusal.clause + ": " + refusal.reason;
  if (refusal.kind == simd::Refusal::Kind::kUnsupported) return Unsupported{text, ""};
  return Refused{text};
}

}  // namespace qconform
