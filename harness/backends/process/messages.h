// The messages of worker.proto as plain structs, and their bytes. The only code
// of the project that sees the protocol's generated classes lies behind this.
#ifndef QCONFORM_HARNESS_BACKENDS_PROCESS_MESSAGES_H_
#define QCONFORM_HARNESS_BACKENDS_PROCESS_MESSAGES_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "oracle/base/result.h"

namespace qconform::worker {

inline constexpr uint32_t kProtocolVersion = 1;
// The longest message, in bytes, its length prefix left out.
inline constexpr uint64_t kMaxMessageBytes = uint64_t{64} << 20;

struct SharedRange {
  uint64_t offset = 0;
  uint64_t size = 0;
};

struct TensorMessage {
  int32_t data_type = 0;
  std::vector<int64_t> dims;
  std::string data;
  std::optional<SharedRange> shared{};  // instead of data
};

struct Hello {
  uint32_t protocol_version = kProtocolVersion;
  std::string harness;
  uint64_t max_message_bytes = kMaxMessageBytes;
  std::string shared_memory_path{};
  uint64_t shared_memory_size = 0;
};
struct Prepare {
  std::string model;
  std::string compact_model{};  // instead of it, to a child of our own
};
struct Run {
  uint64_t handle = 0;
  std::vector<TensorMessage> inputs{};
  SharedRange output_room{};
  bool guarded = false;
};
struct Release {
  uint64_t handle = 0;
};
struct Request {
  uint64_t seq = 0;
  // monostate: a request that this version does not know.
  std::variant<std::monostate, Hello, Prepare, Run, Release> body{};
};

struct OperatorSupport {
  std::string op_type;
  int32_t first_opset_version = 0;
  int32_t last_opset_version = 0;
};
struct HelloReply {
  uint32_t protocol_version = kProtocolVersion;
  std::string name;
  std::string version;
  std::string vendor;
  std::string device;
  std::string homepage;
  std::map<std::string, std::string> details;
  bool shared_memory = false;
  std::vector<OperatorSupport> supports;
  uint64_t max_elements = 0;
};
struct Prepared {
  uint64_t handle = 0;
};
struct OutputTensors {
  std::vector<TensorMessage> tensors;
};
struct Declined {
  std::string reason;
  std::string url{};
};
struct RefusedReply {
  std::string reason;
};
struct OtherOutputs {
  std::string changed;
  std::string text;
  OutputTensors outputs;
};
struct ErrorReply {
  enum class Kind : uint8_t { kFailed, kInvalidOutput, kNondeterministic, kHarness };
  std::string text;
  Kind kind = Kind::kFailed;
  OutputTensors first{};
  std::vector<OtherOutputs> others{};
};
struct Reply {
  uint64_t seq = 0;
  std::variant<std::monostate, HelloReply, Prepared, OutputTensors, Declined,
               RefusedReply, ErrorReply>
      body{};
};

// The bytes of the length in front of a message.
inline constexpr uint64_t kLengthBytes = 4;

// Returns the length of the message that `bytes` begin with; nothing where they end
// within it. It may be more than kMaxMessageBytes.
std::optional<uint64_t> FrameLength(std::string_view bytes);

// Appends the message with its length in front to `out`. An Error, with nothing
// appended, where it is longer than kMaxMessageBytes.
Status AppendFrame(Request request, std::string& out);
Status AppendFrame(Reply reply, std::string& out);

// `bytes` without the length. An Error where they are no such message.
Result<Request> ParseRequest(std::string_view bytes);
Result<Reply> ParseReply(std::string_view bytes);

}  // namespace qconform::worker

#endif  // QCONFORM_HARNESS_BACKENDS_PROCESS_MESSAGES_H_
