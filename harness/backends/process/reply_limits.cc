#include "harness/backends/process/reply_limits.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "harness/backends/process/handshake.h"
#include "harness/backends/process/messages.h"
#include "oracle/base/expected.h"

namespace qconform {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

// Texts, details and the list of operators: all of a reply but its outputs.
constexpr uint64_t kRoomForWords = uint64_t{4} << 20;
constexpr uint64_t kRoomForWrongAnswers = 16;
constexpr uint64_t kLargestRank = 64;
constexpr int kDeepest = 8;  // messages in messages; those of worker.proto need five

// Adds and stays at the largest number.
uint64_t Sum(uint64_t a, uint64_t b) {
  return a > std::numeric_limits<uint64_t>::max() - b
             ? std::numeric_limits<uint64_t>::max()
             : a + b;
}

// Reads the encoding of Protocol Buffers. Each function returns nothing at the first byte
// that is wrong.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : left_(bytes) {}

  bool done() const { return left_.empty(); }

  std::optional<uint64_t> Varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 70 && !left_.empty(); shift += 7) {
      const auto byte = static_cast<uint8_t>(left_.front());
      left_.remove_prefix(1);
      value |= uint64_t{byte & 0x7Fu} << std::min(shift, 63);
      if (byte < 0x80) return value;
    }
    return std::nullopt;
  }

  std::optional<std::string_view> Take(uint64_t size) {
    if (size > left_.size()) return std::nullopt;
    const std::string_view taken = left_.substr(0, size);
    left_.remove_prefix(size);
    return taken;
  }

 private:
  std::string_view left_;
};

// Counts what a reply has, without making it.
class Counter {
 public:
  // Returns whether the bytes are a message of this type.
  bool Count(std::string_view bytes, const Descriptor& type, int depth) {
    Reader reader(bytes);
    while (!reader.done()) {
      const auto tag = reader.Varint();
      if (!tag || *tag > std::numeric_limits<uint32_t>::max() || *tag < 8) return false;
      const auto* field = type.FindFieldByNumber(static_cast<int>(*tag >> 3));
      const auto wire_type = static_cast<int>(*tag & 7);
      bool read = false;
      if (wire_type == 0) {
        const auto value = reader.Varint();
        read = value.has_value();
        if (read && field != nullptr) CountNumber(*field, *value);
      } else if (wire_type == 1 || wire_type == 5) {
        read = reader.Take(wire_type == 1 ? 8 : 4).has_value();
        ++unknown_fields;  // worker.proto has none of these
      } else if (wire_type == 2) {
        const auto size = reader.Varint();
        const auto value = size ? reader.Take(*size) : std::nullopt;
        read = value && (field == nullptr || CountBytes(*field, *value, depth));
      }
      if (!read) return false;
      if (field == nullptr) ++unknown_fields;
    }
    return true;
  }

  uint64_t tensors = 0;
  uint64_t dimensions = 0;
  uint64_t data_bytes = 0;
  uint64_t other_answers = 0;
  uint64_t details = 0;
  uint64_t operators = 0;
  uint64_t longest_text = 0;
  const FieldDescriptor* longest = nullptr;  // the field of the longest text
  uint64_t unknown_fields = 0;

 private:
  void CountNumber(const FieldDescriptor& field, uint64_t value) {
    const Descriptor* type = field.containing_type();
    if (field.is_repeated()) ++dimensions;  // Tensor.dims is the only list of numbers
    if (type == worker::SharedRange::descriptor() &&
        field.number() == worker::SharedRange::kSizeFieldNumber) {
      data_bytes = Sum(data_bytes, value);
    }
    if (field.cpp_type() == FieldDescriptor::CPPTYPE_STRING ||
        field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
      ++unknown_fields;  // kept as such by the parser
    }
  }

