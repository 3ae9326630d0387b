// A stored case, for the test and the fuzzer of their reader.
#ifndef QCONFORM_CASES_CORPUS_TESTING_EXAMPLE_CASE_H_
#define QCONFORM_CASES_CORPUS_TESTING_EXAMPLE_CASE_H_

namespace qconform {

inline constexpr const char* kExampleCase = R"({
 "qconform_case": 1,
 "why": "a tie",
 "op_type": "QuantizeLinear",
 "opset_version": 21,
 "attributes": {"axis": 0, "output_dtype": 22},
 "operands": [
  {"name": "x", "form": "input", "type": "FLOAT", "shape": [2], "codes": ["0x40200000", "0x0"]},
  {"name": "y_scale", "form": "initializer", "type": "FLOAT", "shape": [], "codes": ["0x3f800000"]},
  null
 ],
 "output": {"type": "INT4", "shape": [2]}
})";

inline constexpr const char* kExampleGraph = R"({
 "qconform_case": 1,
 "why": "half of negative codes",
 "op_type": "graphs.arithmetic",
 "opset_version": 21,
 "nodes": [
  {"op_type": "DequantizeLinear", "inputs": ["x", "x_scale"], "outputs": ["x_real"]},
  {"op_type": "LeakyRelu", "inputs": ["x_real"], "outputs": ["y_real"],
   "attributes": {"alpha": {"float": "0x3f000000"}}},
  {"op_type": "QuantizeLinear", "inputs": ["y_real", "y_scale", ""], "outputs": ["y"],
   "attributes": {"axis": 0}}
 ],
 "operands": [
  {"name": "x", "form": "input", "type": "INT8", "shape": [2], "codes": ["0xff", "0x05"]},
  {"name": "x_scale", "form": "initializer", "type": "FLOAT", "shape": [], "codes": ["0x3f800000"]},
  {"name": "y_scale", "form": "input", "type": "FLOAT", "shape": [], "codes": ["0x3f800000"]}
 ],
 "output": {"type": "UINT8", "shape": [2]}
})";

}  // namespace qconform

#endif  // QCONFORM_CASES_CORPUS_TESTING_EXAMPLE_CASE_H_
