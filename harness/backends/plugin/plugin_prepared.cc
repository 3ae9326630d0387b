#include "harness/backends/plugin/plugin_prepared.h"

#include <algorithm>
#include <cfenv>
#include <cstring>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/backends/crash_report.h"
#include "harness/backends/in_place.h"
#include "harness/backends/plugin/plugin_node.h"
#include "harness/backends/plugin/plugin_thrown.h"
#include "harness/backends/same_bits.h"
#include "harness/core/operands.h"

namespace qconform {
namespace {

// The places of the tensors of one run, and what outputs hold before it.
struct Placement {
  bool at_end = true;
  size_t offset = 0;  // elements after the page in front, modulo kOffsets
  std::byte poison{0x5A};
  // Writing to an operand is a fault. Elsewhere it is found afterwards, but not if the
  // kernel puts back what it found.
  bool read_only = false;

  // Returns that of the next tensor: if one is aligned, most others are not.
  void Next() { offset = (offset + 5) % kOffsets; }

  static constexpr size_t kOffsets = 16;
};
constexpr std::byte kFirstPoison{0x5A};
constexpr std::byte kSecondPoison{0xA5};
constexpr std::byte kThirdPoison{0x33};
// Cases of more bytes run only once, because they belong to sweeps, where time matters;
// small cases of the same kind ran twice.
constexpr size_t kTwiceBytes = size_t{1} << 17;
// Nobody splits fewer elements among threads.
constexpr size_t kThreadedBytes = 4096;

// Cases of more bytes are no cases of cells.
constexpr size_t kMostThreadedBytes = size_t{1} << 20;

// Returns the numbers of threads with which a case runs again: one of 2, 3 and 4, and one
// of 5 to 8, because a kernel that cuts x into three or five parts may be wrong where
// halves and quarters are right. They are functions of the case, so that a replay does
// the same.
std::vector<int32_t> OtherThreads(int32_t threads, size_t bytes) {
  if (threads != 1) return {1};
  const auto turn = static_cast<int32_t>(bytes / Placement::kOffsets % 12);
  return {2 + turn % 3, 5 + turn % 4};
}

BackendError Invalid(std::string text) {
  return {BackendError::Kind::kInvalidOutput, std::move(text)};
}

BackendError Failed(std::string text) {
  return {BackendError::Kind::kFailed, std::move(text)};
}

size_t ElementBytes(DataType type) {
  return std::max<size_t>(1, static_cast<size_t>(BitWidth(type)) / 8);
}

template <size_t size>
std::string Text(char (&buffer)[size]) {
  return {buffer, strnlen(buffer, size)};
}

// Translates a status other than OK; `T` is PrepareResult or RunResult.
template <typename T>
T Declined(int status, qconform_reason& reason) {
  std::string text = Text(reason.text);
  if (text.empty()) text = "no reason given";
  switch (status) {
    case QCONFORM_UNSUPPORTED:
      return Unsupported{std::move(text), Text(reason.url)};
    case QCONFORM_REFUSED:
      return Refused{std::move(text)};
    case QCONFORM_ERROR:
      return Failed(std::move(text));
    default:
      return Failed("status: expected a value of qconform_status, got " +
                    std::to_string(status));
  }
}

class PluginPrepared : public PreparedModel, public RunsInPlace {
 public:
  PluginPrepared(const PluginCalls& calls, GuardedPool& pool,
                 std::unique_ptr<PluginNode> node, void* instance)
      : calls_(calls),
        pool_(pool),
        node_(std::move(node)),
        declared_(node_->model().outputs),
        instance_(instance) {}
  ~PluginPrepared() override {
    const auto thrown =
        ThrownBy("destroy", [this] { calls_.plugin->destroy(instance_); });
    if (thrown) *calls_.thrown_by_destroy = *thrown;
  }

