// What a fuzzer begins with, made by the code that it tests, and how it says what it
// found.
#ifndef QCONFORM_ORACLE_BASE_TESTING_FUZZ_SEEDS_H_
#define QCONFORM_ORACLE_BASE_TESTING_FUZZ_SEEDS_H_

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace qconform {

// Where QCONFORM_WRITE_SEEDS names a folder: writes each seed to a file there, and
// ends the program. For LLVMFuzzerInitialize.
inline void WriteSeedsIfAsked(const std::vector<std::string>& seeds) {
  const char* folder = std::getenv("QCONFORM_WRITE_SEEDS");
  if (folder == nullptr) return;
  for (size_t i = 0; i < seeds.size(); ++i) {
    const std::string path = std::string(folder) + "/seed-" + std::to_string(i);
    std::ofstream file(path, std::ios::binary);
    file.write(seeds[i].data(), static_cast<std::streamsize>(seeds[i].size()));
    file.close();
    if (file.fail()) {
      std::fprintf(stderr, "cannot write %s\n", path.c_str());
      std::exit(1);
    }
  }
  std::exit(0);
}

// Ends a fuzzer with a finding where something does not hold.
inline void Require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

}  // namespace qconform

#endif  // QCONFORM_ORACLE_BASE_TESTING_FUZZ_SEEDS_H_
