// XNNPACK's 8-bit operators as a backend: QuantizeLinear and DequantizeLinear by convert,
// QLinearMatMul by fully connected, QLinearConv by convolution2d. What XNNPACK refuses is
// declined with its status. For XNNPACK of February 2022 (README.md).
#include <library_plugin.h>
#include <xnnpack.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace library_plugin;

// Throws Declined where XNNPACK has no kernel for these parameters.
void Check(xnn_status status, const std::string& function) {
  switch (status) {
    case xnn_status_success:
      return;
    case xnn_status_invalid_parameter:
      throw Declined(function +
                     " refuses: invalid parameter, such as a size of 0, or a " +
                     "scale that is not a positive normal number");
    case xnn_status_unsupported_parameter:
      throw Declined(function + " refuses: unsupported parameter, such as scales whose " +
                     "quotient is too large or too small");
    case xnn_status_unsupported_hardware:
      throw Declined(function + " refuses: unsupported hardware");
    default:
      throw std::runtime_error(function + " fails with status " + std::to_string(status));
  }
}

// Makes, prepares and runs one operator of XNNPACK.
class Operator {
 public:
  ~Operator() {
    if (made_ != nullptr) xnn_delete_operator(made_);
  }
  Operator() = default;
  Operator(const Operator&) = delete;
  Operator& operator=(const Operator&) = delete;

  template <typename Function, typename... Arguments>
  void Create(const char* name, const Function& create, Arguments... arguments) {
    Check(create(arguments..., 0, &made_), std::string("xnn_create_") + name);
  }

  template <typename Function, typename... Arguments>
  void Run(const char* name, const Function& setup, Arguments... arguments) {
    Check(setup(made_, arguments..., nullptr), std::string("xnn_setup_") + name);
    Check(xnn_run_operator(made_, nullptr), std::string("xnn_run_operator, ") + name);
  }

 private:
  xnn_operator_t made_ = nullptr;
};

// Room that XNNPACK may read beyond the end of.
template <typename T>
std::vector<T> Padded(int64_t count) {
  return std::vector<T>(static_cast<size_t>(count) + XNN_EXTRA_BYTES);
}

template <typename T>
std::vector<T> Padded(const qconform_tensor& tensor) {
  std::vector<T> made = Padded<T>(CountOf(tensor));
  if (tensor.data_size > 0) std::memcpy(made.data(), tensor.data, tensor.data_size);
  return made;
}

// [outer, rows, columns] becomes [outer, columns, rows]: channels last, or first again.
template <typename T>
void Transpose(const T* from, int64_t outer, int64_t rows, int64_t columns, T* to) {
  for (int64_t i = 0; i < outer * rows * columns; ++i) {
    const int64_t column = i % columns, row = i / columns % rows;
    to[(i / columns / rows * columns + column) * rows + row] = from[i];
  }
}

// Calls `work` with a value of the element type.
template <typename Work>
void WithElement(int32_t type, const Work& work) {
  type == kInt8 ? work(int8_t{}) : work(uint8_t{});
}

void ExpectType(const qconform_tensor& tensor, int32_t type, const char* what) {
  if (tensor.data_type == type) return;
  throw Declined(std::string(what) + ": the type " + std::to_string(tensor.data_type) +
                 " is not implemented here");
}

void ExpectEightBits(int32_t type) {
  if (type == kUint8 || type == kInt8) return;
  throw Declined("the type " + std::to_string(type) + " is not implemented");
}

// One FLOAT scale and at most one zero point.
void ExpectPerTensor(const qconform_tensor& scale, const qconform_tensor* zero_point,
                     const char* what) {
  ExpectType(scale, kFloat, what);
  if (CountOf(scale) != 1 || (zero_point != nullptr && CountOf(*zero_point) != 1)) {
    throw Declined(std::string(what) + ": only one for the whole tensor is implemented");
  }
}

// An attribute of type INT; 0 where the node does not have it.
int64_t IntAttribute(const qconform_node& node, std::string_view name) {
  for (size_t i = 0; i < node.attribute_count; ++i) {
    if (name == node.attributes[i]->name) return node.attributes[i]->i;
  }
  return 0;
}

