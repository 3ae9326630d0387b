#include "cases/node_tests/disputed.h"

#include <array>

namespace qconform {
namespace {

// onnx/onnx issues 6169 and 7835, corrected by pull request 7868: the goldens
// came from the reference evaluator of the time.
constexpr std::string_view kWrapped =
    "ONNX 1.16 to 1.21 give outputs that wrap around INT8 where QLinearMatMul saturates "
    "(onnx/onnx#7835)";

constexpr std::array<DisputedOutput, 4> kDisputed{{
    {.test_name = "test_qlinearmatmul_2D_int8_float16",
     .output_sha256 = "9ad638ebc6e96ea879644862e750a738c39fc2f6cb943bdb4dbfac970fb685f0",
     .reason = kWrapped},
    {.test_name = "test_qlinearmatmul_2D_int8_float32",
     .output_sha256 = "9ad638ebc6e96ea879644862e750a738c39fc2f6cb943bdb4dbfac970fb685f0",
     .reason = kWrapped},
    {.test_name = "test_qlinearmatmul_3D_int8_float16",
     .output_sha256 = "e48d50a05a17b8aa1929864fb6d0da9c5cf82d5370942dda63d24b7187b4a4e8",
     .reason = kWrapped},
    {.test_name = "test_qlinearmatmul_3D_int8_float32",
     .output_sha256 = "b590f52944661326b1a360d5ff67a6f2905957b8c5cfa02c81c2718c85966425",
     .reason = kWrapped},
}};

}  // namespace

std::span<const DisputedOutput> DisputedOutputs() { return kDisputed; }

std::string_view DisputedReason(std::string_view test_name,
                                std::string_view output_sha256) {
  for (const DisputedOutput& disputed : kDisputed) {
    if (disputed.test_name == test_name && disputed.output_sha256 == output_sha256) {
      return disputed.reason;
    }
  }
  return "";
}

}  // namespace qconform
