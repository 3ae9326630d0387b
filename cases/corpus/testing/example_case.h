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

}  // namespace qconform

#endif  // QCONFORM_CASES_CORPUS_TESTING_EXAMPLE_CASE_H_