class QuantizeLinear : public Instance {
 public:
  explicit QuantizeLinear(const qconform_node& node) {
    const Tensors operands = OperandsOf(node);
    const qconform_tensor* zero_point = At(operands, 2);
    ExpectType(*operands[0], kFloat, "x");
    ExpectPerTensor(*operands[1], zero_point, "y_scale");
    const int64_t precision = IntAttribute(node, "precision");
    if (precision != 0 && precision != kFloat) {
      throw Declined("precision: only FLOAT is implemented");
    }
    if (const int64_t output_dtype = IntAttribute(node, "output_dtype")) {
      type_ = static_cast<int32_t>(output_dtype);
    }
    if (zero_point != nullptr) type_ = zero_point->data_type;
    ExpectEightBits(type_);
  }

  void Run(const Tensors& operands, qconform_output& y) override {
    const std::vector<float> x = Padded<float>(*operands[0]);
    const auto count = static_cast<size_t>(CountOf(*operands[0]));
    WithElement(type_, [&]<typename T>(T) {
      const auto run = [&](const char* name, const auto& create, const auto& setup) {
        Operator convert;
        convert.Create(name, create, 1, 1, 1, ScaleAt(*operands[1], 0),
                       static_cast<T>(ZeroPointOf(At(operands, 2))),
                       std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
        convert.Run(name, setup, count, x.data(), static_cast<T*>(y.data));
      };
      if constexpr (std::is_signed_v<T>) {
        run("convert_nc_f32_qs8", xnn_create_convert_nc_f32_qs8,
            xnn_setup_convert_nc_f32_qs8);
      } else {
        run("convert_nc_f32_qu8", xnn_create_convert_nc_f32_qu8,
            xnn_setup_convert_nc_f32_qu8);
      }
    });
    SetForm(y, type_, DimsOf(*operands[0]));
  }

 private:
  int32_t type_ = kUint8;
};

class DequantizeLinear : public Instance {
 public:
  explicit DequantizeLinear(const qconform_node& node) {
    const Tensors operands = OperandsOf(node);
    ExpectEightBits(operands[0]->data_type);
    ExpectPerTensor(*operands[1], At(operands, 2), "x_scale");
    const int64_t output_dtype = IntAttribute(node, "output_dtype");
    if (output_dtype != 0 && output_dtype != kFloat) {
      throw Declined("output_dtype: only FLOAT is implemented");
    }
  }

  void Run(const Tensors& operands, qconform_output& y) override {
    const qconform_tensor& x = *operands[0];
    WithElement(x.data_type, [&]<typename T>(T) {
      const std::vector<T> codes = Padded<T>(x);
      const auto run = [&](const char* name, const auto& create, const auto& setup) {
        Operator convert;
        convert.Create(name, create, 1, 1, 1, ScaleAt(*operands[1], 0),
                       static_cast<T>(ZeroPointOf(At(operands, 2))));
        convert.Run(name, setup, static_cast<size_t>(CountOf(x)), codes.data(),
                    static_cast<float*>(y.data));
      };
      if constexpr (std::is_signed_v<T>) {
        run("convert_nc_qs8_f32", xnn_create_convert_nc_qs8_f32,
            xnn_setup_convert_nc_qs8_f32);
      } else {
        run("convert_nc_qu8_f32", xnn_create_convert_nc_qu8_f32,
            xnn_setup_convert_nc_qu8_f32);
      }
    });
    SetForm(y, kFloat, DimsOf(x));
  }
};

// What QLinearMatMul and QLinearConv share: the operands of two inputs and an output,
// each with its scale and its zero point.
class Requantizing : public Instance {
 protected:
  explicit Requantizing(const qconform_node& node)
      : operands_(OperandsOf(node)), type_(operands_[0]->data_type) {
    ExpectEightBits(type_);
    ExpectType(*operands_[3], type_, "weights");
    ExpectType(*operands_[7], type_, "y");
    ExpectPerTensor(*operands_[1], operands_[2], "the input's scale");
    ExpectPerTensor(*operands_[6], operands_[7], "y_scale");
  }

