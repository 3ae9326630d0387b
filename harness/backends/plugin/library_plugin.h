// What plugins around a library of kernels share: operands by their index, the form of a
// convolution, and the functions of the interface. A plugin writes one class per operator
// and a struct that names the library; BackendOf makes a backend of it.
#ifndef QCONFORM_HARNESS_BACKENDS_PLUGIN_LIBRARY_PLUGIN_H_
#define QCONFORM_HARNESS_BACKENDS_PLUGIN_LIBRARY_PLUGIN_H_

#include <qconform_backend.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace library_plugin {

enum DataType : int32_t {  // TensorProto.DataType
  kFloat = 1,
  kUint8 = 2,
  kInt8 = 3,
  kInt32 = 6
};

using Dims = std::vector<int64_t>;

// The model is legal, and the library does not compute it.
struct Declined : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// One operand each, null where absent.
using Tensors = std::vector<const qconform_tensor*>;

inline const qconform_tensor* At(const Tensors& operands, size_t index) {
  return index < operands.size() ? operands[index] : nullptr;
}

// Type and shape only.
inline Tensors OperandsOf(const qconform_node& node) {
  Tensors operands;
  for (size_t i = 0; i < node.operand_count; ++i) {
    operands.push_back(node.operands[i]->tensor);
  }
  return operands;
}

inline Dims DimsOf(const qconform_tensor& tensor) {
  return {tensor.dims, tensor.dims + tensor.rank};
}

inline int64_t CountOf(const qconform_tensor& tensor) {
  return std::accumulate(tensor.dims, tensor.dims + tensor.rank, int64_t{1},
                         std::multiplies<>());
}

// The zero point of a whole tensor; 0 where the operand is absent.
inline int32_t ZeroPointOf(const qconform_tensor* tensor) {
  if (tensor == nullptr) return 0;
  const auto code = *static_cast<const uint8_t*>(tensor->data);
  return tensor->data_type == kInt8 ? static_cast<int8_t>(code) : code;
}

// The scale of a channel, or that of the tensor.
inline float ScaleAt(const qconform_tensor& tensor, int64_t channel) {
  return static_cast<const float*>(tensor.data)[CountOf(tensor) == 1 ? 0 : channel];
}

// Declines zero points other than 0 of weights, `name` in the schema; nullptr: absent.
inline void ExpectZero(const qconform_tensor* zero_point, const char* name) {
  if (zero_point == nullptr) return;
  const auto* codes = static_cast<const uint8_t*>(zero_point->data);
  const auto is_zero = [](uint8_t code) { return code == 0; };
  if (!std::all_of(codes, codes + CountOf(*zero_point), is_zero)) {
    throw Declined(std::string(name) + ": only 0 is implemented");
  }
}

inline void SetForm(qconform_output& y, int32_t type, const Dims& dims) {
  y.data_type = type;
  y.rank = dims.size();
  std::copy(dims.begin(), dims.end(), y.dims);
}

// The attributes of a convolution, with pads resolved.
struct Geometry {
  Geometry() = default;
  Geometry(const qconform_node& node, const Dims& x, const Dims& w)
      : strides(x.size() - 2, 1),
        dilations(strides),
        begin(strides.size(), 0),
        end(begin) {
    std::string auto_pad = "NOTSET";
    for (size_t i = 0; i < node.attribute_count; ++i) {
      const qconform_attribute& attribute = *node.attributes[i];
      const std::string_view name = attribute.name;
      const auto ints = [&] {
        return Dims(attribute.ints, attribute.ints + attribute.ints_count);
      };
      if (name == "strides") strides = ints();
      if (name == "dilations") dilations = ints();
      if (name == "group") group = attribute.i;
      if (name == "auto_pad") auto_pad = attribute.s;
      if (name == "pads") {
        const Dims pads = ints();
        const auto middle = pads.begin() + static_cast<std::ptrdiff_t>(pads.size() / 2);
        begin.assign(pads.begin(), middle);
        end.assign(middle, pads.end());
      }
    }
    y = {x[0], w[0]};
    for (size_t i = 0; i < strides.size(); ++i) {
      const int64_t in = x[i + 2], extent = (w[i + 2] - 1) * dilations[i] + 1;
      if (auto_pad.starts_with("SAME")) {
        const int64_t out = (in + strides[i] - 1) / strides[i];
        const int64_t pads = std::max<int64_t>(0, (out - 1) * strides[i] + extent - in);
        begin[i] = auto_pad == "SAME_UPPER" ? pads / 2 : pads - pads / 2;
        end[i] = pads - begin[i];
      }
      const int64_t span = in + begin[i] + end[i] - extent;
      if (span < 0) throw Declined("empty outputs are not implemented");
      y.push_back(span / strides[i] + 1);
    }
  }

  Dims strides, dilations, begin, end, y;
  int64_t group = 1;
};

// One node. Its constructor throws Declined; so may Run, where operands are fed.
class Instance {
 public:
  virtual ~Instance() = default;
  virtual void Run(const Tensors& operands, qconform_output& y) = 0;
};

// Calls `work` and says what came of it.
template <typename Library, typename Work>
qconform_status Guarded(qconform_reason* reason, const Work& work) {
  const auto fail = [reason](qconform_status status, const char* text) {
    std::snprintf(reason->text, sizeof reason->text, "%s", text);
    return status;
  };
  try {
    work();
    return QCONFORM_OK;
  } catch (const Declined& declined) {
    return fail(QCONFORM_UNSUPPORTED, declined.what());
  } catch (const std::exception& error) {
    return fail(Library::IsDeclined(error) ? QCONFORM_UNSUPPORTED : QCONFORM_ERROR,
                error.what());
  }
}

// Library has static members: kName, kVendor, Version() -> std::string, Make(node) ->
// std::unique_ptr<Instance>, and IsDeclined(const std::exception&), which says whether an
// error of the library means that it has no kernel. Returns what qconform_get_backend is
// to return.
template <typename Library>
const qconform_backend* BackendOf(uint32_t abi_version) {
  static const std::string version = Library::Version();
  static const qconform_backend backend = [] {
    qconform_backend made{};
    made.struct_size = sizeof made;
    made.abi_version = QCONFORM_ABI_VERSION;
    made.name = Library::kName;
    made.version = version.c_str();
    made.vendor = Library::kVendor;
    made.device = "CPU";
    made.create = [](const qconform_node* node, void** instance,
                     qconform_reason* reason) {
      return Guarded<Library>(reason,
                              [&] { *instance = Library::Make(*node).release(); });
    };
    made.run = [](void* instance, const qconform_tensor* const* operands,
                  size_t operand_count, qconform_output* const* outputs, size_t,
                  qconform_reason* reason) {
      return Guarded<Library>(reason, [&] {
        static_cast<Instance*>(instance)->Run(Tensors(operands, operands + operand_count),
                                              *outputs[0]);
      });
    };
    made.destroy = [](void* instance) { delete static_cast<Instance*>(instance); };
    return made;
  }();
  return abi_version >= QCONFORM_ABI_VERSION ? &backend : nullptr;
}

}  // namespace library_plugin

#endif  // QCONFORM_HARNESS_BACKENDS_PLUGIN_LIBRARY_PLUGIN_H_