  RunResult Run(std::span<const TensorView> inputs) override {
    const auto operands = ResolveOperands(node_->model(), inputs);
    if (!operands) return HarnessFailed(operands.error());
    const Status sized = SizeOutputs(node_->model(), *operands, declared_);
    if (!sized) return HarnessFailed(sized.error());
    size_t bytes = 0;
    for (const TensorView& input : inputs) bytes += input.data.size();
    for (size_t i = 0; i < node_->model().node.outputs.size(); ++i) {
      bytes += CapacityOf(i, *operands);
    }
    const Placement here{true, 0, kFirstPoison};
    // The offset is a function of the case, so that a replay does the same.
    const Placement elsewhere{false, bytes % Placement::kOffsets, kSecondPoison, true};
    const bool runs_twice = bytes <= kTwiceBytes;
    // Every second run begins at the place where the one before, of this model or of
    // another, ended: other contents at the same addresses, with nothing in between.
    std::optional<RunResult> second;
    if (runs_twice && (*calls_.runs)++ % 2 == 1) second = RunOnce(*operands, elsewhere);
    RunResult first = RunOnce(*operands, here);
    auto* outputs = std::get_if<Outputs>(&first);
    if (outputs == nullptr) return first;
    std::vector<OtherAnswer> others;
    if (runs_twice) {
      if (!second) second = RunOnce(*operands, elsewhere);
      if (auto wrong = Differs(*operands, *outputs, *std::move(second), "alignment",
                               "with its tensors elsewhere in memory", others)) {
        return *wrong;
      }
      if (!others.empty()) {
        // The place is the cause only if each place by itself gives the same bits again.
        const RunResult elsewhere_again = RunOnce(*operands, elsewhere);
        const RunResult here_again = RunOnce(*operands, here);
        BlameRepetition(*outputs, elsewhere_again, here_again, others.back());
      }
    }
    if (calls_.threads > 0 && bytes >= kThreadedBytes && bytes <= kMostThreadedBytes) {
      for (const int32_t count : OtherThreads(calls_.threads, bytes)) {
        if (auto thrown = SetThreads(count)) return *thrown;
        RunResult other = RunOnce(*operands, {true, 0, kSecondPoison});
        if (auto thrown = SetThreads(calls_.threads)) return *thrown;
        if (auto wrong = Differs(*operands, *outputs, std::move(other), "threads",
                                 "with another number of threads", others)) {
          return *wrong;
        }
      }
    }
    if (others.empty()) return first;
    return Unsteady(std::move(*outputs), std::move(others));
  }

  std::optional<Answer> RunInPlace(std::span<const TensorView> inputs,
                                   std::span<std::byte> room) override {
    const auto operands = ResolveOperands(node_->model(), inputs);
    if (!operands || node_->model().node.outputs.size() != 1) return std::nullopt;
    if (!SizeOutputs(node_->model(), *operands, declared_)) return std::nullopt;
    const size_t capacity = CapacityOf(0, *operands);
    size_t bytes = capacity;
    for (const TensorView& input : inputs) bytes += input.data.size();
    if (bytes <= kTwiceBytes || capacity + GuardedBuffer::kCanaryBytes > room.size()) {
      return std::nullopt;
    }
    std::vector<Placed> constants;
    std::vector<Shape> shapes(operands->size());
    std::vector<qconform_tensor> tensors(operands->size());
    std::vector<const qconform_tensor*> pointers(operands->size());
    for (size_t i = 0; i < operands->size(); ++i) {
      if (!(*operands)[i]) continue;
      const TensorView& operand = *(*operands)[i];
      const std::byte* data = operand.data.data();
      const bool is_fed =
          std::any_of(inputs.begin(), inputs.end(),
                      [&](const auto& input) { return input.data.data() == data; });
      if (!is_fed) {
        auto placed = Place(operand.data.size(), operand.type, {});
        if (!placed) return HarnessFailed(placed.error());
        std::copy(operand.data.begin(), operand.data.end(), placed->bytes.begin());
        data = placed->bytes.data();
        constants.push_back(*std::move(placed));
      }
      tensors[i] = TensorOf(operand, shapes[i], data);
      pointers[i] = &tensors[i];
    }
    const auto canary = room.subspan(room.size() - capacity - GuardedBuffer::kCanaryBytes,
                                     GuardedBuffer::kCanaryBytes);
    const auto y = room.last(capacity);
    std::fill(canary.begin(), canary.end(), kSecondPoison);
    qconform_output output{};
    std::vector<qconform_output*> output_pointers{&output};
    std::vector<Outputs> with_other_threads;
    if (calls_.threads > 0 && bytes <= kMostThreadedBytes) {
      for (const int32_t count : OtherThreads(calls_.threads, bytes)) {
        output = OutputOf(0, y, kSecondPoison);
        if (auto thrown = SetThreads(count)) return *thrown;
        RunResult other = Call(pointers, output_pointers);
        if (auto thrown = SetThreads(calls_.threads)) return *thrown;
        if (auto instead = AnswerInstead<RunsInPlace::Answer>(other)) return instead;
        auto described = Describe(0, output, y);
        if (auto* error = std::get_if<BackendError>(&described)) return *error;
        with_other_threads.push_back({Copied(std::get<RunsInPlace::Output>(described))});
      }
    }
    output = OutputOf(0, y, kFirstPoison);
    RunResult called = Call(pointers, output_pointers);
    if (auto instead = AnswerInstead<RunsInPlace::Answer>(called)) return instead;
    if (auto wrong = CheckShapes(*operands, shapes)) return *wrong;
    if (!node_->ConstantsIntact()) return Invalid("wrote to a constant of the model");
    if (std::any_of(canary.begin(), canary.end(),
                    [](std::byte byte) { return byte != kSecondPoison; })) {
      return Invalid("wrote outside of output 0");
    }
    auto described = Describe(0, output, y);
    if (auto* error = std::get_if<BackendError>(&described)) return *error;
    const auto& answer = std::get<RunsInPlace::Output>(described);
    if (!with_other_threads.empty()) {
      const Outputs first{Copied(answer)};
      std::vector<OtherAnswer> others;
      for (Outputs& other : with_other_threads) {
        if (auto wrong = Differs(*operands, first, std::move(other), "threads",
                                 "with another number of threads", others)) {
          return *wrong;
        }
      }
      if (!others.empty()) return Unsteady(first, std::move(others));
    }
    return answer;
  }

