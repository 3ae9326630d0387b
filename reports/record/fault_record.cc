#include "reports/record/fault_record.h"

#include <algorithm>

#include "reports/record/record_json.h"

namespace qconform {
namespace {

Json ClaimToJson(const ClaimRecord& claim) {
  Json json = Json::object();
  json["cells"] = claim.declared;
  json["confirmed"] = claim.confirmed;
  return json;
}

Json ExampleToJson(const Counterexample& example) {
  Json json = Json::object();
  json["operands"] = OperandsToJson(example.operands);
  json["expected"] = ValueToJson(example.expected);
  json["actual"] = ValueToJson(example.actual);
  return json;
}

Json FaultToJson(const FaultRecord& fault) {
  Json json = Json::object();
  json["name"] = fault.name;
  json["kind"] = fault.kind;
  json["sentence"] = fault.sentence;
  if (!fault.seen_in.empty()) json["seen_in"] = fault.seen_in;
  if (!fault.witness.empty()) json["witness"] = fault.witness;
  json["counts"] = fault.counts();
  json["found"] = fault.found();
  json["deviates"] = ClaimToJson(fault.deviates);
  json["admissible"] = ClaimToJson(fault.admissible);
  json["equivalent"] = ClaimToJson(fault.equivalent);
  json["contradictions"] = fault.contradiction_count;
  if (!fault.contradictions.empty()) {
    Json& list = json["survives_in"] = Json::array();
    for (const ContradictionRecord& one : fault.contradictions) {
      Json item = Json::object();
      item["cell"] = one.cell;
      item["declared"] = one.declared;
      item["observed"] = one.observed;
      list.push_back(std::move(item));
    }
  }
  json["first_generators"] = fault.first_generators;
  if (!fault.first_case.empty()) {
    Json& first = json["first"] = Json::object();
    first["case"] = fault.first_case;
    first["generator"] = fault.first_generator;
    first["elements"] = fault.first_elements;
    json["most_elements"] = fault.most_elements;
  }
  if (fault.example) json["example"] = ExampleToJson(*fault.example);
  if (!fault.stored_case.empty()) {
    json["stored_case"] = ParseJsonOrNull(fault.stored_case);
  }
  Json& node = json["node_tests"] = Json::object();
  node["with_tolerance"] = fault.node_tests_with_tolerance;
  node["exactly"] = fault.node_tests_exactly;
  return json;
}

template <typename Predicate>
int64_t Count(const std::vector<FaultRecord>& faults, Predicate predicate) {
  return std::count_if(faults.begin(), faults.end(), [&](const FaultRecord& fault) {
    return fault.counts() && predicate(fault);
  });
}

}  // namespace

int64_t FaultsDocument::counted() const {
  return Count(faults, [](const FaultRecord&) { return true; });
}
int64_t FaultsDocument::found() const {
  return Count(faults, [](const FaultRecord& fault) { return fault.found(); });
}
int64_t FaultsDocument::admissible() const {
  return std::count_if(faults.begin(), faults.end(),
                       [](const FaultRecord& fault) { return fault.is_admissible(); });
}
int64_t FaultsDocument::contradictions() const {
  int64_t sum = 0;
  for (const FaultRecord& fault : faults) sum += fault.contradiction_count;
  return sum;
}
int64_t FaultsDocument::found_by_node_tests() const {
  return Count(faults, [](const FaultRecord& fault) {
    return !fault.node_tests_with_tolerance.empty();
  });
}
int64_t FaultsDocument::found_by_node_tests_exactly() const {
  return Count(
      faults, [](const FaultRecord& fault) { return !fault.node_tests_exactly.empty(); });
}

std::string FaultsDocumentText(const FaultsDocument& document) {
  Json tool = Json::object();
  tool["name"] = "qconform";
  tool["version"] = document.tool_version;
  Json node = Json::object();
  node["directories"] = document.node_test_directories;
  node["data_sets"] = document.node_tests;
  node["left_out"] = document.node_tests_left_out;
  node["rtol"] = 1e-3;
  node["atol"] = 1e-7;
  node["found_with_tolerance"] = document.found_by_node_tests();
  node["found_exactly"] = document.found_by_node_tests_exactly();
  std::string text = "{\n\"faults_version\":\"1.1.0\"";
  text += ",\n\"tool\":" + Dump(tool);
  text += ",\n\"onnx_version\":" + Dump(document.onnx_version);
  text += ",\n\"suite_digest\":" + Dump(document.suite_digest);
  text += ",\n\"cell_patterns\":" + Dump(document.cell_patterns);
  text += ",\n\"fault_patterns\":" + Dump(document.fault_patterns);
  text += ",\n\"level\":" + Dump(document.level);
  text += ",\n\"seed\":" + Dump(document.seed);
  text += ",\n\"cells\":" + Dump(document.cells);
  text += ",\n\"counted\":" + Dump(document.counted());
  text += ",\n\"found\":" + Dump(document.found());
  text += ",\n\"admissible\":" + Dump(document.admissible());
  text += ",\n\"node_tests\":" + Dump(node);
  text += ",\n\"faults\":[";
  for (size_t i = 0; i < document.faults.size(); ++i) {
    text += (i == 0 ? "\n" : ",\n") + Dump(FaultToJson(document.faults[i]));
  }
  return text + "\n]\n}\n";
}

std::string FaultsHeadline(const FaultsDocument& document) {
  std::string text = std::to_string(document.found()) + " of " +
                     std::to_string(document.counted()) + " planted faults found";
  if (!document.node_test_directories.empty()) {
    text +=
        "; ONNX's node tests find " + std::to_string(document.found_by_node_tests()) +
        " (compared exactly: " + std::to_string(document.found_by_node_tests_exactly()) +
        ")";
  }
  const int64_t admissible = document.admissible();
  if (admissible == 0) return text;
  return text + "; " + std::to_string(admissible) + " more " +
         (admissible == 1 ? "deviates" : "deviate") +
         " nowhere: admissible or equivalent throughout";
}

}  // namespace qconform
