// What every reader of files, messages and typed text keeps: half a document is never
// taken for a whole one, and no input that a fuzzer found does any harm.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/base/testing/corpus_file.h"
#include "oracle/base/testing/tested_reader.h"

namespace qconform {
namespace {

// Bytes that are read for one document at most, all its beginnings together.
constexpr size_t kMostBytes = 20'000'000;

// Returns the lengths to which a document is cut: all, or as many of the shortest, of the
// longest and of those in between.
std::vector<size_t> CutsOf(const TestedReader& reader, std::string_view document) {
  const size_t whole = document.find_last_not_of(" \n") + 1;
  const size_t most = std::min(reader.cuts, std::max<size_t>(30, kMostBytes / whole));
  const size_t stride = std::max<size_t>(1, 3 * whole / most);
  const size_t edge = most / 3;
  std::vector<size_t> sizes;
  const size_t last = whole - std::min(whole, edge);
  for (size_t size = 0; size < whole;) {
    sizes.push_back(size);
    size = size < edge || size >= last ? size + 1 : std::min(size + stride, last);
  }
  return sizes;
}

TEST(Readers, DocumentsCutAtEachByte_AreErrorsOrPartsOfADocument) {
  for (const TestedReader& reader : TestedReaders()) {
    int64_t cuts = 0;
    for (const std::string& document : reader.documents()) {
      EXPECT_EQ(reader.read(document), ReadAs::kWhole) << reader.name << "\n" << document;
      for (const size_t size : CutsOf(reader, document)) {
        const ReadAs read = reader.read(std::string_view(document).substr(0, size));
        if (!reader.beginnings_are_whole) {
          EXPECT_NE(read, ReadAs::kWhole)
              << reader.name << ": " << size << " of " << document.size() << " bytes";
        }
        ++cuts;
      }
    }
    EXPECT_GT(cuts, 0) << reader.name;
  }
}

TEST(Readers, InputsOfTheCorpus_DoNoHarm) {
  for (const TestedReader& reader : TestedReaders()) {
    const auto inputs = ReadCorpus(CorpusOf(reader.name));
    ASSERT_TRUE(inputs) << inputs.error().message;
    for (const std::string& input : *inputs) reader.read(input);
    std::printf("%s: %zu inputs\n", reader.name.c_str(), inputs->size());
  }
}

}  // namespace
}  // namespace qconform
