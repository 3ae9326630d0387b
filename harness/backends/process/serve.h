// The worker's side of worker.proto, for any backend of this program.
#ifndef QCONFORM_HARNESS_BACKENDS_PROCESS_SERVE_H_
#define QCONFORM_HARNESS_BACKENDS_PROCESS_SERVE_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "harness/backends/backend.h"
#include "oracle/base/result.h"

namespace qconform {

// Moves the protocol away from stdin and stdout, so that libraries may print, makes the
// backend, and answers requests until the harness closes the pipe. If `make` fails, hello
// is answered with that error. Returns an Error if the harness sends something else than
// messages, or does not read.
Status ServeBackend(const std::function<Result<std::unique_ptr<Backend>>()>& make);

// The two files that the protocol moved to; stdout now goes to stderr.
struct ProtocolFiles {
  int in = -1;
  int out = -1;
};
ProtocolFiles TakeStandardFiles();

// Reads complete messages (without their lengths), many at a time.
class FrameReader {
 public:
  explicit FrameReader(int fd) : fd_(fd) {}
  // Returns nothing at the end of the file, and an Error if that is inside a message. The
  // bytes are valid until the next call.
  Result<std::optional<std::string_view>> Next();
  // Returns whether the next message has been read completely already.
  bool HasAnother() const;

 private:
  int fd_;
  std::string buffer_;
  size_t taken_ = 0;
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_PROCESS_SERVE_H_
