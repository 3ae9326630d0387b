#include <utility>

#include "cases/model/attributes.h"
#include "harness/backends/operands.h"
#include "harness/backends/registry/simd_prepared.h"

namespace qconform {
namespace {

Result<simd::QuantizeLinearAttributes> ReadAttributes(const Node& node) {
  simd::QuantizeLinearAttributes attributes;
  for (const Attribute& attribute : node.attributes) {
    const auto value = IntegerAttribute(node.attributes, attribute.name);
    if (!value) return value.error();
    if (attribute.name == "axis") attributes.axis = *value;
    if (attribute.name == "block_size") attributes.block_size = **value;
    if (attribute.name == "saturate") attributes.saturate = **value;
    if (attribute.name == "output_dtype") attributes.output_dtype = **value;
    if (attribute.name == "precision") attributes.precision = **value;
  }
  return attributes;
}

class PreparedQuantizeLinear : public PreparedModel {
 public:
  PreparedQuantizeLinear(Model model, int since_version,
                         simd::QuantizeLinearAttributes attributes, simd::Options options)
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
      return ToRunResult(*refusal);
    }
    const auto& args = std::get<simd::QuantizeLinearArgs>(resolved);
    if (!ElementCount(args.x.shape)) return Refused{"x has a shape whose size overflows"};
    GuardedOutput y(args.output_dtype, Shape(args.x.shape.begin(), args.x.shape.end()));
    const Status done = simd::QuantizeLinear(args, y.view(), options_);
    if (!done) return BackendError{BackendError::Kind::kFailed, done.error().message};
    return y.Take();
  }

 private:
  Model model_;
  int since_version_;
  simd::QuantizeLinearAttributes attributes_;
  simd::Options options_;
};

}  // namespace

PrepareResult PrepareQuantizeLinear(const Model& model, int since_version,
                                    const simd::Options& options) {
  const auto attributes = ReadAttributes(model.node);
  if (!attributes) return Refused{attributes.error().message};
  return std::make_unique<PreparedQuantizeLinear>(model, since_version, *attributes,
                                                  options);
}

}  // namespace qconform
