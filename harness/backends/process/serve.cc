#include "harness/backends/process/serve.h"

#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "cases/model/serialize.h"
#include "harness/backends/in_place.h"
#include "harness/backends/process/compact_model.h"
#include "harness/backends/process/messages.h"
#include "harness/backends/process/shared_area.h"
#include "oracle/base/expected.h"

namespace qconform {
namespace {

using worker::Reply;
using worker::Request;

worker::TensorMessage ToMessage(const Tensor& tensor) {
  return {static_cast<int32_t>(tensor.type),
          tensor.shape,
          {reinterpret_cast<const char*>(tensor.data.data()), tensor.data.size()}};
}

class Server {
 public:
  explicit Server(Result<std::unique_ptr<Backend>> backend)
      : backend_(std::move(backend)) {}

  // Returns the reply to `request`; nothing for a release.
  std::optional<Reply> Answer(Request&& request) {
    Reply reply{request.seq, {}};
    if (const auto* release = std::get_if<worker::Release>(&request.body)) {
      prepared_.erase(release->handle);
      return std::nullopt;
    }
    if (auto* hello = std::get_if<worker::Hello>(&request.body)) {
      Greet(*hello, reply);
    } else if (auto* prepare = std::get_if<worker::Prepare>(&request.body)) {
      Prepare(*prepare, reply);
    } else if (auto* run = std::get_if<worker::Run>(&request.body)) {
      Run(*run, reply);
    } else {
      reply.body = worker::ErrorReply{"unknown request"};
    }
    return reply;
  }

 private:
  void Greet(const worker::Hello& hello, Reply& reply) {
    if (!backend_) {
      reply.body = worker::ErrorReply{backend_.error().message};
      return;
    }
    if (!hello.shared_memory_path.empty()) {
      auto shared = SharedArea::Open(hello.shared_memory_path, hello.shared_memory_size);
      if (shared) shared_ = *std::move(shared);
    }
    const BackendInfo& info = (*backend_)->info();
    reply.body = worker::HelloReply{.name = info.name,
                                    .version = info.version,
                                    .vendor = info.vendor,
                                    .device = info.device,
                                    .homepage = "",
                                    .details = info.details,
                                    .shared_memory = shared_ != nullptr,
                                    .supports = {},
                                    .max_elements = 0};
  }

  void Prepare(const worker::Prepare& prepare, Reply& reply) {
    const auto model = prepare.compact_model.empty()
                           ? ParseModel(prepare.model)
                           : DecodeCompactModel(prepare.compact_model);
    if (!model && !prepare.compact_model.empty()) {
      reply.body = ToReply(HarnessFailed(model.error()));
      return;
    }
    if (!model) {
      reply.body = worker::RefusedReply{model.error().message};
      return;
    }
    if (!backend_) {
      reply.body = worker::ErrorReply{backend_.error().message};
      return;
    }
    PrepareResult prepared = (*backend_)->Prepare(*model);
    if (auto* ready = std::get_if<std::unique_ptr<PreparedModel>>(&prepared)) {
      // The request's number is the handle, so that the harness can use it at once.
      prepared_[reply.seq] = std::move(*ready);
      reply.body = worker::Prepared{reply.seq};
    } else if (auto* unsupported = std::get_if<Unsupported>(&prepared)) {
      reply.body = worker::Declined{unsupported->reason, unsupported->url};
    } else if (auto* refused = std::get_if<Refused>(&prepared)) {
      reply.body = worker::RefusedReply{refused->reason};
    } else {
      reply.body = ToReply(std::get<BackendError>(std::move(prepared)));
    }
  }

