// The built-in kernels as a plugin: what shows that a plugin is judged as the
// kernels themselves are.
#include <qconform_backend.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "harness/backends/simd/core/targets.h"
#include "harness/backends/simd/q_linear_mat_mul/q_linear_mat_mul.h"
#include "harness/backends/simd/quantize_linear/quantize_linear.h"
#include "oracle/tensor/tensor.h"

namespace {

using qconform::DataType;
using qconform::TensorView;

qconform::simd::QuantizeLinearOptions
    g_options;  // set before the first node, as the interface says

struct Instance {
  bool mat_mul = false;
  int since_version = 0;
  qconform::simd::QuantizeLinearAttributes attributes;
};

qconform_status Say(qconform_reason* reason, qconform_status status,
                    const std::string& text) {
  std::snprintf(reason->text, sizeof reason->text, "%s", text.c_str());
  return status;
}

qconform_status Say(qconform_reason* reason, const qconform::simd::Refusal& refusal) {
  const bool unsupported = refusal.kind == qconform::simd::Refusal::Kind::kUnsupported;
  return Say(reason, unsupported ? QCONFORM_UNSUPPORTED : QCONFORM_REFUSED,
             refusal.clause + ": " + refusal.reason);
}

TensorView View(const qconform_tensor* tensor) {
  if (tensor == nullptr) return {};
  return {qconform::DataTypeFromNumber(tensor->data_type).value_or(DataType::kUndefined),
          {tensor->dims, tensor->rank},
          {static_cast<const std::byte*>(tensor->data), tensor->data_size}};
}

// The definition that holds at an opset_version; 0 where there is none.
int SinceVersion(bool mat_mul, int opset_version) {
  constexpr int kQuantizeLinear[] = {10, 13, 19, 21, 23, 24, 25};
  constexpr int kQLinearMatMul[] = {10, 21};
  const int* begin = mat_mul ? std::begin(kQLinearMatMul) : std::begin(kQuantizeLinear);
  const int* end = mat_mul ? std::end(kQLinearMatMul) : std::end(kQuantizeLinear);
  const int* found = std::upper_bound(begin, end, opset_version);
  return found == begin ? 0 : *(found - 1);
}

qconform_status Create(const qconform_node* node, void** instance,
                       qconform_reason* reason) {
  const std::string_view op_type = node->op_type;
  auto made = std::make_unique<Instance>();
  made->mat_mul = op_type == "QLinearMatMul";
  if ((!made->mat_mul && op_type != "QuantizeLinear") || node->domain[0] != '\0') {
    return Say(reason, QCONFORM_UNSUPPORTED,
               "there is no kernel for operator '" + std::string(op_type) + "'");
  }
  made->since_version = SinceVersion(made->mat_mul, node->opset_version);
  if (made->since_version == 0) {
    return Say(reason, QCONFORM_UNSUPPORTED,
               std::string(op_type) + " of opset_version " +
                   std::to_string(node->opset_version) + " is not known");
  }
  for (size_t i = 0; i < node->attribute_count; ++i) {
    const qconform_attribute& attribute = *node->attributes[i];
    const std::string_view name = attribute.name;
    if (attribute.kind != QCONFORM_INT) {
      return Say(reason, QCONFORM_REFUSED,
                 "attribute '" + std::string(name) + "' is not an integer");
    }
    if (name == "axis") made->attributes.axis = attribute.i;
    if (name == "block_size") made->attributes.block_size = attribute.i;
    if (name == "saturate") made->attributes.saturate = attribute.i;
    if (name == "output_dtype") made->attributes.output_dtype = attribute.i;
    if (name == "precision") made->attributes.precision = attribute.i;
  }
  *instance = made.release();
  return QCONFORM_OK;
}

// Sets y's type and shape; an empty view with a reason where there is no room.
std::optional<qconform::MutableTensorView> Take(qconform_output* output, DataType type,
                                                std::span<const int64_t> shape,
                                                qconform_reason* reason) {
  const auto count = qconform::ElementCount(shape);
  const size_t bytes = count ? qconform::PackedByteSize(type, *count) : SIZE_MAX;
  if (bytes > output->capacity || shape.size() > QCONFORM_MAX_RANK) {
    Say(reason, QCONFORM_ERROR,
        "there is no room for y" + qconform::ShapeToString(shape));
    return std::nullopt;
  }
  output->data_type = static_cast<int32_t>(type);
  output->rank = shape.size();
  std::copy(shape.begin(), shape.end(), output->dims);
  return qconform::MutableTensorView{
      type, shape, {static_cast<std::byte*>(output->data), bytes}};
}

qconform_status RunQuantizeLinear(const Instance& self,
                                  const qconform_tensor* const* operands, size_t count,
                                  qconform_output* output, qconform_reason* reason) {
  if (count < 2 || operands[0] == nullptr || operands[1] == nullptr) {
    return Say(reason, QCONFORM_REFUSED, "QuantizeLinear needs the inputs x and y_scale");
  }
  std::optional<TensorView> zero_point;
  if (count > 2 && operands[2] != nullptr) zero_point = View(operands[2]);
  const auto resolved = qconform::simd::ResolveQuantizeLinear(
      self.since_version, self.attributes, View(operands[0]), View(operands[1]),
      zero_point);
  if (const auto* refusal = std::get_if<qconform::simd::Refusal>(&resolved)) {
    return Say(reason, *refusal);
  }
  const auto& args = std::get<qconform::simd::QuantizeLinearArgs>(resolved);
  const auto y = Take(output, args.output_dtype, args.x.shape, reason);
  if (!y) return QCONFORM_ERROR;
  const auto done = qconform::simd::QuantizeLinear(args, *y, g_options);
  return done ? QCONFORM_OK : Say(reason, QCONFORM_ERROR, done.error().message);
}

qconform_status RunQLinearMatMul(const Instance& self,
                                 const qconform_tensor* const* operands, size_t count,
                                 qconform_output* output, qconform_reason* reason) {
  TensorView views[8];
  for (size_t i = 0; i < std::min<size_t>(count, 8); ++i) views[i] = View(operands[i]);
  const qconform::simd::QLinearMatMulArgs args{views[0], views[1], views[2], views[3],
                                               views[4], views[5], views[6], views[7]};
  if (const auto refusal = qconform::simd::CheckQLinearMatMul(self.since_version, args)) {
    return Say(reason, *refusal);
  }
  const auto shape = qconform::simd::QLinearMatMulOutputShape(args);
  if (!shape) return Say(reason, QCONFORM_REFUSED, shape.error().message);
  const auto y = Take(output, args.y_zero_point.type, *shape, reason);
  if (!y) return QCONFORM_ERROR;
  qconform::simd::QLinearMatMulOptions options;
  options.target = g_options.target;
  options.threads = g_options.threads;
  const auto done = qconform::simd::QLinearMatMul(args, nullptr, *y, options);
  return done ? QCONFORM_OK : Say(reason, QCONFORM_ERROR, done.error().message);
}

qconform_status Run(void* instance, const qconform_tensor* const* operands,
                    size_t operand_count, qconform_output* const* outputs,
                    size_t output_count, qconform_reason* reason) {
  const Instance& self = *static_cast<const Instance*>(instance);
  if (output_count != 1) return Say(reason, QCONFORM_REFUSED, "there is one output, y");
  return self.mat_mul
             ? RunQLinearMatMul(self, operands, operand_count, outputs[0], reason)
             : RunQuantizeLinear(self, operands, operand_count, outputs[0], reason);
}

void Destroy(void* instance) { delete static_cast<Instance*>(instance); }

qconform_status SetOption(const char* key, const char* value, qconform_reason* reason) {
  if (std::string_view(key) != "target") {
    return Say(reason, QCONFORM_UNSUPPORTED, "there are target=NAME and threads=N");
  }
  const auto target = qconform::simd::FindTarget(std::string_view(value));
  if (!target) return Say(reason, QCONFORM_UNSUPPORTED, target.error().message);
  g_options.target = target->bit;
  return QCONFORM_OK;
}

void SetThreads(int32_t count) { g_options.threads = count; }

}  // namespace

const qconform_backend* qconform_get_backend(uint32_t abi_version) {
  static const qconform_backend backend = [] {
    qconform_backend made{};
    made.struct_size = sizeof made;
    made.abi_version = QCONFORM_ABI_VERSION;
    made.name = "simd";
    made.version = "1";
    made.vendor = "qconform";
    const auto best = qconform::simd::FindTarget(int64_t{0});
    made.device = best ? best->name.data() : "CPU";  // Highway's, a literal
    made.create = Create;
    made.run = Run;
    made.destroy = Destroy;
    made.set_option = SetOption;
    made.set_threads = SetThreads;
    made.dynamic_shapes = 1;
    return made;
  }();
  return abi_version >= QCONFORM_ABI_VERSION ? &backend : nullptr;
}
