// Random small graphs of each family, aimed at where answers differ. For the agreement
// tests only.
#ifndef QCONFORM_ORACLE_EXACT_GRAPHS_TESTING_GRAPH_QUESTIONS_H_
#define QCONFORM_ORACLE_EXACT_GRAPHS_TESTING_GRAPH_QUESTIONS_H_

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "oracle/exact/graphs/graph.h"
#include "oracle/exact/testing/agreement.h"

namespace qconform::agreement {

enum class Family : uint8_t {
  kRoundTrip,
  kRequantization,
  kMovers,
  kChoosers,
  kArithmetic,
  kSums,
  kWeights,
  kDynamic,
  kMixed,  // no family's: several nodes of any kind
};
inline constexpr std::array<const char*, 9> kFamilyNames = {
    "round_trip", "requantization", "movers",  "choosers", "arithmetic",
    "sums",       "weights",        "dynamic", "mixed"};

// Returns the definition of an operator that an opset_version selects.
int SinceVersionOf(const std::string& op_type, int opset_version);

struct GraphQuestion {
  int opset = 0;
  exact::Graph graph;
  std::map<std::string, exact::Codes> inputs;
};

GraphQuestion MakeGraphQuestion(Family family, Random& random);

// Returns the graph with its nodes and inputs as text that can be typed in again.
std::string ToString(const GraphQuestion& question);

}  // namespace qconform::agreement

#endif  // QCONFORM_ORACLE_EXACT_GRAPHS_TESTING_GRAPH_QUESTIONS_H_
