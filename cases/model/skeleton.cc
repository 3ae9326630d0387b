#include "cases/model/skeleton.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "oracle/base/expected.h"

namespace qconform {
namespace {

constexpr uint64_t kMostSkeletonBytes = uint64_t{1} << 30;
constexpr int kMostDepth = 60;  // of messages in messages; protobuf itself allows 100

std::string SystemText(int number) { return std::generic_category().message(number); }

// --- what onnx.proto says -----------------------------------------------------------

enum class Message : uint8_t {
  kModel,
  kGraph,
  kNode,
  kAttribute,
  kTensor,
  kSparseTensor,
  kFunction,
  kOther,  // copied as it is
  kLeftOut,
};

// A field of a message that is not copied as it is.
struct Field {
  Message message;
  uint32_t number;
  Message holds;
};

constexpr Field kFields[] = {
    {Message::kModel, 6, Message::kLeftOut},    // doc_string
    {Message::kModel, 7, Message::kGraph},      // graph
    {Message::kModel, 14, Message::kLeftOut},   // metadata_props
    {Message::kModel, 20, Message::kLeftOut},   // training_info
    {Message::kModel, 25, Message::kFunction},  // functions
    {Message::kModel, 26, Message::kLeftOut},   // configuration
    {Message::kGraph, 1, Message::kNode},
    {Message::kGraph, 5, Message::kTensor},  // initializer
    {Message::kGraph, 10, Message::kLeftOut},
    {Message::kGraph, 14, Message::kLeftOut},  // quantization_annotation
    {Message::kGraph, 15, Message::kSparseTensor},
    {Message::kGraph, 16, Message::kLeftOut},
    {Message::kNode, 5, Message::kAttribute},
    {Message::kNode, 6, Message::kLeftOut},
    {Message::kNode, 9, Message::kLeftOut},
    {Message::kNode, 10, Message::kLeftOut},
    {Message::kAttribute, 5, Message::kTensor},
    {Message::kAttribute, 6, Message::kGraph},
    {Message::kAttribute, 10, Message::kTensor},
    {Message::kAttribute, 11, Message::kGraph},
    {Message::kAttribute, 13, Message::kLeftOut},
    {Message::kAttribute, 22, Message::kSparseTensor},
    {Message::kAttribute, 23, Message::kSparseTensor},
    {Message::kTensor, 12, Message::kLeftOut},
    {Message::kTensor, 16, Message::kLeftOut},
    {Message::kSparseTensor, 1, Message::kTensor},
    {Message::kSparseTensor, 2, Message::kTensor},
    {Message::kFunction, 7, Message::kNode},
    {Message::kFunction, 8, Message::kLeftOut},
    {Message::kFunction, 11, Message::kAttribute},  // attribute_proto
    {Message::kFunction, 14, Message::kLeftOut},
};

Message HeldBy(Message message, uint32_t number) {
  for (const Field& field : kFields) {
    if (field.message == message && field.number == number) return field.holds;
  }
  return Message::kOther;
}

// float_data, int32_data, string_data, int64_data, raw_data, double_data, uint64_data.
bool IsTensorData(Message message, uint32_t number) {
  constexpr uint32_t kNumbers[] = {4, 5, 6, 7, 9, 10, 11};
  return message == Message::kTensor &&
         std::ranges::find(kNumbers, number) != std::end(kNumbers);
}

// --- protobuf's wire format ------------------------------------------------------------

enum WireType : uint32_t { kVarint = 0, kFixed64 = 1, kLength = 2, kFixed32 = 5 };

// Reads a file from the front, in pieces of this size.
class Cursor {
 public:
  explicit Cursor(const SeekableFile& file) : file_(file) {}

  uint64_t position() const { return position_; }
  void Skip(uint64_t size) { position_ += size; }

  Result<uint64_t> Varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      auto byte = Bytes(1);
      if (!byte) return byte.error();
      const auto bits = static_cast<uint8_t>((*byte)[0]);
      if (shift < 64) value |= uint64_t{bits & 0x7fU} << shift;
      if (bits < 0x80) return value;
    }
    return Expected(Here(), "a number of at most 10 bytes", "a longer one");
  }

  // The bytes are valid until the next call.
  Result<std::string_view> Bytes(uint64_t size) {
    if (size > file_.size() - std::min(position_, file_.size())) {
      return Expected(Here(), std::to_string(size) + " more bytes",
                      "the end of the file");
    }
    if (position_ < start_ || position_ + size > start_ + piece_.size()) {
      constexpr uint64_t kPiece = uint64_t{64} << 10;
      const uint64_t wanted = std::min(std::max(size, kPiece), file_.size() - position_);
      auto piece = file_.Read(position_, wanted);
      if (!piece) return piece.error();
      piece_ = *std::move(piece);
      start_ = position_;
    }
    const auto from = static_cast<size_t>(position_ - start_);
    position_ += size;
    return std::string_view(piece_).substr(from, static_cast<size_t>(size));
  }

  std::string Here() const { return "byte " + std::to_string(position_); }

 private:
  const SeekableFile& file_;
  uint64_t position_ = 0;
  uint64_t start_ = 0;  // of piece_
  std::string piece_;
};

class Reader {
 public:
  Reader(const SeekableFile& file, uint64_t most_data)
      : cursor_(file), size_(file.size()), most_data_(most_data) {}

  Result<Skeleton> Read() {
    if (Status read = ReadMessage(Message::kModel, size_, 0, skeleton_.bytes); !read) {
      return read.error();
    }
    return std::move(skeleton_);
  }