  Tensors operands_;  // type and shape only
  int32_t type_;
};

class QLinearMatMul : public Requantizing {
 public:
  explicit QLinearMatMul(const qconform_node& node) : Requantizing(node) {
    const Dims a = DimsOf(*operands_[0]), b = DimsOf(*operands_[3]);
    ExpectPerTensor(*operands_[4], operands_[5], "b_scale");
    if (b.size() > 2) throw Declined("b: only a matrix or a vector is implemented");
    k_ = b[0];
    dims_.assign(a.begin(), a.end() - 1);
    if (b.size() == 2) dims_.push_back(n_ = b[1]);
  }

  void Run(const Tensors& operands, qconform_output& y) override {
    if (type_ == kInt8) ExpectZero(operands[5], "b_zero_point");
    const auto k = static_cast<size_t>(k_), n = static_cast<size_t>(n_);
    WithElement(type_, [&]<typename T>(T) {
      const std::vector<T> a = Padded<T>(*operands[0]);
      std::vector<T> b(k * n);
      Transpose(static_cast<const T*>(operands[3]->data), 1, k_, n_, b.data());
      const auto run = [&](const char* name, const auto& create, const auto& setup,
                           auto... b_zero_point) {
        Operator product;
        product.Create(name, create, k, n, k, n, static_cast<T>(ZeroPointOf(operands[2])),
                       ScaleAt(*operands[1], 0), b_zero_point...,
                       ScaleAt(*operands[4], 0), b.data(), nullptr,
                       static_cast<T>(ZeroPointOf(operands[7])), ScaleAt(*operands[6], 0),
                       std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
        const auto rows = static_cast<size_t>(CountOf(*operands[0])) / k;
        product.Run(name, setup, rows, a.data(), static_cast<T*>(y.data));
      };
      if constexpr (std::is_signed_v<T>) {
        run("fully_connected_nc_qs8", xnn_create_fully_connected_nc_qs8,
            xnn_setup_fully_connected_nc_qs8);
      } else {
        run("fully_connected_nc_qu8", xnn_create_fully_connected_nc_qu8,
            xnn_setup_fully_connected_nc_qu8, static_cast<T>(ZeroPointOf(operands[5])));
      }
    });
    SetForm(y, type_, dims_);
  }

 private:
  int64_t k_, n_ = 1;
  Dims dims_;
};

class QLinearConv : public Requantizing {
 public:
  explicit QLinearConv(const qconform_node& node) : Requantizing(node) {
    x_ = DimsOf(*operands_[0]);
    w_ = DimsOf(*operands_[3]);
    if (x_.size() > 4) throw Declined("only 1-D and 2-D convolutions are implemented");
    is_per_channel_ = CountOf(*operands_[4]) != 1;
    if (type_ == kUint8 || !is_per_channel_) {
      ExpectPerTensor(*operands_[4], operands_[5], "w_scale");
    }
    ExpectType(*operands_[4], kFloat, "w_scale");
    geometry_ = Geometry(node, x_, w_);
    dims_ = geometry_.y;
    if (x_.size() > 3) return;
    // 1-D is 2-D with one row.
    for (Dims* dims : {&x_, &w_, &geometry_.y}) dims->insert(dims->begin() + 2, 1);
    for (Dims* dims : {&geometry_.strides, &geometry_.dilations}) {
      dims->insert(dims->begin(), 1);
    }
    for (Dims* dims : {&geometry_.begin, &geometry_.end}) dims->insert(dims->begin(), 0);
  }

