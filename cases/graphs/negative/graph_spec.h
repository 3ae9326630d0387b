// A graph of a table of negative models. Private to this folder.
#ifndef QCONFORM_CASES_GRAPHS_NEGATIVE_GRAPH_SPEC_H_
#define QCONFORM_CASES_GRAPHS_NEGATIVE_GRAPH_SPEC_H_

#include <string>
#include <string_view>
#include <vector>

#include "cases/negative/rows.h"

namespace qconform::negative::graphs {

// What a graph takes from outside.
struct GraphInput {
  std::string name;
  Operand operand;
  bool is_constant = false;  // an initializer of the model, else fed
};

GraphInput Fed(const char* name, DataType type, Shape shape);
GraphInput Constant(const char* name, DataType type, Shape shape);

struct GraphSpec {
  std::string_view family;
  std::vector<GraphInput> inputs;
  std::vector<Node> nodes;
  std::vector<ValueInfo> outputs;
};

// Patterns are those of operands of the input's name: NAME_scale, NAME_zero_point, data.
FedModel Build(const GraphSpec& spec, int opset_version);

using GraphRows = Rows<GraphSpec>;

Node MakeNode(std::string_view op_type, std::vector<std::string> inputs,
              std::vector<std::string> outputs, std::vector<Attribute> attributes = {});
// A DequantizeLinear or a QuantizeLinear, whose inputs are NAME_scale and
// NAME_zero_point: NAME is the codes that it reads, or those that it gives.
Node Dequantize(const std::string& codes, const std::string& output,
                std::vector<Attribute> attributes = {});
Node Quantize(const std::string& input, const std::string& codes,
              std::vector<Attribute> attributes = {});

// The opset_versions of graphs, and those whose QuantizeLinear has block_size and
// output_dtype.
inline const std::vector<int> kEvery{13, 19, 21, 28};
inline const std::vector<int> kWithBlocks{21, 28};

void AddInvalidParameters(std::vector<NegativeModel>& models);
void AddInvalidWiring(std::vector<NegativeModel>& models);
void AddLegal(std::vector<NegativeModel>& models);
void AddOpen(std::vector<NegativeModel>& models);

}  // namespace qconform::negative::graphs

#endif  // QCONFORM_CASES_GRAPHS_NEGATIVE_GRAPH_SPEC_H_
