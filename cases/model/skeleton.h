// The skeleton of a model file: the bytes of its ModelProto without the data of large
// tensors. Private to this folder.
#ifndef QCONFORM_CASES_MODEL_SKELETON_H_
#define QCONFORM_CASES_MODEL_SKELETON_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "oracle/base/file.h"
#include "oracle/base/result.h"

namespace qconform {

// A file that is read in pieces.
class SeekableFile {
 public:
  // An Error if it is not a regular file, or cannot be opened.
  static Result<SeekableFile> Open(const std::filesystem::path& path);

  uint64_t size() const { return size_; }
  const std::filesystem::path& path() const { return path_; }

  // Reads exactly `size` bytes. An Error if the file ends before.
  Result<std::string> Read(uint64_t offset, uint64_t size) const;

 private:
  std::filesystem::path path_;
  std::unique_ptr<Descriptor> descriptor_;
  uint64_t size_ = 0;
};

// Where a message lies in the file.
struct Place {
  uint64_t offset = 0;
  uint64_t size = 0;
};

struct Skeleton {
  // A ModelProto without doc_strings, metadata, and the data of tensors of more than
  // `most_data` bytes.
  std::string bytes;
  // Of the main graph, in the order of the file.
  std::vector<Place> nodes;
  std::vector<Place> initializers;
  std::vector<Place> sparse_initializers;
  std::vector<Place> functions;
};

// Reads the file once, and skips what the skeleton leaves out. An Error if it is not a
// ModelProto, as far as its lengths show, or if more than 1 GiB remains.
Result<Skeleton> ReadSkeleton(const SeekableFile& file, uint64_t most_data);

// Appends a number of protobuf's wire format.
void AppendVarint(uint64_t value, std::string& out);

}  // namespace qconform

#endif  // QCONFORM_CASES_MODEL_SKELETON_H_
