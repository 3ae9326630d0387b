// The main part of a libFuzzer program for the readers of one folder.
//   QCONFORM_READER=NAME PROGRAM ... fuzzes that reader
//   PROGRAM --readers                lists them
//   PROGRAM --unpack READER FOLDER   writes its documents and its corpus to FOLDER
//   PROGRAM --pack READER FOLDER     makes its corpus of FOLDER's files
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "oracle/base/file.h"
#include "oracle/base/testing/corpus_file.h"
#include "oracle/base/testing/tested_reader.h"

namespace {

using namespace qconform;

[[noreturn]] void Fail(const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  std::exit(2);
}

TestedReader Find(const std::string& name) {
  for (TestedReader& reader : TestedReaders()) {
    if (reader.name == name) return std::move(reader);
  }
  Fail("reader: expected one of --readers, got '" + name + "'");
}

const TestedReader& Chosen() {
  static const TestedReader reader = [] {
    const char* name = std::getenv("QCONFORM_READER");
    return Find(name == nullptr ? "" : name);
  }();
  return reader;
}

void Unpack(const std::string& name, const std::string& folder) {
  std::vector<std::string> inputs = Find(name).documents();
  const auto corpus = ReadCorpus(CorpusOf(name));
  if (!corpus) Fail(corpus.error().message);
  inputs.insert(inputs.end(), corpus->begin(), corpus->end());
  for (size_t i = 0; i < inputs.size(); ++i) {
    const auto path = std::filesystem::path(folder) / ("input-" + std::to_string(i));
    const Status written = WriteFileAtomically(path, inputs[i]);
    if (!written) Fail(written.error().message);
  }
}

void Pack(const std::string& name, const std::string& folder) {
  std::vector<std::string> inputs;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto text = ReadFile(entry.path());
    if (!text) Fail(text.error().message);
    inputs.push_back(*text);
  }
  const Status written = WriteCorpus(CorpusOf(name), std::move(inputs));
  if (!written) Fail(written.error().message);
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  const std::vector<std::string> words(*argv + 1, *argv + *argc);
  if (words.empty() || !words[0].starts_with("--")) {
    Chosen().documents();  // to make them may take longer than any input
    return 0;
  }
  if (words[0] == "--readers") {
    for (const TestedReader& reader : TestedReaders()) std::puts(reader.name.c_str());
  } else if (words[0] == "--unpack" && words.size() == 3) {
    Unpack(words[1], words[2]);
  } else if (words[0] == "--pack" && words.size() == 3) {
    Pack(words[1], words[2]);
  } else {
    Fail("expected --readers, --unpack READER FOLDER or --pack READER FOLDER");
  }
  std::exit(0);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Chosen().read({reinterpret_cast<const char*>(data), size});
  return 0;
}