 private:
  struct Placed {
    GuardedPool::Lease lease;
    std::span<std::byte> bytes;
  };

  static Tensor Copied(const RunsInPlace::Output& y) {
    return {y.type, y.shape, {y.data.begin(), y.data.end()}};
  }

  static BackendError Unsteady(Outputs first, std::vector<OtherAnswer> others) {
    BackendError error{BackendError::Kind::kNondeterministic, others.front().text};
    error.unsteady = std::make_shared<const UnsteadyAnswer>(
        UnsteadyAnswer{std::move(first), std::move(others)});
    return error;
  }

  // Copies the shape to `shown`, to which the plugin may write by mistake.
  static qconform_tensor TensorOf(const TensorView& operand, Shape& shown,
                                  const std::byte* data) {
    shown.assign(operand.shape.begin(), operand.shape.end());
    return {sizeof(qconform_tensor),
            static_cast<int32_t>(operand.type),
            shown.data(),
            shown.size(),
            data,
            operand.data.size()};
  }

  // Returns the declared tensor in `bytes`, which it fills.
  qconform_output OutputOf(size_t index, std::span<std::byte> bytes,
                           std::byte poison) const {
    qconform_output output{};
    output.struct_size = sizeof output;
    DataType type = DataType::kUndefined;
    if (index < declared_.size()) {
      const Shape& shape = declared_[index].shape;
      type = declared_[index].type;
      output.rank = std::min<size_t>(shape.size(), QCONFORM_MAX_RANK);
      std::copy_n(shape.begin(), output.rank, output.dims);
    }
    output.data_type = static_cast<int32_t>(type);
    output.capacity = bytes.size();
    output.data = bytes.data();
    std::fill(bytes.begin(), bytes.end(), poison);
    return output;
  }

  // Returns what was written to `room`, with the type and shape that the plugin gives:
  // the comparison says what is wrong with them. Data end at the end of the room.
  static std::variant<RunsInPlace::Output, BackendError> Describe(
      size_t index, const qconform_output& output, std::span<const std::byte> room) {
    if (output.rank > QCONFORM_MAX_RANK) {
      return Invalid("output " + std::to_string(index) + " has the rank " +
                     std::to_string(output.rank));
    }
    const auto type = static_cast<DataType>(output.data_type);
    Shape shape(output.dims, output.dims + output.rank);
    const auto count = ElementCount(shape);
    const size_t bytes = count ? PackedByteSize(type, *count) : 0;
    return RunsInPlace::Output{type, std::move(shape),
                               room.first(std::min(bytes, room.size()))};
  }

