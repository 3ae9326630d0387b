#include "oracle/exact/testing/agreement.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <sstream>
#include <thread>

#include "oracle/exact/packing.h"

namespace qconform::agreement {
namespace {

using exact::Format;
using exact::Value;

std::string Text(uint64_t code, exact::Freedom freedom, exact::Tier tier) {
  static constexpr const char* kFreedoms[] = {"none", "any_nan", "any_zero", "any_code",
                                              "same_code"};
  static constexpr const char* kTiers[] = {"regular", "subnormal", "conversion_range",
                                           "degenerate_scale", "accumulator_overflow"};
  std::ostringstream out;
  out << "0x" << std::hex << code << " (" << kFreedoms[static_cast<int>(freedom)] << ", "
      << kTiers[static_cast<int>(tier)] << ")";
  return out.str();
}

exact::Freedom JudgeFreedom(const ElementAnswer& element) {
  switch (element.freedom) {
    case Freedom::kNone:
    case Freedom::kOneOf:  // only graphs have it
      break;
    case Freedom::kAnyNan:
      return exact::Freedom::kAnyNan;
    case Freedom::kAnyCode:
      return exact::Freedom::kAnyCode;
    case Freedom::kSameCode:
      return exact::Freedom::kSameCode;
  }
  return element.zero_sign_is_free ? exact::Freedom::kAnyZero : exact::Freedom::kNone;
}

std::string ShapeText(const std::vector<int64_t>& shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i) {
    text += (i == 0 ? "" : ",") + std::to_string(shape[i]);
  }
  return text + "]";
}

uint64_t CodeMask(const Format& format) {
  return format.bits == 64 ? ~uint64_t{0} : (uint64_t{1} << format.bits) - 1;
}

uint64_t RandomFloatCode(const Format& format, Random& random) {
  const uint64_t sign = random.OneIn(2) ? uint64_t{1} << (format.bits - 1) : 0;
  const uint64_t one = exact::CodeOf(format, Value::Number(1));
  const uint64_t normal =
      exact::CodeOf(format, Value::Number(exact::PowerOfTwo(format.min_exponent)));
  switch (random.Below(8)) {
    case 0:
      return random.Next() & CodeMask(format);
    case 1: {  // specials and limits
      const uint64_t code = random.Pick<uint64_t>(
          {0, 1, 2, normal - 1, normal, normal + 1, format.highest_rank - 1,
           format.highest_rank, format.highest_rank + 1, (CodeMask(format) >> 1) - 1,
           CodeMask(format) >> 1, one, one + 1, one - 1});
      return (code & (CodeMask(format) >> 1)) | sign;
    }
    case 2:  // powers of two
      return sign | exact::Round(format,
                                 Value::Number(exact::PowerOfTwo(
                                     static_cast<int>(random.Between(-150, 128)))),
                                 exact::Overflow::kSaturate);
    case 3:  // small integers and halves
      return sign |
             exact::Round(format, Value::Number(mpq_class(random.Between(0, 1024), 2)),
                          exact::Overflow::kSaturate);
    default: {  // any significand, moderate exponent
      const mpq_class v = (1 + mpq_class(random.Between(0, 0xFFFFFF), 0x1000000)) *
                          exact::PowerOfTwo(static_cast<int>(random.Between(-12, 12)));
      return sign | exact::Round(format, Value::Number(v), exact::Overflow::kSaturate);
    }
  }
}

uint64_t RandomIntegerCode(const Format& format, Random& random) {
  mpq_class v;
  switch (random.Below(6)) {
    case 0:
      return random.Next() & CodeMask(format);
    case 1:
      v = random.Pick<mpq_class>({format.lowest, format.highest, format.lowest + 1,
                                  format.highest - 1, 0, 1, -1});
      break;
    case 2:
      v = (format.lowest + format.highest + random.Between(-1, 2)) / 2;
      v = exact::RoundHalfEven(v);
      break;
    case 3:  // around a power of two, where conversions to floats start to round
      v = exact::PowerOfTwo(static_cast<int>(random.Between(0, format.bits - 1))) +
          random.Between(-2, 2);
      if (random.OneIn(2)) v = -v;
      break;
    default:
      v = random.Between(-200, 200);
      break;
  }
  return exact::CodeOf(format,
                       Value::Number(std::clamp(v, format.lowest, format.highest)));
}

}  // namespace

