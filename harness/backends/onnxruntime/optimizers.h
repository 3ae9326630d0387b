// The names of ONNX Runtime's graph optimizers, by which the entry
// `optimization.disable_specified_optimizers` of a session's configuration switches them
// off. Names that a library does not know are ignored there.
#ifndef QCONFORM_HARNESS_BACKENDS_ONNXRUNTIME_OPTIMIZERS_H_
#define QCONFORM_HARNESS_BACKENDS_ONNXRUNTIME_OPTIMIZERS_H_

#include <mutex>
#include <set>
#include <string>
#include <string_view>

namespace qconform::ort {

// What separates names in that entry.
inline constexpr char kOptimizerSeparator = ';';

// Collects the names of the graph transformers in the log of a session's creation. Safe
// to use from several threads.
class TransformerLog {
 public:
  // Takes one message, such as "GraphTransformer SomeFusion modified: 0 with status: OK".
  void Add(std::string_view message);
  std::set<std::string> names() const;

 private:
  mutable std::mutex mutex_;
  std::set<std::string> names_;
};

// Returns the names of the optimizers that a library applies, separated as in that entry:
// the transformers that it logged, or all that are known if it logs none, and the rewrite
// rules, which no library logs. The transformers that only apply the rules of a level are
// left out.
std::string OptimizerNames(const std::set<std::string>& logged);

}  // namespace qconform::ort

#endif  // QCONFORM_HARNESS_BACKENDS_ONNXRUNTIME_OPTIMIZERS_H_
