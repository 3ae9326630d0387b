// What a backend answered, apart from who answered and who asked: two reports have the
// same digest of answers where every verdict, count and piece of evidence is the same.
#ifndef QCONFORM_REPORTS_REPORT_ANSWERS_H_
#define QCONFORM_REPORTS_REPORT_ANSWERS_H_

#include <string>

#include "reports/report/report.h"

namespace qconform {

// Returns the SHA-256, in lower-case hex, of all rows but for words: without the
// backend's name and its messages, replay lines, diagnoses and other explanations.
std::string AnswersDigest(const Report& report);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_REPORT_ANSWERS_H_
