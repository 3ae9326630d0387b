// The report as JUnit XML, for GitLab, Jenkins, GitHub's reporters and the like.
//
//   conformant, admissible                      passed
//   nonconformant, invalid_output               <failure>
//   crashed, timed_out, failed, mistrusted, error  <error>
//   partial, unsupported, untested              <skipped>
//   known differences                           <skipped>, with their reason
//   problems with known differences             <failure>, in a suite of their own
//
// One suite per operator and since_version, one case per cell. The elements and
// attributes are those that the schemas of Ant (JUnit.xsd) and of Jenkins'
// xUnit plugin (junit-10.xsd) both allow: reports/schema/junit.xsd.
#ifndef QCONFORM_REPORTS_SHOW_JUNIT_H_
#define QCONFORM_REPORTS_SHOW_JUNIT_H_

#include <string>
#include <string_view>

#include "reports/diff/known_differences.h"
#include "reports/report/report.h"

namespace qconform {

// `known` may be null.
std::string JUnitText(const Report& report, const KnownOutcome* known);

// Returns the XML Schema of what JUnitText gives.
std::string_view JUnitSchema();

}  // namespace qconform

#endif  // QCONFORM_REPORTS_SHOW_JUNIT_H_
