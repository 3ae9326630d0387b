// oneDNN's int8 primitives as a backend: MatMulInteger by matmul, ConvInteger and
// QLinearConv by convolution. What a primitive does not take is declined, in oneDNN's
// words. For oneDNN 2 (README.md).
#include <qconform_backend.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <numeric>
#include <oneapi/dnnl/dnnl.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace {

using dnnl::memory;
using Dims = memory::dims;

enum DataType : int32_t { kUint8 = 2, kInt8 = 3, kInt32 = 6 };  // TensorProto.DataType

// The model is legal, and these primitives do not compute it.
struct Declined : std::runtime_error {
  using std::runtime_error::runtime_error;
};

memory::data_type TypeOf(int32_t type) {
  switch (type) {
    case kUint8:
      return memory::data_type::u8;
    case kInt8:
      return memory::data_type::s8;
    case kInt32:
      return memory::data_type::s32;
    default:
      throw Declined("the type " + std::to_string(type) + " is not implemented");
  }
}

// Row-major.
memory::desc Plain(const Dims& dims, memory::data_type type) {
  Dims strides(dims.size(), 1);
  for (size_t i = dims.size() - 1; i > 0; --i) strides[i - 1] = strides[i] * dims[i];
  return {dims, type, strides};
}

Dims DimsOf(const qconform_tensor& tensor) {
  Dims dims(tensor.dims, tensor.dims + tensor.rank);
  for (const int64_t size : dims) {
    if (size == 0) throw Declined("empty tensors are not implemented");
  }
  return dims;
}

int64_t CountOf(const qconform_tensor& tensor) {
  return std::accumulate(tensor.dims, tensor.dims + tensor.rank, int64_t{1},
                         std::multiplies<>());
}

