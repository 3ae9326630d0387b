// oneDNN's int8 primitives as a backend: MatMulInteger by matmul, ConvInteger and
// QLinearConv by convolution. What a primitive does not take is declined, in oneDNN's
// words. For oneDNN 2 (README.md).
#include <library_plugin.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <oneapi/dnnl/dnnl.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace {

using namespace library_plugin;
using dnnl::memory;

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

Dims FilledDimsOf(const qconform_tensor& tensor) {
  if (CountOf(tensor) == 0) throw Declined("empty tensors are not implemented");
  return DimsOf(tensor);
}

const dnnl::engine& Engine() {
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
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

class MatMulInteger : public Instance {
 public:
  explicit MatMulInteger(const qconform_node& node) {
    const Tensors operands = OperandsOf(node);
    const qconform_tensor &a = *operands[0], &b = *operands[1];
    if (a.rank < 2 || a.rank != b.rank) {
      throw Declined("only operands of one rank, from 2 on, are implemented");
    }
    const Dims a_dims = FilledDimsOf(a), b_dims = FilledDimsOf(b);
    dims_ = a_dims;
    for (size_t i = 0; i + 2 < a.rank; ++i) dims_[i] = std::max(a_dims[i], b_dims[i]);
    dims_.back() = b_dims.back();
    dnnl::primitive_attr attr;
    for (const auto& [operand, argument] :
         {std::pair(size_t{2}, DNNL_ARG_SRC), std::pair(size_t{3}, DNNL_ARG_WEIGHTS)}) {
      const qconform_tensor* zero_point = At(operands, operand);
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

// ConvInteger, and QLinearConv, whose operands lie elsewhere.
class Convolution : public Instance {
 public:
  explicit Convolution(const qconform_node& node)
      : requantizes_(std::string_view(node.op_type) == "QLinearConv") {
    const Tensors operands = OperandsOf(node);
    const qconform_tensor& x = *operands[0];
    const qconform_tensor& w = *operands[requantizes_ ? 3 : 1];
    if (x.rank > 5) throw Declined("only 1-D, 2-D and 3-D convolutions are implemented");
    const Dims x_dims = FilledDimsOf(x);
    Dims w_dims = FilledDimsOf(w);
    geometry_ = Geometry(node, x_dims, w_dims);
    y_dims_ = geometry_.y;
    y_type_ = requantizes_ ? operands[7]->data_type : int32_t{kInt32};
    if (geometry_.group != 1) {
      w_dims[0] /= geometry_.group;
      w_dims.insert(w_dims.begin(), geometry_.group);
    }
    x_ = Plain(x_dims, TypeOf(x.data_type));
    w_ = Plain(w_dims, TypeOf(w.data_type));
    y_ = Plain(y_dims_, TypeOf(y_type_));
    has_bias_ = requantizes_ && At(operands, 8) != nullptr;
    // Declines now what it cannot compute; the scales are known later.
    MakeDesc(std::vector<float>(static_cast<size_t>(y_dims_[1]), 0.5F));
  }

  void Run(const Tensors& operands, qconform_output& y) override {
    const size_t w_at = requantizes_ ? 3 : 1;
    ExpectZero(At(operands, requantizes_ ? 5 : 3), "w_zero_point");
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

struct OneDnn {
  static constexpr const char* kName = "oneDNN";
  static constexpr const char* kVendor = "oneAPI";

  static std::string Version() {
    const dnnl_version_t* v = dnnl_version();
    return std::to_string(v->major) + "." + std::to_string(v->minor) + "." +
           std::to_string(v->patch);
  }

  static bool IsDeclined(const std::exception& error) {
    const auto* known = dynamic_cast<const dnnl::error*>(&error);
    return known != nullptr && (known->status == dnnl_unimplemented ||
                                known->status == dnnl_invalid_arguments);
  }

  static std::unique_ptr<Instance> Make(const qconform_node& node) {
    const std::string_view op_type = node.op_type;
    if (op_type == "MatMulInteger") return std::make_unique<MatMulInteger>(node);
    if (op_type == "ConvInteger" || op_type == "QLinearConv") {
      return std::make_unique<Convolution>(node);
    }
    throw Declined("only MatMulInteger, ConvInteger and QLinearConv are implemented");
  }
};

}  // namespace

const qconform_backend* qconform_get_backend(uint32_t abi_version) {
  return BackendOf<OneDnn>(abi_version);
}