  void Run(const Tensors& operands, qconform_output& y) override {
    if (type_ == kInt8) ExpectZero(operands[5], "w_zero_point");
    WithElement(type_, [&]<typename T>(T element) {
      if constexpr (std::is_unsigned_v<T>) {
        Run(operands, y, "convolution2d_nhwc_qu8", xnn_create_convolution2d_nhwc_qu8,
            xnn_setup_convolution2d_nhwc_qu8, element,
            static_cast<T>(ZeroPointOf(operands[5])), ScaleAt(*operands[4], 0));
      } else if (is_per_channel_) {
        Run(operands, y, "convolution2d_nhwc_qc8", xnn_create_convolution2d_nhwc_qc8,
            xnn_setup_convolution2d_nhwc_qc8, element,
            static_cast<const float*>(operands[4]->data));
      } else {
        Run(operands, y, "convolution2d_nhwc_qs8", xnn_create_convolution2d_nhwc_qs8,
            xnn_setup_convolution2d_nhwc_qs8, element, ScaleAt(*operands[4], 0));
      }
    });
    SetForm(y, type_, dims_);
  }

 private:
  template <typename Create, typename Setup, typename T, typename... OfKernel>
  void Run(const Tensors& operands, qconform_output& y, const char* name,
           const Create& create, const Setup& setup, T, OfKernel... of_kernel) const {
    const auto u32 = [](int64_t size) { return static_cast<uint32_t>(size); };
    const Geometry& g = geometry_;
    std::vector<T> x = Padded<T>(CountOf(*operands[0]));
    Transpose(static_cast<const T*>(operands[0]->data), x_[0], x_[1], x_[2] * x_[3],
              x.data());
    std::vector<T> w(static_cast<size_t>(CountOf(*operands[3])));
    Transpose(static_cast<const T*>(operands[3]->data), w_[0], w_[1], w_[2] * w_[3],
              w.data());
    const auto* bias = At(operands, 8) == nullptr
                           ? nullptr
                           : static_cast<const int32_t*>(operands[8]->data);
    const auto x_channels = static_cast<size_t>(x_[1]);
    const auto y_channels = static_cast<size_t>(w_[0]);
    Operator convolution;
    convolution.Create(name, create, u32(g.begin[0]), u32(g.end[1]), u32(g.end[0]),
                       u32(g.begin[1]), u32(w_[2]), u32(w_[3]), u32(g.strides[0]),
                       u32(g.strides[1]), u32(g.dilations[0]), u32(g.dilations[1]),
                       u32(g.group), static_cast<size_t>(w_[1]),
                       static_cast<size_t>(w_[0] / g.group), x_channels, y_channels,
                       static_cast<T>(ZeroPointOf(operands[2])), ScaleAt(*operands[1], 0),
                       of_kernel..., w.data(), bias,
                       static_cast<T>(ZeroPointOf(operands[7])), ScaleAt(*operands[6], 0),
                       std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
    const int64_t positions = g.y[2] * g.y[3];
    std::vector<T> last(static_cast<size_t>(g.y[0] * positions) * y_channels);
    convolution.Run(name, setup, static_cast<size_t>(x_[0]), static_cast<size_t>(x_[2]),
                    static_cast<size_t>(x_[3]), x.data(), last.data());
    Transpose(last.data(), g.y[0], positions, w_[0], static_cast<T*>(y.data));
  }

  bool is_per_channel_;
  Dims x_, w_, dims_;
  Geometry geometry_;
};

struct Xnnpack {
  static constexpr const char* kName = "XNNPACK";
  static constexpr const char* kVendor = "Google";

  static std::string Version() { return QCONFORM_XNNPACK_VERSION; }
  static bool IsDeclined(const std::exception&) { return false; }

  static std::unique_ptr<Instance> Make(const qconform_node& node) {
    static const xnn_status status = xnn_initialize(nullptr);
    Check(status, "xnn_initialize");
    const std::string_view op_type = node.op_type;
    if (op_type == "QuantizeLinear") return std::make_unique<QuantizeLinear>(node);
    if (op_type == "DequantizeLinear") return std::make_unique<DequantizeLinear>(node);
    if (op_type == "QLinearMatMul") return std::make_unique<QLinearMatMul>(node);
    if (op_type == "QLinearConv") return std::make_unique<QLinearConv>(node);
    throw Declined(
        "only QuantizeLinear, DequantizeLinear, QLinearMatMul and QLinearConv are "
        "implemented");
  }
};

}  // namespace

const qconform_backend* qconform_get_backend(uint32_t abi_version) {
  return BackendOf<Xnnpack>(abi_version);
}