const dnnl::engine& Engine() {
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

const qconform_tensor* OperandAt(const qconform_node& node, size_t index) {
  return index < node.operand_count ? node.operands[index]->tensor : nullptr;
}

using Tensors = std::vector<const qconform_tensor*>;

const qconform_tensor* At(const Tensors& operands, size_t index) {
  return index < operands.size() ? operands[index] : nullptr;
}

int32_t ZeroPointOf(const qconform_tensor* tensor) {
  if (tensor == nullptr) return 0;
  const auto code = *static_cast<const uint8_t*>(tensor->data);
  return tensor->data_type == kInt8 ? static_cast<int8_t>(code) : code;
}

float ScaleAt(const qconform_tensor& tensor, int64_t index) {
  return static_cast<const float*>(tensor.data)[CountOf(tensor) == 1 ? 0 : index];
}

memory MemoryOf(const memory::desc& desc, const void* data) {
  return {desc, Engine(), const_cast<void*>(data)};
}

memory MemoryOf(int32_t* value) {
  return MemoryOf({{1}, memory::data_type::s32, memory::format_tag::x}, value);
}

// Runtime zero points are one value for the whole tensor.
void AddZeroPoint(dnnl::primitive_attr& attr, int argument) {
  attr.set_zero_points(argument, 0, {DNNL_RUNTIME_S32_VAL});
}

class Instance {
 public:
  virtual ~Instance() = default;
  virtual void Run(const Tensors& operands, qconform_output& y) = 0;

 protected:
  static void SetForm(qconform_output& y, int32_t type, const Dims& dims) {
    y.data_type = type;
    y.rank = dims.size();
    std::copy(dims.begin(), dims.end(), y.dims);
  }
};

class MatMulInteger : public Instance {
 public:
  explicit MatMulInteger(const qconform_node& node) {
    const qconform_tensor& a = *OperandAt(node, 0);
    const qconform_tensor& b = *OperandAt(node, 1);
    if (a.rank < 2 || a.rank != b.rank) {
      throw Declined("only operands of one rank, from 2 on, are implemented");
    }
    const Dims a_dims = DimsOf(a), b_dims = DimsOf(b);
    dims_ = a_dims;
    for (size_t i = 0; i + 2 < a.rank; ++i) dims_[i] = std::max(a_dims[i], b_dims[i]);
    dims_.back() = b_dims.back();
    dnnl::primitive_attr attr;
    for (const auto& [operand, argument] :
         {std::pair(2, DNNL_ARG_SRC), std::pair(3, DNNL_ARG_WEIGHTS)}) {
      const qconform_tensor* zero_point = OperandAt(node, static_cast<size_t>(operand));
      if (zero_point == nullptr) continue;
      if (CountOf(*zero_point) != 1) {
        throw Declined("zero points of rows and columns are not implemented");
      }
      AddZeroPoint(attr, argument);
    }
    const dnnl::matmul::desc desc(Plain(a_dims, TypeOf(a.data_type)),
                                  Plain(b_dims, TypeOf(b.data_type)),
                                  Plain(dims_, memory::data_type::s32));
    desc_ = dnnl::matmul::primitive_desc(desc, attr, Engine());
    primitive_ = dnnl::matmul(desc_);
  }

  void Run(const Tensors& operands, qconform_output& y) override {
    int32_t a_zero_point = ZeroPointOf(At(operands, 2));
    int32_t b_zero_point = ZeroPointOf(At(operands, 3));
    std::unordered_map<int, memory> arguments{
        {DNNL_ARG_SRC, MemoryOf(desc_.src_desc(), operands[0]->data)},
        {DNNL_ARG_WEIGHTS, MemoryOf(desc_.weights_desc(), operands[1]->data)},
        {DNNL_ARG_DST, MemoryOf(desc_.dst_desc(), y.data)}};
    if (At(operands, 2) != nullptr) {
      arguments[DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_SRC] = MemoryOf(&a_zero_point);
    }
    if (At(operands, 3) != nullptr) {
      arguments[DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_WEIGHTS] = MemoryOf(&b_zero_point);
    }
    dnnl::stream stream(Engine());
    primitive_.execute(stream, arguments);
    stream.wait();
    SetForm(y, kInt32, dims_);
  }

 private:
  Dims dims_;
  dnnl::matmul::primitive_desc desc_;
  dnnl::matmul primitive_;
};

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

// ConvInteger, and QLinearConv, whose operands lie elsewhere.
class Convolution : public Instance {
 public:
  explicit Convolution(const qconform_node& node)
      : requantizes_(std::string_view(node.op_type) == "QLinearConv") {
    const qconform_tensor& x = *OperandAt(node, 0);
    const qconform_tensor& w = *OperandAt(node, requantizes_ ? 3 : 1);
    if (x.rank > 5) throw Declined("only 1-D, 2-D and 3-D convolutions are implemented");
    const Dims x_dims = DimsOf(x);
    Dims w_dims = DimsOf(w);
    geometry_ = Geometry(node, x_dims, w_dims);
    y_dims_ = geometry_.y;
    y_type_ = requantizes_ ? OperandAt(node, 7)->data_type : int32_t{kInt32};
    if (geometry_.group != 1) {
      w_dims[0] /= geometry_.group;
      w_dims.insert(w_dims.begin(), geometry_.group);
    }
    x_ = Plain(x_dims, TypeOf(x.data_type));
    w_ = Plain(w_dims, TypeOf(w.data_type));
    y_ = Plain(y_dims_, TypeOf(y_type_));
    has_bias_ = requantizes_ && OperandAt(node, 8) != nullptr;
    // Declines now what it cannot compute; the scales are known later.
    MakeDesc(std::vector<float>(static_cast<size_t>(y_dims_[1]), 0.5F));
  }

  void Run(const Tensors& operands, qconform_output& y) override {
    const size_t w_at = requantizes_ ? 3 : 1;
    const qconform_tensor* w_zero_point = At(operands, requantizes_ ? 5 : 3);
    if (w_zero_point != nullptr) {
      for (int64_t i = 0; i < CountOf(*w_zero_point); ++i) {
        if (static_cast<const uint8_t*>(w_zero_point->data)[i] == 0) continue;
        throw Declined("w_zero_point: only 0 is implemented");
      }
    }
    std::vector<float> scales;
    for (int64_t m = 0; requantizes_ && m < y_dims_[1]; ++m) {
      scales.push_back(ScaleAt(*operands[1], 0) * ScaleAt(*operands[4], m) /
                       ScaleAt(*operands[6], 0));
    }
    const Desc desc = MakeDesc(scales);
    dnnl::stream stream(Engine());
    const memory x = LaidOut(x_, desc.src_desc(), operands[0]->data, stream);
    const memory w = LaidOut(w_, desc.weights_desc(), operands[w_at]->data, stream);
    memory result(desc.dst_desc(), Engine());
    int32_t x_zero_point = ZeroPointOf(At(operands, 2));
    int32_t y_zero_point = 0;
    std::unordered_map<int, memory> arguments{
        {DNNL_ARG_SRC, x},
        {DNNL_ARG_WEIGHTS, w},
        {DNNL_ARG_DST, result},
        {DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_SRC, MemoryOf(&x_zero_point)}};
    if (requantizes_) {
      y_zero_point = ZeroPointOf(operands[7]);
      arguments[DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_DST] = MemoryOf(&y_zero_point);
    }
    if (has_bias_) {
      arguments[DNNL_ARG_BIAS] = MemoryOf(desc.bias_desc(), operands[8]->data);
    }
    dnnl::convolution_forward(desc).execute(stream, arguments);
    memory plain = MemoryOf(y_, y.data);
    dnnl::reorder(result, plain).execute(stream, result, plain);
    stream.wait();
    SetForm(y, y_type_, y_dims_);
  }

 private:
  using Desc = dnnl::convolution_forward::primitive_desc;

  static memory LaidOut(const memory::desc& from, const memory::desc& to,
                        const void* data, dnnl::stream& stream) {
    memory plain = MemoryOf(from, data);
    memory made(to, Engine());
    dnnl::reorder(plain, made).execute(stream, plain, made);
    return made;
  }

  Desc MakeDesc(const std::vector<float>& scales) const {
    using Tag = memory::format_tag;
    dnnl::primitive_attr attr;
    AddZeroPoint(attr, DNNL_ARG_SRC);
    if (requantizes_) {
      AddZeroPoint(attr, DNNL_ARG_DST);
      attr.set_output_scales(1 << 1, scales);
    }
    const auto any = [](const memory::desc& plain) {
      return memory::desc(plain.dims(), plain.data_type(), Tag::any);
    };
    Dims dilations = geometry_.dilations;
    for (int64_t& dilation : dilations) --dilation;  // 0 is dense
    const auto desc = [&](const auto&... bias) {
      return dnnl::convolution_forward::desc(dnnl::prop_kind::forward_inference,
                                             dnnl::algorithm::convolution_direct, any(x_),
                                             any(w_), bias..., any(y_), geometry_.strides,
                                             dilations, geometry_.begin, geometry_.end);
    };
    const memory::desc bias({y_dims_[1]}, memory::data_type::s32, Tag::x);
    return {has_bias_ ? desc(bias) : desc(), attr, Engine()};
  }

  bool requantizes_;
  bool has_bias_ = false;
  int32_t y_type_ = kInt32;
  Dims y_dims_;
  memory::desc x_, w_, y_;
  Geometry geometry_;
};

std::unique_ptr<Instance> Make(const qconform_node& node) {
  const std::string_view op_type = node.op_type;
  if (op_type == "MatMulInteger") return std::make_unique<MatMulInteger>(node);
  if (op_type == "ConvInteger" || op_type == "QLinearConv") {
    return std::make_unique<Convolution>(node);
  }
  throw Declined("only MatMulInteger, ConvInteger and QLinearConv are implemented");
}

// Calls `work` and says what came of it.
template <typename Work>
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
  } catch (const dnnl::error& error) {
    const bool is_declined =
        error.status == dnnl_unimplemented || error.status == dnnl_invalid_arguments;
    return fail(is_declined ? QCONFORM_UNSUPPORTED : QCONFORM_ERROR, error.what());
  } catch (const std::exception& error) {
    return fail(QCONFORM_ERROR, error.what());
  }
}