  Result<Placed> Place(size_t size, DataType type, const Placement& placement) {
    const size_t room = placement.at_end ? 0 : Placement::kOffsets * ElementBytes(type);
    auto lease = pool_.Take(size + room);
    if (!lease) return lease.error();
    const auto bytes =
        placement.at_end
            ? (*lease)->PlaceAtEnd(size)
            : (*lease)->PlaceAtStart(size, placement.offset * ElementBytes(type));
    return Placed{*std::move(lease), bytes};
  }

  // Returns the room for an output: as much as the model declares, or as the largest
  // input could need if the declaration makes no sense.
  size_t CapacityOf(size_t index, const Operands& operands) const {
    if (index < declared_.size() && declared_[index].type != DataType::kUndefined) {
      const auto count = ElementCount(declared_[index].shape);
      if (count && *count <= int64_t{1} << 34) {
        return PackedByteSize(declared_[index].type, *count);
      }
    }
    size_t most = 8;
    for (const auto& operand : operands) {
      if (!operand) continue;
      most = std::max(most, 8 * operand->data.size());
    }
    return most;
  }

  RunResult RunOnce(const Operands& operands, Placement placement) {
    std::vector<Placed> inputs(operands.size());
    std::vector<Shape> shapes(operands.size());
    std::vector<qconform_tensor> tensors(operands.size());
    std::vector<const qconform_tensor*> pointers(operands.size());
    for (size_t i = 0; i < operands.size(); ++i) {
      if (!operands[i]) continue;
      const TensorView& operand = *operands[i];
      auto placed = Place(operand.data.size(), operand.type, placement);
      if (!placed) return HarnessFailed(placed.error());
      placement.Next();
      inputs[i] = *std::move(placed);
      std::copy(operand.data.begin(), operand.data.end(), inputs[i].bytes.begin());
      tensors[i] = TensorOf(operand, shapes[i], inputs[i].bytes.data());
      pointers[i] = &tensors[i];
    }
    const size_t output_count = node_->model().node.outputs.size();
    std::vector<Placed> rooms(output_count);
    std::vector<qconform_output> outputs(output_count);
    std::vector<qconform_output*> output_pointers(output_count);
    for (size_t i = 0; i < output_count; ++i) {
      const DataType type =
          i < declared_.size() ? declared_[i].type : DataType::kUndefined;
      auto placed = Place(CapacityOf(i, operands), type, placement);
      if (!placed) return HarnessFailed(placed.error());
      placement.Next();
      rooms[i] = *std::move(placed);
      outputs[i] = OutputOf(i, rooms[i].bytes, placement.poison);
      output_pointers[i] = &outputs[i];
    }
    const auto set_read_only = [&](bool read_only) {
      if (!placement.read_only) return;
      for (const Placed& input : inputs) {
        if (input.lease) input.lease->SetReadOnly(read_only);
      }
      node_->SetConstantsReadOnly(read_only);
    };
    RunResult called;
    set_read_only(true);
    try {
      called = Call(pointers, output_pointers);
    } catch (...) {  // no memory: the pages are used again
      set_read_only(false);
      throw;
    }
    set_read_only(false);
    if (!std::holds_alternative<Outputs>(called)) return called;
    if (auto wrong = CheckShapes(operands, shapes)) return *wrong;
    if (auto wrong = CheckInputs(operands, inputs)) return *wrong;
    return Collect(outputs, rooms);
  }

  // The tensors of a call, for the report of a crash.
  std::vector<CalledTensor> TensorsOf(
      const std::vector<const qconform_tensor*>& operands,
      const std::vector<qconform_output*>& outputs) const {
    const Node& node = node_->model().node;
    std::vector<CalledTensor> tensors;
    const auto add = [&](const std::vector<std::string>& names, size_t i,
                         const void* data, size_t size, bool is_output) {
      const char* name = i < names.size() ? names[i].c_str() : "?";
      tensors.push_back({name, {static_cast<const std::byte*>(data), size}, is_output});
    };
    for (size_t i = 0; i < operands.size(); ++i) {
      if (operands[i] == nullptr) continue;
      add(node.inputs, i, operands[i]->data, operands[i]->data_size, false);
    }
    for (size_t i = 0; i < outputs.size(); ++i) {
      add(node.outputs, i, outputs[i]->data, outputs[i]->capacity, true);
    }
    return tensors;
  }

