// How much a worker may answer, checked in the bytes of a reply before anything is made
// of them: a reply of 64 MiB can name millions of tensors, dimensions or details, and
// each costs many times its bytes once it is read.
#ifndef QCONFORM_HARNESS_BACKENDS_PROCESS_REPLY_LIMITS_H_
#define QCONFORM_HARNESS_BACKENDS_PROCESS_REPLY_LIMITS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "cases/model/model.h"
#include "harness/backends/whole_model.h"
#include "oracle/base/result.h"

namespace qconform {

// Of each text but those of hello, which are shorter (handshake.h).
inline constexpr uint64_t kLongestReplyText = uint64_t{64} << 10;

// The limits of one reply; each counts what the whole reply has together. The defaults
// are those of a reply that has no outputs, and of the wrong ones in its place.
struct ReplyLimits {
  uint64_t tensors = 16;
  uint64_t dimensions = 1024;
  // Of the elements of all tensors, in the message and in shared memory.
  uint64_t data_bytes = uint64_t{1} << 20;
  uint64_t other_answers = 16;   // of an error, from our own child
  uint64_t unknown_fields = 64;  // of a later version of the protocol

  // Returns the longest reply, in bytes without its length prefix.
  uint64_t message_bytes() const;
};

// Returns the limits of a reply to a run of `model`. They leave room for wrong answers,
// which the judge describes: 16 outputs more than the model has, ranks up to 64, and 16
// times the bytes of all operands and outputs with 8 bytes for each element. With named
// dimensions the outputs may be as large as a worker can send. `is_own`: the worker is
// qconform's own program, which also sends the answers of other runs.
ReplyLimits RunReplyLimits(const Model& model, bool is_own);
// The same for a whole model, whose outputs may be as large as a worker can send.
ReplyLimits RunReplyLimits(const WholeModel& model);

// Returns an Error if the serialized worker::Reply has more than `limits`, or cannot be
// one: "15000000 outputs" never become tensors. `what` is the reply's name in the Error.
// Takes time linear in the bytes and allocates nothing for them.
Status CheckReply(const std::string& what, std::string_view bytes,
                  const ReplyLimits& limits);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_PROCESS_REPLY_LIMITS_H_
