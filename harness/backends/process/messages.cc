#include "harness/backends/process/messages.h"

#include "cases/model/tensor_proto.h"

namespace qconform::worker_protocol {

std::optional<uint64_t> FrameLength(std::string_view bytes) {
  if (bytes.size() < kLengthBytes) return std::nullopt;
  uint64_t length = 0;
  for (size_t i = 0; i < kLengthBytes; ++i) {
    length |= uint64_t{static_cast<uint8_t>(bytes[i])} << (8 * i);
  }
  return length;
}

Status AppendFrame(const google::protobuf::Message& message, std::string& out) {
  const size_t size = message.ByteSizeLong();
  if (size > kMaxMessageBytes) {
    return qconform::Error{"a message of " + std::to_string(size) +
                           " bytes is over the limit of " +
                           std::to_string(kMaxMessageBytes) + " bytes"};
  }
  const size_t begin = out.size();
  out.resize(begin + kLengthBytes + size);
  for (size_t i = 0; i < kLengthBytes; ++i) {
    out[begin + i] = static_cast<char>(static_cast<uint8_t>(size >> (8 * i)));
  }
  message.SerializeWithCachedSizesToArray(
      reinterpret_cast<uint8_t*>(&out[begin + kLengthBytes]));
  return Ok();
}

Status Parse(std::string_view bytes, google::protobuf::Message& message) {
  if (ParseQuietly(bytes, message)) return Ok();
  return qconform::Error{"the " + std::to_string(bytes.size()) + " bytes are no " +
                         message.GetDescriptor()->name() + " of worker.proto"};
}

}  // namespace qconform::worker_protocol
