// The answers of a backend, whoever answered and asked: two reports have the same digest
// of answers if every verdict, count and piece of evidence is the same.
#ifndef QCONFORM_REPORTS_REPORT_ANSWERS_H_
#define QCONFORM_REPORTS_REPORT_ANSWERS_H_

#include <string>

#include "reports/report/report.h"

namespace qconform {

// Returns the SHA-256, in lower-case hex, of all rows except their texts: without the
// backend's name and its messages, replay lines, diagnoses and other explanations.
std::string AnswersDigest(const Report& report);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_REPORT_ANSWERS_H_
