#include "reports/report/answers.h"

#include "oracle/base/sha256.h"
#include "reports/record/record_json.h"

namespace qconform {
namespace {

// An element with its bits; of a case without a usable output, which case it was.
Json AnswersToJson(const Counterexample& example) {
  Json json;
  Fields fields{JsonPlace(json)};
  fields.Written("case", example.case_id);
  fields.Optional("operand_form", example.operand_form);
  if (!example.index) return json;
  fields.Written("tier", example.tier, "index", *example.index, "operands",
                 example.operands, "expected", example.expected, "actual",
                 example.actual);
  fields.Optional("clause", example.clause);
  return json;
}

}  // namespace

Json AnswersToJson(const CellRecord& cell) {
  Json json = ToJson(cell);
  // Words and conclusions; variants too, which earlier reports do not have.
  for (const char* key : {"variants", "not_told_apart", "diagnosis", "deviation",
                          "reason", "notes", "counterexamples", "example"}) {
    json.erase(key);
  }
  if (!cell.varied.empty()) {
    Json verdicts = Json::object();
    for (const VariedRecord& varied : cell.varied) {
      verdicts[varied.setting] = std::string(VerdictName(varied.verdict));
    }
    json["varied"] = std::move(verdicts);
  }
  Json examples = Json::array();
  for (const Counterexample& example : cell.counterexamples) {
    examples.push_back(AnswersToJson(example));
  }
  json["counterexamples"] = std::move(examples);
  if (cell.example) json["example"] = AnswersToJson(*cell.example);
  return json;
}

std::string AnswersDigest(const Report& report) {
  std::string text;
  for (const CellRecord& cell : report.cells) text += Dump(AnswersToJson(cell)) + "\n";
  for (const NodeTestRecord& test : report.node_tests) {
    text += test.release + " " + test.name + " " +
            std::string(NodeVerdictName(test.verdict)) + "\n";
  }
  for (const NegativeRecord& record : report.negative) {
    text += record.id + " " + std::string(NegativeResultName(record.result)) + "\n";
  }
  return Sha256Hex(text);
}

}  // namespace qconform