 private:
  Status ReadMessage(Message message, uint64_t end, int depth, std::string& out) {
    if (depth > kMostDepth) {
      return Expected(cursor_.Here(),
                      "at most " + std::to_string(kMostDepth) + " messages in each other",
                      "more");
    }
    std::string data;  // of a tensor
    bool is_large = false;
    while (cursor_.position() < end) {
      const std::string here = cursor_.Here();
      const auto tag = cursor_.Varint();
      if (!tag) return tag.error();
      const auto number = static_cast<uint32_t>(*tag >> 3);
      if (number == 0 || *tag >> 32 != 0) {
        return Expected(here, "a field of a model", "bytes that are none");
      }
      std::string header;
      AppendVarint(*tag, header);
      const bool is_data = IsTensorData(message, number);
      std::string& to = is_data ? data : out;
      uint64_t size = 0;
      switch (*tag & 7) {
        case kVarint: {
          const auto value = cursor_.Varint();
          if (!value) return value.error();
          AppendVarint(*value, header);
          break;
        }
        case kFixed64:
          size = 8;
          break;
        case kFixed32:
          size = 4;
          break;
        case kLength: {
          const auto length = cursor_.Varint();
          if (!length) return length.error();
          size = *length;
          break;
        }
        default:
          return Expected(here, "a field of a model", "bytes that are none");
      }
      if (cursor_.position() > end || size > end - cursor_.position()) {
        return Expected(here,
                        "a field that ends with the message that it is in, at byte " +
                            std::to_string(end),
                        std::to_string(size) + " more bytes");
      }
      if ((*tag & 7) == kLength) {
        const Message held = HeldBy(message, number);
        if (held == Message::kLeftOut) {
          cursor_.Skip(size);
          continue;
        }
        if (held != Message::kOther) {
          NotePlace(message, number, depth, size);
          std::string inner;
          if (Status read =
                  ReadMessage(held, cursor_.position() + size, depth + 1, inner);
              !read) {
            return read;
          }
          AppendVarint(inner.size(), header);
          if (Status appended = Append(header, inner, to); !appended) return appended;
          continue;
        }
        AppendVarint(size, header);
      }
      if (is_data &&
          (is_large || size > most_data_ - std::min<uint64_t>(data.size(), most_data_))) {
        is_large = true;
        cursor_.Skip(size);
        continue;
      }
      const auto bytes = cursor_.Bytes(size);
      if (!bytes) return bytes.error();
      if (Status appended = Append(header, *bytes, to); !appended) return appended;
      // Numbers that are not packed have a field each.
      if (is_data && data.size() > 2 * most_data_) is_large = true;
    }
    return is_large ? Ok() : Append("", data, out);
  }

  Status Append(std::string_view header, std::string_view bytes, std::string& to) {
    to += header;
    to += bytes;
    if (to.size() <= kMostSkeletonBytes) return Ok();
    return Expected("model", "at most 1 GiB besides the data of large constants", "more");
  }

  // Of the messages of the main graph, whose data is read later.
  void NotePlace(Message message, uint32_t number, int depth, uint64_t size) {
    const Place place{cursor_.position(), size};
    if (message == Message::kModel && number == 25) skeleton_.functions.push_back(place);
    if (message != Message::kGraph || depth != 1) return;
    if (number == 1) skeleton_.nodes.push_back(place);
    if (number == 5) skeleton_.initializers.push_back(place);
    if (number == 15) skeleton_.sparse_initializers.push_back(place);
  }

  Cursor cursor_;
  uint64_t size_;
  uint64_t most_data_;
  Skeleton skeleton_;
};

}  // namespace

void AppendVarint(uint64_t value, std::string& out) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

Result<SeekableFile> SeekableFile::Open(const std::filesystem::path& path) {
  if (Status name = CheckFileName(path); !name) return name.error();
  SeekableFile file;
  file.path_ = path;
  // A pipe would wait for its writer.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return Error{path.string() + ": " + SystemText(errno)};
  file.descriptor_ = std::make_unique<Descriptor>(descriptor);
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) {
    return Error{path.string() + ": " + SystemText(errno)};
  }
  if (!S_ISREG(status.st_mode)) {
    return Expected(path.string(), "a regular file",
                    S_ISDIR(status.st_mode) ? "a directory" : "a device or a pipe");
  }
  file.size_ = static_cast<uint64_t>(status.st_size);
  return file;
}

Result<std::string> SeekableFile::Read(uint64_t offset, uint64_t size) const {
  if (offset > size_ || size > size_ - offset) {
    return Expected(path_.string(),
                    "at least " + std::to_string(size) + " bytes from byte " +
                        std::to_string(offset) + " on",
                    "a file of " + std::to_string(size_) + " bytes");
  }
  std::string bytes(static_cast<size_t>(size), '\0');
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = ::pread(descriptor_->get(), bytes.data() + done,
                                  bytes.size() - done, static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Error{path_.string() + ": " + SystemText(errno)};
    if (count == 0) {
      return Expected(path_.string(), std::to_string(size_) + " bytes",
                      "fewer: the file became shorter while it was read");
    }
    done += static_cast<size_t>(count);
  }
  return bytes;
}

Result<Skeleton> ReadSkeleton(const SeekableFile& file, uint64_t most_data) {
  auto skeleton = Reader(file, most_data).Read();
  if (!skeleton) {
    // What Read itself says begins with the path.
    const std::string& message = skeleton.error().message;
    const std::string path = file.path().string();
    return Error{message.starts_with(path) ? message
                                           : path + ": not an ONNX model: " + message};
  }
  return skeleton;
}

}  // namespace qconform
