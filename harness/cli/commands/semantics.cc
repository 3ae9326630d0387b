#include "harness/cli/commands/semantics.h"

#include <string_view>

#include "oracle/core/clauses.h"

namespace qconform {
namespace {

constexpr std::string_view kIntroduction =
    R"(# What the operators mean: clauses and readings

This page is for people who want to know what qconform takes for the right answer, and why.
After reading a clause you know its source in ONNX's text, and which answers are allowed where
the text is open. The code and every report cite the ids.

`script/docs` makes this page from `oracle/operators/*/clauses.cc` and
`oracle/graphs/clauses.cc`; a test fails if the two
differ.

A clause is **normative** (one answer) or **open**. If ONNX's text does not decide, the
clause is open, because a false accusation is worse than a missed fault. An open clause is
one of these:

- *parametric*: it has a few named readings, and a backend must follow one of them
  consistently over a cell. The oracle answers by the canonical one, which has a star. A
  deviation that no reading allows is nonconformant.
- *free*: any output of a stated set is allowed. It is recorded, never judged.
- *bounded*: any answer in a derived interval is allowed ([derivations](bounds.md)).

Notation: `round_P(v)` is v rounded to the nearest value of the type P, ties to even, with P's
subnormals and with overflow to infinity. `rne(v)` is v rounded to the nearest integer, ties to
even. *Exact* means in the real numbers.
)";

std::string Heading(const Clause& clause) {
  return "\n### " + std::string(clause.id) + ": " +
         std::string(ClauseKindText(clause.kind)) + "\n\n";
}

std::string Versions(const Clause& clause) {
  std::string text;
  for (const int version : clause.since_versions) {
    text += (text.empty() ? "Since " : ", ") + std::to_string(version);
  }
  return text.empty() ? "" : text + ". ";
}

}  // namespace

std::string SemanticsMarkdown() {
  std::string page(kIntroduction);
  bool first = true;
  std::string_view op_type;
  for (const Clause& clause : Clauses()) {
    if (first || clause.op_type != op_type) {
      op_type = clause.op_type;
      page += "\n## " + std::string(op_type.empty() ? "Every operator" : op_type) + "\n";
      first = false;
    }
    page += Heading(clause) + std::string(clause.text) + "\n\n" + Versions(clause) +
            "Source: " + std::string(clause.source) + "\n";
    if (!clause.readings.empty()) page += "\n";
    for (const ClauseReading& reading : clause.readings) {
      page += "- " + std::string(reading.canonical ? "\\* " : "") + "`" +
              std::string(reading.name) + "`: " + std::string(reading.sentence) + "\n";
    }
    if (clause.tests.empty()) continue;
    page += "\nTests:";
    for (const std::string_view test : clause.tests)
      page += " `" + std::string(test) + "`";
    page += "\n";
  }
  return page;
}

}  // namespace qconform
