// Whole models for tests: several nodes, domains, subgraphs, functions, external data.
#ifndef QCONFORM_CASES_MODEL_TESTING_MODEL_BYTES_H_
#define QCONFORM_CASES_MODEL_TESTING_MODEL_BYTES_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cases/model/model.h"

namespace qconform {

struct GraphToWrite;

struct NodeToWrite {
  Node node;
  std::string name{};
  std::map<std::string, GraphToWrite> subgraphs{};  // by the attribute
};

// A constant that a Constant node gives.
struct ConstantToWrite {
  std::string name;
  Tensor tensor{};              // attribute value, if it has a type
  std::vector<int64_t> ints{};  // else attribute value_ints, if there are any
  std::string text{};           // else attribute value_string
};

// An initializer whose data lies in another file.
struct ExternalToWrite {
  std::string name;
  DataType type = DataType::kUndefined;
  Shape shape;
  std::map<std::string, std::string> entries;  // location, offset, length
};

struct GraphToWrite {
  std::vector<NodeToWrite> nodes{};
  std::vector<ValueInfo> inputs{};
  std::vector<ValueInfo> outputs{};  // of type kUndefined: without a type
  std::vector<ValueInfo> values{};   // value_info
  std::vector<Initializer> initializers{};
  std::vector<ConstantToWrite> constants{};
  std::vector<ExternalToWrite> externals{};
};

struct FunctionToWrite {
  std::string domain;
  std::string name;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<NodeToWrite> nodes;
};

struct ModelToWrite {
  int64_t ir_version = 10;
  std::map<std::string, int64_t> imports{{"", 21}};
  GraphToWrite graph{};
  std::vector<FunctionToWrite> functions{};
};

// Returns the bytes of the ModelProto.
std::string ModelBytes(const ModelToWrite& model);

// Writes the bytes to a file.
void WriteBytes(const std::string& path, const std::string& bytes);

}  // namespace qconform

#endif  // QCONFORM_CASES_MODEL_TESTING_MODEL_BYTES_H_
