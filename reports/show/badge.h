// A badge (SVG) for READMEs, made of a report: what was asked, and how much of it
// passes. It claims nothing that the report does not say.
#ifndef QCONFORM_REPORTS_SHOW_BADGE_H_
#define QCONFORM_REPORTS_SHOW_BADGE_H_

#include <string>

#include "reports/diff/known_differences.h"
#include "reports/report/report.h"

namespace qconform {

// Returns an SVG image of about 20 by 400 pixels that needs no font or network.
// `known` may be null.
std::string BadgeSvg(const Report& report, const KnownOutcome* known);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_SHOW_BADGE_H_
