#include "harness/backends/process/handshake.h"

#include <algorithm>
#include <string>
#include <utility>

#include "cases/model/serialize.h"
#include "oracle/base/expected.h"

namespace qconform {
namespace {

Status CheckHelloText(const std::string& what, const std::string& text) {
  if (text.size() <= kLongestHelloText) return Ok();
  return Expected(
      "hello",
      "a " + what + " of at most " + std::to_string(kLongestHelloText) + " bytes",
      std::to_string(text.size()) + " bytes");
}

// Returns the elements of the largest input, constant or output; tensors with named
// dimensions are not counted.
uint64_t LargestTensor(const Model& model) {
  uint64_t most = 0;
  const auto look = [&](const Shape& shape) {
    most = std::max(most, static_cast<uint64_t>(ElementCount(shape).value_or(0)));
  };
  for (const ValueInfo& input : model.inputs) look(input.shape);
  for (const Initializer& constant : model.initializers) look(constant.tensor.shape);
  for (const ValueInfo& output : model.outputs) look(output.shape);
  return most;
}

}  // namespace

Status CheckHello(const worker::HelloReply& about) {
  for (const auto& [what, text] : {std::pair("name", &about.name()),
                                   {"version", &about.version()},
                                   {"vendor", &about.vendor()},
                                   {"device", &about.device()},
                                   {"homepage", &about.homepage()}}) {
    if (const Status fits = CheckHelloText(what, *text); !fits) return fits;
  }
  if (about.details().size() > kMostHelloDetails) {
    return Expected("hello", "at most " + std::to_string(kMostHelloDetails) + " details",
                    std::to_string(about.details().size()));
  }
  for (const auto& [key, value] : about.details()) {
    if (const Status fits = CheckHelloText("detail's key", key); !fits) return fits;
    if (const Status fits = CheckHelloText("detail", value); !fits) return fits;
  }
  return Ok();
}

std::optional<Unsupported> DeclinedByHello(const worker::HelloReply& about,
                                           const Model& model) {
  if (about.max_elements() > 0 && LargestTensor(model) > about.max_elements()) {
    return Unsupported{"its handshake says that it takes at most " +
                           std::to_string(about.max_elements()) + " elements in a tensor",
                       ""};
  }
  if (about.supports().empty()) return std::nullopt;
  for (const Node& node : NodesOf(model.node)) {
    const bool listed = std::ranges::any_of(
        about.supports(), [&](const worker::OperatorSupport& support) {
          const int last = support.last_opset_version();
          return support.op_type() == node.op_type &&
                 model.opset_version >= support.first_opset_version() &&
                 (last == 0 || model.opset_version <= last);
        });
    if (listed) continue;
    return Unsupported{node.op_type + " of opset_version " +
                           std::to_string(model.opset_version) +
                           " is not in the list of its handshake",
                       ""};
  }
  return std::nullopt;
}

std::optional<Unsupported> WholeDeclinedByHello(const worker::HelloReply& about,
                                                const WholeModel& model) {
  if (about.supports().empty()) return std::nullopt;
  const auto operators = OperatorsOf(model.bytes);
  if (!operators) return std::nullopt;  // the worker says what it thinks of it
  for (const std::string& op_type : *operators) {
    const bool listed = std::ranges::any_of(about.supports(),
                                            [&](const worker::OperatorSupport& support) {
                                              return support.op_type() == op_type;
                                            });
    if (listed) continue;
    return Unsupported{op_type + " is not in the list of its handshake", ""};
  }
  return std::nullopt;
}

}  // namespace qconform
