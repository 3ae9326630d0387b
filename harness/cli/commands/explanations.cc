#include "harness/cli/commands/explanations.h"

#include "harness/core/fault.h"
#include "oracle/core/clauses.h"

namespace qconform {

std::map<std::string, std::string> NamedExplanations() {
  std::map<std::string, std::string> explanations;
  for (const Clause& clause : Clauses()) {
    const std::string id(clause.id);
    explanations[id] = clause.text;
    for (const ClauseReading& reading : clause.readings) {
      explanations[id + ":" + std::string(reading.name)] = reading.sentence;
    }
  }
  for (const Fault& fault : Faults()) {
    explanations[std::string(fault.name)] = fault.sentence;
  }
  return explanations;
}

}  // namespace qconform
