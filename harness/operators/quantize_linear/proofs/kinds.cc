// `qconform prove line`, `plane` and `all-scales`.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cases/lattice/lattice.h"
#include "harness/core/operand_text.h"
#include "harness/core/proofs/proof_kind.h"
#include "harness/operators/quantize_linear/proofs/line.h"
#include "harness/operators/quantize_linear/proofs/subject.h"
#include "oracle/base/expected.h"
#include "oracle/formats/number_format.h"

namespace qconform::quantize_linear {
namespace {

constexpr const char* kOpType = "QuantizeLinear";

std::vector<FlagInfo> TypeFlags(bool types_are_required) {
  using enum FlagInfo::Form;
  return {{.name = "types",
           .help = "Types of x, y_scale and y",
           .type = "X-SCALE-Y",
           .initial = {.text = types_are_required ? "" : "FLOAT-FLOAT-UINT8"},
           .shows_initial = !types_are_required,
           .is_required = types_are_required},
          {.name = "--zero-point",
           .help = "A value of y's type, or 0x and its code; absent: no y_zero_point"},
          {.name = "--saturate",
           .help = "The attribute, of float8 types",
           .form = kInteger,
           .initial = {.integer = 1},
           .shows_initial = true,
           .bounds = std::pair(int64_t{0}, int64_t{1})},
          {.name = "--precision", .help = "The attribute, as a type's name"},
          {.name = "--since-version",
           .help = "Of QuantizeLinear; the newest if it is not given",
           .form = kInteger}};
}

Result<int> SinceVersionOf(int given) {
  const auto versions = SinceVersions(kOpType);
  if (given == 0) return versions.back().since_version;
  std::string known;
  for (const auto& version : versions) {
    if (version.since_version == given) return given;
    known += (known.empty() ? "" : ", ") + std::to_string(version.since_version);
  }
  return Expected("--since-version", "one of QuantizeLinear's, " + known,
                  std::to_string(given));
}

// The types of X-SCALE-Y; they are those of a cell, or an Error.
Result<std::vector<DataType>> TypesOf(const std::string& text, int since_version) {
  std::vector<DataType> types;
  std::string rest = text + "-";
  for (size_t at; (at = rest.find('-')) != std::string::npos; rest.erase(0, at + 1)) {
    types.push_back(ParseDataType(rest.substr(0, at)).value_or(DataType::kUndefined));
  }
  for (const Cell& cell : CellsOf(kOpType)) {
    if (cell.types == types && cell.since_version == since_version) return types;
  }
  return Expected("types",
                  "X-SCALE-Y of QuantizeLinear of since_version " +
                      std::to_string(since_version) + ", such as FLOAT-FLOAT-UINT8",
                  "'" + text + "'", "'qconform list cells --ids' prints them");
}

Result<int64_t> PrecisionNumberOf(const std::string& text, int since_version) {
  using enum DataType;
  const auto precision = ParseDataType(text);
  if (precision != kFloat && precision != kFloat16 && precision != kBfloat16 &&
      precision != kDouble) {
    return Expected("--precision", "FLOAT, FLOAT16, BFLOAT16 or DOUBLE",
                    "'" + text + "'");
  }
  if (since_version < 23) {
    return Expected("--precision", "since_version 23 or newer",
                    std::to_string(since_version));
  }
  return static_cast<int64_t>(*precision);
}

// Returns types, attributes and zero point.
Result<QuantizeLinearLine> LineOf(const FlagValues& values) {
  QuantizeLinearLine line;
  const auto since_version = SinceVersionOf(values.at("--since-version").integer);
  if (!since_version) return since_version.error();
  line.since_version = *since_version;
  const auto types = TypesOf(values.at("types").text, line.since_version);
  if (!types) return types.error();
  line.x = types->at(0);
  line.y_scale = types->at(1);
  line.y = types->at(2);
  line.saturate = values.at("--saturate").integer;
  if (line.saturate != 1 && !IsFloat8(line.y)) {
    return Expected("--saturate " + std::to_string(line.saturate), "y of a float8 type",
                    std::string(DataTypeName(line.y)));
  }
  if (const std::string& text = values.at("--precision").text; !text.empty()) {
    const auto precision = PrecisionNumberOf(text, line.since_version);
    if (!precision) return precision.error();
    line.precision = *precision;
  }
  if (const std::string& text = values.at("--zero-point").text; !text.empty()) {
    const auto code = ParseOperand(line.y, text, "--zero-point");
    if (!code) return code.error();
    line.zero_point = *code;
  }
  return line;
}

Result<SubjectSource> SourceFor(const ProofSubject& subject,
                                const QuantizeLinearLine& line) {
  if (subject.kernel_target) {
    auto inner = InnerSubjects(line, *subject.kernel_target);
    if (inner) return inner;
  }
  return ModelSubjects(line, subject.make_asker);
}

// What the three kinds share; `Made` is the kind's own task.
template <typename Made>
class LineTaskOf : public ProofTask {
 public:
  LineTaskOf(QuantizeLinearLine line, ProofSubject subject)
      : line_(std::move(line)), subject_(std::move(subject)) {}

