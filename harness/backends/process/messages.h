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

// Returns the length of the message that `bytes` begin with; nothing where they end
// within it. It may be more than kMaxMessageBytes.
std::optional<uint64_t> FrameLength(std::string_view bytes);

// Appends the message with its length in front to `out`. An Error, with nothing
// appended, where it is longer than kMaxMessageBytes.
Status AppendFrame(const google::protobuf::Message& message, std::string& out);

// Reads `message` from `bytes` without the length. An Error where they are no such
// message.
Status Parse(std::string_view bytes, google::protobuf::Message& message);

}  // namespace qconform::worker_protocol

namespace qconform {
namespace worker = worker_protocol;
}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_PROCESS_MESSAGES_H_
