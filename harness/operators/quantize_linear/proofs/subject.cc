#include "harness/operators/quantize_linear/proofs/subject.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <utility>
#include <variant>
#include <vector>

#include "cases/lattice/lattice.h"
#include "harness/backends/simd/core/fp_environment.h"
#include "harness/backends/simd/core/targets.h"
#include "harness/backends/simd/quantize_linear/inner_function.h"
#include "oracle/formats/codes.h"

namespace qconform::quantize_linear {
namespace {

size_t BytesOf(DataType type) { return static_cast<size_t>(BitWidth(type)) / 8; }

Tensor Scalar(DataType type, uint64_t code) {
  Tensor tensor = Tensor::Zeros(type, {});
  std::memcpy(tensor.data.data(), &code, tensor.data.size());
  return tensor;
}

// By words: compilers leave a loop over bytes of unknown number as it is.
void MaskCodes(size_t n, uint8_t mask, void* codes) {
  auto* bytes = static_cast<std::byte*>(codes);
  const uint64_t masks = mask * uint64_t{0x0101010101010101};
  constexpr size_t kWords = 8;
  std::array<uint64_t, kWords> words;
  size_t at = 0;
  for (; at + sizeof(words) <= n; at += sizeof(words)) {
    std::memcpy(words.data(), bytes + at, sizeof(words));
    for (uint64_t& word : words) word &= masks;
    std::memcpy(bytes + at, words.data(), sizeof(words));
  }
  for (; at < n; ++at) bytes[at] &= std::byte{mask};
}

// Eight codes of less than 8 bits, which are the lowest 8 * bits of the number, each in a
// byte of its own: four go to either half, two to either half of these, one to either of
// these.
uint64_t InBytes(uint64_t packed, int bits) {
  constexpr uint64_t kLanes[] = {0x0001000100010001, 0x0000000100000001, 1};
  for (int level = 2; level >= 0; --level) {
    const int width = bits << level;  // of the codes that move together
    const uint64_t mask = kLanes[level] * ((uint64_t{1} << width) - 1);
    packed = (packed & mask) | ((packed >> width) & mask) << (8 << level);
  }
  return packed;
}

// One byte for each of n codes of less than 8 bits, as Subject has them (QL-50, QL-52).
// Whatever the bits, eight codes begin and end at a byte.
void Unpack(const std::vector<std::byte>& packed, int bits, size_t n, uint8_t* codes) {
  constexpr size_t kCodes = 8;
  const auto bytes = static_cast<size_t>(bits);
  size_t at = 0;
  size_t done = 0;
  const auto move = [&](size_t from, size_t to) {
    uint64_t word = 0;
    std::memcpy(&word, packed.data() + at, from);
    word = InBytes(word, bits);
    std::memcpy(codes + done, &word, to);
    at += bytes;
    done += kCodes;
  };
  while (n - done >= kCodes && packed.size() - at >= sizeof(uint64_t)) {
    move(sizeof(uint64_t), kCodes);
  }
  while (done < n) {
    move(std::min(bytes, packed.size() - at), std::min(kCodes, n - done));
  }
}

class InnerSubject : public Subject {
 public:
  InnerSubject(simd::InnerFunction inner, DataType y)
      : inner_(std::move(inner)), bits_(BitWidth(y)), mask_((uint32_t{1} << bits_) - 1) {}

  Status SetScale(uint64_t scale) override {
    inner_.SetScale(reinterpret_cast<const std::byte*>(&scale));  // little-endian
    return Ok();
  }
  Status Run(const void* x, size_t n, void* codes) override {
    inner_(x, n, codes);
    if (mask_ < 0xFF) MaskCodes(n, static_cast<uint8_t>(mask_), codes);
    if (inner_.Packs(n)) ComparePacked(x, n, static_cast<uint8_t*>(codes));
    return Ok();
  }
  Status RunAlone(const void* x, size_t n, void* codes) override {
    inner_(x, n, codes);
    return Ok();
  }
  bool CanMatchRows(size_t columns) const override {
    return inner_.CanMatchRows(columns);
  }
  size_t MatchRows(const Rows& rows) override {
    simd::RowsToMatch match;
    match.scale = rows.scales.data();
    match.rows = rows.scales.size();
    match.x = rows.x;
    match.stride = rows.stride;
    match.columns = rows.columns;
    match.flipped = rows.flipped.data();
    match.codes = rows.codes;
    match.mask = mask_;
    return inner_.MatchRows(match);
  }
  size_t batch() const override { return 4096; }  // x and codes stay in L1

