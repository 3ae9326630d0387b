// ONNX's own node tests on a backend.
//
// A node test has expected values: a second opinion, which is compared with
// the oracle before it judges a backend. If the two differ, the test is
// disputed: neither a pass nor a failure of the backend.
#ifndef QCONFORM_HARNESS_RUNNER_SUITES_NODE_TEST_RUNNER_H_
#define QCONFORM_HARNESS_RUNNER_SUITES_NODE_TEST_RUNNER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "cases/node_tests/node_tests.h"
#include "harness/backends/backend.h"
#include "oracle/base/result.h"
#include "reports/record/record.h"

namespace qconform {

// A node test of an operator that the project judges, or the error of its folder.
struct FoundNodeTest {
  // The last name of the directory it came from, "1.20.0"; as much more of its path as
  // tells it from the other directories.
  std::string release;
  Result<NodeTest> test;
  std::string name;
};

struct FoundNodeTests {
  std::vector<FoundNodeTest> tests;
  int64_t skipped =
      0;  // valid folders of other operators, or of graphs that are not read
  // Of these, graphs that have a judged operator: "test_a: has 9 nodes; ...".
  std::vector<std::string> skipped_graphs;
};

// Returns the tests of judged operators, in the order of the directories, then by name.
// Returns an Error if a directory cannot be read or has no node test at all, or if the
// same folder is given twice. A folder that is not valid becomes an entry with its error.
Result<FoundNodeTests> FindNodeTests(const std::vector<std::string>& directories);

// Runs all data sets of one test.
NodeTestRecord RunNodeTest(Backend& backend, const FoundNodeTest& found);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_SUITES_NODE_TEST_RUNNER_H_
