#include "harness/backends/registry/simd_backend.h"

#include <charconv>
#include <map>
#include <string>
#include <utility>

#include "cases/lattice/lattice.h"
#include "harness/backends/registry/simd_prepared.h"
#include "harness/backends/simd/core/targets.h"

namespace qconform {
namespace {

struct SimdOptions {
  simd::QuantizeLinearOptions quantize_linear;
  simd::QLinearMatMulOptions q_linear_mat_mul;
};

class SimdBackend : public Backend {
 public:
  SimdBackend(BackendInfo info, const SimdOptions& options)
      : info_(std::move(info)), options_(options) {}

  const BackendInfo& info() const override { return info_; }
  bool concurrent() const override { return true; }

  PrepareResult Prepare(const Model& model) override {
    const std::string& op_type = model.node.op_type;
    const bool quantize_linear = op_type == "QuantizeLinear";
    if ((!quantize_linear && op_type != "QLinearMatMul") || !model.node.domain.empty()) {
      return Unsupported{"there is no kernel for operator '" + op_type + "'", ""};
    }
    const auto judging = JudgingVersionFor(op_type, model.opset_version);
    if (!judging) return Unsupported{judging.error().message, ""};
    return quantize_linear ? PrepareQuantizeLinear(model, judging->since_version,
                                                   options_.quantize_linear)
                           : PrepareQLinearMatMul(model, judging->since_version,
                                                  options_.q_linear_mat_mul);
  }

 private:
  BackendInfo info_;
  SimdOptions options_;
};

Result<int> ParseThreads(const std::string& value) {
  int threads = 0;
  const auto [end, error] =
      std::from_chars(value.data(), value.data() + value.size(), threads);
  if (error != std::errc() || end != value.data() + value.size() || threads < 1 ||
      threads > 1024) {
    return Error{"backend option threads='" + value + "' is not a number from 1 to 1024"};
  }
  return threads;
}

Result<simd::Requantization> ParseRequantization(const std::string& value) {
  if (value == "exact") return simd::Requantization::kExact;
  if (value == "f32_multiplier") return simd::Requantization::kF32Multiplier;
  return Error{"backend option requantization='" + value +
               "' is neither exact nor f32_multiplier"};
}

}  // namespace

Result<std::unique_ptr<Backend>> MakeSimdBackend(std::string_view target,
                                                 const BackendOptions& options) {
  SimdOptions chosen;
  std::map<std::string, std::string> details{{"threads", "1"},
                                             {"requantization", "exact"}};
  for (const auto& [key, value] : options) {
    if (key == "threads") {
      const auto threads = ParseThreads(value);
      if (!threads) return threads.error();
      chosen.quantize_linear.threads = chosen.q_linear_mat_mul.threads = *threads;
    } else if (key == "requantization") {
      const auto requantization = ParseRequantization(value);
      if (!requantization) return requantization.error();
      chosen.q_linear_mat_mul.requantization = *requantization;
    } else {
      return Error{"backend simd has no option '" + key +
                   "'; it has threads=N and requantization=exact|f32_multiplier"};
    }
    details[key] = value;
  }
  const auto found =
      target.empty() ? simd::FindTarget(int64_t{0}) : simd::FindTarget(target);
  if (!found) return found.error();
  chosen.quantize_linear.target = chosen.q_linear_mat_mul.target = found->bit;
  BackendInfo info{.kind = "simd",
                   .name = target.empty() ? "simd" : "simd:" + std::string(target),
                   .version = "1",
                   .vendor = "qconform",
                   .device = std::string(found->name),
                   .details = std::move(details)};
  return std::unique_ptr<Backend>(std::make_unique<SimdBackend>(std::move(info), chosen));
}

std::vector<std::string> CompiledSimdTargets() {
  std::vector<std::string> names;
  for (const simd::Target& target : simd::CompiledTargets()) {
    names.emplace_back(target.name);
  }
  return names;
}

std::vector<std::string> SupportedSimdTargets() {
  std::vector<std::string> names;
  for (const simd::Target& target : simd::SupportedTargets()) {
    names.emplace_back(target.name);
  }
  return names;
}

}  // namespace qconform