  // Returns the plugin's error, if it throws.
  std::optional<BackendError> SetThreads(int32_t count) const {
    const auto thrown =
        ThrownBy("set_threads", [&] { calls_.plugin->set_threads(count); });
    if (thrown) return Failed(*thrown);
    return std::nullopt;
  }

  // Returns empty Outputs on success.
  RunResult Call(const std::vector<const qconform_tensor*>& operands,
                 std::vector<qconform_output*>& outputs) {
    qconform_reason reason{};
    reason.struct_size = sizeof reason;
    const std::vector<CalledTensor> tensors = TensorsOf(operands, outputs);
    const TensorsOfCall call(tensors);
    std::fesetenv(FE_DFL_ENV);  // whatever the last call left
    int status = QCONFORM_ERROR;
    const auto thrown = ThrownBy("run", [&] {
      status = calls_.plugin->run(instance_, operands.data(), operands.size(),
                                  outputs.data(), outputs.size(), &reason);
    });
    std::fesetenv(FE_DFL_ENV);
    if (thrown) return Failed(*thrown);
    if (status != QCONFORM_OK) return Declined<RunResult>(status, reason);
    return Outputs{};
  }

  std::optional<BackendError> CheckShapes(const Operands& operands,
                                          const std::vector<Shape>& shapes) const {
    for (size_t i = 0; i < operands.size(); ++i) {
      if (operands[i] && !std::ranges::equal(operands[i]->shape, shapes[i])) {
        return Invalid("wrote to the dims of its input '" +
                       node_->model().node.inputs[i] + "'");
      }
    }
    return std::nullopt;
  }

  std::optional<BackendError> CheckInputs(const Operands& operands,
                                          const std::vector<Placed>& inputs) const {
    for (size_t i = 0; i < operands.size(); ++i) {
      if (!operands[i]) continue;
      const auto data = operands[i]->data;
      // std::equal compares std::byte one by one.
      const bool same = data.empty() || std::memcmp(data.data(), inputs[i].bytes.data(),
                                                    data.size()) == 0;
      if (!same || !inputs[i].lease->Intact()) {
        return Invalid("wrote to its input '" + node_->model().node.inputs[i] + "'");
      }
    }
    if (!node_->ConstantsIntact()) return Invalid("wrote to a constant of the model");
    return std::nullopt;
  }

  RunResult Collect(const std::vector<qconform_output>& outputs,
                    const std::vector<Placed>& rooms) const {
    Outputs collected;
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (!rooms[i].lease->Intact()) {
        return Invalid("wrote outside of output " + std::to_string(i));
      }
      auto described = Describe(i, outputs[i], rooms[i].bytes);
      if (auto* error = std::get_if<BackendError>(&described)) return *error;
      collected.push_back(Copied(std::get<RunsInPlace::Output>(described)));
    }
    return collected;
  }

  // Returns what is wrong with a second run whatever the right answer is, or nothing. If
  // it gave other bits, adds it to `others`.
  std::optional<BackendError> Differs(const Operands& operands, const Outputs& first,
                                      RunResult&& second, const std::string& changed,
                                      const std::string& how,
                                      std::vector<OtherAnswer>& others) {
    auto* outputs = std::get_if<Outputs>(&second);
    if (outputs == nullptr) {
      if (const auto* error = std::get_if<BackendError>(&second)) {
        return BackendError{error->kind, error->text + ", run again " + how};
      }
      return BackendError{BackendError::Kind::kNondeterministic,
                          "declined the same inputs when run again " + how};
    }
    if (!HaveSameForm(first, *outputs)) {
      return BackendError{BackendError::Kind::kNondeterministic,
                          "gave a different type or shape when run again " + how};
    }
    const auto where = FirstDifference(first, *outputs);
    if (!where) return std::nullopt;
    if (auto unwritten = FindUnwritten(operands, first, *outputs)) return unwritten;
    others.push_back({changed, *where + " differs when the case is run again " + how,
                      std::move(*outputs)});
    return std::nullopt;
  }

