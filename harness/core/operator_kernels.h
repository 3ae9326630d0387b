// What the backend `simd` asks of an operator that has built-in kernels.
#ifndef QCONFORM_HARNESS_CORE_OPERATOR_KERNELS_H_
#define QCONFORM_HARNESS_CORE_OPERATOR_KERNELS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "oracle/base/attribute.h"
#include "oracle/base/result.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// A choice that an operator's kernels offer: --backend-option NAME=VALUE.
struct KernelOption {
  std::string name;
  std::vector<std::string> values;  // the first one holds if none is given
  std::string help;
};

struct KernelOptions {
  int64_t target = 0;  // the bit of a target of simd; 0: the best
  int threads = 1;     // at most
  std::map<std::string, std::string> chosen{};  // of KernelOption

  // Whether the option was given that value.
  bool Has(const std::string& name, std::string_view value) const {
    const auto found = chosen.find(name);
    return found != chosen.end() && found->second == value;
  }
};

// Why there is no answer.
struct KernelFailure {
  enum class Kind : uint8_t {
    kUnsupported,  // declined
    kInvalid,      // the node or its operands are held to be invalid
    kFailed,
  };
  Kind kind = Kind::kFailed;
  std::string reason;
};

// The failure that simd::Refusal stands for, which this header does not know.
template <typename Refusal>
KernelFailure FailureOf(const Refusal& refusal) {
  const bool is_unsupported = refusal.kind == Refusal::Kind::kUnsupported;
  return {
      is_unsupported ? KernelFailure::Kind::kUnsupported : KernelFailure::Kind::kInvalid,
      refusal.clause + ": " + refusal.reason};
}

// Returns an operand, of type kUndefined if it is missing.
inline TensorView ViewAt(const Operands& operands, size_t index) {
  return OperandAt(operands, index).value_or(TensorView{});
}

// Returns the memory for an output of this type and shape.
using MakeOutput = std::function<Result<MutableTensorView>(
    size_t output, DataType type, std::span<const int64_t> shape)>;

// One node, prepared. Used by one thread at a time.
class PreparedKernel {
 public:
  virtual ~PreparedKernel() = default;
  // Calls `make_output` once for each output and writes it. Returns nothing if all went
  // well.
  virtual std::optional<KernelFailure> Run(const Operands& operands,
                                           const MakeOutput& make_output) = 0;
};

class OperatorKernels {
 public:
  virtual ~OperatorKernels() = default;

  virtual std::string_view op_type() const = 0;
  // The definitions that the kernels follow, ascending.
  virtual std::span<const int> since_versions() const = 0;
  virtual std::vector<KernelOption> options() const { return {}; }
  // `constants`: the operands that are constants of the model, at their positions. They
  // are copied if they are needed later. May be called by several threads.
  virtual std::variant<std::unique_ptr<PreparedKernel>, KernelFailure> Prepare(
      std::span<const Attribute> attributes, int since_version, const Operands& constants,
      const KernelOptions& options) const = 0;
};

// The operators of the build that have kernels (target harness_kernels_registry).
std::span<const OperatorKernels* const> AllOperatorKernels();

// Returns null for an operator without kernels.
inline const OperatorKernels* FindOperatorKernels(std::string_view op_type) {
  for (const OperatorKernels* kernels : AllOperatorKernels()) {
    if (kernels->op_type() == op_type) return kernels;
  }
  return nullptr;
}

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_OPERATOR_KERNELS_H_