  DataType x() const override { return line_.x; }
  DataType y() const override { return line_.y; }
  std::string reading() const override { return ReadingOf(line_); }
  std::vector<std::unique_ptr<ProofTask>> OtherReadings() const override {
    std::vector<std::unique_ptr<ProofTask>> others;
    for (const QuantizeLinearLine& line : quantize_linear::OtherReadings(line_)) {
      auto other = std::make_unique<Made>(static_cast<const Made&>(*this));
      other->line_ = line;
      others.push_back(std::move(other));
    }
    return others;
  }
  bool Explains(const SweepMismatch& mismatch) const override {
    return quantize_linear::Explains(line_, mismatch);
  }
  StoredCase CaseOf(const SweepMismatch& mismatch) const override {
    return MismatchCase(line_, mismatch);
  }

 protected:
  QuantizeLinearLine line_;
  ProofSubject subject_;
};

class LineTask : public LineTaskOf<LineTask> {
 public:
  LineTask(QuantizeLinearLine line, ProofSubject subject, bool times_kernel)
      : LineTaskOf(std::move(line), std::move(subject)), times_kernel_(times_kernel) {}

  Result<Proof> Prove() const override {
    const auto source = SourceFor(subject_, line_);
    if (!source) return source.error();
    return ProveLine(line_, *source);
  }
  bool times_kernel() const override { return times_kernel_; }
  Result<double> TimeKernel(const std::atomic<bool>& stop) const override {
    const auto source = SourceFor(subject_, line_);
    if (!source) return source.error();
    return TimeKernelAlone(line_, *source, stop);
  }

 private:
  bool times_kernel_;
};

class PlaneTask : public LineTaskOf<PlaneTask> {
 public:
  using LineTaskOf::LineTaskOf;

  Result<Proof> Prove() const override {
    const auto source = SourceFor(subject_, line_);
    if (!source) return source.error();
    return ProvePlane(line_, *source);
  }
};

class AllScalesTask : public LineTaskOf<AllScalesTask> {
 public:
  AllScalesTask(QuantizeLinearLine line, ProofSubject subject, std::vector<int> binades)
      : LineTaskOf(std::move(line), std::move(subject)), binades_(std::move(binades)) {}

  Result<Proof> Prove() const override {
    return ProveAllScales(line_, binades_, [this](const QuantizeLinearLine& one) {
      return SourceFor(subject_, one);
    });
  }
  StoredCase CaseOf(const SweepMismatch& mismatch) const override {
    QuantizeLinearLine one = line_;
    if (IsInteger(one.y)) one.zero_point = mismatch.zero_point;
    return MismatchCase(one, mismatch);
  }

