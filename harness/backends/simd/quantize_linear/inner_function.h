// The inner function that QuantizeLinear runs for one scale and one zero point,
// to be called directly, so that a proof proves the code that runs. Packing by other
// functions, walking over scales and threads are not part of it.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_INNER_FUNCTION_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_INNER_FUNCTION_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "harness/backends/simd/core/code_format.h"
#include "harness/backends/simd/quantize_linear/kernels.h"
#include "harness/backends/simd/quantize_linear/loops/sweep_kernels.h"
#include "harness/backends/simd/quantize_linear/quantize_linear.h"

namespace qconform::simd {

class InnerFunction {
 public:
  // Takes types and attributes of args, and a zero point of one element; not x
  // and y_scale. Returns nothing if QuantizeLinear needs more stages than one call (a
  // zero point of a float target, P = DOUBLE), or if quotients are exact (QL-06).
  static std::optional<InnerFunction> Of(const QuantizeLinearArgs& args,
                                         const Kernels& kernels);

  // Takes a scale of y_scale's type, as its element lies in memory, and chooses
  // between division and reciprocal as QuantizeLinear does.
  void SetScale(const std::byte* scale);

  // Quantizes n elements to one code each: bytes, or words of 16 bits. Default
  // floating-point modes are needed (fp_environment.h).
  void operator()(const void* x, size_t n, void* codes) const { Call(x, n, 0, codes); }
  // The same by the loops that pack codes of less than a byte (QL-50), as QuantizeLinear
  // runs them, except for FLOAT x by one scale in all. Precondition: Packs(n).
  void QuantizePacked(const void* x, size_t n, std::byte* bytes) const {
    Call(x, n, pack_shift_, bytes);
  }
  // Whether there are such loops for n elements.
  bool Packs(size_t n) const;

  // Quantizes rows of x, each by its scale, for which it chooses as SetScale does
  // (rows.reciprocals are not read). Returns how many rows,
  // from the first on, give their codes. Precondition: CanMatchRows(rows.columns).
  size_t MatchRows(RowsToMatch rows) const;
  // Whether x and scales are FLOATs, and rows are whole blocks.
  bool CanMatchRows(size_t columns) const;

  // Whether x is divided by the scale; else it is multiplied by its reciprocal.
  bool divides() const { return divides_; }

 private:
  InnerFunction() = default;

  void Call(const void* x, size_t n, int pack_shift, void* out) const {
    Run run = MakeRun(n, out);
    run.x = x;
    run.pack_shift = pack_shift;
    function_(run);
  }
  Run MakeRun(size_t n, void* codes) const {
    Run run = run_;
    run.scale = &scale_;
    run.reciprocals = {&high_, &low_, &limit_};
    run.offset = &offset_;
    run.n = n;
    run.out = codes;
    return run;
  }

  const Kernels* kernels_ = nullptr;
  RunFunction division_ = nullptr;
  RunFunction reciprocal_function_ = nullptr;  // or nullptr
  RunFunction function_ = nullptr;
  const MatchTable* match_ = nullptr;
  CodeFormat format_;
  int pack_shift_ = 0;  // Run's, of runs that are long enough
  Run run_;
  DataType scale_type_ = DataType::kFloat;
  DataType precision_ = DataType::kFloat;
  bool divides_ = true;
  bool has_two_parts_ = true;  // the reciprocal
  float scale_ = 1;
  float high_ = 1;  // Reciprocals
  float low_ = 0;
  float limit_ = 0;
  int32_t offset_ = 0;
};

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_INNER_FUNCTION_H_
