// The messages of worker.proto on a pipe: each with its length in front.
#ifndef QCONFORM_HARNESS_BACKENDS_PROCESS_MESSAGES_H_
#define QCONFORM_HARNESS_BACKENDS_PROCESS_MESSAGES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "oracle/base/result.h"
#include "worker.pb.h"

namespace qconform::worker_protocol {

inline constexpr uint32_t kProtocolVersion = 1;
// The longest message, in bytes, its length prefix left out.
inline constexpr uint64_t kMaxMessageBytes = uint64_t{64} << 20;
// The bytes of the length in front of a message.
inline constexpr uint64_t kLengthBytes = 4;

// Returns the length of the message that `bytes` begin with, or nothing if they end
// inside the length. It may be more than kMaxMessageBytes.
std::optional<uint64_t> FrameLength(std::string_view bytes);

// Appends the message with its length in front to `out`. If it is longer than
// kMaxMessageBytes, appends nothing and returns an Error.
Status AppendFrame(const google::protobuf::Message& message, std::string& out);

// Reads `message` from `bytes` without the length. Returns an Error if they are not such
// a message.
Status Parse(std::string_view bytes, google::protobuf::Message& message);

}  // namespace qconform::worker_protocol

namespace qconform {
namespace worker = worker_protocol;
}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_PROCESS_MESSAGES_H_
