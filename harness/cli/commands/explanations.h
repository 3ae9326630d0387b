// What outputs say of a clause, a reading or a wrong model that evidence names.
#ifndef QCONFORM_HARNESS_CLI_COMMANDS_EXPLANATIONS_H_
#define QCONFORM_HARNESS_CLI_COMMANDS_EXPLANATIONS_H_

#include <map>
#include <string>

namespace qconform {

// Name ("QL-10", "QL-04:f32_quotient", "ties_away") -> formula or sentence.
std::map<std::string, std::string> NamedExplanations();

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_COMMANDS_EXPLANATIONS_H_
