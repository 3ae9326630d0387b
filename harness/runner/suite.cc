#include "harness/runner/suite.h"

#include <span>

#include "cases/generators/case.h"
#include "cases/lattice/lattice.h"
#include "oracle/scalar/clauses.h"
#include "oracle/tensor/sha256.h"

namespace qconform {

std::string SuiteDigest() {
  std::string text;
  for (const GeneratorInfo& info : Generators()) {
    text += std::string(info.op_type) + " " + std::string(info.name) + " " +
            std::to_string(info.version) + "\n";
  }
  for (const Clause& clause : Clauses()) {
    text += std::string(clause.id);
    for (const ClauseReading& reading : clause.readings)
      text += " " + std::string(reading.name);
    text += "\n";
  }
  for (const std::string& op_type : JudgedOperators()) {
    for (const SinceVersion& version : SinceVersions(op_type)) {
      text += op_type + " " + std::to_string(version.since_version) + ":";
      for (const int opset_version : version.opset_versions) {
        text += " " + std::to_string(opset_version);
      }
      text += "\n";
    }
    for (const Cell& cell : CellsOf(op_type)) text += CellId(cell) + "\n";
  }
  return Sha256Hex(std::as_bytes(std::span(text)));
}

}  // namespace qconform
