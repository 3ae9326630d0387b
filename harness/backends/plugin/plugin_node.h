// A model in the structs of the plugin interface.
#ifndef QCONFORM_HARNESS_BACKENDS_PLUGIN_PLUGIN_NODE_H_
#define QCONFORM_HARNESS_BACKENDS_PLUGIN_PLUGIN_NODE_H_

#include <memory>
#include <string>
#include <vector>

#include "cases/model/model.h"
#include "harness/backends/plugin/guarded_memory.h"
#include "harness/backends/plugin/qconform_backend.h"
#include "oracle/base/result.h"

namespace qconform {

// Owns everything that its qconform_node points to.
class PluginNode {
 public:
  // Puts constants into guarded memory of `pool`, each at the end of its buffer. Returns
  // an Error if the node names an operand that is neither an input nor a constant.
  static Result<std::unique_ptr<PluginNode>> Create(const Model& model,
                                                    GuardedPool& pool);

  const qconform_node& node() const { return node_; }
  const Model& model() const { return model_; }
  // Makes writing to a constant a fault, or possible again.
  void SetConstantsReadOnly(bool read_only) const;
  // Returns whether all constants are unchanged.
  bool ConstantsIntact() const;

 private:
  explicit PluginNode(const Model& model) : model_(model), shown_(model) {}

  const Model model_;
  Model shown_;        // what node_ points to, which the plugin may write to
  std::string bytes_;  // the serialized model
  std::vector<GuardedPool::Lease> constants_;
  std::vector<const Tensor*> constant_values_;  // one for each of constants_
  std::vector<std::byte*> constant_places_;
  std::vector<qconform_tensor> tensors_;  // one for each operand
  std::vector<qconform_operand> operands_;
  std::vector<const qconform_operand*> operand_pointers_;
  std::vector<qconform_attribute> attributes_;
  std::vector<const qconform_attribute*> attribute_pointers_;
  qconform_node node_{};
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_PLUGIN_PLUGIN_NODE_H_
