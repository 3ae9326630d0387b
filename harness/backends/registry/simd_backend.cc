#include "harness/backends/registry/simd_backend.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include "cases/lattice/lattice.h"
#include "harness/backends/operands.h"
#include "harness/backends/simd/quantize_linear.h"
#include "harness/backends/simd/targets.h"

namespace qconform {
namespace {

// Room around y that a kernel must leave as it was.
constexpr size_t kGuardBytes = 64;
constexpr std::byte kGuard{0xC5};
// What y holds before a kernel writes it: an element that stays unwritten shows
// as a wrong answer in all but one of 256 cases.
constexpr std::byte kPoison{0x5A};

Result<simd::QuantizeLinearAttributes> ReadAttributes(const Node& node) {
  simd::QuantizeLinearAttributes attributes;
  for (const Attribute& attribute : node.attributes) {
    const auto value = IntegerAttribute(node, attribute.name);
    if (!value) return value.error();
    if (attribute.name == "axis") attributes.axis = *value;
    if (attribute.name == "block_size") attributes.block_size = **value;
    if (attribute.name == "saturate") attributes.saturate = **value;
    if (attribute.name == "output_dtype") attributes.output_dtype = **value;
    if (attribute.name == "precision") attributes.precision = **value;
  }
  return attributes;
}

class SimdPrepared : public PreparedModel {
 public:
  SimdPrepared(Model model, int since_version, simd::QuantizeLinearAttributes attributes,
               simd::Options options)
      : model_(std::move(model)),
        since_version_(since_version),
        attributes_(attributes),
        options_(options) {}

  RunResult Run(std::span<const TensorView> inputs) override {
    const auto operands = ResolveOperands(model_, inputs);
    if (!operands) return Refused{operands.error().message};
    const auto x = OperandAt(*operands, 0);
    const auto y_scale = OperandAt(*operands, 1);
    if (!x || !y_scale) return Refused{"QuantizeLinear needs the inputs x and y_scale"};
    const auto resolved = simd::ResolveQuantizeLinear(since_version_, attributes_, *x,
                                                      *y_scale, OperandAt(*operands, 2));
    if (const auto* refusal = std::get_if<simd::Refusal>(&resolved)) {
      const std::string text = refusal->clause + ": " + refusal->reason;
      if (refusal->kind == simd::Refusal::Kind::kUnsupported) return Unsupported{text, ""};
      return Refused{text};
    }
    return Compute(std::get<simd::QuantizeLinearArgs>(resolved));
  }

 private:
  RunResult Compute(const simd::QuantizeLinearArgs& args) {
    const auto count = ElementCount(args.x.shape);
    if (!count) return Refused{"x has a shape whose size overflows"};
    const size_t bytes = PackedByteSize(args.output_dtype, *count);
    std::vector<std::byte> buffer(bytes + 2 * kGuardBytes, kGuard);
    const auto y = std::span(buffer).subspan(kGuardBytes, bytes);
    std::fill(y.begin(), y.end(), kPoison);
    const Status done = simd::QuantizeLinear(
        args, {args.output_dtype, args.x.shape, y}, options_);
    if (!done) return BackendError{BackendError::Kind::kFailed, done.error().message};
    const auto intact = [](std::byte byte) { return byte == kGuard; };
    if (!std::all_of(buffer.begin(), buffer.begin() + kGuardBytes, intact) ||
        !std::all_of(buffer.end() - kGuardBytes, buffer.end(), intact)) {
      return BackendError{BackendError::Kind::kInvalidOutput, "wrote outside of y"};
    }
    Tensor output{args.output_dtype, Shape(args.x.shape.begin(), args.x.shape.end()),
                  std::vector<std::byte>(y.begin(), y.end())};
    Outputs outputs;
    outputs.push_back(std::move(output));
    return outputs;
  }

  Model model_;
  int since_version_;
  simd::QuantizeLinearAttributes attributes_;
  simd::Options options_;
};

class SimdBackend : public Backend {
 public:
  SimdBackend(BackendInfo info, simd::Options options)
      : info_(std::move(info)), options_(options) {
    for (const SinceVersion& version : SinceVersions("QuantizeLinear")) {
      for (const int opset_version : version.opset_versions) {
        since_versions_[opset_version] = version.since_version;
      }
    }
  }

  const BackendInfo& info() const override { return info_; }
  bool concurrent() const override { return true; }

  PrepareResult Prepare(const Model& model) override {
    if (model.node.op_type != "QuantizeLinear" || !model.node.domain.empty()) {
      return Unsupported{"there is no kernel for operator '" + model.node.op_type + "'", ""};
    }
    const auto since_version = since_versions_.find(model.opset_version);
    if (since_version == since_versions_.end()) {
      return Unsupported{
          "QuantizeLinear of opset_version " + std::to_string(model.opset_version) +
              " is not known",
          ""};
    }
    const auto attributes = ReadAttributes(model.node);
    if (!attributes) return Refused{attributes.error().message};
    return std::make_unique<SimdPrepared>(model, since_version->second, *attributes,
                                          options_);
  }

 private:
  BackendInfo info_;
  simd::Options options_;
  std::map<int, int> since_versions_;  // opset_version -> since_version
};

}  // namespace

Result<std::unique_ptr<Backend>> MakeSimdBackend(std::string_view target,
                                                 const BackendOptions& options) {
  simd::Options chosen;
  for (const auto& [key, value] : options) {
    if (key != "threads") {
      return Error{"backend simd has no option '" + key + "'; it has threads=N"};
    }
    const auto [end, error] =
        std::from_chars(value.data(), value.data() + value.size(), chosen.threads);
    if (error != std::errc() || end != value.data() + value.size() || chosen.threads < 1 ||
        chosen.threads > 1024) {
      return Error{"backend option threads='" + value + "' is not a number from 1 to 1024"};
    }
  }
  const auto found =
      target.empty() ? simd::FindTarget(int64_t{0}) : simd::FindTarget(target);
  if (!found) return found.error();
  chosen.target = found->bit;
  BackendInfo info{.kind = "simd",
                   .name = target.empty() ? "simd" : "simd:" + std::string(target),
                   .version = "1",
                   .vendor = "qconform",
                   .device = std::string(found->name),
                   .details = {{"threads", std::to_string(chosen.threads)}}};
  return std::unique_ptr<Backend>(std::make_unique<SimdBackend>(std::move(info), chosen));
}

}  // namespace qconform