  // Says that an answer differs from run to run if the same runs, made again, gave other
  // bits where it differs from the first.
  static void BlameRepetition(const Outputs& first, const RunResult& other_again,
                              const RunResult& first_again, OtherAnswer& other) {
    const auto* others = std::get_if<Outputs>(&other_again);
    const auto* firsts = std::get_if<Outputs>(&first_again);
    if (others == nullptr || firsts == nullptr) return;
    if (!HaveSameForm(first, *others) || !HaveSameForm(first, *firsts)) return;
    bool differs = false;
    bool differs_each_time = false;
    for (size_t i = 0; i < first.size(); ++i) {
      for (size_t byte = 0; byte < first[i].data.size(); ++byte) {
        const std::set<std::byte> different{
            first[i].data[byte], other.outputs[i].data[byte], (*others)[i].data[byte],
            (*firsts)[i].data[byte]};
        if (first[i].data[byte] == other.outputs[i].data[byte]) continue;
        differs = differs || other.outputs[i].data[byte] != (*others)[i].data[byte] ||
                  first[i].data[byte] != (*firsts)[i].data[byte];
        differs_each_time = differs_each_time || different.size() > 2;
      }
    }
    if (!differs) return;
    const auto where = FirstDifference(first, other.outputs);
    other.changed = "repetition";
    other.text = where.value_or("an output") +
                 (differs_each_time ? " differs each time the case is run"
                                    : " differs when the case is run a second time");
  }

  // Returns the bytes that kept the fill of both runs and of a third one. Two runs are
  // not enough, because the specification may leave codes free to differ.
  std::optional<BackendError> FindUnwritten(const Operands& operands,
                                            const Outputs& first, const Outputs& second) {
    std::optional<RunResult> third;
    for (size_t i = 0; i < first.size(); ++i) {
      const auto& before = first[i].data;
      const auto& now = second[i].data;
      for (size_t byte = 0; byte < before.size(); ++byte) {
        if (before[byte] != kFirstPoison || now[byte] != kSecondPoison) continue;
        if (!third) third = RunOnce(operands, {true, 0, kThirdPoison});
        const auto* outputs = std::get_if<Outputs>(&*third);
        if (const auto* error = std::get_if<BackendError>(&*third)) {
          return BackendError{error->kind, error->text + ", run a third time"};
        }
        if (outputs == nullptr || !HaveSameForm(first, *outputs)) return std::nullopt;
        if ((*outputs)[i].data[byte] == kThirdPoison) {
          return Invalid("left " + ByteName(i, byte) + " unwritten");
        }
      }
    }
    return std::nullopt;
  }

  PluginCalls calls_;
  GuardedPool& pool_;
  std::unique_ptr<PluginNode> node_;
  std::vector<ValueInfo> declared_;  // the outputs, with the sizes of the present run
  void* instance_;
};

}  // namespace

PrepareResult PreparePlugin(const PluginCalls& calls, GuardedPool& pool,
                            const Model& model) {
  if (!calls.takes_names && HasNamedDimensions(model)) {
    return Unsupported{"its dynamic_shapes is 0: it does not take named dimensions", ""};
  }
  if (!calls.thrown_by_destroy->empty()) {
    return Failed(std::exchange(*calls.thrown_by_destroy, {}) +
                  ", when the model before was released");
  }
  auto node = PluginNode::Create(model, pool);
  if (!node) return HarnessFailed(node.error());
  void* instance = nullptr;
  qconform_reason reason{};
  reason.struct_size = sizeof reason;
  int status = QCONFORM_ERROR;
  std::fesetenv(FE_DFL_ENV);
  auto thrown = ThrownBy("create", [&] {
    status = calls.plugin->create(&(*node)->node(), &instance, &reason);
  });
  if (thrown) return Failed(*std::move(thrown));
  if (status != QCONFORM_OK) return Declined<PrepareResult>(status, reason);
  if (!(*node)->ConstantsIntact()) {
    thrown = ThrownBy("destroy", [&] { calls.plugin->destroy(instance); });
    if (thrown) return Failed(*std::move(thrown));
    return Invalid("create wrote to a constant of the model");
  }
  return std::make_unique<PluginPrepared>(calls, pool, *std::move(node), instance);
}

}  // namespace qconform
