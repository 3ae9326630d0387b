// The built-in kernels as a plugin, which shows that a plugin is judged like the kernels
// themselves.
#include <qconform_backend.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/backends/simd/core/targets.h"
#include "harness/core/operator_kernels.h"
#include "oracle/tensor/tensor.h"

namespace {

using qconform::DataType;
using qconform::KernelFailure;
using qconform::TensorView;

qconform::KernelOptions g_options;  // set before the first node, as the interface says

struct Instance {
  std::unique_ptr<qconform::PreparedKernel> kernel;
};

qconform_status SetReason(qconform_reason* reason, qconform_status status,
                          const std::string& text) {
  std::snprintf(reason->text, sizeof reason->text, "%s", text.c_str());
  return status;
}

qconform_status SetReason(qconform_reason* reason, const KernelFailure& failure) {
  using enum KernelFailure::Kind;
  const qconform_status status = failure.kind == kUnsupported ? QCONFORM_UNSUPPORTED
                                 : failure.kind == kInvalid   ? QCONFORM_REFUSED
                                                              : QCONFORM_ERROR;
  return SetReason(reason, status, failure.reason);
}

TensorView View(const qconform_tensor& tensor) {
  return {qconform::DataTypeFromNumber(tensor.data_type).value_or(DataType::kUndefined),
          {tensor.dims, tensor.rank},
          {static_cast<const std::byte*>(tensor.data), tensor.data_size}};
}

qconform_status Create(const qconform_node* node, void** instance,
                       qconform_reason* reason) {
  const std::string op_type = node->op_type;
  const qconform::OperatorKernels* kernels =
      node->domain[0] == '\0' ? qconform::FindOperatorKernels(op_type) : nullptr;
  if (kernels == nullptr) {
    return SetReason(reason, QCONFORM_UNSUPPORTED,
                     "there is no kernel for operator '" + op_type + "'");
  }
  const std::span<const int> versions = kernels->since_versions();
  const auto newer = std::ranges::upper_bound(versions, node->opset_version);
  if (newer == versions.begin()) {
    return SetReason(reason, QCONFORM_UNSUPPORTED,
                     op_type + " of opset_version " +
                         std::to_string(node->opset_version) + " is not known");
  }
  std::vector<qconform::Attribute> attributes;
  for (size_t i = 0; i < node->attribute_count; ++i) {
    const qconform_attribute& attribute = *node->attributes[i];
    if (attribute.kind != QCONFORM_INT) {
      return SetReason(
          reason, QCONFORM_REFUSED,
          "attribute '" + std::string(attribute.name) + "' is not an integer");
    }
    attributes.push_back({attribute.name, attribute.i});
  }
  auto prepared = kernels->Prepare(attributes, *(newer - 1), {}, g_options);
  if (const auto* failure = std::get_if<KernelFailure>(&prepared)) {
    return SetReason(reason, *failure);
  }
  using Kernel = std::unique_ptr<qconform::PreparedKernel>;
  *instance = new Instance{std::get<Kernel>(std::move(prepared))};
  return QCONFORM_OK;
}

qconform_status Run(void* instance, const qconform_tensor* const* operands,
                    size_t operand_count, qconform_output* const* outputs,
                    size_t output_count, qconform_reason* reason) {
  qconform::Operands views(operand_count);
  for (size_t i = 0; i < operand_count; ++i) {
    if (operands[i] != nullptr) views[i] = View(*operands[i]);
  }
  size_t made = 0;
  const auto make_output = [&](size_t index, DataType type,
                               std::span<const int64_t> shape)
      -> qconform::Result<qconform::MutableTensorView> {
    ++made;
    const std::string name =
        "output " + std::to_string(index) + qconform::ShapeToString(shape);
    if (index >= output_count) return qconform::Error{name + " is not asked for"};
    qconform_output& output = *outputs[index];
    const auto count = qconform::ElementCount(shape);
    const size_t bytes = count ? qconform::PackedByteSize(type, *count) : SIZE_MAX;
    if (bytes > output.capacity || shape.size() > QCONFORM_MAX_RANK) {
      return qconform::Error{"there is no room for " + name};
    }
    output.data_type = static_cast<int32_t>(type);
    output.rank = shape.size();
    std::copy(shape.begin(), shape.end(), output.dims);
    return qconform::MutableTensorView{
        type, shape, {static_cast<std::byte*>(output.data), bytes}};
  };
  const auto failure = static_cast<Instance*>(instance)->kernel->Run(views, make_output);
  if (failure) return SetReason(reason, *failure);
  if (made == output_count) return QCONFORM_OK;
  return SetReason(reason, QCONFORM_REFUSED,
                   "the operator has " + std::to_string(made) + " outputs");
}

void Destroy(void* instance) { delete static_cast<Instance*>(instance); }

qconform_status SetOption(const char* key, const char* value, qconform_reason* reason) {
  if (std::string_view(key) != "target") {
    return SetReason(reason, QCONFORM_UNSUPPORTED, "there are target=NAME and threads=N");
  }
  const auto target = qconform::simd::FindTarget(std::string_view(value));
  if (!target) return SetReason(reason, QCONFORM_UNSUPPORTED, target.error().message);
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