  void Run(const worker::Run& run, Reply& reply) {
    const auto found = prepared_.find(run.handle);
    if (found == prepared_.end()) {
      reply.body =
          worker::ErrorReply{"no model has the handle " + std::to_string(run.handle)};
      return;
    }
    std::vector<TensorView> inputs;
    bool any_shared = false;
    for (const worker::TensorMessage& input : run.inputs) {
      std::span<const std::byte> data = std::as_bytes(std::span(input.data));
      if (input.shared) {
        any_shared = true;
        data = shared_ ? shared_->At(input.shared->offset, input.shared->size)
                       : std::span<std::byte>();
        if (data.size() != input.shared->size) {
          reply.body = worker::ErrorReply{"an input lies outside of the shared memory"};
          return;
        }
      }
      inputs.push_back(
          {DataTypeFromNumber(input.data_type).value_or(DataType::kUndefined), input.dims,
           data});
    }
    const bool guarded = run.guarded && Guard(run);
    if (any_shared && !guarded) shared_->Protect({});
    if (guarded && RunGuarded(*found->second, inputs, run.output_room, reply)) return;
    RunResult result = found->second->Run(inputs);
    if (auto* outputs = std::get_if<Outputs>(&result)) {
      reply.body = Pack(*outputs, run.output_room);
    } else if (auto* unsupported = std::get_if<Unsupported>(&result)) {
      reply.body = worker::Declined{unsupported->reason, unsupported->url};
    } else if (auto* refused = std::get_if<Refused>(&result)) {
      reply.body = worker::RefusedReply{refused->reason};
    } else {
      reply.body = ToReply(std::get<BackendError>(std::move(result)));
    }
  }

  // Makes the pages of the inputs read-only, and the pages after them and after the room
  // for outputs inaccessible. Returns false if their places do not allow that.
  bool Guard(const worker::Run& run) {
    static const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    std::vector<SharedArea::Pages> pages;
    const auto end_of = [](const worker::SharedRange& range) {
      return range.offset + range.size;
    };
    if (!shared_ || end_of(run.output_room) % page != 0) return false;
    for (const worker::TensorMessage& input : run.inputs) {
      if (!input.shared || end_of(*input.shared) % page != 0) return false;
      const uint64_t first = input.shared->offset / page * page;
      const uint64_t end = end_of(*input.shared);
      if (end > first) pages.push_back({first, end - first, true});
      pages.push_back({end, page, false});
    }
    pages.push_back({end_of(run.output_room), page, false});
    return shared_->Protect(pages);
  }

  // Returns whether the model was run in place.
  bool RunGuarded(PreparedModel& model, std::span<const TensorView> inputs,
                  const worker::SharedRange& room, Reply& reply) {
    auto* in_place = dynamic_cast<RunsInPlace*>(&model);
    if (in_place == nullptr) return false;
    auto result = in_place->RunInPlace(inputs, shared_->At(room.offset, room.size));
    if (!result) return false;
    if (auto* output = std::get_if<RunsInPlace::Output>(&*result)) {
      worker::TensorMessage message;
      message.data_type = static_cast<int32_t>(output->type);
      message.dims = std::move(output->shape);
      const std::byte* begin = shared_->At(0, 1).data();
      message.shared = worker::SharedRange{
          static_cast<uint64_t>(output->data.data() - begin), output->data.size()};
      worker::OutputTensors outputs;
      outputs.tensors.push_back(std::move(message));
      reply.body = std::move(outputs);
    } else if (auto* unsupported = std::get_if<Unsupported>(&*result)) {
      reply.body = worker::Declined{unsupported->reason, unsupported->url};
    } else if (auto* refused = std::get_if<Refused>(&*result)) {
      reply.body = worker::RefusedReply{refused->reason};
    } else {
      reply.body = ToReply(std::get<BackendError>(std::move(*result)));
    }
    return true;
  }

  worker::ErrorReply ToReply(BackendError&& error) const {
    worker::ErrorReply reply{std::move(error.text)};
    if (error.kind == BackendError::Kind::kInvalidOutput) {
      reply.kind = worker::ErrorReply::Kind::kInvalidOutput;
    } else if (error.kind == BackendError::Kind::kNondeterministic) {
      reply.kind = worker::ErrorReply::Kind::kNondeterministic;
    } else if (error.kind == BackendError::Kind::kHarness) {
      reply.kind = worker::ErrorReply::Kind::kHarness;
    }
    if (error.unsteady == nullptr) return reply;
    reply.first = Pack(error.unsteady->first, {});
    for (const OtherAnswer& other : error.unsteady->others) {
      reply.others.push_back({other.changed, other.text, Pack(other.outputs, {})});
    }
    return reply;
  }

