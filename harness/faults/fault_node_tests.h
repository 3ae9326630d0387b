// Which planted faults ONNX's own node tests find, with the tolerance of ONNX's runner
// and exactly.
#ifndef QCONFORM_HARNESS_FAULTS_FAULT_NODE_TESTS_H_
#define QCONFORM_HARNESS_FAULTS_FAULT_NODE_TESTS_H_

#include <memory>
#include <string>
#include <vector>

#include "harness/core/case_answer.h"
#include "harness/core/decoded_case.h"
#include "harness/core/fault.h"
#include "harness/runner/suites/node_test_runner.h"
#include "oracle/base/result.h"

namespace qconform {

// A data set of a node test, with the oracle's answer to it.
struct AnsweredNodeTest {
  std::string name;
  std::string op_type;
  std::shared_ptr<const DecodedCase> decoded;
  CaseAnswer answer;
  std::vector<uint32_t> expected;  // as the test has them
};

struct AnsweredNodeTests {
  std::vector<AnsweredNodeTest> tests;
  // Unsound or disputed ones, with the reason: the oracle itself would fail them.
  std::vector<std::string> left_out;
};
// An Error is one of the harness.
Result<AnsweredNodeTests> AnswerNodeTests(const std::vector<FoundNodeTest>& found);

// Names of the tests that a fault fails.
struct FoundByNodeTests {
  std::vector<std::string> with_tolerance;
  std::vector<std::string> exactly;
};
FoundByNodeTests NodeTestsThatFind(const Fault& fault, const AnsweredNodeTests& tests);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_FAULTS_FAULT_NODE_TESTS_H_