 private:
  // Asks the loops that pack for the same. If they differ, the code becomes an invalid
  // one.
  void ComparePacked(const void* x, size_t n, uint8_t* codes) {
    packed_.resize((n * static_cast<size_t>(bits_) + 7) / 8);
    unpacked_.resize(n);
    inner_.QuantizePacked(x, n, packed_.data());
    Unpack(packed_, bits_, n, unpacked_.data());
    for (size_t i = 0; i < n; ++i) codes[i] = codes[i] == unpacked_[i] ? codes[i] : 0xFF;
  }

  const simd::DefaultFpEnvironment environment_;
  simd::InnerFunction inner_;
  int bits_;
  uint32_t mask_;  // packing ignores the upper bits of a code of less than 8 bits
  std::vector<std::byte> packed_;
  std::vector<uint8_t> unpacked_;
};

class ModelSubject : public Subject {
 public:
  ModelSubject(QuantizeLinearLine line, const MakeModelAsker& make_asker)
      : line_(std::move(line)), one_{make_asker()}, many_{make_asker()} {}

  Status SetScale(uint64_t scale) override {
    line_.scale = scale;
    return Ok();
  }
  Status Run(const void* x, size_t n, void* codes) override {
    return Ask(one_, {&line_.scale, 1}, x, n, codes);
  }
  Status RunRows(std::span<const uint64_t> scales, const float* x, size_t columns,
                 void* codes) override {
    return Ask(many_, scales, x, columns, codes);
  }
  void* PlaceFor(size_t n) override {
    // Another n would be another model's, which may have another worker's memory.
    if (one_.columns != n) return nullptr;
    const auto place = one_.asker->FirstInput(n * BytesOf(line_.x));
    return place.empty() ? nullptr : place.data();
  }
  // x and codes stay in L2; twice as many if x has half of the bytes.
  size_t batch() const override { return (size_t{1} << 20) / BytesOf(line_.x); }
  size_t rows() const override { return 1024; }

 private:
  struct Prepared {
    std::unique_ptr<ModelAsker> asker;
    size_t rows = 0;  // of the model; 0: there is none
    size_t columns = 0;
  };

  Status Ask(Prepared& prepared, std::span<const uint64_t> scales, const void* x,
             size_t columns, void* codes) {
    // Without the bytes of x, which are fed in place.
    const StoredCase asked = LineCase(line_, scales, columns, {});
    if (prepared.rows != scales.size() || prepared.columns != columns) {
      prepared.rows = prepared.columns = 0;
      const Status made = prepared.asker->Prepare(asked.model);
      if (!made) return made;
      prepared.rows = scales.size();
      prepared.columns = columns;
    }
    std::vector<TensorView> inputs;
    for (const Tensor& input : asked.inputs) inputs.push_back(input.view());
    const size_t n = scales.size() * columns;
    inputs.front().data = {static_cast<const std::byte*>(x), n * BytesOf(line_.x)};
    const auto data = prepared.asker->Run(inputs);
    if (!data) return data.error();
    if (const int bits = BitWidth(line_.y); bits < 8) {
      Unpack(*data, bits, n, static_cast<uint8_t*>(codes));
    } else {
      std::memcpy(codes, data->data(), data->size());
    }
    return Ok();
  }

