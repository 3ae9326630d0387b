// The explanations of the clauses, readings and wrong models that evidence names.
#ifndef QCONFORM_HARNESS_CLI_COMMANDS_EXPLANATIONS_H_
#define QCONFORM_HARNESS_CLI_COMMANDS_EXPLANATIONS_H_

#include <map>
#include <string>

namespace qconform {

// Returns a sentence or formula by name: of a clause, a reading ("CLAUSE:NAME") or a
// fault ("ties_away").
std::map<std::string, std::string> NamedExplanations();

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_COMMANDS_EXPLANATIONS_H_