uint64_t Random::Next() {
  uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

int64_t CaseCount(int64_t otherwise) {
  const char* text = std::getenv("QCONFORM_JUDGE_CASES");
  return text == nullptr ? otherwise : std::strtoll(text, nullptr, 10);
}

Tensor Pack(const exact::Codes& codes) {
  return {static_cast<DataType>(codes.type), codes.shape,
          exact::PackedBytes(codes.codes, exact::GetFormat(codes.type).bits)};
}

const exact::Format& JudgeFormat(DataType type) {
  return exact::GetFormat(static_cast<int>(type));
}

exact::FloatZeroPoint JudgeFloatZeroPoint(FloatZeroPoint reading) {
  switch (reading) {
    case FloatZeroPoint::kCanonical:
      return exact::FloatZeroPoint::kCanonical;
    case FloatZeroPoint::kIgnored:
      return exact::FloatZeroPoint::kIgnored;
    case FloatZeroPoint::kRoundThenAdd:
      return exact::FloatZeroPoint::kRoundThenAdd;
    case FloatZeroPoint::kAddedInP:
      return exact::FloatZeroPoint::kAddedInP;
  }
  return exact::FloatZeroPoint::kCanonical;
}

std::string Difference(const exact::Answer& judge, const Answer& oracle,
                       bool free_codes_may_differ) {
  if (judge.type != static_cast<int>(oracle.type)) return "types differ";
  if (judge.shape != oracle.shape) {
    return "judge's shape " + ShapeText(judge.shape) + ", oracle's " +
           ShapeText(oracle.shape);
  }
  if (judge.elements.size() != oracle.elements.size()) return "counts differ";
  const Format& format = exact::GetFormat(judge.type);
  for (size_t i = 0; i < judge.elements.size(); ++i) {
    const exact::Element& one = judge.elements[i];
    const ElementAnswer& other = oracle.elements[i];
    const exact::Freedom freedom = JudgeFreedom(other);
    const auto tier = static_cast<exact::Tier>(other.tier);
    bool same = one.freedom == freedom && one.tier == tier;
    if (one.freedom == exact::Freedom::kAnyNan) {
      same = same && exact::IsNanCode(format, one.code) &&
             exact::IsNanCode(format, other.code);
    } else if (one.freedom != exact::Freedom::kSameCode &&
               (one.freedom != exact::Freedom::kAnyCode || !free_codes_may_differ)) {
      // Where any code is allowed, so is any NaN for a NaN.
      const bool both_nan = one.freedom == exact::Freedom::kAnyCode &&
                            exact::IsNanCode(format, one.code) &&
                            exact::IsNanCode(format, other.code);
      same = same && (both_nan || one.code == other.code);
    }
    if (!same) {
      return "[" + std::to_string(i) + "]: judge " +
             Text(one.code, one.freedom, one.tier) + ", oracle " +
             Text(other.code, freedom, tier);
    }
  }
  return "";
}

std::string ToString(const exact::Codes& codes) {
  std::ostringstream out;
  out << DataTypeName(static_cast<DataType>(codes.type)) << " " << ShapeText(codes.shape)
      << " {" << std::hex;
  for (size_t i = 0; i < codes.codes.size(); ++i) {
    out << (i == 0 ? "" : ", ") << "0x" << codes.codes[i];
  }
  out << "}";
  return out.str();
}

void Findings::Add(const std::string& text) {
  const std::lock_guard<std::mutex> lock(mutex_);
  ++count_;
  if (first_.size() < 8) first_.push_back(text);
}

std::string Findings::Text() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::string text = std::to_string(count_) + " disagreements; the first:\n";
  for (const std::string& one : first_) text += one + "\n";
  return text;
}

