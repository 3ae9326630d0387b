#include "harness/backends/file_sha256.h"

#include <cstddef>
#include <fstream>
#include <span>
#include <vector>

#include "oracle/base/sha256.h"

namespace qconform {

std::string FileSha256(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return "unknown";
  Sha256 sha;
  std::vector<char> piece(1 << 20);
  while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) ||
         file.gcount() > 0) {
    sha.Update(
        std::as_bytes(std::span(piece.data(), static_cast<size_t>(file.gcount()))));
  }
  return sha.FinishHex();
}

}  // namespace qconform
