// Sums, means and dynamic quantization (GR-06).
#include "harness/graphs/catalogue.h"
#include "harness/graphs/declare.h"
#include "harness/graphs/rewrites.h"

namespace qconform::graphs {
namespace {

const DeclareGraph kSums = HasOneOf({"MatMul", "Gemm", "Conv"});

// Whether both operands of a sum have integer codes.
Declaration SumOfCodes(const GraphFacts& f) {
  const Declaration declared = kSums(f);
  if (declared.kind != Declaration::Kind::kDeviates) return declared;
  if (f.Count("DequantizeLinear") < 2) return Equivalent("one operand has no codes");
  return IsInteger(f.types.front()) ? Deviates() : Equivalent("the codes are floats");
}

Declaration HasBias(const GraphFacts& f) {
  const Declaration declared = kSums(f);
  if (declared.kind != Declaration::Kind::kDeviates) return declared;
  return f.Count("DequantizeLinear") > 2 || f.has_float_operand
             ? Deviates()
             : Equivalent("there is no bias");
}

// Sums that leave the range of INT16 after a few products.
Declaration WideCodes(const GraphFacts& f) {
  const Declaration declared = SumOfCodes(f);
  if (declared.kind != Declaration::Kind::kDeviates) return declared;
  if (f.has_float_operand)
    return Equivalent("sums are small, so that nothing is rounded");
  return BitWidth(f.operand) + BitWidth(f.weights) >= 16
             ? Deviates()
             : Equivalent("it acts on codes of 8 bits and more");
}

// Products of codes of this type and of weights of INT8.
DeclareGraph ByInt8(DataType operand) {
  return [operand](const GraphFacts& f) {
    if (f.operand == operand && f.weights == DataType::kInt8) return Deviates();
    return Equivalent("it acts on " + std::string(DataTypeName(operand)) + " by INT8");
  };
}

Declaration HasFloatBias(const GraphFacts& f) {
  const Declaration declared = kSums(f);
  if (declared.kind != Declaration::Kind::kDeviates) return declared;
  return f.has_float_operand ? Deviates() : Equivalent("there is no FLOAT bias");
}

// The nodes that DequantizeLinear gives: two operands, and a bias if there are three.
Declaration HasCodesOfBias(const GraphFacts& f) {
  const Declaration declared = kSums(f);
  if (declared.kind != Declaration::Kind::kDeviates) return declared;
  return f.Count("DequantizeLinear") > 2 ? Deviates()
                                         : Equivalent("no bias is dequantized");
}

}  // namespace

void AddSumFaults(std::vector<OperatorFault>& faults) {
  Add(faults, {"bias_dropped", "The bias is not added."}, {.rewrite = rewrites::DropBias},
      HasBias);
  Add(faults,
      {"bias_added_twice", "The bias is added twice.",
       "accumulators that begin at "
       "the bias, which is added again"},
      {.rewrite = rewrites::BiasTwice}, HasBias);
  Add(faults, {"first_bias_for_all", "Every channel takes the first bias."},
      {.rewrite = rewrites::FirstBiasForAll}, HasBias);
  Add(faults,
      {"bias_scale_ignored",
       "The codes of the bias are added as they are, whatever their scale.",
       "integer kernels that take a bias of scale x_scale * w_scale"},
      {.rewrite = rewrites::IgnoreBiasScale}, HasCodesOfBias);
  Add(faults,
      {"bias_rounded_to_int32",
       "A FLOAT bias is rounded to multiples of x_scale * w_scale.",
       "compilers that need an INT32 bias"},
      {.rewrite = rewrites::BiasToInt32}, HasFloatBias);
  Add(faults,
      {"bias_rounded_to_scale_of_operand",
       "A FLOAT bias is rounded to multiples of x_scale alone.",
       "compilers that forget one factor of the scale of a bias"},
      {.rewrite = rewrites::BiasToScaleOfOperand}, HasFloatBias);
  Add(faults,
      {"bias_in_16_bits", "The codes of the bias saturate to INT16.",
       "registers of 16 bits"},
      {.rewrite = rewrites::BiasSaturatesTo16Bits},
      Both(HasCodesOfBias, Both(WideCodes, [](const GraphFacts& f) {
             if (f.Has("Clip")) return Equivalent("it acts on sums without a Clip");
             if (f.Has("Conv")) return Deviates();
             return IsUnsigned(f.operand) && !f.Has("Relu")
                        ? Deviates()
                        : Equivalent("of Gemm it acts on unsigned codes without a bound");
           })));
  Add(faults, {"alpha_ignored", "alpha of a Gemm is 1.", "kernels of matrix products"},
      {.rewrite = rewrites::IgnoreAlpha}, HasOneOf({"Gemm"}));
  Add(faults, {"beta_ignored", "beta of a Gemm is 1."}, {.rewrite = rewrites::IgnoreBeta},
      Both(HasOneOf({"Gemm"}), HasBias));
  Add(faults,
      {"alpha_on_bias", "alpha of a Gemm multiplies the bias, too.",
       "alpha that is folded into the scale of the result"},
      {.rewrite = rewrites::AlphaOnBias}, Both(HasOneOf({"Gemm"}), HasBias));
  Add(faults, {"transposition_ignored", "transA and transB of a Gemm are 0."},
      {.rewrite = rewrites::IgnoreTransposition}, HasOneOf({"Gemm"}));
  Add(faults,
      {"transposition_of_weights_ignored", "transB of a Gemm is 0.",
       "square weights that are read by rows"},
      {.rewrite = rewrites::IgnoreTranspositionOfWeights}, HasOneOf({"Gemm"}));
  Add(faults,
      {"sum_in_16_bits", "The running sum of products saturates to INT16.",
       "narrow accumulators"},
      {.rewrite = rewrites::SumSaturatesTo16Bits, .stage = 2}, WideCodes);
  Add(faults,
      {"pairs_of_products_in_16_bits",
       "Each two neighbouring products of codes are added with saturation to INT16.",
       "vpmaddubsw of AVX2 and its likes"},
      {.rewrite = rewrites::PairsSaturateTo16Bits, .stage = 2},
      Both(WideCodes, ByInt8(DataType::kUint8)));
  Add(faults,
      {"shifted_pairs_of_products_in_16_bits",
       "Codes of INT8 and their zero point become UINT8 by adding 128; each two "
       "neighbouring products with the weights are added with saturation to INT16.",
       "the optimizer QDQS8ToU8Transformer of ONNX Runtime, and vpmaddubsw of AVX2"},
      {.rewrite = rewrites::ShiftedPairsSaturateTo16Bits, .stage = 2},
      Both(WideCodes, ByInt8(DataType::kInt8)));
  Add(faults, {"sum_wraps_in_16_bits", "The sum of products keeps 16 bits."},
      {.rewrite = rewrites::SumWrapsTo16Bits, .stage = 2}, WideCodes);
  Add(faults, {"term_tail_lost", "Products after the last multiple of 4 do not count."},
      {.rewrite = rewrites::LastTermLost, .stage = 2}, SumOfCodes);
  Add(faults,
      {"product_of_zero_points_missing",
       "The correction by both zero points of each product is missing.",
       "sums of rows and columns that are subtracted apart"},
      {.rewrite = rewrites::CrossTermMissing, .stage = 2}, SumOfCodes);
  const auto rounds_activations = [](const GraphFacts& f) {
    const Declaration declared = kSums(f);
    if (declared.kind != Declaration::Kind::kDeviates) return declared;
    if (f.Count("DequantizeLinear") == 1) return Deviates();
    return IsInteger(f.operand) && BitWidth(f.operand) > 8 && BitWidth(f.weights) <= 8
               ? Deviates()
               : Equivalent("the activations have codes of 8 bits and fewer");
  };
  Add(faults,
      {"activations_quantized", "Activations are rounded to 8 bits, all with one scale.",
       "integer kernels for weights of 4 and 8 bits"},
      {.rewrite = rewrites::QuantizeActivations}, rounds_activations);
  Add(faults,
      {"activations_quantized_by_row",
       "Activations are rounded to 8 bits, each row with a scale of its own.",
       "integer kernels for weights of 4 and 8 bits"},
      {.rewrite = rewrites::QuantizeActivationsByRow}, rounds_activations);
  Add(faults,
      {"activations_quantized_by_block",
       "Activations are rounded to 8 bits, each block of a row with a scale of its own.",
       "MatMulNBits of ONNX Runtime at accuracy_level 4"},
      {.rewrite = rewrites::QuantizeActivationsByBlock}, rounds_activations);
  Add(faults,
      {"divisor_counts_padding", "The other divisor is taken: with padding, or without.",
       "count_include_pad that is not read"},
      {.rewrite = rewrites::DivisorCountsPadding}, HasOneOf({"AveragePool"}));
  Add(faults,
      {"padding_always_counted", "The divisor of a mean counts padding.",
       "count_include_pad that is not read"},
      {.rewrite = rewrites::PaddingAlwaysCounted}, HasOneOf({"AveragePool"}));
  Add(faults,
      {"padding_never_counted", "The divisor of a mean does not count padding.",
       "count_include_pad that is not read"},
      {.rewrite = rewrites::PaddingNeverCounted}, HasOneOf({"AveragePool"}));
  Add(faults,
      {"mean_in_float16", "The operand of a mean and the mean are rounded to FLOAT16.",
       "kernels of half precision"},
      {.rewrite = rewrites::MeanInFloat16},
      Both(HasOneOf({"AveragePool", "GlobalAveragePool", "ReduceMean"}),
           [](const GraphFacts& f) {
             if (f.scale != DataType::kFloat) return Equivalent("no scale is FLOAT");
             return BitWidth(f.operand) >= 8
                        ? Deviates()
                        : Equivalent("it acts on codes of 8 bits and more");
           }));
  Add(faults, {"scale_of_sum_dropped", "The integer sum is not multiplied by its scale."},
      {.rewrite = rewrites::MultiplierDropped}, [](const GraphFacts& f) {
        return f.HasPair("Cast", "Mul") ? Deviates()
                                        : Equivalent("no integer sum is scaled");
      });
  Add(faults, {"first_factor_for_all", "Every column takes the first factor."},
      {.rewrite = rewrites::FirstMultiplierForAll}, [](const GraphFacts& f) {
        return f.HasPair("Cast", "Mul") && f.granularity != "per_tensor"
                   ? Deviates()
                   : Equivalent("there is one factor");
      });
}

}  // namespace qconform::graphs
