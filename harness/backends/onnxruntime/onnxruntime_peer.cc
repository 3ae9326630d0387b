#include <map>
#include <utility>

#include "cases/model/serialize.h"
#include "harness/backends/onnxruntime/onnxruntime_backend.h"
#include "harness/backends/onnxruntime/session.h"
#include "oracle/base/expected.h"

namespace qconform {
namespace {

using SessionPtr = std::shared_ptr<const ort::Session>;

class OrtPeerNode : public PeerNode {
 public:
  explicit OrtPeerNode(SessionPtr session) : session_(std::move(session)) {}

  Status Bind(std::span<const TensorView> inputs, const MutableTensorView& y) {
    const auto bind = [&](const TensorView& view) -> Status {
      auto value = ort::WrapTensor(session_->runtime(), view.type, view.shape, view.data);
      if (const auto* failure = std::get_if<ort::Failure>(&value))
        return Error{failure->text};
      owned_.push_back(std::get<ort::Owned<OrtValue>>(std::move(value)));
      return Ok();
    };
    for (const TensorView& input : inputs) {
      if (const Status bound = bind(input); !bound) return bound.error();
      fed_.push_back(owned_.back().get());
    }
    if (const Status bound = bind({y.type, y.shape, y.data}); !bound)
      return bound.error();
    y_ = owned_.back().get();
    return Ok();
  }

  Status Run() override {
    OrtValue* y = y_;
    const auto failure = session_->Run(fed_, {&y, 1});
    if (failure) return Error{failure->text};
    return Ok();
  }

 private:
  SessionPtr session_;
  std::vector<ort::Owned<OrtValue>> owned_;
  std::vector<const OrtValue*> fed_;
  OrtValue* y_ = nullptr;
};

class OrtPeer : public Peer {
 public:
  OrtPeer(OnnxRuntimeOptions options, std::shared_ptr<const ort::Runtime> runtime)
      : options_(std::move(options)) {
    name_ = "onnxruntime " + runtime->library().version();
    runtimes_[options_.threads] = std::move(runtime);
  }

  std::string name() const override { return name_; }

  Result<std::unique_ptr<PeerNode>> Prepare(const Model& model,
                                            std::span<const TensorView> inputs,
                                            const MutableTensorView& y,
                                            int threads) override {
    std::shared_ptr<const ort::Runtime>& runtime = runtimes_[threads];
    if (runtime == nullptr) {
      OnnxRuntimeOptions options = options_;
      options.threads = threads;
      auto made = ort::Runtime::Create(options);
      if (!made) return made.error();
      runtime = *std::move(made);
    }
    const std::string lacking = ort::LackingTypes(*runtime, model);
    if (!lacking.empty()) return Error{lacking};
    auto made = ort::Session::Create(runtime, ort::NamesOf(model), SerializeModel(model));
    if (const auto* failure = std::get_if<ort::Failure>(&made))
      return Error{failure->text};
    auto node = std::make_unique<OrtPeerNode>(std::get<SessionPtr>(std::move(made)));
    if (const Status bound = node->Bind(inputs, y); !bound) return bound.error();
    return std::unique_ptr<PeerNode>(std::move(node));
  }

 private:
  OnnxRuntimeOptions options_;
  std::string name_;
  std::map<int, std::shared_ptr<const ort::Runtime>> runtimes_;  // by threads
};

}  // namespace

Result<std::unique_ptr<Peer>> MakeOnnxRuntimePeer(
    const std::map<std::string, std::string>& options) {
  if (options.contains("threads")) {
    return Expected("peer option threads", "--threads of bench instead", "an option");
  }
  auto parsed = ParseOnnxRuntimeOptions(options);
  if (!parsed) return parsed.error();
  auto runtime = ort::Runtime::Create(*parsed);
  if (!runtime) return runtime.error();
  return std::unique_ptr<Peer>(
      std::make_unique<OrtPeer>(*std::move(parsed), *std::move(runtime)));
}

}  // namespace qconform