qconform_status Create(const qconform_node* node, void** instance,
                       qconform_reason* reason) {
  return Guarded(reason, [&] { *instance = Make(*node).release(); });
}

qconform_status Run(void* instance, const qconform_tensor* const* operands,
                    size_t operand_count, qconform_output* const* outputs, size_t,
                    qconform_reason* reason) {
  return Guarded(reason, [&] {
    static_cast<Instance*>(instance)->Run(Tensors(operands, operands + operand_count),
                                          *outputs[0]);
  });
}

void Destroy(void* instance) { delete static_cast<Instance*>(instance); }

}  // namespace

const qconform_backend* qconform_get_backend(uint32_t abi_version) {
  static const std::string version = [] {
    const dnnl_version_t* v = dnnl_version();
    return std::to_string(v->major) + "." + std::to_string(v->minor) + "." +
           std::to_string(v->patch);
  }();
  static const qconform_backend backend = [] {
    qconform_backend made{};
    made.struct_size = sizeof made;
    made.abi_version = QCONFORM_ABI_VERSION;
    made.name = "oneDNN";
    made.version = version.c_str();
    made.vendor = "oneAPI";
    made.device = "CPU";
    made.create = Create;
    made.run = Run;
    made.destroy = Destroy;
    return made;
  }();
  return abi_version >= QCONFORM_ABI_VERSION ? &backend : nullptr;
}
