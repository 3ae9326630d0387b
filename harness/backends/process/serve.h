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

// Moves the protocol off stdin and stdout, so that libraries may print, makes the
// backend and answers requests until the harness goes. Where `make` fails, hello is
// answered with that error. Returns an Error where the harness sends what is no
// message, or does not read.
Status ServeBackend(const std::function<Result<std::unique_ptr<Backend>>()>& make);

// The two files that the protocol moved to; what was stdout goes to stderr now.
struct ProtocolFiles {
  int in = -1;
  int out = -1;
};
ProtocolFiles TakeStandardFiles();

// Reads whole messages (without their lengths), many at a time.
class FrameReader {
 public:
  explicit FrameReader(int fd) : fd_(fd) {}
  // Nothing at the end of the file. The bytes stay valid until the next call.
  Result<std::optional<std::string_view>> Next();
  // Whether a whole message behind the last one has been read already.
  bool HasAnother() const;

 private:
  int fd_;
  std::string buffer_;
  size_t taken_ = 0;
};

// Writes all of it.
Status WriteAll(int fd, std::string_view bytes);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_PROCESS_SERVE_H_
