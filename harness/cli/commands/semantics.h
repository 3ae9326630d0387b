// docs/semantics.md, made from the ledger of clauses.
#ifndef QCONFORM_HARNESS_CLI_COMMANDS_SEMANTICS_H_
#define QCONFORM_HARNESS_CLI_COMMANDS_SEMANTICS_H_

#include <string>

namespace qconform {

// Returns the page: every clause with its status, text, source, readings and
// the tests that check it.
std::string SemanticsMarkdown();

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_COMMANDS_SEMANTICS_H_