  // Puts outputs into `room` as far as they fit, and the others into the message.
  worker::OutputTensors Pack(const Outputs& outputs, worker::SharedRange room) const {
    worker::OutputTensors packed;
    for (const Tensor& output : outputs) {
      const uint64_t size = output.data.size();
      const auto place = shared_ && size > 0 && size <= room.size
                             ? shared_->At(room.offset, size)
                             : std::span<std::byte>();
      if (place.empty()) {
        packed.tensors.push_back(ToMessage(output));
        continue;
      }
      std::memcpy(place.data(), output.data.data(), size);
      packed.tensors.push_back({.data_type = static_cast<int32_t>(output.type),
                                .dims = output.shape,
                                .data = {},
                                .shared = worker::SharedRange{room.offset, size}});
      room.offset += size;
      room.size -= size;
    }
    return packed;
  }

  Result<std::unique_ptr<Backend>> backend_;
  std::unique_ptr<SharedArea> shared_;
  std::map<uint64_t, std::unique_ptr<PreparedModel>> prepared_;
};

}  // namespace

bool FrameReader::HasAnother() const {
  const std::string_view left = std::string_view(buffer_).substr(taken_);
  const auto length = worker::FrameLength(left);
  return length && left.size() >= worker::kLengthBytes + *length;
}

Result<std::optional<std::string_view>> FrameReader::Next() {
  buffer_.erase(0, taken_);
  taken_ = 0;
  for (;;) {
    if (const auto length = worker::FrameLength(buffer_)) {
      if (*length > worker::kMaxMessageBytes) {
        return Expected("message",
                        "at most " + std::to_string(worker::kMaxMessageBytes) + " bytes",
                        std::to_string(*length));
      }
      const uint64_t size = worker::kLengthBytes + *length;
      if (buffer_.size() >= size) {
        taken_ = size;
        return std::optional(
            std::string_view(buffer_).substr(worker::kLengthBytes, *length));
      }
      buffer_.reserve(size);
    }
    std::array<char, 65536> chunk;
    const ssize_t got = read(fd_, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Error{std::string("cannot read: ") + std::strerror(errno)};
    if (got == 0) return std::optional<std::string_view>();
    buffer_.append(chunk.data(), static_cast<size_t>(got));
  }
}

Status WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = write(fd, bytes.data(), bytes.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return Error{std::string("cannot write: ") + std::strerror(errno)};
    bytes.remove_prefix(static_cast<size_t>(wrote));
  }
  return Ok();
}

ProtocolFiles TakeStandardFiles() {
  const ProtocolFiles files{fcntl(0, F_DUPFD_CLOEXEC, 3), fcntl(1, F_DUPFD_CLOEXEC, 3)};
  const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (null >= 0) {
    dup2(null, 0);
    close(null);
  }
  dup2(2, 1);
  return files;
}

Status ServeBackend(const std::function<Result<std::unique_ptr<Backend>>()>& make) {
#ifdef __GLIBC__
  // Keeps freed memory mapped, because large tensors come and go with every case and
  // each page fault costs time. (glibc takes at most 32 MiB here.)
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 512 << 20);
#endif
  const ProtocolFiles files = TakeStandardFiles();
  Server server(make());
  FrameReader reader(files.in);
  std::string out;
  for (;;) {
    const auto frame = reader.Next();
    if (!frame) return frame.error();
    if (!frame->has_value()) return Ok();
    auto request = worker::ParseRequest(**frame);
    if (!request) return request.error();
    const uint64_t seq = request->seq;
    auto reply = server.Answer(*std::move(request));
    if (reply) {
      const Status fits = worker::AppendFrame(*std::move(reply), out);
      if (!fits) {
        const Status told = worker::AppendFrame(
            Reply{seq, worker::ErrorReply{fits.error().message,
                                          worker::ErrorReply::Kind::kHarness}},
            out);
        if (!told) return told.error();
      }
    }
    // Requests that came together are answered together.
    if (out.empty() || reader.HasAnother()) continue;
    const Status written = WriteAll(files.out, out);
    if (!written) return written.error();
    out.clear();
  }
}

}  // namespace qconform