  QuantizeLinearLine line_;
  Prepared one_, many_;
};

}  // namespace

Status Subject::RunRows(std::span<const uint64_t> scales, const float* x, size_t columns,
                        void* codes) {
  assert(scales.size() == 1);
  const Status status = SetScale(scales[0]);
  return status ? Run(x, columns, codes) : status;
}

Result<SubjectSource> InnerSubjects(const QuantizeLinearLine& line,
                                    const std::string& target) {
  const auto found =
      target.empty() ? simd::FindTarget(int64_t{0}) : simd::FindTarget(target);
  if (!found) return found.error();
  const Shape none;
  const TensorView x{line.x, none, {}};
  const TensorView scale{line.y_scale, none, {}};
  const Tensor zero_point = Scalar(line.y, line.zero_point.value_or(0));
  simd::QuantizeLinearAttributes attributes;
  attributes.saturate = line.saturate;
  attributes.precision = line.precision;
  attributes.output_dtype = line.since_version >= 21 ? static_cast<int64_t>(line.y) : 0;
  const auto resolved = simd::ResolveQuantizeLinear(line.since_version, attributes, x,
                                                    scale, zero_point.view());
  if (const auto* refusal = std::get_if<simd::Refusal>(&resolved)) {
    return Error{refusal->clause + ": " + refusal->reason};
  }
  auto args = std::get<simd::QuantizeLinearArgs>(resolved);
  args.y_zero_point = zero_point.view();
  const simd::Kernels& kernels = *simd::KernelsOf(found->bit);
  const auto inner = simd::InnerFunction::Of(args, kernels);
  if (!inner) {
    return Error{"the kernels have no single inner function for these types"};
  }
  SubjectSource source;
  source.inner = true;
  source.ran = "the inner function of the kernels for " + std::string(found->name) +
               " (quantize_linear-inl.h), chosen for each scale as the library does";
  source.make = [inner = *inner, y = line.y]() -> Result<std::unique_ptr<Subject>> {
    return std::unique_ptr<Subject>(std::make_unique<InnerSubject>(inner, y));
  };
  return source;
}

SubjectSource ModelSubjects(const QuantizeLinearLine& line, MakeModelAsker make_asker) {
  SubjectSource source;
  source.ran = line.zero_point
                   ? "models of one node, with x, y_scale and y_zero_point fed as tensors"
                   : "models of one node, with x and y_scale fed as tensors";
  source.make = [line,
                 make = std::move(make_asker)]() -> Result<std::unique_ptr<Subject>> {
    return std::unique_ptr<Subject>(std::make_unique<ModelSubject>(line, make));
  };
  return source;
}

StoredCase LineCase(const QuantizeLinearLine& line, std::span<const uint64_t> scales,
                    size_t columns, std::span<const std::byte> x) {
  const bool per_axis = scales.size() > 1;
  const auto rows = static_cast<int64_t>(scales.size());
  const auto n = static_cast<int64_t>(columns);
  StoredCase made;
  Model& model = made.model;
  // A since_version is the first opset_version that has it.
  model.opset_version = line.since_version;
  model.ir_version = IrVersionFor(line.since_version);
  model.node.op_type = "QuantizeLinear";
  model.node.outputs = {"y"};
  const auto add = [&](const char* name, Tensor tensor) {
    model.node.inputs.push_back(name);
    model.inputs.push_back({name, tensor.type, tensor.shape});
    made.inputs.push_back(std::move(tensor));
  };
  const Shape shape = per_axis ? Shape{rows, n} : Shape{n};
  const Shape scale_shape = per_axis ? Shape{rows} : Shape{};
  add("x", {line.x, shape, std::vector<std::byte>(x.begin(), x.end())});
  Tensor y_scale = Tensor::Zeros(line.y_scale, scale_shape);
  const size_t size = BytesOf(line.y_scale);
  for (size_t i = 0; i < scales.size(); ++i) {
    std::memcpy(y_scale.data.data() + i * size, &scales[i], size);
  }
  add("y_scale", std::move(y_scale));
  if (line.zero_point) {
    Tensor zero_point = Tensor::Zeros(line.y, scale_shape);
    for (int64_t i = 0; i < rows; ++i) {
      WriteCode(zero_point.mutable_view(), i, *line.zero_point);
    }
    add("y_zero_point", std::move(zero_point));
  } else if (line.y != DataType::kUint8) {
    model.node.attributes.push_back({"output_dtype", static_cast<int64_t>(line.y)});
  }
  if (per_axis) model.node.attributes.push_back({"axis", int64_t{0}});
  if (IsFloat8(line.y)) model.node.attributes.push_back({"saturate", line.saturate});
  if (line.precision != 0) {
    model.node.attributes.push_back({"precision", line.precision});
  }
  model.outputs.push_back({"y", line.y, shape});
  return made;
}

}  // namespace qconform::quantize_linear
