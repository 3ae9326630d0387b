#include "oracle/base/testing/corpus_file.h"

#include <algorithm>
#include <charconv>
#include <tuple>

#include "oracle/base/file.h"

namespace qconform {

Result<std::vector<std::string>> ReadCorpus(const std::filesystem::path& file) {
  std::vector<std::string> inputs;
  if (!std::filesystem::exists(file)) return inputs;
  const Result<std::string> text = ReadFile(file, kMostCorpusBytes);
  if (!text) return text.error();
  std::string_view rest = *text;
  while (!rest.empty()) {
    size_t size = 0;
    const char* end = rest.data() + rest.size();
    const auto [after, error] = std::from_chars(rest.data(), end, size);
    const auto left = static_cast<size_t>(end - after);
    if (error != std::errc() || left < 2 || size > left - 2 || after[0] != '\n' ||
        after[size + 1] != '\n') {
      return Error{file.string() + ": expected sizes and inputs, got bytes at " +
                   std::to_string(text->size() - rest.size()) + " that are neither"};
    }
    inputs.emplace_back(after + 1, size);
    rest = std::string_view(after + size + 2, left - size - 2);
  }
  return inputs;
}

Status WriteCorpus(const std::filesystem::path& file, std::vector<std::string> inputs) {
  std::ranges::sort(inputs, [](const std::string& a, const std::string& b) {
    return std::tuple(a.size(), std::string_view(a)) <
           std::tuple(b.size(), std::string_view(b));
  });
  std::string text;
  for (const std::string& input : inputs) {
    const std::string entry = std::to_string(input.size()) + "\n" + input + "\n";
    if (text.size() + entry.size() > kMostCorpusBytes) break;
    text += entry;
  }
  return WriteFileAtomically(file, text);
}

}  // namespace qconform