  bool CountBytes(const FieldDescriptor& field, std::string_view value, int depth) {
    if (const Descriptor* type = field.message_type()) {
      if (type == worker::Tensor::descriptor()) ++tensors;
      if (type == worker::OtherOutputs::descriptor()) ++other_answers;
      if (type == worker::OperatorSupport::descriptor()) ++operators;
      if (field.is_map()) ++details;
      return depth < kDeepest && Count(value, *type, depth + 1);
    }
    if (field.type() == FieldDescriptor::TYPE_BYTES) {
      data_bytes = Sum(data_bytes, value.size());
    } else if (field.type() == FieldDescriptor::TYPE_STRING) {
      if (value.size() > longest_text) {
        longest_text = value.size();
        longest = &field;
      }
    } else if (field.is_repeated()) {  // numbers one after another
      dimensions += static_cast<uint64_t>(std::ranges::count_if(
          value, [](char byte) { return static_cast<uint8_t>(byte) < 0x80; }));
    } else {
      ++unknown_fields;
    }
    return true;
  }
};

}  // namespace

uint64_t ReplyLimits::message_bytes() const {
  return std::min(Sum(kRoomForWords, data_bytes), worker::kMaxMessageBytes);
}

ReplyLimits RunReplyLimits(const Model& model, bool is_own) {
  ReplyLimits limits;
  uint64_t bytes = 0;
  uint64_t rank = kLargestRank;
  for (const Initializer& constant : model.initializers) {
    bytes = Sum(bytes, constant.tensor.data.size());
  }
  for (const auto* infos : {&model.inputs, &model.outputs}) {
    for (const ValueInfo& info : *infos) {
      rank = std::max<uint64_t>(rank, info.shape.size());
      const auto count = ElementCount(info.shape);
      bytes = Sum(bytes, count ? 8 * static_cast<uint64_t>(*count)
                               : std::numeric_limits<uint64_t>::max());
    }
  }
  const uint64_t answers = is_own ? limits.other_answers : 1;
  limits.tensors = answers * (model.outputs.size() + kRoomForWrongAnswers);
  limits.dimensions = limits.tensors * rank;
  constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max() / 256;
  limits.data_bytes = std::max(limits.data_bytes,
                               answers * kRoomForWrongAnswers * std::min(bytes, kMost));
  return limits;
}

ReplyLimits RunReplyLimits(const WholeModel& model) {
  ReplyLimits limits;
  limits.tensors = model.outputs.size() + kRoomForWrongAnswers;
  limits.dimensions = limits.tensors * kLargestRank;
  limits.data_bytes = std::numeric_limits<uint64_t>::max();
  return limits;
}

Status CheckReply(const std::string& what, std::string_view bytes,
                  const ReplyLimits& limits) {
  Counter found;
  const Descriptor& type = *worker::Reply::descriptor();
  const bool is_message = found.Count(bytes, type, 0);
  const struct {
    uint64_t most;
    uint64_t found;
    const char* name;
  } kCounts[] = {{limits.tensors, found.tensors, "tensors"},
                 {limits.dimensions, found.dimensions, "dimensions"},
                 {limits.data_bytes, found.data_bytes, "bytes of elements"},
                 {limits.other_answers, found.other_answers, "other answers"},
                 {kMostHelloDetails, found.details, "details"},
                 {kMostHelloOperators, found.operators, "operators"},
                 {limits.unknown_fields, found.unknown_fields, "unknown fields"}};
  for (const auto& count : kCounts) {
    if (count.found <= count.most) continue;
    return Expected(what, "at most " + std::to_string(count.most) + " " + count.name,
                    std::to_string(count.found));
  }
  if (found.longest_text > kLongestReplyText) {
    return Expected(what,
                    "a " + found.longest->name() + " of at most " +
                        std::to_string(kLongestReplyText) + " bytes",
                    std::to_string(found.longest_text) + " bytes");
  }
  // What cannot be counted is not read: Protocol Buffers takes groups, and keeps them.
  if (is_message) return Ok();
  return Error{what + ": sent a message that cannot be read: the " +
               std::to_string(bytes.size()) + " bytes are no " + type.name() +
               " of worker.proto"};
}

}  // namespace qconform