 private:
  std::vector<int> binades_;
};

class KindOfLine : public ProofKind {
 public:
  std::string_view example_reading() const override { return "QL-04:f32_quotient"; }
};

class LineKind : public KindOfLine {
 public:
  std::string_view name() const override { return "line"; }
  std::string_view help() const override { return "All x of a type against one scale"; }
  std::vector<FlagInfo> flags() const override {
    std::vector<FlagInfo> flags = TypeFlags(false);
    flags.push_back(
        {.name = "--scale", .help = "A value, or 0x and its code", .is_required = true});
    flags.push_back({.name = "--time-kernel",
                     .help = "Also time only the kernel, on the same number of elements",
                     .form = FlagInfo::Form::kSwitch});
    return flags;
  }
  Result<std::unique_ptr<ProofTask>> Make(const FlagValues& values,
                                          const ProofSubject& subject) const override {
    auto line = LineOf(values);
    if (!line) return line.error();
    const auto scale = ParseOperand(line->y_scale, values.at("--scale").text, "--scale");
    if (!scale) return scale.error();
    line->scale = *scale;
    return std::unique_ptr<ProofTask>(
        std::make_unique<LineTask>(*line, subject, values.at("--time-kernel").is_set));
  }
};

class PlaneKind : public KindOfLine {
 public:
  std::string_view name() const override { return "plane"; }
  std::string_view help() const override {
    return "All x by all scales of 16-bit float types";
  }
  // The types that other kinds begin with have no 16-bit operands.
  std::vector<FlagInfo> flags() const override { return TypeFlags(true); }
  Result<std::unique_ptr<ProofTask>> Make(const FlagValues& values,
                                          const ProofSubject& subject) const override {
    const auto line = LineOf(values);
    if (!line) return line.error();
    return std::unique_ptr<ProofTask>(std::make_unique<PlaneTask>(*line, subject));
  }
};

class AllScalesKind : public KindOfLine {
 public:
  std::string_view name() const override { return "all-scales"; }
  std::string_view help() const override {
    return "Both sides of every boundary of y, for every positive FLOAT scale";
  }
  std::vector<FlagInfo> flags() const override {
    std::vector<FlagInfo> flags = TypeFlags(false);
    flags.push_back({.name = "--binade",
                     .help = "Only the scales of [2^E, 2^(E+1)) (repeatable)",
                     .form = FlagInfo::Form::kIntegers,
                     .type = "E",
                     .bounds = std::pair(int64_t{-126}, int64_t{127})});
    flags.push_back(
        {.name = "--all",
         .help = "All binades, also if y has 16 bits or the backend is not simd",
         .form = FlagInfo::Form::kSwitch,
         .excludes = "--binade"});
    return flags;
  }
  Result<std::unique_ptr<ProofTask>> Make(const FlagValues& values,
                                          const ProofSubject& subject) const override {
    const auto line = LineOf(values);
    if (!line) return line.error();
    if (line->zero_point && IsInteger(line->y)) {
      return Error{
          "--zero-point: all-scales takes those at both ends of the range of an integer "
          "y by itself"};
    }
    const std::vector<int64_t>& given = values.at("--binade").integers;
    std::vector<int> binades(given.begin(), given.end());
    for (auto at = binades.begin(); at != binades.end(); ++at) {
      if (std::find(binades.begin(), at, *at) == at) continue;
      return Error{"--binade " + std::to_string(*at) + " is given twice"};
    }
    if (binades.empty() && !values.at("--all").is_set) {
      // All scales would take too long: all significands, at a few exponents.
      if (!subject.kernel_target) {
        binades = {-12, 0, 12};
      } else if (BitWidth(line->y) == 16) {
        binades = {0};
      }
    }
    return std::unique_ptr<ProofTask>(
        std::make_unique<AllScalesTask>(*line, subject, std::move(binades)));
  }
};

}  // namespace

const ProofKinds& GetProofKinds() {
  static const LineKind line;
  static const PlaneKind plane;
  static const AllScalesKind all_scales;
  static const ProofKinds kinds{&line, &plane, &all_scales};
  return kinds;
}

}  // namespace qconform::quantize_linear
