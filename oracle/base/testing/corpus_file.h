// The inputs that a fuzzer has found worth keeping, in one file for each reader: so the
// tree has few files, and a test can replay them.
//
//   SIZE in decimal, a newline, SIZE bytes, a newline; and so on
#ifndef QCONFORM_ORACLE_BASE_TESTING_CORPUS_FILE_H_
#define QCONFORM_ORACLE_BASE_TESTING_CORPUS_FILE_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/base/result.h"

namespace qconform {

// The longest that a corpus file may be.
inline constexpr size_t kMostCorpusBytes = size_t{2} << 20;

// Returns where the corpus of a reader lies, if QCONFORM_CORPORA is its folder.
#ifdef QCONFORM_CORPORA
inline std::filesystem::path CorpusOf(const std::string& reader) {
  return std::filesystem::path(QCONFORM_CORPORA) / (reader + ".corpus");
}
#endif

// Returns the inputs; none if there is no such file. An Error if it is cut off.
Result<std::vector<std::string>> ReadCorpus(const std::filesystem::path& file);

// Writes the inputs, shortest first, as many as fit into kMostCorpusBytes.
Status WriteCorpus(const std::filesystem::path& file, std::vector<std::string> inputs);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_BASE_TESTING_CORPUS_FILE_H_
