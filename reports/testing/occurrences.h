// Counts parts of a text, for tests of documents.
#ifndef QCONFORM_REPORTS_TESTING_OCCURRENCES_H_
#define QCONFORM_REPORTS_TESTING_OCCURRENCES_H_

#include <cstddef>
#include <string>

namespace qconform {

inline size_t Occurrences(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t place = text.find(part); place != std::string::npos;
       place = text.find(part, place + 1)) {
    ++count;
  }
  return count;
}

}  // namespace qconform

#endif  // QCONFORM_REPORTS_TESTING_OCCURRENCES_H_
