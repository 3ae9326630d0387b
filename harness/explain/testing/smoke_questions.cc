// Prints the definitions of operators, and then the cases of level smoke as questions
// with the answers that the native code gives, one JSON document a line, for
// explain_wasm_test.mjs. Operand forms have one question, because a typed question has no
// constants. Cases whose shapes lists do not show, such as [0,3], are counted on the last
// line. Usage: qconform_smoke_questions EVERY, where only every EVERY-th is printed.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "cases/core/case.h"
#include "cases/lattice/lattice.h"
#include "harness/explain/answer_json.h"
#include "harness/explain/definitions_json.h"
#include "harness/explain/question.h"
#include "harness/explain/settings.h"
#include "oracle/base/json.h"

namespace qconform {
namespace {

void PrintLine(const Json& json) { std::printf("%s\n", Dump(json).c_str()); }

int PrintQuestions(int64_t every) {
  PrintLine(DefinitionsJson());
  int64_t cases = 0;
  int64_t asked = 0;
  int64_t left_out = 0;
  for (const std::string& op_type : TypedOperators()) {
    int64_t of_operator = 0;
    for (const SinceVersion& versions : SinceVersions(op_type)) {
      for (const Cell& cell : CellsOf(op_type)) {
        if (cell.since_version != versions.since_version) continue;
        CaseMaker maker(1);
        std::string previous;
        for (const CaseKey& key : CasesOf(cell, versions, Level::kSmoke)) {
          const std::string same = ContentId(key) + std::to_string(key.opset_version);
          if (same == previous) continue;
          previous = same;
          ++cases;
          if (of_operator++ % every != 0) continue;
          const auto made = maker.Make(key);
          if (!made) {
            std::fprintf(stderr, "%s\n", made.error().message.c_str());
            return 1;
          }
          const auto settings = SettingsOf(*made, Numbers::kCodes);
          if (!settings) {
            ++left_out;
            continue;
          }
          const std::string question = Dump({{"operator", op_type},
                                             {"opset", key.opset_version},
                                             {"settings", *settings}});
          PrintLine({{"id", CaseId(key)},
                     {"cell", CellId(cell)},
                     {"question", question},
                     {"answer", AnswerJson(question)}});
          ++asked;
        }
      }
    }
  }
  PrintLine({{"cases", cases}, {"asked", asked}, {"left_out", left_out}});
  return 0;
}

}  // namespace
}  // namespace qconform

int main(int count, char** words) {
  const int64_t every = count == 2 ? std::atoll(words[1]) : 0;
  if (every < 1) {
    std::fprintf(stderr, "usage: qconform_smoke_questions EVERY\n");
    return 2;
  }
  return qconform::PrintQuestions(every);
}