void InParallel(int64_t chunks, const std::function<void(int64_t)>& work) {
  std::atomic<int64_t> next = 0;
  const auto run = [&] {
    for (int64_t chunk = next++; chunk < chunks; chunk = next++) work(chunk);
  };
  if (std::thread::hardware_concurrency() < 2) return run();
  std::thread second(run);
  run();
  second.join();
}

uint64_t RandomCode(const Format& format, Random& random) {
  switch (format.set) {
    case Format::Set::kIntegers:
      return RandomIntegerCode(format, random);
    case Format::Set::kPowersOfTwo:
      if (random.OneIn(4)) return random.Below(256);
      if (random.OneIn(8)) return random.Pick<uint64_t>({0, 1, 254, 255});
      return static_cast<uint64_t>(random.Between(127 - 12, 127 + 12));
    case Format::Set::kFloats:
      break;
  }
  return RandomFloatCode(format, random);
}

uint64_t CodeNear(const Format& format, const mpq_class& v, int distance,
                  Random& random) {
  const uint64_t code =
      exact::Round(format, Value::Number(v), exact::Overflow::kSaturate);
  // A step over 0 or over the end of the range gives other interesting codes.
  return (code + static_cast<uint64_t>(random.Between(-distance, distance))) &
         CodeMask(format);
}

mpq_class RandomBoundary(const Format& format, Random& random) {
  if (format.set == Format::Set::kIntegers) {
    const int64_t lowest = format.lowest.get_num().get_si();
    const int64_t highest = format.highest.get_num().get_si();
    const int64_t k =
        random.OneIn(4)
            ? random.Pick<int64_t>({lowest - 1, lowest, -1, 0, highest - 1, highest})
            : random.Between(lowest - 1, highest);
    return k + mpq_class(1, 2);
  }
  const uint64_t rank = random.OneIn(4)
                            ? random.Pick<uint64_t>({0, 1, format.highest_rank})
                            : random.Below(format.highest_rank + 1);
  // Half a step past the highest is where overflow starts.
  const mpq_class middle =
      rank < format.highest_rank
          ? mpq_class((exact::ValueOf(format, rank).number +
                       exact::ValueOf(format, rank + 1).number) /
                      2)
          : mpq_class(format.highest +
                      (format.highest - exact::ValueOf(format, rank - 1).number) / 2);
  return random.OneIn(2) ? mpq_class(-middle) : middle;
}

std::vector<uint64_t> CodesAround(const Format& format, const mpq_class& v) {
  const uint64_t at = exact::Round(format, Value::Number(v), exact::Overflow::kSaturate);
  if (format.set == Format::Set::kIntegers) {
    return {at, (at + 1) & CodeMask(format), (at - 1) & CodeMask(format)};
  }
  const uint64_t sign = at & ~(CodeMask(format) >> 1);
  const uint64_t rank = at - sign;
  if (rank == 0) return {at, 1, (CodeMask(format) >> 1) + 2};
  if (rank == format.highest_rank) return {at, at - 1};
  return {at, at - 1, at + 1};
}

std::vector<mpq_class> Boundaries(const Format& format) {
  const std::vector<mpq_class> members = Members(format);
  std::vector<mpq_class> all;
  for (size_t i = 0; i + 1 < members.size(); ++i) {
    all.push_back((members[i] + members[i + 1]) / 2);
  }
  const size_t last = members.size() - 1;
  all.push_back(members[last] + (members[last] - members[last - 1]) / 2);
  all.push_back(members[0] - (members[1] - members[0]) / 2);
  return all;
}

std::vector<mpq_class> Members(const Format& format) {
  std::vector<mpq_class> members;
  for (uint64_t code = 0; code < (uint64_t{1} << format.bits); ++code) {
    const Value value = exact::ValueOf(format, code);
    if (value.IsNumber() && !(value.IsZero() && value.negative)) {
      members.push_back(value.number);
    }
  }
  std::sort(members.begin(), members.end());
  return members;
}

}  // namespace qconform::agreement
