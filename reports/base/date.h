// Days, as known differences and reports write them.
#ifndef QCONFORM_REPORTS_BASE_DATE_H_
#define QCONFORM_REPORTS_BASE_DATE_H_

#include <chrono>
#include <optional>
#include <string_view>

namespace qconform {

// Returns the day of a text such as "2026-08-01" (four digits, two and two, nothing
// else), or nothing if there is no such day.
std::optional<std::chrono::sys_days> ParseDate(std::string_view text);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_BASE_DATE_H_
