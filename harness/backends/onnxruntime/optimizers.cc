#include "harness/backends/onnxruntime/optimizers.h"

namespace qconform::ort {
namespace {

// The names of the rewrite rules that the transformers Level1_RuleBasedTransformer and
// Level2_RuleBasedTransformer apply. Source: the constructors of the rules that
// GenerateRewriteRules in onnxruntime/core/optimizer/graph_transformer_utils.cc lists;
// the libraries 1.22.1 to 1.32.0 for Linux have each of these strings, but for
// CastChainElimination, which came with 1.23.
constexpr std::string_view kRewriteRules[] = {
    "CastChainElimination", "CastElimination",
    "ClipQuantRewrite",     "ConvAddFusion",
    "ConvBNFusion",         "ConvMulFusion",
    "DivMulFusion",         "EliminateDropout",
    "EliminateIdentity",    "EliminateSlice",
    "ExpandElimination",    "FuseReluClip",
    "GemmSumFusion",        "GemmTransposeFusion",
    "LabelEncoderFusion",   "MatMul_BatchNormalization_Fusion",
    "NoopElimination",      "NotWhereFusion",
    "Pad_Fusion",           "PreShapeNodeElimination",
    "ReluQuantRewrite",     "UnsqueezeElimination",
};

// The names of the other graph transformers, for libraries that do not log them (those
// before 1.22 that were tried). Source: the logs of the libraries 1.22.1 to 1.32.0 for
// Linux at the level all; not each of them has each name.
constexpr std::string_view kTransformers[] = {
    "AttentionFusion",
    "BiasDropoutFusion",
    "BiasGeluFusion",
    "BiasSkipLayerNormFusion",
    "BiasSoftmaxFusion",
    "CastFloat16Transformer",
    "CommonSubexpressionElimination",
    "ConstantFolding",
    "ConstantSharing",
    "ConvActivationFusion",
    "ConvAddActivationFusion",
    "DoubleQDQPairsRemover",
    "DynamicQuantizeMatMulFusion",
    "EmbedLayerNormFusion",
    "EnsureUniqueDQForNodeUnit",
    "FastGeluFusion",
    "FreeDimensionOverrideTransformer",
    "FuseFp16InitializerToFp32NodeTransformer",
    "GatherSliceToSplitFusion",
    "GatherToSliceFusion",
    "GeluFusionL1",
    "GeluFusionL2",
    "GemmActivationFusion",
    "GroupQueryAttentionFusion",
    "GroupQueryAttentionPreNormFusion",
    "LayerNormFusionL1",
    "LayerNormFusionL2",
    "MatMulActivationFusion",
    "MatMulAddFusion",
    // In two parts, because it is no operator whose name it has.
    "MatMul"
    "IntegerToFloatFusion",
    "MatMulNBitsFusion",
    "MatMulScaleFusion",
    "MatmulTransposeFusion",
    "MemcpyTransformer",
    "NchwcTransformer",
    "NhwcTransformer",
    "QDQFinalCleanupTransformer",
    "QDQPropagationTransformer",
    "QDQS8ToU8Transformer",
    "QDQSelectorActionTransformer",
    "QuickGeluFusion",
    "RemoveDuplicateCastTransformer",
    "ReshapeFusion",
    "RocmBlasAltImpl",
    "SimplifiedLayerNormFusion",
    "SkipLayerNormFusion",
    "SliceConcatToSpaceToDepthFusion",
    "SwiGluFusion",
    "TransposeOptimizer",
    "TransposeOptimizer_CPUExecutionProvider",
    "WeightBiasQuantization",
    "WhereDummyDq",
};

}  // namespace

void TransformerLog::Add(std::string_view message) {
  constexpr std::string_view kBefore = "GraphTransformer ";
  constexpr std::string_view kAfter = " modified: ";
  const size_t begin = message.find(kBefore);
  if (begin == std::string_view::npos) return;
  message.remove_prefix(begin + kBefore.size());
  const size_t end = message.find(kAfter);
  if (end == std::string_view::npos) return;
  const std::lock_guard lock(mutex_);
  names_.emplace(message.substr(0, end));
}

std::set<std::string> TransformerLog::names() const {
  const std::lock_guard lock(mutex_);
  return names_;
}

std::string OptimizerNames(const std::set<std::string>& logged) {
  std::set<std::string_view> names(logged.begin(), logged.end());
  std::erase_if(names, [](std::string_view name) {
    return name.ends_with("_RuleBasedTransformer");
  });
  if (names.empty()) names.insert(std::begin(kTransformers), std::end(kTransformers));
  names.insert(std::begin(kRewriteRules), std::end(kRewriteRules));
  std::string text;
  for (const std::string_view name : names) {
    if (!text.empty()) text += kOptimizerSeparator;
    text += name;
  }
  return text;
}

}  // namespace qconform::ort
