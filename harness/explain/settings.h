// Models written as the questions that `explain` takes.
#ifndef QCONFORM_HARNESS_EXPLAIN_SETTINGS_H_
#define QCONFORM_HARNESS_EXPLAIN_SETTINGS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cases/model/model.h"

namespace qconform {

enum class Numbers : uint8_t {
  kCodes,    // "[0x3f800000,0x40000000]:FLOAT"
  kDecimal,  // "[1,2]:FLOAT"; codes where no short decimal is the same number
};

// Returns the settings that ReadQuestion takes for the operands and attributes of an
// operator; its constants become inputs. Nothing if an operand has a shape that lists do
// not show, such as [0,3].
std::optional<std::vector<std::string>> SettingsOf(const FedModel& fed, Numbers numbers);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_EXPLAIN_SETTINGS_H_
